package shop_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"tabwright/e2e/shop"
)

func TestEverySeedHasTheTraps(t *testing.T) {
	for seed := range int64(300) {
		s := shop.New(seed)
		best := s.Cheapest()
		if best.ID == "" || best.SoldOut || best.Kind != "mug" || best.Colour != "blue" {
			t.Fatalf("seed %d: cheapest is %+v", seed, best)
		}
		var plate, stand, gone, from bool
		prices, ids, blue := map[int]bool{}, map[string]bool{}, 0
		for _, p := range s.Products() {
			if ids[p.ID] {
				t.Fatalf("seed %d: id %s twice", seed, p.ID)
			}
			ids[p.ID] = true
			lower := p.Price < best.Price
			plate = plate || p.Kind == "plate" && p.Colour == "blue" && lower
			stand = stand || strings.HasPrefix(p.Name, "Blue mug tree") && lower
			gone = gone || p.Kind == "mug" && p.Colour == "blue" && p.SoldOut && lower
			from = from || p.Six > 0 && p.Six < best.Price && p.Price > best.Price
			if p.Kind == "mug" && p.Colour == "blue" && !p.SoldOut {
				blue++
				if prices[p.Price] {
					t.Fatalf("seed %d: two blue mugs cost %d", seed, p.Price)
				}
				prices[p.Price] = true
			}
			if p.Price <= 0 {
				t.Fatalf("seed %d: %s costs %d", seed, p.Name, p.Price)
			}
		}
		if !plate || !stand || !gone || !from || blue < 4 {
			t.Fatalf("seed %d: traps: plate %v, stand %v, sold out %v, from %v; %d blue mugs", seed, plate, stand, gone, from, blue)
		}
	}
}

func TestSeedDecides(t *testing.T) {
	a, b, c := shop.New(7).Products(), shop.New(7).Products(), shop.New(8).Products()
	same := func(x, y []shop.Product) bool {
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if x[i] != y[i] {
				return false
			}
		}
		return true
	}
	if !same(a, b) {
		t.Error("the same seed gave two catalogues")
	}
	if same(a, c) {
		t.Error("two seeds gave one catalogue")
	}
	first := map[string]bool{}
	for seed := range int64(20) {
		first[shop.New(seed).Products()[0].Name] = true
	}
	if len(first) < 5 {
		t.Errorf("the order hardly changes: %v", first)
	}
}

// browser is a user with a cookie jar and no script.
type browser struct {
	t    *testing.T
	c    *http.Client
	base string
}

func open(t *testing.T, s *shop.Shop) *browser {
	t.Helper()
	srv := httptest.NewServer(s.Handler())
	t.Cleanup(srv.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, &http.Client{Jar: jar}, srv.URL}
}

func (b *browser) do(r *http.Request) (int, string) {
	b.t.Helper()
	res, err := b.c.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (b *browser) get(path string) (int, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.do(r)
}

func (b *browser) post(path string, form url.Values, accept string) (int, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	return b.do(r)
}

var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

func (b *browser) token() string {
	b.t.Helper()
	_, page := b.get("/checkout")
	m := tokenField.FindStringSubmatch(page)
	if m == nil {
		b.t.Fatalf("no token on the checkout page:\n%s", page)
	}
	return m[1]
}

func address(token string) url.Values {
	return url.Values{
		"token": {token}, "name": {"Ada Example"}, "email": {"ada@example.test"}, "street": {"1 Kiln Lane"},
		"postcode": {"12345"}, "city": {"Potters"},
	}
}

func TestBuying(t *testing.T) {
	s := shop.New(42)
	b := open(t, s)
	best := s.Cheapest()

	_, found := b.get("/search?q=blue+mug")
	if !strings.Contains(found, `href="/p/`+best.ID+`"`) || !strings.Contains(found, shop.Money(best.Price)) {
		t.Fatal("the search does not show the cheapest blue mug with its price")
	}
	if _, page := b.get("/p/" + best.ID); !strings.Contains(page, "Add to cart") {
		t.Fatal("no way to add to the cart")
	}
	code, body := b.post("/cart/add", url.Values{"id": {best.ID}, "quantity": {"1"}}, "application/json")
	var reply struct {
		Count int
		Added string
	}
	if err := json.Unmarshal([]byte(body), &reply); err != nil || code != 200 || reply.Count != 1 || reply.Added != best.Name {
		t.Fatalf("add: %d %s (%v)", code, body, err)
	}
	if _, cart := b.get("/cart"); !strings.Contains(cart, "Proceed to checkout") || !strings.Contains(cart, best.Name) {
		t.Fatalf("cart:\n%s", cart)
	}
	token := b.token()
	total := shop.Money(best.Price + shop.Shipping)
	if _, page := b.get("/checkout"); !strings.Contains(page, "Pay "+total+"<") {
		t.Error("the button does not say what is paid")
	}

	bad := address(token)
	bad.Del("city")
	if code, page := b.post("/checkout", bad, ""); code != http.StatusUnprocessableEntity || !strings.Contains(page, "City is missing") ||
		!strings.Contains(page, "Ada Example") {
		t.Errorf("missing field: %d\n%s", code, page)
	}
	if n := len(s.Orders()); n != 0 {
		t.Fatalf("%d orders before payment", n)
	}
	_, page := b.post("/checkout", address(token), "")
	if !strings.Contains(page, "Paid") {
		t.Fatalf("not paid:\n%s", page)
	}
	orders := s.Orders()
	if len(orders) != 1 {
		t.Fatalf("%d orders", len(orders))
	}
	o := orders[0]
	if o.Status != shop.StatusPaid || len(o.Lines) != 1 || o.Lines[0].ProductID != best.ID || o.Lines[0].Quantity != 1 ||
		o.Total != best.Price+shop.Shipping || !strings.Contains(page, o.ID) {
		t.Errorf("order: %+v", o)
	}

	// The same checkout again is the same order.
	if _, again := b.post("/checkout", address(token), ""); !strings.Contains(again, o.ID) {
		t.Error("paying twice does not lead to the first order")
	}
	if n := len(s.Orders()); n != 1 {
		t.Errorf("%d orders after paying twice with one token", n)
	}
	if _, cart := b.get("/cart"); !strings.Contains(cart, "nothing in your cart") {
		t.Error("the cart is not empty after paying")
	}
}

func TestSixAreCheaper(t *testing.T) {
	s := shop.New(3)
	b := open(t, s)
	var six shop.Product
	for _, p := range s.Products() {
		if p.Six > 0 {
			six = p
		}
	}
	b.post("/cart/add", url.Values{"id": {six.ID}, "quantity": {"5"}}, "")
	if _, cart := b.get("/cart"); !strings.Contains(cart, shop.Money(5*six.Price)) {
		t.Error("five cost the price for one each")
	}
	b.post("/cart/update", url.Values{"id": {six.ID}, "quantity": {"6"}}, "")
	if _, cart := b.get("/cart"); !strings.Contains(cart, shop.Money(6*six.Six)) {
		t.Error("six do not cost less")
	}
	b.post("/cart/update", url.Values{"id": {six.ID}, "quantity": {"0"}}, "")
	if _, cart := b.get("/cart"); !strings.Contains(cart, "nothing in your cart") {
		t.Error("removing does not remove")
	}
}

func TestRefusals(t *testing.T) {
	s := shop.New(9)
	b := open(t, s)
	var gone shop.Product
	for _, p := range s.Products() {
		if p.SoldOut {
			gone = p
		}
	}
	for name, c := range map[string]struct {
		path string
		form url.Values
		want int
	}{
		"sold out":    {"/cart/add", url.Values{"id": {gone.ID}, "quantity": {"1"}}, http.StatusConflict},
		"no product":  {"/cart/add", url.Values{"id": {"x"}, "quantity": {"1"}}, http.StatusConflict},
		"zero":        {"/cart/add", url.Values{"id": {s.Cheapest().ID}, "quantity": {"0"}}, http.StatusConflict},
		"update":      {"/cart/update", url.Values{"id": {s.Cheapest().ID}, "quantity": {"-1"}}, http.StatusBadRequest},
		"empty cart":  {"/checkout", address("x"), http.StatusConflict},
		"no token":    {"/checkout", address(""), http.StatusConflict},
		"wrong place": {"/nowhere", nil, http.StatusNotFound},
	} {
		if code, _ := b.post(c.path, c.form, ""); code != c.want {
			t.Errorf("%s: %d, want %d", name, code, c.want)
		}
	}
	if code, _ := b.get("/order/MS-1"); code != http.StatusNotFound {
		t.Errorf("someone else's order: %d", code)
	}
	if n := len(s.Orders()); n != 0 {
		t.Errorf("%d orders", n)
	}
}

// Orders are another browser's secret, and many may buy at once.
func TestManyBuyers(t *testing.T) {
	s := shop.New(11)
	var wg sync.WaitGroup
	for range 8 {
		b := open(t, s)
		wg.Go(func() {
			b.post("/cart/add", url.Values{"id": {s.Cheapest().ID}, "quantity": {"1"}}, "")
			b.post("/checkout", address(b.token()), "")
		})
	}
	wg.Wait()
	ids := map[string]bool{}
	for _, o := range s.Orders() {
		ids[o.ID] = true
	}
	if len(ids) != 8 {
		t.Errorf("%d different orders, want 8", len(ids))
	}
}
