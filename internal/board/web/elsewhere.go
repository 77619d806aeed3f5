package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/signin"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// SignIn is where people sign in with an account that they have elsewhere;
// *signin.Desk is one.
type SignIn interface {
	// Providers are those that people may choose from.
	Providers() []signin.Provider
	// Start says where to send the browser, and what to keep in it.
	Start(ctx context.Context, provider, lang string) (string, signin.Attempt, error)
	// Finish says who came back.
	Finish(ctx context.Context, a signin.Attempt, answer url.Values) (signin.Person, error)
}

// elsewhere is a sign-in that began in this browser.
type elsewhere struct {
	signin.Attempt
	// Human is who was signed in then and adds a way to sign in; empty for a sign-in.
	Human string `json:"h"`
	Next  string `json:"x"`
}

// elsewhereCookie holds it. It is signed, so that nobody writes one, and scripts
// cannot read it; the state in it must be the one that comes back.
const elsewhereCookie = "elsewhere"

// startElsewhere sends the browser to a provider. Another site that leads here gets
// as far as our own page: to sign in is what people choose here.
func (v *visit) startElsewhere() error {
	back := "/login"
	if v.who.Known && v.who.Human {
		back = "/me"
	}
	if v.r.Header.Get("Sec-Fetch-Site") == "cross-site" || v.site.options.SignIn == nil {
		return v.done(back, "")
	}
	if err := v.count("guess", guessLimit); err != nil {
		return v.elsewhereFailed(err)
	}
	target, attempt, err := v.site.options.SignIn.Start(v.ctx(), v.r.PathValue("provider"), string(v.lang))
	if err != nil {
		return v.elsewhereFailed(err)
	}
	kept := elsewhere{Attempt: attempt, Next: v.next()}
	if v.who.Human {
		kept.Human = v.who.ID
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	text := base64.RawURLEncoding.EncodeToString(raw)
	v.setCookie(elsewhereCookie, text+"."+v.site.signFor("sign-in elsewhere", text), int(signin.AttemptLife.Seconds()))
	return v.done(target, "")
}

// readElsewhere takes the sign-in that began in this browser out of it: it serves
// once.
func (v *visit) readElsewhere() (elsewhere, bool) {
	c, err := v.r.Cookie(v.site.cookie(elsewhereCookie))
	if err != nil {
		return elsewhere{}, false
	}
	v.setCookie(elsewhereCookie, "", -1)
	value, err := url.QueryUnescape(c.Value)
	text, signature, _ := strings.Cut(value, ".")
	if err != nil || !same(signature, v.site.signFor("sign-in elsewhere", text)) {
		return elsewhere{}, false
	}
	var kept elsewhere
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(raw, &kept) != nil {
		return elsewhere{}, false
	}
	return kept, kept.Provider == v.r.PathValue("provider")
}

// finishElsewhere is where a provider sends the browser back to.
func (v *visit) finishElsewhere() error {
	kept, ok := v.readElsewhere()
	me := ""
	if v.who.Human {
		me = v.who.ID
	}
	if v.site.options.SignIn == nil || !ok || kept.Human != me {
		return v.elsewhereFailed(fault.New(fault.Expired, signin.Expired, "The sign-in did not begin in this browser.", "Begin again."))
	}
	found, err := v.site.options.SignIn.Finish(v.ctx(), kept.Attempt, v.r.URL.Query())
	if err != nil {
		return v.elsewhereFailed(err)
	}
	id := data.Identity{Provider: found.Issuer, Subject: found.Subject, Email: found.Email, Lang: string(v.lang)}
	if me != "" {
		if err := v.site.board.LinkIdentity(v.ctx(), me, id); err != nil {
			return v.elsewhereFailed(err)
		}
		return v.done("/me", "linked")
	}
	person, secret, err := v.site.board.SignInIdentity(v.ctx(), id)
	if err != nil {
		return v.elsewhereFailed(err)
	}
	v.setCookie("session", secret, sessionSeconds)
	return v.arrived(person, localPath(kept.Next))
}

// arrived sends somebody who signed in to where they were going, and first to the
// settings when nothing is there yet.
func (v *visit) arrived(p data.Person, next string) error {
	switch {
	case next != "" && next != "/":
		return v.done(next, "")
	case p.Handle == "" || p.Prefecture == "":
		return v.done("/me", "")
	}
	return v.done("/", "")
}

// elsewhereFailed says what went wrong on the page where the sign-in began. What is
// no refusal is a defect.
func (v *visit) elsewhereFailed(err error) error {
	f := filled("login", url.Values{})
	again := v.showLogin
	v.r = v.r.Clone(v.ctx())
	v.r.URL = &url.URL{Path: "/login"} // what the provider sent back is no part of this page
	if v.who.Known && v.who.Human {
		v.r.URL.Path = "/me"
		f, again = filled("elsewhere", url.Values{}), func(f *form) error { return v.profileWith(f) }
	}
	switch task.ReasonOf(err) {
	case task.Forbidden:
		f.wrong("", "signin.operator")
		return again(f)
	case task.AlreadyAssigned:
		f.wrong("", "signin.taken")
		return again(f)
	}
	return v.refused(err, f, again)
}

// providerLinks are the ways to sign in elsewhere.
func (v *visit) providerLinks(next string) []providerLink {
	if v.site.options.SignIn == nil {
		return nil
	}
	var all []providerLink
	for _, p := range v.site.options.SignIn.Providers() {
		link := providerLink{URL: "/login/with/" + p.Name, Label: p.Label, Issuer: p.Issuer}
		if next != "" {
			link.URL += "?next=" + queryEscape(next)
		}
		all = append(all, link)
	}
	return all
}

// providerLink is one of them.
type providerLink struct {
	URL, Label string
	Issuer     string
	Linked     bool
}

// linkedProviders are the ways to sign in elsewhere, and which of them the visitor has.
func (v *visit) linkedProviders() ([]providerLink, error) {
	links := v.providerLinks("")
	if len(links) == 0 {
		return nil, nil
	}
	has, err := v.site.board.Identities(v.ctx(), v.who.ID)
	if err != nil {
		return nil, err
	}
	for i := range links {
		for _, id := range has {
			links[i].Linked = links[i].Linked || id.Provider == links[i].Issuer
		}
	}
	return links, nil
}

// signInReasons are the refusals of a sign-in elsewhere.
func signInReasons() []string {
	return []string{signin.Unavailable, signin.Declined, signin.Refused, signin.Expired}
}
