package safety

import "testing"

// TestEntrances: what lets somebody in is known by the thing beside the button or by the state that it
// shows; what only shows a lock, a topic or a file is free.
func TestEntrances(t *testing.T) {
	inItem := func(name, item string) *Target {
		return with(button(name), func(t *Target) { t.Item = item })
	}
	shows := func(name, text string) *Target {
		return &Target{Tag: "div", Role: "button", Name: name, Text: text, Item: text, HasHandler: true}
	}
	entry := func(name, context string) *Target {
		return &Target{Tag: "li", Role: "menuitem", Name: name, Text: name, Context: context, HasHandler: true}
	}
	const ofRule = "Information Run Rename Duplicate Disable Delete"
	for _, c := range []struct {
		what string
		t    *Target
		asks bool
	}{
		{"what opens a garage", inItem("Open cover", "Garage Door"), true},
		{"the word alone", inItem("Open", "Side gate"), true},
		{"what opens a blind", inItem("Open cover", "Hall blind"), false},
		{"what shuts a garage", inItem("Close cover", "Garage Door"), false},
		{"a file about a door", inItem("Open", "Garage door invoice"), false},
		{"a link to a door", link("Open", "https://a.test/doors/1"), false},
		{"a menu of a door", with(inItem("Open", "Garage Door"), func(t *Target) { t.Opens = true }), false},
		{"a lock that shows its state", shows("Front", "Front Locked"), true},
		{"an alarm that does", shows("House", "House Armed"), true},
		{"a garage that does", shows("Garage", "Garage Closed"), true},
		{"a lamp that does", shows("Bed", "Bed Off"), false},
		{"a ticket that does", shows("Ticket", "Ticket Closed"), false},
		{"a lock that is named by all it shows", shows("Front Locked", "Front Locked"), false},
		{"a picture in the row of a lock", inItem("", "Front Door Locked"), true},
		{"a picture with a name there", with(inItem("", "Front Door Locked"), func(t *Target) { t.Icon = "chevron-right" }), false},
		{"a picture that is only called one, with a lock around it", with(button(""), func(t *Target) { t.Icon, t.Context = "icon container", "Front Door Locked" }), true},
		{"one in the row of a garage", inItem("", "Garage Door Closed"), true},
		{"one beside a talk about locks", with(button(""), func(t *Target) { t.Context = "How to open a door that is locked" }), false},
		{"a picture in the row of a lamp", inItem("", "Kitchen 71%"), false},
		{"a rule that is run", entry("Run", ofRule), true},
		{"the same in German", entry("Ausführen", "Ausführen Umbenennen Deaktivieren Löschen"), true},
		{"a menu of ways to run", with(entry("Run", "File Edit View Run Kernel Help"), func(t *Target) { t.Opens = true }), false},
		{"an entry among such", entry("Run", "File Edit View Run Kernel Help"), false},
		{"another entry of a rule", entry("Information", ofRule), false},
		{"what looks for mistakes", with(button("Check configuration"), func(t *Target) { t.Context = "Doing this before a start will prevent errors." }), false},
	} {
		d := Judge(click(c.t, page), Context{Sites: []string{"a.test"}})
		if (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %v", c.what, d.Level, d.Reasons)
		}
	}
}
