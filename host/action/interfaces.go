package action

import (
	"context"
	"encoding/json"
	"time"

	"tabwright/host/action/hittarget"
	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// frame is one document of a tab, as acting needs it.
type frame interface {
	pagecontext.Frame
	// Owner gives the extractor id of the <iframe> this frame stands in, in its
	// parent frame; 0 for the main frame.
	Owner(ctx context.Context) (id int, err error)
	// PDF tells whether it shows a PDF document, or is the browser's viewer of one.
	PDF() bool
	// Content gives the bytes of its document, as the browser's session has it.
	Content(ctx context.Context, most int) ([]byte, error)
}

// tab is an attached tab, as acting needs it; *browser.Tab through realTab.
type tab interface {
	pagecontext.Source
	ID() browser.TabID
	MainURL() string
	Title(ctx context.Context) (string, error)
	Dialog() *browser.Dialog
	HandleDialog(ctx context.Context, accept bool, text string) error
	// Input is sent on a lease, or not at all.
	Mouse(ctx context.Context, l hittarget.Lease, m mouse) error
	Key(ctx context.Context, l hittarget.Lease, e browser.KeyEvent) error
	// Send sends events in their order without waiting for each to be answered.
	Send(ctx context.Context, l hittarget.Lease, list []input) error
	Wheel(ctx context.Context, x, y, dx, dy float64) error
	Navigate(ctx context.Context, url string) error
	Reload(ctx context.Context) error
	// History goes delta entries back or forward; ok is false when there is no
	// such entry.
	History(ctx context.Context, delta int) (ok bool, err error)
	Evaluate(ctx context.Context, code string) (json.RawMessage, error)
	// Screenshot gives a picture with one pixel for each CSS pixel.
	Screenshot(ctx context.Context, o browser.ScreenshotOptions) (image []byte, mime string, err error)
	// PDF prints the page.
	PDF(ctx context.Context, o browser.PDFOptions) ([]byte, error)
	SetFiles(ctx context.Context, f pagecontext.Frame, id int, files []string) error
	// Asker gives the input that asked for a file, and GiveFiles its files where
	// it stands nowhere in the page.
	Asker(ctx context.Context, c browser.FileChooser) (f pagecontext.Frame, id int, err error)
	GiveFiles(ctx context.Context, c browser.FileChooser, files []string) error
	// DropFiles drags files over a point, and lets them go there if the page takes them.
	DropFiles(ctx context.Context, l hittarget.Lease, x, y float64, files []string, takes func() bool) error
	// Close closes the tab as a user does; closed is false without an error
	// where the page can't be asked.
	Close(ctx context.Context) (closed bool, err error)
	// Highlight outlines an element by CDP Overlay until hide is called.
	Highlight(ctx context.Context, f pagecontext.Frame, id int) (hide func(), err error)
	// Watch collects what happens in the tab from now on.
	Watch() watch
	// Undrawn says that the page was not drawn when it should have been, and tells
	// whether it is from now on.
	Undrawn() (drawn bool)
	// Opened waits until a tab that was opened at an address is no longer blank.
	AwaitPage(ctx context.Context, most time.Duration) bool
	// Failed is the address that it could not load; empty where it shows a page.
	FailedURL() string
	// NeedsDrawing has a page drawn that was never painted.
	NeedsDrawing()
	// DialogOpened is closed when a native dialog opens, or is open.
	DialogOpened() <-chan struct{}
	// SetGround has the documents of all frames judged before they are read, and
	// Refused gives the main one if it was refused.
	SetGround(g browser.Ground)
	Refused() *browser.Refusal
	// ConsoleMessages and PageRequests are the newest of the page's log and requests.
	ConsoleMessages() []browser.ConsoleMessage
	PageRequests() []browser.PageRequest
	// Resize gives the page a viewport; of no width, that of its window.
	Resize(ctx context.Context, width, height int) error
	// Done is closed when the tab is detached or gone.
	Done() <-chan struct{}
}

// backend is a browser, as a Session needs it; browser.Driver through realDriver.
type backend interface {
	Tabs(ctx context.Context) ([]browser.TabInfo, error)
	Attach(ctx context.Context, id browser.TabID) (tab, error)
	Activate(ctx context.Context, id browser.TabID) error
	Open(ctx context.Context, url string, active bool, opener browser.TabID) (browser.TabInfo, error)
	CloseTab(ctx context.Context, id browser.TabID) error
	Release(ctx context.Context, id browser.TabID) error
	Subscribe() (events <-chan browser.TabEvent, cancel func())
}

// mouse is one Input.dispatchMouseEvent in coordinates of the main frame.
type mouse struct {
	kind   string // browser.MouseMove, MouseDown, MouseUp
	x, y   float64
	button string // left, middle, right; empty for none
	clicks int
	mods   int
}

// input is one event of a sequence: of the mouse, a key, or text put in at once.
type input struct {
	mouse *mouse
	key   *browser.KeyEvent
	text  string
}

// watch is what was seen of a tab since it was asked for; *browser.Watch.
type watch interface {
	Snapshot() browser.WatchState
	// Wait waits until nothing was pending for quiet, or for max.
	Wait(ctx context.Context, quiet, max time.Duration) browser.WatchState
	// Listen has it see the requests that the page's scripts make from now on.
	Listen(ctx context.Context) error
	// Answered waits until none of them is under way; own leaves out those to
	// other sites.
	Answered(ctx context.Context, max time.Duration, own bool) browser.WatchState
	// Idle waits until no request of the page's scripts was under way for quiet;
	// false when most is over. One older than old, if that is not 0, does not count.
	Idle(ctx context.Context, quiet, old, most time.Duration) bool
	// Rest is Wait for a page that was navigated to.
	Rest(ctx context.Context, quiet, max time.Duration) browser.WatchState
	// CatchFiles keeps the system's windows for files shut until Close, from
	// when ready returns.
	CatchFiles(ctx context.Context, f pagecontext.Frame) (ready func())
	// Hold has requests wait for AnswerHeld, for which asks says so, until Close.
	Hold(ctx context.Context, asks func(browser.Held) bool) (ready func())
	AnswerHeld(ctx context.Context, h browser.Held, let bool) error
	// AwaitHeld waits until one waits; false when ctx or the tab ended first.
	AwaitHeld(ctx context.Context) bool
	Close()
}

func keyInput(e browser.KeyEvent) input { return input{key: &e} }

func keyInputs(events []browser.KeyEvent) []input {
	out := make([]input, len(events))
	for i, e := range events {
		out[i] = keyInput(e)
	}
	return out
}
