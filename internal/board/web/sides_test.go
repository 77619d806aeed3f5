package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
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
