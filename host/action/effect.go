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
	// firstTime is how long to wait for a first change, quietTime how long the
	// page must be quiet after one, and settleTime the longest wait in all.
	firstTime  = 120 * time.Millisecond
	quietTime  = 40 * time.Millisecond
	settleTime = 2 * time.Second
	// showTime is the least time that the page has to show the answer of its server.
	showTime = 500 * time.Millisecond
	// staysTime is how long to wait for a page that set a timer when the mouse came, without
	// a visible effect so far: menus and tooltips open after a delay.
	staysTime = 750 * time.Millisecond
	// restTime is how long a new page must be quiet after its load event, so that
	// a redirect begun there is followed.
	restTime = 10 * time.Millisecond
	// loadTime is how long a navigation that began may take to load.
	loadTime = 5 * time.Second
	// shellTime is how long a new page that shows nothing yet may take to fetch its content.
	shellTime = 2500 * time.Millisecond
)

// settling are the waiting times for the effects of an act.
var settling = page.WaitFor(quietTime, firstTime, settleTime, 0)

// effectRecorder records the effects of one act.
type effectRecorder struct {
	r      *run
	tab    watch
	frames []frame
	opened <-chan struct{}
	before browser.WatchState // what was already under way
	target *element
	// ready waits until file dialogs are kept closed; nil after that.
	ready func()
	// due says that the frames start watching when the guard is armed.
	due bool
	// more says that another part of the act follows, so that effects are not
	// awaited yet; early are effects that came with the last part.
	more   bool
	hovers bool // the act only moves the mouse
	early  map[string]page.Effects
	given  int  // how many of the page's requests for files were answered
	leaves bool // the shown document is being left: its changes don't matter
	// late is a dialog that opened after the previous act's report; the effect of
	// its answer counts from that report on.
	late *browser.Dialog
	// holding says that requests are held (hold.go); asked counts those that the
	// user was asked about; refused is why the last one was not sent.
	holding bool
	keeps   bool // what the page keeps in the browser is remembered, for undo
	asked   int
	refused *Error
	// resent says that the act sent a stopped request again.
	resent bool
	doubts doubts
	reads  *effectReads // of a page that could not answer while a request was held
	page   *page.Lines  // what the page said before
	at     string       // and its address
}

// watcher returns an empty recorder; start fills it. It is started anew if the gate
// runs the act again.
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

// begin is start for a guarded act: the frames start watching when the guard is armed.
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
		w.ready = w.tab.SuppressFileDialogs(ctx, target)
	}
	w.hold(ctx)
	if d := w.r.tab.Dialog(); d != nil {
		// The act that opened it left its watch in the page; its effects are
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

// awaitFileChooser waits until file dialogs are kept closed.
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
	if w.reads != nil {
		w.reads.cancel()
	}
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

// race runs send and stops waiting for it when a dialog opens: Chrome answers a
// click that opened confirm() only after the dialog is gone.
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

// settle waits until the page is quiet, and returns what happened. Meanwhile it
// answers the held requests of the page.
func (w *effectRecorder) settle(ctx context.Context) effect.Effect {
	out := w.settleToRequest(ctx)
	for rounds := 0; len(out.Held) > 0 && out.Detached == nil; rounds++ {
		for _, h := range out.Held {
			w.answerHeld(ctx, h, out.Dialog == nil)
		}
		// A page may send a stopped request again.
		if out.Dialog != nil || ctx.Err() != nil || w.refused != nil && rounds == afterNo {
			break
		}
		out = w.settleToRequest(ctx)
	}
	return out
}

// settleToRequest is settle up to a held request.
func (w *effectRecorder) settleToRequest(ctx context.Context) effect.Effect {
	var out effect.Effect
	if w.tab == nil {
		return out
	}
	if out.Dialog = w.dialog(); out.Dialog == nil && w.late != nil && len(w.frames) == 0 && !w.hasNavigated() {
		w.frames = w.dialogFrames(ctx)
	}
	if out.Dialog == nil && len(w.frames) > 0 {
		w.changes(ctx, &out, settleTime)
	}
	w.answers(ctx, &out)
	st := w.tab.Snapshot()
	// A page that was still loading before the act is not waited for: the act
	// has no part in that.
	began := st.Pending > w.before.Pending || st.Loading && !w.before.Loading || len(st.Navigations) > 0
	if out.Dialog = w.dialog(); out.Dialog == nil && began {
		st = w.waitLoad(ctx)
		if out.Dialog = w.dialog(); out.Dialog == nil && st.Shell && w.hasNavigated() {
			w.awaitContent(ctx)
			st = w.tab.Snapshot()
			out.Dialog = w.dialog()
		}
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
		out.Parts, out.Became, out.More, out.Rest, out.Part = nil, nil, 0, nil, "" // what changed in the document before is of no use
		if out.Title = pagecontext.Flatten(st.Title); out.Title == "" {
			tctx, cancel := context.WithTimeout(ctx, frameTime)
			defer cancel()
			out.Title = w.title(tctx)
		}
		if out.Document == "" {
			w.addNews(ctx, &out)
		}
	}
	if out.URL != "" && out.Within && len(out.Parts) == 0 && out.More == 0 && len(w.frames) > 0 && out.Dialog == nil {
		out.Shows, out.Same = "nothing visible changed", true
	}
	for _, t := range out.NewTabs {
		w.r.s.adopt(t.ID, t.URL)
	}
	return out
}

// dialogFrames returns the frames that the answer to a late dialog may change: the main
// frame, those of the previous act, and those at the dialog's address.
func (w *effectRecorder) dialogFrames(ctx context.Context) []frame {
	fs, bad := w.r.frames(ctx)
	if bad != nil {
		return nil
	}
	return slices.DeleteFunc(fs, func(f frame) bool {
		return f.ParentID() != "" && f.URL() != w.late.URL && frameOf(w.r.h.watched, f.ID()) == nil
	})
}

// wentTo returns the address of the document that the target's frame shows now, if it
// was replaced since the act; the tab reports navigations of the main frame.
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

// answers waits for responses to the act's requests and messages, and reports the changes
// after them. Once the page has changed, it waits only for the page's own site.
func (w *effectRecorder) answers(ctx context.Context, out *effect.Effect) {
	until := time.Now().Add(settleTime)
	for out.Dialog == nil && len(w.frames) > 0 && ctx.Err() == nil {
		own := len(out.Parts) > 0
		st := w.tab.Snapshot()
		if st.Waits(own) == 0 && st.Talks == 0 || st.Pending > 0 || st.Detached != nil || len(st.Held) > 0 || len(st.Navigations) > 0 && w.hasNavigated() {
			return
		}
		st = w.tab.Answered(ctx, time.Until(until), own)
		if out.Waiting = st.Waits(own) > 0 && st.Pending == 0; out.Dialog == nil && w.dialog() == nil {
			out.Forget()
			w.changes(ctx, out, max(showTime, time.Until(until)))
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

// awaitContent waits for a new page that has nothing to show until its scripts have fetched it.
func (w *effectRecorder) awaitContent(ctx context.Context) {
	fs, bad := w.r.frames(ctx)
	if bad != nil {
		return
	}
	fctx, cancel := context.WithTimeout(ctx, shellTime+frameTime)
	defer cancel()
	if err := page.AwaitContent(fctx, fs[0], shellTime); err != nil {
		w.r.s.o.Log.Debug().Err(err).Msg("whether the page has its content is not known")
	}
}

// title returns the browser's title, which is known before the new document can be read.
func (w *effectRecorder) title(ctx context.Context) string {
	title, err := w.r.tab.Title(ctx)
	if err != nil {
		return ""
	}
	return pagecontext.Flatten(title)
}

// changes asks each watched frame for its changes. It asks again if nothing changed
// in a covered tab that is drawn only now, because its next frames are still to come. It
// waits at most the time most for the page to become quiet.
func (w *effectRecorder) changes(ctx context.Context, out *effect.Effect, most time.Duration) {
	if w.ask(ctx, out, most) && len(out.Parts) == 0 {
		out.Late = nil // the page tells it again
		w.ask(ctx, out, most)
	}
}

// effectReads are questions to the watched frames that are under way.
type effectReads struct {
	answers chan effectAnswer
	left    int
	read    func(f frame) // asks a frame, and sends what it answers to answers
	cancel  context.CancelFunc
}

type effectAnswer struct {
	f   frame
	e   page.Effects
	err error
}

// ask asks all watched frames at once for their changes; a dialog ends the wait,
// since the page does not answer behind it. So does a held request that blocks the page; the
// next ask takes the answers then, and asks a frame anew for which the user's answer came too late.
// drawn says that the tab was not drawn before, and is now. A browser that is gone may have ended
// before it sent the act's requests; the tab learns of it a moment later.
func (w *effectRecorder) ask(ctx context.Context, out *effect.Effect, most time.Duration) (drawn bool) {
	reads, resumed := w.reads, w.reads != nil
	if !resumed {
		reads = w.read(ctx, most)
	}
	w.reads = nil
	bctx, end := context.WithCancel(ctx)
	defer end()
	blocked := w.awaitBlocked(bctx)
	limit := time.NewTimer(settleTime + frameTime)
	defer limit.Stop()
	for reads.left > 0 {
		select {
		case a := <-reads.answers:
			reads.left--
			switch {
			case a.err == nil:
				drawn = a.e.Undrawn && w.r.tab.Undrawn() || drawn
				w.teller().Tell(a.f, a.e, out)
			case errors.Is(a.err, browser.ErrGone):
				out.Detached = a.err
			case resumed && errors.Is(a.err, browser.ErrTimeout):
				reads.left++
				go reads.read(a.f)
			}
			continue
		case <-blocked:
			w.reads = reads
			return drawn
		case <-w.opened:
			drawn = false
		case <-limit.C:
		}
		break
	}
	reads.cancel()
	return drawn
}

// read begins to ask all watched frames for their changes.
func (w *effectRecorder) read(ctx context.Context, most time.Duration) *effectReads {
	rctx, cancel := context.WithCancel(ctx)
	reads := &effectReads{answers: make(chan effectAnswer, len(w.frames)), left: len(w.frames), cancel: cancel}
	how := settling
	how.Max = most.Milliseconds()
	if w.hovers {
		how.Stays = staysTime.Milliseconds()
	}
	if w.late != nil {
		how.Since, w.late = true, nil
	}
	reads.read = func(f frame) {
		a := effectAnswer{f: f}
		a.e, a.err = page.ReadEffects(rctx, f, how)
		reads.answers <- a
	}
	for _, f := range w.frames {
		if e, ok := w.early[f.ID()]; ok {
			delete(w.early, f.ID())
			reads.answers <- effectAnswer{f: f, e: e}
			continue
		}
		go reads.read(f)
	}
	return reads
}

// awaitBlocked returns a channel that is closed once a held request keeps a watched frame from answering; nil
// if none can be held.
func (w *effectRecorder) awaitBlocked(ctx context.Context) <-chan struct{} {
	if !w.holding || len(w.frames) == 0 {
		return nil
	}
	out := make(chan struct{})
	isStuck := func(f frame) bool { return !isAnswering(ctx, f) }
	go func() {
		if w.tab.AwaitHeld(ctx) && slices.ContainsFunc(w.frames, isStuck) && ctx.Err() == nil {
			close(out)
		}
	}()
	return out
}

// teller returns the Teller for this act.
func (w *effectRecorder) teller() effect.Teller {
	t := effect.Teller{Page: w.r.page, Mask: w.r.s.masker(), Travels: w.r.spec.Family == travelFamily, Stays: samePlace(w.at, w.r.tab.MainURL())}
	if w.target != nil {
		t.Frame, t.ID = w.target.frame.ID(), w.target.id
	}
	return t
}

// samePlace tells whether two addresses are the same except for their queries.
func samePlace(a, b string) bool {
	bare := func(u string) string {
		page, place, _ := strings.Cut(u, "#")
		page, _, _ = strings.Cut(page, "?")
		place, _, _ = strings.Cut(place, "?")
		return page + "#" + place
	}
	return bare(a) == bare(b)
}
