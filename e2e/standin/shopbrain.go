package standin

import (
	"fmt"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// Shopper is a Brain that finds the cheapest blue mug in a shop and buys it. It
// decides by what it reads in the newest observation and in the results since
// its last reply; positions, ids and prices are never known to it beforehand.
//
// Of the page it needs: a search box, products as links whose names hold name
// and price ("Blue mug, small $12.50"), the price in the text of a product's
// page, buttons and links called "Add to cart", "Cart" or "View cart", "Proceed
// to checkout" and "Pay …", labelled fields, and an order number.
type Shopper struct {
	// Colour and Thing are what it looks for; "blue" and "mug" by default.
	Colour, Thing string
	// Address is what it writes into the fields of the checkout, by words of
	// their names; a made-up one by default.
	Address map[string]string

	checked map[string]int // what one piece costs, read on its own page; by name
	gone    map[string]bool
	chosen  product
	listed  bool // the whole list was asked for just now
	last    string
	again   int
}

// NewShopper makes a Shopper for the task of the tour.
func NewShopper() *Shopper {
	return &Shopper{
		Colour: "blue", Thing: "mug",
		Address: map[string]string{
			"name": "Ada Example", "mail": "ada@example.test", "street": "1 Kiln Lane", "post": "12345", "city": "Potters Bar",
		},
	}
}

// product is a candidate as it was read from a link.
type product struct {
	name  string
	cents int
	from  bool // the price is a lowest one: it may not hold for one piece
	gone  bool
	index int
}

// Next reads and decides.
func (s *Shopper) Next(conv Conversation) Turn {
	if s.checked == nil || !spoke(conv) {
		s.checked, s.gone, s.chosen, s.listed, s.last, s.again = map[string]int{}, map[string]bool{}, product{}, false, "", 0
	}
	o := Observe(conv)
	results := since(conv)
	if denied.MatchString(results) {
		return s.finish(conv, false, "You said no to the payment, so I stopped. Nothing was bought.",
			"您不同意付款，所以我停下了。什么都没有买。")
	}
	o.Lines = append(o.Lines, linesOf(results)...)
	t := s.steady(conv, s.decide(conv, o))
	s.listed = len(t.Calls) == 1 && t.Calls[0].Name == "getElements"
	return t
}

// steady ends a task that goes in circles, as a model is told to.
func (s *Shopper) steady(conv Conversation, t Turn) Turn {
	if len(t.Calls) != 1 || t.Calls[0].Name == "done" {
		return t
	}
	now := mustJSON(t.Calls[0])
	if now != s.last {
		s.last, s.again = now, 0
		return t
	}
	if s.again++; s.again < 3 {
		return t
	}
	return s.finish(conv, false, "I can't get on: "+t.Text, "无法继续："+t.Text)
}

// decide chooses the next step by the page that is there.
func (s *Shopper) decide(conv Conversation, o Observation) Turn {
	if len(o.Lines) == 0 {
		return Turn{Text: "There is nothing to see yet; I wait.", Calls: []Call{{"wait", map[string]any{"ms": 500}}}}
	}
	if l, ok := overlayClose(o); ok {
		return click(l, "Something covers the page; I close it.")
	}
	page := pageOf(o.URL)
	switch {
	case page == "order" && strings.Contains(strings.ToLower(o.Text), "paid"):
		return s.bought(conv, o)
	case page == "checkout":
		return s.checkout(o)
	case page == "cart":
		return s.cart(o)
	}
	if _, ok := o.Find("button", "add to cart"); ok {
		return s.productPage(o)
	}
	if page == "search" {
		return s.results(conv, o)
	}
	return s.search(o)
}

func (s *Shopper) search(o Observation) Turn {
	want := s.Colour + " " + s.Thing
	box, ok := o.Find("searchbox")
	if !ok {
		if box, ok = o.Find("textbox", "search"); !ok {
			return Turn{Text: "I look for a search box.", Calls: []Call{{"getElements", map[string]any{"type": "input"}}}}
		}
	}
	if box.Value() != want {
		return Turn{Text: "I search for a " + want + ".", Calls: []Call{{"type", map[string]any{
			"index": box.Index, "text": want, "clear": true,
		}}}}
	}
	if b, ok := o.Find("button", "search"); ok {
		return click(b, "I start the search.")
	}
	return Turn{Text: "I start the search.", Calls: []Call{{"pressKey", map[string]any{"key": "Enter"}}}}
}

// results compares what was found. A price that only begins at its number is
// looked up on the product's own page when it could win.
func (s *Shopper) results(conv Conversation, o Observation) Turn {
	if !s.listed && shortened(o.Text) {
		return Turn{Text: "The list is cut short; I ask for all of it.", Calls: []Call{{"getElements", map[string]any{"type": "link"}}}}
	}
	var found []product
	for _, p := range s.candidates(o) {
		if c, ok := s.checked[p.name]; ok {
			p.cents, p.from = c, false
		}
		if !p.gone && !s.gone[p.name] {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		q, _ := url.Parse(o.URL)
		if q != nil && q.Query().Get("q") != s.Colour+" "+s.Thing {
			return s.search(o)
		}
		return s.finish(conv, false, "The shop shows no "+s.Colour+" "+s.Thing+" that can be had.", "商店里没有可买的目标商品。")
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].cents < found[j].cents })
	best := found[0]
	s.chosen = best
	l := Line{Index: best.index, Role: "link", Name: best.name}
	if best.from {
		return click(l, fmt.Sprintf("%s says from %s; I look up what one costs.", best.name, money(best.cents)))
	}
	return click(l, fmt.Sprintf("Of %d, %s at %s is the cheapest that can be had.", len(found), best.name, money(best.cents)))
}

// productPage checks the name and the price of one piece before it adds
// anything.
func (s *Shopper) productPage(o Observation) Turn {
	name := strings.TrimSpace(strings.SplitN(o.Title, "·", 2)[0])
	button, _ := o.Find("button", "add to cart")
	if s.chosen.name == "" || !strings.EqualFold(name, s.chosen.name) {
		return s.back(o, "This is not what I chose; I search.")
	}
	if button.IsDisabled() {
		s.gone[s.chosen.name] = true
		return s.back(o, "It is sold out; I look for the next.")
	}
	cents, ok := firstPrice(o.Text)
	switch {
	case !ok && s.chosen.from:
		// Without a price for one piece it can't be called the cheapest.
		s.gone[s.chosen.name] = true
		return s.back(o, "I can't see what one costs; I look for another.")
	case ok && (s.chosen.from || cents != s.chosen.cents):
		s.checked[s.chosen.name] = cents
		return s.back(o, fmt.Sprintf("One costs %s here; I compare again.", money(cents)))
	}
	if cart, ok := o.Find("link", "view cart"); ok {
		return click(cart, "It is in the cart; I go there.")
	}
	if n := inCart(o); n > 0 {
		cart, _ := o.Find("link", "cart (")
		return click(cart, "It is in the cart; I go there.")
	}
	return click(button, "I add "+s.chosen.name+" to the cart.")
}

// back returns to the results by searching anew, which works from anywhere.
func (s *Shopper) back(o Observation, why string) Turn {
	t := s.search(o)
	if t.Calls[0].Name == "type" {
		t.Text = why
	}
	return t
}

func (s *Shopper) cart(o Observation) Turn {
	if s.chosen.name != "" {
		if _, ok := o.Find("link", s.chosen.name); ok {
			if l, ok := o.Find("link", "proceed to checkout"); ok {
				return click(l, "The cart is right; I go to the checkout.")
			}
			if b, ok := o.Find("button", "proceed to checkout"); ok {
				return click(b, "The cart is right; I go to the checkout.")
			}
		}
	}
	return s.back(o, "The cart does not hold what I chose; I search again.")
}

// checkout fills what is required and still empty, then pays.
func (s *Shopper) checkout(o Observation) Turn {
	var words []string
	for w := range s.Address {
		words = append(words, w)
	}
	sort.Strings(words)
	for _, l := range o.Lines {
		if l.Role != "textbox" || !hasWord(l.Rest, "required") || l.Value() != "" {
			continue
		}
		for _, w := range words {
			if strings.Contains(strings.ToLower(l.Name), w) {
				return Turn{Text: "I fill in " + l.Name + ".", Calls: []Call{{"type", map[string]any{
					"index": l.Index, "text": s.Address[w], "clear": true,
				}}}}
			}
		}
		return Turn{Text: "I don't know what to write there.", Calls: []Call{{"askUser", map[string]any{
			"question": "What should I write into " + l.Name + "?",
		}}}}
	}
	for _, l := range o.FindAll("button", "pay") {
		if strings.HasPrefix(strings.ToLower(l.Name), "pay") && !l.IsDisabled() {
			return click(l, "The form is filled in; I pay.")
		}
	}
	return Turn{Text: "I look for the button.", Calls: []Call{{"getElements", map[string]any{"type": "button"}}}}
}

var (
	orderNumber = regexp.MustCompile(`\b[A-Z]{2}-\d{3,}\b`)
	priceText   = regexp.MustCompile(`\$(\d+)\.(\d\d)`)
	cartCount   = regexp.MustCompile(`(?i)cart \((\d+)\)`)
	noLetters   = regexp.MustCompile(`[^\pL\pN]+`)
)

func (s *Shopper) bought(conv Conversation, o Observation) Turn {
	number := orderNumber.FindString(o.Text)
	if number == "" {
		return Turn{Text: "I look for the order number.", Calls: []Call{{"scroll", map[string]any{"direction": "down"}}}}
	}
	paid := ""
	if c, ok := firstPrice(o.Text); ok {
		paid = money(c)
	}
	return s.finish(conv, true, fmt.Sprintf("Bought %s. The order page says: paid %s, order number %s.", s.chosen.name, paid, number),
		fmt.Sprintf("已购买 %s。订单页面显示已付款 %s，订单号 %s。", s.chosen.name, paid, number))
}

// finish ends the task in the language it was given in.
func (s *Shopper) finish(conv Conversation, success bool, en, zh string) Turn {
	answer := en
	for _, m := range conv.Messages {
		if m.Role == "user" {
			if strings.ContainsFunc(m.Text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				answer = zh
			}
			break
		}
	}
	return Turn{Calls: []Call{{"done", map[string]any{"success": success, "answer": answer}}}}
}

// candidates are the links that are the thing in the colour: "Blue mug, small"
// is, "Blue mug tree" and "Blue plate" are not.
func (s *Shopper) candidates(o Observation) []product {
	var out []product
	seen := map[int]bool{}
	for _, l := range o.FindAll("link", s.Colour, s.Thing) {
		at := priceText.FindStringIndex(l.Name)
		if at == nil || seen[l.Index] {
			continue
		}
		seen[l.Index] = true
		name := strings.TrimSpace(l.Name[:at[0]])
		bare := strings.TrimSuffix(name, " from")
		head := strings.Fields(noLetters.ReplaceAllString(strings.ToLower(strings.SplitN(bare, ",", 2)[0]), " "))
		if len(head) == 0 || head[len(head)-1] != s.Thing || !contains(head, s.Colour) {
			continue
		}
		cents, _ := firstPrice(l.Name)
		out = append(out, product{
			name: strings.TrimSpace(bare), cents: cents, from: bare != name, index: l.Index,
			gone: strings.Contains(strings.ToLower(l.Name), "sold out"),
		})
	}
	return out
}

func contains(list []string, w string) bool {
	for _, x := range list {
		if x == w {
			return true
		}
	}
	return false
}

// firstPrice is the first amount in a text.
func firstPrice(text string) (cents int, ok bool) {
	m := priceText.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	whole, err := strconv.Atoi(m[1])
	if err != nil {
		return 0, false
	}
	part, err := strconv.Atoi(m[2])
	return whole*100 + part, err == nil
}

func money(cents int) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }

func inCart(o Observation) int {
	l, ok := o.Find("link", "cart (")
	if !ok {
		return 0
	}
	if m := cartCount.FindStringSubmatch(l.Name); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return 0
}

func click(l Line, why string) Turn {
	return Turn{Text: why, Calls: []Call{{"click", map[string]any{"index": l.Index}}}}
}

// pageOf names the kind of page by its path.
func pageOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	return first
}

func hasWord(s, w string) bool { return contains(strings.Fields(s), w) }

// overlayClose finds the way out of an overlay.
func overlayClose(o Observation) (Line, bool) {
	for _, l := range o.Lines {
		if !strings.HasPrefix(l.Group, "overlay") || l.Role != "button" {
			continue
		}
		name := strings.ToLower(l.Name)
		for _, w := range []string{"close", "no thanks", "reject", "dismiss", "not now", "关闭"} {
			if strings.Contains(name, w) {
				return l, true
			}
		}
	}
	return Line{}, false
}

// shortened reports whether the list of elements was cut.
func shortened(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "… ") && strings.Contains(line, "getElements") {
			return true
		}
	}
	return false
}

// spoke reports whether the model has replied before in this conversation.
func spoke(conv Conversation) bool {
	for _, m := range conv.Messages {
		if m.Role == "assistant" {
			return true
		}
	}
	return false
}

// since returns the text after the model's last reply, without the page itself: results
// of actions and the host's notices.
func since(conv Conversation) string {
	var parts []string
	for i := len(conv.Messages) - 1; i >= 0 && conv.Messages[i].Role != "assistant"; i-- {
		if spoke(conv) && conv.Messages[i].Role != "system" {
			parts = append([]string{pageFence.ReplaceAllString(conv.Messages[i].Text, "")}, parts...)
		}
	}
	return strings.Join(parts, "\n")
}

// linesOf reads elements out of the results of actions.
func linesOf(text string) []Line { return ParseObservation(text).Lines }

// denied finds the host's word that the user said no, in a result or a notice.
var denied = regexp.MustCompile(`(?im)^\s*(?:error[: ]+|\W*)?denied\b|the (?:user|person) said no|用户不同意`)
