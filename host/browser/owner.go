package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// owner is a frame's <iframe> element in the parent's world. It is kept as long as that
// world exists, since every look at the page calls Offset.
type owner struct {
	parent *world
	object runtime.RemoteObjectID
	id     int  // the parent's extractor's id for it; 0 until it is asked for
	away   bool // the frame was not rendered at the last Offset
}

// Owner returns the frame's <iframe> element: the parent frame, and the element's id in
// the parent's extractor. For the main frame, which has none, the error is ErrNoNode.
func (f *Frame) Owner(ctx context.Context) (parent *Frame, iframeLocalID int, err error) {
	var p *Frame // not the results themselves: behind a dialog this returns before its call does
	var id int
	err = f.tab.race(ctx, func(ctx context.Context) (err error) {
		var o *owner
		if p, o, err = f.owner(ctx); err == nil {
			id, err = p.idOf(ctx, o)
		}
		return f.explain(err)
	})
	if err != nil {
		return nil, 0, err
	}
	return p, id, nil
}

// idOf returns the extractor's id for an <iframe> in the frame. It asks the extractor
// only once.
func (f *Frame) idOf(ctx context.Context, o *owner) (int, error) {
	f.tab.mu.Lock()
	id := o.id
	f.tab.mu.Unlock()
	if id != 0 {
		return id, nil
	}
	id, err := f.adopt(ctx, o.parent, o.object)
	if err != nil {
		return 0, err
	}
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	o.id = id
	return id, nil
}

func (f *Frame) owner(ctx context.Context) (*Frame, *owner, error) {
	if f.parent == "" {
		return nil, nil, fmt.Errorf("the main frame has no <iframe>: %w", ErrNoNode)
	}
	parent, ok := f.tab.Frame(string(f.parent))
	if !ok {
		return nil, nil, ErrDocumentGone
	}
	have, finding := f.knownOwner()
	if have == nil && finding != nil { // others may be looking for it, also for frames inside this one
		release, err := finding.take(ctx)
		if err != nil {
			return nil, nil, err
		}
		defer release()
		have, finding = f.knownOwner()
	}
	if finding == nil {
		return nil, nil, ErrDocumentGone
	}
	find := func() (cdp.BackendNodeID, error) { return f.ownerNode(ctx, parent) }
	if have == nil { // the parent's world may have to be waited for as well
		find = begun(find)
	}
	w, err := parent.world(ctx)
	if have != nil && (err != nil || have.parent == w) {
		return parent, have, err
	}
	node, notFound := find()
	if err = cmp.Or(err, notFound); err != nil {
		return nil, nil, err
	}
	object, err := resolveNode(ctx, w, node)
	if err != nil {
		return nil, nil, err
	}
	o := &owner{parent: w, object: object}
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.state(); s != nil {
		if s.owner != nil && s.owner.parent == w { // another had found it no longer right at the same time
			return parent, s.owner, nil
		}
		s.owner = o
	}
	return parent, o, nil
}

// knownOwner returns what is known of the frame's <iframe>, and the lock to hold while
// looking for it. It returns nil and nil if the frame is gone.
func (f *Frame) knownOwner() (*owner, lock) {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	s := f.state()
	if s == nil {
		return nil, nil
	}
	return s.owner, s.finding
}

// ownerNode asks the parent's process for the element. The DOM domain need not be
// enabled for that.
func (f *Frame) ownerNode(ctx context.Context, parent *Frame) (cdp.BackendNodeID, error) {
	at, err := cdp.Call(ctx, parent.Session(), dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: f.id})
	if err != nil {
		return 0, err
	}
	return at.BackendNodeID, nil
}

// begun calls ask on a goroutine now. The function that it returns waits for the
// result.
func begun[T any](ask func() (T, error)) func() (T, error) {
	var got T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, err = ask()
	}()
	return func() (T, error) {
		<-done
		return got, err
	}
}

func resolveNode(ctx context.Context, w *world, node cdp.BackendNodeID) (runtime.RemoteObjectID, error) {
	res, err := cdp.Call(ctx, w.session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: node, ExecutionContextID: w.context, ObjectGroup: objectGroup,
	})
	if err != nil {
		return "", err
	}
	if res.Object == nil || res.Object.ObjectID == "" {
		return "", ErrNoNode
	}
	return res.Object.ObjectID, nil
}

func (f *Frame) adopt(ctx context.Context, w *world, object runtime.RemoteObjectID) (int, error) {
	args, err := callArguments(object)
	if err != nil {
		return 0, err
	}
	res, err := f.invoke(ctx, w, `function (node) { return globalThis.__tabwright.adopt(node); }`, true, args)
	if err != nil {
		return 0, err
	}
	var got struct {
		ID int `json:"id"`
	}
	if err := json.Unmarshal(res.Value, &got); err != nil {
		return 0, fmt.Errorf("result of adopt: %w", err)
	}
	return got.ID, nil
}

// enableDOM enables the DOM domain of the frame's session, once.
func (f *Frame) enableDOM(ctx context.Context) error {
	t := f.tab
	t.mu.Lock()
	var s *sessionState
	if st := f.state(); st != nil {
		s = t.sessions[st.session]
	}
	done := s != nil && s.dom
	t.mu.Unlock()
	if s == nil {
		return ErrDocumentGone
	}
	if done {
		return nil
	}
	if _, err := cdp.Call(ctx, s.cdp, dom.Enable, dom.EnableParams{}); err != nil {
		return err
	}
	t.mu.Lock()
	s.dom = true
	t.mu.Unlock()
	return nil
}

// offsetFunction returns where the content box of an <iframe> starts in the viewport
// that the element is in, and how much transforms scale it. It returns null if the
// element is not rendered.
const offsetFunction = `function () {
	if (!this.isConnected) return null;
	const r = this.getBoundingClientRect();
	if (r.width <= 0 || r.height <= 0) return null;
	const s = getComputedStyle(this);
	if (s.visibility === "hidden") return null;
	// offsetWidth is a whole number: what differs by less is no scale.
	const scale = (seen, laid) => !laid || Math.abs(seen - laid) < 1 ? 1 : seen / laid;
	const kx = scale(r.width, this.offsetWidth), ky = scale(r.height, this.offsetHeight);
	let turned = false;
	for (let n = this; n && !turned; n = n.assignedSlot ?? n.parentElement ?? n.getRootNode().host) {
		const c = getComputedStyle(n);
		if (c.transform === "none" && c.rotate === "none") continue;
		const m = new DOMMatrixReadOnly(c.transform === "none" ? "" : c.transform);
		turned = c.rotate !== "none" || !m.is2D || Math.abs(m.b) + Math.abs(m.c) > 0.001 || m.a < 0 || m.d < 0;
	}
	return {
		turned, x: r.left + (this.clientLeft + parseFloat(s.paddingLeft)) * kx,
		y: r.top + (this.clientTop + parseFloat(s.paddingTop)) * ky,
		kx, ky,
	};
}`

// Offset returns where this frame's viewport starts in the main frame's, in CSS pixels.
// ok is false if the frame is not rendered. To map a point, Scale is needed as well.
// For a rotated frame only the corner is right.
func (f *Frame) Offset(ctx context.Context) (x, y float64, ok bool) {
	var p framePlace // as in Owner
	var shown bool
	err := f.tab.race(ctx, func(ctx context.Context) (err error) {
		p, shown, err = f.place(ctx)
		return err
	})
	if err != nil {
		return 0, 0, false
	}
	return p.x, p.y, shown
}

// Scale returns how many of the main frame's CSS pixels one of this frame's takes,
// across and down, as of the last call of Offset. Transforms and zoom scale a frame.
func (f *Frame) Scale() (kx, ky float64) {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.state(); s != nil && s.kx > 0 && s.ky > 0 {
		return s.kx, s.ky
	}
	return 1, 1
}

// Turned reports whether the frame is rotated, skewed or mirrored in the page, as of the
// last call of Offset. Its points can't be computed from its corner and scale then.
func (f *Frame) Turned() bool {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	s := f.state()
	return s != nil && s.turned
}

// framePlace is where a frame's viewport is in the main frame's: its corner and
// the size of its pixels.
type framePlace struct {
	x, y, kx, ky float64
	turned       bool
}

func (f *Frame) place(ctx context.Context) (at framePlace, ok bool, err error) {
	if f.parent == "" {
		return framePlace{kx: 1, ky: 1}, true, nil
	}
	parent, o, err := f.owner(ctx)
	if err != nil {
		return at, false, err
	}
	type place struct {
		at framePlace
		ok bool
	}
	around := func() (p place, err error) {
		p.at, p.ok, err = parent.place(ctx)
		return p, err
	}
	if parent.parent != "" { // ask in all the frames around this one at once
		around = begun(around)
	}
	in, err := o.place(ctx)
	p, notPlaced := around()
	if err != nil {
		return at, false, err
	}
	f.tab.mu.Lock()
	o.away = in == nil
	f.tab.mu.Unlock()
	if in == nil || notPlaced != nil || !p.ok {
		return at, false, notPlaced
	}
	at = framePlace{p.at.x + in.X*p.at.kx, p.at.y + in.Y*p.at.ky, p.at.kx * in.KX, p.at.ky * in.KY, p.at.turned || in.Turned}
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.state(); s != nil {
		s.kx, s.ky, s.turned = at.kx, at.ky, at.turned
	}
	return at, true, nil
}

// inParent is the result of offsetFunction.
type inParent struct {
	X, Y, KX, KY float64
	Turned       bool
}

// place returns where the element is in the frame that it is in, or nil if it is not
// rendered.
func (o *owner) place(ctx context.Context) (in *inParent, err error) {
	yes := true
	res, err := cdp.Call(ctx, o.parent.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: offsetFunction, ObjectID: o.object, ReturnByValue: &yes, Silent: &yes,
	})
	if err != nil {
		return nil, err
	}
	if res.Result != nil && len(res.Result.Value) > 0 {
		if err := json.Unmarshal(res.Result.Value, &in); err != nil {
			return nil, fmt.Errorf("place of a frame: %w", err)
		}
	}
	return in, nil
}

// AtHand reports whether asking the frame's extractor costs no more than the call: the
// extractor is there, and the frame was rendered at the last Offset.
func (f *Frame) AtHand() bool {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	s := f.state()
	if s == nil || s.owner != nil && s.owner.away {
		return false
	}
	if s.world != nil {
		return true
	}
	w := f.tab.known(s)
	return w != nil && w.trusted
}
