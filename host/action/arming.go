package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// install puts guards into every frame: into the target's and its ancestors, where
// the input must pass as it was judged, and into all others, where none may
// arrive (a frame can come over the target at the last moment). The frames that
// are watched for effects begin to be in the same call.
func (r *run) install(ctx context.Context, w *effectRecorder, s guardRequest) (*guards, *Error) {
	g := &guards{guardRequest: s, r: r, w: w, ctx: ctx, sent: r.res.Sent, renewed: time.Now()}
	if bad := g.plan(ctx); bad != nil {
		return nil, bad
	}
	if bad := g.installAll(ctx); bad != nil {
		return nil, bad
	}
	if g.unpainted {
		r.waitForFirstPaint(ctx, g.all[g.way-1].f)
		g.all[g.way-1].g.Unpainted = true
		if bad := g.installAll(ctx); bad != nil {
			return nil, bad
		}
	}
	if w != nil {
		w.due = false
		now := w.tab.Snapshot()
		g.sure = g.sure && now.Pending == 0 && !now.Loading
	}
	return g, nil
}

// installAll has the guards installAll in their frames.
func (g *guards) installAll(ctx context.Context) *Error {
	r, w := g.r, g.w
	errs := make([]error, len(g.all))
	got := make([]armReport, len(g.all))
	var wg sync.WaitGroup
	for i, x := range g.all {
		wg.Go(func() {
			actx, cancel := ctx, func() {}
			if i >= g.way {
				// Best effort: a frame that is just going away, or whose page is busy
				// for longer, does not keep the act from being done.
				actx, cancel = context.WithTimeout(ctx, otherFrameTime)
			}
			defer cancel()
			errs[i] = x.f.Call(actx, "arm", x.g, &got[i])
		})
	}
	if w != nil && w.ready != nil {
		wg.Go(w.awaitFileChooser)
	}
	if w != nil && w.due {
		wg.Go(func() {
			if err := w.tab.Listen(ctx); err != nil {
				r.s.o.Log.Debug().Err(err).Msg("the page's requests are not seen")
			}
		})
	}
	wg.Wait()
	for i, err := range errs {
		switch {
		case err == nil:
		case i < g.way:
			r.s.loose.Go(func() { g.remove(ctx, frameTime, false) })
			return wrap("guard "+g.a.String(), err)
		default:
			r.s.o.Log.Debug().Err(err).Str("frame", g.all[i].f.URL()).Msg("another frame could not be guarded")
		}
	}
	for _, x := range got {
		if w != nil && x.Page != nil {
			w.page = x.Page
		}
	}
	g.focused, g.still, g.box = got[0].Focused, got[0].Still, got[0].Box
	g.inRow = g.box
	g.sure = w != nil && !slices.ContainsFunc(got, func(x armReport) bool { return !x.Sure })
	g.unpainted = slices.ContainsFunc(got, func(x armReport) bool { return x.Unpainted })
	return nil
}

// armReport is ArmReport of the extractor.
type armReport struct {
	Sure      bool       `json:"sure"`
	Still     bool       `json:"still"`
	Focused   bool       `json:"focused"`
	Box       bool       `json:"box"`
	Unpainted bool       `json:"unpainted"`
	Page      *pageLines `json:"page"`
}

// plan says what each frame is to guard.
func (g *guards) plan(ctx context.Context) *Error {
	r, a, drop := g.r, g.a, g.drop
	fs, bad := r.frames(ctx)
	if bad != nil {
		return bad
	}
	token := fmt.Sprintf("g%d", time.Now().UnixNano())
	add := func(f frame, x guard) {
		x.Token, x.Kind, x.MS = token, g.kind, guardLease.Milliseconds()
		if drop != nil && drop.frame.ID() == f.ID() {
			x.DropID, x.DropAt = drop.id, drop.point != nil
		}
		x.Watch = g.w != nil && g.w.due && frameOf(g.w.frames, f.ID()) != nil
		x.Keep = g.w != nil && g.w.keeps
		g.all = append(g.all, armed{f, x})
	}
	own := guard{
		ID: a.id, Fingerprint: a.facts.Fingerprint, Seen: a.seen, Name: a.called, Submits: r.enters, SendsTo: r.mayCome(a),
		Focus: g.focus, Written: g.written, Breaks: g.breaks,
	}
	if r.exact {
		own.Node = a.serial
	}
	if g.next != nil {
		own.NextID = g.next.id
		own.NextPrint, _, _ = strings.Cut(g.next.facts.Fingerprint, ".")
	}
	add(a.frame, own)
	for f := a.frame; f.ParentID() != ""; {
		parent := frameOf(fs, f.ParentID())
		if parent == nil {
			return &Error{Code: StaleRef, Message: "the frame of " + a.String() + " is gone"}
		}
		id, err := f.Owner(ctx)
		if err != nil {
			return wrap("find the frame of "+a.String(), err)
		}
		add(parent, guard{IframeID: id})
		f = parent
	}
	g.way = len(g.all)
	// Between frames the browser may lead a press by an older picture of the page
	// than its release.
	g.all[0].g.Whole = g.whole && len(fs) > 1
	for _, f := range fs {
		if !slices.ContainsFunc(g.all, func(x armed) bool { return x.f.ID() == f.ID() }) {
			add(f, guard{})
		}
	}
	return nil
}

// remove takes the guards away and gives what they saw. With effects, the
// watched frames wait for what came of the act in the same call, unless
// something was stopped.
func (g *guards) remove(ctx context.Context, limit time.Duration, withEffects bool) guardReport {
	ectx, ecancel := context.WithTimeout(ctx, settleTime+frameTime)
	defer ecancel()
	dctx, dcancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer dcancel()
	reports := make([]guardReport, len(g.all))
	var wg sync.WaitGroup
	for i, x := range g.all {
		wg.Go(func() {
			arg := map[string]any{"token": x.g.Token}
			c := dctx
			if withEffects && frameOf(g.w.frames, x.f.ID()) != nil {
				arg["effects"] = settling
				c = ectx
			}
			// A frame that the act navigated away has nothing to say, and
			// let the event through.
			err := x.f.Call(c, "disarm", arg, &reports[i])
			reports[i].silent = err != nil
			reports[i].unsure = err != nil
			if err != nil && ctx.Err() != nil && c == ectx { // stopped in the middle; the guard must go
				_ = x.f.Call(dctx, "disarm", map[string]any{"token": x.g.Token}, nil)
			}
		})
	}
	wg.Wait()
	out := reports[0] // only the target's own frame sees the input arrive
	for i, more := range reports {
		if i > 0 {
			out.Stopped = append(out.Stopped, more.Stopped...)
			out.Active = out.Active || more.Active
			out.unsure = out.unsure || more.unsure
		}
		if more.Effects != nil {
			g.w.early[g.all[i].f.ID()] = *more.Effects
		}
	}
	return out
}

// otherFrameTime bounds the arming of a frame that is no part of the act.
const otherFrameTime = 500 * time.Millisecond

// paintedSoon is how soon a document in a tab that is drawn was painted first, and
// paintedAtLast how long one is waited for that is not.
const (
	paintedSoon   = 60 * time.Millisecond
	paintedAtLast = 1200 * time.Millisecond
)

// waitForFirstPaint waits until the main document was waitForFirstPaint for the first time: Chrome
// drops the keys and presses that come before (Chromium 156; for about a second,
// then it takes them all the same), and in a covered tab it does not paint unless
// somebody needs it drawn.
func (r *run) waitForFirstPaint(ctx context.Context, f frame) {
	var got struct {
		Painted bool `json:"painted"`
	}
	for _, d := range []time.Duration{paintedSoon, paintedAtLast} {
		if err := f.Call(ctx, "painted", map[string]int64{"ms": d.Milliseconds()}, &got); err != nil || got.Painted {
			return // it says so itself if it does not answer
		}
		if d == paintedSoon {
			r.tab.NeedsDrawing()
		}
	}
}
