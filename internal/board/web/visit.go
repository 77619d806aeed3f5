package web

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// who is whom a page is for.
type who struct {
	Known    bool
	Human    bool // a worker; otherwise the requester of an agent account
	Operator bool
	ID       string // of the human or the agent
	KeyID    string // that a requester signed in with, for its caps
	Name     string // the handle, or the account's name
	Offers   int    // that wait for an answer
}

// visit is one request for a page.
type visit struct {
	site *Site
	w    http.ResponseWriter
	r    *http.Request
	lang words.Lang
	who  who
	now  time.Time
}

// page is what the layout shows.
type page struct {
	Lang, Other words.Lang
	OtherURL    string
	Title       string
	Wide        bool
	Simulated   bool // no money is really moved
	Links       []link
	Who         who
	Done        string // of the catalogue
	Form        *form
	Now         time.Time
	Body        any
	Content     template.HTML // what the page's own template has made of it

	template string
	status   int
}

// link is one entry of the menu.
type link struct {
	URL, Key string
	Here     bool
	Count    int
}

// On is the page's form of a name: the one that was sent, or an empty one.
func (p *page) On(name string) *form {
	if p.Form.Name == name {
		return p.Form
	}
	return filled(name, url.Values{})
}

// ctx is the context of the request.
func (v *visit) ctx() context.Context { return v.r.Context() }

// say is a text of the catalogue in the visitor's language.
func (v *visit) say(key string, args ...any) string { return v.lang.Say(key, args...) }

// show writes a page with a form that was sent, or without one.
func (v *visit) show(template, title string, body any, f *form) error {
	p := &page{
		Lang: v.lang, Other: other(v.lang), Title: title, Who: v.who, Now: v.now, Body: body, Form: f,
		template: template, status: http.StatusOK, Links: v.links(), Simulated: v.site.options.Simulated,
		Wide: strings.HasPrefix(v.r.URL.Path, "/requester/tasks/") || strings.HasPrefix(v.r.URL.Path, "/ops"),
	}
	if f == nil {
		p.Form = filled("", url.Values{})
	} else if !f.ok() {
		p.status = http.StatusUnprocessableEntity
	}
	p.OtherURL = v.otherURL(p.Other)
	if key := "done." + v.r.URL.Query().Get("done"); v.lang.Has(key) {
		p.Done = key
	}
	return v.site.render(v.w, p)
}

// otherURL is this page in the other language. What a form sent is not part of
// it: the page of a refused form is the one that holds the form.
func (v *visit) otherURL(l words.Lang) string {
	q := url.Values{}
	target := v.r.URL.Path
	if v.r.Method == http.MethodGet {
		q = v.r.URL.Query()
		q.Del("done")
		if q.Has("next") {
			q.Set("next", localPath(q.Get("next")))
		}
	} else if from, err := url.Parse(v.r.Header.Get("Referer")); err == nil && from.Host == v.r.Host {
		target = localPath(from.Path)
	} else {
		target = "/"
	}
	q.Set("lang", string(l))
	return target + "?" + q.Encode()
}

func other(l words.Lang) words.Lang {
	if l == words.Ja {
		return words.En
	}
	return words.Ja
}

func (v *visit) links() []link {
	list := []link{{URL: "/", Key: "nav.tasks"}}
	switch {
	case !v.who.Known:
		list = append(list, link{URL: "/login", Key: "nav.login"})
	case v.who.Human:
		list = append(list, link{URL: "/me/tasks", Key: "nav.mine", Count: v.who.Offers}, link{URL: "/me/messages", Key: "nav.messages"}, link{URL: "/me", Key: "nav.profile"})
	default:
		list = append(list, link{URL: "/requester", Key: "nav.own"})
	}
	if v.who.Operator {
		list = append(list, link{URL: "/ops", Key: "nav.ops"})
	}
	for i := range list {
		list[i].Here = v.r.URL.Path == list[i].URL
	}
	return list
}

// done sends the visitor on after a form was taken, to a page that says so. A
// reload there sends nothing again.
func (v *visit) done(path, what string) error {
	if what != "" {
		path += "?done=" + url.QueryEscape(what)
	}
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return nil
}

// refused puts why the board refused into the form and shows the page again;
// anything but a refusal goes on as an error.
func (v *visit) refused(err error, f *form, again func(*form) error) error {
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind == fault.Internal || refusal.Kind == fault.NotFound {
		return err
	}
	f.wrong("", v.reason(refusal.Type))
	return again(f)
}

// reason is the catalogue's key for a machine word.
func (v *visit) reason(word string) string {
	if key := "reason." + word; v.lang.Has(key) {
		return key
	}
	return "reason.unknown"
}

// failure is the page for an error.
type failure struct{ Title, Text, Back, BackKey string }

// fail shows what went wrong. A defect shows an id and is logged with it;
// nothing that people typed is.
func (v *visit) fail(err error) {
	f := fault.From(err)
	status, body := http.StatusInternalServerError, failure{Title: "page.failed", Back: "/", BackKey: "page.back"}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		status, body.Title, body.Text = http.StatusRequestEntityTooLarge, "page.large", v.say("page.large.text")
	case f.Kind == fault.NotFound || f.Kind == fault.Denied:
		status, body.Title, body.Text = http.StatusNotFound, "page.notfound", v.say("page.notfound.text")
	case f.Kind == fault.Limited:
		status, body.Text = http.StatusTooManyRequests, v.say("reason.rate_limited")
	case f.Kind == fault.Invalid || f.Kind == fault.Conflict || f.Kind == fault.Expired:
		status, body.Text = http.StatusConflict, v.say(v.reason(f.Type))
		if f.Kind == fault.Invalid {
			status = http.StatusBadRequest
		}
		body.Back, body.BackKey = localPath(v.backTo()), "page.reload"
	case f.Kind == fault.Unavailable:
		status, body.Text = http.StatusServiceUnavailable, v.say("page.unavailable.text")
		v.site.logger.LogAttrs(v.ctx(), slog.LevelError, "a page failed", slog.String("reason", f.Type), slog.String("route", v.r.Pattern), slog.Any("cause", f.Cause))
	default:
		id, _ := f.Data["error_id"].(string)
		body.Text = v.say("page.failed.text", "id", id)
		v.site.logger.LogAttrs(v.ctx(), slog.LevelError, "a page failed", slog.String("error_id", id), slog.String("route", v.r.Pattern), slog.Any("cause", f.Cause))
	}
	if f.RetryAfter > 0 {
		v.w.Header().Set("Retry-After", strconv.FormatInt(int64((f.RetryAfter+time.Second-1)/time.Second), 10))
	}
	v.showFailure(status, body)
}

// backTo is the page that a form was on.
func (v *visit) backTo() string {
	if from, err := url.Parse(v.r.Header.Get("Referer")); err == nil && from.Host == v.r.Host {
		return from.Path
	}
	return "/"
}

func (v *visit) showFailure(status int, body failure) {
	p := &page{
		Lang: v.lang, Other: other(v.lang), Title: v.say(body.Title), Who: v.who, Now: v.now, Body: body, Links: v.links(),
		Form: filled("", url.Values{}), OtherURL: "/?lang=" + string(other(v.lang)), template: "error", status: status,
	}
	if err := v.site.render(v.w, p); err != nil {
		v.site.logger.LogAttrs(v.ctx(), slog.LevelError, "the error page failed", slog.Any("cause", err))
		http.Error(v.w, v.say(body.Title), status)
	}
}

// maxForm bounds the body of a form without files, in bytes.
const maxForm = 256 << 10

// allow gives the body of the request its time.
func (v *visit) allow(limit time.Duration) {
	_ = http.NewResponseController(v.w).SetReadDeadline(time.Now().Add(limit)) // not every server can
}

// form reads a form that was sent.
func (v *visit) form(name string) (*form, error) {
	v.allow(v.site.options.FormTime)
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, large
		}
		return nil, fault.New(fault.Invalid, "invalid_request", "The form cannot be read.", "Send it again.").WithCause(fmt.Errorf("read a form: %w", err))
	}
	_ = http.NewResponseController(v.w).SetReadDeadline(time.Time{}) // the answer may take longer
	return filled(name, v.r.PostForm), nil
}
