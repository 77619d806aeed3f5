package tool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

func TestStepsComeInOrder(t *testing.T) {
	var steps []string
	p := policy()
	p.Authorize = func(_ context.Context, s tool.Spec) error { steps = append(steps, "authorize "+s.Scope); return nil }
	p.Spend = func(context.Context, tool.Spec) error { steps = append(steps, "spend"); return nil }
	p.Record = func(context.Context, tool.Spec) error { steps = append(steps, "record"); return nil }
	b := of(nil, func(ctx context.Context, _ none) (none, error) {
		_, limited := ctx.Deadline()
		steps = append(steps, fmt.Sprintf("handle limited=%v", limited))
		return none{}, nil
	})
	b.Call(t.Context(), p, nil)
	if diff := cmp.Diff([]string{"authorize desk:read", "spend", "record", "handle limited=true"}, steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestWhatThePolicyRefusesNeverRuns(t *testing.T) {
	ran := false
	b := of(nil, func(context.Context, none) (none, error) { ran = true; return none{}, nil })
	no := func(context.Context, tool.Spec) error { return fault.New(fault.Denied, "scope_missing", "No.", "Ask.") }
	for name, p := range map[string]tool.Policy{
		"no rule":            {},
		"not authorized":     {Authorize: no},
		"nothing to spend":   {Authorize: policy().Authorize, Spend: no},
		"a rule that panics": {Authorize: func(context.Context, tool.Spec) error { panic("x") }},
	} {
		if r := b.Call(t.Context(), p, nil); !r.IsError || ran {
			t.Errorf("%s: it ran", name)
		}
	}
}

// Trap: a panic in a handler ends the process of the SDK's server.
func TestAPanicIsLoggedWithoutItsValue(t *testing.T) {
	type named struct {
		Name string `json:"name"`
	}
	tests := map[string]struct {
		panics func(string)
		logs   string
	}{
		"a value":     {func(s string) { panic("cannot file " + s) }, "panic: value of type string"},
		"an error":    {func(s string) { panic(errors.New(s)) }, "panic: value of type *errors.errorString"},
		"the runtime": {func(s string) { _ = []int{}[len(s)] }, "index out of range"},
		"nil map":     {func(string) { fill(nil) }, "assignment to entry in nil map"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			p := policy()
			p.Logger = slog.New(slog.NewTextHandler(&log, nil))
			b := of(nil, func(_ context.Context, in named) (none, error) { tt.panics(in.Name); return none{}, nil })
			r := b.Call(t.Context(), p, []byte(`{"name":"078-05-1120"}`))
			if !r.IsError || !strings.Contains(text(t, r), "internal error") || strings.Contains(text(t, r), "panic") {
				t.Errorf("the caller reads %q", text(t, r))
			}
			if strings.Contains(log.String(), "078-05-1120") {
				t.Errorf("the value is in the log: %s", log.String())
			}
			for _, want := range []string{tt.logs, "policy_test.go", "error_id", "level=ERROR"} {
				if !strings.Contains(log.String(), want) {
					t.Errorf("the log lacks %q: %s", want, log.String())
				}
			}
		})
	}
}

func TestOneLinePerCall(t *testing.T) {
	tests := map[string]struct {
		err  error
		args string
		want []string
	}{
		"ok":      {nil, `{}`, []string{"outcome=ok", "tool=desk_do", "subject=sub:", "call=c-7", "duration_ms=0"}},
		"fault":   {fault.New(fault.Unavailable, "no_browser", "m", "a").WithCause(errors.New("exec: not found")), `{}`, []string{"outcome=error", "error_type=no_browser", `cause="exec: not found"`}},
		"refused": {nil, `{"secret_name":"078-05-1120"}`, []string{"outcome=error", "error_type=invalid_arguments"}},
		"quoted":  {fault.New(fault.Invalid, "bad_data", "m", "a").WithCause(errors.New("parse 078-05-1120")), `{}`, []string{"error_type=bad_data"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			p := policy()
			p.Logger = slog.New(slog.NewTextHandler(&log, nil))
			ctx := tool.WithTrace(tool.WithCaller(t.Context(), auth.Principal{Subject: "ann"}), "c-7")
			failing := of(nil, func(context.Context, none) (none, error) { return none{}, tt.err })
			failing.Call(ctx, p, []byte(tt.args))
			if n := strings.Count(log.String(), "\n"); n != 1 {
				t.Errorf("%d lines: %s", n, log.String())
			}
			for _, want := range tt.want {
				if !strings.Contains(log.String(), want) {
					t.Errorf("lacks %q: %s", want, log.String())
				}
			}
			if strings.Contains(log.String(), "078-05-1120") || strings.Contains(log.String(), "secret_name") {
				t.Errorf("arguments are in the log: %s", log.String())
			}
		})
	}
}

func TestTheLimitOfAToolIsToldApartFromACancellation(t *testing.T) {
	wait := func(ctx context.Context, _ none) (none, error) { <-ctx.Done(); return none{}, ctx.Err() }
	b := of(func(s *tool.Spec) { s.Timeout = time.Millisecond }, wait)
	if r := call(t, b, `{}`); !strings.Contains(text(t, r), "1ms, the limit of desk_do") {
		t.Errorf("says %q", text(t, r))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := of(nil, wait).Call(ctx, policy(), nil); !strings.Contains(structured(t, r), `"error_type":"cancelled"`) {
		t.Errorf("structured %s", structured(t, r))
	}
	own := fault.New(fault.Timeout, "page_timeout", "Page 3 did not come.", "Try again.").WithCause(context.DeadlineExceeded)
	b = of(func(s *tool.Spec) { s.Timeout = time.Millisecond }, func(ctx context.Context, _ none) (none, error) { <-ctx.Done(); return none{}, own })
	if r := call(t, b, `{}`); !strings.Contains(text(t, r), "Page 3 did not come.") {
		t.Errorf("the handler's own words are lost: %q", text(t, r))
	}
}

func TestCallerAndProgress(t *testing.T) {
	var got []string
	ctx := tool.WithCaller(t.Context(), auth.Principal{Subject: "ann", Session: "s1"})
	ctx = tool.WithProgress(ctx, func(_ context.Context, done, total float64, message string) {
		got = append(got, fmt.Sprintf("%v/%v %s", done, total, message))
	})
	b := of(nil, func(ctx context.Context, _ none) (none, error) {
		if c := tool.Caller(ctx); c.Subject != "ann" || c.Session != "s1" {
			t.Errorf("caller %+v", c)
		}
		for _, done := range []float64{0, 1, 1, 0.5, 2} {
			tool.Progress(ctx, done, 2, "page")
		}
		return none{}, nil
	})
	b.Call(ctx, policy(), nil)
	if diff := cmp.Diff([]string{"0/2 page", "1/2 page", "2/2 page"}, got); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	tool.Progress(t.Context(), 1, 1, "nobody listens")
	if c := tool.Caller(t.Context()); !c.Equal(auth.Principal{}) {
		t.Errorf("a caller from nowhere: %+v", c)
	}
}

func TestBindAllKeepsTheOrder(t *testing.T) {
	named := func(name string) tool.Tool[int] {
		s := spec()
		s.Name = name
		return tool.New(s, func(n int, _ context.Context, _ none) (none, error) {
			if n != 7 {
				return none{}, errors.New("another server")
			}
			return none{}, nil
		})
	}
	var names []string
	for _, b := range tool.BindAll(7, []tool.Tool[int]{named("b"), named("a")}) {
		names = append(names, b.Spec.Name)
		if r := call(t, b, `{}`); r.IsError {
			t.Errorf("%s: %s", b.Spec.Name, text(t, r))
		}
	}
	if diff := cmp.Diff([]string{"b", "a"}, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// fill panics for the nil map, as careless code does.
func fill(m map[string]int) { m["x"] = 1 }
