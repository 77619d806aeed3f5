package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strconv"
	"strings"
)

// Findings are the faults of all audits. They come from the native record when that
// is whole, and else from the CSV files, whose rows without issues are left out.
// The order is that of the file, or of the audits.
func (r *Results) Findings() iter.Seq2[Finding, error] {
	if r.whole() {
		return r.recorded(false)
	}
	return func(yield func(Finding, error) bool) {
		for _, audit := range r.Audits {
			for f, err := range r.auditFindings(audit) {
				if !yield(f, err) {
					return
				}
			}
		}
	}
}

// NeedsReview are the findings that the engine could not decide. CWAC keeps none.
func (r *Results) NeedsReview() iter.Seq2[Finding, error] {
	if r.whole() {
		return r.recorded(true)
	}
	return func(yield func(Finding, error) bool) {
		for record, err := range r.table(FileReview, columnsCommon+","+columnsAxe) {
			f := Finding{}
			if err == nil {
				f, err = r.issue(cmp.Or(auditOf(record.Get("audit_type")), AuditAxe), FileReview, record)
			}
			f.Review, f.Summary = true, record.Get("summary")
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// recorded are the findings of the native record.
func (r *Results) recorded(review bool) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		for f, err := range lines[Finding](r, FileFindings) {
			if (err != nil || f.Review == review) && !yield(f, err) {
				return
			}
		}
	}
}

// findingsWhole reports whether the native record has all findings: the scan still
// writes it, or was killed, or it has as many lines as were counted.
func (r *Results) findingsWhole() bool {
	if r.Scan == nil {
		return false
	}
	if r.Scan.State == StateRunning {
		return true
	}
	counted, err := r.countLines(FileFindings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return counted == r.Scan.Counts.Findings+r.Scan.Counts.Review
}

// auditFindings are the findings of one CSV file.
func (r *Results) auditFindings(audit string) iter.Seq2[Finding, error] {
	file := audit + ".csv"
	columns, read := columnsCommon+",num_issues", (*Results).issue
	switch {
	case audit == AuditAxe:
		columns = columnsCommon + "," + columnsAxe
	case Native(audit):
		columns = columnsCommon + "," + columnsIssues
	case audit == AuditReflow:
		columns, read = columnsCommon+",num_issues,overflow_amount_px", (*Results).overflow
	case audit == AuditFocus:
		columns, read = columnsCommon+",num_issues,description,html,helpUrl", (*Results).unseen
	default:
		return func(func(Finding, error) bool) {}
	}
	return func(yield func(Finding, error) bool) {
		for record, err := range r.table(file, columns) {
			if err == nil && record.Get("num_issues") == "0" {
				continue
			}
			f := Finding{}
			if err == nil {
				f, err = read(r, audit, file, record)
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// issue reads a row with the columns of issues.
func (r *Results) issue(audit, file string, record Record) (Finding, error) {
	f, err := r.counted(audit, file, record)
	f.IssueID, f.Description, f.Target = record.Get("issue_id"), record.Get("description"), record.Get("target")
	f.Help, f.HelpURL, f.Rule, f.Impact, f.HTML = record.Get("help"), record.Get("helpUrl"), record.Get("id"), record.Get("impact"), record.Get("html")
	f.Tags, f.Best = parseList(record.Get("tags")), record.Get("best-practice") == "Yes"
	if details := record.Get("details"); details != "" && err == nil {
		if json.Unmarshal([]byte(details), &f.Data) != nil {
			err = r.damaged(file, fmt.Errorf("line %d: the details are no JSON", record.Line))
		}
	}
	f.Fingerprint = Fingerprint(f)
	return f, err
}

// overflow reads a row of the reflow audit.
func (r *Results) overflow(audit, file string, record Record) (Finding, error) {
	base, err := r.counted(audit, file, record)
	pixels, bad := strconv.Atoi(record.Get("overflow_amount_px"))
	if bad != nil && err == nil {
		err = r.damaged(file, fmt.Errorf("line %d: overflow_amount_px is no number", record.Line))
	}
	f := reflowFinding(pixels)
	f.View, f.Count = base.View, base.Count
	f.Fingerprint = Fingerprint(f)
	return f, err
}

// unseen reads a row of the focus audit.
func (r *Results) unseen(audit, file string, record Record) (Finding, error) {
	f, err := r.counted(audit, file, record)
	f.Rule, f.Description, f.HTML, f.HelpURL = focusRule(record.Get("helpUrl")), record.Get("description"), record.Get("html"), record.Get("helpUrl")
	f.Help = f.Description
	f.Fingerprint = Fingerprint(f)
	return f, err
}

// focusRule tells the rules of the focus audit apart by the page that explains each.
func focusRule(helpURL string) string {
	for part, rule := range map[string]string{
		"focus-not-obscured": RuleFocusObscured, "no-keyboard-trap": RuleNoKeyboardTrap, "pause-stop-hide": RuleMotion,
	} {
		if strings.Contains(helpURL, part) {
			return rule
		}
	}
	return RuleFocusVisible
}

// counted reads the view and the number of issues.
func (r *Results) counted(audit, file string, record Record) (Finding, error) {
	f := Finding{Audit: audit, View: r.view(record)}
	var err error
	if f.Count, err = strconv.Atoi(record.Get("num_issues")); err != nil {
		return f, r.damaged(file, fmt.Errorf("line %d: num_issues is no number", record.Line))
	}
	return f, nil
}

// view reads the common columns.
func (r *Results) view(record Record) View {
	v := View{
		Site:    Site{Organisation: record.Get("organisation"), Sector: record.Get("sector"), URL: record.Get("base_url")},
		BaseURL: record.Get("base_url"), Title: record.Get("page_title"), URL: record.Get("url"),
	}
	if base, ok := r.bases()[v.URL]; ok {
		v.Site.URL = base
	}
	v.PageID, _ = strconv.Atoi(record.Get("page_id")) // 0 for a page that has no number
	v.Viewport.Width, v.Viewport.Height = parseSize(record.Get("viewport_size"))
	_, v.Viewport.Name, _ = strings.Cut(record.Get("audit_id"), "_")
	return v
}

// baseURLs maps pages to their rows of the base URL files, for scans without a crawl:
// their audit files have scheme and host only.
func (r *Results) baseURLs() map[string]string {
	if r.Config == nil || !r.Config.Visit() {
		return nil
	}
	bases := map[string]string{}
	for record, err := range r.Records(fileAuditLog + ".csv") {
		if err != nil {
			return bases
		}
		bases[record.Get("url")] = record.Get("base_url")
	}
	return bases
}
