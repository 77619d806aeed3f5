package browser

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
)

// How often a page is looked at: soon after something happened and somebody waits for
// it, and seldom when nobody does.
const (
	lookSoon   = 5 * time.Millisecond
	lookWaited = 60 * time.Millisecond
	lookIdle   = 400 * time.Millisecond
)

// watch looks at the page until the tab ends.
func (t *webkitTab) watch() {
	pause := lookSoon
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-t.life.Done():
			return
		case <-t.process.exited:
			t.lost()
			return
		case <-t.nudge:
			pause = lookSoon
		case <-timer.C:
		}
		if changed := t.look(t.life); changed {
			pause = lookSoon
		}
		limit := lookIdle
		if t.waiting.Load() > 0 {
			limit = lookWaited
		}
		pause = min(2*pause, limit)
		timer.Reset(pause)
	}
}

// watched counts somebody in who waits for a change, until the returned function is
// called.
func (t *webkitTab) watched() func() {
	t.waiting.Add(1)
	t.glance()
	return func() { t.waiting.Add(-1) }
}

// glance has the page looked at soon.
func (t *webkitTab) glance() {
	select {
	case t.nudge <- struct{}{}:
	default:
	}
}

// lookLimit is how long one look may take: a page that spins answers none.
const lookLimit = 2 * time.Second

// look takes in what has become of the windows, the document and its frames, and
// tells whether that is something new.
func (t *webkitTab) look(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	before := t.Doc()
	over := t.takeOver()
	defer func() { t.settle(over) }()
	if err := t.lookAtWindows(ctx); err != nil {
		return false
	}
	var sight sightOf
	var address string
	err := t.within(ctx, "", func(ctx context.Context) error {
		sight = sightOf{}
		err := t.session.Execute(ctx, framesScript, &sight, scriptCall{Key: t.key})
		if errors.Is(err, webdriver.ScriptFailed) && !unloaded(err) {
			return t.blind(ctx, &sight, err)
		}
		if err != nil {
			return err
		}
		t.blinds = 0
		if sight.URL != "about:blank" {
			return nil
		}
		// A document that could not be loaded is empty, and has an address.
		address, err = t.session.URL(ctx)
		return err
	})
	if err != nil {
		return false
	}
	foreign := t.seen(sight, address)
	t.lookInto(ctx, foreign)
	t.settle(over)
	over = nil
	t.hear()
	return t.Doc().differs(before)
}

// hear notes that the time is over in which input could have set off a request that
// nobody has told of.
func (t *webkitTab) hear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.unheard.IsZero() || time.Now().Before(t.unheard) {
		return
	}
	t.unheard = time.Time{}
	if t.inFlight() == 0 {
		t.counts.idles++ // and no activity: nothing was sent
		t.changed()
	}
}

// blindLimit is at how many looks in a row a script must fail before that is the
// page's doing, and not a document on its way.
const blindLimit = 3

// blind is a look at a page in which no script runs: one that breaks the language's
// own functions breaks those of the driver too. Where it is the driver still tells.
func (t *webkitTab) blind(ctx context.Context, s *sightOf, err error) error {
	if t.blinds++; t.blinds < blindLimit {
		return err
	}
	s.URL, err = t.session.URL(ctx)
	s.Token, s.State = "blind "+s.URL, "complete"
	return err
}

// seen takes in what the page showed.
func (t *webkitTab) seen(s sightOf, address string) []FrameID {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.current()
	if v == nil || t.err != nil {
		return nil
	}
	main := t.place(v, v.session, v.main, "")
	switch {
	case main.world == nil || main.world.realm != s.Token:
		t.arrive(v, s, address)
		t.enterDocument(main, s.Token, v.url)
	case !v.shown.failed() && v.url != s.URL:
		t.step(v, main, s.URL)
	}
	if loaded := s.State != "loading"; loaded != v.loaded {
		v.loaded = loaded
	}
	foreign := t.placeFrames(v, v.main, s.Frames)
	if t.looks++; t.stale {
		t.looks, t.stale = 0, false
	}
	t.changed()
	return foreign
}

// arrive takes in a new document. The caller holds the lock.
func (t *webkitTab) arrive(v *view, s sightOf, address string) {
	first := v.loader == ""
	for id, r := range v.requests { // the guard tells the end of each itself
		r.loader = s.Token
		v.requests[id] = r
	}
	failed := s.URL == "about:blank" && address != "" && address != "about:blank"
	url := s.URL
	if failed {
		url = address
		v.loading = t.failedLoad(address)
	} else {
		v.loading = t.loads[withoutFragment(url)]
	}
	v.loading.loader = s.Token
	if first && url == "about:blank" {
		v.loader, v.url, v.loading = s.Token, url, load{}
		return
	}
	t.commit(v, s.Token, url, failed)
}

// failedLoad explains an error page of the browser itself: only an encrypted
// connection that failed has one, since the guard answers everything else. The caller
// holds the lock.
func (t *webkitTab) failedLoad(address string) load {
	const broken = "TUNNEL_CONNECTION_FAILED"
	l := load{url: address}
	l.netError, l.refused = t.guard.explain(address, broken)
	if l.netError == broken {
		l.netError = "net::ERR_SSL_PROTOCOL_ERROR"
	}
	return l
}

func withoutFragment(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

// foreignEvery is at how many looks the documents of another origin are asked what
// they show; a new one is asked at once.
const foreignEvery = 8

// lookInto asks the documents that the page may not look into itself.
func (t *webkitTab) lookInto(ctx context.Context, frames []FrameID) {
	for len(frames) > 0 {
		id := frames[0]
		frames = frames[1:]
		t.mu.Lock()
		f := t.frames[id]
		due := f != nil && (f.world == nil || t.looks%foreignEvery == 0)
		t.mu.Unlock()
		if !due {
			continue
		}
		var s sightOf
		err := t.within(ctx, id, func(ctx context.Context) error {
			return t.session.Execute(ctx, framesScript, &s, scriptCall{Key: t.key})
		})
		if err != nil {
			continue
		}
		t.mu.Lock()
		if f := t.frames[id]; f != nil {
			t.enterDocument(f, s.Token, s.URL)
			frames = append(frames, t.placeFrames(f.view, id, s.Frames)...)
			t.changed()
		}
		t.mu.Unlock()
	}
}

// lookAtWindows takes in windows that opened or closed.
func (t *webkitTab) lookAtWindows(ctx context.Context) error {
	var handles []webdriver.Window
	err := t.bare(ctx, func(ctx context.Context) error {
		var err error
		handles, err = t.session.Windows(ctx)
		return err
	})
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, h := range handles {
		there[string(h)] = true
	}
	var strays, popups []string
	t.mu.Lock()
	known := map[string]bool{}
	t.eachView(func(v *view) bool { known[v.id] = true; return false })
	for id := range known {
		if !there[id] {
			t.eachView(func(v *view) bool {
				if v.id == id {
					t.closeView(v)
				}
				return v.id == id
			})
			t.changed()
		}
	}
	for id := range there {
		switch {
		case known[id]:
		case t.unwanted[id]: // it takes a moment to close
			strays = append(strays, id)
		case t.admit():
			t.show(&view{id: id, main: FrameID(id), session: id, requests: map[string]request{}})
		default:
			t.counts.strays++
			t.unwanted[id] = true
			strays = append(strays, id)
			t.changed()
		}
	}
	maps.DeleteFunc(t.unwanted, func(id string, _ bool) bool { return !there[id] })
	for id := range t.popups {
		popups = append(popups, id)
	}
	t.mu.Unlock()
	for _, id := range strays {
		t.closeStray(ctx, id)
	}
	for _, id := range popups {
		t.lookAtPopup(ctx, id)
	}
	return nil
}

// bare runs a command for which the current frame does not matter.
func (t *webkitTab) bare(ctx context.Context, do func(context.Context) error) error {
	inner, cancel := t.joined(ctx)
	defer cancel()
	select {
	case t.turn <- struct{}{}:
	case <-inner.Done():
		return context.Cause(inner)
	}
	defer func() { <-t.turn }()
	for {
		err := do(inner)
		if !errors.Is(err, webdriver.UnexpectedAlert) {
			return t.judge(ctx, err)
		}
		if err := t.answerPrompt(inner); err != nil {
			return t.judge(ctx, err)
		}
	}
}

// closeStray closes a window that nobody asked for.
func (t *webkitTab) closeStray(ctx context.Context, id string) {
	_ = t.bare(ctx, func(ctx context.Context) error {
		err := t.chooseIn(ctx, id, nil)
		if err == nil {
			_, err = t.session.CloseWindow(ctx)
		}
		t.window = ""
		return err
	})
}

// lookAtPopup makes a window the page once it shows something.
func (t *webkitTab) lookAtPopup(ctx context.Context, id string) {
	var s sightOf
	err := t.bare(ctx, func(ctx context.Context) error {
		if err := t.chooseIn(ctx, id, nil); err != nil {
			t.window = ""
			return err
		}
		return t.session.Execute(ctx, framesScript, &s, scriptCall{Key: t.key})
	})
	if err != nil || s.URL == "about:blank" && s.Empty {
		return
	}
	t.mu.Lock()
	v := t.popups[id]
	if v == nil {
		t.mu.Unlock()
		return
	}
	// What is under way was counted for the window that was shown, since nobody tells
	// for which it is.
	if before := t.current(); before != nil {
		maps.Copy(v.requests, before.requests)
		clear(before.requests)
	}
	t.adopt(v)
	t.counts.seq++
	v.loader, v.url, v.loaded = s.Token, s.URL, s.State != "loading"
	v.shown = t.loads[withoutFragment(s.URL)]
	t.enterDocument(t.place(v, v.session, v.main, ""), s.Token, s.URL)
	size := Size{Width: t.options.Width, Height: t.options.Height}
	headed := t.options.Headed
	t.changed()
	t.mu.Unlock()
	if !headed {
		_ = t.fit(ctx, size)
	}
}
