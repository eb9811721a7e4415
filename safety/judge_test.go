package safety

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func form(action, method string, fields ...Field) *Form {
	return &Form{Action: action, Method: method, Fields: fields}
}

func submit(name string, f *Form) *Target {
	return &Target{Tag: "button", Role: "button", Type: "submit", Name: name, Text: name, SubmitsForm: true, Form: f}
}

func field(name string, f *Form) *Target {
	return &Target{Tag: "input", Role: "textbox", Type: "text", Name: name, Label: name, Editable: true, SubmitsForm: f != nil, Form: f}
}

func params(s string) json.RawMessage { return json.RawMessage(s) }

const page = "https://a.test/x"

func with(t *Target, change func(*Target)) *Target {
	change(t)
	return t
}

func TestJudgeByFacts(t *testing.T) {
	card := form("https://a.test/next", "post", Field{Name: "cc", Type: "text", Secret: "card"})
	login := form("https://a.test/s", "post", Field{Name: "p", Type: "password", Secret: "password"})
	otp := form("https://a.test/s", "post", Field{Name: "c", Type: "text", Secret: "otp"})
	post := form("https://a.test/save", "post", Field{Name: "n", Type: "text"})
	search := &Form{Action: "https://a.test/s", Method: "get", Search: true, Fields: []Field{{Name: "q", Type: "search"}}}
	upload := form("https://a.test/save", "post", Field{Name: "f", Type: "file", Value: "cv.pdf"})
	withButton := func(t *Target, b string) *Target { t.DefaultButton = b; return t }
	secret := func(kind string) *Target { x := field("Secret", nil); x.Secret = kind; return x }
	role := func(r, name string) *Target { return &Target{Tag: "div", Role: r, Name: name, HasHandler: true} }
	dialog := func(text, accept string) Act {
		return Act{Action: "handleDialog", Base: Write, Params: params(`{"accept":` + accept + `}`), Page: Page{URL: page, Dialog: text}}
	}
	key := func(k string, tg *Target, url string) Act {
		return Act{Action: "pressKey", Base: Write, Key: k, Target: tg, Page: Page{URL: url}}
	}
	typed := func(tg *Target, text string, enter bool) Act {
		return Act{Action: "type", Base: Write, Text: text, Submit: enter, Target: tg, Page: Page{URL: page}}
	}
	inContext := func(name, context string) Act {
		b := button(name)
		b.Context = context
		return click(b, page)
	}

	// A page without a form sends what stands beside the button by script.
	beside := func(name, secret string) *Target {
		return &Target{Tag: "button", Role: "button", Type: "button", Name: name, Text: name, HasHandler: true, Beside: secret}
	}
	for _, c := range []struct {
		name  string
		act   Act
		level Level
		class Class
		rule  string // one that must be among the reasons
	}{
		{"Confirm beside a card", click(beside("Confirm", "card"), page), Confirm, Purchase, "card_beside"},
		{"Continue beside a card's code", click(beside("Continue", "cvc"), page), Confirm, Purchase, "card_beside"},
		{"下一步 beside a card", click(beside("下一步", "card"), page), Confirm, Purchase, "card_beside"},
		{"a word nobody knows beside a card", click(beside("Zorp", "card"), page), Confirm, Purchase, "card_beside"},
		{"Next beside a password", click(beside("Next", "password"), page), Confirm, Identity, "password_beside"},
		{"OK beside a code", click(beside("OK", "otp"), page), Confirm, Identity, "otp_beside"},
		{"Submit beside a tax number", click(beside("Submit", "government"), page), Confirm, Identity, "secret_beside"},
		{"Continue beside nothing", click(beside("Continue", ""), page), Auto, Write, ""},
		{"Back beside a card", click(beside("Back", "card"), page), Auto, Write, ""},
		{"Edit address beside a card", click(beside("Edit address", "card"), page), Auto, Write, ""},
		{"Show details beside a card", click(beside("Show details", "card"), page), Auto, Write, ""},
		{"an innocent tip on Continue beside a card", click(with(beside("Continue", "card"), func(t *Target) { t.Title = "Add to cart" }), page), Confirm, Purchase, "card_beside"},
		{"a button that says to be a switch", click(with(beside("Continue", "card"), func(t *Target) { t.Role = "switch" }), page), Confirm, Purchase, "card_beside"},
		{"a button of a card's form that does not send it", click(with(beside("Continue", "card"), func(t *Target) { t.Form = card }), page), Confirm, Purchase, "card_beside"},
		{"a form of its own beside a card", click(with(submit("Continue", &Form{Action: "https://a.test/x", Method: "get"}), func(t *Target) { t.Beside = "card" }), page), Confirm, Purchase, "card_beside"},
		{"a link that leads nowhere", click(&Target{Tag: "a", Role: "link", Name: "Continue", Text: "Continue", Href: page + "#", Beside: "card"}, page), Confirm, Purchase, "card_beside"},
		{"a link that leads elsewhere", click(&Target{Tag: "a", Role: "link", Name: "Continue", Text: "Continue", Href: "https://a.test/y", Beside: "card"}, page), Auto, Write, ""},
		{"Enter in a card's field without a form", key("Enter", &Target{Tag: "input", Role: "textbox", Name: "Card number", Editable: true, Secret: "card"}, page), Confirm, Purchase, "card_beside"},
		{"Enter in a field beside a card", key("Enter", &Target{Tag: "input", Role: "textbox", Name: "Name", Editable: true, Beside: "card"}, page), Confirm, Purchase, "card_beside"},
		{"Enter in a text area beside a card", key("Enter", &Target{Tag: "textarea", Role: "textbox", Name: "Notes", Editable: true, Beside: "card"}, page), Auto, Write, ""},
		{"month of a card", click(&Target{Tag: "div", Role: "combobox", Name: "Expiry month", HasHandler: true, Beside: "card"}, page), Auto, Write, ""},
		{"country beside a card", click(&Target{Tag: "select", Role: "combobox", Name: "Country", HasHandler: true, Beside: "card"}, page), Auto, Write, ""},
		{"an entry of a list beside a card", click(&Target{Tag: "li", Role: "menuitem", Name: "March", HasHandler: true, Beside: "card"}, page), Auto, Write, ""},
		{"a heading beside a card", click(&Target{Tag: "h2", Role: "heading", Name: "Cardholder", Beside: "card"}, page), Auto, Write, ""},
		{"a box beside a card", click(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", Label: "Gift wrap", Beside: "card"}, page), Auto, Write, ""},
		// forms speak for themselves, whatever the button says
		{"Continue with a card", click(submit("Continue", card), page), Confirm, Purchase, "card_form"},
		{"search that holds a card", click(submit("Search", card), page), Confirm, Purchase, "card_form"},
		{"arrow with a password", click(submit("→", login), page), Confirm, Identity, "password_form"},
		{"code", click(submit("Next", otp), page), Confirm, Identity, "otp_form"},
		{"file in the form", click(submit("Next", upload), page), Confirm, FileClass, "file_form"},
		{"plain form", click(submit("Go on", post), page), Notify, Submit, "submits_form"},
		{"plain form on settings", click(submit("Go on", post), "https://a.test/settings"), Confirm, Settings, "sensitive_url"},
		{"plain form, sensitive text", Act{Action: "click", Base: Write, Target: submit("Go on", post), Page: Page{URL: page, Text: "This cannot be undone."}}, Confirm, Submit, "sensitive_text"},
		{"form to an acting address", click(submit("Go on", form("https://a.test/items/3/delete", "post")), page), Confirm, Destroy, "acting_url"},
		{"form to a sensitive address", click(submit("Go on", form("https://a.test/billing", "post")), page), Confirm, Submit, "sensitive_action"},
		{"form by mail", click(submit("Go on", form("mailto:a@a.test", "post")), page), Confirm, Communicate, "mail_form"},
		{"search", click(submit("Search", search), page), Auto, Write, ""},
		{"search on settings", click(submit("Go", search), "https://a.test/settings"), Auto, Write, ""},
		{"add to cart", click(submit("Add to cart", form("https://a.test/cart/add", "post")), page), Auto, Write, ""},
		{"checkout by form", click(submit("Proceed to checkout", form("https://a.test/checkout", "post")), "https://a.test/cart"), Notify, Navigate, "navigate_word"},
		{"reset button", click(&Target{Tag: "button", Type: "reset", Name: "Reset", Form: post}, page), Notify, Destroy, "destroy_word"},

		// names in every place, each by itself
		{"innocent name, paying text", click(&Target{Tag: "button", Role: "button", Name: "Next", Text: "Pay $5"}, page), Confirm, Purchase, "purchase_word"},
		{"title only", click(&Target{Tag: "div", Title: "Delete", HasHandler: true}, page), Confirm, Destroy, "destroy_word"},
		{"value of an input", click(&Target{Tag: "input", Type: "submit", Value: "Buy now"}, page), Confirm, Purchase, "purchase_word"},
		{"frame on a sensitive host", click(&Target{Tag: "button", Name: "Submit", FrameURL: "https://checkout.pay.test/"}, page), Confirm, Submit, "sensitive_url"},
		{"unnamed on checkout", click(&Target{Tag: "div", HasHandler: true}, "https://a.test/checkout"), Confirm, Submit, "unnamed"},
		{"unnamed in settings", click(&Target{Tag: "div", HasHandler: true}, "https://a.test/settings/staff"), Auto, Write, ""},
		{"unnamed, sends settings", click(&Target{Tag: "button", SubmitsForm: true, Form: &Form{Method: "post"}}, "https://a.test/settings/staff"), Confirm, Settings, "sensitive_url"},
		{"unnamed elsewhere", click(&Target{Tag: "div", HasHandler: true}, page), Auto, Write, ""},
		{"no target on checkout", click(nil, "https://a.test/checkout"), Confirm, Submit, "sensitive_url"},
		{"no target", click(nil, page), Notify, Write, "no_target"},

		// a click into a form's field sends nothing
		{"click into a field of a card form", click(field("Name", card), "https://a.test/checkout"), Auto, Write, ""},
		{"box in a card form", click(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", Label: "Gift wrap", SubmitsForm: true, Form: card}, page), Auto, Write, ""},
		{"number in a card form", click(&Target{Tag: "input", Type: "number", Role: "spinbutton", Editable: true, SubmitsForm: true, Form: card}, page), Auto, Write, ""},
		{"range in a card form", click(&Target{Tag: "input", Type: "range", Role: "slider", SubmitsForm: true, Form: card}, page), Auto, Write, ""},

		// links
		{"link that deletes, with a handler", click(&Target{Tag: "a", Role: "link", Name: "Tidy up", Href: "https://a.test/items/3/delete", HasHandler: true}, page), Confirm, Destroy, "acting_url"},
		{"link that deletes", click(link("Tidy up", "https://a.test/items/3/delete"), page), Confirm, Destroy, "acting_url"},
		{"link out of a mail", click(link("here", "https://a.test/unsubscribe?id=3"), page), Confirm, Destroy, "acting_url"},
		{"link shows another host", click(link("www.bank.com", "https://evil.test/"), page), Confirm, Navigate, "link_text_host"},
		{"link shows its own host", click(link("www.a.com", "https://shop.a.com/"), page), Auto, Write, ""},
		{"file name is no host", click(link("index.html", "https://a.test/index.html"), page), Auto, Write, ""},
		{"mail link", click(link("Write to us", "mailto:a@a.test"), page), Confirm, Communicate, "external_scheme"},
		{"script link", click(&Target{Tag: "a", Role: "link", Name: "Menu", Href: "javascript:void(0)"}, page), Auto, Write, ""},
		{"script link that pays", click(&Target{Tag: "a", Role: "link", Name: "Pay", Href: "javascript:pay()"}, page), Confirm, Purchase, "purchase_word"},
		{"link with a handler", click(&Target{Tag: "a", Role: "link", Name: "Donate", Href: "https://a.test/d", HasHandler: true}, page), Confirm, Purchase, "purchase_word"},
		{"chrome link", click(link("Settings", "chrome://settings"), page), Block, Navigate, "scheme"},
		{"login link", click(link("Log in", "https://a.test/login"), page), Notify, Navigate, "link_word"},

		// weak words take their meaning from the question
		{"yes to deletion", inContext("Yes", "Are you sure you want to delete 3 files?"), Confirm, Destroy, "agrees_to"},
		{"OK, no way back", inContext("OK", "This cannot be undone."), Confirm, Destroy, "agrees_to"},
		{"确定", inContext("确定", "确定要删除该文件吗？"), Confirm, Destroy, "agrees_to"},
		{"Ja", inContext("Ja", "Möchten Sie Ihr Konto löschen?"), Confirm, Destroy, "agrees_to"},
		{"continue under terms", inContext("Continue", "By continuing you accept our Terms of Service."), Confirm, Legal, "agrees_to"},
		{"OK to a hint", inContext("OK", "Tip: you can drag the columns."), Auto, Write, ""},

		// typing
		{"password", typed(secret("password"), "x", false), Confirm, Identity, "password_field"},
		{"card", typed(secret("card"), "4", false), Confirm, Purchase, "card_field"},
		{"cvc", typed(secret("cvc"), "4", false), Confirm, Purchase, "cvc_field"},
		{"otp", typed(secret("otp"), "4", false), Confirm, Identity, "otp_field"},
		{"passport", typed(secret("government"), "4", false), Confirm, Identity, "government_field"},
		{"plain text", typed(field("City", post), "Ulm", false), Auto, Write, ""},
		{"text with Enter", typed(withButton(field("City", post), "Order and pay"), "Ulm", true), Confirm, Purchase, "purchase_word"},
		{"line break sends", typed(field("City", card), "Ulm\n", false), Confirm, Purchase, "card_form"},
		{"chat", typed(field("Write a message", nil), "hi\n", false), Confirm, Communicate, "enter_sends"},

		// keys
		{"Enter in a card form", key("Enter", field("Name", card), page), Confirm, Purchase, "card_form"},
		{"Enter, default button", key("Enter", withButton(field("Name", post), "Delete"), page), Confirm, Destroy, "destroy_word"},
		{"Enter on a button beside the default one", key("Enter", withButton(submit("Delete", post), "Save"), page), Confirm, Destroy, "destroy_word"},
		{"Enter in a text area", key("Enter", &Target{Tag: "textarea", Role: "textbox", Name: "Notes", Editable: true, Form: card, DefaultButton: "Pay"}, page), Auto, Write, ""},
		{"Control+Enter in a text area", key("Control+Enter", &Target{Tag: "textarea", Role: "textbox", Name: "Notes", Editable: true, Form: card, DefaultButton: "Pay"}, page), Confirm, Purchase, "card_form"},
		{"Enter on a box", key("Enter", withButton(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", SubmitsForm: true, Form: card}, "Pay"), page), Confirm, Purchase, "purchase_word"},
		{"Enter in search", key("Enter", &Target{Tag: "input", Type: "search", Editable: true, SubmitsForm: true, Form: search}, page), Auto, Write, ""},
		{"Enter on a button", key("Enter", button("Pay"), page), Confirm, Purchase, "purchase_word"},
		{"Control+Enter in a mail", key("Control+Enter", &Target{Tag: "div", Role: "textbox", Name: "Message body", Editable: true}, page), Confirm, Communicate, "enter_sends"},
		{"Space on a button", key(" ", button("Pay"), page), Confirm, Purchase, "purchase_word"},
		{"Space in a field", key("Space", field("City", nil), page), Auto, Write, ""},
		{"Delete on a list", key("Delete", role("row", "Invoice"), page), Confirm, Destroy, "delete_key"},
		{"Delete in a field", key("Delete", field("City", nil), page), Auto, Write, ""},
		{"Tab", key("Tab", nil, page), Auto, Write, ""},
		{"ArrowDown", key("ArrowDown", nil, "https://a.test/checkout"), Auto, Write, ""},

		// toggles, selects, drags, dialogs
		{"agree box", click(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", Label: "I agree to the terms"}, page), Confirm, Legal, "legal_word"},
		{"newsletter box", click(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", Label: "Subscribe to news"}, page), Notify, Purchase, "purchase_word"},
		{"a button that calls itself a box", click(role("checkbox", "Pay now"), page), Confirm, Purchase, "purchase_word"},
		{"agree by check", Act{Action: "check", Base: Write, Target: &Target{Type: "checkbox", Label: "我同意"}, Page: Page{URL: page}}, Confirm, Legal, "legal_word"},
		{"select", Act{Action: "select", Base: Write, Params: params(`{"value":"Delete"}`), Target: &Target{Tag: "select"}, Page: Page{URL: page}}, Auto, Write, ""},
		{"select that acts", Act{Action: "select", Base: Write, Params: params(`{"value":"Delete"}`), Target: &Target{Tag: "select", OnChange: true}, Page: Page{URL: page}}, Confirm, Destroy, "destroy_word"},
		{"drag to trash", Act{Action: "dragDrop", Base: Write, Target: role("row", "Mail"), Drop: role("button", "Trash"), Page: Page{URL: page}}, Confirm, Destroy, "destroy_word"},
		{"drag to the column of what is closed", Act{Action: "dragDrop", Base: Write, Target: with(role("generic", "#6 A new key"), func(t *Target) { t.Context = "Open · #2 A pane #6 A new key" }), Drop: with(role("generic", "#5 No hot water"), func(t *Target) { t.Context = "Closed 1 · #5 No hot water" }), Page: Page{URL: page}}, Confirm, Destroy, "drop_zone"},
		{"drag within that column", Act{Action: "dragDrop", Base: Write, Target: with(role("generic", "#6 A new key"), func(t *Target) { t.Context = "Closed · #5 No hot water #6 A new key" }), Drop: with(role("generic", "#5 No hot water"), func(t *Target) { t.Context = "Closed · #5 No hot water" }), Page: Page{URL: page}}, Auto, Write, ""},
		{"drag to another column", Act{Action: "dragDrop", Base: Write, Target: with(role("generic", "#6 A new key"), func(t *Target) { t.Context = "Open · #6 A new key" }), Drop: with(role("generic", "#5 No hot water"), func(t *Target) { t.Context = "Next week · #5 No hot water" }), Page: Page{URL: page}}, Auto, Write, ""},
		{"drag to a folder", Act{Action: "dragDrop", Base: Write, Target: role("row", "Mail"), Drop: role("treeitem", "Holidays"), Page: Page{URL: page}}, Auto, Write, ""},
		{"agree to a dialog", dialog("Delete this file?", "true"), Confirm, Destroy, "dialog_text"},
		{"dismiss a dialog", dialog("Delete this file?", "false"), Auto, Write, ""},
		{"harmless dialog", dialog("Saved.", "true"), Notify, Submit, "dialog"},

		// the rest of the registry
		{"hover", Act{Action: "hover", Base: Read, Target: button("Pay"), Page: Page{URL: page}}, Auto, Read, ""},
		{"scroll", Act{Action: "scroll", Base: Read, Page: Page{URL: "https://a.test/checkout"}}, Auto, Read, ""},
		{"getElements", Act{Action: "getElements", Base: Read, Page: Page{URL: page}}, Auto, Read, ""},
		{"goBack", Act{Action: "goBack", Base: Navigate, Page: Page{URL: page}}, Auto, Navigate, ""},
		{"waitFor text", Act{Action: "waitFor", Base: Read, Params: params(`{"text":"x"}`)}, Auto, Read, ""},
		{"waitFor function", Act{Action: "waitFor", Base: Read, Params: params(`{"function":"() => fetch('/x')"}`)}, Confirm, CodeClass, "always"},
		{"savePDF outside", Act{Action: "savePDF", Base: FileClass, File: "/home/ada/x.pdf"}, Confirm, FileClass, "outside_folder"},
		{"savePDF inside", Act{Action: "savePDF", Base: FileClass, File: "/tmp/task/x.pdf"}, Auto, FileClass, ""},
		{"download", Act{Action: "download", Base: FileClass, File: "/tmp/task/x.pdf", URL: "https://a.test/x.pdf"}, Notify, FileClass, "download"},
		{"program", Act{Action: "download", Base: FileClass, File: "/tmp/task/x.exe", URL: "https://a.test/x.exe"}, Confirm, FileClass, "program"},
		{"upload from elsewhere", Act{Action: "uploadFile", Base: FileClass, Files: []string{"/etc/passwd"}}, Block, FileClass, "upload_dir"},
		{"unknown action", Act{Action: "teleport", Base: Communicate}, Confirm, Communicate, "class"},
		{"no class", Act{Action: "teleport"}, Confirm, Settings, "no_class"},
		{"mouse down on pay", Act{Action: "mouseDown", Base: Write, Target: button("Pay"), Page: Page{URL: page}}, Confirm, Purchase, "purchase_word"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Judge(c.act, Context{UploadDirs: []string{"/tmp/up"}, WriteDirs: []string{"/tmp/task"}})
			if d.Level != c.level || d.Class != c.class {
				t.Errorf("%v %s, want %v %s: %v", d.Level, d.Class, c.level, c.class, d.Reasons)
			}
			found := c.rule == ""
			for _, r := range d.Reasons {
				found = found || r.Rule == c.rule
				if r.Rule == "" || r.Text == "" {
					t.Errorf("an empty reason: %+v", r)
				}
			}
			if !found {
				t.Errorf("no reason %s: %v", c.rule, d.Reasons)
			}
			if again := Judge(c.act, Context{UploadDirs: []string{"/tmp/up"}, WriteDirs: []string{"/tmp/task"}}); !reflect.DeepEqual(again, d) {
				t.Errorf("judged again: %+v, before %+v", again, d)
			}
		})
	}
}

func TestAmount(t *testing.T) {
	pay := func(name string, p Page) Act {
		p.URL = page
		return Act{Action: "click", Base: Write, Target: button(name), Page: p}
	}
	for _, c := range []struct {
		name string
		act  Act
		want string
	}{
		{"on the button", pay("Pay $12.50", Page{Amounts: []string{"$3.90"}}), "$12.50"},
		{"after the total", pay("Place order", Page{Items: []string{"1 × Mug $8.60", "Shipping $3.90", "Total $12.50"}, Amounts: []string{"$8.60", "$3.90", "$12.50"}}), "$12.50"},
		{"in the text", pay("Place order", Page{Text: "Mug $8.60\nOrder total: $12.50\nYou save $1.00", Amounts: []string{"$8.60", "$12.50", "$1.00"}}), "$12.50"},
		{"the nearest", pay("Place order", Page{Amounts: []string{"£9", "£10"}}), "£9"},
		{"euros", pay("Jetzt kaufen 1.234,56 €", Page{}), "1.234,56 €"},
		{"合计", pay("提交订单", Page{Text: "运费 ¥5\n合计 ¥128.00", Amounts: []string{"¥5", "¥128.00"}}), "¥128.00"},
		{"none", pay("Place order", Page{}), ""},
		{"not for others", pay("Delete", Page{Amounts: []string{"$5"}}), ""},
	} {
		if d := Judge(c.act, Context{}); d.Amount != c.want {
			t.Errorf("%s: %q, want %q", c.name, d.Amount, c.want)
		}
	}
}

func TestDetails(t *testing.T) {
	mail := form("https://b.test/send", "post",
		Field{Name: "to", Type: "email", Label: "To", Value: "bob@b.test"}, Field{Name: "t", Type: "hidden", Value: "x"},
		Field{Name: "body", Type: "textarea", Value: "My card is 4111 1111 1111 1111."}, Field{Name: "p", Type: "password", Secret: "password", Value: "s3cret"})
	for _, c := range []struct {
		name string
		act  Act
		want []string
		not  string
	}{
		{"code", Act{Action: "executeJS", Base: CodeClass, Params: params(`{"code":"` + strings.Repeat("x", 600) + `"}`)}, []string{strings.Repeat("x", 500) + "…"}, strings.Repeat("x", 501)},
		{"file", Act{Action: "uploadFile", Base: FileClass, Files: []string{"/home/ada/cv.pdf"}}, []string{"/home/ada/cv.pdf"}, ""},
		{"items", Act{Action: "click", Base: Write, Target: button("Pay"), Page: Page{URL: page, Items: []string{"1 × Blue mug $8.60"}}}, []string{"1 × Blue mug $8.60"}, ""},
		{"send", click(submit("Send", &Form{Action: "https://b.test/send", Method: "post", Fields: mail.Fields[:3]}), page), []string{"To: bob@b.test", "body: My card is [card number].", "Goes to b.test"}, "4111"},
		{"secrets stay out", click(submit("Send", mail), page), nil, "s3cret"},
		{"foreign frame", click(&Target{Tag: "button", Name: "Pay", FrameURL: "https://psp.test/f"}, page), []string{"In a frame of psp.test"}, ""},
	} {
		d := Judge(c.act, Context{})
		all := strings.Join(d.Details, "\n")
		for _, w := range c.want {
			if !strings.Contains("\n"+all+"\n", "\n"+w+"\n") {
				t.Errorf("%s: no line %q in %q", c.name, w, d.Details)
			}
		}
		if c.not != "" && strings.Contains(all, c.not) {
			t.Errorf("%s: %q stands in %q", c.name, c.not, all)
		}
	}
}

// The tour's shop, step by step: one question in the whole way, at the end.
func TestAShopsWay(t *testing.T) {
	c := Context{LocalHosts: []string{"shop.test"}}
	find := &Form{Action: "http://shop.test:8/search", Method: "get", Search: true, Fields: []Field{{Name: "q", Type: "search"}}}
	sort := form("http://shop.test:8/search", "get", Field{Name: "q", Type: "hidden"}, Field{Name: "sort", Type: "select"})
	add := form("http://shop.test:8/cart/add", "post", Field{Name: "quantity", Type: "number"})
	less := form("http://shop.test:8/cart/update", "post", Field{Name: "quantity", Type: "number"})
	address := form("http://shop.test:8/checkout", "post", Field{Name: "name", Type: "text"}, Field{Name: "email", Type: "email"})
	at := func(path string, a Act) Act { a.Page.URL = "http://shop.test:8" + path; return a }
	text := Page{Text: "This is a demonstration: nothing is shipped or charged, so any address will do. Total $16.60"}
	for _, s := range []struct {
		name string
		act  Act
		most Level
	}{
		{"search box", at("/", Act{Action: "type", Base: Write, Text: "blue mug", Target: &Target{Tag: "input", Type: "search", Role: "searchbox", Editable: true, SubmitsForm: true, Form: find}}), Auto},
		{"search", at("/", click(submit("Search", find), "")), Auto},
		{"sort", at("/search?q=x", click(submit("Apply", sort), "")), Auto},
		{"product", at("/search?q=x", click(link("Blue mug, small $12.70", "http://shop.test:8/p/3"), "")), Auto},
		{"add", at("/p/3", click(submit("Add to cart", add), "")), Auto},
		{"cart", at("/p/3", click(link("View cart", "http://shop.test:8/cart"), "")), Auto},
		{"quantity", at("/cart", click(submit("Update quantity", less), "")), Auto},
		{"take out", at("/cart", click(submit("Remove from cart", less), "")), Auto},
		{"a file", at("/p/3", click(submit("PDF", &Form{Action: "http://shop.test:8/tickets/4/3/pdf", Method: "post"}), "")), Notify},
		{"an export", at("/p/3", click(submit("Start export", &Form{Action: "http://shop.test:8/export/do", Method: "post"}), "")), Notify},
		{"to checkout", at("/cart", click(link("Proceed to checkout", "http://shop.test:8/checkout"), "")), Notify},
		{"name", at("/checkout", Act{Action: "type", Base: Write, Text: "Ada", Target: field("Full name", address), Page: text}), Auto},
	} {
		if d := Judge(s.act, c); d.Level > s.most {
			t.Errorf("%s: %v %v", s.name, d.Level, d.Reasons)
		}
	}
	pay := at("/checkout", Act{Action: "click", Base: Write, Target: submit("Pay $16.60", address), Page: text})
	if d := Judge(pay, c); d.Level != Confirm || d.Class != Purchase || d.Amount != "$16.60" {
		t.Errorf("pay: %+v", d)
	}
	enter := at("/checkout", Act{Action: "pressKey", Base: Write, Key: "Enter", Page: text, Target: func() *Target {
		f := field("City", address)
		f.DefaultButton = "Pay $16.60"
		return f
	}()})
	if d := Judge(enter, c); d.Level != Confirm || d.Class != Purchase || d.Amount != "$16.60" {
		t.Errorf("Enter: %+v", d)
	}
}
