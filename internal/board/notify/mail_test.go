package notify_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
)

func TestAMailIsSentOnceAndForgotten(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := newBench(t, u)
		b.keep(t, message("event1/worker", notify.Settings{}), message("event1/worker", notify.Settings{}))
		jobs := b.take()
		if diff := cmp.Diff([]notify.Job{{MailID: "id-000001", At: noon}}, jobs); diff != "" {
			t.Fatalf("jobs (-want +got):\n%s", diff)
		}
		for range 2 { // the job runs twice
			if err := b.Post.Send(t.Context(), jobs[0].MailID, notify.Try{Number: 1}); err != nil {
				t.Fatal(err)
			}
		}
		want := []notify.Letter{{
			ID: "id-000001", To: "hanako@example.org", At: noon, Subject: "「商店街の写真」の依頼者からメッセージが届きました",
			Body: "「商店街の写真」の依頼者からメッセージが届きました。\n\n読む・返信する:\nhttps://board.example.org/tasks/1\n" +
				"\n--\nこのメールは自動で送られています。\n受け取るお知らせと時間帯の変更: https://board.example.org/me\n",
		}}
		if diff := cmp.Diff(want, b.send(t)); diff != "" {
			t.Errorf("letters (-want +got):\n%s", diff)
		}
		if left := b.column(t, "SELECT address || slots FROM mails"); left != "{}" {
			t.Errorf("the table still has %q", left)
		}
		b.time = b.time.Add(notify.Retention + time.Hour)
		if n, err := b.Sweep(t.Context()); err != nil || n != 1 || len(b.send(t)) != 0 {
			t.Errorf("swept %d, %v, %d letters left", n, err, len(b.send(t)))
		}
	})
}

func TestSendingFails(t *testing.T) {
	errDown := errors.New("down")
	hopeless := fault.New(fault.Invalid, "mail_refused", "m", "a")
	for _, c := range []struct {
		name  string
		err   error
		last  bool
		state string
	}{
		{"it is tried again", errDown, false, "waiting"},
		{"the last attempt", errDown, true, "failed"},
		{"an address that does not exist", hopeless, false, "failed"},
	} {
		b := newBench(t, databases.SQLite(t))
		b.keep(t, message("m", notify.Settings{}))
		id := b.take()[0].MailID
		b.fail = c.err
		if err := b.Post.Send(t.Context(), id, notify.Try{Number: 1, Last: c.last}); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if state := b.column(t, "SELECT state FROM mails"); state != c.state {
			t.Errorf("%s: %s, want %s", c.name, state, c.state)
		}
		b.fail = nil
		if err := b.Post.Send(t.Context(), id, notify.Try{Number: 1}); err != nil {
			t.Fatal(err)
		}
		if sent := len(b.send(t)) == 1; sent != (c.state == "waiting") {
			t.Errorf("%s: sent afterwards: %v", c.name, sent)
		}
	}
}

func TestWhenAMailIsSent(t *testing.T) {
	japan := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour-9, minute, 0, 0, time.UTC) }
	night := notify.Settings{QuietFrom: 22 * 60, QuietTo: 7 * 60}
	siesta := notify.Settings{QuietFrom: 13 * 60, QuietTo: 14*60 + 30}
	b := newBench(t, databases.SQLite(t))
	for _, c := range []struct {
		name     string
		template string
		settings notify.Settings
		now      time.Time
		at       time.Time // zero: not now
		digest   bool
	}{
		{name: "by day", template: notify.WorkerMessage, settings: night, now: japan(28, 12, 0), at: japan(28, 12, 0)},
		{name: "at night", template: notify.WorkerMessage, settings: night, now: japan(28, 23, 30), at: japan(29, 7, 0)},
		{name: "after midnight", template: notify.WorkerMessage, settings: night, now: japan(28, 0, 30), at: japan(28, 7, 0)},
		{name: "as the night begins", template: notify.WorkerMessage, settings: night, now: japan(28, 22, 0), at: japan(29, 7, 0)},
		{name: "as it ends", template: notify.WorkerMessage, settings: night, now: japan(28, 7, 0), at: japan(28, 7, 0)},
		{name: "within a day", template: notify.WorkerAccepted, settings: siesta, now: japan(28, 14, 0), at: japan(28, 14, 30)},
		{name: "never quiet", template: notify.WorkerMessage, now: japan(28, 3, 0), at: japan(28, 3, 0)},
		{name: "a code at night", template: notify.SignInCode, settings: night, now: japan(28, 23, 30), at: japan(28, 23, 30)},
		{name: "an offer at night", template: notify.WorkerOffer, settings: night, now: japan(28, 23, 30), at: japan(28, 23, 30)},
		{name: "switched off", template: notify.WorkerMessage, settings: notify.Settings{Off: []string{notify.WorkerMessage}}, now: noon},
		{name: "another one switched off", template: notify.WorkerMessage, settings: notify.Settings{Off: []string{notify.WorkerDeclined}}, now: noon, at: noon},
		{name: "a code switched off", template: notify.SignInCode, settings: notify.Settings{Off: []string{notify.SignInCode}}, now: noon, at: noon},
		{name: "digest", template: notify.WorkerMessage, settings: notify.Settings{Digest: true}, now: noon, digest: true},
		{name: "not for the digest", template: notify.WorkerRejected, settings: notify.Settings{Digest: true}, now: noon, at: noon},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.time = c.now
			m := message(c.name, c.settings)
			m.Template = c.template
			b.keep(t, m)
			var at time.Time
			for _, j := range b.take() {
				at = j.At
			}
			if !at.Equal(c.at) {
				t.Errorf("at %v, want %v", at, c.at)
			}
			if kept := b.column(t, "SELECT state FROM mails WHERE state = 'digest' AND reference = '"+c.name+"'") != ""; kept != c.digest {
				t.Errorf("digest %v, want %v", kept, c.digest)
			}
		})
	}
}

func TestTheDigest(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := newBench(t, u)
		s := notify.Settings{Digest: true}
		other := message("c", s)
		other.Owner, other.To, other.Lang = "human2", "taro@example.org", "en"
		b.keep(t, message("a", s))
		b.time = b.time.Add(time.Hour)
		b.keep(t, message("b", s), other)
		if n, err := b.Digest(t.Context()); err != nil || n != 0 {
			t.Fatalf("before its time: %d, %v", n, err)
		}
		b.time = time.Date(2026, 11, 28, 23, 0, 0, 0, time.UTC) // 8 o'clock in Japan
		for _, want := range []int{2, 0} {
			if n, err := b.Digest(t.Context()); err != nil || n != want {
				t.Fatalf("%d digests, want %d: %v", n, want, err)
			}
		}
		letters := b.send(t)
		if len(letters) != 2 {
			t.Fatalf("%d letters", len(letters))
		}
		byOwner := map[string]notify.Letter{letters[0].To: letters[0], letters[1].To: letters[1]}
		ja, en := byOwner["hanako@example.org"], byOwner["taro@example.org"]
		if ja.Subject != "お知らせのまとめ（2件）" || strings.Count(ja.Body, "- 「商店街の写真」の依頼者から") != 2 || !strings.Contains(ja.Body, "https://board.example.org/me") {
			t.Errorf("%s\n%s", ja.Subject, ja.Body)
		}
		if en.Subject != "What happened (1)" || !strings.Contains(en.Body, "  https://board.example.org/tasks/1\n") {
			t.Errorf("%s\n%s", en.Subject, en.Body)
		}
	})
}

func TestMistakesOfCallers(t *testing.T) {
	b := newBench(t, databases.SQLite(t))
	m := message("m", notify.Settings{})
	m.Template = "unknown"
	if err := b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return b.Keep(ctx, tx, m) }); err == nil {
		t.Error("a template that does not exist is kept")
	}
	m.Template, m.Slots = notify.WorkerAccepted, map[string]string{"title": "a"}
	b.keep(t, m)
	if err := b.Post.Send(t.Context(), b.take()[0].MailID, notify.Try{Number: 1, Last: true}); err == nil || len(b.send(t)) > 0 {
		t.Errorf("a mail without its values: %v", err)
	}
}

func TestSettingsAreReadTolerantly(t *testing.T) {
	for text, want := range map[string]notify.Settings{
		"":     {},
		"null": {},
		"[":    {},
		`{"quiet_from":1320,"quiet_to":420,"digest":true,"off":["worker_message"]}`: {Off: []string{notify.WorkerMessage}, QuietFrom: 1320, QuietTo: 420, Digest: true},
		`{"quiet_from":-1,"quiet_to":420}`:                                          {},
		`{"quiet_from":5,"quiet_to":99999}`:                                         {},
		`{"off":["sign_in_code","worker_declined","'"]}`:                            {Off: []string{notify.WorkerDeclined}},
	} {
		got := notify.ParseSettings(text)
		if len(got.Off) == 0 {
			got.Off = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if diff := cmp.Diff(got, notify.ParseSettings(got.String())); diff != "" {
			t.Errorf("%s is not kept (-before +after):\n%s", text, diff)
		}
	}
}
