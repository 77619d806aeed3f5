package crawl

import (
	"context"
	"slices"
)

// wantsSitemaps reports that the first page is over and the sitemaps are to be read.
func (f *Frontier) wantsSitemaps() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.Sitemaps || f.sitemapsRead || f.ended || f.commit == 0 || f.scanned >= f.MaxPages {
		return false
	}
	return f.home.State == StateScanned || f.home.State == StatePartial || f.home.State == StateFailed
}

// addSitemaps puts the addresses of the sitemaps behind the links of the first page.
func (f *Frontier) addSitemaps(ctx context.Context) {
	at := f.base()
	found, err := f.readSitemaps(ctx, at)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sitemapsRead = true
	if err != nil { // the context has ended
		return
	}
	for _, raw := range found {
		f.meet(raw, at.u, origin{source: SourceSitemap, depth: 1})
	}
}

// base is the address that the base URL ended at.
func (f *Frontier) base() address {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.home.address
}

// Base is the base URL as it was given, and where it leads after redirects.
func (f *Frontier) Base() (asked, now string) { return f.seed.URL, f.base().url }

// Ledger is every address that was met, in the order met.
func (f *Frontier) Ledger() []Entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := make([]Entry, 0, len(f.ledger.entries))
	for _, e := range f.ledger.entries {
		row := e.Entry
		row.Parents, row.Hops = slices.Clone(row.Parents), slices.Clone(row.Hops)
		list = append(list, row)
	}
	return list
}

// Entry is the row of one target, with the pages that linked to it when it arrived.
func (f *Frontier) Entry(t Target) Entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t.Sequence < 1 || t.Sequence > len(f.flights) {
		return Entry{}
	}
	fl := f.flights[t.Sequence-1]
	row := fl.entry.Entry
	row.Parents = fl.parents
	return row
}

// Dropped counts links beyond the limits: they have no row in the ledger.
func (f *Frontier) Dropped() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ledger.dropped
}

// UnusedPatterns are the include and exclude patterns that no address matched: most
// often mistyped.
func (f *Frontier) UnusedPatterns() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.scope.unused()
}

// SitemapFiles are the sitemaps that were read or refused. It is complete when Next
// has said that the crawl is over.
func (f *Frontier) SitemapFiles() []SitemapFile {
	f.asking <- struct{}{}
	defer func() { <-f.asking }()
	return slices.Clone(f.sitemapFiles)
}
