package bounty

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var sendMessage = tool.New(tool.Spec{
	Name: "send_message", Title: "Say something",
	Description: "Send a message in a conversation. Never ask for codes, passwords or identity documents.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopePost, Rate: ratePost, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"message_id", "conversation_id"},
	Examples: []tool.Example{{Name: "an answer", Args: SendIn{ConversationID: exampleID, Body: "Yes, the side entrance is fine."}}},
}, (*Server).sendMessage)

// SendIn is a message.
type SendIn struct {
	ConversationID string   `json:"conversation_id"`
	Body           string   `json:"body" jsonschema:"at most 4000 characters"`
	Attachments    []string `json:"attachments,omitempty" jsonschema:"ids of uploads"`
	AccountIn
	KeyIn
}

// SendOut is a message that was sent.
type SendOut struct {
	MessageID      string `json:"message_id"`
	ConversationID string `json:"conversation_id"`
	IdempotencyKey string `json:"idempotency_key,omitempty"`
}

// Text is what a model reads.
func (o SendOut) Text() string {
	return fmt.Sprintf("Message %s was sent in conversation %s.\nidempotency_key: %s", o.MessageID, o.ConversationID, o.IdempotencyKey)
}

func (s *Server) sendMessage(ctx context.Context, in SendIn) (SendOut, error) {
	body, err := needed("body", in.Body)
	if err != nil {
		return SendOut{}, err
	}
	k, err := s.write(ctx, in.AccountIn, writing{"send_message", in.Key, in})
	if err != nil {
		return SendOut{}, err
	}
	m, err := k.client.SendMessage(ctx, k.who, rest.NewMessage{Conversation: in.ConversationID, Key: k.key, Body: body, Attachments: in.Attachments})
	if err != nil {
		return SendOut{}, explain(err, k.key)
	}
	return SendOut{clean(m.MessageID, 200), clean(in.ConversationID, 200), k.key}, nil
}
