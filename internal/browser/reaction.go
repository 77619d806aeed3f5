package browser

import "time"

// reactionTime is how long a page may take to answer input, or what it loaded on
// account of input, with a window: as long as browsers let one open after a press.
const reactionTime = 5 * time.Second

// reaction is what the page does because of the last input. A window that opens
// during it was asked for; any other one was not. It lasts while a request that
// the input has set off is in flight, however long that takes, since sites ask
// their server before they open a window.
//
// The browser itself would forget the press after 5 seconds: a script's
// window.open without a recent press is a blocked popup for its blocker, which is
// off here, so that late windows open in the headless and in the full browser.
// What the page starts after a pause of its own (a timer of 8 seconds, a message
// on an open socket) is no reaction: nothing ties it to the input.
type reaction struct {
	input    time.Time // when the page last got input from here
	answered time.Time // when the last request ended that came of it
}

// recent tells whether something of the reaction happened a moment ago.
func (r reaction) recent() bool {
	return time.Since(r.input) <= reactionTime || time.Since(r.answered) <= reactionTime
}

// Acted says that the page is about to get input by a script, such as a click.
// Windows that open without any input are closed: no one asked for them.
func (t *Tab) Acted() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reaction.input = time.Now()
}

// reacting tells whether the reaction to the last input goes on. The caller
// holds the lock.
func (t *Tab) reacting() bool {
	return t.reaction.recent() || t.eachView(func(v *view) bool {
		for _, r := range v.requests {
			if r.caused {
				return true
			}
		}
		return false
	})
}

// admit tells whether a window that opens now was asked for. One that comes late
// ends the reaction: a page that polls its server must not make every later
// window look wanted. The caller holds the lock.
func (t *Tab) admit() bool {
	if !t.reacting() {
		return false
	}
	if time.Since(t.reaction.input) <= reactionTime {
		return true
	}
	t.reaction = reaction{}
	t.eachView(func(v *view) bool {
		for id, r := range v.requests {
			r.caused = false
			v.requests[id] = r
		}
		return false
	})
	return true
}

// eachView calls fn with every window until it returns true, and tells whether
// one did. The caller holds the lock.
func (t *Tab) eachView(fn func(*view) bool) bool {
	for _, v := range t.views {
		if fn(v) {
			return true
		}
	}
	for _, v := range t.popups {
		if fn(v) {
			return true
		}
	}
	return false
}

// drop takes out a request that has ended, or whose end nobody will tell. The
// caller holds the lock.
func (t *Tab) drop(v *view, id string) {
	if v.requests[id].caused {
		t.reaction.answered = time.Now()
	}
	delete(v.requests, id)
}
