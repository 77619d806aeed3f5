package data

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

const (
	conversationColumns = "id, agent_id, human_id, task_id, status, unanswered, messages, agent_read, human_read, created_ms, updated_ms"
	messageColumns      = "id, conversation_id, seq, sender, body, uploads, created_ms"
)

func scanConversation(r row) (Conversation, error) {
	var c Conversation
	var taskID *string
	var created, updated int64
	err := r.Scan(&c.ID, &c.AgentID, &c.HumanID, &taskID, &c.Status, &c.Unanswered, &c.Messages, &c.AgentRead, &c.HumanRead, &created, &updated)
	if err != nil {
		return Conversation{}, fmt.Errorf("read a conversation: %w", err)
	}
	c.TaskID, c.CreatedAt, c.UpdatedAt = orEmpty(taskID), moment(created), moment(updated)
	return c, nil
}

// lockConversation returns a thread of the actor for the transaction.
func lockConversation(ctx context.Context, tx store.Tx, id string, by task.Actor) (Conversation, error) {
	c, err := found(scanConversation(tx.QueryRow(ctx, "UPDATE conversations SET updated_ms = updated_ms WHERE id = $1 RETURNING "+conversationColumns, id)))
	if err != nil {
		return Conversation{}, err
	}
	if by.Kind == task.Agent && c.AgentID == by.ID || by.Kind == task.Human && c.HumanID == by.ID {
		return c, nil
	}
	return Conversation{}, task.Refuse(task.NotFound)
}

func insertMessage(ctx context.Context, tx store.Tx, m Message) error {
	uploads, err := json.Marshal(m.Uploads)
	if err != nil {
		return fmt.Errorf("write the uploads of a message: %w", err)
	}
	_, err = tx.Exec(ctx, "INSERT INTO messages ("+messageColumns+") VALUES ("+placeholders(7)+")",
		m.ID, m.ConversationID, m.Seq, m.Sender, m.Body, string(uploads), millis(m.CreatedAt))
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	return nil
}

func scanMessage(r row) (Message, error) {
	var m Message
	var uploads string
	var created int64
	if err := r.Scan(&m.ID, &m.ConversationID, &m.Seq, &m.Sender, &m.Body, &uploads, &created); err != nil {
		return Message{}, fmt.Errorf("read a message: %w", err)
	}
	m.CreatedAt = moment(created)
	if err := json.Unmarshal([]byte(uploads), &m.Uploads); err != nil {
		return Message{}, fmt.Errorf("read the uploads of message %s: %w", m.ID, err)
	}
	return m, nil
}

// Conversation is a thread by id.
func (b *Board) Conversation(ctx context.Context, id string) (Conversation, error) {
	return one(ctx, b, scanConversation, q("SELECT "+conversationColumns+" FROM conversations WHERE id = $1", id))
}

// ConversationOf is the thread of a task with the person who works on it, or did
// last.
func (b *Board) ConversationOf(ctx context.Context, taskID string) (Conversation, error) {
	return one(ctx, b, scanConversation, q("SELECT "+conversationColumns+` FROM conversations c WHERE task_id = $1
ORDER BY CASE WHEN human_id = (SELECT t.human_id FROM tasks t WHERE t.id = c.task_id) THEN 0 ELSE 1 END, updated_ms DESC LIMIT 1`, taskID))
}

// Conversations are those of an agent or a human, the latest first.
func (b *Board) Conversations(ctx context.Context, of task.Actor, p Page) ([]Conversation, string, error) {
	s := selectFrom(conversationColumns, "conversations")
	if of.Kind == task.Agent {
		s.where("agent_id = ?", of.ID)
	} else {
		s.where("human_id = ?", of.ID)
	}
	return page(ctx, b, s, keyset[Conversation]{column: "updated_ms", scan: scanConversation, page: p, at: func(c Conversation) place { return place{millis(c.UpdatedAt), c.ID} }})
}

// Messages are those after a sequence number, the oldest first.
func (b *Board) Messages(ctx context.Context, conversationID string, after int64, limit int) ([]Message, error) {
	return list(ctx, b, scanMessage, q("SELECT "+messageColumns+" FROM messages WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
		conversationID, after, Page{Limit: limit}.limit()))
}

// Message is a message by id.
func (b *Board) Message(ctx context.Context, id string) (Message, error) {
	return one(ctx, b, scanMessage, q("SELECT "+messageColumns+" FROM messages WHERE id = $1", id))
}
