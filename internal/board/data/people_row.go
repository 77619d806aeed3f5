package data

import (
	"context"
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

const personColumns = `id, email, handle, lang, country, prefecture, city, headline, bio, notify, instant_on, floor_jpy, floor_usd,
quiet_from, quiet_to, task_cap, payout_ready, operator, suspended, created_ms, updated_ms`

func scanPerson(r row) (Person, error) {
	var p Person
	var email *string
	var jpy, usd *int64
	var created, updated int64
	err := r.Scan(&p.ID, &email, &p.Handle, &p.Lang, &p.Country, &p.Prefecture, &p.City, &p.Headline, &p.Bio, &p.Notify, &p.Instant.On, &jpy, &usd,
		&p.Instant.QuietFrom, &p.Instant.QuietTo, &p.Instant.Cap, &p.PayoutReady, &p.Operator, &p.Suspended, &created, &updated)
	if err != nil {
		return Person{}, fmt.Errorf("read a person: %w", err)
	}
	p.Email, p.Instant.Floors, p.CreatedAt, p.UpdatedAt = orEmpty(email), capsOf(jpy, usd), moment(created), moment(updated)
	return p, nil
}

// person reads somebody with areas, skills and languages.
func person(ctx context.Context, tx store.Tx, id string) (Person, error) {
	p, err := found(scanPerson(tx.QueryRow(ctx, "SELECT "+personColumns+" FROM humans WHERE id = $1 AND deleted_ms = 0", id)))
	if err != nil {
		return Person{}, err
	}
	return p, readTags(ctx, tx, &p)
}

// tag is an area, a skill or a language of a person.
type tag struct{ kind, text string }

// readTags also reads the hours.
func readTags(ctx context.Context, tx store.Tx, p *Person) error {
	tags, err := rows(ctx, tx, func(r row) (t tag, err error) { return t, r.Scan(&t.kind, &t.text) },
		q("SELECT kind, tag FROM human_tags WHERE human_id = $1 ORDER BY kind, tag", p.ID))
	if err != nil {
		return err
	}
	for _, t := range tags {
		switch t.kind {
		case "area":
			p.Areas = append(p.Areas, t.text)
		case "skill":
			p.Skills = append(p.Skills, t.text)
		case "language":
			p.Languages = append(p.Languages, t.text)
		}
	}
	return readHours(ctx, tx, p)
}

// writeTags replaces them, and the hours.
func writeTags(ctx context.Context, tx store.Tx, p Person) error {
	if _, err := tx.Exec(ctx, "DELETE FROM human_tags WHERE human_id = $1", p.ID); err != nil {
		return fmt.Errorf("remove the tags of a person: %w", err)
	}
	var all []tag
	for kind, texts := range map[string][]string{"area": p.Areas, "skill": p.Skills, "language": p.Languages} {
		for _, text := range texts {
			if t := (tag{kind, text}); !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	for _, t := range all {
		if _, err := tx.Exec(ctx, "INSERT INTO human_tags (human_id, kind, tag) VALUES ($1, $2, $3)", p.ID, t.kind, t.text); err != nil {
			return fmt.Errorf("write a tag of a person: %w", err)
		}
	}
	return writeHours(ctx, tx, p)
}

// insertPerson makes an empty profile.
func insertPerson(ctx context.Context, tx store.Tx, email, lang string) (Person, error) {
	p := Person{ID: newID(tx.Now()), Email: email, Handle: "worker-" + random(4), Lang: lang, Country: "JP", Notify: "{}", Instant: Instant{Cap: 1, Floors: Caps{}}, CreatedAt: kept(tx), UpdatedAt: kept(tx)}
	if lang != "ja" && lang != "en" {
		p.Lang = "ja"
	}
	n, err := tx.Exec(ctx, "INSERT INTO humans ("+personColumns+", offered_ms, deleted_ms) VALUES ("+placeholders(23)+") ON CONFLICT DO NOTHING",
		p.ID, orNull(p.Email), p.Handle, p.Lang, p.Country, "", "", "", "", p.Notify, false, nil, nil, 0, 0, p.Instant.Cap, false, false, false,
		millis(p.CreatedAt), millis(p.UpdatedAt), 0, 0)
	if err != nil {
		return Person{}, fmt.Errorf("write a person: %w", err)
	}
	if n == 1 {
		return p, nil
	}
	known, err := found(scanPerson(tx.QueryRow(ctx, "SELECT "+personColumns+" FROM humans WHERE email = $1", email)))
	if err != nil {
		return Person{}, err
	}
	return known, readTags(ctx, tx, &known)
}

// lockPerson returns a person whom the transaction may count on; one who is
// suspended or gone is refused.
func lockPerson(ctx context.Context, tx store.Tx, id string) (Person, error) {
	p, err := found(scanPerson(tx.QueryRow(ctx, "UPDATE humans SET updated_ms = updated_ms WHERE id = $1 AND deleted_ms = 0 RETURNING "+personColumns, id)))
	if err != nil {
		return Person{}, err
	}
	if p.Suspended {
		return Person{}, task.Refuse(task.APIAccessDisabled)
	}
	return p, nil
}

// busy counts the tasks that a person works on.
func busy(ctx context.Context, tx store.Tx, humanID string) (int, error) {
	var n int
	err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM tasks WHERE human_id = $1 AND status = 'accepted'", humanID).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count the tasks of a person: %w", err)
	}
	return n, nil
}

// floorsOf are the values of the two columns.
func floorsOf(p Person) (jpy, usd *int64) {
	return minor(p.Instant.Floors, money.JPY), minor(p.Instant.Floors, money.USD)
}
