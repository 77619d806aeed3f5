package check

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed report.html
var page string

// bar is one bar of the chart of the steps.
type bar struct {
	Step
	Y, Text, Width int
}

// WriteHTML writes a report as one page that needs nothing else: no scripts, no
// pictures, no addresses that a reader's browser would ask. What the server sent is
// text in it, whatever it was.
func (r *Report) WriteHTML(w io.Writer) error {
	t, err := template.New("report").Parse(page)
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	longest := int64(1)
	for _, s := range r.Steps {
		longest = max(longest, s.Millis)
	}
	const row, width = 26, 420
	var bars []bar
	for n, s := range r.Steps {
		bars = append(bars, bar{Step: s, Y: n * row, Text: n*row + 16, Width: int(max(2, s.Millis*width/longest))})
	}
	err = t.Execute(w, map[string]any{
		"R": r, "Bars": bars, "Height": len(r.Steps) * row, "Verdict": r.Verdict(), "Target": visible(r.Target, 500),
		"Offer": many(r.Tools, "tool") + ", " + many(r.Resources, "resource") + ", " + many(r.Templates, "resource template") + ", " + many(r.Prompts, "prompt"),
	})
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
