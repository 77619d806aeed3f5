package notify_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http/httptest"
	"net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// mailServer is a small SMTP server (RFC 5321) of one test.
type mailServer struct {
	addr    string
	tls     *tls.Config // STARTTLS is offered when it is set
	roots   *x509.CertPool
	answers map[string]string // to a command, instead of yes

	mu       sync.Mutex
	commands []string
	letters  []string
}

func startMailServer(t *testing.T, secure bool, answers map[string]string) *mailServer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &mailServer{addr: ln.Addr().String(), answers: answers, roots: x509.NewCertPool()}
	if secure {
		web := httptest.NewTLSServer(nil) // for its certificate
		web.Close()
		s.tls = &tls.Config{Certificates: web.TLS.Certificates}
		s.roots.AddCert(web.Certificate())
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { s.talk(conn) })
		}
	})
	t.Cleanup(func() { _ = ln.Close(); wg.Wait() })
	return s
}

func (s *mailServer) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	c := textproto.NewConn(conn)
	_ = c.PrintfLine("220 test")
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		s.mu.Lock()
		s.commands = append(s.commands, line)
		s.mu.Unlock()
		if answer := s.answers[verb]; answer != "" {
			_ = c.PrintfLine("%s", answer)
			continue
		}
		switch verb {
		case "EHLO":
			if _, already := conn.(*tls.Conn); s.tls != nil && !already {
				_ = c.PrintfLine("250-test\r\n250 STARTTLS")
				continue
			}
			_ = c.PrintfLine("250-test\r\n250 AUTH PLAIN")
		case "STARTTLS":
			_ = c.PrintfLine("220 go")
			conn = tls.Server(conn, s.tls)
			c = textproto.NewConn(conn)
		case "AUTH":
			_ = c.PrintfLine("235 in")
		case "DATA":
			_ = c.PrintfLine("354 go")
			text, err := io.ReadAll(c.DotReader())
			if err != nil {
				return
			}
			s.mu.Lock()
			s.letters = append(s.letters, string(text))
			s.mu.Unlock()
			_ = c.PrintfLine("250 kept")
		case "QUIT":
			_ = c.PrintfLine("221 bye")
			return
		default:
			_ = c.PrintfLine("250 ok")
		}
	}
}

func (s *mailServer) heard() (commands, letters []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands, s.letters
}

var letter = notify.Letter{ID: "id-1", To: "canary@example.org", Subject: "件名", Body: "一行目\n.\n三行目\n", At: noon}

func (s *mailServer) sender() *notify.SMTP {
	return &notify.SMTP{
		Addr: s.addr, From: mail.Address{Name: "Board", Address: "board@example.org"},
		TLS: &tls.Config{RootCAs: s.roots},
	}
}

func TestLettersGoOverTLS(t *testing.T) {
	s := startMailServer(t, true, nil)
	sender := s.sender()
	sender.User, sender.Password = "board", "hunter2"
	if err := sender.Send(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	commands, letters := s.heard()
	if all := strings.Join(commands, "\n"); !strings.Contains(all, "STARTTLS\nEHLO") || !strings.Contains(all, "AUTH PLAIN "+base64.StdEncoding.EncodeToString([]byte("\x00board\x00hunter2"))) {
		t.Errorf("the server heard\n%s", all)
	}
	if len(letters) != 1 {
		t.Fatalf("%d letters", len(letters))
	}
	got, err := mail.ReadMessage(bufio.NewReader(strings.NewReader(letters[0])))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	body, readErr := io.ReadAll(base64.NewDecoder(base64.StdEncoding, got.Body))
	if err != nil || readErr != nil || subject != letter.Subject || strings.ReplaceAll(string(body), "\r\n", "\n") != letter.Body {
		t.Errorf("%q, %q, %v, %v", subject, body, err, readErr)
	}
}

func TestWithoutTLSNothingIsSaid(t *testing.T) {
	s := startMailServer(t, false, nil)
	for name, change := range map[string]func(*notify.SMTP){
		"no TLS":       func(*notify.SMTP) {},
		"only a login": func(m *notify.SMTP) { m.Plain, m.User, m.Password = true, "board", "hunter2" },
	} {
		sender := s.sender()
		change(sender)
		if err := sender.Send(t.Context(), letter); fault.From(err).Kind != fault.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
	commands, letters := s.heard()
	if all := strings.Join(commands, "\n"); len(letters) > 0 || strings.Contains(all, "AUTH") || strings.Contains(all, "canary") {
		t.Errorf("the server heard\n%s", all)
	}
	sender := s.sender()
	sender.Plain = true
	if err := sender.Send(t.Context(), letter); err != nil {
		t.Errorf("on this machine, when it is allowed: %v", err)
	}
}

// A server with another certificate is another server.
func TestTheMailServerMustBeWhoItSays(t *testing.T) {
	s := startMailServer(t, true, nil)
	sender := s.sender()
	sender.TLS = nil
	if err := sender.Send(t.Context(), letter); fault.From(err).Kind != fault.Unavailable {
		t.Errorf("%v", err)
	}
	if _, letters := s.heard(); len(letters) > 0 {
		t.Error("the letter was handed over")
	}
}

// What a server answers tells whether to try again, and is quoted nowhere.
func TestAnswersOfTheMailServer(t *testing.T) {
	for _, c := range []struct {
		verb, answer string
		kind         fault.Kind
		typ          string
	}{
		{"RCPT", "550 5.1.1 <canary@example.org> does not exist", fault.Invalid, "mail_refused"},
		{"RCPT", "451 4.7.1 greylisted canary@example.org", fault.Unavailable, "mail_deferred"},
		{"MAIL", "553 board@example.org canary", fault.Invalid, "mail_refused"},
		{"DATA", "421 canary", fault.Unavailable, "mail_deferred"},
		{"AUTH", "535 5.7.8 canary", fault.Unavailable, "mail_server_reply_535"},
	} {
		s := startMailServer(t, true, map[string]string{c.verb: c.answer})
		sender := s.sender()
		sender.User, sender.Password = "board", "canary"
		err := sender.Send(t.Context(), letter)
		f := fault.From(err)
		if f == nil || f.Kind != c.kind || f.Type != c.typ {
			t.Errorf("%s %s: %v", c.verb, c.answer, err)
			continue
		}
		if said := fmt.Sprintf("%v %+v %v", err, f, f.Cause); strings.Contains(said, "canary") {
			t.Errorf("it quotes: %s", said)
		}
	}
}
