package browser

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// Tab is an attached tab. What it knows (frames, worlds, dialogs, loading) is
// kept by its events, in tabevents.go; everything else asks Chrome.
type Tab struct {
	id   TabID
	root RootSession
	tr   Transport
	bus  *Bus

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every change below
	gen      int           // counts changes of the frame tree
	rev      int
	counted  cdp.LoaderID // the main document that rev stands for
	navs     int          // of the main frame, within a document too
	posting  string       // where the main frame's form is being sent with POST
	look     string       // what was looked with last, "summary" or "tree", and its options: as extractor's ahead takes them
	posted   bool         // the main document is the answer to that
	buttons  int          // pressed mouse buttons, as in DOM's MouseEvent.buttons
	main     cdp.FrameID
	frames   map[cdp.FrameID]*frameState
	seq      int
	sessions map[string]*sessionState
	contexts map[contextKey]contextInfo
	origin   string // of the relay's isolated world, once known
	named    string // the isolated world that comes with each document, where one does
	followed bool   // that of origin comes with each main document
	dialog   *openDialog
	up, down chan struct{} // closed while a dialog is open, or while none is
	crashed  chan struct{} // closed while the page's process is gone
	watches  map[*Watch]struct{}

	ground  Ground                // judges documents (ground.go)
	refused map[cdp.LoaderID]bool // documents that it refused
	refusal *Refusal              // of the main frame
	// status is the HTTP status that the document statusOf came with, the newest
	// of the main frame.
	status   int
	statusOf cdp.LoaderID
	silent   bool     // the page did not answer when it was last asked (silence.go)
	shut     switched // windows for files
	wide     switched // the pause of what scripts ask for
	// abandoning counts the held requests that are being given up.
	abandoning atomic.Int32
	inputs     inputs
	drawing    drawing
}

// frameState is a frame and the document it shows now.
type frameState struct {
	id, parent cdp.FrameID
	loader     cdp.LoaderID
	url        string
	session    string
	seq        int
	loading    bool
	asked      time.Time // when its page asked for a navigation that the browser has not begun; zero where there is none
	navigating bool
	to         string       // where it is navigating
	toLoader   cdp.LoaderID // what the document there will be
	swapping   bool         // leaving its process; the session it will have is not here yet
	loaded     cdp.LoaderID // the document whose load event came
	was        cdp.LoaderID // the document before
	failed     bool         // it is Chrome's error page
	mime       string       // the document's type; empty for a frame's first, empty one
	began      time.Time    // when the document began, zero if the tab was not attached then
	world      *world
	owner      *owner
	kx, ky     float64       // how large its pixels are in the main frame's, as Offset saw last; 0 before
	turned     bool          // it stands turned round in the page, as Offset saw last
	injecting  chan struct{} // a lock of one
}

// arrived is the end of a navigation, whatever came of it.
func (f *frameState) arrived() { f.asked, f.navigating, f.toLoader = time.Time{}, false, "" }

// sessionState is the root's session ("") or that of an out-of-process frame.
type sessionState struct {
	id    string
	cdp   cdp.Session
	frame cdp.FrameID // the frame it was attached for; empty for the root
	under cdp.FrameID // that frame's parent
	ready chan struct{}
	dom   bool // DOM.enable was called
	stale bool // its frames are to be read anew
}

func newTab(ctx context.Context, id TabID, root RootSession, tr Transport, bus *Bus, mark pageMark) (*Tab, error) {
	t := &Tab{
		id: id, root: root, tr: tr, bus: bus, rev: max(mark.rev, 1), counted: mark.loader,
		changed: make(chan struct{}),
		watches: map[*Watch]struct{}{}, refused: map[cdp.LoaderID]bool{},
		up:      make(chan struct{}),
		down:    make(chan struct{}),
		crashed: make(chan struct{}),
	}
	close(t.down)
	t.shut.tell, t.wide.tell = catchFiles, catchRequests
	t.reset()
	root.Listen(t.onEvent)
	if err := t.enable(ctx, false); err != nil {
		return nil, err
	}
	return t, nil
}

// reset forgets all that Chrome told; t.mu is held or t is not shared yet.
func (t *Tab) reset() {
	t.frames = map[cdp.FrameID]*frameState{}
	t.sessions = map[string]*sessionState{"": {cdp: t.root, ready: make(chan struct{})}}
	t.contexts = map[contextKey]contextInfo{}
	t.origin, t.followed = "", false
	t.shut.unsure()
	t.wide.unsure()
	t.gen++
	t.bump()
}

// bump wakes everyone who waits for a change; t.mu is held.
func (t *Tab) bump() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// stillAfter is how long a page may stand still at its attaching before it is
// taken to be under a dialog. Chrome does not say so: a debugger that comes
// after the dialog is told nothing of it, and its commands hang.
const stillAfter = 5 * time.Second

// enable switches on what the tab lives on, in the root session, and reads
// the frames. The children follow as Chrome attaches them. A page that stands
// still is no error: the rest follows when it moves again. anew: the session
// was enabled before, over a connection that was lost.
func (t *Tab) enable(ctx context.Context, anew bool) error {
	t.mu.Lock()
	s := t.sessions[""]
	t.mu.Unlock()
	err := t.setup(WithCallTimeout(ctx, stillAfter), s, anew)
	switch {
	case errors.Is(err, ErrDialogOpen):
	case errors.Is(err, ErrTimeout):
		t.mu.Lock()
		if t.dialog == nil {
			t.setDialog(&openDialog{Dialog: Dialog{Kind: DialogUnknown}, session: t.root})
		}
		t.mu.Unlock()
		go t.awaitMove()
	default:
		return err
	}
	go func() {
		select {
		case <-t.dialogClosed():
			_ = t.setup(context.WithoutCancel(ctx), s, anew)
		case <-t.root.Done():
		}
	}()
	return nil
}

// awaitMove takes the unknown dialog away when the page answers: it was
// answered by the person, or the page was only busy.
func (t *Tab) awaitMove() {
	ctx := WithCallTimeout(context.Background(), 30*time.Second)
	for {
		_, err := cdp.Call(ctx, t.root, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
		if errors.Is(err, ErrTimeout) {
			continue
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if err == nil && t.dialog != nil && t.dialog.Kind == DialogUnknown {
			t.setDialog(nil)
		}
		return
	}
}

// setup enables the domains of one session and merges its frame tree. The
// commands do not depend on each other and go out at once.
func (t *Tab) setup(ctx context.Context, s *sessionState, anew bool) error {
	defer t.markReady(s)
	yes, no := true, false
	if anew {
		// Chrome reports contexts and children again only when these go off first.
		err := t.race(ctx, func(ctx context.Context) error {
			if _, err := cdp.Call(ctx, s.cdp, target.SetAutoAttach, target.SetAutoAttachParams{Flatten: &no}); err != nil {
				return err
			}
			_, err := cdp.Call(ctx, s.cdp, runtime.Disable, cdp.Empty{})
			return err
		})
		if err != nil {
			return err
		}
	}
	calls := []func(context.Context) error{
		func(ctx context.Context) error {
			_, err := cdp.Call(ctx, s.cdp, page.Enable, page.EnableParams{})
			return err
		},
		func(ctx context.Context) error {
			_, err := cdp.Call(ctx, s.cdp, page.SetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{Enabled: true})
			return err
		},
		func(ctx context.Context) error {
			_, err := cdp.Call(ctx, s.cdp, target.SetAutoAttach, target.SetAutoAttachParams{
				AutoAttach: true, Flatten: &yes,
				Filter: target.Filter{{Type: "iframe"}},
			})
			return err
		},
		func(ctx context.Context) error {
			// Without it requestAnimationFrame stands still in background tabs,
			// and the page knows that nobody looks. Children may refuse.
			_, err := cdp.Call(ctx, s.cdp, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
			if s.id != "" {
				return nil
			}
			return err
		},
		func(ctx context.Context) error {
			if s.id != "" {
				return nil
			}
			// Tells of crashes; without it a crashed page only stands still.
			_, _ = cdp.Call(ctx, s.cdp, inspector.Enable, cdp.Empty{})
			return nil
		},
		func(ctx context.Context) error {
			_, err := cdp.Call(ctx, s.cdp, runtime.Enable, cdp.Empty{})
			return err
		},
		func(ctx context.Context) error { return hearPerson(ctx, s, t.tr) },
		func(ctx context.Context) error { return t.watchDocuments(ctx, s, anew) },
		func(ctx context.Context) error {
			t.preload(ctx, s)
			return nil
		},
		func(ctx context.Context) error {
			if !anew || s.id != "" {
				return nil
			}
			// What was said last may have been lost with the connection.
			t.mu.Lock()
			shut := t.shut.is()
			t.mu.Unlock()
			_ = catchFiles(ctx, s.cdp, shut)
			return nil
		},
	}
	err := t.race(ctx, func(ctx context.Context) error {
		errs := make(chan error, len(calls))
		for _, c := range calls {
			go func() { errs <- c(ctx) }()
		}
		var all []error
		for range calls {
			all = append(all, <-errs)
		}
		return errors.Join(all...)
	})
	if err != nil {
		return err
	}
	return t.race(ctx, func(ctx context.Context) error { return t.readTree(ctx, s) })
}

func (t *Tab) markReady(s *sessionState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-s.ready:
	default:
		close(s.ready)
		t.bump()
	}
}

// readTree merges Page.getFrameTree of a session. Events may arrive between
// the answer and its use; then it is asked again, since an old tree would
// bring back what is gone.
func (t *Tab) readTree(ctx context.Context, s *sessionState) error {
	for range 8 {
		t.mu.Lock()
		gen := t.gen
		t.mu.Unlock()
		res, err := cdp.Call(ctx, s.cdp, page.GetFrameTree, cdp.Empty{})
		if err != nil {
			return err
		}
		t.mu.Lock()
		if t.gen == gen {
			t.mergeTree(s, res.FrameTree, s.under)
			s.stale = false
			t.bump()
			t.mu.Unlock()
			return nil
		}
		t.mu.Unlock()
	}
	return nil // a tree that never stands still is kept by its events
}

// mergeTree takes a frame tree of session s; t.mu is held.
func (t *Tab) mergeTree(s *sessionState, tree *page.FrameTree, parent cdp.FrameID) {
	if tree == nil || tree.Frame == nil {
		return
	}
	f := tree.Frame
	if f.ParentID != "" {
		parent = f.ParentID
	}
	if s.id == "" && parent == "" {
		t.main = f.ID
		t.count(f.LoaderID)
	}
	st := t.upsert(f.ID, parent, s.id)
	if st.loader != f.LoaderID {
		st.loader, st.world, st.owner, st.began = f.LoaderID, nil, nil, time.Time{}
	}
	st.url, st.mime = f.URL+f.URLFragment, f.MimeType
	for _, c := range tree.ChildFrames {
		t.mergeTree(s, c, f.ID)
	}
}

// count counts the main frame's documents; t.mu is held.
func (t *Tab) count(loader cdp.LoaderID) {
	if t.counted != "" && t.counted != loader {
		t.rev++
	}
	t.counted = loader
}

// upsert finds or adds a frame and says whose session it is in; t.mu is held.
func (t *Tab) upsert(id, parent cdp.FrameID, session string) *frameState {
	f := t.frames[id]
	if f == nil {
		t.seq++
		f = &frameState{id: id, seq: t.seq, injecting: make(chan struct{}, 1)}
		t.frames[id] = f
	}
	if parent != "" {
		f.parent = parent
	}
	if f.session != session {
		f.session, f.world, f.owner = session, nil, nil
	}
	f.swapping = false
	return f
}

// ID is the tab's name.
func (t *Tab) ID() TabID { return t.id }

// Session is the tab's own session, for what has no method here.
func (t *Tab) Session() RootSession { return t.root }

// Done is closed when the tab detached; Err then says why.
func (t *Tab) Done() <-chan struct{} { return t.root.Done() }

// Err says why the tab detached.
func (t *Tab) Err() error { return t.root.Err() }

// PageRev counts the main frame's documents from 1; it grows when the main
// frame navigates to another document, not within one.
func (t *Tab) PageRev() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rev
}

// URL is the main frame's address, fragment and all.
func (t *Tab) URL() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.frames[t.main]; f != nil {
		return f.url
	}
	return ""
}

// Title is the main document's. It is read from the navigation history, which
// the browser process keeps, so that it answers under a dialog too.
func (t *Tab) Title(ctx context.Context) (string, error) {
	h, err := cdp.Call(ctx, t.root, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		return "", err
	}
	if i := h.CurrentIndex; i >= 0 && int(i) < len(h.Entries) {
		return h.Entries[i].Title, nil
	}
	return "", nil
}

func (t *Tab) info() TabInfo { return TabInfo{ID: t.id, URL: t.URL()} }

func (t *Tab) mark() pageMark {
	t.mu.Lock()
	defer t.mu.Unlock()
	return pageMark{rev: t.rev, loader: t.counted, main: t.main}
}

// Rebuild reads everything of the tab anew over a connection that lost events:
// the relay's, after it came back. The page counter grows when the document is
// another one than before.
func (t *Tab) Rebuild(ctx context.Context) error {
	t.mu.Lock()
	leaving := t.leavingFor() != ""
	if d, ok := t.root.(interface{ DropChildren() }); ok {
		d.DropChildren()
	}
	t.reset()
	t.setDialog(nil)
	t.alive()
	t.mu.Unlock()
	if leaving {
		// The act that began it has failed with the connection, and until the
		// server answers Chrome would answer nothing of the page.
		_, _ = cdp.Call(WithCallTimeout(ctx, silentTime), t.root, page.StopLoading, cdp.Empty{})
	}
	t.drawAnew()
	return t.enable(ctx, true)
}
