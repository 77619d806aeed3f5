package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/store"
)

const (
	mostOwners = 100 // digests in one call
	mostLines  = 50  // of one digest; the rest is in the next one
)

// Digest turns what waits for the digest into one mail for each person whose time
// has come, and says how many mails that makes. It may be called often.
func (p *Post) Digest(ctx context.Context) (int, error) {
	made := 0
	for made < mostOwners {
		again := false
		err := p.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
			again = false
			owner := ""
			err := tx.QueryRow(ctx, `SELECT owner_id FROM mails WHERE state = 'digest' AND not_before_ms <= $1 ORDER BY owner_id LIMIT 1`,
				tx.Now().UnixMilli()).Scan(&owner)
			if errors.Is(err, store.ErrNoRows) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("find a digest: %w", err)
			}
			again = true
			return p.digest(ctx, tx, owner)
		})
		if err != nil {
			return made, fmt.Errorf("write digests: %w", err)
		}
		if !again {
			break
		}
		made++
	}
	return made, nil
}

// digest makes the mail of one person, in the language of the last line.
func (p *Post) digest(ctx context.Context, tx store.Tx, owner string) error {
	list, err := waiting(ctx, tx, owner)
	if err != nil {
		return err
	}
	var lines []string
	last := list[len(list)-1]
	for _, m := range list {
		var slots map[string]string
		if err := json.Unmarshal([]byte(m.slots), &slots); err != nil {
			return fmt.Errorf("read the values of a mail: %w", err)
		}
		subject, _, err := render(last.lang, m.template, slots)
		if err != nil {
			return err
		}
		line := "- " + subject
		if url := slots["url"]; url != "" {
			line += "\n  " + url
		}
		lines = append(lines, line)
		if _, err := tx.Exec(ctx, `UPDATE mails SET state = 'sent', ended_ms = $1, slots = '{}', address = '', fallback = '' WHERE id = $2`, tx.Now().UnixMilli(), m.id); err != nil {
			return fmt.Errorf("end a line of a digest: %w", err)
		}
	}
	return p.Keep(ctx, tx, Mail{
		Reference: "digest/" + last.id, Template: digestMail, To: last.address, Fallback: last.fallback, Lang: string(last.lang), Owner: owner,
		Slots: map[string]string{"count": fmt.Sprint(len(list)), linesSlot: strings.Join(lines, "\n")},
	})
}

// waiting is what one person's digest holds, oldest first.
func waiting(ctx context.Context, tx store.Tx, owner string) (list []kept, err error) {
	rows, err := tx.Query(ctx, "SELECT "+keptColumns+` FROM mails
WHERE state = 'digest' AND owner_id = $1 AND not_before_ms <= $2 ORDER BY created_ms, id LIMIT $3`, owner, tx.Now().UnixMilli(), mostLines)
	if err != nil {
		return nil, fmt.Errorf("read a digest: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var m kept
		if err := m.scan(rows.Scan); err != nil {
			return nil, fmt.Errorf("read a line of a digest: %w", err)
		}
		list = append(list, m)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("a digest without a line")
	}
	return list, nil
}
