package safety

import "testing"

// Labels that no list knows run unasked only where nothing beside them tells of
// something to lose.
func TestUnknownControls(t *testing.T) {
	at := func(label, context string) Act {
		b := button(label)
		b.Context = context
		return click(b, "https://app.test/plan")
	}
	dialog := func(text string) Act {
		return Act{Action: "handleDialog", Base: Submit, Params: []byte(`{"accept":true}`), Page: Page{URL: "https://app.test/plan", Dialog: text}, Target: &Target{Tag: "dialog", Role: "dialog", Name: text, Type: "confirm"}}
	}
	filter := link("Clear everything", "https://app.test/plan")
	off := click(filter, "https://app.test/plan?color=red")
	sort := submit("Ordina", form("https://app.test/list", "get", Field{Name: "ordina", Type: "select", Label: "Ordina per", Value: "Prezzo"}))
	for name, c := range map[string]struct {
		act  Act
		asks bool
	}{
		"a sentence of loss":           {at("Zapzap", "web-1 · Nobody brings those tables back to you afterwards. Zapzap"), true},
		"a card":                       {at("Zapzap", "Row 8 · $12.00 Visa •••• 4410 Zapzap"), true},
		"a sentence of unknown words":  {at("Zapzap", "Foo · the blorp quuxes every gnarl within four moons"), true},
		"a row of controls":            {at("Zapzap", "Foo · Photos Files Notes 24 h 7 days Zapzap"), false},
		"fares in a row":               {at("Zapzap", "Cabin · Standard $0 Front $52.00 Zapzap"), false},
		"a sum of its own":             {at("Zapzap for $40", "River Cleanup"), true},
		"its sum without the currency": {at("Zapzap 2,400", "Lot 88 · €2,400"), true},
		"yes, beside a question":       {at("Yes", "Blorp the quux? · No Yes"), true},
		"accept, beside a sum":         {at("Accept", "Chiara offers €38 · Decline Accept"), true},
		"an unknown question":          {dialog("Blorp all quuxes?"), true},
		"a harmless question":          {dialog("New messages. Reload the list?"), false},
		"a filter taken off":           {off, false},
		"a list sorted":                {click(sort, "https://app.test/list"), false},
	} {
		if d := Judge(c.act, Context{Sites: []string{"app.test"}}); (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %s %v", name, d.Level, d.Class, d.Reasons)
		}
	}
}
