package data

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// sessionLife is how long somebody stays signed in.
const sessionLife = 30 * 24 * time.Hour

// The limits of a profile, in characters and numbers.
const (
	maxHandle   = 40
	maxHeadline = 120
	maxBio      = 4000
	maxTag      = 80
	maxTags     = 50
	maxNotify   = 4000
	maxCap      = 100
	dayMinutes  = 24 * 60
)

// StartSignIn sends a code to an address and returns the id to confirm it with. It
// does the same for addresses that are known and those that are not.
func (b *Board) StartSignIn(ctx context.Context, email, lang string) (string, error) {
	var wrong task.Fields
	email = normalAddress(&wrong, "email", email)
	if err := wrong.Err(); err != nil {
		return "", err
	}
	if lang != "en" {
		lang = "ja"
	}
	var id string
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		var err error
		id, err = b.sendCode(ctx, tx, code{purpose: purposeSignIn, email: email, lang: lang}, Mail{Template: MailSignIn, Values: map[string]string{}})
		return err
	})
	return id, err
}

// ConfirmSignIn takes the code and returns the person, made when there was none,
// with the secret of a new session.
func (b *Board) ConfirmSignIn(ctx context.Context, codeID, secret string) (Person, string, error) {
	if err := b.tryCode(ctx, purposeSignIn, codeID, secret); err != nil {
		return Person{}, "", err
	}
	return b.signIn(ctx, func(ctx context.Context, tx store.Tx) (Person, error) {
		c, err := b.takeCode(ctx, tx, purposeSignIn, codeID)
		if err != nil {
			return Person{}, err
		}
		return insertPerson(ctx, tx, c.email, c.lang)
	})
}

// signIn makes a session for who was found.
func (b *Board) signIn(ctx context.Context, who func(context.Context, store.Tx) (Person, error)) (Person, string, error) {
	var p Person
	secret := random(32)
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		var err error
		if p, err = who(ctx, tx); err != nil {
			return err
		}
		if p.Suspended {
			return task.Refuse(task.APIAccessDisabled)
		}
		if slices.Contains(b.operators, p.Email) && !p.Operator {
			p.Operator = true
			if _, err := tx.Exec(ctx, "UPDATE humans SET operator = $2 WHERE id = $1", p.ID, true); err != nil {
				return fmt.Errorf("make an operator: %w", err)
			}
		}
		if p.Email != "" {
			if err := ownAgents(ctx, tx, p.ID, p.Email); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "INSERT INTO sessions (mac, human_id, created_ms, expires_ms) VALUES ($1, $2, $3, $4)",
			b.secrets.mac(useSession, secret), p.ID, millis(tx.Now()), millis(tx.Now().Add(sessionLife)))
		if err != nil {
			return fmt.Errorf("write a session: %w", err)
		}
		return nil
	})
	if err != nil {
		return Person{}, "", err
	}
	return p, secret, nil
}

// Session is the person of a session's secret; the refusal is unauthorized.
func (b *Board) Session(ctx context.Context, secret string) (Person, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) (Person, error) {
		var humanID string
		err := tx.QueryRow(ctx, "SELECT human_id FROM sessions WHERE mac = $1 AND expires_ms > $2", b.secrets.mac(useSession, secret), millis(tx.Now())).Scan(&humanID)
		if errors.Is(err, store.ErrNoRows) {
			return Person{}, task.Refuse(task.Unauthorized)
		}
		if err != nil {
			return Person{}, fmt.Errorf("look a session up: %w", err)
		}
		p, err := person(ctx, tx, humanID)
		if err == nil && p.Suspended || task.ReasonOf(err) == task.NotFound {
			return Person{}, task.Refuse(task.Unauthorized)
		}
		return p, err
	})
}

// EndSession signs out. A session that is not there is over already.
func (b *Board) EndSession(ctx context.Context, secret string) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM sessions WHERE mac = $1", b.secrets.mac(useSession, secret))
		return err
	})
}

// EndSessions signs a person out everywhere.
func (b *Board) EndSessions(ctx context.Context, humanID string) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM sessions WHERE human_id = $1", humanID)
		return err
	})
}

// Person is somebody by id.
func (b *Board) Person(ctx context.Context, humanID string) (Person, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) (Person, error) { return person(ctx, tx, humanID) })
}

// SavePerson changes the profile: all but id, address, operator and suspension.
func (b *Board) SavePerson(ctx context.Context, p Person) (Person, error) {
	if err := p.check(); err != nil {
		return Person{}, err
	}
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		jpy, usd := floorsOf(p)
		n, err := tx.Exec(ctx, `UPDATE humans SET handle = $2, lang = $3, country = $4, prefecture = $5, city = $6, headline = $7, bio = $8, notify = $9,
instant_on = $10, floor_jpy = $11, floor_usd = $12, quiet_from = $13, quiet_to = $14, task_cap = $15, payout_ready = $16, updated_ms = $17 WHERE id = $1 AND deleted_ms = 0`,
			p.ID, p.Handle, p.Lang, p.Country, p.Prefecture, p.City, p.Headline, p.Bio, p.Notify,
			p.Instant.On, jpy, usd, p.Instant.QuietFrom, p.Instant.QuietTo, p.Instant.Cap, p.PayoutReady, millis(tx.Now()))
		if err != nil {
			return fmt.Errorf("write a person: %w", err)
		}
		if n == 0 {
			return task.Refuse(task.NotFound)
		}
		if err := writeTags(ctx, tx, p); err != nil {
			return err
		}
		p, err = person(ctx, tx, p.ID)
		return err
	})
	return p, err
}

// SetNotify keeps what a person wants to be told, as the notifications write it.
func (b *Board) SetNotify(ctx context.Context, humanID, settings string) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		n, err := tx.Exec(ctx, "UPDATE humans SET notify = $2, updated_ms = $3 WHERE id = $1 AND deleted_ms = 0", humanID, settings, millis(tx.Now()))
		if err != nil {
			return fmt.Errorf("write what a person is told: %w", err)
		}
		if n == 0 {
			return task.Refuse(task.NotFound)
		}
		return nil
	})
}

// check cleans a profile.
func (p *Person) check() error {
	var wrong task.Fields
	p.Handle = task.CheckText(&wrong, "handle", task.CleanLine(p.Handle), maxHandle)
	p.Headline = task.CheckOptional(&wrong, "headline", task.CleanLine(p.Headline), maxHeadline)
	p.Bio = task.CheckOptional(&wrong, "bio", p.Bio, maxBio)
	p.Prefecture = task.CheckOptional(&wrong, "prefecture", task.CleanLine(p.Prefecture), maxTag)
	p.City = task.CheckOptional(&wrong, "city", task.CleanLine(p.City), maxTag)
	p.Prefecture, p.City = task.CheckArea(&wrong, p.Prefecture, p.City)
	p.Areas = cleanTags(&wrong, "areas", p.Areas)
	p.Skills = cleanTags(&wrong, "skills", p.Skills)
	p.Languages = cleanTags(&wrong, "languages", p.Languages)
	if p.Lang != "ja" && p.Lang != "en" {
		wrong.Add("lang", task.InvalidEnum)
	}
	if len(p.Country) != 2 {
		wrong.Add("country", task.InvalidFormat)
	}
	if p.Notify == "" {
		p.Notify = "{}"
	}
	if len(p.Notify) > maxNotify {
		wrong.Add("notify", task.TooLong)
	}
	i := p.Instant
	if i.Cap < 1 || i.Cap > maxCap {
		wrong.Add("task_cap", task.InvalidNumber)
	}
	if i.QuietFrom < 0 || i.QuietFrom >= dayMinutes || i.QuietTo < 0 || i.QuietTo >= dayMinutes {
		wrong.Add("quiet_hours", task.InvalidNumber)
	}
	checkHours(&wrong, i.Hours)
	for _, c := range []money.Currency{money.JPY, money.USD} {
		if v := i.Floors[c]; v < 0 || v > money.Max {
			wrong.Add("floor", task.InvalidNumber)
		}
	}
	return wrong.Err()
}

func cleanTags(wrong *task.Fields, field string, all []string) []string {
	if len(all) > maxTags {
		wrong.Add(field, task.TooLong)
		return nil
	}
	var out []string
	for _, t := range all {
		if t = task.CheckOptional(wrong, field, task.CleanLine(t), maxTag); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// SetOperator makes a person an operator, or no longer.
func (b *Board) SetOperator(ctx context.Context, humanID string, on bool) error {
	return b.change(ctx, q("UPDATE humans SET operator = $2 WHERE id = $1 AND deleted_ms = 0", humanID, on))
}

// Suspend keeps a person from acting, or no longer.
func (b *Board) Suspend(ctx context.Context, humanID string, on bool) error {
	return b.change(ctx, q("UPDATE humans SET suspended = $2 WHERE id = $1 AND deleted_ms = 0", humanID, on))
}

// ListPeople are all people without areas, skills and languages, for operators.
func (b *Board) ListPeople(ctx context.Context, p Page) ([]Person, string, error) {
	s := selectFrom(personColumns, "humans")
	s.where("deleted_ms = 0")
	return page(ctx, b, s, keyset[Person]{column: "created_ms", scan: scanPerson, page: p, at: func(h Person) place { return place{millis(h.CreatedAt), h.ID} }})
}
