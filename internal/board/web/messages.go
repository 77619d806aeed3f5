package web

import (
	"net/url"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// threadsBody is the threads of a worker.
type threadsBody struct {
	Threads []threadView
	Next    string
}

// threadView is one thread in the list.
type threadView struct {
	URL, Name, Title string
	Waits            bool // the requester wrote last
	At               time.Time
}

// threads lists whom a worker writes with, also before any task.
func (v *visit) threads() error {
	page := data.Page{Limit: perPage, Cursor: v.r.URL.Query().Get("cursor")}
	all, next, err := v.site.board.Conversations(v.ctx(), v.actor(), page)
	if err != nil {
		return err
	}
	var body threadsBody
	for _, c := range all {
		a, err := v.site.board.Agent(v.ctx(), c.AgentID)
		if err != nil {
			return err
		}
		row := threadView{URL: "/me/messages/" + url.PathEscape(c.ID), Name: a.Name, Waits: c.Unanswered > 0, At: c.UpdatedAt}
		if c.TaskID != "" {
			t, err := v.site.board.Task(v.ctx(), c.TaskID)
			if err != nil {
				return err
			}
			row.Title = titleOf(t)
		}
		body.Threads = append(body.Threads, row)
	}
	if next != "" {
		body.Next = "/me/messages?cursor=" + url.QueryEscape(next)
	}
	return v.show("threads", v.say("threads.title"), body, nil)
}

// threadBody is one thread.
type threadBody struct {
	ID, TaskURL string
	Requester   requesterView
	Messages    []messageView
	ChatURL     string
	CanChat     bool
}

// ownThread is the thread of the address when it is the worker's.
func (v *visit) ownThread() (data.Conversation, error) {
	c, err := v.site.board.Conversation(v.ctx(), v.r.PathValue("id"))
	if err == nil && c.HumanID != v.who.ID {
		err = task.Refuse(task.NotFound)
	}
	return c, err
}

func (v *visit) thread() error { return v.showThread(nil) }

func (v *visit) showThread(f *form) error {
	c, err := v.ownThread()
	if err != nil {
		return err
	}
	body := threadBody{ID: c.ID, ChatURL: "/me/messages/" + url.PathEscape(c.ID), CanChat: writable(c)}
	if c.TaskID != "" {
		body.TaskURL = "/me/tasks/" + url.PathEscape(c.TaskID)
	}
	if body.Requester, err = v.site.requester(v.ctx(), c.AgentID); err != nil {
		return err
	}
	if body.Messages, err = v.messagesOf(c); err != nil {
		return err
	}
	return v.show("thread", v.say("threads.title"), body, f)
}

// writable reports whether a message can be added.
func writable(c data.Conversation) bool {
	return c.Status == data.ConversationOpen || c.Status == data.ConversationPending
}

// shownMessages is how many messages of a thread a page shows at most: as many as the
// board gives at once.
const shownMessages = 100

// messagesOf are the last messages of a thread as the visitor reads them.
func (v *visit) messagesOf(c data.Conversation) ([]messageView, error) {
	all, err := v.site.board.Messages(v.ctx(), c.ID, max(c.Messages-shownMessages, 0), shownMessages)
	if err != nil {
		return nil, err
	}
	var list []messageView
	for _, m := range all {
		row := messageView{Mine: m.Sender == v.actor().Kind && v.writes(c), Body: m.Body, At: m.CreatedAt, Name: v.say("chat.worker")}
		if m.Sender == task.Agent {
			row.Name = v.say("chat.requester")
		}
		for _, id := range m.Uploads {
			if _, err := v.site.media.File(id); err == nil {
				row.Files = append(row.Files, v.fileLink(id, media.Full))
			}
		}
		list = append(list, row)
	}
	return list, nil
}

// writes reports whether the visitor is one of the two sides.
func (v *visit) writes(c data.Conversation) bool {
	if v.who.Human {
		return c.HumanID == v.who.ID
	}
	return c.AgentID == v.who.ID
}

func (v *visit) reply() error {
	f, err := v.form("chat")
	if err != nil {
		return err
	}
	c, err := v.ownThread()
	if err != nil {
		return err
	}
	text := f.text("body", 4000, true)
	if !f.ok() {
		return v.showThread(f)
	}
	err = v.site.screen(text)
	if err == nil {
		_, err = v.site.board.SendMessage(v.ctx(), v.actor(), data.NewMessage{ConversationID: c.ID, Body: text})
	}
	if err != nil {
		return v.refused(err, f, v.showThread)
	}
	return v.done("/me/messages/"+url.PathEscape(c.ID), "sent")
}

// closeThread ends a thread; blocked, the requester cannot begin another.
func (v *visit) closeThread() error {
	f, err := v.form("close")
	if err != nil {
		return err
	}
	c, err := v.ownThread()
	if err != nil {
		return err
	}
	if err := v.site.board.CloseConversation(v.ctx(), v.actor(), c.ID, f.Get("block") != ""); err != nil {
		return v.refused(err, f, v.showThread)
	}
	return v.done("/me/messages/"+url.PathEscape(c.ID), "closed")
}

// withdraw takes an application back.
func (v *visit) withdraw() error {
	id := v.r.PathValue("id")
	a, err := v.site.board.ApplicationBy(v.ctx(), id, v.who.ID)
	if err != nil {
		return err
	}
	if _, err := v.site.board.WithdrawApplication(v.ctx(), v.actor(), a.ID); err != nil {
		return err
	}
	return v.done("/me/tasks", "withdrawn")
}
