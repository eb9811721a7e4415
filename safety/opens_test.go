package safety

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWhatOpensAndWhatDoes: links that name what lies behind them, carets, banners and boxes of the
// user's own order are free; the answer to a dialog's question, an entry of a menu and a switch of
// what is at stake are not.
func TestWhatOpensAndWhatDoes(t *testing.T) {
	drawn := func(icon string) *Target {
		return &Target{Tag: "a", Role: "link", Icon: icon, Href: page + "#", HasHandler: true}
	}
	around := func(t *Target, context string) *Target {
		t.Context = context
		return t
	}
	in := func(name, dialog, context string) *Target {
		return with(button(name), func(t *Target) { t.Dialog, t.Context = dialog, context })
	}
	entry := func(role, name, context string) *Target {
		return around(&Target{Tag: "div", Role: role, Name: name, Text: name, HasHandler: true}, context)
	}
	flips := func(name string) *Target {
		return &Target{Tag: "button", Role: "switch", Name: name, Text: name, HasHandler: true}
	}
	heard := func(t *Target) *Target { t.HasHandler = true; return t }
	inRow := func(t *Target, row string) *Target { t.Row = row; return t }
	inForm := func(boxes int) func(*Target) {
		return func(t *Target) {
			t.Form = form("https://a.test/add", "post", slices.Repeat([]Field{{Name: "for", Type: "checkbox", Label: "Ida"}}, boxes)...)
		}
	}
	sum := func(answer, beside string) *Target {
		return with(in("$25.00", "Buy a gift card", "Buy a gift card · Amount $10.00 $25.00 $50.00 Other"), func(t *Target) { t.Answers, t.Beside = []string{answer}, beside })
	}
	savesBeside := func(others ...string) *Target {
		return with(button("Save"), func(t *Target) {
			t.Type, t.SubmitsForm = "submit", true
			t.Form = form("https://a.test/admin/articles/7", "post", Field{Name: "title", Type: "text", Value: "Boats"})
			t.Form.Buttons = append([]string{"Save"}, others...)
		})
	}
	for _, c := range []struct {
		what string
		t    *Target
		url  string
		asks bool
	}{
		{"a step that shows what would be done", in("Review changes", "Edit access", "Direct permissions to revoke No permissions Cancel Review changes"), page, false},
		{"the step after it", in("Apply changes", "Edit access", "Direct permissions to revoke No permissions Back Apply changes"), "https://a.test/admin/users/ida", true},
		{"a tab beside a statement", around(&Target{Tag: "button", Role: "tab", Name: "Roles", Text: "Roles", HasHandler: true}, "DROP TABLE roles; Users Roles"), page, false},
		{"a nameless button beside it", around(&Target{Tag: "button", Role: "button", HasHandler: true}, "DROP TABLE roles; Users Roles"), page, true},
		{"what adds a filter to a list", with(button("Add filter"), func(t *Target) {
			t.Type, t.SubmitsForm = "submit", true
			t.Form = form("https://a.test/admin/bookings", "post", Field{Name: "value", Type: "text", Value: "Ida"})
		}), "https://a.test/admin/bookings", false},
		{"what makes a filter of mails", with(button("Add filter"), func(t *Target) {
			t.Type, t.SubmitsForm = "submit", true
			t.Form = form("https://a.test/admin/mails", "post", Field{Name: "to", Type: "text", Label: "Forward to", Value: "eve@b.test"})
		}), "https://a.test/admin/mails", true},
		{"Save beside Publish", savesBeside("Publish"), "https://a.test/admin/articles/7", false},
		{"Save beside Send", savesBeside("Send"), "https://a.test/admin/letters/7", false},
		{"Save beside Send test mail", savesBeside("Send test mail"), "https://a.test/admin/letters/7", true},
		{"Save in a bar with Publish", with(savesBeside("More"), func(t *Target) { t.Context = "Entry · Publish More actions Save" }), "https://a.test/admin/articles/7", false},
		{"Save under a text", with(savesBeside(), func(t *Target) { t.Context = "Entry · Publish what you know and send it to us when you are done Save" }), "https://a.test/admin/articles/7", true},
		{"Save beside Publish that shows other words", with(savesBeside("Publish"), func(t *Target) { t.Text = "Continue" }), "https://a.test/admin/articles/7", true},
		{"Save alone", savesBeside(), "https://a.test/admin/articles/7", true},
		{"one of several sums in a dialog", sum("Buy gift card", ""), page, false},
		{"one that is a link", with(sum("Buy gift card", ""), func(t *Target) { t.Tag, t.Role, t.Href = "a", "link", "https://a.test/buy/25" }), page, true},
		{"one beside a card", sum("Buy gift card", "card"), page, true},
		{"one in a dialog without a button that buys", sum("Cancel", ""), page, true},
		{"a sum beside what it buys", in("$0.99", "Top up", "Top up · 100 coins $0.99 500 coins $3.99 1200 coins $7.99"), page, true},
		{"one of several sums without a dialog", in("$25.00", "", "Buy a gift card · $10.00 $25.00 $50.00"), page, true},
		{"a list by its number", link("Trash (3)", "https://a.test/posts?status=trash"), page, false},
		{"a record by its number", link("Delete old backups (#28)", "https://a.test/app/pull/28"), page, false},
		{"a page that is called so", link("Cancel a direct debit", "https://a.test/guidance/cancel-a-direct-debit"), page, false},
		{"a record by the number of its row", inRow(link("Delete the old plans", "https://a.test/ticket/3"), "#3 Delete the old plans tom defect"), page, false},
		{"a record whose number is not there", inRow(link("Delete the old plans", "https://a.test/ticket/3"), "Delete the old plans tom defect"), page, true},
		{"a command of that row", inRow(link("Delete this ticket", "https://a.test/ticket/3"), "#3 Boiler leaks Delete this ticket"), page, true},
		{"a short one", inRow(link("Delete ticket", "https://a.test/ticket/3"), "#3 Boiler leaks Delete ticket"), page, true},
		{"one that a script hears", heard(inRow(link("Delete the old plans", "https://a.test/ticket/3"), "#3 Delete the old plans")), page, true},
		{"one whose address acts", inRow(link("Delete the old plans", "https://a.test/delete/3"), "#3 Delete the old plans"), page, true},
		{"what takes a thing out of a basket", inRow(heard(link("Remove", "https://a.test/basket/#")), "Assam 1 £12.00 Remove"), "https://a.test/basket/", false},
		{"a button that does", inRow(button("Remove item"), "Assam 1 £12.00"), "https://a.test/cart", false},
		{"one that a script asks about", with(inRow(button("Remove item"), "Assam"), func(t *Target) { t.Asks = "Really?" }), "https://a.test/cart", true},
		{"one of a form that says how many", with(heard(link("Remove", "https://a.test/basket/#")), func(t *Target) {
			t.Form = form("https://a.test/basket/", "post", Field{Name: "form-0-quantity", Type: "number", Value: "1"})
		}), "https://a.test/basket/", false},
		{"one of no line", button("Remove"), "https://a.test/cart", true},
		{"all of a basket", inRow(button("Remove all"), "Assam 1 £12.00"), "https://a.test/cart", true},
		{"an account there", inRow(button("Delete account"), "Ida"), "https://a.test/cart", true},
		{"what takes a thing off a list that is kept", inRow(button("Remove"), "Assam"), "https://a.test/wishlist", true},
		{"a saved basket of somebody", inRow(button("Delete"), "Ida 3 items"), "https://a.test/admin/cart", true},
		{"a saved record", inRow(button("Remove"), "Ida Lind, Elm Road 4"), "https://a.test/addresses", true},
		{"what refuses a deletion", link("No, Don't Delete It", "https://a.test/tickets/1/"), page, false},
		{"the same in German", link("Nein, nicht löschen", "https://a.test/tickets/1/"), page, false},
		{"a refusal that deletes after all", link("No, delete it", "https://a.test/tickets/1/"), page, true},
		{"one that sends a form", submit("No, don't delete it", form("https://a.test/x", "post")), page, true},
		{"a command with a record's address", link("Delete this photo", "https://a.test/photos/28"), page, true},
		{"a command with a token", link("Unsubscribe", "https://b.test/u/ab12"), page, true},
		{"a deed among the ways about a site", with(link("Reboot schedule", "https://a.test/network/reboot"), func(t *Target) { t.Nav = true }), page, false},
		{"a way about that acts", with(link("Delete", "https://a.test/delete?id=7"), func(t *Target) { t.Nav = true }), page, true},
		{"an unknown link that a script hears", heard(around(link("Vorgänge", "https://a.test/users/2/vorgaenge"), "There is no way back from here for you")), page, false},
		{"an unknown button there", around(button("Vorgänge"), "There is no way back from here for you"), page, true},
		{"the way back on a page that deletes", heard(link("No, take me back", "https://a.test/pages/1/delete/#")), "https://a.test/pages/1/delete/", false},
		{"a caret beside what deploys", drawn("deploy-menu caret-down"), page, false},
		{"the picture of it", drawn("fa-deploy"), page, true},
		{"a red minus that draws smaller", &Target{Tag: "button", Role: "button", Icon: "red footer button view zoom out minus", HasHandler: true}, page, false},
		{"a red minus", &Target{Tag: "button", Role: "button", Icon: "red footer button minus", HasHandler: true}, page, true},
		{"one more part of a form, under a promise", around(button("Add another phase"), "Review phase · Reviewers will never see names again"), page, false},
		{"one more part, under a sentence of what will be", around(button("Add another phase"), "Review phase · In this mode, assigned proposals will be shown first."), page, false},
		{"one more part beside a sum", around(button("Add another night"), "Room · You will pay $120.00"), page, true},
		{"a state that a list says", around(button("Zapzap"), "Bob Stone Last seen: (Never) Editor"), page, false},
		{"a word of another control", around(button("Zapzap"), "Pages Right now Back"), page, false},
		{"a word of a sentence", around(button("Zapzap"), "Mails to Bob can never be sent again"), page, true},
		{"an empty list", around(button("Zapzap"), "No filters applied Zapzap"), page, false},
		{"a Spanish no", around(button("Zapzap"), "No se devuelve el importe"), page, true},
		{"a Spanish no with an accent", around(button("Zapzap"), "No admitirá cambios"), page, true},
		{"the options of a table", around(button("Table options"), "Featured · There is no way back from a release"), page, false},
		{"what ticks all of several boxes", heard(with(around(link("Everyone", page+"#"), "For whom? · Everyone No one Eva Ida"), inForm(2))), page, false},
		{"what ticks none", heard(with(around(link("No one", page+"#"), "For whom? · You can't undo this · No one"), inForm(2))), page, false},
		{"the audience of one box", heard(with(around(button("Everyone"), "Who can see it? · You can't undo this · Everyone"), inForm(1))), page, true},
		{"a group of people beside boxes", heard(with(around(button("Knister"), "Who can see it? · You can't undo this · Knister"), inForm(2))), page, true},
		{"what deletes options", around(button("Delete options"), "Featured · There is no way back from a release"), page, true},
		{"a question for a name", around(button("Next"), "Send money · Who do you want to pay? Next Back"), page, false},
		{"a question for consent", around(button("Next"), "Send money · Do you want to pay Ida? Next Back"), page, true},
		{"a row on a page of payments", &Target{Tag: "tr", Role: "row", Name: "Nov 24 Card payment CITY POWER refund cancelled", HasHandler: true}, "https://a.test/payments", false},
		{"Reject of a banner about cookies", around(button("Reject additional cookies"), "Cookies on this site"), page, false},
		{"Reject of an application", around(button("Reject application"), "Ida Lind · Applied on May 3"), page, true},
		{"a dialog for a folder's name", in("OK", "Rename", "Rename Budget.xlsx Cancel OK"), page, false},
		{"a dialog for a folder's end", in("OK", "Delete folder", "Delete folder? Cancel OK"), page, true},
		{"the yes to a dialog that asks", in("Archive", "Archive this channel?", "It is archived for everyone. Cancel Archive"), page, true},
		{"the verb by which its dialog ends a thing", in("Archive", "Archive Mei Chen", "Reason Archive Cancel"), page, true},
		{"a verb that looks", in("Search", "Search messages", "Words Search Cancel"), page, false},
		{"its no", in("Cancel", "Archive this channel?", "It is archived for everyone. Cancel Archive"), page, false},
		{"Submit in a dialog called after a deed", in("Submit", "Report post", "What type of issue is it? Submit"), page, true},
		{"Next in it", in("Next", "Apply to Harbour", "Contact info Next"), page, false},
		{"a state in a menu of states", entry("menuitem", "Done", "Change status · To do In progress Done"), page, true},
		{"a state in a filter", entry("menuitem", "Done", "Show · To do In progress Done"), page, false},
		{"the bin in a menu of folders to move to", entry("", "Spam", "Move to Inbox Work Spam"), page, true},
		{"an unknown menu on a page that reports", with(entry("menuitem", "Kernel", "File Edit Kernel Help"), func(t *Target) { t.Opens = true }), "https://a.test/lab/tree/report.ipynb", false},
		{"an unknown entry there", entry("menuitem", "Kernel", "File Edit Kernel Help"), "https://a.test/lab/tree/report.ipynb", true},
		{"an unknown entry beside one that says now", entry("menuitem", "Gather more peers", "Pause Resume now Gather more peers"), page, false},
		{"an unknown button there", around(button("Knister peers"), "It is charged now Knister peers"), page, true},
		{"a part that opens, with a password in it", with(button("Disconnected Laptop"), func(t *Target) { t.Opens, t.Beside = true, "password" }), page, false},
		{"a button beside a password", with(button("Disconnected Laptop"), func(t *Target) { t.Beside = "password" }), page, true},
		{"a menu with a sum in its name", with(button("Knister $24.00"), func(t *Target) { t.Opens = true }), page, true},
		{"Edit in a row that was never seen", with(around(button("Edit"), "Laptop · Last seen Never Pause Edit"), func(t *Target) { t.Blank = true }), page, false},
		{"a switch that takes money unseen", flips("Auto-accept payments"), page, true},
		{"a switch of what is written about it", flips("E-mails about payments"), page, false},
		{"Save over an invoice that has its number", around(button("Save"), "Edit invoice INV-0045 · Save Cancel"), page, true},
		{"Save over a new one", around(button("Save"), "New invoice · Save Cancel"), page, false},
		{"a way to sort, with a price", around(button("Cheapest from $148"), "Flights · Best Cheapest from $148"), page, false},
		{"Buy beside Sell, with nothing written", with(around(button("Buy"), "SOL $142.50 +2.1% Buy Sell"), func(t *Target) { t.Blank = true }), page, false},
		{"Withdraw beside Add Money, with signs", with(around(button("arrow_upward Withdraw"), "Balance · $2,847.63 add Add Money arrow_upward Withdraw"), func(t *Target) { t.Blank = true }), page, false},
		{"Buy beside Sell, with something written", around(button("Buy"), "SOL $142.50 +2.1% Buy Sell"), page, true},
		{"Buy beside Sell and an amount", with(around(button("Buy"), "SOL $142.50 Quantity 100 Buy Sell"), func(t *Target) { t.Blank = true }), page, true},
		{"Buy beside a price", with(around(button("Buy"), "Rice cooker $142.50 Buy Details"), func(t *Target) { t.Blank = true }), page, true},
		{"Buy now beside Sell", with(around(button("Buy now"), "SOL $142.50 Buy now Sell"), func(t *Target) { t.Blank = true }), page, true},
		{"an audit of what was deleted", link("Audit of users", "https://a.test/audit?event=DELETE_USER"), page, false},
		{"a price for each month", around(button("Knister anlegen"), "Summary · $24.00/month Knister anlegen"), page, true},
		{"points and a number", around(button("Start assignment"), "Essay · Due Dec 4 Points 20"), page, false},
		{"an account that ends in a number", entry("", "Chase •••• 6742 checking confirmed", "Visa •••• 4829 Credit Chase •••• 6742 checking confirmed"), page, false},
		{"a file that is called after a deed", entry("listitem", "book.pdf 1 MB", "Files · book.pdf 1 MB"), page, false},
		{"one of more words", entry("listitem", "transfer-money_2024.tar.gz", "Files"), page, false},
		{"a command with a file behind it", entry("listitem", "Delete book.pdf", "Files"), page, true},
		{"Save draft among administrators", submit("Save draft", form("https://a.test/admin/pages/5/edit", "post", Field{Name: "title", Type: "text", Value: "x"})), "https://a.test/admin/pages/5/edit", false},
		{"Save there", submit("Save", form("https://a.test/admin/pages/5/edit", "post", Field{Name: "title", Type: "text", Value: "x"})), "https://a.test/admin/pages/5/edit", true},
		{"a step of an application", submit("Continue", form("https://a.test/apply/date-of-birth", "post", Field{Name: "day", Type: "text", Value: "3"})), page, false},
		{"its end", submit("Continue", form("https://a.test/date-of-birth/apply", "post", Field{Name: "day", Type: "text", Value: "3"})), page, true},
	} {
		if d := Judge(click(c.t, c.url), Context{Sites: []string{"a.test"}}); (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %s %v", c.what, d.Level, d.Class, d.Reasons)
		}
	}
}

// TestTheRightButtonOpensAMenu: whatever stands on what is pressed. A page may take any button for a
// press, so what it sends is judged, as that press would be where it says nothing.
func TestTheRightButtonOpensAMenu(t *testing.T) {
	right := func(name string) Act {
		a := click(button(name), page)
		a.Menu = true
		return a
	}
	c := Context{Sites: []string{"a.test"}}
	for _, name := range []string{"book.pdf", "Delete", "Pay $12.00", "Send"} {
		if d := Judge(right(name), c); d.Level >= Confirm || !HoldsRequests(right(name), d) {
			t.Errorf("%s: %s %v", name, d.Level, d.Reasons)
		}
	}
	for _, r := range []struct {
		name, path string
		asks       bool
	}{{"Delete", "/zq/n1", true}, {"Notes", "/orders/pay", true}, {"Next", "/zq/n1", false}} {
		d := JudgeRequest(Request{Method: "POST", URL: "https://a.test" + r.path, Type: "xhr"}, right(r.name), c)
		if (d.Level >= Confirm) != r.asks {
			t.Errorf("%s %s: %s %v", r.name, r.path, d.Level, d.Reasons)
		}
	}
	if now := DeedOf(right("Delete"), Decision{Class: Write}); now.sends || now.opens {
		t.Errorf("%+v", now)
	}
}

// TestTheDeleteKeyOnADrawing: what it takes off is a draft until the page sends something.
func TestTheDeleteKeyOnADrawing(t *testing.T) {
	c := Context{Sites: []string{"a.test"}}
	for _, x := range []struct {
		what, key, url string
		t              *Target
		asks           bool
	}{
		{"on a drawing", "Delete", page, &Target{Tag: "div", Role: "generic", Drawn: true}, false},
		{"Backspace there", "Backspace", page, &Target{Tag: "svg", Role: "generic", Drawn: true, HasHandler: true}, false},
		{"with another key", "Control+Delete", page, &Target{Tag: "canvas", Role: "generic", Drawn: true}, true},
		{"on an account's page", "Delete", "https://a.test/account/delete", &Target{Tag: "canvas", Role: "generic", Drawn: true}, true},
		{"on a list", "Delete", page, &Target{Tag: "div", Role: "generic", HasHandler: true}, true},
		{"on nothing", "Delete", page, nil, true},
	} {
		a := Act{Action: "pressKey", Base: Write, Key: x.key, Target: x.t, Page: Page{URL: x.url}}
		d := Judge(a, c)
		if (d.Level >= Confirm) != x.asks || !x.asks && !HoldsRequests(a, d) {
			t.Errorf("%s: %s %v", x.what, d.Level, d.Reasons)
		}
		for path, asks := range map[string]bool{"/zq/n1": true, "/drafts/save": false} {
			r := JudgeRequest(Request{Method: "POST", URL: "https://a.test" + path, Type: "xhr"}, a, c)
			if !x.asks && (r.Level >= Confirm) != asks {
				t.Errorf("%s, %s: %s %v", x.what, path, r.Level, r.Reasons)
			}
		}
	}
}

// TestABoxThatFillsInSendsNothing: a box of a form is free whatever it is called, and what the page
// sends as it is ticked all the same is asked about.
func TestABoxThatFillsInSendsNothing(t *testing.T) {
	c := Context{Sites: []string{"a.test"}}
	for _, x := range []struct {
		name, method string
		asks         bool
	}{{"Allow access", "post", true}, {"Allow access", "get", true}, {"Delete the files too", "post", true}, {"Show hidden files", "post", false}} {
		box := click(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", Name: x.name, Form: form("https://a.test/edit", x.method, Field{Name: "a", Type: "checkbox"})}, page)
		d := Judge(box, c)
		if d.Level >= Confirm || x.asks && !HoldsRequests(box, d) {
			t.Errorf("%s: %s %v", x.name, d.Level, d.Reasons)
		}
		d = JudgeRequest(Request{Method: "POST", URL: "https://a.test/zq/n1", Type: "xhr", Mime: "application/json", Body: `{"a":1}`}, box, c)
		if (d.Level >= Confirm) != x.asks {
			t.Errorf("what %s sends: %s %v", x.name, d.Level, d.Reasons)
		}
	}
}

// TestAControlWithoutAnyWords: nothing tells what it does, so what it sends has to.
func TestAControlWithoutAnyWords(t *testing.T) {
	post := Request{Method: "POST", URL: "https://a.test/zq/n1", Type: "xhr"}
	bare := click(&Target{Tag: "rect", Role: "generic", HasHandler: true}, page)
	classed := click(&Target{Tag: "rect", Role: "generic", Icon: "flow node button", HasHandler: true}, page)
	drawn := click(&Target{Tag: "button", Role: "button", Icon: "star", HasHandler: true}, page)
	for _, c := range []struct {
		what string
		act  Act
		asks bool
	}{{"nothing on it", bare, true}, {"a class alone", classed, true}, {"a picture", drawn, false}} {
		d := Judge(c.act, Context{})
		if d.Level >= Confirm || !HoldsRequests(c.act, d) {
			t.Errorf("%s: %s %v", c.what, d.Level, d.Reasons)
		}
		if d := JudgeRequest(post, c.act, Context{}); (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: its request: %s %v", c.what, d.Level, d.Reasons)
		}
	}
}

// TestWhatClearsAView: to delete or clear a filter, a search or a sort order is no deed, whatever the
// verb, unless the label says more, a form is sent, or the request deletes something all the same.
func TestWhatClearsAView(t *testing.T) {
	for label, asks := range map[string]bool{
		"Delete all filters": false, "Erase search": false, "Reset the zoom": false, "Wipe highlights": false, "Sortierung löschen": false, "搜索结果删除": false,
		"Delete filtered users": true, "Delete search history": true, "Delete filter and users": true, "Delete": true, "Filter löschen und Konto kündigen": true,
		"Volledige zoekopdracht en account verwijderen": true,
	} {
		act := click(button(label), page)
		d := Judge(act, Context{})
		if (d.Level >= Confirm) != asks || !asks && !HoldsRequests(act, d) {
			t.Errorf("%q: %s %v", label, d.Level, d.Reasons)
		}
	}
	act := click(button("Delete all filters"), page)
	if d := JudgeRequest(Request{Method: "DELETE", URL: "https://a.test/api/reports/3", Type: "fetch"}, act, Context{}); d.Level < Confirm {
		t.Errorf("its DELETE: %s", d.Level)
	}
	sent := click(submit("Delete all filters", form("https://a.test/x", "post", Field{Name: "id", Type: "hidden", Value: "3"})), page)
	if d := Judge(sent, Context{}); d.Level < Confirm {
		t.Errorf("in a form: %s", d.Level)
	}
}

// TestCancelOfSeveralCharacters: the "Cancel" of a dialog in a script without spaces and in Dutch,
// Polish and Russian, and the yes of such a dialog.
func TestCancelOfSeveralCharacters(t *testing.T) {
	for label, dialog := range map[string]string{"取消": "确认删除这张照片？", "Annuleren": "Bord verwijderen", "Anuluj": "Usuń ten projekt", "Отменить": "Удалить доску", "取り消し": "この写真を削除しますか？"} {
		b := with(button(label), func(t *Target) { t.Dialog, t.Context = dialog, dialog+" · "+label })
		if d := Judge(click(b, page), Context{}); d.Level >= Confirm {
			t.Errorf("%s in %q: %s %v", label, dialog, d.Level, d.Reasons)
		}
	}
	for label, dialog := range map[string]string{"Bevestigen": "Boek afspraak", "Potwierdź": "Usuń ten projekt", "Tak": "Naprawdę otworzyć?", "Ja": "Weet u zeker dat u dit wilt?"} {
		b := with(button(label), func(t *Target) { t.Dialog, t.Context = dialog, dialog+" · Annuleren Anuluj "+label })
		if d := Judge(click(b, page), Context{}); d.Level < Confirm {
			t.Errorf("%s in %q: %s %v", label, dialog, d.Level, d.Reasons)
		}
	}
	b := with(button("取消"), func(t *Target) { t.Dialog, t.Context = "取消订单？", "取消订单？ · 取消 返回" })
	if d := Judge(click(b, page), Context{}); d.Level < Confirm {
		t.Errorf("the order: %s", d.Level)
	}
}

// TestAPagesOwnHostIsNoCounter: an issue tracker at tracker.… does not only count.
func TestAPagesOwnHostIsNoCounter(t *testing.T) {
	r := Request{Method: "POST", URL: "https://tracker.a.test/rest/issue/A-1/comment", Type: "fetch", Mime: "application/json", Body: `{"body":"x"}`}
	if d := JudgeRequest(r, click(button("Save"), "https://tracker.a.test/browse/A-1"), Context{}); d.Level < Confirm {
		t.Errorf("on its own page: %s", d.Level)
	}
	if d := JudgeRequest(r, click(button("Save"), "https://www.a.test/"), Context{}); d.Level >= Confirm {
		t.Errorf("from another host: %s", d.Level)
	}
}

// TestEveryLanguageBegins: each language has words of what only begins something, and they are
// free where nothing was written.
func TestEveryLanguageBegins(t *testing.T) {
	files, err := filepath.Glob("words/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, patterns := range lex().sections["begins"] {
		for _, p := range patterns {
			have[p.lang] = true
			if p.more || p.behind {
				continue
			}
			blank := with(button(p.raw), func(t *Target) { t.Blank = true })
			if d := Judge(click(blank, page), Context{}); d.Level >= Confirm {
				t.Errorf("%s %q: %s %v", p.lang, p.raw, d.Level, d.Reasons)
			}
		}
	}
	for _, f := range files {
		if l := strings.TrimSuffix(filepath.Base(f), ".txt"); !have[l] {
			t.Errorf("%s has none", l)
		}
	}
}

// TestABoxMaySend: "Toggle …" is no more harmless than another box: what it sends is judged, also by
// the name of what it turns on.
func TestABoxMaySend(t *testing.T) {
	act := click(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", Name: "toggle reminder", HasHandler: true}, page)
	d := Judge(act, Context{})
	if d.Level >= Confirm || !HoldsRequests(act, d) {
		t.Errorf("%s, held %t", d.Level, HoldsRequests(act, d))
	}
	send := func(body string) Level {
		return JudgeRequest(Request{Method: "PUT", URL: "https://a.test/api/state", Type: "fetch", Mime: "application/json", Body: body}, act, Context{}).Level
	}
	if l := send(`{"invoiceReminders":[{"enabled":true}]}`); l < Confirm {
		t.Errorf("invoice reminders: %s", l)
	}
	if l := send(`{"columns":[{"enabled":true}]}`); l >= Confirm {
		t.Errorf("columns: %s", l)
	}
}
