package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/reach"
)

// smtpTimeout is how long one letter may take.
const smtpTimeout = 45 * time.Second

// SMTP is a Sender that hands letters to a mail server.
type SMTP struct {
	// Addr is the host and port of the server. At port 465 the connection begins with
	// TLS (RFC 8314, section 3.3), elsewhere it is switched to TLS.
	Addr string
	// From is the sender of the letters.
	From mail.Address
	// User and Password log in, unless empty. They are never sent without TLS.
	User, Password string
	// TLS is how the server proves who it is, the usual way unless set.
	TLS *tls.Config
	// Plain lets letters go without TLS to a server that offers none, and only to one
	// on this machine.
	Plain bool
}

// Send implements Sender.
func (s *SMTP) Send(ctx context.Context, l Letter) error {
	text, err := l.message(s.From)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, smtpTimeout)
	defer cancel()
	client, err := s.connect(ctx)
	if err != nil {
		return unreachable(err)
	}
	defer func() { _ = client.Close() }() // after Quit, or after an error that matters more
	if err := s.hand(client, l.To, text); err != nil {
		return refused(err)
	}
	return nil
}

func (s *SMTP) connect(ctx context.Context) (*smtp.Client, error) {
	host, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return nil, err
	}
	anywhere := &reach.Dialer{Allow: func(netip.AddrPort) bool { return true }} // the operator chose it
	conn, err := anywhere.DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		return nil, err
	}
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	local := isLoopback(conn.RemoteAddr())
	config := s.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	config.ServerName = host
	if port == "465" {
		conn = tls.Client(conn, config)
	}
	client, err := smtp.NewClient(conn, host)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if err := s.secure(client, config, local && s.Plain); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return client, nil
}

// secure switches to TLS and logs in.
func (s *SMTP) secure(client *smtp.Client, config *tls.Config, plain bool) error {
	if _, already := client.TLSConnectionState(); !already {
		if offered, _ := client.Extension("STARTTLS"); offered {
			if err := client.StartTLS(config); err != nil {
				return fmt.Errorf("switch to TLS: %w", err)
			}
		} else if !plain {
			return errors.New("the server offers no TLS")
		}
	}
	if s.User == "" {
		return nil
	}
	if _, safe := client.TLSConnectionState(); !safe {
		return errors.New("there is a password and no TLS")
	}
	return client.Auth(smtp.PlainAuth("", s.User, s.Password, config.ServerName))
}

func (s *SMTP) hand(client *smtp.Client, to string, text []byte) error {
	if err := client.Mail(s.From.Address); err != nil {
		return err
	}
	if err := client.Rcpt(to); err != nil {
		return err
	}
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the letter is taken
	return nil
}

func isLoopback(a net.Addr) bool {
	p, err := netip.ParseAddrPort(a.String())
	return err == nil && p.Addr().Unmap().IsLoopback()
}

// refused tells a letter that no server will ever take (RFC 5321, section 4.2.1: a
// reply of 5yz) from a bad moment. What the server says may quote the address, so
// only its number is passed on.
func refused(err error) error {
	var reply *textproto.Error
	if errors.As(err, &reply) {
		if reply.Code >= 500 && reply.Code != 503 && !strings.Contains(reply.Msg, "5.7.8") {
			return fault.New(fault.Invalid, "mail_refused", fmt.Sprintf("The mail server refused the mail with reply %d.", reply.Code),
				"Check the address, and the settings of the mail server.")
		}
		return fault.New(fault.Unavailable, "mail_deferred", fmt.Sprintf("The mail server did not take the mail now, with reply %d.", reply.Code), "It is tried again.")
	}
	return unreachable(err)
}

// unreachable never quotes: an error of the login may hold what was sent.
func unreachable(err error) error {
	word := "mail_server_unavailable"
	var reply *textproto.Error
	if errors.As(err, &reply) {
		word = fmt.Sprintf("mail_server_reply_%d", reply.Code)
	}
	return fault.New(fault.Unavailable, word, "The mail server cannot be used.", "Check its address, its certificate and the login.")
}
