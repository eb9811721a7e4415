package corpus

import (
	"fmt"
	"strings"
	"text/template"
)

// keys are the words of an interface; words has them in each language, in this
// order. Only their scripts and lengths matter, not the quality of translation.
var keys = strings.Split("home search cart login menu settings help close delete edit share save cancel next previous "+
	"all more filter sort price size quantity add remove new today month reply like name email password address country "+
	"send accept reject language profile download upload open details notifications", " ")

var words = map[string]string{
	"en": "Home|Search|Cart|Sign in|Menu|Settings|Help|Close|Delete|Edit|Share|Save|Cancel|Next|Previous|All|More|Filter|Sort by|Price|Size|Quantity|Add to cart|Remove|New|Today|Month|Reply|Like|Full name|E-mail|Password|Address|Country|Send|Accept all|Reject all|Language|Profile|Download|Upload|Open|Details|Notifications",
	"de": "Startseite|Suche|Warenkorb|Anmelden|Menü|Einstellungen|Hilfe|Schließen|Löschen|Bearbeiten|Teilen|Speichern|Abbrechen|Weiter|Zurück|Alle|Mehr|Filtern|Sortieren nach|Preis|Größe|Menge|In den Warenkorb|Entfernen|Neu|Heute|Monat|Antworten|Gefällt mir|Vollständiger Name|E-Mail-Adresse|Passwort|Anschrift|Land|Absenden|Alle akzeptieren|Alle ablehnen|Sprache|Profil|Herunterladen|Hochladen|Öffnen|Einzelheiten|Benachrichtigungen",
	"fr": "Accueil|Rechercher|Panier|Se connecter|Menu|Paramètres|Aide|Fermer|Supprimer|Modifier|Partager|Enregistrer|Annuler|Suivant|Précédent|Tous|Plus|Filtrer|Trier par|Prix|Taille|Quantité|Ajouter au panier|Retirer|Nouveau|Aujourd’hui|Mois|Répondre|J’aime|Nom complet|Adresse e-mail|Mot de passe|Adresse|Pays|Envoyer|Tout accepter|Tout refuser|Langue|Profil|Télécharger|Importer|Ouvrir|Détails|Notifications",
	"ru": "Главная|Поиск|Корзина|Войти|Меню|Настройки|Помощь|Закрыть|Удалить|Изменить|Поделиться|Сохранить|Отмена|Далее|Назад|Все|Ещё|Фильтр|Сортировка|Цена|Размер|Количество|В корзину|Убрать|Новое|Сегодня|Месяц|Ответить|Нравится|Имя и фамилия|Эл. почта|Пароль|Адрес|Страна|Отправить|Принять все|Отклонить все|Язык|Профиль|Скачать|Загрузить|Открыть|Подробнее|Уведомления",
	"zh": "首页|搜索|购物车|登录|菜单|设置|帮助|关闭|删除|编辑|分享|保存|取消|下一页|上一页|全部|更多|筛选|排序|价格|尺码|数量|加入购物车|移除|新建|今天|月|回复|赞|姓名|电子邮箱|密码|地址|国家|发送|全部接受|全部拒绝|语言|个人资料|下载|上传|打开|详情|通知",
	"ja": "ホーム|検索|カート|ログイン|メニュー|設定|ヘルプ|閉じる|削除|編集|共有|保存|キャンセル|次へ|前へ|すべて|もっと見る|絞り込み|並べ替え|価格|サイズ|数量|カートに入れる|取り消す|新規|今日|月|返信|いいね|氏名|メールアドレス|パスワード|住所|国|送信|すべて許可|すべて拒否|言語|プロフィール|ダウンロード|アップロード|開く|詳細|通知",
	"ar": "الرئيسية|بحث|سلة التسوق|تسجيل الدخول|القائمة|الإعدادات|مساعدة|إغلاق|حذف|تعديل|مشاركة|حفظ|إلغاء|التالي|السابق|الكل|المزيد|تصفية|ترتيب حسب|السعر|المقاس|الكمية|أضف إلى السلة|إزالة|جديد|اليوم|شهر|رد|أعجبني|الاسم الكامل|البريد الإلكتروني|كلمة السر|العنوان|البلد|إرسال|قبول الكل|رفض الكل|اللغة|الملف الشخصي|تنزيل|رفع|فتح|تفاصيل|الإشعارات",
}

// stock holds, by language, headlines, goods and people for the pages.
var stock = map[string][3]string{
	"en": {"City council approves the new tram line|Storm leaves thousands without power|Researchers map the floor of the lake|Why the old bridge will stay|A recipe that needs no oven|Team wins after extra time", "Blue mug|Oak desk lamp|Wool blanket|Travel bag|Garden chair|Steel kettle", "Mara Lind|Tom Becker|Aisha Khan|Jonas Weber|Lena Ortiz"},
	"de": {"Stadtrat stimmt für die neue Straßenbahn|Sturm kappt Stromleitungen|Forscher vermessen den Seegrund|Warum die alte Brücke bleibt", "Blaue Tasse|Schreibtischlampe|Wolldecke|Reisetasche", "Mara Lind|Tom Becker|Jürgen Groß"},
	"fr": {"Le conseil approuve la ligne de tram|La tempête prive des foyers d’électricité|Le vieux pont restera", "Tasse bleue|Lampe de bureau|Couverture en laine", "Élodie Martin|Tom Becker|Noé Petit"},
	"ru": {"Городской совет одобрил новую линию трамвая|Буря оставила тысячи домов без света|Учёные составили карту дна озера|Почему старый мост сохранят", "Синяя кружка|Настольная лампа|Шерстяной плед|Дорожная сумка", "Анна Иванова|Пётр Смирнов|Мария Орлова"},
	"zh": {"市议会批准新建电车线路|暴风雨致数千户停电|研究人员绘制湖底地图|老桥为何得以保留", "蓝色马克杯|橡木台灯|羊毛毯|旅行包", "王芳|李明|陈静"},
	"ja": {"市議会が新しい路面電車を承認|嵐で数千世帯が停電|研究者が湖底の地図を作成|古い橋が残る理由", "青いマグカップ|卓上ランプ|ウールの毛布|旅行かばん", "佐藤花子|鈴木一郎|高橋健"},
	"ar": {"مجلس المدينة يوافق على خط الترام الجديد|عاصفة تقطع الكهرباء عن الآلاف|باحثون يرسمون خريطة قاع البحيرة", "كوب أزرق|مصباح مكتب|بطانية صوف", "ليلى حسن|عمر سعيد|سارة علي"},
}

func pick(list string, i int) string {
	all := strings.Split(list, "|")
	return all[i%len(all)]
}

// funcs are what the kits may call; they speak the page's language.
func funcs(p Page) template.FuncMap {
	own := map[string]string{}
	for i, w := range strings.Split(words[p.Lang], "|") {
		if i < len(keys) {
			own[keys[i]] = w
		}
	}
	of := stock[p.Lang]
	return template.FuncMap{
		"t": func(key string) (string, error) {
			w, ok := own[key]
			if !ok && p.Lang != "" {
				return "", fmt.Errorf("no word %q in %s", key, p.Lang)
			}
			return w, nil
		},
		"title": func(i int) string { return pick(of[0], i) },
		"item":  func(i int) string { return pick(of[1], i) },
		"who":   func(i int) string { return pick(of[2], i) },
		"icon":  func(name string) string { return icon(p.Icons, name) },
		"dir": func() string {
			if p.Lang == "ar" {
				return "rtl"
			}
			return "ltr"
		},
		"n":     func(i int) int { return (i*7919+13)%97 + 3 }, // a number that looks like any other
		"price": func(i int) string { return fmt.Sprintf("$%d.%02d", (i*37)%180+4, (i*53)%100) },
		"seq": func(n int) []int {
			out := make([]int, n)
			for i := range out {
				out[i] = i
			}
			return out
		},
		"add":   func(a, b int) int { return a + b },
		"mul":   func(a, b int) int { return a * b },
		"every": func(i, n int) bool { return i%n == 0 },
		"list":  func(s ...string) []string { return s },
		"file":  strings.ToLower,
	}
}

// icon draws an icon as a site of some style would.
func icon(style, name string) string {
	switch style {
	case "font":
		return `<i class="fa fa-` + name + `"></i>`
	case "img":
		return `<img src="/img/ic_` + name + `_24.svg" width="18" height="18" alt="">`
	case "sprite":
		return `<svg class="ico" width="18" height="18"><use href="/img/sprite.svg#icon-` + name + `"></use></svg>`
	case "ligature":
		return `<span class="material-icons" aria-hidden="true">` + name + `</span>`
	default:
		return `<svg class="lucide lucide-` + name + `" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M4 4h16v16H4z"></path></svg>`
	}
}
