package api

import (
	"context"
	"net/http"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func (s *Server) applicationRoutes() {
	worker := Human | Operator
	register(s, Route{
		ID: "apply", Method: http.MethodPost, Path: "/api/tasks/{id}/apply", Tag: "applications", Who: worker, HumanScope: data.ScopeSubmissionsWrite, Keyed: true,
		Summary: "Apply for a task", Status: http.StatusCreated,
	}, s.apply)
	register(s, Route{
		ID: "my-application", Method: http.MethodGet, Path: "/api/tasks/{id}/apply", Tag: "applications", Who: worker, HumanScope: data.ScopeProfileRead,
		Summary: "The caller's own application for a task",
	}, s.ownApplication)
	register(s, Route{
		ID: "withdraw", Method: http.MethodPost, Path: "/api/applications/{id}/withdraw", Tag: "applications", Who: worker, HumanScope: data.ScopeSubmissionsWrite, Keyed: true,
		Summary: "Take an application back",
	}, s.withdraw)
	register(s, Route{
		ID: "list-applications", Method: http.MethodGet, Path: "/api/tasks/{id}/applications", Tag: "applications", Who: Agent | Operator, Scope: data.ScopeRead,
		Summary: "Who applied, the oldest first",
	}, s.applications)
	register(s, Route{
		ID: "reject-application", Method: http.MethodPost, Path: "/api/applications/{id}/reject", Tag: "applications", Who: Agent, Scope: data.ScopePost, Keyed: true,
		Summary: "Decline one applicant",
	}, s.rejectApplication)
	register(s, Route{
		ID: "accept-application", Method: http.MethodPost, Path: "/api/tasks/{id}/accept-application", Tag: "applications", Who: Agent, Scope: data.ScopePost, Keyed: true,
		Summary: "Choose an applicant: the budget is funded, the others are declined",
	}, s.acceptApplication)
	register(s, Route{
		ID: "accept-alias", Method: http.MethodPost, Path: "/api/tasks/{id}/accept", Tag: "applications", Who: Agent, Scope: data.ScopePost, Keyed: true,
		Summary: "The same by the older path, with the human_id of an applicant",
	}, s.acceptApplication)
}

// Applied is the answer to an application.
type Applied struct {
	Status        string `json:"status" enum:"applied"`
	TaskID        string `json:"task_id"`
	ApplicationID string `json:"application_id"`
}

func (s *Server) apply(ctx context.Context, in *onTask[Application]) (*answer[Applied], error) {
	if err := self(ctx, in.Body.HumanID); err != nil {
		return nil, err
	}
	counter, err := s.counterOf(ctx, in.ID, in.Body)
	if err != nil {
		return nil, err
	}
	a, err := once(ctx, s, func(ctx context.Context) (data.Application, error) {
		return s.o.Board.Apply(ctx, caller(ctx).asHuman(), data.NewApplication{
			TaskID: in.ID, CoverLetter: in.Body.CoverLetter, Availability: in.Body.Availability, Counter: counter,
		})
	})
	if err != nil {
		return nil, err
	}
	return reply(Applied{"applied", a.TaskID, a.ID}), nil
}

// counterOf is what the person asks for, in the currency of the task.
func (s *Server) counterOf(ctx context.Context, id string, a Application) (*int64, error) {
	switch {
	case a.CounterAmountMinor != nil && (*a.CounterAmountMinor <= 0 || *a.CounterAmountMinor > money.Max):
		return nil, invalid(FieldError{"counter_amount_minor", string(task.InvalidNumber)})
	case a.CounterBudgetUSD == nil:
		return a.CounterAmountMinor, nil
	}
	t, err := s.o.Board.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	amount, err := money.FromMajor(*a.CounterBudgetUSD, money.USD)
	if err != nil || amount.Minor <= 0 || t.Budget.Currency != money.USD {
		return nil, invalid(FieldError{"counter_budget_usd", string(task.InvalidNumber)})
	}
	return &amount.Minor, nil
}

// OwnApplication says whether the caller applied.
type OwnApplication struct {
	Status      string         `json:"status" enum:"applied,not_applied"`
	TaskID      string         `json:"task_id"`
	Application *MyApplication `json:"application,omitempty"`
}

type ownApplicationQuery struct {
	TaskPath
	HumanID string `query:"human_id" doc:"the caller, by the older contract"`
}

// self refuses a person who is named and is not the caller.
func self(ctx context.Context, human string) error {
	if human != "" && human != caller(ctx).HumanID {
		return task.Because(task.Forbidden, "human_id names somebody else. Leave it out: the credentials say who applies.")
	}
	return nil
}

func (s *Server) ownApplication(ctx context.Context, in *ownApplicationQuery) (*answer[OwnApplication], error) {
	if err := self(ctx, in.HumanID); err != nil {
		return nil, err
	}
	if _, err := s.readTask(ctx, in.ID, ""); err != nil {
		return nil, err
	}
	out := OwnApplication{Status: "not_applied", TaskID: in.ID}
	for p := (data.Page{Limit: 100}); ; {
		all, next, err := s.o.Board.ApplicationsOf(ctx, caller(ctx).HumanID, p)
		if err != nil {
			return nil, err
		}
		for _, a := range all {
			if a.TaskID == in.ID {
				out.Status, out.Application = "applied", ptr(myApplication(a))
				return reply(out), nil
			}
		}
		if p.Cursor = next; next == "" {
			return reply(out), nil
		}
	}
}

type applicationPath struct {
	ID   string `path:"id" doc:"the application"`
	Body Bare
}

// Answered is the answer to a command on an application.
type Answered struct {
	Status        string `json:"status" enum:"withdrawn,declined"`
	TaskID        string `json:"task_id"`
	ApplicationID string `json:"application_id"`
}

func (s *Server) withdraw(ctx context.Context, in *applicationPath) (*answer[Answered], error) {
	return s.answerApplication(ctx, func(ctx context.Context) (data.Application, error) {
		return s.o.Board.WithdrawApplication(ctx, caller(ctx).asHuman(), in.ID)
	})
}

func (s *Server) rejectApplication(ctx context.Context, in *applicationPath) (*answer[Answered], error) {
	return s.answerApplication(ctx, func(ctx context.Context) (data.Application, error) {
		return s.o.Board.RejectApplication(ctx, caller(ctx).actor(), in.ID)
	})
}

func (s *Server) answerApplication(ctx context.Context, command func(context.Context) (data.Application, error)) (*answer[Answered], error) {
	a, err := once(ctx, s, command)
	if err != nil {
		return nil, err
	}
	return reply(Answered{string(a.Status), a.TaskID, a.ID}), nil
}

type applicationsQuery struct {
	ID     string `path:"id"`
	Status string `query:"status" enum:"pending,accepted,declined,withdrawn"`
	Page
}

// ApplicantList is one page of applicants.
type ApplicantList struct {
	Applications []Applicant `json:"applications"`
	NextCursor   string      `json:"next_cursor,omitempty"`
}

func (s *Server) applications(ctx context.Context, in *applicationsQuery) (*answer[ApplicantList], error) {
	t, err := s.mine(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	all, next, err := s.o.Board.Applications(ctx, t.ID, data.ApplicationStatus(in.Status), data.Page{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	out := ApplicantList{Applications: []Applicant{}, NextCursor: next}
	for _, a := range all {
		v, err := s.applicant(ctx, t, a)
		if err != nil {
			return nil, err
		}
		out.Applications = append(out.Applications, v)
	}
	return reply(out), nil
}

func (s *Server) applicant(ctx context.Context, t task.Task, a data.Application) (Applicant, error) {
	p, err := s.o.Board.PersonSeen(ctx, a.HumanID)
	if err != nil {
		return Applicant{}, err
	}
	n, err := s.o.Board.PersonStats(ctx, a.HumanID)
	if err != nil {
		return Applicant{}, err
	}
	v := Applicant{
		ID: a.ID, HumanRef: s.o.Board.Ref(t.AgentID, a.HumanID), Handle: p.Handle, CoverLetter: a.CoverLetter, Availability: a.Availability,
		CounterMinor: counter(a.Counter), Rating: rating(n.Rating, n.Ratings), Completed: n.Completed,
		Status: string(a.Status), CreatedAt: a.CreatedAt, AnsweredAt: when(a.AnsweredAt), Untrusted: true,
	}
	if v.CounterMinor != nil {
		v.CounterCurrency = string(a.Counter.Currency)
	}
	return v, nil
}

func (s *Server) acceptApplication(ctx context.Context, in *onTask[Choice]) (*answer[Done], error) {
	b := in.Body
	a := data.Acceptance{TaskID: in.ID, ApplicationID: b.ApplicationID, AtCounter: b.AtCounter, Version: b.ExpectedVersion}
	ref := b.HumanRef
	if ref == "" {
		ref = b.HumanID
	}
	switch {
	case a.ApplicationID == "" && ref == "":
		return nil, invalid(FieldError{"application_id", string(task.Required)})
	case a.ApplicationID == "":
		if err := s.party(ctx, in.ID); err != nil {
			return nil, err
		}
		human, err := s.o.Board.Deref(ctx, caller(ctx).AgentID, ref)
		if err != nil {
			return nil, task.Refuse(task.NotApplied)
		}
		a.HumanID = human
	}
	assigned, err := once(ctx, s, func(ctx context.Context) (data.Assigned, error) {
		return s.o.Board.AcceptApplication(ctx, caller(ctx).actor(), a)
	})
	if err != nil {
		return nil, err
	}
	out := done(assigned.Task, string(task.Accepted))
	out.ApplicationID = assigned.Application.ID
	return reply(out), nil
}
