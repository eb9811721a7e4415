package pagecontext_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// What is true of a page of the corpus: its own marks, Chromium's accessibility
// tree, its listeners, and what can be seen of it.

// node is one element of the page, in any frame or shadow root, with what the
// page, Chromium and the eye say of it.
type node struct {
	key   string // frame id and number
	Html  string // its start tag, for the log
	Tag   string
	Op    *string // the marks of the truth
	No    *string
	Name  *string
	up    *node
	Up    int
	ax    *axNode
	heard bool // listeners of its own
}

type truth struct {
	nodes map[string]*node
	order []*node
}

type axNode struct {
	Ignored bool
	Role    struct{ Value string }
	Name    struct{ Value string }
	Backend int `json:"backendDOMNodeId"`
	Props   []struct {
		Name  string
		Value struct{ Value any }
	} `json:"properties"`
}

// number numbers every element of a frame in the order of DOM.getDocument,
// shadow roots first, and takes the marks away.
const number = `(() => {
	const out = [], els = [], of = new Map();
	const roots = new Map((globalThis.testRoots ?? []).map((r) => [r.host, r]));
	const walk = (n, up) => {
		for (let c = n.firstChild; c; c = c.nextSibling) {
			if (c.nodeType !== 1) continue;
			const get = (k) => { const v = Element.prototype.getAttribute.call(c, k); if (v !== null) Element.prototype.removeAttribute.call(c, k); return v; };
			const i = els.push(c) - 1;
			of.set(c, i);
			const html = Element.prototype.cloneNode.call(c, false).outerHTML.slice(0, 160);
			out.push({ html, tag: c.localName, op: get("data-op"), no: get("data-no"), name: get("data-name"), up });
			const root = c.shadowRoot ?? roots.get(c);
			if (root) walk(root, i);
			walk(c, i);
		}
	};
	walk(document, -1);
	globalThis.testEls = els; globalThis.testOf = of;
	return out;
})()`

// seen asks the browser itself, through an IntersectionObserver, which elements
// can be seen in the viewport, clipped as they are by what is around them.
const seen = `new Promise((done) => {
	const out = [];
	const o = new IntersectionObserver((all) => {
		for (const e of all) {
			const r = e.intersectionRect;
			if (e.isIntersecting && r.width >= 1 && r.height >= 1) out.push([testOf.get(e.target), r.width >= 2 && r.height >= 2 ? 1 : 0]);
		}
		o.disconnect();
		done(out);
	});
	for (const e of testEls) o.observe(e);
})`

func (f *testFrame) eval(expr string, result any) error {
	ctx, err := f.world()
	if err != nil {
		return err
	}
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	if err := f.tb.cdp("Runtime.evaluate", map[string]any{"expression": expr, "contextId": ctx, "returnByValue": true, "awaitPromise": true}, &r); err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("%.60s: %s", expr, r.ExceptionDetails.Exception.Description)
	}
	return json.Unmarshal(r.Result.Value, result)
}

func (tb *tab) allFrames() []*testFrame {
	tb.t.Helper()
	fs, err := tb.Frames(context.Background())
	tb.must(err)
	out := make([]*testFrame, len(fs))
	for i, f := range fs {
		out[i] = f.(*testFrame)
	}
	return out
}

type domNode struct {
	BackendNodeID   int
	NodeType        int
	FrameID         string `json:"frameId"`
	ShadowRootType  string
	Children        []*domNode
	ShadowRoots     []*domNode
	ContentDocument *domNode
}

func readTruth(tb *tab) *truth {
	tb.t.Helper()
	var doc struct{ Root *domNode }
	tb.must(tb.cdp("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &doc))
	out := &truth{nodes: map[string]*node{}}
	frames := tb.allFrames()
	byFrame := map[string]*testFrame{}
	for _, f := range frames {
		byFrame[f.id] = f
	}
	owners := map[string]int{} // of each frame, the <iframe> it is in
	backend, documents := map[string][]int{}, map[string]int{frames[0].id: doc.Root.BackendNodeID}
	adoptClosed(tb, doc.Root, frames[0])
	var walk func(n *domNode, frame string)
	walk = func(n *domNode, frame string) {
		if n.NodeType == 1 {
			backend[frame] = append(backend[frame], n.BackendNodeID)
		}
		for _, r := range n.ShadowRoots {
			if r.ShadowRootType != "user-agent" {
				walk(r, frame)
			}
		}
		for _, c := range n.Children {
			walk(c, frame)
		}
		if n.ContentDocument != nil {
			documents[n.FrameID], owners[n.FrameID] = n.ContentDocument.BackendNodeID, n.BackendNodeID
			walk(n.ContentDocument, n.FrameID)
		}
	}
	walk(doc.Root, frames[0].id)
	byBackend := map[int]*node{}
	for _, f := range frames {
		var list []*node
		tb.must(f.eval(number, &list))
		if len(list) != len(backend[f.id]) {
			tb.t.Fatalf("%s: %d elements, %d in DevTools", f.url, len(list), len(backend[f.id]))
		}
		for i, n := range list {
			n.key = fmt.Sprintf("%s:%d", f.id, i)
			if n.up = byBackend[owners[f.id]]; n.Up >= 0 {
				n.up = list[n.Up]
			}
			out.nodes[n.key] = n
			out.order = append(out.order, n)
			byBackend[backend[f.id][i]] = n
		}
	}
	for _, f := range frames {
		var tree struct{ Nodes []*axNode }
		tb.must(tb.cdp("Accessibility.getFullAXTree", map[string]any{"frameId": f.id}, &tree))
		for _, a := range tree.Nodes {
			if n := byBackend[a.Backend]; n != nil && !a.Ignored {
				n.ax = a
			}
		}
		hear(tb, documents[f.id], byBackend)
	}
	return out
}

// hear notes which elements have listeners for presses of their own.
func hear(tb *tab, document int, byBackend map[int]*node) {
	tb.t.Helper()
	var o struct{ Object struct{ ObjectID string } }
	tb.must(tb.cdp("DOM.resolveNode", map[string]any{"backendNodeId": document}, &o))
	var r struct {
		Listeners []struct {
			Type    string
			Backend int `json:"backendNodeId"`
		}
	}
	tb.must(tb.cdp("DOMDebugger.getEventListeners", map[string]any{"objectId": o.Object.ObjectID, "depth": -1}, &r))
	for _, l := range r.Listeners {
		switch l.Type {
		case "click", "dblclick", "mousedown", "pointerdown", "touchstart":
			if n := byBackend[l.Backend]; n != nil {
				n.heard = true
			}
		}
	}
}

// adoptClosed hands closed shadow roots to the extractor, as the host does.
func adoptClosed(tb *tab, root *domNode, f *testFrame) {
	tb.t.Helper()
	ctx, err := f.world()
	tb.must(err)
	var walk func(n *domNode)
	walk = func(n *domNode) {
		for _, r := range n.ShadowRoots {
			if r.ShadowRootType == "closed" {
				var o struct{ Object struct{ ObjectID string } }
				tb.must(tb.cdp("DOM.resolveNode", map[string]any{"backendNodeId": r.BackendNodeID, "executionContextId": ctx}, &o))
				tb.must(tb.cdp("Runtime.callFunctionOn", map[string]any{
					"functionDeclaration": "function(n){(globalThis.testRoots??=[]).push(n);__tabwright.adopt(n)}",
					"executionContextId":  ctx, "arguments": []any{map[string]any{"objectId": o.Object.ObjectID}},
				}, nil))
			}
			walk(r)
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(root)
}

// operableRoles are the roles of Chromium's tree a user operates. The last
// ones are its own words for what HTML-AAM gives no role.
var operableRoles = strings.Fields("button link textbox searchbox checkbox radio combobox listbox option menuitem " +
	"menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem " +
	"DisclosureTriangle DisclosureTriangleGrouped ColorWell Date DateTime InputTime PopUpButton")

// ourRole is how we call what Chromium has a name of its own for.
func ourRole(role string) string {
	switch role {
	case "DisclosureTriangle", "DisclosureTriangleGrouped", "ColorWell", "PopUpButton":
		return "button"
	case "Date", "DateTime", "InputTime":
		return "textbox"
	}
	return role
}

func (n *node) operable() bool {
	if n.ax == nil || !slices.Contains(operableRoles, n.ax.Role.Value) {
		return false
	}
	// What stands in a native select or data list is that control's own.
	return n.Tag != "option" && n.Tag != "optgroup"
}

func (n *node) forbidden() *string {
	for e := n; e != nil; e = e.up {
		if e.No != nil {
			return e.No
		}
	}
	return nil
}
