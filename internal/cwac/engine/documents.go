package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
	"github.com/legwork-mcp/legwork/internal/cwac/markup"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// enabled reports whether a plugin is switched on.
func (r *run) enabled(name string) bool {
	p := r.Config.Plugins.Named(name)
	return p != nil && p.Enabled
}

// afterwards does what can only be done when the crawl of a site is over: it judges
// its links, and the documents that it links to.
func (s *siteScan) afterwards(ctx context.Context) {
	if s.pages == 0 || !s.enabled(results.AuditCrawl) && !s.enabled(results.AuditPDF) {
		return
	}
	documents, err := s.frontier.Documents(ctx, s.Limits.Documents)
	if err != nil && ctx.Err() == nil {
		s.note(results.Note{Audit: results.AuditCrawl, Kind: "failed", Text: cause(err), Where: s.site.URL})
	}
	if s.enabled(results.AuditCrawl) {
		s.judgeLinks()
	}
	if s.enabled(results.AuditPDF) {
		for _, e := range documents {
			if media, _, _ := mime.ParseMediaType(e.ContentType); ctx.Err() == nil && strings.HasSuffix(media, "pdf") {
				s.pdf(ctx, e)
			}
		}
	}
}

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

// pdf loads a document and audits it.
func (s *siteScan) pdf(ctx context.Context, e crawl.Entry) {
	data, err := s.fetch(ctx, cmp.Or(e.Final, e.URL))
	if err != nil {
		if ctx.Err() == nil {
			s.note(results.Note{Audit: results.AuditPDF, Kind: "failed", Text: cause(err), Where: e.URL})
		}
		return
	}
	got := markup.CheckPDF(data)
	for _, n := range got.Notes {
		n.Audit, n.Where = results.AuditPDF, e.URL
		s.note(n)
	}
	title, _ := got.Facts["title"].(string)
	view := results.View{Site: s.site, BaseURL: s.site.URL, Title: title, URL: e.URL, PageID: s.nextPage()}
	s.found(got.Findings)
	s.keep(s.out.Issues(results.AuditPDF, view, got.Findings, got.Rules))
	if len(got.Facts) > 0 {
		s.keep(s.out.Measure(results.Measure{View: view, Audit: results.AuditPDF, Values: got.Facts}))
	}
}

// fetch loads a document beside the browser, which would open it in a viewer.
func (s *siteScan) fetch(ctx context.Context, address string) ([]byte, error) {
	if err := s.Clock.Wait(ctx, s.frontier.Delay); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Limits.Page)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if origin := originOf(s.site.URL); originOf(address) == origin { // the login is for this origin only
		for name, values := range s.frontier.Header {
			req.Header[name] = values
		}
		for _, c := range s.frontier.Cookies {
			req.AddCookie(c)
		}
	}
	req.Header.Set("User-Agent", s.Config.UserAgent)
	res, err := s.Client.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // what is left unread is not wanted
	if res.StatusCode != http.StatusOK {
		return nil, fault.New(fault.Failed, "document_status", fmt.Sprintf("The document has the status %d.", res.StatusCode), "")
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, s.Limits.Document+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > s.Limits.Document {
		return nil, fault.New(fault.Failed, "document_size", fmt.Sprintf("The document has more than %d MiB and was not read.", s.Limits.Document>>20), "")
	}
	return data, nil
}
