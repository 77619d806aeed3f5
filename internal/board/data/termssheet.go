package data

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// PayWithin is how long after a delivery the pay is due at the latest: 60 days,
// the limit of Japan's act on transactions with freelancers (特定受託事業者に係る
// 取引の適正化等に関する法律, article 4).
const PayWithin = 60 * 24 * time.Hour

// TermsSheet is what requester and worker agreed on (取引条件): what that act wants
// stated in writing at once (article 3). It is written with the assignment and
// never changes.
type TermsSheet struct {
	TaskID      string `json:"task_id"`
	Assignment  int64  `json:"assignment"` // the task's first, second ...
	OrderedAt   string `json:"ordered_at"` // RFC 3339, UTC, as all times
	Requester   string `json:"requester"`
	Worker      string `json:"worker"`
	Content     string `json:"content"`
	Criteria    string `json:"acceptance_criteria"`
	NotAllowed  string `json:"not_allowed"`
	Deliverable string `json:"deliverable"`
	Place       string `json:"place"`
	DueAt       string `json:"due_at"`
	// ReviewHours is how long after a delivery it is inspected; then it counts as
	// approved.
	ReviewHours int64  `json:"review_hours"`
	PayDays     int64  `json:"pay_within_days"` // after the delivery
	Takehome    int64  `json:"worker_takehome_minor"`
	Fee         int64  `json:"fee_minor"`
	Total       int64  `json:"total_minor"`
	Currency    string `json:"currency"`

	// SHA256 is the hash of the sheet as it is kept, in hex.
	SHA256 string `json:"-"`
}

// keepTerms writes the sheet of an assignment that was just made.
func (c *change) keepTerms(ctx context.Context) error {
	t := c.task
	q := t.Quote()
	s := TermsSheet{
		TaskID: t.ID, Assignment: t.Assignments, OrderedAt: t.AcceptedAt.UTC().Format(time.RFC3339),
		Content: t.Text, Criteria: t.AcceptanceCriteria, NotAllowed: t.NotAllowed, Deliverable: string(t.Deliverable),
		Place: whereabouts(t.Place), ReviewHours: int64(c.terms.ReviewWindow / time.Hour), PayDays: int64(PayWithin / (24 * time.Hour)),
		Takehome: q.Takehome, Fee: q.Fee, Total: q.Total, Currency: string(q.Currency),
	}
	if !t.DeadlineAt.IsZero() {
		s.DueAt = t.DeadlineAt.UTC().Format(time.RFC3339)
	}
	err := c.tx.QueryRow(ctx, `SELECT a.name, h.handle FROM agents a, humans h WHERE a.id = $1 AND h.id = $2`, t.AgentID, t.HumanID).Scan(&s.Requester, &s.Worker)
	if err != nil {
		return fmt.Errorf("read the parties of task %s: %w", t.ID, err)
	}
	body, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the terms of task %s: %w", t.ID, err)
	}
	_, err = c.tx.Exec(ctx, `INSERT INTO terms_sheets (task_id, assignment, human_id, body, sha256, created_ms) VALUES ($1, $2, $3, $4, $5, $6)`,
		t.ID, t.Assignments, t.HumanID, string(body), hashOf(body), millis(c.now()))
	if err != nil {
		return fmt.Errorf("keep the terms of task %s: %w", t.ID, err)
	}
	return nil
}

func hashOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// whereabouts is where the work is done, the exact place included.
func whereabouts(p task.Place) string {
	text := ""
	for _, part := range []string{p.Prefecture, p.City, p.Text, p.Exact} {
		if part != "" && text != "" {
			text += " "
		}
		text += part
	}
	return text
}

// errAltered is a sheet that is not what it was.
var errAltered = errors.New("the hash does not fit")

// TermsOf is the sheet of the task's last assignment. A sheet whose text does
// not fit its hash any more is an error: somebody changed the database.
func (b *Board) TermsOf(ctx context.Context, taskID string) (TermsSheet, error) {
	var s TermsSheet
	var body, sum string
	err := b.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.QueryRow(ctx, `SELECT body, sha256 FROM terms_sheets WHERE task_id = $1 ORDER BY assignment DESC LIMIT 1`, taskID).Scan(&body, &sum)
	})
	if errors.Is(err, store.ErrNoRows) {
		return s, task.Refuse(task.NotFound)
	}
	if err != nil {
		return s, fmt.Errorf("read the terms of task %s: %w", taskID, err)
	}
	if hashOf([]byte(body)) != sum {
		return s, fmt.Errorf("read the terms of task %s: %w", taskID, errAltered)
	}
	if err := json.Unmarshal([]byte(body), &s); err != nil {
		return s, fmt.Errorf("read the terms of task %s: %w", taskID, err)
	}
	s.SHA256 = sum
	return s, nil
}
