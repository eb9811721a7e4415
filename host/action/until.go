package action

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// ScrollIntoViewParams are the parameters of scrollIntoView.
type ScrollIntoViewParams struct{ Target }

// ScrollUntilParams are the parameters of scrollUntil.
type ScrollUntilParams struct {
	Selector   string   `json:"selector,omitempty" jsonschema:"stop when an element that it matches is shown"`
	Text       string   `json:"text,omitempty" jsonschema:"stop when the page shows this text"`
	Direction  string   `json:"direction,omitempty" jsonschema:"down if left out"`
	MaxScrolls *int     `json:"maxScrolls,omitempty" jsonschema:"20 if left out"`
	StallMS    *float64 `json:"stallMs,omitempty" jsonschema:"stop when nothing changed for so long; 1500 if left out"`
	Index      *int     `json:"index,omitempty" jsonschema:"number of the element to scroll within; the page if left out"`
	Ref        string   `json:"ref,omitempty" jsonschema:"ref of the element to scroll within"`
}

// LoadMoreUntilParams are the parameters of loadMoreUntil.
type LoadMoreUntilParams struct {
	Target
	ItemSelector string   `json:"itemSelector,omitempty" jsonschema:"selector of the items that are counted"`
	ItemCount    *int     `json:"itemCount,omitempty" jsonschema:"stop when there are so many items"`
	Text         string   `json:"text,omitempty" jsonschema:"stop when the page shows this text"`
	MaxLoads     *int     `json:"maxLoads,omitempty" jsonschema:"10 if left out"`
	StallMS      *float64 `json:"stallMs,omitempty" jsonschema:"how long to wait for more after each load; 3000 if left out"`
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
	defaultScroll = 20
	defaultLoads  = 10
)

func untilActions() []Spec {
	into := Spec{Name: "scrollIntoView", Family: "scroll", Class: safety.Read, NeedsTab: true, MayChange: true}
	until := Spec{Name: "scrollUntil", Family: "scroll", Class: safety.Read, NeedsTab: true, MayChange: true, Strong: true}
	more := Spec{Name: "loadMoreUntil", Family: "scroll", Class: safety.Write, NeedsTab: true, MayChange: true, Strong: true}
	return []Spec{
		declare(into, scrollIntoView),
		declare(until, scrollUntil, enum("direction", "up", "down", "left", "right"), between("maxScrolls", 1, 500), between("stallMs", 100, 30000)),
		declare(more, loadMoreUntil, between("itemCount", 1, 100000), between("maxLoads", 1, 500), between("stallMs", 100, 30000)),
	}
}

// scrollIntoView brings an element into the viewport, its frames first.
func scrollIntoView(ctx context.Context, r *run, p ScrollIntoViewParams) *Error {
	if !p.given() {
		return noTarget()
	}
	var did *aim
	w := r.watcher()
	defer w.close()
	err := r.gated(ctx, plan{look: r.readLooker(p.Target), do: func(ctx context.Context, a *aim) *Error {
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

// bringIntoView scrolls an element, and the <iframe>s it stands in, into view.
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
			break // the frame is going; the innermost step says so
		}
		chain = append(chain, step{parent, owner})
		at = parent
	}
	for i := len(chain) - 1; i >= 0; i-- {
		var got struct {
			Error *extractorError `json:"error"`
		}
		if err := chain[i].f.Call(ctx, "intoView", map[string]int{"id": chain[i].id}, &got); err != nil {
			return r.gone(err, "scroll")
		}
		if got.Error != nil && i == 0 {
			return r.extractorErr(chain[i].f, got.Error)
		}
	}
	return nil
}

// probe is Probe of the extractor: the page after a step.
type probe struct {
	ReadyState string                  `json:"readyState"`
	URL        string                  `json:"url"`
	Y          float64                 `json:"y"`
	Height     float64                 `json:"height"`
	Nodes      int                     `json:"nodes"`
	Attached   bool                    `json:"attached"`
	Selector   *pagecontext.RawElement `json:"selector"`
	Text       *pagecontext.RawElement `json:"text"`
	Items      int                     `json:"items"`
	Error      *extractorError         `json:"error"`
}

// probed is one look at all frames.
type probed struct {
	selector, text *pagecontext.RawElement
	selFrame       frame
	textFrame      frame
	attached       bool
	items          int
	mark           string // changes when the page has
	main           probe
}

// probe asks every frame whether what is waited for is there. A child frame
// that can't answer just now has nothing to say.
func (r *run) probe(ctx context.Context, selector, text, items string) (probed, *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return probed{}, bad
	}
	arg := map[string]string{}
	for k, v := range map[string]string{"selector": selector, "text": text, "items": items} {
		if v != "" {
			arg[k] = v
		}
	}
	var out probed
	for _, f := range fs {
		fctx, cancel := context.WithTimeout(ctx, frameTime)
		var p probe
		err := f.Call(fctx, "probe", arg, &p)
		cancel()
		switch {
		case err != nil && f.ParentID() == "":
			return out, wrap("look at the page", err)
		case err != nil:
			continue
		case p.Error != nil:
			return out, r.extractorErr(f, p.Error)
		}
		if f.ParentID() == "" {
			out.main = p
		} else if _, _, shown := f.Offset(ctx); !shown {
			continue
		}
		if p.Selector != nil && out.selector == nil {
			out.selector, out.selFrame = p.Selector, f
		}
		if p.Text != nil && out.text == nil {
			out.text, out.textFrame = p.Text, f
		}
		out.attached = out.attached || p.Attached
		out.items += p.Items
		out.mark += fmt.Sprintf("%d/%g/%g/%d;", p.Nodes, p.Y, p.Height, p.Items)
	}
	return out, nil
}

// longRun gives an act that takes many steps a time of its own: that of single
// actions stands still meanwhile.
func (r *run) longRun(ctx context.Context, d time.Duration) (long context.Context, end func()) {
	usual := r.bound
	resume := usual.pause()
	r.bound = newStopwatch(ctx, d) // which a question to the person stops as well
	own := r.bound
	return own.ctx, func() {
		own.stop()
		r.bound = usual
		resume()
	}
}

// pause waits; false when there is no more time.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
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

// scrollUntil scrolls step by step until something is there, or nothing new
// comes.
func scrollUntil(ctx context.Context, r *run, p ScrollUntilParams) *Error {
	if p.Direction == "" {
		p.Direction = "down"
	}
	most, stall := countOf(p.MaxScrolls, defaultScroll), durationOf(p.StallMS, defaultStall)
	within := Target{Index: p.Index, Ref: p.Ref}
	look := func(ctx context.Context) (*aim, safety.Act, *Error) {
		if within.given() {
			return r.readLooker(within)(ctx)
		}
		return nil, safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: r.tab.MainURL()}}, nil
	}
	scrolls, reason := 0, ""
	var last probed
	w := r.watcher()
	defer w.close()
	err := r.gated(ctx, plan{look: look, what: "page", do: func(ctx context.Context, a *aim) *Error {
		if err := w.start(ctx, nil); err != nil {
			return err
		}
		ctx, end := r.longRun(ctx, untilTime)
		defer end()
		changed := time.Now()
		for {
			now, err := r.probe(ctx, p.Selector, p.Text, "")
			if err != nil {
				return r.ranOut(ctx, err, &reason)
			}
			if now.mark != last.mark {
				changed = time.Now()
			}
			last = now
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
			moved, err := r.scrollOnce(ctx, a, p.Direction)
			if err != nil {
				return r.ranOut(ctx, err, &reason)
			}
			if moved {
				scrolls++
				changed = time.Now()
			}
			if !pause(ctx, scrollPause) {
				reason = stopTime
				return nil
			}
		}
	}})
	if err != nil {
		return err
	}
	*r.object = p.Direction
	data := map[string]any{"scrolls": scrolls, "stopReason": reason}
	found := r.foundIn(reason, last, data)
	r.res.Data = data
	if err := r.report(ctx, w, nil, "scrolled", p.Direction); err != nil {
		return err
	}
	r.res.Text = fmt.Sprintf("OK: %s after %d scrolls.%s", reason, scrolls, found)
	return nil
}

// ranOut turns the end of the time into a reason to stop; everything else is
// the error it was.
func (r *run) ranOut(ctx context.Context, err *Error, reason *string) *Error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) && err.Code == Timeout {
		*reason = stopTime
		return nil
	}
	return err
}

// foundIn adds what was found to the data of a result, and gives it in words.
func (r *run) foundIn(reason string, last probed, data map[string]any) string {
	f, raw := last.selFrame, last.selector
	if reason == stopText {
		f, raw = last.textFrame, last.text
	}
	if raw == nil || reason != stopText && reason != stopSelector {
		return ""
	}
	i := r.page.IndexOf(f, *raw)
	data["index"], data["ref"] = i, pagecontext.FormatRef(i)
	return fmt.Sprintf(" Found: [%d] %s.", i, describe(raw.Role, raw.Tag, raw.Name))
}

// scrollOnce scrolls by most of a screen and tells whether anything moved. It
// is done from inside: the wheel goes to what lies under the mouse and hangs
// in background tabs.
func (r *run) scrollOnce(ctx context.Context, a *aim, direction string) (bool, *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return false, bad
	}
	f := fs[0]
	dx, dy := r.scrollStep(ctx, ScrollParams{Direction: direction})
	arg := map[string]any{"dx": dx, "dy": dy, "within": true}
	if a != nil {
		f, arg["id"] = a.frame, a.id
	}
	var end scrolled
	r.res.Sent = true
	if err := f.Call(ctx, "scrollBy", arg, &end); err != nil {
		return false, wrap("scroll", err)
	}
	return end.Moved, nil
}

// loadMoreUntil clicks "load more" (or scrolls to the end, where no control is
// named) until there are enough items. Each click passes the gate like any
// other.
func loadMoreUntil(ctx context.Context, r *run, p LoadMoreUntilParams) *Error {
	if p.ItemCount == nil && p.Text == "" && p.MaxLoads == nil {
		return &Error{Code: InvalidParams, Message: "no end: give itemCount, text or maxLoads"}
	}
	if p.ItemCount != nil && p.ItemSelector == "" {
		return &Error{Code: InvalidParams, Message: "itemCount needs itemSelector: which elements are counted"}
	}
	m := &moreLoader{r: r, p: p, most: countOf(p.MaxLoads, defaultLoads), stall: durationOf(p.StallMS, loadStall)}
	w := r.watcher()
	defer w.close()
	if !p.given() {
		if err := r.judgeRead(ctx); err != nil {
			return err
		}
	}
	if err := w.start(ctx, nil); err != nil {
		return err
	}
	w.more = true // what each load brings is waited for by itself
	long, end := r.longRun(ctx, untilTime)
	err := m.loop(long, w)
	end()
	if err != nil {
		return err
	}
	data := map[string]any{"loads": m.loads, "stopReason": m.reason}
	if p.ItemSelector != "" {
		data["items"] = m.last.items
	}
	found := r.foundIn(m.reason, m.last, data)
	r.res.Data = data
	*r.object = fmt.Sprint(m.loads)
	if err := r.report(ctx, w, nil, "loaded", "more"); err != nil {
		return err
	}
	items := ""
	if p.ItemSelector != "" {
		items = fmt.Sprintf(", %d items", m.last.items)
	}
	r.res.Text = fmt.Sprintf("OK: %s after %d loads%s.%s", m.reason, m.loads, items, found)
	return nil
}

// moreLoader is one run of loadMoreUntil.
type moreLoader struct {
	r      *run
	p      LoadMoreUntilParams
	most   int
	stall  time.Duration
	loads  int
	reason string
	last   probed
}

func (m *moreLoader) loop(ctx context.Context, w *watching) *Error {
	for {
		if err := m.look(ctx); err != nil || m.reason != "" {
			return err
		}
		if m.loads >= m.most {
			m.reason = stopLoads
			return nil
		}
		before := m.last
		more, err := m.load(ctx, w)
		if err != nil || !more {
			return err
		}
		if d := m.r.tab.Dialog(); d != nil {
			return dialogOpen(d)
		}
		if err := m.await(ctx, before); err != nil || m.reason != "" {
			return err
		}
	}
}

// look sees whether the end is reached.
func (m *moreLoader) look(ctx context.Context) *Error {
	now, err := m.r.probe(ctx, "", m.p.Text, m.p.ItemSelector)
	if err != nil {
		return m.r.ranOut(ctx, err, &m.reason)
	}
	m.last = now
	switch {
	case m.p.ItemCount != nil && now.items >= *m.p.ItemCount:
		m.reason = stopItems
	case m.p.Text != "" && now.text != nil:
		m.reason = stopText
	}
	return nil
}

// load asks for more once; false when there is no more to ask for.
func (m *moreLoader) load(ctx context.Context, w *watching) (bool, *Error) {
	r := m.r
	if !m.p.given() {
		for range 50 { // to the end of what is there
			moved, err := r.scrollOnce(ctx, nil, "down")
			if err != nil {
				return false, r.ranOut(ctx, err, &m.reason)
			}
			if !moved {
				break
			}
		}
		m.loads++
		return true, nil
	}
	err := r.gated(ctx, plan{look: r.looker(goal{Target: m.p.Target}), do: func(ctx context.Context, a *aim) *Error {
		if err := clickable(a); err != nil {
			return err
		}
		at, err := r.ready(ctx, a, "click")
		if err != nil {
			return err
		}
		return r.clicked(ctx, w, a, at, press{button: "left", clicks: 1, nth: 1})
	}})
	switch {
	case err == nil:
		m.loads++
		return true, nil
	case m.loads > 0 && (err.Code == NotFound || err.Code == StaleRef || err.Code == NotVisible || err.Code == Disabled):
		m.reason = stopNoMore // the control went away: everything is loaded
		return false, nil
	}
	return false, r.ranOut(ctx, err, &m.reason)
}

// await waits until more has come, or says that there is no more.
func (m *moreLoader) await(ctx context.Context, before probed) *Error {
	until := time.Now().Add(m.stall)
	for {
		if err := m.look(ctx); err != nil || m.reason != "" {
			return err
		}
		grown := m.last.items > before.items
		if m.p.ItemSelector == "" {
			grown = m.last.main.Nodes != before.main.Nodes || m.last.main.Height != before.main.Height
		}
		switch {
		case grown:
			return nil
		case time.Now().After(until):
			m.reason = stopNoMore
			return nil
		case !pause(ctx, 50*time.Millisecond):
			m.reason = stopTime
			return nil
		}
	}
}
