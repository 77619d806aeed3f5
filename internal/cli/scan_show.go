package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	reports "github.com/legwork-mcp/legwork/internal/cwac/report"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// lines tells a person how a scan goes: a line a page, on standard error.
type lines struct{ *app }

// Begin says where the results go.
func (l *lines) Begin(b engine.Begun) {
	fmt.Fprintf(l.std.Err, "scanning %s, up to %s each; results: %s\n", count(b.Sites, "site"), count(b.Config.MaxLinksPerDomain, "page"), b.Dir)
}

// Step prints a page.
func (l *lines) Step(s engine.Step) {
	if s.Page == "" {
		return
	}
	what := s.Outcome
	if s.Outcome == results.PageScanned {
		what = fmt.Sprintf("%d found", s.Issues) // at each viewport; the summary counts a fault once
	}
	p := s.Progress
	fmt.Fprintf(l.std.Err, "%5.1f%% %4d/%d  %-12s %s\n", p.Percent, p.Done, p.Total, what, plainLine(s.Page))
}

// End says nothing: the summary does.
func (l *lines) End(engine.Outcome) {}

// plainLine keeps what a site says from moving the cursor of a terminal, and from
// turning the words after it around.
func plainLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// counted is the report of a results folder.
func counted(dir string) (*reports.Report, error) {
	read, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	return reports.Build(read)
}

// earlier reads the scan to compare with. Any folder can be opened; compared with one
// in which no page was scanned, no fault would be new and every scan a success.
func earlier(dir string) (*reports.Report, error) {
	before, err := counted(dir)
	if err != nil {
		return nil, err
	}
	if len(before.Pages) == 0 {
		return nil, fault.New(fault.Invalid, "nothing_to_compare", "The folder "+filepath.Base(dir)+" holds no scanned page to compare with.",
			"Name the results folder of an earlier scan, such as results/2026-11-01_09-00-00_www.example.org.")
	}
	return before, nil
}

// show prints the summary, writes the reports and settles the exit code.
func (c scanCmd) show(a *app, out engine.Outcome, before *reports.Report, formats []string) error {
	rep, err := counted(out.Dir)
	if err != nil {
		return err
	}
	if rep.Scan.Scanned == 0 && out.Pages > 0 {
		return fault.New(fault.Unavailable, "results_gone", "The results folder no longer holds what was scanned: its files were removed.",
			"Scan again, and leave the folder alone until the scan has ended.")
	}
	if before != nil {
		rep.Comparison = reports.Compare(before, rep)
	}
	var files []string
	var unwritten error // told after what was found
	if len(formats) > 0 {
		files, unwritten = rep.Write(out.Dir, formats)
	}
	if c.JSON {
		if err := rep.Data(a.std.Out); err != nil {
			return err
		}
	} else {
		c.summary(a, out, rep, files)
	}
	if unwritten != nil {
		return unwritten
	}
	if code := exitOfScan(out); code != fault.ExitOK {
		return quiet(code)
	}
	if n := c.failing(rep); n > 0 {
		fmt.Fprintf(a.std.Err, "%s at or above --fail-on %s\n", count(n, "finding"), c.FailOn)
		return quiet(fault.ExitFailed)
	}
	if n := undone(rep, out); n > 0 {
		fmt.Fprintf(a.std.Err, "the scan is not whole: %s could not be audited, or not wholly\n", count(n, "page"))
		return quiet(fault.ExitUnavailable)
	}
	return nil
}

// sofar prints what a scan had found that could not go on: why comes after it.
func (c scanCmd) sofar(a *app, out engine.Outcome) {
	if out.Pages == 0 || c.JSON {
		return
	}
	if rep, err := counted(out.Dir); err == nil {
		c.summary(a, out, rep, nil)
	}
}

// undone counts the pages that should have been audited and were not, or in part only:
// that nothing was found there says nothing.
func undone(rep *reports.Report, out engine.Outcome) int {
	n := 0
	for _, p := range rep.Pages {
		if p.State == results.PagePartial {
			n++
		}
	}
	for _, u := range rep.Unscanned {
		if u.State == results.PageFailed || u.State == results.PageBlocked {
			n += u.Count
		}
	}
	for _, s := range out.Sites {
		if s.Pages == 0 && n == 0 {
			n++ // its base URL, for whatever reason
		}
	}
	return n
}

// shownRules is how many rules the summary names.
const shownRules = 15

func (c scanCmd) summary(a *app, out engine.Outcome, rep *reports.Report, files []string) {
	w := a.std.Out
	fmt.Fprintln(w, rep.Headline())
	for i, r := range rep.Rules {
		if i == shownRules {
			fmt.Fprintf(w, "  ... and %d more rules\n", len(rep.Rules)-i)
			break
		}
		fmt.Fprintf(w, "  %-9s %-28s %4d on %-9s %s\n", r.Impact, r.ID, r.Counts.Issues, count(r.Counts.Pages, "page"), plainLine(r.Help))
	}
	if n := len(rep.Review); n > 0 {
		fmt.Fprintf(w, "a person must decide on %s: see needs_review.csv\n", count(n, "rule"))
	}
	for _, s := range out.Sites {
		if s.Pages == 0 {
			fmt.Fprintf(w, "Nothing was scanned of %s: %s\n", plainLine(s.Site.URL), plainLine(s.Reason))
		}
	}
	for _, text := range out.Unused() {
		fmt.Fprintln(w, plainLine(text))
	}
	if text := rep.InPart(); text != "" {
		fmt.Fprintln(w, plainLine(text))
	}
	for _, g := range rep.Untested {
		fmt.Fprintln(w, plainLine(g.String()))
	}
	for _, u := range rep.Unscanned {
		fmt.Fprintf(w, "not scanned: %s\n", plainLine(left(u)))
	}
	if cmp := rep.Comparison; cmp != nil {
		fmt.Fprintf(w, "compared with %s: %d new, %d fixed, %d remaining\n", cmp.Old.Name, cmp.New.Issues, cmp.Fixed.Issues, cmp.Remaining.Issues)
	}
	if rep.Coverage.Statement != "" && out.Pages > 0 {
		fmt.Fprintln(w, rep.Coverage.Statement)
	}
	fmt.Fprintf(w, "%s in %s; results: %s\n", count(out.Pages, "page"), out.Elapsed.Round(1e8), out.Dir)
	for _, f := range files {
		fmt.Fprintln(w, "report:", f)
	}
}

// left says how many addresses were left out for one reason, and names one of them.
func left(u reports.Unscanned) string {
	text := count(u.Count, "address") + " " + u.Label()
	switch example := u.Example(); {
	case example == "":
		return text
	case u.Count == 1:
		return text + ": " + example
	default:
		return text + ", such as " + example
	}
}

// failing counts what is at or above the impact of --fail-on; with an earlier scan
// only what is new.
func (c scanCmd) failing(rep *reports.Report) int {
	if c.FailOn == "none" {
		return 0
	}
	bad := func(impact string) bool {
		if c.FailOn == "any" {
			return true
		}
		return impact != reports.Unknown && slices.Index(reports.Impacts(), impact) <= slices.Index(reports.Impacts(), c.FailOn)
	}
	n := 0
	if rep.Comparison != nil {
		for _, change := range rep.Comparison.New.Changes {
			if bad(change.Impact) {
				n += change.Issues
			}
		}
		return n
	}
	for _, t := range rep.ByImpact {
		if bad(t.Name) {
			n += t.Issues
		}
	}
	return n
}
