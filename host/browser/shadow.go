package browser

import (
	"context"
	"strconv"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// Closed shadow roots. A content script opens them with chrome.dom; a world
// made by CDP has no such thing. There the host is asked for its roots by
// DOM.describeNode and the closed ones are resolved into the extractor's world
// and given to its adopt. To keep it cheap only likely hosts are asked (custom
// elements without an open root, and empty boxes with a height), each once.

// needsClosedRoots are the extractor's functions that walk the document, or
// that say what would be pressed; what works on a node that was shown before
// comes after one of them.
var needsClosedRoots = map[string]bool{
	"summary": true, "list": true, "resolve": true, "findBy": true,
	"tree": true, "content": true, "text": true, "probe": true, "spots": true,
}

// maxHosts bounds how many elements are asked in one go.
const maxHosts = 100

// findHosts collects likely hosts under a root that were not asked before. It
// keeps the marks in the isolated world, never in the page.
const findHosts = `function (limit) {
	const seen = globalThis.__tabwrightHosts ??= new WeakSet();
	const out = [];
	for (const e of (this === globalThis ? document : this).querySelectorAll("*")) {
		if (out.length >= limit) break;
		if (e.shadowRoot || seen.has(e)) continue;
		const custom = e.localName.includes("-");
		if (!custom && !(e.firstChild === null && /^(div|span|section|article|aside|main|header|footer|nav|p)$/.test(e.localName) && e.clientHeight > 0)) continue;
		seen.add(e);
		out.push(e);
	}
	return out.length > 0 ? out : null;
}`

// adoptClosedRoots does its best: what it misses is a part of the page that is
// not listed, so its errors end nothing but a page that does not answer.
func (f *Frame) adoptClosedRoots(ctx context.Context, w *world) error {
	args, _ := callArguments(maxHosts)
	hosts, err := f.invoke(ctx, w, findHosts, false, args)
	if err != nil || hosts.ObjectID == "" {
		return err
	}
	f.adoptHosts(ctx, w, hosts.ObjectID, 0)
	return nil
}

func (f *Frame) adoptHosts(ctx context.Context, w *world, list runtime.RemoteObjectID, depth int) {
	defer f.Release(context.WithoutCancel(ctx), list)
	yes := true
	props, err := cdp.Call(ctx, w.session, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: list, OwnProperties: &yes})
	if err != nil {
		return
	}
	for _, p := range props.Result {
		if _, err := strconv.Atoi(p.Name); err != nil || p.Value == nil || p.Value.ObjectID == "" {
			continue
		}
		f.adoptRootsOf(ctx, w, p.Value.ObjectID, depth)
	}
}

func (f *Frame) adoptRootsOf(ctx context.Context, w *world, host runtime.RemoteObjectID, depth int) {
	defer f.Release(context.WithoutCancel(ctx), host)
	one := int64(1)
	node, err := cdp.Call(ctx, w.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: host, Depth: &one})
	if err != nil || node.Node == nil {
		return
	}
	for _, r := range node.Node.ShadowRoots {
		if r.ShadowRootType != cdp.ShadowRootTypeClosed {
			continue
		}
		root, err := resolveNode(ctx, w, r.BackendNodeID)
		if err != nil {
			continue
		}
		if _, err := f.adopt(ctx, w, root); err == nil && depth < 8 {
			f.adoptInside(ctx, w, root, depth)
		}
	}
}

// adoptInside looks for further hosts inside a closed root.
func (f *Frame) adoptInside(ctx context.Context, w *world, root runtime.RemoteObjectID, depth int) {
	defer f.Release(context.WithoutCancel(ctx), root)
	args, _ := callArguments(maxHosts)
	res, err := cdp.Call(ctx, w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: findHosts, ObjectID: root, Arguments: args, ObjectGroup: objectGroup,
	})
	if err != nil || res.Result == nil || res.Result.ObjectID == "" {
		return
	}
	f.adoptHosts(ctx, w, res.Result.ObjectID, depth+1)
}
