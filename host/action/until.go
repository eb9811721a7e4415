package action

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/host/native"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// ScrollIntoViewParams are the parameters of scrollIntoView.
type ScrollIntoViewParams struct{ Target }

// ScrollUntilParams are the parameters of scrollUntil.
type ScrollUntilParams struct {
	Selector   string   `json:"selector,omitempty" jsonschema:"stop when a match is shown; with text: scroll within it"`
	Text       string   `json:"text,omitempty" jsonschema:"stop when the page shows this text"`
	Direction  string   `json:"direction,omitempty" jsonschema:"down if left out"`
	MaxScrolls *int     `json:"maxScrolls,omitempty" jsonschema:"20 if left out"`
	StallMS    *float64 `json:"stallMs,omitempty" jsonschema:"stop when nothing changed for so long; 1500 if left out"`
	Index      *int     `json:"index,omitempty" jsonschema:"number of the element to scroll within; the page if left out"`
	Ref        string   `json:"ref,omitempty" jsonschema:"ref of the element to scroll within"`
}

// The ends of scrollUntil and loadMoreUntil.
const (
	stopSelector  = "selector_found"
	stopText      = "text_found"
	stopScrolls   = "max_scrolls"
	stopStalled   = "stalled"
	stopItems     = "item_count_reached"
	stopLoads     = "max_loads"
	stopNoMore    = "no_more"
	stopTime      = "time_limit"
	untilTime     = 2 * time.Minute
	defaultStall  = 1500 * time.Millisecond
	loadStall     = 3 * time.Second
	scrollPause   = 150 * time.Millisecond
	scrollDrawn   = 1500 * time.Millisecond // covered tabs were seen to draw once a second
	defaultScroll = 20
	defaultLoads  = 10
)

func untilActions() []declared {
	into := Spec{Name: "scrollIntoView", Family: "scroll", Class: safety.Read, NeedsTab: true, MayChange: true}
	until := Spec{Name: "scrollUntil", Family: "scroll", Class: safety.Read, NeedsTab: true, MayChange: true, Strong: true}
	more := Spec{Name: "loadMoreUntil", Family: "scroll", Class: safety.Write, NeedsTab: true, MayChange: true, Strong: true}
	return []declared{
		declare(into, scrollIntoView),
		declare(until, scrollUntil, spec.Enum("direction", "up", "down", "left", "right"), spec.Between("maxScrolls", 1, 500), spec.Between("stallMs", 100, 30000)),
		declare(more, loadMoreUntil, spec.Between("itemCount", 1, 100000), spec.Between("maxLoads", 1, 500), spec.Between("stallMs", 100, 30000)),
	}
}

// scrollIntoView brings an element into the viewport, its frames first.
func scrollIntoView(ctx context.Context, r *run, p ScrollIntoViewParams) *Error {
	if !p.isSet() {
		return noTarget()
	}
	var did *element
	w := r.watcher()
	defer w.close()
	err := r.withGate(ctx, gatedStep{look: r.readLooker(p.Target), do: func(ctx context.Context, a *element) *Error {
		did = a
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		r.res.Sent = true
		return r.bringIntoView(ctx, a.frame, a.id)
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "scrolled to", did.label())
}

// bringIntoView scrolls an element, and the <iframe>s around it, into view.
func (r *run) bringIntoView(ctx context.Context, f frame, id int) *Error {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return bad
	}
	type step struct {
		f  frame
		id int
	}
	chain := []step{{f, id}}
	for at := f; at.ParentID() != ""; {
		owner, err := at.Owner(ctx)
		parent := frameOf(fs, at.ParentID())
		if err != nil || parent == nil {
			break // the frame is going away; the innermost step fails then
		}
		chain = append(chain, step{parent, owner})
		at = parent
	}
	for i := len(chain) - 1; i >= 0; i-- {
		refused, err := page.IntoView(ctx, chain[i].f, chain[i].id, false)
		if err != nil {
			return r.ignoreNavigated(err, "scroll")
		}
		if refused != nil && i == 0 {
			return r.extractorErr(chain[i].f, refused)
		}
	}
	return nil
}

// longRun gives an act of many steps its own time limit; the clock of the action is
// paused meanwhile.
func (r *run) longRun(ctx context.Context, d time.Duration) (long context.Context, end func()) {
	usual := r.bound
	resume := usual.pause()
	r.bound = newStopwatch(ctx, d) // a question to the user pauses it as well
	own := r.bound
	return own.ctx, func() {
		own.stop()
		r.bound = usual
		resume()
	}
}

func durationOf(ms *float64, usual time.Duration) time.Duration {
	if ms == nil {
		return usual
	}
	return time.Duration(*ms * float64(time.Millisecond))
}

func countOf(n *int, usual int) int {
	if n == nil {
		return usual
	}
	return *n
}

// scrollUntil scrolls step by step until the wanted element or text is there, or nothing
// new comes.
func scrollUntil(ctx context.Context, r *run, p ScrollUntilParams) *Error {
	if p.Direction == "" {
		p.Direction = "down"
	}
	most, stall := countOf(p.MaxScrolls, defaultScroll), durationOf(p.StallMS, defaultStall)
	within := Target{Index: p.Index, Ref: p.Ref}
	look := func(ctx context.Context) (*element, safety.Act, *Error) {
		if within.isSet() {
			return r.readLooker(within)(ctx)
		}
		return nil, safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: r.tab.MainURL()}}, nil
	}
	scrolls, reason := 0, ""
	var last probed
	w := r.watcher()
	defer w.close()
	err := r.withGate(ctx, gatedStep{look: look, what: "page", do: func(ctx context.Context, a *element) *Error {
		if err := w.start(ctx, nil); err != nil {
			return err
		}
		if err := w.tab.Listen(ctx); err != nil {
			r.s.o.Log.Debug().Err(err).Msg("the page's requests are not seen")
		}
		ctx, end := r.longRun(ctx, untilTime)
		defer end()
		changed, draws := time.Now(), true
		if a != nil {
			list := *a
			a = &list
		}
		for first := true; ; first = false {
			now, err := r.probe(ctx, p.Selector, p.Text, "")
			if err != nil {
				return r.ranOut(ctx, err, &reason)
			}
			if now.mark != last.mark {
				changed = time.Now()
			}
			last = now
			if now.selector != nil && first && a == nil && p.Text != "" && now.text == nil {
				// In other actions a selector names the target: one that already matches, beside
				// a text that is not there, is the list to scroll within.
				a, p.Selector = &element{frame: now.selFrame, id: now.selector.ID, el: *now.selector}, ""
				now.selector = nil
			}
			switch {
			case p.Selector != "" && now.selector != nil:
				reason = stopSelector
				return r.bringIntoView(ctx, now.selFrame, now.selector.ID)
			case p.Text != "" && now.text != nil:
				reason = stopText
				return r.bringIntoView(ctx, now.textFrame, now.text.ID)
			case scrolls >= most:
				reason = stopScrolls
				return nil
			case time.Since(changed) >= stall:
				reason = stopStalled
				return nil
			}
			moved, err := r.scrollOnce(ctx, a, "", p.Direction)
			if err != nil {
				return r.ranOut(ctx, err, &reason)
			}
			if moved {
				scrolls++
				changed = time.Now()
			}
			if draws, err = r.awaitScrollDrawn(ctx, w, a, draws, moved); err != nil {
				return r.ranOut(ctx, err, &reason)
			}
		}
	}})
	if err != nil {
		return err
	}
	*r.object = p.Direction
	data := map[string]any{"scrolls": scrolls, "stopReason": reason}
	found := r.addFound(reason, last, data)
	r.res.Data = data
	if err := r.report(ctx, w, nil, "scrolled", p.Direction); err != nil {
		return err
	}
	r.res.Text = fmt.Sprintf("OK: %s after %d scrolls.%s", reason, scrolls, found)
	return nil
}

// ranOut turns a timeout of ctx into a reason to stop; other errors are
// returned.
func (r *run) ranOut(ctx context.Context, err *Error, reason *string) *Error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) && err.Code == Timeout {
		*reason = stopTime
		return nil
	}
	return err
}

// addFound adds the found element to the data of a result, and returns it in words.
func (r *run) addFound(reason string, last probed, data map[string]any) string {
	f, raw := last.selFrame, last.selector
	if reason == stopText {
		f, raw = last.textFrame, last.text
	}
	if raw == nil || reason != stopText && reason != stopSelector {
		return ""
	}
	i := r.page.IndexOf(f, *raw)
	data["index"], data["ref"] = i, pagecontext.FormatRef(i)
	return " Found: " + pagecontext.Mention(pagecontext.Describe(raw.Role, raw.Tag, raw.Name), pagecontext.RowOf(raw.Name, "", raw.Near), i) + "."
}

// scrollOnce scrolls by most of a screen and tells whether anything moved. The extractor
// scrolls, because the wheel goes to the element under the mouse and hangs in
// background tabs.
func (r *run) scrollOnce(ctx context.Context, a *element, items, direction string) (bool, *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return false, bad
	}
	f := fs[0]
	dx, dy, bad := r.scrollStep(ctx, ScrollParams{Direction: direction})
	if bad != nil {
		return false, bad
	}
	by := page.Scroll{Items: items, DX: dx, DY: dy, Within: true}
	if a != nil {
		f, by.ID = a.frame, a.id
	}
	r.res.Sent = true
	end, err := page.ScrollBy(ctx, f, by)
	if err != nil {
		return false, wrap("scroll", err)
	}
	if a != nil && end.ID > 0 {
		a.id = end.ID // the element that named the list may be gone
	}
	return end.Moved, nil
}

// awaitScrollDrawn waits until the page has drawn the result of a scroll: in a tab that
// draws seldom, rows of a list that draws only what is in view would be skipped. draws
// says that frames are expected; without them the wait is short. If the page asked for a
// timer or a server's answer, or did not move, it gets scrollPause before the next
// look.
func (r *run) awaitScrollDrawn(ctx context.Context, w *effectRecorder, a *element, draws, moved bool) (bool, *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return draws, bad
	}
	f := fs[0]
	if a != nil {
		f = a.frame
	}
	began := time.Now()
	got, bad := r.awaitFrame(ctx, f, draws)
	if bad != nil {
		return draws, bad
	}
	st := w.tab.Snapshot()
	// The requests of frames in other processes are not known.
	calm := moved && got.Frames && !got.Asked && st.Waits(false) == 0 && !st.Loading && f.ID() == fs[0].ID()
	if left := scrollPause - time.Since(began); !calm && left > 0 && !native.Sleep(ctx, left) {
		return got.Frames, wrap("scroll", ctx.Err())
	}
	return got.Frames, nil
}

// awaitFrame waits for the frame after a scroll, and makes Chrome draw a covered tab.
func (r *run) awaitFrame(ctx context.Context, f frame, draws bool) (page.Drawing, *Error) {
	most := scrollPause
	if draws {
		most = scrollDrawn
	}
	got, err := page.Drawn(ctx, f, most)
	if err != nil {
		return got, wrap("scroll", err)
	}
	if got.Undrawn {
		r.tab.Undrawn()
	}
	return got, nil
}
