package action

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// actionTime bounds one action, the time a person takes to answer a card and
// the time an action itself was asked to wait not counted.
const actionTime = 30 * time.Second

// Options is what a Session is made of.
type Options struct {
	Driver browser.Driver
	// Tab is where the task begins.
	Tab browser.TabID
	// Confirmer asks the person; without one everything that needs a
	// confirmation is denied.
	Confirmer Confirmer
	// Watcher is told before input is sent; may be nil.
	Watcher Watcher
	// Policy is what the gate knows of the task.
	Policy safety.Context
	// UploadDirs are the folders that files may be uploaded from.
	UploadDirs []string
	Log        zerolog.Logger
	Lang       string // of Result.Line and cards: en or zh
	// HighWater gives the highest index ever given in a tab, from the journal;
	// may be nil.
	HighWater func(browser.TabID) int

	backend backend // tests put a fake here
}

// Session is one task's hold on a browser: the tabs it may see, what it was
// shown of them, and what the person denied. Its methods may be called from
// several goroutines; one action runs at a time.
type Session struct {
	o   Options
	b   backend
	reg *Registry

	acting chan struct{}  // holds one token while a Do or an Observe runs
	loose  sync.WaitGroup // what ends on its own after a stopped act; Close waits

	mu      sync.Mutex
	current browser.TabID
	tabs    map[browser.TabID]*held
	joined  int
	denials []denial
	policy  safety.Context
	stop    func()
}

// held is a tab the task may see. page is nil until the tab is first needed.
type held struct {
	info browser.TabInfo
	seq  int // in the order in which the tabs came to the task
	tab  tab
	page *pagecontext.Page
	// attached says that this session attached the tab and must release it.
	attached bool
	// unsettled are the frames that an act left watched because a dialog opened.
	unsettled []frame
}

// NewSession starts a session in a tab. The tab is attached on its first use.
func NewSession(o Options) (*Session, error) {
	b := o.backend
	if b == nil {
		if o.Driver == nil {
			return nil, errors.New("action session: no driver")
		}
		b = realDriver{o.Driver}
	}
	if o.Tab == "" {
		return nil, errors.New("action session: no tab")
	}
	if o.Lang != Chinese {
		o.Lang = English
	}
	o.Policy.UploadDirs = append(slices.Clone(o.Policy.UploadDirs), o.UploadDirs...)
	s := &Session{
		o: o, b: b, reg: std, acting: make(chan struct{}, 1), current: o.Tab, policy: o.Policy,
		tabs: map[browser.TabID]*held{o.Tab: {info: browser.TabInfo{ID: o.Tab}}},
	}
	events, cancel := b.Subscribe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range events {
			s.onTab(e)
		}
	}()
	s.stop = sync.OnceFunc(func() { cancel(); <-done })
	return s, nil
}

// onTab keeps the set of tabs that the task may see: a tab that one of them
// opened joins it, one that is closed leaves it. Of other tabs nothing is kept.
func (s *Session) onTab(e browser.TabEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Kind {
	case browser.TabCreated, browser.TabUpdated, browser.TabActivated:
		if h, ok := s.tabs[e.Tab.ID]; ok {
			if e.Kind != browser.TabActivated {
				h.info.URL, h.info.Title = e.Tab.URL, e.Tab.Title
			}
			return
		}
		if _, ok := s.tabs[e.Tab.Opener]; ok && e.Tab.Opener != "" {
			s.join(e.Tab)
		}
	case browser.TabRemoved:
		delete(s.tabs, e.Tab.ID)
	case browser.TabDetached:
		if h, ok := s.tabs[e.Tab.ID]; ok {
			h.tab = nil
		}
	}
}

// adopt lets the task see a tab that it, or one of its tabs, opened.
func (s *Session) adopt(id browser.TabID, url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.tabs[id]; !ok && id != "" {
		s.join(browser.TabInfo{ID: id, URL: url})
	}
}

// join adds a tab to those the task may see; s.mu is held.
func (s *Session) join(info browser.TabInfo) {
	s.joined++
	s.tabs[info.ID] = &held{info: info, seq: s.joined}
}

// Tab gives the tab that actions go to.
func (s *Session) Tab() browser.TabID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// Tabs gives the tabs that the task may see, in the order in which they came.
func (s *Session) Tabs() []browser.TabInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]browser.TabInfo, 0, len(s.tabs))
	for _, h := range slices.SortedFunc(maps.Values(s.tabs), func(a, b *held) int { return a.seq - b.seq }) {
		info := h.info
		info.Active = info.ID == s.current
		out = append(out, info)
	}
	return out
}

// HighWater gives the highest index given in the current tab; the journal
// keeps it, so that no index is given twice.
func (s *Session) HighWater() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.tabs[s.current]; h != nil && h.page != nil {
		return h.page.HighWater()
	}
	return 0
}

// HighWaters gives the same for every tab of the task that was looked at.
func (s *Session) HighWaters() map[browser.TabID]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[browser.TabID]int{}
	for id, h := range s.tabs {
		if h.page != nil {
			out[id] = h.page.HighWater()
		}
	}
	return out
}

// ForgetDenials makes the session ask again for what was denied. Only a new
// word of the person's own (steering, a new task) is a reason to call it.
func (s *Session) ForgetDenials() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.denials = nil
}

// Close releases what the session attached.
func (s *Session) Close(ctx context.Context) error {
	s.stop()
	s.loose.Wait()
	s.mu.Lock()
	var ids []browser.TabID
	for id, h := range s.tabs {
		if h.attached {
			ids = append(ids, id)
		}
	}
	s.mu.Unlock()
	var errs []error
	for _, id := range ids {
		errs = append(errs, s.b.Release(ctx, id))
	}
	return errors.Join(errs...)
}

// here gives the current tab, attached.
func (s *Session) here(ctx context.Context) (*held, *Error) {
	s.mu.Lock()
	id := s.current
	h := s.tabs[id]
	if h == nil {
		s.mu.Unlock()
		return nil, &Error{Code: TabClosed, Message: "the tab was closed"}
	}
	if h.tab != nil {
		select {
		case <-h.tab.Done():
			h.tab = nil
		default:
			s.mu.Unlock()
			return h, nil
		}
	}
	s.mu.Unlock()
	t, err := s.b.Attach(ctx, id)
	if err != nil {
		if e := known(err); e != nil {
			return nil, e
		}
		return nil, &Error{Code: Detached, Message: "the tab can't be reached: " + err.Error(), Err: err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h.tab, h.attached = t, true
	if h.page == nil {
		start := 0
		if s.o.HighWater != nil {
			start = s.o.HighWater(id)
		}
		h.page = pagecontext.New(&source{h: h, s: s}, start)
	}
	return h, nil
}

// source lets a tab's page memory outlive an attachment: refs stay good when
// the tab is attached again to the same documents.
type source struct {
	h *held
	s *Session
}

func (s *source) now() (tab, error) {
	s.s.mu.Lock()
	defer s.s.mu.Unlock()
	if s.h.tab == nil {
		return nil, &Error{Code: Detached, Message: "the tab is detached"}
	}
	return s.h.tab, nil
}

func (s *source) PageRev() int {
	t, err := s.now()
	if err != nil {
		return 0
	}
	return t.PageRev()
}

func (s *source) Frames(ctx context.Context) ([]pagecontext.Frame, error) {
	t, err := s.now()
	if err != nil {
		return nil, err
	}
	return t.Frames(ctx)
}

// run is one call of Do.
type run struct {
	s    *Session
	spec Spec
	call Call
	res  *Result
	h    *held
	tab  tab
	page *pagecontext.Page
	// object is what was typed, pressed or chosen, for the line.
	object *string
	// bound counts the time of the action itself; it stands still while a card
	// is open.
	bound *stopwatch
}

// Do runs one action. Whatever goes wrong is in Result.Err; it never panics
// and never hangs.
func (s *Session) Do(ctx context.Context, c Call) (res Result) {
	res = Result{Action: c.Name}
	var wanted, object string // for the line: what was asked for, what was typed or chosen
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.Error().Str("action", c.Name).Interface("panic", p).Bytes("stack", debug.Stack()).Msg("action panicked")
			res.Err = &Error{Code: Unsupported, Message: "an internal fault stopped the action", Hint: "Try another way.", Err: fmt.Errorf("panic: %v", p)}
		}
		if res.Err != nil && res.Target == "" {
			res.Target = wanted
		}
		s.finish(&res, object)
	}()
	if err := s.turn(ctx); err != nil {
		res.Err = err
		return res
	}
	defer func() { <-s.acting }()
	spec, ok := s.reg.Spec(c.Name)
	if !ok {
		res.Err = &Error{Code: InvalidParams, Message: fmt.Sprintf("there is no action %q", c.Name)}
		if near := s.reg.closest(c.Name); near != "" {
			res.Err.Hint = fmt.Sprintf("You mean %q.", near)
		}
		return res
	}
	p, bad := s.reg.parse(spec, c.Params)
	if bad != nil {
		res.Err = bad
		return res
	}
	if n, ok := p.(interface{ wanted() string }); ok {
		wanted = n.wanted()
	}
	bound := newStopwatch(ctx, actionTime)
	defer bound.stop()
	r := &run{s: s, spec: spec, call: c, res: &res, bound: bound, object: &object}
	res.Err = r.begin(bound.ctx)
	if res.Err == nil {
		res.Err = spec.run(bound.ctx, r, p)
	}
	if res.Err != nil && ctx.Err() == nil && errors.Is(context.Cause(bound.ctx), context.DeadlineExceeded) {
		res.Err = &Error{Code: Timeout, Message: fmt.Sprintf("it took longer than %s", actionTime), Err: res.Err}
	}
	if spec.NeedsTab {
		res.Err = s.closedOr(ctx, res.Err)
	}
	if res.Err == nil && ctx.Err() != nil && res.Text == "" {
		res.Err = &Error{Code: Timeout, Message: "the action was stopped", Err: ctx.Err()}
	}
	if r.tab != nil {
		res.PageRev = r.tab.PageRev()
		if res.Site == "" {
			res.Site = siteOf(r.tab.MainURL())
		}
	}
	return res
}

// turn waits until no other action runs in this session.
func (s *Session) turn(ctx context.Context) *Error {
	select {
	case s.acting <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &Error{Code: Timeout, Message: "stopped before its turn came", Err: ctx.Err()}
	}
}

// closedOr tells a tab that is closed from one that is only detached: the news
// of the debugger's end comes before that of the tab's.
func (s *Session) closedOr(ctx context.Context, e *Error) *Error {
	if e == nil || e.Code != Detached || errors.Is(e, ErrUserCancelled) || errors.Is(e, ErrBrowserGone) {
		return e
	}
	tctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	list, err := s.b.Tabs(tctx)
	if err != nil || slices.ContainsFunc(list, func(t browser.TabInfo) bool { return t.ID == s.Tab() }) {
		return e
	}
	return &Error{Code: TabClosed, Message: "the tab was closed", Err: e}
}

// begin attaches the tab and refuses to act behind an open dialog.
func (r *run) begin(ctx context.Context) *Error {
	if !r.spec.NeedsTab {
		return nil
	}
	h, err := r.s.here(ctx)
	if err != nil {
		return err
	}
	r.h, r.tab, r.page = h, h.tab, h.page
	if d := r.tab.Dialog(); d != nil && !r.spec.WithDialog {
		return dialogOpen(d)
	}
	return nil
}

func dialogOpen(d *browser.Dialog) *Error {
	return &Error{
		Code: DialogOpen, Message: fmt.Sprintf("a %s dialog is open: %q", d.Kind, short(d.Message, 200)),
		Data: map[string]string{"kind": d.Kind, "message": d.Message, "default": d.Default},
	}
}

// finish gives every result its texts.
func (s *Session) finish(res *Result, object string) {
	if res.Err != nil {
		if res.Err.Hint == "" {
			res.Err.Hint = hints[res.Err.Code]
		}
		res.Text = failText(res.Err)
		res.Line = failLine(s.o.Lang, object, res)
		return
	}
	if res.Line == "" {
		res.Line = plainLine(s.o.Lang, object, res)
	}
}

// known gives err as an *Error if it is or wraps one, or if its cause has a
// code of its own.
func known(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var stale *pagecontext.StaleError
	if errors.As(err, &stale) {
		return &Error{Code: StaleRef, Message: stale.Was + " is no longer there: " + stale.Reason, Data: stale, Err: err}
	}
	if errors.Is(err, pagecontext.ErrNotFound) {
		return &Error{Code: NotFound, Message: err.Error(), Err: err}
	}
	return browserError(err)
}

// wrap turns any error into an *Error, saying what was being tried.
func wrap(doing string, err error) *Error {
	if err == nil {
		return nil
	}
	if e := known(err); e != nil {
		return e
	}
	code := Unsupported
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		code = Timeout
	}
	return &Error{Code: code, Message: doing + ": " + err.Error(), Err: err}
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

// siteOf is a host as a person knows it: the port counts only where the host
// says nothing, on this computer and on bare addresses.
func siteOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if h := u.Hostname(); h != "localhost" && net.ParseIP(h) == nil {
		return h
	}
	return u.Host
}

// stopwatch is a deadline that can stand still.
type stopwatch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	timer  *time.Timer
	left   time.Duration
	since  time.Time
}

func newStopwatch(parent context.Context, d time.Duration) *stopwatch {
	ctx, cancel := context.WithCancelCause(parent)
	w := &stopwatch{ctx: ctx, cancel: cancel, left: d, since: time.Now()}
	w.timer = time.AfterFunc(d, func() { cancel(context.DeadlineExceeded) })
	return w
}

// pause stops the clock and gives what starts it again.
func (w *stopwatch) pause() (resume func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.timer.Stop() {
		return func() {}
	}
	w.left -= time.Since(w.since)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.since = time.Now()
		w.timer.Reset(max(w.left, time.Second))
	}
}

func (w *stopwatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	w.cancel(context.Canceled)
}
