package webhook_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/store"
)

func TestAddressesThatAreRefused(t *testing.T) {
	b := newBench(t, databases.SQLite(t), webhook.Options{})
	for _, address := range []string{
		"", "hooks.example.com", "http://hooks.example.com/", "ftp://hooks.example.com/", "https:///path", "https://:443/",
		"https://user:secret@hooks.example.com/", "https://hooks.example.com/#part", "https://hooks.example.com:0/", "https://hooks.example.com:99999/", "https://127.0.0.1/", "https://[::1]:8443/",
		"https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest", "https://100.64.0.1/", "https://[64:ff9b::a00:1]/",
		"https://localhost/", "https://LOCALHOST./", "https://a.localhost/", "javascript:alert(1)", "https://hooks.example.com/\x00",
		"https://hooks.example.com/" + strings.Repeat("a", 3000),
	} {
		if _, _, err := b.Create(t.Context(), "agent1", address, nil); typeOf(err) != "invalid_request" {
			t.Errorf("%.60q: %v", address, err)
		}
	}
	if _, _, err := b.Create(t.Context(), "agent1", "https://hooks.example.com/", []string{"task.accepted", "task.*"}); typeOf(err) != "invalid_request" {
		t.Errorf("an event that does not exist: %v", err)
	}
	if list, err := b.List(t.Context(), "agent1"); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestEndpointsAreKept(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := newBench(t, u, webhook.Options{})
		all, secret := b.create(t, "https://hooks.example.com/a")
		some, other := b.create(t, "https://hooks.example.com/b", "task.accepted", "task.accepted")
		if secret == other || !strings.HasPrefix(secret, "whsec_") || len(secret) < 40 {
			t.Errorf("secrets %q and %q", secret, other)
		}
		want := []webhook.Endpoint{
			{ID: all.ID, AgentID: "agent1", URL: "https://hooks.example.com/a", Events: types, Generation: 1, CreatedAt: b.now()},
			{ID: some.ID, AgentID: "agent1", URL: "https://hooks.example.com/b", Events: []string{"task.accepted"}, Generation: 1, CreatedAt: b.now()},
		}
		got, err := b.List(t.Context(), "agent1")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		b.fan(t, webhook.Event{ID: "event1", Type: "task.created", OccurredAt: b.now(), TaskID: "task1", TaskVersion: 1})
		if jobs := b.take(); len(jobs) != 1 {
			t.Errorf("%d deliveries, want one to who wants it", len(jobs))
		}
		for range 8 {
			b.create(t, "https://hooks.example.com/more")
		}
		if _, _, err := b.Create(t.Context(), "agent1", "https://hooks.example.com/more", nil); typeOf(err) != "too_many_webhooks" {
			t.Errorf("the eleventh: %v", err)
		}
	})
}

// Whoever knows an id of another agent learns nothing and changes nothing.
func TestEndpointsOfOthers(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := newBench(t, u, webhook.Options{})
		e, _ := b.create(t, "https://hooks.example.com/")
		b.fan(t, accepted("event1", b.now()))
		delivery := b.take()[0]
		ctx := t.Context()
		_, get := b.Get(ctx, "agent2", e.ID)
		_, _, rotate := b.Rotate(ctx, "agent2", e.ID)
		_, log := b.Log(ctx, "agent2", e.ID, webhook.Page{})
		_, try := b.Try(ctx, "agent2", e.ID)
		_, replay := b.Replay(ctx, "agent2", delivery)
		for name, err := range map[string]error{"get": get, "rotate": rotate, "log": log, "try": try, "replay": replay, "delete": b.Delete(ctx, "agent2", e.ID)} {
			if typeOf(err) != "not_found" {
				t.Errorf("%s: %v", name, err)
			}
		}
		after, err := b.Get(ctx, "agent1", e.ID)
		if diff := cmp.Diff(e, after); diff != "" || err != nil || len(b.take()) > 0 {
			t.Errorf("%v (-before +after):\n%s", err, diff)
		}
	})
}

func TestRotationOverlaps(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		s, seen := endpoint(t, 200)
		b := newBench(t, u, local(s))
		e, first := b.create(t, named(t, s))
		_, second, err := b.Rotate(t.Context(), "agent1", e.ID)
		if err != nil || second == first {
			t.Fatal(second, err)
		}
		for n, valid := range []map[string]bool{{first: true, second: true}, {first: false, second: true}} {
			b.fan(t, accepted(fmt.Sprint("event", n), b.now()))
			b.deliver(t, b.take()[0], false)
			d := seen()[n]
			for secret, want := range valid {
				if err := webhook.Check(d.header.Get(webhook.SignatureHeader), d.body, secret, b.now()); (err == nil) != want {
					t.Errorf("delivery %d, first %v: %v", n, secret == first, err)
				}
			}
			b.pass(webhook.Overlap)
		}
	})
}

func TestTryReplayDeleteSweep(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		s, seen := endpoint(t, 200)
		b := newBench(t, u, local(s))
		e, _ := b.create(t, named(t, s), "task.accepted")
		ping, err := b.Try(t.Context(), "agent1", e.ID)
		if err != nil {
			t.Fatal(err)
		}
		b.pass(time.Second)
		b.fan(t, accepted("event1", b.now()))
		b.pass(time.Second)
		jobs := b.take()
		again, err := b.Replay(t.Context(), "agent1", jobs[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range append(jobs, b.take()...) {
			b.deliver(t, id, false)
		}
		sent := seen()
		if len(sent) != 3 || sent[0].header.Get(webhook.EventHeader) != webhook.Ping || string(sent[1].body) != string(sent[2].body) {
			t.Fatalf("%d deliveries: %v", len(sent), sent)
		}
		var ids []string
		page := webhook.Page{Limit: 2}
		for range 2 {
			list, err := b.Log(t.Context(), "agent1", e.ID, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range list {
				ids = append(ids, d.ID)
			}
			page.Before = ids[len(ids)-1]
		}
		if diff := cmp.Diff([]string{again, jobs[1], ping}, ids); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
		b.fan(t, accepted("event2", b.now())) // still on its way then
		b.pass(webhook.Retention + time.Minute)
		if n, err := b.Sweep(t.Context()); err != nil || n != 3 {
			t.Errorf("swept %d, %v", n, err)
		}
		if err := b.Delete(t.Context(), "agent1", e.ID); err != nil {
			t.Fatal(err)
		}
		if b.deliver(t, b.take()[0], false) || len(seen()) != 3 {
			t.Error("something is sent to a deleted endpoint")
		}
	})
}
