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

// MaxPagePixels is how much of a long page FullPage takes: GPU textures end at
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

// Kinds of Mouse event.
const (
	MouseMove = "move"
	MouseDown = "down"
	MouseUp   = "up"
)

// KeyEvent is one keyboard event; Key gives it to the page.
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

// Navigation is one of the main frame, as a Watch saw it.
type Navigation struct {
	URL          string
	SameDocument bool
	Document     string // loader id
	Failed       bool   // Chrome shows its error page
	MIME         string // of a new document
	Status       int    // HTTP status of a new document; 0 where no server answered
}

// Download is one that began in the tab.
type Download struct {
	GUID  string
	URL   string
	File  string // the suggested name, or the path once it is known
	State string // in_progress, interrupted, complete
	// Reason is why it was interrupted: chrome.downloads.InterruptReason through
	// the extension, empty over DevTools, which does not say.
	Reason string
}

// WatchState is what a Watch saw so far.
type WatchState struct {
	Navigations []Navigation
	NewTabs     []TabInfo
	ClosedTabs  []TabInfo // that were opened and are gone again
	// FileChoosers are the windows for files that the page asked for and that
	// were not opened (CatchFiles).
	FileChoosers []FileChooser
	// Leaving is where the main frame is going, until the server there answers.
	Leaving   string
	Dialogs   []Dialog
	Downloads []Download
	// Pending counts the navigations of any frame that were asked for or begun
	// and have not finished; Loading, that the main frame has not finished
	// loading.
	Pending int
	Loading bool
	// Asked: the main frame's page asked for a navigation that the browser has not
	// begun.
	Asked bool
	// Requests are those under way that scripts began since Listen, to the
	// page's own site; Foreign those to others.
	Requests, Foreign int
	// Held are requests that wait for a word (Hold); Wait, Rest and Answered end
	// as one comes.
	Held []Held
	// Settled: nothing was pending for the quiet time asked for, in Wait.
	Settled bool
	// Title is the main document's, of Rest only.
	Title string
	// Detached is why the tab went away in the middle, or nil.
	Detached error
	Last     time.Time // of the last event that counted
}
