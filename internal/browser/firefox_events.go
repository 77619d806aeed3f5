package browser

import (
	"encoding/json"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

// foxEvents are the events that a tab is made of.
var foxEvents = []string{
	bidi.ContextCreated, bidi.ContextDestroyed, bidi.NavigationStarted, bidi.NavigationCommitted,
	bidi.NavigationFailed, bidi.FragmentNavigated, bidi.HistoryUpdated,
	bidi.DOMContentLoaded, bidi.DownloadWillBegin, bidi.DownloadEnd, bidi.UserPromptOpened,
	bidi.RealmCreated, bidi.RealmDestroyed, bidi.Message,
	bidi.BeforeRequestSent, bidi.ResponseStarted, bidi.ResponseCompleted, bidi.FetchError, bidi.AuthRequired,
}

// foxHandlers say what each event does. All run in the reader goroutine under the
// tab's lock.
var foxHandlers = map[string]func(*firefoxTab, json.RawMessage){
	bidi.ContextCreated:      heard((*firefoxTab).contextCreated),
	bidi.ContextDestroyed:    heard((*firefoxTab).contextDestroyed),
	bidi.NavigationStarted:   heard((*firefoxTab).navigationStarted),
	bidi.NavigationCommitted: heard((*firefoxTab).navigationCommitted),
	bidi.NavigationFailed:    heard((*firefoxTab).navigationGivenUp),
	bidi.FragmentNavigated:   heard((*firefoxTab).movedWithin),
	bidi.HistoryUpdated:      heard((*firefoxTab).historyUpdated),
	bidi.DOMContentLoaded:    heard((*firefoxTab).domContent),
	bidi.DownloadWillBegin:   heard((*firefoxTab).downloadBegins),
	bidi.DownloadEnd:         heard((*firefoxTab).downloadEnds),
	bidi.UserPromptOpened:    heard((*firefoxTab).promptOpened),
	bidi.RealmCreated:        heard((*firefoxTab).realmCreated),
	bidi.RealmDestroyed:      heard((*firefoxTab).realmDestroyed),
	bidi.Message:             heard((*firefoxTab).frameNamed),
	bidi.BeforeRequestSent:   heard((*firefoxTab).requestSent),
	bidi.ResponseStarted:     heard((*firefoxTab).responseStarted),
	bidi.ResponseCompleted:   heard((*firefoxTab).responseCompleted),
	bidi.FetchError:          heard((*firefoxTab).fetchError),
}

func heard[E any](apply func(*firefoxTab, E)) func(*firefoxTab, json.RawMessage) {
	return func(t *firefoxTab, params json.RawMessage) {
		var e E
		if json.Unmarshal(params, &e) == nil {
			apply(t, e)
		}
	}
}

// event applies one event.
func (t *firefoxTab) event(method string, params json.RawMessage) {
	apply := foxHandlers[method]
	if apply == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	apply(t, params)
	t.changed()
}

// viewOf is the window that a context is, or is in. The caller holds the lock.
func (t *firefoxTab) viewOf(id bidi.ContextID) (*view, *frame) {
	f := t.frames[FrameID(id)]
	if f == nil {
		return nil, nil
	}
	return f.view, f
}

// promptOpened answers at once: an open message box blocks the whole page.
func (t *firefoxTab) promptOpened(e bidi.PromptInfo) {
	if v, _ := t.viewOf(e.Context); v == nil {
		return
	}
	answer := bidi.PromptParams{Context: e.Context}
	if e.Type == "beforeunload" {
		e.Message = "" // it is the browser's, not the page's
	}
	var text string
	answer.Accept, text = t.answerDialog(e.Type, e.Message)
	if answer.Accept && e.Type == "prompt" {
		answer.Text = &text
	}
	bidi.Post(t.process.conn, bidi.HandleUserPrompt, answer)
}
