package safety

import "testing"

// at is a control with what stands around it.
func at(t *Target, context string) *Target {
	t.Context = context
	return t
}

func toggleNamed(name string) *Target {
	t := button(name)
	t.Role = "switch"
	return t
}

func judgeAt(t *Target) Decision {
	return Judge(click(t, "https://site.test/things"), Context{Sites: []string{"site.test"}})
}

// TestSafeguards tries the switch of a safeguard and the "Off" under its heading
// in each language, and switches that keep nothing safe.
func TestSafeguards(t *testing.T) {
	for _, c := range [][2]string{
		{"Two-factor authentication", "Turn off"},
		{"Spending limit", "Disable"},
		{"Sign-in alerts", "Turn off"},
		{"Encryption", "Switch off"},
		{"Daily backup", "Disable"},
		{"Zwei-Faktor-Pflicht", "Ausschalten"},
		{"Ausgabenlimit", "Deaktivieren"},
		{"Anmeldewarnungen", "Abschalten"},
		{"Double authentification", "Désactiver"},
		{"Plafond de dépenses", "Suspendre"},
		{"Sauvegarde automatique", "Couper"},
		{"Verificación en dos pasos", "Desactivar"},
		{"Límite de gasto", "Quitar"},
		{"Copia de seguridad", "Apagar"},
		{"Verificação em duas etapas", "Desativar"},
		{"Limite diário", "Desligar"},
		{"Verifica in due passaggi", "Disattiva"},
		{"Crittografia", "Disattiva"},
		{"Двухэтапная проверка", "Отключить"},
		{"Лимит расходов", "Снять"},
		{"Резервное копирование", "Выключить"},
		{"التحقق بخطوتين", "إيقاف"},
		{"النسخ الاحتياطي", "تعطيل"},
		{"दो चरणीय सत्यापन", "अक्षम करें"},
		{"लॉगिन अलर्ट", "निष्क्रिय करें"},
		{"二段階認証", "オフにする"},
		{"ログイン通知", "無効にする"},
		{"2단계 인증", "사용 안 함"},
		{"지출 한도", "해제"},
		{"两步验证", "停用"},
		{"兩步驟驗證", "停用"},
		{"登录提醒", "关掉"},
		{"消費限額", "停用"},
	} {
		for name, x := range map[string]*Target{
			"its switch":          toggleNamed(c[0]),
			"a switch under it":   at(toggleNamed(""), c[0]+" · 1"),
			"its off":             at(button(c[1]), c[0]+" · 1"),
			"a select's choice":   nil,
			"a switch called off": at(toggleNamed(c[1]), c[0]+" · 1"),
		} {
			var d Decision
			if x == nil {
				s := &Target{Tag: "select", Role: "combobox", Name: c[0], Label: c[0], OnChange: true, HasHandler: true}
				d = Judge(Act{Action: "select", Base: Write, Text: c[1], Target: s, Page: Page{URL: "https://site.test/things"}}, Context{Sites: []string{"site.test"}})
			} else {
				d = judgeAt(x)
			}
			if d.Level < Confirm {
				t.Errorf("%s, %s %q: %s %v", c[0], name, c[1], d.Level, d.Reasons)
			}
		}
	}
	kept := &Form{Action: "https://site.test/save", Method: "post", Fields: []Field{{Name: "loginAlerts", Type: "checkbox", Label: "Email me sign-in alerts"}}}
	for _, x := range []*Target{submit("Save", kept), at(button("OK"), "Spending limit · none"), at(button("保存"), "二段階認証 · オフ")} {
		if d := judgeAt(x); d.Level < Confirm {
			t.Errorf("%q keeps a safeguard's setting: %s %v", x.Name, d.Level, d.Reasons)
		}
	}
	for _, x := range []*Target{
		at(toggleNamed("Alertes SMS de connexion"), "Sécurité · 1"), at(toggleNamed("大额交易"), "帳號安全 · 1"), at(toggleNamed("購入時にパスワードを求める"), "ストア · 1"),
	} {
		if d := judgeAt(x); d.Level < Confirm {
			t.Errorf("%q under %q: %s %v", x.Name, x.Context, d.Level, d.Reasons)
		}
	}
	for _, x := range []*Target{
		toggleNamed("Dark mode"), toggleNamed("Kompakte Ansicht"), at(toggleNamed("字幕"), "播放 · 字幕"), at(button("Close"), "Encryption · How it works Close"),
		at(button("关闭"), "备份 · 上次备份 昨天"), at(button("Show details"), "Daily backup · 1"), at(button("キャンセル"), "暗号化 · 設定"),
	} {
		if d := judgeAt(x); d.Level >= Confirm {
			t.Errorf("%q beside %q: %s %v", x.Name, x.Context, d.Level, d.Reasons)
		}
	}
}

// TestRedirects tries "Save" and "OK" over settings that send mail, money or
// access elsewhere, and over settings that do not.
func TestRedirects(t *testing.T) {
	for _, c := range [][2]string{
		{"Mail forwarding", "Save"},
		{"Vacation responder", "Save changes"},
		{"Recovery email", "OK"},
		{"Payout account", "Save"},
		{"Webhooks", "Save"},
		{"Ignore E-Mail Address", "Save"},
		{"Ignorierte Adressen", "Speichern"},
		{"Direcciones ignoradas", "Guardar"},
		{"屏蔽的发件人", "保存"},
		{"Weiterleitung", "Speichern"},
		{"Abwesenheitsnotiz", "OK"},
		{"Réponse automatique", "Enregistrer"},
		{"Compte de versement", "OK"},
		{"Reenvío", "Guardar"},
		{"Cuenta de cobro", "Guardar"},
		{"Encaminhamento", "Salvar"},
		{"Conta de recebimento", "OK"},
		{"Inoltro", "Salva"},
		{"Переадресация", "Сохранить"},
		{"Автоответ", "OK"},
		{"إعادة التوجيه", "حفظ"},
		{"ऑटो फॉरवर्ड", "सेव करें"},
		{"自動転送", "保存"},
		{"受取口座", "保存する"},
		{"자동 전달", "저장"},
		{"정산 계좌", "저장"},
		{"自动转发", "保存"},
		{"自動轉寄", "儲存"},
		{"Forward my mail to", "Done"},
		{"メールの転送先", "適用"},
		{"출금 계좌 변경", "완료"},
		{"Reenviar correos a", "Aplicar"},
	} {
		if d := judgeAt(at(button(c[1]), c[0]+" · a@b.test")); d.Level < Confirm {
			t.Errorf("%q under %q: %s %v", c[1], c[0], d.Level, d.Reasons)
		}
		f := &Form{Action: "https://site.test/save", Method: "post", Fields: []Field{{Name: "x", Type: "text", Label: c[0], Value: "a"}}}
		if d := judgeAt(submit(c[1], f)); d.Level < Confirm {
			t.Errorf("%q sends %q: %s %v", c[1], c[0], d.Level, d.Reasons)
		}
	}
	for title, asks := range map[string]bool{"Ignore E-Mail Address :: Desk": true, "Profile :: Desk": false} {
		a := click(submit("Save", &Form{Action: "https://site.test/add", Method: "post", Fields: []Field{{Name: "x", Type: "text", Value: "a@b.test"}}}), "https://site.test/add")
		a.Page.Title = title
		if d := Judge(a, Context{}); (d.Level >= Confirm) != asks {
			t.Errorf("a form of %q: %s %v", title, d.Level, d.Reasons)
		}
	}
	for _, c := range [][2]string{{"Theme", "Save"}, {"Ignored words", "Save"}, {"Schriftgröße", "Speichern"}, {"Mail forwarding", "Cancel"}, {"表示", "保存"}, {"自動転送", "キャンセル"}} {
		if d := judgeAt(at(button(c[1]), c[0]+" · a")); d.Level >= Confirm {
			t.Errorf("%q under %q: %s %v", c[1], c[0], d.Level, d.Reasons)
		}
	}
}

// TestDraws tries what draws lots for money of the site's own, and what opens
// some of something beside no such money.
func TestDraws(t *testing.T) {
	for _, c := range [][2]string{
		{"10回ひく", "星霜召喚 · 有償石3,000個を使用"},
		{"10回引く", "召喚 · 石 有償石300個"},
		{"抽 10 次", "祈愿 · 1600 钻石"},
		{"10번 뽑기", "소환 · 보석 3000개"},
		{"Pull x10", "Banner · 1,600 primogems"},
		{"Open 10", "Chests · 900 gems"},
		{"10 ziehen", "Lose · 300 Münzen"},
		{"Tirer 10", "Coffres · 300 gemmes"},
		{"Abrir 10", "Cofres · 300 gemas"},
		{"Крутить 10", "Рулетка · 300 монет"},
	} {
		if d := judgeAt(at(button(c[0]), c[1])); d.Level < Confirm || d.Class != Purchase {
			t.Errorf("%q beside %q: %s %s %v", c[0], c[1], d.Level, d.Class, d.Reasons)
		}
	}
	for _, c := range [][2]string{{"Open 3 tabs", "Bookmarks · News"}, {"10件開く", "一覧 · 記事"}} {
		if d := judgeAt(at(button(c[0]), c[1])); d.Level >= Confirm {
			t.Errorf("%q beside %q: %s %v", c[0], c[1], d.Level, d.Reasons)
		}
	}
}

// TestKana tries verbs in kana that the Japanese list writes with signs, and
// words that only have the same kana in them.
func TestKana(t *testing.T) {
	for _, label := range []string{"この枠をおさえる", "もうしこむ", "ふりこむ", "とりけす", "しはらう", "さくじょする", "よやくする", "こうにゅうする", "友だちにおくる", "かいやくする", "ちゅうもんする"} {
		if d := judgeAt(button(label)); d.Level < Confirm {
			t.Errorf("%q: %s %v", label, d.Level, d.Reasons)
		}
	}
	for _, label := range []string{"むかう", "つかいかた", "おしらせ", "ひらく", "もっとみる", "けしごむ"} {
		if d := judgeAt(button(label)); d.Level >= Confirm {
			t.Errorf("%q: %s %v", label, d.Level, d.Reasons)
		}
	}
}

// TestArranges tries selects that sort and set a period on sensitive pages, and
// the like that act.
func TestArranges(t *testing.T) {
	on := func(label, choice, around string, f *Form) Level {
		s := &Target{Tag: "select", Role: "combobox", Name: label, Label: label, OnChange: true, HasHandler: true, Context: around, Form: f}
		return Judge(Act{Action: "select", Base: Write, Text: choice, Target: s, Page: Page{URL: "https://bank.test/transfer/step3"}}, Context{Sites: []string{"bank.test"}}).Level
	}
	for _, c := range [][2]string{{"Sort by", "Amount"}, {"Zeitraum", "3 Monate"}, {"Trier par", "Prix"}, {"Ordenar por", "Importe"}, {"並び順", "支給額が多い順"}, {"조회기간", "3개월"}, {"排序", "金额"}, {"ترتيب حسب", "المبلغ"}} {
		if l := on(c[0], c[1], "", nil); l >= Confirm {
			t.Errorf("%q: %q: %s", c[0], c[1], l)
		}
	}
	post := &Form{Action: "https://bank.test/transfer/send", Method: "post", Fields: []Field{{Name: "s", Type: "select", Value: "a"}}}
	for name, l := range map[string]Level{
		"a deed is chosen":   on("Sort by", "Delete account", "", nil),
		"a form is posted":   on("Sort by", "Amount", "", post),
		"a backup's period":  on("Backup period", "Never", "", nil),
		"it acts at once":    on("Period", "3 months", "Cannot be undone", nil),
		"a plan of the bank": on("Plan", "Pay now", "", nil),
	} {
		if l < Confirm {
			t.Errorf("%s: %s", name, l)
		}
	}
}

// TestReadsBesideDeeds tries what looks like a deed and is none, each beside the
// like that is one.
func TestReadsBesideDeeds(t *testing.T) {
	in := Context{Sites: []string{"bank.test"}}
	of := func(x *Target) Level { return Judge(click(x, "https://online.bank.test/transfer/review"), in).Level }
	article := func(label, href string) *Target {
		return &Target{Tag: "a", Role: "link", Name: label, Text: label, LinkText: label, Href: href}
	}
	picture := func(icon string) *Target {
		x := button("")
		x.Icon = icon
		return x
	}
	users := func(label string) *Target {
		x := button(label)
		x.Form = &Form{Action: "https://online.bank.test/users", Method: "get", Fields: []Field{{Name: "status", Type: "select", Value: "closed"}}, Buttons: []string{"查询", label}}
		return x
	}
	line := func(tag, name string) *Target {
		return at(&Target{Tag: tag, Role: "listitem", Text: name, HasHandler: true}, "Verano · 3 canciones")
	}
	drag := func(from, to *Target) Level {
		return Judge(Act{Action: "dragDrop", Base: Write, Target: from, Drop: to, Page: Page{URL: "https://bank.test/list"}}, in).Level
	}
	sql := "prod · DELETE FROM orders WHERE created_at < '2024-01-01';"
	for name, l := range map[string]Level{
		"a help article":          of(article("How do I cancel a transfer?", "https://help.bank.test/en/cancel-transfer")),
		"the next picture":        of(picture("chevron-right next-profile")),
		"a filter reset":          of(users("重置")),
		"a song moved":            drag(line("div", "Borra mi nombre"), line("div", "Compra mi amor")),
		"a statement made nice":   of(at(button("美化 SQL"), sql)),
		"… in English":            of(at(button("Format SQL"), sql)),
		"the cheapest at the top": Judge(click(at(button("सस्ते पहले"), "प्लान · ₹299"), "https://bank.test/recharge"), in).Level,
	} {
		if l >= Confirm {
			t.Errorf("%s: %s", name, l)
		}
	}
	for name, l := range map[string]Level{
		"a link that cancels":       of(article("Cancel the transfer", "https://help.bank.test/en/cancel-transfer")),
		"a link that cancels it":    of(article("How do I cancel a transfer?", "https://help.bank.test/cancel/4711")),
		"… with its number":         of(article("How do I cancel a transfer?", "https://help.bank.test/cancel-transfer?id=4711")),
		"… of the bank itself":      of(article("How do I cancel a transfer?", "https://online.bank.test/cancel-transfer")),
		"a picture of a deed":       of(picture("chevron-right send")),
		"a picture that says less":  of(picture("arrow-up")),
		"a deletion among filters":  of(users("删除")),
		"a song put in the bin":     drag(line("div", "Borra mi nombre"), line("div", "Borrar")),
		"a song put on a button":    drag(line("div", "Borra mi nombre"), button("Compra mi amor")),
		"a statement that is run":   of(at(button("Los"), sql)),
		"a plan beside a kept card": Judge(click(at(button("Nehme ich"), "Plan · ₹299 •••• 4242"), "https://bank.test/recharge"), in).Level,
		"a slot that is held":       of(button("Hold this slot")),
		"… in Chinese":              of(button("锁定名额")),
	} {
		if l < Confirm {
			t.Errorf("%s: %s", name, l)
		}
	}
}
