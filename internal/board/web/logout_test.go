package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestACopyOfTheCookieEndsWithTheSignIn: after the log-out of a person or a requester
// nobody gets in with the cookie, however it is written; other browsers stay signed in.
func TestACopyOfTheCookieEndsWithTheSignIn(t *testing.T) {
	w := newWorld(t)
	_, person := w.worker("hana@example.org")
	_, elsewhere := w.worker("hana@example.org")
	for name, c := range map[string]struct {
		first, other *client
		page         string
	}{
		"a person":    {person, elsewhere, "/me"},
		"a requester": {w.requesterClient(), w.requesterClient(), "/requester"},
	} {
		kept := cookieOf(t, c.first)
		if res := c.first.post("/logout", nil); res.status != http.StatusSeeOther {
			t.Fatalf("%s: the log-out answers %d", name, res.status)
		}
		for _, value := range []string{kept, "r1.\n" + strings.TrimPrefix(kept, "r1.")} {
			thief := newClient(t, w.site)
			thief.setCookie("board-session", value)
			if res := thief.get(c.page); res.status != http.StatusSeeOther {
				t.Errorf("%s: with the old cookie the page answers %d", name, res.status)
			}
		}
		if res := c.other.get(c.page); res.status != http.StatusOK {
			t.Errorf("%s: the other browser gets %d", name, res.status)
		}
	}
	if gone, err := w.board.ForgetKeys(t.Context()); err != nil || gone != 0 {
		t.Errorf("before its time %d rows are forgotten: %v", gone, err)
	}
}

// cookieOf is the sign-in that a browser keeps.
func cookieOf(t *testing.T, c *client) string {
	t.Helper()
	u, err := url.Parse(c.site)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range c.http.Jar.Cookies(u) {
		if k.Name == "board-session" {
			value, err := url.QueryUnescape(k.Value)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	t.Fatal("the browser keeps no sign-in")
	return ""
}

// TestStrangersEndNoSignIns: a text that nobody was given leaves no row.
func TestStrangersEndNoSignIns(t *testing.T) {
	w := newWorld(t)
	c := newClient(t, w.site)
	for _, text := range []string{"r1.", "r1.x.y", "r1." + strings.Repeat("A", 4000) + ".A", "%zz"} {
		c.setCookie("board-session", text)
		if res := c.post("/logout", url.Values{}); res.status != http.StatusSeeOther {
			t.Errorf("%.20s: %d", text, res.status)
		}
	}
	w.later(48 * time.Hour)
	if gone, err := w.board.ForgetKeys(t.Context()); err != nil || gone != 0 {
		t.Errorf("%d rows, %v", gone, err)
	}
}
