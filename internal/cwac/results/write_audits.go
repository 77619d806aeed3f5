package results

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// settle fills what every finding of a view has.
func (w *Writer) settle(f Finding, audit string, v View) Finding {
	f.Audit, f.View = audit, v
	if f.Count == 0 {
		f.Count = 1
	}
	if f.IssueID == "" {
		f.IssueID = IssueID(v.Site.URL, f.Rule, f.HTML, v.Viewport)
	}
	if f.Fingerprint == "" {
		f.Fingerprint = Fingerprint(f)
	}
	f.HTML, f.Summary = clip(f.HTML, maxCell), clip(f.Summary, maxLabel)
	f.Target, f.Selector, f.Frame = clip(f.Target, maxLabel), clip(f.Selector, maxLabel), clip(f.Frame, maxLabel)
	f.View = v.bounded()
	return f
}

// bounded is the view as the native record has it: the page chooses its title and
// address.
func (v View) bounded() View {
	v.Title, v.URL = clip(v.Title, maxLabel), clip(v.URL, maxLabel)
	return v
}

// found adds findings to findings.jsonl and the counts. The row of each is the
// caller's.
func (w *Writer) found(b *batch, audit string, v View, findings []Finding) []Finding {
	settled := make([]Finding, len(findings))
	for i, f := range findings {
		settled[i] = w.settle(f, audit, v)
		if text, err := encode(settled[i].Data); err != nil || len(text) > maxLine/4 {
			settled[i].Data = nil // the fault matters more than figures that no one could read
		}
		b.line(FileFindings, settled[i])
	}
	return settled
}

// count adds findings that were written to the counts.
func (w *Writer) count(findings []Finding) {
	for _, f := range findings {
		if f.Review {
			w.scan.Counts.Review++
			continue
		}
		w.scan.Counts.Findings++
		w.scan.Counts.Issues[f.Audit] += f.Count
	}
}

// Axe writes what axe found at a view: a row for each violation, or the one row of a
// clean view, and what needs review beside it. The Notes are the caller's to keep.
func (w *Writer) Axe(v View, axe Axe) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	violations := w.found(b, AuditAxe, v, axe.Violations)
	for _, f := range violations {
		b.auditRow(AuditAxe, v, append(issueCells(f), pythonList(f.Tags), yesNo(f.Best))...)
	}
	if len(violations) == 0 {
		b.auditRow(AuditAxe, v, append(cleanCells(AuditAxe), "", yesNo(false))...)
	}
	review := make([]Finding, len(axe.Review))
	for i, f := range axe.Review {
		f.Review = true
		review[i] = f
	}
	review = w.found(b, AuditAxe, v, review)
	for _, f := range review {
		b.reviewRow(v, f)
	}
	if err := w.commit(b); err != nil {
		return err
	}
	w.count(violations)
	w.count(review)
	w.scan.Counts.Views++
	w.ran(AuditAxe, axe.Rules)
	return nil
}

// reviewRow adds a row of what a person must decide.
func (b *batch) reviewRow(v View, f Finding) {
	b.row(FileReview, append(append(v.common(), issueCells(f)...), pythonList(f.Tags), yesNo(f.Best), f.Summary)...)
}

// ran remembers which rules an audit applied.
func (w *Writer) ran(audit string, rules []string) {
	if w.rules[audit] == nil {
		w.rules[audit] = map[string]bool{}
	}
	for _, r := range rules {
		w.rules[audit][r] = true
	}
}

func yesNo(yes bool) string {
	if yes {
		return "Yes"
	}
	return "No"
}

// Issues writes what one of the native audits (html_validation, crawl_audit,
// seo_audit, pdf_audit) found, or its row without issues. rules are those that were
// applied, for the coverage statement.
func (w *Writer) Issues(audit string, v View, findings []Finding, rules []string) error {
	if !Native(audit) {
		return fmt.Errorf("write issues: %q is no native audit", audit)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	findings = w.found(b, audit, v, findings)
	for _, f := range findings {
		details := ""
		if len(f.Data) > 0 {
			text, err := encode(f.Data)
			if err != nil {
				return fmt.Errorf("encode the details of %s: %w", f.Rule, err)
			}
			details = string(text)
		}
		b.auditRow(audit, v, append(issueCells(f), details)...)
	}
	if len(findings) == 0 {
		b.auditRow(audit, v, append(cleanCells(audit), "")...)
	}
	if err := w.commit(b); err != nil {
		return err
	}
	w.count(findings)
	w.ran(audit, rules)
	return nil
}

// Language writes the figures of a text. A text that was skipped gets no row, only
// its reason in the measures.
func (w *Writer) Language(v View, l Language) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	b.measure(v, AuditLanguage, l)
	if l.Skipped == "" {
		three := func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }
		cells := []string{three(l.FleschKincaid), strconv.Itoa(l.Sentences), three(l.WordsPerSentence), three(l.SyllablesPerWord), three(l.SMOG), languageHelp}
		if w.sentiment() {
			mood := []string{"", "", "", ""}
			if s := l.Sentiment; s != nil {
				mood = []string{pythonFloat(s.Negative), pythonFloat(s.Neutral), pythonFloat(s.Positive), pythonFloat(s.Compound)}
			}
			cells = append(cells, mood...)
		}
		b.auditRow(AuditLanguage, v, cells...)
	}
	return w.commit(b)
}

// Reflow writes whether a page overflows, see [Reflow.Findings]. With compat the row
// holds CWAC's capped figure, and an issue also where a person must decide.
func (w *Writer) Reflow(v View, r Reflow) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	b.measure(v, AuditReflow, map[string]any{"overflow_px": r.Overflow, "capped_px": r.Capped})
	findings := w.found(b, AuditReflow, v, r.Findings())
	issues, amount := 0, r.Overflow
	for _, f := range findings {
		if f.Review {
			b.reviewRow(v, f)
			continue
		}
		issues++
	}
	if w.config.Legwork.Compat {
		issues, amount = len(findings), r.Capped
	}
	b.auditRow(AuditReflow, v, ClassName(AuditReflow), pythonBool(r.Overflow > 0), strconv.Itoa(issues), strconv.Itoa(amount))
	if err := w.commit(b); err != nil {
		return err
	}
	w.count(findings)
	w.ran(AuditReflow, []string{RuleReflow})
	return nil
}

// Findings are the one issue of a page that overflows, whatever makes it, or none. The
// first culprit that is a fault gives its place, all of them are in its data. When all
// are content that may be wide, a person must decide.
func (r Reflow) Findings() []Finding {
	if r.Overflow <= 0 {
		return nil
	}
	f := reflowFinding(r.Overflow)
	f.Impact = "serious" // also when nothing shows what makes it
	at := slices.IndexFunc(r.Culprits, func(c Finding) bool { return !c.Review })
	if at < 0 && len(r.Culprits) > 0 {
		at, f.Review = 0, true
	}
	var culprits []map[string]any
	for i, c := range r.Culprits {
		if i == at {
			f.HTML, f.Target, f.Selector, f.Frame, f.Box, f.Summary = c.HTML, c.Target, c.Selector, c.Frame, c.Box, c.Summary
			f.Impact = c.Impact
		}
		culprits = append(culprits, map[string]any{"selector": c.Selector, "html": clip(c.HTML, maxLabel), "box": c.Box, "data": c.Data})
	}
	f.Data["capped_px"] = r.Capped
	if culprits != nil {
		f.Data["culprits"] = culprits
	}
	return []Finding{f}
}

// reflowFinding is what both engines say of a page that overflows.
func reflowFinding(pixels int) Finding {
	return Finding{
		Audit: AuditReflow, Rule: RuleReflow, Count: 1,
		Help:        "Content must fit a width of 320 CSS pixels without scrolling sideways",
		Description: "At 320 CSS pixels the page is " + strconv.Itoa(pixels) + " pixels wider than the window",
		HelpURL:     "https://www.w3.org/WAI/WCAG22/Understanding/reflow.html",
		Tags:        []string{"wcag21aa", "wcag1410"},
		Data:        map[string]any{"overflow_px": pixels},
	}
}

// Title writes that the title of a view was recorded.
func (w *Writer) Title(v View) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	b.auditRow(AuditTitle, v)
	return w.commit(b)
}

// Focus writes the stops of the Tab key that show nothing, or the one row that says
// that all do. Those that a person must decide are in the file for review only: CWAC,
// which looks at the whole window, takes what changes elsewhere for an indicator.
func (w *Writer) Focus(v View, focus Focus) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	b.measure(v, AuditFocus, map[string]any{"stops": focus.Stops})
	findings := w.found(b, AuditFocus, v, focus.Missing)
	missing := 0
	for _, f := range findings {
		if f.Review {
			b.reviewRow(v, f)
			continue
		}
		missing++
		b.auditRow(AuditFocus, v, ClassName(AuditFocus), cmp.Or(f.HelpURL, focusHelp), f.Description, f.HTML, strconv.Itoa(f.Count))
	}
	if missing == 0 {
		b.auditRow(AuditFocus, v, ClassName(AuditFocus), focusHelp, allIndicated, "", "0")
	}
	if err := w.commit(b); err != nil {
		return err
	}
	w.count(findings)
	w.ran(AuditFocus, []string{RuleFocusVisible, RuleFocusObscured, RuleNoKeyboardTrap})
	return nil
}

// Screenshot saves the picture of a view and writes its row.
func (w *Writer) Screenshot(v View, png []byte) error {
	if err := w.Picture(v, png); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	b.auditRow(AuditScreenshot, v, ClassName(AuditScreenshot), v.AuditID()+".png")
	return w.commit(b)
}

// Picture saves a picture of a view without a row, as the reflow audit does.
func (w *Writer) Picture(v View, png []byte) error {
	if err := w.there(); err != nil {
		return err
	}
	dir := filepath.Join(w.dir, DirShots)
	err := os.Mkdir(dir, 0o755) // and never the folder above it anew
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = replaceFile(filepath.Join(dir, filepath.Base(v.AuditID()+".png")), png, 0o644)
	}
	if err != nil {
		return diskFault("write a screenshot", err)
	}
	return nil
}

// Elements writes the markup of elements that were asked for, a row each.
func (w *Writer) Elements(v View, markup []string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	for _, html := range markup {
		b.auditRow(AuditElement, v, html)
	}
	return w.commit(b)
}

// Measure writes what an audit measured apart from faults.
func (w *Writer) Measure(m Measure) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &batch{}
	b.measure(m.View, m.Audit, m.Values)
	return w.commit(b)
}

// measure adds figures; values is anything whose JSON is an object.
func (b *batch) measure(v View, audit string, values any) {
	if text, err := encode(values); err == nil && len(text) > maxLine/2 {
		values = map[string]any{} // what one page says of itself must not end the scan of all
	}
	b.line(FileMeasures, struct {
		View   View   `json:"view"`
		Audit  string `json:"audit"`
		Values any    `json:"values"`
	}{v.bounded(), audit, values})
}
