package bounty

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var waitForBounty = tool.New(tool.Spec{
	Name: "wait_for_bounty", Title: "Wait for a task",
	Description: "Wait up to wait_seconds until something about a task changes, and return at once when it has changed since resume_token. " +
		"A wait that ends without a change says nothing about the outcome: call again with the resume_token, in minutes or days, from any process.",
	Effect: tool.Read, Idempotent: true, OpenWorld: true, Scope: scopeRead, Rate: rateRead, Timeout: limit + time.Second, Budget: 160 << 10, Reword: asSpecified,
	Outline:  []string{"changed", "done", "task", "resume_token"},
	Examples: []tool.Example{{Name: "for a submission", Args: WaitIn{TaskID: exampleID, Until: untilSubmission}}},
}, (*Server).waitForBounty)

// WaitIn says what to wait for.
type WaitIn struct {
	TaskID      string `json:"task_id"`
	Until       string `json:"until,omitempty" enum:"change,submission,end" default:"change" jsonschema:"submission: until it can be reviewed or has ended"`
	WaitSeconds *int   `json:"wait_seconds,omitempty" minimum:"0" maximum:"50" jsonschema:"default 45"`
	ResumeToken string `json:"resume_token,omitempty" jsonschema:"of the answer before, so that nothing is missed"`
	Lang        string `json:"lang,omitempty" enum:"en,ja"`
	AccountIn
}

// What to wait for.
const (
	untilChange     = "change"
	untilSubmission = "submission"
	untilEnd        = "end"
)

const defaultWait = 45

// WaitOut is a task after the wait.
type WaitOut struct {
	Changed     bool   `json:"changed" jsonschema:"what was waited for has happened"`
	Done        bool   `json:"done" jsonschema:"the task is completed or failed: do not wait any more"`
	Task        Task   `json:"task"`
	ResumeToken string `json:"resume_token"`
	Waited      int    `json:"waited_seconds"`
	Note        string `json:"note,omitempty"`
}

// Text is what a model reads.
func (o WaitOut) Text() string {
	var b strings.Builder
	switch {
	case o.Done:
		b.WriteString("The task has ended.")
	case o.Changed:
		b.WriteString("Something has changed.")
	default:
		fmt.Fprintf(&b, "Nothing new after %d s. The task is NOT done, and nobody has refused anything: it is %s.", o.Waited, o.Task.Status)
	}
	if o.Note != "" {
		b.WriteString(" " + o.Note)
	}
	b.WriteString("\n" + o.Task.text())
	if !o.Done {
		b.WriteString("\nTo wait on: wait_for_bounty with resume_token " + o.ResumeToken)
	}
	return b.String()
}

func (s *Server) waitForBounty(ctx context.Context, in WaitIn) (WaitOut, error) {
	seen, err := parseToken(in.ResumeToken, in.TaskID)
	if err != nil {
		return WaitOut{}, err
	}
	k, err := s.read(ctx, in.AccountIn)
	if err != nil {
		return WaitOut{}, err
	}
	seconds := defaultWait
	if in.WaitSeconds != nil {
		seconds = *in.WaitSeconds
	}
	w := waiting{k: k, in: in, seen: seen, begun: s.clock(), most: time.Duration(seconds) * time.Second}
	return w.run()
}

// waiting is one wait. It keeps nothing: the token has all that the next one needs.
type waiting struct {
	k     *call
	in    WaitIn
	seen  *token // nil until the task was seen once
	last  *rest.Task
	begun time.Time
	most  time.Duration
}

func (w *waiting) run() (WaitOut, error) {
	over := time.NewTimer(w.most)
	defer over.Stop()
	pause := w.k.s.set.Poll
	for {
		t, err := w.k.client.GetTask(w.k.ctx, w.k.who, w.in.TaskID, w.in.Lang)
		after, passing := isPassing(w.k.ctx, err)
		switch {
		case err != nil && !passing:
			return WaitOut{}, explain(err, "")
		case err == nil:
			w.last = &t
			if out, now := w.judge(t); now {
				return out, nil
			}
		}
		tool.Progress(w.k.ctx, w.k.s.clock().Sub(w.begun).Seconds(), w.most.Seconds(), "waiting for the task")
		next := time.NewTimer(max(pause, after))
		select {
		case <-next.C:
			pause = min(pause*5/4, 5*w.k.s.set.Poll)
		case <-over.C:
			next.Stop()
			return w.unchanged(err, "")
		case <-w.k.s.draining:
			next.Stop()
			return w.unchanged(err, "This server is shutting down, so the wait ended early.")
		case <-w.k.ctx.Done():
			next.Stop()
			return WaitOut{}, w.k.ctx.Err()
		}
	}
}

// judge decides whether the wait is over.
func (w *waiting) judge(t rest.Task) (WaitOut, bool) {
	now := tokenOf(t)
	if w.seen == nil {
		w.seen = &now
	}
	ended := t.Status == stateCompleted || t.Status == stateFailed
	changed := ended || *w.seen != now
	switch w.in.Until {
	case untilEnd:
		changed = ended
	case untilSubmission:
		changed = ended || t.Status == stateReview
	}
	return w.out(t, changed), changed
}

func (w *waiting) out(t rest.Task, changed bool) WaitOut {
	return WaitOut{
		Changed: changed, Done: t.Status == stateCompleted || t.Status == stateFailed, Task: view(t, w.in.Lang, w.k.who),
		ResumeToken: tokenOf(t).String(), Waited: int(w.k.s.clock().Sub(w.begun).Seconds()),
	}
}

// unchanged is the end of a wait in which nothing happened, or in which the board could
// not be asked: then the token of the caller is still good.
func (w *waiting) unchanged(err error, note string) (WaitOut, error) {
	if w.last != nil {
		out := w.out(*w.last, false)
		out.Note = note
		return out, nil
	}
	if err == nil {
		return WaitOut{}, w.k.ctx.Err()
	}
	var e *rest.Error
	if !errors.As(err, &e) {
		return WaitOut{}, explain(err, "")
	}
	f := failureOf(e)
	f.next = "Wait again; a resume_token that you have stays good."
	if w.in.ResumeToken != "" {
		f.more["resume_token"] = w.in.ResumeToken
	}
	return WaitOut{}, f.fault()
}
