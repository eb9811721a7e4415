package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// WorldName returns the name of the isolated world that DevTools makes for an
// extractor. It has a hash of the extractor: a document keeps its worlds when a
// driver goes, and that of another Tabwright, whose extractor may be older, must
// not be taken for ours.
func WorldName(extractor string) string {
	sum := sha256.Sum256([]byte(extractor))
	return "tabwright-" + hex.EncodeToString(sum[:4])
}

// InjectScript makes an isolated world in a frame, with Page.createIsolatedWorld,
// and evaluates the extractor there unless it is there already. A frame has one
// world of each name, so a world that was made before is found again.
func InjectScript(ctx context.Context, s cdp.Session, frame cdp.FrameID, name, script string) (World, error) {
	res, err := cdp.Call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: name})
	if err != nil {
		return World{}, err
	}
	w := World{Context: res.ExecutionContextID, ClosedRoots: true}
	state, err := (&world{session: s, context: w.Context}).probe(ctx)
	if w.Ready = state == worldReady; err != nil || w.Ready {
		return w, err
	}
	yes := true
	run, err := cdp.Call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script + "\n;void 0", ContextID: w.Context, Silent: &yes,
	})
	if err != nil {
		return World{}, err
	}
	if run.ExceptionDetails != nil {
		return World{}, fmt.Errorf("start the extractor: %w", jsError(run.ExceptionDetails))
	}
	w.Ready = true
	return w, nil
}

// preloader is a Transport that can put the extractor into each new document of a
// session before the page's own scripts run. Preload returns the name of the
// isolated world.
type preloader interface {
	Preload(ctx context.Context, s cdp.Session) (world string, err error)
}

// PreloadScript has Chrome evaluate the extractor in every new document of a
// session, in the isolated world that InjectScript would make.
func PreloadScript(ctx context.Context, s cdp.Session, name, script string) error {
	_, err := cdp.Call(ctx, s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: script, WorldName: name,
	})
	return err
}

// follower is a Transport that can put the extractor into each main document of a
// tab as soon as the document begins, and have it begin a look, "summary",
// "list" or "tree", once the document has loaded. Follow returns the origin of the isolated
// world. Another call changes the look.
type follower interface {
	Follow(ctx context.Context, id TabID, look string) (origin string, err error)
}

// preload calls Follow for the tab, or Preload for a session, if the transport
// has it. Where the extractor does not come with the document, it is injected
// when it is needed.
func (t *Tab) preload(ctx context.Context, s *sessionState) {
	if fl, ok := t.tr.(follower); ok && s.id == "" {
		ctx, cancel := context.WithTimeout(ctx, most(ctx, CallTimeout))
		defer cancel()
		t.mu.Lock()
		t.foretold = t.lookKind()
		look := t.foretold
		t.mu.Unlock()
		if origin, err := fl.Follow(ctx, t.id, look); err == nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.origin, t.followed = origin, true
		}
		return
	}
	p, ok := t.tr.(preloader)
	if !ok {
		return
	}
	name, err := p.Preload(ctx, s.cdp)
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.named = name
}

// foretell tells the transport which look to begin in new documents.
func (t *Tab) foretell(look string) {
	fl, ok := t.tr.(follower)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), CallTimeout)
	defer cancel()
	_, _ = fl.Follow(ctx, t.id, look) // if this fails, the next first look takes longer
}

// warm puts the extractor into the main frame while its document loads, so that
// the first look need not wait for it. It runs on a goroutine of its own, at most
// CallTimeout.
func (t *Tab) warm(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), CallTimeout)
	go func() {
		defer cancel()
		f, err := t.MainFrame(ctx)
		if err != nil {
			return
		}
		t.awaitPreload(ctx, f)
		_ = t.race(ctx, func(ctx context.Context) error {
			_, err := f.world(ctx) // if this fails, the first look tries again and reports it
			return err
		})
	}()
}

// preloadTime is how long warm waits for the world that comes with a document
// before it injects the extractor: the injection would wait for the same work of
// the page. followTime is how long after the beginning of the document a look
// waits for that world, which may not come.
const (
	preloadTime = 300 * time.Millisecond
	followTime  = 100 * time.Millisecond
)

// awaitPreload waits until a document has the world that comes with it, if one
// does.
func (t *Tab) awaitPreload(ctx context.Context, f *Frame) {
	ctx, cancel := context.WithTimeout(ctx, preloadTime)
	defer cancel()
	t.shortly(ctx, func() bool {
		s := f.state()
		return s == nil || t.named == "" && !t.follows(s) || t.known(s) != nil
	})
}

// awaitFollowed waits for that world in a look that came before it.
func (t *Tab) awaitFollowed(ctx context.Context, f *Frame) {
	t.mu.Lock()
	s := f.state()
	if s == nil || !t.follows(s) {
		t.mu.Unlock()
		return
	}
	left := followTime - time.Since(s.began)
	t.mu.Unlock()
	t.within(ctx, left, func() bool {
		s := f.state()
		return s == nil || t.known(s) != nil
	})
}

// follows reports whether the transport puts the extractor into the frame's
// document by itself; t.mu is held.
func (t *Tab) follows(s *frameState) bool {
	return t.followed && s.id == t.main && !s.began.IsZero() && !s.failed && strings.HasPrefix(s.url, "http")
}
