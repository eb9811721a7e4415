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
	// Owner returns the extractor id of the <iframe> element of this frame, in its
	// parent frame; 0 for the main frame.
	Owner(ctx context.Context) (id int, err error)
	// PDF tells whether it shows a PDF document, or is the browser's viewer of one.
	PDF() bool
	// Content returns the bytes of its document, at most most.
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
	// Asker returns the input that asked for a file; GiveFiles gives it files if it is
	// outside the document.
	Asker(ctx context.Context, c browser.FileChooser) (f pagecontext.Frame, id int, err error)
	GiveFiles(ctx context.Context, c browser.FileChooser, files []string) error
	// DropFiles drags files over a point, and drops them there if the page accepts them.
	DropFiles(ctx context.Context, l hittarget.Lease, x, y float64, files []string, takes func() bool) error
	// Close closes the tab as a user does; closed is false without an error
	// where the page can't be asked.
	Close(ctx context.Context) (closed bool, err error)
	// Highlight outlines an element by CDP Overlay until hide is called.
	Highlight(ctx context.Context, f pagecontext.Frame, id int) (hide func(), err error)
	// Watch collects what happens in the tab from now on.
	Watch() watch
	// Undrawn reports that the page was not drawn when it should have been, and
	// returns whether it is drawn from now on.
	Undrawn() (drawn bool)
	// AwaitPage waits until a tab that was opened at an address is no longer blank.
	AwaitPage(ctx context.Context, most time.Duration) bool
	// FailedURL is the address that the tab could not load; empty if it shows a page.
	FailedURL() string
	// NeedsDrawing makes Chrome draw a page that was never painted.
	NeedsDrawing()
	// DialogOpened is closed when a native dialog opens, or is open.
	DialogOpened() <-chan struct{}
	// SetGround sets the check of all frames' documents before they are read;
	// Refused returns the refusal of the main one, if any.
	SetGround(g browser.Ground)
	Refused() *browser.Refusal
	// ConsoleMessages and PageRequests return the newest log messages and requests.
	ConsoleMessages() []browser.ConsoleMessage
	PageRequests() []browser.PageRequest
	// Resize sets the page's viewport; width 0 restores the window's.
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

// watch records what happens in a tab from its creation on; *browser.Watch.
type watch interface {
	Snapshot() browser.WatchState
	// Wait waits until nothing was pending for quiet, or for max.
	Wait(ctx context.Context, quiet, max time.Duration) browser.WatchState
	// Listen makes it see the requests that the page's scripts make from now on.
	Listen(ctx context.Context) error
	// Answered waits until none of these requests is under way; own leaves out
	// those to other sites.
	Answered(ctx context.Context, max time.Duration, own bool) browser.WatchState
	// Idle waits until the page's scripts had no request under way for quiet; false
	// after most. A request older than old does not count, unless old is 0.
	Idle(ctx context.Context, quiet, old, most time.Duration) bool
	// Rest is Wait for a page that was navigated to.
	Rest(ctx context.Context, quiet, max time.Duration) browser.WatchState
	// SuppressFileDialogs keeps the system's file dialogs closed until Close, once ready
	// has returned.
	SuppressFileDialogs(ctx context.Context, f pagecontext.Frame) (ready func())
	// Hold makes requests wait for AnswerHeld if asks returns true, until Close.
	Hold(ctx context.Context, asks func(browser.Held) bool) (ready func())
	AnswerHeld(ctx context.Context, h browser.Held, let bool) error
	// AwaitHeld waits for a held request; false if ctx or the tab ended first.
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
