package action

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"tabwright/host/action/effect"
	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

const (
	// firstTime is how long a first change is waited for, quietTime how long
	// the page must stand still after one, and settleTime the most that is
	// waited for in all.
	firstTime  = 120 * time.Millisecond
	quietTime  = 40 * time.Millisecond
	settleTime = 2 * time.Second
	// staysTime is how long a page that set a timer is waited for, where the mouse came
	// and nothing is seen of it yet: menus and tooltips wait to see whether it stays.
	staysTime = 750 * time.Millisecond
	// restTime is how long a page that was navigated to must stand still after
	// its load event: a redirect that it begins there is followed.
	restTime = 10 * time.Millisecond
	// loadTime is how long a navigation that began may take to load.
	loadTime = 5 * time.Second
)

// settling is how what comes of an act is waited for.
var settling = page.WaitFor(quietTime, firstTime, settleTime, 0)

// effectRecorder is what is watched around one act.
type effectRecorder struct {
	r      *run
	tab    watch
	frames []frame
	opened <-chan struct{}
	before browser.WatchState // what was already under way
	target *element
	// ready waits until windows for files stay shut; nil when that was waited for.
	ready func()
	// due says that the frames are to begin to watch with the guard's arming.
	due bool
	// more says that another part of the act follows, so that its effects are
	// not to be waited for yet; early are those that came with the last part.
	more   bool
	hovers bool // nothing but the mouse came
	early  map[string]page.Effects
	given  int  // of the files that the page asked for, those that it has got
	leaves bool // the document that is shown now is left: what changes in it is of no use
	// late is the dialog that opened after the act before was told; what its answer
	// does is told since then.
	late *browser.Dialog
	// holding says that requests are held (hold.go), asked how many the user was
	// asked about, refused why the last of them did not go.
	holding bool
	keeps   bool // what the page keeps in the browser is remembered, for undo
	asked   int
	refused *Error
	// resent says that the act sent again what was stopped before.
	resent bool
	doubts doubts
	page   *page.Lines // what the page said before
	at     string      // and its address
}

// watcher makes an empty one; start fills it. It is started anew when the gate
// has the act done again.
func (r *run) watcher() *effectRecorder {
	return &effectRecorder{r: r, early: map[string]page.Effects{}}
}

// start begins to watch the tab, the main frame and the target's frame.
func (w *effectRecorder) start(ctx context.Context, target frame) *Error {
	err := w.begin(ctx, target)
	defer w.awaitFileChooser()
	if err != nil || !w.due {
		return err
	}
	w.due = false
	if w.r.spec.Class != safety.Read {
		if err := w.tab.Listen(ctx); err != nil {
			w.r.s.o.Log.Debug().Err(err).Msg("the page's requests are not seen")
		}
	}
	errs := make([]error, len(w.frames))
	var wg sync.WaitGroup
	for i, f := range w.frames {
		wg.Go(func() {
			fctx, cancel := context.WithTimeout(ctx, frameTime)
			defer cancel()
			on := page.WatchOptions{Keep: w.keeps}
			if w.target != nil && w.target.frame.ID() == f.ID() {
				on.ID = w.target.id
			}
			var says *page.Lines
			if says, errs[i] = page.Watch(fctx, f, on); says != nil {
				w.page = says
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil && target != nil {
			return w.r.ignoreNavigated(err, "watch the page")
		}
	}
	return nil
}

// begin is start for an act behind a guard: the frames begin with its arming.
func (w *effectRecorder) begin(ctx context.Context, target frame) *Error {
	if w.tab != nil {
		w.hold(ctx)
		return nil // the second half of one act: type, then Enter
	}
	w.tab = w.r.tab.Watch()
	w.opened = w.r.tab.DialogOpened()
	w.before = w.tab.Snapshot()
	w.at = w.r.tab.MainURL()
	if target != nil {
		w.ready = w.tab.CatchFiles(ctx, target)
	}
	w.hold(ctx)
	if d := w.r.tab.Dialog(); d != nil {
		// The act that opened it left its watch in the page; what came of it is
		// told when the dialog is answered.
		w.opened = nil
		if w.frames = w.r.h.unsettled; len(w.frames) == 0 {
			w.late = d
		}
		return nil
	}
	if w.leaves {
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
	w.due = true
	return nil
}

// awaitFileChooser waits until windows for files stay shut.
func (w *effectRecorder) awaitFileChooser() {
	if w.ready != nil {
		w.ready()
		w.ready = nil
	}
}

// hasNavigated tells whether the tab shows another document since the act began.
func (w *effectRecorder) hasNavigated() bool {
	return slices.ContainsFunc(w.tab.Snapshot().Navigations, func(n browser.Navigation) bool { return !n.SameDocument })
}

// noteDialogAnswered tells that the dialog is gone and that another one may open.
func (w *effectRecorder) noteDialogAnswered() { w.opened = w.r.tab.DialogOpened() }

func (w *effectRecorder) close() {
	if w.tab != nil {
		w.tab.Close()
	}
}

// dialog gives the native dialog that the act opened, if one is open.
func (w *effectRecorder) dialog() *browser.Dialog {
	if w.opened == nil {
		return nil
	}
	return w.r.tab.Dialog()
}

// race runs what sends input and stops waiting for it when a dialog opens:
// Chrome answers a click that opened confirm() only after the dialog is gone.
func (w *effectRecorder) race(ctx context.Context, send func(context.Context) *Error) *Error {
	sctx, cancel := context.WithCancel(ctx)
	defer cancel()
	arrived := make(chan *Error, 1)
	go func() { arrived <- send(sctx) }()
	done := w.answerWhileStuck(sctx, arrived)
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

// settle waits until the page stands still, and tells what happened. What the page
// is about to send meanwhile is asked about where it has to be.
func (w *effectRecorder) settle(ctx context.Context) effect.Effect {
	out := w.settleToRequest(ctx)
	for rounds := 0; len(out.Held) > 0 && out.Detached == nil; rounds++ {
		for _, h := range out.Held {
			w.answerHeld(ctx, h, out.Dialog == nil)
		}
		// A page may send again what was stopped.
		if out.Dialog != nil || ctx.Err() != nil || w.refused != nil && rounds == afterNo {
			break
		}
		out = w.settleToRequest(ctx)
	}
	return out
}

// settleToRequest is settle up to a request that waits for a word.
func (w *effectRecorder) settleToRequest(ctx context.Context) effect.Effect {
	var out effect.Effect
	if w.tab == nil {
		return out
	}
	if out.Dialog = w.dialog(); out.Dialog == nil && w.late != nil && len(w.frames) == 0 && !w.hasNavigated() {
		w.frames = w.dialogFrames(ctx)
	}
	if out.Dialog == nil && len(w.frames) > 0 {
		w.changes(ctx, &out)
	}
	w.answers(ctx, &out)
	st := w.tab.Snapshot()
	// A page that was still loading before the act is not waited for: the act
	// has no part in that.
	began := st.Pending > w.before.Pending || st.Loading && !w.before.Loading || len(st.Navigations) > 0
	if out.Dialog = w.dialog(); out.Dialog == nil && began {
		st = w.waitLoad(ctx)
		out.Dialog = w.dialog()
	}
	w.r.h.unsettled, w.r.h.watched = nil, w.frames
	if out.Dialog != nil {
		w.r.h.unsettled = w.frames
	} else if to := w.wentTo(ctx); to != "" {
		out.Parts = append([]string{"the frame went to " + short(safety.Redact(to), 200)}, out.Parts...)
	}
	if out.NewTabs, out.Downloads = st.NewTabs, st.Downloads; st.Detached != nil {
		out.Detached = st.Detached
	}
	out.Closed, out.Leaving, out.Held = st.ClosedTabs, st.Leaving, st.Held
	for _, c := range st.FileChoosers[min(w.given, len(st.FileChoosers)):] {
		out.Files = append(out.Files, w.fileWords(ctx, c))
	}
	out.Loading = st.Loading
	for _, n := range st.Navigations {
		if n.Failed {
			out.Failed = n.URL
			continue
		}
		out.URL, out.Within = n.URL, n.SameDocument && (out.URL == "" || out.Within)
		if !n.SameDocument {
			out.Document, out.Status = document(n.MIME), n.Status
		}
	}
	if out.URL == w.at && w.r.spec.Family != travelFamily {
		if out.Anew = !out.Within; out.Within {
			out.URL = "" // nobody sees anything of it
		}
	}
	if out.URL != "" && !out.Within && out.Dialog == nil {
		out.Parts, out.More, out.Part = nil, 0, "" // what changed in the document before is of no use
		if out.Title = pagecontext.Flatten(st.Title); out.Title == "" {
			tctx, cancel := context.WithTimeout(ctx, frameTime)
			defer cancel()
			out.Title = w.title(tctx)
		}
		if out.Document == "" {
			w.addNews(ctx, &out)
		}
	}
	for _, t := range out.NewTabs {
		w.r.s.adopt(t.ID, t.URL)
	}
	return out
}

// dialogFrames are the frames in which the answer to a late dialog may be seen: the
// main one, those of the act before, and those at the address that asked.
func (w *effectRecorder) dialogFrames(ctx context.Context) []frame {
	fs, bad := w.r.frames(ctx)
	if bad != nil {
		return nil
	}
	return slices.DeleteFunc(fs, func(f frame) bool {
		return f.ParentID() != "" && f.URL() != w.late.URL && frameOf(w.r.h.watched, f.ID()) == nil
	})
}

// wentTo is the address of the document that the target's frame shows now, if that
// is another one than before the act; the main frame's navigations the tab tells.
func (w *effectRecorder) wentTo(ctx context.Context) string {
	for _, f := range w.frames {
		if f.ParentID() == "" {
			continue
		}
		fs, bad := w.r.frames(ctx)
		if bad != nil {
			return ""
		}
		if now := frameOf(fs, f.ID()); now != nil && now.Document() != f.Document() {
			return now.URL()
		}
	}
	return ""
}

// answers waits for what the act asked a server for, and tells what changed then;
// of a page that has changed already only its own site is waited for.
func (w *effectRecorder) answers(ctx context.Context, out *effect.Effect) {
	until := time.Now().Add(settleTime)
	for out.Dialog == nil && len(w.frames) > 0 && ctx.Err() == nil {
		own := len(out.Parts) > 0
		st := w.tab.Snapshot()
		if st.Waits(own) == 0 || st.Pending > 0 || st.Detached != nil || len(st.Held) > 0 || len(st.Navigations) > 0 && w.hasNavigated() {
			return
		}
		st = w.tab.Answered(ctx, time.Until(until), own)
		if out.Waiting = st.Waits(own) > 0 && st.Pending == 0; out.Dialog == nil && w.dialog() == nil {
			out.Forget()
			w.changes(ctx, out)
		}
		out.Dialog = w.dialog()
		if time.Now().After(until) {
			return
		}
	}
}

// waitLoad waits for the load, and stops when a dialog opens.
func (w *effectRecorder) waitLoad(ctx context.Context) browser.WatchState {
	lctx, cancel := context.WithCancel(ctx)
	defer cancel()
	got := make(chan browser.WatchState, 1)
	go func() {
		if st := w.tab.Snapshot(); w.leaves || w.hasNavigated() || st.Asked || st.Leaving != "" {
			got <- w.tab.Rest(lctx, restTime, loadTime)
		} else {
			got <- w.tab.Wait(lctx, quietTime, loadTime)
		}
	}()
	select {
	case st := <-got:
		return st
	case <-w.opened:
		cancel()
		return <-got
	}
}

// title asks the browser, which knows it before the new document can be read.
func (w *effectRecorder) title(ctx context.Context) string {
	title, err := w.r.tab.Title(ctx)
	if err != nil {
		return ""
	}
	return pagecontext.Flatten(title)
}

// changes asks each watched frame what changed, and once more where nothing did
// in a covered tab that is drawn only now: what it does in its next frames is
// still to come.
func (w *effectRecorder) changes(ctx context.Context, out *effect.Effect) {
	if w.ask(ctx, out) && len(out.Parts) == 0 {
		out.Late = nil // the page tells it again
		w.ask(ctx, out)
	}
}

// ask asks each watched frame what changed, at the same time; a dialog ends the
// wait, since nothing in the page answers behind it. It tells whether the tab
// was not drawn, and is from now on. A browser that can't be asked any more may
// have ended before it sent what the act asked for; the tab knows that a moment
// later.
func (w *effectRecorder) ask(ctx context.Context, out *effect.Effect) (drawn bool) {
	type answer struct {
		f   frame
		e   page.Effects
		err error
	}
	ectx, cancel := context.WithTimeout(ctx, settleTime+frameTime)
	defer cancel()
	answers := make(chan answer, len(w.frames))
	how := settling
	if w.hovers {
		how.Stays = staysTime.Milliseconds()
	}
	if w.late != nil {
		how.Since, w.late = true, nil
	}
	for _, f := range w.frames {
		if e, ok := w.early[f.ID()]; ok {
			delete(w.early, f.ID())
			answers <- answer{f: f, e: e}
			continue
		}
		go func() {
			a := answer{f: f}
			a.e, a.err = page.ReadEffects(ectx, f, how)
			answers <- a
		}()
	}
	for range w.frames {
		select {
		case a := <-answers:
			switch {
			case a.err == nil:
				drawn = a.e.Undrawn && w.r.tab.Undrawn() || drawn
				w.teller().Tell(a.f, a.e, out)
			case errors.Is(a.err, browser.ErrGone):
				out.Detached = a.err
			}
		case <-w.opened:
			return false
		}
	}
	return drawn
}

// teller puts into words what the frames tell.
func (w *effectRecorder) teller() effect.Teller {
	t := effect.Teller{Page: w.r.page, Mask: w.r.s.masker(), Travels: w.r.spec.Family == travelFamily, Stays: samePlace(w.at, w.r.tab.MainURL())}
	if w.target != nil {
		t.Frame, t.ID = w.target.frame.ID(), w.target.id
	}
	return t
}

// samePlace says that two addresses are of one view, whatever is asked of it.
func samePlace(a, b string) bool {
	bare := func(u string) string {
		page, place, _ := strings.Cut(u, "#")
		page, _, _ = strings.Cut(page, "?")
		place, _, _ = strings.Cut(place, "?")
		return page + "#" + place
	}
	return bare(a) == bare(b)
}
