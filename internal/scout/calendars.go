package scout

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
)

// Types of values that a box takes from its calendar, beside the types of native
// controls: a day, and an interval of days as ISO 8601 writes it.
const (
	typeDay      = "date"
	typeInterval = "interval"
	typeMoment   = "datetime-local"
	typeTime     = "time"
)

// Patterns of values for which the wizard format has no word.
const (
	dayPattern      = `[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`
	intervalPattern = dayPattern + "/" + dayPattern
	momentPattern   = dayPattern + `T([01][0-9]|2[0-3]):[0-5][0-9]`
)

// picked reports whether a pattern is that of a box whose calendar takes more than a day.
func picked(pattern string) bool {
	return pattern == wholly(intervalPattern) || pattern == wholly(momentPattern)
}

// boxOf names a control by where it is, whatever kind it is taken for.
func boxOf(c page.Control) string { return strings.Join(c.Frame, " ") + "|" + c.Selector }

// taken makes a control what its calendar was seen to take.
func (x *Explorer) taken(c *page.Control) {
	kind := x.picks[boxOf(*c)]
	if kind == "" {
		return
	}
	if c.Decoy == "readonly" {
		c.Decoy, c.ReadOnly = "", false
	}
	c.Kind, c.Format, c.Pattern = page.KindText, "", ""
	hint := ""
	switch kind {
	case typeDay, typeTime:
		c.Kind, c.Format = page.KindDate, kind
		return
	case typeInterval:
		c.Pattern, hint = intervalPattern, "a first and a last day: YYYY-MM-DD/YYYY-MM-DD"
	case typeMoment:
		c.Pattern, hint = momentPattern, "a day and a time: YYYY-MM-DDThh:mm"
	}
	c.Type = kind
	if !strings.Contains(c.Hint, hint) {
		c.Hint = strings.TrimPrefix(c.Hint+"; "+hint, "; ")
	}
}

// wants notes what the calendar of a question takes instead of a day.
func (w *walker) wants(k *known, kind string) {
	w.picks[boxOf(k.control)] = kind
	w.taken(&k.control)
	for i := range w.inv.Controls {
		w.taken(&w.inv.Controls[i])
	}
	k.example = nil
}

// locked presses the empty boxes that cannot be typed into, once each: those that
// open a calendar are questions.
func (w *walker) locked(ctx context.Context) {
	for i := range w.inv.Controls {
		c := &w.inv.Controls[i]
		_, known := w.picks[boxOf(*c)]
		if known || c.Decoy != "readonly" || !c.Visible || !c.Enabled || c.Kind != page.KindText || c.Value != "" || w.left.opened <= 0 || w.spent(ctx) {
			continue
		}
		w.left.opened--
		var takes string
		var err error
		if w.away(func() { takes, err = w.page.OpensDays(ctx, *c) }); err != nil {
			continue // it stays a box that asks nothing
		}
		w.picks[boxOf(*c)] = takes
		w.taken(c)
	}
}

// intervals are spans of days, as ISO 8601 writes them.
func intervals(now time.Time) []any {
	var out []any
	for _, from := range []int{30, 10, 3, -400} {
		first := now.AddDate(0, 0, from)
		out = append(out, fmt.Sprintf("%s/%s", first.Format(time.DateOnly), first.AddDate(0, 0, 3).Format(time.DateOnly)))
	}
	return out
}
