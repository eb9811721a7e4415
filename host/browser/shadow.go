package browser

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// Closed shadow roots. A content script opens them with chrome.dom, which a world made by
// DevTools does not have. There DOM.describeNode returns the roots of a host element; the
// closed ones are resolved into the extractor's world and given to its function adopt. To
// save calls only likely hosts are asked (custom elements without an open root, and empty
// boxes with a height), each once.

// needsClosedRoots are the extractor's functions that walk the document or find what would
// be pressed. Functions for a node that was listed before are called after one of these.
var needsClosedRoots = map[string]bool{
	"summary": true, "list": true, "resolve": true, "findBy": true,
	"tree": true, "content": true, "text": true, "probe": true, "spots": true, "saying": true,
}

// maxHosts is how many hosts one call of findHosts returns.
const maxHosts = 100

// findHosts returns the likely hosts under a root that it did not return before: a list,
// or the only one itself, which saves a call. It keeps its marks in the isolated world,
// never in the page.
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
	return out.length > 1 ? out : out[0] ?? null;
}`

// hostGroups numbers the searches, so that the objects of each can be released together,
// independent of others in the session.
var hostGroups atomic.Int64

// hosts is one search for closed roots in a document.
type hosts struct {
	f     *Frame
	w     *world
	group string // of the remote objects it was given
}

// adoptClosedRoots gives the extractor the closed roots of the document. It returns an
// error only if the search fails: a root that it misses is just a part of the page that
// is not listed.
func (f *Frame) adoptClosedRoots(ctx context.Context, w *world) error {
	h := hosts{f: f, w: w, group: objectGroup + " hosts " + strconv.FormatInt(hostGroups.Add(1), 10)}
	found, err := h.find(ctx, "")
	if err != nil || found == nil {
		return err
	}
	h.adoptOf(ctx, found, 0)
	go func() { // nobody waits for it
		_, _ = cdp.Call(context.WithoutCancel(ctx), w.session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: h.group})
	}()
	return nil
}

// find returns the likely hosts under a root, or in the document if root is empty, as
// findHosts returns them. It returns nil if there are none.
func (h *hosts) find(ctx context.Context, root runtime.RemoteObjectID) (*runtime.RemoteObject, error) {
	args, err := callArguments(maxHosts)
	if err != nil {
		return nil, err
	}
	p := runtime.CallFunctionOnParams{FunctionDeclaration: findHosts, Arguments: args, ObjectGroup: h.group}
	if root != "" {
		p.ObjectID = root
	} else {
		h.w.in(&p.ExecutionContextID, &p.UniqueContextID)
	}
	res, err := cdp.Call(ctx, h.w.session, runtime.CallFunctionOn, p)
	if err != nil || res.Result == nil || res.Result.ObjectID == "" {
		return nil, err
	}
	return res.Result, nil
}

// each returns the hosts that were found, one by one.
func (h *hosts) each(ctx context.Context, found *runtime.RemoteObject) []runtime.RemoteObjectID {
	if found.Subtype == runtime.RemoteObjectSubtypeNode {
		return []runtime.RemoteObjectID{found.ObjectID}
	}
	yes := true
	props, err := cdp.Call(ctx, h.w.session, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: found.ObjectID, OwnProperties: &yes})
	if err != nil {
		return nil
	}
	var out []runtime.RemoteObjectID
	for _, p := range props.Result {
		if _, err := strconv.Atoi(p.Name); err == nil && p.Value != nil && p.Value.ObjectID != "" {
			out = append(out, p.Value.ObjectID)
		}
	}
	return out
}

// adoptOf gives the extractor the closed roots of the hosts that were found. It asks all
// hosts at once, since a page may have a hundred that only look like one.
func (h *hosts) adoptOf(ctx context.Context, found *runtime.RemoteObject, depth int) {
	all := h.each(ctx, found)
	roots := make([][]cdp.BackendNodeID, len(all))
	var asked sync.WaitGroup
	for i, host := range all {
		asked.Go(func() { roots[i] = h.closedRoots(ctx, host) })
	}
	asked.Wait()
	for _, of := range roots {
		for _, r := range of {
			h.adopt(ctx, r, depth)
		}
	}
}

func (h *hosts) closedRoots(ctx context.Context, host runtime.RemoteObjectID) []cdp.BackendNodeID {
	one := int64(1)
	node, err := cdp.Call(ctx, h.w.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: host, Depth: &one})
	if err != nil || node.Node == nil {
		return nil
	}
	var out []cdp.BackendNodeID
	for _, r := range node.Node.ShadowRoots {
		if r.ShadowRootType == cdp.ShadowRootTypeClosed {
			out = append(out, r.BackendNodeID)
		}
	}
	return out
}

// adopt gives the extractor one root, and looks for further hosts inside it.
func (h *hosts) adopt(ctx context.Context, node cdp.BackendNodeID, depth int) {
	root, err := resolveNode(ctx, h.w, node)
	if err != nil {
		return
	}
	defer h.f.Release(context.WithoutCancel(ctx), root)
	if _, err := h.f.adopt(ctx, h.w, root); err != nil || depth >= 8 {
		return
	}
	if found, err := h.find(ctx, root); err == nil && found != nil {
		h.adoptOf(ctx, found, depth+1)
	}
}
