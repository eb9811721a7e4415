package action

import (
	"slices"
	"strings"
	"testing"
)

func TestRealHardCombobox(t *testing.T) {
	type chosen struct {
		Value  string   `json:"value"`
		Labels []string `json:"labels"`
	}
	hard(t, "hard_combo.html", func(t *testing.T, l *live) {
		l.eval(`city.addEventListener("focus", () => { window.from ??= performance.now(); }); city.addEventListener("input", () => { window.to ??= performance.now(); }); 0`)
		const told = "fruit|city|lang|year|team|size|drink|tags|plan|ship|native|several|colour|slips|capital|place|office"
		for _, tt := range []struct {
			by   p
			want string // the page's own record
			says string // what the result says is chosen
		}{
			{p{"selector": "#fruit", "value": "Pear"}, "fruit Pear", "Pear"},
			{p{"selector": "#fruit", "position": 2}, "fruit Plum", "Plum"},
			{p{"selector": "#fruit", "label": "apple"}, "fruit Apple", "Apple"},
			{p{"selector": "#city", "value": "Oslo"}, "city Oslo, Norway", "Oslo, Norway"},
			{p{"selector": "#lang", "value": "中文"}, "lang 中文", "中文"},
			{p{"selector": "#year", "value": "1560"}, "year 1560", "1560"},
			{p{"selector": "#year", "position": 3}, "year 1503", "1503"},
			{p{"selector": "#team", "value": "South"}, "team South", "South"},
			{p{"selector": "#rsin", "value": "Large"}, "size Large", ""},
			{p{"selector": "#antin", "value": "Coffee"}, "drink Coffee", ""},
			{p{"selector": "#tags", "values": []string{"Red", "Blue"}}, "tags Red,Blue", "Red, Blue"},
			{p{"selector": "#plan", "value": "p"}, "plan p", "Plus"},
			{p{"selector": "#ship", "value": "Fast"}, "ship Fast", "Fast"},
			{p{"selector": "#native", "value": "Beta"}, "native b", ""},
			{p{"selector": "#several", "values": []string{"One", "Three"}}, "several One,Three", ""},
			{p{"selector": "#capital", "value": "Berlin"}, "capital Berlin", "Berlin"}, // by the press itself, which brings a search field
			{p{"selector": "#place", "value": "Oslo"}, "place Oslo", ""},               // another list has one, too
			{p{"selector": "#slips", "value": "Some"}, "slips Some", "Some"},           // by the keyboard, where the mouse never reaches it
		} {
			res := l.ok("select", tt.by)
			l.saw(told, tt.want)
			if tt.says != "" && !strings.Contains(res.Text, `Chosen now: "`+tt.says) {
				t.Errorf("%v: %s", tt.by, res.Text)
			}
		}
		// A field that suggests as one types shows nothing before: it is not waited for.
		if got := l.eval("to - from < 1500"); got != "true" {
			t.Errorf("the city was typed %s ms after its field was pressed", l.eval("to - from"))
		}
		if c := as[chosen](t, l.ok("select", p{"index": l.found(p{"role": "combobox", "name": "Fruit"}).Index, "value": "Plum"})); c.Value != "Plum" {
			t.Errorf("chosen %+v", c)
		}
		l.ok("select", p{"selector": "#colour", "value": "Green"})
		if got := l.eval("colour.value"); got != `"#0f0"` {
			t.Errorf("colour %s", got)
		}
		l.took(".*", 0)
		has(t, l.fails(NotFound, "select", p{"selector": "#fruit", "value": "Kiwi"}).Text, "Apple, Pear, Plum")
		l.ok("pressKey", p{"key": "Escape"})
		l.fails(Disabled, "select", p{"selector": "#tags", "value": "Grey"})
		l.fails(Disabled, "select", p{"selector": "#native", "value": "Gamma"})
		l.fails(NotFound, "select", p{"selector": "#nothing", "value": "x"})
		l.fails(Unsupported, "select", p{"selector": "xpath=(//p)[1]", "value": "x"})
		l.saw(told, "colour #0f0") // which a field says when it is left

		type offered struct {
			Options []Choice
			Opened  bool
			Total   int
		}
		labels := func(selector string) (out []string, o offered) {
			o = as[offered](t, l.ok("getOptions", p{"selector": selector}))
			for _, c := range o.Options {
				out = append(out, c.Label)
			}
			return out, o
		}
		if got, o := labels("#lang"); !slices.Equal(got, []string{"English", "Deutsch", "中文"}) || !o.Opened {
			t.Errorf("languages %q, %+v", got, o)
		}
		if got, o := labels("#year"); o.Total != 1000 || len(got) == 0 {
			t.Errorf("%d of %d years", len(got), o.Total)
		}
		if got, _ := labels("#ship"); !slices.Equal(got, []string{"Slow", "Fast"}) {
			t.Errorf("shipping %q", got)
		}
	})
}
