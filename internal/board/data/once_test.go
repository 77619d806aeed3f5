package data_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func createOnce(t *testing.T, b *data.Board, by task.Actor, k data.RequestKey) (task.Task, bool, error) {
	t.Helper()
	return data.Once(t.Context(), b, k, func(ctx context.Context) (task.Task, error) {
		return b.CreateTask(ctx, by, data.NewTask{Draft: draft()})
	})
}

func TestARetryGetsTheFirstResult(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key := data.RequestKey{Principal: "agent:" + w.agent.ID, Operation: "POST /api/tasks", Key: "k1", Hash: "h"}
		first, replayed, err := createOnce(t, w.Board, w.agent, key)
		if err != nil || replayed {
			t.Fatalf("the first: %v, replayed %v", err, replayed)
		}
		try(w.Cancel(t.Context(), w.agent, data.Cancellation{TaskID: first.ID}))(t)
		w.clock.forward(time.Hour)
		second, replayed, err := createOnce(t, w.Board, w.agent, key)
		if err != nil || !replayed || second.ID != first.ID || second.Status != task.Open {
			t.Errorf("the retry: %+v, replayed %v, %v", second, replayed, err)
		}
		for name, other := range map[string]data.RequestKey{
			"another caller":    {Principal: "agent:x", Operation: key.Operation, Key: key.Key, Hash: "h"},
			"another operation": {Principal: key.Principal, Operation: "POST /api/call_human", Key: key.Key, Hash: "h"},
			"another key":       {Principal: key.Principal, Operation: key.Operation, Key: "k2", Hash: "h"},
		} {
			if got, replayed, err := createOnce(t, w.Board, w.agent, other); err != nil || replayed || got.ID == first.ID {
				t.Errorf("%s: replayed %v, %v", name, replayed, err)
			}
		}
		key.Hash = "another request"
		_, _, err = createOnce(t, w.Board, w.agent, key)
		w.refused(err, task.IdempotencyKeyConflict)
	})
}

func TestARefusalDoesNotStick(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key := data.RequestKey{Principal: "p", Operation: "o", Key: "k", Hash: "h"}
		stranger := task.Actor{Kind: task.Agent, ID: "nobody"}
		for range 2 {
			_, replayed, err := createOnce(t, w.Board, stranger, key)
			w.refused(err, task.InvalidCredentials)
			if replayed {
				t.Error("a refusal is replayed")
			}
		}
		if _, replayed, err := createOnce(t, w.Board, w.agent, key); err != nil || replayed {
			t.Errorf("the key sticks: replayed %v, %v", replayed, err)
		}
	})
}

func TestKeysThatAreNone(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	for _, k := range []string{"", strings.Repeat("k", 201), "a b", "é", "a\n", "\x00"} {
		_, _, err := createOnce(t, w.Board, w.agent, data.RequestKey{Principal: "p", Operation: "o", Key: k, Hash: "h"})
		w.refused(err, task.IdempotencyKeyTooLong)
	}
}

func TestOldKeysAreForgotten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key := data.RequestKey{Principal: "p", Operation: "o", Key: "k", Hash: "h"}
		first, _, err := createOnce(t, w.Board, w.agent, key)
		if err != nil {
			t.Fatal(err)
		}
		w.clock.forward(7 * 24 * time.Hour)
		try(w.ForgetKeys(t.Context()))(t)
		if again, replayed, err := createOnce(t, w.Board, w.agent, key); err != nil || !replayed || again.ID != first.ID {
			t.Errorf("at the end of its time: replayed %v, %v", replayed, err)
		}
		w.clock.forward(time.Second)
		try(w.ForgetKeys(t.Context()))(t)
		if _, replayed, err := createOnce(t, w.Board, w.agent, key); err != nil || replayed {
			t.Errorf("after its time: replayed %v, %v", replayed, err)
		}
	})
}

// An approval of a task that is completed does nothing, and its key is kept all the same.
func TestAKeyOfACommandWithNothingToDo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		posted := w.delivered(w.person("ann"))
		approve := func(key string) (task.Task, bool, error) {
			k := data.RequestKey{Principal: "agent:" + w.agent.ID, Operation: "POST /api/tasks/{id}/approve", Key: key, Hash: "h"}
			return data.Once(t.Context(), w.Board, k, func(ctx context.Context) (task.Task, error) {
				return w.Approve(ctx, w.agent, data.Approval{TaskID: posted.ID})
			})
		}
		for _, tt := range []struct {
			key      string
			replayed bool
		}{{"k1", false}, {"k2", false}, {"k2", true}, {"k1", true}} {
			got, replayed, err := approve(tt.key)
			if err != nil || replayed != tt.replayed || got.Status != task.Completed {
				t.Errorf("%s: %v, replayed %v, %v", tt.key, got.Status, replayed, err)
			}
		}
	})
}
