package pagecontext

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// item is what a list repeats: a link, a field and a button, one below another.
func item(n int) []Element {
	at := func(k int) Rect { return Rect{X: 10, Y: float64(200*n + 20*k), Width: 80, Height: 18} }
	return []Element{
		{Index: 10 * n, Role: "link", Name: fmt.Sprintf("Mug %d", n), Href: fmt.Sprintf("/p/%d", n), IsEnabled: true, Rect: at(0)},
		{Index: 10*n + 1, Role: "spinbutton", Value: "1", Near: fmt.Sprintf("Mug %d", n), IsEnabled: true, Rect: at(1)},
		{Index: 10*n + 2, Role: "button", Name: fmt.Sprintf("Add mug %d", n), IsEnabled: true, Rect: at(2)},
	}
}

func linesOf(rows []row) string {
	var out []string
	for _, r := range rows {
		out = append(out, r.line)
	}
	return strings.Join(out, "\n")
}

func TestJoined(t *testing.T) {
	var items []Element
	for n := range 4 {
		items = append(items, item(n+1)...)
	}
	whole := `[10] link Mug 1|11 spinbutton value=1|12 button Add ~
[20] Mug 2|21 value=1|22 Add ~
[30] Mug 3|31 value=1|32 Add ~
[40] Mug 4|41 value=1|42 Add ~`
	lone := Element{Index: 1, Role: "heading", Name: "Mugs", IsEnabled: true}
	for _, tt := range []struct {
		name string
		run  []Element
		want string
	}{
		{"items", items, whole},
		{"something before and after", slices.Concat([]Element{lone}, items, []Element{lone}), "[1] heading Mugs\n" + whole + "\n[1] heading Mugs"},
		// The list is cut within an item: rows begin with the next one.
		{"from within an item", items[1:], "[11] spinbutton near=Mug 1 value=1\n[12] button Add mug 1\n" +
			strings.NewReplacer("[20] ", "[20] link ", "|21 ", "|21 spinbutton ", "|22 ", "|22 button ").Replace(strings.SplitN(whole, "\n", 2)[1])},
		{"too few", items[:6], `[10] link Mug 1
[11] spinbutton value=1
[12] button Add mug 1|20 link Mug 2
[21] spinbutton value=1
[22] button Add mug 2`},
		{"one role", []Element{
			{Index: 1, Role: "link", Name: "A", Href: "/a", IsEnabled: true},
			{Index: 2, Role: "link", Name: "B", Href: "https://b.test/x", IsEnabled: true},
			{Index: 3, Role: "link", Href: "/c", IsEnabled: true},
			{Index: 4, Role: "link", Name: "D", Current: true, IsEnabled: true},
		}, `[1] link A|2 B -> b.test|3 link -> /c|4 D current`},
		{
			"two of one role before a pattern", slices.Concat([]Element{{Index: 1, Role: "link", Name: "A", IsEnabled: true}, {Index: 2, Role: "link", Name: "B", IsEnabled: true}}, items),
			"[1] link A|2 B\n" + whole,
		},
		{"one name for several places", []Element{
			{Index: 1, Role: "link", Name: "More", Href: "/a", IsEnabled: true},
			{Index: 2, Role: "button", Name: "X", IsEnabled: true},
			{Index: 3, Role: "link", Name: "More", Href: "/b", IsEnabled: true},
			{Index: 4, Role: "tab", Name: "Y", IsEnabled: true},
			{Index: 5, Role: "link", Name: "Help", Href: "/h", IsEnabled: true},
		}, `[1] link More -> /a|2 button X|3 link More -> /b|4 tab Y|5 link Help`},
	} {
		if got := linesOf(joined(withoutRepeats(tt.run, false))); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		n := 0
		for _, r := range joined(tt.run) {
			n += r.stands
		}
		if n != len(tt.run) {
			t.Errorf("%s: %d of %d elements", tt.name, n, len(tt.run))
		}
	}
}

func TestOnceSaid(t *testing.T) {
	for s, want := range map[string]string{
		"Blue mug Blue mug 0": "Blue mug 0", "Blue mug Blue mug": "Blue mug", "Blue mug Blue mugs": "Blue mug Blue mugs", "no no": "no no", "": "",
		"City City council": "City council",
	} {
		if got := onceSaid(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// What the elements within a box are called is not said by the box as well; what
// is beside it is no part of it.
func TestSaidOnce(t *testing.T) {
	box := Rect{X: 0, Y: 0, Width: 100, Height: 40}
	in := Rect{X: 10, Y: 10, Width: 80, Height: 20}
	below := Rect{X: 10, Y: 60, Width: 80, Height: 20}
	for _, tt := range []struct {
		name, part string
		at         Rect
		want       string
	}{
		{"4 Why the old bridge will stay", "Why the old bridge will stay", in, "4 …"},
		{"4 Why the old bridge will stay", "Why the old bridge will stay", below, "4 Why the old bridge will stay"},
		{"Item 12 of the list", "Item 1", in, "Item 12 of the list"},
		{"Why the old bridge will stay", "Why the old bridge will stay", in, "Why the old bridge will stay"},
		{"蓝色马克杯加入购物车", "加入购物车", in, "蓝色马克杯…"},
		{"Ok", "", in, "Ok"},
	} {
		run := []Element{{Name: tt.name, Rect: box}, {Name: tt.part, Rect: tt.at}}
		got := saidOnce(run, telling(run))[0].Name
		if got != tt.want {
			t.Errorf("%q with %q: %q, want %q", tt.name, tt.part, got, tt.want)
		}
	}
	for _, tt := range [][3]string{
		{"Add Blue mug to cart", "Blue mug", "Add ~ to cart"},
		{"Add blue mug", "Blue mug", "Add ~"},
		{"Blue mugs", "Blue mug", "Blue mugs"},
		{"Add", "Blue mug", "Add"},
		{"İstanbul blue mug", "Blue mug", "İstanbul blue mug"},
		{"Buy it", "It", "Buy it"},
	} {
		if got := within(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%q in the row of %q: %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

// What is taken away of the words beside an element is said right there.
func TestWithoutRepeats(t *testing.T) {
	run := withoutRepeats([]Element{
		{Name: "Blue mug, small"},
		{Hint: "heart", Near: "Blue mug, small $4.00"},
		{Name: "+", Near: "Blue mug, small"},
		{Near: "Blue mug, small"}, // nothing else is known of it
		{Name: "+", Near: "Red mug"},
		{Name: "−", Near: "Red mug"},
	}, true)
	var got []string
	for _, e := range run {
		got = append(got, e.Near)
	}
	if want := []string{"", "", "", "Blue mug, small", "Red mug", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A heading that the line before it, or the first one under it, says is left
// out; any other is not.
func TestSectionHeadings(t *testing.T) {
	e := func(i int, name, group string) Element {
		return Element{Index: i, Role: "link", Name: name, Group: group, IsVisible: true, IsEnabled: true}
	}
	text := Render(nil, &Listing{Total: 6, Elements: []Element{
		e(1, "Storm over the lake", "region: Today"), e(2, "Mara", "region: Storm over the lake"),
		e(3, "Other news", "region: Today"), e(4, "Fold", "region: Sports"),
		e(5, "Bridge to stay", "main: Bridge to stay"), e(6, "Home", "navigation"),
	}}, RenderOptions{})
	want := `--- region: "Today" ---
[1] link "Storm over the lake"
[2] link "Mara"
[3] link "Other news"
--- region: "Sports" ---
[4] link "Fold"
--- main ---
[5] link "Bridge to stay"
--- navigation ---
[6] link "Home"`
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// What a list costs at least decides whether it is tried with a line for each
// element: it may never be more than that takes.
func TestLeastSingly(t *testing.T) {
	long := strings.Repeat("A long name ", 30)
	yes := true
	es := []Element{
		{Index: 1, Role: "link", Name: "A", IsEnabled: true},
		{Index: 2, Role: "a", Name: "", IsEnabled: true},
		{Index: 3, Tag: "x-y", Text: "Only a text", IsEnabled: true},
		{Index: 40, Role: "button", Name: long + "1", IsEnabled: true},
		{Index: 41, Role: "button", Name: long + "2", IsEnabled: true},
		{Index: 500, Role: "link", Name: "Mug Mug", Href: "/mug", IsEnabled: true},
		{Index: 501, Role: "combobox", Name: "图片和文字", Value: "二", Expanded: &yes},
		{Index: 502, Role: "textbox", Name: "Größe “x” \\ \"y\"", Placeholder: "…", IsEnabled: true},
		{Index: 503, Role: "generic", Name: " \u200b two  lines\n", IsEnabled: true},
		{Index: 504, Role: "link", Name: strings.Repeat("字", 140), IsEnabled: true},
	}
	rows := singlyBy(telling(es))
	for i := range es {
		if least, is := leastSingly(es[i:i+1]), costs(rows(es[i:i+1])); least > is || least == 0 {
			t.Errorf("element %d: at least %d tokens, and it takes %d: %s", es[i].Index, least, is, Line(es[i]))
		}
	}
	parts := layers(es)
	if least, is := leastSingly(es), total(build(parts[:], wordsOf("en"), rows, false)); least > is || 3*least < is {
		t.Errorf("all: at least %d tokens, and they take %d", least, is)
	}
}
