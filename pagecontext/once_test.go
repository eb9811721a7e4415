package pagecontext

import "testing"

// What was said before in a long list is told by its beginning, where that is of
// nothing else and no figure is lost; a field's name stands in full.
func TestSaidBefore(t *testing.T) {
	e := func(i int, role, name, near, group string) Element {
		return Element{Index: i, Role: role, Name: name, Near: near, Group: group, IsVisible: true, IsEnabled: true}
	}
	text := Render(nil, &Listing{Total: 12, Elements: []Element{
		e(1, "button", "Storm leaves thousands without power", "", "main: Weather"),
		e(2, "button", "Storm leaves thousands without heat", "", "main: Weather"),
		e(3, "link", "Researchers map the floor of the lake", "", "main: Weather"),
		e(4, "link", "Delivery on the first of May, 12 pieces", "", "main: Weather"),
		e(5, "textbox", "The name as it is printed on the card", "", "main: Weather"),
		e(6, "button", "Storm leaves thousands without power", "", "main: More"),
		e(7, "button", "Researchers map the floor of the lake", "", "main: More"),
		e(8, "link", "Delivery on the first of May, 12 pieces", "", "main: More"),
		e(9, "textbox", "The name as it is printed on the card", "", "main: More"),
		e(10, "checkbox", "", "Researchers map the floor of the lake", "main: More"),
		e(11, "link", "研究人员绘制湖底地图并公布数据", "", "main: Researchers map the floor of the lake"),
		e(12, "tab", "研究人员绘制湖底地图并公布数据", "", "navigation"),
	}}, RenderOptions{Compact: true})
	want := `--- main: "Weather"
[1] button Storm leaves thousands without power|2 Storm leaves thousands without heat
[3] link Researchers map the floor of the lake|4 Delivery on the first of May, 12 pieces
[5] textbox The name as it is printed on the card
--- "More"
[6] button Storm leaves thousands without power|7 Researchers map…
[8] link Delivery on the first of May, 12 pieces|9 textbox The name as it is printed on the card
[10] checkbox near="Researchers map…"
--- "Researchers map…"
[11] link 研究人员绘制湖底地图并公布数据
--- nav
[12] tab 研究人员绘制湖…`
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// Of two things whose names begin alike none is cut to what both begin with, be it
// over a section or in a line, near each other or far apart.
func TestNamesThatBeginAlike(t *testing.T) {
	e := func(i int, role, name, group string) Element {
		return Element{Index: i, Role: role, Name: name, Group: group, IsVisible: true, IsEnabled: true}
	}
	const sixty = "A stand for headphones of oiled oak with a long cable holder "
	const long = sixty + "and with a drawer for what else lies about on a desk "
	for _, c := range []struct {
		name    string
		compact bool
		es      []Element
		want    string
	}{
		{
			"headings of elements that were named before", true, []Element{
				e(1, "link", "Samsung Galaxy S24 Ultra 256GB", "navigation"), e(2, "link", "Samsung Galaxy S24 Plus 128GB", "navigation"),
				e(3, "button", "Add to cart", "main: Samsung Galaxy S24 Ultra 256GB"), e(4, "button", "Add to cart", "main: Samsung Galaxy S24 Plus 128GB"),
			}, `--- nav
[1] link Samsung Galaxy S24 Ultra 256GB|2 Samsung Galaxy S24 Plus 128GB
--- main: "Samsung Galaxy S24 Ultra 256GB"
[3] button Add to cart
--- "Samsung Galaxy S24 Plus 128GB"
[4] Add to cart`,
		},
		{
			"without figures, in wide letters", true, []Element{
				e(1, "link", "研究人员绘制湖底地图并公布数据", "navigation"), e(2, "link", "研究人员绘制湖底岩石并公布照片", "navigation"),
				e(3, "button", "Share", "main: 研究人员绘制湖底地图并公布数据"), e(4, "button", "Share", "main: 研究人员绘制湖底岩石并公布照片"),
			}, `--- nav
[1] link 研究人员绘制湖底地图并公布数据|2 研究人员绘制湖底岩石并公布照片
--- main: "研究人员绘制湖底地图并公布数据"
[3] button Share
--- "研究人员绘制湖底岩石并公布照片"
[4] Share`,
		},
		{
			"a figure in the rest", true, []Element{
				e(1, "link", "Delivery on the first of May, 12 pieces", "navigation"), e(2, "button", "Share", "main: Delivery on the first of May, 12 pieces"),
			}, `--- nav
[1] link Delivery on the first of May, 12 pieces
--- main: "Delivery on the first of May, 12 pieces"
[2] button Share`,
		},
		{
			"headings with more in common than a heading has room for", true, []Element{
				e(1, "button", "Buy", "main: "+sixty+"in red"), e(2, "button", "Buy", "main: "+sixty+"in blue"), e(3, "button", "Buy", "main: Another stand for headphones, of steel, and foldable"),
			}, `--- main: "` + sixty + `in red"
[1] button Buy
--- "` + sixty + `in blue"
[2] Buy
--- "Another stand for headphones, of steel, and folda…"
[3] Buy`,
		},
		{
			"names with more in common than a name has room for, in two sections", true, []Element{
				e(1, "link", long+"in red", "main: A"), e(2, "link", long+"in blue", "main: B"),
			}, `--- main: "A"
[1] link ` + long + `in red
--- "B"
[2] ` + long + `in blue`,
		},
		{
			"a line each", false, []Element{
				e(1, "link", long+"in red", "main: "+long+"A"), e(2, "link", long+"in blue", "main: "+long+"B"),
			}, `--- main: "` + long + `A" ---
[1] link "` + long + `in red"
--- main: "` + long + `B" ---
[2] link "` + long + `in blue"`,
		},
	} {
		if text := Render(nil, &Listing{Total: len(c.es), Elements: c.es}, RenderOptions{Compact: c.compact}); text != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, text, c.want)
		}
	}
}

// A line below one that begins with the same role has its roles from there, under
// another heading as well, unless that makes it longer.
func TestRolesOfTheLineAbove(t *testing.T) {
	e := func(i int, role, name, group string) Element {
		return Element{Index: i, Role: role, Name: name, Group: group, IsVisible: true, IsEnabled: true}
	}
	text := Render(nil, &Listing{Total: 11, Elements: []Element{
		e(1, "link", "Open", "main: A"), e(2, "button", "Copy", "main: A"),
		e(3, "link", "Open", "main: B"), e(4, "button", "Copy", "main: B"),
		e(5, "link", "Open", "main: C"), e(6, "link", "Edit", "main: C"), e(7, "link", "Move", "main: C"), e(8, "button", "Copy", "main: C"),
		e(9, "textbox", "Street", "main: D"), e(10, "textbox", "Town", "main: E"),
		e(11, "link", "Help", "main: F"),
	}}, RenderOptions{Compact: true})
	want := `--- main: "A"
[1] link Open|2 button Copy
--- "B"
[3] Open|4 Copy
--- "C"
[5] link Open|6 Edit|7 Move|8 button Copy
--- "D"
[9] textbox Street
--- "E"
[10] textbox Town
--- "F"
[11] link Help`
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
