package browser

import (
	"context"
	_ "embed"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// listenersScript says which elements of a document hear what. An isolated world sees
// no listeners but its own, so it runs in the page's.
//
//go:embed listeners.js
var listenersScript string

// needsListeners are the extractor's functions that find controls.
var needsListeners = map[string]bool{"summary": true, "list": true, "tree": true, "findBy": true}

const (
	// heardFor is how long what the elements hear is taken to hold where no element
	// came or went: listeners come without a change of the document, too.
	heardFor = time.Second
	// hearingTime bounds the script in a page whose own code it may meet. It takes
	// a few milliseconds where nothing is wrong.
	hearingTime = time.Second
)

// listening is what the extractor of a document was told that its elements hear.
type listening struct {
	document cdp.LoaderID
	told     string
	at       time.Time
}

// ears has one call into the extractor know what the elements hear. The page is asked
// while the call is under way, as nearly always nothing has changed since the last one.
type ears struct {
	f      *Frame
	ctx    context.Context
	end    context.CancelFunc
	tell   any // what the call is given: nothing, true or what the page said
	answer chan string
	rounds int
	isNew  bool // the extractor was told nothing of this document yet
}

// ears asks the page unless it was asked a moment ago.
func (f *Frame) ears(ctx context.Context, fn string) *ears {
	ctx, cancel := context.WithCancel(ctx)
	e := &ears{f: f, ctx: ctx, end: cancel}
	if !needsListeners[fn] {
		return e
	}
	e.tell = true
	l := f.listening()
	if e.isNew = l.at.IsZero(); time.Since(l.at) >= heardFor {
		e.start()
	}
	return e
}

// before waits for the page's answer where the extractor knows nothing yet. It was
// asked while the extractor was put there.
func (e *ears) before() {
	if e.isNew {
		e.isNew = false
		e.ask()
	}
}

// start asks the page, or waits for the answer to whoever asks it just now.
func (e *ears) start() {
	answer := make(chan string, 1)
	e.answer = answer
	asked := e.f.askListeners()
	go func() {
		select {
		case <-asked.done:
			answer <- asked.told
		case <-e.ctx.Done():
			answer <- ""
		}
	}()
}

// hearing is one question to the page; told is there when done is closed.
type hearing struct {
	document cdp.LoaderID
	done     chan struct{}
	told     string
}

// askListeners asks the page, unless it is asked already.
func (f *Frame) askListeners() *hearing {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	s := f.state()
	if s != nil && s.hearing != nil && s.hearing.document == f.loader {
		return s.hearing
	}
	h := &hearing{document: f.loader, done: make(chan struct{})}
	if s == nil {
		close(h.done)
		return h
	}
	s.hearing = h
	go func() {
		h.told = f.listeners(context.Background()) // it is bounded by itself
		f.tab.mu.Lock()
		if s.hearing == h {
			s.hearing = nil
		}
		f.tab.mu.Unlock()
		close(h.done)
	}()
	return h
}

// ask has the next call told what the page says; where the page changes faster than it
// can be asked, or does not say, what is known by now counts.
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

// hearMore tells whether an answer was given without something that the page said since.
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

// listening is what the extractor of the frame's document knows.
func (f *Frame) listening() listening {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.state(); s != nil && s.listening.document == f.loader {
		return s.listening
	}
	return listening{}
}

// heard notes what it was told.
func (f *Frame) heard(told string) {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if s := f.state(); s != nil {
		s.listening = listening{f.loader, told, time.Now()}
	}
}

// listeners asks which elements of the frame hear something; "" where that can't be
// known, as on a page that stands still.
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

// mainWorld is the page's own in the frame, and the session that it is in.
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

// Hear has the extractor of the frame know what the elements hear now.
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

// hear tells the extractor.
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

// hearAhead has the main document's extractor know what the elements hear before the
// look that follows, once it is there.
func (t *Tab) hearAhead(ctx context.Context, document cdp.LoaderID, most time.Duration) {
	f, ok := t.Frame(string(t.main))
	if !ok || f.loader != document {
		return
	}
	told := f.listeners(ctx)
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
		f.hear(ctx, w, told)
	}
}
