package safety

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A button may say anything: "Let's go", "Her damit!", "Bora!". Where no list
// knows its words, what it does is read off what stands around it: a sum and how
// it is paid, what would be lost, who would be told, what would be declared.

// strange reports a control that no list knows a word of: neither what acts, nor
// what shows, chooses or says no. A link that only leads somewhere is judged by
// its address.
func (p *press) strange() bool {
	if p.link || p.quieted || p.searchy || p.known || p.isRow() || p.toggle && p.t.Tag == "input" || p.t.Role == "tab" || p.t.Role == "option" || p.t.Tag == "summary" {
		return false
	}
	return slices.ContainsFunc(p.labels, says)
}

// signNamed reports the name of a sign in an icon font: "arrow_forward_ios".
func signNamed(s string) bool {
	return strings.Contains(s, "_") && !strings.ContainsAny(s, " \t") && isPlainASCII(s)
}

// says reports a label with a word in it: signs, numbers, times and sizes choose
// something. A sum is no mere number.
func says(s string) bool {
	if sumIn(s) != "" {
		return true
	}
	return !signNamed(s) && slices.ContainsFunc(words(fold(s)), func(w string) bool { return !isNumber(w) && (len(w) > 2 || hasNonASCII(w)) })
}

// byPage judges a control that no list knows by the page it is the button of:
// its address, its title, the heading of its group.
func (p *press) byPage() {
	j := p.j
	if !p.puzzling || p.severe || p.toggle || j.isSearch(p.t) || p.filters() {
		return
	}
	if c := pageClass[j.sensURL]; c == Purchase && (p.tells(false) != "" || p.verb() != nil || p.t.submits() || p.pressed || p.sumBeside() == "") {
		j.raise(Confirm, c, "unknown_control", j.say("It is not known what %s does, and the page's address is sensitive: %s", quote(p.weak), j.sensURL))
		p.severe = true
		return
	}
	if c := pageDoes(readableURL(j.act.Page.URL)); c != "" {
		j.raise(Confirm, c, "unknown_control", j.say("It is not known what %s does, and the page's address says: %s", quote(p.weak), pathEnd(j.act.Page.URL)))
		p.severe = true
		return
	}
	head, _, _ := strings.Cut(p.t.Context, " · ")
	for _, s := range []string{head, j.act.Page.Title} {
		lb := j.lex.label(clip(s, 120))
		if len(lb.tokens) == 0 || lb.long() || j.lex.inSection("ask", &lb) != nil {
			continue
		}
		for _, h := range j.lex.hits(&lb) {
			if h.level >= Confirm && !h.link && h.class != Submit && h.class != Settings && h.class != FileClass {
				j.raise(Confirm, h.class, "unknown_control", j.say("It is not known what %s does, and above it stands: %s", quote(p.weak), clip(s, 120)))
				p.severe = true
			}
		}
	}
}

// knows notes that a list knows a label: what it says is no riddle.
func (p *press) knows(lb *label) {
	if p.known || slices.Contains(lb.hushed, true) && p.tells(true) == "" {
		p.known = true
		return
	}
	if p.j.lex.inSection("plain", lb) != nil || p.lists() {
		p.known = true
		return
	}
	for _, section := range []string{"look", "dismiss", "ask", "navigate", "write"} {
		if section == "look" && (sumIn(lb.raw) != "" || p.tells(true) != "" || !p.link && p.saysSum(lb.raw)) {
			continue // "Add 2 GB for $9", "Open for 500", "Open to the world" beside "At once and for all"
		}
		if p.j.lex.inSection(section, lb) != nil && !(section == "dismiss" && (p.refuses() || p.leaves(lb))) {
			p.known = true
			return
		}
	}
}

// refuses reports a "No" that gives something up, beside the answer that keeps
// it: "No thanks, I give up my benefits", "Keep my plan".
func (p *press) refuses() bool {
	h := p.verb()
	return h != nil && h.class == Destroy && p.j.lex.inWords("dismiss", words(fold(tail(p.beside())))) != nil
}

// leaves reports a "Close" or "Leave" that gives something up: what would be lost
// stands beside it, and so does the answer that keeps it.
func (p *press) leaves(lb *label) bool {
	if p.j.lex.inSection("leaving", lb) == nil {
		return false
	}
	text := p.beside()
	return p.j.lex.inWords("loss", p.besideWords) != nil && p.j.lex.inWords("dismiss", words(fold(tail(text)))) != nil
}

// cardEnd is how pages write a card that they keep: its last digits after dots
// or stars, in any language.
var cardEnd = regexp.MustCompile(`[•●∙·*xX…]{2,}[ -]?\d{2,4}\b|[•●]\d{4}\b`)

// coins are sums in money of a site's own.
var coins = regexp.MustCompile(`(?i)` + num + `[ ]?(?:` + coinNames + `)`)

// coinNames are what such money is called.
const coinNames = `coins?|credits?|points?|miles|gems?|tokens?|crystals?|diamonds?|jewels?|rubies|chips|punkte|edelsteine|diamanten|kristalle|münzen|pièces|gemmes|diamants|cristaux|jetons|monedas|gemas|diamantes|cristales|fichas|puntos|millas|moedas|pontos|milhas|cristais|monete|punti|gemme|diamanti|cristalli|gettoni|монет|баллов|кристаллов|алмазов|самоцветов|гемов|фишек|コイン|ポイント|マイル|ジェム|ダイヤ|クリスタル|魔法石|魔石|코인|포인트|보석|다이아|크리스탈|젬|[枚个個颗顆]?(?:硬币|硬幣|金币|金幣|积分|點|水晶|钻石|鑽石|宝石|寶石|元宝|元寶|代币|代幣|点券|點券)|कॉइन|सिक्के|हीरे|रत्न|عملة|نقطة|جوهرة|ماسة`

// hasCoinedPrefix finds the beginning of such a name, which costs less to look for.
func hasCoinedPrefix(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(coinStems, func(n string) bool { return strings.Contains(text, n) })
}

var coinStems = strings.Fields("coin credit point miles gem token crystal diamond jewel rubies chips punkte münzen edelstein diamanten kristalle pièces diamants " +
	"cristaux jetons moned monet puntos millas cristales fichas moeda pontos milhas cristais punti diamanti cristalli gettoni монет баллов кристаллов алмазов " +
	"самоцветов гемов фишек " +
	"コイン ポイント マイル ジェム ダイヤ クリスタル 魔法石 魔石 코인 포인트 보석 다이아 크리스탈 젬 硬币 硬幣 金币 金幣 积分 點 水晶 钻石 鑽石 宝石 寶石 元宝 元寶 代币 代幣 点券 " +
	"कॉइन सिक्के हीरे रत्न عملة نقطة جوهرة ماسة")

// sumIn gives the first sum in a text.
func sumIn(text string) string {
	if !strings.ContainsFunc(text, unicode.IsNumber) {
		return ""
	}
	if found := money.FindString(text); found != "" {
		return strings.TrimRight(strings.TrimSpace(found), ".,'’")
	}
	if !hasCoinedPrefix(text) {
		return ""
	}
	for _, at := range coins.FindAllStringIndex(text, 8) {
		// "4 Points 20": there the name belongs to what follows; "•••• 4829 Credit" is a card.
		rest, before := strings.TrimLeft(text[at[1]:], " "), strings.TrimRight(text[:at[0]], " ")
		ofCard := strings.HasSuffix(before, "•") || strings.HasSuffix(before, "*") || strings.HasSuffix(before, "●")
		if !ofCard && (rest == "" || rest[0] < '0' || rest[0] > '9') {
			return text[at[0]:at[1]]
		}
	}
	return ""
}

// around judges a control that says little or nothing by its group.
func (p *press) around() {
	j := p.j
	if p.link || p.quieted || p.searchy || p.severe || j.isSearch(p.t) || p.filters() {
		return
	}
	if p.sortsByPrice() {
		return
	}
	text := p.beside()
	ws := p.besideWords
	for _, x := range []struct {
		section string
		class   Class
		always  bool // also beside "OK" and "Next", which are on every page
	}{{"loss", Destroy, true}, {"promise", Legal, true}, {"told", Communicate, false}} {
		if !x.always && !p.puzzling || p.toggle {
			continue
		}
		if h := j.lex.inWords(x.section, ws); h != nil {
			j.raise(Confirm, x.class, "agrees_to", j.say("%s stands beside: %s", quote(p.weak), h.raw))
			p.severe = true
		}
	}
	// Beside "No", "Keep it", "Not now" it is the other answer, whatever its words.
	if h := j.lex.inWords("dismiss", words(fold(tail(p.beside())))); h != nil && len(j.questions(p.beside())) > 0 && p.puzzling && !p.severe && !p.toggle && !p.t.Form.looksUp() {
		j.raise(Confirm, Submit, "agrees_to", j.say("%s stands beside: %s", quote(p.weak), h.raw))
		p.severe = true
	}
	sum := p.sumBeside()
	if sum == "" {
		sum = sumIn(strings.Join(p.labels, "\n"))
	}
	if sum == "" {
		return
	}
	// Beside "OK" and "Next" a sum alone says nothing; a button that nobody can
	// make out, beside a sum, may spend it.
	if p.puzzling && p.spends() && !basket(readableURL(p.t.Form.action())) || !p.puzzling && (cardEnd.MatchString(text) || j.lex.inWords("spend", ws) != nil) {
		j.raise(Confirm, Purchase, "settles", j.say("%s stands beside: %s", quote(p.weak), sum))
		p.severe = true
	}
}

// periodic is what a price that is charged again and again is for.
var periodic = regexp.MustCompile(`(?i)\d ?(?:/ ?|per |a |pro |im |par |al |por |ao |в |за )(?:mo|month|months|yr|year|hr|hour|monat|jahr|stunde|mois|an|heure|mes|año|hora|mês|ano|mese|anno|ora|месяц|мес|год|час)\b|\d ?[元円원]?/ ?(?:月|年|시간|월|년)`)

// spends reports a sum that a control nobody can make out may spend: it says one
// itself or has a verb for it, or a sentence beside it tells what happens.
func (p *press) spends() bool {
	if p.j.lex.inWords("spend", p.besideWords) != nil || p.j.lex.inWords("stake", p.besideWords) != nil || p.tells(false) != "" || p.verb() != nil || sumIn(strings.Join(p.labels, "\n")) != "" || p.t.submits() || periodic.MatchString(p.beside()) {
		return true
	}
	head, _, ok := strings.Cut(p.t.Context, " · ")
	return ok && sumIn(head) != "" || slices.ContainsFunc(p.labels, p.saysSum)
}

// saysSum reports a label that has the number of a sum beside it: "Go to 2,400".
func (p *press) saysSum(label string) bool {
	if !strings.ContainsFunc(label, unicode.IsNumber) {
		return false
	}
	sums := Amounts(p.t.Context)
	if hasCoinedPrefix(p.t.Context) {
		sums = append(sums, coins.FindAllString(p.t.Context, 8)...)
	}
	for _, sum := range sums {
		if n := strings.Trim(strings.TrimFunc(sum, func(r rune) bool { return r < '0' || r > '9' }), " "); len(n) > 1 && strings.Contains(label, n) {
			return true
		}
	}
	return false
}

// tail is the end of what stands around a control, where the other answers are.
func tail(text string) string {
	rs := []rune(text)
	return string(rs[max(0, len(rs)-60):])
}

// sortsByPrice reports a control called after how a list is sorted, with the sum that this begins
// at: "Cheapest from $148".
func (p *press) sortsByPrice() bool {
	lb := p.j.lex.label(p.weak)
	h := p.j.lex.inSection("arrange", &lb)
	return h != nil && h.anchor == atStart && !p.t.submits() && p.tells(true) == ""
}

// methods are the verbs that a form has in a hidden field where a browser can
// send none but GET and POST.
var methodFields = wordSet("_method method httpmethod _httpmethod")

// posts judges a form that is sent by what it holds and where it goes, whatever
// its button says.
func (p *press) posts() {
	j, f := p.j, p.t.Form
	if f == nil || strings.EqualFold(f.Method, "get") || p.proven() || j.d.Level >= Confirm {
		return
	}
	ask := func(c Class, rule, text string) {
		j.raise(Confirm, c, rule, text)
		p.severe = true
	}
	for _, x := range f.Fields {
		if methodFields[strings.ToLower(x.Name)] && strings.EqualFold(x.Value, "delete") {
			ask(Destroy, "delete_form", j.say("The form deletes what it is about"))
		}
	}
	if p.quieted || p.known && p.weak == "" && !p.acts {
		return
	}
	if sum := f.sum(); sum != "" && !calculates(readableURL(f.Action)) {
		ask(Purchase, "money_form", j.say("The form sends a sum: %s", sum))
	}
	if f.message() {
		ask(Communicate, "message_form", j.say("The form sends what is written in it"))
	}
	for _, x := range f.Fields {
		if x.Type != "checkbox" || x.Value == "" {
			continue
		}
		for _, section := range []string{"promise", "legaltext"} {
			if h := j.lex.inText(section, x.Label); h != nil {
				ask(Legal, "promise_form", j.say("The form declares: %s", clip(x.Label, 120)))
			}
		}
	}
	if c := pathClass(readableURL(f.Action), lastSegments); c != "" {
		ask(c, "acting_form", j.say("The form goes to an address that says: %s", pathEnd(f.Action)))
	} else if last := lastStep(readableURL(j.act.Page.URL)); last && commitsEnd(readableURL(f.Action)) {
		ask(Submit, "last_step", j.say("The form goes to an address that says: %s", pathEnd(f.Action)))
	}
}

// pathEnd is the end of an address as it is quoted.
func pathEnd(raw string) string {
	u := readableURL(raw)
	if u == nil {
		return ""
	}
	return clip(u.Path, 80)
}

// sum gives what a user sees the form bid, ask or give.
func (f *Form) sum() string {
	for _, x := range f.Fields {
		if x.Secret != "" || x.Type == "hidden" || !strings.ContainsAny(x.Value, "123456789") {
			continue
		}
		for _, w := range words(fold(x.Name)) {
			if offerFields[w] {
				return clip(x.Value, 40)
			}
		}
	}
	return ""
}

// message reports a form with a text of several lines, which somebody is going
// to read.
func (f *Form) message() bool {
	for _, x := range f.Fields {
		if x.Type == "textarea" {
			return true
		}
	}
	return false
}

// samePage reports an address that differs from the page's in its fragment only:
// what a script hangs its button on.
func samePage(u *url.URL, page string) bool {
	at := readableURL(page)
	return at != nil && at.Host == u.Host && at.Path == u.Path && at.RawQuery == u.RawQuery
}

// baskets are what addresses call the place where things wait to be ordered:
// what is put there is a draft.
var baskets = wordSet("cart carts basket bag trolley warenkorb korb panier carrito cesta carrinho sacola cesto carrello korzina wishlist favorites favourites")

func basket(u *url.URL) bool {
	if u == nil {
		return false
	}
	for s := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
		if baskets[s] {
			return pathClass(u, lastSegments) != Purchase
		}
	}
	return false
}

// action is the address of a form, of none nothing.
func (f *Form) action() string {
	if f == nil {
		return ""
	}
	return f.Action
}
