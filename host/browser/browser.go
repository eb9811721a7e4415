// Package browser drives tabs over the DevTools protocol. A Driver finds and
// opens tabs; a Tab is an attached one, with its frames (flat child sessions
// for those of other processes), its dialogs, and the extractor in an isolated
// world of each frame. Two drivers share all of it and differ only in the
// Transport: browser/relay goes through the extension, browser/direct through
// a DevTools WebSocket. It may import host/native and cdproto, nothing above.
package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// TabID names a tab for its life: Chrome's integer id as text in the relay,
// the CDP target id in the direct driver.
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
	Downloaded   TabEventKind = "download" // Tab.ID is empty in the relay, where Chrome does not say whose it is
	DriverGone   TabEventKind = "gone"     // the relay or socket is lost; may come back (relay)
	DriverBack   TabEventKind = "back"     // a relay reconnected; tabs were adopted
)

// ReasonUser is TabEvent.Reason when the user closed Chrome's debugging bar.
const ReasonUser = "canceled_by_user"

// TabEvent is one such report.
type TabEvent struct {
	Kind   TabEventKind
	Tab    TabInfo
	Was    TabID  // of a replaced tab
	Reason string // of a detached tab, a driver that is gone, or a download that broke off, as Chrome says it
	File   string // of a download: its name, or the whole path once it is known
	State  string // of a download: in_progress, interrupted, complete
	URL    string // of a download
	GUID   string // of a download: one for all its events
}

// Driver is a browser that can be driven.
type Driver interface {
	// Kind is "relay" or "direct".
	Kind() string
	Tabs(ctx context.Context) ([]TabInfo, error)
	// Attach gives the tab ready to drive; attached tabs are shared, so the
	// same *Tab comes back until Release.
	Attach(ctx context.Context, id TabID) (*Tab, error)
	Open(ctx context.Context, url string, active bool, opener TabID) (TabInfo, error)
	Activate(ctx context.Context, id TabID) error
	CloseTab(ctx context.Context, id TabID) error
	// Release detaches the tab; a tab that is not attached is no error.
	Release(ctx context.Context, id TabID) error
	// Subscribe delivers tab events until cancel is called. Events are buffered
	// (256); the oldest are dropped for a reader that does not read.
	Subscribe() (events <-chan TabEvent, cancel func())
	Close() error
}

// Numbered is a Driver whose tabs have numbers. They hold within one run of the
// browser: started anew, it may give them to other tabs, which are void for
// whoever holds such a number from before.
type Numbered interface {
	// Run names the run of the browser.
	Run() string
	// Void reports whether the tab that had this number is gone with a run before. If
	// another one has it, nothing is done in that, until Take.
	Void(id TabID) bool
	// Take says that the tab that has the number now is meant.
	Take(id TabID)
}

// RunOf is Numbered's Run; empty where ids are never given twice.
func RunOf(d Driver) string {
	if n, ok := d.(Numbered); ok {
		return n.Run()
	}
	return ""
}

// Take is Numbered's.
func Take(d Driver, id TabID) {
	if n, ok := d.(Numbered); ok {
		n.Take(id)
	}
}

// Void is Numbered's.
func Void(d Driver, id TabID) bool {
	n, ok := d.(Numbered)
	return ok && n.Void(id)
}

// Transport is the part of a driver that differs: how a session of a tab is
// had, and how the extractor gets into its frames.
type Transport interface {
	// Session gives the root session of a tab, attaching to it.
	Session(ctx context.Context, id TabID) (RootSession, error)
	Detach(ctx context.Context, id TabID) error
	// Inject puts the extractor into an isolated world of a frame (direct), or
	// of every frame of the tab (relay), and says which world that is.
	Inject(ctx context.Context, id TabID, s cdp.Session, frame cdp.FrameID) (World, error)
}

// World is where Inject put the extractor: an execution context of the frame's
// session, or, when Context is 0, the isolated world of this Origin that
// Runtime.executionContextCreated reports for the frame.
type World struct {
	Context runtime.ExecutionContextID
	Origin  string
	// ClosedRoots: scripts in this world can't see into closed shadow roots, so
	// the Tab hands those to the extractor. A content script has chrome.dom.
	ClosedRoots bool
	// Ready: the extractor has answered there.
	Ready bool
}

// RootSession is a tab's session; Child gives the flat session of one of its
// out-of-process frames.
type RootSession interface {
	cdp.Session
	Child(sessionID string) cdp.Session
	// Listen calls fn for every event of the tab and its children, in the order
	// of the wire, one at a time; fn must not block and must not Call. The order
	// is why: a context that was cleared after a navigation is another one than
	// a context cleared before it, and channels per method can't tell.
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
