package data_test

import (
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
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
		"take down by a human":   second(w.TakeDown(t.Context(), ann, states["open"].ID, "x")),
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
		yen.AmountMinor, yen.Currency = &n, "jpy"
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
