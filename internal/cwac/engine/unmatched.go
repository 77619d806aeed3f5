package engine

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/nearest"
)

// patterns remembers which include patterns no address of the site matched. A crawl
// that was cut short, or that follows no links, shows nothing about that.
func (s *siteScan) patterns() {
	ledger := s.frontier.Ledger()
	cut := slices.ContainsFunc(ledger, func(e crawl.Entry) bool { return e.Reason == crawl.ReasonLimit || e.Reason == crawl.ReasonStopped })
	if s.Config.Visit() || cut || s.pages == 0 {
		return
	}
	unused := s.frontier.UnusedPatterns()
	paths := pathsOf(ledger)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crawled++
	s.paths = append(s.paths, paths...)
	for _, p := range s.Config.Legwork.Include {
		if slices.Contains(unused, p) {
			s.unused[p]++
		}
	}
}

// maxPaths is how many paths of a site are compared with a pattern.
const maxPaths = 5000

// pathsOf are the paths of a site that a pattern can have meant: of its addresses, and
// of the folders above them.
func pathsOf(ledger []crawl.Entry) []string {
	var paths []string
	seen := map[string]bool{"": true, "/": true}
	for _, e := range ledger {
		u, err := url.Parse(e.URL)
		if err != nil || e.Reason == crawl.ReasonOutOfScope || e.Reason == crawl.ReasonScheme || e.Reason == crawl.ReasonInvalid {
			continue
		}
		for path := u.Path; path != "" && len(paths) < maxPaths; path = path[:strings.LastIndex(path, "/")] {
			if !seen[path] {
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// unmatched makes an include pattern that nothing matched the end of the scan: most
// often it is mistyped, and a scan of the rest would look clean.
func (r *run) unmatched(ctx context.Context) {
	r.mu.Lock()
	var wrong []string
	for _, p := range r.Config.Legwork.Include {
		if r.crawled > 0 && r.crawled == len(r.Sites) && r.unused[p] == r.crawled {
			wrong = append(wrong, p)
		}
	}
	paths := r.paths
	r.mu.Unlock()
	if len(wrong) == 0 || ctx.Err() != nil {
		return
	}
	action := "Correct it and scan again; what was scanned is kept."
	if near := nearest.Name(strings.Trim(wrong[0], "*$"), paths); near != "" {
		action = "Did you mean " + near + "? " + action
	}
	r.fail(fault.New(fault.Invalid, "include_unmatched", "No address of the site matches the include pattern "+strings.Join(wrong, ", ")+".", action))
}
