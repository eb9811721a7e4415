package action

import (
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// Observation is a look at the current tab.
type Observation struct {
	Text       string
	Image      []byte
	MIME       string
	Shown      Shown // what Image shows
	URL        string
	Title      string
	PageRev    int
	SnapshotID string
	// Dialog is the native dialog that is open; then nothing else is seen.
	Dialog *browser.Dialog
	// Summary and Elements are what Text was written from.
	Summary  *pagecontext.Summary
	Elements *pagecontext.Listing
	// Signals are signs that text on the page speaks to the model, the first time
	// they are seen there.
	Signals []safety.Signal
}

// Shown is how large a picture is in pixels, and what it shows in CSS pixels of the
// viewport.
type Shown struct {
	Width, Height         int
	ViewWidth, ViewHeight float64
}
