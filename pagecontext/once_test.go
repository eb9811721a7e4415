package pagecontext

import (
	"regexp"
	"strings"
	"testing"
)

// What was said before in a long list is told by its beginning, where that is of
// nothing else and no figure is lost; a field's name stands in full.
func TestSaidBefore(t *testing.T) {
	e := func(i int, role, name, near, group string) Element {
		return Element{Index: i, Role: role, Name: name, Near: near, Group: group, IsVisible: true, IsEnabled: true}
	}
	es := []Element{
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
		e(13, "tab", "Why the old bridge is to stay", "", "navigation"),
		e(14, "combobox", "A colour for all of the letters", "", "navigation"),
		e(15, "option", "Why the old bridge is to stay", "", "navigation"),
		e(16, "option", "A colour for all of the letters", "", "navigation"),
	}
	es[12].Text = "Why the old bridge falls" // not shown, as there is a name
	text := Render(nil, &Listing{Total: len(es), Elements: es}, RenderOptions{Compact: true})
	want := `--- main: Weather
[1] button Storm leaves thousands without power|2 Storm leaves thousands without heat
[3] link Researchers map the floor of the lake|4 Delivery on the first of May, 12 pieces|5 textbox The name as it is printed on the card
--- More
[6] button Storm leaves thousands without power|7 Researchers map…
[8] link Delivery on the first of May, 12 pieces|9 textbox The name as it is printed on the card|10 checkbox near=Researchers map…
--- Researchers map…
[11] 研究人员绘制湖底地图并公布数据
--- nav
[12] tab 研究人员绘制湖…
[13] Why the old bridge is to stay|14 combobox A colour for all of the letters|15 option Why the old bri…|16 A colour for al…`
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
--- main: Samsung Galaxy S24 Ultra 256GB
[3] button Add to cart
--- Samsung Galaxy S24 Plus 128GB
[4] Add to cart`,
		},
		{
			"without figures, in wide letters", true, []Element{
				e(1, "link", "研究人员绘制湖底地图并公布数据", "navigation"), e(2, "link", "研究人员绘制湖底岩石并公布照片", "navigation"),
				e(3, "button", "Share", "main: 研究人员绘制湖底地图并公布数据"), e(4, "button", "Share", "main: 研究人员绘制湖底岩石并公布照片"),
			}, `--- nav
[1] link 研究人员绘制湖底地图并公布数据|2 研究人员绘制湖底岩石并公布照片
--- main: 研究人员绘制湖底地图并公布数据
[3] button Share
--- 研究人员绘制湖底岩石并公布照片
[4] Share`,
		},
		{
			"a figure in the rest", true, []Element{
				e(1, "link", "Delivery on the first of May, 12 pieces", "navigation"), e(2, "button", "Share", "main: Delivery on the first of May, 12 pieces"),
			}, `--- nav
[1] link Delivery on the first of May, 12 pieces
--- main: Delivery on the first of May, 12 pieces
[2] button Share`,
		},
		{
			"headings with more in common than a heading has room for", true, []Element{
				e(1, "button", "Buy", "main: "+sixty+"in red"), e(2, "button", "Buy", "main: "+sixty+"in blue"), e(3, "button", "Buy", "main: Another stand for headphones, of steel, and foldable"),
			}, `--- main: ` + sixty + `in red
[1] button Buy
--- ` + sixty + `in blue
[2] Buy
--- Another stand for headphones, of steel, and folda…
[3] Buy`,
		},
		{
			"names with more in common than a name has room for, in two sections", true, []Element{
				e(1, "link", long+"in red", "main: A"), e(2, "link", long+"in blue", "main: B"),
			}, `--- main: A
[1] link ` + long + `in red
--- B
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
// another heading as well, unless that makes it longer, or it could be by chance.
func TestRolesOfTheLineAbove(t *testing.T) {
	e := func(i int, role, name, group string) Element {
		return Element{Index: i, Role: role, Name: name, Group: group, IsVisible: true, IsEnabled: true}
	}
	text := Render(nil, &Listing{Total: 17, Elements: []Element{
		e(12, "link", "Open", "region: A"), e(13, "button", "Copy", "region: A"),
		e(14, "link", "Open", "region: B"), e(15, "button", "Copy", "region: B"),
		e(1, "link", "Open", "main: A"), e(2, "button", "Copy", "main: A"), e(16, "tab", "Day", "main: A"),
		e(3, "link", "Open", "main: B"), e(4, "button", "Copy", "main: B"), e(17, "tab", "Day", "main: B"),
		e(5, "link", "Open", "main: C"), e(6, "link", "Edit", "main: C"), e(7, "link", "Move", "main: C"), e(8, "button", "Copy", "main: C"),
		e(9, "textbox", "Street", "main: D"), e(10, "textbox", "Town", "main: E"),
		e(11, "link", "Help", "main: F"),
	}}, RenderOptions{Compact: true})
	want := `--- region: A
[12] link Open|13 button Copy
--- B
[14] link Open|15 button Copy
--- main: A
[1] link Open|2 button Copy|16 tab Day
--- B
[3] Open|4 Copy|17 Day
--- C
[5] link Open|6 Edit|7 Move|8 button Copy
--- D
[9] textbox Street
--- E
[10] textbox Town
--- F
[11] link Help`
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// A page's own sign for what the first of a row is called is written as another.
func TestTildesOfAPage(t *testing.T) {
	var es []Element
	for i, name := range []string{"Blue mug ~ 2", "Red mug", "Oak desk"} {
		at := Rect{Y: float64(100 * i), Width: 90, Height: 20}
		es = append(es, Element{Index: 3*i + 1, Role: "link", Name: name, IsEnabled: true, Rect: at},
			Element{Index: 3*i + 2, Role: "button", Name: "Add " + name, IsEnabled: true, Rect: at},
			Element{Index: 3*i + 3, Role: "generic", Text: "~/notes", IsEnabled: true, Rect: at})
	}
	want := "[1] link Blue mug ∼ 2|2 button Add ~|3 clickable ∼/notes\n[4] Red mug|5 Add ~|6 ∼/notes\n[7] Oak desk|8 Add ~|9 ∼/notes"
	if got := linesOf(joined(es)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A heading stands without quotes only where nothing in it could be taken for a part
// of the page or for our words.
func TestPlainHeadings(t *testing.T) {
	for name, want := range map[string]bool{
		"Blue mugs": true, "老桥为何得以保留": true, "Page 2": false, "nav": false, "Main": false, "overlay": false, "frame 1": false,
		"Search": false, "main: Pay": false, "Mugs (out of view from here on)": false, "Mugs -": false, "2 mugs": false,
		"frame（bank.com）form：Card": false, "蓝色马克杯 （以下均在视口之外）": false, "main, Pay": false, "Nav-Pay": false, "蓝色︰杯": false,
		"蓝色﹕杯": false, "mainly, Pay": true, "蓝色马克杯，大": true,
		`a "b"`: false, "a|2 b": false, "[1] link": false, "": false,
	} {
		if isPlainHead(name) != want {
			t.Errorf("%q stands without quotes: %v", name, !want)
		}
	}
}

var firstLetters = regexp.MustCompile(`^\pL*`)

// Whatever a page calls a section of it, its heading is one line that says no part
// of the page, no element and none of our words.
func FuzzPlainHeadings(f *testing.F) {
	for _, s := range []string{"Blue mugs", "nav", "overlay \"Pay\"", "main: A", "Mugs (out of view from here on)", "a\n[9] button Pay", "\u2028[9] link", "[9] link", "עגלת קניות", "Main, then more", strings.Repeat("界", 90), "- x"} {
		f.Add(s)
	}
	line := regexp.MustCompile(`^(?:\[[789]\] .*|--- main: A|--- (?:nav: )?".*"|--- (?:nav: )?[^":(\[\]|]*[^":(\[\]|-])$`)
	f.Fuzz(func(t *testing.T, s string) {
		if Flatten(s) == "" {
			return // such a section has no name
		}
		es := []Element{
			{Index: 7, Role: "button", Name: "Buy", Group: "main: A", IsVisible: true, IsEnabled: true},
			{Index: 8, Role: "textbox", Name: "Street", Group: "main: " + s, IsVisible: true, IsEnabled: true},
			{Index: 9, Role: "textbox", Name: "Town", Group: "navigation: " + s, IsVisible: true, IsEnabled: true},
		}
		text := Render(nil, &Listing{Total: 3, Elements: es}, RenderOptions{Compact: true})
		for _, l := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
			first := firstLetters.FindString(strings.TrimPrefix(strings.TrimPrefix(l, "--- "), "nav: "))
			if !line.MatchString(l) || strings.HasPrefix(l, "--- ") && l != `--- main: A` && partWords[strings.ToLower(first)] {
				t.Fatalf("a line of the page's own: %q\nin\n%s", l, text)
			}
		}
	})
}

// A heading is left out where the element under it says it, or as much of it as
// nothing else begins with; not where another thing is meant, or the words that say
// it are cut off.
func TestWhatElementsSayOfAHeading(t *testing.T) {
	const long = "Why the old bridge stays and what the town makes of it"
	for _, c := range []struct {
		heading, name string
		others        []string // what else is called something in the layer
		want          bool
	}{
		{"Storm leaves thousands without power", "Storm leaves thousands without power", nil, true},
		{"Storm leaves thousands", "Weather: Storm leaves thousands, 3 h", nil, true},
		{"Storm leaves thousands [edit]", "Storm leaves thousands", []string{"[edit]", "Storm"}, true},
		{"Storm leaves thousands (shop.test)", "Storm leaves thousands", []string{"Stormy"}, true},
		{"Blue mug $12", "Blue mug", []string{"Blue bowl", "Blue"}, true},
		{"Blue mug $12", "Blue mug", []string{"Blue mug, large"}, false},
		{"Phone X 256 GB", "Phone X", []string{"Phone X 512 GB"}, false},
		{"Phone X 256 GB", "Phone X 512 GB", nil, false},
		{"Phone Xs", "Phone X", nil, false},
		{long + "…", long + " in the end", nil, true},
		{"购物车", "购物车", nil, true},
		{"可用的优惠券和礼品卡", "不可用的优惠券和礼品卡", nil, false},
		{"registered users", "Unregistered users", nil, false},
		{"registered users", "List of registered users", nil, true},
		{"thousands without power", "Storm leaves thousands without power in the north of the land, and what", nil, false}, // under half
		{"the old bridge stays, and the town is glad of it", "The Evening Post, its only page for " + "letters: the old bridge stays, and the town is glad of it", nil, false},
		{"C++ tutorials", "C# tutorials", nil, false},
		{"1/2 inch hose of rubber", "12 inch hose of rubber", nil, false},
		{"Version 1.1.2", "Version 11.2", nil, false},
		{"Balance: 50 €", "Balance: -50 €", nil, false},
		{"दान का हिसाब", "दिन का हिसाब", nil, false},
		{"Shoes", "Blue Shoes", nil, false},
		{"笔记本", "笔记本电脑包", nil, false},
		{"Blue mug", "Blue mug 0", nil, false},
		{"Next", "Next 2", nil, false},
		{"Home", "", nil, false},
		{"", "Home", nil, false},
	} {
		layer := []Element{{Name: c.name, Group: "main: " + c.heading}}
		for _, n := range c.others {
			layer = append(layer, Element{Name: n, Group: "main"})
		}
		if (&layerNames{layer: layer, short: true}).say(&layer[0], c.heading) != c.want {
			t.Errorf("%q says %q beside %q: %v", c.name, c.heading, c.others, !c.want)
		}
		if len(c.others) == 0 {
			continue
		}
		// Of headings the same holds.
		layer = layer[:1]
		for _, n := range c.others {
			layer = append(layer, Element{Name: "Buy", Group: "main: " + n})
		}
		if (&layerNames{layer: layer}).say(&layer[0], c.heading) != c.want {
			t.Errorf("%q says %q beside the headings %q: %v", c.name, c.heading, c.others, !c.want)
		}
	}
}

// The controls before the link of an article's heading stand under no other article's.
func TestControlsBeforeAHeading(t *testing.T) {
	var es []Element
	for i, name := range []string{"Old bridge stays", "Lake is mapped", "Storm is over"} {
		group := "main: " + name + " (site.test)"
		before := group
		if i > 0 {
			before = es[len(es)-1].Group
		}
		es = append(es, Element{Index: 2*i + 1, Role: "button", Name: "upvote", Group: before, IsVisible: true, IsEnabled: true},
			Element{Index: 2*i + 2, Role: "link", Name: name, Group: group, IsVisible: true, IsEnabled: true})
	}
	text := Render(nil, &Listing{Total: len(es), Elements: es}, RenderOptions{Compact: true})
	want := `--- main: "Old bridge stays (site.test)"
[1] button upvote|2 link Old bridge stays
[3] upvote|4 Lake is mapped
[5] upvote|6 Storm is over`
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
