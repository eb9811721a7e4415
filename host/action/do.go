package action

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"tabwright/host/action/effect"
	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// Do runs one action. Whatever goes wrong is in Result.Err; it never panics
// and never hangs.
func (s *Session) Do(ctx context.Context, c Call) Result { return s.do(ctx, c, nil) }

// do runs an action; with dry it stops at the gate and stores the explanation in
// dry.
func (s *Session) do(ctx context.Context, c Call, dry *Explanation) (res Result) {
	res = Result{Action: c.Name}
	var wanted, object string // for the line: what was asked for, what was typed or chosen
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.Error().Str("action", c.Name).Interface("panic", p).Bytes("stack", debug.Stack()).Msg("action panicked")
			res.Err = &Error{Code: Unsupported, Message: "an internal fault stopped the action", Hint: "Try another way.", Err: fmt.Errorf("panic: %v", p)}
		}
		if res.Err != nil && res.Target == "" {
			res.Target = wanted
		}
		s.finish(&res, object)
	}()
	if err := s.turn(ctx); err != nil {
		res.Err = err
		return res
	}
	defer func() { <-s.acting }()
	spec, ok := s.reg.Spec(c.Name)
	if !ok {
		res.Err = &Error{Code: InvalidParams, Message: fmt.Sprintf("there is no action %q", c.Name)}
		if near := s.reg.Closest(c.Name); near != "" {
			res.Err.Hint = fmt.Sprintf("You mean %q.", near)
		}
		return res
	}
	p, bad := s.reg.Parse(spec, c.Params)
	if bad != nil {
		res.Err = bad
		return res
	}
	if n, ok := p.(describer); ok {
		wanted = n.description()
	}
	bound := newStopwatch(ctx, actionTime)
	defer bound.stop()
	r := &run{s: s, spec: spec, call: c, res: &res, bound: bound, object: &object, dry: dry}
	ended := false
	defer func() { r.auditEnd(ended) }()
	res.Err = r.begin(bound.ctx)
	switch {
	case res.Err != nil:
	case dry != nil:
		res.Err = r.explainAct(bound.ctx, p)
	default:
		res.Err = r.addHelp(bound.ctx, r.undo(bound.ctx, runners[spec.Name](bound.ctx, r, p)), p)
	}
	ended = true
	r.hideClosedPage()
	r.sawResult()
	if res.Err != nil && ctx.Err() == nil && errors.Is(context.Cause(bound.ctx), context.DeadlineExceeded) {
		res.Err = tooLong(c.Name, res.Err)
	}
	if spec.NeedsTab {
		res.Err = s.tabsLeft(s.closedOr(ctx, res.Err))
	}
	if res.Err != nil && res.Err.Code == DialogOpen && res.Err.Data == nil && r.tab != nil {
		if d := r.tab.Dialog(); d != nil { // it opened in the middle
			res.Err = dialogOpen(d)
		}
	}
	if unused := s.reg.UnusedParams(spec, c.Params); res.Err == nil && dry == nil && len(unused) > 0 && res.Text != "" {
		res.Text += fmt.Sprintf("\nNot used: %s. It is no parameter of %s.", strings.Join(unused, ", "), spec.Name)
	}
	if res.Err == nil && ctx.Err() != nil && res.Text == "" {
		res.Err = &Error{Code: Timeout, Message: "the action was stopped", Err: ctx.Err()}
	}
	res.PageRev = s.PageRev()
	if r.tab != nil {
		res.PageRev = r.tab.PageRev()
		r.h.told = res.PageRev
		if res.Site == "" {
			res.Site = siteOf(r.tab.MainURL())
		}
	}
	return res
}

// turn waits until no other action runs in this session.
func (s *Session) turn(ctx context.Context) *Error {
	select {
	case s.acting <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &Error{Code: Timeout, Message: "stopped before its turn came", Err: ctx.Err()}
	}
}

// closedOr turns a Detached error into TabClosed if the tab no longer exists: the
// debugger's end is reported before the tab's.
func (s *Session) closedOr(ctx context.Context, e *Error) *Error {
	if e == nil || e.Code != Detached || errors.Is(e, ErrUserCancelled) || errors.Is(e, ErrBrowserGone) {
		return e
	}
	tctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	list, err := s.b.Tabs(tctx)
	if err != nil || slices.ContainsFunc(list, func(t browser.TabInfo) bool { return t.ID == s.Tab() }) {
		return e
	}
	return &Error{Code: TabClosed, Message: "the tab was closed", Err: e}
}

// begin attaches the tab and refuses to act behind an open dialog.
func (r *run) begin(ctx context.Context) *Error {
	if !r.spec.NeedsTab {
		return nil
	}
	h, err := r.s.here(ctx)
	if err != nil {
		return err
	}
	r.h, r.tab, r.page = h, h.tab, h.page
	if h.mods() != 0 {
		r.tab = modifiedTab{h.tab, h}
	}
	if d := r.tab.Dialog(); d != nil && !r.spec.WithDialog {
		return dialogOpen(d)
	}
	if err := r.onOpenGround(); err != nil {
		return err
	}
	if rev := r.tab.PageRev(); h.told != 0 && h.told != rev {
		r.s.noteNext(fmt.Sprintf(movedNote[r.s.o.Lang], short(r.tab.MainURL(), 200)))
	}
	return r.yield(ctx)
}

func dialogOpen(d *browser.Dialog) *Error {
	return &Error{
		Code: DialogOpen, Message: effect.DialogName(d) + " is open" + effect.DialogText(d),
		Hint: dialogHint(d),
		Data: map[string]string{"kind": d.Kind, "message": pagecontext.Flatten(d.Message), "default": pagecontext.Flatten(d.Default)},
	}
}

// finish gives every result its texts.
func (s *Session) finish(res *Result, object string) {
	defer s.maskResult(res)
	defer s.takeNotes(res)
	if res.Err != nil {
		if res.Err.Hint == "" {
			res.Err.Hint = res.Err.Code.Hint()
		}
		res.Text = res.Err.Text()
		res.In = inEach(func(lang string) string { return failLine(lang, object, res) })
		res.Line = res.In[s.o.Lang]
		return
	}
	if res.Line == "" {
		res.In = inEach(func(lang string) string { return plainLine(lang, object, res) })
		res.Line = res.In[s.o.Lang]
	}
}
