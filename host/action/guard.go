package action

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// guardStop is one event that a guard stopped.
type guardStop struct {
	Type string `json:"type"`
	Why  string `json:"why"`
	On   string `json:"on"`
	Gone bool   `json:"gone"` // what it was sent to was taken away on its way
	// Popup says that it was sent to a list or a window that came over the target
	// with the press.
	Popup bool `json:"popup"`
}

// begins tells whether it was the beginning of a press.
func (s guardStop) begins() bool {
	return slices.Contains([]string{"pointerdown", "mousedown"}, s.Type)
}

// guardReport is GuardReport of the extractor.
type guardReport struct {
	Arrived int          `json:"arrived"`
	Presses int          `json:"presses,omitempty"` // that came and were let go
	WentOn  bool         `json:"wentOn,omitempty"`  // characters went to further boxes of a row
	Boxes   []string     `json:"boxes,omitempty"`   // what those hold then, if that is no secret
	Refused bool         `json:"refused,omitempty"` // the page let the browser make no input of the keys
	Stopped []guardStop  `json:"stopped"`
	Sending *pendingForm `json:"sending,omitempty"`
	Effects *effects     `json:"effects,omitempty"`

	// Active is whether a frame has been pressed or typed in, of which the page
	// can't keep Chrome from knowing.
	Active bool `json:"active,omitempty"`

	// Acted is whether the target was something else as soon as it was pressed.
	Acted bool `json:"acted,omitempty"`

	// Stepped is whether all that the press itself changed is one number beside the
	// target, as a stepper's arrows do.
	Stepped bool `json:"stepped,omitempty"`

	silent bool // the target's frame did not answer
	unsure bool // some frame did not
}

// pendingForm is a form that a script of the page was about to send.
type pendingForm struct {
	Form   safety.Form `json:"form"`
	Button string      `json:"button"`
}

// errSends is what sending input gives when the guard stopped a form that the
// page's script was about to send with it: that is to be judged as well.
var errSends = &Error{Code: StaleRef, Message: "the page was about to send a form with this"}

// guard is Guard of the extractor.
type guard struct {
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
	Keep        bool   `json:"keep,omitempty"` // the page's storage is remembered (undo.go)
	Written     bool   `json:"written,omitempty"`
	Breaks      bool   `json:"breaks,omitempty"`
	NextID      int    `json:"nextId,omitempty"`
	NextPrint   string `json:"nextPrint,omitempty"`
	Unpainted   bool   `json:"unpainted,omitempty"`
	Focus       string `json:"focus,omitempty"` // one of those below
}

// How a field gets the keyboard before keys are sent to it.
const (
	focusCaret  = "caret"  // to write behind what it holds
	focusAdd    = "add"    // the same, where nothing that it holds may be lost
	focusSelect = "select" // to replace what it holds
	focusGap    = "gap"    // to fill in a mask
)

// errMissed is what sending input gives when all of it would have reached
// something else than the target, and the guard stopped it.
var errMissed = &Error{Code: StaleRef, Message: "the input would have reached something else"}

// sendGuarded sends input while the extractor listens in the target's frame and
// in every frame above it: an event that reaches another node, or that would
// do something else than what was judged, is stopped there.
func (r *run) sendGuarded(ctx context.Context, w *effectRecorder, a *element, kind string, send func(context.Context) *Error) *Error {
	return r.guardedDrop(ctx, w, a, nil, kind, send)
}

// guardedDrop is guarded for a drag, which has a second end.
func (r *run) guardedDrop(ctx context.Context, w *effectRecorder, a, drop *element, kind string, send func(context.Context) *Error) *Error {
	g, err := r.install(ctx, w, guardRequest{a: a, drop: drop, kind: kind})
	if err == nil {
		err = g.send(ctx, send)
	}
	if err == errMissed {
		err = r.otherHitError(ctx, a)
	}
	return err
}

// send sends input behind the guards and takes them away again.
func (g *guards) send(ctx context.Context, send func(context.Context) *Error) *Error {
	r, w := g.r, g.w
	if err := r.recorded(); err != nil {
		g.remove(ctx, frameTime, false)
		return err
	}
	clear(w.early) // what came with the last part isn't all any more
	expected := ctx
	if g.sure {
		expected = browser.Guarded(ctx)
	}
	sent := w.race(withLease(expected, g), send)
	if w.dialog() != nil {
		return nil // the page stands still; the guard runs out by itself
	}
	if ctx.Err() != nil {
		// Stopped in the middle of a busy page: it is not waited for, but the
		// guard must go, or the user's own clicks would be stopped by it.
		r.s.loose.Go(func() { g.remove(ctx, actionTime/2, false) })
		return sent
	}
	report := g.remove(ctx, frameTime, sent == nil && !w.more)
	g.arrived, g.presses, g.cut = report.Arrived, report.Presses, len(report.Stopped) > 0
	g.wentOn, g.boxes, g.refused = report.WentOn, report.Boxes, report.Refused
	err := r.classifyStops(g, report)
	if err == errMoved && g.focus != "" && g.arrived > 0 {
		r.part = g.a
	}
	if err != nil {
		g.nowhere = g.nowhere && sent == nil && !report.unsure && !report.Active && !w.anyEffect()
		return err
	}
	return sent
}

// anyEffect tells whether anything came of an act that shows without a look into the
// page.
func (w *effectRecorder) anyEffect() bool {
	st := w.tab.Snapshot()
	return len(st.Held)+len(st.NewTabs)+len(st.ClosedTabs)+len(st.Downloads)+len(st.FileChoosers)+len(st.Navigations) > 0 ||
		st.Waits(false) > w.before.Waits(false) || st.Pending > w.before.Pending || w.refused != nil
}

// classifyStops turns what the guards stopped into an error.
func (r *run) classifyStops(g *guards, report guardReport) *Error {
	if len(report.Stopped) == 0 {
		if report.Arrived == 0 && !report.silent && g.kind == "pointer" && g.sure && r.res.Sent {
			g.nowhere = true
			return &Error{
				Code: Covered, Message: "the input was sent and did not reach " + g.a.String() + ": something came over it, which may be a window of the browser's own (a question for a password, a permission, another program)",
				Hint: "Look at the page before trying again; if nothing is over it there, only the user can answer that window: navigate to a page of another site, such as about:blank, which closes it, or tell them.",
			}
		}
		return nil
	}
	none := report.Arrived == 0 && report.Sending == nil
	if none {
		r.res.Sent = g.sent // what was sent before them stays sent
	}
	r.s.o.Log.Debug().Interface("stopped", report.Stopped).Int("arrived", report.Arrived).Str("target", g.a.String()).Msg("the guard stopped input")
	if report.Sending != nil {
		r.sending = report.Sending
		return errSends
	}
	// The first stop is the reason; what follows a stopped press is stopped with
	// it, if another frame than the target's had that one too.
	// A click that was stopped comes before any press that follows it.
	first := report.Stopped[0]
	if first.Type != "click" {
		first = report.Stopped[max(0, slices.IndexFunc(report.Stopped, guardStop.begins))]
	}
	if first.Why != "other_node" {
		r.answered = report.Acted && report.Arrived > 0 && first.Type != "pointerdown"
		if r.answered && first.Type == "click" && (report.Stepped || r.hasKeyboard(g.ctx, g.a) || r.hasToggled(g.ctx, g.a) || r.hasOpened(g.ctx, g.a)) {
			r.answered = false
			return nil
		}
		return errMoved
	}
	if report.Arrived > 0 && !first.Gone && g.kind != "drag" && slices.Contains(releases, first.Type) && (first.Popup || r.isGone(g.ctx, g.a) || r.hasKeyboard(g.ctx, g.a) || r.hasOpened(g.ctx, g.a)) {
		// It acts on the press itself, or on its end, and is gone, or it is a field,
		// which has the keyboard then, or says that it is open now, and a calendar or a
		// list came over it; what follows, which would have reached what lay there, was stopped. Taken away
		// while the release was on its way to it, it was exchanged and did nothing.
		return nil
	}
	if g.kind == "key" && (r.enters || r.spec.Name != "pressKey") && report.Arrived > 0 && !slices.ContainsFunc(report.Stopped, func(s guardStop) bool { return s.Type != "keyup" && s.Type != "keypress" }) {
		return nil // what it did took the keyboard elsewhere, as a form that is not filled in does
	}
	r.reached = short(pagecontext.Flatten(first.On), 80)
	if none && g.kind == "pointer" {
		return errMissed
	}
	return r.otherHitError(context.WithoutCancel(g.ctx), g.a)
}

// releases are what follows a press or its end, and does nothing where that
// acted.
var releases = []string{"pointerup", "mouseup", "keyup", "keypress"}

// otherHitError is the error for input that would have reached something else.
func (r *run) otherHitError(ctx context.Context, a *element) *Error {
	why := "at the last moment the input would have reached something else"
	if r.reached != "" {
		why += ": " + r.reached
	}
	return r.staleError(ctx, a, why)
}

// guardRequest is what a guard is for.
type guardRequest struct {
	a, drop *element
	kind    string   // pointer, key or drag
	focus   string   // how the target gets the keyboard first, in the same call
	whole   bool     // a press and its release, and neither without the other
	written bool     // a part of what is to be written in the target went in before
	breaks  bool     // Enter is a line break there
	next    *element // the radio button that an arrow key presses
}

// armed is the guard of one frame.
type armed struct {
	f frame
	g guard
}

// guards are those of one act, the target's frame first, then those above it,
// then all others.
type guards struct {
	guardRequest
	r   *run
	w   *effectRecorder
	ctx context.Context
	all []armed
	way int // how many of them are on the way of the input
	// sure says that all frames have their guard, that nothing on the page takes
	// input past them and that no frame is about to show another document: then
	// they have the last word, and nobody needs to look between move and press.
	sure bool
	// focused says that the target has the keyboard, where that was asked for,
	// still that it is where the look found it, box that it takes one character
	// and the page may move the keyboard on, slow that it is typed key by key.
	focused, still, box, slow bool
	// unpainted says that the main document is new and was not painted yet.
	unpainted bool
	// sent is whether a part of the act had been sent before, nowhere that none of
	// this one came to any frame, though the browser took all of it.
	sent, nowhere bool
	// arrived is how many of its events the target got, presses how many times it
	// was pressed.
	arrived, presses int
	// cut says that some of them were stopped, wentOn that characters went to further
	// boxes of a row, which hold these, if that is no secret.
	cut, wentOn bool
	boxes       []string
	inRow       bool // the target is one of a row of boxes
	refused     bool // the page let the browser make no input of the keys
	// renewed is when the guards' time last began (lease.go).
	renewed time.Time
}

// isGone tells whether an element left the page, or is not shown any more.
func (r *run) isGone(ctx context.Context, a *element) bool {
	st, err := r.stateOf(ctx, a)
	return err == nil && !st.Visible || err != nil && err.Code == StaleRef
}

// hasKeyboard tells whether an element is a field that has the keyboard, or has
// become one: a cell of a sheet that puts its editor there as it is pressed.
func (r *run) hasKeyboard(ctx context.Context, a *element) bool {
	st, err := r.stateOf(ctx, a)
	if err != nil {
		return false
	}
	return st.Entered || st.Focused && slices.Contains([]string{"textbox", "searchbox", "combobox", "spinbutton"}, a.facts.Role)
}

// hasOpened tells whether an element was closed before the act and says that it is open.
func (r *run) hasOpened(ctx context.Context, a *element) bool {
	if a.el.Expanded == nil || *a.el.Expanded {
		return false
	}
	st, err := r.stateOf(ctx, a)
	return err == nil && st.Expanded
}

// choices are the roles of what is chosen, or is not.
var choices = []string{"option", "menuitemcheckbox", "menuitemradio", "treeitem", "checkbox", "radio", "switch", "tab"}

// hasToggled tells whether an element is a choice that was off before the act and says
// that it is on, or the other way round.
func (r *run) hasToggled(ctx context.Context, a *element) bool {
	if !slices.Contains(choices, a.facts.Role) {
		return false
	}
	was := a.el.Checked
	if was == "" {
		was = strconv.FormatBool(a.el.Selected != nil && *a.el.Selected)
	}
	st, err := r.stateOf(ctx, a)
	return err == nil && (st.Checked == "true" || st.Checked == "false") && st.Checked != was
}

// String is what a user's yes to it is bound to.
func (s *pendingForm) String() string {
	if s == nil {
		return ""
	}
	b, _ := json.Marshal(s) // plain strings
	return string(b)
}

// mayCome names the form that the page's script may send with this act, since
// the gate lets it pass or the user allowed it: method, space, address.
func (r *run) mayCome(a *element) string {
	if s := r.sending; s != nil {
		return s.Form.Method + " " + s.Form.Action
	}
	f := a.facts.Form
	if f == nil {
		return ""
	}
	act := safety.Act{Page: safety.Page{URL: r.tab.MainURL()}, Target: &a.facts}
	if safety.Judge(actOfSending(act, pendingForm{*f, a.facts.DefaultButton}), r.s.rules()).Level >= safety.Confirm {
		return ""
	}
	return f.Method + " " + f.Action
}

// actOfSending is the act of sending a form, as pressing Enter in it.
func actOfSending(act safety.Act, s pendingForm) safety.Act {
	frame := ""
	if act.Target != nil {
		frame = act.Target.FrameURL
	}
	act.Action, act.Key, act.Params, act.Text = "pressKey", "Enter", nil, ""
	act.Target = &safety.Target{
		Tag: "input", Role: "textbox", Type: "text", Editable: true, SubmitsForm: true,
		Form: &s.Form, DefaultButton: s.Button, FrameURL: frame,
	}
	return act
}

func frameOf(fs []frame, id string) frame {
	for _, f := range fs {
		if f.ID() == id {
			return f
		}
	}
	return nil
}
