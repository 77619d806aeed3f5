package mcptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/auth"
)

// locked is a server that lets in whoever has a token of its issuer, which is at the
// same address. The tool add needs the scope more.
type locked struct {
	t   *testing.T
	url string
	in  http.Handler

	late bool // anybody may connect

	mu     sync.Mutex
	codes  map[string]url.Values
	tokens map[string]string // scopes
	basics []string
	signed []string // assertions
}

func newLocked(t *testing.T) *locked {
	t.Helper()
	stop := make(chan struct{})
	good := goodServer(stop)
	l := &locked{t: t, codes: map[string]url.Values{}, tokens: map[string]string{}}
	l.in = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return good }, &mcp.StreamableHTTPOptions{Stateless: true})
	srv := httptest.NewServer(l)
	t.Cleanup(func() {
		close(stop)
		srv.CloseClientConnections()
		srv.Close()
	})
	l.url = srv.URL
	return l
}

func (l *locked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	say := func(v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		say(map[string]any{"resource": l.url + "/mcp", "authorization_servers": []string{l.url}, "scopes_supported": []string{"some"}})
	case "/.well-known/oauth-authorization-server":
		say(map[string]any{
			"issuer": l.url, "authorization_endpoint": l.url + "/authorize", "token_endpoint": l.url + "/token", "registration_endpoint": l.url + "/register",
			"code_challenge_methods_supported": []string{"S256"},
		})
	case "/register":
		w.WriteHeader(http.StatusCreated)
		say(map[string]any{"client_id": "registered", "client_secret": "canary-registered", "token_endpoint_auth_method": "client_secret_basic"})
	case "/authorize":
		code := fmt.Sprintf("canary-code-%d", len(l.codes))
		l.codes[code] = r.URL.Query()
		http.Redirect(w, r, r.URL.Query().Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {r.URL.Query().Get("state")}}.Encode(), http.StatusFound)
	case "/token":
		l.issue(w, r, say)
	case "/mcp":
		l.guard(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (l *locked) issue(w http.ResponseWriter, r *http.Request, say func(any)) {
	user, password, _ := r.BasicAuth()
	l.basics = append(l.basics, user+":"+password)
	if assertion := r.FormValue("client_assertion"); assertion != "" {
		l.signed = append(l.signed, assertion)
	}
	scope := r.FormValue("scope")
	if r.FormValue("grant_type") == "authorization_code" {
		q, ok := l.codes[r.FormValue("code")]
		if delete(l.codes, r.FormValue("code")); !ok || r.FormValue("code_verifier") == "" {
			w.WriteHeader(http.StatusBadRequest)
			say(map[string]any{"error": "invalid_grant"})
			return
		}
		scope = q.Get("scope")
	}
	token := fmt.Sprintf("canary-token-%d", len(l.tokens))
	l.tokens[token] = scope
	say(map[string]any{"access_token": token, "token_type": "Bearer", "scope": scope})
}

// guard lets calls with a token through.
func (l *locked) guard(w http.ResponseWriter, r *http.Request) {
	scopes, ok := l.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	metadata := fmt.Sprintf(`Bearer resource_metadata="%s/.well-known/oauth-protected-resource/mcp"`, l.url)
	switch {
	case !ok && !(l.late && r.Header.Get("Mcp-Method") == "server/discover"):
		w.Header().Set("WWW-Authenticate", metadata)
		http.Error(w, "who are you", http.StatusUnauthorized)
	case r.Header.Get("Mcp-Name") == "add" && !slices.Contains(strings.Fields(scopes), "more"):
		w.Header().Set("WWW-Authenticate", metadata+`, error="insufficient_scope", scope="more"`)
		http.Error(w, "more", http.StatusForbidden)
	default:
		l.mu.Unlock()
		defer l.mu.Lock()
		l.in.ServeHTTP(w, r)
	}
}

// args are the arguments of connect_to_server.
func (l *locked) args(login string) string {
	return `{"url":` + quote(l.url+"/mcp") + `,"login":` + login + `}`
}

// open goes where a link leads, as a browser does, and gives the address and the status
// at which it ends.
func open(t *testing.T, link any, follow bool) (string, int) {
	t.Helper()
	text, _ := link.(string)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if !follow {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	res, err := client.Get(text)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if at, err := res.Location(); err == nil {
		return at.String(), res.StatusCode
	}
	return res.Request.URL.String(), res.StatusCode
}

// clean fails when an answer holds a secret.
func clean(t *testing.T, answers ...answer) {
	t.Helper()
	for _, a := range answers {
		if all := a.raw + a.text; strings.Contains(all, "canary") || strings.Contains(all, "secret-of-") {
			t.Errorf("an answer holds a secret: %s", all)
		}
	}
}

// TestMachineLogin: credentials by reference, and every step of the login in the answer.
func TestMachineLogin(t *testing.T) {
	l, b := newLocked(t), newBench(t)
	a := b.want("connect_to_server", l.args(`{"grant":"client_credentials","client_id":"robot","client_secret":"${ENV:MCPTEST_X}"}`))
	var steps []string
	for i := range 20 {
		if step, ok := a.at(fmt.Sprintf("login.%d.step", i)).(string); ok {
			steps = append(steps, fmt.Sprint(step, " ", a.at(fmt.Sprintf("login.%d.status", i))))
		}
	}
	if got := strings.Join(steps, ", "); got != "challenge 401, resource_metadata 200, server_metadata 200, scopes <nil>, registration <nil>, token 200" {
		t.Errorf("the steps are %s", got)
	}
	if l.basics[0] != "robot:secret-of-env%3Amcptest_x" {
		t.Errorf("the client said it is %q", l.basics)
	}
	status := b.want("get_connection_status", `{}`)
	if status.at("login.5.step") != "token" || !strings.Contains(status.text, "login token ok: A token was issued.") || !strings.Contains(a.text, "login challenge ok") {
		t.Errorf("the status is %s\n%s", status.raw, status.text)
	}
	clean(t, a, b.want("list_tools", `{}`), b.want("get_transcript", `{}`), status)
}

// TestPersonLogin: a person gets a link, and the same call connects once she has logged
// in; a call that needs more does the same.
func TestPersonLogin(t *testing.T) {
	l, b := newLocked(t), newBench(t)
	var links []string
	for range 2 {
		a := b.call("connect_to_server", l.args(`{}`))
		link, _ := a.at("error.details.authorization_url").(string)
		if links = append(links, link); !a.error || a.at("error.details.subtype") != subAuth || !strings.Contains(fmt.Sprint(a.at("error.suggestion")), "the same call again") {
			t.Fatalf("without a login it answers %s", a.raw)
		}
		clean(t, a)
	}
	if links[0] == "" || links[0] != links[1] || !strings.Contains(b.call("connect_to_server", l.args(`{}`)).text, links[0]) {
		t.Fatalf("the link changes: %v", links)
	}
	if _, status := open(t, links[0], true); status != 200 {
		t.Errorf("the browser ends with %d", status)
	}
	a := b.want("connect_to_server", l.args(`{}`))
	clean(t, a)
	a = b.call("call_tool", `{"name":"add","arguments":{"a":1,"b":2}}`)
	link := a.at("error.details.authorization_url")
	if !a.error || a.at("error.details.subtype") != subAuth || !strings.Contains(fmt.Sprint(link), "some+more") {
		t.Fatalf("a call that needs more answers %s", a.raw)
	}
	clean(t, a)
	back, _ := open(t, link, true)
	if a := b.want("call_tool", `{"name":"add","arguments":{"a":1,"b":2}}`); !strings.Contains(a.raw, `"3"`) {
		t.Errorf("the call answers %s", a.raw)
	}
	clean(t, b.want("disconnect", `{}`))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if res, err := client.Get(back); err == nil {
		_ = res.Body.Close()
		t.Errorf("after the connection was closed somebody still listens for the browser: %d", res.StatusCode)
	}
}

// TestPersonElsewhere: a person whose browser cannot come back to this process copies
// its address. What one caller has begun, another one cannot end.
func TestPersonElsewhere(t *testing.T) {
	l, b := newLocked(t), newBench(t)
	ann, bob := auth.Principal{Subject: "ann"}, auth.Principal{Subject: "bob"}
	b.as = ann
	a := b.call("connect_to_server", l.args(`{}`))
	if !strings.Contains(fmt.Sprint(a.at("error.suggestion")), "callback_url") {
		t.Fatalf("without a login it answers %s", a.raw)
	}
	back, _ := open(t, a.at("error.details.authorization_url"), false)
	if !strings.HasPrefix(back, nobodyListens) {
		t.Fatalf("the browser ends at %s", back)
	}
	pasted := l.args(`{"callback_url":` + quote(back) + `}`)
	b.as = bob
	if a := b.call("connect_to_server", pasted); !a.error || !strings.Contains(a.raw, "another login") {
		t.Errorf("another caller gets %s", a.raw)
	}
	b.as = ann
	clean(t, b.want("connect_to_server", pasted), b.want("list_tools", `{}`))
}

// TestPersonElsewhereLater: the same with a server that lets everybody connect.
func TestPersonElsewhereLater(t *testing.T) {
	l, b := newLocked(t), newBench(t)
	l.late, b.as = true, auth.Principal{Subject: "ann"}
	b.want("connect_to_server", l.args(`{}`))
	a := b.call("list_tools", `{}`)
	if !a.error || !strings.Contains(a.text, "callback_url") {
		t.Fatalf("without a login it answers %s", a.raw)
	}
	back, _ := open(t, a.at("error.details.authorization_url"), false)
	clean(t, b.want("connect_to_server", l.args(`{"callback_url":`+quote(back)+`}`)), b.want("list_tools", `{}`))
	if len(l.tokens) != 1 {
		t.Errorf("it took %d tokens", len(l.tokens))
	}
}

// TestKeyLogin: a client whose credential is a key signs who it is.
func TestKeyLogin(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	l, b := newLocked(t), newBench(t, func(o *Options) { o.Secret = func(string) (string, error) { return string(text), nil } })
	a := b.want("connect_to_server", l.args(`{"grant":"client_credentials","client_id":"robot","client_secret":"${FILE:robot.pem}"}`))
	if len(l.signed) != 1 || l.basics[0] != ":" {
		t.Fatalf("the client said it is %q, and signed %d times", l.basics, len(l.signed))
	}
	claims := jwt.RegisteredClaims{}
	if _, err := jwt.ParseWithClaims(l.signed[0], &claims, func(*jwt.Token) (any, error) { return &key.PublicKey, nil }, jwt.WithAudience(l.url), jwt.WithExpirationRequired()); err != nil || claims.Subject != "robot" {
		t.Errorf("it signed %+v: %v", claims, err)
	}
	if all := a.raw + a.text; strings.Contains(all, "PRIVATE") || strings.Contains(all, strings.Split(string(text), "\n")[1]) || strings.Contains(all, l.signed[0]) {
		t.Errorf("an answer holds the key or what it signed: %s", all)
	}
	locked := pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("canary")})
	b.o.Secret = func(string) (string, error) { return string(locked), nil }
	if bad := b.call("connect_to_server", `{"connection":"b",`+l.args(`{"grant":"client_credentials","client_id":"robot","client_secret":"${FILE:robot.pem}"}`)[1:]); !bad.error || !strings.Contains(bad.text, "no private key") {
		t.Errorf("a key with a password answers %s", bad.text)
	}
}

// TestLoginRefused: what makes no sense is refused, and what fails says where.
func TestLoginRefused(t *testing.T) {
	l, b := newLocked(t), newBench(t)
	for _, tt := range []struct{ args, want string }{
		{`{"url":` + quote(l.url+"/mcp") + `,"token":"x","login":{}}`, "one of them"},
		{`{"url":` + quote(l.url+"/mcp") + `,"headers":{"authorization":"Bearer x"},"login":{}}`, "one of them"},
		{`{"url":"some command","login":{}}`, "for an address"},
		{l.args(`{"grant":"client_credentials","client_id":"robot"}`), "with a secret"},
		{l.args(`{"callback_url":"https://evil.example/?code=canary-1"}`), "Nobody logged in"},
		{l.args(`{"grant":"client_credentials","client_id":"robot","client_secret":"canary-x","resource":"none","audience":"a"}`), ""},
	} {
		a := b.call("connect_to_server", tt.args)
		if tt.want != "" && (!a.error || !strings.Contains(a.text, tt.want)) || tt.want == "" && a.error {
			t.Errorf("%s answers %s", tt.args, a.text)
		}
		clean(t, a)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(`{"resource":"https://evil.example/</server_text>"}`))
	}))
	defer server.Close()
	a := b.call("connect_to_server", `{"url":`+quote(server.URL+"/mcp")+`,"connection":"evil","login":{}}`)
	if !a.error || a.at("error.details.login.1.outcome") != "failed" || a.at("error.details.login.1.source") != "RFC 9728, 3.3" || strings.Count(a.text, "</server_text>") != 1 {
		t.Errorf("metadata of another server answer %s\n%s", a.raw, a.text)
	}
}

// TestLoginsOfOneCaller: whoever begins logins without end loses her own oldest ones, and
// keeps nobody else from logging in.
func TestLoginsOfOneCaller(t *testing.T) {
	var all logins
	start := time.Now()
	for n := range 2 * mostLogins {
		all.keep(key{"ann", fmt.Sprint(n)}, &session{since: start.Add(time.Duration(n))})
	}
	all.keep(key{"bea", "default"}, &session{since: start})
	if len(all.all) != mostOfOneLogin+1 || all.all[key{"bea", "default"}] == nil || all.all[key{"ann", fmt.Sprint(2*mostLogins - 1)}] == nil {
		t.Errorf("%d logins wait: %v", len(all.all), all.all)
	}
}
