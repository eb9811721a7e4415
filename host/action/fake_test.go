package action

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// fakeNode is one element of a fake page.
type fakeNode struct {
	id       int
	selector string
	x, y     float64 // the point it lies at
	gone     bool
	el       pagecontext.RawElement
	target   safety.Target
	iframe   bool
}

// fakeFrame stands in for a document with its extractor.
type fakeFrame struct {
	t                  *fakeTab
	id, parent, url    string
	doc                string
	x, y               float64
	owner              int
	focus              int
	amounts            []string
	text               string
	mu                 sync.Mutex
	nodes              []*fakeNode
	calls              []string
	stop               string // what the guard stops: other_node or facts_changed
	covered            bool
	changes            []page.Change
	onCall             func(fn string)
	says               map[string]func() any // answers of its own
	lost               string                // with this call the connection to the browser ends
	ended              bool
	selectErr, readErr *page.Error
}

func (f *fakeFrame) ID() string                         { return f.id }
func (f *fakeFrame) ParentID() string                   { return f.parent }
func (f *fakeFrame) Document() string                   { return f.doc }
func (f *fakeFrame) URL() string                        { return f.url }
func (f *fakeFrame) Owner(context.Context) (int, error) { return f.owner, nil }
func (f *fakeFrame) PDF() bool                          { return strings.HasSuffix(f.url, ".pdf") }
func (f *fakeFrame) Content(context.Context, int) ([]byte, error) {
	return nil, errors.New("a fake frame has no bytes")
}
func (f *fakeFrame) Scale() (kx, ky float64) { return 1, 1 }

func (f *fakeFrame) Offset(context.Context) (x, y float64, ok bool) {
	return f.x, f.y, true
}

func (f *fakeFrame) find(l page.Locator) *fakeNode {
	for _, n := range f.nodes {
		switch {
		case n.gone:
		case l.ID != 0 && n.id == l.ID, l.Selector != "" && n.selector == l.Selector, l.X != nil && n.x == *l.X && n.y == *l.Y, l.Focused && n.id == f.focus:
			return n
		}
	}
	return nil
}

func (f *fakeFrame) Call(_ context.Context, fn string, arg, result any) error {
	f.mu.Lock()
	f.calls = append(f.calls, fn)
	hook := f.onCall
	f.mu.Unlock()
	if hook != nil {
		hook(fn)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended = f.ended || f.lost == fn; f.ended {
		return fmt.Errorf("%s: %w", fn, browser.ErrGone)
	}
	raw, err := json.Marshal(arg)
	if err != nil {
		return err
	}
	out := f.answer(fn, raw)
	if result == nil {
		return nil
	}
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, result)
}

func (f *fakeFrame) answer(fn string, raw []byte) any {
	var l page.Locator
	var named struct {
		ID         int
		Role, Name string
	}
	_ = json.Unmarshal(raw, &l)
	_ = json.Unmarshal(raw, &named)
	if say := f.says[fn]; say != nil {
		return say()
	}
	switch fn {
	case "resolve", "check":
		n := f.find(l)
		if n == nil {
			return page.Resolved{Error: &page.Error{Code: "not_found", Message: "there is no such element"}}
		}
		if fn == "check" && (n.el.Role != named.Role || !pagecontext.SameName(named.Name, n.el.Name)) {
			return page.Resolved{Error: &page.Error{Code: "stale_ref", Message: "it is something else now"}}
		}
		t := n.target
		t.FrameURL = f.url
		t.Fingerprint = fmt.Sprint(t.Name, t.Value, t.Href, f.amounts)
		out := page.Resolved{ID: n.id, Element: n.el, Target: t, Iframe: n.iframe, Page: safety.Page{URL: f.url, Title: "Fake"}}
		if l.Ready != "" && f.readErr == nil && !f.covered {
			out.At = &page.Place{Point: page.Point{X: n.x, Y: n.y}}
		}
		return out
	case "pageFacts":
		return safety.Page{URL: f.url, Text: f.text, Amounts: f.amounts}
	case "ready":
		if f.readErr != nil {
			return map[string]any{"error": f.readErr}
		}
		n := f.find(page.Locator{ID: l.ID})
		return map[string]any{"point": XY{n.x, n.y}}
	case "hits":
		return map[string]any{"ok": !f.covered}
	case "arm":
		return map[string]bool{"ok": true, "sure": true, "still": true, "focused": true}
	case "disarm":
		var o struct {
			Effects any `json:"effects"`
		}
		_ = json.Unmarshal(raw, &o)
		rep := page.GuardReport{Arrived: 3}
		if o.Effects != nil && f.stop == "" {
			rep.Effects = &page.Effects{Changes: f.changes, Settled: true}
		}
		if f.stop != "" {
			rep.Arrived = 0
			rep.Stopped = append(rep.Stopped, page.Stop{Type: "click", Why: f.stop, On: "button Other"})
		}
		return rep
	case "effects":
		return page.Effects{Changes: f.changes, Settled: true}
	case "list":
		var els []pagecontext.RawElement
		for _, n := range f.nodes {
			if !n.gone {
				els = append(els, n.el)
			}
		}
		return map[string]any{"elements": els}
	case "summary":
		return map[string]any{"url": f.url, "title": "Fake", "viewport": map[string]int{"width": 800, "height": 600}}
	case "focus":
		f.focus = l.ID
		return map[string]bool{"ok": true}
	case "selectText":
		return map[string]bool{"ok": true}
	case "fileInput":
		n := f.find(page.Locator{ID: named.ID})
		if n == nil || n.target.Type != "file" {
			return map[string]int{"id": 0}
		}
		return map[string]int{"id": n.id}
	case "options":
		return map[string]any{"error": &page.Error{Code: "unsupported", Message: "it has no options"}}
	case "choose":
		if f.selectErr != nil {
			return map[string]any{"error": f.selectErr}
		}
		return map[string]any{"ok": true, "labels": []string{"Blue"}}
	}
	return map[string]bool{"ok": true}
}

func (f *fakeFrame) called(fn string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, c := range f.calls {
		if c == fn {
			n++
		}
	}
	return n
}

// fakeTab stands in for an attached tab; it records what was sent.
type fakeTab struct {
	id     browser.TabID
	mu     sync.Mutex
	frames []*fakeFrame
	sent   []string
	dialog *browser.Dialog
	opened chan struct{}
	lit    int
	state  browser.WatchState
	onSend func(what string)
	done   chan struct{}
	value  string // of code that runs in it

	onOpened func() bool // nil: it has opened
	failed   string      // the address that it could not load
	stays    error       // why it can't the next time either
}

func (t *fakeTab) send(what string) error {
	t.mu.Lock()
	t.sent = append(t.sent, what)
	hook := t.onSend
	t.mu.Unlock()
	if hook != nil {
		hook(what)
	}
	return nil
}

func (t *fakeTab) log() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.sent, " ")
}

func (t *fakeTab) Frames(context.Context) ([]pagecontext.Frame, error) {
	out := make([]pagecontext.Frame, len(t.frames))
	for i, f := range t.frames {
		out[i] = f
	}
	return out, nil
}
func (t *fakeTab) ID() browser.TabID { return t.id }
func (t *fakeTab) PageRev() int      { return 1 }
func (t *fakeTab) MainURL() string   { return t.frames[0].url }

func (t *fakeTab) Title(context.Context) (string, error) { return "Fake", nil }
func (t *fakeTab) Done() <-chan struct{}                 { return t.done }
func (t *fakeTab) SetGround(browser.Ground)              {}
func (t *fakeTab) Refused() *browser.Refusal             { return nil }

func (t *fakeTab) ConsoleMessages() []browser.ConsoleMessage { return nil }

func (t *fakeTab) PageRequests() []browser.PageRequest { return nil }

func (t *fakeTab) Resize(_ context.Context, w, h int) error {
	return t.send(fmt.Sprint("resize ", w, " ", h))
}

func (t *fakeTab) Dialog() *browser.Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dialog
}

func (t *fakeTab) Undrawn() bool { return false }
func (t *fakeTab) NeedsDrawing() {}

func (t *fakeTab) AwaitPage(context.Context, time.Duration) bool {
	return t.onOpened == nil || t.onOpened()
}
func (t *fakeTab) FailedURL() string { return t.failed }

func (t *fakeTab) DialogOpened() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.opened
}

func (t *fakeTab) open(d *browser.Dialog) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dialog = d
	close(t.opened)
}

func (t *fakeTab) HandleDialog(_ context.Context, accept bool, text string) error {
	t.mu.Lock()
	t.dialog, t.opened = nil, make(chan struct{})
	t.mu.Unlock()
	return t.send(fmt.Sprintf("dialog(%t,%s)", accept, text))
}

func (t *fakeTab) Mouse(_ context.Context, _ hittarget.Lease, m mouse) error {
	return t.send(fmt.Sprintf("%s(%g,%g)", m.kind, m.x, m.y))
}

func (t *fakeTab) Key(_ context.Context, _ hittarget.Lease, e browser.KeyEvent) error {
	if e.Up {
		return nil
	}
	return t.send("key(" + e.Key + ")")
}

func (t *fakeTab) Send(ctx context.Context, l hittarget.Lease, list []input) error {
	for _, in := range list {
		var err error
		switch {
		case in.mouse != nil:
			err = t.Mouse(ctx, l, *in.mouse)
		case in.key != nil:
			err = t.Key(ctx, l, *in.key)
		default:
			err = t.send("insert(" + in.text + ")")
		}
		if err != nil || t.Dialog() != nil {
			return err
		}
	}
	return nil
}

func (t *fakeTab) Wheel(context.Context, float64, float64, float64, float64) error {
	return t.send("wheel")
}

func (t *fakeTab) Navigate(_ context.Context, url string) error {
	if t.stays == nil {
		t.failed = ""
	}
	return errors.Join(t.stays, t.send("navigate("+url+")"))
}
func (t *fakeTab) Reload(context.Context) error { return t.send("reload") }
func (t *fakeTab) History(_ context.Context, d int) (bool, error) {
	return d < 0, t.send(fmt.Sprintf("history(%d)", d))
}

func (t *fakeTab) Evaluate(_ context.Context, code string) (json.RawMessage, error) {
	return json.RawMessage(t.value), t.send("evaluate(" + code + ")")
}

func (t *fakeTab) Screenshot(context.Context, browser.ScreenshotOptions) (img []byte, mime string, err error) {
	var b bytes.Buffer
	err = jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8)), nil)
	return b.Bytes(), "image/jpeg", err
}

func (t *fakeTab) PDF(context.Context, browser.PDFOptions) ([]byte, error) {
	return []byte("%PDF-1.4"), t.send("pdf")
}

func (t *fakeTab) SetFiles(_ context.Context, _ pagecontext.Frame, _ int, files []string) error {
	return t.send("files(" + strings.Join(files, ",") + ")")
}

func (t *fakeTab) Highlight(context.Context, pagecontext.Frame, int) (hide func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lit++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.lit--
	}, nil
}
func (t *fakeTab) Watch() watch { return fakeWatch{t} }

func (w fakeWatch) SuppressFileDialogs(context.Context, pagecontext.Frame) func() { return func() {} }

func (w fakeWatch) Hold(context.Context, func(browser.Held) bool) func() { return func() {} }
func (w fakeWatch) AnswerHeld(context.Context, browser.Held, bool) error { return nil }
func (w fakeWatch) AwaitHeld(context.Context) bool                       { return false }

func (t *fakeTab) Asker(context.Context, browser.FileChooser) (pagecontext.Frame, int, error) {
	return nil, 0, browser.ErrNoNode
}

func (t *fakeTab) GiveFiles(_ context.Context, _ browser.FileChooser, files []string) error {
	return t.send("give(" + strings.Join(files, ",") + ")")
}

func (t *fakeTab) DropFiles(_ context.Context, _ hittarget.Lease, _, _ float64, files []string, takes func() bool) error {
	if !takes() {
		return nil
	}
	return t.send("drop(" + strings.Join(files, ",") + ")")
}

func (t *fakeTab) Close(context.Context) (bool, error) { return false, nil }

type fakeWatch struct{ t *fakeTab }

func (w fakeWatch) Snapshot() browser.WatchState {
	w.t.mu.Lock()
	defer w.t.mu.Unlock()
	return w.t.state
}

func (w fakeWatch) Wait(context.Context, time.Duration, time.Duration) browser.WatchState {
	return w.Snapshot()
}
func (w fakeWatch) Listen(context.Context) error { return nil }

func (w fakeWatch) Idle(context.Context, time.Duration, time.Duration, time.Duration) bool {
	return true
}

func (w fakeWatch) Answered(context.Context, time.Duration, bool) browser.WatchState {
	return w.Snapshot()
}

func (w fakeWatch) Rest(ctx context.Context, quiet, most time.Duration) browser.WatchState {
	return w.Wait(ctx, quiet, most)
}
func (w fakeWatch) Close() {}

// fakeBrowser stands in for a driver.
type fakeBrowser struct {
	tabs     map[browser.TabID]*fakeTab
	list     []browser.TabInfo
	events   chan browser.TabEvent
	released []browser.TabID
	onAttach func(browser.TabID)
}

func (b *fakeBrowser) Tabs(context.Context) ([]browser.TabInfo, error) { return b.list, nil }
func (b *fakeBrowser) Attach(_ context.Context, id browser.TabID) (tab, error) {
	t, ok := b.tabs[id]
	if !ok {
		return nil, fmt.Errorf("attach %s: %w", id, browser.ErrNoTab)
	}
	if b.onAttach != nil {
		b.onAttach(id)
	}
	return t, nil
}
func (b *fakeBrowser) Activate(context.Context, browser.TabID) error { return nil }

func (b *fakeBrowser) Open(_ context.Context, url string, _ bool, opener browser.TabID) (browser.TabInfo, error) {
	id := browser.TabID(fmt.Sprintf("T%d", len(b.tabs)+1))
	t := &fakeTab{id: id, opened: make(chan struct{}), done: make(chan struct{})}
	t.frames = []*fakeFrame{{t: t, id: "F" + string(id), doc: "D" + string(id), url: url}}
	b.tabs[id] = t
	info := browser.TabInfo{ID: id, URL: url, Opener: opener}
	b.list = append(b.list, info)
	return info, nil
}

func (b *fakeBrowser) CloseTab(_ context.Context, id browser.TabID) error {
	delete(b.tabs, id)
	b.list = slices.DeleteFunc(b.list, func(t browser.TabInfo) bool { return t.ID == id })
	return nil
}

func (b *fakeBrowser) Release(_ context.Context, id browser.TabID) error {
	b.released = append(b.released, id)
	return nil
}

func (b *fakeBrowser) Subscribe() (events <-chan browser.TabEvent, cancel func()) {
	return b.events, func() { close(b.events) }
}

// user answers cards; the answers are used in turn, the last one again.
type person struct {
	answers []Answer
	cards   []Card
	onAsk   func(n int, c Card)
	err     error
}

func (p *person) Confirm(_ context.Context, c Card) (Answer, error) {
	p.cards = append(p.cards, c)
	if p.onAsk != nil {
		p.onAsk(len(p.cards), c)
	}
	if p.err != nil {
		return Answer{}, p.err
	}
	return p.answers[min(len(p.cards), len(p.answers))-1], nil
}

// diary is a Watcher that records, and refuses when it is told to.
type diary struct {
	started []string
	notes   []string
	noted   map[string]string
	err     error
}

func (d *diary) OnActStart(_ context.Context, c Call, target, site string, l safety.Level) error {
	d.started = append(d.started, fmt.Sprintf("%s %s %s %s", c.Name, target, site, l))
	return d.err
}

func (d *diary) Notify(_ context.Context, text string, in map[string]string) {
	d.notes, d.noted = append(d.notes, text), in
}

// rig is a session on a fake page.
type rig struct {
	*Session
	tab    *fakeTab
	main   *fakeFrame
	person *person
	diary  *diary
	b      *fakeBrowser
}

func node(id int, role, name string) *fakeNode {
	tag := map[string]string{"button": "button", "link": "a", "textbox": "input", "combobox": "select"}[role]
	x := float64(10 * id)
	return &fakeNode{
		id: id, selector: fmt.Sprintf("#n%d", id), x: x, y: 5,
		el:     pagecontext.RawElement{ID: id, Tag: tag, Role: role, Name: name, Visible: true, Enabled: true},
		target: safety.Target{Tag: tag, Role: role, Name: name, Text: name, HasHandler: true, Editable: role == "textbox"},
	}
}

func newRig(t *testing.T, nodes ...*fakeNode) *rig {
	t.Helper()
	return newRigIn(t, English, nodes...)
}

func newRigIn(t *testing.T, lang string, nodes ...*fakeNode) *rig {
	t.Helper()
	ft := &fakeTab{id: "T1", opened: make(chan struct{}), done: make(chan struct{})}
	main := &fakeFrame{t: ft, id: "F1", doc: "D1", url: "https://shop.test/cart", nodes: nodes}
	ft.frames = []*fakeFrame{main}
	r := &rig{tab: ft, main: main, person: &person{answers: []Answer{{Allow: true, By: "panel"}}}, diary: &diary{}}
	r.b = &fakeBrowser{tabs: map[browser.TabID]*fakeTab{"T1": ft}, events: make(chan browser.TabEvent, 8)}
	s, err := NewSession(Options{
		backend: r.b, Tab: "T1", Confirmer: r.person, Watcher: r.diary, Lang: lang,
		Policy: safety.Context{Sites: []string{"shop.test"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Session = s
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *rig) do(name, params string) Result {
	return r.Do(context.Background(), Call{Name: name, Params: json.RawMessage(params)})
}

func wantCode(t *testing.T, res Result, code Code) {
	t.Helper()
	switch {
	case code == "" && res.Err != nil:
		t.Fatalf("%s: %v", res.Action, res.Err)
	case code != "" && (res.Err == nil || !errors.Is(res.Err, &Error{Code: code})):
		t.Fatalf("%s: error %v, want %s", res.Action, res.Err, code)
	case code != "" && (res.Err.Hint == "" || !strings.HasPrefix(res.Text, "ERROR "+string(code))):
		t.Errorf("%s: hint %q, text %q", res.Action, res.Err.Hint, res.Text)
	}
	if res.Line == "" {
		t.Errorf("%s has no line", res.Action)
	}
}
