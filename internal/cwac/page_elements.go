package cwac

import (
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// PageElement is what element_audit lists of a page; equal elements are one.
type PageElement struct {
	HTML      string   `json:"html"`
	Count     int      `json:"count" jsonschema:"at the viewport that has most"`
	Viewports []string `json:"viewports,omitempty"`
}

// line is the element in the text.
func (e PageElement) line() string {
	line := clip(e.HTML, 200)
	if e.Count > 1 {
		line += fmt.Sprintf(" (%d times)", e.Count)
	}
	if len(e.Viewports) > 0 {
		line += " at " + strings.Join(e.Viewports, ", ")
	}
	return line
}

// maxPageElements is how many elements of a page are listed; cwac_get_results has all.
const maxPageElements = 50

// elements lists what the element audit recorded of a page.
func (o *PageOut) elements(r *results.Results, p results.PageOutcome) error {
	at := map[string]int{} // in the list, by markup
	counts := map[[2]string]int{}
	left := map[string]bool{}
	for row, err := range r.Records(results.AuditElement + ".csv") {
		if err != nil {
			return fmt.Errorf("read the elements of a page: %w", err)
		}
		if url := row.Get("url"); url != p.URL && (p.Final == "" || url != p.Final) {
			continue
		}
		html := row.Get("element_html")
		_, viewport, _ := strings.Cut(row.Get("audit_id"), "_")
		i, known := at[html]
		if !known {
			if len(o.Elements) == maxPageElements {
				left[html] = true
				continue
			}
			i = len(o.Elements)
			at[html] = i
			o.Elements = append(o.Elements, PageElement{HTML: site(html, maxValue)})
		}
		e := &o.Elements[i]
		counts[[2]string{html, viewport}]++
		e.Count = max(e.Count, counts[[2]string{html, viewport}])
		if name := site(viewport, 30); name != "" && !slices.Contains(e.Viewports, name) {
			e.Viewports = append(e.Viewports, name)
		}
	}
	if len(left) > 0 {
		o.Notes = append(o.Notes, fmt.Sprintf("%d more elements are listed by cwac_get_results with audit_type %s and this url.", len(left), results.AuditElement))
	}
	return nil
}
