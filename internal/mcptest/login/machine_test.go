package login

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// machine are the options of a program with credentials of its own.
func (w *world) machine() Options {
	return Options{URL: w.endpoint(), HTTPClient: w.client, Grant: ClientCredentials, Client: Client{ID: machineID, Secret: clientSecret}}
}

// TestMachine: each way in which a program says who it is, and what it asks for.
func TestMachine(t *testing.T) {
	for name, tt := range map[string]struct {
		methods any // that the server says it has
		change  func(*Options)
		basic   string
		form    url.Values
	}{
		"nothing said":  {methods: nil, basic: "machine%3A+one canary-secret%3A+%2B%25%2F%22%C3%A9", form: url.Values{}},
		"basic":         {methods: []string{"client_secret_post", "client_secret_basic"}, basic: "machine%3A+one canary-secret%3A+%2B%25%2F%22%C3%A9", form: url.Values{}},
		"post":          {methods: []string{"client_secret_post"}, form: url.Values{"client_id": {machineID}, "client_secret": {clientSecret}}},
		"post by order": {methods: nil, change: func(o *Options) { o.Client.Method = MethodPost }, form: url.Values{"client_id": {machineID}, "client_secret": {clientSecret}}},
		"an audience":   {methods: []string{"client_secret_post"}, change: func(o *Options) { o.Audience = "https://api.example/" }, form: url.Values{"client_id": {machineID}, "client_secret": {clientSecret}, "audience": {"https://api.example/"}}},
		"no resource":   {methods: []string{"client_secret_post"}, change: func(o *Options) { o.NoResource = true }, form: url.Values{"client_id": {machineID}, "client_secret": {clientSecret}, "resource": nil}},
		"a resource":    {methods: []string{"client_secret_post"}, change: func(o *Options) { o.Resource = "urn:api" }, form: url.Values{"client_id": {machineID}, "client_secret": {clientSecret}, "resource": {"urn:api"}}},
		"scopes":        {methods: []string{"client_secret_post"}, change: func(o *Options) { o.Scopes = []string{"a", "b"} }, form: url.Values{"client_id": {machineID}, "client_secret": {clientSecret}, "scope": {"a b"}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.server["token_endpoint_auth_methods_supported"] = tt.methods
			o := w.machine()
			if tt.change != nil {
				tt.change(&o)
			}
			l := w.login(o)
			w.mustConnect(l)
			want := url.Values{"grant_type": {"client_credentials"}, "resource": {w.endpoint()}}
			for k, v := range tt.form {
				if want[k] = v; v == nil {
					delete(want, k)
				}
			}
			if diff := cmp.Diff(want, w.forms[0]); diff != "" {
				t.Errorf("the form differs (-want +got):\n%s", diff)
			}
			if got := strings.TrimSpace(w.basics[0]); got != tt.basic {
				t.Errorf("basic authentication is %q, not %q", got, tt.basic)
			}
			if len(w.register) > 0 {
				t.Errorf("it registered: %v", w.register)
			}
		})
	}
}

// TestOtherMethod: a client that is registered for another way of saying who it is than
// was tried first is not refused for that.
func TestOtherMethod(t *testing.T) {
	for name, tt := range map[string]struct {
		methods []string
		forms   int
		want    string // outcome of the steps
	}{
		"both":       {[]string{"client_secret_basic", "client_secret_post"}, 2, "token:warning token"},
		"not said":   {nil, 2, "token:warning token"},
		"basic only": {[]string{"client_secret_basic"}, 1, "token:failed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.server["token_endpoint_auth_methods_supported"] = nil
			if tt.methods != nil {
				w.server["token_endpoint_auth_methods_supported"] = tt.methods
			}
			w.instead["as /token"] = func(rw http.ResponseWriter, r *http.Request) {
				if r.PostFormValue("client_secret") == clientSecret {
					w.issue(rw, r)
					return
				}
				w.mu.Lock()
				w.forms = append(w.forms, r.PostForm)
				w.mu.Unlock()
				reply(rw, 401, map[string]any{"error": "invalid_client"})
			}
			l := w.login(w.machine())
			_, err := w.connect(l)
			if (err == nil) != (tt.forms == 2) || len(w.forms) != tt.forms || !strings.HasSuffix(names(l), tt.want) {
				t.Errorf("it ends with %v after %d requests: %s", err, len(w.forms), names(l))
			}
		})
	}
}

// TestRest: credentials that are wrong are not sent again and again.
func TestRest(t *testing.T) {
	w := newWorld(t)
	w.instead["as /token"] = func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.forms = append(w.forms, nil)
		w.mu.Unlock()
		reply(rw, 401, map[string]any{"error": "invalid_client"})
	}
	now := time.Now()
	o := w.machine()
	o.Client.Method, o.Now = MethodPost, func() time.Time { return now }
	l := w.login(o)
	for range 6 {
		if _, err := w.connect(l); err == nil || !strings.Contains(err.Error(), "invalid_client") {
			t.Fatalf("it ends with %v", err)
		}
	}
	if len(w.forms) != mostFailures {
		t.Errorf("%d requests were made", len(w.forms))
	}
	now = now.Add(restAfter)
	if _, err := w.connect(l); err == nil || len(w.forms) != mostFailures+1 {
		t.Errorf("later it ends with %v, after %d requests", err, len(w.forms))
	}
}

// TestAssertion: the key of a client signs for the issuer, once and for a short time.
func TestAssertion(t *testing.T) {
	curve := func(c elliptic.Curve) crypto.Signer {
		key, err := ecdsa.GenerateKey(c, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for algorithm, key := range map[string]crypto.Signer{
		"ES256": curve(elliptic.P256()), "ES384": curve(elliptic.P384()), "ES512": curve(elliptic.P521()), "RS256": rsaKey, "EdDSA": edwards,
	} {
		t.Run(algorithm, func(t *testing.T) {
			w := newWorld(t)
			o := w.machine()
			o.Client = Client{ID: machineID, Key: key, KeyID: "k1"}
			w.mustConnect(w.login(o))
			form := w.forms[0]
			var claims jwt.RegisteredClaims
			token, err := jwt.ParseWithClaims(form.Get("client_assertion"), &claims, func(*jwt.Token) (any, error) { return key.Public(), nil },
				jwt.WithValidMethods([]string{algorithm}), jwt.WithAudience(w.as.URL), jwt.WithIssuer(machineID), jwt.WithSubject(machineID), jwt.WithExpirationRequired(), jwt.WithIssuedAt())
			if err != nil || token.Header["kid"] != "k1" || claims.ID == "" || claims.ExpiresAt.Sub(claims.IssuedAt.Time) > 5*time.Minute {
				t.Errorf("the assertion is %+v: %v", claims, err)
			}
			if form.Get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" || form.Has("client_secret") || w.basics[0] != " " {
				t.Errorf("the form is %v", form)
			}
		})
	}
	w := newWorld(t)
	o := w.machine()
	o.Client = Client{ID: machineID, Key: curve(elliptic.P224())}
	if _, err := w.connect(w.login(o)); err == nil || !strings.Contains(err.Error(), "of no kind that can sign") || len(w.forms) != 0 {
		t.Errorf("a key of another kind gives %v", err)
	}
}

// TestBearer: a token that somebody else got is asked for when it is needed, sent, and
// looked at.
func TestBearer(t *testing.T) {
	w := newWorld(t)
	w.tokens["canary-given"] = ""
	asked := 0
	o := Options{URL: w.endpoint(), HTTPClient: w.client, Grant: Bearer, Token: func(context.Context) (string, error) { asked++; return " canary-given\n", nil }}
	l := w.login(o)
	w.mustConnect(l)
	if got := names(l); got != "token" || asked != 1 || len(w.asked()) != 0 {
		t.Errorf("the steps are %q, it was asked for %d times, and asked %v", got, asked, w.asked())
	}
	for want, give := range map[string]func(context.Context) (string, error){
		"cannot be had":  func(context.Context) (string, error) { return "", errors.New("no file") },
		"no token has":   func(context.Context) (string, error) { return "canary\r\nX-Evil: 1", nil },
		"was just sent.": func(context.Context) (string, error) { return "canary-wrong", nil },
	} {
		o.Token = give
		if _, err := w.connect(w.login(o)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it fails with %v, not with %q", err, want)
		}
	}
}

// TestBound: credentials go to the issuer that they are for, and to no other.
func TestBound(t *testing.T) {
	w, other := newWorld(t), newWorld(t)
	o := w.machine()
	o.Client.Issuer = "https://elsewhere.example"
	if _, err := w.connect(w.login(o)); err == nil || !strings.Contains(err.Error(), "is not shown to") || len(w.forms) != 0 {
		t.Errorf("a client of another issuer gives %v, after %v", err, w.forms)
	}
	l := w.login(w.machine())
	c := w.mustConnect(l)
	w.expire()
	w.mu.Lock()
	w.resource["authorization_servers"] = []string{other.as.URL}
	w.mu.Unlock()
	if _, err := c.Call(t.Context(), "tools/list", nil, wire.CallOptions{}); err == nil || !strings.Contains(err.Error(), "is not shown to") || len(other.forms) != 0 {
		t.Errorf("after a change of issuer it ends with %v, after %v", err, other.forms)
	}
}

// TestRegistrations: what was registered before comes first, then a document, then a
// registration, each where the issuer takes it.
func TestRegistrations(t *testing.T) {
	const document = "https://client.example/legwork.json"
	for name, tt := range map[string]struct {
		meta   map[string]any
		change func(*Options)
		id     string
		want   string
	}{
		"registered before": {meta: map[string]any{"client_id_metadata_document_supported": true}, change: func(o *Options) { o.Client = Client{ID: "known"}; o.Document = document }, id: "known"},
		"a document":        {meta: map[string]any{"client_id_metadata_document_supported": true}, change: func(o *Options) { o.Document = document }, id: document},
		"no documents here": {change: func(o *Options) { o.Document = document }, id: "new-client"},
		"a registration":    {id: "new-client"},
		"none":              {meta: map[string]any{"registration_endpoint": nil}, want: "registers no clients"},
		"not wanted":        {change: func(o *Options) { o.NoRegistration = true }, want: "registers no clients"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for k, v := range tt.meta {
				w.server[k] = v
			}
			b := &browser{w: w}
			o := w.options()
			o.Person = b
			if tt.change != nil {
				tt.change(&o)
			}
			_, err := w.connect(w.login(o))
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("it fails with %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			link, err := url.Parse(b.links[0].URL)
			if err != nil || link.Query().Get("client_id") != tt.id || w.forms[0].Get("client_id") != tt.id || len(w.register) > 0 != (tt.id == "new-client") {
				t.Errorf("the client is %q in %v", link.Query().Get("client_id"), w.forms)
			}
		})
	}
}

// TestNew: options that make no sense are refused before anything is sent.
func TestNew(t *testing.T) {
	w := newWorld(t)
	for want, change := range map[string]func(*Options){
		"no http or https":  func(o *Options) { o.URL = "ftp://x/" },
		"no HTTP client":    func(o *Options) { o.HTTPClient = nil },
		"needs a person":    func(o *Options) { o.Person = nil },
		"needs a client":    func(o *Options) { o.Grant = ClientCredentials },
		"needs a token":     func(o *Options) { o.Grant = Bearer },
		`no grant "other"`:  func(o *Options) { o.Grant = "other" },
		"metadata document": func(o *Options) { o.Document = "http://client.example/a" },
	} {
		o := w.options()
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it is refused with %v, not with %q", err, want)
		}
	}
}
