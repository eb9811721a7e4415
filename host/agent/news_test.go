package agent

import (
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/pagecontext"
)

// A page that was sent and came back as it was says what is new on it.
func TestNewsOf(t *testing.T) {
	page := func(text string, names ...string) action.Observation {
		l := &pagecontext.Listing{}
		for i, n := range names {
			l.Elements = append(l.Elements, pagecontext.Element{Index: i + 1, Tag: "a", Role: "link", Name: n, IsEnabled: true, IsVisible: true})
		}
		return action.Observation{Summary: &pagecontext.Summary{VisibleText: text}, Elements: l}
	}
	shop := page("Shop Basket 0 Assam black tea Quantity Add to basket Imprint", "Shop", "Basket 0", "Imprint")
	for name, c := range map[string]struct {
		now  action.Observation
		want string
	}{
		"the same":  {shop, ""},
		"a message": {page("Shop Basket 1 Assam black tea was added. Quantity Add to basket Imprint", "Shop", "Basket 1", "Imprint"), `"Shop Basket 1 Assam black tea was added. Quantity Add", link "Basket 1"`},
		"two far":   {page("Shop Basket 1 Assam black tea Quantity Add to basket Thanks", "Shop"), `"Shop Basket 1 Assam black", "to basket Thanks"`},
		"chinese":   {page("Shop Basket 0 已加入购物篮 Imprint", "Shop"), `"Basket 0 已加入购物篮 Imprint"`},
	} {
		if got := strings.Join(newsOf(plainOf(shop), plainOf(c.now)), ", "); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	scrolled := shop
	scrolled.Summary = &pagecontext.Summary{VisibleText: shop.Summary.VisibleText, ScrollMax: pagecontext.Position{Y: 9}}
	if !samePage(plainOf(shop), plainOf(scrolled)) || samePage(plainOf(shop), plainOf(page(shop.Summary.VisibleText, "Shop"))) {
		t.Error("the same page is another, or another the same")
	}
	for name, c := range map[string]struct {
		now  action.Observation
		want bool
	}{
		"with another count": {page("", "Shop", "Basket 1", "Imprint"), true},
		"another page":       {page("", "Shop", "Basket 1", "Pay", "Back"), false},
		"nothing":            {page(""), false},
	} {
		if got := mostlyKnown(plainOf(shop), plainOf(c.now)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := newsOf(plainOf(page("a", "")), plainOf(page(strings.Repeat("b c d e f ", 3)+"a a a a a a a z a a a a a a a y a a a a a a a x a a a a a a a w a a a a a a a v a a a a a a a u a a a a a a a t"))); len(got) != newsLines+1 || got[newsLines] != "…" {
		t.Errorf("much news: %q", got)
	}
}
