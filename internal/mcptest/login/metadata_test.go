package login

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// TestCandidates: where metadata is looked for, in the order of the specification.
func TestCandidates(t *testing.T) {
	parse := func(s string) *url.URL {
		u, err := url.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	const known = "https://h/.well-known/oauth-protected-resource"
	for endpoint, want := range map[string][]string{
		"https://h/mcp":      {known + "/mcp", known},
		"https://h/a/b%20c/": {known + "/a/b%20c", known},
		"https://h/":         {known},
		"https://h":          {known},
	} {
		if diff := cmp.Diff(want, resourceCandidates(parse(endpoint), "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", endpoint, diff)
		}
		if diff := cmp.Diff(append([]string{"https://m/"}, want...), resourceCandidates(parse(endpoint), "https://m/")); diff != "" {
			t.Errorf("%s, named (-want +got):\n%s", endpoint, diff)
		}
	}
	for issuer, want := range map[string][]string{
		"https://i":      {"https://i/.well-known/oauth-authorization-server", "https://i/.well-known/openid-configuration"},
		"https://i/":     {"https://i/.well-known/oauth-authorization-server", "https://i/.well-known/openid-configuration"},
		"https://i/t/1/": {"https://i/.well-known/oauth-authorization-server/t/1", "https://i/.well-known/openid-configuration/t/1", "https://i/t/1/.well-known/openid-configuration"},
		"nothing":        nil,
	} {
		if diff := cmp.Diff(want, serverCandidates(issuer)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", issuer, diff)
		}
	}
}

// TestSearch: a candidate that holds nothing is noted with its status, and the next one
// is tried.
func TestSearch(t *testing.T) {
	w := newWorld(t)
	root := "/.well-known/oauth-protected-resource"
	w.instead["rs "+wellKnown] = http.NotFound
	w.instead["rs "+root] = func(rw http.ResponseWriter, _ *http.Request) {
		reply(rw, 200, map[string]any{"resource": w.rs.URL, "authorization_servers": []string{w.as.URL}, "scopes_supported": []string{"a", "b"}})
	}
	w.instead["as /.well-known/oauth-authorization-server"] = func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("<html>")) }
	w.instead["as /.well-known/openid-configuration"] = func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		delete(w.instead, "as /.well-known/oauth-authorization-server")
		w.mu.Unlock()
		r.URL.Path = "/.well-known/oauth-authorization-server"
		w.serveIssuer(rw, r)
	}
	l := w.login(w.options())
	w.mustConnect(l)
	want := []string{
		"challenge ok 401", "resource_metadata warning 404", "resource_metadata warning 200", "server_metadata missing 200", "server_metadata ok 200",
		"scopes ok 0", "registration ok 201", "link ok 0", "callback ok 0", "token ok 200",
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(steps(l)), "\n") {
		got = append(got, strings.Join(strings.Fields(line)[:3], " "))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the steps differ (-want +got):\n%s", diff)
	}
	if chosen := fact(l, StepScopes, "chosen"); chosen != "a b" {
		t.Errorf("the scopes are %q", chosen)
	}
}

// TestWrongMetadata: what no client may use is refused where it is found, and nobody is
// sent anywhere.
func TestWrongMetadata(t *testing.T) {
	for name, tt := range map[string]struct {
		resource, server map[string]any
		want, source     string
	}{
		"about another server":       {resource: map[string]any{"resource": "https://evil.example/mcp"}, want: "is about", source: "RFC 9728, 3.3"},
		"about a longer path":        {resource: map[string]any{"resource": "/mcp/more"}, want: "is about", source: "RFC 9728, 3.3"},
		"about a similar path":       {resource: map[string]any{"resource": "/mc"}, want: "is about", source: "RFC 9728, 3.3"},
		"about nothing":              {resource: map[string]any{"resource": nil}, want: "no resource", source: "RFC 9728, 2"},
		"a resource of another kind": {resource: map[string]any{"resource": []int{1}}, want: "no resource", source: "RFC 9728, 2"},
		"no issuer":                  {resource: map[string]any{"authorization_servers": nil}, want: "no authorization_servers", source: "MCP 2025-11-25, Authorization Server Location"},
		"an issuer without TLS":      {resource: map[string]any{"authorization_servers": []string{"ftp://issuer.example"}}, want: "no https address", source: "MCP 2025-11-25, Authorization, Communication Security"},
		"another issuer":             {server: map[string]any{"issuer": "https://evil.example"}, want: "no client may use it", source: "RFC 8414, 3.3"},
		"no name of the issuer":      {server: map[string]any{"issuer": nil}, want: "no client may use it", source: "RFC 8414, 3.3"},
		"no PKCE":                    {server: map[string]any{"code_challenge_methods_supported": nil}, want: "PKCE", source: "MCP 2025-11-25, Authorization, Authorization Code Protection"},
		"plain PKCE":                 {server: map[string]any{"code_challenge_methods_supported": []string{"plain"}}, want: "PKCE", source: "MCP 2025-11-25, Authorization, Authorization Code Protection"},
		"a script for a login":       {server: map[string]any{"authorization_endpoint": "javascript:alert(1)"}, want: "no https address", source: "MCP 2025-11-25, Authorization, Communication Security"},
		"a file for tokens":          {server: map[string]any{"token_endpoint": "file:///etc/passwd"}, want: "no https address", source: "MCP 2025-11-25, Authorization, Communication Security"},
		"no login":                   {server: map[string]any{"authorization_endpoint": nil}, want: "no authorization_endpoint", source: "RFC 8414, 2"},
		"no tokens":                  {server: map[string]any{"token_endpoint": nil}, want: "no token_endpoint", source: "RFC 8414, 2"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for k, v := range tt.resource {
				if s, ok := v.(string); ok && strings.HasPrefix(s, "/") {
					v = w.rs.URL + s
				}
				w.resource[k] = v
			}
			for k, v := range tt.server {
				w.server[k] = v
			}
			l := w.login(w.options())
			_, err := w.connect(l)
			var failed *Error
			if !errors.As(err, &failed) || !strings.Contains(failed.Detail, tt.want) || failed.Source != tt.source {
				t.Fatalf("it fails with %v (%+v)", err, failed)
			}
			if len(w.forms) > 0 {
				t.Errorf("it asked for a token: %v", w.forms)
			}
			all := l.Trace().Steps
			if last := all[len(all)-1]; last.Outcome != Failed || last.Name != failed.Step {
				t.Errorf("the last step is %+v", last)
			}
		})
	}
}

// TestTolerated: what works here and not with every client is a warning.
func TestTolerated(t *testing.T) {
	for name, tt := range map[string]struct {
		set  func(*world)
		want string
	}{
		"the origin for the resource": {func(w *world) { w.resource["resource"] = w.rs.URL }, "strict clients take no token"},
		"a slash after the issuer": {func(w *world) {
			w.server["issuer"] = w.as.URL + "/"
			w.server["authorization_response_iss_parameter_supported"] = nil
			w.iss = new(string)
		}, "one slash"},
		"no resource_metadata":       {func(w *world) { w.bare = true }, "have to guess"},
		"offline_access of a server": {func(w *world) { w.scope = "offline_access" }, "the client's to ask for"},
		"2025-03-26": {func(w *world) {
			w.bare = true
			w.instead["rs "+wellKnown] = http.NotFound
			for _, path := range []string{"/authorize", "/token", "/register"} {
				w.instead["rs "+path] = w.serveIssuer
			}
			w.server["authorization_response_iss_parameter_supported"] = nil
			w.iss = new(string)
		}, "as in 2025-03-26"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			tt.set(w)
			l := w.login(w.options())
			w.mustConnect(l)
			if !slices.ContainsFunc(l.Trace().Steps, func(s Step) bool { return s.Outcome == Warning && strings.Contains(s.Detail, tt.want) }) {
				t.Errorf("nothing says %q:\n%s", tt.want, steps(l))
			}
		})
	}
}

// TestRedirects: metadata may be somewhere else on the same host, and nowhere else.
func TestRedirects(t *testing.T) {
	elsewhere := newWorld(t)
	for name, tt := range map[string]struct {
		to      string
		follows bool
	}{"same host": {"/moved", true}, "another host": {elsewhere.rs.URL + wellKnown, false}, "round in circles": {wellKnown, false}, "nonsense": {"http://[::1", false}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.instead["rs "+wellKnown] = func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Location", tt.to)
				rw.WriteHeader(http.StatusFound)
			}
			w.instead["rs /moved"] = func(rw http.ResponseWriter, r *http.Request) {
				r.URL.Path = wellKnown
				w.serveResource(rw, r)
			}
			l := w.login(w.options())
			_, err := w.connect(l)
			if tt.follows != (err == nil) || len(elsewhere.asked()) > 0 || len(w.asked()) > 20 {
				t.Errorf("it ends with %v, after %v and %v", err, w.asked(), elsewhere.asked())
			}
			if said := steps(l); !strings.Contains(said, "redirect") && !strings.Contains(said, "Location") {
				t.Errorf("nothing says so:\n%s", steps(l))
			}
		})
	}
}

// TestEndless: answers without an end, or that never come, end the login in time.
func TestEndless(t *testing.T) {
	flood := func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		block := []byte(`{"a":"` + strings.Repeat("x", 64<<10))
		for range 1 << 14 {
			if _, err := rw.Write(block); err != nil {
				return
			}
		}
	}
	silent := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the server sees the client go
		<-r.Context().Done()
	}
	for name, tt := range map[string]struct {
		path string
		do   http.HandlerFunc
		want string
	}{
		"a flood of metadata": {"rs " + wellKnown, flood, "more than"},
		"no metadata":         {"rs " + wellKnown, silent, "deadline"},
		"a flood of tokens":   {"as /token", flood, "more than"},
		"no token":            {"as /token", silent, "deadline"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.instead[tt.path] = tt.do
			o := w.options()
			o.Timeout = 200 * time.Millisecond
			l := w.login(o)
			if _, err := w.connect(l); err == nil || !strings.Contains(steps(l), tt.want) {
				t.Errorf("it ends with %v:\n%s", err, steps(l))
			}
		})
	}
}

// TestGivenUp: a login ends with the context of the call that wants it.
func TestGivenUp(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.instead["rs "+wellKnown] = func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}
	l := w.login(w.options())
	_, err := l.Authorize(ctx, wire.Challenge{URL: w.endpoint(), Status: 401, Round: 1})
	if !errors.Is(err, context.Canceled) || len(w.forms) > 0 {
		t.Errorf("it ends with %v", err)
	}
}
