package safety

import (
	"strings"
	"testing"
)

func TestHideInAddresses(t *testing.T) {
	for in, want := range map[string]string{
		"https://ida:hunter2@bank.test/x?y=1":                                              "https://•••@bank.test/x?y=1",
		"go to http://ida@bank.test, or write to ida@bank.test":                            "go to http://•••@bank.test, or write to ida@bank.test",
		`link "Reset" → /reset?token=abc123def&user=7 [3]`:                                 `link "Reset" → /reset?token=•••&user=7 [3]`,
		"https://a.test/cb#access_token=eyJhbGciOi&state=x":                                "https://a.test/cb#access_token=•••&state=x",
		"https://s3.test/f?X-Amz-Signature=0123456789abcdef&X-Amz-Date=20260101":           "https://s3.test/f?X-Amz-Signature=•••&X-Amz-Date=20260101",
		"https://m.test/js?key=AIzaSyD0123456789abcdefghijk&v=3":                           "https://m.test/js?key=•••&v=3",
		`{"href":"https://a.test/?sid=0123456789","n":1}`:                                  `{"href":"https://a.test/?sid=•••","n":1}`,
		"https://a.test/?q=token+ring&page=2&sort=price&code=SAVE10":                       "https://a.test/?q=token+ring&page=2&sort=price&code=SAVE10",
		"The token=abc123def of a text, and 1 + 1 = 2 & a = b":                             "The token=abc123def of a text, and 1 + 1 = 2 & a = b",
		"https://a.test/@ida/posts?tag=a@b.test and https://b.test/p?mail=ida%40mail.test": "https://a.test/@ida/posts?tag=a@b.test and https://b.test/p?mail=ida%40mail.test",
		"https://shop.test/?auth=1&token=x&session=":                                       "https://shop.test/?auth=1&token=x&session=",
		"a://b:c@d://e:f@g": "a://•••@d://•••@g",
		`{"href":"/down?a=1\u0026sid=0123456789\u0026b=2"}`: `{"href":"/down?a=1\u0026sid=•••\u0026b=2"}`,
		"": "",
	} {
		if got := HideInAddresses(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if once := HideInAddresses(in); HideInAddresses(once) != once {
			t.Errorf("%q: twice it is another", in)
		}
	}
}

func FuzzHideInAddresses(f *testing.F) {
	f.Add("https://a:b@c.test/?token=abcdefg#x=1")
	f.Fuzz(func(t *testing.T, s string) {
		if got := HideInAddresses(s); strings.ReplaceAll(got, hiddenMark, "") != got && len(got) > 4*len(s)+8 {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func BenchmarkHideInAddresses(b *testing.B) {
	text := strings.Repeat(`link "Invoice for May" → /mail/7?page=2&sort=date [13]`+"\n", 200)
	for b.Loop() {
		HideInAddresses(text)
	}
}
