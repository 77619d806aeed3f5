package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// PierceClosed finds the closed shadow roots in the document of a frame, which
// no script can find, and calls fn(host, root) in the agent world for each. It
// returns how many there are. It reads the whole document, so it is not for
// every look at a page.
func (t *Tab) PierceClosed(ctx context.Context, frame FrameID, fn string) (int, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	h, err := t.hold(ctx, frame, "function () { return document }", nil)
	if err != nil {
		return 0, err
	}
	defer h.letGo()
	tree, err := call(ctx, h.world.session, dom.DescribeNode, dom.DescribeNodeParams{
		ObjectID: h.id, Depth: ptr[int64](-1), Pierce: ptr(true),
	})
	if err != nil {
		return 0, explain(ctx, err, "looking into shadow roots")
	}
	found := closedRoots(tree.Node)
	for _, f := range found {
		if err := h.world.hand(ctx, f, fn); err != nil {
			return 0, explain(ctx, err, "looking into shadow roots")
		}
	}
	return len(found), nil
}

type closedRoot struct {
	host, root cdp.BackendNodeID
}

// closedRoots lists the closed shadow roots of one document, outer ones first.
// Documents of frames inside it are not its own.
func closedRoots(n *cdp.Node) []closedRoot {
	var out []closedRoot
	for _, root := range n.ShadowRoots {
		if root.ShadowRootType == cdp.ShadowRootTypeClosed {
			out = append(out, closedRoot{host: n.BackendNodeID, root: root.BackendNodeID})
		}
		out = append(out, closedRoots(root)...)
	}
	for _, child := range n.Children {
		out = append(out, closedRoots(child)...)
	}
	return out
}

// hand brings host and root into the agent world and calls fn with them.
func (w *world) hand(ctx context.Context, r closedRoot, fn string) error {
	resolve := func(id cdp.BackendNodeID) pending[dom.ResolveNodeResult] {
		return start(w.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id, ExecutionContextID: w.id})
	}
	hostReply, rootReply := resolve(r.host), resolve(r.root)
	host, err := hostReply.wait(ctx)
	if err != nil {
		return err
	}
	root, err := rootReply.wait(ctx)
	if err != nil {
		return err
	}
	res, err := start(w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: fn, ObjectID: host.Object.ObjectID, AwaitPromise: ptr(true), Silent: ptr(true), ReturnByValue: ptr(true),
		Arguments: []*runtime.CallArgument{{ObjectID: host.Object.ObjectID}, {ObjectID: root.Object.ObjectID}},
	}).waitOr(ctx, w.gone)
	if err == nil && res.ExceptionDetails != nil {
		err = thrown(res.ExceptionDetails)
	}
	for _, id := range []runtime.RemoteObjectID{host.Object.ObjectID, root.Object.ObjectID} {
		handle{world: w, id: id}.letGo()
	}
	return err
}
