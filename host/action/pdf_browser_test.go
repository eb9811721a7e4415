package action

import (
	"context"
	_ "image/jpeg"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/host/native"
	"tabwright/safety"
)

// TestRealClickInPDF: what is meant for a PDF in the browser's viewer, which takes
// nothing, is not sent, and is told as what it is.
func TestRealClickInPDF(t *testing.T) {
	startChromium(t)
	f := newFair(t)
	l := &live{t: t, person: &person{answers: []Answer{{Allow: true, By: "panel"}}}, diary: &diary{}}
	hosts := []string{"a.test"}
	l.begin(chromium.d, Options{TaskDir: t.TempDir(), Policy: safety.Context{Sites: hosts, LocalHosts: hosts}}, "")
	l.ok("navigate", p{"url": f.at("a.test", "/doc.pdf")})
	for _, target := range []p{{"selector": "embed"}, {"x": 200, "y": 200}} {
		if res := l.fails(Unsupported, "click", target); res.Sent || !strings.Contains(res.Err.Message, "PDF") || !strings.Contains(res.Err.Hint, "screenshot") {
			t.Errorf("%v: sent %v, %s; %s", target, res.Sent, res.Err.Message, res.Err.Hint)
		}
	}
	l.fails(Unsupported, "pressKey", p{"key": "PageDown"})
	l.ok("scroll", p{"direction": "down"})
	// Around one that a page shows, its own elements are as ever.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	shown := func() bool {
		fs, err := l.tab.Frames(ctx)
		return err == nil && slices.ContainsFunc(fs, func(f *browser.Frame) bool { return strings.HasPrefix(f.URL(), "chrome-extension://") })
	}
	for _, path := range []string{"/around", "/embeds"} {
		l.ok("navigate", p{"url": f.at("a.test", path)})
		for !shown() {
			if !native.Sleep(ctx, pollTime) {
				t.Fatal("the viewer does not come")
			}
		}
		res := l.ok("click", p{"selector": `button:has-text("Go")`})
		if !strings.Contains(res.Effect, "Went") {
			t.Error(res.Text)
		}
		l.ok("click", p{"selector": "body"})
		l.ok("pressKey", p{"key": "PageDown"})
	}
	l.fails(Unsupported, "click", p{"selector": "embed"})
	cards := len(l.person.cards)
	l.fails(Unsupported, "dragDrop", p{"from": p{"selector": "#pay"}, "to": p{"selector": "embed"}})
	l.fails(Unsupported, "type", p{"selector": "embed", "text": "4111 1111 1111 1111"})
	if n := len(l.person.cards); n != cards {
		t.Errorf("the user was asked %d times about what can't be done", n-cards)
	}
	// A frame that may not show the viewer is none.
	l.ok("navigate", p{"url": f.at("a.test", "/noviewer")})
	l.ok("click", p{"selector": "body"})
}

// TestRealPDFText: a PDF tab says so in every reader, and its text is read, with the
// browser's session, by pages, words and pieces.
func TestRealPDFText(t *testing.T) {
	startChromium(t)
	f := newFair(t)
	l := &live{t: t, diary: &diary{}}
	hosts := []string{"a.test"}
	l.begin(chromium.d, Options{TaskDir: t.TempDir(), Policy: safety.Context{Sites: hosts, LocalHosts: hosts}}, "")
	for path, at := range map[string]*atomic.Pointer[[]byte]{"/blank": &f.scanned, "/invoice": &f.invoice} { // the latter sets the cookie that its PDF wants
		l.ok("navigate", p{"url": f.at("a.test", path)})
		printed, err := l.tab.PDF(t.Context(), browser.PDFOptions{})
		if err != nil {
			t.Fatal(err)
		}
		at.Store(&printed)
	}
	l.ok("navigate", p{"url": f.at("a.test", "/invoice.pdf")})

	for _, text := range []string{
		l.ok("getElements", p{}).Text, l.ok("snapshot", p{}).Text, l.observe().Text,
	} {
		if !strings.Contains(text, "PDF document") || !strings.Contains(text, "extractContent page=1") {
			t.Errorf("it does not say that this is a PDF: %s", text)
		}
	}
	if text := l.ok("getText", p{}).Text; !strings.Contains(text, "Invoice for May") || !strings.Contains(text, "Carried over") {
		t.Error(text)
	}
	whole := l.ok("extractContent", p{})
	for _, want := range []string{"2 pages", "## Page 1", "Blue mug 2 12.50", "## Page 2", "Carried over"} {
		if !strings.Contains(whole.Text, want) {
			t.Errorf("%q is missing in %s", want, whole.Text)
		}
	}
	if text := l.ok("extractContent", p{"page": 2}).Text; !strings.Contains(text, "Carried over") || strings.Contains(text, "Blue mug") {
		t.Error(text)
	}
	if text := l.ok("extractContent", p{"query": "mug"}).Text; !strings.Contains(text, "Blue mug") || strings.Contains(text, "Carried over") {
		t.Error(text)
	}
	part := l.ok("extractContent", p{"maxChars": 40})
	d, ok := part.Data.(*ContentData)
	if !ok || d.NextCursor == "" {
		t.Fatalf("%+v", part.Data)
	}
	if text := l.ok("extractContent", p{"cursor": d.NextCursor}).Text; !strings.Contains(text, "Carried over") {
		t.Error(text)
	}
	l.fails(InvalidParams, "extractContent", p{"page": 9})
	if n := f.invoices.Load(); n > 2 {
		t.Errorf("it was fetched %d times", n)
	}
	l.ok("navigate", p{"url": f.at("a.test", "/scanned.pdf")})
	if text := l.ok("extractContent", p{}).Text; !strings.Contains(text, "no text to read") {
		t.Error(text)
	}
	l.ok("navigate", p{"url": f.at("a.test", "/invoice")})
	l.fails(InvalidParams, "extractContent", p{"page": 1})
	if text := l.ok("getElements", p{}).Text; strings.Contains(text, "PDF") {
		t.Error(text)
	}
}
