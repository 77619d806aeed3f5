package cwac

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/report"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/nearest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var getPage = tool.New(tool.Spec{
	Name: "cwac_get_page", Title: "One page of a scan",
	Description: "Get everything that a scan found on one page, with a picture in which the faults are outlined and numbered as in the list.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRead, Rate: rateRead, Timeout: time.Minute, Budget: pageBudget,
	Outline:  []string{"scan_id", "url", "state", "viewport", "total_faults", "faults", "picture", "partial", "warnings"},
	Examples: []tool.Example{{Name: "one", Args: PageIn{ScanID: exampleScan, URL: "https://www.example.org/"}}},
}, (*Server).getPage)

const (
	pageBudget   = 300 << 10
	pictureBytes = 150_000
	pictureRows  = 3000 // CSS pixels
)

// PageIn names a page.
type PageIn struct {
	ScanID   string `json:"scan_id"`
	URL      string `json:"url"`
	Viewport string `json:"viewport,omitempty" jsonschema:"name, such as small; default: the widest that has a picture"`
	Picture  *bool  `json:"include_screenshot,omitempty" default:"true"`
	Review   bool   `json:"needs_review,omitempty" jsonschema:"list what no rule could decide, too"`
	Partial  bool   `json:"partial,omitempty" jsonschema:"read a running scan"`
}

// PageOut is one page.
type PageOut struct {
	ScanID   string        `json:"scan_id"`
	URL      string        `json:"url"`
	Title    string        `json:"page_title,omitempty"`
	State    string        `json:"state" jsonschema:"scanned, partial, failed, blocked or skipped"`
	Reason   string        `json:"reason,omitempty"`
	Viewport string        `json:"viewport,omitempty" jsonschema:"of the picture"`
	Total    int           `json:"total_faults" jsonschema:"one that shows at several viewports counted once"`
	Faults   []PageFault   `json:"faults"`
	Elements []PageElement `json:"elements,omitempty" jsonschema:"of element_audit"`
	Notes    []string      `json:"notes,omitempty" jsonschema:"how far the audits got"`
	Picture  string        `json:"picture,omitempty" jsonschema:"what the picture shows, or why there is none"`
	Partial  bool          `json:"partial,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`

	image []byte
}

// PageFault is one fault of a page.
type PageFault struct {
	Number    int      `json:"number,omitempty" jsonschema:"in the picture"`
	Rule      string   `json:"rule_id"`
	Impact    string   `json:"impact"`
	Audit     string   `json:"audit_type"`
	Help      string   `json:"description"`
	Summary   string   `json:"summary,omitempty"`
	Place     string   `json:"target,omitempty"`
	Frame     string   `json:"frame,omitempty"`
	HTML      string   `json:"html,omitempty"`
	Viewports []string `json:"viewports"`
	Review    bool     `json:"needs_review,omitempty"`

	key     string // of its place
	finding results.Finding
	boxes   map[string]*results.Box // by viewport
}

// Images is the picture.
func (o PageOut) Images() []tool.Image {
	if o.image == nil {
		return nil
	}
	return []tool.Image{{Data: o.image, MIME: "image/jpeg"}}
}

// Text is what a model reads.
func (o PageOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d faults; page %s", o.Total, o.State)
	if o.Reason != "" && o.State != results.PagePartial { // a note says what of it was not looked at
		b.WriteString(" (" + report.ReasonText(o.Reason) + ")")
	}
	if len(o.Faults) < o.Total {
		fmt.Fprintf(&b, ". The first %d are listed: cwac_get_results with this url has all", len(o.Faults))
	}
	b.WriteString(". " + o.Picture)
	for _, w := range o.Warnings {
		b.WriteString("\nwarning: " + w)
	}
	b.WriteString("\n" + untrusted + "\n" + openMark + "\n" + o.URL + " " + o.Title)
	for _, f := range o.Faults {
		b.WriteString("\n- ")
		if f.Number > 0 {
			fmt.Fprintf(&b, "[%d] ", f.Number)
		}
		if f.Review {
			b.WriteString("(undecided) ")
		}
		b.WriteString(f.Impact + " " + f.Rule)
		if len(f.Viewports) > 0 {
			b.WriteString(" at " + strings.Join(f.Viewports, ", "))
		}
		b.WriteString(": " + joined(" | ", cmp.Or(f.Summary, f.Help), clip(f.Place, 100), clip(f.HTML, 120)))
	}
	for _, e := range o.Elements {
		b.WriteString("\n- element: " + e.line())
	}
	for _, n := range o.Notes {
		b.WriteString("\nnote: " + strings.TrimSpace(n))
	}
	b.WriteString("\n" + closeMark)
	return b.String()
}

func (s *Server) getPage(ctx context.Context, in PageIn) (PageOut, error) {
	x, err := s.find(ctx, in.ScanID)
	if err != nil {
		return PageOut{}, err
	}
	r, err := x.open(in.Partial)
	if err != nil {
		return PageOut{}, err
	}
	outcome, err := pageOf(r, in.URL)
	if err != nil {
		return PageOut{}, err
	}
	asked := outcome
	if outcome.State == results.PageSkipped && outcome.Final != "" {
		if there, err := pageOf(r, outcome.Final); err == nil && there.State != results.PageSkipped {
			outcome = there
		}
	}
	out := PageOut{
		ScanID: x.id, URL: site(outcome.URL, 300), Title: site(outcome.Title, 120), State: outcome.State, Reason: site(outcome.Reason, 120), Faults: []PageFault{},
	}
	if asked.URL != outcome.URL {
		out.Notes = append(out.Notes, site(asked.URL, 300)+" leads here.")
	}
	if outcome.State == results.PagePartial {
		out.Notes = append(out.Notes, "Not all of it was looked at: "+site(cmp.Or(outcome.Detail, report.ReasonText(outcome.Reason)), 300))
	}
	for _, n := range outcome.Notes[:min(len(outcome.Notes), 10)] {
		out.Notes = append(out.Notes, site(n.Text+" "+n.Where, 200))
	}
	faults, total, err := faultsOf(r, outcome, in.Review)
	if err != nil {
		return PageOut{}, err
	}
	out.Total = total
	if err := out.elements(r, outcome); err != nil {
		return PageOut{}, err
	}
	shown := faults
	if in.Picture == nil || *in.Picture {
		if shown, err = s.painted(ctx, func() []PageFault { return out.paint(r, outcome, faults, in.Viewport) }); err != nil {
			return PageOut{}, err
		}
	}
	out.list(shown)
	out.Partial, out.Warnings = partly(x, r)
	return out, nil
}

// painted has one call at a time open a picture, also after one that panicked.
func (s *Server) painted(ctx context.Context, paint func() []PageFault) ([]PageFault, error) {
	select {
	case s.painting <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-s.painting }()
	return paint(), nil
}

// list takes as many faults as fit.
func (o *PageOut) list(faults []PageFault) {
	used := 0
	for _, f := range faults {
		if used += 2 * wireSize(f); used > pageRoom && len(o.Faults) > 0 {
			return
		}
		o.Faults = append(o.Faults, f)
	}
}

// pageOf finds the page of an address, also when it is written a little otherwise.
func pageOf(r *results.Results, address string) (results.PageOutcome, error) {
	want := strings.TrimSpace(address)
	var known []string
	var best results.PageOutcome
	most := 0
	for p, err := range r.Pages() {
		if err != nil {
			return best, fmt.Errorf("read the pages of a scan: %w", err)
		}
		if s := standing(p, want); s > most {
			best, most = p, s
		}
		if len(known) < 2000 {
			known = append(known, p.URL)
		}
	}
	if best.URL != "" {
		return best, nil
	}
	action := "cwac_get_results with group_by url lists pages with faults."
	if near := nearest.Name(address, known); near != "" {
		action = "Did you mean " + site(near, 300) + "? " + action
	}
	return best, fault.New(fault.NotFound, "page_not_found", "The scan knows no page "+clip(quiet(address), 200)+".", action)
}

// standing is how much a page is the one of an address: one that was looked at before
// one that was not, one that has the address before one that led there, and one whose
// address is written the same before one with or without a slash at its end. 0: it is not.
func standing(p results.PageOutcome, address string) int {
	slashless := strings.TrimSuffix(address, "/")
	out := 0
	switch {
	case p.URL == address:
		out = 3
	case strings.TrimSuffix(p.URL, "/") == slashless:
		out = 2
	case p.Final != "" && strings.TrimSuffix(p.Final, "/") == slashless:
		out = 1
	default:
		return 0
	}
	if p.State != results.PageSkipped {
		out += 3
	}
	return out
}

// paint makes the picture and numbers the faults that it shows.
func (o *PageOut) paint(r *results.Results, p results.PageOutcome, faults []PageFault, viewport string) []PageFault {
	shot, view := pictureOf(r, p, viewport)
	if shot == nil {
		switch {
		case p.State != results.PageScanned && p.State != results.PagePartial:
			o.Picture = "There is no picture: the page was not scanned."
		case !has(r, results.AuditScreenshot):
			o.Picture = "There is no picture: the scan took none (switch screenshot_audit on)."
		case viewport == "":
			o.Picture = "There is no picture: the scan took none of this page."
		default:
			o.Picture = "There is no picture of this page at viewport " + clip(quiet(viewport), 30) + "."
		}
		return faults
	}
	findings := make([]results.Finding, len(faults))
	for i, f := range faults {
		findings[i] = f.finding
		findings[i].Box = f.boxes[view.Name]
	}
	drawn, err := audit.OutlinePicture(shot, findings, audit.OutlineOptions{MaxBytes: pictureBytes, Height: pictureRows})
	if err != nil {
		o.Picture = "The picture of this page cannot be read."
		return faults
	}
	o.image, o.Viewport = drawn.JPEG, view.Name
	for _, m := range drawn.Marks {
		for _, at := range m.Findings {
			faults[at].Number = m.Number
		}
	}
	o.Picture = fmt.Sprintf("The picture shows the top of the page at viewport %s; %d faults are outside of it or have no place.", view.Name, drawn.Hidden)
	slices.SortStableFunc(faults, func(a, b PageFault) int {
		return cmp.Or(cmp.Compare(rank(a.Impact), rank(b.Impact)), cmp.Compare(place(a.Number), place(b.Number)))
	})
	return faults
}

// place sorts faults without a number last.
func place(number int) int {
	if number == 0 {
		return 1 << 30
	}
	return number
}

// pictureOf is the screenshot of a page at the asked viewport, or at the widest.
func pictureOf(r *results.Results, p results.PageOutcome, viewport string) ([]byte, results.Viewport) {
	var views results.Viewports
	if r.Scan != nil {
		views = slices.Clone(r.Scan.Viewports)
	} else if r.Config != nil {
		views = slices.Clone(r.Config.Viewports)
	}
	slices.SortStableFunc(views, func(a, b results.Viewport) int { return cmp.Compare(b.Width, a.Width) })
	for _, v := range views {
		if viewport != "" && v.Name != viewport {
			continue
		}
		shot, err := r.Picture(results.View{PageID: p.PageID, Viewport: v}.AuditID())
		if err == nil && shot != nil {
			return shot, v
		}
	}
	return nil, results.Viewport{}
}
