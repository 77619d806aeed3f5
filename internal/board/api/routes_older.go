package api

import (
	"context"
	"math"
	"net/http"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// olderRoutes are paths of the product that the specification describes, whose work
// other routes do here in one step: who speaks to that product finds them.
func (s *Server) olderRoutes() {
	route := func(id, path, summary string) Route {
		return Route{ID: id, Method: http.MethodPost, Path: "/api/tasks/{id}" + path, Tag: "tasks", Who: Agent, Scope: data.ScopePost, Summary: summary}
	}
	register(s, route("recognize-alias", "/review/recognize", "Look whether there is a delivery to review; a message is none"), s.recognize)
	register(s, route("confirm-alias", "/review/confirm", "Keep what was looked at for the approval, which can also say it itself"), s.confirmReview)
	register(s, route("contact-allow", "/contact/allow", "The conversation of a task, which is open as soon as somebody has the task"), s.contactAllow)
	register(s, Route{
		ID: "contact-read", Method: http.MethodPatch, Path: "/api/tasks/{id}/contact/read", Tag: "conversations", Who: Agent | Human | Operator, Scope: data.ScopeRead, HumanScope: data.ScopeMessagesRead,
		Summary: "Note that the conversation of a task was read, by the older path",
	}, s.contactRead)
}

// Recognized is the delivery that waits for a review.
type Recognized struct {
	Status        string `json:"status" enum:"recognized"`
	TaskID        string `json:"task_id"`
	SubmissionID  string `json:"submission_id"`
	HasAttachment bool   `json:"has_attachment"`
}

// underReview is a task of the caller that waits for their decision.
func (s *Server) underReview(ctx context.Context, id string) (task.Task, error) {
	t, err := s.mine(ctx, id)
	if err != nil {
		return t, err
	}
	if t.Status == task.Accepted {
		return t, task.Refuse(task.MissingSubmission)
	}
	if t.Status != task.ReviewPending {
		return t, task.Refuse(task.NotReviewPending)
	}
	return t, nil
}

// Recognition is the body of the older path, which could name a message as the delivery.
type Recognition struct {
	Credentials
	MessageID string `json:"message_id,omitempty" doc:"by the older contract; ignored, since a message is no delivery"`
}

func (s *Server) recognize(ctx context.Context, in *onTask[Recognition]) (*answer[Recognized], error) {
	t, err := s.underReview(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	all, err := s.o.Board.Submissions(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, task.Refuse(task.MissingSubmission)
	}
	out := Recognized{Status: "recognized", TaskID: t.ID, SubmissionID: all[0].ID}
	for _, item := range all[0].Items {
		out.HasAttachment = out.HasAttachment || item.Upload != ""
	}
	return reply(out), nil
}

// Confirmation says what was looked at.
type Confirmation struct {
	Credentials
	Checks
}

// Confirmed is what is kept for the approval.
type Confirmed struct {
	Status string `json:"status" enum:"updated"`
	TaskID string `json:"task_id"`
	Guard  Checks `json:"guard"`
}

func (s *Server) confirmReview(ctx context.Context, in *onTask[Confirmation]) (*answer[Confirmed], error) {
	b := in.Body.Checks
	if err := s.o.Board.KeepChecks(ctx, caller(ctx).actor(), data.Approval{TaskID: in.ID, Checks: b.set(), Note: b.Note}); err != nil {
		return nil, err
	}
	return reply(Confirmed{"updated", in.ID, b}), nil
}

// Contact is the conversation of a task.
type Contact struct {
	Status         string `json:"status" enum:"open"`
	ConversationID string `json:"conversation_id"`
}

func (s *Server) contactAllow(ctx context.Context, in *onTask[Bare]) (*answer[Contact], error) {
	c, err := s.contact(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if c.Status != data.ConversationOpen {
		return nil, task.Refuse(task.ContactNotOpen)
	}
	return reply(Contact{"open", c.ID}), nil
}

// contact is the conversation of a task of the caller.
func (s *Server) contact(ctx context.Context, id string) (data.Conversation, error) {
	if _, err := s.mine(ctx, id); err != nil {
		return data.Conversation{}, err
	}
	c, err := s.o.Board.ConversationOf(ctx, id)
	if task.ReasonOf(err) == task.NotFound {
		return c, task.Refuse(task.ContactNotOpen)
	}
	if err != nil {
		return c, err
	}
	return s.talk(ctx, c.ID)
}

func (s *Server) contactRead(ctx context.Context, in *onTask[Bare]) (*answer[Said], error) {
	c, err := s.contact(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if err := s.o.Board.MarkRead(ctx, side(caller(ctx)), c.ID, math.MaxInt64); err != nil {
		return nil, err
	}
	return reply(Said{"read", c.ID}), nil
}
