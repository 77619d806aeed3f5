package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/policy"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func (s *Server) conversationRoutes() {
	both := Agent | Human | Operator
	register(s, Route{
		ID: "start-conversation", Method: http.MethodPost, Path: "/api/conversations", Tag: "conversations", Who: Agent, Scope: data.ScopePost, Keyed: true,
		Summary: "Write to a person, or to whoever has a task", Status: http.StatusCreated,
	}, s.startConversation)
	register(s, Route{
		ID: "list-conversations", Method: http.MethodGet, Path: "/api/conversations", Tag: "conversations", Who: both, Scope: data.ScopeRead, HumanScope: data.ScopeMessagesRead,
		Summary: "The caller's conversations, the latest first",
	}, s.conversations)
	register(s, Route{
		ID: "get-conversation", Method: http.MethodGet, Path: "/api/conversations/{id}", Tag: "conversations", Who: both, Scope: data.ScopeRead, HumanScope: data.ScopeMessagesRead,
		Summary: "Messages after since, the oldest first",
	}, s.getConversation)
	register(s, Route{
		ID: "send-message", Method: http.MethodPost, Path: "/api/conversations/{id}/messages", Tag: "conversations", Who: both, Scope: data.ScopePost, HumanScope: data.ScopeMessagesWrite, Keyed: true,
		Summary: "Write a message", Status: http.StatusCreated,
	}, s.sendMessage)
	register(s, Route{
		ID: "read-conversation", Method: http.MethodPost, Path: "/api/conversations/{id}/read", Tag: "conversations", Who: both, Scope: data.ScopeRead, HumanScope: data.ScopeMessagesRead,
		Summary: "Note how far the caller has read",
	}, s.markRead)
	register(s, Route{
		ID: "close-conversation", Method: http.MethodPost, Path: "/api/conversations/{id}/close", Tag: "conversations", Who: both, Scope: data.ScopePost, HumanScope: data.ScopeMessagesWrite,
		Summary: "End a conversation; a person can block the agent with it",
	}, s.closeConversation)
	register(s, Route{
		ID: "contact-messages", Method: http.MethodGet, Path: "/api/tasks/{id}/contact/messages", Tag: "conversations", Who: both, Scope: data.ScopeRead, HumanScope: data.ScopeMessagesRead,
		Summary: "The conversation of a task, by the older path",
	}, s.contactMessages)
	register(s, Route{
		ID: "contact-send", Method: http.MethodPost, Path: "/api/tasks/{id}/contact/messages", Tag: "conversations", Who: both, Scope: data.ScopePost, HumanScope: data.ScopeMessagesWrite, Keyed: true,
		Summary: "Write to the other side of a task, by the older path", Status: http.StatusCreated,
	}, s.contactSend)
}

func (s *Server) startConversation(ctx context.Context, in *with[NewConversation]) (*answer[Conversation], error) {
	who, b := caller(ctx), in.Body
	n := data.NewConversation{TaskID: b.TaskID, Body: b.Message}
	if (b.TaskID == "") == (b.HumanRef == "") {
		return nil, invalid(FieldError{"task_id", string(task.Required)})
	}
	if b.HumanRef != "" {
		var err error
		if n.HumanID, err = s.o.Board.Deref(ctx, who.AgentID, b.HumanRef); err != nil {
			return nil, task.Refuse(task.NotFound)
		}
	}
	if err := screenMessage(who, b.Message); err != nil {
		return nil, err
	}
	started, err := once(ctx, s, func(ctx context.Context) (data.Started, error) {
		return s.o.Board.StartConversation(ctx, who.actor(), n)
	})
	if err != nil {
		return nil, err
	}
	v := s.conversation(who, started.Conversation)
	v.MessageID = started.Message.ID
	return reply(v), nil
}

// screenMessage keeps agents from asking in a message for what a task may not ask.
func screenMessage(who Principal, text string) error {
	if who.Kind != Agent {
		return nil
	}
	return ScreenMessage(text)
}

// ScreenMessage refuses a message that asks for what a task may not ask for.
func ScreenMessage(text string) error {
	if v := policy.Screen(policy.Text{Task: text}); v.Action == policy.Block {
		return refuseContent(v)
	}
	return nil
}

func (s *Server) conversation(who Principal, c data.Conversation) Conversation {
	v := Conversation{
		ID: c.ID, ConversationID: c.ID, TaskID: c.TaskID, Status: string(c.Status), Last: c.Messages, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
	if who.Kind == Agent {
		v.HumanRef = s.o.Board.Ref(c.AgentID, c.HumanID)
	}
	return v
}

// ConversationList is one page of conversations.
type ConversationList struct {
	Conversations []Conversation `json:"conversations"`
	NextCursor    string         `json:"next_cursor,omitempty"`
}

func (s *Server) conversations(ctx context.Context, in *Page) (*answer[ConversationList], error) {
	who := caller(ctx)
	all, next, err := s.o.Board.Conversations(ctx, side(who), data.Page{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	out := ConversationList{Conversations: []Conversation{}, NextCursor: next}
	for _, c := range all {
		out.Conversations = append(out.Conversations, s.conversation(who, c))
	}
	return reply(out), nil
}

type conversationQuery struct {
	ID    string `path:"id"`
	Since string `query:"since" doc:"number of the last message that was read; next_cursor of the answer before"`
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"50"`
}

// talk is a conversation of the caller; those of others are not there.
func (s *Server) talk(ctx context.Context, id string) (data.Conversation, error) {
	c, err := s.o.Board.Conversation(ctx, id)
	if err != nil {
		return c, err
	}
	who := caller(ctx)
	if c.AgentID == who.AgentID && who.Kind == Agent || c.HumanID == who.HumanID && who.Kind != Agent {
		return c, nil
	}
	return c, task.Refuse(task.NotFound)
}

func (s *Server) getConversation(ctx context.Context, in *conversationQuery) (*answer[Conversation], error) {
	c, err := s.talk(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return s.messages(ctx, c, in.Since, in.Limit)
}

func (s *Server) messages(ctx context.Context, c data.Conversation, since string, limit int) (*answer[Conversation], error) {
	after := int64(0)
	if since != "" {
		n, err := strconv.ParseInt(since, 10, 64)
		if err != nil || n < 0 {
			return nil, invalid(FieldError{"since", string(task.InvalidNumber)})
		}
		after = n
	}
	all, err := s.o.Board.Messages(ctx, c.ID, after, limit)
	if err != nil {
		return nil, err
	}
	who := caller(ctx)
	v := s.conversation(who, c)
	v.Messages = []Message{}
	for _, m := range all {
		v.Messages = append(v.Messages, s.message(who, m))
		after = m.Seq
	}
	v.NextCursor = strconv.FormatInt(after, 10)
	return reply(v), nil
}

// message is a message as one side reads it, with links of its own.
func (s *Server) message(who Principal, m data.Message) Message {
	v := Message{
		ID: m.ID, Seq: m.Seq, Sender: string(m.Sender), Body: m.Body, CreatedAt: m.CreatedAt, Untrusted: m.Sender != side(who).Kind,
	}
	for _, file := range m.Uploads {
		if s.o.Files == nil {
			break
		}
		url, expires := s.o.Files.Link(file, who.actor())
		v.Attachments = append(v.Attachments, File{s.o.BaseURL + url, &expires})
	}
	return v
}

// SentMessage is a message that was written.
type SentMessage struct {
	Status         string `json:"status" enum:"sent"`
	MessageID      string `json:"message_id"`
	ConversationID string `json:"conversation_id"`
	Seq            int64  `json:"seq"`
}

type onConversation[B any] struct {
	ID   string `path:"id"`
	Body B
}

func (s *Server) sendMessage(ctx context.Context, in *onConversation[NewMessage]) (*answer[SentMessage], error) {
	if _, err := s.talk(ctx, in.ID); err != nil {
		return nil, err
	}
	return s.send(ctx, in.ID, in.Body)
}

func (s *Server) send(ctx context.Context, id string, b NewMessage) (*answer[SentMessage], error) {
	who := caller(ctx)
	if err := screenMessage(who, b.Body); err != nil {
		return nil, err
	}
	if err := s.ownUploads(ctx, who, b.Attachments); err != nil {
		return nil, err
	}
	m, err := once(ctx, s, func(ctx context.Context) (data.Message, error) {
		return s.o.Board.SendMessage(ctx, side(who), data.NewMessage{ConversationID: id, Body: b.Body, Uploads: b.Attachments})
	})
	if err != nil {
		return nil, err
	}
	return reply(SentMessage{"sent", m.ID, m.ConversationID, m.Seq}), nil
}

// ownUploads refuses files that somebody else uploaded.
func (s *Server) ownUploads(ctx context.Context, who Principal, uploads []string) error {
	if len(uploads) > 10 {
		return invalid(FieldError{"attachments", string(task.TooLong)})
	}
	for _, upload := range uploads {
		if s.o.Files == nil {
			return task.Refuse(task.MissingFile)
		}
		if _, err := s.o.Files.Owned(ctx, side(who), upload); err != nil {
			return err
		}
	}
	return nil
}

// ReadMark says how far the caller has read.
type ReadMark struct {
	Credentials
	Seq int64 `json:"seq" doc:"number of the last message that was read"`
}

func (s *Server) markRead(ctx context.Context, in *onConversation[ReadMark]) (*answer[Said], error) {
	if _, err := s.talk(ctx, in.ID); err != nil {
		return nil, err
	}
	if err := s.o.Board.MarkRead(ctx, side(caller(ctx)), in.ID, in.Body.Seq); err != nil {
		return nil, err
	}
	return reply(Said{"read", in.ID}), nil
}

// Closing ends a conversation.
type Closing struct {
	Credentials
	Block bool `json:"block,omitempty" doc:"for a person: the agent cannot write again"`
}

func (s *Server) closeConversation(ctx context.Context, in *onConversation[Closing]) (*answer[Said], error) {
	if _, err := s.talk(ctx, in.ID); err != nil {
		return nil, err
	}
	if err := s.o.Board.CloseConversation(ctx, side(caller(ctx)), in.ID, in.Body.Block); err != nil {
		return nil, err
	}
	return reply(Said{"closed", in.ID}), nil
}

type contactQuery struct {
	TaskPath
	Since string `query:"since"`
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"50"`
}

func (s *Server) contactMessages(ctx context.Context, in *contactQuery) (*answer[Conversation], error) {
	if _, err := s.mine(ctx, in.ID); err != nil {
		return nil, err
	}
	c, err := s.o.Board.ConversationOf(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if _, err := s.talk(ctx, c.ID); err != nil {
		return nil, err
	}
	return s.messages(ctx, c, in.Since, in.Limit)
}

// contactSend opens the conversation of the task when there is none yet: only its
// requester can.
func (s *Server) contactSend(ctx context.Context, in *onTask[NewMessage]) (*answer[SentMessage], error) {
	t, err := s.mine(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	c, err := s.o.Board.ConversationOf(ctx, t.ID)
	if err == nil {
		if _, err := s.talk(ctx, c.ID); err != nil {
			return nil, err
		}
		return s.send(ctx, c.ID, in.Body)
	}
	if task.ReasonOf(err) != task.NotFound {
		return nil, err
	}
	if caller(ctx).Kind != Agent || t.HumanID == "" {
		return nil, task.Refuse(task.ContactNotOpen)
	}
	started, err := s.startConversation(ctx, &with[NewConversation]{Body: NewConversation{TaskID: t.ID, Message: in.Body.Body}})
	if err != nil {
		return nil, err
	}
	if started.Body.MessageID == "" {
		return nil, errors.New("a conversation began without its message")
	}
	return reply(SentMessage{"sent", started.Body.MessageID, started.Body.ID, started.Body.Last}), nil
}
