package pagecontext

import (
	"fmt"
	"testing"
)

// Without quotes stands a name of which no word could be taken for one of ours,
// and no sign for what a line is made of.
func TestPlainNames(t *testing.T) {
	for _, s := range []string{"Add to cart", "Help?", "Page 2 of 9", "R&D", "fn_0()", "#news", "添加到购物车", "أضف", "★ 4", "+", "… Storm", "Buy links"} {
		if !isPlain(s) {
			t.Errorf("%q has quotes", s)
		}
	}
	for _, s := range []string{
		"", "12 months", "[2]", "a|3 b", `say "hi"`, "(heart)", "Terms checked", "link building", "button", "value=1", "-> /x", "a\\b",
		"Delete account (disabled)", "Pay, disabled.", "Pay DISABLED", "Now “Aria-Hidden”", "Search", "Button:", "删除，disabled。",
		"a｜3 b", "［3］", "value＝1", "＞ x", "a ＂b", "a │ b", "a┃3", "a❘3", "a∣3", "aǀ3", "a︱3", "a¦3", "a → b", "⟶ b", "a ⤳ b", "➔", "a ➜ b",
		" x", "+1", "disabled", "Now disabled too", "1", "near=x", "<b>",
	} {
		if isPlain(s) {
			t.Errorf("%q has no quotes", s)
		}
	}
}

// What goes with a role is said once, by the first of which it is so; another role,
// or the same without it, says so again, but what is expanded is not collapsed. Other
// states stand with each element.
func TestKindsInRows(t *testing.T) {
	no, yes := false, true
	e := func(i int, role, name string) Element {
		return Element{Index: i, Role: role, Name: name, IsEnabled: true, IsVisible: true}
	}
	faq := []Element{e(1, "button", "A"), e(2, "button", "B"), e(3, "button", "C"), e(4, "button", "D"), e(5, "button", "E")}
	faq[0].Expanded, faq[1].Expanded, faq[2].Expanded, faq[3].Expanded = &no, &no, &yes, &no
	code := []Element{e(1, "textbox", "A"), e(2, "textbox", "B"), e(3, "textbox", "C"), e(4, "textbox", "D")}
	for i := range code {
		code[i].Secret, code[i].Required = "otp", true
	}
	pop := []Element{e(1, "button", "A"), e(2, "combobox", "B")}
	pop[0].Expanded, pop[0].HasPopup, pop[1].Expanded = &no, "menu", &no
	hidden := []Element{e(1, "checkbox", ""), e(2, "checkbox", ""), e(3, "checkbox", ""), e(4, "checkbox", "")}
	for i := range hidden {
		hidden[i].Near, hidden[i].AriaHidden = fmt.Sprintf("Row %c", 'A'+i), true
	}
	hidden[2].Near, hidden[3].Checked = "", "true"
	more := []Element{e(1, "link", "A"), e(2, "link", "B"), e(3, "link", "C"), e(4, "link", "D"), e(5, "link", "E"), e(6, "link", "F")}
	more[1].AriaHidden, more[2].AriaHidden, more[3].AriaHidden, more[3].Draggable, more[4].AriaHidden = true, true, true, true, true
	tree := []Element{e(1, "treeitem", "A"), e(2, "treeitem", "B"), e(3, "treeitem", "C"), e(4, "treeitem", "D"), e(5, "treeitem", "E")}
	tree[0].Expanded, tree[2].Expanded, tree[3].Expanded = &yes, &yes, &no
	closed := []Element{e(1, "combobox", "A"), e(2, "combobox", "B"), e(3, "combobox", "C"), e(4, "combobox", "D")}
	closed[0].Expanded, closed[1].Expanded, closed[3].Expanded = &yes, &no, &yes
	for _, tt := range []struct {
		run  []Element
		want string
	}{
		{tree, `[1] treeitem A expanded|2 treeitem B|3 C expanded|4 D collapsed|5 treeitem E`},
		{closed, `[1] combobox A expanded|2 B|3 C|4 D expanded`},
		{faq, `[1] button A collapsed|2 B|3 C expanded|4 D collapsed|5 button E`},
		{code, `[1] textbox A secret=otp required|2 B required|3 C required|4 D required`},
		{pop, `[1] button A popup|2 combobox B`},
		{hidden, `[1] checkbox near=Row A aria-hidden|2 near=Row B|3 checkbox aria-hidden|4 near=Row D checked`},
		{more, `[1] link A|2 B aria-hidden|3 C|4 D draggable|5 link E aria-hidden|6 link F`},
	} {
		if got := linesOf(joined(tt.run)); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
	}
}

// A name, what a field holds and what an element stands beside end before the next
// word of ours where they have no quotes.
func TestPlainLines(t *testing.T) {
	yes := true
	for _, tt := range []struct {
		e    Element
		want string
	}{
		{Element{Role: "textbox", Name: "Full name", Value: "Mara Lind", Required: true}, `[1] textbox Full name value=Mara Lind required`},
		{Element{Role: "spinbutton", Name: "Quantity", Value: "-5"}, `[1] spinbutton Quantity value=-5`},
		{Element{Role: "textbox", Name: "Memo", Value: "now checked"}, `[1] textbox Memo value="now checked"`},
		{Element{Role: "textbox", Name: "Memo", Value: `5" nails`}, `[1] textbox Memo value="5\" nails"`},
		{Element{Role: "textbox", Name: "Memo", Value: "a|2 link b"}, `[1] textbox Memo value="a|2 link b"`},
		{Element{Role: "textbox", Name: "Memo", Value: "x near=y"}, `[1] textbox Memo value="x near=y"`},
		{Element{Role: "button", Name: "Now checked", Pressed: &yes}, `[1] button "Now checked" pressed`},
		{Element{Role: "button", Text: "▸", Hint: "open"}, `[1] button "▸" (open)`},
		{Element{Role: "checkbox", Near: "2 mugs", Checked: "true"}, `[1] checkbox near=2 mugs checked`},
		{Element{Role: "link", Name: "More", Href: "https://wiki.test/"}, `[1] link More -> https://wiki.test/`},
		{Element{Role: "textbox", Name: "Memo", Value: "Mara Lind, Oak Street 12 a"}, `[1] textbox Memo value="Mara Lind, Oak Street 12 a"`},
		{Element{Role: "button", Hint: "box-checked"}, `[1] button (box-checked)`},
		{Element{Role: "button", Hint: "Checked box"}, `[1] button hint="Checked box"`},
		{Element{Role: "link", Name: "More", Href: `/x?q="a b|c"`}, `[1] link More -> /x?q=%22a%20b%7Cc%22`},
		{Element{Role: "x-role", Name: "More", Pressed: &yes}, `[1] x-role "More" pressed`},
	} {
		tt.e.Index, tt.e.IsEnabled = 1, true
		if got := lineOf(&tt.e, shape{short: true, lead: true}); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
	}
}

// Elements called by numbers one after another are one line, if nothing else is to
// be said of any of them.
func TestCountedRows(t *testing.T) {
	days := func(from, n, index int, format string) []Element {
		var out []Element
		for k := range n {
			out = append(out, Element{Index: index + k, Role: "cell", Name: fmt.Sprintf(format, from+k), IsEnabled: true})
		}
		return out
	}
	selected := days(1, 12, 7, "%d")
	yes := true
	selected[3].Selected = &yes
	for _, tt := range []struct {
		run  []Element
		want string
	}{
		{days(1, 30, 7, "%d"), `[7–36] cell "1" to "30" (index = number + 6)`},
		{days(0, 24, 0, "%d:00"), `[0–23] cell "0:00" to "23:00" (index = number)`},
		{days(99, 6, 40, "Page %d of 200"), `[40–45] cell "Page 99 of 200" to "Page 104 of 200" (index = number - 59)`},
		{days(1, 5, 7, "%d"), `[7] cell "1"|8 "2"|9 "3"|10 "4"|11 "5"`},
		{days(1, 6, 7, "Mug %d of all those for sale"), "[7] cell Mug 1 of all those for sale|8 Mug 2 of all those for sale|9 Mug 3 of all those for sale" +
			"|10 Mug 4 of all those for sale|11 Mug 5 of all those for sale|12 Mug 6 of all those for sale"},
		{selected, "[7] cell \"1\"|8 \"2\"|9 \"3\"|10 \"4\" selected\n[11–18] cell \"5\" to \"12\" (index = number + 6)"},
		{days(1, 6, 7, "%02d"), `[7] cell "01"|8 "02"|9 "03"|10 "04"|11 "05"|12 "06"`},
	} {
		rows := joined(tt.run)
		if got := linesOf(rows); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
		n := 0
		for _, r := range rows {
			n += r.stands
		}
		if n != len(tt.run) {
			t.Errorf("%d elements of %d in %s", n, len(tt.run), tt.want)
		}
	}
}

func TestWithoutIndices(t *testing.T) {
	got := WithoutIndices("[3] link Mug|4 \"a|5 b\\\" 7|8 \"|9 Add 2|10 \"3\"\n[7–36] cell \"1\" to \"30\" (index = number + 6)\na|12 of them")
	if want := " link Mug| \"a|5 b\\\" 7|8 \"| Add 2| \"3\"\n  cell \"1\" to \"30\"\na|12 of them"; got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}
