package page

import (
	"context"
	"slices"
	"time"

	"tabwright/safety"
)

// Guard is what must arrive in a frame, and where. There is one at a time in a frame.
type Guard struct {
	Token       string `json:"token"`
	ID          int    `json:"id"`
	Node        int    `json:"node,omitempty"` // that no other may stand in for
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
	Focus       string `json:"focus,omitempty"` // one of those below
}

// How a field gets the keyboard before keys are sent to it.
const (
	FocusCaret  = "caret"  // to write behind what it holds
	FocusAdd    = "add"    // the same, where nothing that it holds may be lost
	FocusSelect = "select" // to replace what it holds
	FocusGap    = "gap"    // to fill in a mask
)

// ArmReport is how a frame stands behind its guard: Sure that nothing there takes input
// past the guards, Still that the node is where the look found it, Box that it takes one
// character and the page may move the keyboard on, Unpainted that the document was not
// painted yet, and nothing was done.
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
	Gone bool   `json:"gone"` // what it was sent to was taken away on its way
	// Popup says that it was sent to a list or a window that came over the target
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
	Presses int          `json:"presses,omitempty"` // that came and were let go
	WentOn  bool         `json:"wentOn,omitempty"`  // characters went to further boxes of a row
	Boxes   []string     `json:"boxes,omitempty"`   // what those hold then, if that is no secret
	Refused bool         `json:"refused,omitempty"` // the page let the browser make no input of the keys
	Stopped []Stop       `json:"stopped"`
	Sending *PendingForm `json:"sending,omitempty"`
	Effects *Effects     `json:"effects,omitempty"`

	// Active is whether a frame has been pressed or typed in, of which the page
	// can't keep Chrome from knowing.
	Active bool `json:"active,omitempty"`

	// Acted is whether the target was something else as soon as it was pressed.
	Acted bool `json:"acted,omitempty"`

	// Stepped is whether all that the press itself changed is one number beside the
	// target, as a stepper's arrows do.
	Stepped bool `json:"stepped,omitempty"`
}

// Disarm takes a guard away. With effects it waits for what came of the act, unless
// something was stopped.
func Disarm(ctx context.Context, f Frame, token string, effects *EffectOptions) (GuardReport, error) {
	return call[GuardReport](ctx, f, "disarm", struct {
		Token   string         `json:"token"`
		Effects *EffectOptions `json:"effects,omitempty"`
	}{token, effects})
}

type token struct {
	Token string `json:"token"`
}

// Renewal says whether a guard stood still, and whether it kept a release from the page.
type Renewal struct {
	OK   bool `json:"ok"`
	Held bool `json:"held"`
}

// Renew begins the time of a guard anew.
func Renew(ctx context.Context, f Frame, of string) (Renewal, error) {
	return call[Renewal](ctx, f, "renew", token{of})
}

// Painted waits for the first paint of a document.
func Painted(ctx context.Context, f Frame, most time.Duration) (bool, error) {
	got, err := call[struct {
		Painted bool `json:"painted"`
	}](ctx, f, "painted", map[string]int64{"ms": most.Milliseconds()})
	return got.Painted, err
}

// LastBox gives the last box of a row that holds something the keyboard; false where none
// does.
func LastBox(ctx context.Context, f Frame, of string) (filled bool, err error) {
	got, err := call[struct {
		Filled bool `json:"filled"`
	}](ctx, f, "lastBox", token{of})
	return got.Filled, err
}

// MovedOn waits until the page moves the keyboard on from the box that was written in last.
func MovedOn(ctx context.Context, f Frame, of string, most time.Duration) (bool, error) {
	got, err := call[struct {
		Moved bool `json:"moved"`
	}](ctx, f, "movedOn", struct {
		Token string `json:"token"`
		MS    int64  `json:"ms"`
	}{of, most.Milliseconds()})
	return got.Moved, err
}
