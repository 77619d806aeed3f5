package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

const reportColumns = "id, by_kind, by_id, task_id, human_id, agent_id, class, body, is_open, created_ms, handled_by, note"

func scanReport(r row) (Report, error) {
	var v Report
	var taskID, humanID, agentID *string
	var created int64
	if err := r.Scan(&v.ID, &v.By.Kind, &v.By.ID, &taskID, &humanID, &agentID, &v.Class, &v.Text, &v.Open, &created, &v.HandledBy, &v.Note); err != nil {
		return Report{}, fmt.Errorf("read a report: %w", err)
	}
	v.TaskID, v.HumanID, v.AgentID, v.CreatedAt = orEmpty(taskID), orEmpty(humanID), orEmpty(agentID), moment(created)
	return v, nil
}

// mostReports is how many reports of one reporter wait for an operator at a time: more
// would keep those of others from being read.
const mostReports = 20

// FileReport keeps what somebody says is wrong with a task, a person or an agent.
func (b *Board) FileReport(ctx context.Context, v Report) (Report, error) {
	var wrong task.Fields
	v.Class = task.CheckText(&wrong, "class", task.CleanLine(v.Class), maxTag)
	v.Text = task.CheckOptional(&wrong, "text", v.Text, maxReason)
	if v.TaskID == "" && v.HumanID == "" && v.AgentID == "" {
		wrong.Add("task_id", task.Required)
	}
	if err := wrong.Err(); err != nil {
		return Report{}, err
	}
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		for _, about := range []struct{ table, id string }{{"tasks", v.TaskID}, {"humans", v.HumanID}, {"agents", v.AgentID}} {
			if about.id == "" {
				continue
			}
			var there int
			if _, err := found(0, tx.QueryRow(ctx, "SELECT 1 FROM "+about.table+" WHERE id = $1", about.id).Scan(&there)); err != nil {
				return err
			}
		}
		var waiting int64
		err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM reports WHERE is_open AND by_kind = $1 AND by_id = $2", v.By.Kind, v.By.ID).Scan(&waiting)
		if err != nil {
			return fmt.Errorf("count the reports that wait: %w", err)
		}
		if waiting >= mostReports {
			return task.Because(task.RateLimited, "As many reports of yours wait for an operator as may.")
		}
		v.ID, v.Open, v.CreatedAt = newID(tx.Now()), true, kept(tx)
		_, err = tx.Exec(ctx, "INSERT INTO reports ("+reportColumns+") VALUES ("+placeholders(12)+")",
			v.ID, v.By.Kind, v.By.ID, orNull(v.TaskID), orNull(v.HumanID), orNull(v.AgentID), v.Class, v.Text, true, millis(v.CreatedAt), "", "")
		if err != nil {
			return fmt.Errorf("write a report: %w", err)
		}
		return nil
	})
	return v, err
}

// Reports are the open ones, or the closed ones, the oldest first.
func (b *Board) Reports(ctx context.Context, open bool, p Page) ([]Report, string, error) {
	s := selectFrom(reportColumns, "reports")
	s.where("is_open = ?", open)
	return page(ctx, b, s, keyset[Report]{column: "created_ms", oldest: true, scan: scanReport, page: p, at: func(v Report) place { return place{millis(v.CreatedAt), v.ID} }})
}

// CloseReport notes what was done.
func (b *Board) CloseReport(ctx context.Context, by task.Actor, reportID, note string) error {
	if by.Kind != task.Operator {
		return task.Refuse(task.Forbidden)
	}
	var wrong task.Fields
	note = task.CheckOptional(&wrong, "note", note, maxReason)
	if err := wrong.Err(); err != nil {
		return err
	}
	return b.change(ctx, q("UPDATE reports SET is_open = FALSE, handled_by = $2, note = $3 WHERE id = $1 AND is_open", reportID, by.ID, note))
}
