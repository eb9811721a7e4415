package safety

import (
	"strings"
	"testing"
)

// The least that the gate has to know, word for word.
var (
	minimumURLs  = strings.Fields("checkout payment pay billing login signin signup auth oauth delete remove cancel unsubscribe admin settings account profile bank transfer wire")
	minimumTexts = []string{
		"确认支付", "立即支付", "删除账户", "注销", "取消订阅", "确认删除", "永久删除", "不可恢复",
		"confirm payment", "delete account", "unsubscribe", "permanently delete", "cannot be undone",
	}
	minimumWords = strings.Fields("submit 确认 提交 pay 支付 purchase 购买 order 下单 delete 删除 remove 移除 cancel 取消")
)

func TestMinimumAlwaysConfirm(t *testing.T) {
	for _, name := range []string{"executeJS", "uploadFile"} {
		for _, base := range []Class{Read, Write, CodeClass, FileClass} {
			d := Judge(Act{Action: name, Base: base, Page: Page{URL: "https://a.test/"}}, Context{})
			if d.Level != Confirm || d.Reasons[0].Rule != "always" {
				t.Errorf("%s: %v", name, d)
			}
		}
	}
}

func TestMinimumSubmitWordOnSensitiveURL(t *testing.T) {
	for _, u := range minimumURLs {
		for _, where := range []string{"https://a.test/" + u, "https://a.test/x/" + u + "/7", "https://" + u + ".a.test/x", "https://a.test/#/" + u} {
			for _, w := range minimumWords {
				for _, label := range []string{w, strings.ToUpper(w), "» " + w + " «"} {
					d := Judge(click(button(label), where), Context{})
					if d.Level < Confirm {
						t.Errorf("%q on %s: %v", label, where, d)
					}
				}
			}
		}
	}
}

func TestMinimumSubmitWordOnSensitiveText(t *testing.T) {
	for _, text := range minimumTexts {
		for _, w := range minimumWords {
			a := click(button(w), "https://a.test/x")
			a.Page.Text = strings.Repeat("Lorem ipsum dolor sit amet. ", 400) + text + " and so on"
			if d := Judge(a, Context{}); d.Level < Confirm {
				t.Errorf("%q beside %q: %v", w, text, d)
			}
			a.Page.Text, a.Page.Title = "", strings.ToUpper(text)
			if d := Judge(a, Context{}); d.Level < Confirm {
				t.Errorf("%q under the title %q: %v", w, text, d)
			}
		}
	}
}

func TestMinimumEnterOnSensitiveURL(t *testing.T) {
	field := &Target{Tag: "input", Role: "textbox", Name: "Note", Editable: true}
	for _, u := range minimumURLs {
		a := Act{Action: "pressKey", Base: Write, Key: "Enter", Target: field, Page: Page{URL: "https://a.test/" + u}}
		if d := Judge(a, Context{}); d.Level < Confirm {
			t.Errorf("Enter on /%s: %v", u, d)
		}
		a.Target = nil
		if d := Judge(a, Context{}); d.Level < Confirm {
			t.Errorf("Enter on /%s without a known focus: %v", u, d)
		}
		typed := Act{Action: "type", Base: Write, Text: "x", Submit: true, Target: field, Page: Page{URL: "https://a.test/" + u}}
		if d := Judge(typed, Context{}); d.Level < Confirm {
			t.Errorf("typing with Enter on /%s: %v", u, d)
		}
	}
}

// Where facts prove a search, a filter or plain navigation, the floor does not
// hold.
func TestMinimumExceptions(t *testing.T) {
	search := &Form{Action: "https://a.test/search", Method: "get", Search: true, Fields: []Field{{Name: "q", Type: "search"}}, Buttons: []string{"Submit"}}
	filter := &Form{Action: "https://a.test/orders", Method: "get", Fields: []Field{{Name: "year", Type: "text"}}}
	page := "https://a.test/account/orders"
	for name, a := range map[string]Act{
		"search button": click(&Target{Tag: "button", Role: "button", Name: "Submit", SubmitsForm: true, Form: search}, page),
		"Enter in search": {
			Action: "pressKey", Base: Write, Key: "Enter", Page: Page{URL: page},
			Target: &Target{Tag: "input", Type: "search", Role: "searchbox", Editable: true, SubmitsForm: true, Form: search, DefaultButton: "Submit"},
		},
		"filter":                   click(&Target{Tag: "button", Role: "button", Name: "Apply filters", SubmitsForm: true, Form: filter}, page),
		"link":                     click(link("Order history", "https://a.test/account/orders?page=2"), page),
		"cancelled orders, a link": click(link("Cancel policy", "https://a.test/help/cancelling"), page),
	} {
		if d := Judge(a, Context{}); d.Level > Notify {
			t.Errorf("%s: %v", name, d)
		}
	}
	// A search that holds a secret, or whose button pays, proves nothing.
	evil := *search
	evil.Fields = append([]Field{{Name: "p", Type: "password", Secret: "password"}}, evil.Fields...)
	for name, target := range map[string]*Target{
		"secret in the search": {Tag: "button", Name: "Search", SubmitsForm: true, Form: &evil},
		"paying search":        {Tag: "button", Name: "Pay now", SubmitsForm: true, Form: search},
		"post":                 {Tag: "button", Name: "Submit", SubmitsForm: true, Form: &Form{Method: "post", Action: page, Search: true}},
	} {
		if d := Judge(click(target, page), Context{}); d.Level < Confirm {
			t.Errorf("%s: %v", name, d)
		}
	}
}

func TestSensitiveURLByParts(t *testing.T) {
	for raw, want := range map[string]bool{
		"https://shop.test/checkout":                            true,
		"https://shop.test/en/Checkout/step-2":                  true,
		"https://shop.test/delete-account":                      true,
		"https://shop.test/a?action=delete":                     true,
		"https://shop.test/#!/checkout":                         true,
		"https://pay.google.com/":                               true,
		"https://accounts.google.com/x":                         true,
		"https://www.bankofamerica.com/":                        true,
		"https://commerzbank.de/":                               true,
		"https://online-banking.x.test/":                        true,
		"https://x.test/mein-konto":                             true,
		"https://x.test/ＣＨＥＣＫＯＵＴ":                               true,
		"https://x.test/%63heckout":                             true,
		"https://x.test/user/settings/profile":                  true,
		"https://x.test/payments":                               true,
		"https://x.test/sign-in":                                true,
		"https://news.test/2026/bank-of-england-raises-rates":   false,
		"https://news.test/news/bank":                           false,
		"https://x.test/blog/how-to-delete-an-account":          false,
		"https://x.test/help/cancel":                            false,
		"https://x.test/wiki/Wire_transfer":                     false,
		"https://x.test/products/bank-bag":                      false,
		"https://x.test/p/31":                                   false,
		"https://x.test/repayment-of-national-debt-explained":   false,
		"https://x.test/accountability":                         false,
		"https://x.test/?q=checkout":                            false,
		"https://x.test/authors":                                false,
		"https://x.test/paypal-mafia":                           false,
		"https://x.test/cancellation":                           false,
		"https://x.test/wireless":                               false,
		"https://x.test/search?q=delete+account&page=2":         false,
		"https://payload.test/":                                 false,
		"https://x.test/the-account-of-a-traveller-in-old-rome": false,
	} {
		if got := sensitiveURL(readableURL(raw)) != ""; got != want {
			t.Errorf("%s: %v (%s)", raw, got, sensitiveURL(readableURL(raw)))
		}
	}
}
