package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// row is what a statement returned, one or the current one of many.
type row interface{ Scan(to ...any) error }

// taskColumns are all but search, in the order of scanTask and taskValues.
const taskColumns = `id, agent_id, key_id, client_ref, title, body, lang, label, origin_country, work_country,
place, prefecture, city, exact_place, criteria, not_allowed, deliverable, evidence, estimated_minutes,
budget_minor, posted_minor, currency, fee_bps, status, sub_state, failure_reason, human_id, hold_class, hold_excerpt, review_code, review_text,
version, assignments, revisions, fund_key, created_ms, updated_ms, deadline_ms, accepted_ms, submitted_ms,
review_deadline_ms, appeal_deadline_ms, ended_ms, rate_until_ms`

// saveTaskSQL writes what commands change, under the condition that they decided on.
const saveTaskSQL = `UPDATE tasks SET budget_minor = $4, status = $5, sub_state = $6, failure_reason = $7, human_id = $8,
review_code = $9, review_text = $10, assignments = $11, revisions = $12, fund_key = $13, deadline_ms = $14, accepted_ms = $15,
submitted_ms = $16, review_deadline_ms = $17, appeal_deadline_ms = $18, ended_ms = $19, rate_until_ms = $20
WHERE id = $1 AND version = $2 AND status = $3`

// insertTaskSQL has a value for search last.
var insertTaskSQL = "INSERT INTO tasks (" + taskColumns + ", search) VALUES (" + placeholders(45) + ")"

// lockTaskSQL counts a change and returns the row, locked until the end of the
// transaction: whatever is decided on it then cannot become wrong.
const lockTaskSQL = `UPDATE tasks SET version = version + 1, updated_ms = $2 WHERE id = $1 RETURNING ` + taskColumns

// placeholders is $1, $2 ... $n.
func placeholders(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", i+1)
	}
	return strings.Join(all, ", ")
}

func scanTask(r row) (task.Task, error) {
	var t task.Task
	var keyID, humanID *string
	var evidence string
	var at [9]int64
	err := r.Scan(&t.ID, &t.AgentID, &keyID, &t.ClientRef, &t.Title, &t.Text, &t.Lang, &t.Label, &t.OriginCountry, &t.WorkCountry,
		&t.Place.Text, &t.Place.Prefecture, &t.Place.City, &t.Place.Exact, &t.AcceptanceCriteria, &t.NotAllowed, &t.Deliverable, &evidence, &t.EstimatedMinutes,
		&t.Budget.Minor, &t.Posted, &t.Budget.Currency, &t.FeeBPS, &t.Status, &t.SubState, &t.FailureReason, &humanID, &t.HoldClass, &t.HoldExcerpt, &t.ReviewCode, &t.ReviewText,
		&t.Version, &t.Assignments, &t.Revisions, &t.FundKey, &at[0], &at[1], &at[2], &at[3], &at[4], &at[5], &at[6], &at[7], &at[8])
	if err != nil {
		return task.Task{}, fmt.Errorf("read a task: %w", err)
	}
	t.KeyID, t.HumanID = orEmpty(keyID), orEmpty(humanID)
	t.CreatedAt, t.UpdatedAt, t.DeadlineAt = moment(at[0]), moment(at[1]), moment(at[2])
	t.AcceptedAt, t.SubmittedAt, t.ReviewDeadlineAt = moment(at[3]), moment(at[4]), moment(at[5])
	t.AppealDeadlineAt, t.EndedAt, t.RateUntil = moment(at[6]), moment(at[7]), moment(at[8])
	if err := json.Unmarshal([]byte(evidence), &t.Evidence); err != nil {
		return task.Task{}, fmt.Errorf("read the evidence of task %s: %w", t.ID, err)
	}
	return t, nil
}

func insertTask(ctx context.Context, tx store.Tx, t task.Task) error {
	evidence, err := json.Marshal(t.Evidence)
	if err != nil {
		return fmt.Errorf("write the evidence of a task: %w", err)
	}
	_, err = tx.Exec(ctx, insertTaskSQL, t.ID, t.AgentID, orNull(t.KeyID), t.ClientRef, t.Title, t.Text, t.Lang, t.Label, t.OriginCountry, t.WorkCountry,
		t.Place.Text, t.Place.Prefecture, t.Place.City, t.Place.Exact, t.AcceptanceCriteria, t.NotAllowed, t.Deliverable, string(evidence), t.EstimatedMinutes,
		t.Budget.Minor, t.Posted, t.Budget.Currency, t.FeeBPS, t.Status, t.SubState, t.FailureReason, orNull(t.HumanID), t.HoldClass, t.HoldExcerpt, t.ReviewCode, t.ReviewText,
		t.Version, t.Assignments, t.Revisions, t.FundKey, millis(t.CreatedAt), millis(t.UpdatedAt), millis(t.DeadlineAt), millis(t.AcceptedAt), millis(t.SubmittedAt),
		millis(t.ReviewDeadlineAt), millis(t.AppealDeadlineAt), millis(t.EndedAt), millis(t.RateUntil), searchText(t))
	if err != nil {
		return fmt.Errorf("write a task: %w", err)
	}
	return nil
}

// saveTask writes a task that was locked in the state from.
func saveTask(ctx context.Context, tx store.Tx, t task.Task, from task.Status) error {
	n, err := tx.Exec(ctx, saveTaskSQL, t.ID, t.Version, from, t.Budget.Minor, t.Status, t.SubState, t.FailureReason, orNull(t.HumanID),
		t.ReviewCode, t.ReviewText, t.Assignments, t.Revisions, t.FundKey, millis(t.DeadlineAt), millis(t.AcceptedAt),
		millis(t.SubmittedAt), millis(t.ReviewDeadlineAt), millis(t.AppealDeadlineAt), millis(t.EndedAt), millis(t.RateUntil))
	if err != nil {
		return fmt.Errorf("write task %s: %w", t.ID, err)
	}
	if n != 1 {
		return task.Refuse(task.VersionConflict)
	}
	return nil
}

// lockTask returns the task as the transaction may change it; its version counts
// the change already.
func lockTask(ctx context.Context, tx store.Tx, id string) (task.Task, error) {
	return found(scanTask(tx.QueryRow(ctx, lockTaskSQL, id, millis(tx.Now()))))
}

// found makes the absence of a row a refusal.
func found[T any](v T, err error) (T, error) {
	if errors.Is(err, store.ErrNoRows) {
		return v, task.Refuse(task.NotFound)
	}
	return v, err
}

// Task is a task by id.
func (b *Board) Task(ctx context.Context, id string) (task.Task, error) {
	return one(ctx, b, scanTask, q("SELECT "+taskColumns+" FROM tasks WHERE id = $1", id))
}

// read runs f on one state of the database.
func read[T any](ctx context.Context, b *Board, f func(context.Context, store.Tx) (T, error)) (out T, err error) {
	err = b.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		out, err = f(ctx, tx)
		return err
	})
	return out, err
}

// searchText is what a query is looked for in.
func searchText(t task.Task) string {
	return fold(strings.Join([]string{t.Title, t.Text, t.AcceptanceCriteria, t.Place.Text, t.Place.Prefecture, t.Place.City}, "\n"))
}

// fold makes texts that a reader calls the same the same.
func fold(text string) string { return strings.ToLower(task.Clean(text)) }

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// minor is an optional amount as it is kept.
func minor(caps Caps, c money.Currency) *int64 {
	if v, limited := caps[c]; limited {
		return &v
	}
	return nil
}

// capsOf are optional amounts as they were kept.
func capsOf(jpy, usd *int64) Caps {
	caps := Caps{}
	if jpy != nil {
		caps[money.JPY] = *jpy
	}
	if usd != nil {
		caps[money.USD] = *usd
	}
	return caps
}
