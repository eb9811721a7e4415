package page

import (
	"context"
	"slices"
	"time"

	"tabwright/safety"
)

// Guard says which input may arrive in a frame, and where. A frame has one at a time.
type Guard struct {
	Token       string `json:"token"`
	ID          int    `json:"id"`
	Node        int    `json:"node,omitempty"` // the node that no other may replace
	IframeID    int    `json:"iframeId,omitempty"`
	DropID      int    `json:"dropId,omitempty"`
	DropAt      bool   `json:"dropAt,omitempty"` // the drag ends at a point
	Fingerprint string `json:"fingerprint"`
	Seen        int    `json:"seen"`
	Name        string `json:"name"`
	Kind        string `json:"kind"`
	MS          int64  `json:"ms"`
	Whole       bool   `json:"whole,omitempty"`
	Submits     bool   `json:"submits,omitempty"`
	SendsTo     string `json:"sendsTo,omitempty"`
	Watch       bool   `json:"watch,omitempty"`
	Keep        bool   `json:"keep,omitempty"` // the page's storage is remembered, for undo
	Written     bool   `json:"written,omitempty"`
	Breaks      bool   `json:"breaks,omitempty"`
	NextID      int    `json:"nextId,omitempty"`
	NextPrint   string `json:"nextPrint,omitempty"`
	Unpainted   bool   `json:"unpainted,omitempty"`
	Focus       string `json:"focus,omitempty"` // one of the constants below
}

// The ways to focus a field before keys are sent to it.
const (
	FocusCaret  = "caret"  // to write after its text
	FocusAdd    = "add"    // the same, but none of its text may be lost
	FocusSelect = "select" // to replace its text
	FocusGap    = "gap"    // to fill in a mask
)

// ArmReport is the state of a frame behind its guard. Sure says that nothing there takes
// input before the guards, Still that the node is where the look found it, Box that it
// takes one character and the page may move the keyboard on, Unpainted that the document
// was not painted yet, and nothing was done.
type ArmReport struct {
	Sure      bool   `json:"sure"`
	Still     bool   `json:"still"`
	Focused   bool   `json:"focused"`
	Box       bool   `json:"box"`
	Unpainted bool   `json:"unpainted"`
	Page      *Lines `json:"page"`
}

// Arm puts a guard into a frame.
func Arm(ctx context.Context, f Frame, g Guard) (ArmReport, error) {
	return call[ArmReport](ctx, f, "arm", g)
}

// Stop is one event that a guard stopped.
type Stop struct {
	Type string `json:"type"`
	Why  string `json:"why"`
	On   string `json:"on"`
	Gone bool   `json:"gone"` // its target was removed while it was on its way
	// Popup says that it was sent to a list or a window that opened over the target
	// with the press.
	Popup bool `json:"popup"`
}

// Begins tells whether it was the beginning of a press.
func (s Stop) Begins() bool { return slices.Contains([]string{"pointerdown", "mousedown"}, s.Type) }

// PendingForm is a form that a script of the page was about to send.
type PendingForm struct {
	Form   safety.Form `json:"form"`
	Button string      `json:"button"`
}

// GuardReport is what a guard saw.
type GuardReport struct {
	Arrived int          `json:"arrived"`
	Presses int          `json:"presses,omitempty"` // presses that were passed on with their release
	WentOn  bool         `json:"wentOn,omitempty"`  // characters went to further boxes of a row
	Boxes   []string     `json:"boxes,omitempty"`   // the values of those, unless secret
	Refused bool         `json:"refused,omitempty"` // the page prevented the keys' input
	Stopped []Stop       `json:"stopped"`
	Sending *PendingForm `json:"sending,omitempty"`
	Effects *Effects     `json:"effects,omitempty"`

	// Active is set if the guard saw no event, but Chrome reports a recent press or key
	// in the frame (transient user activation), which a page can't hide.
	Active bool `json:"active,omitempty"`

	// Acted is set if the target's facts had changed by the event after its press or
	// release: the page answered it at once.
	Acted bool `json:"acted,omitempty"`

	// Stepped is set if the press itself changed only one number beside the target, as
	// a stepper's arrows do.
	Stepped bool `json:"stepped,omitempty"`
}

// Disarm removes a guard. With effects it waits for the act's effects, unless an event was
// stopped.
func Disarm(ctx context.Context, f Frame, token string, effects *EffectOptions) (GuardReport, error) {
	return call[GuardReport](ctx, f, "disarm", struct {
		Token   string         `json:"token"`
		Effects *EffectOptions `json:"effects,omitempty"`
	}{token, effects})
}

// Renewal says whether a guard was still there, and whether it kept a release from the page.
type Renewal struct {
	OK   bool `json:"ok"`
	Held bool `json:"held"`
}

// Renew starts the lease of a guard anew.
func Renew(ctx context.Context, f Frame, of string) (Renewal, error) {
	return call[Renewal](ctx, f, "renew", args{"token": of})
}

// Painted waits for the first paint of a document.
func Painted(ctx context.Context, f Frame, most time.Duration) (bool, error) {
	return one[bool](ctx, f, "painted", args{"ms": most.Milliseconds()}, "painted")
}

// LastBox focuses the last filled box of a row; false if none is
// filled.
func LastBox(ctx context.Context, f Frame, of string) (filled bool, err error) {
	return one[bool](ctx, f, "lastBox", args{"token": of}, "filled")
}

// MovedOn waits until the page moves the keyboard on from the last written box.
func MovedOn(ctx context.Context, f Frame, of string, most time.Duration) (bool, error) {
	return one[bool](ctx, f, "movedOn", args{"token": of, "ms": most.Milliseconds()}, "moved")
}
