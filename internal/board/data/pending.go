package data

import (
	"context"
	"errors"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// errPending is what the methods in this file return until they move to their own.
var errPending = errors.New("the board cannot do this yet")

// Rate rates the other side of a completed task.
func (b *Board) Rate(ctx context.Context, by task.Actor, r Rating) (Review, error) {
	return Review{}, errPending
}

// Reviews are both reviews of a task; unpublished ones are for their authors only.
func (b *Board) Reviews(ctx context.Context, taskID string) ([]Review, error) { return nil, errPending }

// AgentStats is how a requester treats people.
func (b *Board) AgentStats(ctx context.Context, agentID string) (AgentStats, error) {
	return AgentStats{}, errPending
}

// PersonStats is how a person works.
func (b *Board) PersonStats(ctx context.Context, humanID string) (PersonStats, error) {
	return PersonStats{}, errPending
}

// StartConversation opens the thread of an agent and a person with its first message.
func (b *Board) StartConversation(ctx context.Context, by task.Actor, n NewConversation) (Started, error) {
	return Started{}, errPending
}

// SendMessage adds a message; the first one of the person opens the thread.
func (b *Board) SendMessage(ctx context.Context, by task.Actor, n NewMessage) (Message, error) {
	return Message{}, errPending
}

// Conversation is a thread by id.
func (b *Board) Conversation(ctx context.Context, id string) (Conversation, error) {
	return Conversation{}, errPending
}

// ConversationOf is the thread of a task with the assigned person.
func (b *Board) ConversationOf(ctx context.Context, taskID string) (Conversation, error) {
	return Conversation{}, errPending
}

// Conversations are those of an agent or a human, the latest first.
func (b *Board) Conversations(ctx context.Context, of task.Actor, p Page) ([]Conversation, string, error) {
	return nil, "", errPending
}

// Messages are those after a sequence number, the oldest first.
func (b *Board) Messages(ctx context.Context, conversationID string, after int64, limit int) ([]Message, error) {
	return nil, errPending
}

// MarkRead notes how far a side has read.
func (b *Board) MarkRead(ctx context.Context, by task.Actor, conversationID string, seq int64) error {
	return errPending
}

// CloseConversation ends a thread; a person can block the agent with it.
func (b *Board) CloseConversation(ctx context.Context, by task.Actor, conversationID string, block bool) error {
	return errPending
}

// SearchPeople finds people for an agent. Nothing in it says who they are.
func (b *Board) SearchPeople(ctx context.Context, agentID string, f PeopleFilter) ([]Candidate, string, error) {
	return nil, "", errPending
}

// Ref hides a person's id from an agent.
func (b *Board) Ref(agentID, humanID string) string { return "" }

// Deref is the id behind a reference that an agent holds.
func (b *Board) Deref(ctx context.Context, agentID, ref string) (string, error) {
	return "", errPending
}

// Due are the tasks and offers whose time is over and whose job may be lost.
func (b *Board) Due(ctx context.Context) ([]Job, error) { return nil, errPending }

// ForgetKeys removes idempotency keys, codes and sessions whose time is over.
func (b *Board) ForgetKeys(ctx context.Context) (int64, error) { return 0, errPending }

// FileReport keeps what somebody says is wrong.
func (b *Board) FileReport(ctx context.Context, r Report) (Report, error) {
	return Report{}, errPending
}

// Reports are the open ones, or the closed ones, the oldest first.
func (b *Board) Reports(ctx context.Context, open bool, p Page) ([]Report, string, error) {
	return nil, "", errPending
}

// CloseReport notes what was done.
func (b *Board) CloseReport(ctx context.Context, by task.Actor, reportID, note string) error {
	return errPending
}
