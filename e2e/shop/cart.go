package shop

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cart is one browser's cart. Token names one checkout: paying twice with the
// same token is paying once.
type cart struct {
	lines []Line
	token string
	paid  map[string]string // token → order id
}

const maxQuantity = 24

// cartOf is called with s.mu held.
func (s *Shop) cartOf(session string) *cart {
	c := s.carts[session]
	if c == nil {
		c = &cart{paid: map[string]string{}}
		s.carts[session] = c
	}
	return c
}

func (s *Shop) count(session string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	if c := s.carts[session]; c != nil {
		for _, l := range c.lines {
			n += l.Quantity
		}
	}
	return n
}

func (s *Shop) cartAdd(w http.ResponseWriter, r *http.Request) {
	p, ok := s.product(r.FormValue("id"))
	quantity, err := strconv.Atoi(r.FormValue("quantity"))
	if !ok || err != nil || quantity < 1 || quantity > maxQuantity || p.SoldOut {
		if wantsJSON(r) {
			writeJSON(w, http.StatusConflict, map[string]any{"error": "This can't be added to the cart."})
			return
		}
		s.message(w, r, http.StatusConflict, "Sorry", "This can't be added to the cart.")
		return
	}
	s.mu.Lock()
	c := s.cartOf(session(r))
	i := slices.IndexFunc(c.lines, func(l Line) bool { return l.ProductID == p.ID })
	if i < 0 {
		c.lines = append(c.lines, Line{ProductID: p.ID, Name: p.Name})
		i = len(c.lines) - 1
	}
	c.lines[i].Quantity = min(c.lines[i].Quantity+quantity, maxQuantity)
	c.lines[i].Unit = p.unit(c.lines[i].Quantity)
	s.mu.Unlock()
	if wantsJSON(r) {
		writeJSON(w, http.StatusOK, map[string]any{"count": s.count(session(r)), "added": p.Name})
		return
	}
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

func (s *Shop) cartUpdate(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	quantity, err := strconv.Atoi(r.FormValue("quantity"))
	p, ok := s.product(id)
	if err != nil || !ok || quantity < 0 || quantity > maxQuantity {
		s.message(w, r, http.StatusBadRequest, "Sorry", "That quantity won't do.")
		return
	}
	s.mu.Lock()
	c := s.cartOf(session(r))
	for i := range c.lines {
		if c.lines[i].ProductID == id {
			c.lines[i].Quantity, c.lines[i].Unit = quantity, p.unit(quantity)
		}
	}
	c.lines = slices.DeleteFunc(c.lines, func(l Line) bool { return l.Quantity == 0 })
	s.mu.Unlock()
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

// basket is what cart and checkout show.
type basket struct {
	Lines    []Line
	Sum      int
	Shipping int
	Total    int
	Token    string
	Problems []string
	Form     map[string]string
}

// basketOf is called with s.mu held.
func (s *Shop) basketOf(session string) basket {
	b := basket{Shipping: Shipping, Form: map[string]string{}}
	b.Lines = slices.Clone(s.cartOf(session).lines)
	for _, l := range b.Lines {
		b.Sum += l.Total()
	}
	b.Total = b.Sum + b.Shipping
	return b
}

func (s *Shop) cartPage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	b := s.basketOf(session(r))
	s.mu.Unlock()
	s.render(w, r, http.StatusOK, "cart", view{Title: "Your cart", Body: b})
}

func (s *Shop) checkoutPage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	b := s.basketOf(session(r))
	c := s.cartOf(session(r))
	if c.token == "" {
		c.token = rand.Text()
	}
	b.Token = c.token
	s.mu.Unlock()
	if len(b.Lines) == 0 {
		http.Redirect(w, r, "/cart", http.StatusSeeOther)
		return
	}
	s.render(w, r, http.StatusOK, "checkout", view{Title: "Checkout", Body: b})
}

// fields of the address form, with what the page calls them.
var fields = []struct{ Name, Label string }{
	{"name", "Full name"}, {"email", "E-mail"}, {"street", "Street and number"}, {"postcode", "Postcode"}, {"city", "City"},
}

func (s *Shop) pay(w http.ResponseWriter, r *http.Request) {
	token := r.FormValue("token")
	form, problems := map[string]string{}, []string{}
	for _, f := range fields {
		v := strings.TrimSpace(r.FormValue(f.Name))
		form[f.Name] = v
		if v == "" {
			problems = append(problems, f.Label+" is missing")
		}
	}
	if v := form["email"]; v != "" && !strings.Contains(v, "@") {
		problems = append(problems, "E-mail looks wrong")
	}

	s.mu.Lock()
	c := s.cartOf(session(r))
	b := s.basketOf(session(r))
	id, again := c.paid[token]
	switch {
	case again:
	case token == "" || token != c.token || len(b.Lines) == 0:
		s.mu.Unlock()
		s.message(w, r, http.StatusConflict, "Sorry", "This checkout is no longer open. Please begin again from the cart.")
		return
	case len(problems) > 0:
		s.mu.Unlock()
		b.Token, b.Form, b.Problems = token, form, problems
		s.render(w, r, http.StatusUnprocessableEntity, "checkout", view{Title: "Checkout", Body: b})
		return
	default:
		id = fmt.Sprintf("MS-%d", s.next)
		s.next += 7
		s.orders = append(s.orders, Order{
			ID: id, Lines: b.Lines, Total: b.Total, Status: StatusPaid, Name: form["name"], Placed: time.Now(),
			Address: form["street"] + ", " + form["postcode"] + " " + form["city"],
		})
		c.paid[token] = id
		c.lines, c.token = nil, ""
	}
	s.mu.Unlock()
	http.Redirect(w, r, "/order/"+id, http.StatusSeeOther)
}

func (s *Shop) orderPage(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	s.mu.Lock()
	var found *Order
	for _, paid := range s.cartOf(session(r)).paid {
		if paid != id {
			continue
		}
		for i := range s.orders {
			if s.orders[i].ID == id {
				o := s.orders[i]
				found = &o
			}
		}
	}
	s.mu.Unlock()
	if found == nil {
		s.message(w, r, http.StatusNotFound, "Not found", "There is no such order.")
		return
	}
	s.render(w, r, http.StatusOK, "order", view{Title: "Thank you", Body: *found})
}
