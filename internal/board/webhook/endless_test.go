package webhook_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/webhook"
)

// TestReceiversThatAnswerWithoutEnd: an attempt is over when its status is known, or when
// the head of the answer is too long; how much follows costs nothing.
func TestReceiversThatAnswerWithoutEnd(t *testing.T) {
	for name, c := range map[string]struct {
		answer  func(w *bufio.Writer) error // again and again
		begins  string
		state   webhook.State
		failure string
	}{
		"a body": {func(w *bufio.Writer) error { _, err := w.WriteString(strings.Repeat("x", 4096)); return err }, "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", webhook.Delivered, ""},
		"a head": {func(w *bufio.Writer) error {
			_, err := w.WriteString("X-A: " + strings.Repeat("x", 4096) + "\r\n")
			return err
		}, "HTTP/1.1 200 OK\r\n", webhook.Pending, "no_connection"},
		"a line": {func(w *bufio.Writer) error { _, err := w.WriteString(strings.Repeat("x", 4096)); return err }, "HTTP/1.1 200 ", webhook.Pending, "no_connection"},
		"half answers": {func(w *bufio.Writer) error {
			_, err := w.WriteString("HTTP/1.1 103 Early Hints\r\nX-A: x\r\n\r\n")
			return err
		}, "", webhook.Pending, "no_connection"},
		"a redirect loop": {nil, "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", webhook.Pending, "redirect"},
		"no HTTP":         {nil, "SSH-2.0-OpenSSH_9.2\r\n", webhook.Pending, "no_connection"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				conn, out, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_, err = out.WriteString(c.begins)
				for err == nil && c.answer != nil {
					err = c.answer(out.Writer)
				}
				_ = out.Flush() // the client may have gone
			}))
			defer s.Close()
			b := newBench(t, databases.SQLite(t), local(s))
			e, _ := b.create(t, named(t, s))
			b.fan(t, accepted("e1", b.now()))
			begun := time.Now()
			b.deliver(t, b.take()[0], false)
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			d := b.log(t, e)[0]
			if d.State != c.state || len(d.Attempts) != 1 || d.Attempts[0].Failure != c.failure {
				t.Errorf("%+v", d)
			}
		})
	}
}
