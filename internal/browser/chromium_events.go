package browser

import (
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// handlers says what each event of a page or frame does. Events that are not
// listed cost one look-up. All run in the reader goroutine under the tab's lock.
var handlers = table(
	on(page.FrameAttached, (*branch).frameAttached),
	on(page.FrameDetached, (*branch).frameDetached),
	on(page.FrameNavigated, (*branch).frameNavigated),
	on(page.NavigatedWithinDocument, (*branch).navigatedWithin),
	on(page.DocumentOpened, (*branch).documentOpened),
	on(page.DomContentEventFired, (*branch).domContent),
	on(page.JavascriptDialogOpening, (*branch).dialogOpening),
	on(runtime.ExecutionContextCreated, (*branch).contextCreated),
	on(runtime.ExecutionContextDestroyed, (*branch).contextDestroyed),
	on(runtime.ExecutionContextsCleared, (*branch).contextsCleared),
	on(inspector.TargetCrashed, (*branch).targetCrashed),
	on(requestWillBeSent, (*branch).requestSent),
	on(responseReceived, (*branch).responseReceived),
	on(loadingFinished, (*branch).loadingFinished),
	on(loadingFailed, (*branch).loadingFailed),
	on(cdpfetch.RequestPaused, (*branch).requestPaused),
)

type handler struct {
	method string
	apply  func(*branch, jsonv2.Value)
}

func on[E any](e cdp.Event[E], apply func(*branch, E)) handler {
	return handler{method: e.Method, apply: func(b *branch, params jsonv2.Value) {
		if v, ok := event(e, e.Method, params); ok {
			apply(b, v)
		}
	}}
}

func table(list ...handler) map[string]func(*branch, jsonv2.Value) {
	m := make(map[string]func(*branch, jsonv2.Value), len(list))
	for _, h := range list {
		m[h.method] = h.apply
	}
	return m
}

// event applies one event of a session.
func (b *branch) event(method string, params jsonv2.Value) {
	if e, ok := event(target.DetachedFromTarget, method, params); ok {
		b.session.conn.drop(string(e.SessionID))
		b.tab.detach(string(e.SessionID))
		return
	}
	if e, ok := event(target.AttachedToTarget, method, params); ok {
		b.childAttached(e)
		return
	}
	apply := handlers[method]
	if apply == nil {
		return
	}
	b.tab.mu.Lock()
	defer b.tab.mu.Unlock()
	apply(b, params)
	b.tab.changed()
}

// targetCrashed fails the calls that the renderer will never answer. A crashed
// main document ends the tab; a crashed frame ends only itself.
func (b *branch) targetCrashed(inspector.EventTargetCrashed) {
	why := crashed("The page crashed.", nil)
	if b.session.id == b.view.session {
		b.tab.counts.crashed = true
		b.tab.fail(why)
		return
	}
	b.session.conn.fail(b.session.id, why)
	b.orphaned()
	b.tab.remove(b.root)
}
