package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/reach"
	"github.com/legwork-mcp/legwork/internal/store"
)

func message() Message {
	return Message{
		ID: "0190a1b2-0000-7000-8000-000000000001", Title: "「駅前の写真」の担当に決まりました", Text: strings.Repeat("手取り: 1,600円\n", 100), Lang: "ja",
		URL: "https://board.example.org/me/tasks/1", TTL: time.Hour, Urgent: true,
	}
}

// All devices of a person can read it, nobody else can, and the push service learns how
// urgent it is and who sends it.
func TestPush(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := newBench(t, u)
		phone, desk, other := newBrowser(t, "/phone"), newBrowser(t, "/desk"), newBrowser(t, "/other")
		b.add(t, "hanako", phone, desk)
		b.add(t, "taro", other)
		if err := b.Send(t.Context(), "hanako", message()); err != nil {
			t.Fatal(err)
		}
		if len(b.taken) != 2 {
			t.Fatalf("%d pushes went out", len(b.taken))
		}
		for i, reader := range []browser{desk, phone} { // the newest device first
			got := b.taken[i]
			text, err := reader.open(got.body)
			if err != nil {
				t.Fatalf("%s: %v", got.path, err)
			}
			var said map[string]string
			if err := json.Unmarshal(text, &said); err != nil || said["title"] != message().Title || said["tag"] != message().ID || said["url"] != message().URL ||
				said["lang"] != "ja" || len([]rune(said["body"])) != 300 {
				t.Errorf("it says %v, %v", said, err)
			}
			if _, err := other.open(got.body); err == nil {
				t.Error("somebody else can read it")
			}
			claims, key, err := signed(got.header.Get("Authorization"))
			if err != nil || key != b.PublicKey() || claims["aud"] != "https://example.com" || claims["sub"] != "https://board.example.org" {
				t.Errorf("it is sent by %v with %s, %v", claims, key, err)
			}
			want := map[string]string{"Urgency": "high", "Ttl": "3600", "Topic": "0190a1b2000070008000000000000001", "Content-Encoding": "aes128gcm"}
			for name := range maps.Keys(want) {
				if got.header.Get(name) != want[name] {
					t.Errorf("%s is %q, want %q", name, got.header.Get(name), want[name])
				}
			}
		}
		if string(b.taken[0].body[:86]) == string(b.taken[1].body[:86]) {
			t.Error("a key or a salt was used twice")
		}
	})
}

// What a push service says decides: devices that are gone are forgotten, what may pass is
// tried again, and no error quotes an address or a key.
func TestAnswersOfPushServices(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := newBench(t, u)
		for _, c := range []struct {
			status map[string]int
			kind   fault.Kind // of the error, empty for none
			left   string
		}{
			{map[string]int{}, "", "/b /a"},
			{map[string]int{"/a": 410}, "", "/b"},
			{map[string]int{"/a": 404, "/b": 410}, fault.Denied, ""},
			{map[string]int{"/a": 410, "/b": 503}, fault.Internal, "/b"},
			{map[string]int{"/a": 503, "/b": 200}, "", "/b /a"},
			{map[string]int{"/a": 429, "/b": 403}, fault.Internal, "/b /a"},
			{map[string]int{"/a": 403, "/b": 413}, fault.Denied, "/b /a"},
			{map[string]int{"/a": 301, "/b": 307}, fault.Denied, "/b /a"},
		} {
			name := fmt.Sprint(c.status)
			b.add(t, "hanako", newBrowser(t, "/a"), newBrowser(t, "/b"))
			b.status = c.status
			err := b.Send(t.Context(), "hanako", message())
			if c.kind == "" && err != nil || c.kind != "" && (err == nil || fault.From(err).Kind != c.kind) {
				t.Errorf("%s: %v, want %q", name, err, c.kind)
			}
			if err != nil && (strings.Contains(err.Error(), "example") || strings.Contains(err.Error(), "/a")) {
				t.Errorf("%s: the error quotes an address: %v", name, err)
			}
			if left := b.endpoints(t, "hanako"); left != c.left {
				t.Errorf("%s: the devices are %q, want %q", name, left, c.left)
			}
		}
		if err := b.Send(t.Context(), "taro", message()); fault.From(err).Kind != fault.Denied {
			t.Errorf("to somebody without a device: %v", err)
		}
		b.server.CloseClientConnections()
		_ = b.server.Listener.Close() // the service closes it again
		if err := b.Send(t.Context(), "hanako", message()); err == nil || fault.From(err).Kind != fault.Internal || strings.Contains(err.Error(), "example") {
			t.Errorf("without an answer: %v", err)
		}
	})
}

// Nothing is sent to this machine or its networks, whatever a browser says that its push
// service is; nothing is kept that is no subscription.
func TestHostileSubscriptions(t *testing.T) {
	b := newBench(t, databases.SQLite(t))
	good := newBrowser(t, "/a").sub
	with := func(change func(*Subscription)) Subscription { s := good; change(&s); return s }
	at := func(address string) Subscription { return with(func(s *Subscription) { s.Endpoint = address }) }
	for name, s := range map[string]Subscription{
		"nothing": {}, "no address": at(""), "plain": at("http://example.com/a"), "a file": at("file:///etc/passwd"), "a script": at("javascript:alert(1)"),
		"a login": at("https://a:b@example.com/a"), "a part": at("https://example.com/a#b"), "another port": at("https://example.com:8443/a"),
		"this machine": at("https://127.0.0.1/a"), "this machine by name": at("https://localhost/a"), "a name of this machine": at("https://push.localhost/a"),
		"version 6": at("https://[::1]/a"), "the cloud": at("https://169.254.169.254/latest"), "a bare name": at("https://intranet/a"), "a number": at("https://2130706433/a"),
		"control characters": at("https://example.com/\x00"), "very long": at("https://example.com/" + strings.Repeat("a", 2000)),
		"no key": with(func(s *Subscription) { s.P256DH = "" }), "a short key": with(func(s *Subscription) { s.P256DH = s.P256DH[:40] }),
		"off the curve": with(func(s *Subscription) { s.P256DH = "BA" + strings.Repeat("A", 85) }), "no letters": with(func(s *Subscription) { s.P256DH = "%%%" }),
		"infinity": with(func(s *Subscription) { s.P256DH = "AA" }), "no secret": with(func(s *Subscription) { s.Auth = "" }), "a long secret": with(func(s *Subscription) { s.Auth += "AAAA" }),
	} {
		if err := b.Add(t.Context(), "hanako", s); err == nil || fault.From(err).Kind != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		} else if s.Endpoint != "" && strings.Contains(err.Error(), s.Endpoint) {
			t.Errorf("%s: the error quotes the address: %v", name, err)
		}
	}
	if left := b.endpoints(t, "hanako"); left != "" {
		t.Errorf("kept: %s", left)
	}
	// names of the internet that lead here
	for _, to := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:192.168.1.1"} {
		d := &reach.Dialer{Resolve: func(context.Context, string) ([]netip.Addr, error) { return []netip.Addr{netip.MustParseAddr(to)}, nil }}
		guarded := New(b.db, Options{Key: b.key, NewID: b.newID, Client: reach.NewClient(d, nil, timeout)})
		if err := guarded.Add(t.Context(), "hanako", good); err != nil {
			t.Fatal(err)
		}
		if err := guarded.Send(t.Context(), "hanako", message()); fault.From(err).Kind != fault.Denied {
			t.Errorf("%s: %v", to, err)
		}
	}
	if len(b.taken) > 0 {
		t.Errorf("%d pushes went out", len(b.taken))
	}
}

// A browser is one person's: the last who subscribed with it. Only its owner takes it
// away, and old ones make room.
func TestDevices(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := newBench(t, u)
		shared := newBrowser(t, "/shared")
		b.add(t, "hanako", shared)
		b.add(t, "taro", shared)
		if h, o := b.endpoints(t, "hanako"), b.endpoints(t, "taro"); h != "" || o != "/shared" {
			t.Errorf("the browser is %q of the first and %q of the second", h, o)
		}
		list, err := b.Devices(t.Context(), "taro")
		if err != nil || len(list) != 1 || list[0].Name != "Chrome, Android" {
			t.Fatalf("%v, %v", list, err)
		}
		for _, who := range []string{"hanako", "taro"} {
			if theirs, err := b.Remove(t.Context(), who, list[0].ID); err != nil || theirs != (who == "taro") {
				t.Fatalf("%s takes it away: %v, %v", who, theirs, err)
			}
			if left := b.endpoints(t, "taro"); (left == "") != (who == "taro") {
				t.Errorf("after %s took it away: %q", who, left)
			}
		}
		for i := range 7 {
			b.add(t, "hanako", newBrowser(t, fmt.Sprint("/", i)))
		}
		if left := b.endpoints(t, "hanako"); left != "/6 /5 /4 /3 /2" {
			t.Errorf("of seven devices these are left: %s", left)
		}
	})
}

// A text that is too long for a push is an error, not half a text.
func TestLongPush(t *testing.T) {
	m := message()
	m.URL = "https://board.example.org/" + strings.Repeat("a", 4000)
	var refusal *fault.Error
	if _, err := m.payload(); !errors.As(err, &refusal) || refusal.Kind != fault.Invalid {
		t.Error(err)
	}
}
