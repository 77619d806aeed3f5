package web

import (
	"net/url"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/place"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// opsBody is what waits for an operator.
type opsBody struct {
	Holds    []holdView
	Reports  []reportView
	Disputes []opsDisputeView
	Jobs     []JobCount
	Books    *booksView
	Further  string // disputes
}

// booksView is what the comparison of ledger, tasks and payments found last.
type booksView struct {
	At       time.Time
	Findings []string
}

type holdView struct {
	ID, Title, Text, Class, Excerpt string
	At                              time.Time
}

type reportView struct {
	ID, TaskID, Title, Reason, Text string
	At                              time.Time
}

type opsDisputeView struct {
	ID, Title, Reason string
	At                time.Time
	Quote             quoteView
}

func (v *visit) ops() error {
	var body opsBody
	for _, load := range []func(*opsBody) error{v.loadHolds, v.loadReports, v.loadDisputes, v.loadJobs, v.loadBooks} {
		if err := load(&body); err != nil {
			return err
		}
	}
	return v.show("ops", v.say("ops.title"), body, nil)
}

func (v *visit) loadHolds(b *opsBody) error {
	held, _, err := v.site.board.Tasks(v.ctx(), data.TaskFilter{Held: true, Page: data.Page{Limit: 100}})
	if err != nil {
		return err
	}
	for _, t := range held {
		b.Holds = append(b.Holds, holdView{
			ID: t.ID, Title: titleOf(t), Class: t.HoldClass, Excerpt: t.HoldExcerpt, At: t.CreatedAt,
			Text: t.Text + "\n\n" + t.AcceptanceCriteria + "\n\n" + t.NotAllowed,
		})
	}
	return nil
}

func (v *visit) loadReports(b *opsBody) error {
	reports, _, err := v.site.board.Reports(v.ctx(), true, data.Page{Limit: 100})
	if err != nil {
		return err
	}
	for _, r := range reports {
		row := reportView{ID: r.ID, TaskID: r.TaskID, Reason: r.Class, Text: r.Text, At: r.CreatedAt}
		if !v.lang.Has("report." + row.Reason) {
			row.Reason = "other"
		}
		if r.TaskID != "" {
			t, err := v.site.board.Task(v.ctx(), r.TaskID)
			if err != nil {
				return err
			}
			row.Title = titleOf(t)
		}
		b.Reports = append(b.Reports, row)
	}
	return nil
}

func (v *visit) loadDisputes(b *opsBody) error {
	all, next, err := v.site.board.OpenDisputes(v.ctx(), data.Page{Limit: perPage, Cursor: v.r.URL.Query().Get("disputes")})
	if err != nil {
		return err
	}
	if next != "" {
		b.Further = "/ops?disputes=" + url.QueryEscape(next) + "#disputes"
	}
	for _, d := range all {
		t, err := v.site.board.Task(v.ctx(), d.TaskID)
		if err != nil {
			return err
		}
		b.Disputes = append(b.Disputes, opsDisputeView{ID: t.ID, Title: titleOf(t), Reason: d.Text, At: d.CreatedAt, Quote: view(t, v.now).Quote})
	}
	return nil
}

func (v *visit) loadBooks(b *opsBody) error {
	if v.site.options.Books == nil {
		return nil
	}
	at, findings, err := v.site.options.Books(v.ctx())
	if err != nil {
		return err
	}
	b.Books = &booksView{at, findings}
	return nil
}

func (v *visit) loadJobs(b *opsBody) error {
	if v.site.options.Jobs == nil {
		return nil
	}
	var err error
	b.Jobs, err = v.site.options.Jobs.Counts(v.ctx())
	return err
}

func (v *visit) releaseHold() error {
	if _, err := v.site.board.ReleaseHold(v.ctx(), v.operator(), v.r.PathValue("id")); err != nil {
		return err
	}
	return v.done("/ops", "resolved")
}

func (v *visit) blockHold() error {
	if _, err := v.site.board.TakeDown(v.ctx(), v.operator(), data.TakenDown{TaskID: v.r.PathValue("id")}); err != nil {
		return err
	}
	return v.done("/ops", "resolved")
}

func (v *visit) closeReport() error {
	if err := v.site.board.CloseReport(v.ctx(), v.operator(), v.r.PathValue("id"), ""); err != nil {
		return err
	}
	return v.done("/ops", "resolved")
}

// disputeBody is one dispute with all that bears on it.
type disputeBody struct {
	ID, By, Reason string
	At             time.Time
	Task           taskView
	Rejection      *rejectionView
	Submissions    []deliveryView
	Messages       []messageView
}

func (v *visit) opsDispute() error { return v.showDispute(nil) }

func (v *visit) showDispute(f *form) error {
	t, d, err := v.disputed()
	if err != nil {
		return err
	}
	side, err := v.sides(t)
	if err != nil {
		return err
	}
	return v.show("dispute", titleOf(t), disputeBody{
		ID: t.ID, By: string(d.OpenedBy.Kind), Reason: d.Text, At: d.CreatedAt, Task: view(t, v.now),
		Rejection: side.rejection, Submissions: side.deliveries, Messages: side.messages,
	}, f)
}

// disputed is the task of the address with its open dispute.
func (v *visit) disputed() (task.Task, data.Dispute, error) {
	t, err := v.site.board.Task(v.ctx(), v.r.PathValue("id"))
	if err != nil {
		return t, data.Dispute{}, err
	}
	all, err := v.site.board.Disputes(v.ctx(), t.ID)
	if err != nil {
		return t, data.Dispute{}, err
	}
	if len(all) == 0 || !all[0].Open {
		return t, data.Dispute{}, task.Refuse(task.NotFound)
	}
	return t, all[0], nil
}

func (v *visit) resolve() error {
	f, err := v.form("resolve")
	if err != nil {
		return err
	}
	t, _, err := v.disputed()
	if err != nil {
		return err
	}
	percent, numberErr := strconv.ParseInt(place.Fold(f.text("percent", 8, true)), 10, 64)
	if numberErr != nil || percent < 0 || percent > 100 {
		f.wrong("percent", "error.percent")
	}
	note := f.text("note", 4000, true)
	if note != "" && len([]rune(note)) < least {
		f.wrong("note", "error.too_short")
	}
	if !f.ok() {
		return v.showDispute(f)
	}
	_, err = v.site.board.Resolve(v.ctx(), v.operator(), data.Resolution{TaskID: t.ID, Completed: percent > 0, Worker: t.Budget.Minor * percent / 100, Note: note})
	if err != nil {
		return v.refused(err, f, v.showDispute)
	}
	return v.done("/ops", "resolved")
}
