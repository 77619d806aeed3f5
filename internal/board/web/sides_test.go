package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
)

// TestDeliveriesStayWithTheirPerson: who takes over a task does not see what the one
// before delivered; the requester does.
func TestDeliveriesStayWithTheirPerson(t *testing.T) {
	w := newWorld(t)
	first, firstPages := w.worker("first@example.org")
	next, nextPages := w.worker("next@example.org")
	at := w.assigned(first, func(d *task.Draft) { d.Deliverable = "text" })
	human := func(p data.Person) task.Actor { return task.Actor{Kind: task.Human, ID: p.ID} }
	const said = "看板には九時開店とあります"
	if _, err := w.board.Submit(t.Context(), human(first), data.Delivery{TaskID: at.ID, Type: task.Text, Text: said}); err != nil {
		t.Fatal(err)
	}
	if res := firstPages.get("/me/tasks/" + at.ID); !strings.Contains(res.body, said) {
		t.Errorf("their own page: %d", res.status)
	}
	if _, err := w.board.RequestRevision(t.Context(), w.by(), data.Revision{TaskID: at.ID, Text: "閉店時間も書いてください。看板の右下にあります。"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.board.Decline(t.Context(), human(first), at.ID, "体調不良"); err != nil {
		t.Fatal(err)
	}
	a, err := w.board.Apply(t.Context(), human(next), data.NewApplication{TaskID: at.ID, CoverLetter: "近くです", Availability: "今日"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.board.AcceptApplication(t.Context(), w.by(), data.Acceptance{TaskID: at.ID, ApplicationID: a.ID}); err != nil {
		t.Fatal(err)
	}
	if res := nextPages.get("/me/tasks/" + at.ID); res.status != 200 || strings.Contains(res.body, said) {
		t.Errorf("the page of the next person shows the delivery of the first: %d", res.status)
	}
	if res := w.requesterClient().get("/requester/tasks/" + at.ID); !strings.Contains(res.body, said) {
		t.Errorf("the requester's page lacks the delivery: %d", res.status)
	}
}

// TestTheCapOfAKeyHoldsOnPages: who signs in with a key that has a cap cannot promise
// more on the pages than through the API.
func TestTheCapOfAKeyHoldsOnPages(t *testing.T) {
	w := newWorld(t)
	_, secret, err := w.board.NewKey(t.Context(), data.Key{AgentID: w.agent.ID, Name: "small", Caps: data.Caps{"JPY": 3000}})
	if err != nil {
		t.Fatal(err)
	}
	w.secret = secret
	pages, at := w.requesterClient(), w.post(nil)
	p, _ := w.worker("worker@example.org")
	for _, c := range []struct {
		price int64
		want  int
	}{{5000, 422}, {4000, 303}} {
		if c.want == 303 {
			at = w.post(nil)
		}
		a, err := w.board.Apply(t.Context(), task.Actor{Kind: task.Human, ID: p.ID}, data.NewApplication{TaskID: at.ID, CoverLetter: "近くです", Availability: "今日", Counter: &c.price})
		if err != nil {
			t.Fatal(err)
		}
		if res := pages.post("/requester/tasks/"+at.ID+"/accept", url.Values{"application": {a.ID}}); res.status != c.want {
			t.Errorf("a price of %d instead of 1500 with a cap of 3000: %d, want %d", c.price, res.status, c.want)
		}
	}
}

// TestLongThreadsShowTheirEnd: what was written last is on the page.
func TestLongThreadsShowTheirEnd(t *testing.T) {
	w := newWorld(t)
	worker, pages := w.worker("hana@example.org")
	at := w.assigned(worker, nil)
	c, err := w.board.ConversationOf(t.Context(), at.ID)
	if err != nil {
		t.Fatal(err)
	}
	for n := range shownMessages + 5 {
		if _, err := w.board.SendMessage(t.Context(), w.by(), data.NewMessage{ConversationID: c.ID, Body: fmt.Sprintf("message %d.", n)}); err != nil {
			t.Fatal(err)
		}
	}
	last, first := fmt.Sprintf("message %d.", shownMessages+4), "message 0."
	for _, path := range []string{"/me/tasks/" + at.ID, "/me/messages/" + c.ID} {
		if res := pages.get(path); !strings.Contains(res.body, last) || strings.Contains(res.body, first) {
			t.Errorf("%s shows the last message: %t, the first: %t", path, strings.Contains(res.body, last), strings.Contains(res.body, first))
		}
	}
}

// TestVisitsAreCounted: who is signed in has so many pages, and not twice as many with
// the API; others have theirs.
func TestVisitsAreCounted(t *testing.T) {
	w := newWorld(t)
	source := ratelimit.NewMemory(100, w.now)
	few := ratelimit.Limit{Calls: 3, Per: time.Hour}
	pages, err := New(Options{
		Board: w.board, Media: w.media, Secret: []byte(strings.Repeat("s", 32)), Clock: w.now, Limits: source, Visitor: few,
		ClientAddress: func(*http.Request) string { return "192.0.2.1" },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.site = serve(t, pages)
	hana, first := w.worker("hana@example.org")
	_, second := w.worker("jiro@example.org")
	if _, err := source.Take(t.Context(), "board|human|"+hana.ID, few, 1); err != nil { // as the API counts
		t.Fatal(err)
	}
	for range 2 {
		first.get("/me").says(t, http.StatusOK)
	}
	first.get("/me").says(t, http.StatusTooManyRequests)
	second.get("/me").says(t, http.StatusOK)
	for range 3 { // nobody's pages count by address
		newClient(t, w.site).get("/").says(t, http.StatusOK)
	}
	newClient(t, w.site).get("/?q=x").says(t, http.StatusTooManyRequests)
	second.get("/me").says(t, http.StatusOK)
}

// TestReasonsMayBeAsLongAsThePagesSay: what somebody wrote to defend themselves is taken.
func TestReasonsMayBeAsLongAsThePagesSay(t *testing.T) {
	w := newWorld(t)
	worker, pages := w.worker("hana@example.org")
	at := w.assigned(worker, func(d *task.Draft) { d.Deliverable = "text" })
	if _, err := w.board.Submit(t.Context(), task.Actor{Kind: task.Human, ID: worker.ID}, data.Delivery{TaskID: at.ID, Type: task.Text, Text: "九時開店です"}); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("看", 4000)
	w.requesterClient().post("/requester/tasks/"+at.ID+"/reject", url.Values{"code": {"criteria_not_met"}, "text": {long}}).says(t, http.StatusSeeOther)
	pages.post("/me/tasks/"+at.ID+"/appeal", url.Values{"reason": {long + "看"}}).says(t, http.StatusUnprocessableEntity)
	pages.post("/me/tasks/"+at.ID+"/appeal", url.Values{"reason": {long}}).says(t, http.StatusSeeOther)
	pages.post("/tasks/"+w.post(nil).ID+"/report", url.Values{"reason": {"other"}, "text": {strings.Repeat("看", 2000)}}).says(t, http.StatusSeeOther)
}
