package browser

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Tab is an attached tab. Its events (tabevents.go) keep its state up to date: frames,
// worlds, dialogs, loading. For everything else it asks Chrome.
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
	posting  string       // the address to which a form of the main frame is being sent with POST
	look     string       // the first look at the last document, "summary", "list" or "tree"
	lookOf   string       // its options, JSON
	lookedAt cdp.LoaderID // that document
	posted   bool         // the main document is the answer to a form sent with POST
	buttons  int          // pressed mouse buttons, as in DOM's MouseEvent.buttons
	main     cdp.FrameID
	frames   map[cdp.FrameID]*frameState
	seq      int
	sessions map[string]*sessionState
	contexts map[contextKey]contextInfo
	origin   string // of the relay's isolated world, once known
	named    string // the isolated world that comes with each document, if one does
	followed bool   // the world of origin comes with each main document
	foretold string // the look that is begun there
	dialog   *openDialog
	up, down chan struct{} // closed while a dialog is open, or while none is
	crashed  chan struct{} // closed while the page's process is gone
	watches  map[*Watch]struct{}
	underWay map[string]time.Time // requests of the main document's scripts, since when
	asked    time.Time            // when the last of underWay ended
	foreign  map[string]bool      // WebSockets to other sites

	ground  Ground                // judges documents (ground.go)
	refused map[cdp.LoaderID]bool // documents that it refused
	refusal *Refusal              // of the main frame
	// status is the HTTP status that the document statusOf came with, the newest
	// of the main frame.
	status       int
	statusOf     cdp.LoaderID
	silent       bool     // the page did not answer when it was last asked (silence.go)
	shut         switched // prevents file choosers
	wide         switched // holds what scripts send
	messages     map[messageWorld]*messageHold
	messageCount int        // of messages that were judged
	messageLock  sync.Mutex // held while a hold of messages begins or ends; taken before mu
	quarantine   quarantine
	bodies       []sentBody // sent by scripts of the main document
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
	asked      time.Time // when its page asked for a navigation that the browser has not begun; zero if there is none
	navigating bool
	to         string       // the address that it is navigating to
	toLoader   cdp.LoaderID // the loader id of the document there
	swapping   bool         // it is leaving its process; its new session is not attached yet
	loaded     cdp.LoaderID // the document whose load event came
	was        cdp.LoaderID // the document before
	failed     bool         // it is Chrome's error page
	mime       string       // the document's type; empty for a frame's first, empty one
	began      time.Time    // when the document began, zero if the tab was not attached then
	world      *world
	owner      *owner
	kx, ky     float64 // Scale, as of the last Offset; 0 before
	turned     bool    // Turned, as of the last Offset
	injecting  lock    // held while the extractor is injected
	finding    lock    // held while its owner is looked for
	listening  listening
	hearing    *hearing // the last question to the page about its listeners
}

// arrived notes the end of a navigation, successful or not.
func (f *frameState) arrived() { f.asked, f.navigating, f.toLoader = time.Time{}, false, "" }

// at takes the frame's address and type from n. For Chrome's error page the address
// is the one that could not be loaded, as in the address bar.
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
	stale bool // its frames must be read again
	// loads has the documents whose load events came before their frames were known.
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
	t.shut.tell, t.wide.tell = catchFiles, t.holdWrites
	t.reset()
	root.Listen(t.onEvent)
	if err := t.enable(ctx, false); err != nil {
		return nil, err
	}
	return t, nil
}

// reset forgets all that Chrome reported; t.mu is held or t is not shared yet.
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

// ID returns the tab's name.
func (t *Tab) ID() TabID { return t.id }

// Session returns the tab's own session, for commands that have no method here.
func (t *Tab) Session() RootSession { return t.root }

// Done is closed when the tab is detached; Err then returns why.
func (t *Tab) Done() <-chan struct{} { return t.root.Done() }

// Err returns why the tab was detached, nil before that.
func (t *Tab) Err() error { return t.root.Err() }

// PageRev returns the page counter: the number of the main frame's document, from 1. It
// grows when the main frame navigates to another document, not within one.
func (t *Tab) PageRev() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rev
}

// URL returns the main frame's address with its fragment.
func (t *Tab) URL() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.frames[t.main]; f != nil {
		return f.url
	}
	return ""
}

// Title returns the main document's title. It reads it from the navigation history,
// which the browser process keeps, so it works while a dialog is open too.
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
