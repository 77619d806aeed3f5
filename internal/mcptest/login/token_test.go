package login

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// TestTokenAnswers: what token endpoints answer, with secrets in every place in which
// servers put them.
func TestTokenAnswers(t *testing.T) {
	const ok = `{"access_token":"canary-a","token_type":"Bearer","expires_in":60}`
	for name, tt := range map[string]struct {
		status int
		kind   string
		body   string
		want   string // in a failure; empty is a login
		warn   string
		code   string
	}{
		"a token":              {body: ok},
		"its type in capitals": {body: `{"access_token":"canary-a","token_type":"BEARER"}`},
		"no type":              {body: `{"access_token":"canary-a"}`, warn: "no token_type"},
		"another content type": {kind: "text/plain", body: ok, warn: "application/json"},
		"a form":               {kind: "application/x-www-form-urlencoded", body: "access_token=canary-a&token_type=bearer&scope=x", warn: "application/json"},
		"fewer scopes":         {body: `{"access_token":"canary-a","token_type":"Bearer","scope":"read"}`, warn: "lacks scopes that were asked for: write"},
		"expires_in as text":   {body: `{"access_token":"canary-a","token_type":"Bearer","expires_in":"3600"}`},
		"an ID token":          {body: `{"access_token":"canary-a","token_type":"Bearer","id_token":"canary-id","other":{"Refresh_Token":"canary-r","list":["canary-a"]}}`},
		"no token":             {body: `{"token_type":"Bearer"}`, want: "no access_token"},
		"a token of two lines": {body: `{"access_token":"canary\r\nX-Evil: 1","token_type":"Bearer"}`, want: "no access_token that can be sent"},
		"a number":             {body: `{"access_token":12345678,"token_type":"Bearer"}`, want: "no access_token"},
		"another type":         {body: `{"access_token":"canary-a","token_type":"mac"}`, want: `type "mac"`},
		"a page":               {kind: "text/html", body: `<p>canary-a`, want: "no JSON object"},
		"a list":               {body: `["canary-a"]`, want: "no JSON object"},
		"half a token":         {body: `{"access_token":"canary-a`, want: "no JSON object"},
		"an error":             {status: 400, body: `{"error":"invalid_target","error_description":"unknown resource"}`, want: "unknown resource", code: "invalid_target"},
		"an error with 200":    {body: `{"error":"invalid_client"}`, want: "invalid_client", code: "invalid_client"},
		"an error with secrets": {
			status: 401, want: "[redacted]", code: "invalid_client",
			body: `{"error":"invalid_client","error_description":` + string(quoted("wrong: "+clientSecret+" and "+base64.StdEncoding.EncodeToString([]byte("machine%3A+one:canary-secret%3A+%2B%25%2F%22%C3%A9")))) + `}`,
		},
		"an error in a page": {status: 500, kind: "text/html", body: `canary-secret leaked`, want: "status 500"},
		"a redirect":         {status: 302, body: ``, want: "status 302"},
		"deep":               {body: strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000), want: "no access_token"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.tokens["canary-a"] = ""
			w.scope = "read write"
			w.server["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"}
			w.instead["as /token"] = func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				if tt.kind != "" {
					rw.Header().Set("Content-Type", tt.kind)
				}
				rw.Header().Set("Location", w.rs.URL+"/elsewhere")
				rw.WriteHeader(max(tt.status, 200))
				_, _ = rw.Write([]byte(tt.body))
			}
			l := w.login(w.machine())
			_, err := w.connect(l)
			if strings.Contains(strings.Join(w.asked(), " "), "elsewhere") {
				t.Errorf("secrets were sent elsewhere: %v", w.asked())
			}
			if tt.want == "" {
				if err != nil || !strings.Contains(steps(l), tt.warn) || tt.warn != "" && !strings.Contains(names(l), "token:warning") {
					t.Errorf("it ends with %v:\n%s", err, steps(l))
				}
				return
			}
			var failed *Error
			if !errors.As(err, &failed) || !strings.Contains(failed.Detail, tt.want) || failed.Code != tt.code {
				t.Errorf("it fails with %v (%+v)", err, failed)
			}
		})
	}
}

func quoted(s string) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return raw
}

// TestClaims: a token that the server will refuse says why.
func TestClaims(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		claims string
		want   []string
	}{
		"good":             {`{"iss":"AS","aud":"RS/mcp","exp":1893456000}`, nil},
		"several":          {`{"iss":"AS","aud":["x","RS/mcp/"],"exp":1893456000}`, nil},
		"another audience": {`{"iss":"AS","aud":["x"],"exp":1893456000}`, []string{`its audience is ["x"]`}},
		"no audience":      {`{"iss":"AS"}`, []string{"not meant for"}},
		"another issuer":   {`{"iss":"AS/","aud":"RS/mcp"}`, []string{"Its issuer is"}},
		"expired":          {`{"iss":"AS","aud":"RS/mcp","exp":1500000000}`, []string{"has expired"}},
		"all of it":        {`{"aud":7,"exp":1}`, []string{"not meant for", "Its issuer is", "has expired"}},
		"hostile":          {`{"iss":["AS"],"aud":{"a":1},"exp":1e300,"iat":-1}`, []string{"not meant for", "Its issuer is"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			claims := strings.NewReplacer("AS", w.as.URL, "RS", w.rs.URL).Replace(tt.claims)
			token := "canaryhead." + base64.RawURLEncoding.EncodeToString([]byte(strings.TrimSuffix(claims, "}")+`,"sub":"canary-ann"}`)) + ".canarysign"
			w.tokens[token] = ""
			w.instead["as /token"] = func(rw http.ResponseWriter, _ *http.Request) {
				reply(rw, 200, map[string]any{"access_token": token, "token_type": "Bearer"})
			}
			o := w.machine()
			o.Now = func() time.Time { return now }
			l := w.login(o)
			w.mustConnect(l)
			all := l.Trace().Steps
			last := all[len(all)-1]
			if last.Name != StepClaims || (last.Outcome == Warning) != (tt.want != nil) {
				t.Fatalf("the last step is %+v", last)
			}
			for _, want := range tt.want {
				if !strings.Contains(last.Detail, want) {
					t.Errorf("%q does not say %q", last.Detail, want)
				}
			}
			if got := fact(l, StepToken, "kind"); got != "JWT" {
				t.Errorf("the token is %q", got)
			}
		})
	}
}

// TestRegistrationAnswers: what registrations answer.
func TestRegistrationAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		want   string
		method string
	}{
		"a secret":       {status: 201, body: `{"client_id":"c","client_secret":"canary-new","client_name":"of canary-new","token_endpoint_auth_method":"client_secret_post"}`, method: "client_secret_post"},
		"no method":      {status: 200, body: `{"client_id":"c","client_secret":"canary-new"}`, method: "client_secret_basic"},
		"nothing at all": {status: 201, body: `{"client_id":"c"}`, method: "none"},
		"no secret":      {status: 201, body: `{"client_id":"c","token_endpoint_auth_method":"client_secret_basic"}`, method: "none"},
		"no id":          {status: 201, body: `{"client_secret":"canary-new"}`, want: "no client_id"},
		"a refusal":      {status: 400, body: `{"error":"invalid_redirect_uri","error_description":"https only"}`, want: "https only"},
		"a page":         {status: 403, body: `<h1>canary-new`, want: "status 403"},
		"a new method":   {status: 201, body: `{"client_id":"c","token_endpoint_auth_method":"tls_client_auth"}`, want: "tls_client_auth"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.instead["as /register"] = func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				rw.WriteHeader(tt.status)
				_, _ = rw.Write([]byte(tt.body))
			}
			l := w.login(w.options())
			_, err := w.connect(l)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("it fails with %v", err)
				}
				return
			}
			if got := fact(l, StepRegistration, "token_endpoint_auth_method"); got != tt.method {
				t.Errorf("the method is %q after %v\n%s", got, err, steps(l))
			}
		})
	}
}

// TestBounds: a server that makes a login go on and on fills no memory.
func TestBounds(t *testing.T) {
	w := newWorld(t)
	l := w.login(w.options())
	long := http.Header{"Www-Authenticate": {`Bearer error="x", error_description="` + strings.Repeat("y", 1<<20) + `"`}}
	for range mostSteps + 50 {
		if h, err := l.Authorize(t.Context(), wire.Challenge{URL: w.endpoint(), Status: 403, Header: long, WWWAuthenticate: long["Www-Authenticate"]}); h != nil || err != nil {
			t.Fatal(h, err)
		}
	}
	trace := l.Trace()
	raw, err := json.Marshal(trace)
	if err != nil || len(trace.Steps) != mostSteps || trace.Dropped == 0 || len(raw) > mostSteps*4*mostFact {
		t.Errorf("the trace has %d steps in %d bytes, %d dropped: %v", len(trace.Steps), len(raw), trace.Dropped, err)
	}
}

// TestChallenges reads what servers write, right or wrong.
func TestChallenges(t *testing.T) {
	for header, want := range map[string]challenge{
		``:       {present: true},
		`Bearer`: {present: true, bearer: true, scope: []string{}},
		`bearer realm="a, b", scope="x  y", RESOURCE_METADATA="https://h/m"`:       {present: true, bearer: true, metadata: "https://h/m", scope: []string{"x", "y"}},
		`Basic realm="x", Bearer error=invalid_token, error_description="a \"b\""`: {present: true, bearer: true, scope: []string{}, code: "invalid_token", text: `a "b"`},
		`DPoP algs="ES256", resource_metadata="https://h/m"`:                       {present: true, metadata: "https://h/m"},
		`Bearer scope="a", scope="b"`:                                              {present: true, bearer: true, scope: []string{"a"}},
		`Bearer scope = "a" , error = "e"`:                                         {present: true, bearer: true, scope: []string{"a"}, code: "e"},
		`Bearer scope="never ends`:                                                 {present: true, bearer: true, scope: []string{"never", "ends"}},
		`Negotiate abc==, Bearer scope="a"`:                                        {present: true, bearer: true, scope: []string{"a"}},
		`="=,,;\"`:                                                                 {present: true},
	} {
		if diff := cmp.Diff(want, readChallenge([]string{header}), cmp.AllowUnexported(challenge{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", header, diff)
		}
	}
	if c := readChallenge(nil); c.present {
		t.Errorf("no header is %+v", c)
	}
}

// FuzzChallenge: no header makes the reading fail or go on for ever.
func FuzzChallenge(f *testing.F) {
	f.Add(`Bearer a="b`)
	f.Add("=\"\\")
	f.Fuzz(func(t *testing.T, header string) {
		for _, s := range parseChallenges(header) {
			if s.scheme == "" {
				t.Errorf("%q has a challenge without a scheme", header)
			}
		}
	})
}

// TestHide: a secret is found in each shape in which it travels.
func TestHide(t *testing.T) {
	h := &hider{}
	h.learn(clientSecret, "tiny", "")
	for _, shape := range []string{clientSecret, string(quoted(clientSecret)), `canary-secret%3A+%2B%25%2F%22%C3%A9`, base64.StdEncoding.EncodeToString([]byte(clientSecret))} {
		if got := h.text("a " + shape + " b tiny"); strings.Contains(got, "canary") || !strings.Contains(got, redacted) || !strings.HasSuffix(got, " b tiny") {
			t.Errorf("%q becomes %q", shape, got)
		}
	}
	deep := map[string]any{"x": 1}
	for range 100 {
		deep = map[string]any{"d": deep, "code": "canary"}
	}
	if got := h.object(deep); strings.Contains(got, "canary") || len(got) > 1000 {
		t.Errorf("it becomes %s", got)
	}
	if got := fmt.Sprint(withoutSecrets([]any{"a", 1.5, nil, true}, 0)); got != "[a 1.5 <nil> true]" {
		t.Errorf("it becomes %s", got)
	}
}
