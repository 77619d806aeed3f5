package runner

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var getRun = tool.New(tool.Spec{
	Name: "federalrunner_get_run", Title: "Poll or cancel a run",
	Description: "Get the answer of a run that federalrunner_execute_wizard left with status running, or cancel it.",
	Effect:      tool.Write, Idempotent: true, Scope: scopeExecute, Rate: ratePoll, Timeout: 6 * time.Minute,
	Outline:  []string{"status", "run_id", "progress", "results", "error_type", "error", "corrective_action"},
	Examples: []tool.Example{{Name: "poll", Args: GetRunIn{RunID: "run_0123456789abcdef01234567"}}},
}, (*Server).getRun)

// GetRunIn names the run.
type GetRunIn struct {
	RunID       string `json:"run_id" jsonschema:"from the reply with status running"`
	Cancel      bool   `json:"cancel,omitempty" jsonschema:"end the run now"`
	WaitSeconds *int   `json:"wait_seconds,omitempty" default:"45" minimum:"0" maximum:"300" jsonschema:"how long to wait for the answer in this call"`
}

func (s *Server) getRun(ctx context.Context, in GetRunIn) (Answer, error) {
	x, err := s.runs.get(in.RunID, tool.Caller(ctx).ID())
	if err != nil {
		return Answer{}, err
	}
	if in.Cancel {
		x.cancel(errCancelled)
		<-x.done
		return s.answerOf(x), nil
	}
	wait := s.set.Wait
	if in.WaitSeconds != nil {
		wait = time.Duration(*in.WaitSeconds) * time.Second
	}
	return s.poll(ctx, x, wait), nil
}

// poll waits for the run without owning it: a poller that goes away leaves the
// run alone.
func (s *Server) poll(ctx context.Context, x *execution, wait time.Duration) Answer {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-x.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	return s.answerOf(x)
}
