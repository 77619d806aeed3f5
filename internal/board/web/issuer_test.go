package web

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/signin"
	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/store"
)

const issuerSecret = "a-client-secret-of-32-characters-or-more"

// startIssuer runs a OpenID provider (oidc-provider from npm) until the test
// ends and returns its address.
func startIssuer(t *testing.T, settings map[string]any) string {
	t.Helper()
	const clients = "../../../build/clients"
	if _, err := os.Stat(clients + "/node"); err != nil {
		t.Fatal("build/clients is missing: run scripts/need-node.sh first, as make test and make quick do")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	settings["secret"] = issuerSecret
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(clients+"/node", "../../../scripts/issuers/people.mjs", clients, port, string(raw))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close() // it ends with its standard input
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if address, ok := strings.CutPrefix(lines.Text(), "issuer "); ok {
			return address
		}
	}
	t.Fatal("the issuer did not start")
	return ""
}

// newWithIssuer is a board where people sign in with a real issuer.
func newWithIssuer(t *testing.T, u store.URL, line bool) (*world, string) {
	t.Helper()
	var issuer string
	w := newWorldWith(t, u, func(o *Options, site string) {
		provider, name, algorithm := signin.Other, "oidc", "RS256"
		if line {
			name, algorithm = "line", "HS256"
			provider = func(_, issuer, id, secret string) signin.Provider { return signin.LINEAt(issuer, id, secret) }
		}
		issuer = startIssuer(t, map[string]any{"redirects": []string{site + signin.CallbackPath(name)}, "algorithm": algorithm})
		desk, err := signin.New(signin.Options{
			Providers: []signin.Provider{provider("Prefecture ID", issuer, "board", issuerSecret)}, Base: site, Clock: time.Now,
			Client: &http.Client{Transport: http.DefaultTransport, Timeout: 30 * time.Second},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.SignIn = desk
	})
	return w, issuer
}

// signInWith goes through the issuer's own pages.
func (p *person) signInWith(provider, name string) {
	p.t.Helper()
	p.visit("/login")
	p.press("a[href='/login/with/" + provider + "']")
	p.typeIn("input[name=login]", name)
	p.typeIn("input[name=password]", "any")
	p.press("button[type=submit]")
	p.press("button[type=submit]") // consent
}

// A person signs in with a real issuer in a real browser; the address is theirs only
// when the issuer has verified it.
func TestSignInWithAnIssuer(t *testing.T) {
	for _, line := range []bool{false, true} {
		name, path := "OpenID Connect", "oidc"
		if line {
			name, path = "as LINE does", "line"
		}
		t.Run(name, func(t *testing.T) {
			w, issuer := newWithIssuer(t, databases.SQLite(t), line)
			hana, _ := w.worker("hana@example.org")
			for login, same := range map[string]bool{"hana": !line, "unhana": false} {
				p := &person{t: t, tab: open(t, w.site, "ja", issuer), site: w.site, lang: words.Ja}
				p.signInWith(path, login)
				if !strings.HasPrefix(p.tab.Doc().URL, w.site+"/") || strings.Contains(p.tab.Doc().URL, "code=") {
					t.Fatalf("the browser is at %s", p.tab.Doc().URL)
				}
				p.visit("/me")
				p.reads(words.Ja.Say("profile.public"))
				ids := w.identities(issuer)
				if (ids[login] == hana.ID) != same || ids[login] == "" {
					t.Errorf("%s is %q; the account of the address is %s", login, ids[login], hana.ID)
				}
			}
		})
	}
}

// identities are the people by their subject at an issuer.
func (w *world) identities(issuer string) map[string]string {
	w.t.Helper()
	people, _, err := w.board.ListPeople(w.t.Context(), data.Page{Limit: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	all := map[string]string{}
	for _, p := range people {
		ids, err := w.board.Identities(w.t.Context(), p.ID)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, id := range ids {
			if id.Provider == issuer {
				all[id.Subject] = p.ID
			}
		}
	}
	return all
}

// An attacker who has a person's answer of the issuer gets nowhere with it, whether
// it was used or not.
func TestTheAnswerOfAnIssuerServesOnce(t *testing.T) {
	w, issuer := newWithIssuer(t, databases.SQLite(t), false)
	p := &person{t: t, tab: open(t, w.site, "ja", issuer), site: w.site, lang: words.Ja}
	p.signInWith("oidc", "hana")
	people := len(w.identities(issuer))

	// the attacker's own sign-in, whose answer a victim is led to
	mallory := newClient(t, w.site)
	start := mallory.get("/login/with/oidc").header.Get("Location")
	u, err := url.Parse(start)
	if err != nil || !strings.HasPrefix(start, issuer) {
		t.Fatalf("a sign-in starts at %q, %v", start, err)
	}
	state := u.Query().Get("state")
	victim := newClient(t, w.site)
	for _, c := range []*client{victim, mallory} {
		res := c.get("/login/with/oidc/callback?" + url.Values{"code": {"stolen"}, "state": {state}, "iss": {issuer}}.Encode())
		if res.status != http.StatusUnprocessableEntity || w.signedIn(c) != "" {
			t.Errorf("a code that is not theirs: %d, signed in as %q", res.status, w.signedIn(c))
		}
	}
	if got := len(w.identities(issuer)); got != people {
		t.Errorf("%d people, there were %d", got, people)
	}
}

// An issuer that shows nothing but an error leads back to a page that says so.
func TestTheIssuerSaysNo(t *testing.T) {
	w, issuer := newWithIssuer(t, databases.SQLite(t), false)
	for _, lang := range words.Langs {
		p := &person{t: t, tab: open(t, w.site, string(lang), issuer), site: w.site, lang: lang}
		p.visit("/login")
		p.press("a[href='/login/with/oidc']")
		p.press("a[href$='/abort']")
		p.reads(lang.Say("reason.signin_declined"), lang.Say("login.title"))
	}
}
