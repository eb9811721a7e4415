package safety

import (
	"cmp"
	"slices"
	"testing"
)

// TestWhatAPressCommits: the option that a form takes along, the method of a link's script,
// an address that acts when it is opened and the question that a button answers are judged,
// whatever the control itself says.
func TestWhatAPressCommits(t *testing.T) {
	bulk := func(method, name, label, chosen string) *Form {
		return form("https://a.test/edit", method, Field{Name: name, Type: "select", Label: label, Value: chosen}, Field{Name: "post[]", Type: "checkbox", Value: "47"})
	}
	script := func(name, method, asks string) *Target {
		return with(link(name, "https://a.test/users/5?user[status]=3"), func(t *Target) { t.Method, t.Asks = method, asks })
	}
	ticked := func(name, method string, rows int) *Target {
		f := form("https://a.test/edit", method, Field{Name: "id", Type: "checkbox", Value: "47"})
		f.Rows = rows
		return submit(name, f)
	}
	answer := func(name, context string) *Target {
		return with(button(name), func(t *Target) { t.Context = context })
	}
	opens := func(role, name string) *Target {
		return &Target{Tag: "div", Role: role, Name: name, HasHandler: true, Opens: true}
	}
	cleared := func(box, dialog, heading string) *Target {
		return with(button("Update"), func(t *Target) { t.Cleared, t.Dialog, t.Context = []string{box}, dialog, heading+" · Update" })
	}
	for _, c := range []struct {
		what  string
		t     *Target
		level Level
		class Class
	}{
		{"a bulk action by GET", submit("Apply", bulk("get", "action", "Select bulk action", "Delete permanently")), Confirm, Destroy},
		{"the second menu of bulk actions", submit("Apply", bulk("get", "action2", "", "Delete permanently")), Confirm, Destroy},
		{"a role by GET", submit("Change", bulk("get", "new_role", "Change role to…", "Administrator")), Confirm, Identity},
		{"a bulk action by POST", submit("Go", bulk("post", "todo", "", "Delete permanently")), Confirm, Destroy},
		{"no bulk action chosen", submit("Apply", bulk("get", "action", "Select bulk action", "Bulk actions")), Auto, ""},
		{"lines that are closed, with mail", submit("Go", bulk("post", "action", "", "Close: Close (Send E-Mail)")), Confirm, Communicate},
		{"lines that are closed without", submit("Go", bulk("post", "action", "", "Close (quietly)")), Confirm, Settings},
		{"lines that are given to somebody", submit("Go", bulk("post", "action", "", "Assign to: tom")), Confirm, ""},
		{"lines to which something unknown is done", submit("Go", bulk("post", "action", "", "Frobnicate")), Confirm, Settings},
		{"a verb for lines by GET", submit("Go", bulk("get", "action", "", "Publish")), Confirm, Communicate},
		{"what only shows lines", submit("Go", bulk("post", "action", "", "Show")), Notify, ""},
		{"no command chosen", submit("Go", bulk("post", "action", "", "Bulk actions")), Notify, ""},
		{"a command without a line", submit("Go", form("https://a.test/edit", "post", Field{Name: "action", Type: "select", Value: "Close"}, Field{Name: "id", Type: "checkbox"})), Notify, ""},
		{"a button that gives ticked lines another value", ticked("Use default alerts", "post", 2), Confirm, Settings},
		{"that button where no line is ticked", ticked("Use default alerts", "post", 0), Notify, ""},
		{"one that marks them for their reader", ticked("Mark viewed", "post", 2), Notify, ""},
		{"one that opens what is chosen", ticked("Use filter", "get", 2), Auto, ""},
		{"lines of which nobody is told any more", ticked("Mute", "post", 1), Confirm, Settings},
		{"a record of which nobody is told", submit("Mute notifications", form("https://a.test/tags/mute/8", "post")), Confirm, Settings},
		{"the same in German", submit("Benachrichtigungen stummschalten", form("https://a.test/tags/8", "post")), Confirm, Settings},
		{"the same in Chinese", submit("静音", form("https://a.test/tags/8", "post")), Confirm, Settings},
		{"somebody who is added to the members", submit("Add", form("https://a.test/flat/members/add", "post", Field{Name: "name", Type: "text", Value: "Ben"})), Confirm, Identity},
		{"a thing that is added to a list", submit("Add", form("https://a.test/shelves/add", "post", Field{Name: "name", Type: "text", Value: "Trees"})), Notify, ""},
		{"what filters members", submit("Filter", form("https://a.test/flat/members", "get", Field{Name: "name", Type: "text", Value: "Ben"})), Notify, ""},
		{"what searches members by POST", submit("Search", form("https://a.test/flat/members", "post", Field{Name: "name", Type: "text", Value: "Ben"})), Notify, ""},
		{"what filters members by POST", submit("Filter", form("https://a.test/flat/members", "post", Field{Name: "name", Type: "text", Value: "Ben"})), Notify, ""},
		{"a dialog over the members that only closes", submit("Add", form("https://a.test/flat/members", "dialog", Field{Name: "name", Type: "text", Value: "Ben"})), Notify, ""},
		{"a sound that is off", button("Mute"), Notify, ""},
		{"a talk of one's own that makes no sound", &Target{Tag: "div", Role: "menuitem", Name: "Mute conversation", HasHandler: true}, Notify, ""},
		{"a filter by a kind that is called as a deed", submit("Apply", bulk("get", "kind", "Type", "Transfer money")), Auto, ""},
		{"a filter by a role", submit("Filter", bulk("get", "role", "Role", "Administrator")), Auto, ""},
		{"a link that puts", script("Lock", "PUT", ""), Confirm, Settings},
		{"a link that patches", script("Closed", "PATCH", ""), Confirm, Settings},
		{"a link that deletes", script("Away with it", "DELETE", ""), Confirm, Destroy},
		{"a link that asks first", script("Quit", "", "Are you sure you want to cancel your subscription?"), Confirm, Destroy},
		{"a link that acts", link("Activate", "https://a.test/plugins?action=activate&plugin=x&_wpnonce=ab"), Confirm, Settings},
		{"a link with a token", link("Mark", "https://a.test/doku.php?do=check&sectok=ab12"), Confirm, Settings},
		{"a link that shows", link("Edit", "https://a.test/post?action=edit&id=7"), Auto, ""},
		{"a verb in one piece with what it is done to", link("Frobnicate", "https://a.test/index.html?action=stopall"), Confirm, Settings},
		{"a log that an address clears", link("Frobnicate", "https://a.test/index.html?processname=web&action=clearlog"), Confirm, Settings},
		{"what only begins as a verb does", link("Frobnicate", "https://a.test/index.html?action=startpage"), Auto, ""},
		{"a form that a key opens, with a token", link("ida", "https://a.test/doku.php?do=admin&page=users&fn%5Bedit%5D%5Bida%5D=1&sectok=ab12"), Auto, ""},
		{"a switch that a key is called by, with a token", link("ida", "https://a.test/doku.php?do=admin&page=plugins&fn%5Benable%5D%5Bx%5D=1&sectok=ab12"), Confirm, ""},
		{"a deletion that a key is called by", link("ida", "https://a.test/doku.php?do=admin&page=users&fn%5Bdelete%5D%5Bida%5D=1&sectok=ab12"), Confirm, ""},
		{"a page of an administration, with a token", link("staff", "https://a.test/doku.php?do=admin&page=acl&ns=staff&sectok=ab12"), Auto, ""},
		{"a link that shows and has a token", link("History", "https://a.test/post?action=history&_wpnonce=ab"), Auto, ""},
		{"what answers a question", answer("Archive", "Are you sure you want to archive this item? Cancel Archive"), Confirm, Settings},
		{"what says that one is sure", answer("Yes, I'm sure", "Move topic · Move to: Garden Lock topic No, take me back"), Confirm, ""},
		{"the same in German", answer("Ja, ich bin sicher", "Thema verschieben · Nein"), Confirm, ""},
		{"one that is not sure", answer("Not sure yet", "Move topic · Move to: Garden"), Notify, ""},
		{"a link that says what a record is taken for", link("Default shipping address", "https://a.test/addresses/2/default_for_shipping/"), Confirm, Settings},
		{"a page about that", link("Default shipping address", "https://a.test/help/default_for_shipping/"), Notify, ""},
		{"a link that turns a record off", link("Hide field", "https://a.test/questions/1/toggle/"), Confirm, Settings},
		{"one that makes it the usual one", link("Make default", "https://a.test/types/2/default?next=/types/"), Confirm, Settings},
		{"one that begins another phase", link("Next", "https://a.test/phase/2/activate"), Confirm, Settings},
		{"a page with such a name", link("Activate", "https://a.test/account/activate"), Notify, ""},
		{"a picture whose address sends a record", link("", "https://a.test/mails/5/send"), Confirm, Communicate},
		{"one whose address locks it", with(link("", "https://a.test/topics/5/lock/"), func(t *Target) { t.Icon = "padlock" }), Confirm, Settings},
		{"one whose address opens it", link("", "https://a.test/mails/5/edit"), Notify, ""},
		{"one whose address is a list", link("", "https://a.test/mails/send"), Notify, ""},
		{"a key without a value that is a verb", link("Frobnicate", "https://a.test/tickets/3/?take"), Confirm, Settings},
		{"a verb that is a filter's name", link("Frobnicate", "https://a.test/tickets/?close=2026"), Auto, ""},
		{"a key without a value that shows", link("Frobnicate", "https://a.test/tickets/3/?print"), Auto, ""},
		{"a query that is chosen of those kept", submit("Run Query", form("https://a.test/tickets", "get", Field{Name: "saved", Type: "select", Label: "Select a query", Value: "Urgent ones"})), Auto, ""},
		{"one that is written", submit("Run Query", form("https://a.test/sql", "get", Field{Name: "q", Type: "textarea", Value: "drop table a"})), Confirm, CodeClass},
		{"one that is kept in the page", submit("Run Query", form("https://a.test/sql", "get", Field{Name: "db", Type: "select", Value: "a"}, Field{Name: "q", Type: "hidden", Value: "drop table a"})), Confirm, CodeClass},
		{"one that is sent by POST", submit("Run Query", form("https://a.test/sql", "post", Field{Name: "saved", Type: "select", Value: "Nightly"})), Confirm, CodeClass},
		{"what refuses", answer("Cancel", "Are you sure you want to archive this item? Cancel Archive"), Notify, ""},
		{"what opens its own list", opens("combobox", "Allow all users"), Notify, Navigate},
		{"what opens its own menu", opens("button", "Delete"), Notify, Navigate},
		{"what says a sum opens nothing", opens("button", "Pay $12.00"), Confirm, Purchase},
		{"a box of a form that gives access", &Target{Tag: "input", Type: "checkbox", Role: "checkbox", Name: "Allow access", Form: bulk("post", "x", "", "")}, Notify, ""},
		{"the button of a form in which that is ticked", submit("Save", form("https://a.test/edit", "post", Field{Name: "a", Type: "checkbox", Label: "Allow access", Value: "on"})), Confirm, Identity},
		{"a box that a script hears", &Target{Tag: "input", Type: "checkbox", Role: "checkbox", Name: "Allow access", HasHandler: true, Form: bulk("post", "x", "", "")}, Confirm, Identity},
		{"… in a form with a button", &Target{Tag: "input", Type: "checkbox", Role: "checkbox", Name: "Allow access", HasHandler: true, DefaultButton: "Save", Form: &Form{Action: "https://a.test/edit", Method: "post", Buttons: []string{"Save"}}}, Notify, ""},
		{"… in a form whose only button does not send it", &Target{Tag: "input", Type: "checkbox", Role: "checkbox", Name: "Allow access", HasHandler: true, Form: &Form{Action: "https://a.test/edit", Method: "post", Buttons: []string{"Back"}}}, Confirm, Identity},
		{"… as a switch", &Target{Tag: "input", Type: "checkbox", Role: "switch", Name: "Allow access", HasHandler: true, DefaultButton: "Save", Form: &Form{Action: "https://a.test/edit", Method: "post", Buttons: []string{"Save"}}}, Confirm, Identity},
		{"a button beside a box that was ticked to share", with(button("Save"), func(t *Target) {
			t.Set = []string{"Office · Unshared Devices Select additional devices to share this folder with. Select All Office"}
		}), Confirm, Identity},
		{"one that keeps a box that gives access, by a script", with(button("Save"), func(t *Target) { t.Set = []string{"Allow access · Users"} }), Confirm, Identity},
		{"one that keeps a role", with(button("Update"), func(t *Target) { t.Set = []string{"Administrator · Administrator"} }), Confirm, Identity},
		{"that role in Chinese", with(button("保存"), func(t *Target) { t.Set = []string{"管理员 · 用户"} }), Confirm, Identity},
		{"one that shuts a user out, by a script", cleared("Active · Name Username Administrator Active Local only", "Mei Chen", "Users"), Confirm, Identity},
		{"that in German", cleared("Aktiv · Benutzerkonto Aktiv", "Mei Chen", ""), Confirm, Identity},
		{"that in Chinese", cleared("启用 · 用户 启用", "", ""), Confirm, Identity},
		{"one that takes a right away, by a script", cleared("Allow access · Users", "", ""), Confirm, Identity},
		{"one that shares no longer", cleared("Office · Select devices to share this folder with", "", ""), Confirm, Identity},
		{"one that stops a reminder", cleared("Active · Drink water Active", "Drink water", "Reminders"), Notify, ""},
		{"a filter of users", cleared("Active · Filters Active", "", "Users"), Notify, ""},
		{"one of their states", cleared("Active · Status Active Inactive", "", "Users"), Notify, ""},
		{"a user who is let in", with(button("Update"), func(t *Target) { t.Set = []string{"Active · Administrator Active"} }), Notify, ""},
		{"one that keeps who sees a page", with(button("Update"), func(t *Target) { t.Set = []string{"Admin only · Board"} }), Notify, ""},
		{"one beside a box of something else", with(button("Save"), func(t *Target) { t.Set = []string{"Office · Sort order Office Home"} }), Notify, ""},
		{"what calls it off", with(button("Close"), func(t *Target) { t.Set = []string{"Office · Select devices to share this folder with"} }), Notify, ""},
		{"what empties its form", &Target{Tag: "button", Type: "reset", Role: "button", Name: "Reset", HasHandler: true, Form: bulk("post", "x", "", "")}, Notify, ""},
		{"a box that is called so in markup", &Target{Tag: "input", Type: "checkbox", Role: "checkbox", Icon: "rows to delete"}, Auto, ""},
	} {
		d := Judge(click(c.t, page), Context{})
		if low := c.level < Confirm && d.Level < Confirm; !low && (d.Level != c.level || c.class != "" && d.Class != c.class) {
			t.Errorf("%s: %s %s %v, want %s %s", c.what, d.Level, d.Class, d.Reasons, c.level, c.class)
		}
	}
	if _, d := CheckURL("https://a.test/plugins?action=activate&_wpnonce=ab", Context{}); d.Level != Confirm {
		t.Errorf("by its address: %s %v", d.Level, d.Reasons)
	}
}

// TestChangesOfValue: another value is judged by whatever way it comes, where it takes effect
// at once; what only fills in a form is free, and what is then sent is judged.
func TestChangesOfValue(t *testing.T) {
	of := func(tag, kind, role, name string, immediate bool) *Target {
		return &Target{Tag: tag, Type: kind, Role: role, Name: name, Label: name, OnChange: immediate, Editable: kind == "number" || kind == "date" || kind == "text"}
	}
	key := func(k string, t *Target) Act {
		return Act{Action: "pressKey", Base: Write, Key: k, Target: t, Page: Page{URL: page}}
	}
	typed := func(t *Target) Act {
		return Act{Action: "type", Base: Write, Text: "7", Target: t, Page: Page{URL: page}}
	}
	drag := func(t *Target) Act { return Act{Action: "dragDrop", Base: Write, Target: t, Page: Page{URL: page}} }
	slider := of("div", "", "slider", "Slide to pay 24.00 EUR", false)
	for _, c := range []struct {
		what  string
		act   Act
		level Level
	}{
		{"a range by an arrow", key("ArrowRight", of("input", "range", "slider", "Donate at once", true)), Confirm},
		{"… to its end", key("End", of("input", "range", "slider", "Donate at once", true)), Confirm},
		{"… by a click", click(of("input", "range", "slider", "Donate at once", true), page), Confirm},
		{"… by a drag", drag(of("input", "range", "slider", "Donate at once", true)), Confirm},
		{"… by a text", typed(of("input", "range", "slider", "Donate at once", true)), Confirm},
		{"a number by an arrow", key("ArrowUp", of("input", "number", "spinbutton", "Buy shares at once", true)), Confirm},
		{"… by a text", typed(of("input", "number", "spinbutton", "Buy shares at once", true)), Confirm},
		{"… that waits for its button", key("ArrowUp", of("input", "number", "spinbutton", "Buy shares at once", false)), Auto},
		{"a date", typed(of("input", "date", "textbox", "Pay on", true)), Confirm},
		{"a list by its first letter", key("d", of("select", "", "combobox", "Delete account", true)), Confirm},
		{"a slider of the page's own", key("ArrowRight", slider), Confirm},
		{"… by a drag", drag(slider), Confirm},
		{"a price that is filtered by", key("ArrowRight", of("div", "", "slider", "Minimum price", false)), Auto},
		{"an arrow in a text", key("ArrowRight", of("input", "text", "textbox", "Pay to", false)), Auto},
	} {
		d := Judge(c.act, Context{})
		if d.Level < Confirm != (c.level < Confirm) {
			t.Errorf("%s: %s %s %v, want %s", c.what, d.Level, d.Class, d.Reasons, c.level)
		}
		if d.Level < Confirm && c.what != "an arrow in a text" && !HoldsRequests(c.act, d) {
			t.Errorf("%s: what it sends is not judged", c.what)
		}
	}
}

// TestWhatOnlyOpens: what begins something that takes more to do, calls a dialog off or leads to a
// folder is no deed; where something was written already, or the dialog is about that, it may be.
func TestWhatOnlyOpens(t *testing.T) {
	blank := func(name string) *Target {
		return with(button(name), func(t *Target) { t.Blank = true })
	}
	inDialog := func(name, dialog, context string) *Target {
		return with(button(name), func(t *Target) { t.Dialog, t.Context = dialog, context })
	}
	folder := func(name, context string) *Target {
		return &Target{Tag: "div", Role: "generic", Name: name, Text: name, Context: context, HasHandler: true}
	}
	for _, c := range []struct {
		what string
		t    *Target
		url  string
		asks bool
	}{
		{"Reply, and nothing is written", blank("Reply"), page, false},
		{"Reply, and something is", button("Reply"), page, true},
		{"Send is no beginning", blank("Send"), page, true},
		{"a payment begins", blank("Make a Payment"), page, false},
		{"… behind the name of a sign", blank("card_giftcard Buy Gift Card"), page, false},
		{"a new one beside a sum", with(blank("New Invoice"), func(t *Target) { t.Context = "Overdue $3,450.00 New Invoice" }), page, false},
		{"a new record beside a sum", with(button("New"), func(t *Target) { t.Beside = "Total $ 24.00" }), page, false},
		{"… in Chinese", with(button("新建"), func(t *Target) { t.Beside = "合计 ￥24.00" }), page, false},
		{"what it would be called in a sentence", with(button("New order now"), func(t *Target) { t.Beside = "Total $ 24.00" }), page, true},
		{"a way about the site", with(button("Pay in 4"), func(t *Target) { t.Nav = true }), page, false},
		{"deleting is no way about", with(button("Delete account"), func(t *Target) { t.Nav = true }), page, true},
		{"a payment of a sum does not", blank("Make a payment of $20.00"), page, true},
		{"Cancel in a dialog of settings", inDialog("Cancel", "Edit label", "Edit label Name Cancel Save"), "https://a.test/settings", false},
		{"Cancel where that is asked about", inDialog("Cancel", "Cancel order 7?", "Cancel order 7? Keep it Cancel"), "https://a.test/settings", true},
		{"Cancel on a page of settings", button("Cancel"), "https://a.test/settings", true},
		{"the folder of what was deleted", folder("Trash", "Inbox Starred Sent Drafts Spam Trash"), page, false},
		{"a folder that something is moved to", folder("Trash", "Move to Inbox Sent Spam Trash"), page, true},
		{"a button of that name", with(button("Trash"), func(t *Target) { t.Context = "Archive Spam Trash" }), page, true},
		{"a row with chips", folder("Labels", "component critical priority bug documentation regression meeting"), page, false},
	} {
		act := click(c.t, c.url)
		d := Judge(act, Context{})
		if (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %s %v", c.what, d.Level, d.Class, d.Reasons)
		}
	}
	begun := click(blank("Make a Payment"), page)
	if d := Judge(begun, Context{}); !HoldsRequests(begun, d) {
		t.Error("what is sent as a payment begins is not judged")
	}
	if d := JudgeRequest(Request{Method: "POST", URL: "https://a.test/api/bz", Type: "fetch", Body: `{"n":1}`}, begun, Context{}); d.Level < Confirm || d.Class != Purchase {
		t.Errorf("what is sent as a payment begins: %s %s", d.Level, d.Class)
	}
}

// TestKeysRunCells: Enter with another key runs a cell of a notebook; Enter alone begins a line in it.
func TestKeysRunCells(t *testing.T) {
	cell := &Target{Tag: "div", Role: "textbox", Name: "import os", Editable: true}
	for _, c := range []struct {
		key, page string
		asked     bool
	}{
		{"Shift+Enter", "https://a.test/lab/tree/report.ipynb", true},
		{"Alt+Enter", "https://a.test/lab/tree/report.ipynb", true},
		{"Enter", "https://a.test/lab/tree/report.ipynb", false},
		{"Shift+Enter", "https://a.test/notes/7", false},
	} {
		d := Judge(Act{Action: "pressKey", Base: Write, Key: c.key, Target: cell, Page: Page{URL: c.page}}, Context{})
		if (d.Level >= Confirm) != c.asked || c.asked && d.Class != CodeClass {
			t.Errorf("%s on %s: %s %s", c.key, c.page, d.Level, d.Class)
		}
	}
}

// What a form was changed in: a box that gave access and is ticked no longer, and the mail address
// beside a password.
func TestChangesOfAForm(t *testing.T) {
	mail := func(was string, others ...Field) *Form {
		return form("https://a.test/me", "post", append([]Field{{Name: "email", Type: "email", Label: "Email", Value: "eve@b.test", Was: was}}, others...)...)
	}
	password := Field{Name: "p", Type: "password", Label: "New password", Secret: "password"}
	shelf := func(box Field) *Form {
		return form("https://a.test/shelf/1", "post", Field{Name: "title", Type: "text", Label: "Title", Value: "Trees", Was: "Old trees"}, box)
	}
	div := &Target{Tag: "div", Name: "Save", Text: "Save", HasHandler: true, Form: mail("ida@a.test", password)}
	for name, c := range map[string]struct {
		target *Target
		want   bool
	}{
		"an account's address":            {submit("Save", mail("ida@a.test", password)), true},
		"… by a script":                   {div, true},
		"the same address":                {submit("Save", mail("", password)), false},
		"a contact's address":             {submit("Save", mail("ida@a.test")), false},
		"shared no longer":                {submit("Save", shelf(Field{Name: "pub", Type: "checkbox", Label: "Share with Everyone", Was: "on"})), true},
		"a user who is shut out":          {submit("Save", form("https://a.test/users/4/edit", "post", Field{Name: "is_active", Type: "checkbox", Label: "Active", Was: "on"})), true},
		"a reminder that is off":          {submit("Save", form("https://a.test/reminders/4", "post", Field{Name: "is_active", Type: "checkbox", Label: "Active", Was: "on"})), false},
		"as shared as before":             {submit("Save", shelf(Field{Name: "pub", Type: "checkbox", Label: "Share with Everyone"})), false},
		"shown no longer":                 {submit("Save", shelf(Field{Name: "hot", Type: "checkbox", Label: "Show hot books", Was: "on"})), false},
		"… by a form without a method":    {submit("Save", form("https://a.test/shelf/1", "get", Field{Name: "pub", Type: "checkbox", Label: "Share with Everyone", Was: "on"})), true},
		"its own Cancel":                  {link("Cancel", "https://a.test/shelves"), false},
		"a filter that is unticked (GET)": {submit("Apply", form("https://a.test/shelves", "get", Field{Name: "pub", Type: "checkbox", Label: "Shared with everyone", Was: "on"})), false},
	} {
		d := Judge(click(c.target, page), Context{})
		got := slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == "changed_field" })
		if got != c.want || got && (d.Level < Confirm || d.Class != Identity) {
			t.Errorf("%s: %v, %+v", name, got, d)
		}
	}
}

// A form that is sent without a word, as by a tick beside a name in a table: what it writes over is asked about.
func TestWhatIsWrittenOver(t *testing.T) {
	one := func(method string, x Field) *Form {
		x.Type = cmp.Or(x.Type, "text")
		return form(page, method, x)
	}
	tick := func(f *Form) *Target {
		return with(submit("", f), func(t *Target) { t.Icon, t.Row = "glyphicon ok", "Old trees Ida Lind" })
	}
	title := Field{Value: "New trees", Was: "Old trees"}
	enter := Act{Action: "pressKey", Base: Write, Key: "Enter", Target: with(field("", one("get", title)), func(t *Target) { t.Row = "Old trees" }), Page: Page{URL: page}}
	for name, c := range map[string]struct {
		act  Act
		want bool
	}{
		"a title in its row":          {click(tick(one("get", title)), page), true},
		"… by Enter":                  {enter, true},
		"… by a form that posts":      {click(tick(one("post", title)), page), true},
		"… outside of a row":          {click(with(tick(one("post", title)), func(t *Target) { t.Row = "" }), page), true},
		"a price in its row":          {click(tick(one("post", Field{Value: "1.00", Was: "12.50"})), page), true},
		"a new title":                 {click(tick(one("post", Field{Value: "New trees"})), page), false},
		"how many are wanted":         {click(tick(one("post", Field{Name: "quantity", Type: "number", Value: "3", Was: "1"})), page), false},
		"the number of a page":        {click(with(tick(one("get", Field{Value: "3", Was: "1"})), func(t *Target) { t.Row = "" }), page), false},
		"what the address filters by": {click(tick(one("get", Field{Name: "author", Value: "ida", Was: "tom"})), page+"?author=tom"), false},
		"a search":                    {click(tick(&Form{Action: page, Method: "get", Search: true, Fields: []Field{{Name: "q", Type: "text", Value: "b", Was: "a"}}}), page), false},
		"a folder of one's own":       {click(with(tick(one("post", title)), func(t *Target) { t.Context = "Rename folder · Name" }), page), false},
		"one that says Cancel":        {click(with(tick(one("get", title)), func(t *Target) { t.Name, t.Type, t.SubmitsForm = "", "button", false }), page), false},
	} {
		d := Judge(c.act, Context{})
		got := slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == "changed_field" })
		if got != c.want || got && (d.Level < Confirm || d.Class != Settings) {
			t.Errorf("%s: %v, %+v", name, got, d)
		}
	}
}

// What was written over in a record that has its own address is asked about as it is kept.
func TestSavesOfARecord(t *testing.T) {
	record := func(method, action string, x Field) *Form {
		x.Name, x.Label, x.Type = cmp.Or(x.Name, "weight"), "Weight", cmp.Or(x.Type, "text")
		return form(action, method, x)
	}
	member, weight := "https://a.test/flat/members/2/edit", Field{Value: "3", Was: "1"}
	enter := Act{Action: "pressKey", Base: Write, Key: "Enter", Target: with(field("Weight", record("post", member, weight)), func(t *Target) { t.DefaultButton = "Save" }), Page: Page{URL: member}}
	for name, c := range map[string]struct {
		act  Act
		want bool
	}{
		"a member's part":          {click(submit("Save", record("post", member, weight)), member), true},
		"… by Enter":               {enter, true},
		"… chosen of a list":       {click(submit("Update", record("post", member, Field{Type: "select", Value: "Lender", Was: "Reader"})), member), true},
		"a bill by its heading":    {click(with(submit("Submit", record("post", "https://a.test/flat/edit/1", weight)), func(t *Target) { t.Context = "Edit this bill · When?" }), member), true},
		"a shelf of books":         {click(submit("Save", record("post", "https://a.test/shelves/2/edit", weight)), member), false},
		"a record as it was":       {click(submit("Save", record("post", member, Field{Value: "1"})), member), false},
		"a form of no record":      {click(submit("Save", record("post", "https://a.test/search", weight)), member), false},
		"a filter":                 {click(submit("Apply", record("get", member, weight)), member), false},
		"a note of one's own":      {click(submit("Save", record("post", "https://a.test/notes/2/edit", weight)), member), false},
		"… of a program's file":    {click(submit("Save", record("post", "https://a.test/index.php/notes/2/edit", weight)), member), false},
		"… of a user":              {click(submit("Save", record("post", "https://a.test/users/4/notes/2/edit", weight)), member), false},
		"… of a client's issue":    {click(submit("Save", record("post", "https://a.test/acme/client/issues/12/title", weight)), member), false},
		"a draft":                  {click(submit("Save draft", record("post", member, weight)), member), false},
		"a step":                   {click(submit("Continue", record("post", "https://a.test/orders/2/address", weight)), member), false},
		"how many are wanted":      {click(submit("Update", record("post", "https://a.test/basket/2", Field{Name: "quantity", Value: "3", Was: "1"})), member), false},
		"its preview":              {click(submit("Preview", &Form{Action: member, Method: "post", Fields: record("post", member, weight).Fields, Buttons: []string{"Save", "Preview"}}), member), false},
		"a link that calls it off": {click(link("Cancel", "https://a.test/flat/"), member), false},
	} {
		d := Judge(c.act, Context{})
		got := slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == "changed_field" })
		if got != c.want || got && (d.Level < Confirm || d.Class != Settings) {
			t.Errorf("%s: %v, %+v", name, got, d)
		}
	}
}
