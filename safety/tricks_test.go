package safety

import (
	"slices"
	"testing"
)

// What a page can do to have something pressed that nobody would press: names
// that look like others, scripts in links, forms that say more than their
// buttons, keys that send.

func TestDisguisedNames(t *testing.T) {
	for name, class := range map[string]Class{
		"ᎠᎬᏞᎬᎢᎬ": Destroy, "ꓑꓮꓬ ꓠꓳꓪ": Purchase, "ᗷᑌY now": Purchase, "ⲢⲀY": Purchase, "Տend reply": Communicate,
		"DeIete fiIes": Destroy, "CanceI order": Destroy, "\u202etnuocca eteleD": Destroy, "\u2067tnuocca eteleD\u2069": Destroy,
	} {
		d := Judge(Act{Action: "click", Base: Write, Page: Page{URL: "https://a.example/"}, Target: &Target{Tag: "button", Role: "button", Name: name, Text: name, HasHandler: true}}, Context{})
		if d.Level < Confirm || d.Class != class {
			t.Errorf("%q: %s %s", name, d.Level, d.Class)
		}
	}
	for _, name := range []string{"McIntyre", "WiFi", "LinkedIn", "ᎣᏏᏲ", "Öffnungszeiten", "ΔΕΗ", "Ⲁ"} {
		d := Judge(Act{Action: "click", Base: Write, Page: Page{URL: "https://a.example/"}, Target: &Target{Tag: "button", Role: "button", Name: name, Text: name, HasHandler: true}}, Context{})
		if d.Level >= Confirm {
			t.Errorf("%q: %s %v", name, d.Level, d.Reasons)
		}
	}
}

func TestLinksThatAreScripts(t *testing.T) {
	for href, want := range map[string]Level{
		"javascript:deletePost(3)": Confirm, "javascript:__doPostBack('grid','Delete$3')": Confirm, "javascript:void(placeOrder(7))": Confirm,
		"javascript:%64elete_row(3)": Confirm, "JavaScript:payInvoice()": Confirm, "javascript:signout()": Confirm,
		"javascript:closePopup()": Auto, "javascript:removeFilter('red')": Auto, "javascript:void(0)": Auto, "javascript:history.back()": Auto, "javascript:payments()": Auto,
	} {
		link := &Target{Tag: "a", Role: "link", Name: "Continue", Text: "Continue", Href: href}
		if d := Judge(Act{Action: "click", Base: Write, Page: Page{URL: "https://a.example/"}, Target: link}, Context{}); (d.Level >= Confirm) != (want >= Confirm) {
			t.Errorf("%s: %s %v", href, d.Level, d.Reasons)
		}
	}
}

func TestFormsThatPay(t *testing.T) {
	form := func(method, action string, fields ...Field) *Form {
		return &Form{Action: "https://a.example" + action, Method: method, Fields: fields, Buttons: []string{"Next"}}
	}
	for name, c := range map[string]struct {
		form *Form
		asks bool
	}{
		"a sum and a payee":        {form("post", "/3", Field{Name: "amount", Value: "500"}, Field{Name: "payee_id", Value: "m-31"}), true},
		"a sum and an IBAN":        {form("post", "/3", Field{Name: "tx[betrag]", Value: "12,50"}, Field{Name: "iban", Value: "DE44500105175407324931"}), true},
		"by address":               {form("get", "/transfer", Field{Name: "amount", Value: "900"}, Field{Name: "to", Value: "mallory"}), true},
		"by address, settled":      {form("get", "/order", Field{Name: "confirm", Value: "1"}), true},
		"currencies":               {form("post", "/3", Field{Name: "amount", Value: "500"}, Field{Name: "to", Value: "EUR"}), false},
		"currencies, chosen":       {form("post", "/3", Field{Name: "amount", Value: "500"}, Field{Name: "to", Type: "select", Value: "Euro"}), false},
		"a sum and who paid it":    {form("post", "/add", Field{Name: "amount", Value: "84"}, Field{Name: "payer", Type: "select", Value: "Jon"}), true},
		"a filter by both":         {form("get", "/flat", Field{Name: "amount_min", Value: "84"}, Field{Name: "payer", Type: "select", Value: "Jon"}), false},
		"no sum yet":               {form("post", "/3", Field{Name: "amount"}, Field{Name: "to", Value: "m-31"}), false},
		"a sum, nobody to have it": {form("post", "/3", Field{Name: "amount", Value: "2"}, Field{Name: "size", Value: "L"}), false},
	} {
		next := &Target{Tag: "button", Role: "button", Name: "Next", Text: "Next", Type: "submit", SubmitsForm: true, Form: c.form}
		field := &Target{Tag: "input", Role: "textbox", Name: "Note", Editable: true, SubmitsForm: true, Form: c.form, DefaultButton: "Next"}
		for _, a := range []Act{{Action: "click", Target: next}, {Action: "pressKey", Key: "Enter", Target: field}, {Action: "type", Text: "hi", Submit: true, Target: field}} {
			a.Base, a.Page = Write, Page{URL: "https://a.example/2"}
			if d := Judge(a, Context{}); (d.Level >= Confirm) != c.asks {
				t.Errorf("%s, %s: %s %v", name, a.Action, d.Level, d.Reasons)
			}
		}
	}
	for name, c := range map[string]struct {
		label, value, around string
		asks                 bool
	}{
		"a price beside a bare sign": {"", "50.00", "Balance €10.00", true}, "a plus beside a price": {"+", "12,50", "Stand 10,00 €", true}, "no price": {"+", "50", "Balance €10.00", false},
		"a price of nothing": {"+", "0.00", "Balance €10.00", false}, "a price to search by": {"Search", "12.50", "Balance €10.00", false}, "hours of work": {"+", "12.50", "Monday", false},
	} {
		b := &Target{Tag: "button", Role: "button", Name: c.label, Text: c.label, Icon: "fa fa-plus", Type: "submit", Context: c.around, SubmitsForm: true, Form: form("post", "/giftcard/1/", Field{Name: "value", Type: "text", Value: c.value})}
		if d := Judge(Act{Action: "click", Base: Write, Page: Page{URL: "https://a.example/giftcard/1/"}, Target: b}, Context{}); (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %v", name, d.Level, d.Reasons)
		}
	}
	search := form("get", "/wire/send", Field{Name: "amount", Value: "900"})
	search.Search = true
	d := Judge(Act{Action: "click", Base: Write, Page: Page{URL: "https://a.example/2"}, Target: &Target{Tag: "button", Role: "button", Name: "Search", Text: "Search", Type: "submit", SubmitsForm: true, Form: search}}, Context{})
	if d.Level < Confirm {
		t.Errorf("a form that is called a search: %s %v", d.Level, d.Reasons)
	}
}

func TestAddressesThatAct(t *testing.T) {
	for address, asks := range map[string]bool{
		"https://a.example/list?do=del&id=3": true, "https://a.example/list?delete=3": true, "https://a.example/?op=trash": true, "https://a.example/dl/setup.EXE": true,
		"https://a.example/dl/app.dmg?x=1": true, "https://a.example/list?do=show": false, "https://a.example/list?delete=0": false,
		"https://a.example/?remove=red": false, "https://a.example/calle/del/mar": false, "https://a.example/install.sh": false, "https://a.example/manual.pdf": false, "https://exe.example/": false,
	} {
		link := &Target{Tag: "a", Role: "link", Name: "Go on", Text: "Go on", Href: address, LinkText: "Go on"}
		for _, a := range []Act{{Action: "click", Base: Write, Target: link}, {Action: "navigate", Base: Navigate, URL: address}, {Action: "openTab", Base: Navigate, URL: address}} {
			a.Page = Page{URL: "https://a.example/"}
			if d := Judge(a, Context{}); (d.Level >= Confirm) != asks {
				t.Errorf("%s, %s: %s %v", a.Action, address, d.Level, d.Reasons)
			}
		}
	}
}

func TestKeysThatSend(t *testing.T) {
	box := func(name string) *Target { return &Target{Tag: "div", Role: "textbox", Name: name, Editable: true} }
	for _, c := range []struct {
		key, url string
		t        *Target
		asks     bool
	}{
		{"Alt+S", "https://mail.example/", box("Message body"), true},
		{"Control+Enter", "https://docs.example/", box(""), true},
		{"Meta+Enter", "https://docs.example/", box("Notes"), true},
		{"Control+Shift+Enter", "https://mail.example/", box("Message body"), true},
		{"Enter", "https://social.example/messages/31", box(""), true},
		{"Enter", "https://chat.example/", box("Aa"), true},
		{"Enter", "https://social.example/messages/31", box("Search people"), false},
		{"Enter", "https://social.example/messages/31", &Target{Tag: "input", Role: "textbox", Name: "To", Editable: true}, false},
		{"Enter", "https://docs.example/document/3", box("Document content"), false},
		{"Alt+S", "https://docs.example/document/3", box("Document content"), false},
		{"Control+S", "https://mail.example/", box("Message body"), false},
	} {
		if d := Judge(Act{Action: "pressKey", Base: Write, Key: c.key, Target: c.t, Page: Page{URL: c.url}}, Context{}); (d.Level >= Confirm) != c.asks {
			t.Errorf("%s in %q on %s: %s %v", c.key, c.t.Name, c.url, d.Level, d.Reasons)
		}
	}
}

// TestAmountsOfTheWorld: a sum is a sum in every currency and script, and makes
// a payment of a mild word beside it.
func TestAmountsOfTheWorld(t *testing.T) {
	for _, sum := range []string{
		"Rp 150.000", "RM 20.00", "₱300", "₦5,000", "₴120", "₪45", "1 290 Kč", "4 990 Ft", "NT$1,280", "Rs. 500", "S/ 120.00", "৳900", "₲50.000", "129 zł",
		"１２８元", "￥３，９８０", "３９，８００원", "₹१,२८०", "१२८० रुपये", "١٢٨ ر.س", "۱۲۸ دولار", "500 грн", "99 lei", "CZK 1200", "PLN 99", "1200 SEK",
	} {
		if got := Amounts("Summe: " + sum + " ;"); !slices.Equal(got, []string{sum}) {
			t.Errorf("%q: %q", sum, got)
		}
		b := &Target{Tag: "button", Role: "button", Name: "Continue", Text: "Continue", HasHandler: true, Context: "Total: " + sum}
		if d := Judge(Act{Action: "click", Base: Write, Target: b, Page: Page{URL: "https://a.example/4"}}, Context{}); d.Level < Confirm || d.Class != Purchase || d.Amount != sum {
			t.Errorf("%q: %s %s %q", sum, d.Level, d.Class, d.Amount)
		}
	}
	for _, text := range []string{"PS/2 port", "try 3 times", "Form 12", "Room 12", "rs 3", "5 leis", "km/h 50", "12:30", "arm 5"} {
		if got := Amounts(text); text != "rs 3" && len(got) > 0 {
			t.Errorf("%q: %q is no money", text, got)
		}
	}
}
