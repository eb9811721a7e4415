package browser

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
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
	look     string       // what was looked with last, "summary" or "tree"
	lookOf   string       // its options, JSON
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
	foretold string // the look that is begun there as it comes
	dialog   *openDialog
	up, down chan struct{} // closed while a dialog is open, or while none is
	crashed  chan struct{} // closed while the page's process is gone
	watches  map[*Watch]struct{}
	underWay map[string]time.Time // requests of the main document's scripts, since when
	asked    time.Time            // when the last of them ended

	ground  Ground                // judges documents (ground.go)
	refused map[cdp.LoaderID]bool // documents that it refused
	refusal *Refusal              // of the main frame
	// status is the HTTP status that the document statusOf came with, the newest
	// of the main frame.
	status     int
	statusOf   cdp.LoaderID
	silent     bool     // the page did not answer when it was last asked (silence.go)
	shut       switched // windows for files
	wide       switched // the pause of what scripts ask for
	quarantine quarantine
	bodies     []sentBody // by scripts of the main document
	// abandoning counts the held requests that are being given up.
	abandoning atomic.Int32
	inputs     inputs
	drawing    drawing
	dev        devLog
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
	kx, ky     float64 // how large its pixels are in the main frame's, as Offset saw last; 0 before
	turned     bool    // it stands turned round in the page, as Offset saw last
	injecting  lock    // for who puts the extractor there
	finding    lock    // for who looks for its owner
	listening  listening
	hearing    *hearing // the page is asked just now
}

// arrived is the end of a navigation, whatever came of it.
func (f *frameState) arrived() { f.asked, f.navigating, f.toLoader = time.Time{}, false, "" }

// at takes over where a frame is; of Chrome's error page that is the address that
// could not be loaded, which the address bar shows.
func (f *frameState) at(n *cdp.Frame) {
	f.url, f.mime = n.URL+n.URLFragment, n.MimeType
	if f.failed = n.UnreachableURL != ""; f.failed {
		f.url = n.UnreachableURL
	}
}

// sessionState is the root's session ("") or that of an out-of-process frame.
type sessionState struct {
	id    string
	cdp   cdp.Session
	frame cdp.FrameID // the frame it was attached for; empty for the root
	under cdp.FrameID // that frame's parent
	ready chan struct{}
	dom   bool // DOM.enable was called
	stale bool // its frames are to be read anew
	// loads holds the documents that were told to be loaded before their frames were.
	loads map[cdp.FrameID]cdp.LoaderID
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
