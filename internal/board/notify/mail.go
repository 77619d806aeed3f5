package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/words"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
)

// Mail is something to tell somebody.
type Mail struct {
	// Reference says what the mail is about, such as the id of an event with the role
	// of the recipient: a job that runs twice writes once.
	Reference string
	Template  string
	To        string
	// Fallback is where it goes when the way to To is closed; empty for nowhere.
	Fallback string
	Lang     string // ja or en; anything else is Japanese
	Owner    string // id of the person or agent, for the digest
	Settings Settings
	Slots    map[string]string
}

// Options are what mails need.
type Options struct {
	Sender Sender
	// Later leaves a job behind that calls Send with the id, not before at.
	Later func(ctx context.Context, tx store.Tx, job Job) error
	// NewID makes ids that sort by time, of digits, lower case letters and -.
	NewID func() string
	// Base is the address of the board's pages, without a slash at the end.
	Base string
}

// Job asks for one call of Send.
type Job struct {
	MailID string
	At     time.Time
	Code   bool // somebody waits for the code in it
}

// Post keeps mails and sends them. It is safe for concurrent use.
type Post struct {
	db *store.DB
	Options
}

// New returns the post of a database.
func New(db *store.DB, o Options) *Post { return &Post{db, o} }

const (
	// Attempts is how often a mail is tried.
	Attempts = 8
	// attemptsOfWay is how many of them a way has that is not the last one for the mail.
	attemptsOfWay = 3
	// Retention is how long it is known that a mail was sent.
	Retention = 30 * 24 * time.Hour
)

// Wait is how long after attempt n, counted from 1, the next one comes: two
// minutes, doubled for each further one.
func Wait(n int) time.Duration { return time.Minute << min(max(n, 1), Attempts) }

// Keep keeps a mail and leaves its job behind, unless its recipient does not want
// it or one of the same reference was kept before.
func (p *Post) Keep(ctx context.Context, tx store.Tx, m Mail) error {
	if _, known := urgencies[m.Template]; !known {
		return fmt.Errorf("keep a mail: there is no template %q", m.Template)
	}
	send, digest, at := m.Settings.plan(m.Template, tx.Now())
	if !send {
		return nil
	}
	slots, err := json.Marshal(m.Slots)
	if err != nil {
		return fmt.Errorf("keep a mail: %w", err)
	}
	lang, known := words.Parse(m.Lang)
	if !known {
		lang = words.Ja
	}
	state := "waiting"
	if digest {
		state = "digest"
	}
	id := p.NewID()
	n, err := tx.Exec(ctx, `INSERT INTO mails (id, reference, owner_id, address, fallback, lang, template, slots, state, not_before_ms, created_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
		id, m.Reference, m.Owner, m.To, m.Fallback, string(lang), m.Template, string(slots), state, at.UnixMilli(), tx.Now().UnixMilli())
	if err != nil {
		return fmt.Errorf("keep a mail: %w", err)
	}
	if n == 0 || digest {
		return nil
	}
	return p.Later(ctx, tx, Job{MailID: id, At: at, Code: m.Template == SignInCode || m.Template == AgentCode})
}

// kept is a mail as it waits.
type kept struct {
	id, address, fallback, template, slots string
	lang                                   words.Lang
}

// keptColumns are those of kept, in the order of scan.
const keptColumns = "id, address, fallback, lang, template, slots"

func (m *kept) scan(scan func(...any) error) error {
	return scan(&m.id, &m.address, &m.fallback, &m.lang, &m.template, &m.slots)
}

// Try is one attempt to send a mail.
type Try struct {
	Number int  // 1 for the first
	Last   bool // there will be no other
}

// Send makes one attempt. It does nothing for a mail that has ended.
func (p *Post) Send(ctx context.Context, id string, t Try) error {
	var m kept
	var now time.Time
	err := p.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		now = tx.Now()
		return m.scan(tx.QueryRow(ctx, "SELECT "+keptColumns+" FROM mails WHERE id = $1 AND state = 'waiting'", id).Scan)
	})
	if errors.Is(err, store.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a mail: %w", err)
	}
	err = p.attempt(ctx, m, now)
	if err != nil && m.fallback != "" && (shut(err) || t.Last || t.Number >= attemptsOfWay) {
		if m, err = p.divert(ctx, m); err == nil {
			err = p.attempt(ctx, m, now)
		}
	}
	hopeless := err != nil && fault.From(err).Kind == fault.Invalid
	switch {
	case err == nil:
		return p.end(ctx, id, "sent")
	case t.Last || hopeless:
		return errors.Join(p.end(ctx, id, "failed"), err)
	}
	return err
}

func (p *Post) attempt(ctx context.Context, m kept, now time.Time) error {
	l, err := p.letter(m, now)
	if err != nil {
		return err
	}
	return p.Sender.Send(ctx, l)
}

// shut reports whether the way is closed, so that waiting would only make the mail late.
func shut(err error) bool {
	switch fault.From(err).Kind {
	case fault.Invalid, fault.Denied, fault.Limited:
		return true
	}
	return false
}

// divert gives a mail its other address for this and all further attempts.
func (p *Post) divert(ctx context.Context, m kept) (kept, error) {
	m.address, m.fallback = m.fallback, ""
	err := p.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE mails SET address = fallback, fallback = '' WHERE id = $1 AND state = 'waiting' AND fallback <> ''", m.id)
		return err
	})
	if err != nil {
		return m, fmt.Errorf("divert a mail: %w", err)
	}
	return m, nil
}

// letter writes the mail.
func (p *Post) letter(m kept, now time.Time) (Letter, error) {
	var slots map[string]string
	if err := json.Unmarshal([]byte(m.slots), &slots); err != nil {
		return Letter{}, fmt.Errorf("read the values of a mail: %w", err)
	}
	subject, body, err := render(m.lang, m.template, slots)
	if err != nil {
		return Letter{}, err
	}
	name := "signature"
	if urgencies[m.template] != atOnce || m.template == digestMail {
		name = footer
	}
	_, end, err := render(m.lang, name, map[string]string{"settings": p.Base + "/me"})
	if err != nil {
		return Letter{}, err
	}
	l := Letter{
		ID: m.id, To: m.address, Subject: subject, Body: body + end, At: now,
		Text: body, Lang: string(m.lang), URL: slots["url"], Urgent: urgencies[m.template] == atOnce && m.template != digestMail,
	}
	return l, l.check()
}

// end forgets what a mail said.
func (p *Post) end(ctx context.Context, id, state string) error {
	err := p.db.Tx(context.WithoutCancel(ctx), func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE mails SET state = $1, ended_ms = $2, slots = '{}', address = '', fallback = '' WHERE id = $3 AND state = 'waiting'`,
			state, tx.Now().UnixMilli(), id)
		return err
	})
	if err != nil {
		return fmt.Errorf("end a mail: %w", err)
	}
	return nil
}

// Sweep forgets mails that ended long ago, and letters of the mailbox with them.
func (p *Post) Sweep(ctx context.Context) (int64, error) {
	var n int64
	err := p.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		before := tx.Now().Add(-Retention).UnixMilli()
		var err error
		if n, err = tx.Exec(ctx, `DELETE FROM mails WHERE id IN
(SELECT id FROM mails WHERE created_ms < $1 AND ended_ms > 0 ORDER BY created_ms LIMIT 1000)`, before); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM mailbox WHERE created_ms < $1`, before)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sweep mails: %w", err)
	}
	return n, nil
}
