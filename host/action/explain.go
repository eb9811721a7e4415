package action

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/action/hittarget"
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// Explanation is the gate's decision on an act, with its reasons; the act is not
// done.
type Explanation struct {
	Action  string          `json:"action"`
	Target  string          `json:"target,omitempty"`
	Site    string          `json:"site,omitempty"`
	URL     string          `json:"url,omitempty"` // where a navigation would go
	Class   safety.Class    `json:"class"`
	Level   string          `json:"level"`
	Reasons []safety.Reason `json:"reasons"`
	Amount  string          `json:"amount,omitempty"`
	Details []string        `json:"details,omitempty"` // as the card would show them
	Once    bool            `json:"once,omitempty"`    // a yes would cover the same for the rest of the task
	Denied  bool            `json:"denied,omitempty"`  // the user said no to it before, so it is not asked again
	Preset  string          `json:"preset"`            // of the policy in force

	reached bool
	level   safety.Level
}

// errExplained ends an act at the gate.
var errExplained = &Error{Code: Unsupported, Message: "the act is only explained"}

// Explain takes an action as far as the gate: the target is resolved and judged by
// the code that Do runs. Nothing is sent to the page, except that it may be
// scrolled to the target. The explanation is the result's Data.
func (s *Session) Explain(ctx context.Context, c Call) Result {
	e := &Explanation{}
	res := s.do(ctx, c, e)
	if res.Err == nil {
		res.Data, res.Text = e, e.text()
		res.Line = res.Text
	}
	return res
}

// explain ends withGate in a dry run. If an act passes the gate more than once, the
// strictest answer counts, with the reasons of all.
func (r *run) explain(p gatedStep, at assessment) *Error {
	before, act, d := *r.dry, at.act, at.d
	e := Explanation{
		Action: r.spec.Name, Target: cmp.Or(r.res.Target, p.what), Site: r.res.Site, URL: act.URL, Class: d.Class, Level: d.Level.String(),
		Reasons: d.Reasons, Amount: d.Amount, Details: d.Details, Once: len(d.Once) > 0, Denied: at.refused != nil, Preset: r.s.rules().Policy.Name(),
		reached: true, level: d.Level,
	}
	if e.Reasons == nil {
		e.Reasons = []safety.Reason{}
	}
	if before.reached {
		if before.level > e.level {
			e, before = before, e
		}
		for _, x := range before.Reasons {
			if !slices.Contains(e.Reasons, x) {
				e.Reasons = append(e.Reasons, x)
			}
		}
		e.Denied = e.Denied || before.Denied
	}
	*r.dry = e
	return errExplained
}

// explainAct runs an action up to the gate, on a tab that takes no input.
func (r *run) explainAct(ctx context.Context, params any) *Error {
	if !r.spec.MayChange && r.spec.Name != "waitFor" {
		return r.explainBare(ctx) // a read is judged without reading
	}
	if r.tab != nil {
		r.tab = stillTab{r.tab}
	}
	err := runners[r.spec.Name](ctx, r, params)
	switch {
	case r.dry.reached:
		r.res.Text, r.res.Effect, r.res.Sent = "", "", false
		return nil
	case err != nil:
		return r.addHelp(ctx, err, params)
	}
	return r.explainBare(ctx) // there is nothing to do: a box that is ticked already
}

// explainBare judges an action without a target.
func (r *run) explainBare(ctx context.Context) *Error {
	act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class}
	if r.tab != nil {
		act.Page.URL = r.tab.MainURL()
	}
	d, _, err := r.judge(ctx, nil, act)
	if err != nil {
		return err
	}
	r.res.Text = ""
	at := assessment{act: act, d: d, deed: r.deedOf(act, d)}
	r.weigh(&at)
	if err := r.explain(gatedStep{}, at); err != errExplained {
		return err
	}
	return nil
}

// text is the explanation for a user.
func (e *Explanation) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of class %s", e.Level, e.Class)
	what := strings.TrimSpace(e.Action + " " + e.Target)
	if e.Site != "" {
		what += " on " + e.Site
	}
	fmt.Fprintf(&b, ": %s", what)
	if e.Amount != "" {
		fmt.Fprintf(&b, ", %s", e.Amount)
	}
	for _, x := range e.Reasons {
		fmt.Fprintf(&b, "\n  %s: %s", x.Rule, x.Text)
	}
	for _, x := range e.Details {
		fmt.Fprintf(&b, "\n  - %s", x)
	}
	switch {
	case e.Denied:
		b.WriteString("\n  The user said no to this before, so it would be denied without a question.")
	case e.Once:
		b.WriteString("\n  A yes would cover the same on this site for the rest of the task.")
	}
	return b.String()
}

// stillTab is a tab that takes no input: whatever an action tries before its
// gate, the page stays as it is.
type stillTab struct{ tab }

var errStill = errors.New("nothing is sent while an act is explained")

func (stillTab) HandleDialog(context.Context, bool, string) error { return errStill }

func (stillTab) Mouse(context.Context, hittarget.Lease, mouse) error { return errStill }

func (stillTab) Key(context.Context, hittarget.Lease, browser.KeyEvent) error { return errStill }

func (stillTab) Send(context.Context, hittarget.Lease, []input) error { return errStill }

func (stillTab) Wheel(context.Context, float64, float64, float64, float64) error { return errStill }

func (stillTab) Navigate(context.Context, string) error { return errStill }

func (stillTab) Reload(context.Context) error { return errStill }

func (stillTab) History(context.Context, int) (bool, error) { return false, errStill }

func (stillTab) Evaluate(context.Context, string) (json.RawMessage, error) { return nil, errStill }

func (stillTab) SetFiles(context.Context, pagecontext.Frame, int, []string) error { return errStill }

func (stillTab) DropFiles(context.Context, hittarget.Lease, float64, float64, []string, func() bool) error {
	return errStill
}

func (stillTab) GiveFiles(context.Context, browser.FileChooser, []string) error { return errStill }

func (stillTab) Close(context.Context) (bool, error) { return false, errStill }
