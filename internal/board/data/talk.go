package data

import (
	"context"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

const (
	maxMessage    = 4000 // characters
	maxUploads    = 10   // of a message
	maxUnanswered = 3    // messages of an agent to a person who has not answered
)

// StartConversation opens the thread of an agent and a person with its first
// message. A thread that is there is used again.
func (b *Board) StartConversation(ctx context.Context, by task.Actor, n NewConversation) (Started, error) {
	if by.Kind != task.Agent {
		return Started{}, task.Refuse(task.Forbidden)
	}
	body, err := checkMessage(n.Body, n.Uploads)
	if err != nil {
		return Started{}, err
	}
	var out Started
	err = b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		c, err := b.thread(ctx, tx, by, n)
		if err != nil {
			return err
		}
		out.Conversation, out.Message, err = b.say(ctx, tx, saying{c, by, body, n.Uploads})
		if err != nil {
			return err
		}
		return remember(ctx, tx, out)
	})
	return out, err
}

// thread finds or makes the conversation, locked.
func (b *Board) thread(ctx context.Context, tx store.Tx, by task.Actor, n NewConversation) (Conversation, error) {
	if n.TaskID != "" {
		t, err := found(scanTask(tx.QueryRow(ctx, "SELECT "+taskColumns+" FROM tasks WHERE id = $1 AND agent_id = $2", n.TaskID, by.ID)))
		if err != nil {
			return Conversation{}, err
		}
		c, err := scanConversation(tx.QueryRow(ctx, "UPDATE conversations SET updated_ms = updated_ms WHERE task_id = $1 AND human_id = $2 RETURNING "+conversationColumns, t.ID, t.HumanID))
		if errors.Is(err, store.ErrNoRows) {
			return Conversation{}, task.Refuse(task.ContactNotOpen)
		}
		return c, err
	}
	if _, err := lockPerson(ctx, tx, n.HumanID); err != nil {
		if task.ReasonOf(err) == task.APIAccessDisabled {
			err = task.Refuse(task.NotFound)
		}
		return Conversation{}, err
	}
	return scanConversation(tx.QueryRow(ctx, `INSERT INTO conversations (`+conversationColumns+`) VALUES ($1, $2, $3, NULL, 'pending', 0, 0, 0, 0, $4, $4)
ON CONFLICT (agent_id, human_id) WHERE task_id IS NULL DO UPDATE SET updated_ms = $4 RETURNING `+conversationColumns,
		newID(tx.Now()), by.ID, n.HumanID, millis(tx.Now())))
}

// SendMessage adds a message; the first one of the person opens the thread.
func (b *Board) SendMessage(ctx context.Context, by task.Actor, n NewMessage) (Message, error) {
	body, err := checkMessage(n.Body, n.Uploads)
	if err != nil {
		return Message{}, err
	}
	var out Message
	err = b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		c, err := lockConversation(ctx, tx, n.ConversationID, by)
		if err != nil {
			return err
		}
		if _, out, err = b.say(ctx, tx, saying{c, by, body, n.Uploads}); err != nil {
			return err
		}
		return remember(ctx, tx, out)
	})
	return out, err
}

// checkMessage cleans a text; one without files must say something.
func checkMessage(body string, uploads []string) (string, error) {
	var wrong task.Fields
	body = task.CheckOptional(&wrong, "body", body, maxMessage)
	if body == "" && len(uploads) == 0 {
		wrong.Add("body", task.Required)
	}
	if len(uploads) > maxUploads {
		wrong.Add("uploads", task.TooLong)
	}
	for _, u := range uploads {
		if u == "" || len(u) > maxUploadID {
			wrong.Add("uploads", task.InvalidFormat)
		}
	}
	return body, wrong.Err()
}

// saying is a message on its way into a locked thread.
type saying struct {
	thread  Conversation
	by      task.Actor
	body    string
	uploads []string
}

// say writes a message and tells the agent's listeners of it.
func (b *Board) say(ctx context.Context, tx store.Tx, s saying) (Conversation, Message, error) {
	c := s.thread
	switch {
	case c.Status == ConversationClosed || c.Status == ConversationBlocked:
		return c, Message{}, task.Refuse(task.ContactNotOpen)
	case s.by.Kind == task.Human:
		c.Status, c.Unanswered = ConversationOpen, 0
	case c.Status == ConversationPending && c.Unanswered >= maxUnanswered:
		return c, Message{}, task.Refuse(task.ContactLimit)
	default:
		c.Unanswered++
	}
	c.Messages++
	if s.by.Kind == task.Human {
		c.HumanRead = c.Messages
	} else {
		c.AgentRead = c.Messages
	}
	c.UpdatedAt = kept(tx)
	_, err := tx.Exec(ctx, "UPDATE conversations SET status = $2, unanswered = $3, messages = $4, agent_read = $5, human_read = $6, updated_ms = $7 WHERE id = $1",
		c.ID, c.Status, c.Unanswered, c.Messages, c.AgentRead, c.HumanRead, millis(c.UpdatedAt))
	if err != nil {
		return c, Message{}, fmt.Errorf("write a conversation: %w", err)
	}
	m := Message{ID: newID(tx.Now()), ConversationID: c.ID, Seq: c.Messages, Sender: s.by.Kind, Body: s.body, Uploads: s.uploads, CreatedAt: kept(tx)}
	if err := insertMessage(ctx, tx, m); err != nil {
		return c, Message{}, err
	}
	return c, m, b.tellMessage(ctx, tx, s, m)
}

// tellMessage records that a message came.
func (b *Board) tellMessage(ctx context.Context, tx store.Tx, s saying, m Message) error {
	e := Event{Type: task.MessageReceived, AgentID: s.thread.AgentID, TaskID: s.thread.TaskID, Actor: task.Actor{Kind: s.by.Kind, ID: s.by.ID},
		Data: map[string]string{"conversation_id": m.ConversationID, "message_id": m.ID, "human_id": s.thread.HumanID}}
	if e.TaskID != "" {
		if err := tx.QueryRow(ctx, "SELECT version, status FROM tasks WHERE id = $1", e.TaskID).Scan(&e.TaskVersion, &e.Status); err != nil {
			return fmt.Errorf("read the task of a message: %w", err)
		}
	}
	e, err := recordEvent(ctx, tx, e)
	if err != nil {
		return err
	}
	return b.outbox.Enqueue(ctx, tx, Job{Kind: task.JobEvent, Key: e.ID, ID: e.ID})
}

// MarkRead notes how far a side has read; it never goes back.
func (b *Board) MarkRead(ctx context.Context, by task.Actor, conversationID string, seq int64) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		c, err := lockConversation(ctx, tx, conversationID, by)
		if err != nil {
			return err
		}
		column, now := "agent_read", c.AgentRead
		if by.Kind == task.Human {
			column, now = "human_read", c.HumanRead
		}
		if _, err := tx.Exec(ctx, "UPDATE conversations SET "+column+" = $2 WHERE id = $1", c.ID, min(max(seq, now), c.Messages)); err != nil {
			return fmt.Errorf("note what was read: %w", err)
		}
		return nil
	})
}

// CloseConversation ends a thread; a person can block the agent with it. The thread
// of a task that is worked on stays open.
func (b *Board) CloseConversation(ctx context.Context, by task.Actor, conversationID string, block bool) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		c, err := lockConversation(ctx, tx, conversationID, by)
		if err != nil {
			return err
		}
		if c.Status == ConversationBlocked {
			return nil
		}
		to := ConversationClosed
		if block {
			if by.Kind != task.Human {
				return task.Refuse(task.Forbidden)
			}
			to = ConversationBlocked
		}
		if c.TaskID != "" {
			var working bool
			if err := tx.QueryRow(ctx, "SELECT status IN ('accepted', 'review_pending') FROM tasks WHERE id = $1", c.TaskID).Scan(&working); err != nil {
				return fmt.Errorf("read the task of a conversation: %w", err)
			}
			if working {
				return task.Refuse(task.InvalidTaskStatus)
			}
		}
		if _, err := tx.Exec(ctx, "UPDATE conversations SET status = $2, updated_ms = $3 WHERE id = $1", c.ID, to, millis(tx.Now())); err != nil {
			return fmt.Errorf("close a conversation: %w", err)
		}
		return nil
	})
}
