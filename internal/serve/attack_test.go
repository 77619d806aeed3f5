package serve_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/serve"
)

// TestEveryCredentialOnEveryRoute sends each token with each kind of request to
// each endpoint, and expects exactly the status, the challenge and the body that
// follow from all three.
func TestEveryCredentialOnEveryRoute(t *testing.T) {
	_, observe := observers(t)
	r, issuer := protected(t, func(o *serve.Options) {
		tools := o.Endpoints[0].Tools
		observe(o)
		o.Endpoints[0].Tools = tools // protected has added change already
		o.Endpoints[1].Tools = tools
	})
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for who, c := range credentials(t, issuer) {
		for what, op := range operations() {
			for _, endpoint := range []string{"/", "/mcp"} {
				t.Run(who+"/"+what+" at "+endpoint, func(t *testing.T) {
					x := op.exchange
					if x.path == "" {
						x.path = endpoint
					}
					x.header = map[string]string{"Authorization": c.header}
					ann := map[string]string{"Authorization": bearer(issuer, "ann")}
					if op.session || op.bound {
						ann["Mcp-Session-Id"] = send(t, r.url, exchange{path: endpoint, body: initialize}).header.Get("Mcp-Session-Id")
						x.header["Mcp-Session-Id"] = ann["Mcp-Session-Id"]
					}
					if op.bound {
						check(t, exchange{status: 200}, send(t, r.url, exchange{path: endpoint, body: list, header: ann}))
					}
					challenge := op.expect(c, &x)
					got := send(t, r.url, x)
					check(t, x, got)
					checkChallenge(t, got, challenge, r.url, strings.TrimSuffix(endpoint, "/"))
					if !op.bound {
						return
					}
					// Nobody but the owner has ended the session, and it ends once.
					after := exchange{path: endpoint, method: x.method, body: x.body, header: ann, status: op.status}
					if x.method == "DELETE" && x.status == 204 {
						after.status, after.code = 404, -32600
					}
					check(t, after, send(t, r.url, after))
				})
			}
		}
	}
}

// expect fills in what the operation answers to the credential, and returns the
// challenge: nil for none.
func (op operation) expect(c credential, x *exchange) *credential {
	lacking := credential{problem: "insufficient_scope", why: "the token lacks a scope that is needed"}
	switch {
	case op.open:
		return nil
	case op.watch:
		if x.status, x.says = 403, `"error":"insufficient_scope"`; c.good() {
			return &lacking
		}
		x.status, x.says = 401, `"message":"`+strings.TrimSuffix(c.says(), " ")+`"`
		return &c
	case !c.good():
		x.status, x.code, x.says = 401, -32600, c.says()
		return &c
	case op.read && !c.read, op.execute && !c.execute:
		x.status, x.code, x.says = 403, -32600, "The bearer token does not allow this: the token lacks a scope that is needed. "
		return &lacking
	case op.bound && c.other:
		x.status, x.code, x.says = 404, -32600, "the session is unknown or has ended"
	}
	return nil
}

// checkChallenge wants the whole header: what is wrong, what to ask for, and where.
func checkChallenge(t *testing.T, got answer, want *credential, url, endpoint string) {
	t.Helper()
	header := got.header.Values("WWW-Authenticate")
	if want == nil {
		if len(header) > 0 {
			t.Errorf("an answer of %d has the challenge %s", got.status, header)
		}
		return
	}
	params := []string{`scope="test:`}
	if strings.Contains(strings.Join(header, ""), "metrics:read") {
		params = []string{`scope="metrics:read"`} // the metrics are no resource of the protocol
	} else {
		params = append(params, `resource_metadata="`+url+`/.well-known/oauth-protected-resource`+endpoint+`"`)
	}
	if want.problem != "" {
		params = append(params, fmt.Sprintf("error=%q", want.problem), fmt.Sprintf("error_description=%q", want.why))
	}
	for _, p := range params {
		if len(header) != 1 || !strings.HasPrefix(header[0], "Bearer ") || !strings.Contains(header[0], p) {
			t.Errorf("the challenge lacks %s: %s", p, header)
		}
	}
	if want.problem == "" && strings.Contains(strings.Join(header, ""), "error") {
		t.Errorf("who sent no token is told of an error: %s", header)
	}
}

// reading is a body that two parsers may read differently, and what is said to it.
type reading struct {
	body, says string
	large      bool // too large for somebody who has shown no token
}

func readings() map[string]reading {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call",`
	twice, written, end := "appears twice", "must be written", "not valid JSON"
	deep := func(open, inner, close string) reading {
		return reading{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":` + strings.Repeat(open, 1e6) + inner + strings.Repeat(close, 1e6) + `}`, "nested too deep", true}
	}
	return map[string]reading{
		"a key twice":                 {body: call + `"method":"initialize","params":{"name":"change"}}`, says: twice},
		"a key twice, turned":         {body: `{"jsonrpc":"2.0","id":1,"method":"initialize","method":"tools/call","params":{"name":"change"}}`, says: twice},
		"a key in capitals":           {body: call + `"Method":"initialize","params":{"name":"change"}}`, says: written},
		"all keys in capitals":        {body: `{"JSONRPC":"2.0","ID":1,"METHOD":"tools/call","PARAMS":{"name":"change"}}`, says: written},
		"a key with escapes":          {body: call + `"\u006dethod":"initialize","params":{"name":"change"}}`, says: twice},
		"a key of other letters":      {body: call + `"param\u017f":{"name":"echo"},"params":{"name":"change"}}`, says: written},
		"parameters twice":            {body: call + `"params":{"name":"echo"},"params":{"name":"change"}}`, says: twice},
		"a name twice":                {body: call + `"params":{"name":"echo","name":"change"}}`, says: twice},
		"a name in capitals":          {body: call + `"params":{"name":"change","NAME":"echo"}}`, says: written},
		"an array":                    {body: `[{"jsonrpc":"2.0","id":1,"method":"initialize"},` + call + `"params":{"name":"change"}}]`, says: "batches are not supported"},
		"something behind it":         {body: `{"jsonrpc":"2.0","id":1,"method":"initialize"}` + call + `"params":{"name":"change"}}`, says: end},
		"a letter behind it":          {body: initialize + "x", says: end},
		"a zero behind it":            {body: initialize + "\x00", says: end},
		"two objects in a batch":      {body: `{"jsonrpc":"2.0","id":1,"method":"initialize"},{"jsonrpc":"2.0","id":2}`, says: end},
		"a mark before it":            {body: "\ufeff" + initialize, says: end},
		"a million objects":           deep(`{"a":`, "1", "}"),
		"a million arrays":            deep("[", "", "]"),
		"a million without an end":    deep("[", "", ""),
		"a million arrays, no object": {body: strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6), says: "nested too deep", large: true},
	}
}

// TestThereAreNoTwoReadings: a message that can be read in two ways is refused as
// such, whoever sends it in whatever era, and nothing of it is executed.
func TestThereAreNoTwoReadings(t *testing.T) {
	r, issuer := protected(t, nil)
	session := send(t, r.url, exchange{body: initialize, header: map[string]string{"Authorization": bearer(issuer, "ann")}}).header.Get("Mcp-Session-Id")
	eras := map[string]map[string]string{
		"session": {"Mcp-Session-Id": session}, "neither": {}, "modern": {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"},
	}
	tokens := map[string]string{
		"no token": "", "bad": "Bearer bad", "reader": bearer(issuer, "ann"),
		"all": "Bearer " + issuer.Mint(map[string]any{"sub": "ann", "scope": "test:execute"}),
	}
	for name, b := range readings() {
		for era, header := range eras {
			for who, token := range tokens {
				t.Run(name+"/"+era+"/"+who, func(t *testing.T) {
					x := exchange{body: b.body, header: maps.Clone(header), status: 400, code: -32600, says: b.says}
					x.header["Authorization"] = token
					switch {
					case b.says == "not valid JSON":
						x.code = -32700
					case b.large && (who == "no token" || who == "bad"):
						x.status, x.says = 401, "bearer token"
					}
					check(t, x, send(t, r.url, x))
				})
			}
		}
	}
}

// TestAFloodOfForgedKeys: fifty names of keys that nobody has, at the same time and
// one after another, are refused, the issuer is asked for its keys once more and not
// fifty times, and good tokens work on.
func TestAFloodOfForgedKeys(t *testing.T) {
	r, issuer := protected(t, nil)
	_, key := issuer.Key()
	x := operations()["modern tools/list"].exchange
	good := x
	good.header = map[string]string{"Authorization": bearer(issuer, "ann")}
	check(t, good, send(t, r.url, good))
	before := issuer.Hits(oauthtest.KeysPath)
	forged := func(n int) exchange {
		y := x
		y.header = map[string]string{"Authorization": "Bearer " + issuer.Sign(jwt.SigningMethodES256, key, map[string]any{"kid": fmt.Sprint("forged-", n)}, nil)}
		y.status, y.code, y.says = 401, -32600, "the issuer has no key of this name"
		return y
	}
	var wg sync.WaitGroup
	for n := range 50 {
		wg.Go(func() { check(t, forged(n), send(t, r.url, forged(n))) })
	}
	wg.Wait()
	for n := range 50 {
		check(t, forged(100+n), send(t, r.url, forged(100+n)))
	}
	check(t, good, send(t, r.url, good))
	if asked := issuer.Hits(oauthtest.KeysPath) - before; asked > 2 {
		t.Errorf("the issuer was asked for its keys %d times", asked)
	}
}
