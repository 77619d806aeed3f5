package webhook_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/store"
)

func TestADeliveryIsSignedAndThin(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		s, seen := endpoint(t, 204)
		b := newBench(t, u, local(s))
		e, secret := b.create(t, named(t, s))
		b.fan(t, accepted("event1", b.now()))
		b.fan(t, accepted("event1", b.now())) // the job that fans ran twice
		jobs := b.take()
		if len(jobs) != 1 {
			t.Fatalf("%d deliveries of one event", len(jobs))
		}
		if b.deliver(t, jobs[0], false) {
			t.Error("it wants another attempt")
		}
		if b.deliver(t, jobs[0], false) || len(seen()) != 1 {
			t.Errorf("a second job of the delivery sends it again: %d", len(seen()))
		}
		d := seen()[0]
		want := `{"id":"event1","type":"task.accepted","task_id":"task1","task_version":3,"task_status":"accepted","actor":"agent","occurred_at":"2026-02-28T23:59:00Z"}`
		if diff := cmp.Diff(want, string(d.body)); diff != "" {
			t.Errorf("body (-want +got):\n%s", diff)
		}
		if h := d.header; h.Get("Content-Type") != "application/json" || h.Get(webhook.EventHeader) != "task.accepted" || h.Get(webhook.DeliveryHeader) != jobs[0] {
			t.Errorf("headers %v", h)
		}
		if err := webhook.Check(d.header.Get(webhook.SignatureHeader), d.body, secret, b.now()); err != nil {
			t.Error(err)
		}
		log := b.log(t, e)
		wantLog := []webhook.Delivery{{
			ID: jobs[0], EndpointID: e.ID, EventID: "event1", EventType: "task.accepted", Body: want, State: webhook.Delivered,
			CreatedAt: b.now(), EndedAt: b.now(), Attempts: []webhook.Attempt{{Number: 1, At: b.now(), Status: 204}},
		}}
		if diff := cmp.Diff(wantLog, log); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
	})
}

func TestSignaturesThatAreNotValid(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	body := []byte(`{"id":"1"}`)
	good := webhook.Sign(body, now, "new", "old")
	if !strings.HasPrefix(good, "t=1800000000,v1=") || strings.Count(good, "v1=") != 2 {
		t.Fatalf("signature %q", good)
	}
	for name, c := range map[string]struct {
		header, body, secret string
		now                  time.Time
		ok                   bool
	}{
		"new secret":    {good, string(body), "new", now, true},
		"old secret":    {good, string(body), "old", now.Add(4 * time.Minute), true},
		"another":       {good, string(body), "other", now, false},
		"changed body":  {good, `{"id":"2"}`, "new", now, false},
		"too old":       {good, string(body), "new", now.Add(6 * time.Minute), false},
		"of the future": {good, string(body), "new", now.Add(-6 * time.Minute), false},
		"another time":  {strings.Replace(good, "t=1800000000", "t=1800000001", 1), string(body), "new", now, false},
		"no signature":  {"t=1800000000", string(body), "new", now, false},
		"no time":       {strings.TrimPrefix(good, "t=1800000000,"), string(body), "new", now, false},
		"nothing":       {"", "", "", now, false},
		"no hex":        {"t=1800000000,v1=zz", string(body), "new", now, false},
		"empty":         {"t=1800000000,v1=", string(body), "new", now, false},
	} {
		if err := webhook.Check(c.header, []byte(c.body), c.secret, c.now); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnEndpointThatFailsIsTriedAgain(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		s, seen := endpoint(t, 500, 302, 404, 200)
		b := newBench(t, u, local(s))
		e, _ := b.create(t, named(t, s))
		b.fan(t, accepted("event1", b.now()))
		id := b.take()[0]
		for n := 1; b.deliver(t, id, n == webhook.Attempts); n++ {
			b.pass(webhook.Wait(n))
		}
		d := b.log(t, e)[0]
		var statuses []int64
		var failures []string
		for _, a := range d.Attempts {
			statuses, failures = append(statuses, a.Status), append(failures, a.Failure)
		}
		if diff := cmp.Diff([]int64{500, 302, 404, 200}, statuses); diff != "" || d.State != webhook.Delivered {
			t.Errorf("%s (-want +got):\n%s", d.State, diff)
		}
		if diff := cmp.Diff([]string{"status", "redirect", "status", ""}, failures); diff != "" {
			t.Errorf("failures (-want +got):\n%s", diff)
		}
		for _, g := range seen() {
			if g.path != "/hook?token=canary" || string(g.body) != d.Body {
				t.Errorf("an attempt went to %s with %s", g.path, g.body)
			}
		}
		if text := strings.Join(failures, " ") + d.Body; strings.Contains(text, "canary") {
			t.Errorf("the log has the answer in it: %s", text)
		}
	})
}

func TestTheScheduleGrowsToThreeDays(t *testing.T) {
	total, before := time.Duration(0), time.Duration(0)
	for n := 1; n < webhook.Attempts; n++ {
		w := webhook.Wait(n)
		if w < before {
			t.Errorf("after attempt %d it waits %v, less than %v", n, w, before)
		}
		total, before = total+w, w
	}
	if total < 72*time.Hour || total > 96*time.Hour {
		t.Errorf("%v in all", total)
	}
	if webhook.Wait(0) != webhook.Wait(1) || webhook.Wait(99) != before {
		t.Error("attempts out of range")
	}
}

func TestEndpointsThatAreGone(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		s, seen := endpoint(t, 410)
		b := newBench(t, u, local(s))
		e, _ := b.create(t, named(t, s))
		b.fan(t, accepted("event1", b.now()))
		b.fan(t, accepted("event2", b.now()))
		for _, id := range b.take() {
			if b.deliver(t, id, false) {
				t.Error("it wants another attempt")
			}
		}
		after, err := b.Get(t.Context(), "agent1", e.ID)
		if err != nil || after.Disabled != webhook.DisabledGone || len(seen()) != 1 {
			t.Errorf("%+v, %d requests, %v", after, len(seen()), err)
		}
		b.fan(t, accepted("event3", b.now()))
		if jobs := b.take(); len(jobs) != 0 {
			t.Errorf("%d deliveries to a disabled endpoint", len(jobs))
		}
		after, _, err = b.Rotate(t.Context(), "agent1", e.ID)
		if err != nil || after.Disabled != "" {
			t.Errorf("%+v, %v", after, err)
		}
	})
}

func TestTooManyFailuresDisable(t *testing.T) {
	b := newBench(t, databases.SQLite(t), webhook.Options{Resolve: nowhere})
	e, _ := b.create(t, "https://hooks.example.com/")
	const most = 20
	for n := range most {
		now, err := b.Get(t.Context(), "agent1", e.ID)
		if err != nil || now.Disabled != "" {
			t.Fatalf("after %d failures: %+v, %v", n, now, err)
		}
		b.fan(t, accepted(string(rune('a'+n)), b.now()))
		b.deliver(t, b.take()[0], true)
	}
	if now, err := b.Get(t.Context(), "agent1", e.ID); err != nil || now.Disabled != webhook.DisabledFailing {
		t.Errorf("%+v, %v", now, err)
	}
}

func nowhere(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("no such host") }

// Nothing that an agent can register reaches this machine or its networks.
func TestPrivateTargets(t *testing.T) {
	s, seen := endpoint(t, 200)
	p := s.Listener.Addr().(interface{ AddrPort() netip.AddrPort }).AddrPort().Port()
	for _, c := range []struct {
		url   string
		leads []string // of names; addresses are refused when they are registered
		want  string
	}{
		{"https://hooks.example.com", []string{"127.0.0.1"}, "address_refused"},
		{"https://hooks.example.com", []string{"::ffff:127.0.0.1"}, "address_refused"},
		{"https://hooks.example.com", []string{"::1"}, "address_refused"},
		{"https://hooks.example.com", []string{"100.64.1.1"}, "address_refused"},
		{"https://hooks.example.com", []string{"64:ff9b::7f00:1"}, "address_refused"},
		{"https://hooks.example.com", []string{"169.254.169.254"}, "address_refused"},
		{"https://hooks.example.com", []string{"fd00:ec2::254"}, "address_refused"},
		{"https://hooks.example.com", []string{"10.1.1.1", "93.184.216.34"}, "address_refused"},
		{"https://hooks.example.com", nil, "name_not_found"},
	} {
		b := newBench(t, databases.SQLite(t), webhook.Options{Resolve: func(context.Context, string) ([]netip.Addr, error) {
			var out []netip.Addr
			for _, a := range c.leads {
				out = append(out, netip.MustParseAddr(a))
			}
			return out, nil
		}})
		e, _ := b.create(t, c.url+":"+itoa(p)+"/")
		if _, err := b.Try(t.Context(), "agent1", e.ID); err != nil {
			t.Fatal(err)
		}
		if !b.deliver(t, b.take()[0], false) {
			t.Errorf("%v: delivered", c.leads)
		}
		if a := b.log(t, e)[0].Attempts; len(a) != 1 || a[0].Failure != c.want || a[0].Status != 0 {
			t.Errorf("%v: %+v, want %s", c.leads, a, c.want)
		}
	}
	if len(seen()) > 0 {
		t.Errorf("%d requests came through", len(seen()))
	}
}

func itoa(n uint16) string {
	return netip.AddrPortFrom(netip.IPv4Unspecified(), n).String()[len("0.0.0.0:"):]
}

// A certificate of somebody else is no delivery, and a server without TLS neither.
func TestTheEndpointMustBeWhoItSays(t *testing.T) {
	s, seen := endpoint(t, 200)
	plain := httptest.NewServer(s.Config.Handler)
	t.Cleanup(plain.Close)
	for name, c := range map[string]struct{ url, want string }{
		"another name": {strings.Replace(named(t, s), "example.com", "example.org", 1), "tls"},
		"no TLS":       {strings.Replace(plain.URL, "http:", "https:", 1), "no_connection"},
		"nobody":       {"https://127.0.0.1:1/", "no_connection"},
	} {
		b := newBench(t, databases.SQLite(t), local(s))
		e, _ := b.create(t, c.url)
		b.fan(t, accepted("event1", b.now()))
		b.deliver(t, b.take()[0], false)
		if a := b.log(t, e)[0].Attempts[0]; a.Failure != c.want {
			t.Errorf("%s: %+v, want %s", name, a, c.want)
		}
	}
	if len(seen()) > 0 {
		t.Errorf("%d requests came through", len(seen()))
	}
}

// The same delivery in two processes at once ends once.
func TestTheSameDeliveryTwiceAtOnce(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		s, seen := endpoint(t, 200)
		b := newBench(t, u, local(s))
		e, _ := b.create(t, named(t, s))
		b.fan(t, accepted("event1", b.now()))
		id := b.take()[0]
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if err := b.Deliver(t.Context(), id, false); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		d := b.log(t, e)[0]
		if d.State != webhook.Delivered || len(d.Attempts) != len(seen()) {
			t.Errorf("%s, %d attempts for %d requests", d.State, len(d.Attempts), len(seen()))
		}
		ids := map[string]bool{}
		for _, g := range seen() {
			ids[g.header.Get(webhook.DeliveryHeader)] = true
		}
		if len(ids) != 1 || !slices.Contains([]int{1, 2, 3, 4, 5}, len(seen())) {
			t.Errorf("%v", ids)
		}
	})
}
