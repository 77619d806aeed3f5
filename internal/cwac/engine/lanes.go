package engine

import (
	"context"
	"sync"

	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
)

// crawl loads what the frontier gives, in as many lanes as there may be tabs.
func (s *siteScan) crawl(ctx context.Context) {
	var lanes sync.WaitGroup
	for range s.lanes() {
		lanes.Go(func() { s.lane(ctx) })
	}
	lanes.Wait()
}

// lanes is one for a site whose banners are dismissed: whether a page shows one depends
// on what was done on the page before.
func (s *siteScan) lanes() int {
	if s.Config.Legwork.Consent == "dismiss" {
		return 1
	}
	return max(1, s.Tabs)
}

func (s *siteScan) lane(ctx context.Context) {
	tab := &worker{run: s.run}
	defer tab.close(ctx)
	for {
		t, visitor, ok := s.take(ctx)
		if !ok {
			return
		}
		tab.change(ctx, visitor)
		s.settle(s.visit(ctx, t, tab))
	}
}

// take gives the next page and who visits it. Pages are taken one after another, so
// that the order alone decides which one gets a new visitor.
func (s *siteScan) take(ctx context.Context) (crawl.Target, *session, bool) {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.calm(ctx)
	t, ok := s.frontier.Next(ctx)
	if !ok {
		return t, nil, false
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.given++
	if s.session == nil || s.session.over(s.Limits) {
		s.session = &session{run: s.run}
	}
	s.session.pages++
	return t, s.session, true
}

// calm waits while the pages that are out could, by failing, end the crawl before the
// next one: it is loaded only when it would be loaded in a single lane too.
func (s *siteScan) calm(ctx context.Context) {
	for {
		s.lock.Lock()
		ready, moved := s.failed+s.given-s.settled < s.Limits.FailedInRow || s.given == s.settled, s.moved
		s.lock.Unlock()
		if ready {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

// settle books visits in the order of their targets, whoever was quicker.
func (s *siteScan) settle(v *visit) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.waiting[v.target.Sequence] = v
	for next := v; next != nil; next = s.waiting[s.settled+1] {
		if next.target.Sequence != s.settled+1 {
			return
		}
		delete(s.waiting, next.target.Sequence)
		s.settled++
		s.book(next)
	}
	close(s.moved)
	s.moved = make(chan struct{})
}

// book writes all that came of a visit. The lock is held.
func (s *siteScan) book(v *visit) {
	for _, write := range v.writes {
		s.keep(write())
	}
	s.write(v.outcome)
	if v.scanned {
		s.views[v.view.URL] = v.first
		s.pages++
		s.failed = 0
		s.meter.page()
	}
	if v.failed {
		s.failed++
	}
	s.step(v.outcome.URL, v.outcome.State, v.issues)
	switch {
	case v.locked != "":
		s.stopSite(v.locked)
	case s.failed >= s.Limits.FailedInRow:
		s.stopSite("several pages in a row could not be scanned; the last one: " + v.outcome.Reason + " " + v.outcome.Detail)
	}
}

func (s *siteScan) stopSite(reason string) {
	if s.reason == "" {
		s.reason = reason
		s.frontier.Stop(reason)
	}
}

// pageID is the number in the whole scan of a page of this site. Those of a site are in
// the order of its crawl.
func (s *siteScan) pageID(number int) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	for len(s.ids) < number {
		s.ids = append(s.ids, s.nextPage())
	}
	return s.ids[number-1]
}
