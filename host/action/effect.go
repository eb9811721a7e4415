package action

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

const (
	// firstTime is how long a first change is waited for, quietTime how long
	// the page must stand still after one, and settleTime the most that is
	// waited for in all.
	firstTime  = 120 * time.Millisecond
	quietTime  = 40 * time.Millisecond
	settleTime = 2 * time.Second
	// loadTime is how long a navigation that began may take to load.
	loadTime = 5 * time.Second
	// shownChanges is how many changes a result tells; the list tells the rest.
	shownChanges = 12
)

// change is Change of the extractor.
type change struct {
	Kind string `json:"kind"`
	ID   int    `json:"id"`
	Role string `json:"role"`
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// effects is Effects of the extractor.
type effects struct {
	URL   string `json:"url"`
	Focus *struct {
		ID   int    `json:"id"`
		Tag  string `json:"tag"`
		Name string `json:"name"`
	} `json:"focus"`
	Changes   []change `json:"changes"`
	More      int      `json:"more"`
	Mutations int      `json:"mutations"`
	Settled   bool     `json:"settled"`
}

// watching is what is watched around one act.
type watching struct {
	r      *run
	tab    watch
	frames []frame
	opened <-chan struct{}
	before browser.WatchState // what was already under way
	target *aim
}

// watcher makes an empty one; start fills it. It is started anew when the gate
// has the act done again.
func (r *run) watcher() *watching { return &watching{r: r} }

// start begins to watch the tab, the main frame and the target's frame.
func (w *watching) start(ctx context.Context, target frame) *Error {
	if w.tab != nil {
		return nil // the second half of one act: type, then Enter
	}
	w.tab = w.r.tab.Watch()
	w.opened = w.r.tab.DialogOpened()
	w.before = w.tab.Snapshot()
	if w.r.tab.Dialog() != nil {
		// The act that opened it left its watch in the page; what came of it is
		// told when the dialog is answered.
		w.opened = nil
		w.frames = w.r.h.unsettled
		return nil
	}
	fs, err := w.r.frames(ctx)
	if err != nil {
		return nil //nolint:nilerr // a page that is not there yet can still be navigated
	}
	w.frames = fs[:1]
	if target != nil && target.ID() != fs[0].ID() {
		w.frames = []frame{fs[0], target}
	}
	for _, f := range w.frames {
		fctx, cancel := context.WithTimeout(ctx, frameTime)
		err := f.Call(fctx, "watch", nil, nil)
		cancel()
		if err != nil && target != nil {
			return w.r.gone(err, "watch the page")
		}
	}
	return nil
}

// answered tells that the dialog is gone and that another one may open.
func (w *watching) answered() { w.opened = w.r.tab.DialogOpened() }

func (w *watching) close() {
	if w.tab != nil {
		w.tab.Close()
	}
}

// dialog gives the native dialog that the act opened, if one is open.
func (w *watching) dialog() *browser.Dialog {
	if w.opened == nil {
		return nil
	}
	return w.r.tab.Dialog()
}

// race runs what sends input and stops waiting for it when a dialog opens:
// Chrome answers a click that opened confirm() only after the dialog is gone.
func (w *watching) race(ctx context.Context, send func(context.Context) *Error) *Error {
	sctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan *Error, 1)
	go func() { done <- send(sctx) }()
	select {
	case err := <-done:
		if err != nil && w.dialog() != nil && (err.Code == DialogOpen || err.Code == Timeout) {
			return nil
		}
		return err
	case <-w.opened:
		cancel()
		if err := <-done; err != nil { // the dialog's doing
			w.r.s.o.Log.Debug().Err(err).Msg("input ended by a dialog")
		}
		return nil
	}
}

// outcome is what an act did, as far as can be seen.
type outcome struct {
	dialog   *browser.Dialog
	newTabs  []browser.TabInfo
	download []browser.Download
	failed   string // a navigation that failed
	url      string // where the main frame is now, if it navigated
	within   bool   // … in the same document
	title    string
	loading  bool
	detached error
	parts    []string // changes in words
	more     int
}

// settle waits until the page stands still, and tells what happened.
func (w *watching) settle(ctx context.Context) outcome {
	var out outcome
	if w.tab == nil {
		return out
	}
	if out.dialog = w.dialog(); out.dialog == nil && len(w.frames) > 0 {
		w.changes(ctx, &out)
	}
	st := w.tab.Snapshot()
	// A page that was still loading before the act is not waited for: the act
	// has no part in that.
	began := st.Pending > w.before.Pending || st.Loading && !w.before.Loading || len(st.Navigations) > 0
	if out.dialog = w.dialog(); out.dialog == nil && began {
		st = w.waitLoad(ctx)
		out.dialog = w.dialog()
	}
	w.r.h.unsettled = nil
	if out.dialog != nil {
		w.r.h.unsettled = w.frames
	}
	out.newTabs, out.download, out.detached = st.NewTabs, st.Downloads, st.Detached
	out.loading = st.Loading
	for _, n := range st.Navigations {
		if n.Failed {
			out.failed = n.URL
			continue
		}
		out.url, out.within = n.URL, n.SameDocument && (out.url == "" || out.within)
	}
	if out.url != "" && !out.within && out.dialog == nil {
		out.parts, out.more = nil, 0 // what changed in the document before is of no use
		tctx, cancel := context.WithTimeout(ctx, frameTime)
		defer cancel()
		out.title = w.title(tctx)
	}
	for _, t := range out.newTabs {
		w.r.s.adopt(t.ID, t.URL)
	}
	return out
}

// waitLoad waits for the load, and stops when a dialog opens.
func (w *watching) waitLoad(ctx context.Context) browser.WatchState {
	lctx, cancel := context.WithCancel(ctx)
	defer cancel()
	got := make(chan browser.WatchState, 1)
	go func() { got <- w.tab.Wait(lctx, quietTime, loadTime) }()
	select {
	case st := <-got:
		return st
	case <-w.opened:
		cancel()
		return <-got
	}
}

func (w *watching) title(ctx context.Context) string {
	s, err := w.r.page.Summary(ctx)
	if err != nil {
		return ""
	}
	return s.Title
}

// changes asks each watched frame what changed, at the same time; a dialog
// ends the wait, since nothing in the page answers behind it.
func (w *watching) changes(ctx context.Context, out *outcome) {
	type answer struct {
		f   frame
		e   effects
		err error
	}
	ectx, cancel := context.WithTimeout(ctx, settleTime+frameTime)
	defer cancel()
	answers := make(chan answer, len(w.frames))
	arg := map[string]any{"quietMs": quietTime.Milliseconds(), "firstMs": firstTime.Milliseconds(), "maxMs": settleTime.Milliseconds(), "stop": true}
	for _, f := range w.frames {
		go func() {
			a := answer{f: f}
			a.err = f.Call(ectx, "effects", arg, &a.e)
			answers <- a
		}()
	}
	for range w.frames {
		select {
		case a := <-answers:
			if a.err == nil {
				w.tell(a.f, a.e, out)
			}
		case <-w.opened:
			return
		}
	}
}

// tell puts one frame's changes into words, with the tab's indices.
func (w *watching) tell(f frame, e effects, out *outcome) {
	var added, gone, other []string
	for _, c := range e.Changes {
		what := describe(c.Role, "text", c.Name)
		if c.ID != 0 {
			raw := pagecontext.RawElement{ID: c.ID, Role: c.Role, Name: c.Name}
			what = fmt.Sprintf("[%d] %s", w.r.page.IndexOf(f, raw), what)
		}
		from, to := short(pagecontext.Flatten(c.From), 60), short(pagecontext.Flatten(c.To), 60)
		switch c.Kind {
		case "added":
			if c.Role == "" && c.Name == "" {
				what = fmt.Sprintf("%q", short(pagecontext.Flatten(c.To), 120))
			}
			added = append(added, what)
		case "removed":
			if c.Role == "" && c.Name == "" {
				what = fmt.Sprintf("%q", from)
			}
			gone = append(gone, what)
		case "focus":
			if w.target != nil && w.target.frame.ID() == f.ID() && w.target.id == c.ID {
				continue // what was clicked has the focus; nobody needs to be told
			}
			other = append(other, "focus on "+what)
		case "scroll":
			other = append(other, "scrolled")
		case "text":
			if c.Role == "" && c.Name == "" && c.ID == 0 {
				what = "text"
			}
			other = append(other, fmt.Sprintf("%s %q → %q", what, from, to))
		default:
			other = append(other, fmt.Sprintf("%s %s %q → %q", what, c.Kind, from, to))
		}
	}
	n := 0
	take := func(head string, list []string, sep string) {
		if len(list) == 0 || n >= shownChanges {
			out.more += len(list)
			return
		}
		keep := min(len(list), shownChanges-n)
		n += keep
		out.more += len(list) - keep
		out.parts = append(out.parts, head+strings.Join(list[:keep], sep))
	}
	take("", other, "; ")
	take("new: ", added, ", ")
	take("gone: ", gone, ", ")
	out.more += e.More
}

// words is the effect in one sentence, for a model.
func (o outcome) words() string {
	var parts []string
	if o.dialog != nil {
		parts = append(parts, fmt.Sprintf("a %s dialog opened: %q (answer it with handleDialog)", o.dialog.Kind, short(o.dialog.Message, 200)))
	}
	if o.url != "" {
		verb := "navigated to "
		if o.within {
			verb = "address is now "
		}
		text := verb + short(o.url, 200)
		if o.title != "" {
			text += fmt.Sprintf(" (%s)", short(o.title, 80))
		}
		if o.loading {
			text += ", still loading"
		}
		parts = append(parts, text)
	}
	if o.failed != "" {
		parts = append(parts, "the page at "+short(o.failed, 200)+" could not be loaded")
	}
	for _, t := range o.newTabs {
		text := "opened a new tab"
		if t.URL != "" {
			text += " at " + short(t.URL, 200)
		}
		parts = append(parts, text+" (switchTab goes there)")
	}
	for _, d := range o.download {
		name := d.File
		if name == "" {
			name = d.URL
		}
		parts = append(parts, "download began: "+short(name, 120))
	}
	if o.detached != nil {
		parts = append(parts, "the tab went away")
	}
	parts = append(parts, o.parts...)
	if o.more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more changes", o.more))
	}
	if len(parts) == 0 {
		return NoEffect
	}
	return strings.Join(parts, "; ")
}

// maxAlerts bounds a page that opens one alert after another.
const maxAlerts = 3

// report settles, and writes outcome and effect into the result.
func (r *run) report(ctx context.Context, w *watching, a *aim, verb, what string) *Error {
	w.target = a
	out := w.settle(ctx)
	var alerts []string
	for out.dialog != nil && out.dialog.Kind == "alert" && len(alerts) < maxAlerts {
		// An alert asks nothing. Its text is told and it is put away.
		said := fmt.Sprintf("an alert said %q and was closed", short(out.dialog.Message, 200))
		dctx, cancel := context.WithTimeout(ctx, frameTime)
		err := r.tab.HandleDialog(dctx, true, "")
		cancel()
		if err != nil {
			break
		}
		alerts = append(alerts, said)
		w.answered()
		out = w.settle(ctx)
	}
	out.parts = append(alerts, out.parts...)
	r.res.Effect = out.words()
	if out.failed != "" && out.url == "" && !strings.HasPrefix(verb, "clicked") {
		return &Error{Code: NavigationFailed, Message: "could not load " + short(out.failed, 200)}
	}
	line := verb
	if what != "" {
		line += " " + what
	}
	r.res.Text = fmt.Sprintf("OK: %s. Effect: %s.", line, r.res.Effect)
	return nil
}
