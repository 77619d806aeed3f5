package suite

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// gossip is a server that repeats the token that it was sent, wherever it can. It refuses
// to be connected to when it is told so.
func gossip(t *testing.T, refuses bool) wire.Target {
	t.Helper()
	const secret = "the-token-of-somebody"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		answer := map[string]string{
			"initialize": `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"instructions":"%s","serverInfo":{"name":"%s","version":"1"}}`,
			"tools/list": `"result":{"tools":[{"name":"t","description":"%s","inputSchema":{"type":"object"}}]}`,
			"tools/call": `"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", mostShown-10) + `%s"}]}`,
		}[m.Method]
		if answer == "" || refuses {
			answer = `"error":{"code":-32000,"message":"` + strings.Repeat("x", mostShown-60) + `%s"}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, strings.ReplaceAll(answer, "%s", token))
	}))
	t.Cleanup(s.Close)
	return wire.Target{URL: s.URL, Headers: http.Header{"Authorization": {"Bearer " + secret}}}
}

// TestSnapshotsHoldNoSecrets: a snapshot is kept in files, and what changed since is shown.
func TestSnapshotsHoldNoSecrets(t *testing.T) {
	conn := connected(t, gossip(t, false), wire.EraLegacy)
	s, err := Snapshot(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.JSON()
	if err != nil || strings.Contains(string(text), "token-of") || !strings.Contains(string(text), "[redacted]") {
		t.Errorf("%v: %s", err, text)
	}
	old, err := ParseSurface([]byte(strings.ReplaceAll(string(text), "[redacted]", "otherwise")))
	if err != nil {
		t.Fatal(err)
	}
	if changes := fmt.Sprint(Diff(old, s)); !strings.Contains(changes, "otherwise") || strings.Contains(changes, "token-of") {
		t.Errorf("%s", changes)
	}
}

// TestFailuresTellNoSecrets: not whole, and not the part of one that is left where a text is
// cut.
func TestFailuresTellNoSecrets(t *testing.T) {
	s, err := Parse([]byte("version: 1\nsuite: x\nsteps:\n  - {connect: true, expect: [{at: /serverInfo/name, equals: x}]}\n" +
		"  - {call: t, expect: [{at: /content/0/text, equals: x}]}\n  - {call: t, fails: -1}\n  - {read: 'a:b'}\n  - {call: t, expect: [{at: /content/0/text, matches: 'xthe-token-of-somebody$'}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, refuses := range []bool{false, true} {
		o := options()
		o.Target, o.Wire.Era = gossip(t, refuses), wire.EraLegacy
		r, err := Run(t.Context(), s, o)
		if err != nil || r.Passed || r.Connected == refuses {
			t.Fatalf("%v: %s", err, asText(r))
		}
		if strings.Contains(asText(r), "the-") {
			t.Errorf("refusing %t: %s", refuses, asText(r))
		}
		if !refuses && !r.Steps[4].Passed {
			t.Errorf("what a person expects of a value that is a secret is not found: %s", asText(r))
		}
	}
}
