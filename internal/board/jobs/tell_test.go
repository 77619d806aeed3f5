package jobs_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/store"
)

// letterCase is an event and who reads what of it.
type letterCase struct {
	name  string
	event data.Event
	set   func(*stage)
	want  map[string]string // address: a part of the letter
	// noTask is an event before there is a task.
	noTask bool
}

const toHanako, toTaro, toAgent = "hanako@example.org", "taro@example.org", "agent@example.org"

var (
	agent    = task.Actor{Kind: task.Agent, ID: "agent1"}
	human    = task.Actor{Kind: task.Human, ID: "hanako"}
	system   = task.Jobs
	operator = task.Actor{Kind: task.Operator, ID: "boss"}
	others   = []data.Application{{ID: "a1", HumanID: "taro"}, {ID: "a2", HumanID: "gone"}}
)

var letterCases = []letterCase{
	{name: "created", event: data.Event{Type: task.TaskCreated, Actor: agent}},
	{name: "an application", event: data.Event{Type: task.ApplicationReceived, Actor: human}, want: map[string]string{toAgent: "Somebody applied for"}},
	{
		name: "chosen, and not chosen", event: data.Event{Type: task.TaskAccepted, Actor: agent}, set: func(s *stage) { s.applications = others },
		want: map[string]string{toHanako: "手取り: 1,600円\n提出の期限: 2026年11月28日(土) 13:00", toTaro: "went to somebody else"},
	},
	{name: "who consents knows", event: data.Event{Type: task.TaskAccepted, Actor: human}},
	{
		name: "an offer", event: data.Event{Type: task.OfferMade, Actor: system, Data: map[string]string{"offer_id": "offer1", "human_id": "taro"}},
		want: map[string]string{toTaro: "You get: ¥1,600\nAnswer by: Sat 28 Nov 2026, 12:01 JST\n\nSee it and answer:\n" + base + "/offers/offer1"},
	},
	{
		name: "an offer that was answered", event: data.Event{Type: task.OfferMade, Actor: system, Data: map[string]string{"offer_id": "offer1", "human_id": "taro"}},
		set: func(s *stage) { s.offer.Status = data.OfferDeclined },
	},
	{name: "a message of the agent", event: data.Event{Type: task.MessageReceived, Actor: agent}, want: map[string]string{toHanako: "依頼者からメッセージ"}},
	{
		name: "a message before there is a task", event: data.Event{Type: task.MessageReceived, Actor: agent, Data: map[string]string{"human_id": "taro"}}, noTask: true,
		want: map[string]string{toTaro: `from the requester of "Ada's agent"`},
	},
	{name: "an answer before there is a task", event: data.Event{Type: task.MessageReceived, Actor: human}, noTask: true, want: map[string]string{toAgent: "A message about"}},
	{name: "a message of the person", event: data.Event{Type: task.MessageReceived, Actor: human}, want: map[string]string{toAgent: "A message about"}},
	{name: "delivered", event: data.Event{Type: task.SubmissionReceived, Actor: human}, want: map[string]string{toAgent: "until Tue 1 Dec 2026, 12:00 JST it is approved"}},
	{name: "revision", event: data.Event{Type: task.RevisionRequest, Actor: agent}, want: map[string]string{toHanako: "修正の期限: 2026年11月28日(土) 13:00"}},
	{name: "rejected", event: data.Event{Type: task.TaskRejected, Actor: agent}, want: map[string]string{toHanako: "2026年12月2日(水) 12:00 までに異議"}},
	{name: "approved", event: data.Event{Type: task.TaskCompleted, Actor: agent}, want: map[string]string{toHanako: "手取り: 1,600円"}},
	{name: "approved by itself", event: data.Event{Type: task.TaskCompleted, Actor: system}, want: map[string]string{toHanako: "承認されました", toAgent: "is completed"}},
	{
		name: "cancelled", event: data.Event{Type: task.TaskFailed, Actor: agent}, set: func(s *stage) { s.task.FailureReason = task.CancelledByRequester },
		want: map[string]string{toHanako: "作業は続けないでください"},
	},
	{
		name: "taken down", event: data.Event{Type: task.TaskFailed, Actor: operator},
		set:  func(s *stage) { s.task.FailureReason = task.ContentPolicyViolation },
		want: map[string]string{toHanako: "取り消されました", toAgent: "did not come about"},
	},
	{
		name: "too late", event: data.Event{Type: task.TaskFailed, Actor: system}, set: func(s *stage) { s.task.FailureReason = task.TimedOut },
		want: map[string]string{toHanako: "期限が過ぎました", toAgent: "did not come about"},
	},
	{
		name: "nobody", event: data.Event{Type: task.TaskFailed, Actor: system},
		set: func(s *stage) {
			s.task.FailureReason, s.task.HumanID, s.applications = task.NoHumanAvailable, "", others
		},
		want: map[string]string{toTaro: "went to somebody else", toAgent: "did not come about"},
	},
	{name: "a dispute of the person", event: data.Event{Type: task.DisputeOpened, Actor: human}, want: map[string]string{toAgent: "There is a dispute"}},
	{name: "a dispute of the agent", event: data.Event{Type: task.DisputeOpened, Actor: agent}},
	{name: "decided", event: data.Event{Type: task.DisputeResolved, Actor: operator}, want: map[string]string{toHanako: "仲裁の結果", toAgent: "is decided"}},
	{
		name: "an address that was never proven", event: data.Event{Type: task.SubmissionReceived, Actor: human},
		set: func(s *stage) { s.agent.EmailVerified = noProof },
	},
	{
		name: "nobody owns the account", event: data.Event{Type: task.SubmissionReceived, Actor: human},
		set: func(s *stage) { s.agent.OwnerHumanID = "" }, want: map[string]string{toAgent: "提出物が届きました"},
	},
	{
		name: "the owner is gone", event: data.Event{Type: task.SubmissionReceived, Actor: human},
		set: func(s *stage) { s.agent.OwnerHumanID = "gone" }, want: map[string]string{toAgent: "提出物が届きました"},
	},
	{
		name: "switched off", event: data.Event{Type: task.TaskCompleted, Actor: agent},
		set: func(s *stage) {
			p := s.people["hanako"]
			p.Notify = notify.Settings{Off: []string{notify.WorkerCompleted}}.String()
			s.people["hanako"] = p
		},
	},
	{
		name: "by LINE", event: data.Event{Type: task.TaskCompleted, Actor: agent}, set: atLINE(notify.ByLINE, true),
		want: map[string]string{toLINE: "手取り: 1,600円"},
	},
	{
		name: "by LINE, without a user there", event: data.Event{Type: task.TaskCompleted, Actor: agent}, set: func(s *stage) { atLINE(notify.ByLINE, true)(s); s.identities = nil },
		want: map[string]string{toHanako: "手取り: 1,600円"},
	},
	{
		name: "by mail, with a user at LINE", event: data.Event{Type: task.TaskCompleted, Actor: agent}, set: atLINE("", true),
		want: map[string]string{toHanako: "手取り: 1,600円"},
	},
	{
		name: "a user at LINE and no address", event: data.Event{Type: task.TaskCompleted, Actor: agent}, set: atLINE("", false),
		want: map[string]string{toLINE: "手取り: 1,600円"},
	},
	{
		name: "by push", event: data.Event{Type: task.TaskCompleted, Actor: agent}, set: atLINE(notify.ByPush, true),
		want: map[string]string{"push:hanako": "手取り: 1,600円"},
	},
	{name: "the person is gone", event: data.Event{Type: task.TaskCompleted, Actor: agent}, set: func(s *stage) { delete(s.people, "hanako") }},
	{name: "the person has no address", event: data.Event{Type: task.TaskCompleted, Actor: agent}, set: func(s *stage) { s.people["hanako"] = data.Person{ID: "hanako"} }},
}

// toLINE is Hanako's address at LINE.
const toLINE = "line:Uabcdef0123456789abcdef0123456789"

// atLINE gives Hanako a user at LINE, and takes her address unless she has mail.
func atLINE(by string, mail bool) func(*stage) {
	return func(s *stage) {
		p := s.people["hanako"]
		if p.Notify = (notify.Settings{By: by}).String(); !mail {
			p.Email = ""
		}
		s.people["hanako"] = p
		s.identities = map[string]string{"hanako": toLINE[len("line:"):]}
	}
}

func TestWhoIsWrittenTo(t *testing.T) {
	b := newBench(t, databases.SQLite(t))
	for _, c := range letterCases {
		t.Run(c.name, func(t *testing.T) {
			b.forget(t)
			s := town()
			c.event.ID, c.event.AgentID, c.event.At = "e1", "agent1", noon
			if !c.noTask {
				c.event.TaskID = "task1"
			}
			s.event = c.event
			if c.set != nil {
				c.set(s)
			}
			for range 2 { // the job runs twice
				if err := b.Tell(t.Context(), s, "e1"); err != nil {
					t.Fatal(err)
				}
			}
			got := b.deliver(t)
			if diff := cmp.Diff(slices.Sorted(maps.Keys(c.want)), slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("recipients (-want +got):\n%s", diff)
			}
			for to, part := range c.want {
				if !strings.Contains(got[to], part) || strings.Contains(got[to], "{") {
					t.Errorf("%s does not read %q:\n%s", to, part, got[to])
				}
			}
		})
	}
}

// What a way does not take goes to the next best address.
func TestWhereItGoesOtherwise(t *testing.T) {
	for _, c := range []struct {
		by           string
		mail         bool
		to, fallback string
	}{
		{notify.ByLINE, true, toLINE, toHanako},
		{notify.ByLINE, false, toLINE, ""},
		{"", true, toHanako, ""},
		{"", false, toLINE, ""},
		{notify.ByPush, true, "push:hanako", toHanako},
		{notify.ByPush, false, "push:hanako", toLINE},
	} {
		b, s := newBench(t, databases.SQLite(t)), town()
		atLINE(c.by, c.mail)(s)
		s.event = data.Event{ID: "e1", AgentID: "agent1", TaskID: "task1", At: noon, Type: task.TaskCompleted, Actor: agent}
		if err := b.Tell(t.Context(), s, "e1"); err != nil {
			t.Fatal(err)
		}
		var to, fallback string
		err := b.db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return tx.QueryRow(ctx, "SELECT address, fallback FROM mails WHERE owner_id = 'hanako'").Scan(&to, &fallback)
		})
		if err != nil || to != c.to || fallback != c.fallback {
			t.Errorf("by %q, mail %v: to %q, otherwise %q, %v", c.by, c.mail, to, fallback, err)
		}
	}
}

// Every event that an agent can subscribe to reaches the webhook, as it was.
func TestWebhooksGetEveryEvent(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b, s := newBench(t, u), town()
		e, _, err := b.Hooks.Create(t.Context(), "agent1", "https://hooks.example.com/", nil)
		if err != nil {
			t.Fatal(err)
		}
		all := append(task.Events(), task.TaskReleased, task.ReviewWritten) // these two are nobody's
		for n, typ := range all {
			id := "event" + string(rune('a'+n))
			s.event = data.Event{ID: id, Type: typ, AgentID: "agent1", TaskID: "task1", TaskVersion: int64(n + 1), Status: task.Open, Actor: task.Jobs, At: noon}
			if err := b.Tell(t.Context(), s, id); err != nil {
				t.Fatal(err)
			}
		}
		log, err := b.Hooks.Log(t.Context(), "agent1", e.ID, webhook.Page{})
		if err != nil {
			t.Fatal(err)
		}
		sent := map[string]bool{}
		for _, d := range log {
			sent[d.EventType] = true
			if !strings.Contains(d.Body, `"actor":"system"`) || !strings.Contains(d.Body, `"task_status":"open"`) || strings.Contains(d.Body, "example.org") {
				t.Errorf("body %s", d.Body)
			}
		}
		if len(sent) != len(task.Events()) || len(log) != len(sent) {
			t.Errorf("%d deliveries of %d types, want %d", len(log), len(sent), len(task.Events()))
		}
		if n := b.count(t, "kind = 'webhook'"); n != len(log) {
			t.Errorf("%d jobs for %d deliveries", n, len(log))
		}
	})
}
