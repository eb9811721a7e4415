package action

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// open opens the list: by a click, and where that does not do it by the key
// that opens every combobox.
func (c *combo) open(ctx context.Context) *Error {
	some := func(p picked) bool { return p.Shown > 0 }
	nobody := wish{Label: "\x00"}
	err := c.click(ctx, c.g)
	if err != nil && !gonePast(err) {
		return err
	}
	if d := c.r.tab.Dialog(); d != nil {
		return dialogOpen(d)
	}
	if err == nil {
		if got, err := c.await(ctx, nobody, listTime, some); err != nil || some(got) {
			return err
		}
	}
	if c.a.facts.Tag != "input" || !c.a.facts.Editable {
		var ok struct {
			OK bool `json:"ok"`
		}
		if err := c.a.frame.Call(ctx, "focus", map[string]int{"id": c.a.id}, &ok); err != nil || !ok.OK {
			return nil //nolint:nilerr // the caller finds no options, and says so
		}
	} else if err := c.a.frame.Call(ctx, "focus", map[string]int{"id": c.a.id}, nil); err != nil {
		return wrap("focus "+c.a.String(), err)
	}
	var did *aim
	if err := c.r.pressOn(ctx, c.w, c.r.looker(goal{focused: true}, asKey("ArrowDown")), chord{key: namedKeys["ArrowDown"]}, &did); err != nil {
		return err
	}
	_, err = c.await(ctx, nobody, listTime, some)
	return err
}

// scrollTo looks for the option in a list that draws only what is in view.
func (c *combo) scrollTo(ctx context.Context, want wish, got picked) (picked, *Error) {
	ctx, end := c.r.longRun(ctx, untilTime)
	defer end()
	arg := map[string]any{"id": c.a.id, "start": true}
	last := strings.Join(got.Labels, "\x00")
	still := 0
	for range maxListScrolls {
		var end struct {
			Moved bool `json:"moved"`
		}
		if err := c.a.frame.Call(ctx, "scrollList", arg, &end); err != nil {
			return got, wrap("scroll the list", err)
		}
		if arg["start"] == false && !end.Moved {
			return got, nil
		}
		arg["start"] = false
		// Rows are drawn after the scroll, on a busy machine some time after it:
		// to scroll on before that would pass rows by. A list that still shows
		// what it showed has them all.
		limit := drawTime
		if !end.Moved {
			limit = 0
		}
		next, err := c.await(ctx, want, limit, func(p picked) bool {
			return p.Option != nil || strings.Join(p.Labels, "\x00") != last
		})
		if err != nil || next.Option != nil {
			return next, err
		}
		now := strings.Join(next.Labels, "\x00")
		if still++; now != last {
			still = 0
		} else if end.Moved && still > 1 {
			return next, nil
		}
		got, last = next, now
	}
	return got, nil
}

// drawTime is how long a list that draws its rows when it is scrolled may take.
const drawTime = time.Second

// staysSelected points at another option and tells whether the one that is wanted
// is selected still: some lists call the one selected that the pointer is at.
func (c *combo) staysSelected(ctx context.Context, want wish, got picked) (bool, *Error) {
	r := c.r
	if got.Other == nil {
		return false, &Error{
			Code: Unsupported, Message: fmt.Sprintf("whether %s is chosen or only where the pointer is can't be told", want),
			Hint: fmt.Sprintf("It is [%d]. Look at the page, and click it if it is not chosen.", r.page.IndexOf(c.a.frame, *got.Option)),
		}
	}
	asHover := func(_ *aim, act *safety.Act) { act.Action, act.Params, act.Text = "hover", nil, "" }
	other := goal{Target: Target{Ref: pagecontext.FormatRef(r.page.IndexOf(c.a.frame, *got.Other))}}
	err := r.gated(ctx, plan{look: r.looker(other, asHover), do: func(ctx context.Context, a *aim) *Error {
		at, err := r.ready(ctx, a, "hover")
		if err != nil {
			return err
		}
		r.h.mouse = &at
		return r.gone(r.tab.Mouse(ctx, mouse{kind: browser.MouseMove, x: at.X, y: at.Y}), "move the mouse")
	}})
	if err != nil {
		return false, err
	}
	got, err = c.await(ctx, want, redrawTime, func(p picked) bool { return p.Option != nil && !p.Selected })
	return err == nil && got.Option != nil && got.Selected, err
}
