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
		{"a script that is run", inItem("Run", "Let the cleaner in"), true},
		{"one that ran before", inItem("Run", "Nightly import Last run 2 hours ago OK"), true},
		{"a text with a button", inItem("Run", "Nightly import takes all orders of the shop and of its branches into the books of the house"), false},
		{"one whose name is a deed", inItem("Run", "Search and delete old orders"), true},
		{"the same in German", inItem("Ausführen", "Nachtsicherung"), true},
		{"the same in Chinese", inItem("运行", "夜间备份"), true},
		{"a job that a form of its row runs", with(inItem("Run", "Nightly import"), func(t *Target) {
			t.Form = &Form{Action: "https://a.test/jobs/4", Method: "post", Fields: []Field{{Name: "csrf", Type: "hidden"}}, Buttons: []string{"Run"}}
		}), true},
		{"a query that is run", inItem("Run", "Recent orders query"), false},
		{"a list among saved queries", with(inItem("Run", "Sales by month"), func(t *Target) { t.Context = "Saved queries · Sales by month Run" }), false},
		{"a filter", inItem("Run", "Filter by date"), false},
		{"a preview", inItem("Run", "Preview"), false},
		{"a test", inItem("Run", "Test login"), false},
		{"a button in no row", button("Run"), false},
		{"one in a row of buttons", inItem("Run", "Run Stop Reset"), false},
		{"one beside a field", with(inItem("Run", "Loan over years"), func(t *Target) {
			t.Form = &Form{Action: "https://a.test/calculator", Method: "post", Fields: []Field{{Name: "years", Type: "text", Value: "3"}}}
		}), false},
		{"a link to what ran", with(link("Run", "https://a.test/runs/1"), func(t *Target) { t.Item = "Nightly import" }), false},
		{"an alarm that is switched on", button("Arm away"), true},
		{"the same in German", button("Scharf schalten"), true},
		{"the same in Chinese", button("布防"), true},
		{"the word alone beside its state", with(button("Arm"), func(t *Target) { t.Context = "Alarm · Disarmed Code Arm" }), true},
		{"the arm of a chair", with(inItem("Arm", "Chair A-100"), func(t *Target) { t.Context = "Parts · Arm Leg Seat" }), false},
		{"its length", button("Arm length"), false},
		{"a lock that shows its state in Chinese", shows("前门", "前门已上锁"), true},
		{"a garage that does in German", shows("Garage", "Garage Geschlossen"), true},
		{"a lamp that does in Chinese", shows("卧室", "卧室关闭"), false},
		{"a card of a shop", shows("Garage", "Garage Closed on Sundays"), false},
		{"what looks for mistakes", with(button("Check configuration"), func(t *Target) { t.Context = "Doing this before a start will prevent errors." }), false},
	} {
		d := Judge(click(c.t, page), Context{Sites: []string{"a.test"}})
		if (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %v", c.what, d.Level, d.Reasons)
		}
	}
}
