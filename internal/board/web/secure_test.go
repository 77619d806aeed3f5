package web

import (
	"bufio"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

// After a sign-in nobody is sent to another site.
func TestLocalPath(t *testing.T) {
	for next, want := range map[string]string{
		"/me": "/me", "/tasks/1?x=1": "/tasks/1?x=1", "": "/", "me": "/", "//evil.example": "/", "/\\evil.example": "/", "\\/evil.example": "/",
		"https://evil.example": "/", "javascript:alert(1)": "/", "/\tevil": "/", "/\n/evil.example": "/", "///evil.example": "/", "/%2f/evil": "/",
		"/a\\b": "/", "/%5cevil.example": "/", "http:evil": "/", "/me#x": "/me", "/" + strings.Repeat("a", 400): "/", "/%zz": "/",
	} {
		if got := localPath(next); got != want {
			t.Errorf("localPath(%q) = %q, want %q", next, got, want)
		}
	}
}

func TestSignInLeadsNowhereElse(t *testing.T) {
	w := newWorld(t)
	for i, next := range []string{"//evil.example/x", "https://evil.example", "/\\evil.example"} {
		c := newClient(t, w.site)
		email := "next" + string(rune('a'+i)) + "@example.org"
		res := c.post("/login", url.Values{"email": {email}, "next": {next}})
		if res.header.Get("Location") != "/login/code" {
			t.Errorf("next %q: after the address %d %q", next, res.status, res.header.Get("Location"))
		}
		res = c.post("/login/code", url.Values{"code": {w.mailbox.code(t, email)}, "next": {next}})
		if res.header.Get("Location") != "/me" {
			t.Errorf("next %q: after the code %d %q", next, res.status, res.header.Get("Location"))
		}
		if strings.Contains(c.get("/login?next="+url.QueryEscape(next)).body, "evil.example") {
			t.Errorf("the page repeats %q", next)
		}
	}
}

// Every form of every page is refused when another site sends it.
func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	made := w.assigned(worker, nil)
	for _, r := range routes {
		method, path, _ := strings.Cut(r.pattern, " ")
		if method != http.MethodPost {
			continue
		}
		for _, header := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}} {
			req := c.request("POST", strings.Replace(path, "{id}", made.ID, 1), "reason=x&text=x&body=x")
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for name, value := range header {
				req.Header.Set(name, value)
			}
			if res := c.do(req); res.status != http.StatusForbidden || !strings.Contains(res.body, "別のサイト") {
				t.Errorf("%s with %v: %d", r.pattern, header, res.status)
			}
		}
	}
	after, err := w.board.Task(t.Context(), made.ID)
	if err != nil || after.Version != made.Version {
		t.Errorf("the task changed: version %d, then %d, %v", made.Version, after.Version, err)
	}
}

// Every answer, also an error, keeps the browser from loading or running
// anything else.
func TestHeadersOfEveryAnswer(t *testing.T) {
	w := newWorld(t)
	c := newClient(t, w.site)
	for _, path := range []string{"/", "/login", "/no/such/page", "/tasks/nothing", "/assets/board.css", "/assets/none.css", "/me", "/dev/mail"} {
		res := c.get(path)
		policy := res.header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy lacks %s: %q", path, want, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || res.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, res.header)
		}
	}
}

// No page has a script or a style within itself, nor an address of another host.
func TestPagesNeedNothingFromElsewhere(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	made := w.assigned(worker, nil)
	for _, path := range []string{"/", "/tasks/" + made.ID, "/me", "/me/tasks", "/me/tasks/" + made.ID, "/me/tasks/" + made.ID + "/terms", "/about", "/login"} {
		res := c.get(path)
		if res.status != http.StatusOK {
			t.Errorf("%s: %d", path, res.status)
		}
		for _, bad := range []string{"<style", "style=\"", "onclick", "<script>", "http://", "https://", "<!-- "} {
			if strings.Contains(res.body, bad) {
				t.Errorf("%s has %s", path, bad)
			}
		}
	}
}

// Pages of one person are nobody else's, and unknown things look like foreign ones.
func TestWhoMaySeeWhat(t *testing.T) {
	w := newWorld(t)
	worker, own := w.worker("hana@example.org")
	_, foreign := w.worker("jiro@example.org")
	made := w.assigned(worker, nil)
	requester, nobody := w.requesterClient(), newClient(t, w.site)
	strange, err := w.board.Connect(t.Context(), "Other", "other@example.org")
	if err != nil {
		t.Fatal(err)
	}
	stranger := newClient(t, w.site)
	stranger.post("/requester/login", url.Values{"account": {strange.Agent.ID}, "key": {strange.Secret}})
	const seen, gone, away = 200, 404, 303
	for _, c := range []struct {
		path                                      string
		own, foreign, requester, stranger, nobody status
	}{
		{"/tasks/" + made.ID, seen, gone, gone, gone, gone},
		{"/me/tasks/" + made.ID, seen, gone, away, away, away},
		{"/me/tasks/" + made.ID + "/terms", seen, gone, away, away, away},
		{"/requester/tasks/" + made.ID, away, away, seen, gone, away},
		{"/requester/tasks/" + made.ID + "/terms", away, away, seen, gone, away},
		{"/requester", away, away, seen, seen, away},
		{"/me", seen, seen, away, away, away},
		{"/me/reviews", seen, seen, away, away, away},
		{"/me/agents", seen, seen, away, away, away},
		{"/me/leave", seen, seen, away, away, away},
		{"/tasks/" + made.ID + "/requester", seen, gone, gone, gone, gone},
		{"/requester/tasks/" + made.ID + "/applications/nothing", away, away, gone, gone, away},
		{"/ops/accounts", gone, gone, gone, gone, away},
		{"/ops", gone, gone, gone, gone, away},
		{"/ops/disputes/" + made.ID, gone, gone, gone, gone, away},
		{"/offers/" + made.ID, gone, gone, away, away, away},
		{"/tasks/nothing", gone, gone, gone, gone, gone},
		{"/me/tasks/nothing", gone, gone, away, away, away},
	} {
		for name, got := range map[string][2]status{
			"the worker": {status(own.get(c.path).status), c.own}, "another worker": {status(foreign.get(c.path).status), c.foreign},
			"the requester": {status(requester.get(c.path).status), c.requester}, "another requester": {status(stranger.get(c.path).status), c.stranger},
			"nobody": {status(nobody.get(c.path).status), c.nobody},
		} {
			if got[0] != got[1] {
				t.Errorf("%s for %s: %d, want %d", c.path, name, got[0], got[1])
			}
		}
	}
}

type status int

// Who sends a form for a task of somebody else changes nothing.
func TestFormsForForeignTasksChangeNothing(t *testing.T) {
	w := newWorld(t)
	worker, _ := w.worker("hana@example.org")
	_, foreign := w.worker("jiro@example.org")
	made := w.assigned(worker, nil)
	strange, err := w.board.Connect(t.Context(), "Other", "other@example.org")
	if err != nil {
		t.Fatal(err)
	}
	stranger := newClient(t, w.site)
	stranger.post("/requester/login", url.Values{"account": {strange.Agent.ID}, "key": {strange.Secret}})
	long := strings.Repeat("長い理由です。", 5)
	form := url.Values{"reason": {long}, "text": {long}, "body": {long}, "rating": {"5"}, "code": {"other"}, "application": {"x"}, "percent": {"100"}, "note": {long}}
	for _, r := range routes {
		method, path, _ := strings.Cut(r.pattern, " ")
		if method != http.MethodPost || !strings.Contains(path, "{id}") || r.access == anyone || strings.HasSuffix(path, "/report") {
			continue
		}
		for _, c := range []*client{foreign, stranger, newClient(t, w.site)} {
			res := c.post(strings.Replace(path, "{id}", made.ID, 1), form)
			if res.status < 400 && !strings.Contains(res.header.Get("Location"), "login") {
				t.Errorf("%s: %d to %q", r.pattern, res.status, res.header.Get("Location"))
			}
		}
	}
	after, err := w.board.Task(t.Context(), made.ID)
	if err != nil || after.Version != made.Version {
		t.Errorf("the task changed: version %d, then %d, %v", made.Version, after.Version, err)
	}
}

// A sign-in of a requester ends with its key, cannot be made up, and is over
// after its time.
func TestRequesterSignIn(t *testing.T) {
	w := newWorld(t)
	for name, form := range map[string]url.Values{
		"wrong key": {"account": {w.agent.ID}, "key": {w.secret + "x"}}, "another account": {"account": {"x"}, "key": {w.secret}}, "nothing": {},
	} {
		c := newClient(t, w.site)
		if res := c.post("/requester/login", form); res.status != http.StatusUnprocessableEntity || strings.Contains(res.body, w.secret) {
			t.Errorf("%s: %d, or the page repeats the key", name, res.status)
		}
	}
	c := w.requesterClient()
	u, _ := url.Parse(w.site)
	var token string
	for _, cookie := range c.http.Jar.Cookies(u) {
		if cookie.Name == "board-session" {
			token, _ = url.QueryUnescape(cookie.Value)
		}
	}
	if strings.Contains(token, w.secret) || !strings.HasPrefix(token, requesterPrefix) {
		t.Fatalf("the sign-in is %q", token)
	}
	forged := newClient(t, w.site)
	for _, bad := range []string{token + "x", token[:len(token)-4], requesterPrefix, requesterPrefix + "a.b", strings.Replace(token, ".", ".A", 1)} {
		forged.setCookie("board-session", bad)
		if res := forged.get("/requester"); res.status != http.StatusSeeOther {
			t.Errorf("with %q: %d", bad, res.status)
		}
	}
	w.later(requesterHours + time.Minute)
	if res := c.get("/requester"); res.status != http.StatusSeeOther {
		t.Errorf("after its time: %d", res.status)
	}
	w.later(-requesterHours - time.Minute)
	c = w.requesterClient()
	if err := w.board.RevokeKey(t.Context(), w.by(), w.key.ID); err != nil {
		t.Fatal(err)
	}
	if res := c.get("/requester"); res.status != http.StatusSeeOther {
		t.Errorf("after its key was revoked: %d", res.status)
	}
}

// What people write is text, whatever it looks like.
func TestStoredTextNeverBecomesMarkup(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	worker.Handle, worker.Bio = `<b>h"'`, hostile
	if _, err := w.board.SavePerson(t.Context(), worker); err != nil {
		t.Fatal(err)
	}
	made := w.assigned(worker, func(d *task.Draft) {
		d.Title, d.Text, d.AcceptanceCriteria, d.NotAllowed = hostile[:110], hostile, hostile, hostile
		d.Place.Text, d.Place.Exact = `<i>x"'`, `<i>x"'` // a city is one of a list
	})
	if res := c.post("/me/tasks/"+made.ID+"/messages", url.Values{"body": {hostile}}); res.status != http.StatusSeeOther {
		t.Fatalf("writing a message: %d", res.status)
	}
	requester := w.requesterClient()
	for _, page := range []answer{
		c.get("/tasks/" + made.ID), c.get("/me"), c.get("/me/tasks"), c.get("/me/tasks/" + made.ID), c.get("/me/tasks/" + made.ID + "/terms"),
		requester.get("/requester"), requester.get("/requester/tasks/" + made.ID), c.get("/?q=" + url.QueryEscape(hostile)), c.get("/?prefecture=%22%3E%3Cb%3E&label=%22onx"),
		c.get("/?done=" + url.QueryEscape(hostile)), c.get("/?lang=" + url.QueryEscape(hostile)), c.get("/" + url.PathEscape(hostile)),
	} {
		for _, bad := range []string{"<img", "<b>", "<i>", "<script>", `onfocus="`, `href="javascript`} {
			if strings.Contains(page.body, bad) {
				t.Errorf("a page has %s (%d)", bad, page.status)
			}
		}
	}
}

// A delivery that another person's files are named in, or that is not a form at
// all, is refused.
func TestBrokenDeliveries(t *testing.T) {
	w := newWorld(t)
	worker, c := w.worker("hana@example.org")
	made := w.assigned(worker, nil)
	for name, send := range map[string]struct{ contentType, body string }{
		"no form": {"text/plain", "x"}, "a plain form": {"application/x-www-form-urlencoded", "text=x"}, "no boundary": {"multipart/form-data", "x"},
		"cut off": {"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nhal"},
	} {
		req := c.request("POST", "/me/tasks/"+made.ID+"/submit", send.body)
		req.Header.Set("Content-Type", send.contentType)
		if res := c.do(req); res.status != http.StatusBadRequest {
			t.Errorf("%s: %d", name, res.status)
		}
	}
	if list, err := w.board.Submissions(t.Context(), made.ID); err != nil || len(list) > 0 {
		t.Errorf("something was delivered: %v, %v", list, err)
	}
}

// The operator's pages need an operator.
func TestOperatorPages(t *testing.T) {
	w := newWorld(t)
	operator, c := w.worker("ops@example.org")
	if err := w.board.SetOperator(t.Context(), operator.ID, true); err != nil {
		t.Fatal(err)
	}
	held, err := w.board.CreateTask(t.Context(), w.by(), data.NewTask{Draft: draft(), Hold: &data.Hold{Class: "otp_relay", Excerpt: "コードを転送"}})
	if err != nil {
		t.Fatal(err)
	}
	if res := newClient(t, w.site).get("/tasks/" + held.ID); res.status != http.StatusNotFound {
		t.Errorf("everybody sees a held task: %d", res.status)
	}
	if res := c.get("/ops"); res.status != http.StatusOK || !strings.Contains(res.body, "コードを転送") || !strings.Contains(res.body, held.Title) {
		t.Errorf("the operator does not see what is held: %d", res.status)
	}
	if res := c.post("/ops/holds/"+held.ID+"/release", nil); res.status != http.StatusSeeOther {
		t.Errorf("releasing: %d", res.status)
	}
	if res := newClient(t, w.site).get("/tasks/" + held.ID); res.status != http.StatusOK {
		t.Errorf("nobody sees a released task: %d", res.status)
	}
	if res := c.post("/tasks/"+held.ID+"/report", url.Values{"reason": {"illegal"}, "text": {"危険です"}}); res.status != http.StatusSeeOther {
		t.Errorf("reporting: %d", res.status)
	}
	page := c.get("/ops").body
	at := strings.Index(page, "/ops/reports/")
	if at < 0 || !strings.Contains(page, "危険です") {
		t.Fatal("the report is not there")
	}
	id, _, _ := strings.Cut(page[at+len("/ops/reports/"):], "/")
	if res := c.post("/ops/reports/"+id+"/close", nil); res.status != http.StatusSeeOther {
		t.Errorf("closing: %d", res.status)
	}
	if strings.Contains(c.get("/ops").body, "危険です") {
		t.Error("a closed report is still there")
	}
	if res := c.post("/ops/holds/"+held.ID+"/block", nil); res.status != http.StatusSeeOther {
		t.Errorf("taking down: %d", res.status)
	}
	if after, err := w.board.Task(t.Context(), held.ID); err != nil || after.FailureReason != task.ContentPolicyViolation {
		t.Errorf("after taking it down: %v, %v", after.FailureReason, err)
	}
}

// From one address nobody guesses codes or keys without end, nor has mails sent.
func TestSignInsAreCounted(t *testing.T) {
	w := newWorld(t)
	pages, err := New(Options{
		Board: w.board, Media: w.media, Secret: []byte(strings.Repeat("s", 32)), Clock: w.now,
		Limits: ratelimit.NewMemory(100, w.now), ClientAddress: func(r *http.Request) string { return r.Header.Get("X-Test-Address") },
	})
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, serve(t, pages))
	try := func(address, path string, form url.Values) answer {
		req := c.request("POST", path, form.Encode())
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("X-Test-Address", address)
		return c.do(req)
	}
	for _, what := range []struct {
		path  string
		form  url.Values
		burst int
	}{
		{"/login", url.Values{"email": {"a@example.org"}}, mailLimit.Burst},
		{"/requester/login", url.Values{"account": {"x"}, "key": {"y"}}, guessLimit.Burst},
	} {
		for range what.burst {
			try("192.0.2.1", what.path, what.form)
		}
		try("192.0.2.1", what.path, what.form).says(t, http.StatusUnprocessableEntity, "回数が多すぎます")
		if res := try("192.0.2.2", what.path, what.form); strings.Contains(res.body, "回数が多すぎます") {
			t.Errorf("%s: another address is refused too", what.path)
		}
	}
}

// Who sends a form byte by byte does not hold a connection.
func TestASlowFormIsNotWaitedFor(t *testing.T) {
	w := newWorld(t)
	pages, err := New(Options{Board: w.board, Media: w.media, Secret: []byte(strings.Repeat("s", 32)), Clock: w.now, FormTime: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(serve(t, pages), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("POST /login HTTP/1.1\r\nHost: board\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ne")); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusBadRequest {
		t.Errorf("the answer to a form that does not come: %s", res.Status)
	}
}
