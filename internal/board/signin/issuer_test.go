package signin_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/legwork-mcp/legwork/internal/board/signin"
)

const (
	clientID     = "board"
	clientSecret = "a secret that nobody else has"
	base         = "https://board.example.org"
)

// issuer is one that does what a test wants: as it should, or as an attacker would.
type issuer struct {
	url       string
	rsa       *rsa.PrivateKey
	ecdsa     *ecdsa.PrivateKey
	algorithm string
	claims    map[string]any // over those that are right; nil takes one out
	sign      func(map[string]any) string
	metadata  map[string]any
	methods   []string
	names     bool // itself in its answers
	down      bool
	broken    bool // its token endpoint
	basic     bool // the last secret came in a header
	codes     map[string]url.Values
}

// rsaKey is the key of all issuers but one: making one takes long.
var rsaKey = sync.OnceValue(newRSA)

func newRSA() *rsa.PrivateKey { return must(rsa.GenerateKey(rand.Reader, 2048)) }

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{
		algorithm: "RS256", names: true, codes: map[string]url.Values{}, metadata: map[string]any{},
		claims: map[string]any{"email": "hana@example.org", "email_verified": true},
	}
	i.rsa = rsaKey()
	var err error
	if i.ecdsa, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	i.sign = i.signed
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.discover)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("POST /token", i.token)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.url = server.URL
	return i
}

func newDesk(t *testing.T, i *issuer, p signin.Provider) *signin.Desk {
	t.Helper()
	desk, err := signin.New(signin.Options{Providers: []signin.Provider{p}, Base: base, Client: i.client(), Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return desk
}

func (i *issuer) client() *http.Client {
	return &http.Client{Transport: http.DefaultTransport, Timeout: 30 * time.Second}
}

func (i *issuer) discover(w http.ResponseWriter, _ *http.Request) {
	if i.down {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	m := map[string]any{
		"issuer": i.url, "authorization_endpoint": i.url + "/authorize", "token_endpoint": i.url + "/token", "jwks_uri": i.url + "/keys",
		"id_token_signing_alg_values_supported": []string{"RS256", "ES256", "HS256", "none"}, "authorization_response_iss_parameter_supported": i.names,
	}
	if i.methods != nil {
		m["token_endpoint_auth_methods_supported"] = i.methods
	}
	maps.Copy(m, i.metadata)
	answer(w, http.StatusOK, m)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func (i *issuer) keys(w http.ResponseWriter, _ *http.Request) {
	text := base64.RawURLEncoding.EncodeToString
	point, err := i.ecdsa.PublicKey.Bytes()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusOK, map[string]any{"keys": []map[string]string{
		{"kty": "RSA", "kid": "RS256", "alg": "RS256", "n": text(i.rsa.N.Bytes()), "e": text(big.NewInt(int64(i.rsa.E)).Bytes())},
		{"kty": "EC", "kid": "ES256", "alg": "ES256", "crv": "P-256", "x": text(point[1:33]), "y": text(point[33:])},
	}})
}

// authorize is the page where the person says yes; it returns what the browser
// carries back.
func (i *issuer) authorize(t *testing.T, target string) url.Values {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("nonce") == "" || q.Get("state") == "" || q.Get("client_id") != clientID {
		t.Fatalf("the browser is sent to %s", target)
	}
	code := rand.Text()
	i.codes[code] = q
	back := url.Values{"code": {code}, "state": {q.Get("state")}}
	if i.names {
		back.Set("iss", i.url)
	}
	return back
}

func (i *issuer) signIn(t *testing.T, desk *signin.Desk, name string, change func(*signin.Attempt, url.Values)) (signin.Person, error) {
	t.Helper()
	target, attempt, err := desk.Start(t.Context(), name, "ja")
	if err != nil {
		t.Fatal(err)
	}
	back := i.authorize(t, target)
	if change != nil {
		change(&attempt, back)
	}
	return desk.Finish(t.Context(), attempt, back)
}

func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	if i.broken {
		http.Error(w, "broken", http.StatusBadGateway)
		return
	}
	id, secret, basic := r.BasicAuth()
	if i.basic = basic; !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	} else {
		secret, _ = url.QueryUnescape(secret) // RFC 6749, section 2.3.1
	}
	asked := i.codes[r.PostFormValue("code")]
	delete(i.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if id != clientID || secret != clientSecret || asked == nil || base64.RawURLEncoding.EncodeToString(sum[:]) != asked.Get("code_challenge") ||
		r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") {
		answer(w, http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
		return
	}
	claims := map[string]any{
		"iss": i.url, "sub": "u1", "aud": clientID, "nonce": asked.Get("nonce"), "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	}
	for name, value := range i.claims {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	answer(w, http.StatusOK, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": i.sign(claims)})
}

func (i *issuer) signed(claims map[string]any) string {
	t := jwt.NewWithClaims(jwt.GetSigningMethod(i.algorithm), jwt.MapClaims(claims))
	t.Header["kid"] = i.algorithm
	var key any = i.rsa
	if i.algorithm == "ES256" {
		key = i.ecdsa
	}
	return must(t.SignedString(key))
}

func (i *issuer) unsigned(claims map[string]any) string {
	return must(jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims(claims)).SignedString(jwt.UnsafeAllowNoneSignatureType))
}

// confused signs with the public key as if it were a secret.
func (i *issuer) confused(claims map[string]any) string {
	der := must(x509.MarshalPKIXPublicKey(&i.rsa.PublicKey))
	return i.with(string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})))(claims)
}

func (i *issuer) shared(claims map[string]any) string { return i.with(clientSecret)(claims) }

func (i *issuer) with(secret string) func(map[string]any) string {
	return func(claims map[string]any) string {
		return must(jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims(claims)).SignedString([]byte(secret)))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
