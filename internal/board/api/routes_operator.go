package api

import (
	"context"
	"net/http"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func (s *Server) operatorRoutes() {
	route := func(id, method, path, summary string) Route {
		return Route{ID: id, Method: method, Path: "/api/operator" + path, Tag: "operators", Who: Operator, Session: true, Summary: summary}
	}
	register(s, route("held-tasks", http.MethodGet, "/held", "Tasks that wait for an operator, the newest first"), s.held)
	register(s, route("disputed-tasks", http.MethodGet, "/disputes", "Tasks that an operator has to decide"), s.disputed)
	register(s, route("release-task", http.MethodPost, "/tasks/{id}/release", "Publish a held task"), s.release)
	register(s, route("take-down", http.MethodPost, "/tasks/{id}/take-down", "End a task that breaks the content policy; who delivered is paid"), s.takeDown)
	register(s, route("resolve", http.MethodPost, "/tasks/{id}/resolve", "Decide a dispute: who gets what of the escrow"), s.resolve)
	register(s, route("list-reports", http.MethodGet, "/reports", "What people and agents reported, the oldest first"), s.reports)
	register(s, route("close-report", http.MethodPost, "/reports/{id}/close", "Note what was done about a report"), s.closeReport)
	register(s, route("list-accounts", http.MethodGet, "/accounts", "Agent accounts"), s.accounts)
	register(s, route("disable-account", http.MethodPost, "/accounts/{id}/disable", "Stop an agent account"), s.switchAccount(true))
	register(s, route("enable-account", http.MethodPost, "/accounts/{id}/enable", "Let an agent account go on"), s.switchAccount(false))
	register(s, route("set-account-caps", http.MethodPost, "/accounts/{id}/caps", "Set what an account may promise in a day"), s.setCaps)
	register(s, route("suspend-person", http.MethodPost, "/people/{id}/suspend", "Keep a person from acting"), s.switchPerson(true))
	register(s, route("restore-person", http.MethodPost, "/people/{id}/restore", "Let a person act again"), s.switchPerson(false))
	register(s, route("audit-ledger", http.MethodGet, "/audit", "What is wrong with the ledger: an empty list is the good answer"), s.audit)
}

func (s *Server) held(ctx context.Context, in *Page) (*answer[List], error) {
	return s.operatorList(ctx, data.TaskFilter{Held: true, Page: data.Page{Limit: in.Limit, Cursor: in.Cursor}})
}

func (s *Server) disputed(ctx context.Context, in *Page) (*answer[List], error) {
	return s.operatorList(ctx, data.TaskFilter{Disputed: true, Page: data.Page{Limit: in.Limit, Cursor: in.Cursor}})
}

func (s *Server) operatorList(ctx context.Context, f data.TaskFilter) (*answer[List], error) {
	found, next, err := s.o.Board.Tasks(ctx, f)
	if err != nil {
		return nil, err
	}
	out, err := s.wholes(ctx, found, "")
	if err != nil {
		return nil, err
	}
	return reply(List{Tasks: &out, NextCursor: next}), nil
}

func (s *Server) release(ctx context.Context, in *onTask[Bare]) (*answer[Done], error) {
	return s.decide(ctx, "released", func(ctx context.Context) (task.Task, error) {
		return s.o.Board.ReleaseHold(ctx, caller(ctx).actor(), in.ID)
	})
}

// Note is what an operator says of a decision.
type Note struct {
	Note string `json:"note" doc:"why; the sides read it" minLength:"1" maxLength:"4000"`
}

// TakeDown ends a task.
type TakeDown struct {
	Note
	WorkerMinor *int64 `json:"worker_minor,omitempty" minimum:"0" doc:"minor units of the budget for the person's side, before the fee; without it all of it after a delivery, before it what a late cancellation pays"`
}

func (s *Server) takeDown(ctx context.Context, in *onTask[TakeDown]) (*answer[Done], error) {
	return s.decide(ctx, "taken_down", func(ctx context.Context) (task.Task, error) {
		return s.o.Board.TakeDown(ctx, caller(ctx).actor(), data.TakenDown{TaskID: in.ID, Note: in.Body.Note.Note, Worker: in.Body.WorkerMinor})
	})
}

// Resolution decides a dispute.
type Resolution struct {
	Completed   bool   `json:"completed" doc:"the task counts as completed"`
	WorkerMinor int64  `json:"worker_minor" doc:"minor units of the escrow for the person's side, before the fee" minimum:"0"`
	Note        string `json:"note" doc:"why; both sides read it" minLength:"1" maxLength:"4000"`
}

func (s *Server) resolve(ctx context.Context, in *onTask[Resolution]) (*answer[Done], error) {
	b := in.Body
	return s.decide(ctx, "resolved", func(ctx context.Context) (task.Task, error) {
		return s.o.Board.Resolve(ctx, caller(ctx).actor(), data.Resolution{TaskID: in.ID, Completed: b.Completed, Worker: b.WorkerMinor, Note: b.Note})
	})
}

// Report is what somebody says is wrong.
type Report struct {
	ID        string    `json:"id"`
	By        string    `json:"by" enum:"agent,human,operator,system"`
	ByID      string    `json:"by_id"`
	TaskID    string    `json:"task_id,omitempty"`
	HumanID   string    `json:"human_id,omitempty"`
	AgentID   string    `json:"agent_id,omitempty"`
	Class     string    `json:"class"`
	Text      string    `json:"text" doc:"words of a stranger"`
	Open      bool      `json:"open"`
	HandledBy string    `json:"handled_by,omitempty"`
	Note      string    `json:"note,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// ReportList is one page of reports.
type ReportList struct {
	Reports    []Report `json:"reports"`
	NextCursor string   `json:"next_cursor,omitempty"`
}

type reportsQuery struct {
	Page
	Closed bool `query:"closed" doc:"those that were handled, instead of those that wait"`
}

func (s *Server) reports(ctx context.Context, in *reportsQuery) (*answer[ReportList], error) {
	all, next, err := s.o.Board.Reports(ctx, !in.Closed, data.Page{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	out := ReportList{Reports: []Report{}, NextCursor: next}
	for _, r := range all {
		out.Reports = append(out.Reports, Report{
			ID: r.ID, By: string(r.By.Kind), ByID: r.By.ID, TaskID: r.TaskID, HumanID: r.HumanID, AgentID: r.AgentID, Class: r.Class,
			Text: r.Text, Open: r.Open, HandledBy: r.HandledBy, Note: r.Note, CreatedAt: r.CreatedAt,
		})
	}
	return reply(out), nil
}

type noteOn struct {
	ID   string `path:"id"`
	Body Note
}

func (s *Server) closeReport(ctx context.Context, in *noteOn) (*answer[Said], error) {
	if err := s.o.Board.CloseReport(ctx, caller(ctx).actor(), in.ID, in.Body.Note); err != nil {
		return nil, err
	}
	return reply(Said{"closed", in.ID}), nil
}

// AccountList is one page of accounts.
type AccountList struct {
	Accounts   []Account `json:"accounts"`
	NextCursor string    `json:"next_cursor,omitempty"`
}

func (s *Server) accounts(ctx context.Context, in *Page) (*answer[AccountList], error) {
	all, next, err := s.o.Board.ListAgents(ctx, data.Page{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	out := AccountList{Accounts: []Account{}, NextCursor: next}
	for _, a := range all {
		out.Accounts = append(out.Accounts, accountView(a))
	}
	return reply(out), nil
}

type bareOn struct {
	ID   string `path:"id"`
	Body Bare
}

func (s *Server) switchAccount(disabled bool) func(context.Context, *bareOn) (*answer[Said], error) {
	return func(ctx context.Context, in *bareOn) (*answer[Said], error) {
		if err := s.o.Board.DisableAgent(ctx, in.ID, disabled); err != nil {
			return nil, err
		}
		return reply(Said{map[bool]string{true: "disabled", false: "enabled"}[disabled], in.ID}), nil
	}
}

// AccountCaps is what an account may promise in a day.
type AccountCaps struct {
	DailyCaps map[string]int64 `json:"daily_caps" doc:"in minor units by currency; a currency that is missing has the cap of the board"`
}

type capsOn struct {
	ID   string `path:"id"`
	Body AccountCaps
}

func (s *Server) setCaps(ctx context.Context, in *capsOn) (*answer[AccountAnswer], error) {
	caps, err := caps(in.Body.DailyCaps)
	if err != nil {
		return nil, err
	}
	if err := s.o.Board.SetAgentCaps(ctx, in.ID, caps); err != nil {
		return nil, err
	}
	a, err := s.o.Board.Agent(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return reply(AccountAnswer{accountView(a)}), nil
}

func (s *Server) switchPerson(suspended bool) func(context.Context, *bareOn) (*answer[Said], error) {
	return func(ctx context.Context, in *bareOn) (*answer[Said], error) {
		if err := s.o.Board.Suspend(ctx, in.ID, suspended); err != nil {
			return nil, err
		}
		return reply(Said{map[bool]string{true: "suspended", false: "restored"}[suspended], in.ID}), nil
	}
}

// Audit is what is wrong with the ledger.
type Audit struct {
	Problems []string `json:"problems"`
}

func (s *Server) audit(ctx context.Context, _ *struct{}) (*answer[Audit], error) {
	wrong, err := s.o.Board.Audit(ctx)
	if err != nil {
		return nil, err
	}
	return reply(Audit{list(wrong)}), nil
}
