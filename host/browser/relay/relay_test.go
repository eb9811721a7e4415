package relay

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"

	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		in   error
		want error
	}{
		{nil, nil},
		{&wire.Error{Code: wire.CodeClosed, Message: "gone"}, browser.ErrGone},
		{&wire.Error{Code: wire.CodeBrowser, Message: "Debugger is not attached to the tab with id: 3."}, browser.ErrDetached},
		{&wire.Error{Code: wire.CodeBrowser, Message: "Detached while handling command."}, browser.ErrDetached},
		{&wire.Error{Code: wire.CodeBrowser, Message: "No tab with id: 3."}, browser.ErrNoTab},
		{context.DeadlineExceeded, context.DeadlineExceeded},
	} {
		if got := browserError("m", c.in); !errors.Is(got, c.want) {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
	for text, want := range map[string]browser.CDPError{
		`{"code":-32000,"message":"Cannot find context with specified id"}`:    {Method: "m", Code: -32000, Message: "Cannot find context with specified id"},
		`{"code":-32602,"message":"Invalid parameters","data":"x: mandatory"}`: {Method: "m", Code: -32602, Message: "Invalid parameters (x: mandatory)"},
		`Cannot access a chrome:// URL`:                                        {Method: "m", Message: "Cannot access a chrome:// URL"},
	} {
		var ce *browser.CDPError
		if err := browserError("m", &wire.Error{Code: wire.CodeBrowser, Message: text}); !errors.As(err, &ce) || *ce != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

type hang struct{ asked chan struct{} }

func (h hang) Call(ctx context.Context, _ string, _, _ any) error {
	close(h.asked)
	<-ctx.Done()
	return ctx.Err()
}

// A caller that does not notice its own end must not keep ours waiting.
func TestGoneEndsCalls(t *testing.T) {
	h := hang{make(chan struct{})}
	d := New(h, Options{})
	events, cancel := d.Subscribe()
	defer cancel()
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		_, err := d.Tabs(ctx)
		ended <- err
	}()
	<-h.asked
	d.Gone(errors.New("lost"))
	d.Gone(nil) // twice is nothing
	if err := <-ended; !errors.Is(err, browser.ErrGone) {
		t.Errorf("a call under way: %v", err)
	}
	if e := <-events; e.Kind != browser.DriverGone || e.Reason != "lost" {
		t.Errorf("%+v", e)
	}
	if _, err := d.Tabs(ctx); !errors.Is(err, browser.ErrGone) {
		t.Errorf("while gone: %v", err)
	}
	for _, bad := range []browser.TabID{"", "x", "1x"} {
		if _, err := d.Attach(ctx, bad); !errors.Is(err, browser.ErrNoTab) {
			t.Errorf("tab %q: %v", bad, err)
		}
	}
}

type old struct{}

func (old) Call(context.Context, string, any, any) error {
	return &wire.Error{Code: wire.CodeUnknownMethod, Message: "The extension has no method cdp.batch."}
}

// An extension from before several commands went in one message has done nothing
// of them: they are sent one by one.
func TestAnOlderExtension(t *testing.T) {
	if err := New(old{}, Options{}).sendAllTo(1)(t.Context(), []browser.Command{{Method: "a"}, {Method: "b"}}); !errors.Is(err, browser.ErrOneByOne) {
		t.Error(err)
	}
}

// taken is a browser whose tab is attached already; what it answers to a command
// there says by whom.
type taken struct{ says error }

func (c taken) Call(_ context.Context, method string, _, _ any) error {
	if method == wire.MethodCDPAttach {
		return &wire.Error{Code: wire.CodeBrowser, Message: "Another debugger is already attached to the tab with id: 3."}
	}
	return c.says
}

// A browser that goes while it is asked who has attached a tab is gone: the tab
// is not another extension's.
func TestWhoHasAttached(t *testing.T) {
	for _, tc := range []struct {
		says error
		want string
	}{
		{&wire.Error{Code: wire.CodeBrowser, Message: "Debugger is not attached to the tab with id: 3."}, "already attached"},
		{&wire.Error{Code: wire.CodeClosed, Message: "the other side closed the connection"}, browser.ErrGone.Error()},
		{&wire.Error{Code: wire.CodeBrowser, Message: "No tab with id: 3."}, browser.ErrNoTab.Error()},
	} {
		if _, err := (transport{New(taken{tc.says}, Options{})}).Session(t.Context(), "3"); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("where a command says %v: %v, want %s", tc.says, err, tc.want)
		}
	}
}

// worlds is a session that notes what the worlds made in it are called.
type worlds struct{ names []string }

func (w *worlds) Call(_ context.Context, _ string, params, _ any) error {
	if p, ok := params.(page.CreateIsolatedWorldParams); ok {
		w.names = append(w.names, p.WorldName)
	}
	return errors.New("that is enough")
}

func (*worlds) Subscribe(string) (<-chan jsonv2.Value, func()) { return nil, func() {} }

// In a frame that the extension can't reach, the extractor of another Tabwright is
// not taken for ours, and a user's input is heard.
func TestFallbackWorldIsOurs(t *testing.T) {
	var w worlds
	for _, script := range []string{"older", "newer"} {
		tr := transport{New(old{}, Options{Extractor: script})}
		_, _ = tr.Fallback(t.Context(), &w, "F") // ends with the first call
		if name := w.names[len(w.names)-1]; name != browser.WorldName(script) || !slices.Contains(tr.WorldNames(), name) {
			t.Errorf("the world is called %s, and heard are %v", name, tr.WorldNames())
		}
	}
	if w.names[0] == w.names[1] {
		t.Errorf("two extractors have one world, %s", w.names[0])
	}
}
