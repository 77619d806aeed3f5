package web

import (
	"net/http"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/place"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// signInBody is the pages before a sign-in.
type signInBody struct {
	Next    string
	DevMail bool
	Life    time.Duration // of a code
	Others  []providerLink
}

func queryEscape(s string) string { return url.QueryEscape(s) }

func (v *visit) next() string {
	next := v.r.URL.Query().Get("next")
	if v.r.Method == http.MethodPost {
		next = v.r.PostFormValue("next")
	}
	if next = localPath(next); next == "/" {
		return ""
	}
	return next
}

func (v *visit) login() error { return v.showLogin(nil) }

func (v *visit) showLogin(f *form) error {
	return v.show("login", v.say("login.title"), signInBody{Next: v.next(), Others: v.providerLinks(v.next())}, f)
}

// sendCode sends a code. The answer is the same for an address that has an
// account and for one that has none.
func (v *visit) sendCode() error {
	f, err := v.form("login")
	if err != nil {
		return err
	}
	email := f.text("email", 254, true)
	if a, err := mail.ParseAddress(email); f.ok() && (err != nil || a.Address != email || !strings.Contains(email[strings.LastIndex(email, "@"):], ".")) {
		f.wrong("email", "error.email")
	}
	if !f.ok() {
		return v.showLogin(f)
	}
	if err := v.count("mail", mailLimit); err != nil {
		return v.refused(err, f, v.showLogin)
	}
	id, err := v.site.board.StartSignIn(v.ctx(), email, string(v.lang))
	if err != nil {
		return v.refused(err, f, v.showLogin)
	}
	v.setCookie("code", id, 30*60)
	target := "/login/code"
	if next := v.next(); next != "" {
		target += "?next=" + queryEscape(next)
	}
	return v.done(target, "")
}

func (v *visit) code() error { return v.showCode(nil) }

func (v *visit) showCode(f *form) error {
	if v.codeID() == "" {
		return v.done("/login", "")
	}
	return v.show("code", v.say("code.title"), signInBody{Next: v.next(), DevMail: v.site.options.Mailbox != nil, Life: data.CodeLife}, f)
}

// codeID names the code that was sent from this browser. Without its cookie a
// code that somebody else was talked into telling is worth nothing.
func (v *visit) codeID() string {
	c, err := v.r.Cookie(v.site.cookie("code"))
	if err != nil {
		return ""
	}
	id, _ := url.QueryUnescape(c.Value)
	return id
}

func (v *visit) enterCode() error {
	f, err := v.form("code")
	if err != nil {
		return err
	}
	code := place.Fold(f.text("code", 20, true))
	if !f.ok() || v.codeID() == "" {
		return v.showCode(f)
	}
	if err := v.count("guess", guessLimit); err != nil {
		return v.refused(err, f, v.showCode)
	}
	person, secret, err := v.site.board.ConfirmSignIn(v.ctx(), v.codeID(), strings.ReplaceAll(code, " ", ""))
	if err != nil {
		if task.ReasonOf(err) == task.InvalidCode {
			f.wrong("code", "error.code")
			return v.showCode(f)
		}
		return v.refused(err, f, v.showCode)
	}
	v.setCookie("code", "", -1)
	v.setCookie("session", secret, sessionSeconds)
	return v.arrived(person, v.next())
}

// logout ends the session here and in the database: a copy of the cookie is worth
// nothing afterwards.
func (v *visit) logout() error {
	if c, err := v.r.Cookie(v.site.cookie("session")); err == nil {
		secret, _ := url.QueryUnescape(c.Value) // what is no session is none to end
		if err := v.endSession(secret); err != nil {
			return err
		}
	}
	v.setCookie("session", "", -1)
	return v.done("/", "logout")
}

func (v *visit) endSession(secret string) error {
	if !strings.HasPrefix(secret, requesterPrefix) {
		return v.site.board.EndSession(v.ctx(), secret)
	}
	is, ok := v.site.readToken(secret)
	if !ok {
		return nil // nobody fills a table with what is no sign-in
	}
	return v.site.board.EndSignIn(v.ctx(), is.signature, is.until)
}

// setCookie sets a cookie that scripts cannot read and other sites do not send
// along with forms.
func (v *visit) setCookie(name, value string, seconds int) {
	http.SetCookie(v.w, &http.Cookie{
		Name: v.site.cookie(name), Value: url.QueryEscape(value), Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: v.site.options.Secure, SameSite: http.SameSiteLaxMode,
	})
}

// devMailBody is the development mailbox.
type devMailBody struct{ Letters []notify.Letter }

func (v *visit) devMail() error {
	if v.site.options.Mailbox == nil {
		return noPage()
	}
	letters, err := v.site.options.Mailbox.Letters(v.ctx(), 50)
	if err != nil {
		return err
	}
	return v.show("devmail", v.say("devmail.title"), devMailBody{letters}, nil)
}

func (v *visit) requesterLogin() error { return v.showRequesterLogin(nil) }

func (v *visit) showRequesterLogin(f *form) error {
	return v.show("requesterlogin", v.say("rlogin.title"), signInBody{Next: v.next()}, f)
}

// enterKey signs a requester in with the key of an agent account.
func (v *visit) enterKey() error {
	f, err := v.form("rlogin")
	if err != nil {
		return err
	}
	account, key := f.text("account", 80, true), f.text("key", 200, true)
	f.Values.Del("key") // it is not shown again
	if !f.ok() {
		return v.showRequesterLogin(f)
	}
	if err := v.count("guess", guessLimit); err != nil {
		return v.refused(err, f, v.showRequesterLogin)
	}
	token, err := v.enterWithKey(account, key)
	if err != nil {
		switch task.ReasonOf(err) {
		case task.InvalidCredentials, task.MissingCredentials, task.Unauthorized, task.NotFound, task.APIAccessDisabled:
			f.wrong("key", "error.credentials")
			return v.showRequesterLogin(f)
		}
		return v.refused(err, f, v.showRequesterLogin)
	}
	v.setCookie("session", token, sessionSeconds)
	if next := v.next(); next != "" {
		return v.done(next, "")
	}
	return v.done("/requester", "")
}
