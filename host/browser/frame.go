package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// Frame is one document in one frame. When the frame navigates, this Frame's calls
// return ErrDocumentGone, and Tab.Frame(id) returns the frame with its new document.
// So an id of the extractor can't reach into another document.
type Frame struct {
	tab        *Tab
	id, parent cdp.FrameID
	loader     cdp.LoaderID
	url        string
}

func (t *Tab) frame(s *frameState) *Frame {
	return &Frame{tab: t, id: s.id, parent: s.parent, loader: s.loader, url: s.url}
}

// Frames returns the frames of all processes, the main frame first, parents before
// children. It waits up to three seconds for frames that are moving to another
// process, and leaves out those that do not arrive. It also leaves out refused
// documents.
func (t *Tab) Frames(ctx context.Context) ([]*Frame, error) {
	if err := t.awaitFrames(ctx); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	main := t.frames[t.main]
	if main == nil {
		return nil, fmt.Errorf("tab %s has no main frame: %w", t.id, ErrDocumentGone)
	}
	if t.refusedIn(main.loader) {
		return nil, fmt.Errorf("%s: %w", main.url, ErrRefused)
	}
	below := map[cdp.FrameID][]*frameState{}
	for _, s := range t.frames {
		if s.id != t.main && !s.swapping && !t.refusedIn(s.loader) {
			below[s.parent] = append(below[s.parent], s)
		}
	}
	var out []*Frame
	var walk func(s *frameState)
	walk = func(s *frameState) {
		out = append(out, t.frame(s))
		kids := below[s.id]
		slices.SortFunc(kids, func(a, b *frameState) int { return a.seq - b.seq })
		for _, k := range kids {
			walk(k)
		}
	}
	walk(main)
	return out, nil
}

// awaitFrames waits until the frame tree is whole.
func (t *Tab) awaitFrames(ctx context.Context) error {
	limit := time.NewTimer(3 * time.Second)
	defer limit.Stop()
	asked := map[string]bool{}
	for {
		if err := t.root.Err(); err != nil {
			return err
		}
		t.mu.Lock()
		whole, unread := t.wholeTree()
		changed := t.changed
		t.mu.Unlock()
		if whole {
			return nil
		}
		// The first, empty document of a new frame is never announced.
		if unread != nil && !asked[unread.id] {
			asked[unread.id] = true
			err := t.race(ctx, func(ctx context.Context) error { return t.readTree(ctx, unread) })
			t.mu.Lock()
			anew := unread.stale && unread.id != ""
			unread.stale = false
			t.mu.Unlock()
			if anew && ctx.Err() == nil {
				continue // it still has its state from before; it may be one of the page that was left
			}
			if err != nil && !brokeOff(err) && !errors.Is(err, ErrDocumentGone) {
				return err
			}
			continue
		}
		if unread != nil {
			return nil
		}
		select {
		case <-changed:
		case <-limit.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-t.root.Done():
			return t.root.Err()
		case <-t.DialogOpened():
			return ErrDialogOpen
		}
	}
}

// wholeTree reports whether no frame is missing; if one is, unread may be a session
// whose tree should be read. t.mu is held.
func (t *Tab) wholeTree() (whole bool, unread *sessionState) {
	for _, s := range t.sessions {
		select {
		case <-s.ready:
		default:
			return false, nil
		}
	}
	for _, f := range t.frames {
		if f.swapping {
			return false, nil
		}
	}
	if t.frames[t.main] == nil {
		return false, t.sessions[""]
	}
	if s := t.sessions[""]; s.stale {
		return false, s
	}
	for _, s := range t.sessions {
		if s.stale {
			return false, s
		}
	}
	for _, f := range t.frames {
		if f.loader == "" {
			return false, t.sessions[f.session]
		}
	}
	return true, nil
}

// MainFrame returns the main frame with the document that it shows now.
func (t *Tab) MainFrame(ctx context.Context) (*Frame, error) {
	t.mu.Lock()
	s := t.frames[t.main]
	t.mu.Unlock()
	if s == nil {
		fs, err := t.Frames(ctx)
		if err != nil {
			return nil, err
		}
		return fs[0], nil
	}
	f, ok := t.Frame(string(s.id))
	if !ok {
		return nil, ErrDocumentGone
	}
	return f, nil
}

// Frame returns a frame by its CDP id, with the document that it shows now. It returns
// false if the frame is gone or its document was refused.
func (t *Tab) Frame(id string) (*Frame, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.frames[cdp.FrameID(id)]
	if s == nil || t.refusedIn(s.loader) {
		return nil, false
	}
	return t.frame(s), true
}

// ID returns the CDP frame id. It stays the same over navigations.
func (f *Frame) ID() string { return string(f.id) }

// ParentID returns the parent frame's id, empty for the main frame.
func (f *Frame) ParentID() string { return string(f.parent) }

// Document returns the loader id, which differs for each document.
func (f *Frame) Document() string { return string(f.loader) }

// pdfViewer is the address of Chrome's PDF viewer, a frame that takes the place of the
// document and has no elements of the page.
const pdfViewer = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/"

// PDF reports whether the frame shows a PDF document in the browser's viewer, or is
// that viewer.
func (f *Frame) PDF() bool {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	s := f.state()
	return s != nil && !s.failed && (s.mime == "application/pdf" || strings.HasPrefix(s.url, pdfViewer))
}

// URL returns the document's address as it is now, since pages change it without
// loading another document; if the document is gone, the address that it had.
func (f *Frame) URL() string {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.state(); s != nil {
		return s.url
	}
	return f.url
}

// Session returns the DevTools session that the frame is in.
func (f *Frame) Session() cdp.Session {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.tab.frames[f.id]; s != nil {
		if ss := f.tab.sessions[s.session]; ss != nil {
			return ss.cdp
		}
	}
	return f.tab.root
}

// callFunction calls a function of the extractor and returns its result as one
// string of JSON: Chrome takes several times as long to turn a tree of objects into
// a remote value as the page takes to write it. It returns null if the extractor is
// missing. The arguments come in one list, since cdproto's CallArgument leaves out a
// value that is {} or "". heard is the answer of listeners, or true if the listeners
// must be known: then the result is "unheard" if the extractor does not know those
// of all elements. With roots the result is "hidden" if there may be a closed shadow
// root that was not handed in yet.
const callFunction = `async function ([fn, arg, roots, heard]) {
	const x = globalThis.__tabwright;
	if (!x) return null;
	if (heard === true ? x.unheard?.() : heard && x.hear?.(heard) === false) return "unheard";
	if (roots && await (x.hidden?.() ?? true)) return "hidden";
	if (typeof x[fn] !== "function") throw new Error("the extractor has no function " + fn);
	return JSON.stringify(await x[fn](arg)) ?? "null";
}`

// Call calls a function of the extractor in the frame, with JSON in and out, and
// waits for its promise. It injects the extractor first if it is not there. If the
// document goes away meanwhile, the error is ErrDocumentGone; if a dialog is open,
// ErrDialogOpen.
func (f *Frame) Call(ctx context.Context, fn string, arg, result any) error {
	if looks[fn] && f.looksWith(fn, arg) {
		defer func() { go f.tab.foretell(fn) }() // whoever asked for the look is answered first
	}
	err := f.tab.race(f.tab.patience(ctx), func(ctx context.Context) error {
		raw, err := f.call(ctx, fn, arg)
		if err != nil || result == nil {
			return err
		}
		if err := readInto(raw, result); err != nil {
			return fmt.Errorf("result of %s: %w", fn, err)
		}
		return nil
	})
	err = f.tab.heard(err)
	if err != nil {
		return fmt.Errorf("%s in frame: %w", fn, err)
	}
	return nil
}

// readInto decodes what JSON.stringify wrote. It calls a json.Unmarshaler directly,
// which saves the two passes that json.Unmarshal makes first.
func readInto(raw json.RawMessage, result any) error {
	if own, ok := result.(json.Unmarshaler); ok {
		return own.UnmarshalJSON(raw)
	}
	return json.Unmarshal(raw, result)
}

func (f *Frame) call(ctx context.Context, fn string, arg any) (json.RawMessage, error) {
	var last error
	roots := needsClosedRoots[fn]
	ears := f.ears(ctx, fn)
	defer ears.end()
	for range 6 {
		w, err := f.world(ctx)
		if err != nil {
			return nil, f.explain(err)
		}
		ears.before()
		args, err := callArguments([]any{fn, arg, w.closed && roots, ears.tell})
		if err != nil {
			return nil, err
		}
		res, err := f.invoke(ctx, w, callFunction, true, args)
		if notRun(err) {
			f.forget(w)
			last = err
			continue // Chrome refused it, so it is safe to ask again
		}
		if err != nil {
			return nil, f.explain(err)
		}
		var reply *string
		if err := jsonv2.Unmarshal(res.Value, &reply, jsonv2.AllowInvalidUTF8(true)); err != nil {
			return nil, fmt.Errorf("result of %s: %w", fn, err)
		}
		if reply == nil {
			f.forget(w)
			last = fmt.Errorf("the extractor went away")
			continue
		}
		if *reply == "unheard" {
			ears.ask()
			continue
		}
		if *reply == "hidden" {
			if err := f.adoptClosedRoots(ctx, w); errors.Is(err, ErrTimeout) {
				return nil, err // the page stands still: the next call would wait as long
			}
			roots = false // what was missed is a part of the page that is not seen
			continue
		}
		if ears.hearMore() {
			continue
		}
		return json.RawMessage(*reply), nil
	}
	return nil, f.explain(last)
}

func callArguments(values ...any) ([]*runtime.CallArgument, error) {
	var args []*runtime.CallArgument
	for _, v := range values {
		if id, ok := v.(runtime.RemoteObjectID); ok {
			args = append(args, &runtime.CallArgument{ObjectID: id})
			continue
		}
		if v == nil {
			args = append(args, &runtime.CallArgument{}) // undefined
			continue
		}
		b, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("encode argument: %w", err)
		}
		args = append(args, &runtime.CallArgument{Value: jsonv2.Value(b)})
	}
	return args, nil
}

// objectGroup is the group of our remote objects, so that they can be released
// together.
const objectGroup = "tabwright"

// invoke calls a function in a world.
func (f *Frame) invoke(ctx context.Context, w *world, fn string, byValue bool, args []*runtime.CallArgument) (*runtime.RemoteObject, error) {
	yes := true
	p := runtime.CallFunctionOnParams{
		FunctionDeclaration: fn, Arguments: args,
		AwaitPromise: &yes, Silent: &yes, ReturnByValue: &byValue,
	}
	if !byValue {
		p.ObjectGroup = objectGroup
	}
	w.in(&p.ExecutionContextID, &p.UniqueContextID)
	res, err := cdp.Call(ctx, w.session, runtime.CallFunctionOn, p)
	if err != nil {
		return nil, err
	}
	if res.ExceptionDetails != nil {
		return nil, jsError(res.ExceptionDetails)
	}
	if res.Result == nil {
		return nil, fmt.Errorf("Runtime.callFunctionOn gave nothing")
	}
	return res.Result, nil
}

// NodeObject returns the node of an extractor id as a remote object, which some
// DevTools commands take. Call Release when it is not needed any more.
func (f *Frame) NodeObject(ctx context.Context, localID int) (runtime.RemoteObjectID, error) {
	var id runtime.RemoteObjectID
	err := f.tab.race(ctx, func(ctx context.Context) error {
		args, err := callArguments(localID)
		if err != nil {
			return err
		}
		w, err := f.world(ctx)
		if err != nil {
			return f.explain(err)
		}
		res, err := f.invoke(ctx, w, `function (id) { return globalThis.__tabwright.node({ id }) ?? null; }`, false, args)
		if err != nil {
			return f.explain(err)
		}
		if res.ObjectID == "" {
			return fmt.Errorf("node %d: %w", localID, ErrNoNode)
		}
		id = res.ObjectID
		return nil
	})
	return id, err
}

// Release releases an object of NodeObject. It ignores errors.
func (f *Frame) Release(ctx context.Context, id runtime.RemoteObjectID) {
	_, _ = cdp.Call(ctx, f.Session(), runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: id})
}

func jsError(d *runtime.ExceptionDetails) *JSError {
	e := &JSError{Text: d.Text, Line: int(d.LineNumber) + 1, Col: int(d.ColumnNumber) + 1}
	if x := d.Exception; x != nil {
		switch {
		case x.Description != "":
			e.Text = x.Description
		case len(x.Value) > 0:
			e.Text = d.Text + " " + string(x.Value)
		}
	}
	return e
}
