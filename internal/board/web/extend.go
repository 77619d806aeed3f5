package web

import (
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
)

// extensionHours are by how much a deadline can be moved on the page.
var extensionHours = []string{"24", "48", "72", "168"}

func (v *visit) extensions() []option {
	list := make([]option, len(extensionHours))
	for i, text := range extensionHours {
		hours, _ := strconv.Atoi(text) // they are above
		list[i] = option{text, v.lang.Span(time.Duration(hours) * time.Hour)}
	}
	return list
}

// extend gives the worker more time.
func (v *visit) extend() error {
	f, err := v.form("extend")
	if err != nil {
		return err
	}
	hours, _ := strconv.Atoi(f.choice("hours", extensionHours))
	if !f.ok() {
		return v.showRequest(f)
	}
	t, err := v.own()
	if err != nil {
		return err
	}
	later := data.Extension{TaskID: t.ID, DeadlineAt: t.DeadlineAt.Add(time.Duration(hours) * time.Hour), Version: t.Version}
	return v.decided("extended", func(string) error {
		_, err := v.site.board.ExtendDeadline(v.ctx(), v.actor(), later)
		return err
	})
}

// refuseApplicant tells one applicant no; the others stay.
func (v *visit) refuseApplicant() error {
	f, err := v.form("choose")
	if err != nil {
		return err
	}
	return v.decided("refused", func(string) error {
		_, err := v.site.board.RejectApplication(v.ctx(), v.actor(), f.Get("application"))
		return err
	})
}
