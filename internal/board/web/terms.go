package web

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// sheetBody is the terms of an assignment, to be read and printed.
type sheetBody struct {
	Rows       []sheetRow
	Hash, Back string
}

// sheetRow is one line: a text, or a key of the catalogue for what is always so.
type sheetRow struct{ Key, Key2, Text string }

func (v *visit) workTerms() error {
	t, err := v.assigned()
	if err != nil {
		return err
	}
	return v.showTerms(t, "/me/tasks/"+t.ID)
}

func (v *visit) requestTerms() error {
	t, err := v.own()
	if err != nil {
		return err
	}
	return v.showTerms(t, "/requester/tasks/"+t.ID)
}

func (v *visit) showTerms(t task.Task, back string) error {
	s, err := v.site.board.TermsOf(v.ctx(), t.ID)
	if err != nil {
		return err
	}
	return v.show("terms", v.say("terms.title"), sheetBody{Rows: v.sheetRows(s), Hash: s.SHA256, Back: back}, nil)
}

func (v *visit) sheetRows(s data.TermsSheet) []sheetRow {
	moment := func(text string) string {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return v.say("time.none")
		}
		return v.lang.Moment(at)
	}
	orAnywhere := s.Place
	if orAnywhere == "" {
		orAnywhere = v.say("place.anywhere")
	}
	hours, days := time.Duration(s.ReviewHours)*time.Hour, s.PayDays
	return []sheetRow{
		{Key: "terms.task", Text: s.TaskID},
		{Key: "terms.requester", Text: s.Requester},
		{Key: "terms.worker", Text: s.Worker},
		{Key: "terms.ordered_at", Text: moment(s.OrderedAt)},
		{Key: "terms.content", Text: s.Content},
		{Key: "terms.criteria", Text: s.Criteria},
		{Key: "terms.notallowed", Text: s.NotAllowed},
		{Key: "terms.deliverable", Key2: "deliverable." + s.Deliverable},
		{Key: "terms.due_at", Text: moment(s.DueAt)},
		{Key: "terms.place", Text: orAnywhere},
		{Key: "terms.inspection", Text: v.say("terms.inspection.rule", "span", v.lang.Span(hours))},
		{Key: "terms.reward", Text: v.lang.Money(s.Takehome, s.Currency)},
		{Key: "terms.fee", Text: v.lang.Money(s.Fee, s.Currency)},
		{Key: "terms.total", Text: v.lang.Money(s.Total, s.Currency)},
		{Key: "terms.pay_by", Text: v.say("terms.pay_by.rule", "n", days)},
		{Key: "terms.method", Key2: "terms.method.rule"},
	}
}
