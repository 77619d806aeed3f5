package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// applicationSelect has the currency of the task beside the columns.
const applicationSelect = `a.id, a.task_id, a.human_id, a.status, a.cover_letter, a.availability, a.counter_minor, a.created_ms, a.answered_ms, t.currency`

const applicationFrom = "applications a JOIN tasks t ON t.id = a.task_id"

func scanApplication(r row) (Application, error) {
	var a Application
	var created, answered int64
	if err := r.Scan(&a.ID, &a.TaskID, &a.HumanID, &a.Status, &a.CoverLetter, &a.Availability, &a.Counter.Minor, &created, &answered, &a.Counter.Currency); err != nil {
		return Application{}, fmt.Errorf("read an application: %w", err)
	}
	a.CreatedAt, a.AnsweredAt = moment(created), moment(answered)
	return a, nil
}

func application(ctx context.Context, tx store.Tx, id string) (Application, error) {
	return found(scanApplication(tx.QueryRow(ctx, "SELECT "+applicationSelect+" FROM "+applicationFrom+" WHERE a.id = $1", id)))
}

// Application is an application by id.
func (b *Board) Application(ctx context.Context, id string) (Application, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) (Application, error) { return application(ctx, tx, id) })
}

// ApplicationBy is the application of a person for a task.
func (b *Board) ApplicationBy(ctx context.Context, taskID, humanID string) (Application, error) {
	return one(ctx, b, scanApplication, q("SELECT "+applicationSelect+" FROM "+applicationFrom+" WHERE a.task_id = $1 AND a.human_id = $2", taskID, humanID))
}

// Applications are those for a task, the oldest first; status may be empty.
func (b *Board) Applications(ctx context.Context, taskID string, status ApplicationStatus, p Page) ([]Application, string, error) {
	s := selectFrom("*", "(SELECT "+applicationSelect+" FROM "+applicationFrom+") AS listed")
	s.where("task_id = ?", taskID)
	if status != "" {
		s.where("status = ?", status)
	}
	return page(ctx, b, s, keyset[Application]{column: "created_ms", oldest: true, scan: scanApplication, page: p, at: placeOfApplication})
}

// ApplicationsOf are those of a person, the newest first.
func (b *Board) ApplicationsOf(ctx context.Context, humanID string, p Page) ([]Application, string, error) {
	s := selectFrom("*", "(SELECT "+applicationSelect+" FROM "+applicationFrom+") AS listed")
	s.where("human_id = ?", humanID)
	return page(ctx, b, s, keyset[Application]{column: "created_ms", scan: scanApplication, page: p, at: placeOfApplication})
}

func placeOfApplication(a Application) place { return place{millis(a.CreatedAt), a.ID} }

// answer changes a pending application, and refuses one that is not pending.
func (c *change) answer(ctx context.Context, applicationID string, to ApplicationStatus) (Application, error) {
	n, err := c.tx.Exec(ctx, "UPDATE applications SET status = $3, answered_ms = $4 WHERE id = $1 AND task_id = $2 AND status = 'pending'",
		applicationID, c.task.ID, to, millis(c.now()))
	if err != nil {
		return Application{}, fmt.Errorf("answer application %s: %w", applicationID, err)
	}
	if n != 1 {
		return Application{}, task.Refuse(task.ApplicationNotPending)
	}
	return application(ctx, c.tx, applicationID)
}
