package suite

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

func TestMain(m *testing.M) {
	if fixture.Play(os.Args, os.Environ()) {
		return
	}
	goleak.VerifyTestMain(m)
}

// options talk to a server of the library.
func options() Options {
	return Options{
		Wire:        wire.Options{HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, Environ: os.Environ(), ConnectTimeout: 20 * time.Second},
		CallTimeout: 10 * time.Second,
	}
}

// started is a server of the library as a target.
func started(t *testing.T, name string, over fixture.Transport) wire.Target {
	t.Helper()
	at := fixture.Named(name).StartOver(t, over)
	return wire.Target{URL: at.URL, Headers: at.Header, Command: at.Command, Env: at.Env}
}

// connected is a connection to a server of the library that ends with the test.
func connected(t *testing.T, target wire.Target, era wire.Era) *wire.Conn {
	t.Helper()
	o := options().Wire
	o.Era = era
	conn, err := wire.Connect(t.Context(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// explored uses everything that a server has, as somebody would who looks around.
func explored(t *testing.T, conn *wire.Conn) {
	t.Helper()
	for _, l := range lists {
		if _, err := conn.List(t.Context(), l[0], nil, wire.CallOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ method, params string }{
		{"tools/call", `{"name":"echo","arguments":{"text":"at 2026-05-01T10:00:00Z by 8f14e45f-ceea-467f-a8f2-1c2d3e4f5a6b"}}`},
		{"tools/call", `{"name":"sum","arguments":{"numbers":[1,2.50]}}`},
		{"tools/call", `{"name":"picture"}`},
		{"tools/call", `{"name":"fail","arguments":{}}`},
		{"tools/call", `{"name":"no_such_tool","arguments":{}}`},
		{"resources/read", `{"uri":"memo://note"}`},
		{"prompts/get", `{"name":"greet","arguments":{"who":"Ada"}}`},
	} {
		_, err := conn.Call(t.Context(), c.method, json.RawMessage(c.params), wire.CallOptions{})
		if err != nil && !strings.Contains(c.params, "no_such") {
			t.Fatal(err)
		}
	}
}

// recorded is a suite of a session with the server that has everything.
func recorded(t *testing.T, target wire.Target, era wire.Era) *Suite {
	t.Helper()
	conn := connected(t, target, era)
	explored(t, conn)
	s, err := Record("everything", conn.Transcript(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asText is a result as text.
func asText(r *Result) string {
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		return err.Error()
	}
	return b.String()
}
