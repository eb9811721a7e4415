// Package shop is a small mug shop for demonstrations and system tests. It has a catalogue
// with search, product pages, a cart, a checkout and an order page. It is server-rendered with
// a little script on top, as many small shops are.
//
// Products, prices, ids and their order come from a seed, so nothing that
// drives it can know a position or a price beforehand; the record of orders is
// the verdict on what was really bought. It imports nothing of the project
// but the templates.
// Start reading at New.
package shop

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Shop is one shop with its own catalogue, carts and orders. It is safe for
// use by several goroutines.
type Shop struct {
	seed     int64
	products []Product
	moved    bool   // another layout
	add      string // name of the button in that layout

	mu     sync.Mutex
	carts  map[string]*cart // by session cookie
	orders []Order
	next   int // number of the next order
}

// Product is one article. Prices are in cents.
type Product struct {
	ID     string
	Name   string
	Kind   string // mug, plate, accessory
	Colour string
	Price  int // for one piece
	// Six is the price of each when six are bought; such articles are listed
	// with "from".
	Six     int
	SoldOut bool
	Blurb   string
}

// Line is one article of an order.
type Line struct {
	ProductID string
	Name      string
	Quantity  int
	Unit      int // cents, each
}

// Total is the price of the line in cents.
func (l Line) Total() int { return l.Unit * l.Quantity }

// Order is what was bought. It exists only once it was paid for.
type Order struct {
	ID      string // as printed on the order page: MS-10423
	Lines   []Line
	Total   int // cents, shipping included
	Status  string
	Name    string
	Address string
	Placed  time.Time
}

// StatusPaid is the only status an order has: without payment there is none.
const StatusPaid = "paid"

// Shipping is added to each order, in cents.
const Shipping = 390

// New opens a shop whose catalogue follows from seed alone.
func New(seed int64) *Shop {
	products, first := stock(seed)
	return &Shop{seed: seed, products: products, carts: map[string]*cart{}, next: first}
}

// NewMoved opens a shop with the goods and prices of New(seed), with another
// layout and other ids: what was done in one is done in the other by the names
// of things only. add is what its button "Add to cart" is called; empty: that.
func NewMoved(seed int64, add string) *Shop {
	s := New(seed)
	s.moved, s.add = true, "Add to cart"
	if add != "" {
		s.add = add
	}
	for i := range s.products {
		s.products[i].ID = "n" + strconv.Itoa(77*i+5)
	}
	s.next += 31337
	return s
}

// Seed is what the shop was made from; print it, so that a failure can be
// repeated.
func (s *Shop) Seed() int64 { return s.seed }

// Products gives the catalogue in the order it is listed.
func (s *Shop) Products() []Product { return slices.Clone(s.products) }

// Orders gives all orders, oldest first.
func (s *Shop) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.orders)
}

// Cheapest is the right answer to "the cheapest blue mug": the lowest price of
// a single blue mug that can be had.
func (s *Shop) Cheapest() Product {
	var best Product
	for _, p := range s.products {
		if p.Kind != "mug" || p.Colour != "blue" || p.SoldOut {
			continue
		}
		if best.ID == "" || p.Price < best.Price {
			best = p
		}
	}
	return best
}

// Handler serves the shop. All addresses in it are relative, so it works under
// any host and port.
func (s *Shop) Handler() http.Handler { return s.routes() }

// Money prints cents as the shop does: $12.50.
func Money(cents int) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }

// Shown is the price on the product's card.
func (p Product) Shown() string {
	if p.Six > 0 {
		return "from " + Money(p.Six)
	}
	return Money(p.Price)
}

// unit is the price of each when quantity are bought.
func (p Product) unit(quantity int) int {
	if p.Six > 0 && quantity >= 6 {
		return p.Six
	}
	return p.Price
}

func (s *Shop) product(id string) (Product, bool) {
	for _, p := range s.products {
		if p.ID == id {
			return p, true
		}
	}
	return Product{}, false
}
