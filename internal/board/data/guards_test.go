package data_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

const because = "The sign is not readable in the picture."

// call is a command of somebody on a task.
type call func(by task.Actor, id string) error

// commands are those of agents and of the assigned person.
func (w *world) commands() (agent, human map[string]call) {
	ctx := w.t.Context()
	as := func(f func(by task.Actor, id string) (task.Task, error)) call {
		return func(by task.Actor, id string) error { _, err := f(by, id); return err }
	}
	agent = map[string]call{
		"accept": func(by task.Actor, id string) error {
			_, err := w.AcceptApplication(ctx, by, data.Acceptance{TaskID: id, HumanID: "nobody"})
			return err
		},
		"approve": as(func(by task.Actor, id string) (task.Task, error) {
			return w.Approve(ctx, by, data.Approval{TaskID: id})
		}),
		"revision": as(func(by task.Actor, id string) (task.Task, error) {
			return w.RequestRevision(ctx, by, data.Revision{TaskID: id, Text: because})
		}),
		"reject": as(func(by task.Actor, id string) (task.Task, error) {
			return w.Reject(ctx, by, data.Rejection{TaskID: id, Code: task.Unreadable, Text: because})
		}),
		"cancel": as(func(by task.Actor, id string) (task.Task, error) {
			return w.Cancel(ctx, by, data.Cancellation{TaskID: id})
		}),
		"extend": as(func(by task.Actor, id string) (task.Task, error) {
			return w.ExtendDeadline(ctx, by, data.Extension{TaskID: id, DeadlineAt: w.clock.now().Add(10 * 24 * time.Hour)})
		}),
		"dispute": func(by task.Actor, id string) error {
			_, err := w.OpenDispute(ctx, by, data.NewDispute{TaskID: id, Text: because})
			return err
		},
		"rate": func(by task.Actor, id string) error {
			_, err := w.Rate(ctx, by, data.Rating{TaskID: id, Stars: 5})
			return err
		},
	}
	human = map[string]call{
		"submit": func(by task.Actor, id string) error {
			_, err := w.Submit(ctx, by, data.Delivery{TaskID: id, Type: task.Text, Text: "done"})
			return err
		},
		"decline": as(func(by task.Actor, id string) (task.Task, error) { return w.Decline(ctx, by, id, "ill") }),
		"dispute": agent["dispute"], "rate": agent["rate"],
	}
	return agent, human
}

func TestNobodyElseActsOnATask(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	c := try(w.Connect(t.Context(), "Eve", "eve@agents.example"))(t)
	eve, ann, mallory := task.Actor{Kind: task.Agent, ID: c.Agent.ID}, w.worker("ann", nil), w.worker("mallory", nil)
	rejected := w.delivered(ann)
	try(w.Reject(t.Context(), w.agent, data.Rejection{TaskID: rejected.ID, Code: task.Unreadable, Text: because}))(t)
	done := w.delivered(ann)
	try(w.Approve(t.Context(), w.agent, data.Approval{TaskID: done.ID}))(t)
	states := map[string]task.Task{"open": w.post(nil), "accepted": w.accepted(ann), "delivered": w.delivered(ann), "rejected": rejected, "done": done}
	agent, human := w.commands()
	for state, at := range states {
		before := try(w.Task(t.Context(), at.ID))(t)
		for name, f := range agent {
			if err := f(eve, at.ID); task.ReasonOf(err) != task.NotFound {
				t.Errorf("%s: another agent's %s: %v", state, name, err)
			}
			if err := f(task.Actor{Kind: task.System}, at.ID); err == nil {
				t.Errorf("%s: a job does %s", state, name)
			}
		}
		for name, f := range human {
			for _, by := range []task.Actor{mallory, {Kind: task.Human}, {Kind: task.Human, ID: w.agent.ID}, {Kind: task.Operator, ID: "o"}} {
				if err := f(by, at.ID); err == nil || task.ReasonOf(err) == task.Unknown {
					t.Errorf("%s: %s of %v: %v", state, name, by, err)
				}
			}
		}
		if after := try(w.Task(t.Context(), at.ID))(t); after.Version != before.Version {
			t.Errorf("%s: the refused commands changed the task to %v", state, after.State())
		}
	}
	for name, f := range agent {
		if err := f(w.agent, "no-such-task"); task.ReasonOf(err) != task.NotFound {
			t.Errorf("%s of nothing: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"hold by an agent":       second(w.ReleaseHold(t.Context(), w.agent, states["open"].ID)),
		"take down by a human":   second(w.TakeDown(t.Context(), ann, data.TakenDown{TaskID: states["open"].ID, Note: "x"})),
		"create by a human":      second(w.CreateTask(t.Context(), ann, data.NewTask{Draft: draft()})),
		"resolve by an agent":    second(w.Resolve(t.Context(), w.agent, data.Resolution{TaskID: rejected.ID, Note: because})),
		"a report by a human":    w.CloseReport(t.Context(), ann, "x", "x"),
		"conversation by people": second(w.StartConversation(t.Context(), ann, data.NewConversation{HumanID: ann.ID, Body: "hi"})),
	} {
		if task.ReasonOf(err) != task.Forbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.sound()
}

func second[T any](_ T, err error) error { return err }

// TestNobodyAppliesInVain: the tasks of an account that was stopped are in no public list
// and take no applications until it may go on; the account's own list has them.
func TestNobodyAppliesInVain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		posted := w.post(nil)
		ann := w.worker("ann", nil)
		listed := func(f data.TaskFilter) bool {
			all, _, err := w.Tasks(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(all, func(found task.Task) bool { return found.ID == posted.ID })
		}
		if err := w.DisableAgent(t.Context(), w.agent.ID, true); err != nil {
			t.Fatal(err)
		}
		_, err := w.Apply(t.Context(), ann, data.NewApplication{TaskID: posted.ID, CoverLetter: "me", Availability: "now"})
		w.refused(err, task.NotOpen)
		if listed(data.TaskFilter{Public: true}) || !listed(data.TaskFilter{AgentID: w.agent.ID}) {
			t.Error("the task is in the public list, or not in that of its account")
		}
		if err := w.DisableAgent(t.Context(), w.agent.ID, false); err != nil {
			t.Fatal(err)
		}
		if !listed(data.TaskFilter{Public: true}) {
			t.Error("the task does not come back")
		}
		w.apply(ann, posted.ID)
	})
}

func TestADisabledAccountDoesNotPost(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	if err := w.DisableAgent(t.Context(), w.agent.ID, true); err != nil {
		t.Fatal(err)
	}
	_, err := w.CreateTask(t.Context(), w.agent, data.NewTask{Draft: draft()})
	w.refused(err, task.APIAccessDisabled)
	ann := w.worker("ann", nil)
	if err := w.DisableAgent(t.Context(), w.agent.ID, false); err != nil {
		t.Fatal(err)
	}
	posted := w.post(nil)
	if err := w.Suspend(t.Context(), ann.ID, true); err != nil {
		t.Fatal(err)
	}
	_, err = w.Apply(t.Context(), ann, data.NewApplication{TaskID: posted.ID, CoverLetter: "me", Availability: "now"})
	w.refused(err, task.APIAccessDisabled)
}

func TestSpendCaps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		k, _, err := w.NewKey(t.Context(), data.Key{AgentID: w.agent.ID, Name: "small", Scopes: []string{data.ScopePost}, Caps: data.Caps{"USD": 2500}})
		if err != nil {
			t.Fatal(err)
		}
		small := task.Actor{Kind: task.Agent, ID: w.agent.ID, KeyID: k.ID}
		all := w.race(func(b *data.Board, _ int) error {
			_, err := b.CreateTask(t.Context(), small, data.NewTask{Draft: draft()})
			return err
		})
		w.winners(all, 2, task.SpendCap)
		next, _, err := w.RotateKey(t.Context(), w.agent, k.ID, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.CreateTask(t.Context(), task.Actor{Kind: task.Agent, ID: w.agent.ID, KeyID: next.ID}, data.NewTask{Draft: draft()})
		w.refused(err, task.SpendCap)
		w.clock.forward(24 * time.Hour)
		if _, err := w.CreateTask(t.Context(), small, data.NewTask{Draft: draft()}); err != nil {
			t.Errorf("the next day: %v", err)
		}
		if err := w.SetAgentCaps(t.Context(), w.agent.ID, data.Caps{"USD": 1500}); err != nil {
			t.Fatal(err)
		}
		_, err = w.CreateTask(t.Context(), w.agent, data.NewTask{Draft: draft()})
		w.refused(err, task.SpendCap)
		yen := draft()
		n := int64(1000)
		yen.BudgetUSD, yen.AmountMinor, yen.Currency = nil, &n, "jpy"
		if _, err := w.CreateTask(t.Context(), small, data.NewTask{Draft: yen}); err != nil {
			t.Errorf("a currency without a cap of the key: %v", err)
		}
		_, err = w.CreateTask(t.Context(), task.Actor{Kind: task.Agent, ID: w.agent.ID, KeyID: "another's"}, data.NewTask{Draft: draft()})
		w.refused(err, task.SpendCap)
	})
}

func TestVersionsAndReferences(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann := w.worker("ann", nil)
	posted := w.post(func(d *task.Draft) { d.ClientRef = "order-1" })
	a := w.apply(ann, posted.ID)
	_, err := w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID, Version: posted.Version})
	w.refused(err, task.VersionConflict)
	if w.settle(); w.held() != 0 {
		t.Errorf("a refused acceptance leaves %d at the provider", w.held())
	}
	_, err = w.CreateTask(t.Context(), w.agent, data.NewTask{Draft: func() task.Draft { d := draft(); d.ClientRef = "order-1"; return d }()})
	w.refused(err, task.ClientRefConflict)
	now := try(w.Task(t.Context(), posted.ID))(t)
	got := try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, HumanID: ann.ID, Version: now.Version}))(t)
	if got.Task.Version != now.Version+1 {
		t.Errorf("version %d after %d", got.Task.Version, now.Version)
	}
	found, _, err := w.Tasks(t.Context(), data.TaskFilter{AgentID: w.agent.ID, ClientRef: "order-1"})
	if err != nil || len(found) != 1 || found[0].ID != posted.ID {
		t.Errorf("by reference: %v, %v", found, err)
	}
	_, err = w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: w.post(nil).ID, ApplicationID: a.ID})
	w.refused(err, task.NotApplied)
}

func TestAnApplicationIsAnsweredOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, ben := w.worker("ann", nil), w.worker("ben", nil)
		posted := w.post(nil)
		hers, his := w.apply(ann, posted.ID), w.apply(ben, posted.ID)
		_, err := w.WithdrawApplication(t.Context(), ben, hers.ID)
		w.refused(err, task.NotFound)
		all := w.race(func(b *data.Board, n int) error {
			if n%2 == 0 {
				_, err := b.WithdrawApplication(t.Context(), ann, hers.ID)
				return err
			}
			_, err := b.RejectApplication(t.Context(), w.agent, hers.ID)
			return err
		})
		w.winners(all, 1, task.ApplicationNotPending)
		_, err = w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: hers.ID})
		w.refused(err, task.ApplicationNotPending)
		counter := int64(1200)
		w.clock.forward(time.Second)
		if _, err := w.Apply(t.Context(), w.worker("cho", nil), data.NewApplication{TaskID: posted.ID, CoverLetter: "me", Availability: "now", Counter: &counter}); err != nil {
			t.Error(err)
		}
		waiting, _, err := w.Applications(t.Context(), posted.ID, data.ApplicationPending, data.Page{})
		if err != nil || len(waiting) != 2 || waiting[0].ID != his.ID || waiting[1].Counter.Minor != 1200 {
			t.Fatalf("waiting: %+v, %v", waiting, err)
		}
		got := try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: waiting[1].ID, AtCounter: true}))(t)
		if got.Task.Budget.Minor != 1200 || w.balance("escrow:"+money.Account(posted.ID)) != 1200 {
			t.Errorf("at the counter offer: %+v", got.Task.Budget)
		}
		if spent := w.count("SELECT SUM(minor) FROM spending"); spent != 1200 {
			t.Errorf("%d count against the cap", spent)
		}
		back := try(w.Decline(t.Context(), task.Actor{Kind: task.Human, ID: got.Task.HumanID}, posted.ID, ""))(t)
		if back.Budget != posted.Budget {
			t.Errorf("given back, the budget is %v", back.Budget)
		}
		w.sound()
	})
}

func TestApplicationsThatCannotBe(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	w.Board, _ = w.another(data.Terms{MaxApplications: 2})
	ann := w.worker("ann", nil)
	posted := w.post(nil)
	small, negative := int64(499), int64(-1)
	for name, n := range map[string]data.NewApplication{
		"no letter": {Availability: "now"}, "no time": {CoverLetter: "me"}, "a long letter": {CoverLetter: strings.Repeat("x", 4001), Availability: "now"},
		"below the floor": {CoverLetter: "me", Availability: "now", Counter: &small}, "negative": {CoverLetter: "me", Availability: "now", Counter: &negative},
	} {
		n.TaskID = posted.ID
		if _, err := w.Apply(t.Context(), ann, n); task.ReasonOf(err) != task.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.apply(ann, posted.ID)
	w.apply(w.worker("ben", nil), posted.ID)
	_, err := w.Apply(t.Context(), w.worker("cho", nil), data.NewApplication{TaskID: posted.ID, CoverLetter: "me", Availability: "now"})
	w.refused(err, task.ApplicationsClosed)
	if n := try(w.CountsOfApplications(t.Context(), []string{posted.ID}))(t)[posted.ID]; n != 2 {
		t.Errorf("%d applications", n)
	}
}

// Nobody earns ratings from an agent of their own.
func TestAnOwnerDoesNotWorkForTheirAgent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := try(w.StartSignIn(t.Context(), "ada@agents.example", "en"))(t)
		p, _, err := w.ConfirmSignIn(t.Context(), id, w.outbox.code(t))
		if err != nil {
			t.Fatal(err)
		}
		p.Instant.On = true
		try(w.SavePerson(t.Context(), p))(t)
		posted := w.post(nil)
		_, err = w.Apply(t.Context(), task.Actor{Kind: task.Human, ID: p.ID}, data.NewApplication{TaskID: posted.ID, CoverLetter: "me", Availability: "now"})
		w.refused(err, task.Forbidden)
		_, err = w.OfferTask(t.Context(), posted.ID, time.Minute)
		w.refused(err, task.NoSupply)
	})
}

func TestAnApplicantWhoIsSuspended(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann := w.worker("ann", nil)
	posted := w.post(nil)
	a := w.apply(ann, posted.ID)
	if err := w.Suspend(t.Context(), ann.ID, true); err != nil {
		t.Fatal(err)
	}
	_, err := w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID})
	w.refused(err, task.ApplicationNotPending)
	if w.settle(); w.held() != 0 {
		t.Errorf("the provider holds %d", w.held())
	}
}
