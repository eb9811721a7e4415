package safety

import "testing"

// TestDeedsAgainst: how a deed stands to one that was refused, by what it leads to, to
// whom, and how much.
func TestDeedsAgainst(t *testing.T) {
	page := Page{URL: "https://a.test/cart?x=1"}
	of := func(action string, class Class, level Level, target *Target) Deed {
		if target != nil && target.FrameURL == "" {
			target.FrameURL = page.URL
		}
		base := Write
		if action == "hover" {
			base = Read
		}
		return DeedOf(Act{Action: action, Base: base, Target: target, Page: page}, Decision{Class: class, Level: level})
	}
	goes := func(url string) Deed {
		return DeedOf(Act{Action: "navigate", Base: Navigate, URL: url, Page: page}, Decision{Class: Navigate})
	}
	in := func(name, action, method string, fields ...Field) *Target {
		return &Target{Tag: "button", Role: "button", Name: name, SubmitsForm: true, Form: &Form{Action: action, Method: method, Fields: fields}}
	}
	link := func(name, href string, scripted bool) *Target {
		return &Target{Tag: "a", Role: "link", Name: name, Href: href, HasHandler: scripted}
	}
	field := func(name, typ, value string) Field { return Field{Name: name, Type: typ, Value: value} }
	pay := of("click", Purchase, Confirm, in("Pay", "https://a.test/pay", "post", field("qty", "number", "1"), field("note", "text", "x"), field("_token", "hidden", "0123456789012345678901234")))
	own := of("click", Purchase, Confirm, in("Pay", page.URL, "post", field("op", "hidden", "pay")))
	give := func(file string) Deed {
		return DeedOf(Act{Action: "uploadFile", Base: Write, Files: []string{file}, Page: page, Target: &Target{Tag: "input", Role: "button", Name: "Papers", FrameURL: page.URL}}, Decision{Class: FileClass, Level: Confirm})
	}
	withWord := pay
	withWord.Word = true
	later := of("click", Purchase, Confirm, in("Pay", "https://a.test/pay", "post", field("qty", "number", "1")))
	later.Acted = 1
	for name, c := range map[string]struct {
		old, now Deed
		want     Likeness
	}{
		"itself":                         {pay, pay, Same},
		"another note and token":         {pay, of("click", Submit, Notify, in("Go on", "https://a.test/pay", "post", field("qty", "number", "1"), field("note", "text", "y"), field("_token", "hidden", "9876543210987654321098765"))), Same},
		"another number":                 {pay, of("click", Submit, Notify, in("Go on", "https://a.test/pay", "post", field("qty", "number", "2"))), Like},
		"its address":                    {pay, goes("https://a.test/pay"), Same},
		"its address with something":     {pay, goes("https://a.test/pay?qty=1"), Like},
		"its page":                       {pay, goes(page.URL), Unlike},
		"the page that it is sent to":    {own, goes(page.URL), Unlike},
		"another form of the page":       {own, of("click", Submit, Notify, in("Save", page.URL, "post", field("nick", "text", "Ida"))), Unlike},
		"another button of that form":    {own, of("click", Submit, Notify, in("Go on", page.URL, "post", field("op", "hidden", "pay"))), Same},
		"the no of a dialog":             {of("click", Destroy, Confirm, in("Yes, close it", page.URL, "dialog")), of("click", Submit, Confirm, in("No", page.URL, "dialog")), Unlike},
		"the yes of a dialog":            {of("click", Destroy, Confirm, in("Yes, close it", page.URL, "dialog")), of("pressKey", Destroy, Confirm, in("Yes, close it", page.URL, "dialog")), Same},
		"another file":                   {give("old.pdf"), give("new.pdf"), Like},
		"the same file":                  {give("old.pdf"), give("old.pdf"), Same},
		"looking":                        {pay, of("hover", Read, Auto, in("Pay", "https://a.test/pay", "post")), Unlike},
		"a link's address":               {of("click", Destroy, Confirm, link("Delete", "https://a.test/x/3", false)), goes("https://a.test/x/3"), Same},
		"that of a link with a script":   {of("click", Destroy, Confirm, link("Delete", "https://a.test/x/3", true)), goes("https://a.test/x/3"), Like},
		"a link of another row":          {of("click", Destroy, Confirm, link("Delete", "https://a.test/d?id=3", false)), of("click", Destroy, Confirm, link("Delete", "https://a.test/d?id=4", false)), Like},
		"a form of GET as an address":    {of("click", Destroy, Confirm, in("Delete", "https://a.test/d", "get", field("id", "hidden", "3"))), goes("https://a.test/d?id=3"), Same},
		"before a restart":               {Deed{Class: Purchase, Site: "a.test", Name: "buy"}, pay, Same},
		"asked about no more":            {of("click", Destroy, Confirm, &Target{Role: "button", Name: "Delete"}), of("click", Destroy, Notify, &Target{Role: "button", Name: "Delete"}), Same},
		"another site":                   {Deed{Class: Purchase, Site: "b.test", Name: "pay"}, pay, Unlike},
		"at once after a word":           {withWord, pay, Same},
		"after a word and an act":        {withWord, later, Like},
		"the same request by a button":   {pay.WithRequest(Request{Method: "POST", URL: "https://a.test/api", Body: "1"}), of("click", Write, Auto, link("More", "", true)).WithRequest(Request{Method: "POST", URL: "https://a.test/api", Body: "1"}), Same},
		"another request by that button": {pay.WithRequest(Request{Method: "POST", URL: "https://a.test/api", Body: "1"}), pay.WithRequest(Request{Method: "POST", URL: "https://a.test/api", Body: "2"}), Like},
	} {
		if got := c.now.Against(c.old); got != c.want {
			t.Errorf("%s: %d, want %d\nold %+v\nnow %+v", name, got, c.want, c.old, c.now)
		}
	}
}
