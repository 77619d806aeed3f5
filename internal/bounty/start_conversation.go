package bounty

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var startConversation = tool.New(tool.Spec{
	Name: "start_conversation", Title: "Begin to talk",
	Description: "Begin a conversation with somebody of search_humans or list_applications, or with the person who has a task. People may decline.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopePost, Rate: ratePost, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"conversation_id", "status"},
	Examples: []tool.Example{{Name: "about a task", Args: StartIn{TaskID: exampleID, Message: "The shop closes at 18:00 today. Is that enough time for you?"}}},
}, (*Server).startConversation)

// StartIn says with whom, and the first message.
type StartIn struct {
	HumanRef string `json:"human_ref,omitempty" jsonschema:"or task_id"`
	TaskID   string `json:"task_id,omitempty"`
	Message  string `json:"message"`
	AccountIn
	KeyIn
}

// StartOut is a conversation that has begun.
type StartOut struct {
	ConversationID string `json:"conversation_id"`
	Status         string `json:"status"`
	MessageID      string `json:"message_id,omitempty"`
	IdempotencyKey string `json:"idempotency_key,omitempty"`
}

// Text is what a model reads.
func (o StartOut) Text() string {
	return fmt.Sprintf("Conversation %s is %s. Read the answer with get_conversation.\nidempotency_key: %s", o.ConversationID, o.Status, o.IdempotencyKey)
}

func (s *Server) startConversation(ctx context.Context, in StartIn) (StartOut, error) {
	message, err := needed("message", in.Message)
	if err != nil {
		return StartOut{}, err
	}
	if in.HumanRef == "" && in.TaskID == "" {
		return StartOut{}, refuse("invalid_request", "Say with whom: human_ref or task_id.", rest.FieldError{Field: "human_ref", Code: "required"})
	}
	k, err := s.write(ctx, in.AccountIn, writing{"start_conversation", in.Key, in})
	if err != nil {
		return StartOut{}, err
	}
	c, err := k.client.StartConversation(ctx, k.who, rest.NewConversation{HumanRef: in.HumanRef, TaskID: in.TaskID, Message: message}, k.key)
	if err != nil {
		return StartOut{}, explain(err, k.key)
	}
	return StartOut{clean(firstOf(c.ConversationID, c.ID), 200), clean(firstOf(c.Status, "open"), 40), clean(c.MessageID, 200), k.key}, nil
}
