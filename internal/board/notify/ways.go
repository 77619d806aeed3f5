package notify

import (
	"context"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/push"
)

// Ways is a Sender that gives each letter to the one for its address. A way that is nil
// refuses its letters.
type Ways struct {
	Mail, LINE, Push Sender
}

// Send implements Sender.
func (w Ways) Send(ctx context.Context, l Letter) error {
	way := w.Mail
	switch {
	case strings.HasPrefix(l.To, linePrefix):
		way = w.LINE
	case strings.HasPrefix(l.To, pushPrefix):
		way = w.Push
	}
	if way == nil {
		return refuse("the board does not send this way any more")
	}
	return way.Send(ctx, l)
}

// pushPrefix begins the address of all devices of somebody; the rest is their id.
const pushPrefix = "push:"

// PushAddress is the address of the devices of a person.
func PushAddress(humanID string) string { return pushPrefix + humanID }

// How long a push service keeps a push for a device that cannot be reached. What cannot
// wait is over soon.
const (
	keptLong  = 24 * time.Hour
	keptShort = 15 * time.Minute
)

// Devices is a Sender that tells the devices of people.
type Devices struct{ Push *push.Push }

// Send implements Sender.
func (d Devices) Send(ctx context.Context, l Letter) error {
	if err := l.check(); err != nil {
		return err
	}
	m := push.Message{ID: l.ID, Title: l.Subject, Text: l.Text, Lang: l.Lang, URL: l.URL, Urgent: l.Urgent, TTL: keptLong}
	if l.Urgent {
		m.TTL = keptShort
	}
	return d.Push.Send(ctx, strings.TrimPrefix(l.To, pushPrefix), m)
}
