package grounding

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"tabwright/extension/bundle"
	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/pagecontext"
)

//go:embed structure.js
var structure string

// listBudget is how many tokens the product's first list may take.
const listBudget = 2000

// Node is a part of a page, a heading, a row, an element or a run of text.
type Node struct {
	T       string `json:"t"` // part, heading, row, element, text
	Role    string `json:"role"`
	Name    string `json:"name"`
	Index   int    `json:"index"`
	Unread  bool   `json:"unread"`
	Current bool   `json:"current"` // as a class says
	Kids    []Node `json:"kids"`
}

// Capture is all that was read of a page, for any form of the list.
type Capture struct {
	Page     string                      `json:"page"`
	URL      string                      `json:"url"`
	Title    string                      `json:"title"`
	Elements map[int]pagecontext.Element `json:"elements"`
	Order    []int                       `json:"order"`
	Tree     []Node                      `json:"tree"`
	// List is the product's first look as it is sent; Snapshot and Interactive its
	// trees of roles.
	List        string `json:"list"`
	Snapshot    string `json:"snapshot"`
	Interactive string `json:"interactive"`
	// Truth are the right indices of each question, by its ID.
	Truth map[string][]int `json:"truth"`
}

// Browser reads pages in a headless Chromium.
type Browser struct {
	launched *launch.Browser
	driver   *direct.Driver
	tab      *browser.Tab
}

// OpenBrowser starts one; Close ends it.
func OpenBrowser(ctx context.Context) (_ *Browser, err error) {
	script, err := bundle.Extractor(bundle.Root())
	if err != nil {
		return nil, err
	}
	b := &Browser{}
	defer func() {
		if err != nil {
			b.Close()
		}
	}()
	if b.launched, err = launch.Start(ctx, launch.Options{Headless: true, Args: []string{"--window-size=1280,720"}}); err != nil {
		return nil, err
	}
	if b.driver, err = direct.Connect(ctx, b.launched.URL(), direct.Options{Extractor: script}); err != nil {
		return nil, err
	}
	info, err := b.driver.Open(ctx, "about:blank", true, "")
	if err != nil {
		return nil, err
	}
	b.tab, err = b.driver.Attach(ctx, info.ID)
	return b, err
}

// Close ends the browser.
func (b *Browser) Close() {
	if b.driver != nil {
		_ = b.driver.Close()
	}
	if b.launched != nil {
		_ = b.launched.Close()
	}
}

// source is a tab as pagecontext needs it.
type source struct{ *browser.Tab }

func (s source) Frames(ctx context.Context) ([]pagecontext.Frame, error) {
	fs, err := s.Tab.Frames(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]pagecontext.Frame, len(fs))
	for i, f := range fs {
		out[i] = f
	}
	return out, nil
}

// CaptureAll serves the pages and reads each; questions that take words from their
// page get them.
func (b *Browser) CaptureAll(ctx context.Context, pages []Page) ([]Capture, error) {
	mux := http.NewServeMux()
	for _, p := range pages {
		mux.HandleFunc("GET /"+p.Name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(p.HTML))
		})
	}
	site := httptest.NewServer(mux)
	defer site.Close()
	out := make([]Capture, 0, len(pages))
	for _, p := range pages {
		c, err := b.captureOne(ctx, site.URL, p)
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", p.Name, err)
		}
		out = append(out, *c)
	}
	return out, nil
}

func (b *Browser) captureOne(ctx context.Context, site string, p Page) (*Capture, error) {
	url := site + "/" + p.Name
	if p.open != nil {
		at, stop, err := p.open()
		if err != nil {
			return nil, err
		}
		defer stop()
		url = at
	}
	return b.Capture(ctx, url, p)
}

// Capture opens an address and reads what a form of the list may need.
func (b *Browser) Capture(ctx context.Context, url string, p Page) (*Capture, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := b.tab.Navigate(ctx, url); err != nil {
		return nil, err
	}
	b.tab.AwaitPage(ctx, 10*time.Second)
	if p.open != nil {
		if err := b.awaitTruth(ctx, p.Questions); err != nil {
			return nil, err
		}
	}
	// The marks are put aside, so that nothing under test sees them.
	if err := b.eval(ctx, fmt.Sprintf(`(() => { window.truths = [...document.querySelectorAll("[%[1]s]")].map((e) => [e, e.getAttribute(%[1]q)]);
for (const [e] of window.truths) e.removeAttribute(%[1]q); })()`, mark), nil); err != nil {
		return nil, err
	}
	c := &Capture{Page: p.Name, URL: strings.Replace(url, hostOf(url), "site.test", 1), Elements: map[int]pagecontext.Element{}, Truth: map[string][]int{}}
	page := pagecontext.New(source{b.tab}, 0)
	sum, list, err := page.Look(ctx, listBudget)
	if err != nil {
		return nil, err
	}
	sum.URL, c.Title = c.URL, sum.Title
	c.List = page.Render(sum, list, pagecontext.RenderOptions{Budget: listBudget, Lang: p.Lang})
	all, err := page.Elements(ctx, pagecontext.Query{})
	if err != nil {
		return nil, err
	}
	for _, e := range all.Elements {
		c.Elements[e.Index] = e
		c.Order = append(c.Order, e.Index)
	}
	for _, o := range []struct {
		to          *string
		interactive bool
	}{{&c.Snapshot, false}, {&c.Interactive, true}} {
		s, err := page.Snapshot(ctx, pagecontext.SnapshotOptions{Interactive: o.interactive})
		if err != nil {
			return nil, err
		}
		*o.to = s.Tree
	}
	return c, b.place(ctx, page, p, c)
}

// awaitTruth waits until a page that draws itself has drawn what is asked about,
// but no longer than five seconds: what is missing then shows as a question without
// an answer.
func (b *Browser) awaitTruth(ctx context.Context, qs []Question) error {
	var paths []string
	for _, q := range qs {
		paths = append(paths, q.Truth...)
	}
	wanted, err := json.Marshal(paths)
	if err != nil {
		return err
	}
	return b.eval(ctx, fmt.Sprintf(`new Promise((done) => {
const end = Date.now() + 5000;
const look = () => %s.every((path) => document.evaluate(path, document, null, XPathResult.BOOLEAN_TYPE, null).booleanValue) || Date.now() > end ? done(true) : setTimeout(look, 20);
look();
})`, wanted), nil)
}

func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// place finds the position of each element and the right ones.
func (b *Browser) place(ctx context.Context, page *pagecontext.Page, p Page, c *Capture) error {
	details, err := page.Details(ctx, c.Order)
	if err != nil {
		return err
	}
	var paths [][2]any
	for _, d := range details {
		paths = append(paths, [2]any{d.Index, d.XPath})
	}
	arg, err := json.Marshal(paths)
	if err != nil {
		return err
	}
	if err := b.eval(ctx, "("+structure+")("+string(arg)+")", &c.Tree); err != nil {
		return err
	}
	truths, words := map[string][]string{}, map[string]string{}
	for _, q := range p.Questions {
		truths[q.ID] = q.Truth
		for _, path := range placeholders.FindAllString(q.Text, -1) {
			words[strings.Trim(path, "{}")] = ""
		}
	}
	questions, err := json.Marshal(truths)
	if err != nil {
		return err
	}
	wanted, err := json.Marshal(words)
	if err != nil {
		return err
	}
	var found struct {
		Truth map[string][]int
		Words map[string]string
	}
	err = b.eval(ctx, fmt.Sprintf(`(() => {
for (const [e, k] of window.truths) e.setAttribute(%q, k);
const one = (path) => document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
const listed = %s.map(([i, path]) => [i, one(path)]);
const is = (el, s) => /^[(/]/.test(s) ? one(s) === el : el.matches(s);
return {
  Truth: Object.fromEntries(Object.entries(%s).map(([id, all]) => [id, listed.filter(([, el]) => el && all.some((s) => is(el, s))).map(([i]) => i)])),
  Words: Object.fromEntries(Object.keys(%s).map((path) => [path, (one(path)?.textContent ?? "").replace(/\s+/g, " ").trim()])),
};
})()`, mark, arg, questions, wanted), &found)
	if err != nil {
		return err
	}
	c.Truth = found.Truth
	for id := range c.Truth {
		slices.Sort(c.Truth[id])
	}
	for i := range p.Questions {
		p.Questions[i].Text = fill(p.Questions[i].Text, found.Words)
	}
	return nil
}

func (b *Browser) eval(ctx context.Context, code string, into any) error {
	raw, err := b.tab.Evaluate(ctx, code)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(raw, into)
}
