package safety

import (
	"fmt"
	"strings"
	"testing"
)

// Every sentence finds its way into the other language and back, with what it
// names as it was.
func TestReword(t *testing.T) {
	words := map[string]int{} // what several stand for can't be told apart on the way back
	for _, zh := range chinese {
		words[zh]++
	}
	for en, zh := range chinese {
		var args []any
		for i := range strings.Count(en, "%s") {
			args = append(args, []string{`"Pay on shop.test: now"`, "shop.test", "x1"}[i])
		}
		inEn, inZh := fmt.Sprintf(en, args...), fmt.Sprintf(zh, args...)
		if len(args) == 0 {
			inEn, inZh = en, zh
		}
		if got := Reword(inEn, "zh"); got != inZh {
			t.Errorf("%q in Chinese is %q, want %q", inEn, got, inZh)
		}
		if got := Reword(inZh, "en"); got != inEn && words[zh] == 1 {
			t.Errorf("%q in English is %q, want %q", inZh, got, inEn)
		}
	}
	for _, c := range []struct{ text, lang, want string }{
		{`The button says "The form holds a password"`, "zh", `按钮上写着 "The form holds a password"`},
		{`Submits a form. The page says: "Order"`, "zh", `会提交表单。页面上写着："Order"`},
		{`按钮上写着 "付款"`, "en", `The button says "付款"`},
		{`按钮上写着 "付款"`, "zh", `按钮上写着 "付款"`},
		{"Something else altogether", "zh", "Something else altogether"},
		{"", "zh", ""},
	} {
		if got := Reword(c.text, c.lang); got != c.want {
			t.Errorf("%q in %s is %q, want %q", c.text, c.lang, got, c.want)
		}
	}
}
