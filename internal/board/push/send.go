package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/reach"
	"github.com/legwork-mcp/legwork/internal/store"
)

// timeout is how long a push service may take to answer.
const timeout = 10 * time.Second

// Options are what pushes need.
type Options struct {
	Key Key
	// Contact is how push services reach who runs the board: an address of https or
	// mailto (RFC 8292, section 2.1), or empty.
	Contact string
	// NewID makes ids that sort by time.
	NewID func() string
	// Client reaches push services; without one a client that reaches public addresses
	// only, and follows no redirects.
	Client *http.Client
}

// Push keeps the devices of people and sends to them. It is safe for concurrent use.
type Push struct {
	db      *store.DB
	key     Key
	contact string
	newID   func() string
	client  *http.Client
}

// New returns the pushes of a database.
func New(db *store.DB, o Options) *Push {
	if o.Client == nil {
		o.Client = reach.NewClient(&reach.Dialer{}, nil, timeout)
	}
	return &Push{db, o.Key, o.Contact, o.NewID, o.Client}
}

// PublicKey is the board's key as browsers take it for a subscription.
func (p *Push) PublicKey() string { return p.key.Public() }

// Message is what a device shows.
type Message struct {
	// ID is the same in all attempts: a device shows a message once.
	ID string
	// Title, Text and Lang are what is shown, and URL is where a touch leads to.
	Title, Text, Lang, URL string
	// Urgent wakes a device that saves its battery (RFC 8030, section 5.3).
	Urgent bool
	// TTL is how long the push service keeps it for a device that cannot be reached.
	TTL time.Duration
}

// longestText is how much of a text a notification has, in characters: the devices show
// less.
const longestText = 300

// payload is a message as the page's worker reads it.
func (m Message) payload() ([]byte, error) {
	text := []rune(strings.TrimSpace(m.Text))
	raw, err := json.Marshal(struct {
		Title string `json:"title"`
		Body  string `json:"body"`
		Lang  string `json:"lang"`
		URL   string `json:"url"`
		Tag   string `json:"tag"`
	}{m.Title, string(text[:min(len(text), longestText)]), m.Lang, m.URL, m.ID})
	if err != nil {
		return nil, fmt.Errorf("write a push: %w", err)
	}
	if len(raw) > longest {
		return nil, fault.New(fault.Invalid, "message_too_long", "The message is too long for a push.", "Tell the person another way.")
	}
	return raw, nil
}

// outcome is what became of a push to one device.
type outcome int

const (
	delivered outcome = iota
	gone              // the device takes no pushes any more
	refused           // not this one
	later             // the push service could not be asked, or has no time
)

// Send tells all devices of a person; it is done when one took it. Errors: denied
// when no device does, which trying again does not change; anything else may pass.
func (p *Push) Send(ctx context.Context, humanID string, m Message) error {
	devices, err := p.Devices(ctx, humanID)
	if err != nil {
		return err
	}
	text, err := m.payload()
	if err != nil {
		return err
	}
	count := map[outcome]int{}
	for _, d := range devices {
		o, err := p.send(ctx, d, m, text)
		if err != nil {
			return err
		}
		count[o]++
		if o == gone {
			if _, err := p.forget(ctx, "DELETE FROM push_devices WHERE endpoint = $1", d.Endpoint); err != nil {
				return err
			}
		}
	}
	switch {
	case count[delivered] > 0:
		return nil
	case count[later] > 0:
		return errors.New("push to the devices of a person: no push service took it")
	}
	return fault.New(fault.Denied, "no_device", "No device of the person takes pushes.", "Tell the person another way.")
}

// send pushes to one device.
func (p *Push) send(ctx context.Context, d Device, m Message, text []byte) (outcome, error) {
	o, err := newOnce()
	if err != nil {
		return later, err
	}
	body, err := o.seal(d, padded(text))
	if err != nil {
		return later, err
	}
	req, err := p.request(ctx, d, m, body)
	if err != nil {
		return later, err
	}
	res, err := p.client.Do(req)
	var private *reach.Refusal
	switch {
	case errors.As(err, &private):
		return refused, nil
	case err != nil: // its text quotes the address
		return later, nil
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // the status says it all
	switch s := res.StatusCode; {
	case s/100 == 2:
		return delivered, nil
	case s == http.StatusNotFound, s == http.StatusGone: // RFC 8030, section 7.3
		return gone, nil
	case s == http.StatusTooManyRequests, s >= 500:
		return later, nil
	}
	return refused, nil
}

// request is a push as RFC 8030, section 5, has it.
func (p *Push) request(ctx context.Context, d Device, m Message, body []byte) (*http.Request, error) {
	u, err := url.Parse(d.Endpoint)
	if err != nil {
		return nil, errors.New("read the address of a device: it is none")
	}
	var now time.Time
	if err := p.db.Read(ctx, func(_ context.Context, tx store.Tx) error { now = tx.Now(); return nil }); err != nil {
		return nil, err
	}
	who, err := p.key.authorization(u, p.contact, now)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.Endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("write a push: the address of a device is none")
	}
	urgency := "normal"
	if m.Urgent {
		urgency = "high"
	}
	for name, value := range map[string]string{
		"Authorization": who, "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "Urgency": urgency,
		"TTL": strconv.Itoa(int(m.TTL / time.Second)), "Topic": topic(m.ID), "User-Agent": "legwork-push/1",
	} {
		req.Header.Set(name, value)
	}
	return req, nil
}

// topic has a push service keep one of several attempts for a device that is away: at
// most 32 characters of base64url (RFC 8030, section 5.4).
func topic(id string) string {
	t := strings.ReplaceAll(id, "-", "")
	return t[:min(len(t), 32)]
}
