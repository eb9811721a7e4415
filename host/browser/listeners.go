package browser

import (
	"context"
	_ "embed"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// listenersScript returns which elements of a document listen to which events. It runs in
// the page's own world, since an isolated world sees only its own listeners.
//
//go:embed listeners.js
var listenersScript string

// needsListeners are the extractor's functions that find controls.
var needsListeners = map[string]bool{"summary": true, "list": true, "tree": true, "findBy": true}

const (
	// heardFor is how long the listeners of elements count as current if no element came
	// or went: listeners may be added without a change of the document.
	heardFor = time.Second
	// hearingTime bounds listenersScript, which may run code of the page. It usually
	// takes a few milliseconds.
	hearingTime = time.Second
)

// listening is what the extractor of a document was last told of the listeners.
type listening struct {
	document cdp.LoaderID
	told     string
	at       time.Time
}

// ears gets the page's listeners for one call into the extractor. The page is asked while
// the call is under way, since nearly always nothing has changed since the last call.
type ears struct {
	f      *Frame
	ctx    context.Context
	end    context.CancelFunc
	tell   any // argument heard of callFunction: nil, true or the page's answer
	answer chan string
	rounds int
	isNew  bool // the extractor was told nothing of this document yet
}

// ears returns the ears for a call of fn. It asks the page, unless fn does not need the
// listeners or the page was asked within heardFor.
func (f *Frame) ears(ctx context.Context, fn string) *ears {
	ctx, cancel := context.WithCancel(ctx)
	e := &ears{f: f, ctx: ctx, end: cancel}
	if !needsListeners[fn] {
		return e
	}
	e.tell = true
	l := f.listening()
	if e.isNew = l.at.IsZero(); e.isNew {
		e.wait(f.askListeners(true))
	} else if time.Since(l.at) >= heardFor {
		e.start()
	}
	return e
}

// before waits for the page's answer if the extractor knows no listeners yet. The page was
// asked while the extractor was injected.
func (e *ears) before() {
	if e.isNew {
		e.isNew = false
		e.ask()
	}
}

// start asks the page, or shares the answer to a question that is under way.
func (e *ears) start() { e.wait(e.f.askListeners(false)) }

func (e *ears) wait(asked *hearing) {
	answer := make(chan string, 1)
	e.answer = answer
	go func() {
		select {
		case <-asked.done:
			answer <- asked.told
		case <-e.ctx.Done():
			answer <- ""
		}
	}()
}

// hearing is one question to the page; told is set when done is closed, and at, under
// tab.mu, with it.
type hearing struct {
	document cdp.LoaderID
	done     chan struct{}
	told     string
	at       time.Time
}

// askListeners asks the page, unless a question is under way. answered: an answer within
// heardFor will do, since the extractor finds out whether it fits the page.
func (f *Frame) askListeners(answered bool) *hearing {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	s := f.state()
	if s != nil {
		if h := s.hearing; h != nil && h.document == f.loader && (h.at.IsZero() || answered && h.told != "" && time.Since(h.at) < heardFor) {
			return h
		}
	}
	h := &hearing{document: f.loader, done: make(chan struct{})}
	if s == nil {
		close(h.done)
		return h
	}
	s.hearing = h
	go func() {
		told := f.listeners(context.Background()) // it is bounded by itself
		f.tab.mu.Lock()
		h.told, h.at = told, time.Now()
		f.tab.mu.Unlock()
		close(h.done)
	}()
	return h
}

// ask gives the next call the page's answer. If the page changes faster than it can be
// asked, or does not answer, the call is made with what the extractor knows.
func (e *ears) ask() {
	if e.rounds++; e.rounds > 2 {
		e.tell = nil
		return
	}
	if e.answer == nil {
		e.start()
	}
	told := <-e.answer
	if e.answer, e.tell = nil, nil; told != "" {
		e.tell = told
	}
}

// hearMore reports whether the extractor must be called again, since the page's answer
// came during the call and has other listeners than the extractor knew.
func (e *ears) hearMore() bool {
	if told, ok := e.tell.(string); ok {
		e.f.heard(told)
	}
	if e.answer == nil {
		return false
	}
	told := <-e.answer
	e.answer = nil
	if told == "" || e.rounds > 0 {
		return false
	}
	if e.rounds++; told == e.f.listening().told {
		e.f.heard(told)
		return false
	}
	e.tell = told
	return true
}

// listening returns what the extractor of the frame's document was last told.
func (f *Frame) listening() listening {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.state(); s != nil && s.listening.document == f.loader {
		return s.listening
	}
	return listening{}
}

// heard notes what the extractor was told.
func (f *Frame) heard(told string) {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.state(); s != nil {
		s.listening = listening{f.loader, told, time.Now()}
	}
}

// listeners asks the page which elements of the frame have listeners. It returns "" if the
// page does not answer, such as one that stands still.
func (f *Frame) listeners(ctx context.Context) string {
	key, session := f.mainWorld()
	if session == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, hearingTime+hearingTime/2)
	defer cancel()
	yes := true
	res, err := cdp.Call(ctx, session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: listenersScript, IncludeCommandLineAPI: &yes, Silent: &yes, ReturnByValue: &yes,
		UniqueContextID: key.unique, Timeout: runtime.TimeDelta(hearingTime.Milliseconds()),
	})
	var told string
	if err != nil || res.Result == nil || res.ExceptionDetails != nil || jsonv2.Unmarshal(res.Result.Value, &told, jsonv2.AllowInvalidUTF8(true)) != nil {
		return ""
	}
	return told
}

// mainWorld returns the page's own world in the frame, and the session that it is in.
func (f *Frame) mainWorld() (key contextKey, session cdp.Session) {
	t := f.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	s := f.state()
	if s == nil || t.sessions[s.session] == nil {
		return key, nil
	}
	var newest runtime.ExecutionContextID
	for k, c := range t.contexts {
		if k.session == s.session && c.frame == s.id && !c.isolated && c.id > newest && k.unique != "" {
			key, session, newest = k, t.sessions[s.session].cdp, c.id
		}
	}
	return key, session
}

// Hear tells the extractor of the frame the listeners of its elements.
func (f *Frame) Hear(ctx context.Context) error {
	return f.tab.race(ctx, func(ctx context.Context) error {
		w, err := f.world(ctx)
		if err != nil {
			return f.explain(err)
		}
		f.hear(ctx, w, f.listeners(ctx))
		return nil
	})
}

// hear tells the extractor the page's answer.
func (f *Frame) hear(ctx context.Context, w *world, told string) {
	args, err := callArguments(told)
	if err != nil || told == "" {
		return
	}
	res, err := f.invoke(ctx, w, `function (told) { return globalThis.__tabwright?.hear?.(told) === true; }`, true, args)
	if err == nil && string(res.Value) == "true" {
		f.heard(told)
	}
}

// hearAhead asks the main document for its listeners and tells its extractor, once that is
// there, before the look that follows.
func (t *Tab) hearAhead(ctx context.Context, document cdp.LoaderID, most time.Duration) {
	f, ok := t.Frame(string(t.main))
	if !ok || f.loader != document {
		return
	}
	asked := f.askListeners(true)
	select {
	case <-asked.done:
	case <-ctx.Done():
		return // the look that follows waits for the answer
	}
	var w *world
	t.within(ctx, most, func() bool {
		s := f.state()
		if s == nil {
			return true
		}
		w = t.known(s)
		return w != nil
	})
	if w != nil {
		f.hear(ctx, w, asked.told)
	}
}
