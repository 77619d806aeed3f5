package jobs_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/store"
)

// TestReceiversThatHangHoldNobodyUp: an agent whose webhooks never answer has hundreds of
// deliveries waiting; meanwhile people sign in, are paid, and other agents are told.
func TestReceiversThatHangHoldNobodyUp(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		l := newLive(t, u)
		release := make(chan struct{})
		hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
		t.Cleanup(func() { close(release); hanging.Close() })
		for range 10 {
			l.hooked(t, l.agent.ID, hanging.URL)
		}
		var told atomic.Int64
		quickly := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { told.Add(1) }))
		t.Cleanup(quickly.Close)
		other := must(l.Connect(t.Context(), "Bob's agent", "bob@agents.example"))(t)
		l.hooked(t, other.Agent.ID, quickly.URL)
		l.run(t)
		usd := 10.0
		post := func(by task.Actor) {
			must(l.CreateTask(t.Context(), by, data.NewTask{Draft: task.Draft{
				Text: "Look whether the shop is open", Label: "real_world_verification", OriginCountry: "US", AcceptanceCriteria: "One photo of the door",
				NotAllowed: "Do not enter", BudgetUSD: &usd, Deliverable: "text",
			}}))(t)
		}
		for range 20 {
			post(l.agent)
		}
		await(t, "the deliveries wait", func() bool { return l.jobsOf(t, string(task.JobWebhook), "") >= 150 })
		post(task.Actor{Kind: task.Agent, ID: other.Agent.ID, KeyID: other.Key.ID})
		await(t, "the other agent is told", func() bool { return told.Load() > 0 })
		by := l.signIn(t, "hana") // with the code of a mail
		made := l.accepted(t, by)
		l.submit(t, by, made.ID)
		must(l.Approve(t.Context(), l.agent, data.Approval{TaskID: made.ID}))(t)
		await(t, "the person is paid", func() bool { return l.jobsOf(t, string(task.JobPayout), "completed") == 1 })
	})
}

// jobsOf counts jobs of a kind, in a state or in any.
func (l *live) jobsOf(t *testing.T, kind, state string) (n int) {
	t.Helper()
	for _, c := range must(l.jobs.Counts(t.Context()))(t) {
		if c.Kind == kind && (state == "" || c.State == state) {
			n += c.N
		}
	}
	return n
}

// hooked gives an agent a webhook.
func (l *live) hooked(t *testing.T, agent, address string) {
	t.Helper()
	if _, _, err := l.jobs.Hooks.Create(t.Context(), agent, address, nil); err != nil {
		t.Fatal(err)
	}
}
