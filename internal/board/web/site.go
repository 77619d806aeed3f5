package web

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Site is the pages. It is an http.Handler for every path that is a page of the
// board; the assembly gives it what is not under /api or /files.
type Site struct {
	options Options
	board   *data.Board
	media   *media.Store
	pages   pages
	mux     *http.ServeMux
	handler http.Handler
	logger  *slog.Logger
	now     func() time.Time
}

// access is whom a route is for.
type access int

const (
	anyone access = iota
	workers
	requesters
	operators
)

// route is one page or one form.
type route struct {
	pattern string
	access  access
	handle  func(*visit) error
}

// routes are all of them.
var routes = []route{
	{"GET /{$}", anyone, (*visit).tasks},
	{"GET /tasks/{id}", anyone, (*visit).task},
	{"GET /tasks/{id}/requester", anyone, (*visit).requesterReviews},
	{"GET /about", anyone, (*visit).about},
	{"GET /login", anyone, (*visit).login},
	{"POST /login", anyone, (*visit).sendCode},
	{"GET /login/code", anyone, (*visit).code},
	{"POST /login/code", anyone, (*visit).enterCode},
	{"GET /login/with/{provider}", anyone, (*visit).startElsewhere},
	{"GET /login/with/{provider}/callback", anyone, (*visit).finishElsewhere},
	{"POST /logout", anyone, (*visit).logout},
	{devMailRoute, anyone, (*visit).devMail},
	{"POST /tasks/{id}/apply", workers, (*visit).apply},
	{"POST /tasks/{id}/withdraw", workers, (*visit).withdraw},
	{"POST /tasks/{id}/report", workers, (*visit).report},
	{"GET /me/cities/{prefecture}", workers, (*visit).cities},
	{"GET /me", workers, (*visit).profile},
	{"POST /me", workers, (*visit).saveProfile},
	{"GET /me/agents", workers, (*visit).agents},
	{"POST /me/agents/{id}/keys/{key}/revoke", workers, (*visit).revokeAgentKey},
	{"POST /me/agents/{id}/keys/{key}/caps", workers, (*visit).setKeyCaps},
	{"POST /me/devices", workers, (*visit).addDevice},
	{"POST /me/devices/{id}/remove", workers, (*visit).removeDevice},
	{"GET /me/reviews", workers, (*visit).myReviews},
	{"GET /me/leave", workers, (*visit).leave},
	{"POST /me/leave", workers, (*visit).leaveNow},
	{"GET /me/tasks", workers, (*visit).mine},
	{"GET /me/tasks/{id}", workers, (*visit).work},
	{"GET /me/tasks/{id}/terms", workers, (*visit).workTerms},
	{"POST /me/tasks/{id}/submit", workers, (*visit).submit},
	{"POST /me/tasks/{id}/appeal", workers, (*visit).appeal},
	{"POST /me/tasks/{id}/dispute", workers, (*visit).dispute},
	{"POST /me/tasks/{id}/decline", workers, (*visit).decline},
	{"POST /me/tasks/{id}/messages", workers, (*visit).writeMessage},
	{"POST /me/tasks/{id}/rate", workers, (*visit).rate},
	{"GET /me/messages", workers, (*visit).threads},
	{"GET /me/messages/{id}", workers, (*visit).thread},
	{"POST /me/messages/{id}", workers, (*visit).reply},
	{"POST /me/messages/{id}/close", workers, (*visit).closeThread},
	{"GET /offers/{id}", workers, (*visit).offer},
	{"POST /offers/{id}/accept", workers, (*visit).acceptOffer},
	{"POST /offers/{id}/decline", workers, (*visit).declineOffer},
	{"GET /requester/login", anyone, (*visit).requesterLogin},
	{"POST /requester/login", anyone, (*visit).enterKey},
	{"GET /requester", requesters, (*visit).requests},
	{"GET /requester/tasks/{id}", requesters, (*visit).request},
	{"GET /requester/tasks/{id}/applications/{application}", requesters, (*visit).applicantReviews},
	{"GET /requester/tasks/{id}/terms", requesters, (*visit).requestTerms},
	{"POST /requester/tasks/{id}/accept", requesters, (*visit).choose},
	{"POST /requester/tasks/{id}/approve", requesters, (*visit).approve},
	{"POST /requester/tasks/{id}/revise", requesters, (*visit).revise},
	{"POST /requester/tasks/{id}/reject", requesters, (*visit).reject},
	{"POST /requester/tasks/{id}/cancel", requesters, (*visit).cancel},
	{"POST /requester/tasks/{id}/refuse", requesters, (*visit).refuseApplicant},
	{"POST /requester/tasks/{id}/extend", requesters, (*visit).extend},
	{"POST /requester/tasks/{id}/dispute", requesters, (*visit).dispute},
	{"POST /requester/tasks/{id}/messages", requesters, (*visit).writeMessage},
	{"POST /requester/tasks/{id}/rate", requesters, (*visit).rate},
	{"GET /ops", operators, (*visit).ops},
	{"GET /ops/accounts", operators, (*visit).accounts},
	{"POST /ops/accounts/{id}/caps", operators, (*visit).setCaps},
	{"POST /ops/holds/{id}/release", operators, (*visit).releaseHold},
	{"POST /ops/holds/{id}/block", operators, (*visit).blockHold},
	{"POST /ops/reports/{id}/close", operators, (*visit).closeReport},
	{"GET /ops/disputes/{id}", operators, (*visit).opsDispute},
	{"POST /ops/disputes/{id}/resolve", operators, (*visit).resolve},
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// build makes the handler: every form is refused when another site sent it
// (http.CrossOriginProtection), and every answer has the headers of secured.
func (s *Site) build() {
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("GET /assets/{name}", serveAsset)
	s.mux.HandleFunc("GET /worker.js", serveWorker)
	s.mux.HandleFunc("GET /manifest.webmanifest", serveManifest)
	s.mux.Handle(FilesPath, http.StripPrefix(strings.TrimSuffix(FilesPath, "/"), s.media.Files(s.viewerOf)))
	s.mux.Handle(uploadsPath, http.StripPrefix(strings.TrimSuffix(uploadsPath, "/"), s.media.Uploads(s.uploaderOf)))
	for _, rt := range routes {
		s.mux.HandleFunc(rt.pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(rt, w, r) })
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		v := s.visit(w, r)
		v.fail(noPage())
	})
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := s.visit(w, r)
		v.showFailure(http.StatusForbidden, failure{Title: "page.denied", Text: v.say("page.denied.text"), Back: "/", BackKey: "page.back"})
	}))
	s.handler = secured(guard.Handler(s.mux))
}

// visit finds out the language of a request; who it is comes later.
func (s *Site) visit(w http.ResponseWriter, r *http.Request) *visit {
	if s.options.ClientAddress != nil {
		r = r.WithContext(data.WithSource(r.Context(), s.options.ClientAddress(r)))
	}
	v := &visit{site: s, w: w, r: r, now: s.now()}
	if l, ok := words.Parse(r.URL.Query().Get("lang")); ok {
		v.lang = l
		http.SetCookie(w, &http.Cookie{Name: s.cookie("lang"), Value: string(l), Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, Secure: s.options.Secure, SameSite: http.SameSiteLaxMode})
		return v
	}
	if c, err := r.Cookie(s.cookie("lang")); err == nil {
		if l, ok := words.Parse(c.Value); ok {
			v.lang = l
			return v
		}
	}
	v.lang = words.Match(r.Header.Get("Accept-Language"))
	return v
}

// cookie is the name of a cookie. Over TLS its prefix keeps other hosts of the
// domain from setting it (RFC 6265bis, section 4.1.3.2).
func (s *Site) cookie(name string) string {
	if s.options.Secure {
		return "__Host-board-" + name
	}
	return "board-" + name
}

func (s *Site) serve(rt route, w http.ResponseWriter, r *http.Request) {
	v := s.visit(w, r)
	err := v.recognise()
	if err == nil {
		err = v.countVisit()
	}
	if err == nil {
		err = v.enter(rt)
	}
	if err != nil {
		v.fail(err)
	}
}

// enter runs a route for whom it is; others are sent to sign in, or told that
// there is no such page.
func (v *visit) enter(rt route) error {
	allowed, signIn := true, "/login?next="
	switch rt.access {
	case workers:
		allowed = v.who.Known && v.who.Human
	case requesters:
		allowed, signIn = v.who.Known && !v.who.Human, "/requester/login?next="
	case operators:
		allowed = v.who.Operator
	}
	if allowed {
		return rt.handle(v)
	}
	if rt.access == operators && v.who.Known {
		return noPage()
	}
	next := v.r.URL.RequestURI()
	if v.r.Method != http.MethodGet {
		next = localPath(v.backTo())
	}
	return v.done(signIn+queryEscape(next), "")
}

// noPage is the error of a page that is not there, or not for the visitor.
func noPage() error { return fault.New(fault.NotFound, "", "There is no such page.", "") }
