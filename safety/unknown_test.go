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
	helper := func(context string) Act {
		b := button("Zapzap")
		b.Type, b.Context, b.DefaultButton = "button", context, "Save"
		b.Form = form("https://app.test/codes", "post", Field{Name: "n", Type: "text", Value: "5"})
		return click(b, "https://app.test/plan")
	}
	sort := submit("Ordina", form("https://app.test/list", "get", Field{Name: "ordina", Type: "select", Label: "Ordina per", Value: "Prezzo"}))
	list := at("Commands", "local · banner limit queue Refresh Commands More...")
	list.Page.Title = "Stock Commander"
	for name, c := range map[string]struct {
		act  Act
		asks bool
	}{
		"a sentence of loss":           {at("Zapzap", "web-1 · Nobody brings those tables back to you afterwards. Zapzap"), true},
		"a card":                       {at("Zapzap", "Row 8 · $12.00 Visa •••• 4410 Zapzap"), true},
		"a sentence of unknown words":  {at("Zapzap", "Foo · the blorp quuxes every gnarl within four moons"), true},
		"the same, in a form of Save":  {helper("Foo · the blorp quuxes every gnarl within four moons"), false},
		"loss, in a form of Save":      {helper("web-1 · This cannot be undone. Zapzap"), true},
		"a row of controls":            {at("Zapzap", "Foo · Photos Files Notes 24 h 7 days Zapzap"), false},
		"a noun of another language":   {list, false},
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

// What only tells, shows or leads is not what it speaks of; the same words on a
// control that does it are.
func TestWhatOnlyTells(t *testing.T) {
	at := func(x *Target, url string) Act { return click(x, url) }
	in := func(x *Target, context string) *Target { x.Context = context; return x }
	tag := func(tag, role, name string) *Target {
		return &Target{Tag: tag, Role: role, Name: name, Text: name, HasHandler: true}
	}
	titled := link("Next", "https://app.test/quiz/2")
	titled.Title = "tip"
	icon := tag("button", "button", "")
	icon.Icon = "btn_send ico-plane"
	sql := tag("button", "button", "")
	sql.Icon, sql.Context = "icon-play", "prod · DELETE FROM orders WHERE id < 9;"
	post := form("https://app.test/stop/submit", "post", Field{Name: "stopDate", Type: "hidden", Value: "2026-11-30"})
	for name, c := range map[string]struct {
		act  Act
		asks bool
	}{
		"a question":                 {at(button("Comment résilier ma ligne ?"), "https://app.test/x"), false},
		"two sentences":              {at(button("Why wait? Buy now"), "https://app.test/x"), true},
		"a question that proposes":   {at(button("削除しますか？"), "https://app.test/x"), true},
		"a command to show":          {at(button("Show deleted lines"), "https://app.test/x"), false},
		"to show and do":             {at(button("View and pay"), "https://app.test/x"), true},
		"a column's head":            {at(tag("th", "columnheader", "Publish date"), "https://app.test/x"), false},
		"a mail in a list":           {at(tag("tr", "row", "Plumb & Co Your order has been cancelled, a refund of $64.00 is due"), "https://app.test/x"), false},
		"one word in a row":          {at(tag("tr", "row", "Delete"), "https://app.test/x"), true},
		"an answer in a FAQ":         {at(in(tag("summary", "button", "繳費期限與遲延罰款"), "常見問題"), "https://app.test/x"), false},
		"a menu that opens a dialog": {at(tag("li", "menuitem", "Share…"), "https://app.test/x"), false},
		"a deletion with dots":       {at(tag("li", "menuitem", "Delete…"), "https://app.test/x"), true},
		"filters of the address":     {at(in(button("Reset all"), "Filters · Price to $60 Reset all"), "https://app.test/lamps?price=60"), false},
		"filters of mail":            {at(in(button("Reset all"), "Filters · from:bob Reset all"), "https://app.test/rules"), true},
		"a help article":             {at(link("Delete my account", "https://help.app.test/article/118-delete-account"), "https://help.app.test/"), false},
		"a section":                  {at(link("Pay & transfer", "https://app.test/move-money"), "https://app.test/home"), false},
		"a hint":                     {at(titled, "https://app.test/quiz/1"), false},
		"a picture of two words":     {at(icon, "https://app.test/x"), true},
		"a statement beside it":      {at(sql, "https://app.test/x"), true},
		"a menu of times":            {at(in(tag("li", "menuitem", "Tomorrow morning 8:00 AM"), "Schedule send · Monday"), "https://app.test/x"), true},
		"an address that ends":       {at(submit("Finish move-out", post), "https://app.test/stop/review"), true},
		"a link that acts at once":   {at(in(link("Zapzap", "https://app.test/z/9"), "Desk 4 · Takes effect immediately, without further confirmation"), "https://app.test/x"), true},
		"leaving with a loss":        {at(in(button("狠心关闭吧"), "真的要走吗 · 关闭后将失去会员价 再想想 狠心关闭吧"), "https://app.test/x"), true},
	} {
		if d := Judge(c.act, Context{Sites: []string{"app.test", "help.app.test"}}); (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %s %v", name, d.Level, d.Class, d.Reasons)
		}
	}
}
