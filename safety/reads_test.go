package safety

import (
	"reflect"
	"testing"
)

// TestReadsPage: what the page says may be left unread only where it changes
// nothing of the judgement.
func TestReadsPage(t *testing.T) {
	post := form("https://a.test/save", "post", Field{Name: "n", Type: "text"})
	says := Page{URL: page, Text: "Confirm payment. Delete account. Total: $12.50", Amounts: []string{"$12.50"}, Items: []string{"Mug $12.50"}}
	for _, c := range []struct {
		name string
		act  Act
		want bool
	}{
		{"a button", click(button("Count"), page), false},
		{"a link", click(&Target{Tag: "a", Role: "link", Name: "More", Href: "https://a.test/more"}, page), false},
		{"a field", click(field("Name", nil), page), false},
		{"text into a field", Act{Action: "type", Base: Write, Text: "Ann", Target: field("Name", nil), Page: Page{URL: page}}, false},
		{"a form that is sent", click(submit("Continue", post), page), true},
		{"a purchase", click(button("Buy now"), page), true},
	} {
		if got := ReadsPage(c.act, Context{}); got != c.want {
			t.Errorf("%s: reads the page: %t, want %t", c.name, got, c.want)
		}
		with := c.act
		with.Page = says
		if !ReadsPage(c.act, Context{}) && !reflect.DeepEqual(Judge(c.act, Context{}), Judge(with, Context{})) {
			t.Errorf("%s: what was not read changes the judgement", c.name)
		}
	}
}
