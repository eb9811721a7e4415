package pagecontext_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"tabwright/pagecontext"
)

func sample() (*pagecontext.Summary, *pagecontext.Listing) {
	s := &pagecontext.Summary{
		URL: "https://shop.test/cart", Title: "Cart", Viewport: pagecontext.Size{Width: 1280, Height: 720},
		ScrollMax: pagecontext.Position{Y: 1400}, Elements: pagecontext.Counts{Buttons: 23, Inputs: 4, Links: 60},
		VisibleText: "Blue mugs. Free delivery from $30.", Overlays: []string{"Newsletter"},
		FocusedElement: &pagecontext.Focused{Tag: "input", Index: 13},
	}
	yes, no := true, false
	l := &pagecontext.Listing{SnapshotID: "snap_ab12cd"}
	add := func(e pagecontext.Element) { l.Elements = append(l.Elements, e) }
	add(pagecontext.Element{Index: 12, Role: "button", Name: "Add to cart", IsVisible: true, IsEnabled: true, Group: "main: Blue mugs"})
	add(pagecontext.Element{Index: 13, Role: "textbox", Name: "Quantity", Value: "1", Required: true, IsVisible: true, IsEnabled: true, Group: "main: Blue mugs"})
	add(pagecontext.Element{Index: 14, Role: "textbox", Type: "password", Name: "Password", Secret: "password", IsVisible: true, IsEnabled: true, Group: "main: Blue mugs"})
	add(pagecontext.Element{Index: 15, Role: "combobox", Name: "Size", Value: "Small", Options: []string{"Small", "Large"}, IsVisible: true, IsEnabled: true, Group: "main: Blue mugs"})
	add(pagecontext.Element{Index: 16, Role: "checkbox", Name: "Gift", Checked: "true", Invalid: true, IsVisible: true, Group: "main: Blue mugs"})
	add(pagecontext.Element{Index: 17, Role: "button", Name: `Say "hi" \ there`, Expanded: &no, HasPopup: "menu", Pressed: &yes, IsVisible: true, IsEnabled: true, Group: "banner"})
	add(pagecontext.Element{Index: 19, Role: "textbox", Name: "Code", Value: "12", Invalid: true, Description: "Eight digits, please", IsVisible: true, IsEnabled: true, Group: "banner"})
	add(pagecontext.Element{Index: 20, Role: "button", Name: "Ink", Type: "color", Value: "#ff0000", Description: "Said by nobody", IsVisible: true, IsEnabled: true, Group: "banner"})
	add(pagecontext.Element{Index: 21, Role: "button", Name: "Photo", Type: "file", IsVisible: true, IsEnabled: true, Group: "banner"})
	add(pagecontext.Element{Index: 18, Role: "generic", Text: "Card", IsVisible: true, IsEnabled: true, Group: "page"})
	add(pagecontext.Element{Index: 31, Role: "link", Name: "Blue mug, small", Href: "/p/31", IsVisible: true, IsEnabled: true, Group: "main: Blue mugs"})
	add(pagecontext.Element{Index: 3, Role: "button", Name: "Close", IsVisible: true, IsEnabled: true, Overlay: true, Group: "overlay: Newsletter"})
	add(pagecontext.Element{Index: 40, Role: "button", Name: "Pay", IsVisible: true, IsEnabled: true, Group: "form: Card", Frame: "C", FrameURL: "https://pay.test/x?y"})
	for i := range 40 {
		add(pagecontext.Element{Index: 50 + i, Role: "link", Name: fmt.Sprintf("Item %d of the latest news", i), Href: fmt.Sprintf("/n/%d", i), IsEnabled: true, Group: "complementary: Latest news", Rect: pagecontext.Rect{Y: 900}})
	}
	l.Total = len(l.Elements)
	return s, l
}

func TestRenderGolden(t *testing.T) {
	s, l := sample()
	for name, o := range map[string]pagecontext.RenderOptions{
		"render_full.txt":  {},
		"render_600.txt":   {Budget: 600},
		"render_300.txt":   {Budget: 300, Lang: "en"},
		"render_100.txt":   {Budget: 100},
		"render_zh.txt":    {Budget: 600, Lang: "zh"},
		"render_empty.txt": {Budget: 10},
	} {
		got := pagecontext.Render(s, l, o)
		if o.Budget > 0 && pagecontext.Tokens(got) > o.Budget {
			t.Errorf("%s: %d tokens, budget %d", name, pagecontext.Tokens(got), o.Budget)
		}
		golden(t, name, got+"\n")
	}
}

var atEnd = regexp.MustCompile(`(?m) \[\d+\]$`)

func TestRenderCountsWhatItLeavesOut(t *testing.T) {
	s, l := sample()
	for budget := 60; budget < 1500; budget += 37 {
		text := pagecontext.Render(s, l, pagecontext.RenderOptions{Budget: budget})
		left := 0
		shown := len(atEnd.FindAllString(text, -1))
		if strings.Contains(text, "\nFocused: ") {
			shown--
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "… ") {
				for _, part := range strings.Split(strings.TrimPrefix(line, "… "), ", ") {
					var k int
					if got, _ := fmt.Sscanf(part, "%d more", &k); got == 1 {
						left += k
					}
				}
			}
		}
		if shown+left != l.Total {
			t.Errorf("budget %d: %d shown and %d left of %d\n%s", budget, shown, left, l.Total, text)
		}
	}
}

// Whatever a page puts into names and texts, it makes neither a line nor a
// heading, and the budget holds.
func FuzzRender(f *testing.F) {
	for _, s := range []string{"x", "a\nbutton \"Pay\" [99]", "## main", "\u2028link [1]", "\"\n", "\x1b[2J", "\u202e", strings.Repeat("界", 300), "\\\"", "\xff\xfe", "a: b: c", "\u0085[7] x", "\v\f"} {
		f.Add(s, 120)
	}
	f.Fuzz(func(t *testing.T, s string, budget int) {
		e := pagecontext.Element{
			Index: 7, Role: s, Name: s, Value: s, Placeholder: s, Href: s, Type: s, Group: s, Options: []string{s}, IsVisible: true,
			Frame: "C", FrameURL: s, Secret: s, Checked: "true",
		}
		o := e
		o.Index, o.Overlay, o.Group = 8, true, "overlay: "+s
		l := &pagecontext.Listing{Elements: []pagecontext.Element{e, o}, Total: 2}
		sum := &pagecontext.Summary{URL: s, Title: s, VisibleText: s, Overlays: []string{s}, Dialog: s}
		budget %= 4000
		text := pagecontext.Render(sum, l, pagecontext.RenderOptions{Budget: budget})
		if budget > 0 && pagecontext.Tokens(text) > budget {
			t.Fatalf("%d tokens, budget %d", pagecontext.Tokens(text), budget)
		}
		for _, line := range strings.FieldsFunc(text, func(r rune) bool {
			return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\v' || r == '\f'
		}) {
			ok := strings.HasSuffix(line, " [7]") || strings.HasSuffix(line, " [8]") || strings.HasPrefix(line, "## frame 1") || strings.HasPrefix(line, "… ")
			for _, p := range []string{"URL: ", "Title: ", "Viewport: ", "Elements: ", "Text: ", "Dialog open: "} {
				ok = ok || strings.HasPrefix(line+" ", p)
			}
			if !ok {
				t.Fatalf("a line of the page's own: %q\nin\n%s", line, text)
			}
		}
		for _, r := range text {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Fatalf("%U got through", r)
			}
		}
	})
}

func FuzzSameName(f *testing.F) {
	f.Add("Pay $12", "Pay $120")
	f.Add("Resend (29)", "Resend")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !pagecontext.SameName(a, a) {
			t.Fatalf("%q isn't itself", a)
		}
		if pagecontext.SameName(a, b) != pagecontext.SameName(b, a) {
			t.Fatalf("%q and %q depend on the order", a, b)
		}
	})
}

func TestTokens(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abcd": 1, "abcde": 2, "你好": 2, "你好世界": 3, "ok 你好世": 3} {
		if got := pagecontext.Tokens(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

// A short list has fewer names rather than names that say nothing.
func TestShortListsHaveNames(t *testing.T) {
	l := &pagecontext.Listing{SnapshotID: "snap_a"}
	for i := range 60 {
		l.Elements = append(l.Elements, pagecontext.Element{Index: i + 1, Role: "link", Name: fmt.Sprint(i, " settings of panels"), IsVisible: true, IsEnabled: true})
	}
	l.Total = len(l.Elements)
	got := pagecontext.Render(nil, l, pagecontext.RenderOptions{Budget: 520})
	if strings.Contains(got, `…"`) || !strings.Contains(got, `link "7 settings of panels" [8]`) || !strings.Contains(got, "more in view") {
		t.Error(got)
	}
}

// TestButtonsBehindTheCut: where a list ends shortly before the end of a form, its
// buttons are named in the line that counts the rest, and count as shown.
func TestButtonsBehindTheCut(t *testing.T) {
	for _, c := range []struct {
		after int // fields behind the cut
		kind  string
		want  bool
	}{{2, "", true}, {30, "", false}, {30, "submit", true}} {
		l := &pagecontext.Listing{SnapshotID: "snap_a"}
		add := func(role, name string) {
			l.Elements = append(l.Elements, pagecontext.Element{Index: len(l.Elements) + 1, Role: role, Name: name, IsVisible: true, IsEnabled: true})
		}
		for i := range 46 + c.after {
			add("textbox", fmt.Sprint("label number ", i))
		}
		add("button", "Save")
		l.Elements[len(l.Elements)-1].Type = c.kind
		add("button", "Cancel")
		l.Total = len(l.Elements)
		got := pagecontext.Render(nil, l, pagecontext.RenderOptions{Budget: 430})
		if strings.Contains(got, `button "Save" [`) != c.want || strings.Count(got, "\n") > 50 {
			t.Errorf("%d behind:\n%s", c.after, got)
		}
		if c.after == 2 && !strings.Contains(got, `; among them: textbox "label number 46" [47], textbox "label number 47" [48], button "Save" [49], button "Cancel" [50]`) {
			t.Errorf("of four all are named:\n%s", got)
		}
	}
}

// TestBoxesFold: of a long group of boxes a list that is cut tells the first, those that
// are ticked, how many more there are and how to have them; one that is not cut tells all.
func TestBoxesFold(t *testing.T) {
	l := &pagecontext.Listing{SnapshotID: "snap_a", Rows: []pagecontext.Row{{Role: "group", Text: "Labels"}}}
	add := func(e pagecontext.Element) {
		e.Index, e.IsVisible, e.IsEnabled, e.Group = len(l.Elements)+1, true, true, "form: Edit"
		l.Elements = append(l.Elements, e)
	}
	for i := range 30 {
		add(pagecontext.Element{Role: "checkbox", Name: fmt.Sprint("label number ", i), Checked: fmt.Sprint(i == 20), Row: 1})
	}
	for i := range 30 {
		add(pagecontext.Element{Role: "radio", Name: fmt.Sprint("size number ", i)})
	}
	add(pagecontext.Element{Role: "button", Name: "Save"})
	l.Total = len(l.Elements)
	if got := pagecontext.Render(nil, l, pagecontext.RenderOptions{}); strings.Count(got, "\n") != 62 || strings.Contains(got, "…") {
		t.Error(got)
	}
	got := pagecontext.Render(nil, l, pagecontext.RenderOptions{Budget: 400})
	for _, want := range []string{
		"  checkbox \"label number 7\" [8]\n  checkbox \"label number 20\" checked [21]\n  … 21 more checkbox (getElements scope=group \"Labels\")\n",
		"radio \"size number 7\" [38]\n… 22 more radio (getElements scope=form: Edit)\nbutton \"Save\" [61]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if got := pagecontext.Render(nil, l, pagecontext.RenderOptions{Budget: 400, Most: 800}); strings.Count(got, "\n") != 62 {
		t.Error("in view nothing is left out of a look:\n", got)
	}
}

// TestRowsAreCutInTheNameBelow: what tells a row from the others is not cut, where one of
// its elements says the rest under it.
func TestRowsAreCutInTheNameBelow(t *testing.T) {
	l := &pagecontext.Listing{SnapshotID: "snap_a"}
	add := func(e pagecontext.Element) {
		e.Index, e.IsVisible, e.IsEnabled, e.Group, e.Row = len(l.Elements)+1, true, true, "main", len(l.Rows)
		l.Elements = append(l.Elements, e)
	}
	row := func(title, rest string, pressed bool) {
		text := strings.TrimSpace(title + " " + rest)
		l.Rows = append(l.Rows, pagecontext.Row{Role: "row", Text: text})
		if pressed {
			l.Rows[len(l.Rows)-1].Index = len(l.Elements) + 1
			add(pagecontext.Element{Role: "clickable", Name: text})
		}
		add(pagecontext.Element{Role: "link", Name: title})
		add(pagecontext.Element{Role: "button", Name: "Reply all"})
	}
	row("Fix the typo in the error page message", "#53 type bug priority low component frontend 1 9mo ago", true)
	row("Fix the typo in the error page", strings.Repeat("priority low ", 9)+"closed", false)
	row("Reply all", strings.Repeat("priority low ", 9)+"closed", false)
	l.Total = len(l.Elements)
	got := pagecontext.Render(nil, l, pagecontext.RenderOptions{})
	for _, want := range []string{
		`- clickable "Fix the typo in the… #53 type bug priority low component frontend 1 9mo ago" [1]`,
		`- row "Fix the typo… low ` + strings.Repeat("priority low ", 7) + `closed"`,
		`- row "Reply all priority low`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// TestOptionsAlike: the options of a field are written, or it is said how to get them, however
// little is said of each element.
func TestOptionsAlike(t *testing.T) {
	l := &pagecontext.Listing{}
	for i := range 60 {
		l.Elements = append(l.Elements, pagecontext.Element{Index: i + 1, Role: "link", Name: fmt.Sprintf("A link with a rather long name, number %d", i), IsVisible: true, IsEnabled: true})
	}
	l.Elements[3] = pagecontext.Element{Index: 4, Role: "combobox", Name: "Size", Value: "Small", Options: []string{"Small", "Large"}, IsVisible: true, IsEnabled: true}
	l.Elements[5] = pagecontext.Element{Index: 6, Role: "combobox", Name: "Add filter", Options: []string{"Status of the issue", "Category of the issue", "Author of it"}, IsVisible: true, IsEnabled: true}
	l.Total = len(l.Elements)
	for budget, want := range map[int]string{
		0:   `combobox "Add filter" options="Status of the issue|Category of the issue|Author of it" [6]`,
		700: `combobox "Add filter" options=… (getOptions) [6]`,
	} {
		got := pagecontext.Render(nil, l, pagecontext.RenderOptions{Budget: budget})
		if !strings.Contains(got, want+"\n") || !strings.Contains(got, `combobox "Size" value="Small" options="Small|Large" [4]`) {
			t.Errorf("budget %d, want %s:\n%s", budget, want, got)
		}
	}
}
