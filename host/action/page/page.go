// Package page is the typed client of the extractor, the script that reads a page and guards
// input in it (extension/src/extractor/api.ts). It has a typed function for each call that
// actions need. Reads of whole pages call the extractor through pagecontext instead. The
// package may import pagecontext and safety. Start reading at Frame.
package page

import (
	"context"
	"encoding/json"
	"time"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// Frame is one document of a tab, in which the extractor runs.
type Frame interface {
	// Call calls a function of the extractor in the frame. Argument and result are JSON.
	Call(ctx context.Context, fn string, arg, result any) error
}

// call calls a function and returns its result.
func call[R any](ctx context.Context, f Frame, fn string, arg any) (R, error) {
	var got R
	err := f.Call(ctx, fn, arg, &got)
	return got, err
}

// args are the parameters of a call, by name.
type args map[string]any

// one is call for a result of which one field is wanted.
func one[R any](ctx context.Context, f Frame, fn string, arg any, name string) (R, error) {
	var value R
	got, err := call[map[string]json.RawMessage](ctx, f, fn, arg)
	if raw := got[name]; err == nil && raw != nil {
		err = json.Unmarshal(raw, &value)
	}
	return value, err
}

// Error is why the extractor did not do what it was asked. Its codes are those of
// actions, and invalid_selector.
type Error struct {
	Code       string                   `json:"code"`
	Message    string                   `json:"message"`
	Candidates []pagecontext.RawElement `json:"candidates,omitempty"`
	Cover      *pagecontext.RawElement  `json:"cover,omitempty"`
	Matches    int                      `json:"matches,omitempty"`
	Seen       int                      `json:"seen,omitempty"`
	Over       int                      `json:"over,omitempty"` // the element that the mouse must be over to show this one
}

// Point is a point of a frame's viewport, in CSS pixels.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Locator names the target of an action: an element by its id or a selector, a point, or
// the element with the keyboard focus.
type Locator struct {
	ID       int      `json:"id,omitempty"`
	Selector string   `json:"selector,omitempty"`
	X        *float64 `json:"x,omitempty"`
	Y        *float64 `json:"y,omitempty"`
	Focused  bool     `json:"focused,omitempty"`
	Exact    bool     `json:"exact,omitempty"` // the match itself, not the control around it
	Part     bool     `json:"part,omitempty"`  // the selector may be a line of the list that names a part of the page
	Ready    string   `json:"ready,omitempty"` // a kind of act: tells also where it takes that act now
}

// Resolved is the target of a Locator, with the facts that the gate judges, or an error.
type Resolved struct {
	ID      int                    `json:"id"`
	Node    int                    `json:"node"`
	Element pagecontext.RawElement `json:"element"`
	Target  safety.Target          `json:"target"`
	Iframe  bool                   `json:"iframe"`
	Hovered bool                   `json:"hovered"`
	Part    int                    `json:"part"`
	Seen    int                    `json:"seen"`
	Page    safety.Page            `json:"page"`
	At      *Place                 `json:"at"`
	Error   *Error                 `json:"error"`
}

// Place is where an element takes an act now, if nothing needs a wait.
type Place struct {
	Point Point `json:"point"`
}

// Resolve finds the target of a locator.
func Resolve(ctx context.Context, f Frame, l Locator) (Resolved, error) {
	return call[Resolved](ctx, f, "resolve", l)
}

// Check is Resolve for an element that was shown; it is an error if it is another now.
func Check(ctx context.Context, f Frame, e pagecontext.Entry, ready string) (Resolved, error) {
	return call[Resolved](ctx, f, "check", struct {
		ID    int    `json:"id"`
		Role  string `json:"role"`
		Name  string `json:"name"`
		Seen  int    `json:"seen"`
		Ready string `json:"ready,omitempty"`
	}{e.LocalID, e.Role, e.Name, e.Seen, ready})
}

// NextRadio returns the radio button that an arrow key on a radio button selects; its ID
// is 0 if it selects none.
func NextRadio(ctx context.Context, f Frame, id int, key string) (Resolved, error) {
	return call[Resolved](ctx, f, "nextRadio", args{"id": id, "key": key})
}

// Segment is one part of a field for a date or time, and what to type into it.
type Segment struct {
	Part Resolved `json:"part"`
	Text string   `json:"text"`
}

// Segments returns the parts of the date or time field around a spin button, for a text
// such as 2026-12-24T18:30; none if it is no such field.
func Segments(ctx context.Context, f Frame, id int, text string) ([]Segment, error) {
	return one[[]Segment](ctx, f, "segments", args{"id": id, "text": text}, "parts")
}

// Facts returns what the gate knows of the page, and of the surroundings of an element; id
// is 0 for none.
func Facts(ctx context.Context, f Frame, id int) (safety.Page, error) {
	return call[safety.Page](ctx, f, "pageFacts", struct {
		ID int `json:"id,omitempty"`
	}{id})
}

// BriefFacts returns only the page's address and title.
func BriefFacts(ctx context.Context, f Frame) (safety.Page, error) {
	return call[safety.Page](ctx, f, "pageFacts", args{"brief": true})
}

// ReadyOptions say for which act an element must be ready, and how long to wait.
type ReadyOptions struct {
	ID      int    `json:"id"`
	Kind    string `json:"kind"`
	Timeout int64  `json:"timeoutMs"`
	Moving  bool   `json:"moving"` // it never stands still
	Part    int    `json:"part,omitempty"`
	Over    int    `json:"over,omitempty"` // the element that the mouse is over to show it
}

// Readiness is the point where an element takes an act, or why it takes none.
type Readiness struct {
	Point  Point  `json:"point"`
	Moving bool   `json:"moving"`
	Error  *Error `json:"error"`
}

// Ready scrolls an element into view and waits until it is visible, still, enabled and hit.
func Ready(ctx context.Context, f Frame, o ReadyOptions) (Readiness, error) {
	return call[Readiness](ctx, f, "ready", o)
}

// Hit says whether a point still hits an element.
type Hit struct {
	OK     bool                    `json:"ok"`
	Beside bool                    `json:"beside"` // the element has moved on
	Cover  *pagecontext.RawElement `json:"cover"`
}

// Hits asks whether a point hits an element.
func Hits(ctx context.Context, f Frame, id int, at Point) (Hit, error) {
	return call[Hit](ctx, f, "hits", args{"id": id, "x": at.X, "y": at.Y})
}

// State is the state of an element.
type State struct {
	Visible  bool             `json:"visible"`
	InView   bool             `json:"inView"`
	Rect     pagecontext.Rect `json:"rect"`
	Enabled  bool             `json:"enabled"`
	Editable bool             `json:"editable"`
	Editor   bool             `json:"editor"`
	Console  bool             `json:"console"`
	Focused  bool             `json:"focused"`
	Entered  bool             `json:"entered"` // a field inside it has the keyboard focus
	Expanded bool             `json:"expanded"`
	Checked  string           `json:"checked"`
	Error    *Error           `json:"error"`
}

// StateOf returns the state of an element.
func StateOf(ctx context.Context, f Frame, id int) (State, error) {
	return call[State](ctx, f, "state", args{"id": id})
}

// Focus focuses an element; false if it does not take the focus.
func Focus(ctx context.Context, f Frame, id int) (bool, error) {
	return one[bool](ctx, f, "focus", args{"id": id}, "ok")
}

// IntoView scrolls to an element. With always it does so even if the element is in its
// frame's viewport, for the frames around that.
func IntoView(ctx context.Context, f Frame, id int, always bool) (*Error, error) {
	got, err := call[struct {
		Error *Error `json:"error"`
	}](ctx, f, "intoView", struct {
		ID     int  `json:"id"`
		Always bool `json:"always,omitempty"`
	}{id, always})
	return got.Error, err
}

// Viewport returns the size of a frame's viewport.
func Viewport(ctx context.Context, f Frame) (pagecontext.Size, error) {
	return call[pagecontext.Size](ctx, f, "viewport", nil)
}

// Scroll says what to scroll, and how far: an element, the list of a selector's items, or the page.
type Scroll struct {
	ID     int     `json:"id,omitempty"`
	Items  string  `json:"items,omitempty"`
	DX     float64 `json:"dx"`
	DY     float64 `json:"dy"`
	Within bool    `json:"within,omitempty"` // no further than most of the scrolled box's visible part
	Look   bool    `json:"look,omitempty"`   // don't scroll, only tell whether it could
}

// Scrolled is the scroll position after a scroll.
type Scrolled struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Moved bool    `json:"moved"`
	AtEnd bool    `json:"atEnd"`
	ID    int     `json:"id"` // of the scrolled element; 0 for the page
}

// ScrollBy scrolls.
func ScrollBy(ctx context.Context, f Frame, s Scroll) (Scrolled, error) {
	return call[Scrolled](ctx, f, "scrollBy", s)
}

// Drawing says whether a page is drawn: Frames at all, Undrawn too seldom. Asked says that
// its scripts have asked for a timer or a frame since the last call.
type Drawing struct {
	Frames  bool `json:"frames"`
	Undrawn bool `json:"undrawn"`
	Asked   bool `json:"asked"`
}

// Drawn waits until the page has drawn the effects of an act.
func Drawn(ctx context.Context, f Frame, most time.Duration) (Drawing, error) {
	return call[Drawing](ctx, f, "drawn", args{"minMs": 0, "maxMs": most.Milliseconds()})
}

// AwaitContent waits for a page that is a shell (browser.WatchState), until it has content and stands still.
func AwaitContent(ctx context.Context, f Frame, most time.Duration) error {
	return f.Call(ctx, "awaitContent", args{"maxMs": most.Milliseconds()}, nil)
}

// TakenUp waits for a page that may require the button held before a drag starts.
func TakenUp(ctx context.Context, f Frame, most time.Duration) error {
	return f.Call(ctx, "takenUp", args{"maxMs": most.Milliseconds()}, nil)
}

// MadeRoom waits until the page has drawn the moves of a drag, and made room for the
// dragged element; undrawn says that it draws too seldom.
func MadeRoom(ctx context.Context, f Frame, most time.Duration) (undrawn bool, err error) {
	return one[bool](ctx, f, "madeRoom", args{"maxMs": most.Milliseconds()}, "undrawn")
}

// TakesDrop tells whether the page takes what was dragged over it since BeginDrop.
func TakesDrop(ctx context.Context, f Frame) (bool, error) {
	return one[bool](ctx, f, "takesDrop", args{}, "takes")
}

// BeginDrop starts to record whether the page takes what is dragged over it.
func BeginDrop(ctx context.Context, f Frame) error {
	return f.Call(ctx, "takesDrop", args{"begin": true}, nil)
}
