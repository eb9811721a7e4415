package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// InjectScript makes an isolated world in a frame, by Page.createIsolatedWorld,
// and evaluates the extractor there unless it is there already. A frame has
// one world of a name, so it is found again.
func InjectScript(ctx context.Context, s cdp.Session, frame cdp.FrameID, name, script string) (World, error) {
	res, err := cdp.Call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: name})
	if err != nil {
		return World{}, err
	}
	w := World{Context: res.ExecutionContextID, ClosedRoots: true}
	if state, err := (&world{session: s, context: w.Context}).probe(ctx); err != nil || state == worldReady {
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
	return w, nil
}
