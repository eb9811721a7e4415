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
	// Signals are signs of text on the page that addresses the model, reported the first
	// time they are seen there.
	Signals []safety.Signal
}

// Shown is the size of a picture in pixels, and the size of the viewport that it shows
// in CSS pixels.
type Shown struct {
	Width, Height         int
	ViewWidth, ViewHeight float64
}
