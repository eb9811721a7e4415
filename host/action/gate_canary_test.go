package action

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/jpeg"
	"strconv"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// canaryWords are the labels of the fields of eight forms, in five languages. A
// capital first letter of the kind marks a secret field.
var canaryWords = map[string]map[string]string{
	"en": {"name": "Full name", "mail": "E-mail", "phone": "Phone number", "city": "City", "zip": "Postcode", "holder": "Name on card", "expiry": "Expiry date", "note": "Order note", "amount": "Amount", "Password": "Password", "New": "New password", "Card": "Card number", "Cvc": "CVC", "Code": "One-time code", "Gov": "Social security number"},
	"zh": {"name": "姓名", "mail": "电子邮箱", "phone": "手机号码", "city": "城市", "zip": "邮政编码", "holder": "持卡人姓名", "expiry": "有效期", "note": "备注", "amount": "金额", "Password": "密码", "New": "新密码", "Card": "银行卡号", "Cvc": "安全码", "Code": "短信验证码", "Gov": "身份证号码"},
	"ja": {"name": "お名前", "mail": "メールアドレス", "phone": "電話番号", "city": "市区町村", "zip": "郵便番号", "holder": "カード名義", "expiry": "有効期限", "note": "備考", "amount": "金額", "Password": "パスワード", "New": "新しいパスワード", "Card": "カード番号", "Cvc": "セキュリティコード", "Code": "認証コード", "Gov": "マイナンバー"},
	"de": {"name": "Vor- und Nachname", "mail": "E-Mail-Adresse", "phone": "Telefonnummer", "city": "Ort", "zip": "Postleitzahl", "holder": "Karteninhaber", "expiry": "Gültig bis", "note": "Bestellhinweis", "amount": "Betrag", "Password": "Passwort", "New": "Neues Passwort", "Card": "Kartennummer", "Cvc": "Prüfnummer", "Code": "Bestätigungscode", "Gov": "Steuernummer"},
	"es": {"name": "Nombre y apellidos", "mail": "Correo electrónico", "phone": "Teléfono", "city": "Ciudad", "zip": "Código postal", "holder": "Titular de la tarjeta", "expiry": "Fecha de caducidad", "note": "Nota del pedido", "amount": "Importe", "Password": "Contraseña", "New": "Nueva contraseña", "Card": "Número de tarjeta", "Cvc": "Código de seguridad", "Code": "Código de verificación", "Gov": "NIF"},
}

var canaryForms = []string{
	"mail Password", "name mail phone New Password", "name mail city zip Card expiry Cvc note", "holder Card expiry Cvc amount",
	"name city Gov phone", "phone Code", "mail Password Code", "name Gov Card Cvc Password amount",
}

// canaryField is one field of a page.
type canaryField struct {
	id, value string
	secret    bool
}

// canaryPage builds a form as real ones are built: labels around, beside, by
// placeholder, by ARIA, by the cell before.
func canaryPage(lang, form string, n int) (body string, fields []canaryField) {
	var b strings.Builder
	b.WriteString(`<form action=/evil/x method=post style="margin:0">`)
	for i, kind := range strings.Fields(form) {
		f := canaryField{id: fmt.Sprintf("f%d", i), secret: kind[0] < 'a'}
		typ := "text"
		tail := fmt.Sprintf("%02d%d", n, i)
		switch kind {
		case "Password", "New":
			f.value, typ = "canary-pass-"+tail, "password"
			if n%5 == 4 {
				typ = "text" // shown by the eye button
			}
		case "Card":
			f.value, typ = "4929 5600 0000 0007", "tel"
		case "Cvc":
			f.value = "7" + tail
		case "Code":
			f.value = "805" + tail
		case "Gov":
			f.value = "078-05-" + tail + "9"
		case "mail":
			f.value, typ = "ada"+tail+"@mail.example", "email"
		case "phone":
			f.value, typ = "+44 20 7946 0"+tail, "tel"
		case "zip":
			f.value = "90" + tail
		case "amount":
			f.value = "12.5" + tail[:1]
		case "expiry":
			f.value = "11/29"
		default:
			f.value = "plain words " + tail
		}
		label, value := html.EscapeString(canaryWords[lang][kind]), html.EscapeString(f.value)
		input := fmt.Sprintf(`<input id=%s type=%s value="%s"`, f.id, typ, value)
		switch (n + i) % 5 {
		case 0:
			fmt.Fprintf(&b, "<p><label>%s %s></label>", label, input)
		case 1:
			fmt.Fprintf(&b, `<p>%s placeholder="%s">`, input, label)
		case 2:
			fmt.Fprintf(&b, `<p>%s aria-label="%s">`, input, label)
		case 3:
			fmt.Fprintf(&b, `<table><tr><td>%s<td>%s></table>`, label, input)
		default:
			fmt.Fprintf(&b, `<p><label for=%s>%s</label><br>%s>`, f.id, label, input)
		}
		fields = append(fields, f)
	}
	b.WriteString(`<p><button id=b type=button>OK</button></form>`)
	return b.String(), fields
}

// TestCanaries: what stands in secret fields of forty forms is in nothing that a
// model, an event, a log or a picture gets, and what stands in the others is.
func TestCanaries(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	l := w.live(t, chromium.d, "<p>ok")
	var logs bytes.Buffer
	l.o.Log = zerolog.New(&logs)
	pages, secrets, plain, masked := 0, 0, 0, 0
	for _, lang := range []string{"en", "zh", "ja", "de", "es"} {
		for _, form := range canaryForms {
			body, fields := canaryPage(lang, form, pages)
			path := fmt.Sprintf("/canary%d", pages)
			pages++
			w.mu.Lock()
			w.pages[path] = body
			w.mu.Unlock()
			if err := l.tab.Navigate(context.Background(), w.at("a.test", path)); err != nil {
				t.Fatal(err)
			}
			name := lang + " " + form
			said := readAll(t, l, fields)
			l.person.cards = nil
			pic := l.Do(context.Background(), Call{Name: "screenshot", Params: json.RawMessage("{}")})
			if pic.Err != nil {
				t.Fatal(pic.Err)
			}
			img, err := jpeg.Decode(bytes.NewReader(pic.Image))
			if err != nil {
				t.Fatal(err)
			}
			values := map[string]string{}
			for _, e := range l.observe().Elements.Elements {
				values[e.Value] = e.Secret
			}
			for _, f := range fields {
				if !f.secret {
					plain++
					if kind, there := values[f.value]; !there || kind != "" {
						masked++
						t.Logf("%s: %q is masked", name, f.value)
					}
					continue
				}
				secrets++
				for _, form := range []string{f.value, strings.ReplaceAll(f.value, " ", ""), strings.ReplaceAll(f.value, "-", "")} {
					if i := strings.Index(said+logs.String(), form); i >= 0 {
						t.Errorf("%s: %s is said: …%s…", name, form, said[max(0, min(i, len(said))-60):min(len(said), i+40)])
						break
					}
				}
				if d := spread(img, l.eval("(() => { const r = at('"+f.id+"').getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom].map(Math.round).join(' ') })()")); d > 24 {
					t.Errorf("%s: %s can be seen in the picture (pixels differ by %d)", name, f.id, d)
				}
			}
		}
	}
	t.Logf("%d pages, %d secret fields, %d others, %d of them masked", pages, secrets, plain, masked)
	if pages != 40 || secrets < 60 {
		t.Errorf("%d pages with %d secrets", pages, secrets)
	}
	if masked*50 > plain {
		t.Errorf("%d of %d harmless fields are masked, more than 2 %%", masked, plain)
	}
}

// readAll reads a page in every way there is, without code, and types into its
// secret fields; it gives all that came of it.
func readAll(t *testing.T, l *live, fields []canaryField) string {
	t.Helper()
	var b strings.Builder
	note := func(v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
	}
	do := func(name string, params p) {
		raw, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		note(l.Do(context.Background(), Call{Name: name, Params: raw}))
	}
	o := l.observe()
	note(o)
	var indices []int
	for _, e := range o.Elements.Elements {
		indices = append(indices, e.Index)
	}
	do("getElementDetails", p{"indices": indices})
	for _, read := range []string{"snapshot", "getHTML", "getText", "extractContent"} {
		do(read, p{})
	}
	for _, f := range fields {
		if !f.secret {
			continue
		}
		sel := p{"selector": "#" + f.id}
		do("getValue", sel)
		do("getAttribute", p{"selector": "#" + f.id, "name": "value"})
		do("getHTML", sel)
		// What the model writes there itself is not said again; the no leaves it as it was.
		do("type", p{"selector": "#" + f.id, "text": f.value, "clear": true})
	}
	note(l.person.cards)
	note(l.diary.started)
	return b.String()
}

// spread is how far the brightness of pixels inside a box differs.
func spread(img image.Image, box string) int {
	var at [4]int
	for i, s := range strings.Fields(strings.Trim(box, `"`)) {
		at[i], _ = strconv.Atoi(s)
	}
	low, high := 255, 0
	const edge = 6 // the border, and what JPEG makes of it
	for y := at[1] + edge; y < at[3]-edge; y++ {
		for x := at[0] + edge; x < at[2]-edge; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			v := int((r + g + bl) / 3 >> 8)
			low, high = min(low, v), max(high, v)
		}
	}
	return high - low
}
