package pagecontext_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"tabwright/e2e/publicpages"
	"tabwright/e2e/standin"
	"tabwright/extension/bundle"
	"tabwright/pagecontext"
	"tabwright/pagecontext/corpus"
)

// TestCorpus holds the list against two truths on every page of the corpus:
// Chromium's own accessibility tree, and the marks the pages were made with
// (what only behaves as a control, what nobody can see). Each miss is logged
// with page, element, theirs and ours.
func TestCorpus(t *testing.T) {
	server := httptest.NewServer(corpus.Handler())
	defer server.Close()
	tb := newTab(t)
	sum := &score{t: t}
	only := os.Getenv("CORPUS_PAGE")
	for _, p := range corpus.Pages() {
		if only != "" && !strings.HasPrefix(p.Name, only) {
			continue
		}
		sum.take(tb, server.URL, p)
	}
	sum.judge(only != "")
}

// publicPages are pages that others made: forms, tables, a blog, a calendar, files, mail.
var publicPages = []string{
	"admin-lte-3.2.0/pages/forms/general.html", "admin-lte-3.2.0/pages/tables/data.html",
	"gentelella-4.2.0/dist/production/calendar.html", "gentelella-4.2.0/dist/production/file_manager.html",
	"gentelella-4.2.0/dist/production/inbox.html", "material-dashboard-3.1.0/pages/dashboard.html",
	"startbootstrap-agency-7.0.12/dist/index.html", "startbootstrap-clean-blog-6.0.9/dist/index.html",
	"startbootstrap-sb-admin-2-4.1.4/tables.html",
}

// TestPublicPages does the same with pages that others made, as they run, from npm,
// as far as Chromium's tree tells: which of their other elements are controls is not
// known. Chromium takes names as they are painted, ours are as they are written
// (accname_test.go): those that differ in capitals alone are counted as equal.
func TestPublicPages(t *testing.T) {
	cache := filepath.Join(filepath.Dir(bundle.Root()), ".cache", "pages")
	paths, err := publicpages.Fetch(t.Context(), cache, func(path string) bool { return slices.Contains(publicPages, path) })
	if errors.Is(err, publicpages.ErrNoPackages) {
		t.Skipf("NOT TESTED: %v", err)
	}
	if err != nil || len(paths) != len(publicPages) {
		t.Fatalf("%d pages, %v", len(paths), err)
	}
	files := http.FileServer(http.Dir(cache))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// They load nothing from elsewhere.
		w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:")
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	tb := newTab(t)
	sum := &score{t: t, asWritten: true}
	for _, path := range paths {
		sum.take(tb, server.URL, corpus.Page{Name: path})
	}
	sum.behaves, sum.heard, sum.known, sum.precision = tally{}, tally{}, tally{}, tally{}
	if sum.recall.all < 250 {
		t.Errorf("only %s were there to be found", sum.recall)
	}
	sum.judge(true)
}

func (tb *tab) show(url string) {
	tb.t.Helper()
	loaded := tb.b.expect(tb.session, "Page.loadEventFired", nil)
	tb.must(tb.cdp("Page.navigate", map[string]any{"url": url}, nil))
	tb.wait(loaded, "load")
	tb.rev++
}

// tally counts what was right of what was asked.
type tally struct{ right, all int }

func (c *tally) note(ok bool) {
	c.all++
	if ok {
		c.right++
	}
}

func (c tally) share() float64 { return float64(c.right) / float64(max(c.all, 1)) }
func (c tally) String() string { return fmt.Sprintf("%.4f (%d of %d)", c.share(), c.right, c.all) }

type score struct {
	t                                                      *testing.T
	recall, names, roles, behaves, precision, heard, known tally
	tokens, nodes                                          []int
	asWritten                                              bool // capitals that a style sheet makes, and words that draw icons, don't count
}

// ligature is the word by which an icon font draws a picture: no part of our names.
var ligature = regexp.MustCompile(`^[a-z0-9]+(?:_[a-z0-9]+)* `)

func (s *score) miss(page, what string, n *node, theirs, ours string) {
	s.t.Logf("%-16s %-9s %s | theirs %s | ours %s", page, what, n.Html, theirs, ours)
}

// take holds a page against the truth, at its beginning and further down.
func (s *score) take(tb *tab, site string, p corpus.Page) {
	s.t.Helper()
	tb.show(site + "/" + p.Name)
	truth := readTruth(tb)
	s.nodes = append(s.nodes, len(truth.nodes))
	s.budget(tb, p)
	for _, y := range []int{0, 900} {
		if y > 0 && tb.js(fmt.Sprintf("scrollTo(0,%d),scrollY", y)).(float64) < 100 {
			break
		}
		s.compare(tb, p.Name, truth)
	}
}

// compare holds one look at the page against what is in view now.
func (s *score) compare(tb *tab, page string, tr *truth) {
	s.t.Helper()
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(s.t.Context(), pagecontext.Query{})
	tb.must(err)
	inView, touched := map[string]bool{}, map[string]bool{}
	ours := map[string]*pagecontext.Element{}
	frames := tb.allFrames()
	for _, f := range frames {
		var list [][2]int
		tb.must(f.eval(seen, &list))
		for _, i := range list {
			key := fmt.Sprintf("%s:%d", f.id, i[0])
			inView[key], touched[key] = i[1] == 1, true
		}
	}
	for key, e := range s.match(tb, p, l, frames) {
		ours[key] = e
	}
	s.readBack(page, l)
	for _, n := range tr.order {
		e := ours[n.key]
		if inView[n.key] && n.forbidden() == nil {
			s.wanted(page, n, e, tr, ours)
		}
		if no := n.forbidden(); no != nil && *no == "shows on hover" && n.Tag == "button" {
			s.behaves.note(e != nil)
			if e == nil {
				s.miss(page, "hover", n, "a button that shows on hover", "nothing")
			}
		}
		if e != nil && (e.IsVisible || n.forbidden() != nil) {
			s.allowed(page, n, e, touched[n.key])
		}
	}
}

// match gives our elements by the keys of the truth.
func (s *score) match(tb *tab, p *pagecontext.Page, l *pagecontext.Listing, frames []*testFrame) map[string]*pagecontext.Element {
	s.t.Helper()
	ids, at := map[string][]int{}, map[string][]*pagecontext.Element{}
	tb.keepFrames(func() {
		for i := range l.Elements {
			e, err := p.LookupIndex(s.t.Context(), l.Elements[i].Index)
			tb.must(err)
			ids[e.FrameID] = append(ids[e.FrameID], e.LocalID)
			at[e.FrameID] = append(at[e.FrameID], &l.Elements[i])
		}
	})
	out := map[string]*pagecontext.Element{}
	for _, f := range frames {
		if len(ids[f.id]) == 0 {
			continue
		}
		b, err := json.Marshal(ids[f.id])
		tb.must(err)
		var ns []int
		tb.must(f.eval(fmt.Sprintf("%s.map((id) => testOf.get(__tabwright.node({id})) ?? -1)", b), &ns))
		for i, n := range ns {
			out[fmt.Sprintf("%s:%d", f.id, n)] = at[f.id][i]
		}
	}
	return out
}

func (s *score) wanted(page string, n *node, e *pagecontext.Element, tr *truth, ours map[string]*pagecontext.Element) {
	said := "nothing"
	if e != nil {
		said = pagecontext.Line(*e)
	}
	if n.operable() {
		theirs := fmt.Sprintf("%s %q", n.ax.Role.Value, n.ax.Name.Value)
		ok := e != nil && e.IsVisible
		s.recall.note(ok || stoodFor(n, tr, ours))
		switch {
		case ok:
			name := pagecontext.Flatten(n.ax.Name.Value)
			same := sameAsTheirs(e, n.ax.Name.Value) || s.asWritten && (strings.EqualFold(e.Name, name) || strings.EqualFold(e.Name, ligature.ReplaceAllString(name, "")))
			s.names.note(same)
			if !same {
				s.miss(page, "name", n, theirs, fmt.Sprintf("%s (%q)", said, e.Name))
			}
			s.roles.note(e.Role == ourRole(n.ax.Role.Value))
			if e.Role != ourRole(n.ax.Role.Value) {
				s.miss(page, "role", n, theirs, said)
			}
		case !stoodFor(n, tr, ours):
			s.miss(page, "recall", n, theirs, said)
		}
	}
	if n.Op != nil {
		ok := e != nil && e.IsVisible && (*n.Op == "" || e.Role == *n.Op)
		s.behaves.note(ok)
		if !ok {
			s.miss(page, "behaves", n, "operable "+*n.Op, said)
		}
	}
	if n.Name != nil && e != nil {
		ok := strings.Contains(strings.ToLower(pagecontext.Line(*e)), *n.Name) || *n.Name == "(" && e.Hint != "" // any hint
		s.known.note(ok)
		if !ok {
			s.miss(page, "unnamed", n, *n.Name, said)
		}
	}
	if n.heard && n.Tag != "body" && n.Tag != "html" {
		ok := listedNear(n, tr, ours)
		s.heard.note(ok)
		if !ok {
			s.miss(page, "listener", n, "it hears presses", said)
		}
	}
}

// stoodFor: one control in another, of the same name, is one target to a
// user (<li role=menuitem><a>): the list has it once.
func stoodFor(n *node, tr *truth, ours map[string]*pagecontext.Element) bool {
	same := func(o *node) bool {
		e := ours[o.key]
		return e != nil && e.IsVisible && o.ax != nil && o.ax.Name.Value == n.ax.Name.Value
	}
	for o := n.up; o != nil; o = o.up {
		if same(o) {
			return true
		}
	}
	for key := range ours {
		if o := tr.nodes[key]; o != nil && same(o) {
			for up := o.up; up != nil; up = up.up {
				if up == n {
					return true
				}
			}
		}
	}
	return false
}

// sameAsTheirs compares names as they can be read. Where Chromium has none for
// a reader, since what is painted is hidden from readers or is a glyph of an
// icon font, ours may be what is painted or the title.
func sameAsTheirs(e *pagecontext.Element, theirs string) bool {
	want := pagecontext.Flatten(theirs)
	field := e.Tag == "input" || e.Tag == "select" || e.Tag == "textarea"
	switch {
	case field && e.Name != want && (want == e.Placeholder || !strings.ContainsFunc(want, unicode.IsLetter)):
		return strings.ContainsFunc(e.Name, unicode.IsLetter)
	case want != "":
		begun, end, _ := strings.Cut(e.Name, "…")
		return e.Name == want || len([]rune(want)) > 150 && strings.HasPrefix(want, begun) && strings.HasSuffix(want, end)
	case theirs != "":
		return true
	}
	return e.Name == "" || e.Name == e.Text
}

// listedNear: itself, something in it, or something it is part of.
func listedNear(n *node, tr *truth, ours map[string]*pagecontext.Element) bool {
	for e := n; e != nil; e = e.up {
		if ours[e.key] != nil {
			return true
		}
	}
	for key := range ours {
		for e := tr.nodes[key]; e != nil; e = e.up {
			if e == n {
				return true
			}
		}
	}
	return false
}

// worked are controls that may be seen elsewhere than where they stand: in
// their label, their picture, or in what they hold.
func (n *node) worked() bool {
	return n.Tag == "input" || n.Tag == "select" || n.Tag == "area" || n.Tag == "a" || n.Tag == "button"
}

func (s *score) allowed(page string, n *node, e *pagecontext.Element, inView bool) {
	why := ""
	switch no := n.forbidden(); {
	case no != nil && *no == "shows on hover":
		if !e.OnHover {
			why = "it shows only on hover"
		}
	case no != nil:
		why = "nobody sees it: " + *no
	case n.Op == nil && !n.operable():
		why = "it is no control"
	case !inView && !n.worked():
		why = "it is not in view"
	}
	s.precision.note(why == "")
	if why != "" {
		s.miss(page, "precision", n, why, pagecontext.Line(*e))
	}
}

// budget looks at the page as a model gets it first.
func (s *score) budget(tb *tab, page corpus.Page) {
	s.t.Helper()
	p := pagecontext.New(tb, 0)
	lang := "en"
	if page.Lang == "zh" {
		lang = "zh"
	}
	began := time.Now()
	sum, l, err := p.Look(s.t.Context(), firstBudget)
	tb.must(err)
	text := p.Render(sum, l, pagecontext.RenderOptions{Budget: firstBudget, Most: 2 * firstBudget, Lang: lang})
	n := pagecontext.Tokens(text)
	s.tokens = append(s.tokens, n)
	s.reach(tb, p, page.Name, text, l)
	if dir := os.Getenv("CORPUS_OUT"); dir != "" {
		tb.must(os.WriteFile(dir+"/"+page.Name+".txt", []byte(fmt.Sprintf("%d tokens, %v\n%s\n", n, time.Since(began), text)), 0o644))
	}
}

const firstBudget = 2000

// reach follows what the first look left out: the cursor comes to the end of
// everything, and something is said of what is left. All that is in view is shown.
func (s *score) reach(tb *tab, p *pagecontext.Page, name, text string, first *pagecontext.Listing) {
	s.t.Helper()
	seen, cursor := 0, ""
	for {
		l, err := p.Elements(s.t.Context(), pagecontext.Query{Limit: 400, Cursor: cursor})
		tb.must(err)
		seen += len(l.Elements)
		if cursor = l.NextCursor; cursor == "" {
			break
		}
	}
	if seen != first.Total {
		s.t.Errorf("%s: the first look knows of %d elements, the cursor reaches %d", name, first.Total, seen)
	}
	lines := standin.ParseObservation(text).Lines
	if len(lines) < seen && !strings.Contains(text, "\n… ") && !strings.Contains(text, onceSaid) {
		s.t.Errorf("%s: %d of %d elements are shown and nothing is said of the rest", name, len(lines), seen)
	}
	for _, e := range first.Elements {
		if e.IsVisible && !e.Covered && !saidOnce(&e, text) && !slices.ContainsFunc(lines, func(l standin.Line) bool { return l.Index == e.Index }) {
			s.t.Errorf("%s: %s is in view and not shown", name, pagecontext.Line(e))
		}
	}
}

// onceSaid begins the line that says what all rows of a list show on hover.
const onceSaid = "\neach row has, on hover: "

// saidOnce tells whether an element, which nobody sees yet, is said for all rows at once.
func saidOnce(e *pagecontext.Element, text string) bool {
	for _, line := range strings.Split(text, onceSaid)[1:] {
		line, _, _ = strings.Cut(line, "\n")
		if e.OnHover && strings.Contains(line, strconv.Quote(e.Name)) {
			return true
		}
	}
	return false
}

func (s *score) judge(part bool) {
	s.t.Helper()
	for _, x := range []struct {
		what  string
		got   tally
		least float64
	}{
		{"recall of what Chromium's tree can operate, in view", s.recall, .99},
		{"names equal to Chromium's", s.names, .98},
		{"roles equal to Chromium's", s.roles, .98},
		{"recall of what only behaves as a control", s.behaves, .99},
		{"recall of what has listeners for presses", s.heard, .99},
		{"controls without a name of which something is said", s.known, .98},
		{"precision", s.precision, .98},
	} {
		s.t.Logf("%s: %s", x.what, x.got)
		if part && x.got.all == 0 {
			continue // a single page need not have everything
		}
		if x.got.share() < x.least {
			s.t.Errorf("%s: %s, want at least %.2f", x.what, x.got, x.least)
		}
	}
	sort.Ints(s.tokens)
	sort.Ints(s.nodes)
	k := len(s.tokens)
	if most := s.tokens[k*95/100]; most > firstBudget {
		s.t.Errorf("the first look takes %d tokens at the 95th percentile", most)
	}
	s.t.Logf("%d pages of %d to %d elements (median %d); the first look takes %d tokens (median), %d (95th percentile), %d at most",
		k, s.nodes[0], s.nodes[k-1], s.nodes[k/2], s.tokens[k/2], s.tokens[k*95/100], s.tokens[k-1])
}
