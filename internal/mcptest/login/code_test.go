package login

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// TestCode is a whole login: each step is in the trace, with its address and status.
func TestCode(t *testing.T) {
	w := newWorld(t)
	w.scope = "read write"
	w.server["scopes_supported"] = []string{"read", "write", "offline_access"}
	b := &browser{w: w}
	o := w.options()
	o.Person = b
	l := w.login(o)
	c := w.mustConnect(l)
	if _, err := c.List(t.Context(), "tools/list", nil, wire.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"rs GET " + wellKnown, "as GET /.well-known/oauth-authorization-server", "as POST /register", "as GET /authorize", "as POST /token"}
	if diff := cmp.Diff(want, w.asked()); diff != "" {
		t.Errorf("the requests differ (-want +got):\n%s", diff)
	}
	if got, want := names(l), "resource_metadata server_metadata scopes registration link callback token"; got != want {
		t.Errorf("the steps are %q, not %q", got, want)
	}
	for _, s := range l.Trace().Steps {
		if s.Name == StepResource && (s.URL != w.rs.URL+wellKnown || s.Status != 200 || !strings.Contains(s.Body, w.as.URL)) {
			t.Errorf("the step is %+v", s)
		}
	}
	facts := map[string]string{
		"chosen": fact(l, StepScopes, "chosen"), "resource": fact(l, StepToken, "resource"), "granted": fact(l, StepToken, "granted"),
		"challenge": fact(l, StepChallenge, "scope"), "iss": fact(l, StepCallback, "iss"), "kind": fact(l, StepToken, "kind"),
	}
	if diff := cmp.Diff(map[string]string{
		"chosen": "read write offline_access", "resource": w.endpoint(), "granted": "read write offline_access", "challenge": "read write", "iss": w.as.URL, "kind": "opaque",
	}, facts); diff != "" {
		t.Errorf("the facts differ (-want +got):\n%s", diff)
	}
	link := b.links[0]
	if !strings.Contains(link.URL, "prompt=consent") || !strings.Contains(link.URL, link.State) {
		t.Errorf("the link is %+v", link)
	}
	trace, err := json.Marshal(l.Trace())
	if err != nil || strings.Contains(string(trace), link.State) || strings.Contains(string(trace), w.forms[0].Get("code_verifier")) {
		t.Errorf("the trace holds the state or the verifier: %s, %v", trace, err)
	}
	registered := map[string]any{
		"client_name": "legwork", "redirect_uris": []any{"http://127.0.0.1:9/callback"}, "grant_types": []any{"authorization_code", "refresh_token"},
		"response_types": []any{"code"}, "token_endpoint_auth_method": "none", "application_type": "native",
	}
	if diff := cmp.Diff(registered, w.register[0]); diff != "" {
		t.Errorf("the registration differs (-want +got):\n%s", diff)
	}
}

// TestCallback: what the browser brings is taken from the issuer that was asked, for
// the login that was begun, and from nobody else.
func TestCallback(t *testing.T) {
	text := func(s string) *string { return &s }
	for name, tt := range map[string]struct {
		iss  *string
		more map[string][]string
		meta map[string]any
		want string // of the error; empty is a login
		not  string
		code string
	}{
		"the right issuer":              {},
		"no issuer though it says so":   {iss: text(""), want: "did not"},
		"no issuer, and it says none":   {iss: text(""), meta: map[string]any{"authorization_response_iss_parameter_supported": nil}},
		"an issuer unasked":             {meta: map[string]any{"authorization_response_iss_parameter_supported": nil}},
		"another issuer unasked":        {iss: text("https://evil.example"), meta: map[string]any{"authorization_response_iss_parameter_supported": nil}, want: "https://evil.example"},
		"another issuer":                {iss: text("https://evil.example"), want: "it is not used"},
		"a slash more":                  {iss: text("slash"), want: "it is not used"},
		"another state":                 {more: map[string][]string{"state": {"forged"}}, want: "another login"},
		"no state":                      {more: map[string][]string{"state": nil}, want: "another login"},
		"two codes":                     {more: map[string][]string{"code": {"canary-a", "canary-b"}}, want: "code twice"},
		"no code":                       {more: map[string][]string{"code": nil}, want: "without a code"},
		"a refusal":                     {more: map[string][]string{"error": {"access_denied"}, "error_description": {"she said no"}, "code": nil}, want: "she said no", code: "access_denied"},
		"a refusal by somebody else":    {iss: text("https://evil.example"), more: map[string][]string{"error": {"call_this_number"}}, want: "it is not used", not: "call_this_number"},
		"a code of another login":       {more: map[string][]string{"code": {"canary-code-of-mallory"}}, want: "invalid_grant", code: "invalid_grant"},
		"a refusal with a secret in it": {more: map[string][]string{"error": {"server_error"}, "error_description": {"for canary-code-0"}, "code": {"canary-code-0"}}, want: "for [redacted]", code: "server_error"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.iss, w.more = tt.iss, tt.more
			if tt.iss != nil && *tt.iss == "slash" {
				w.iss = text(w.as.URL + "/")
			}
			for k, v := range tt.meta {
				w.server[k] = v
			}
			l := w.login(w.options())
			_, err := w.connect(l)
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var failed *Error
			if !errors.As(err, &failed) || !strings.Contains(failed.Detail, tt.want) || failed.Code != tt.code {
				t.Fatalf("it fails with %v (%+v)", err, failed)
			}
			if tt.not != "" && strings.Contains(err.Error()+steps(l), tt.not) {
				t.Errorf("it shows what a stranger said: %v", err)
			}
			if tt.code != "invalid_grant" && len(w.forms) > 0 {
				t.Errorf("a code was sent on: %v", w.forms)
			}
		})
	}
}

// TestPending: a person takes her time; the link stays the same until she has logged
// in, and the connection that is tried then comes about.
func TestPending(t *testing.T) {
	w := newWorld(t)
	b := &browser{w: w, delay: 2}
	o := w.options()
	o.Person = b
	l := w.login(o)
	for range 2 {
		_, err := w.connect(l)
		var pending *Pending
		var e *wire.Error
		if !errors.As(err, &pending) || !errors.Is(err, ErrPending) || pending.Link.URL != b.links[0].URL || !errors.As(err, &e) || e.Status() != 401 {
			t.Fatalf("it fails with %v", err)
		}
		if strings.Contains(err.Error(), pending.Link.State) {
			t.Errorf("the error holds the state: %v", err)
		}
	}
	w.mustConnect(l)
	if len(b.links) != 3 || b.links[2].State != b.links[0].State || len(w.register) != 1 {
		t.Errorf("the links are %+v", b.links)
	}
}

// TestStepUp: an operation that needs more gets what was granted and more; one that
// never has enough is given up.
func TestStepUp(t *testing.T) {
	for name, tt := range map[string]struct {
		needs, never string
		links        []string
		last         string
		status       int
	}{
		"more":               {needs: "write", links: []string{"read", "read write"}},
		"never granted":      {needs: "write", never: "write", links: []string{"read", "read write", "read write"}, last: "several times", status: 403},
		"there already":      {needs: "read", links: []string{"read"}},
		"granted, in vain":   {needs: "read write", links: []string{"read", "read write"}, last: "has already", status: 403},
		"more than one time": {needs: "write", links: []string{"read", "read write"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.scope, w.needs["tools/list"] = "read", tt.needs
			if tt.never != "" {
				w.grantNo = []string{tt.never}
			}
			b := &browser{w: w}
			o := w.options()
			o.Person = b
			l := w.login(o)
			c := w.mustConnect(l)
			ex, err := c.Call(t.Context(), "tools/list", nil, wire.CallOptions{})
			if ex.HTTP == nil || (tt.status == 0) != (err == nil) || tt.status != 0 && ex.HTTP.Status != tt.status {
				t.Fatalf("the call ends with %v\n%s", err, steps(l))
			}
			var got []string
			for _, link := range b.links {
				got = append(got, strings.Join(link.Scopes, " "))
			}
			if diff := cmp.Diff(tt.links, got); diff != "" {
				t.Errorf("the logins differ (-want +got):\n%s", diff)
			}
			all := l.Trace().Steps
			if last := all[len(all)-1]; tt.last != "" && (last.Name != StepGiveUp || !strings.Contains(last.Detail, tt.last)) {
				t.Errorf("the last step is %+v", last)
			}
		})
	}
}

// TestForbidden: a 403 that does not say that scopes would help starts no login.
func TestForbidden(t *testing.T) {
	w := newWorld(t)
	l := w.login(w.options())
	c := w.mustConnect(l)
	for _, challenge := range []string{"", `Bearer error="invalid_token"`, `Basic realm="x", error="insufficient_scope"`, `Bearer error="insufficient_scope"`} {
		before := len(w.asked())
		w.mu.Lock()
		w.instead["rs /mcp"] = func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header()["Www-Authenticate"] = []string{challenge}
			http.Error(rw, "no", http.StatusForbidden)
		}
		w.mu.Unlock()
		ex, err := c.Call(t.Context(), "tools/list", nil, wire.CallOptions{})
		if err == nil || ex.HTTP.Status != 403 || len(w.asked()) != before {
			t.Errorf("after %q it ends with %v, having asked %v", challenge, err, w.asked()[before:])
		}
	}
	w.mu.Lock()
	delete(w.instead, "rs /mcp") // for the goodbye
	w.mu.Unlock()
}

// TestRefresh: a token that is no longer taken is replaced without a person, as long as
// the authorization server does so.
func TestRefresh(t *testing.T) {
	w := newWorld(t)
	b := &browser{w: w}
	o := w.options()
	o.Person = b
	l := w.login(o)
	c := w.mustConnect(l)
	list := func() {
		t.Helper()
		if _, err := c.List(t.Context(), "tools/list", nil, wire.CallOptions{}); err != nil {
			t.Fatalf("%v\n%s", err, steps(l))
		}
	}
	for n := range 2 {
		w.expire()
		list()
		form := w.forms[len(w.forms)-1]
		if form.Get("grant_type") != "refresh_token" || form.Get("refresh_token") != []string{"canary-refresh-1", "canary-refresh-2"}[n] || form.Get("resource") != w.endpoint() {
			t.Errorf("the request is %v", form)
		}
	}
	w.keep = true
	w.expire()
	list()
	w.expire()
	list()
	if form := w.forms[len(w.forms)-1]; form.Get("refresh_token") != "canary-refresh-3" {
		t.Errorf("a refresh token that was not replaced is forgotten: %v", form)
	}
	if len(b.links) != 1 {
		t.Errorf("the person was asked %d times", len(b.links))
	}
	w.expire()
	w.mu.Lock()
	w.instead["as /token"] = func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		delete(w.instead, "as /token")
		w.mu.Unlock()
		reply(rw, 400, map[string]any{"error": "invalid_grant", "error_description": r.FormValue("refresh_token") + " is gone"})
	}
	w.mu.Unlock()
	list()
	if len(b.links) != 2 {
		t.Errorf("the person was asked %d times", len(b.links))
	}
}

// TestRefused: a token that is refused although it is new is not replaced for ever.
func TestRefused(t *testing.T) {
	w := newWorld(t)
	w.mu.Lock()
	w.instead["rs /mcp"] = func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="not `+r.Header.Get("Authorization")+`", resource_metadata="`+w.rs.URL+wellKnown+`"`)
		http.Error(rw, "no", http.StatusUnauthorized)
	}
	w.mu.Unlock()
	l := w.login(w.options())
	_, err := w.connect(l)
	var failed *Error
	if !errors.As(err, &failed) || !strings.Contains(failed.Detail, "just sent") || len(w.forms) != 1 {
		t.Errorf("it fails with %v, after %d tokens", err, len(w.forms))
	}
}

// TestMoved: a server that names another issuer later is logged in to there, with
// nothing of the old one.
func TestMoved(t *testing.T) {
	w, other := newWorld(t), newWorld(t)
	l := w.login(w.options())
	c := w.mustConnect(l)
	w.expire()
	w.mu.Lock()
	w.resource["authorization_servers"] = []string{other.as.URL}
	w.mu.Unlock()
	// the server does not know the tokens of the other issuer, which is not what is tried
	_, err := c.Call(t.Context(), "tools/list", nil, wire.CallOptions{})
	if err == nil || len(other.register) != 1 || len(other.forms) != 1 || other.forms[0].Get("grant_type") != "authorization_code" {
		t.Errorf("it ends with %v, after %v and %v", err, other.register, other.forms)
	}
}

// TestAgain: a connection after the first takes the token that there is, and replaces
// it when it is no longer good.
func TestAgain(t *testing.T) {
	w := newWorld(t)
	b := &browser{w: w}
	o := w.options()
	o.Person = b
	l := w.login(o)
	for range 3 {
		w.mustConnect(l)
	}
	if len(w.forms) != 1 || len(b.links) != 1 {
		t.Errorf("three connections took %d tokens and %d logins", len(w.forms), len(b.links))
	}
	w.expire()
	w.mustConnect(l)
	if got := w.forms[len(w.forms)-1].Get("grant_type"); len(w.forms) != 2 || got != "refresh_token" || len(b.links) != 1 {
		t.Errorf("after the token had expired it asked for %q\n%s", got, steps(l))
	}
}
