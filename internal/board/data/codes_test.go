package data_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// Strangers cannot use up the codes of a person, end the one that is under way, or
// fill the mailbox.
func TestStrangersLockNobodyOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const mail = "ann@people.example"
		from := func(address string) context.Context { return data.WithSource(t.Context(), address) }
		sent := func(ctx context.Context) bool {
			before := len(w.outbox.of(task.JobMail))
			try(w.StartSignIn(ctx, mail, "en"))(t)
			return len(w.outbox.of(task.JobMail)) > before
		}
		home, cafe := from("192.0.2.1"), from("192.0.2.2")
		first := try(w.StartSignIn(home, mail, "en"))(t)
		if _, _, err := w.ConfirmSignIn(home, first, w.outbox.code(t)); err != nil {
			t.Fatal(err)
		}
		waiting := try(w.StartSignIn(cafe, mail, "en"))(t)
		code := w.outbox.code(t)
		mails := 0
		for n := range 200 {
			if sent(from(fmt.Sprintf("198.51.100.%d", n%20))) {
				mails++
			}
		}
		if mails != 11 { // beside the one to the cafe
			t.Errorf("strangers have %d mails sent", mails)
		}
		if _, _, err := w.ConfirmSignIn(cafe, waiting, code); err != nil {
			t.Errorf("a code that was under way: %v", err)
		}
		if !sent(home) || !sent(cafe) {
			t.Error("from where she signed in before, no code is sent")
		}
		sent(from("203.0.113.4")) // in the place of the cafe, which is no stranger any more
		if sent(from("203.0.113.5")) {
			t.Error("a further stranger has a mail sent")
		}
		for range 10 {
			sent(home)
		}
		if sent(home) {
			t.Error("one address has mails sent without end")
		}
		w.clock.forward(time.Hour + time.Minute)
		if !sent(from("203.0.113.5")) {
			t.Error("after an hour no code is sent")
		}
		w.clock.forward(200 * 24 * time.Hour)
		if try(w.ForgetKeys(t.Context()))(t); w.count("SELECT COUNT(*) FROM code_sources") != 0 {
			t.Error("it is remembered for ever from where she signed in")
		}
		if n := w.count("SELECT COUNT(*) FROM codes WHERE source LIKE '%192%'"); n != 0 {
			t.Error("an address is kept in the clear")
		}
	})
}
