package data_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func TestAThreadOpensWhenThePersonAnswers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		s := try(w.StartConversation(t.Context(), w.agent, data.NewConversation{HumanID: ann.ID, Body: "Are you \u202efree?"}))(t)
		id := s.Conversation.ID
		if s.Conversation.Status != data.ConversationPending || s.Message.Seq != 1 || s.Message.Body != "Are you free?" {
			t.Errorf("started: %+v", s)
		}
		say := func(by task.Actor, body string) error {
			_, err := w.SendMessage(t.Context(), by, data.NewMessage{ConversationID: id, Body: body})
			return err
		}
		if again := try(w.StartConversation(t.Context(), w.agent, data.NewConversation{HumanID: ann.ID, Body: "Hello?"}))(t); again.Conversation.ID != id || again.Message.Seq != 2 {
			t.Errorf("a second thread: %+v", again)
		}
		if err := say(w.agent, "Hello??"); err != nil {
			t.Error(err)
		}
		w.refused(say(w.agent, "Hello???"), task.ContactLimit)
		if err := say(ann, "Yes"); err != nil {
			t.Error(err)
		}
		for range 5 {
			if err := say(w.agent, "Good"); err != nil {
				t.Error(err)
			}
		}
		for name, bad := range map[string]data.NewMessage{
			"nothing": {Body: " \u200b"}, "too long": {Body: strings.Repeat("m", 4001)}, "too many files": {Body: "x", Uploads: make([]string, 11)}, "no file": {Body: "x", Uploads: []string{""}},
		} {
			bad.ConversationID = id
			if _, err := w.SendMessage(t.Context(), ann, bad); task.ReasonOf(err) != task.InvalidRequest {
				t.Errorf("%s: %v", name, err)
			}
		}
		w.refused(say(w.worker("mallory", nil), "hi"), task.NotFound)
		w.refused(say(task.Actor{Kind: task.Human, ID: w.agent.ID}, "hi"), task.NotFound)
		all := try(w.Messages(t.Context(), id, 3, 0))(t)
		if len(all) != 6 || all[0].Body != "Yes" || all[0].Sender != task.Human || all[5].Seq != 9 {
			t.Errorf("messages after the third: %+v", all)
		}
		if err := w.MarkRead(t.Context(), ann, id, 99); err != nil {
			t.Error(err)
		}
		if err := w.MarkRead(t.Context(), ann, id, 2); err != nil {
			t.Error(err)
		}
		if c := try(w.Conversation(t.Context(), id))(t); c.HumanRead != 9 || c.Messages != 9 || c.Status != data.ConversationOpen {
			t.Errorf("the thread: %+v", c)
		}
		w.refused(w.CloseConversation(t.Context(), w.agent, id, true), task.Forbidden)
		if err := w.CloseConversation(t.Context(), ann, id, true); err != nil {
			t.Error(err)
		}
		w.refused(say(w.agent, "?"), task.ContactNotOpen)
		_, err := w.StartConversation(t.Context(), w.agent, data.NewConversation{HumanID: ann.ID, Body: "?"})
		w.refused(err, task.ContactNotOpen)
	})
}

func TestManyWriteAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		job := w.accepted(ann)
		c := try(w.ConversationOf(t.Context(), job.ID))(t)
		all := w.race(func(b *data.Board, n int) error {
			by := w.agent
			if n%3 == 0 {
				by = ann
			}
			_, err := b.SendMessage(t.Context(), by, data.NewMessage{ConversationID: c.ID, Body: "hello"})
			return err
		})
		w.winners(all, callers)
		var seqs []int64
		for after := int64(0); ; {
			some := try(w.Messages(t.Context(), c.ID, after, 30))(t)
			if len(some) == 0 {
				break
			}
			for _, m := range some {
				seqs = append(seqs, m.Seq)
			}
			after = some[len(some)-1].Seq
		}
		for i, seq := range seqs {
			if seq != int64(i+1) {
				t.Fatalf("the numbers are %v", seqs)
			}
		}
		if len(seqs) != callers {
			t.Errorf("%d messages", len(seqs))
		}
		var events []data.Event
		for after := int64(0); ; {
			some := try(w.Events(t.Context(), w.agent.ID, after, 33))(t)
			if len(some) == 0 {
				break
			}
			events, after = append(events, some...), some[len(some)-1].Seq
		}
		if n := len(events); n != callers+3 || events[n-1].Seq != int64(n) || events[n-1].TaskVersion != job.Version {
			t.Errorf("%d events, the last is %+v", n, events[len(events)-1])
		}
		w.sound()
	})
}

func TestTheThreadOfATask(t *testing.T) {
	w := newWorld(t, databases.SQLite(t))
	ann, ben := w.worker("ann", nil), w.worker("ben", nil)
	open := w.post(nil)
	_, err := w.StartConversation(t.Context(), w.agent, data.NewConversation{TaskID: open.ID, Body: "hi"})
	w.refused(err, task.ContactNotOpen)
	job := w.accepted(ann)
	s := try(w.StartConversation(t.Context(), w.agent, data.NewConversation{TaskID: job.ID, Body: "hi"}))(t)
	if s.Conversation.HumanID != ann.ID || s.Conversation.Status != data.ConversationOpen {
		t.Errorf("%+v", s.Conversation)
	}
	w.refused(w.CloseConversation(t.Context(), ann, s.Conversation.ID, true), task.InvalidTaskStatus)
	try(w.Decline(t.Context(), ann, job.ID, ""))(t)
	_, err = w.SendMessage(t.Context(), ann, data.NewMessage{ConversationID: s.Conversation.ID, Body: "still here"})
	w.refused(err, task.ContactNotOpen)
	try(w.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: job.ID, ApplicationID: w.apply(ben, job.ID).ID}))(t)
	if c := try(w.ConversationOf(t.Context(), job.ID))(t); c.HumanID != ben.ID || c.Messages != 0 {
		t.Errorf("the next person's thread: %+v", c)
	}
	mine, _, err := w.Conversations(t.Context(), ann, data.Page{})
	if err != nil || len(mine) != 1 {
		t.Errorf("hers: %+v, %v", mine, err)
	}
}
