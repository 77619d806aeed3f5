package hosted

import (
	"net/http"
	"strings"
	"testing"
)

// changesKeys is an issuer whose signing keys a test can change: rotate adds a new
// one that signs from now on, drop leaves that one alone.
type changesKeys interface {
	tokenIssuer
	rotate(t *testing.T)
	drop(t *testing.T)
}

func (p *provider) rotate(t *testing.T) { p.set(t, map[string]any{"keys": "rotate"}) }

func (p *provider) drop(t *testing.T) { p.set(t, map[string]any{"keys": "drop"}) }

// The keys of Hydra's JWT access tokens.
const hydraKeys = "/admin/keys/hydra.jwt.access-token"

// rotate makes a key. On a busy machine that can take longer than Hydra lets an
// answer take: it breaks the connection off then, and has the key.
func (h *hydra) rotate(t *testing.T) {
	before := len(h.keys(t))
	res, err := http.Post(h.admin+hydraKeys, "application/json", strings.NewReader(`{"alg":"RS256","use":"sig"}`))
	if err != nil {
		t.Log("making a key:", err)
		eventually(t, "Hydra has one more key", func() bool { return len(h.keys(t)) > before })
		return
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusCreated {
		t.Fatalf("Hydra makes no key: %s", res.Status)
	}
}

func (h *hydra) keys(t *testing.T) []any {
	keys, _ := h.ask(t, http.MethodGet, hydraKeys, "")["keys"].([]any)
	return keys
}

// drop removes every key but the newest, which is the first of the set.
func (h *hydra) drop(t *testing.T) {
	for _, k := range h.keys(t)[1:] {
		kid, _ := k.(map[string]any)["kid"].(string)
		h.ask(t, http.MethodDelete, hydraKeys+"/"+kid, "")
	}
}

// TestKeyRotation: tokens of a new key work within seconds, those of the old one
// as long as the issuer has it, and not longer.
func TestKeyRotation(t *testing.T) {
	for name, i := range map[string]changesKeys{"provider": newProvider(t, ""), "Hydra": ory} {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, i.env()...)
			old := machineToken(t, i, "machine")
			c := s.caller(t, "/", old).open()
			c.list().want(t, http.StatusOK)

			i.rotate(t)
			second := machineToken(t, i, "machine")
			if kidOf(t, old) == kidOf(t, second) {
				t.Fatal("the issuer did not change its key")
			}
			eventually(t, "a token of the new key works", func() bool { return c.works(second) })
			if !c.works(old) {
				t.Error("the old key is still published, and its token does not work")
			}

			// The server learns that a key is gone when it fetches keys: every hour, or
			// when it meets a new one.
			i.rotate(t)
			i.drop(t)
			third := machineToken(t, i, "machine")
			eventually(t, "a token of the third key works", func() bool { return c.works(third) })
			for _, token := range []string{old, second} {
				c.token = token
				c.list().want(t, http.StatusUnauthorized)
			}
		})
	}
}

func kidOf(t *testing.T, token string) any {
	t.Helper()
	header, _ := parts(t, token)
	return header["kid"]
}

// TestForeignKey: a token that another issuer signed with its own key, under the
// name of ours, is refused.
func TestForeignKey(t *testing.T) {
	s := startServer(t, ory.env()...)
	s.caller(t, "/", machineToken(t, auth0, "machine")).open().list().want(t, http.StatusUnauthorized)
}

// TestIssuerComesLate: the server starts without its issuer, says that it cannot
// tell, and works when the issuer is there.
func TestIssuerComesLate(t *testing.T) {
	addr := freeAddr()
	first, err := startProvider(addr, "")
	if err != nil {
		t.Fatal(err)
	}
	lost := machineToken(t, first, "machine")
	first.stop()

	s := startServer(t, first.env()...)
	c := s.caller(t, "/", lost).open()
	r := c.list().want(t, http.StatusServiceUnavailable)
	if r.header.Get("Retry-After") == "" || r.challenge() != "" {
		t.Errorf("no time to wait, or a challenge that makes clients log in for nothing: %v", r.header)
	}

	second, err := startProvider(addr, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.stop)
	fresh := machineToken(t, second, "machine")
	eventually(t, "a token of the issuer that came works", func() bool { return c.works(fresh) })
	c.token = lost // its key is gone with the first issuer
	c.list().want(t, http.StatusUnauthorized)
}

// TestIssuerRestarts: while the issuer is away, tokens of its keys go on working,
// and after it came back with the same keys nothing has to be done.
func TestIssuerRestarts(t *testing.T) {
	s := startServer(t, ory.env()...)
	used, unused := machineToken(t, ory, "machine"), machineToken(t, ory, "reader")
	c := s.caller(t, "/", used).open()
	c.list().want(t, http.StatusOK)

	ory.stop()
	c.list().want(t, http.StatusOK)
	s.caller(t, "/", unused).open().list().want(t, http.StatusOK) // its key is held

	if err := ory.run(); err != nil {
		t.Fatal(err)
	}
	c.list().want(t, http.StatusOK)
	c.token = machineToken(t, ory, "machine")
	c.list().want(t, http.StatusOK)
}
