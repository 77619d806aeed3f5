package bounty

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var requestRevision = tool.New(tool.Spec{
	Name: "request_revision", Title: "Ask for a correction",
	Description: "Send a submission back with what is missing, measured by the acceptance criteria as they were posted. Once for each task.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopePost, Rate: rateDecide, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"status", "task_id", "sub_state", "deadline_at"},
	Examples: []tool.Example{{Name: "unreadable", Args: ReviseIn{TaskID: exampleID, Message: "The hours cannot be read: please take the photo from nearer."}}},
}, (*Server).requestRevision)

// ReviseIn says what is missing.
type ReviseIn struct {
	TaskID  string `json:"task_id"`
	Message string `json:"message" jsonschema:"what to do again, and why; at least 20 characters"`
	AccountIn
	KeyIn
}

func (s *Server) requestRevision(ctx context.Context, in ReviseIn) (DoneOut, error) {
	message, err := needed("message", in.Message)
	if err != nil {
		return DoneOut{}, err
	}
	k, err := s.write(ctx, in.AccountIn, writing{"request_revision", in.Key, in})
	if err != nil {
		return DoneOut{}, err
	}
	d, err := k.client.RequestRevision(ctx, k.who, k.command(in.TaskID), rest.Revision{Message: message})
	if err != nil {
		return DoneOut{}, explain(err, k.key)
	}
	out := k.done(d, in.TaskID, "revision_requested")
	out.Next = "wait_for_bounty until submission."
	return out, nil
}

// needed is a text that must say something, without the space around it.
func needed(field, text string) (string, error) {
	if text = strings.TrimSpace(text); text == "" {
		return "", refuse("invalid_request", field+" must say something.", rest.FieldError{Field: field, Code: "required"})
	}
	return text, nil
}
