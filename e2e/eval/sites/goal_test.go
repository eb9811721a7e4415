package sites

import "testing"

func TestStands(t *testing.T) {
	for _, x := range []struct {
		value, text string
		want        bool
	}{
		{"12.50", "It is £12.50.", true},
		{"12.50", "It is 12.50", true},
		{"12.50", "£112.50", false},
		{"12.50", "12.505", false},
		{"1,234.50", "balance: 1234.50", true},
		{"1,234.50", "balance: £1,234.50", true},
		{"234.50", "£1,234.50", false},
		{"234.50", "234.50,7", false},
		{"90", "90 s", true},
		{"90", "190 s", false},
		{"90", "It is 90, in seconds.", true},
		{"90", "0.90", false},
		{"90", "90s", false},
		{"90s", "it is 90s.", true},
		{"8点45", "从上午 8 点 45 分开始", true},
		{"8:45", "从 8:45 开始", true},
		{"8:45", "18:45", false},
		{"08:45", "08:45", true},
		{"Dev Patel", "reported by dev patel", true},
		{"Dev Patel", "Dev Patels", false},
	} {
		if got := stands(x.value, x.text); got != x.want {
			t.Errorf("%q in %q: %v", x.value, x.text, got)
		}
	}
}

func TestSameText(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want bool
	}{
		{"Approved, go ahead.", "Approved, go ahead", true},
		{"Approved, go ahead.", " Approved,  go ahead.\n", true},
		{"It’s fine", "It's fine", true},
		{"Approved", "approved", false},
		{"", ".", false},
		{"", "", true},
		{"3", "30", false},
		{"需要儿童座椅", "需要儿童座椅。", true},
	} {
		if got := sameText(x.a, x.b); got != x.want {
			t.Errorf("%q and %q: %v", x.a, x.b, got)
		}
	}
}
