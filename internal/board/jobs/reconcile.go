package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/store"
)

// Report is what one comparison found.
type Report struct {
	At       time.Time
	Findings []string // empty when everything fits
}

// Reconcile compares the ledger with the tasks and with what the provider of
// payments did, as the board's audit does, and looks for transfers that hang. What
// it finds is kept for Reported, and operators are written to
// when it is not what was found the time before.
func (j *Jobs) Reconcile(ctx context.Context, b Board) (Report, error) {
	findings, err := b.Audit(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("audit the ledger: %w", err)
	}
	now, err := j.now(ctx)
	if err != nil {
		return Report{}, err
	}
	more, err := hanging(ctx, b, now)
	if err != nil {
		return Report{}, err
	}
	findings = append(findings, more...)
	slices.Sort(findings)
	before, err := j.Reported(ctx)
	if err != nil {
		return Report{}, err
	}
	r := Report{At: now, Findings: findings}
	if slices.Equal(before.Findings, findings) {
		return r, nil
	}
	if len(findings) > 0 {
		j.log.ErrorContext(ctx, "ledger, tasks and payments do not fit together", "differences", len(findings))
	}
	return r, j.report(ctx, b, r)
}

// hanging are transfers that no job has finished for an hour.
func hanging(ctx context.Context, b Board, now time.Time) ([]string, error) {
	list, err := b.Transfers(ctx, data.TransferStarted, now.Add(-time.Hour))
	if err != nil {
		return nil, fmt.Errorf("list the transfers: %w", err)
	}
	var findings []string
	for _, t := range list {
		findings = append(findings, "a transfer was started more than an hour ago and is not done: "+t.Key)
	}
	return findings, nil
}

// mostFindings is how many a mail lists; the table has all.
const mostFindings = 50

// report keeps what was found and writes to the operators when there is something.
func (j *Jobs) report(ctx context.Context, b Board, r Report) error {
	text, err := json.Marshal(r.Findings)
	if err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	var operators []data.Person
	if len(r.Findings) > 0 {
		if operators, err = allOperators(ctx, b); err != nil {
			return err
		}
	}
	lines := "- " + strings.Join(r.Findings[:min(len(r.Findings), mostFindings)], "\n- ")
	id := j.newID()
	err = j.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO reconciliations (id, at_ms, findings) VALUES ($1, $2, $3)`, id, r.At.UnixMilli(), string(text)); err != nil {
			return err
		}
		for _, o := range operators {
			err := j.Post.Keep(ctx, tx, notify.Mail{
				Reference: "reconciliation/" + id + "/" + o.ID, Template: notify.OperatorAlarm, To: o.Email, Lang: o.Lang, Owner: o.ID,
				Slots: map[string]string{"count": fmt.Sprint(len(r.Findings)), "lines": lines},
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the findings: %w", err)
	}
	return nil
}

func allOperators(ctx context.Context, b Board) ([]data.Person, error) {
	var found []data.Person
	for page := (data.Page{Limit: 100}); ; {
		list, next, err := b.ListPeople(ctx, page)
		if err != nil {
			return nil, fmt.Errorf("list the operators: %w", err)
		}
		for _, p := range list {
			if p.Operator && p.Email != "" {
				found = append(found, p)
			}
		}
		if next == "" {
			return found, nil
		}
		page.Cursor = next
	}
}

// Reported is the last report that differed from the one before; the zero report
// when there is none.
func (j *Jobs) Reported(ctx context.Context) (Report, error) {
	var r Report
	var at int64
	var text string
	err := j.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.QueryRow(ctx, `SELECT at_ms, findings FROM reconciliations ORDER BY at_ms DESC, id DESC LIMIT 1`).Scan(&at, &text)
	})
	if errors.Is(err, store.ErrNoRows) {
		return Report{}, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &r.Findings)
	}
	if err != nil {
		return Report{}, fmt.Errorf("read the last findings: %w", err)
	}
	r.At = time.UnixMilli(at).UTC()
	return r, nil
}
