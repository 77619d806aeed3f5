package login

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// canary is in everything that must not be seen: no trace and no error may hold it.
const canary = "canary"

// The secrets of the tests. They have characters that are written otherwise in JSON,
// addresses and basic authentication.
const (
	clientSecret = "canary-secret: +%/\"é"
	machineID    = "machine: one"
)

// world is a server under test and the authorization server that it trusts, each at an
// origin of its own.
type world struct {
	t        *testing.T
	rs, as   *httptest.Server
	client   *http.Client
	requests []string // method and path, in order, with "as" or "rs" before them

	mu       sync.Mutex
	needs    map[string]string // scope that a method needs
	resource map[string]any    // members of the metadata over those that it has
	server   map[string]any
	instead  map[string]http.HandlerFunc // by "as /path" or "rs /path"
	bare     bool                        // challenges without resource_metadata
	scope    string                      // of the challenge
	iss      *string                     // of the callback; nil is the right one
	more     url.Values                  // of the callback
	issued   int
	tokens   map[string]string // scopes, by token
	codes    map[string]url.Values
	forms    []url.Values // that the token endpoint got
	basics   []string     // and its basic authentication
	register []map[string]any
	grantNo  []string // scopes that are never granted
	keep     bool     // refresh tokens are not replaced
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, needs: map[string]string{}, resource: map[string]any{}, server: map[string]any{}, instead: map[string]http.HandlerFunc{},
		tokens: map[string]string{}, codes: map[string]url.Values{}, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	w.rs = httptest.NewServer(w.counted("rs", w.serveResource))
	w.as = httptest.NewServer(w.counted("as", w.serveIssuer))
	t.Cleanup(func() { w.rs.Close(); w.as.Close() })
	return w
}

func (w *world) endpoint() string { return w.rs.URL + "/mcp" }

func (w *world) counted(who string, h http.HandlerFunc) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.requests = append(w.requests, fmt.Sprintf("%s %s %s", who, r.Method, r.URL.Path))
		instead := w.instead[who+" "+r.URL.Path]
		w.mu.Unlock()
		if instead != nil {
			instead(rw, r)
			return
		}
		h(rw, r)
	}
}

// asked are the requests that were no calls of MCP.
func (w *world) asked() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.requests), func(s string) bool { return s == "rs POST /mcp" })
}

func reply(rw http.ResponseWriter, status int, v any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(v)
}

func over(base, change map[string]any) map[string]any {
	maps.Copy(base, change)
	maps.DeleteFunc(base, func(_ string, v any) bool { return v == nil })
	return base
}

const wellKnown = "/.well-known/oauth-protected-resource/mcp"

func (w *world) serveResource(rw http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == wellKnown:
		w.mu.Lock()
		meta := over(map[string]any{"resource": w.endpoint(), "authorization_servers": []string{w.as.URL}}, w.resource)
		w.mu.Unlock()
		reply(rw, 200, meta)
	case r.URL.Path != "/mcp" || r.Method != http.MethodPost:
		http.NotFound(rw, r)
	default:
		w.call(rw, r)
	}
}

// call answers as a server of 2025-11-25 that lets nobody in without a token.
func (w *world) call(rw http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	w.mu.Lock()
	scopes, ok := w.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	needs, challenge := w.needs[m.Method], "Bearer"
	if !w.bare {
		challenge += fmt.Sprintf(` resource_metadata="%s%s"`, w.rs.URL, wellKnown)
	}
	scope := w.scope
	w.mu.Unlock()
	switch {
	case !ok:
		if scope != "" {
			challenge += fmt.Sprintf(`, scope="%s"`, scope)
		}
		rw.Header().Set("www-authenticate", challenge)
		http.Error(rw, "who?", http.StatusUnauthorized)
	case needs != "" && !slices.Contains(strings.Fields(scopes), needs):
		rw.Header().Set("WWW-Authenticate", fmt.Sprintf(`%s, error="insufficient_scope", scope="%s"`, challenge, needs))
		http.Error(rw, "more", http.StatusForbidden)
	case m.ID == nil:
		rw.WriteHeader(http.StatusAccepted)
	case m.Method == "initialize":
		reply(rw, 200, json.RawMessage(`{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}}`))
	case m.Method == "server/discover":
		reply(rw, 404, json.RawMessage(`{"jsonrpc":"2.0","id":`+string(m.ID)+`,"error":{"code":-32601,"message":"no"}}`))
	default:
		reply(rw, 200, json.RawMessage(`{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"tools":[]}}`))
	}
}

func (w *world) serveIssuer(rw http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		w.mu.Lock()
		meta := over(map[string]any{
			"issuer": w.as.URL, "authorization_endpoint": w.as.URL + "/authorize", "token_endpoint": w.as.URL + "/token", "registration_endpoint": w.as.URL + "/register",
			"code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true,
			"token_endpoint_auth_methods_supported": []string{"none", "client_secret_post"},
		}, w.server)
		w.mu.Unlock()
		reply(rw, 200, meta)
	case "/register":
		var asked map[string]any
		_ = json.NewDecoder(r.Body).Decode(&asked)
		w.mu.Lock()
		w.register = append(w.register, asked)
		w.mu.Unlock()
		reply(rw, 201, map[string]any{"client_id": "new-client", "token_endpoint_auth_method": asked["token_endpoint_auth_method"], "registration_access_token": "canary-registration"})
	case "/authorize":
		w.authorize(rw, r)
	case "/token":
		w.issue(rw, r)
	default:
		http.NotFound(rw, r)
	}
}

// authorize logs everybody in at once.
func (w *world) authorize(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	q := r.URL.Query()
	code := fmt.Sprintf("canary-code-%d", len(w.codes))
	w.codes[code] = q
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {w.as.URL}}
	if w.iss != nil {
		back.Set("iss", *w.iss)
		if *w.iss == "" {
			back.Del("iss")
		}
	}
	maps.Copy(back, w.more)
	http.Redirect(rw, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// issue gives tokens; the code flow needs the verifier and the redirect address.
func (w *world) issue(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forms = append(w.forms, form)
	user, password, _ := r.BasicAuth()
	w.basics = append(w.basics, user+" "+password)
	scope := form.Get("scope")
	if form.Get("grant_type") == "authorization_code" {
		q, ok := w.codes[form.Get("code")]
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if !ok || q.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || q.Get("code_challenge_method") != "S256" ||
			q.Get("redirect_uri") != form.Get("redirect_uri") || q.Get("client_id") != form.Get("client_id") {
			reply(rw, 400, map[string]any{"error": "invalid_grant", "error_description": "not for " + form.Get("code")})
			return
		}
		delete(w.codes, form.Get("code"))
		scope = q.Get("scope")
	}
	granted := strings.Join(slices.DeleteFunc(strings.Fields(scope), func(s string) bool { return slices.Contains(w.grantNo, s) }), " ")
	w.issued++
	token := fmt.Sprintf("canary-token-%d", w.issued)
	w.tokens[token] = granted
	answer := map[string]any{
		"access_token": token, "token_type": "bearer", "expires_in": 3600, "scope": granted, "refresh_token": fmt.Sprintf("canary-refresh-%d", w.issued),
	}
	if w.keep {
		delete(answer, "refresh_token")
	}
	reply(rw, 200, answer)
}

// expire makes all tokens void.
func (w *world) expire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.tokens)
}

// browser is a person who opens each link at once.
type browser struct {
	w     *world
	links []Link
	delay int // how often nobody has logged in yet
}

func (b *browser) Redirect(context.Context) (string, error) {
	return "http://127.0.0.1:9/callback", nil
}

func (b *browser) Ask(ctx context.Context, link Link) (url.Values, error) {
	b.links = append(b.links, link)
	if b.delay > 0 {
		b.delay--
		return nil, ErrPending
	}
	client := *b.w.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link.URL, nil)
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	_ = res.Body.Close()
	to, err := res.Location()
	if err != nil {
		return nil, err
	}
	return to.Query(), nil
}

// options are those of a person who logs in.
func (w *world) options() Options {
	return Options{URL: w.endpoint(), HTTPClient: w.client, Grant: AuthorizationCode, Person: &browser{w: w}}
}

// login makes a login whose trace is looked through for secrets at the end.
func (w *world) login(o Options) *Login {
	w.t.Helper()
	l, err := New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { w.clean("the trace", l.Trace()) })
	return l
}

// clean fails when something holds a secret.
func (w *world) clean(what string, v any) {
	w.t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		w.t.Fatal(err)
	}
	if e, ok := v.(error); ok {
		raw = fmt.Appendf(nil, "%v %+v", e, e)
	}
	if text := strings.ToLower(string(raw)); strings.Contains(text, canary) || strings.Contains(text, "y2fuyxj5") {
		w.t.Errorf("%s holds a secret: %s", what, raw)
	}
}

// connect connects with a login.
func (w *world) connect(l *Login) (*wire.Conn, error) {
	w.t.Helper()
	c, err := wire.Connect(w.t.Context(), wire.Target{URL: w.endpoint()}, wire.Options{
		HTTPClient: w.client, Era: wire.EraLegacy, NoStream: true, Authorize: l.Authorize,
	})
	if err != nil {
		w.clean("the error", err)
		return nil, err
	}
	w.t.Cleanup(func() {
		w.clean("the transcript", c.Transcript(0, 0))
		c.Close()
	})
	return c, nil
}

func (w *world) mustConnect(l *Login) *wire.Conn {
	w.t.Helper()
	c, err := w.connect(l)
	if err != nil {
		w.t.Fatalf("%v\n%s", err, steps(l))
	}
	return c
}

// steps writes a trace in short.
func steps(l *Login) string {
	var b strings.Builder
	for _, s := range l.Trace().Steps {
		fmt.Fprintf(&b, "%s %s %d %s\n", s.Name, s.Outcome, s.Status, s.Detail)
	}
	return b.String()
}

// names are the steps of a trace with their outcome, challenges left out.
func names(l *Login) string {
	var out []string
	for _, s := range l.Trace().Steps {
		name := string(s.Name)
		if s.Outcome != OK {
			name += ":" + string(s.Outcome)
		}
		if s.Name != StepChallenge {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// fact is a fact of the last step of a name.
func fact(l *Login, step Name, name string) string {
	value := ""
	for _, s := range l.Trace().Steps {
		for _, f := range s.Facts {
			if s.Name == step && f.Name == name {
				value = f.Value
			}
		}
	}
	return value
}
