package action

import (
	"context"
	"fmt"
	"time"

	"tabwright/host/native"
)

// LoadMoreUntilParams are the parameters of loadMoreUntil.
type LoadMoreUntilParams struct {
	Target
	ItemSelector string   `json:"itemSelector,omitempty" jsonschema:"selector of the items that are counted"`
	ItemCount    *int     `json:"itemCount,omitempty" jsonschema:"stop when there are so many items"`
	Text         string   `json:"text,omitempty" jsonschema:"stop when the page shows this text"`
	MaxLoads     *int     `json:"maxLoads,omitempty" jsonschema:"10 if left out"`
	StallMS      *float64 `json:"stallMs,omitempty" jsonschema:"how long to wait for more after each load; 3000 if left out"`
}

// loadMoreUntil clicks a "load more" control, or scrolls to the end if none is
// given, until there are enough items. Each click passes the gate like any
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
	if !p.isSet() {
		if err := r.judgeRead(ctx); err != nil {
			return err
		}
	}
	if err := w.start(ctx, nil); err != nil {
		return err
	}
	w.more = true // the effects of each load are awaited separately
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
	found := r.addFound(m.reason, m.last, data)
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
	still  bool // the page draws no frames
}

// scroll scrolls by most of a screen, and tells whether anything moved. A list that
// reuses its rows shows the text only in passing, once it is drawn.
func (m *moreLoader) scroll(ctx context.Context) (bool, *Error) {
	moved, err := m.r.scrollOnce(ctx, nil, m.p.ItemSelector, "down")
	if err != nil || !moved || m.p.Text == "" {
		return moved, err
	}
	fs, err := m.r.frames(ctx)
	if err != nil {
		return moved, err
	}
	got, err := m.r.awaitFrame(ctx, fs[0], !m.still)
	m.still = err == nil && !got.Frames
	return moved, err
}

func (m *moreLoader) loop(ctx context.Context, w *effectRecorder) *Error {
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
		if err := m.await(ctx, w, before); err != nil || m.reason != "" {
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
func (m *moreLoader) load(ctx context.Context, w *effectRecorder) (bool, *Error) {
	r := m.r
	if !m.p.isSet() {
		m.loads++
		for range 50 { // to the end of what is there
			moved, err := m.scroll(ctx)
			if err != nil {
				return false, r.ranOut(ctx, err, &m.reason)
			}
			if !moved {
				break
			}
			if m.p.Text != "" { // a list that recycles its rows may have it in passing only
				if err := m.look(ctx); err != nil || m.reason != "" {
					return false, err
				}
			}
		}
		return true, nil
	}
	err := r.withGate(ctx, gatedStep{look: r.looker(targetQuery{Target: m.p.Target}), do: func(ctx context.Context, a *element) *Error {
		return r.clickElement(ctx, w, a, leftClick())
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
func (m *moreLoader) await(ctx context.Context, w *effectRecorder, before probed) *Error {
	until := time.Now().Add(m.stall)
	for {
		err := w.answerAll(ctx)
		if err != nil {
			return err
		}
		if err := m.look(ctx); err != nil || m.reason != "" {
			return err
		}
		grown := m.last.items > before.items
		if m.p.ItemSelector == "" {
			grown = m.last.main.Nodes != before.main.Nodes || m.last.main.Height != before.main.Height
		}
		if !grown && !m.p.isSet() && m.reason == "" { // reused rows never become more, but their list gets longer
			if grown, err = m.scroll(ctx); err != nil {
				return m.r.ranOut(ctx, err, &m.reason)
			}
		}
		switch {
		case grown:
			return nil
		case time.Now().After(until):
			m.reason = stopNoMore
			return nil
		case !native.Sleep(ctx, 50*time.Millisecond):
			m.reason = stopTime
			return nil
		}
	}
}
