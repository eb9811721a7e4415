package shop

import (
	"bytes"
	"crypto/rand"
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"

	"tabwright/prompts/template"
)

//go:embed pages
var pageFiles embed.FS

//go:embed static
var staticFiles embed.FS

// pages are those of the shop as it is, and moved those of a shop with the same
// goods and another layout; what it has no page of its own for is the same.
var (
	pages = parse(nil)
	moved = parse([]string{"layout", "list", "product"})
)

// parse reads the pages; those named come from the folder of the other layout.
func parse(other []string) map[string]*template.Set {
	file := func(name string) string {
		if slices.Contains(other, name) {
			return "pages/moved/" + name + ".html"
		}
		return "pages/" + name + ".html"
	}
	funcs := template.Funcs{"money": Money, "shown": Product.Shown, "total": Line.Total}
	out := map[string]*template.Set{}
	for _, name := range []string{"list", "product", "cart", "checkout", "order", "message"} {
		out[name] = template.Must(template.HTML(pageFiles, funcs, file("layout"), file("parts"), file(name)))
	}
	return out
}

// view is what every page needs, and Body what it alone needs.
type view struct {
	Title string
	Query string
	Kind  string
	Count int // pieces in the cart
	Seed  int64
	Add   string // what the button is called that puts something in the cart
	Body  any
}

func (s *Shop) routes() http.Handler {
	mux := http.NewServeMux()
	static, err := fs.Sub(staticFiles, "static")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static)))
	mux.HandleFunc("GET /{$}", s.list)
	mux.HandleFunc("GET /search", s.list)
	mux.HandleFunc("GET /p/{id}", s.productPage)
	mux.HandleFunc("GET /cart", s.cartPage)
	mux.HandleFunc("POST /cart/add", s.cartAdd)
	mux.HandleFunc("POST /cart/update", s.cartUpdate)
	mux.HandleFunc("GET /checkout", s.checkoutPage)
	mux.HandleFunc("POST /checkout", s.pay)
	mux.HandleFunc("GET /order/{id}", s.orderPage)
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, r *http.Request) {
		s.message(w, r, http.StatusOK, "Shipping and returns", "We ship within two days. Mugs can come back for thirty.")
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.message(w, r, http.StatusNotFound, "Not found", "There is no such page.")
	})
	return headers(s.sessions(mux))
}

func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'self'")
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

const cookie = "mugshop"

// sessions gives each browser a cart. The cookie is for this host only.
func (s *Shop) sessions(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie(cookie); err != nil || c.Value == "" {
			c = &http.Cookie{Name: cookie, Value: rand.Text(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}
			http.SetCookie(w, c)
			r.AddCookie(c)
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Shop) render(w http.ResponseWriter, r *http.Request, status int, name string, v view) {
	v.Seed = s.seed
	v.Count = s.count(session(r))
	var b bytes.Buffer
	v.Add = s.add
	set := pages
	if s.moved {
		set = moved
	}
	if err := set[name].Execute(&b, "layout.html", v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // the client may have gone
}

func session(r *http.Request) string {
	c, err := r.Cookie(cookie)
	if err != nil {
		return ""
	}
	return c.Value
}

func (s *Shop) message(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	s.render(w, r, status, "message", view{Title: title, Body: text})
}

type listBody struct {
	Heading  string
	Products []Product
	Sort     string
}

func (s *Shop) list(w http.ResponseWriter, r *http.Request) {
	q := strings.TrimSpace(r.FormValue("q"))
	kind := r.FormValue("kind")
	found := s.find(q, kind)
	body := listBody{Heading: "All our things", Products: found, Sort: r.FormValue("sort")}
	switch {
	case q != "":
		body.Heading = strconv.Itoa(len(found)) + " results for “" + q + "”"
	case kind == "mug":
		body.Heading = "Mugs"
	case kind == "plate":
		body.Heading = "Plates"
	case kind == "accessory":
		body.Heading = "Accessories"
	}
	switch body.Sort {
	case "name":
		sort.SliceStable(body.Products, func(i, j int) bool { return body.Products[i].Name < body.Products[j].Name })
	case "new":
		slices.Reverse(body.Products)
	}
	s.render(w, r, http.StatusOK, "list", view{Title: body.Heading, Query: q, Kind: kind, Body: body})
}

// find returns the matching products: first those with all words, then those with some,
// as shops do.
func (s *Shop) find(q, kind string) []Product {
	terms := strings.Fields(strings.ToLower(q))
	var all, some []Product
	for _, p := range s.products {
		if kind != "" && p.Kind != kind {
			continue
		}
		name, hits := strings.ToLower(p.Name), 0
		for _, t := range terms {
			if strings.Contains(name, strings.TrimSuffix(t, "s")) {
				hits++
			}
		}
		switch {
		case hits == len(terms):
			all = append(all, p)
		case hits > 0:
			some = append(some, p)
		}
	}
	return append(all, some...)
}

func (s *Shop) productPage(w http.ResponseWriter, r *http.Request) {
	p, ok := s.product(r.PathValue("id"))
	if !ok {
		s.message(w, r, http.StatusNotFound, "Not found", "There is no such product.")
		return
	}
	s.render(w, r, http.StatusOK, "product", view{Title: p.Name, Body: p})
}

// wantsJSON tells the script's requests from a form's.
func wantsJSON(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "application/json")
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}
