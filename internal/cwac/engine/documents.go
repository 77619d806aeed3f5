package engine

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// enabled reports whether a plugin is switched on.
func (r *run) enabled(name string) bool {
	p := r.Config.Plugins.Named(name)
	return p != nil && p.Enabled
}

// afterwards does what can only be done when the crawl of a site is over: it judges
// its links, and the documents that it links to.
func (s *siteScan) afterwards(ctx context.Context) {
	if s.pages == 0 || !s.enabled(results.AuditCrawl) {
		return
	}
	if _, err := s.frontier.Documents(ctx, s.Limits.Documents); err != nil && ctx.Err() == nil {
		s.note(results.Note{Audit: results.AuditCrawl, Kind: "failed", Text: cause(err), Where: s.site.URL})
	}
	for _, p := range crawl.Problems(s.frontier.Ledger()) {
		view, known := s.views[p.URL]
		if !known {
			continue
		}
		s.found(p.Findings)
		s.keep(s.out.Issues(results.AuditCrawl, view, p.Findings, crawl.Rules()))
	}
}
