package engine

import (
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Watcher hears how a scan goes. Its methods are called one at a time.
type Watcher interface {
	// Begin is called once the results folder is there.
	Begin(Begun)
	// Step is called after each page and after each site.
	Step(Step)
	// End is called with what [Run] is about to return.
	End(Outcome)
}

// Begun is a scan that has begun.
type Begun struct {
	Config results.Config
	Name   string // of the results folder
	Dir    string // its path
	Sites  int
	Start  time.Time
}

// Step is one step of a scan.
type Step struct {
	Progress results.Progress
	// Page is the address that was just scanned or given up, and Outcome how it
	// ended; both are empty after a site.
	Page    string
	Outcome string
	Issues  int // of this page, over its viewports
}

// silent is the watcher of who wants none.
type silent struct{}

func (silent) Begin(Begun) {}
func (silent) Step(Step)   {}
func (silent) End(Outcome) {}

// meter estimates how far a scan is. Until a site has ended it may still have as
// many pages as the configuration allows.
type meter struct {
	mu    sync.Mutex
	begun time.Time
	done  int
	total int
}

func newMeter(begun time.Time, sites, pages int) *meter {
	return &meter{begun: begun, total: sites * pages}
}

// page counts a page that was scanned.
func (m *meter) page() { m.mu.Lock(); m.done++; m.mu.Unlock() }

// site ends a site with fewer pages than it might have had.
func (m *meter) site(pages, most int) { m.mu.Lock(); m.total -= max(0, most-pages); m.mu.Unlock() }

func (m *meter) read(now time.Time) results.Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := results.Progress{Time: now, Done: m.done, Total: max(m.total, m.done), Elapsed: now.Sub(m.begun)}
	if p.Elapsed > 0 {
		p.Speed = float64(p.Done) / p.Elapsed.Seconds()
	}
	if p.Total > 0 {
		p.Percent = 100 * float64(p.Done) / float64(p.Total)
	}
	if p.Speed > 0 {
		p.Remaining = time.Duration(float64(p.Total-p.Done) / p.Speed * float64(time.Second))
	}
	return p
}
