package browser

import "time"

// ScreenshotOptions says what picture to take. The zero value is a JPEG of the
// viewport, one pixel per CSS pixel, so that points on it are points in the
// page.
type ScreenshotOptions struct {
	PNG, WebP    bool // instead of a JPEG
	Quality      int  // of a JPEG or WebP, 1 to 100; 0 = 80
	FullPage     bool // the whole document, at most MaxPagePixels high
	Clip         *Box // in CSS pixels of the document; nil = all
	DevicePixels bool // one pixel per device pixel instead
}

// MaxPagePixels is how high a picture of FullPage is at most: GPU textures end at
// 16,384 pixels, and Chrome repeats the page's top below that.
const MaxPagePixels = 16384

// Box is a box in CSS pixels.
type Box struct{ X, Y, Width, Height float64 }

// Modifiers of mouse and key events, added together.
const (
	ModAlt   = 1
	ModCtrl  = 2
	ModMeta  = 4
	ModShift = 8
)

// Kinds of MouseEvent.
const (
	MouseMove = "move"
	MouseDown = "down"
	MouseUp   = "up"
)

// KeyEvent is one keyboard event; Tab.Key sends it.
type KeyEvent struct {
	Up        bool
	Key       string // DOM key: a, Enter, ArrowLeft
	Code      string // DOM code: KeyA, Enter
	Text      string // what the key types, empty for none; ignored for Up
	KeyCode   int    // Windows virtual key code
	Location  int    // 1 left, 2 right, 3 numpad
	Modifiers int
	Repeat    bool
	Commands  []string // editing commands, such as selectAll
}

// Navigation is a navigation of the main frame that a Watch saw.
type Navigation struct {
	URL          string
	SameDocument bool
	Document     string // loader id
	Failed       bool   // Chrome shows its error page
	MIME         string // of a new document
	Status       int    // HTTP status of a new document; 0 if no server answered
}

// Download is a download that began in the tab.
type Download struct {
	GUID  string
	URL   string
	File  string // the suggested name, or the path once it is known
	State string // in_progress, interrupted, complete
	// Reason is why it was interrupted: a chrome.downloads.InterruptReason through
	// the extension, empty over DevTools, which does not tell.
	Reason string
}

// WatchState is what a Watch saw so far.
type WatchState struct {
	Navigations []Navigation
	NewTabs     []TabInfo
	ClosedTabs  []TabInfo // new tabs that are closed again
	// FileChoosers are the file choosers that the page asked for and that were not
	// opened (SuppressFileDialogs).
	FileChoosers []FileChooser
	// Leaving is the address that the main frame is going to, until the server
	// answers.
	Leaving   string
	Dialogs   []Dialog
	Downloads []Download
	// Pending counts the navigations of all frames that were asked for or have
	// begun and have not finished, and windows that are about to open. Loading is
	// true until the main frame has finished loading.
	Pending int
	Loading bool
	// Asked is true if the main frame's page asked for a navigation that the
	// browser has not begun.
	Asked bool
	// Requests counts the requests under way that scripts began since Listen and
	// that go to the page's own site, Foreign those to other sites.
	Requests, Foreign int
	// Talks is how much longer answers may come to messages that the page sent over a
	// WebSocket since Listen.
	Talks time.Duration
	// Shell is true if the page's main part is or may be empty after its load: its scripts
	// fetch the content. Only Rest sets it.
	Shell bool
	// Held are the requests that wait for AnswerHeld. Wait, Rest and Answered end
	// when there is one.
	Held []Held
	// Settled is true if Wait or Rest ended because nothing happened for the quiet
	// time.
	Settled bool
	// Title is the main document's title; only Rest sets it.
	Title string
	// Detached is why the tab went away, or nil.
	Detached error
	Last     time.Time // of the last event that counted
}
