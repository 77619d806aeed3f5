package results

import (
	"slices"
	"strconv"
	"strings"
)

// htmlPrefix is how many characters of an element's markup CWAC keeps.
const htmlPrefix = 100

const (
	noIssues       = "No issues found"
	allIndicated   = "All tab presses had a focus indicator"
	languageHelp   = "https://www.digital.govt.nz/standards-and-guidance/design-and-ux/content-design-guidance/writing-style/plain-language/"
	focusHelp      = "https://www.w3.org/WAI/WCAG22/Understanding/focus-visible.html"
	columnsIssues  = "audit_type,issue_id,description,target,num_issues,help,helpUrl,id,impact,html"
	columnsAxe     = columnsIssues + ",tags,best-practice"
	columnsNative  = columnsIssues + ",details" // details: the finding's data as JSON
	columnsCommon  = "organisation,sector,page_title,base_url,url,viewport_size,audit_id,page_id"
	columnsReading = "flesch_kincaid_gl,num_sentences,words_per_sentence,syllables_per_word,smog_gl,helpUrl"
	columnsMood    = ",sentiment_neg,sentiment_neu,sentiment_pos,sentiment_compound"
)

// auditColumns are the columns after the common ones, by audit.
var auditColumns = map[string]string{
	AuditAxe:        columnsAxe,
	AuditLanguage:   columnsReading,
	AuditReflow:     "audit_type,overflows,num_issues,overflow_amount_px",
	AuditTitle:      "",
	AuditFocus:      "audit_type,helpUrl,description,html,num_issues",
	AuditScreenshot: "audit_type,screenshot",
	AuditElement:    "element_html",
	AuditHTML:       columnsNative,
	AuditCrawl:      columnsNative,
	AuditSEO:        columnsNative,
	AuditPDF:        columnsNative,
	"needs_review":  columnsAxe + ",summary",
}

// listColumns are the columns of the files that are no audit.
var listColumns = map[string]string{
	fileAuditLog:   "organisation,base_url,url,sector",
	filePages:      "organisation,base_url,number_of_pages,sector",
	fileProgress:   "time,iteration,total,speed,percent,elapsed,remaining",
	fileCodes:      "base_url,parent_url,url,status_code",
	fileAntiBot:    "organisation,domain,url,anti_bot_check,viewport_size",
	"crawl_ledger": "organisation,sector,base_url,url,final_url,parent_url,source,depth,state,reason,status_code,page_id,page_title,detail",
}

// header is what a file without anything begins with: a byte order mark and the
// column names.
func (w *Writer) header(file string, size int64) string {
	name, ok := strings.CutSuffix(file, ".csv")
	if !ok || size > 0 {
		return ""
	}
	if columns, ok := listColumns[name]; ok {
		return bom + columns + crlf
	}
	columns := auditColumns[name]
	if name == AuditLanguage && w.sentiment() {
		columns += columnsMood
	}
	if columns == "" {
		return bom + columnsCommon + crlf
	}
	return bom + columnsCommon + "," + columns + crlf
}

func (w *Writer) sentiment() bool {
	p := w.config.Plugins.Named(AuditLanguage)
	return p != nil && p.Sentiment
}

// common are the cells of the common columns.
func (v View) common() []string {
	return []string{
		clip(v.Site.Organisation, maxLabel), clip(v.Site.Sector, maxLabel), clip(v.Title, maxLabel),
		clip(v.BaseURL, maxLabel), clip(v.URL, maxLabel), v.Viewport.String(), v.AuditID(), strconv.Itoa(v.PageID),
	}
}

// auditRow adds a row of an audit about a view.
func (b *batch) auditRow(audit string, v View, cells ...string) {
	b.row(audit+".csv", slices.Concat(v.common(), cells)...)
}

// issueCells are the cells of the columns that all audits with rules share.
func issueCells(f Finding) []string {
	return []string{
		ClassName(f.Audit), f.IssueID, f.Description, f.Target, strconv.Itoa(f.Count), f.Help, f.HelpURL,
		f.Rule, f.Impact, firstRunes(f.HTML, htmlPrefix),
	}
}

// cleanCells are the cells of those columns for a view without issues.
func cleanCells(audit string) []string {
	return []string{ClassName(audit), "", noIssues, "", "0", "", "", "", "", ""}
}
