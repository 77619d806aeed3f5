package web

import (
	"net/url"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// mineBody is what a worker has to do with.
type mineBody struct {
	Offers []offerView
	Groups []groupView
}

// groupView is the tasks of one kind.
type groupView struct {
	Key   string
	Tasks []taskView
}

// offerView is one offer in a list.
type offerView struct {
	ID, Title string
	Quote     quoteView
	Due       dueView
}

func (v *visit) mine() error {
	var body mineBody
	offers, err := v.site.board.OffersTo(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	for _, o := range offers {
		t, err := v.site.board.Task(v.ctx(), o.TaskID)
		if err != nil {
			return err
		}
		row := view(t, v.now)
		body.Offers = append(body.Offers, offerView{ID: o.ID, Title: row.Title, Quote: row.Quote, Due: dueView{At: o.ExpiresAt, Now: v.now}})
	}
	applied, err := v.appliedTasks()
	if err != nil {
		return err
	}
	assigned, err := v.assignedTasks()
	if err != nil {
		return err
	}
	body.Groups = append([]groupView{{Key: "applied", Tasks: applied}}, assigned...)
	return v.show("mytasks", v.say("mine.title"), body, nil)
}

// appliedTasks are those whose requester has not chosen yet, and those of the
// last applications that somebody else was chosen for.
func (v *visit) appliedTasks() ([]taskView, error) {
	applications, _, err := v.site.board.ApplicationsOf(v.ctx(), v.who.ID, data.Page{Limit: 50})
	if err != nil {
		return nil, err
	}
	var list []taskView
	for _, a := range applications {
		if a.Status == data.ApplicationAccepted || a.Status == data.ApplicationWithdrawn {
			continue
		}
		t, err := v.site.board.Task(v.ctx(), a.TaskID)
		if err != nil {
			return nil, err
		}
		row := view(t, v.now)
		row.Status, row.URL = applicationKey(a.Status), "/tasks/"+url.PathEscape(t.ID)
		if a.Status == data.ApplicationDeclined || t.Status.Terminal() {
			row.Status, row.Due.At = "not_chosen", time.Time{}
		}
		list = append(list, row)
	}
	return list, nil
}

// assignedTasks are the tasks that are the worker's, by how far they are.
func (v *visit) assignedTasks() ([]groupView, error) {
	groups := []groupView{{Key: "working"}, {Key: "delivered"}, {Key: "finished"}}
	list, _, err := v.site.board.Tasks(v.ctx(), data.TaskFilter{HumanID: v.who.ID, Page: data.Page{Limit: 100}})
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		row := view(t, v.now)
		row.URL = "/me/tasks/" + url.PathEscape(t.ID)
		at := 2
		switch t.Status {
		case task.Accepted:
			at = 0
		case task.ReviewPending:
			at = 1
		case task.Open:
			continue // it was theirs and was given back
		}
		groups[at].Tasks = append(groups[at].Tasks, row)
	}
	return groups, nil
}

// workBody is the page of an assignment.
type workBody struct {
	Task        taskView
	Tone        string
	Timer       dueView
	TimerKey    string
	Request     string // for a revision
	Rejection   *rejectionView
	Dispute     *disputeView
	Submissions []deliveryView
	Messages    []messageView
	Reviews     []reviewView
	ChatURL     string

	CanSubmit, CanAppeal, CanDecline, CanDispute, CanRate, CanChat bool
}

// assigned is the task of the address when it is the visitor's.
func (v *visit) assigned() (task.Task, error) {
	t, err := v.site.board.Task(v.ctx(), v.r.PathValue("id"))
	if err != nil {
		return t, err
	}
	if t.HumanID != v.who.ID || t.Status == task.Open {
		return t, fault.New(fault.NotFound, "", "There is no such task.", "")
	}
	return t, nil
}

func (v *visit) work() error { return v.showWork(nil) }

func (v *visit) showWork(f *form) error {
	t, err := v.assigned()
	if err != nil {
		return err
	}
	row := view(t, v.now)
	row.Exact = t.Place.Exact
	body := workBody{Task: row, Tone: tone(row.Status), Timer: row.Due, TimerKey: row.DueKey, ChatURL: "/me/tasks/" + url.PathEscape(t.ID)}
	can := allowed(t, task.Human)
	body.CanSubmit, body.CanDecline = can[task.Submit], can[task.Decline]
	body.CanAppeal = can[task.Dispute] && t.SubState == task.Rejected
	body.CanDispute = can[task.Dispute] && !body.CanAppeal
	side, err := v.sides(t)
	if err != nil {
		return err
	}
	body.Request, body.Rejection, body.Dispute = side.request, side.rejection, side.dispute
	body.Submissions, body.Messages, body.Reviews = side.deliveries, side.messages, side.reviews
	body.CanChat = side.chat
	body.CanRate = can[task.Rate] && !side.rated && v.now.Before(t.RateUntil)
	return v.show("work", row.Title, body, f)
}

// allowed are the commands that the state table lets an actor give now.
func allowed(t task.Task, by task.ActorKind) map[task.Command]bool {
	can := map[task.Command]bool{}
	for _, c := range t.NextActions(by) {
		can[c] = true
	}
	return can
}

// least is how many characters a reason has at least: a word is none.
const least = 20

// reasoned reads a reason of a form that names it so.
func reasoned(f *form, field string) string {
	text := f.text(field, 4000, true)
	if f.ok() && len([]rune(text)) < least {
		f.wrong(field, "error.too_short")
	}
	return text
}

// appeal and dispute ask the operator; a dispute can come from either side.
func (v *visit) appeal() error  { return v.openDispute("appeal", "appealed") }
func (v *visit) dispute() error { return v.openDispute("dispute", "disputed") }

func (v *visit) openDispute(name, what string) error {
	f, err := v.form(name)
	if err != nil {
		return err
	}
	again, back := v.sidePages()
	id, text := v.r.PathValue("id"), reasoned(f, "reason")
	if !f.ok() {
		return again(f)
	}
	if _, err := v.site.board.OpenDispute(v.ctx(), v.actor(), data.NewDispute{TaskID: id, Text: text}); err != nil {
		return v.refused(err, f, again)
	}
	return v.done(back+url.PathEscape(id), what)
}

func (v *visit) decline() error {
	f, err := v.form("decline")
	if err != nil {
		return err
	}
	reason := f.text("reason", 1000, true)
	if !f.ok() {
		return v.showWork(f)
	}
	if _, err := v.site.board.Decline(v.ctx(), v.actor(), v.r.PathValue("id"), reason); err != nil {
		return v.refused(err, f, v.showWork)
	}
	return v.done("/me/tasks", "given_back")
}

// sidePages is the page of a task for the visitor's side, to be shown again with a
// form, and the address that it is under.
func (v *visit) sidePages() (again func(*form) error, back string) {
	if v.who.Human {
		return v.showWork, "/me/tasks/"
	}
	return v.showRequest, "/requester/tasks/"
}

// writeMessage serves both sides.
func (v *visit) writeMessage() error {
	f, err := v.form("chat")
	if err != nil {
		return err
	}
	again, back := v.sidePages()
	id, text := v.r.PathValue("id"), f.text("body", 4000, true)
	if !f.ok() {
		return again(f)
	}
	if err := v.sendMessage(id, text); err != nil {
		return v.refused(err, f, again)
	}
	return v.done(back+url.PathEscape(id), "sent")
}

// rate serves both sides.
func (v *visit) rate() error {
	f, err := v.form("rate")
	if err != nil {
		return err
	}
	again, back := v.sidePages()
	id := v.r.PathValue("id")
	stars, _ := strconv.Atoi(f.choice("rating", []string{"1", "2", "3", "4", "5"}))
	comment := f.text("comment", 500, false)
	if !f.ok() {
		return again(f)
	}
	if _, err := v.site.board.Rate(v.ctx(), v.actor(), data.Rating{TaskID: id, Stars: stars, Comment: comment}); err != nil {
		return v.refused(err, f, again)
	}
	return v.done(back+url.PathEscape(id), "rated")
}

// offerBody is one offer.
type offerBody struct {
	ID   string
	Task taskView
	Due  dueView
	Live bool
}

func (v *visit) offer() error {
	o, t, err := v.ownOffer()
	if err != nil {
		return err
	}
	return v.show("offer", v.say("offer.title"), offerBody{
		ID: o.ID, Task: view(t, v.now), Due: dueView{At: o.ExpiresAt, Now: v.now},
		Live: o.Status == data.OfferPending && v.now.Before(o.ExpiresAt),
	}, nil)
}

func (v *visit) ownOffer() (data.Offer, task.Task, error) {
	o, err := v.site.board.Offer(v.ctx(), v.r.PathValue("id"))
	if err != nil {
		return o, task.Task{}, err
	}
	if o.HumanID != v.who.ID {
		return o, task.Task{}, fault.New(fault.NotFound, "", "There is no such offer.", "")
	}
	t, err := v.site.board.Task(v.ctx(), o.TaskID)
	return o, t, err
}

func (v *visit) acceptOffer() error {
	o, _, err := v.ownOffer()
	if err != nil {
		return err
	}
	if _, err := v.site.board.AcceptOffer(v.ctx(), v.actor(), o.ID); err != nil {
		return err
	}
	return v.done("/me/tasks/"+url.PathEscape(o.TaskID), "accepted")
}

func (v *visit) declineOffer() error {
	o, _, err := v.ownOffer()
	if err != nil {
		return err
	}
	if _, err := v.site.board.DeclineOffer(v.ctx(), v.actor(), o.ID); err != nil {
		return err
	}
	return v.done("/me/tasks", "declined")
}
