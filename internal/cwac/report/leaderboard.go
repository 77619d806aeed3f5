package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Formula says how the figures of a leaderboard are made. It travels with them: an
// average of which nobody knows what it counts is worse than none.
const Formula = "issues_per_page = issues / pages_scanned, to two decimals. issues: faults of all audits, " +
	"a fault that shows at several viewports of a page counted once; what needs review is not in it. " +
	"pages_scanned: addresses that were audited, clean ones too. " +
	"rank 1 has the fewest issues per page; equal figures share a rank; a site without a page that was scanned wholly has none. " +
	"The figure says how much rules found, not how accessible a site is, and compares sites only if they were scanned alike."

var leaderboardColumns = []string{
	"rank", "organisation", "base_url", "sector", "pages_scanned", "pages_affected", "issues", "issues_per_page", "instances",
	"groups", "template_groups", Critical, Serious, Moderate, Minor, Unknown, "note",
}

// Leaderboard writes leaderboard.csv: a row a site, by [Formula], sites without a
// fault and without a page included.
func (rep *Report) Leaderboard(w io.Writer) error {
	rows := [][]string{leaderboardColumns}
	for _, s := range rep.Sites {
		row := []string{"", s.Organisation, s.URL, s.Sector, strconv.Itoa(s.Scanned), strconv.Itoa(s.Counts.Pages), strconv.Itoa(s.Counts.Issues), "",
			strconv.Itoa(s.Counts.Instances), strconv.Itoa(s.Counts.Groups), strconv.Itoa(s.Counts.Templates)}
		if s.Rank > 0 {
			row[0] = strconv.Itoa(s.Rank)
		}
		if s.Scanned > 0 {
			row[7] = strconv.FormatFloat(s.PerPage, 'f', 2, 64)
		}
		for _, impact := range Impacts() {
			row = append(row, strconv.Itoa(s.ByImpact[impact]))
		}
		note := s.Reason
		switch {
		case note != "":
		case s.Scanned == 0:
			note = "no page was scanned"
		case s.Partly > 0:
			note = count(s.Partly, "page was", "pages were") + " scanned in part only"
		}
		rows = append(rows, append(row, note))
	}
	return writeCSV(w, rows)
}

// Data writes report_data.json: the counted report as one JSON object, with one
// example of each group instead of every issue, and with the formula of the sites'
// figures.
func (rep *Report) Data(w io.Writer) error {
	short := *rep
	short.Rules, short.Review = withoutIssues(rep.Rules), withoutIssues(rep.Review)
	return writeJSON(w, struct {
		Format  int    `json:"format"`
		Formula string `json:"formula"`
		*Report
	}{1, Formula, &short})
}

func withoutIssues(rules []*Rule) []*Rule {
	out := make([]*Rule, len(rules))
	for i, r := range rules {
		c := *r
		c.Groups = make([]*Group, len(r.Groups))
		for j, g := range r.Groups {
			d := *g
			d.Issues = nil
			c.Groups[j] = &d
		}
		out[i] = &c
	}
	return out
}

// JSON writes the whole report, every issue of it.
func (rep *Report) JSON(w io.Writer) error {
	return writeJSON(w, struct {
		Format int `json:"format"`
		*Report
	}{1, rep})
}

func writeJSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

var issueColumns = []string{
	"organisation", "base_url", "url", "page_title", "audit", "rule", "impact", "help", "wcag", "en_301_549", "selector", "xpath", "frame", "html",
	"summary", "viewports", "issues", "instances", "group", "pages_of_group", "best_practice", "needs_review", "fix", "effort", "help_url",
}

// CSV writes a row for each issue, and for each finding that needs review.
func (rep *Report) CSV(w io.Writer) error {
	rows := [][]string{issueColumns}
	for review, rules := range [][]*Rule{rep.Rules, rep.Review} {
		for _, r := range rules {
			for _, g := range r.Groups {
				for _, i := range g.Issues {
					rows = append(rows, issueRow(r, g, i, review == 1))
				}
			}
		}
	}
	return writeCSV(w, rows)
}

func issueRow(r *Rule, g *Group, i *Issue, review bool) []string {
	return []string{
		i.Organisation, i.Site, i.Page, i.Title, r.Audit, r.ID, i.Impact, r.Help, strings.Join(r.Criteria, " "), strings.Join(r.Clauses, " "),
		i.Selector, i.Target, i.Frame, i.HTML, i.Summary, strings.Join(i.Viewports, " "), strconv.Itoa(i.Count), strconv.Itoa(i.Instances),
		g.Fingerprint, strconv.Itoa(g.Counts.Pages), yesNo(r.Best), yesNo(review), r.Fix, r.Effort, r.HelpURL,
	}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// writeCSV writes for spreadsheets: with a byte order mark, and so that no cell is
// taken for a formula (OWASP, CSV Injection).
func writeCSV(w io.Writer, rows [][]string) error {
	var b bytes.Buffer
	b.WriteString("\ufeff")
	out := csv.NewWriter(&b)
	out.UseCRLF = true
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = results.Inert(cell)
		}
		if err := out.Write(safe); err != nil {
			return fmt.Errorf("write a row: %w", err)
		}
	}
	out.Flush()
	_, err := w.Write(b.Bytes())
	return err
}
