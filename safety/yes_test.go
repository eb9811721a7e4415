package safety

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestYes: the button that allows an act says the deed and what it is done to, from
// the page's facts, in either language.
func TestYes(t *testing.T) {
	in := func(name, item string) *Target {
		b := button(name)
		b.Item = item
		return b
	}
	form := func(name string, fields ...Field) *Target {
		b := button(name)
		b.SubmitsForm, b.Form = true, &Form{Action: "https://app.test/x", Method: "post", Fields: fields}
		return b
	}
	act := func(action string, t *Target, set func(*Act)) Act {
		a := click(t, "https://app.test/x")
		a.Action = action
		if set != nil {
			set(&a)
		}
		return a
	}
	selects := form("Delete", Field{Name: "mail[]", Type: "checkbox", Value: "1"}, Field{Name: "mail[]", Type: "checkbox", Value: "2"}, Field{Name: "mail[]", Type: "checkbox"})
	selects.Form.Rows = 2
	closes := form("Go", Field{Name: "action", Type: "select", Value: "Close (quietly)"})
	closes.Form.Rows = 2
	around := button("Delete")
	around.Context = "3 conversations selected Archive Delete Snooze"
	dialog := button("Yes")
	dialog.Dialog, dialog.Context = "Delete project walnut?", "Delete project walnut? No Yes"
	for _, c := range []struct {
		what   string
		a      Act
		en, zh string
	}{
		{"a sum", act("click", in("Pay now", ""), func(a *Act) { a.Page.Amounts = []string{"$17.10"} }), "Pay $17.10", "支付 $17.10"},
		{"a sum and a payee", act("click", form("Send money", Field{Name: "payee", Label: "Payee", Type: "text", Value: "Mallory Ltd"}, Field{Name: "amount", Value: "500"}), func(a *Act) { a.Page.Amounts = []string{"$500.00"} }), "Pay $500.00 to Mallory Ltd", "支付 $500.00 给 Mallory Ltd"},
		{"no sum", act("click", button("Place order"), nil), "Place order", "付款或下单：“Place order”"},
		{"its own words", act("click", button("Delete 3 mails"), nil), "Delete 3 mails", "删除或取消：“Delete 3 mails”"},
		{"in Chinese", act("click", button("删除账户"), nil), "Delete or cancel: “删除账户”", "删除账户"},
		{"a row", act("click", in("Delete", "Invoice for May"), nil), "Delete “Invoice for May”", "删除或取消“Invoice for May”"},
		{"ticked lines", act("click", selects, nil), "Delete (2 selected)", "删除或取消 (已选 2 项)"},
		{"a command for ticked lines", act("click", closes, nil), "Change the settings: “Close (quietly)” (2 selected)", "更改设置：“Close (quietly)” (已选 2 项)"},
		{"chosen lines", act("click", around, nil), "Delete (3 selected)", "删除或取消 (已选 3 项)"},
		{"a recipient", act("click", form("Send", Field{Name: "to", Label: "To", Type: "email", Value: "ida@mail.test"}, Field{Name: "body", Type: "textarea", Value: "hello"}), nil), "Send to ida@mail.test", "发送给 ida@mail.test"},
		{"by Enter", act("pressKey", &Target{Tag: "input", Role: "textbox", Name: "Coupon", Editable: true, SubmitsForm: true, DefaultButton: "Delete account", Form: &Form{Action: "https://app.test/x", Method: "post"}}, func(a *Act) { a.Key = "Enter" }), "Delete account", "删除或取消：“Delete account”"},
		{"a question of the page", act("click", dialog, nil), "Yes: “Delete project walnut?”", "是：“Delete project walnut?”"},
		{"a native dialog", act("handleDialog", in("OK", ""), func(a *Act) {
			a.Params, a.Page.Dialog = []byte(`{"accept":true}`), "Delete 3 files?"
		}), "Yes: “Delete 3 files?”", "是：“Delete 3 files?”"},
		{"code", Act{Action: "executeJS", Base: CodeClass, Params: []byte(`{"code":"1"}`), Page: Page{URL: "https://app.test/"}}, "Run this code", "运行这段代码"},
		{"a file", act("uploadFile", in("Attach", ""), func(a *Act) { a.Base, a.Files = FileClass, []string{"/home/ida/report.pdf"} }), "Upload report.pdf", "上传 report.pdf"},
		{"an address", Act{Action: "navigate", Base: Navigate, URL: "https://app.test/items/delete?id=3", Page: Page{URL: "https://app.test/"}}, "Delete or cancel", "删除或取消"},
	} {
		d := Judge(c.a, Context{Sites: []string{"app.test"}})
		if d.Level < Confirm {
			t.Errorf("%s: not asked about", c.what)
			continue
		}
		q := QuestionOf(c.a, d)
		if q.Yes["en"] != c.en || strings.ReplaceAll(strings.ReplaceAll(q.Yes["zh"], "（", " ("), "）", ")") != c.zh {
			t.Errorf("%s: %q, %q; want %q, %q (%s)", c.what, q.Yes["en"], q.Yes["zh"], c.en, c.zh, d.Class)
		}
	}
}

// TestYesIsShort: however long a page's words are, and in whatever they are written,
// the button has one line's worth of them, and says the class.
func TestYesIsShort(t *testing.T) {
	for _, name := range []string{strings.Repeat("delete everything now ", 200), "Delete\n\n\tAllow", "Delete draft? No, just show me the help for it, please", strings.Repeat("删除", 300)} {
		b := button(name)
		b.Item = strings.Repeat("row ", 200)
		a := click(b, "https://app.test/x")
		d := Judge(a, Context{Sites: []string{"app.test"}})
		if d.Level < Confirm {
			d.Level, d.Class = Confirm, Destroy
		}
		for lang, yes := range QuestionOf(a, d).Yes {
			if n := utf8.RuneCountInString(yes); n > 90 || strings.ContainsAny(yes, "\n\r\t") {
				t.Errorf("%s: %d characters: %q", lang, n, yes)
			}
			if !strings.HasPrefix(yes, map[string]string{"en": "Delete", "zh": "删除"}[lang]) {
				t.Errorf("%s: it does not say that it deletes: %q", lang, yes)
			}
		}
	}
}

// TestYesToARequest: the question about a request says whom it goes to.
func TestYesToARequest(t *testing.T) {
	a := blindPress("https://mail.test/x")
	d := JudgeRequest(Request{Method: "POST", URL: "https://mail.test/api/messages", Type: "fetch", Mime: "application/json", Body: `{"to":"ida@mail.test","body":"hello there"}`}, a, Context{Sites: []string{"mail.test"}})
	if q := QuestionOf(a, d); q.Yes["en"] != "Send to ida@mail.test" || q.To != "ida@mail.test" {
		t.Errorf("%q, to %q (%s)", q.Yes["en"], q.To, d.Class)
	}
}
