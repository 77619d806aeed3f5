package engine

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
	"github.com/legwork-mcp/legwork/internal/cwac/markup"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// enabled reports whether a plugin is switched on.
func (r *run) enabled(name string) bool {
	p := r.Config.Plugins.Named(name)
	return p != nil && p.Enabled
}

// afterwards does what can only be done when the crawl of a site is over: it judges
// the documents that the site links to, and its links.
func (s *siteScan) afterwards(ctx context.Context) {
	files, links := s.enabled(results.AuditPDF), s.enabled(results.AuditCrawl)
	if s.pages == 0 || !files && !links {
		return
	}
	docs, err := s.frontier.Documents(ctx, s.Limits.Documents)
	if err != nil && ctx.Err() == nil {
		s.note(results.Note{Audit: results.AuditCrawl, Kind: "failed", Text: cause(err), Where: s.site.URL})
	}
	if files {
		s.documents(ctx, docs)
	}
	if links {
		s.judgeLinks()
		s.unasked(ctx)
	}
}

// unasked tells of how many documents it is not known whether they are there.
func (s *siteScan) unasked(ctx context.Context) {
	all, left := 0, 0
	for _, e := range s.frontier.Ledger() {
		if e.Reason != crawl.ReasonDocument {
			continue
		}
		if all++; e.Status == 0 {
			left++
		}
	}
	if left > 0 && ctx.Err() == nil {
		s.note(results.Note{
			Audit: results.AuditCrawl, Kind: "documents_limit", Where: s.site.URL,
			Text: fmt.Sprintf("Of %d of %d documents that the site links to it is not known whether they are there: at most %d are asked for.", left, all, s.Limits.Documents),
		})
	}
}

// judgeLinks judges where the links of every page lead.
func (s *siteScan) judgeLinks() {
	for _, p := range crawl.Problems(s.frontier.Ledger()) {
		view, known := s.views[p.URL]
		if !known {
			continue
		}
		s.found(p.Findings)
		s.keep(s.out.Issues(results.AuditCrawl, view, p.Findings, crawl.Rules()))
	}
}

// documents loads and checks the PDF files, as many and as long as the limits allow.
// Those that were not checked are named in a note, or have the reason in the ledger.
func (s *siteScan) documents(ctx context.Context, docs []crawl.Entry) {
	all, done := 0, 0
	for _, e := range s.frontier.Ledger() {
		if e.Reason == crawl.ReasonDocument && isPDF(e) {
			all++
		}
	}
	limited, cancel := context.WithTimeout(ctx, s.Limits.AllReading)
	defer cancel()
	for _, e := range docs {
		if !isPDF(e) {
			continue
		}
		if !s.document(limited, e) {
			break
		}
		done++
	}
	if left := all - done; left > 0 && ctx.Err() == nil {
		s.note(results.Note{
			Audit: results.AuditPDF, Kind: "documents_limit", Where: s.site.URL,
			Text: fmt.Sprintf("%d of %d PDF files were not checked: the limit of files or of time was reached.", left, all),
		})
	}
}

// document checks one file, unless the time is over. It is a view of its own, named by
// its own title, that no viewport changes.
func (s *siteScan) document(ctx context.Context, e crawl.Entry) bool {
	out := outcomeOf(s.site, e)
	data, err := s.frontier.Read(ctx, e, s.Limits.Document, s.Limits.Reading)
	if ctx.Err() != nil {
		return false
	}
	if err != nil {
		out.Detail = cause(err)
		s.note(results.Note{Audit: results.AuditPDF, Kind: "document_unread", Text: out.Detail, Where: e.URL})
		s.write(out)
		return true
	}
	got := markup.CheckPDF(data)
	view := results.View{Site: s.site, BaseURL: s.site.URL, URL: e.URL, PageID: s.nextPage()}
	view.Title, _ = got.Facts["title"].(string)
	for i := range got.Findings {
		f := &got.Findings[i]
		f.HTML, f.Target, f.Fingerprint = e.URL, e.URL, crawl.Fingerprint(f.Audit, f.Rule, e.URL)
		f.Data = map[string]any{"linked_from": e.Parents}
	}
	s.keep(s.out.Issues(results.AuditPDF, view, got.Findings, got.Rules))
	s.keep(s.out.Measure(results.Measure{View: view, Audit: results.AuditPDF, Values: got.Facts}))
	out.PageID, out.Title, out.Notes = view.PageID, view.Title, got.Notes
	for _, n := range got.Notes {
		out.Detail = strings.TrimSpace(out.Detail + " " + n.Text)
	}
	s.write(out)
	s.step(e.URL, results.PageScanned, s.found(got.Findings))
	return true
}

// isPDF reports whether a document says that it is one, by its type or its name.
func isPDF(e crawl.Entry) bool {
	if strings.Contains(strings.ToLower(e.ContentType), "pdf") {
		return true
	}
	u, err := url.Parse(cmp.Or(e.Final, e.URL))
	return err == nil && strings.EqualFold(path.Ext(u.Path), ".pdf")
}
