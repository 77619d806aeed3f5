package signin

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// issuer is a provider whose metadata is known.
type issuer struct {
	name        string
	oauth       oauth2.Config
	verifier    *oidc.IDTokenVerifier
	namesItself bool // in its answers (RFC 9207)
	noMail      bool
}

// metadata is what go-oidc does not read of an issuer's (OpenID Connect Discovery 1.0,
// section 3, and RFC 9207, section 3).
type metadata struct {
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	Keys          string   `json:"jwks_uri"`
	Auth          []string `json:"token_endpoint_auth_methods_supported"`
	Algorithms    []string `json:"id_token_signing_alg_values_supported"`
	NamesItself   bool     `json:"authorization_response_iss_parameter_supported"`
}

// issuer is the issuer of a name, asked for its metadata once.
func (d *Desk) issuer(ctx context.Context, name string) (*issuer, error) {
	p, err := d.provider(name)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	known := d.known[name]
	d.mu.Unlock()
	if known != nil {
		return known, nil
	}
	made, err := d.discover(ctx, p)
	if err != nil {
		return nil, unavailable(fmt.Errorf("discover %s: %w", p.Name, err))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[name] = made
	return made, nil
}

func (d *Desk) discover(ctx context.Context, p Provider) (*issuer, error) {
	found, err := oidc.NewProvider(d.reach(ctx), p.Issuer)
	if err != nil {
		return nil, err
	}
	var m metadata
	if err := found.Claims(&m); err != nil {
		return nil, err
	}
	for _, text := range []string{m.Authorization, m.Token, m.Keys} {
		if u, err := url.Parse(text); err != nil || u.Host == "" || !secure(u) {
			return nil, errors.New("an endpoint is not an https address")
		}
	}
	algorithms := slices.DeleteFunc(m.Algorithms, func(a string) bool { return !asymmetric(a) })
	keys := keySet{remote: oidc.NewRemoteKeySet(d.reach(context.WithoutCancel(ctx)), m.Keys)}
	if p.symmetric {
		algorithms, keys.secret = append(algorithms, symmetricAlgorithm), []byte(p.ClientSecret)
	}
	style := oauth2.AuthStyleInHeader // what a client uses of which nothing is said
	if p.inBody || len(m.Auth) > 0 && !slices.Contains(m.Auth, "client_secret_basic") {
		style = oauth2.AuthStyleInParams
	}
	return &issuer{
		name: p.Issuer, namesItself: m.NamesItself, noMail: p.noMail,
		oauth: oauth2.Config{
			ClientID: p.ClientID, ClientSecret: p.ClientSecret, Scopes: p.scopes, RedirectURL: d.options.Base + CallbackPath(p.Name),
			Endpoint: oauth2.Endpoint{AuthURL: m.Authorization, TokenURL: m.Token, AuthStyle: style},
		},
		verifier: oidc.NewVerifier(p.Issuer, keys, &oidc.Config{ClientID: p.ClientID, SupportedSigningAlgs: algorithms, Now: d.options.Clock}),
	}, nil
}

// CallbackPath is where the issuer sends the browser back to. Each has its own, so
// that an answer cannot be handed to another one's sign-in (RFC 9700, section 4.4.2).
func CallbackPath(name string) string { return "/login/with/" + name + "/callback" }

const symmetricAlgorithm = "HS256"

// asymmetric reports whether an algorithm (RFC 7518, section 3.1, and RFC 8037) needs
// a key that only the issuer has. "none" is no algorithm here.
func asymmetric(name string) bool {
	return slices.Contains([]string{
		oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
	}, name)
}

// keySet verifies tokens with the published keys of the issuer or, for the one
// symmetric algorithm and where that is allowed, with the client secret: a public key
// never serves as a secret one.
type keySet struct {
	remote oidc.KeySet
	secret []byte
}

// VerifySignature implements oidc.KeySet.
func (k keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, errors.New("verify a token: it has not three parts")
	}
	var header struct {
		Algorithm string `json:"alg"`
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil || json.Unmarshal(raw, &header) != nil {
		return nil, errors.New("verify a token: its header cannot be read")
	}
	if header.Algorithm != symmetricAlgorithm {
		return k.remote.VerifySignature(ctx, token)
	}
	if len(k.secret) == 0 {
		return nil, errors.New("verify a token: it is signed with a shared secret")
	}
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte(parts[0] + "." + parts[1]))
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !hmac.Equal(signature, mac.Sum(nil)) {
		return nil, errors.New("verify a token: the signature is wrong")
	}
	return base64.RawURLEncoding.DecodeString(parts[1])
}

// secure reports whether an address is of https, or of this machine.
func secure(u *url.URL) bool {
	if u.Scheme == "https" {
		return true
	}
	a, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || err == nil && a.IsLoopback())
}

// maxAnswer bounds what is read of an issuer's answer, in bytes.
const maxAnswer = 1 << 20

// bounded is a client that reads no more than maxAnswer of an answer.
func bounded(c *http.Client) *http.Client {
	b := *c
	b.Transport = transport{c.Transport}
	return &b
}

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.next.RoundTrip(r)
	if err == nil {
		res.Body = body{io.LimitReader(res.Body, maxAnswer), res.Body}
	}
	return res, err
}

type body struct {
	io.Reader
	io.Closer
}
