package action

import (
	"strings"
	"testing"
)

// denials is a page of deeds, each with ways to it that are no other deed and ways
// that are one.
const denials = `<h1>Checkout: 1 mug</h1>
<form id=fm action=/evil/order method=post><label>Note <input id=f name=note></label><label>Gift wrap <input id=w name=wrap type=checkbox value=1></label>
<label>Ship to <select id=s name=ship><option>Home<option>Office</select></label><button id=b>Pay 24.00 EUR now</button><button id=c>Continue</button><button id=draft name=op value=draft>Save for later</button></form>
<form id=transfer action=/evil/transfer method=post><input name=payee value=Bo aria-label=Payee><input id=amt name=amount value=50 aria-label=Amount><button id=t>Transfer money</button></form>
<ul><li>Arne <button id=arne type=button onclick="harm('arne')">Delete</button></li><li>Bea <button id=bea type=button onclick="harm('bea')">Delete</button></li></ul>
<form method=post><input name=nick value=Ida aria-label=Nick><button id=self>Close my account</button></form>
<section><div id=ed contenteditable role=textbox aria-label="Reply to all" style="height:40px">hello</div><button id=send type=button onclick="harm('send')">Send message</button></section>`

// TestANoCoversItsDeed: after a no reading, focusing and filling in are free, the same
// deed is refused by every road without a question, and another amount, recipient or
// option is asked about anew, as is what the user wrote with their no.
func TestANoCoversItsDeed(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	key := func(id, k string) []step { return []step{{"focus", p{"selector": "#" + id}}, strike(k)} }
	code := step{"executeJS", p{"code": "at('fm').requestSubmit()"}}
	look := []step{
		{"hover", p{"selector": "#b"}},
		{"getText", p{"selector": "#b"}},
		{"scrollIntoView", p{"selector": "#b"}},
		{"focus", p{"selector": "#b"}},
		on("f"), into("ring twice"), strike("Tab"), strike("ArrowDown"),
		{"navigate", p{"url": "{page}"}},
	}
	for _, tt := range []struct {
		name  string
		word  string
		no    step
		free  []step // done unasked
		same  []step // refused unasked
		other []step // the last is asked about
	}{
		{name: "what is no deed", no: on("b"), free: look},
		{name: "roads", no: on("b"), free: []step{into("ring twice")}, same: append([]step{on("b"), on("c"), on("draft"), code, open("/evil/order")}, key("f", "Enter")[1:]...)},
		{name: "another option", no: on("b"), other: []step{{"select", p{"selector": "#s", "value": "Office"}}, on("b")}},
		{name: "another option, by another button", no: on("b"), other: []step{on("w"), on("c")}},
		{name: "another form", no: on("b"), other: []step{on("t")}},
		{name: "another amount", no: on("t"), same: []step{on("t")}, other: []step{{"type", p{"selector": "#amt", "text": "20", "clear": true}}, on("t")}},
		{name: "another row", no: on("arne"), same: []step{on("arne")}, other: []step{on("bea")}},
		{name: "a form of the page's own address", no: on("self"), free: []step{{"navigate", p{"url": "{page}"}}, {"refresh", p{}}}, same: []step{on("self")}},
		{name: "other words", no: on("send"), same: []step{on("send")}, other: []step{{"type", p{"selector": "#ed", "text": "Dear all", "clear": true}}, on("send")}},
		{name: "a word: another button", word: "save it for later instead", no: on("b"), same: []step{on("b")}, other: []step{on("draft")}},
		{name: "a word: once that is done", word: "first tell them to ring twice", no: on("b"), same: []step{on("b")}, other: []step{into("ring twice"), on("b")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := w.next(t, chromium.d, denials)
			l.person.answers = []Answer{{By: "panel", Note: tt.word}}
			run := func(s step) Result {
				for k, v := range s.params {
					switch v {
					case "{page}":
						s.params[k] = w.at("a.test", "/page")
					case "/evil/order":
						s.params[k] = w.at("a.test", "/evil/order")
					}
				}
				return s.run(l)
			}
			wantCode(t, run(tt.no), Denied)
			for _, s := range tt.free {
				if res := run(s); res.Err != nil {
					t.Errorf("%s %v: %v", s.action, s.params, res.Err)
				}
			}
			for _, s := range tt.same {
				if res := run(s); res.Err == nil || res.Err.Code != Denied || !strings.Contains(res.Err.Message, "before") {
					t.Errorf("%s %v: %v, want a refusal unasked", s.action, s.params, res.Err)
				}
			}
			if len(l.person.cards) != 1 {
				t.Fatalf("%d cards: %s", len(l.person.cards), cardsOf(l))
			}
			for i, s := range tt.other {
				if res := run(s); (res.Err != nil) != (i == len(tt.other)-1) {
					t.Errorf("%s %v: %v", s.action, s.params, res.Err)
				}
			}
			if len(tt.other) > 0 && len(l.person.cards) != 2 {
				t.Errorf("%d cards, want a second one: %s", len(l.person.cards), cardsOf(l))
			}
			if h := w.harmed(); len(h) > 0 {
				t.Errorf("harm done: %q", h)
			}
		})
	}
}
