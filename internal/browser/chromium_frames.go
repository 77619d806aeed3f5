package browser

import (
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// place records that this session reports a frame. The caller holds the lock.
func (b *branch) place(id, parent FrameID) *frame {
	return b.tab.place(b.view, b.session.id, id, parent)
}

func (b *branch) frameAttached(e page.EventFrameAttached) {
	b.place(FrameID(e.FrameID), FrameID(e.ParentFrameID))
}

func (b *branch) frameDetached(e page.EventFrameDetached) {
	f := b.tab.frames[FrameID(e.FrameID)]
	if f == nil || f.session != b.session.id {
		return // it lives in another process already
	}
	if e.Reason == page.FrameDetachedReasonSwap {
		b.tab.endWorld(f) // its next document comes from another session
		return
	}
	b.tab.remove(f.id)
}

func (b *branch) frameNavigated(e page.EventFrameNavigated) {
	t := b.tab
	id := FrameID(e.Frame.ID)
	t.removeChildren(id)
	f := b.place(id, FrameID(e.Frame.ParentID))
	f.url, f.name = e.Frame.URL+e.Frame.URLFragment, e.Frame.Name
	f.loader, f.failed = string(e.Frame.LoaderID), e.Frame.UnreachableURL
	if id == b.view.main {
		b.committed(e.Frame)
	}
}

func (b *branch) contextCreated(e runtime.EventExecutionContextCreated) {
	var aux struct {
		FrameID FrameID `json:"frameId"`
	}
	if e.Context.Name != worldName || decode(e.Context.AuxData, &aux) != nil || aux.FrameID == "" {
		return
	}
	f := b.place(aux.FrameID, "")
	b.tab.enter(f, &world{session: b.session.id, realm: e.Context.UniqueID, number: int64(e.Context.ID), gone: make(chan struct{})})
}

func (b *branch) contextDestroyed(e runtime.EventExecutionContextDestroyed) {
	for _, f := range b.tab.frames {
		if f.world != nil && f.world.realm == e.ExecutionContextUniqueID {
			b.tab.endWorld(f)
		}
	}
}

func (b *branch) contextsCleared(runtime.EventExecutionContextsCleared) {
	for _, f := range b.tab.frames {
		if f.world != nil && f.world.session == b.session.id {
			b.tab.endWorld(f)
		}
	}
}

// childAttached takes in a frame that moved to a process of its own. The frame
// waits there until its session is prepared. Workers wait too, whether they
// are asked for or not, and are only let go.
func (b *branch) childAttached(e target.EventAttachedToTarget) {
	if e.TargetInfo.Type != "iframe" {
		b.session.conn.pass(b.session, e)
		return
	}
	b.tab.mu.Lock()
	defer b.tab.mu.Unlock()
	defer b.tab.changed()
	id := FrameID(e.TargetInfo.TargetID)
	child := &branch{tab: b.tab, view: b.view, root: id}
	child.session = b.session.conn.open(string(e.SessionID), b.session, child.event)
	b.tab.branches[child.session.id] = child
	f := child.place(id, FrameID(e.TargetInfo.ParentFrameID))
	f.url = e.TargetInfo.URL
	child.enable()
	child.prepare(b.tab.options)
	child.run()
}
