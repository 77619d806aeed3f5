package notify

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"mime"
	"net/mail"
	"strings"
	"time"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Letter is a mail as it is sent.
type Letter struct {
	ID      string // the same in all attempts
	To      string // an address alone, without a name, or that of LINEAddress or PushAddress
	Subject string // one line
	Body    string // plain text
	At      time.Time

	// What a push is made of beside the subject: the body without its end, its language,
	// where it leads to, and whether it can wait.
	Text, Lang, URL string
	Urgent          bool
}

// Sender sends letters. An error that is a fault of kind invalid says that sending
// this letter can never work, one of kind denied or limited that this way is closed for
// now; the text of errors quotes no address.
type Sender interface {
	Send(ctx context.Context, l Letter) error
}

// check refuses a letter whose fields could change the headers around them.
func (l Letter) check() error {
	a, err := mail.ParseAddress(l.To)
	if strings.HasPrefix(l.To, linePrefix) {
		if !lineUser(l.To) {
			return refuse("the user at LINE is not one")
		}
	} else if id, push := strings.CutPrefix(l.To, pushPrefix); push {
		if id == "" || !plain(id) {
			return refuse("the owner of the devices is none")
		}
	} else if err != nil || a.Name != "" || a.Address != l.To || strings.ContainsFunc(l.To, unicode.IsControl) || strings.ContainsAny(l.To, " \t,;<>\"") {
		return refuse("the address of the recipient is not one")
	}
	if l.Subject == "" || strings.ContainsFunc(l.Subject, unicode.IsControl) {
		return refuse("the subject is not one line of text")
	}
	if !plain(l.ID) {
		return refuse("the id is not plain")
	}
	return nil
}

// plain reports whether a text is digits, lower case letters and - only.
func plain(s string) bool { return strings.Trim(s, "-0123456789abcdefghijklmnopqrstuvwxyz") == "" }

func refuse(why string) error {
	return fault.New(fault.Invalid, "invalid_letter", "The mail cannot be sent: "+why+".", "Correct it; trying again is useless.")
}

// message is the letter in the format of RFC 5322, with lines of at most 76
// characters.
func (l Letter) message(from mail.Address) ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	var b bytes.Buffer
	for _, h := range [][2]string{
		{"From", from.String()}, {"To", l.To}, {"Subject", mime.BEncoding.Encode("utf-8", l.Subject)},
		{"Date", l.At.UTC().Format(time.RFC1123Z)}, {"Message-ID", "<" + l.ID + "@" + domain + ">"},
		{"Auto-Submitted", "auto-generated"}, // RFC 3834, section 5: nobody's holiday answer comes back
		{"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"}, {"Content-Transfer-Encoding", "base64"},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	b.WriteString("\r\n")
	text := base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(l.Body, "\n", "\r\n")))
	for len(text) > 76 {
		b.WriteString(text[:76] + "\r\n")
		text = text[76:]
	}
	b.WriteString(text + "\r\n")
	return b.Bytes(), nil
}
