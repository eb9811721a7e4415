package pagecontext

import (
	"fmt"
	"strings"
	"testing"
)

func el(i int, role, name string) Element {
	return Element{Index: i, Role: role, Name: name, IsVisible: true, IsEnabled: true, Group: "main: Inbox", Rect: Rect{Y: 10, Width: 50, Height: 20}}
}

func listOf(es ...Element) *Listing {
	return &Listing{Elements: es, Total: len(es), SnapshotID: "snap_ab12cd"}
}

func TestLineSaysStatesInOneOrder(t *testing.T) {
	yes, no := true, false
	for want, e := range map[string]Element{
		`button "Add to cart" [12]`:                        el(12, "button", "Add to cart"),
		`clickable "heart" [12]`:                           {Index: 12, Role: "generic", Hint: "heart", IsEnabled: true},
		`button "★" (Add star) [12]`:                       {Index: 12, Role: "button", Name: "★", Hint: "Add star", IsEnabled: true},
		`button "★" hint="[12] \"Pay\"" [13]`:              {Index: 13, Role: "button", Name: "★", Hint: `[12] "Pay"`, IsEnabled: true},
		`button "Star" (on hover) [12]`:                    {Index: 12, Role: "button", Name: "Star", OnHover: true, IsEnabled: true},
		`button "Remove" near="Apple" [12]`:                {Index: 12, Role: "button", Name: "Remove", Near: "Apple", IsEnabled: true},
		`textbox "Password" secret=password required [12]`: {Index: 12, Role: "textbox", Type: "password", Name: "Password", Secret: "password", Required: true, IsEnabled: true},
		`link → /mail/7 [12]`:                              {Index: 12, Role: "link", Href: "/mail/7", IsEnabled: true},
		`link "A" [12]`:                                    {Index: 12, Role: "link", Name: "A", Href: "javascript:void 0", IsEnabled: true},
		`textbox "Note" value="a \"b\"\n\\n c" [12]`:       {Index: 12, Role: "textbox", Name: "Note", Value: "a \"b\"\n\\n  c", IsEnabled: true},
		`menuitem "More" popup [12]`:                       {Index: 12, Role: "menuitem", Name: "More", HasPopup: "menu", IsEnabled: true},
		`button "More" collapsed [12]`:                     {Index: 12, Role: "button", Name: "More", HasPopup: "menu", Expanded: &no, IsEnabled: true},
		`checkbox "Some" checked=mixed [12]`:               {Index: 12, Role: "checkbox", Name: "Some", Checked: "mixed", IsEnabled: true},
		`slider "x" value="2" checked pressed selected expanded current disabled required invalid draggable aria-hidden → /cart [12]`: {
			Index: 12, Role: "slider", Name: "x", Value: "2", Checked: "true", Pressed: &yes, Selected: &yes, Expanded: &yes, Current: true,
			Required: true, Invalid: true, Draggable: true, AriaHidden: true, Href: "/cart",
		},
	} {
		if got := Line(e); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What stands in one row stands under one line that says which.
func TestRowsKeepTogether(t *testing.T) {
	in := func(e Element, row int, group string) Element {
		e.Row, e.Group = row, group
		return e
	}
	l := listOf(
		el(1, "button", "Refresh"),
		in(el(2, "checkbox", "Select"), 1, "main: Inbox"), in(el(3, "link", "Invoice for May"), 1, "main: Ida Lind"), in(el(4, "button", "Star"), 1, "main: Ida Lind"),
		in(el(5, "row", "Tom Becker Lunch? 9:40"), 2, "main: Tom Becker"), in(el(6, "button", "Star"), 2, "main: Tom Becker"),
		in(el(7, "link", "Blue mug"), 3, "main: Mugs"), in(el(8, "link", "Oak desk lamp"), 4, "main: Mugs"),
		in(el(9, "button", "Remove"), 5, "main: Mugs"), in(el(10, "option", "Red"), 6, "main: Mugs"),
		in(el(21, "link", "Terms"), 8, "contentinfo: About us"), in(el(22, "link", "Jobs"), 8, "contentinfo: About us"),
		in(el(23, "textbox", "Code"), 9, "main: Mugs"),
		in(el(11, "button", "Up"), 7, "main: Mugs"), in(el(12, "button", "Down"), 7, "main: Mugs"),
		el(13, "button", "Next"),
	)
	l.Elements[3].Near = "Invoice for May"
	l.Rows = []Row{
		{Role: "row", Text: "Ida Lind Invoice for May 10:32", States: []string{"unread", "attachment"}},
		{Role: "row", Text: "Tom Becker Lunch? 9:40", States: []string{"unread"}, Index: 5},
		{Role: "listitem", Text: "Blue mug"},
		{Role: "listitem", Text: "Oak desk lamp", States: []string{"selected"}, Index: 8},
		{Role: "article", Text: "Discover •••• 6221"},
		{Role: "option", Index: 10},
		{Role: "listitem"},
		{Role: "group", Text: "About us"},
		{Role: "group", Text: "Eight digits, please"},
	}
	l.Elements[12].Description = "Eight digits, please"
	l.Elements[12].Near, l.Elements[15].Near = "Mugs", "Inbox"
	const want = `## main: Inbox
button "Refresh" [1]
- row "Ida Lind Invoice for May 10:32" unread attachment
  checkbox "Select" [2]
  link "Invoice for May" [3]
  button "Star" [4]
- row "Tom Becker Lunch? 9:40" unread [5]
  button "Star" [6]
## main: Mugs
link "Blue mug" [7]
link "Oak desk lamp" selected [8]
- article "Discover •••• 6221"
  button "Remove" [9]
option "Red" [10]
## contentinfo: About us
link "Terms" [21]
link "Jobs" [22]
## main: Mugs
textbox "Code" desc="Eight digits, please" [23]
button "Up" [11]
button "Down" [12]
## main: Inbox
button "Next" [13]`
	if got := Render(nil, l, RenderOptions{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A grid of alike cells has a line a row, with the index of each.
func TestGridsAreWrittenByRows(t *testing.T) {
	l := listOf(el(1, "button", "Today"))
	for i := range 42 {
		e := el(10+i, "gridcell", fmt.Sprint(i+1))
		e.Rect = Rect{X: float64(i % 7 * 40), Y: float64(100 + i/7*30), Width: 40, Height: 30}
		e.Current, e.IsEnabled = i == 8, i != 9
		l.Elements = append(l.Elements, e)
	}
	l.Total = len(l.Elements)
	got := Render(nil, l, RenderOptions{})
	for _, want := range []string{
		"\n- row: gridcell \"1\" [10] \"2\" [11] \"3\" [12] \"4\" [13] \"5\" [14] \"6\" [15] \"7\" [16]\n",
		"\n- row: gridcell \"8\" [17] \"9\" current [18] \"10\" disabled [19] ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n != 7 {
		t.Errorf("%d line breaks in\n%s", n, got)
	}
	for i := range l.Elements[1:] {
		l.Elements[i+1].Row = 1 + i/7
		if i%7 == 0 {
			l.Rows = append(l.Rows, Row{Role: "row", Text: fmt.Sprintf("Week %d", 9+i/7)})
		}
	}
	if got := Render(nil, l, RenderOptions{}); !strings.Contains(got, "\n- row \"Week 10\": gridcell \"8\" [17]") {
		t.Errorf("no week in\n%s", got)
	}
	// As many that stand below each other are a list.
	for i := range l.Elements[1:] {
		e := &l.Elements[i+1]
		e.Rect, e.Row = Rect{Y: float64(100 + 30*i), Width: 200, Height: 30}, 0
	}
	if got := Render(nil, l, RenderOptions{}); strings.Count(got, "\n") != 43 {
		t.Errorf("a list is written as a grid:\n%s", got)
	}
}

// Nothing in view is left out: what is not in view goes first, then the names get shorter.
func TestWhatIsInViewComesFirst(t *testing.T) {
	l := &Listing{SnapshotID: "snap_ab12cd"}
	for i := range 120 {
		e := el(1+i, "link", fmt.Sprintf("%d %s", i, strings.Repeat("words of a long name ", 6)))
		e.Href = fmt.Sprintf("/news/%d", i)
		if e.IsVisible = i < 60; !e.IsVisible {
			e.Rect.Y = 900
		}
		l.Elements = append(l.Elements, e)
	}
	l.Total = len(l.Elements)
	for _, budget := range []int{900, 1500, 2500, 6000} {
		got := Render(nil, l, RenderOptions{Budget: budget})
		if n := Tokens(got); n > budget {
			t.Errorf("%d tokens, budget %d", n, budget)
		}
		for i := range 60 {
			if !strings.Contains(got, fmt.Sprintf(" [%d]\n", 1+i)) {
				t.Errorf("budget %d: [%d] is missing in\n%s", budget, 1+i, got)
				break
			}
		}
		if whole := strings.Contains(got, "[120]"); whole != (budget >= 2500) {
			t.Errorf("budget %d: all is %v in\n%s", budget, whole, got)
		}
	}
	// Less than that can't hold them, unless the text may take more.
	if got := Render(nil, l, RenderOptions{Budget: 300}); strings.Contains(got, "[60]\n") || !strings.Contains(got, "more in view") {
		t.Errorf("budget 300:\n%s", got)
	}
	if got := Render(nil, l, RenderOptions{Budget: 300, Most: 2000}); !strings.Contains(got, "[60]\n") || strings.Contains(got, "[61]") || !strings.Contains(got, "… 60 more below the fold (getElements cursor=snap_ab12cd:60") {
		t.Errorf("budget 300, at most 2000:\n%s", got)
	}
}

// A name is cut, but not to where it begins as another does.
func TestNamesAreToldApart(t *testing.T) {
	long := strings.Repeat("a phone of the newest kind ", 4)
	got := Render(nil, listOf(el(1, "link", long+"with 256 GB"), el(2, "link", long+"with 512 GB"), el(3, "link", "One more "+long)), RenderOptions{})
	for _, want := range []string{`with 256 GB" [1]`, `with 512 GB" [2]`, `…" [3]`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestAddressesAreLeftOutOfALongList(t *testing.T) {
	var es []Element
	for i := range 150 {
		e := el(i+1, "link", fmt.Sprintf("Article %d of the archive", i))
		e.Href = fmt.Sprintf("/archive/articles/%d", i)
		es = append(es, e)
	}
	es[1].Href, es[2].Name, es[2].Href = "https://wiki.test/Main", "More", "/a"
	es[3].Name, es[3].Href, es[4].Name = "More", "/b", ""
	got := Render(nil, listOf(es...), RenderOptions{})
	for _, want := range []string{
		"link \"Article 0 of the archive\" [1]\n", "link \"Article 1 of the archive\" → wiki.test [2]\n", "link \"More\" → /a [3]\nlink \"More\" → /b [4]\n",
		"link → /archive/articles/4 [5]\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestWithoutIndices(t *testing.T) {
	const text = "button \"Pay\" [12]\n- row: cell \"1\" [3] \"2\" [snap_ab12cd:e4]"
	if got := WithoutIndices(text); got != "button \"Pay\"\n- row: cell \"1\" \"2\"" {
		t.Error(got)
	}
}

// A part of the page is named by what the list prints over it.
func TestPartsAreNamedByTheirHeadings(t *testing.T) {
	for scope, want := range map[string]bool{
		"## main: Inbox": true, "main: Inbox": true, `overlay "News"`: true, "navigation": true, "frame 1 (pay.test) form: Card": true,
		"main": false, "nav": false, "form": false, "a:hover": false, "#main": false, "e12": false, "xpath=//main": false, "section > a": false,
	} {
		if got := IsPart(scope); got != want {
			t.Errorf("%s: %v", scope, got)
		}
	}
	s := &snapshot{rows: []Row{{Role: "listitem", Text: "Blue mug $4"}}}
	add := func(i int, group string, row int, overlay bool) {
		e := el(i, "button", fmt.Sprint("Button ", i))
		e.Group, e.Row, e.Overlay = group, row, overlay
		s.elements = append(s.elements, e)
	}
	add(1, "main: Mugs", 0, false)
	add(2, "main: Blue mug", 1, false) // which the row says
	add(3, "main: Plates", 0, false)
	add(4, "navigation", 0, false)
	add(5, "overlay: News", 0, true)
	for scope, want := range map[string]string{
		"## main: Mugs": "[1 2]", "main: Plates": "[3]", "main": "[1 2 3]", "navigation": "[4]", `overlay "News"`: "[5]", "overlay": "[5]", "main: Blue mug": "[]",
	} {
		got := []int{}
		for i := range 6 {
			if underPart(s, scope)[i] {
				got = append(got, i)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", scope, got, want)
		}
	}
}

// A row that is cut keeps its end, between words.
func TestCutWithinKeepsTheEnd(t *testing.T) {
	const row = "INV-0056 HM-DIGITAL-Q1 Horizon Media & Advertising 27 Feb 2026 31 Mar 2026 $10,450.00 Awaiting payment"
	for n, want := range map[int]string{
		200: row,
		80:  "INV-0056 HM-DIGITAL-Q1 Horizon Media &… 2026 $10,450.00 Awaiting payment",
		48:  "INV-0056 HM-DIGITAL-Q1 Horizon… Awaiting payment",
		40:  "INV-0056 HM-DIGITAL-Q1 Horizon… payment",
		30:  "INV-0056 HM-DIGITAL-Q1 Horizo…",
	} {
		got := cutWithin(row, n)
		if len([]rune(got)) > max(n, len(row)) || n < 200 && len([]rune(got)) > n || got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
