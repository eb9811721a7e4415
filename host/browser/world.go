package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// contextKey names an execution context. Its unique id is unique in a process
// only, so the key has the session too.
type contextKey struct{ session, unique string }

type contextInfo struct {
	id       runtime.ExecutionContextID
	frame    cdp.FrameID
	isolated bool
	origin   string
	name     string
	bare     bool // the extractor was not there once
}

// world is the isolated world of the extractor in one document of one frame.
type world struct {
	session cdp.Session
	context runtime.ExecutionContextID
	key     contextKey // empty when Chrome did not report the context
	loader  cdp.LoaderID
	closed  bool // closed shadow roots must be handed in (shadow.go)
	bare    bool // the extractor was not there once
	trusted bool // it is certainly of this document and extension, and not bare
}

func (t *Tab) contextCreated(session string, p runtime.EventExecutionContextCreated) bool {
	if p.Context == nil {
		return false
	}
	var aux struct {
		Type    string      `json:"type"`
		FrameID cdp.FrameID `json:"frameId"`
	}
	if len(p.Context.AuxData) > 0 {
		_ = jsonv2.Unmarshal(p.Context.AuxData, &aux)
	}
	t.contexts[contextKey{session, p.Context.UniqueID}] = contextInfo{
		id: p.Context.ID, frame: aux.FrameID, isolated: aux.Type == "isolated", origin: p.Context.Origin, name: p.Context.Name,
	}
	return true
}

func (t *Tab) contextDestroyed(session string, p runtime.EventExecutionContextDestroyed) bool {
	k := contextKey{session, p.ExecutionContextUniqueID}
	c, ok := t.contexts[k]
	if !ok {
		return false
	}
	delete(t.contexts, k)
	if f := t.frames[c.frame]; f != nil && f.world != nil && f.world.key.unique == k.unique {
		f.world = nil
	}
	return true
}

func (t *Tab) contextsCleared(session string, _ cdp.Empty) bool {
	for k := range t.contexts {
		if k.session == session {
			delete(t.contexts, k)
		}
	}
	for _, f := range t.frames {
		if f.session == session {
			f.world, f.owner = nil, nil
		}
	}
	return true
}

// state returns the frame's state if it still shows f's document, else nil; t.mu
// is held.
func (f *Frame) state() *frameState {
	s := f.tab.frames[f.id]
	if s == nil || s.loader != f.loader {
		return nil
	}
	return s
}

// world returns the extractor's world in the frame, and injects the extractor
// first if it must. Only one goroutine at a time injects it into a frame.
func (f *Frame) world(ctx context.Context) (*world, error) {
	t := f.tab
	t.mu.Lock()
	s := f.state()
	if s == nil {
		t.mu.Unlock()
		return nil, ErrDocumentGone
	}
	if w := s.world; w != nil {
		t.mu.Unlock()
		return w, nil
	}
	injecting := s.injecting
	t.mu.Unlock()
	release, err := injecting.take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	t.awaitFollowed(ctx, f)
	t.mu.Lock()
	s = f.state()
	if s == nil {
		t.mu.Unlock()
		return nil, ErrDocumentGone
	}
	if w := s.world; w != nil {
		t.mu.Unlock()
		return w, nil
	}
	session := t.sessions[s.session]
	ws := t.candidates(s)
	t.mu.Unlock()
	if session == nil {
		return nil, ErrDocumentGone
	}
	for _, w := range ws { // the relay put it into all frames at once, or it came with the document
		if w.trusted || t.works(ctx, w) {
			return f.keep(w)
		}
	}
	return f.inject(ctx, session.cdp)
}

// works reports whether the extractor is in a world, and remembers it if it is
// not. A context that does not answer is gone, or about to be.
func (t *Tab) works(ctx context.Context, w *world) bool {
	state, err := w.probe(ctx)
	if err == nil && state != worldReady {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.missed(w, state)
	}
	return err == nil && state == worldReady
}

// fallback is a Transport that can make another world where its usual one can't be.
type fallback interface {
	Fallback(ctx context.Context, s cdp.Session, frame cdp.FrameID) (World, error)
}

// whileHere returns a context that ends when the frame's document is gone.
func (f *Frame) whileHere(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		// The calls end by themselves before 4*CallTimeout, and say why.
		if f.tab.within(ctx, 4*CallTimeout, func() bool { return f.state() == nil }) {
			cancel()
		}
	}()
	return ctx, cancel
}

// inject puts the extractor into the frame. Its context ends with the document:
// Chrome was seen never to answer for a document that is gone.
func (f *Frame) inject(ctx context.Context, session cdp.Session) (*world, error) {
	t := f.tab
	ctx, cancel := f.whileHere(ctx)
	defer cancel()
	where, w, err := f.byTransport(ctx, session)
	if fb, ok := t.tr.(fallback); ok && errors.Is(err, ErrNoWorld) {
		where, err = fb.Fallback(ctx, session, f.id)
	}
	if err != nil {
		return nil, f.explain(err)
	}
	if where.Context != 0 {
		t.mu.Lock()
		w = t.worldOf(session, f, where.Context)
		t.mu.Unlock()
	}
	w.closed = where.ClosedRoots
	if where.Context != 0 && !where.Ready { // else it was asked, or is trusted
		state, err := w.probe(ctx)
		if err != nil {
			return nil, f.explain(err)
		}
		if state != worldReady {
			return nil, fmt.Errorf("frame %s: the extractor did not start", f.id)
		}
	}
	return f.keep(w)
}

// byTransport has the transport inject the extractor. w is nil if the transport
// itself tells the context, in where.
func (f *Frame) byTransport(ctx context.Context, session cdp.Session) (where World, w *world, err error) {
	t := f.tab
	for _, most := range []time.Duration{soonHere, lateHere} {
		if where, err = t.tr.Inject(ctx, t.id, session, f.id); err != nil || where.Context != 0 {
			break
		}
		if w, err = t.awaitWorld(ctx, f, where.Origin, most); !errors.Is(err, ErrNoWorld) {
			break
		}
	}
	return where, w, err
}

// keep remembers a world that answered. Chrome reports a navigation before it
// answers from the new document, so if the frame still shows f's document now, it
// did when the world answered.
func (f *Frame) keep(w *world) (*world, error) {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	s := f.state()
	if s == nil {
		return nil, ErrDocumentGone
	}
	w.loader = s.loader
	s.world = w
	return w, nil
}

// known returns the first of candidates, or nil; t.mu is held.
func (t *Tab) known(s *frameState) *world {
	if ws := t.candidates(s); len(ws) > 0 {
		return ws[0]
	}
	return nil
}

// candidates returns the worlds of a frame in which the extractor should be, the
// likeliest first; t.mu is held.
func (t *Tab) candidates(s *frameState) []*world {
	if ws := t.ofOrigin(s, t.origin); len(ws) > 0 {
		return ws
	}
	return t.preloaded(s)
}

// ofOrigin returns the isolated worlds of an origin in a frame; t.mu is held. An
// extension that was reloaded leaves its world in the frame, and Chrome makes
// that world again in each later document there, in no particular order (seen in
// Chromium 156). So if there are several, each must be probed. A single world in
// a document that began while the tab was attached need not be: the first call
// into it shows whether the extractor is there.
func (t *Tab) ofOrigin(s *frameState, origin string) []*world {
	if origin == "" {
		return nil
	}
	ws := t.worlds(s, func(c contextInfo) bool { return c.origin == origin })
	if len(ws) == 1 {
		ws[0].trusted = !s.began.IsZero() && !ws[0].bare
	}
	return ws
}

// preloaded returns the world into which Transport.Preload put the extractor as the
// frame's document began; t.mu is held.
func (t *Tab) preloaded(s *frameState) []*world {
	if t.named == "" {
		return nil
	}
	ws := t.worlds(s, func(c contextInfo) bool { return c.name == t.named })
	for _, w := range ws {
		w.closed = true // DevTools made it: no chrome.dom
		w.trusted = !w.bare
	}
	return ws
}

// worlds returns the isolated worlds of a frame for which the function is returns
// true, the newest first, and after them those where the extractor was not; t.mu is
// held.
func (t *Tab) worlds(s *frameState, is func(contextInfo) bool) []*world {
	var ws []*world
	for k, c := range t.contexts {
		if k.session == s.session && c.isolated && c.frame == s.id && is(c) {
			ws = append(ws, &world{session: t.sessions[s.session].cdp, key: k, context: c.id, bare: c.bare})
		}
	}
	slices.SortFunc(ws, func(a, b *world) int {
		if a.bare != b.bare && a.bare {
			return 1
		} else if a.bare != b.bare {
			return -1
		}
		return cmp.Compare(b.context, a.context)
	})
	return ws
}

// worldOf returns the world of a context id; t.mu is held.
func (t *Tab) worldOf(session cdp.Session, f *Frame, id runtime.ExecutionContextID) *world {
	w := &world{session: session, context: id}
	for k, c := range t.contexts {
		if c.id == id && c.frame == f.id && t.sessions[k.session] != nil && t.sessions[k.session].cdp == session {
			w.key = k
		}
	}
	return w
}

// How long Chrome may take to report the world that the relay injected into. An
// injection that is asked for just as a document begins may go into the document
// before it and still succeed (seen in Chromium 156, one time in ten). So if no
// world is reported within soonHere, the injection is repeated and waited for
// until lateHere.
const (
	soonHere = 40 * time.Millisecond
	lateHere = time.Second
)

// awaitWorld waits until Chrome has reported the world that the relay injected
// into, and the extractor is there. The answer to the injection may come before
// that event, and worlds of an extension that was reloaded may be there already.
func (t *Tab) awaitWorld(ctx context.Context, f *Frame, origin string, most time.Duration) (*world, error) {
	limit := time.NewTimer(most)
	defer limit.Stop()
	asked := map[contextKey]bool{}
	for {
		t.mu.Lock()
		t.origin = origin
		s := f.state()
		if s == nil {
			t.mu.Unlock()
			return nil, ErrDocumentGone
		}
		ws := t.ofOrigin(s, origin)
		changed := t.changed
		t.mu.Unlock()
		for _, w := range ws {
			if !asked[w.key] && (w.trusted || t.works(ctx, w)) {
				return w, nil
			}
			asked[w.key] = true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-limit.C:
			return nil, fmt.Errorf("frame %s: the extension has no world there: %w", f.id, ErrNoWorld)
		}
	}
}

// The results of probe.
const (
	worldReady = "ready" // the extractor is there
	worldEmpty = "empty"
	worldDead  = "dead" // its extension was reloaded: chrome.* throws "Extension context invalidated"
)

// probeScript recognizes a dead world by chrome.runtime.id, which is gone with the
// extension. A world that DevTools made never had chrome.dom.
const probeScript = `(() => {
	const c = globalThis.chrome;
	try { if (c && c.dom && !(c.runtime && c.runtime.id)) return "dead" } catch { return "dead" }
	return globalThis.__tabwright ? "ready" : "empty";
})()`

// probe returns whether a working extractor is in the world: worldReady,
// worldEmpty or worldDead.
func (w *world) probe(ctx context.Context) (string, error) {
	yes := true
	p := runtime.EvaluateParams{Expression: probeScript, ReturnByValue: &yes, Silent: &yes}
	w.in(&p.ContextID, &p.UniqueContextID)
	res, err := cdp.Call(ctx, w.session, runtime.Evaluate, p)
	if err != nil {
		return worldEmpty, err
	}
	if res.Result == nil {
		return worldEmpty, nil
	}
	return strings.Trim(string(res.Result.Value), `"`), nil
}

// missed remembers that the extractor is not in a world. It forgets a world whose
// extension was reloaded. t.mu is held.
func (t *Tab) missed(w *world, state string) {
	c, ok := t.contexts[w.key]
	if !ok {
		return
	}
	if state == worldDead {
		delete(t.contexts, w.key)
		return
	}
	c.bare = true
	t.contexts[w.key] = c
}

// in names the world in a command's parameters: by its unique id if that is
// known, since Chrome gives context ids again after a process swap.
func (w *world) in(id *runtime.ExecutionContextID, unique *string) {
	if w.key.unique != "" {
		*unique = w.key.unique
	} else {
		*id = w.context
	}
}

// forget drops a world that no longer answers.
func (f *Frame) forget(w *world) {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	s := f.tab.frames[f.id]
	if s == nil || s.world != w {
		return
	}
	s.world = nil
	f.tab.missed(w, worldEmpty)
}

// explain returns ErrDocumentGone for each of the many errors by which Chrome
// says that a document or its frame went away. If the tab was detached, it
// returns that error.
func (f *Frame) explain(err error) error {
	if err == nil || errors.Is(err, ErrDocumentGone) {
		return err
	}
	f.tab.mu.Lock()
	gone := f.state() == nil
	f.tab.mu.Unlock()
	if gone || brokeOff(err) {
		if f.tab.root.Err() != nil {
			return f.tab.root.Err()
		}
		return fmt.Errorf("%w (%w)", ErrDocumentGone, err)
	}
	return err
}
