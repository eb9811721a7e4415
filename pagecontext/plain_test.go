package pagecontext

import (
	"slices"
	"strings"
	"testing"
)

// What is written of a look for comparison has nothing new in it where something
// went: not for each element of a list that is long and says things twice.
func TestPlainPartsStandByThemselves(t *testing.T) {
	e := func(i int, role, name, near, group string) Element {
		return Element{Index: i, Role: role, Name: name, Near: near, Group: group, IsVisible: true, IsEnabled: true}
	}
	const lake = "Researchers map the floor of the lake"
	all := []Element{
		e(1, "link", lake, "", "navigation"), e(2, "link", "Storm leaves thousands without power", "", "navigation"),
		e(3, "button", "Copy", "", "main: "+lake), e(4, "link", lake, "", "main: "+lake), e(5, "button", "Order 3 items", "", "main: "+lake),
		e(6, "link", "Storm leaves thousands without power", "", "main: Storms"), e(7, "button", "Copy", "", "main: Storms"),
		e(8, "checkbox", "", lake, "main: Storms"), e(9, "textbox", strings.Repeat("a", 120), "", "main: Storms"),
	}
	sum := &Summary{URL: "https://shop.test/", Title: "Shop", VisibleText: "Your cart", Elements: Counts{Buttons: 3}, ScrollMax: Position{Y: 900}}
	whole := PlainOf(sum, &Listing{Total: len(all), Elements: all})
	if !whole.WholeList || !whole.WholeText || !slices.Contains(whole.List, `textbox "`+strings.Repeat("a", 120)+`"`) {
		t.Errorf("%+v", whole)
	}
	for i := range all {
		left := slices.Delete(slices.Clone(all), i, i+1)
		for k := range left {
			left[k].Index = k + 1
		}
		less := *sum
		less.Elements.Buttons, less.ScrollMax.Y, less.ScrollPosition.Y = 2, 800, 10
		now := PlainOf(&less, &Listing{Total: len(left), Elements: left})
		for _, part := range slices.Concat(now.Page, now.List) {
			if !slices.Contains(slices.Concat(whole.Page, whole.List), part) {
				t.Errorf("without element %d there is %q", i+1, part)
			}
		}
	}
	for name, now := range map[string]Plain{
		"a part of a list":  PlainOf(sum, &Listing{Total: 10, Elements: all}),
		"text that was cut": PlainOf(&Summary{VisibleText: strings.Repeat("word ", 100)}, nil),
		"from further down": PlainOf(&Summary{ScrollPosition: Position{Y: 5}}, nil),
		"nothing":           PlainOf(nil, nil),
	} {
		if now.WholeText && now.WholeList || now.WholeText != (name == "a part of a list") {
			t.Errorf("%s: %+v", name, now)
		}
	}
}
