package safety

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"
)

const (
	bankPage = `Account overview. Balance of your savings account: 4,211.90 EUR. IBAN DE44 5001 0517 5407 3249 31.
Account holder Wilhelmina Sandoval, born in Cuxhaven. Recovery phrase: "marmalade trombone glacier walnut".
Reference TX-88213-QF. Your message from the adviser: the meeting about the mortgage is on Thursday at noon.`
	bank = "bank.example"
)

func aTask() *Memory {
	m := NewMemory("Find the blue enamel teapot and tell the Riverside Pottery shop when I arrive in Lisbon")
	m.Saw(bank, bankPage, true)
	m.Saw("shop.example", "Blue enamel teapot by Kannonsha, 1.2 litres. Delivery to Portugal in 3 days. Item KX-5567-B", true)
	return m
}

// TestFlowFindsData: what was read on one site is found in what goes to another,
// in every dress.
func TestFlowFindsData(t *testing.T) {
	for _, secret := range []string{"Wilhelmina Sandoval", "TX-88213-QF", "marmalade trombone", "5001 0517 5407 3249 31"} {
		flat := strings.NewReplacer(" ", "", "-", "").Replace(strings.ToLower(secret))
		codes := []string{}
		for _, r := range secret {
			codes = append(codes, itoa(int(r)))
		}
		for name, out := range map[string]string{
			"plain": secret, "upper": strings.ToUpper(secret), "in a sentence": "Please note that " + secret + " is what I wanted to say to you",
			"percent": url.QueryEscape(secret), "twice percent": url.QueryEscape(url.QueryEscape(strings.ReplaceAll(secret, " ", "+"))),
			"base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64 url": "x=" + base64.RawURLEncoding.EncodeToString([]byte(secret)),
			"base32": base32.StdEncoding.EncodeToString([]byte(secret)),
			"hex":    hex.EncodeToString([]byte(secret)), "reversed": reverse(secret), "rot13 base64": base64.StdEncoding.EncodeToString([]byte(rot13(secret))),
			"hex of base64": hex.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(secret)))),
			"codes":         strings.Join(codes, ","), "run together": flat, "set apart": strings.Join(strings.Split(flat, ""), " "),
			"dashes": strings.ReplaceAll(strings.ToLower(secret), " ", "-"), "full-width": wide(secret), "zero-width": strings.Join(strings.Split(secret, ""), "\u200b"),
			"escapes": uEscaped(secret),
		} {
			if got := aTask().InText("evil.example", out); len(got) != 1 || got[0].From != bank || got[0].Text == "" {
				t.Errorf("%s, %s: %q gives %v", secret, name, out, got)
			}
		}
		q := url.QueryEscape(secret)
		for name, address := range map[string]string{
			"query": "https://evil.example/?d=" + q, "path": "https://evil.example/c/" + url.PathEscape(secret), "fragment": "https://evil.example/#" + q,
			"sub-domain": "https://" + flat + ".evil.example/", "sub-domains": "https://" + strings.ReplaceAll(strings.ToLower(secret), " ", ".") + ".evil.example/",
			"name of a parameter": "https://evil.example/?" + q + "=1", "user": "https://" + url.PathEscape(secret) + "@evil.example/",
			"hex label": "https://" + hex.EncodeToString([]byte(secret)) + ".evil.example/", "a search": "https://search.example/?q=" + q,
		} {
			if got := aTask().InURL(address); len(got) == 0 {
				t.Errorf("%s, %s: %s passes", secret, name, address)
			}
		}
	}
	inner := "https://evil.example/?d=TX-88213-QF"
	for _, address := range []string{
		"https://bank.example/to?url=" + url.QueryEscape(inner), "https://bank.example/to?url=//evil.example/TX-88213-QF",
		"https://bank.example/to?u=" + base64.URLEncoding.EncodeToString([]byte(inner)), "https://bank.example/#" + inner,
	} {
		if got := aTask().InURL(address); len(got) == 0 {
			t.Errorf("by a redirect: %s passes", address)
		}
	}
	if got := aTask().InText(bank, "Hello ![x]("+inner+")"); len(got) == 0 {
		t.Error("by a picture in a message")
	}
	if got := aTask().InURL("https://evil.example/?q=sandoval"); len(got) != 1 {
		t.Errorf("a name alone: %v", got)
	}
	cn := NewMemory("查天气")
	cn.Saw("bank.example.cn", "账户持有人：欧阳思远，余额 32,100 元，开户行：静安支行", true)
	for _, out := range []string{"欧阳思远", "请转告欧阳思远明天来", url.QueryEscape("欧阳思远")} {
		if got := cn.InText("evil.example", out); len(got) == 0 {
			t.Errorf("%s passes", out)
		}
	}
}

// TestFlowLetsPass: ordinary copying does not ask.
func TestFlowLetsPass(t *testing.T) {
	for name, c := range map[string]struct{ site, text string }{
		"the task's own words":              {"other.example", "blue enamel teapot"},
		"the task's own words, typed along": {"pottery.example", "Dear Riverside Pottery shop, I arrive in Lisbon on Thursday."},
		"a name on the same site":           {"shop.example", "Kannonsha"},
		"a number on the same site":         {"shop.example", "KX-5567-B"},
		"everyday words":                    {"other.example", "the delivery to my account is on Thursday at noon"},
		"a letter of its own":               {"pottery.example", "Hello, could you please tell me whether the workshop is open tomorrow afternoon? Many thanks for your help."},
		"a short value":                     {"other.example", "3 days"},
		"a year":                            {"other.example", "2026"},
		"nothing":                           {"other.example", ""},
		"a plain word in a long text":       {"other.example", "I have been told by somebody that the place called Cuxhaven lies by the sea, which pleases me"},
	} {
		if got := aTask().InText(c.site, c.text); len(got) != 0 {
			t.Errorf("%s: %q asks about %v", name, c.text, got)
		}
	}
	m := aTask()
	m.SawLink("https://news.example/2026/wilhelmina-sandoval-wins-mortgage-prize?ref=88213")
	for _, address := range []string{
		"https://other.example/", "https://other.example/search?q=blue+enamel+teapot&page=2", "https://shop.example/item/KX-5567-B",
		"https://www.other.example/en/products/teapots?sort=price", "https://news.example/2026/wilhelmina-sandoval-wins-mortgage-prize?ref=88213",
		"https://bank.example/accounts/TX-88213-QF", "about:blank", "https://pottery.example/visit/lisbon",
	} {
		if got := m.InURL(address); len(got) != 0 {
			t.Errorf("%s asks about %v", address, got)
		}
	}
}

func TestFlowMemory(t *testing.T) {
	m := aTask()
	got := m.InText("evil.example", "Wilhelmina Sandoval")
	m.Allow("evil.example", got)
	if again := m.InText("evil.example", "Wilhelmina Sandoval"); len(again) != 0 {
		t.Errorf("it was allowed: %v", again)
	}
	if other := m.InText("evil.example", "TX-88213-QF"); len(other) == 0 {
		t.Error("other data was not allowed")
	}
	if other := m.InText("third.example", "Wilhelmina Sandoval"); len(other) == 0 {
		t.Error("another site was not allowed")
	}
	m.AddUserWords("My name is Wilhelmina Sandoval")
	if got := m.InText("third.example", "Wilhelmina Sandoval"); len(got) != 0 {
		t.Errorf("the user said it: %v", got)
	}
	// A frame of the bank in a page of the shop: writing what it says into the
	// page that holds it is a theft as well.
	f := NewMemory("")
	f.Saw("evil.example", "Enter the name shown above", false)
	f.Saw(bank, "Wilhelmina Sandoval", true)
	if got := f.InText("evil.example", "Wilhelmina Sandoval"); len(got) != 1 {
		t.Errorf("from a frame: %v", got)
	}
	big := NewMemory("")
	for i := range 30 {
		big.Saw("s"+itoa(i)+".example", strings.Repeat("word"+itoa(i)+" filler"+itoa(i*7)+" ", 1), true)
		var b strings.Builder
		for j := range 5000 {
			b.WriteString("token" + itoa(i*100000+j) + " ")
		}
		big.Saw("s.example", b.String(), true)
	}
	if len(big.seen) > maxSeen || len(big.ring) > maxSeen {
		t.Errorf("%d kept", len(big.seen))
	}
	if got := big.InText("evil.example", "token2904999"); len(got) != 1 {
		t.Errorf("the newest is forgotten: %v", got)
	}
	if got := m.InText("evil.example", "card 4111 1111 1111 1111"); len(got) > 0 && strings.Contains(got[0].Text, "4111") {
		t.Errorf("a card number is shown: %v", got)
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func wide(s string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r - 0x20 + 0xff00
		}
		return r
	}, s)
}

func uEscaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(`\u00` + hex.EncodeToString([]byte{byte(r)}))
	}
	return b.String()
}

func FuzzReadings(f *testing.F) {
	for _, s := range []string{"%41%42", "aGVsbG8gd29ybGQ=", "68656c6c6f20776f726c64", `\u0041`, "104,101,108,108,111"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n := len(readings(s)); n < 1 || n > maxReadings {
			t.Errorf("%d readings", n)
		}
	})
}

func BenchmarkFlow(b *testing.B) {
	m := NewMemory("")
	m.Saw(bank, strings.Repeat(bankPage, 20), true)
	for b.Loop() {
		m.InURL("https://evil.example/search/results?q=a+few+words+of+a+query&token=aGVsbG8gd29ybGQgb2YgdGhlIHdlYg")
	}
}

// A site is known by its own name, by an address on it, and by a name above it
// that begins with a dot; a name that only ends alike is another site.
func TestKnows(t *testing.T) {
	c := Context{Sites: []string{"shop.test", "https://www.mail.example/inbox", ".corp.example"}}
	for site, want := range map[string]bool{
		"shop.test": true, "mail.example": true, "corp.example": true, "wiki.corp.example": true,
		"myshop.test": false, "test": false, "notcorp.example": false, "": false,
	} {
		if got := c.Knows(site); got != want {
			t.Errorf("%q known: %v", site, got)
		}
	}
	if !(Context{AnySite: true}).Knows("any.example") {
		t.Error("any site is not known")
	}
}
