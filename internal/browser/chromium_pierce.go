package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

func (t *chromiumTab) pierceClosed(ctx context.Context, frame FrameID, fn string) (int, error) {
	h, w, err := t.holdIn(ctx, frame, "function () { return document }", []byte("null"))
	if err != nil {
		return 0, err
	}
	defer h.letGo()
	tree, err := call(ctx, h.session, dom.DescribeNode, dom.DescribeNodeParams{
		ObjectID: h.id, Depth: ptr[int64](-1), Pierce: ptr(true),
	})
	if err != nil {
		return 0, explain(ctx, err, "looking into shadow roots")
	}
	found := closedRoots(tree.Node)
	for _, f := range found {
		if err := t.hand(ctx, w, f, fn); err != nil {
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
func (t *chromiumTab) hand(ctx context.Context, w *world, r closedRoot, fn string) error {
	session := t.on(w.session)
	resolve := func(id cdp.BackendNodeID) pending[dom.ResolveNodeResult] {
		return start(session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id, ExecutionContextID: runtime.ExecutionContextID(w.number)})
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
	res, err := start(session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: fn, ObjectID: host.Object.ObjectID, AwaitPromise: ptr(true), Silent: ptr(true), ReturnByValue: ptr(true),
		Arguments: []*runtime.CallArgument{{ObjectID: host.Object.ObjectID}, {ObjectID: root.Object.ObjectID}},
	}).waitOr(ctx, w.gone)
	if err == nil && res.ExceptionDetails != nil {
		err = thrown(res.ExceptionDetails)
	}
	for _, id := range []runtime.RemoteObjectID{host.Object.ObjectID, root.Object.ObjectID} {
		handle{session: session, id: id}.letGo()
	}
	return err
}
