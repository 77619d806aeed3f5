package notify_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
)

// way is a Sender that keeps what it took, or fails.
type way struct {
	fail error
	sent []notify.Letter
	n    int
}

func (w *way) Send(_ context.Context, l notify.Letter) error {
	if w.n++; w.fail != nil {
		return w.fail
	}
	w.sent = append(w.sent, l)
	return nil
}

// Letters go the way of their addresses.
func TestWays(t *testing.T) {
	mail, line, push := &way{}, &way{}, &way{}
	ways := notify.Ways{Mail: mail, LINE: line, Push: push}
	for to, want := range map[string]*way{"hanako@example.org": mail, notify.LINEAddress(lineID): line, notify.PushAddress("human-1"): push} {
		if err := ways.Send(t.Context(), notify.Letter{To: to}); err != nil || len(want.sent) != 1 || want.sent[0].To != to {
			t.Errorf("%s: %v, %v", to, want.sent, err)
		}
	}
	if err := (notify.Ways{Mail: mail}).Send(t.Context(), notify.Letter{To: notify.LINEAddress(lineID)}); fault.From(err).Kind != fault.Invalid {
		t.Error("a way that is not there any more:", err)
	}
}

// elsewhere is a mail that goes to LINE, and by mail when that is closed.
func elsewhere(reference, fallback string) notify.Mail {
	m := message(reference, notify.Settings{By: notify.ByLINE})
	m.To, m.Fallback = notify.LINEAddress(lineID), fallback
	return m
}

// What LINE does not take goes by mail: at once when LINE says no, and after three
// attempts when it says nothing.
func TestMailInsteadOfLINE(t *testing.T) {
	for _, c := range []struct {
		name     string
		status   int
		alone    bool
		attempts int // until the mail is out
	}{
		{"blocked", 0, true, 1},
		{"not a user", 400, false, 1},
		{"the token is not good", 401, false, 1},
		{"forbidden", 403, false, 1},
		{"the quota is used up", 429, false, 1},
		{"a defect", 500, false, 3},
		{"overloaded", 503, false, 3},
	} {
		databases.Each(t, func(t *testing.T, u store.URL) {
			b := newBench(t, u)
			line, s := newLINE(t)
			s.status, s.alone = c.status, c.alone
			mail := &way{}
			b.Sender = notify.Ways{Mail: mail, LINE: line}
			b.keep(t, elsewhere("m", "hanako@example.org"))
			id := b.take()[0].MailID
			for n := 1; n <= notify.Attempts && len(mail.sent) == 0; n++ {
				err := b.Post.Send(t.Context(), id, notify.Try{Number: n, Last: n == notify.Attempts})
				if (err == nil) != (n == c.attempts) {
					t.Errorf("%s: attempt %d: %v", c.name, n, err)
				}
			}
			if len(mail.sent) != 1 || mail.sent[0].To != "hanako@example.org" || len(s.taken) != 0 {
				t.Errorf("%s: mails %v, at LINE %v", c.name, mail.sent, s.taken)
			}
			if left := b.column(t, "SELECT state || address || fallback || slots FROM mails"); left != "sent{}" {
				t.Errorf("%s: the table still has %q", c.name, left)
			}
			if err := b.Post.Send(t.Context(), id, notify.Try{Number: 4}); err != nil || len(mail.sent) != 1 {
				t.Errorf("%s: a job that comes again: %v, %d mails", c.name, err, len(mail.sent))
			}
		})
	}
}

// A mail that was diverted stays so: LINE is not asked again, and the mail server has the
// attempts that are left.
func TestMailServerIsDownToo(t *testing.T) {
	b := newBench(t, databases.SQLite(t))
	line, mail := &way{fail: fault.New(fault.Limited, "line_closed", "m", "a")}, &way{fail: errors.New("down")}
	b.Sender = notify.Ways{Mail: mail, LINE: line}
	b.keep(t, elsewhere("m", "hanako@example.org"))
	id := b.take()[0].MailID
	for n := 1; n <= notify.Attempts; n++ {
		if err := b.Post.Send(t.Context(), id, notify.Try{Number: n, Last: n == notify.Attempts}); !errors.Is(err, mail.fail) {
			t.Errorf("attempt %d: %v", n, err)
		}
	}
	if state := b.column(t, "SELECT state FROM mails"); state != "failed" || line.n != 1 || mail.n != notify.Attempts {
		t.Errorf("%s, %d times at LINE, %d times by mail", state, line.n, mail.n)
	}
}

// Without another address a letter waits for LINE, unless LINE says that it never will.
func TestOnlyLINE(t *testing.T) {
	for err, want := range map[error]string{
		errors.New("down"): "waiting", fault.New(fault.Limited, "line_closed", "m", "a"): "waiting", fault.New(fault.Invalid, "x", "m", "a"): "failed",
	} {
		b := newBench(t, databases.SQLite(t))
		b.Sender = notify.Ways{LINE: &way{fail: err}}
		b.keep(t, elsewhere("m", ""))
		if got := b.Post.Send(t.Context(), b.take()[0].MailID, notify.Try{Number: 3}); !errors.Is(got, err) {
			t.Errorf("%v: %v", err, got)
		}
		if state := b.column(t, "SELECT state FROM mails"); state != want {
			t.Errorf("%v: %s, want %s", err, state, want)
		}
	}
}

// The digest keeps both addresses.
func TestDigestInsteadOfLINE(t *testing.T) {
	b := newBench(t, databases.SQLite(t))
	line, mail := &way{fail: fault.New(fault.Denied, "line_closed", "m", "a")}, &way{}
	b.Sender = notify.Ways{Mail: mail, LINE: line}
	for i := range 2 {
		m := elsewhere(fmt.Sprint("m", i), "hanako@example.org")
		m.Settings.Digest = true
		b.keep(t, m)
	}
	b.time = b.time.AddDate(0, 0, 1)
	if n, err := b.Digest(t.Context()); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	if err := b.Post.Send(t.Context(), b.take()[0].MailID, notify.Try{Number: 1}); err != nil {
		t.Fatal(err)
	}
	if len(mail.sent) != 1 || line.n != 1 || mail.sent[0].To != "hanako@example.org" {
		t.Errorf("by mail %v", mail.sent)
	}
}
