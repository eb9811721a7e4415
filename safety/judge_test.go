package safety

import "testing"

func button(name string) *Target {
	return &Target{Tag: "button", Role: "button", Name: name, Text: name, HasHandler: true}
}

func click(t *Target, url string) Act {
	return Act{Action: "click", Base: Write, Target: t, Page: Page{URL: url}}
}

func TestQuick(t *testing.T) {
	for _, c := range []struct {
		name string
		want Level
	}{
		{"Pay $12.50", Confirm}, {"P a y  n o w", Confirm}, {"Раy now", Confirm}, {"ＰＡＹ", Confirm}, {"Removed items", Auto},
		{"Pay attention", Auto}, {"Cancelled flights", Auto}, {"Order history", Auto}, {"Delete draft filter help", Auto},
		{"Add to cart", Auto}, {"Proceed to checkout", Notify}, {"Delete", Confirm}, {"P4y n0w", Confirm}, {"确认支付", Confirm},
	} {
		d := Judge(click(button(c.name), "https://shop.test/p/1"), Context{})
		if d.Level != c.want {
			t.Errorf("%q: %v, want %v (%v)", c.name, d.Level, c.want, d.Reasons)
		}
	}
}
