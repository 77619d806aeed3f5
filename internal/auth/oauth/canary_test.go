package oauth_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// canary is in every token, claim and secret of this file.
const canary = "CANARY7f3a"

// silent wants nothing private in what a verifier said.
func (b *bench) silent(err error, private ...string) {
	b.t.Helper()
	var said strings.Builder
	said.WriteString(b.log.String())
	for e := err; e != nil; e = errors.Unwrap(e) {
		fmt.Fprintf(&said, "\n%v %+v", e, e)
	}
	var own *oauth.Error
	if errors.As(err, &own) {
		fmt.Fprintf(&said, "\n%s %s %s", own.Description, fault.From(err).Action, own.Challenge("https://x/m", "a"))
	}
	for _, p := range append(private, canary) {
		if strings.Contains(said.String(), p) {
			b.t.Errorf("%.20q... is told: %s", p, said.String())
		}
	}
}

func TestNothingOfATokenIsTold(t *testing.T) {
	b := newBench(t, func(i *issuer, c *oauth.Config) {
		introspecting(i, c)
		f := newTokenFile(t, first2(newToken(t, canary, time.Time{}, canary)))
		c.Static = f.path
	})
	i := b.issuer
	kid, key := i.Key()
	private := m{"sub": canary, "client_id": canary, "scope": canary, "email": canary + "@x.example", "jti": canary}
	with := func(more m) m {
		out := m{}
		for k, v := range private {
			out[k] = v
		}
		for k, v := range more {
			out[k] = v
		}
		return out
	}
	own := curveKey256()
	for name, token := range map[string]string{
		"good":            i.Mint(private),
		"expired":         i.Mint(with(m{"exp": 1})),
		"wrong audience":  i.Mint(with(m{"aud": canary})),
		"wrong issuer":    i.Mint(with(m{"iss": canary})),
		"odd scope":       i.Mint(with(m{"scope": m{canary: canary}})),
		"odd dates":       i.Mint(with(m{"exp": canary})),
		"odd type":        i.Mint(with(m{"typ": canary})),
		"unknown kid":     i.Sign(jwt.SigningMethodES256, own, m{"kid": canary}, private),
		"odd header":      i.Sign(jwt.SigningMethodES256, key, m{"kid": kid, "typ": canary, "crit": []string{canary}}, private),
		"bad signature":   i.Sign(jwt.SigningMethodES256, own, m{"kid": kid}, private),
		"HS256":           i.Sign(jwt.SigningMethodHS256, []byte(canary), m{"kid": kid}, private),
		"odd alg":         b64([]byte(`{"alg":"`+canary+`","kid":"x"}`)) + ".e30.",
		"no JSON":         b64([]byte(canary)) + "." + b64([]byte(canary)) + "." + canary,
		"no base64":       canary + "." + canary + "." + canary + "=",
		"static":          oauth.StaticPrefix + canary + strings.Repeat("x", 43-len(canary)),
		"opaque, unknown": canary,
		"opaque, good":    i.Opaque(private),
		"opaque, wrong":   i.Opaque(with(m{"aud": canary, "token_type": canary})),
		"huge":            strings.Repeat(canary, 5000),
		"odd bytes":       canary + "\r\n" + canary,
	} {
		t.Run(name, func(t *testing.T) {
			b := *b
			b.t = t
			_, err := b.Verify(t.Context(), token)
			b.silent(err, token)
			_, err = oauth.Bearer(http.Header{"Authorization": {"Bearer " + token + " " + canary}})
			b.silent(err, token)
		})
	}
}

func first2(_, line string) string { return line }

// TestNothingThatAnIssuerEchoesIsTold: an issuer that is broken or hostile can
// send back what it was asked about.
func TestNothingThatAnIssuerEchoesIsTold(t *testing.T) {
	raw := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = conn.Write([]byte(text)) // the client may have hung up
			_ = conn.Close()
		}
	}
	for name, h := range map[string]http.HandlerFunc{
		"in the status line": raw("HTTP/1.1 " + canary + "\r\n\r\n"),
		"instead of HTTP":    raw(canary + "\r\n\r\n"),
		"in a header":        raw("HTTP/1.1 200 OK\r\n" + canary + "\r\n\r\n"),
		"as the length":      raw("HTTP/1.1 200 OK\r\nContent-Length: " + canary + "\r\n\r\n"),
		"as the encoding":    raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + canary + "\r\n\r\n"),
		"as a place":         func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/"+canary, http.StatusFound) },
		"as a bad place":     raw("HTTP/1.1 302 Found\r\nLocation: http://%zz" + canary + "\r\n\r\n"),
		"in an error":        answer(500, canary),
		"as text":            answer(200, canary),
		"as JSON":            answer(200, `"`+canary+`"`),
		"as members":         answer(200, `{"keys":["`+canary+`",{"kty":"`+canary+`","kid":"`+canary+`","use":"`+canary+`","alg":"`+canary+`","x":"`+canary+`"}],"issuer":"`+canary+`","active":"`+canary+`"}`),
		"as numbers":         answer(200, `{"keys":[{"kty":"RSA","kid":"`+canary+`","n":"`+canary+`!","e":"AQAB"}],"active":true,"exp":"`+canary+`"}`),
	} {
		for _, path := range []string{oauthtest.OAuthMetadataPath, oauthtest.KeysPath, oauthtest.IntrospectionPath} {
			t.Run(name+path, func(t *testing.T) {
				b := newBench(t, func(i *issuer, c *oauth.Config) {
					introspecting(i, c)
					i.Handle(path, h)
					if path == oauthtest.OAuthMetadataPath {
						i.Handle(oauthtest.MetadataPath, h)
					}
				})
				for _, token := range []string{b.issuer.Mint(m{"sub": canary}), canary} {
					_, err := b.Verify(t.Context(), token)
					b.silent(err, token)
				}
			})
		}
	}
}

// TestTheClientSecretIsNotTold, neither when it is refused nor with the settings.
func TestTheClientSecretIsNotTold(t *testing.T) {
	var c oauth.Config
	b := newBench(t, func(i *issuer, cfg *oauth.Config) {
		introspecting(i, cfg)
		cfg.Introspection.ClientSecret = canary
		c = *cfg
	})
	_, err := b.Verify(t.Context(), "x")
	b.silent(err)
	if s := fmt.Sprintf("%v %+v", c.Introspection, c.Introspection); strings.Contains(s, canary) {
		t.Errorf("the settings print it: %s", s)
	}
}
