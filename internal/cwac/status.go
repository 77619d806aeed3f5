package cwac

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var scanStatus = tool.New(tool.Spec{
	Name: "cwac_scan_status", Title: "Status of a scan",
	Description: "Get the status of a scan: running with its progress, complete, failed with the cause, or cancelled. wait_seconds waits for its end.",
	Effect:      tool.Read, Idempotent: true, Scope: scopeRead, Rate: ratePoll, Timeout: 6 * time.Minute, Budget: 12 << 10,
	Outline:  []string{"scan_id", "status", "elapsed_time", "stdout_tail", "results_dir", "exit_code", "stderr", "cause", "progress", "pages_scanned", "warnings"},
	Examples: []tool.Example{{Name: "wait a minute", Args: StatusIn{ScanID: exampleScan, Wait: 60}}},
}, (*Server).scanStatus)

// exampleScan is the scan of the examples.
const exampleScan = "a1b2c3d4-e5f6-4789-abcd-ef1234567890"

// StatusIn names a scan.
type StatusIn struct {
	ScanID string `json:"scan_id"`
	Wait   int    `json:"wait_seconds,omitempty" minimum:"0" maximum:"300" jsonschema:"wait so long for the end"`
}

// StatusOut is how far a scan is.
type StatusOut struct {
	ScanID       string        `json:"scan_id"`
	Status       string        `json:"status" enum:"running,complete,failed,cancelled"`
	AuditName    string        `json:"audit_name,omitempty"`
	Engine       string        `json:"engine,omitempty"`
	Elapsed      string        `json:"elapsed_time"`
	Progress     *ScanProgress `json:"progress,omitempty"`
	PagesScanned *int          `json:"pages_scanned,omitempty"`
	URLs         []URLOutcome  `json:"urls,omitempty" jsonschema:"how each base URL ended"`
	ResultsDir   string        `json:"results_dir,omitempty"`
	ExitCode     *int          `json:"exit_code,omitempty"`
	Cause        string        `json:"cause,omitempty"`
	CauseType    string        `json:"cause_type,omitempty"`
	Action       string        `json:"corrective_action,omitempty"`
	StdoutTail   string        `json:"stdout_tail,omitempty"`
	Stderr       string        `json:"stderr,omitempty"`
	Warnings     []string      `json:"warnings,omitempty"`
}

// ScanProgress is how many pages are done.
type ScanProgress struct {
	Done      int     `json:"pages_done"`
	Expected  int     `json:"pages_expected" jsonschema:"at most; falls when a site has fewer pages"`
	Percent   float64 `json:"percent"`
	Remaining string  `json:"remaining,omitempty" jsonschema:"estimated"`
}

// URLOutcome is how one base URL ended.
type URLOutcome struct {
	URL    string `json:"url"`
	Pages  int    `json:"pages_scanned"`
	Final  string `json:"final_url,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Text is what a model reads.
func (o StatusOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "status: %s, elapsed %s. scan_id: %s", o.Status, o.Elapsed, o.ScanID)
	if p := o.Progress; p != nil {
		fmt.Fprintf(&b, "\n%d of at most %s (%.0f %%)", p.Done, many(p.Expected, "page"), p.Percent)
		if p.Remaining != "" {
			b.WriteString(", about " + p.Remaining + " left")
		}
	}
	if o.PagesScanned != nil {
		fmt.Fprintf(&b, "\npages_scanned: %d", *o.PagesScanned)
	}
	for _, w := range o.Warnings {
		b.WriteString("\nwarning: " + w)
	}
	if o.Cause != "" {
		b.WriteString("\ncause: " + o.Cause + "\nWhat to do: " + o.Action)
	}
	if o.ResultsDir != "" {
		b.WriteString("\nresults_dir: " + o.ResultsDir)
	}
	if o.ExitCode != nil {
		fmt.Fprintf(&b, "\nexit_code: %d", *o.ExitCode)
	}
	o.quote(&b)
	switch o.Status {
	case statusRunning:
		b.WriteString("\nNext: cwac_scan_status with wait_seconds again, or read what is there with partial true.")
	case statusComplete:
		b.WriteString("\nNext: cwac_get_summary.")
	}
	return b.String()
}

// quote adds what may hold text of a site, between the marks.
func (o StatusOut) quote(b *strings.Builder) {
	if len(o.URLs) == 0 && o.StdoutTail == "" && o.Stderr == "" {
		return
	}
	b.WriteString("\n" + untrusted + "\n" + openMark)
	for _, u := range o.URLs {
		fmt.Fprintf(b, "\n%s: %s", u.URL, many(u.Pages, "page"))
		if u.Reason != "" {
			b.WriteString(" (" + u.Reason + ")")
		}
	}
	if last := lastLine(o.StdoutTail); last != "" {
		b.WriteString("\nstdout: " + last)
	}
	if last := lastLine(o.Stderr); last != "" {
		b.WriteString("\nstderr: " + last)
	}
	b.WriteString("\n" + closeMark)
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// pollPeriod is how often a waiting call looks at the disk.
const pollPeriod = time.Second

func (s *Server) scanStatus(ctx context.Context, in StatusIn) (StatusOut, error) {
	x, err := s.find(ctx, in.ScanID)
	if err != nil {
		return StatusOut{}, err
	}
	if in.Wait <= 0 || !x.running() {
		return describe(x), nil
	}
	over := time.NewTimer(time.Duration(in.Wait) * time.Second)
	defer over.Stop()
	poll := time.NewTicker(pollPeriod)
	defer poll.Stop()
	for x.running() {
		tellProgress(ctx, x)
		select {
		case <-poll.C:
		case <-over.C:
			return describe(x), nil
		case <-ctx.Done():
			return StatusOut{}, ctx.Err()
		}
		if x, err = s.find(ctx, in.ScanID); err != nil {
			return StatusOut{}, err
		}
	}
	return describe(x), nil
}

// tellProgress tells the caller who waits how far the scan is.
func tellProgress(ctx context.Context, x *scan) {
	if p := progressOf(x); p != nil {
		tool.Progress(ctx, float64(p.Done), float64(max(p.Expected, p.Done)), fmt.Sprintf("%d of at most %s", p.Done, many(p.Expected, "page")))
	}
}

// progressOf reads the progress that the engine writes; nil before its first page.
func progressOf(x *scan) *ScanProgress {
	if x.dir == "" {
		return nil
	}
	r, err := results.Open(x.dir)
	if err != nil {
		return nil
	}
	p, ok := r.Progress()
	if !ok {
		return nil
	}
	out := &ScanProgress{Done: p.Done, Expected: p.Total, Percent: p.Percent}
	if x.running() && p.Remaining > 0 {
		out.Remaining = span(p.Remaining)
	}
	return out
}

// describe puts a scan into the words of the specification.
func describe(x *scan) StatusOut {
	out := StatusOut{ScanID: x.id, Status: x.status, Elapsed: span(x.elapsed()), ResultsDir: slashed(x.dir)}
	if x.rec != nil {
		out.AuditName, out.Engine = x.rec.AuditName, x.rec.Engine
	}
	if x.running() {
		out.Progress, out.StdoutTail = progressOf(x), tailOf(x.state.Stdout)
		return out
	}
	out.sites(x)
	if x.state.Cause == process.Exited {
		code := x.state.ExitCode
		out.ExitCode = &code
	}
	if x.status != statusComplete {
		c := causeOf(x)
		out.Cause, out.CauseType, out.Action = c.text, c.kind, c.action
		out.StdoutTail, out.Stderr = tailOf(x.state.Stdout), tailOf(x.state.Stderr)
	}
	if x.state.Problem != "" {
		out.Warnings = append(out.Warnings, clip(quiet(x.state.Problem), 300))
	}
	return out
}

func slashed(dir string) string {
	if dir == "" {
		return ""
	}
	return dir + "/"
}

// tailOf are the last lines, each as one line whatever a site had printed.
func tailOf(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = site(l, 300)
	}
	return strings.Join(out, "\n")
}

// maxSites is how many base URLs an answer names.
const maxSites = 20

// sites adds what was scanned, and the warning when that is nothing.
func (o *StatusOut) sites(x *scan) {
	if x.dir == "" {
		return
	}
	r, err := results.Open(x.dir)
	if err != nil {
		o.Warnings = append(o.Warnings, "The results cannot be read.")
		return
	}
	for _, p := range r.Problems {
		o.Warnings = append(o.Warnings, "A part of the results cannot be read: "+site(p, 200))
	}
	sites, err := r.Sites()
	if err != nil {
		o.Warnings = append(o.Warnings, "The list of base URLs cannot be read.")
		return
	}
	if x.status != statusComplete {
		if sites, err = begun(sites, r); err != nil {
			o.Warnings = append(o.Warnings, "The list of pages cannot be read.")
			return
		}
	}
	pages := 0
	for _, s := range sites {
		pages += s.Pages
		if len(o.URLs) < maxSites {
			o.URLs = append(o.URLs, URLOutcome{site(s.Site.URL, 300), s.Pages, site(s.Final, 300), site(s.Reason, 200)})
		}
	}
	if pages == 0 || x.status != statusComplete { // the sites that ended may not be all
		n, err := r.Scanned()
		if err != nil {
			o.Warnings = append(o.Warnings, "The pages that were scanned cannot be counted.")
			return
		}
		pages = max(pages, n)
	}
	o.PagesScanned = &pages
	o.skipped(r)
	if x.status == statusComplete && pages == 0 {
		o.Warnings = append(o.Warnings, nothingScanned(x, r))
	}
}

// begun adds the base URLs that a scan which ended early was at: their pages are in no
// list of those that came to an end.
func begun(ended []results.SiteOutcome, r *results.Results) ([]results.SiteOutcome, error) {
	var open []results.SiteOutcome
	at := map[results.Site]int{} // in open, from 1; 0 is not there yet
	for p, err := range r.Pages() {
		if err != nil {
			return nil, err
		}
		if p.State != results.PageScanned && p.State != results.PagePartial ||
			slices.ContainsFunc(ended, func(o results.SiteOutcome) bool { return o.Site == p.Site }) {
			continue
		}
		if at[p.Site] == 0 {
			open = append(open, results.SiteOutcome{Site: p.Site, Reason: "the scan ended before it was done"})
			at[p.Site] = len(open)
		}
		open[at[p.Site]-1].Pages++
	}
	return append(slices.Clip(ended), open...), nil
}

// maxSkipped is how many addresses that were left out an answer names.
const maxSkipped = 5

// skipped warns of addresses that were asked for and are not scanned by themselves.
func (o *StatusOut) skipped(r *results.Results) {
	if r.Scan == nil {
		return
	}
	n := 0
	for _, note := range r.Scan.Notes {
		if note.Kind == "input_skipped" {
			if n++; n <= maxSkipped {
				o.Warnings = append(o.Warnings, site(note.Where+": "+note.Text, 400))
			}
		}
	}
	if n > maxSkipped {
		o.Warnings = append(o.Warnings, fmt.Sprintf("%d more addresses were left out; see scan.json.", n-maxSkipped))
	}
}

// nothingScanned says why a scan that went to its end has no page.
func nothingScanned(x *scan, r *results.Results) string {
	why := "Nothing was scanned: not a single page could be audited. This is no clean result."
	dead := false
	for row, err := range r.Records("unexpected_response_codes.csv") {
		if err != nil {
			break
		}
		if row.Get("status_code") == "-1" {
			dead = true
		} else if code := row.Get("status_code"); code != "" {
			return why + " A base URL answered with status " + site(code, 10) + "."
		}
	}
	switch {
	case dead:
		return why + " A base URL did not answer: check the host name."
	case x.rec != nil && x.rec.Engine == results.EngineCWAC:
		return why + " Usual reasons: robots.txt forbids it, the address leads elsewhere, or it is no HTML page."
	}
	return why
}
