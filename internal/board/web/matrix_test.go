package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/push"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The callers of the matrix, in the order of its columns.
var callers = []string{"anonymous", "other requester", "other worker", "owner", "assignee", "operator"}

// matrix says of every page and form what each caller gets: the status of a refusal, the
// page to sign in at (login for people, key for requesters), or ok when the caller is let
// through to what it does. ok is also what the state of things or an empty field refuses:
// whoever gets it could do this at another time. The task is assigned, so that its
// public page is gone for everybody else.
var matrix = map[string]string{
	// anonymous, other requester, other worker, owner, assignee, operator
	"GET /{$}":                               "ok ok ok ok ok ok",
	"GET /tasks/{id}":                        "404 404 404 404 ok ok",
	"GET /tasks/{id}/requester":              "404 404 404 404 ok ok",
	"GET /about":                             "ok ok ok ok ok ok",
	"GET /login":                             "ok ok ok ok ok ok",
	"POST /login":                            "ok ok ok ok ok ok",
	"GET /login/code":                        "login login login login login login",
	"POST /login/code":                       "login login login login login login",
	"GET /login/with/{provider}":             "login login ok login ok ok",
	"GET /login/with/{provider}/callback":    "ok ok ok ok ok ok",
	"POST /logout":                           "ok ok ok ok ok ok",
	devMailRoute:                             "ok ok ok ok ok ok",
	"POST /tasks/{id}/apply":                 "login login 404 login ok ok",
	"POST /tasks/{id}/withdraw":              "login login 404 login ok 404",
	"POST /tasks/{id}/report":                "login login 404 login ok ok",
	"GET /me/cities/{prefecture}":            "login login ok login ok ok",
	"GET /me":                                "login login ok login ok ok",
	"POST /me":                               "login login ok login ok ok",
	"GET /me/agents":                         "login login ok login ok ok",
	"POST /me/agents/{id}/keys/{key}/revoke": "login login 404 login ok 404",
	"POST /me/agents/{id}/keys/{key}/caps":   "login login 404 login ok 404",
	"POST /me/devices":                       "login login ok login ok ok",
	"POST /me/devices/{id}/remove":           "login login 404 login ok 404",
	"GET /me/reviews":                        "login login ok login ok ok",
	"GET /me/leave":                          "login login ok login ok ok",
	"POST /me/leave":                         "login login ok login ok ok",
	"GET /me/tasks":                          "login login ok login ok ok",
	"GET /me/tasks/{id}":                     "login login 404 login ok 404",
	"GET /me/tasks/{id}/terms":               "login login 404 login ok 404",
	"POST /me/tasks/{id}/submit":             "login login 404 login ok 404",
	"POST /me/tasks/{id}/appeal":             "login login 404 login ok 404",
	"POST /me/tasks/{id}/dispute":            "login login 404 login ok 404",
	"POST /me/tasks/{id}/decline":            "login login 404 login ok 404",
	"POST /me/tasks/{id}/messages":           "login login 404 login ok 404",
	"POST /me/tasks/{id}/rate":               "login login 404 login ok 404",
	"GET /me/messages":                       "login login ok login ok ok",
	"GET /me/messages/{id}":                  "login login 404 login ok 404",
	"POST /me/messages/{id}":                 "login login 404 login ok 404",
	"POST /me/messages/{id}/close":           "login login 404 login ok 404",
	"GET /offers/{id}":                       "login login 404 login ok 404",
	"POST /offers/{id}/accept":               "login login 404 login ok 404",
	"POST /offers/{id}/decline":              "login login 404 login ok 404",
	"GET /requester/login":                   "ok ok ok ok ok ok",
	"POST /requester/login":                  "ok ok ok ok ok ok",
	"GET /requester":                         "key ok key ok key key",
	"GET /requester/tasks/{id}":              "key 404 key ok key key",
	"GET /requester/tasks/{id}/applications/{application}": "key 404 key ok key key",
	"GET /requester/tasks/{id}/terms":                      "key 404 key ok key key",
	"POST /requester/tasks/{id}/accept":                    "key 404 key ok key key",
	"POST /requester/tasks/{id}/approve":                   "key 404 key ok key key",
	"POST /requester/tasks/{id}/revise":                    "key 404 key ok key key",
	"POST /requester/tasks/{id}/reject":                    "key 404 key ok key key",
	"POST /requester/tasks/{id}/cancel":                    "key 404 key ok key key",
	"POST /requester/tasks/{id}/refuse":                    "key 404 key ok key key",
	"POST /requester/tasks/{id}/extend":                    "key 404 key ok key key",
	"POST /requester/tasks/{id}/dispute":                   "key 404 key ok key key",
	"POST /requester/tasks/{id}/messages":                  "key 404 key ok key key",
	"POST /requester/tasks/{id}/rate":                      "key 404 key ok key key",
	"GET /ops":                                             "login 404 404 404 404 ok",
	"GET /ops/accounts":                                    "login 404 404 404 404 ok",
	"POST /ops/accounts/{id}/caps":                         "login 404 404 404 404 ok",
	"POST /ops/holds/{id}/release":                         "login 404 404 404 404 ok",
	"POST /ops/holds/{id}/block":                           "login 404 404 404 404 ok",
	"POST /ops/reports/{id}/close":                         "login 404 404 404 404 ok",
	"GET /ops/disputes/{id}":                               "login 404 404 404 404 ok",
	"POST /ops/disputes/{id}/resolve":                      "login 404 404 404 404 ok",
}

// cast is one task with everybody around it.
type cast struct {
	*world
	task, application, offer, thread, agent, key, device, report, held, disputed string
	as                                                                           map[string]*client
}

func newCast(t *testing.T) *cast {
	t.Helper()
	c := &cast{world: newWorld(t)}
	mine, err := c.board.Connect(t.Context(), "Mine", "hana@example.org")
	if err != nil {
		t.Fatal(err)
	}
	c.agent, c.key = mine.Agent.ID, mine.Key.ID
	hana, assignee := c.worker("hana@example.org")
	_, other := c.worker("jiro@example.org")
	boss, operator := c.worker("ops@example.org")
	if err := c.board.SetOperator(t.Context(), boss.ID, true); err != nil {
		t.Fatal(err)
	}
	strange, err := c.board.Connect(t.Context(), "Other", "other@example.org")
	if err != nil {
		t.Fatal(err)
	}
	stranger := newClient(t, c.site)
	stranger.post("/requester/login", url.Values{"account": {strange.Agent.ID}, "key": {strange.Secret}})
	c.as = map[string]*client{
		"anonymous": newClient(t, c.site), "other requester": stranger, "other worker": other,
		"owner": c.requesterClient(), "assignee": assignee, "operator": operator,
	}
	c.things(hana)
	return c
}

// things are what the routes name.
func (c *cast) things(hana data.Person) {
	c.t.Helper()
	ctx, by := c.t.Context(), task.Actor{Kind: task.Human, ID: hana.ID}
	hana.Areas, hana.Instant = []string{"東京都"}, data.Instant{On: true, Cap: 9}
	if _, err := c.board.SavePerson(ctx, hana); err != nil {
		c.t.Fatal(err)
	}
	c.task = c.assigned(hana, nil).ID
	started, err := c.board.StartConversation(ctx, c.by(), data.NewConversation{TaskID: c.task, Body: "よろしくお願いします。"})
	if err != nil {
		c.t.Fatal(err)
	}
	c.thread = started.Conversation.ID
	a, err := c.board.ApplicationBy(ctx, c.task, hana.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	c.application = a.ID
	report, err := c.board.FileReport(ctx, data.Report{By: by, TaskID: c.task, Class: "other", Text: "変です。"})
	if err != nil {
		c.t.Fatal(err)
	}
	c.report = report.ID
	held, err := c.board.CreateTask(ctx, c.by(), data.NewTask{Draft: draft(), Hold: &data.Hold{Class: "otp_relay", Excerpt: "認証コードを転送する"}})
	if err != nil {
		c.t.Fatal(err)
	}
	c.held = held.ID
	c.disputed = c.assigned(hana, func(d *task.Draft) { d.Deliverable = "text" }).ID
	_, err = c.board.Submit(ctx, by, data.Delivery{TaskID: c.disputed, Type: task.Text, Text: "9時から21時までです。"})
	if err == nil {
		_, err = c.board.OpenDispute(ctx, c.by(), data.NewDispute{TaskID: c.disputed, Text: strings.Repeat("長い理由です。", 5)})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	phone := c.pushed.form("x")
	err = c.push.Add(ctx, hana.ID, push.Subscription{Endpoint: phone.Get("endpoint"), P256DH: phone.Get("p256dh"), Auth: phone.Get("auth"), Name: "Pixel of Hana"})
	if err != nil {
		c.t.Fatal(err)
	}
	devices, err := c.push.Devices(ctx, hana.ID)
	if err != nil || len(devices) != 1 {
		c.t.Fatal(devices, err)
	}
	c.device = devices[0].ID
	o, err := c.board.OfferTask(ctx, c.post(nil).ID, time.Hour)
	if err != nil || o.HumanID != hana.ID {
		c.t.Fatal(o, err)
	}
	c.offer = o.ID
}

// address is the path of a route with what it names.
func (c *cast) address(path string) string {
	id := c.task
	for prefix, other := range map[string]string{
		"/offers/": c.offer, "/me/messages/": c.thread, "/me/agents/": c.agent, "/me/devices/": c.device,
		"/ops/accounts/": c.agent, "/ops/holds/": c.held, "/ops/reports/": c.report, "/ops/disputes/": c.disputed,
	} {
		if strings.HasPrefix(path, prefix) {
			id = other
		}
	}
	for name, value := range map[string]string{
		"{$}": "", "{id}": id, "{key}": c.key, "{application}": c.application, "{prefecture}": url.PathEscape("東京都"), "{provider}": "google",
	} {
		path = strings.ReplaceAll(path, name, value)
	}
	return path
}

// gets is what the matrix says of an answer.
func gets(a answer) string {
	to := a.header.Get("Location")
	switch {
	case a.status == http.StatusSeeOther && strings.HasPrefix(to, "/requester/login"):
		return "key"
	case a.status == http.StatusSeeOther && strings.HasPrefix(to, "/login"):
		return "login"
	case a.status >= http.StatusInternalServerError:
		return "broken"
	case a.status == http.StatusNotFound, a.status == http.StatusForbidden:
		return fmt.Sprint(a.status)
	}
	return "ok"
}

// TestMatrix: every page and every form, by everybody.
func TestMatrix(t *testing.T) {
	long := strings.Repeat("長い理由です。", 5)
	form := url.Values{
		"reason": {long}, "text": {long}, "body": {long}, "rating": {"5"}, "code": {"other"}, "percent": {"100"}, "note": {long}, "cover_letter": {"x"}, "availability": {"y"},
		"jpy": {"5000"}, "hours": {"24"}, "handle": {"name"}, "prefecture": {"東京都"},
	}
	known, reading := map[string]bool{}, newCast(t)
	for _, r := range routes {
		known[r.pattern] = true
		want := strings.Fields(matrix[r.pattern])
		if len(want) != len(callers) {
			t.Errorf("%s has no row for %v", r.pattern, callers)
			want = make([]string, len(callers))
		}
		method, path, _ := strings.Cut(r.pattern, " ")
		c := reading
		if method == http.MethodPost { // which may change what the next one finds
			c = newCast(t)
		}
		form.Set("application", c.application)
		for i, who := range callers {
			var a answer
			if method == http.MethodPost {
				a = c.as[who].post(c.address(path), form)
			} else {
				a = c.as[who].get(c.address(path))
			}
			if got := gets(a); got != want[i] {
				t.Errorf("%s by %s: %s (%d %s), want %s", r.pattern, who, got, a.status, a.header.Get("Location"), want[i])
			}
		}
	}
	for pattern := range matrix {
		if !known[pattern] {
			t.Errorf("the matrix has a row for %s, which is no route", pattern)
		}
	}
}

// TestNoAnswerLeadsToAnotherSite: whatever a link says about where it came from or where to
// go afterwards, nobody is sent away from the board, by any page or form.
func TestNoAnswerLeadsToAnotherSite(t *testing.T) {
	t.Parallel()
	const evil = "//evil.example/x"
	form := url.Values{"next": {evil}, "back": {evil}, "lang": {"en"}, "email": {"x@example.org"}, "body": {"hello"}}
	led, reading := 0, newCast(t)
	for _, r := range routes {
		c := reading
		method, path, _ := strings.Cut(r.pattern, " ")
		if method == http.MethodPost {
			c = newCast(t)
		}
		for _, who := range callers {
			for _, referer := range []string{"https://evil.example/a", c.site + evil, c.site + "/\\evil.example", c.site + "/login?next=" + evil} {
				req := c.as[who].request(method, c.address(path)+"?next="+evil+"&back="+evil+"&lang=en", "")
				if method == http.MethodPost {
					req = c.as[who].request(method, c.address(path)+"?next="+evil, form.Encode())
					req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
					req.Header.Set("Origin", c.site)
				}
				req.Header.Set("Referer", referer)
				a := c.as[who].do(req)
				to := a.header.Get("Location")
				if to != "" {
					led++
				}
				if u, err := url.Parse(to); err != nil || u.Host != "" || u.Scheme != "" || to != "" && !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) {
					t.Errorf("%s by %s from %s leads to %q", r.pattern, who, referer, to)
				}
				for _, link := range []string{`="//evil`, `="/\evil`, `="https://evil`, `=//evil`, `url=`} {
					if strings.Contains(a.body, link) {
						t.Errorf("%s by %s from %s has %s in its page", r.pattern, who, referer, link)
					}
				}
			}
		}
	}
	c := newClient(t, reading.site)
	for _, path := range []string{evil, evil + "/..", "/\\evil.example", "/%5cevil.example", "/.//evil.example", "/;//evil.example"} {
		req := c.request("GET", "/", "")
		req.URL.Opaque = strings.TrimPrefix(c.site, "http:") + path // as it is
		if to := c.do(req).header.Get("Location"); strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) || strings.Contains(to, ":") {
			t.Errorf("the path %s leads to %q", path, to)
		}
	}
	if led < 100 {
		t.Errorf("only %d answers led anywhere", led)
	}
}
