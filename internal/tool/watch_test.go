package tool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// note is a watcher that writes down what it is told.
type note struct {
	name string
	said *[]string
	last tool.Outcome
	ctx  context.Context
}

type noteKey string

func (n *note) Begin(ctx context.Context, s tool.Spec) (context.Context, func(tool.Outcome)) {
	*n.said = append(*n.said, fmt.Sprint(n.name, " begins ", s.Name, tool.Named(ctx)))
	n.ctx = context.WithValue(ctx, noteKey(n.name), true)
	return n.ctx, func(o tool.Outcome) {
		n.last = o
		*n.said = append(*n.said, n.name+" ends "+o.Result)
	}
}

type answer struct {
	RunID string `json:"run_id"`
	Note  string `json:"note"`
	Bad   bool   `json:"bad"`
}

func (a answer) Failed() bool { return a.Bad }

type ask struct {
	WizardID string `json:"wizard_id,omitempty"`
	RunID    string `json:"run_id,omitempty"`
	Data     string `json:"data,omitempty"`
}

func TestWatchersAreToldOfEveryCall(t *testing.T) {
	denied := fault.New(fault.Denied, "scope_missing", "No.", "Ask.")
	full := fault.New(fault.Unavailable, "audit_unavailable", "No.", "Ask.")
	tests := map[string]struct {
		change func(*tool.Policy)
		args   string
		handle func() (answer, error)
		want   tool.Outcome
	}{
		"it works":          {nil, `{"wizard_id":"fsa"}`, func() (answer, error) { return answer{RunID: "r1"}, nil }, tool.Outcome{Result: tool.ResultOK, IDs: map[string]string{"wizard_id": "fsa", "run_id": "r1"}}},
		"an escaped name":   {nil, `{"wizard\u005fid":"fsa"}`, func() (answer, error) { return answer{RunID: "r1"}, nil }, tool.Outcome{Result: tool.ResultOK, IDs: map[string]string{"wizard_id": "fsa", "run_id": "r1"}}},
		"the work fails":    {nil, `{}`, func() (answer, error) { return answer{RunID: "r1", Bad: true}, nil }, tool.Outcome{Result: tool.ResultFailed, IDs: map[string]string{"run_id": "r1"}}},
		"the tool fails":    {nil, `{"run_id":"r9"}`, func() (answer, error) { return answer{RunID: "r1"}, denied }, tool.Outcome{Result: tool.ResultError, Fault: denied, IDs: map[string]string{"run_id": "r9"}}},
		"refused":           {func(p *tool.Policy) { p.Authorize = func(context.Context, tool.Spec) error { return denied } }, `{}`, nil, tool.Outcome{Result: tool.ResultError, Fault: denied}},
		"too often":         {func(p *tool.Policy) { p.Spend = func(context.Context, tool.Spec) error { return denied } }, `{}`, nil, tool.Outcome{Result: tool.ResultError, Fault: denied}},
		"not recorded":      {func(p *tool.Policy) { p.Record = func(context.Context, tool.Spec) error { return full } }, `{}`, nil, tool.Outcome{Result: tool.ResultError, Fault: full}},
		"ids that are none": {nil, `{"wizard_id":"078-05-1120 is my number","run_id":"` + strings.Repeat("x", 81) + `","data":"x"}`, func() (answer, error) { return answer{RunID: "a b"}, nil }, tool.Outcome{Result: tool.ResultOK}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var said []string
			one, two := &note{name: "one", said: &said}, &note{name: "two", said: &said}
			p := policy()
			p.Watch = []tool.Watcher{one, two}
			if tt.change != nil {
				tt.change(&p)
			}
			b := of(nil, func(ctx context.Context, _ ask) (answer, error) {
				if tt.handle == nil {
					t.Error("it runs")
					return answer{}, nil
				}
				if ctx.Value(noteKey("one")) == nil || ctx.Value(noteKey("two")) == nil {
					t.Error("the call does not run under the context of the watchers")
				}
				return tt.handle()
			})
			b.Call(t.Context(), p, []byte(tt.args))
			if two.ctx.Value(noteKey("one")) == nil {
				t.Error("the second watcher does not see what the first one put into the context")
			}
			for i := range said {
				said[i], _, _ = strings.Cut(said[i], "map")
			}
			r := tt.want.Result
			if diff := cmp.Diff([]string{"one begins desk_do", "two begins desk_do", "two ends " + r, "one ends " + r}, said); diff != "" {
				t.Errorf("what was said (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, one.last, cmpopts.EquateErrors(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPanicIsAnOutcome(t *testing.T) {
	var said []string
	w := &note{name: "w", said: &said}
	p := policy()
	p.Watch = []tool.Watcher{w}
	of(nil, func(context.Context, none) (none, error) { panic("x") }).Call(t.Context(), p, nil)
	if w.last.Fault == nil || w.last.Fault.Kind != fault.Internal || w.last.Result != tool.ResultError {
		t.Errorf("outcome %+v", w.last)
	}
}

type careless struct{ inBegin bool }

func (c careless) Begin(ctx context.Context, _ tool.Spec) (context.Context, func(tool.Outcome)) {
	if c.inBegin {
		panic(errors.New("078-05-1120"))
	}
	return ctx, func(tool.Outcome) { panic(errors.New("078-05-1120")) }
}

func TestAWatcherThatPanicsHurtsNobody(t *testing.T) {
	var said []string
	var log bytes.Buffer
	p := policy()
	p.Logger = slog.New(slog.NewTextHandler(&log, nil))
	p.Watch = []tool.Watcher{careless{true}, careless{false}, &note{name: "w", said: &said}}
	r := of(nil, func(context.Context, none) (none, error) { return none{}, nil }).Call(t.Context(), p, nil)
	if r.IsError || len(said) != 2 {
		t.Errorf("the call failed (%v), or the next watcher was told only %q", r.IsError, said)
	}
	if n := strings.Count(log.String(), "a watcher panicked"); n != 2 || strings.Contains(log.String(), "078-05-1120") {
		t.Errorf("the log has %d lines of it: %s", n, log.String())
	}
}
