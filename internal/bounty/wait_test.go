package bounty

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// states answers one look at the task after the other; the last one stays.
func states(list ...string) func(http.ResponseWriter, seen) {
	var at atomic.Int64
	return func(w http.ResponseWriter, s seen) {
		n := min(int(at.Add(1))-1, len(list)-1)
		if body, broken := strings.CutPrefix(list[n], "503 "); broken {
			says(503, body)(w, s)
			return
		}
		says(200, `{"task":{"id":"t","created_at":"2026-02-13T00:00:00Z",`+list[n]+`}}`)(w, s)
	}
}

const (
	isOpen      = `"status":"open","version":1`
	isApplied   = `"status":"open","version":1,"application_count":1`
	isAccepted  = `"status":"accepted","version":2`
	isDelivered = `"status":"review_pending","version":3,"submission":{"id":"s","type":"text","text":"done"}`
	isRevised   = `"status":"review_pending","version":5,"submission":{"id":"s2","type":"text","text":"better"}`
	isTimedOut  = `"status":"failed","failure_reason":"timeout","version":4`
	isDown      = `503 {"status":"error","reason":"unavailable"}`
)

func TestWaiting(t *testing.T) {
	token := func(state string) string {
		b := newBench(t)
		b.answer = states(state)
		return structured(t, b.call(t, "wait_for_bounty", `{"task_id":"t","wait_seconds":0}`))["resume_token"].(string)
	}
	for name, tt := range map[string]struct {
		until, seen string
		states      []string
		status      string
		changed     bool
		done        bool
	}{
		"the first change":             {"change", "", []string{isOpen, isOpen, isApplied, isAccepted}, "open", true, false},
		"not what was seen first":      {"change", "", []string{isOpen, isOpen, isAccepted}, "accepted", true, false},
		"until it can be reviewed":     {"submission", "", []string{isOpen, isApplied, isAccepted, isDelivered}, "review_pending", true, false},
		"until the end":                {"end", "", []string{isOpen, isDelivered, isTimedOut}, "failed", true, true},
		"an end ends every wait":       {"submission", "", []string{isOpen, isTimedOut}, "failed", true, true},
		"what came between two waits":  {"change", isOpen, []string{isAccepted}, "accepted", true, false},
		"a second submission":          {"change", isDelivered, []string{isRevised}, "review_pending", true, false},
		"an end between two waits":     {"change", isAccepted, []string{isTimedOut}, "failed", true, true},
		"a board that is down between": {"change", "", []string{isOpen, isDown, isDown, isAccepted}, "accepted", true, false},
		"down at first":                {"change", isOpen, []string{isDown, isDown, isDown, isDown, isDown, isAccepted}, "accepted", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			args := `{"task_id":"t","until":"` + tt.until + `","wait_seconds":50`
			if tt.seen != "" {
				args += `,"resume_token":"` + token(tt.seen) + `"`
			}
			b := newBench(t)
			b.answer = states(tt.states...)
			res := b.call(t, "wait_for_bounty", args+`}`)
			got := structured(t, res)
			if res.IsError || got["changed"] != tt.changed || got["done"] != tt.done || got["task"].(map[string]any)["status"] != tt.status {
				t.Errorf("%s", text(t, res))
			}
		})
	}
}

// A wait that ends says in so many words that it is no outcome, and how to go on.
func TestAWaitThatEnds(t *testing.T) {
	b := newBench(t)
	b.answer = states(isAccepted)
	res := b.call(t, "wait_for_bounty", `{"task_id":"t","wait_seconds":0}`)
	got := structured(t, res)
	token := got["resume_token"].(string)
	if res.IsError || got["changed"] != false || got["done"] != false || !strings.Contains(text(t, res), "NOT done") || !strings.Contains(text(t, res), token) {
		t.Errorf("%s", text(t, res))
	}
	// another process, with the board down all the time: the token stays good
	later := newBench(t)
	later.answer = states(isDown)
	res = later.call(t, "wait_for_bounty", `{"task_id":"t","wait_seconds":0,"resume_token":"`+token+`"}`)
	code, _, details := problem(t, res)
	if code != "UNAVAILABLE" || details["resume_token"] != token || !strings.Contains(text(t, res), token) {
		t.Errorf("%s", text(t, res))
	}
	// and with a task that is not there any more there is nothing to wait for
	later.answer = says(404, `{"status":"not_found"}`)
	if code, _, _ := problem(t, later.call(t, "wait_for_bounty", `{"task_id":"t"}`)); code != "NOT_FOUND" {
		t.Errorf("of a task that is gone: %s", code)
	}
	if code, _, _ := problem(t, b.call(t, "wait_for_bounty", `{"task_id":"other","resume_token":"`+token+`"}`)); code != "INVALID_ARGUMENT" {
		t.Errorf("with another task's token: %s", code)
	}
}

// A shutdown ends waits at once with what is known; a caller who gives up is obeyed.
func TestAWaitCanBeEnded(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Settings.Poll = time.Hour })
	looked := make(chan struct{}, 1)
	b.answer = func(w http.ResponseWriter, s seen) {
		states(isOpen)(w, s)
		looked <- struct{}{}
	}
	done := make(chan string, 1)
	go func() { done <- text(t, b.call(t, "wait_for_bounty", `{"task_id":"t","wait_seconds":50}`)) }()
	<-looked
	b.Drain()
	b.Drain() // a second time is harmless
	if got := <-done; !strings.Contains(got, "shutting down") || !strings.Contains(got, "resume_token") {
		t.Errorf("%s", got)
	}
	c := newBench(t, func(o *Options) { o.Settings.Poll = time.Hour })
	ctx, cancel := context.WithCancel(tool.WithCaller(t.Context(), auth.Local()))
	c.answer = func(w http.ResponseWriter, s seen) {
		states(isOpen)(w, s)
		cancel()
	}
	if res := c.callAs(t, ctx, "wait_for_bounty", `{"task_id":"t","wait_seconds":50}`); !res.IsError || !strings.Contains(text(t, res), "cancelled") {
		t.Errorf("%s", text(t, res))
	}
}

// No tool may take longer than hosts wait.
func TestNoCallOutlivesItsHost(t *testing.T) {
	for _, x := range tool.BindAll(New(Options{}), Tools) {
		if x.Spec.Timeout > 55*time.Second || x.Spec.Rate == (tool.Rate{}) {
			t.Errorf("%s: timeout %v, rate %v", x.Spec.Name, x.Spec.Timeout, x.Spec.Rate)
		}
	}
	b := newBench(t)
	b.answer = states(isOpen)
	if code, reason, _ := problem(t, b.call(t, "wait_for_bounty", `{"task_id":"t","wait_seconds":51}`)); code != "INVALID_ARGUMENT" || reason != "invalid_arguments" {
		t.Errorf("51 seconds: %s %s", code, reason)
	}
}

func FuzzResumeToken(f *testing.F) {
	f.Add(token{TaskID: "t", Status: "open"}.String())
	f.Add("!")
	f.Add(strings.Repeat("e", maxToken+1))
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseToken(text, "t")
		switch {
		case err == nil && text == "" && got == nil:
		case err == nil && (got == nil || got.TaskID != "t"):
			t.Errorf("%q is taken for %v", text, got)
		case err != nil && errors.Is(err, context.Canceled):
			t.Error(err)
		}
	})
}
