package data

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// worksSQL is whether the person h works at a minute ($1) of a day of the week ($8),
// after another day ($9): today, or in hours that began yesterday.
const worksSQL = `(NOT EXISTS (SELECT 1 FROM human_hours w WHERE w.human_id = h.id)
 OR EXISTS (SELECT 1 FROM human_hours w WHERE w.human_id = h.id
 AND (w.weekday = $8 AND $1 >= w.from_min AND ($1 < w.to_min OR w.to_min <= w.from_min)
 OR w.weekday = $9 AND w.to_min <= w.from_min AND $1 < w.to_min)))`

// dayBefore is yesterday's day of the week.
func dayBefore(d time.Weekday) time.Weekday { return (d + 6) % 7 }

// checkHours finds hours that cannot be.
func checkHours(wrong *task.Fields, hours []Hours) {
	seen := map[time.Weekday]bool{}
	for _, h := range hours {
		if h.Day < time.Sunday || h.Day > time.Saturday || seen[h.Day] || h.From < 0 || h.From >= dayMinutes || h.To < 0 || h.To > dayMinutes || h.From == h.To {
			wrong.Add("hours", task.InvalidNumber)
		}
		seen[h.Day] = true
	}
}

func readHours(ctx context.Context, tx store.Tx, p *Person) error {
	hours, err := rows(ctx, tx, func(r row) (h Hours, err error) { return h, r.Scan(&h.Day, &h.From, &h.To) },
		q("SELECT weekday, from_min, to_min FROM human_hours WHERE human_id = $1 ORDER BY weekday", p.ID))
	p.Instant.Hours = hours
	return err
}

// writeHours replaces them.
func writeHours(ctx context.Context, tx store.Tx, p Person) error {
	if _, err := tx.Exec(ctx, "DELETE FROM human_hours WHERE human_id = $1", p.ID); err != nil {
		return fmt.Errorf("remove the hours of a person: %w", err)
	}
	for _, h := range p.Instant.Hours {
		_, err := tx.Exec(ctx, "INSERT INTO human_hours (human_id, weekday, from_min, to_min) VALUES ($1, $2, $3, $4)", p.ID, int(h.Day), h.From, h.To)
		if err != nil {
			return fmt.Errorf("write the hours of a person: %w", err)
		}
	}
	return nil
}
