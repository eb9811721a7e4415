package safety

import (
	"strings"
	"testing"
)

// Ways of reading a label that no single line of a word file shows.
func TestReadings(t *testing.T) {
	page := "https://site.test/things"
	level := func(s string) Level { return Judge(click(button(s), page), Context{}).Level }
	for _, s := range []string{
		"О п л а т и т ь", "Oплaтить", "Удaлить", "Accetta e paga", "Akzeptieren und bezahlen", // scripts, second commands
		"付款平台结帐支付", "刪除貼文", "注销账号", "註銷帳號", "簽署合約", "签署合约", // either script, a verb after a name
		"Chat verlassen", "予約をキャンセルする", "बुकिंग रद्द करें", "주문 결제", "Cancelar a reserva", // the verb last, articles between
	} {
		if level(s) < Confirm {
			t.Errorf("%q is not asked about", s)
		}
	}
	for _, s := range []string{
		"付款日期", "支付平台监管", "支付平臺監管", "결제일", "송금 수수료", "振込手数料", "支払い履歴", // names
		"Annuler", "रद्द करें", "Seite verlassen", "Drag and drop", "Выбрать дату", "实行方式",
	} {
		if level(s) >= Confirm {
			t.Errorf("%q is asked about", s)
		}
	}
}

// A bare "Confirm" beside a sum that is called one pays it; beside other
// figures, or in a search, it doesn't.
func TestConfirmBesideASum(t *testing.T) {
	judge := func(name, context string) Decision {
		b := button(name)
		b.Context = context
		return Judge(click(b, "https://site.test/things"), Context{})
	}
	for _, c := range [][2]string{
		{"Confirm", "Total to pay $46.98 Visa ending in 4242"},
		{"Continue", "Order total: £5.00"},
		{"Aceptar", "Importe 900,00 €"},
		{"確定", "振込金額 30,000円"},
		{"All Teams", "$45.00 · Type All Teams"},
	} {
		if d := judge(c[0], c[1]); d.Level != Confirm || d.Class != Purchase {
			t.Errorf("%q beside %q: %v %s", c[0], c[1], d.Level, d.Class)
		}
	}
	for _, c := range [][2]string{
		{"Continue", "Lamp $12.50 Mug $3.00"},
		{"Apply", "Total $46.98 Promo code"},
		{"Continue", "1 / 5 in total"},
		{"Close", "Order total: £5.00"},
		{"All Time", "$45.00 · Visa ••••4821 · All Time"},
		{"全期間", "3,000円 · 種類 全期間"},
		{"Gesamter Zeitraum", "45,00 € · Art Gesamter Zeitraum"},
	} {
		if d := judge(c[0], c[1]); d.Level >= Confirm {
			t.Errorf("%q beside %q: %v %s", c[0], c[1], d.Level, d.Class)
		}
	}
}

// The cross of a dialog doesn't answer it; any other nameless picture does.
func TestNamelessPictures(t *testing.T) {
	for icon, asked := range map[string]bool{"icon close modal": false, "xmark": false, "icon": true, "": true, "close account": true, "check": true} {
		b := button("")
		b.Icon, b.Context = icon, "Delete your account?"
		if d := Judge(click(b, "https://site.test/things"), Context{}); d.Level >= Confirm != asked {
			t.Errorf("icon %q: %v", icon, d)
		}
	}
}

// Every pair of characters is a pair, and none has two partners.
func TestHanziPairs(t *testing.T) {
	rs := []rune(strings.Join(listLines("hanzi pairs"), ""))
	if len(rs)%2 != 0 || len(simplified) != len(rs)/2 || len(traditional) != len(rs)/2 {
		t.Fatalf("%d characters, %d and %d partners", len(rs), len(simplified), len(traditional))
	}
	if got := otherScript("zh", "刪除帳戶"); got != "删除帐户" {
		t.Error(got)
	}
	if got := otherScript("zh", "取消"); got != "" {
		t.Error(got)
	}
	if got := otherScript("ja", "注文を確定"); got != "" {
		t.Error(got)
	}
}
