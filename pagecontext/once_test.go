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
