package relaytest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/native/wire"
)

// refused are the DevTools domains and methods that chrome.debugger refuses an extension.
var refused = []string{
	"Browser.", "SystemInfo.", "IndexedDB.", "DOMStorage.", "Security.", "ServiceWorker.", "HeapProfiler.",
	"Profiler.", "Memory.", "Animation.", "Media.", "Autofill.", "Extensions.",
	"Target.getTargets", "Target.attachToTarget", "Target.setDiscoverTargets", "Page.setDownloadBehavior",
}

func (w *Worker) tabsList(context.Context, wire.Empty) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := []wire.TabInfo{}
	for _, t := range w.tabs {
		out = append(out, t.native())
	}
	slices.SortFunc(out, func(a, b wire.TabInfo) int { return a.TabID - b.TabID })
	return out, nil
}

func (w *Worker) tabsGet(_ context.Context, p wire.TabParams) (any, error) {
	t, err := w.find(p.TabID)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return t.native(), nil
}

func (w *Worker) tabsCreate(ctx context.Context, p wire.TabsCreateParams) (any, error) {
	raw, err := w.ws.call(ctx, "", "Target.createTarget", map[string]any{"url": p.URL, "background": !p.Active})
	if err != nil {
		return nil, err
	}
	var res struct {
		TargetID string `json:"targetId"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tabOf(res.TargetID)
	i := t.native()
	i.Active, i.URL = p.Active, p.URL
	return i, nil
}

func (w *Worker) tabsActivate(ctx context.Context, p wire.TabParams) (any, error) {
	t, err := w.find(p.TabID)
	if err != nil {
		return nil, err
	}
	if _, err := w.ws.call(ctx, "", "Target.activateTarget", map[string]any{"targetId": t.target}); err != nil {
		return nil, err
	}
	w.emit(wire.EventTabActivated, p)
	return wire.Empty{}, nil
}

func (w *Worker) tabsRemove(ctx context.Context, p wire.TabParams) (any, error) {
	t, err := w.find(p.TabID)
	if err != nil {
		return nil, err
	}
	_, err = w.ws.call(ctx, "", "Target.closeTarget", map[string]any{"targetId": t.target})
	return wire.Empty{}, err
}

func (w *Worker) attach(ctx context.Context, p wire.TabParams) (any, error) {
	t, err := w.find(p.TabID)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	attached, targetID := t.session != "", t.target
	w.mu.Unlock()
	if attached {
		return nil, fmt.Errorf("Another debugger is already attached to the tab with id: %d.", p.TabID) //nolint:staticcheck // Chrome's own words
	}
	raw, err := w.ws.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": targetID, "flatten": true})
	if err != nil {
		return nil, err
	}
	var res struct {
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t.session, t.children = res.SessionID, map[string]bool{}
	w.session[res.SessionID] = t
	return wire.Empty{}, nil
}

func (w *Worker) detach(ctx context.Context, p wire.TabParams) (any, error) {
	t, err := w.find(p.TabID)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	s := t.session
	w.forget(t)
	w.mu.Unlock()
	if s == "" {
		return nil, notAttached(p.TabID)
	}
	_, err = w.ws.call(ctx, "", "Target.detachFromTarget", map[string]any{"sessionId": s})
	return wire.Empty{}, err
}

func notAttached(tab int) error {
	return fmt.Errorf("Debugger is not attached to the tab with id: %d.", tab) //nolint:staticcheck // Chrome's own words
}

func (w *Worker) send(ctx context.Context, p wire.CDPSendParams) func() (any, error) {
	fail := func(err error) func() (any, error) { return func() (any, error) { return nil, err } }
	t, err := w.find(p.TabID)
	if err != nil {
		return fail(err)
	}
	w.mu.Lock()
	s := t.session
	if p.SessionID != "" && s != "" {
		s = p.SessionID
	}
	if !bytes.Contains(p.Params, []byte(`"includeCommandLineAPI":true`)) {
		w.sent[p.Method]++
	}
	w.mu.Unlock()
	if s == "" {
		return fail(notAttached(p.TabID))
	}
	for _, r := range refused {
		if strings.HasPrefix(p.Method, r) {
			return fail(fmt.Errorf(`{"code":-32601,"message":"'%s' wasn't found"}`, p.Method))
		}
	}
	params := any(map[string]any{})
	if len(p.Params) > 0 {
		params = p.Params
	}
	wait := w.ws.begin(ctx, s, p.Method, params)
	return func() (any, error) { return wait() }
}

// sendAll sends the commands in their order. The function that it returns waits for all of
// them, as Promise.all does.
func (w *Worker) sendAll(ctx context.Context, p wire.CDPBatchParams) func() (any, error) {
	w.mu.Lock()
	w.batches++
	w.mu.Unlock()
	waits := make([]func() (any, error), len(p.Commands))
	for i, c := range p.Commands {
		waits[i] = w.send(ctx, wire.CDPSendParams{TabID: p.TabID, SessionID: p.SessionID, Method: c.Method, Params: c.Params})
	}
	return func() (any, error) {
		var res wire.CDPBatchResult
		for i, wait := range waits {
			if _, err := wait(); err != nil {
				if res.Errors == nil {
					res.Errors = make([]string, len(waits))
				}
				res.Errors[i] = err.Error()
			}
		}
		return res, nil
	}
}

// Batches returns how many messages with several commands have come.
func (w *Worker) Batches() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.batches
}

// Sent returns how many commands of a DevTools method have come, or how many calls of
// wire.MethodInject or wire.MethodFollow. What asks a page for its listeners does not
// count.
func (w *Worker) Sent(method string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent[method]
}

// Replace gives a tab another id, as Chrome does when it discards a tab or shows a
// prerendered page. The debugger of the old tab is detached.
func (w *Worker) Replace(ctx context.Context, tabID int) (int, error) {
	w.mu.Lock()
	t := w.tabs[tabID]
	if t == nil {
		w.mu.Unlock()
		return 0, fmt.Errorf("No tab with id: %d.", tabID) //nolint:staticcheck // Chrome's own words
	}
	session := t.session
	w.forget(t)
	delete(w.tabs, tabID)
	w.next++
	t.id = w.next
	w.tabs[t.id], w.ids[t.target] = t, t.id
	id := t.id
	w.mu.Unlock()
	if session != "" {
		if _, err := w.ws.call(ctx, "", "Target.detachFromTarget", map[string]any{"sessionId": session}); err != nil {
			return 0, err
		}
	}
	w.emit(wire.EventTabReplaced, wire.TabReplaced{TabID: id, Was: tabID})
	return id, nil
}

// Swap exchanges the numbers of two tabs and detaches both, as may happen when a browser
// crashed and was started again. It sends no events.
func (w *Worker) Swap(ctx context.Context, a, b int) error {
	w.mu.Lock()
	one, two := w.tabs[a], w.tabs[b]
	if one == nil || two == nil {
		w.mu.Unlock()
		return fmt.Errorf("No tab with id: %d or %d.", a, b) //nolint:staticcheck // Chrome's own words
	}
	sessions := []string{one.session, two.session}
	for _, t := range []*tab{one, two} {
		w.forget(t)
	}
	one.id, two.id = b, a
	for _, t := range []*tab{one, two} {
		w.tabs[t.id], w.ids[t.target] = t, t.id
	}
	w.mu.Unlock()
	for _, s := range sessions {
		if s == "" {
			continue
		}
		if _, err := w.ws.call(ctx, "", "Target.detachFromTarget", map[string]any{"sessionId": s}); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) targets(context.Context, wire.Empty) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := []wire.DebugTarget{}
	for _, t := range w.tabs {
		out = append(out, wire.DebugTarget{
			ID: t.target, Type: "page", TabID: t.id, Attached: t.session != "", URL: t.info.URL, Title: t.info.Title,
		})
	}
	return out, nil
}

// inject puts the script into an isolated world of every frame, in all of the
// tab's sessions, as chrome.scripting does.
func (w *Worker) inject(ctx context.Context, p wire.InjectParams) (any, error) {
	t, err := w.find(p.TabID)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.sent[wire.MethodInject]++
	sessions := []string{t.session}
	for c := range t.children {
		sessions = append(sessions, c)
	}
	w.mu.Unlock()
	res := wire.InjectResult{Frames: []wire.InjectedFrame{}}
	for _, s := range sessions {
		raw, err := w.ws.call(ctx, s, "Page.getFrameTree", map[string]any{})
		if err != nil {
			continue // it just went away
		}
		var tree struct {
			FrameTree frameTree `json:"frameTree"`
		}
		if err := json.Unmarshal(raw, &tree); err != nil {
			return nil, err
		}
		for _, f := range tree.FrameTree.all() {
			if w.SkipInject != nil && w.SkipInject(f.URL) {
				continue
			}
			if err := w.injectFrame(ctx, s, f.ID); err == nil {
				res.Frames = append(res.Frames, wire.InjectedFrame{FrameID: len(res.Frames), DocumentID: f.LoaderID})
			}
		}
	}
	return res, nil
}

func (w *Worker) follow(_ context.Context, p wire.FollowParams) (any, error) {
	if w.NoFollow {
		return nil, &wire.Error{Code: wire.CodeUnknownMethod, Message: "The extension has no method " + wire.MethodFollow + "."}
	}
	t, err := w.find(p.TabID)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent[wire.MethodFollow]++
	t.followed, t.look = true, p.Look
	return wire.Empty{}, nil
}

// committed puts the script into a new main document. World and script come in
// one step, as with chrome.scripting.
func (w *Worker) committed(session, look string, params json.RawMessage) {
	var p struct {
		Frame struct {
			frameInfo
			ParentID string `json:"parentId"`
		} `json:"frame"`
	}
	if json.Unmarshal(params, &p) != nil || p.Frame.ParentID != "" || w.SkipInject != nil && w.SkipInject(p.Frame.URL) {
		return
	}
	ctx := context.Background() // it ends with the socket
	if w.Bare != nil && w.Bare(p.Frame.URL) {
		_, _ = w.ws.call(ctx, session, "Page.createIsolatedWorld", map[string]any{"frameId": p.Frame.ID, "worldName": ExtensionID})
		return
	}
	raw, err := w.ws.call(ctx, session, "Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source": w.script + fmt.Sprintf("\n;globalThis.__tabwright?.begin?.(%q);void 0", look), "worldName": ExtensionID, "runImmediately": true,
	})
	if err == nil { // only for this document
		_, _ = w.ws.call(ctx, session, "Page.removeScriptToEvaluateOnNewDocument", raw)
	}
	w.stale(ctx, session, p.Frame.ID)
}

func (w *Worker) stale(ctx context.Context, session, frame string) {
	for i := range w.Stale {
		_, _ = w.ws.call(ctx, session, "Page.createIsolatedWorld", map[string]any{"frameId": frame, "worldName": fmt.Sprintf("%s before %d", ExtensionID, i)})
	}
}

func (w *Worker) injectFrame(ctx context.Context, session, frame string) error {
	raw, err := w.ws.call(ctx, session, "Page.createIsolatedWorld", map[string]any{"frameId": frame, "worldName": ExtensionID})
	if err != nil {
		return err
	}
	var made struct {
		Context int `json:"executionContextId"`
	}
	if err := json.Unmarshal(raw, &made); err != nil {
		return err
	}
	_, err = w.ws.call(ctx, session, "Runtime.evaluate", map[string]any{"expression": w.script + "\n;void 0", "contextId": made.Context})
	w.stale(ctx, session, frame)
	return err
}

type frameTree struct {
	Frame       frameInfo   `json:"frame"`
	ChildFrames []frameTree `json:"childFrames"`
}

type frameInfo struct {
	ID       string `json:"id"`
	LoaderID string `json:"loaderId"`
	URL      string `json:"url"`
}

func (t frameTree) all() []frameInfo {
	out := []frameInfo{t.Frame}
	for _, c := range t.ChildFrames {
		out = append(out, c.all()...)
	}
	return out
}
