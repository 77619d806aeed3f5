package serve_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// change is a tool that needs more than to read.
var change = tool.New(tool.Spec{
	Name: "change", Title: "change", Description: "A tool of the tests.", Effect: tool.Write, Scope: "test:execute",
}, func(_ *desk, ctx context.Context, _ none) (echoOut, error) {
	return echoOut{Text_: "changed", Caller: tool.Caller(ctx).Subject}, nil
})

// granted is the policy of a server with tokens: what the caller's scopes allow.
func granted(ctx context.Context, s tool.Spec) error {
	if missing := auth.Missing(tool.Caller(ctx), s.Scope); len(missing) > 0 {
		return fmt.Errorf("a call came through without %v", missing)
	}
	return nil
}

// protected is a server that takes the tokens of an issuer.
func protected(t *testing.T, more func(*serve.Options)) (*running, *oauthtest.Issuer) {
	t.Helper()
	issuer := oauthtest.New(t)
	v, err := oauth.New(t.Context(), oauth.Config{
		Issuer: issuer.URL, Audiences: []string{oauthtest.Audience}, HTTPClient: issuer.HTTPClient(),
		Introspection: oauth.Introspection{ClientID: oauthtest.ClientID, ClientSecret: oauthtest.ClientSecret},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	r := start(t, func(o *serve.Options) {
		o.Access = &serve.Access{Verify: v.Verify, Issuers: []string{issuer.URL}}
		o.Policy.Authorize = granted
		o.Endpoints[0].Tools = append(o.Endpoints[0].Tools, change.Bind(newDesk()))
		if more != nil {
			more(o)
		}
	})
	return r, issuer
}

// credential is what a request proves itself with, and what it may do with it.
type credential struct {
	header        string
	problem       string // the OAuth error of the challenge
	why           string // what the challenge and the body say of the token
	read, execute bool
	other         bool // it is not of the subject that the others are of
}

// credentials are every kind of token that comes along.
func credentials(t *testing.T, i *oauthtest.Issuer) map[string]credential {
	t.Helper()
	kid, key := i.Key()
	bad := func(token, why string) credential {
		return credential{header: "Bearer " + token, problem: "invalid_token", why: why}
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	// With the name of a key of the issuer: without one it would be refused for that.
	forged := func(method jwt.SigningMethod, key any) string {
		return i.Sign(method, key, map[string]any{"kid": kid, "typ": "at+jwt"}, nil)
	}
	_, strangers := oauthtest.New(t).Key()
	parts := strings.Split(i.Mint(nil), ".")
	return map[string]credential{
		"no token":                  {},
		"garbage":                   bad("garbage", "it is not active"),
		"an empty token":            bad("", "it is not a token in form"),
		"two tokens in one":         bad("a b", "it is not a token in form"),
		"another scheme":            {header: "Basic YTpi", why: "the Authorization header holds none"},
		"alg none":                  bad(forged(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType), "its signature is not good"),
		"no signature":              bad(parts[0]+"."+parts[1]+".", "its signature is not good"),
		"HS256 with the public key": bad(forged(jwt.SigningMethodHS256, public), "its signature is not good"),
		"a stranger's key":          bad(forged(jwt.SigningMethodES256, strangers), "its signature is not good"),
		"a key that is not there":   bad(i.Sign(jwt.SigningMethodES256, key, map[string]any{"kid": "no-such-key"}, nil), "the issuer has no key of this name"),
		"another audience":          bad(i.Mint(map[string]any{"aud": "https://other.example/"}), "it is for another audience"),
		"another issuer":            bad(i.Mint(map[string]any{"iss": "https://other.example/"}), "it is of another issuer"),
		"the issuer without slash":  bad(i.Mint(map[string]any{"iss": strings.TrimSuffix(i.URL, "/")}), "it is of another issuer"),
		"expired":                   bad(i.Mint(map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}), "it has expired"),
		"without an end":            bad(i.Mint(map[string]any{"exp": nil}), "it lacks its issuer, its audience or when it expires"),
		"not yet valid":             bad(i.Mint(map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}), "it is not valid yet"),
		"an unknown opaque token":   bad("opaque-that-nobody-knows", "it is not active"),
		"no scope":                  {header: "Bearer " + i.Mint(map[string]any{"scope": ""})},
		"read only":                 {header: "Bearer " + i.Mint(map[string]any{"scope": "test:read"}), read: true},
		"execute only":              {header: "Bearer " + i.Mint(map[string]any{"scope": "test:execute"}), read: true, execute: true},
		"permissions":               {header: "bearer " + i.Mint(map[string]any{"scope": nil, "permissions": []string{"test:read", "test:execute"}}), read: true, execute: true},
		"an opaque token":           {header: "Bearer " + i.Opaque(map[string]any{"scope": "test:read"}), read: true},
		"another subject":           {header: "Bearer " + i.Mint(map[string]any{"sub": "bob", "scope": "test:read"}), read: true, other: true},
	}
}

// good reports whether the token itself is.
func (c credential) good() bool {
	return c.header != "" && c.problem == "" && !strings.HasPrefix(c.header, "Basic")
}

// says is what the body of a refusal says of the token.
func (c credential) says() string {
	text := map[string]string{"": "This needs a bearer token", "invalid_token": "The bearer token is not accepted"}[c.problem]
	if c.why != "" {
		text += ": " + c.why
	}
	return text + ". "
}

// operation is a request, and what it needs.
type operation struct {
	exchange
	open          bool // needs no token
	read, execute bool // needs that scope
	session       bool
	bound         bool // the session is ann's, who is the subject of tokens unless they say otherwise
	watch         bool // needs a scope that nobody has, and answers in another form than the protocol's
}

func operations() map[string]operation {
	call := func(name string) string {
		return `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + name + `","arguments":{}}}`
	}
	modern := func(method, params string) exchange {
		return exchange{modern: true, body: fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":%q,"params":{%s%s}}`, method, params, meta)}
	}
	ok := func(x exchange, status int) exchange {
		x.status = status
		return x
	}
	return map[string]operation{
		"initialize":             {exchange: exchange{body: initialize, status: 200}, open: true},
		"initialized":            {exchange: exchange{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 202}, open: true, session: true},
		"another notification":   {exchange: exchange{body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`, status: 202}, session: true},
		"an answer":              {exchange: exchange{body: `{"jsonrpc":"2.0","id":7,"result":{}}`, status: 202}, session: true},
		"ping":                   {exchange: exchange{body: `{"jsonrpc":"2.0","id":2,"method":"ping"}`, status: 200}, session: true},
		"tools/list":             {exchange: exchange{body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, status: 200}, session: true},
		"resources/list":         {exchange: exchange{body: `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`, status: 200}, session: true},
		"a call to read":         {exchange: exchange{body: call("echo"), status: 200}, read: true, session: true},
		"a call to change":       {exchange: exchange{body: call("change"), status: 200}, execute: true, session: true},
		"discover":               {exchange: ok(modern("server/discover", ""), 200), open: true},
		"modern tools/list":      {exchange: ok(modern("tools/list", ""), 200)},
		"a modern call to read":  {exchange: ok(modern("tools/call", `"name":"echo","arguments":{},`), 200), read: true},
		"a modern call to write": {exchange: ok(modern("tools/call", `"name":"change","arguments":{},`), 200), execute: true},
		"HEAD":                   {exchange: exchange{method: "HEAD", status: 200}, open: true},
		"GET":                    {exchange: exchange{method: "GET", status: 405}, open: true},
		"OPTIONS":                {exchange: exchange{method: "OPTIONS", status: 204}, open: true},
		"POST to nowhere":        {exchange: exchange{path: "/nowhere", body: initialize, status: 404, says: `"error":"not_found"`}, open: true},
		"metrics":                {exchange: exchange{method: "GET", path: "/metrics"}, watch: true},
		"a session's list":       {exchange: exchange{body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, status: 200}, bound: true},
		"DELETE":                 {exchange: exchange{method: "DELETE", status: 204}, bound: true},
		"DELETE without session": {exchange: exchange{method: "DELETE", status: 400, code: -32600}, open: true},
		"PUT":                    {exchange: exchange{method: "PUT", status: 405}, open: true},
		"health":                 {exchange: exchange{method: "GET", path: "/health", status: 200}, open: true},
		"ready":                  {exchange: exchange{method: "GET", path: "/ready", status: 200}, open: true},
		"metadata":               {exchange: exchange{method: "GET", path: "/.well-known/oauth-protected-resource", status: 200}, open: true},
		"metadata of a path":     {exchange: exchange{method: "GET", path: "/.well-known/oauth-protected-resource/mcp", status: 200}, open: true},
	}
}

// TestASessionIsWhosoeverUsedItFirst: after its first call with a token, a session
// is nobody else's, to call and to end.
func TestASessionIsWhosoeverUsedItFirst(t *testing.T) {
	r, issuer := protected(t, nil)
	as := func(subject, session string) map[string]string {
		return map[string]string{"Authorization": "Bearer " + issuer.Mint(map[string]any{"sub": subject, "scope": "test:read"}), "Mcp-Session-Id": session}
	}
	session := send(t, r.url, exchange{body: initialize}).header.Get("Mcp-Session-Id")
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	end := exchange{method: "DELETE", status: 404}
	for _, x := range []exchange{
		{body: list, header: as("ann", session), status: 200},
		{body: list, header: as("bob", session), status: 404, code: -32600},
		{body: list, header: as("ann", "made-up"), status: 404, code: -32600},
		{body: list, header: as("ann", ""), status: 400, code: -32600},
		{body: list, header: map[string]string{"Mcp-Session-Id": session}, status: 401, code: -32600},
		{method: "DELETE", header: map[string]string{"Mcp-Session-Id": session}, status: 401},
		{method: "DELETE", header: as("bob", session), status: 404},
		{method: "DELETE", header: as("ann", ""), status: 400},
		{body: list, header: as("ann", session), status: 200},
		{method: "DELETE", header: as("ann", session), status: 204},
		{method: "DELETE", header: as("ann", session), status: end.status}, // replayed
		{body: list, header: as("ann", session), status: 404, code: -32600},
	} {
		check(t, x, send(t, r.url, x))
	}
	// A session that nobody has used yet may be ended by whoever opened it.
	session = send(t, r.url, exchange{body: initialize}).header.Get("Mcp-Session-Id")
	for _, status := range []int{204, 404} {
		x := exchange{method: "DELETE", header: map[string]string{"Mcp-Session-Id": session}, status: status}
		check(t, x, send(t, r.url, x))
	}
}

// TestAFloodOfSessionsLocksNobodyOut: opening a session takes no token, so those
// that nobody uses make room for others.
func TestAFloodOfSessionsLocksNobodyOut(t *testing.T) {
	r, issuer := protected(t, func(o *serve.Options) { o.MaxSessions = 4 })
	header := map[string]string{"Authorization": "Bearer " + issuer.Mint(map[string]any{"scope": "test:read"})}
	header["Mcp-Session-Id"] = send(t, r.url, exchange{body: initialize}).header.Get("Mcp-Session-Id")
	list := exchange{body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, header: header, status: 200}
	check(t, list, send(t, r.url, list))
	for range 20 {
		check(t, exchange{status: 200}, send(t, r.url, exchange{body: initialize}))
	}
	check(t, list, send(t, r.url, list))
	for i := range 3 { // those of others who have a token stay, too
		token := "Bearer " + issuer.Mint(map[string]any{"sub": fmt.Sprintf("other-%d", i), "scope": "test:read"})
		s := send(t, r.url, exchange{body: initialize}).header.Get("Mcp-Session-Id")
		x := exchange{body: list.body, header: map[string]string{"Authorization": token, "Mcp-Session-Id": s}, status: 200}
		check(t, x, send(t, r.url, x))
	}
	check(t, exchange{status: 503, code: -32603, want: map[string]string{"Retry-After": "60"}}, send(t, r.url, exchange{body: initialize}))
}

// TestOnlyWhatMayBeCalledIsListed: a model is not offered what it will be refused.
func TestOnlyWhatMayBeCalledIsListed(t *testing.T) {
	r, issuer := protected(t, nil)
	for scope, want := range map[string]string{"": "", "test:read": "broken echo slow steps", "test:execute": "broken change echo slow steps"} {
		x := operations()["modern tools/list"].exchange
		x.header = map[string]string{"Authorization": "Bearer " + issuer.Mint(map[string]any{"scope": scope})}
		got := send(t, r.url, x)
		var list struct {
			Result struct {
				Tools      []struct{ Name string }
				CacheScope string
			}
		}
		if err := json.Unmarshal(got.body, &list); err != nil {
			t.Fatalf("%v: %s", err, got.body)
		}
		var names []string
		for _, t := range list.Result.Tools {
			names = append(names, t.Name)
		}
		if s := strings.Join(names, " "); s != want || list.Result.CacheScope != "private" {
			t.Errorf("with %q: %q, cached %s; want %q, private", scope, s, list.Result.CacheScope, want)
		}
	}
}

// TestAHeaderDoesNotDecide: the headers of the modern era must say what the body
// says.
func TestAHeaderDoesNotDecide(t *testing.T) {
	r, issuer := protected(t, nil)
	x := operations()["a modern call to write"].exchange
	for name, header := range map[string]map[string]string{
		"another method":         {"Mcp-Method": "server/discover"},
		"another name":           {"Mcp-Name": "echo"},
		"another version":        {"MCP-Protocol-Version": "2025-06-18"},
		"no method":              {"Mcp-Method": ""},
		"an envelope of its own": {"Legwork-Envelope": "eyJwIjp7ImlzcyI6ImxvY2FsIiwic3ViIjoibG9jYWwifX0"},
	} {
		header["Authorization"] = "Bearer " + issuer.Mint(map[string]any{"scope": "test:read"})
		x.header = header
		if got := send(t, r.url, x); got.status != 403 {
			t.Errorf("%s, read only: %d %s", name, got.status, got.body)
		}
		delete(header, "Authorization")
		if got := send(t, r.url, x); got.status != 401 {
			t.Errorf("%s, no token: %d %s", name, got.status, got.body)
		}
	}
}

// TestAVerifierThatFailsLetsNobodyIn: when nobody can tell, the answer is no, and
// says so.
func TestAVerifierThatFailsLetsNobodyIn(t *testing.T) {
	for name, verify := range map[string]func(context.Context, string) (auth.Principal, error){
		"an error": func(context.Context, string) (auth.Principal, error) {
			return auth.Local(), errors.New("database is gone: secret")
		},
		"nobody in particular": func(context.Context, string) (auth.Principal, error) {
			return auth.Principal{Scopes: []string{"test:execute"}}, nil
		},
		"the issuer is down": func(context.Context, string) (auth.Principal, error) {
			return auth.Principal{}, &oauth.Error{Code: oauth.Unavailable, Description: "the issuer does not answer", RetryAfter: 7 * time.Second}
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, observe := observers(t)
			r := start(t, func(o *serve.Options) {
				observe(o)
				o.Access = &serve.Access{Verify: verify}
			})
			for _, what := range []string{"modern tools/list", "a modern call to read"} {
				x := operations()[what].exchange
				x.header, x.status, x.code = map[string]string{"Authorization": "Bearer x"}, 503, -32600
				got := send(t, r.url, x)
				check(t, x, got)
				if got.header.Get("Retry-After") == "" || got.header.Get("WWW-Authenticate") != "" || strings.Contains(string(got.body), "secret") {
					t.Errorf("%v %s", got.header, got.body)
				}
			}
			scrape := exchange{method: "GET", path: "/metrics", header: map[string]string{"Authorization": "Bearer x"}, status: 503}
			got := send(t, r.url, scrape)
			check(t, scrape, got)
			if got.header.Get("Retry-After") == "" || got.header.Get("WWW-Authenticate") != "" || strings.Contains(string(got.body), "secret") {
				t.Errorf("%v %s", got.header, got.body)
			}
		})
	}
}

// TestAServerOfTokensAlone names no issuer to anybody, says when tokens travel in the
// clear, and notes why it refused whom.
func TestAServerOfTokensAlone(t *testing.T) {
	log := &lockedBuffer{}
	r := start(t, func(o *serve.Options) {
		o.Access = &serve.Access{URL: "http://forms.example", Verify: func(context.Context, string) (auth.Principal, error) {
			return auth.Principal{}, &oauth.Error{Code: oauth.InvalidToken, Description: "it has expired"}
		}}
		o.Logger = slog.New(slog.NewTextHandler(log, nil))
	})
	x := exchange{body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, status: 401, code: -32600, says: "Send the token that whoever runs the server gave you"}
	got := send(t, r.url, x)
	check(t, x, got)
	if h := got.header.Get("WWW-Authenticate"); strings.Contains(h, "metadata") || strings.Contains(string(got.body), "metadata") {
		t.Errorf("it names an issuer that is not there: %s %s", h, got.body)
	}
	x.header, x.says = map[string]string{"Authorization": "Bearer x"}, "it has expired"
	check(t, x, send(t, r.url, x))
	for _, want := range []string{"is not https", `reason=invalid_token rpc_method=tools/list why="it has expired"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, log)
		}
	}
}

// TestStrangersDoNotFillTheLog: of a flood of callers that are refused few have a line,
// and none of the others is forgotten.
func TestStrangersDoNotFillTheLog(t *testing.T) {
	const flood = 400
	log := &lockedBuffer{}
	r, _ := protected(t, func(o *serve.Options) { o.Logger = slog.New(slog.NewTextHandler(log, nil)) })
	x := exchange{header: map[string]string{"Authorization": "Bearer x"}, body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, status: 401, code: -32600}
	told := func() int { return strings.Count(log.String(), "caller refused") }
	for range flood {
		if got := send(t, r.url, x); got.status != x.status {
			t.Fatalf("got %d", got.status)
		}
	}
	if n := told(); n < 50 || n > 200 {
		t.Errorf("%d refused callers have %d lines", flood, n)
	}
	untold := func() (sum int) {
		for _, m := range regexp.MustCompile(`refused_untold=(\d+)`).FindAllStringSubmatch(log.String(), -1) {
			n, _ := strconv.Atoi(m[1]) // it is a number
			sum += n
		}
		return sum
	}
	for sent := flood; untold()+told() != sent; sent++ { // the next line counts those that had none
		if sent == 2*flood {
			t.Fatalf("of %d refused callers %d have a line and %d are counted", sent, told(), untold())
		}
		<-time.After(50 * time.Millisecond)
		send(t, r.url, x)
	}
}

// TestWhoMayCallFromWhere: which names of the server and which pages are let in.
func TestWhoMayCallFromWhere(t *testing.T) {
	public := func(o *serve.Options) { o.Access.URL = "https://forms.example" }
	some := func(o *serve.Options) {
		o.Access.URL, o.Access.Origins = "https://forms.example", []string{"https://app.example"}
	}
	for _, tt := range []struct {
		name   string
		change func(*serve.Options)
		header map[string]string
		status int
	}{
		{"its own name", public, map[string]string{"Host": "forms.example"}, 200},
		{"its own name with a port", public, map[string]string{"Host": "FORMS.example:443"}, 200},
		{"a name that was rebound", public, map[string]string{"Host": "evil.example"}, 403},
		{"a name that begins alike", public, map[string]string{"Host": "forms.example.evil.example"}, 403},
		{"an address", public, map[string]string{"Host": "192.0.2.7"}, 403},
		{"loopback", public, nil, 200},
		{"any page", public, map[string]string{"Origin": "https://claude.ai"}, 200},
		{"a page that is listed", some, map[string]string{"Origin": "https://app.example"}, 200},
		{"a page that is not", some, map[string]string{"Origin": "https://evil.example"}, 403},
		{"a page that begins alike", some, map[string]string{"Origin": "https://app.example.evil.example"}, 403},
		{"a page without an origin", some, map[string]string{"Origin": "null"}, 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := protected(t, tt.change)
			x := exchange{body: initialize, header: tt.header, status: tt.status}
			if tt.status == 403 {
				x.code = -32600
			}
			check(t, x, send(t, r.url, x))
		})
	}
	r, _ := protected(t, public)
	for _, method := range []string{"GET", "HEAD"} {
		x := exchange{method: method, path: "/ready", header: map[string]string{"Host": "10.0.0.9"}, status: 200}
		check(t, x, send(t, r.url, x))
	}
}

// TestMetadata: the two places of each endpoint's metadata name the URL that the
// client used.
func TestMetadata(t *testing.T) {
	r, issuer := protected(t, nil)
	hosted, _ := protected(t, func(o *serve.Options) { o.Access.URL = "https://forms.example/" })
	for _, tt := range []struct{ base, path, resource string }{
		{r.url, "", r.url}, {r.url, "/mcp", r.url + "/mcp"},
		{hosted.url, "", "https://forms.example"}, {hosted.url, "/mcp", "https://forms.example/mcp"},
	} {
		got := send(t, tt.base, exchange{method: "GET", path: "/.well-known/oauth-protected-resource" + tt.path, header: map[string]string{"Origin": "https://any.example"}})
		var m struct {
			Resource             string
			AuthorizationServers []string `json:"authorization_servers"`
			Scopes               []string `json:"scopes_supported"`
			Methods              []string `json:"bearer_methods_supported"`
		}
		if err := json.Unmarshal(got.body, &m); err != nil || got.status != 200 {
			t.Fatalf("%d %s: %v", got.status, got.body, err)
		}
		scopes := "[test:execute test:read]"
		if tt.path != "" {
			scopes = "[test:read]"
		}
		if m.Resource != tt.resource || fmt.Sprint(m.Scopes) != scopes || fmt.Sprint(m.Methods) != "[header]" || len(m.AuthorizationServers) != 1 {
			t.Errorf("%s%s: %s", tt.base, tt.path, got.body)
		}
		if tt.base == r.url && m.AuthorizationServers[0] != issuer.URL {
			t.Errorf("the issuer is %s, want %s", m.AuthorizationServers[0], issuer.URL)
		}
		if got.header.Get("Access-Control-Allow-Origin") != "https://any.example" {
			t.Errorf("pages may not read it: %v", got.header)
		}
	}
	pre := exchange{
		method: "OPTIONS", path: "/.well-known/oauth-protected-resource/mcp", status: 204,
		header: map[string]string{"Origin": "https://any.example", "Access-Control-Request-Headers": "mcp-protocol-version"},
		want:   map[string]string{"Allow": "GET, HEAD", "Access-Control-Allow-Origin": "https://any.example"},
	}
	got := send(t, r.url, pre)
	check(t, pre, got)
	if allow := got.header.Get("Access-Control-Allow-Headers"); !strings.Contains(allow, "MCP-Protocol-Version") {
		t.Errorf("pages may not ask with the headers of the protocol: %q", allow)
	}
	plain := start(t, nil)
	x := exchange{method: "GET", path: "/.well-known/oauth-protected-resource", status: http.StatusNotFound}
	check(t, x, send(t, plain.url, x))
}
