package action

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// errSends says that the guard stopped a form that the page's script was about to
// send with the input: sending the form must be judged as well.
var errSends = &Error{Code: StaleRef, Message: "the page was about to send a form with this"}

// errMissed says that the guard stopped all of the input, because it would have
// reached another element than the target.
var errMissed = &Error{Code: StaleRef, Message: "the input would have reached something else"}

// sendGuarded sends input while the extractor listens in the target's frame and
// in every frame above it: an event that reaches another node, or that would
// do something else than what was judged, is stopped there.
func (r *run) sendGuarded(ctx context.Context, w *effectRecorder, a *element, kind string, send func(context.Context, hittarget.Lease) *Error) *Error {
	return r.guardedDrop(ctx, w, a, nil, kind, send)
}

// guardedDrop is sendGuarded for a drag, which has a second end.
func (r *run) guardedDrop(ctx context.Context, w *effectRecorder, a, drop *element, kind string, send func(context.Context, hittarget.Lease) *Error) *Error {
	g, err := r.install(ctx, w, guardRequest{a: a, drop: drop, kind: kind})
	if err == nil {
		err = g.send(ctx, func(ctx context.Context) *Error { return send(ctx, g.Lease()) })
	}
	if err == errMissed {
		err = r.otherHitError(ctx, a)
	}
	return err
}

// send sends input behind the guards and removes them.
func (g *guards) send(ctx context.Context, send func(context.Context) *Error) *Error {
	r, w := g.r, g.w
	if err := r.recorded(); err != nil {
		g.remove(ctx, frameTime, false)
		return err
	}
	clear(w.early) // effects of the last part are no longer complete
	expected := ctx
	if g.Sure {
		expected = browser.Guarded(ctx)
	}
	sent := w.race(expected, send)
	if w.dialog() != nil {
		return nil // the dialog blocks the page; the guard expires
	}
	if ctx.Err() != nil {
		// Stopped in the middle of a busy page: don't wait for the page, but
		// remove the guard, or it would stop the user's own clicks.
		r.s.loose.Go(func() { g.remove(ctx, actionTime/2, false) })
		return sent
	}
	g.report = g.remove(ctx, frameTime, sent == nil && !w.more)
	err := r.classifyStops(g, g.report)
	if err == errMoved && g.focus != "" && g.report.Arrived > 0 {
		r.part = g.a
	}
	if err != nil {
		g.nowhere = g.nowhere && sent == nil && !g.report.Unsure && !g.report.Active && !w.anyEffect()
		return err
	}
	return sent
}

// anyEffect tells whether the act had an effect that shows without a look into the
// page.
func (w *effectRecorder) anyEffect() bool {
	st := w.tab.Snapshot()
	return len(st.Held)+len(st.NewTabs)+len(st.ClosedTabs)+len(st.Downloads)+len(st.FileChoosers)+len(st.Navigations) > 0 ||
		st.Waits(false) > w.before.Waits(false) || st.Pending > w.before.Pending || w.refused != nil
}

// classifyStops turns what the guards stopped into an error.
func (r *run) classifyStops(g *guards, report hittarget.Report) *Error {
	if len(report.Stopped) == 0 {
		if report.Arrived == 0 && !report.Silent && g.kind == "pointer" && g.Sure && r.res.Sent {
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
	// The first stop is the reason: what follows a stopped press is stopped with
	// it, even if another frame stopped the press.
	// A click that was stopped comes before any press that follows it.
	first := report.Stopped[0]
	if first.Type != "click" {
		first = report.Stopped[max(0, slices.IndexFunc(report.Stopped, page.Stop.Begins))]
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
		// The target acted on the press or its end, and then disappeared, got the keyboard
		// as a field, or opened a calendar or list over itself. What follows would have
		// reached what lies there, and was stopped. A target removed while the release was
		// on its way was replaced, and did nothing.
		return nil
	}
	if g.kind == "key" && (r.enters || r.spec.Name != "pressKey") && report.Arrived > 0 && !slices.ContainsFunc(report.Stopped, func(s page.Stop) bool { return s.Type != "keyup" && s.Type != "keypress" }) {
		return nil // its effect moved the keyboard focus, as an incomplete form does
	}
	r.reached = short(pagecontext.Flatten(first.On), 80)
	if none && g.kind == "pointer" {
		return errMissed
	}
	return r.otherHitError(context.WithoutCancel(g.ctx), g.a)
}

// releases are the events that follow a press or its end, and do nothing if the
// press acted.
var releases = []string{"pointerup", "mouseup", "keyup", "keypress"}

// otherHitError is the error for input that would have reached something else.
func (r *run) otherHitError(ctx context.Context, a *element) *Error {
	why := "at the last moment the input would have reached something else"
	if r.reached != "" {
		why += ": " + r.reached
	}
	return r.staleError(ctx, a, why)
}

// guardRequest describes the input to guard.
type guardRequest struct {
	a, drop *element
	kind    string   // pointer, key or drag
	focus   string   // how the target gets the keyboard focus first, in the same call
	whole   bool     // a press and its release, and neither without the other
	written bool     // a part of the text was written before
	breaks  bool     // Enter is a line break there
	next    *element // the radio button that an arrow key presses
}

// guards are the guards of one act, and their report.
type guards struct {
	*hittarget.Guards
	guardRequest
	r   *run
	w   *effectRecorder
	ctx context.Context
	// sent says that a part of the act had been sent before, nowhere that no input of
	// this part reached any frame, though the browser took all of it.
	sent, nowhere bool
	slow          bool // it is typed key by key
	inRow         bool // the target is one of a row of boxes
	report        hittarget.Report
}

// install puts guards into every frame of the tab. Frames that are watched for effects
// start watching in the same call.
func (r *run) install(ctx context.Context, w *effectRecorder, s guardRequest) (*guards, *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return nil, bad
	}
	a := s.a
	q := hittarget.Request{
		Name: a.String(), Kind: s.kind, Target: a.frame,
		Guard: page.Guard{
			ID: a.id, Fingerprint: a.facts.Fingerprint, Seen: a.seen, Name: a.called, Submits: r.enters, SendsTo: r.mayCome(a),
			Focus: s.focus, Whole: s.whole, Written: s.written, Breaks: s.breaks,
		},
		Draw: r.tab.NeedsDrawing, Later: r.s.loose.Go, Log: &r.s.o.Log,
	}
	for _, f := range fs {
		q.Frames = append(q.Frames, f)
	}
	if r.exact {
		q.Guard.Node = a.serial
	}
	if s.next != nil {
		q.Guard.NextID = s.next.id
		q.Guard.NextPrint, _, _ = strings.Cut(s.next.facts.Fingerprint, ".")
	}
	if s.drop != nil {
		q.DropFrame, q.DropID, q.DropAt = s.drop.frame.ID(), s.drop.id, s.drop.point != nil
	}
	if w != nil {
		q.Keep = w.keeps
		q.Beside = append(q.Beside, w.awaitFileChooser)
	}
	if w != nil && w.due {
		q.Watch = w.watches
		q.Beside = append(q.Beside, func() {
			if err := w.tab.Listen(ctx); err != nil {
				r.s.o.Log.Debug().Err(err).Msg("the page's requests are not seen")
			}
		})
	}
	g := &guards{guardRequest: s, r: r, w: w, ctx: ctx, sent: r.res.Sent}
	var err error
	if g.Guards, err = hittarget.Install(ctx, q); err != nil {
		return nil, wrap("guard "+a.String(), err)
	}
	g.inRow = g.Box
	if w == nil {
		g.Sure = false // without w, nobody notices a new document
		return g, nil
	}
	if g.Says != nil {
		w.page = g.Says
	}
	w.due = false
	now := w.tab.Snapshot()
	g.Sure = g.Sure && now.Pending == 0 && !now.Loading
	return g, nil
}

// remove removes the guards and returns what they saw. With effects, the watched frames
// wait for the act's effects in the same call; requests that block the page are answered meanwhile.
func (g *guards) remove(ctx context.Context, limit time.Duration, withEffects bool) hittarget.Report {
	var s hittarget.Settling
	if withEffects {
		s = hittarget.Settling{Frame: g.w.watches, Options: settling, Limit: settleTime + frameTime}
	}
	var report hittarget.Report
	removed := make(chan *Error, 1)
	go func() {
		report = g.Remove(ctx, limit, s)
		removed <- nil
	}()
	var blocked <-chan struct{}
	if withEffects {
		bctx, end := context.WithCancel(ctx)
		defer end()
		blocked = g.w.awaitBlocked(bctx)
	}
	select {
	case <-removed: //nolint:errcheck // it is always nil
	case <-blocked:
		_ = g.w.unstick(ctx, removed)
	}
	for frame, e := range report.Settled {
		g.w.early[frame] = e
	}
	return report
}

// watches tells whether a frame is watched for effects.
func (w *effectRecorder) watches(frameID string) bool { return frameOf(w.frames, frameID) != nil }

// isGone tells whether an element left the page, or is not shown any more.
func (r *run) isGone(ctx context.Context, a *element) bool {
	st, err := r.stateOf(ctx, a)
	return err == nil && !st.Visible || err != nil && err.Code == StaleRef
}

// hasKeyboard tells whether an element is a field with the keyboard focus, or has
// become one, as a cell of a sheet that opens its editor when it is pressed.
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

// choices are the roles of elements that are chosen or not.
var choices = []string{"option", "menuitemcheckbox", "menuitemradio", "treeitem", "checkbox", "radio", "switch", "tab"}

// hasToggled tells whether an element is a choice whose state is another than before
// the act.
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

// formKey returns what a user's yes to sending a form is bound to.
func formKey(s *page.PendingForm) string {
	if s == nil {
		return ""
	}
	b, _ := json.Marshal(s) // plain strings
	return string(b)
}

// mayCome returns the form that the page's script may send with this act, because
// the gate passes it or the user allowed it: method, space, address.
func (r *run) mayCome(a *element) string {
	if s := r.sending; s != nil {
		return s.Form.Method + " " + s.Form.Action
	}
	f := a.facts.Form
	if f == nil {
		return ""
	}
	act := safety.Act{Page: safety.Page{URL: r.tab.MainURL()}, Target: &a.facts}
	if safety.Judge(actOfSending(act, page.PendingForm{Form: *f, Button: a.facts.DefaultButton}), r.s.rules()).Level >= safety.Confirm {
		return ""
	}
	return f.Method + " " + f.Action
}

// actOfSending is the act of sending a form, as pressing Enter in it.
func actOfSending(act safety.Act, s page.PendingForm) safety.Act {
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
