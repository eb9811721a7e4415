package sites

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bank is online banking: forms in several steps that are checked and then
// confirmed, a dialog, menus of rows, switches.
type bank struct {
	base
	accounts  []*account
	cards     []*card
	payees    []payee
	standing  []*standingOrder
	transfers []transfer
	pending   *transfer // entered, not confirmed
}

type account struct {
	Slug, Name, Number string
	Balance, Available int
	Paper              bool
	Moves              []move // newest first
}

type move struct {
	Day    time.Time
	Who    string
	Amount int
}

type card struct {
	Slug, Name, Last string
	Frozen           bool
	Limit            int
}

type payee struct{ Name, IBAN string }

type standingOrder struct {
	Slug, To string
	Amount   int
	Day      int
}

type transfer struct {
	From, To  string // names
	Amount    int
	Reference string
}

func newBank(b base) *bank {
	k := &bank{base: b}
	number := func() string { return fmt.Sprintf("%04d", k.between(1000, 9999)) }
	for _, n := range shuffle(&k.base, [][3]string{{"everyday", "Everyday", "日常账户"}, {"holiday", "Holiday savings", "旅行储蓄"}, {"rainy", "Rainy day savings", "备用储蓄"}, {"joint", "Joint", "家庭账户"}}) {
		a := &account{Slug: n[0], Name: k.t(n[1], n[2]), Number: "•••• " + number(), Available: k.between(90000, 890000), Paper: true}
		a.Balance = a.Available + k.between(1000, 30000)
		k.accounts = append(k.accounts, a)
		k.moves(a)
	}
	for _, n := range shuffle(&k.base, [][3]string{{"everyday", "Everyday", "日常卡"}, {"travel", "Travel", "旅行卡"}, {"online", "Online", "网购卡"}}) {
		k.cards = append(k.cards, &card{Slug: n[0], Name: k.t(n[1], n[2]), Last: number(), Limit: k.between(8, 30) * 10000})
	}
	for _, n := range shuffle(&k.base, [][2]string{{"Ida Lund", "刘洋"}, {"Marek Novotny", "马千里"}, {"Bright Dental", "明亮牙科"}, {"Oak Gym", "橡树健身"}}) {
		k.payees = append(k.payees, payee{k.t(n[0], n[1]), fmt.Sprintf("GB%02d HRBR %s %s %s %02d", k.between(10, 98), number(), number(), number(), k.between(10, 99))})
	}
	for _, n := range shuffle(&k.base, [][3]string{{"gym", "Oak Gym", "橡树健身"}, {"rent", "Harrow Lettings", "安居房产"}, {"school", "Oak Lane School", "橡树路小学"}, {"charity", "Sea Rescue", "海上救援"}}) {
		k.standing = append(k.standing, &standingOrder{n[0], k.t(n[1], n[2]), k.between(21, 29) * 100, k.between(1, 28)})
	}
	k.parse("bank", map[string]any{"plain": plainMoney, "minus": func(cents int) string { return "−" + k.money(-cents) }})
	return k
}

// moves makes four months of transactions; two suppliers are paid each month.
func (k *bank) moves(a *account) {
	shops := strings.Split(k.t("Corner Bakery,Metro Tickets,Northwind Store,Green Grocer,Cinema Lux,Book Nook", "街角面包店,地铁充值,北风商店,绿叶超市,光影影城,书香书店"), ",")
	suppliers := strings.Split(k.t("City Power,City Gas", "城市电力,城市燃气"), ",")
	for month := range 4 {
		first := time.Date(2026, today.Month()-time.Month(month), 1, 0, 0, 0, 0, time.UTC)
		var of []move
		for range 11 {
			of = append(of, move{first.AddDate(0, 0, k.between(0, 18)), shops[k.rnd.IntN(len(shops))], -k.between(210, 8990)})
		}
		for _, s := range suppliers {
			of = append(of, move{first.AddDate(0, 0, k.between(0, 18)), s, -k.between(4100, 9890)})
		}
		slices.SortStableFunc(of, func(x, y move) int { return y.Day.Compare(x.Day) })
		a.Moves = append(a.Moves, of...)
	}
}

func (k *bank) facts() facts {
	f := facts{}
	for _, a := range k.accounts {
		f["account."+a.Slug+".paper"] = onOff(a.Paper)
	}
	for _, c := range k.cards {
		f["card."+c.Slug+".frozen"], f["card."+c.Slug+".limit"] = onOff(c.Frozen), plainMoney(c.Limit)
	}
	for _, p := range k.payees {
		f["payee."+p.Name] = strings.ReplaceAll(p.IBAN, " ", "")
	}
	for _, s := range k.standing {
		f["standing."+s.Slug] = fmt.Sprintf("%s on %d", plainMoney(s.Amount), s.Day)
	}
	for i, t := range k.transfers {
		f[fmt.Sprintf("transfer.%d", i+1)] = fmt.Sprintf("%s from %s to %s", plainMoney(t.Amount), t.From, t.To)
		f[fmt.Sprintf("transfer.%d.reference", i+1)] = t.Reference
	}
	return f
}

func (k *bank) account(name string) *account {
	i := slices.IndexFunc(k.accounts, func(a *account) bool { return a.Slug == name || a.Name == name })
	if i < 0 {
		return nil
	}
	return k.accounts[i]
}

func (k *bank) show(w http.ResponseWriter, name, title string, v map[string]any) {
	v["Title"], v["Page"], v["Accounts"], v["Cards"], v["Payees"], v["Standing"] = title, name, k.accounts, k.cards, k.payees, k.standing
	k.render(w, http.StatusOK, name, v)
}

func (k *bank) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { see(w, r, "/accounts") })
	page := func(path, name, en, zh string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { k.show(w, name, k.t(en, zh), map[string]any{}) })
	}
	page("/accounts", "accounts", "Accounts", "账户")
	page("/payees", "payees", "Payees", "收款人")
	page("/cards", "cards", "Cards", "银行卡")
	page("/standing-orders", "standing", "Standing orders", "定期转账")
	page("/statements", "statements", "Statements", "对账单")
	mux.HandleFunc("GET /accounts/{slug}", k.history)
	mux.HandleFunc("POST /cards/{slug}", k.changeCard)
	mux.HandleFunc("POST /payees", k.addPayee)
	mux.HandleFunc("POST /statements", func(w http.ResponseWriter, r *http.Request) {
		for _, a := range k.accounts {
			if v := r.FormValue(a.Slug); v != "" {
				a.Paper = v == "paper"
			}
		}
		k.toast = k.t("Your choice is saved.", "您的选择已保存。")
		see(w, r, "/statements")
	})
	mux.HandleFunc("GET /standing-orders/{slug}", func(w http.ResponseWriter, r *http.Request) { k.editStanding(w, r, "") })
	mux.HandleFunc("POST /standing-orders/{slug}", k.saveStanding)
	mux.HandleFunc("GET /transfer", func(w http.ResponseWriter, r *http.Request) {
		k.show(w, "transfer", k.t("Transfer", "转账"), map[string]any{"To": r.URL.Query().Get("to"), "Form": r.Form, "Wrong": map[string]string{}})
	})
	mux.HandleFunc("POST /transfer", k.review)
	mux.HandleFunc("POST /transfer/confirm", func(w http.ResponseWriter, r *http.Request) {
		if k.pending == nil {
			see(w, r, "/transfer")
			return
		}
		t := *k.pending
		k.pending = nil
		k.transfers = append(k.transfers, t)
		for name, sum := range map[string]int{t.From: -t.Amount, t.To: t.Amount} {
			if a := k.account(name); a != nil {
				a.Balance, a.Available = a.Balance+sum, a.Available+sum
			}
		}
		k.toast = k.t("Your transfer is on its way.", "转账已提交。")
		see(w, r, "/accounts")
	})
}

func (k *bank) history(w http.ResponseWriter, r *http.Request) {
	a := k.account(r.PathValue("slug"))
	if a == nil {
		http.NotFound(w, r)
		return
	}
	month := r.URL.Query().Get("month")
	var months []string
	var found []move
	for _, m := range a.Moves {
		name := m.Day.Format("2006-01")
		if !slices.Contains(months, name) {
			months = append(months, name)
		}
		if month == "" || month == name {
			found = append(found, m)
		}
	}
	const on = 10
	pages := max(1, (len(found)+on-1)/on)
	n, _ := strconv.Atoi(r.URL.Query().Get("page"))
	n = min(max(n, 1), pages)
	k.show(w, "account", a.Name, map[string]any{
		"Account": a, "Moves": found[(n-1)*on : min(n*on, len(found))], "Months": months, "Month": month, "N": n, "Pages": pages,
		"Prev": n - 1, "Next": n + 1,
	})
}

func (k *bank) changeCard(w http.ResponseWriter, r *http.Request) {
	i := slices.IndexFunc(k.cards, func(c *card) bool { return c.Slug == r.PathValue("slug") })
	if i < 0 {
		http.NotFound(w, r)
		return
	}
	c := k.cards[i]
	if v := r.FormValue("frozen"); v != "" {
		c.Frozen = v == "on"
		writeJSON(w, map[string]string{"said": k.t("Saved", "已保存")})
		return
	}
	limit := cents(r.FormValue("limit"))
	if limit < 1000 || limit > 500000 {
		k.toast = k.t("A limit is from £10 to £5,000.", "限额须在 ¥10 到 ¥5,000 之间。")
	} else {
		c.Limit = limit
		k.toast = k.t("The new limit holds from now on.", "新限额已生效。")
	}
	see(w, r, "/cards")
}

var iban = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`)

func (k *bank) addPayee(w http.ResponseWriter, r *http.Request) {
	p := payee{strings.TrimSpace(r.FormValue("name")), strings.ToUpper(strings.TrimSpace(r.FormValue("iban")))}
	switch {
	case p.Name == "":
		k.show(w, "payees", k.t("Payees", "收款人"), map[string]any{"Wrong": k.t("A payee needs a name.", "请填写姓名。"), "Form": r.Form})
	case !iban.MatchString(strings.ReplaceAll(p.IBAN, " ", "")):
		k.show(w, "payees", k.t("Payees", "收款人"), map[string]any{"Wrong": k.t("This is not a valid IBAN.", "IBAN 无效。"), "Form": r.Form})
	default:
		k.payees = append(k.payees, p)
		k.toast = k.t(p.Name+" is added.", "已添加"+p.Name)
		see(w, r, "/payees")
	}
}

func (k *bank) editStanding(w http.ResponseWriter, r *http.Request, wrong string) {
	i := slices.IndexFunc(k.standing, func(s *standingOrder) bool { return s.Slug == r.PathValue("slug") })
	if i < 0 {
		http.NotFound(w, r)
		return
	}
	k.show(w, "standingedit", k.t("Standing order", "定期转账"), map[string]any{"Order": k.standing[i], "Wrong": wrong})
}

func (k *bank) saveStanding(w http.ResponseWriter, r *http.Request) {
	i := slices.IndexFunc(k.standing, func(s *standingOrder) bool { return s.Slug == r.PathValue("slug") })
	sum := cents(r.FormValue("amount"))
	day, _ := strconv.Atoi(r.FormValue("day"))
	switch {
	case i >= 0 && r.FormValue("do") == "delete":
		k.standing = slices.Delete(k.standing, i, i+1)
		k.toast = k.t("The standing order is deleted.", "定期转账已删除。")
	case i < 0 || sum <= 0 || day < 1 || day > 28:
		k.editStanding(w, r, k.t("Please enter an amount, and a day from 1 to 28.", "请填写金额和 1 到 28 之间的日期。"))
		return
	default:
		k.standing[i].Amount, k.standing[i].Day = sum, day
		k.toast = k.t("The standing order is changed.", "定期转账已更改。")
	}
	see(w, r, "/standing-orders")
}

// review checks what was entered and has it confirmed.
func (k *bank) review(w http.ResponseWriter, r *http.Request) {
	from, to := k.account(r.FormValue("from")), r.FormValue("to")
	sum := cents(r.FormValue("amount"))
	wrong := map[string]string{}
	if from == nil {
		wrong["from"] = k.t("Choose an account.", "请选择账户。")
	}
	known := slices.ContainsFunc(k.payees, func(p payee) bool { return p.Name == to }) || k.account(to) != nil
	if !known || from != nil && from.Name == to {
		wrong["to"] = k.t("Choose who gets the money.", "请选择收款方。")
	}
	switch {
	case sum <= 0:
		wrong["amount"] = k.t("Enter an amount.", "请输入金额。")
	case from != nil && sum > from.Available:
		wrong["amount"] = k.t("There is not enough money in this account.", "账户余额不足。")
	}
	if len(wrong) > 0 {
		k.show(w, "transfer", k.t("Transfer", "转账"), map[string]any{"Wrong": wrong, "To": to, "Form": r.Form})
		return
	}
	k.pending = &transfer{from.Name, to, sum, strings.TrimSpace(r.FormValue("reference"))}
	k.show(w, "confirm", k.t("Check your transfer", "确认转账"), map[string]any{"Transfer": k.pending})
}
