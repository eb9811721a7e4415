package action

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/pagecontext"
	"tabwright/safety"
)

const (
	// stepsUpTo is the most keys by which a slider is set, stepsAtOnce how many are
	// sent before its value is read again.
	stepsUpTo   = 400
	stepsAtOnce = 30
	// stepTime is how long a slider may take to show the effect of a key.
	stepTime = 300 * time.Millisecond
)

// isStepper tells whether a control is a slider or spin button of the page's own, which
// is no input and takes only keys.
func isStepper(a *element) bool {
	return a.facts.Tag != "input" && !a.facts.Editable && (a.el.Role == "slider" || a.el.Role == "spinbutton")
}

// rangeOf returns its range in words; "" if unknown.
func rangeOf(d page.Stepper) string {
	if d.Min == nil || d.Max == nil {
		return ""
	}
	return fmt.Sprintf(" It takes %g to %g.", *d.Min, *d.Max)
}

// setByKeys sets a slider or spin button by the keyboard, with arrows, PageUp, PageDown,
// Home and End, and checks the value that it shows afterwards.
func (r *run) setByKeys(ctx context.Context, w *effectRecorder, g targetQuery, verb, value string) *Error {
	value = strings.TrimSpace(value)
	*r.object = fmt.Sprintf("%q", short(value, 60))
	var did *element
	var now page.Stepper
	judged := func(a *element, act *safety.Act) {
		act.Action, act.Text = "select", value
		if a.frame.ParentID() != "" { // in a child frame it is clicked first
			act.Action, act.Params, act.Text = "click", nil, ""
		}
	}
	err := r.withGate(ctx, gatedStep{look: r.looker(g, judged), guarded: true, do: func(ctx context.Context, a *element) *Error {
		did = a
		if !isStepper(a) {
			return r.staleError(ctx, a, "it was a slider")
		}
		if _, err := r.ready(ctx, a, "select"); err != nil {
			return err
		}
		if err := w.begin(ctx, a.frame); err != nil {
			return err
		}
		h, err := r.focusGuarded(ctx, w, a)
		if err != nil {
			return err
		}
		s := &sliderRun{r: r, a: a, lease: h.Lease()}
		err = h.send(ctx, func(ctx context.Context) *Error { return s.to(ctx, value) })
		now = s.now
		return err
	}})
	if err != nil {
		return err
	}
	*r.object = fmt.Sprintf("%q", short(pagecontext.Flatten(now.String()), 60))
	r.res.Data = map[string]string{"value": now.String()}
	return r.report(ctx, w, did, verb, *r.object+" into "+did.label())
}

// focusGuarded focuses a control and guards it.
func (r *run) focusGuarded(ctx context.Context, w *effectRecorder, a *element) (*guards, *Error) {
	d := guardRequest{a: a, kind: "key", focus: page.FocusCaret}
	if a.frame.ParentID() != "" { // as in typeInto
		if err := r.pressAsPart(ctx, w, a); err != nil {
			return nil, err
		}
	}
	g, err := r.install(ctx, w, d)
	if err != nil {
		return nil, err
	}
	if !g.Focused {
		g.remove(ctx, frameTime, false)
		return nil, &Error{Code: Unsupported, Message: a.String() + " does not take the keyboard", Hint: "Drag its thumb with dragDrop, or click its buttons."}
	}
	return g, nil
}

// pressAsPart clicks a control as a part of another act.
func (r *run) pressAsPart(ctx context.Context, w *effectRecorder, a *element) *Error {
	at, err := r.ready(ctx, a, "click")
	if err != nil {
		return err
	}
	more := w.more
	w.more = true
	defer func() { w.more = more }()
	return r.guardedClick(ctx, w, a, at, leftClick())
}

// sliderRun is one run of setting a slider.
type sliderRun struct {
	r    *run
	a    *element
	now  page.Stepper
	sent int
	// lease is for the keys.
	lease hittarget.Lease
	// step is how far one press of a key moved the value, by key; 0 if it did not.
	step map[string]float64
}

// to presses keys until the control shows value.
func (s *sliderRun) to(ctx context.Context, value string) *Error {
	s.step = map[string]float64{}
	if err := s.read(ctx); err != nil {
		return err
	}
	if s.now.Now == nil {
		return &Error{Code: Unsupported, Message: s.a.String() + " does not say its value", Hint: "Use pressKey, and look at the page after it."}
	}
	want, err := strconv.ParseFloat(strings.TrimRight(value, " %"), 64)
	if err != nil {
		return s.toWords(ctx, value)
	}
	if s.now.Min != nil && want < *s.now.Min || s.now.Max != nil && want > *s.now.Max {
		return s.wrong(fmt.Sprintf("%g is not among its values.", want))
	}
	for s.sent < stepsUpTo {
		left := want - *s.now.Now
		if math.Abs(left) < 1e-6 {
			return nil
		}
		key, n := s.next(left)
		if key == "" {
			return s.wrong(fmt.Sprintf("Its keys do not lead to %g.", want))
		}
		if err := s.press(ctx, key, n); err != nil {
			return err
		}
	}
	return s.wrong("It takes more key presses than are sent for one act.")
}

// next returns the key that leads to the value, and how often to press it: a key that
// was not tried yet once, to see its effect.
func (s *sliderRun) next(left float64) (key string, n int) {
	up := []string{"ArrowUp", "ArrowRight", "ArrowLeft"} // which of the last two leads up depends on the text direction
	page, end := "PageUp", "End"
	bound := s.now.Max
	if left < 0 {
		up, page, end, bound = []string{"ArrowDown", "ArrowLeft", "ArrowRight"}, "PageDown", "Home", s.now.Min
	}
	if _, tried := s.step[end]; !tried && bound != nil && math.Abs(*bound-*s.now.Now-left) < 1e-6 {
		return end, 1
	}
	for _, k := range up {
		by, tried := s.step[k]
		if !tried {
			return k, 1
		}
		if by*left <= 0 {
			continue
		}
		n = int(math.Floor(left/by + 1e-6))
		big, paged := s.step[page]
		if n > 2*stepsAtOnce && !paged {
			return page, 1
		}
		if big*left > 0 && math.Abs(big) > math.Abs(by) && math.Abs(big) <= math.Abs(left)+1e-6 {
			return page, min(int(left/big+1e-6), stepsAtOnce)
		}
		if n == 0 {
			return "", 0
		}
		return k, min(n, stepsAtOnce)
	}
	return "", 0
}

// toWords goes through the values from the first one until the control shows the
// words.
func (s *sliderRun) toWords(ctx context.Context, words string) *Error {
	says := func() bool { return strings.EqualFold(s.now.Text, pagecontext.Flatten(words)) }
	if says() {
		return nil
	}
	if s.now.Text == "" {
		return s.wrong(fmt.Sprintf("%q is no number.", short(words, 60)))
	}
	if err := s.press(ctx, "Home", 1); err != nil {
		return err
	}
	for s.sent < stepsUpTo && !says() {
		before := *s.now.Now
		if err := s.press(ctx, "ArrowUp", 1); err != nil {
			return err
		}
		if *s.now.Now == before {
			return s.wrong(fmt.Sprintf("It came to its end without saying %q.", short(words, 60)))
		}
	}
	return nil
}

// press presses a key n times, and reads the new value.
func (s *sliderRun) press(ctx context.Context, key string, n int) *Error {
	if s.r.tab.Dialog() != nil {
		return &Error{Code: DialogOpen, Message: "a dialog opened while it was set"}
	}
	var list []input
	for range n {
		list = append(list, keyInputs(keyboard.Named(key, 0).Stroke())...)
	}
	before := *s.now.Now
	s.sent += n
	s.r.res.Sent = true
	if err := s.r.ignoreNavigated(s.r.tab.Send(ctx, s.lease, list), "press "+key); err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	for {
		if err := s.read(ctx); err != nil {
			return err
		}
		if s.now.Now == nil {
			return &Error{Code: StaleRef, Message: s.a.String() + " went away while it was set"}
		}
		if *s.now.Now != before || !s.r.tick(wait) {
			break
		}
	}
	// Many presses say little about one: the last may have met the end.
	if _, tried := s.step[key]; !tried || *s.now.Now == before {
		s.step[key] = (*s.now.Now - before) / float64(n)
	}
	return nil
}

func (s *sliderRun) read(ctx context.Context) *Error {
	now, err := page.ReadStepper(ctx, s.a.frame, s.a.id)
	s.now = now
	return wrap("read "+s.a.String(), err)
}

// wrong returns the error for a value that can't be set, with the current value.
func (s *sliderRun) wrong(why string) *Error {
	return &Error{
		Code: InvalidParams, Message: fmt.Sprintf("%s stands at %s. %s%s", s.a, s.now, why, rangeOf(s.now)),
		Hint: "Give a value that it takes.", Data: map[string]string{"value": s.now.String()},
	}
}
