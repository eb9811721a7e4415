// Package browser drives tabs over the DevTools protocol. A Driver finds and opens tabs. A Tab
// is an attached tab, with its frames, its dialogs, and the extractor in an isolated world of
// each frame. Frames of other processes are flat child sessions of DevTools. There are two
// drivers, which differ only in the Transport: browser/relay uses the extension, and
// browser/direct uses a DevTools WebSocket. The package may import host/native and cdproto,
// and no package above it.
package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// TabID names a tab as long as it exists: Chrome's integer id as text in the
// relay, the CDP target id in the direct driver.
type TabID string

// TabInfo is a tab, attached or not.
type TabInfo struct {
	ID     TabID  `json:"id"`
	URL    string `json:"url"`
	Title  string `json:"title"`
	Active bool   `json:"active"`
	Opener TabID  `json:"opener,omitempty"`
}

// TabEventKind says what happened to a tab.
type TabEventKind string

// What a Driver reports of tabs, attached or not.
const (
	TabCreated   TabEventKind = "created"
	TabUpdated   TabEventKind = "updated"
	TabRemoved   TabEventKind = "removed"
	TabReplaced  TabEventKind = "replaced" // Was is the id it had before
	TabDetached  TabEventKind = "detached" // Reason says why; browser.ReasonUser when the user cancelled
	TabActivated TabEventKind = "activated"
	Downloaded   TabEventKind = "download" // Tab.ID is empty in the relay: Chrome does not tell it the tab
	DriverGone   TabEventKind = "gone"     // the relay or socket is lost; may come back (relay)
	DriverBack   TabEventKind = "back"     // a relay reconnected; tabs were adopted
)

// ReasonUser is TabEvent.Reason when the user closed Chrome's debugging bar.
const ReasonUser = "canceled_by_user"

// TabEvent says what happened to a tab, or to the driver.
type TabEvent struct {
	Kind   TabEventKind
	Tab    TabInfo
	Was    TabID  // of a replaced tab
	Reason string // why a tab was detached, a driver is gone or a download broke off, in Chrome's words
	File   string // of a download: its name, or the whole path once it is known
	State  string // of a download: in_progress, interrupted, complete
	URL    string // of a download
	GUID   string // of a download: the same in all its events
}

// Driver is a browser that can be driven.
type Driver interface {
	// Kind is "relay" or "direct".
	Kind() string
	Tabs(ctx context.Context) ([]TabInfo, error)
	// Attach returns the tab, attached and ready. Attached tabs are shared: until
	// Release it returns the same *Tab.
	Attach(ctx context.Context, id TabID) (*Tab, error)
	Open(ctx context.Context, url string, active bool, opener TabID) (TabInfo, error)
	Activate(ctx context.Context, id TabID) error
	CloseTab(ctx context.Context, id TabID) error
	// Release detaches the tab. If it is not attached, Release returns nil.
	Release(ctx context.Context, id TabID) error
	// Subscribe delivers tab events until cancel is called. Up to 256 events are
	// buffered; if the buffer is full, the oldest is dropped.
	Subscribe() (events <-chan TabEvent, cancel func())
	Close() error
}

// Numbered is a Driver that names tabs by numbers. They are valid within one run
// of the browser: when it is started again, it may give the same numbers to
// other tabs. Numbers from an earlier run are void, so that nothing is done in
// the wrong tab.
type Numbered interface {
	// Run names the run of the browser.
	Run() string
	// Void reports whether this number is of a tab of an earlier run. If another
	// tab has it now, nothing is done there until Take.
	Void(id TabID) bool
	// Take makes the number valid for the tab that has it now.
	Take(id TabID)
}

// RunOf calls Numbered.Run. It returns "" for a driver that never gives an id
// twice.
func RunOf(d Driver) string {
	if n, ok := d.(Numbered); ok {
		return n.Run()
	}
	return ""
}

// Take calls Numbered.Take, if d is a Numbered.
func Take(d Driver, id TabID) {
	if n, ok := d.(Numbered); ok {
		n.Take(id)
	}
}

// Void calls Numbered.Void. It returns false for a driver that is no Numbered.
func Void(d Driver, id TabID) bool {
	n, ok := d.(Numbered)
	return ok && n.Void(id)
}

// Transport is the part in which drivers differ: how they attach to a tab, and how
// they put the extractor into its frames.
type Transport interface {
	// Session attaches to a tab and returns its root session.
	Session(ctx context.Context, id TabID) (RootSession, error)
	Detach(ctx context.Context, id TabID) error
	// Inject puts the extractor into an isolated world of a frame (direct), or
	// of every frame of the tab (relay), and returns that world.
	Inject(ctx context.Context, id TabID, s cdp.Session, frame cdp.FrameID) (World, error)
}

// World is where Inject put the extractor: an execution context of the frame's
// session, or, when Context is 0, the isolated world of this Origin that
// Runtime.executionContextCreated reports for the frame.
type World struct {
	Context runtime.ExecutionContextID
	Origin  string
	// ClosedRoots is true if scripts in this world can't open closed shadow
	// roots, so that the Tab must hand them to the extractor. A content script
	// can: it has chrome.dom.
	ClosedRoots bool
	// Ready is true if the extractor has answered in this world.
	Ready bool
}

// RootSession is a tab's session. Child returns the flat session of one of its
// out-of-process frames.
type RootSession interface {
	cdp.Session
	Child(sessionID string) cdp.Session
	// Listen calls fn for every event of the tab and its children, one at a time
	// and in the order in which they came. fn must not block and must not Call.
	// Channels for each method would lose that order, and it matters whether
	// contexts were cleared before a navigation or after it.
	Listen(fn func(Event)) (cancel func())
	// Done is closed when the tab detached; Err then says why.
	Done() <-chan struct{}
	Err() error
}

// Event is one DevTools event. SessionID is empty for the tab itself.
type Event struct {
	SessionID string
	Method    string
	Params    jsonv2.Value
}

// Dialog is a native dialog that is open now.
type Dialog struct {
	Kind    string // alert, confirm, prompt, beforeunload
	Message string
	Default string
	URL     string
}
