package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/signin"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// told is a sign-in whose issuer says what the test wants.
type told struct {
	person signin.Person
	err    error
	calls  int
}

func (*told) Providers() []signin.Provider {
	return []signin.Provider{{Name: "google", Label: "Google", Issuer: "https://accounts.google.com"}, {Name: "line", Label: "LINE", Issuer: "https://access.line.me"}}
}

func (*told) Start(_ context.Context, provider, _ string) (string, signin.Attempt, error) {
	if provider != "google" && provider != "line" {
		return "", signin.Attempt{}, fault.New(fault.NotFound, "not_found", "There is no such sign-in.", "")
	}
	return "https://issuer.example/authorize", signin.Attempt{Provider: provider, State: "right", Nonce: "n", Verifier: "v", Until: time.Now().Add(time.Minute)}, nil
}

func (d *told) Finish(_ context.Context, a signin.Attempt, q url.Values) (signin.Person, error) {
	d.calls++
	if a.State != "right" || q.Get("state") != a.State {
		return signin.Person{}, fault.New(fault.Expired, signin.Expired, "Another browser.", "")
	}
	return d.person, d.err
}

// newElsewhere is a board where people sign in elsewhere.
func newElsewhere(t *testing.T) (*world, *told) {
	t.Helper()
	d := &told{person: signin.Person{Issuer: "https://accounts.google.com", Subject: "1", Email: "hana@example.org"}}
	return newWorldWith(t, databases.SQLite(t), func(o *Options, _ string) { o.SignIn = d }), d
}

// begin starts a sign-in and returns where it ends.
func (c *client) begin(path string) {
	c.t.Helper()
	if res := c.get(path); res.status != http.StatusSeeOther || res.header.Get("Location") != "https://issuer.example/authorize" {
		c.t.Fatalf("%s: %d %s", path, res.status, res.header.Get("Location"))
	}
}

const (
	callbackPath = "/login/with/google/callback"
	callback     = callbackPath + "?code=c&state=right"
)

// Who is signed in, by the address or the handle, or "" for nobody.
func (w *world) signedIn(c *client) string {
	w.t.Helper()
	u, err := url.Parse(w.site)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, cookie := range c.http.Jar.Cookies(u) {
		if cookie.Name != "board-session" {
			continue
		}
		secret, err := url.QueryUnescape(cookie.Value)
		if err != nil {
			w.t.Fatal(err)
		}
		if p, err := w.board.Session(w.t.Context(), secret); err == nil {
			return p.ID
		}
	}
	return ""
}

func TestSignInElsewhere(t *testing.T) {
	w, _ := newElsewhere(t)
	c := newClient(t, w.site)
	if body := c.get("/login?next=/me/tasks").body; !strings.Contains(body, `href="/login/with/google?next=%2Fme%2Ftasks"`) || !strings.Contains(body, "LINEでログイン") {
		t.Error("the page of the sign-in does not offer it")
	}
	c.begin("/login/with/google?next=/me/tasks")
	if res := c.get(callback); res.status != http.StatusSeeOther || res.header.Get("Location") != "/me/tasks" || w.signedIn(c) == "" {
		t.Errorf("it ends at %d %s, %s", res.status, res.header.Get("Location"), res.body)
	}
	if res := newClient(t, w.site).get("/login/with/nobody"); res.status != http.StatusNotFound {
		t.Errorf("a provider that is not there: %d", res.status)
	}
	w2 := newWorld(t)
	for _, path := range []string{"/login/with/google", callback} {
		if res := newClient(t, w2.site).get(path); res.status == http.StatusInternalServerError {
			t.Errorf("%s of a board without: %d", path, res.status)
		}
	}
}

// Whatever comes to the callback that did not begin in this browser signs nobody in.
func TestElsewhereIsBoundToTheBrowser(t *testing.T) {
	for name, attack := range map[string]func(*world, *client) answer{
		"nothing began": func(_ *world, c *client) answer { return c.get(callback) },
		"another state": func(_ *world, c *client) answer {
			c.begin("/login/with/google")
			return c.get(callbackPath + "?code=c&state=wrong")
		},
		"the callback of another provider": func(_ *world, c *client) answer {
			c.begin("/login/with/line")
			return c.get(callback)
		},
		"a cookie that somebody wrote": func(_ *world, c *client) answer {
			raw, err := json.Marshal(elsewhere{Attempt: signin.Attempt{Provider: "google", State: "right", Until: time.Now().Add(time.Hour)}})
			if err != nil {
				c.t.Fatal(err)
			}
			c.setCookie("board-elsewhere", base64.RawURLEncoding.EncodeToString(raw)+"."+strings.Repeat("A", 43))
			return c.get(callback)
		},
		"a second time": func(w *world, c *client) answer {
			c.begin("/login/with/google")
			c.get(callback)
			c.setCookie("board-session", "")
			return c.get(callback)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := newElsewhere(t)
			c := newClient(t, w.site)
			res := attack(w, c)
			if res.status != http.StatusUnprocessableEntity || w.signedIn(c) != "" || !strings.Contains(res.body, words.Ja.Say("reason.signin_expired")) {
				t.Errorf("%d, signed in as %q", res.status, w.signedIn(c))
			}
			if strings.Contains(res.body, "code=c") {
				t.Error("the page holds the code")
			}
		})
	}
}

func TestElsewhereLeadsNowhereElse(t *testing.T) {
	for _, next := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "/%0d%0aLocation:https://evil.example", "javascript:alert(1)"} {
		w, _ := newElsewhere(t)
		c := newClient(t, w.site)
		c.begin("/login/with/google?next=" + url.QueryEscape(next))
		res := c.get(callback)
		u, err := url.Parse(res.header.Get("Location"))
		if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") {
			t.Errorf("%q leads to %q", next, res.header.Get("Location"))
		}
	}
}

// Another site cannot begin a sign-in.
func TestElsewhereBeginsHere(t *testing.T) {
	w, _ := newElsewhere(t)
	c := newClient(t, w.site)
	req := c.request("GET", "/login/with/google", "")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	if res := c.do(req); res.header.Get("Location") != "/login" {
		t.Errorf("another site leads to %s", res.header.Get("Location"))
	}
}

// Nobody gets into an account by an identity that is not its own.
func TestElsewhereTakesNothingOver(t *testing.T) {
	w, d := newElsewhere(t)
	victim, own := w.worker("hana@example.org")
	in := func(p signin.Person) (*client, answer) {
		d.person = p
		c := newClient(t, w.site)
		c.begin("/login/with/google")
		return c, c.get(callback)
	}
	if c, _ := in(signin.Person{Issuer: "https://accounts.google.com", Subject: "mallory"}); w.signedIn(c) == victim.ID || w.signedIn(c) == "" {
		t.Error("an identity without a verified address is the victim")
	}
	if c, _ := in(signin.Person{Issuer: "https://accounts.google.com", Subject: "hana", Email: "Hana@Example.org"}); w.signedIn(c) != victim.ID {
		t.Error("the verified address is not the same person")
	}
	if c, _ := in(signin.Person{Issuer: "https://access.line.me", Subject: "hana"}); w.signedIn(c) == victim.ID {
		t.Error("the same subject at another issuer is the victim")
	}
	boss, _ := w.worker("boss@example.org")
	if err := w.board.SetOperator(t.Context(), boss.ID, true); err != nil {
		t.Fatal(err)
	}
	if c, res := in(signin.Person{Issuer: "https://accounts.google.com", Subject: "boss", Email: "boss@example.org"}); w.signedIn(c) != "" || !strings.Contains(res.body, words.Ja.Say("signin.operator")) {
		t.Error("an issuer gave away the power of who runs the board")
	}

	own.begin("/login/with/line")
	d.person = signin.Person{Issuer: "https://access.line.me", Subject: "hana"}
	if res := own.get("/login/with/line/callback?code=c&state=right"); !strings.Contains(res.body, words.Ja.Say("signin.taken")) {
		t.Errorf("an identity of somebody else was taken: %d %s", res.status, res.header.Get("Location"))
	}
	d.person.Subject = "hana's"
	own.begin("/login/with/line")
	if res := own.get("/login/with/line/callback?code=c&state=right"); res.header.Get("Location") != "/me?done=linked" {
		t.Errorf("the identity was not added: %d %s", res.status, res.body)
	}
	if body := own.get("/me").body; !strings.Contains(body, words.Ja.Say("signin.linked", "name", "LINE")) {
		t.Error("the settings do not say so")
	}
	ids, err := w.board.Identities(t.Context(), victim.ID)
	if err != nil || len(ids) != 2 {
		t.Errorf("the identities are %v, %v", ids, err)
	}
}

// A sign-in that began signed in, or signed out, ends so.
func TestElsewhereKeepsToWhoBegan(t *testing.T) {
	w, d := newElsewhere(t)
	d.person.Email = ""
	hana, own := w.worker("hana@example.org")
	own.begin("/login/with/google")
	own.setCookie("board-session", "") // signed out meanwhile
	if res := own.get(callback); w.signedIn(own) != "" || res.status != http.StatusUnprocessableEntity {
		t.Error("an identity to be added signed somebody in")
	}
	if ids, err := w.board.Identities(t.Context(), hana.ID); err != nil || len(ids) > 0 {
		t.Errorf("%v, %v", ids, err)
	}
}

func TestElsewhereSaysWhatWentWrong(t *testing.T) {
	w, d := newElsewhere(t)
	for err, key := range map[error]string{
		fault.New(fault.Denied, signin.Declined, "x", "y"):         "reason.signin_declined",
		fault.New(fault.Denied, signin.Refused, "x", "y"):          "reason.signin_refused",
		fault.New(fault.Unavailable, signin.Unavailable, "x", "y"): "reason.signin_unavailable",
		task.Refuse(task.RateLimited):                              "reason.rate_limited",
	} {
		for _, lang := range words.Langs {
			d.err = err
			c := newClient(t, w.site)
			c.get("/?lang=" + string(lang))
			c.begin("/login/with/google")
			if res := c.get(callback); !strings.Contains(res.body, lang.Say(key)) {
				t.Errorf("%v in %s: %d", err, lang, res.status)
			}
		}
	}
	d.err = errors.New("defect")
	c := newClient(t, w.site)
	c.begin("/login/with/google")
	if res := c.get(callback); res.status != http.StatusInternalServerError {
		t.Errorf("a defect: %d", res.status)
	}
}

// Whoever has linked LINE can choose to be told there, and nobody else.
func TestToldByLINE(t *testing.T) {
	d := &told{person: signin.Person{Issuer: "https://access.line.me", Subject: "Uabcdef0123456789abcdef0123456789"}}
	w := newWorldWith(t, databases.SQLite(t), func(o *Options, _ string) { o.SignIn, o.LINE = d, d.person.Issuer })
	hana, c := w.worker("hana@example.org")
	if strings.Contains(c.get("/me").body, words.Ja.Say("profile.by.line")+"</option>") {
		t.Error("it is offered to who has no account there")
	}
	c.begin("/login/with/line")
	c.get("/login/with/line/callback?code=c&state=right")
	c.get("/me").says(t, http.StatusOK, words.Ja.Say("profile.by.line")+"</option>")
	form := url.Values{"handle": {"hana"}, "prefecture": {"13"}, "cap": {"1"}, "by": {"line"}}
	c.post("/me", form).says(t, http.StatusSeeOther)
	if p, err := w.board.Person(t.Context(), hana.ID); err != nil || notify.ParseSettings(p.Notify).By != notify.ByLINE {
		t.Errorf("the settings are %s, %v", p.Notify, err)
	}
}
