// Package hittarget keeps input from reaching another element than the one that the gate
// judged. It puts a guard, a script that stops such input, into every frame of a tab. It keeps
// the guards alive while input is sent, and removes them with a Report of what they saw. The
// caller sends the input and decides what follows from the report. The package may import
// host/action/page, host/action/spec and host/browser. Start reading at Install.
package hittarget

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/action/page"
	"tabwright/host/action/spec"
)

const (
	// otherFrameTime bounds a call into a frame that the act does not pass.
	otherFrameTime = 500 * time.Millisecond
	// callTime bounds a small call into a frame.
	callTime = 2 * time.Second
	// paintedSoon is how long to wait for the first paint of a document in a drawn tab,
	// paintedAtLast how long in a tab that is not drawn.
	paintedSoon   = 60 * time.Millisecond
	paintedAtLast = 1200 * time.Millisecond
)

// Frame is one document of a tab.
type Frame interface {
	page.Frame
	ID() string
	ParentID() string // empty for the main frame
	URL() string
	// Owner returns the extractor id of the <iframe> element of this frame, in its parent.
	Owner(ctx context.Context) (id int, err error)
}

// Request describes what to guard.
type Request struct {
	Name   string     // of the element, in errors
	Kind   string     // pointer, key or drag
	Target Frame      // the frame of the element
	Guard  page.Guard // of the element; its token, kind and time are filled in
	Frames []Frame    // all of the tab's
	// DropFrame is the id of the frame in which a drag ends, DropID the element that it
	// ends on; DropAt says that only a point was given for it.
	DropFrame string
	DropID    int
	DropAt    bool
	// Watch tells, by a frame's id, whether it starts watching for effects in the same
	// call; nil means none. Keep makes it remember what the page keeps in the browser.
	Watch func(frameID string) bool
	Keep  bool
	// Beside are functions to run while the guards are put up.
	Beside []func()
	// Draw makes Chrome draw a page that was never painted.
	Draw func()
	// Later runs cleanup in the background, after a failure.
	Later func(func())
	Log   *zerolog.Logger
	// Now is the clock of the lease; nil is time.Now.
	Now func() time.Time
}

// Standing is the state of the target behind its guards. Sure says that all frames have
// guards and nothing on the page takes input before them. Focused says that the target has
// the keyboard, if that was asked for, Still that it is where the look found it, Box that
// it takes one character and the page may move the keyboard on.
type Standing struct {
	Sure, Focused, Still, Box bool
	Says                      *page.Lines // what the page says
}

// Guards are the guards of one act: the target's frame first, then the frames above it,
// then all others.
type Guards struct {
	Standing
	all     []armed
	way     int // how many of them the input passes
	now     func() time.Time
	renewed time.Time // when their lease last began
}

// armed is the guard of one frame.
type armed struct {
	f Frame
	g page.Guard
}

// Token returns the name of the guards in the extractor.
func (g *Guards) Token() string { return g.all[0].g.Token }

// Install puts guards into every frame: into the target's and its ancestors, where
// the input must pass as it was judged, and into all others, where none may
// arrive (a frame can come over the target at the last moment).
func Install(ctx context.Context, q Request) (*Guards, error) {
	g := &Guards{now: q.Now}
	if g.now == nil {
		g.now = time.Now
	}
	g.renewed = g.now()
	if err := g.plan(ctx, q); err != nil {
		return nil, err
	}
	unpainted, err := g.installAll(ctx, q)
	if err == nil && unpainted {
		waitForFirstPaint(ctx, g.all[g.way-1].f, q.Draw)
		g.all[g.way-1].g.Unpainted = true
		_, err = g.installAll(ctx, q)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// plan sets what each frame guards.
func (g *Guards) plan(ctx context.Context, q Request) error {
	token := fmt.Sprintf("g%d", time.Now().UnixNano())
	add := func(f Frame, x page.Guard) {
		x.Token, x.Kind, x.MS = token, q.Kind, LeaseTime.Milliseconds()
		if q.DropFrame == f.ID() {
			x.DropID, x.DropAt = q.DropID, q.DropAt
		}
		x.Watch, x.Keep = q.Watch != nil && q.Watch(f.ID()), q.Keep
		g.all = append(g.all, armed{f, x})
	}
	add(q.Target, q.Guard)
	for f := q.Target; f.ParentID() != ""; {
		i := slices.IndexFunc(q.Frames, func(other Frame) bool { return other.ID() == f.ParentID() })
		if i < 0 {
			return &spec.Error{Code: spec.StaleRef, Message: "the frame of " + q.Name + " is gone"}
		}
		id, err := f.Owner(ctx)
		if err != nil {
			return err
		}
		add(q.Frames[i], page.Guard{IframeID: id})
		f = q.Frames[i]
	}
	g.way = len(g.all)
	// Across frames the browser may route a press by an older picture of the page
	// than its release.
	g.all[0].g.Whole = q.Guard.Whole && len(q.Frames) > 1
	for _, f := range q.Frames {
		if !slices.ContainsFunc(g.all, func(x armed) bool { return x.f.ID() == f.ID() }) {
			add(f, page.Guard{})
		}
	}
	return nil
}

// installAll puts the guards into their frames. unpainted says that a document is new and
// not painted yet.
func (g *Guards) installAll(ctx context.Context, q Request) (unpainted bool, err error) {
	errs := make([]error, len(g.all))
	got := make([]page.ArmReport, len(g.all))
	var wg sync.WaitGroup
	for i, x := range g.all {
		wg.Go(func() {
			actx, cancel := ctx, func() {}
			if i >= g.way {
				// Best effort: a frame that is going away, or is busy for longer, does
				// not prevent the act.
				actx, cancel = context.WithTimeout(ctx, otherFrameTime)
			}
			defer cancel()
			got[i], errs[i] = page.Arm(actx, x.f, x.g)
		})
	}
	for _, do := range q.Beside {
		wg.Go(do)
	}
	wg.Wait()
	for i, err := range errs {
		switch {
		case err == nil:
		case i < g.way:
			q.Later(func() { g.Remove(ctx, callTime, Settling{}) })
			return false, err
		default:
			q.Log.Debug().Err(err).Str("frame", g.all[i].f.URL()).Msg("another frame could not be guarded")
		}
	}
	g.Standing = Standing{Sure: true, Focused: got[0].Focused, Still: got[0].Still, Box: got[0].Box, Says: g.Says}
	for _, x := range got {
		if x.Page != nil {
			g.Says = x.Page
		}
		g.Sure, unpainted = g.Sure && x.Sure, unpainted || x.Unpainted
	}
	return unpainted, nil
}

// Settling says how the frames wait for the act's effects when their guards are removed;
// by default none waits.
type Settling struct {
	Frame   func(frameID string) bool // whether a frame waits
	Options page.EffectOptions
	Limit   time.Duration
}

// Report is what the guards of an act saw: the input that reached the target's frame, and
// what any frame stopped.
type Report struct {
	page.GuardReport
	Silent bool // the target's frame did not answer
	Unsure bool // some frame did not answer
	// Settled are the effects that were awaited, by frame.
	Settled map[string]page.Effects
}

// Remove removes the guards, within limit, and returns what they saw. Frames that settle
// wait for the act's effects in the same call, unless something was stopped.
func (g *Guards) Remove(ctx context.Context, limit time.Duration, settling Settling) Report {
	ectx, ecancel := context.WithTimeout(ctx, settling.Limit)
	defer ecancel()
	dctx, dcancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer dcancel()
	reports := make([]page.GuardReport, len(g.all))
	errs := make([]error, len(g.all))
	var wg sync.WaitGroup
	for i, x := range g.all {
		wg.Go(func() {
			var effects *page.EffectOptions
			c := dctx
			if settling.Frame != nil && settling.Frame(x.f.ID()) {
				effects, c = &settling.Options, ectx
			}
			// A frame that the act navigated away can't report, and let the
			// event through.
			reports[i], errs[i] = page.Disarm(c, x.f, x.g.Token, effects)
			if errs[i] != nil && ctx.Err() != nil && c == ectx { // stopped in the middle; the guard must go
				_, _ = page.Disarm(dctx, x.f, x.g.Token, nil)
			}
		})
	}
	wg.Wait()
	out := Report{GuardReport: reports[0], Silent: errs[0] != nil, Settled: map[string]page.Effects{}} // only the target's own frame sees the input arrive
	for i, more := range reports {
		if i > 0 {
			out.Stopped = append(out.Stopped, more.Stopped...)
			out.Active = out.Active || more.Active
		}
		out.Unsure = out.Unsure || errs[i] != nil
		if more.Effects != nil {
			out.Settled[g.all[i].f.ID()] = *more.Effects
		}
	}
	return out
}

// waitForFirstPaint waits until the main document was painted for the first time: Chrome
// drops earlier keys and presses (Chromium 156; after about a second it takes them
// anyway), and in a covered tab it does not paint unless a client needs the page
// drawn.
func waitForFirstPaint(ctx context.Context, f Frame, draw func()) {
	for _, d := range []time.Duration{paintedSoon, paintedAtLast} {
		if painted, err := page.Painted(ctx, f, d); err != nil || painted {
			return // it says so itself if it does not answer
		}
		if d == paintedSoon {
			draw()
		}
	}
}
