package data_test

import (
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// key makes a key for tests with the key of an actor.
func (w *world) key(maker task.Actor, usd int64) task.Actor {
	w.t.Helper()
	caps := data.Caps{}
	if usd > 0 {
		caps["USD"] = usd
	}
	k, _, err := w.NewKey(w.t.Context(), data.Key{AgentID: w.agent.ID, Name: "k", Caps: caps, MadeBy: maker.KeyID})
	if err != nil {
		w.t.Fatal(err)
	}
	return task.Actor{Kind: task.Agent, ID: w.agent.ID, KeyID: k.ID}
}

// The keys that a key with a cap makes spend together, and with it, what that cap is.
func TestKeysOfAKeySpendItsCapTogether(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		price := w.post(nil).Budget.Minor
		maker := w.key(w.agent, 3*price)
		actors := []task.Actor{maker}
		for range 3 {
			actors = append(actors, w.key(maker, 3*price))
		}
		grandchild := w.key(actors[1], 2*price)
		next, _, err := w.RotateKey(t.Context(), grandchild, grandchild.KeyID, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		actors = append(actors, grandchild, task.Actor{Kind: task.Agent, ID: w.agent.ID, KeyID: next.ID})
		all := w.race(func(b *data.Board, n int) error {
			_, err := b.CreateTask(t.Context(), actors[n%len(actors)], data.NewTask{Draft: draft()})
			return err
		})
		w.winners(all, 3, task.SpendCap)
		rotated, _, err := w.RotateKey(t.Context(), maker, maker.KeyID, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.CreateTask(t.Context(), task.Actor{Kind: task.Agent, ID: w.agent.ID, KeyID: rotated.ID}, data.NewTask{Draft: draft()})
		w.refused(err, task.SpendCap)
		_, err = w.CreateTask(t.Context(), w.key(actors[2], price), data.NewTask{Draft: draft()}) // made by one that was made
		w.refused(err, task.SpendCap)
		if _, err := w.CreateTask(t.Context(), w.key(w.agent, price), data.NewTask{Draft: draft()}); err != nil {
			t.Errorf("a key of a key without caps: %v", err)
		}
		w.clock.forward(24 * time.Hour)
		if _, err := w.CreateTask(t.Context(), actors[3], data.NewTask{Draft: draft()}); err != nil {
			t.Errorf("the next day: %v", err)
		}
	})
}

// Nor does a key with a cap get at another purse by the successor of its key.
func TestAKeyWithACapRotatesNoOtherPurse(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	capped, sister := w.key(w.agent, 5000), w.key(w.agent, 5000)
	own, free := w.key(capped, 5000), w.key(w.agent, 0)
	grand := w.key(own, 1000)
	for _, c := range []struct {
		by, rotated task.Actor
		refused     bool
	}{
		{capped, sister, true}, {own, sister, true}, {own, capped, true}, {own, free, true}, {capped, grand, false}, {capped, own, false}, {sister, sister, false}, {w.agent, capped, false}, {free, free, false},
	} {
		_, _, err := w.RotateKey(t.Context(), c.by, c.rotated.KeyID, time.Hour)
		if c.refused {
			w.refused(err, task.ForbiddenScope)
		} else if err != nil {
			t.Errorf("%v rotates %v: %v", c.by, c.rotated, err)
		}
	}
}
