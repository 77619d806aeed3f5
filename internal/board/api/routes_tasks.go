package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/policy"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func (s *Server) taskRoutes() {
	register(s, Route{
		ID: "create-task", Method: http.MethodPost, Path: "/api/tasks", Tag: "tasks", Who: Agent, Scope: data.ScopePost, Keyed: true,
		Summary: "Post an open task", Status: http.StatusCreated,
	}, s.createTask)
	register(s, Route{
		ID: "call-human", Method: http.MethodPost, Path: "/api/call_human", Tag: "tasks", Who: Agent, Scope: data.ScopePost, Keyed: true, Rejects: true,
		Summary: "Post a task and ask people who agreed to instant offers, one after the other",
	}, s.callHuman)
	register(s, Route{
		ID: "quote-task", Method: http.MethodPost, Path: "/api/quotes", Tag: "tasks", Who: Agent, Scope: data.ScopePost,
		Summary: "What a task would cost and whether it would be posted; nothing is, on boards without this path either",
	}, s.quoteTask)
	register(s, Route{
		ID: "list-tasks", Method: http.MethodGet, Path: "/api/tasks", Tag: "tasks", Who: Everybody, Scope: data.ScopeRead,
		Summary: "One task by task_id, or a list, the newest first",
	}, s.listTasks)
	register(s, Route{ID: "get-task", Method: http.MethodGet, Path: "/api/tasks/{id}", Tag: "tasks", Who: Everybody, Scope: data.ScopeRead, Summary: "One task"}, s.getTask)
	register(s, Route{ID: "get-task-alias", Method: http.MethodGet, Path: "/api/task/{id}", Tag: "tasks", Who: Everybody, Scope: data.ScopeRead, Summary: "One task, by the older path"}, s.getTask)
	register(s, Route{
		ID: "task-history", Method: http.MethodGet, Path: "/api/tasks/{id}/history", Tag: "tasks", Who: Agent | Human | Operator, Scope: data.ScopeRead, HumanScope: data.ScopeProfileRead,
		Summary: "What happened to a task, the oldest first, for those whom it concerns",
	}, s.taskHistory)
	register(s, Route{
		ID: "task-requester", Method: http.MethodGet, Path: "/api/tasks/{id}/requester", Tag: "tasks", Who: Everybody, Scope: data.ScopeRead,
		Summary: "How the requester of a task treats people",
	}, s.taskRequester)
}

// screen asks the content policy about everything that a person would read.
func screen(n NewTask) (*data.Hold, []string, error) {
	v := policy.Screen(policy.Text{
		Label: n.Label, Task: strings.TrimSpace(n.Title + "\n" + n.Task), AcceptanceCriteria: n.AcceptanceCriteria, NotAllowed: n.NotAllowed,
		Location: strings.TrimSpace(n.Location + "\n" + n.ExactLocation),
	})
	switch v.Action {
	case policy.Block:
		return nil, nil, refuseContent(v)
	case policy.Hold:
		return &data.Hold{Class: string(v.Class), Excerpt: v.Findings[0].Excerpt}, nil, nil
	case policy.Warn:
		return nil, []string{v.Class.Reason("en")}, nil
	}
	return nil, nil, nil
}

// refuseContent says which rule a text breaks, and which words of it.
func refuseContent(v policy.Verdict) error {
	return task.Because(task.ContentPolicy, v.Class.Reason("en")).
		WithData("class", string(v.Class)).WithData("field", v.Findings[0].Field).WithData("excerpt", v.Findings[0].Excerpt)
}

func (s *Server) createTask(ctx context.Context, in *with[NewTask]) (*answer[Created], error) {
	hold, warnings, err := screen(in.Body)
	if err != nil {
		return nil, err
	}
	if in.Body.DryRun {
		return s.dryRun(in.Body, hold, warnings)
	}
	t, err := s.post(ctx, in.Body, hold)
	if err != nil {
		return nil, err
	}
	out := created(t)
	out.Warnings = warnings
	return reply(out), nil
}

// post posts a task, once for the request's key.
func (s *Server) post(ctx context.Context, n NewTask, hold *data.Hold) (task.Task, error) {
	return once(ctx, s, func(ctx context.Context) (task.Task, error) {
		return s.o.Board.CreateTask(ctx, caller(ctx).actor(), data.NewTask{Draft: n.draft(), Hold: hold})
	})
}

func created(t task.Task) Created {
	return Created{
		ID: t.ID, Status: string(t.Status), SubState: string(t.SubState), Quote: quoteOf(t.Quote()),
		DeadlineAt: when(t.DeadlineAt), ClientRef: t.ClientRef, Version: t.Version,
	}
}

// quoteTask is a dry run under a path of its own: a board that does not know dry_run
// would post the task. It takes what either way of posting takes.
func (s *Server) quoteTask(_ context.Context, in *with[CallHuman]) (*answer[Created], error) {
	n := in.Body.NewTask
	hold, warnings, err := screen(n)
	if err != nil {
		return nil, err
	}
	return s.dryRun(n, hold, warnings)
}

// dryRun says what posting would say, and posts nothing.
func (s *Server) dryRun(n NewTask, hold *data.Hold, warnings []string) (*answer[Created], error) {
	t, err := n.draft().Check(s.o.Board.Terms().Floors, s.o.Clock())
	if err != nil {
		return nil, err
	}
	q, err := s.o.Board.Quote(t.Budget)
	if err != nil {
		return nil, fmt.Errorf("quote a dry run: %w", err)
	}
	out := Created{Status: "dry_run", DryRun: true, Quote: quoteOf(q), DeadlineAt: when(t.DeadlineAt), ClientRef: t.ClientRef, Warnings: warnings}
	if hold != nil {
		out.SubState = string(task.Held)
	}
	return reply(out), nil
}

// List is one page of tasks, or the one task that was asked for.
type List struct {
	Task       *Task   `json:"task,omitempty" doc:"with task_id"`
	Tasks      *[]Task `json:"tasks,omitempty" doc:"without task_id"`
	NextCursor string  `json:"next_cursor,omitempty" doc:"cursor of the next page; missing on the last"`
}

// listQuery are the parameters of the list of tasks.
type listQuery struct {
	Page
	TaskID       string    `query:"task_id" doc:"this task alone"`
	Label        string    `query:"task_label" doc:"only tasks of this kind"`
	Query        string    `query:"q" doc:"words that all occur in the texts"`
	Lang         string    `query:"lang" doc:"language of display texts: en or ja"`
	Scope        string    `query:"scope" enum:"mine,public" doc:"mine: the caller's own; public: what everybody may see. Default: mine with credentials, public without."`
	Status       string    `query:"status" doc:"only tasks in these states, separated by commas"`
	Deliverable  string    `query:"deliverable" enum:"photo,video,text"`
	Prefecture   string    `query:"prefecture"`
	City         string    `query:"city"`
	ClientRef    string    `query:"client_ref" doc:"the caller's own name of a task"`
	UpdatedSince time.Time `query:"updated_since" doc:"only tasks that changed since (RFC 3339)"`
}

func (s *Server) listTasks(ctx context.Context, in *listQuery) (*answer[List], error) {
	if in.TaskID != "" {
		v, err := s.readTask(ctx, in.TaskID, in.Lang)
		if err != nil {
			return nil, err
		}
		return reply(List{Task: &v}), nil
	}
	f, err := in.filter(caller(ctx))
	if err != nil {
		return nil, err
	}
	found, next, err := s.o.Board.Tasks(ctx, f)
	if err != nil {
		return nil, err
	}
	out, err := s.wholes(ctx, found, in.Lang)
	if err != nil {
		return nil, err
	}
	return reply(List{Tasks: &out, NextCursor: next}), nil
}

// filter refuses what it does not know instead of leaving it out: an agent would
// otherwise take everything for what it asked for.
func (q *listQuery) filter(who Principal) (data.TaskFilter, error) {
	f := data.TaskFilter{
		Label: task.Label(q.Label), Deliverable: task.Deliverable(q.Deliverable), Prefecture: q.Prefecture, City: q.City, ClientRef: q.ClientRef,
		Query: q.Query, UpdatedSince: q.UpdatedSince, Page: data.Page{Limit: q.Limit, Cursor: q.Cursor},
	}
	if f.Label != "" && !slices.Contains(task.Labels(), f.Label) {
		return f, invalid(FieldError{"task_label", string(task.InvalidEnum)})
	}
	for _, name := range split(q.Status) {
		if !task.Status(name).Valid() {
			return f, invalid(FieldError{"status", string(task.InvalidEnum)})
		}
		if !slices.Contains(f.Statuses, task.Status(name)) {
			f.Statuses = append(f.Statuses, task.Status(name))
		}
	}
	scope := q.Scope
	if scope == "" && (who.Kind == Anonymous || who.Kind == Human) {
		scope = "public"
	}
	switch {
	case scope == "public":
		f.Public = true
	case who.Kind == Anonymous:
		return f, task.Refuse(task.MissingCredentials)
	case who.Kind == Agent:
		f.AgentID = who.AgentID
	case who.Kind == Human:
		f.HumanID = who.HumanID
	}
	return f, nil
}

func split(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

func (s *Server) getTask(ctx context.Context, in *TaskPath) (*answer[List], error) {
	v, err := s.readTask(ctx, in.ID, in.Lang)
	if err != nil {
		return nil, err
	}
	return reply(List{Task: &v}), nil
}

// readTask is a task as the caller may read it; one that he may not see is not there.
func (s *Server) readTask(ctx context.Context, id, lang string) (Task, error) {
	t, err := s.o.Board.Task(ctx, id)
	if err != nil {
		return Task{}, err
	}
	if !visible(t, relate(caller(ctx), t)) {
		return Task{}, task.Refuse(task.NotFound)
	}
	return s.whole(ctx, t, lang)
}

// wholes are the tasks of one page.
func (s *Server) wholes(ctx context.Context, tasks []task.Task, lang string) ([]Task, error) {
	ids := make([]string, 0, len(tasks))
	for _, t := range tasks {
		ids = append(ids, t.ID)
	}
	counts, err := s.o.Board.CountsOfApplications(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]Task, 0, len(tasks))
	for _, t := range tasks {
		v, err := s.withDelivery(ctx, t, lang)
		if err != nil {
			return nil, err
		}
		v.Applications = counts[t.ID]
		out = append(out, v)
	}
	return out, nil
}

// whole is one task as wholes has it.
func (s *Server) whole(ctx context.Context, t task.Task, lang string) (Task, error) {
	all, err := s.wholes(ctx, []task.Task{t}, lang)
	if err != nil {
		return Task{}, err
	}
	return all[0], nil
}

// withDelivery is a task with what was delivered, for those whom it concerns.
func (s *Server) withDelivery(ctx context.Context, t task.Task, lang string) (Task, error) {
	who := caller(ctx)
	v := s.view(who, t, lang)
	if relate(who, t) == stranger || t.SubmittedAt.IsZero() {
		return v, nil
	}
	all, err := s.o.Board.Submissions(ctx, t.ID)
	if err != nil {
		return Task{}, err
	}
	// somebody who gave the task back keeps what he delivered to himself
	if len(all) > 0 && all[0].HumanID == t.HumanID {
		v.Submission = s.delivery(who, all[0])
	}
	return v, nil
}

// Happened is what happened to a task.
type Happened struct {
	Events []Event `json:"events"`
}

// mine is the task when it concerns the caller; for everybody else it is not there.
func (s *Server) mine(ctx context.Context, id string) (task.Task, error) {
	t, err := s.o.Board.Task(ctx, id)
	if err != nil {
		return t, err
	}
	if relate(caller(ctx), t) == stranger {
		return t, task.Refuse(task.NotFound)
	}
	return t, nil
}

func (s *Server) taskHistory(ctx context.Context, in *TaskPath) (*answer[Happened], error) {
	if _, err := s.mine(ctx, in.ID); err != nil {
		return nil, err
	}
	all, err := s.o.Board.History(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := Happened{Events: []Event{}}
	for _, e := range all {
		out.Events = append(out.Events, event(e))
	}
	return reply(out), nil
}

// Requester is how the requester of a task treats people.
type Requester struct {
	Name               string   `json:"name"`
	Posted             int64    `json:"posted"`
	Completed          int64    `json:"completed"`
	Rejected           int64    `json:"rejected" doc:"final rejections"`
	Cancelled          int64    `json:"cancelled" doc:"taken back after somebody had started"`
	MedianReviewMinute int64    `json:"median_review_minutes" doc:"from delivery to approval"`
	Rating             *float64 `json:"rating"`
	Ratings            int64    `json:"ratings"`
}

func (s *Server) taskRequester(ctx context.Context, in *TaskPath) (*answer[Requester], error) {
	t, err := s.o.Board.Task(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if !visible(t, relate(caller(ctx), t)) {
		return nil, task.Refuse(task.NotFound)
	}
	a, err := s.o.Board.Agent(ctx, t.AgentID)
	if err != nil {
		return nil, err
	}
	n, err := s.o.Board.AgentStats(ctx, t.AgentID)
	if err != nil {
		return nil, err
	}
	return reply(Requester{
		Name: a.Name, Posted: n.Posted, Completed: n.Completed, Rejected: n.Rejected, Cancelled: n.Cancelled,
		MedianReviewMinute: int64(n.MedianReview / time.Minute), Rating: rating(n.Rating, n.Ratings), Ratings: n.Ratings,
	}), nil
}
