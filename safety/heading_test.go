package safety

import "testing"

// TestHeadings: a button that only agrees carries out what its group's heading
// commands.
func TestHeadings(t *testing.T) {
	for _, tt := range []struct {
		name, context string
		want          Level
	}{
		{"Confirm", "Delete project · Cancel Confirm", Confirm},
		{"Continue", "Remove member · Anna will lose access. Cancel Continue", Confirm},
		{"OK", "Close account · Cancel OK", Confirm},
		{"Proceed", "Send $500 to Bob · Back Proceed", Confirm},
		{"Yes", "Empty trash · No Yes", Confirm},
		{"确定", "删除文件 · 取消 确定", Confirm},
		{"はい", "削除 · いいえ はい", Confirm},
		{"확인", "삭제 · 취소 확인", Confirm},
		{"Bestätigen", "Konto löschen · Abbrechen Bestätigen", Confirm},
		{"Continue", "Book a flight · From To Continue", Auto},
		{"OK", "Recently deleted · OK", Auto},
		{"Continue", "How to delete your account · Step 1 Continue", Auto},
		{"Cancel", "Delete project · Cancel Confirm", Auto},
	} {
		b := button(tt.name)
		b.Context = tt.context
		if d := Judge(click(b, "https://a.test/x"), Context{}); d.Level != tt.want {
			t.Errorf("%s under %q: %s %v, want %s", tt.name, tt.context, d.Level, d.Reasons, tt.want)
		}
	}
}

// TestClock: times of the day as several languages write them, and what only looks
// like one.
func TestClock(t *testing.T) {
	for label, want := range map[string]bool{
		"Send at 15:30": true, "8 AM": true, "um 8 Uhr": true, "15時30": true, "下午3点": true, "сегодня в 15 ч": true, "15 ч, завтра": true, "18 h": true,
		"15 человек": false, "18 hours": false, "3 items": false, "": false,
	} {
		if got := clock.MatchString(label); got != want {
			t.Errorf("%q is a time of the day: %t", label, got)
		}
	}
}

// TestLinksThatCommit: a link that is called like a page and leads to where an
// order is carried out.
func TestLinksThatCommit(t *testing.T) {
	for href, want := range map[string]Level{
		"https://shop.test/pay/confirm":        Confirm,
		"https://shop.test/orders/place?sku=1": Confirm,
		"https://shop.test/order/create?sku=1": Confirm,
		"https://shop.test/oneclick?x=1":       Confirm,
		"https://shop.test/pay":                Notify,
		"https://shop.test/places":             Notify,
	} {
		if d := Judge(click(link("Pay", href), "https://shop.test/item/1"), Context{}); d.Level != want {
			t.Errorf("%s: %s %v, want %s", href, d.Level, d.Reasons, want)
		}
	}
}
