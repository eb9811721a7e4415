// Package corpus has pages built like real sites, for tests and measurements. There are news,
// shops, mail, calendars, tables, forms, the markup of component libraries, several languages,
// and the usual faults of all of them. We wrote the pages, and none is a copy of a real site.
// They are made from a kit for each kind of site (pages/), in several languages and icon
// styles.
//
// The kits mark the right answers with attributes. A test removes these attributes before it
// reads a page.
//
//   - data-op: a user can operate the element, though its markup does not say so
//   - data-no: the element must not be listed
//   - data-name: what must be known of a control without a name
//
// Start reading at Pages.
package corpus

import (
	"bytes"
	"embed"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"text/template"
)

// The attributes that carry the truth.
const (
	Operable  = "data-op" // can be operated, though it is no native control; the value may name a role
	Forbidden = "data-no" // must not be listed as visible; the value says why
)

// Page is one page of the corpus.
type Page struct {
	Name  string // the path it is served at, without the slash
	Kit   string // the file in pages/ it is made from
	Lang  string
	Icons string // how it draws icons: svg, font, img, sprite, ligature
	Size  int    // how often the kit repeats its items
}

//go:embed pages
var files embed.FS

// kits are the kits with the variants in which each is served.
var kits = []struct {
	kit      string
	size     int
	variants string // language/icons[/size], separated by spaces
}{
	{"news", 40, "en/svg/120 zh/font ru/img ar/sprite"},
	{"shoplist", 24, "en/font zh/svg/60 ru/sprite ja/ligature"},
	{"product", 8, "en/svg ar/font de/img"},
	{"encyclopedia", 60, "en/svg/220 zh/svg ja/svg ru/svg/120"},
	{"mail", 40, "en/ligature ja/font ar/svg"},
	{"calendar", 35, "en/svg zh/font"},
	{"kanban", 6, "en/svg ru/font"},
	{"bootstrap", 30, "en/font de/font"},
	{"antd", 20, "zh/svg en/svg"},
	{"mui", 25, "en/svg/160 ja/svg"},
	{"settings", 12, "en/svg de/font zh/ligature"},
	{"maps", 8, "en/svg ru/img"},
	{"docs", 20, "en/svg zh/font"},
	{"forum", 25, "en/font ru/svg"},
	{"bank", 15, "en/img de/svg"},
	{"booking", 12, "en/svg ja/font fr/svg"},
	{"video", 20, "en/svg zh/svg"},
	{"chat", 20, "en/ligature ar/svg"},
	{"filemanager", 30, "en/svg zh/img"},
	{"codehost", 40, "en/svg"},
	{"landing", 6, "en/svg fr/font"},
	{"government", 10, "en/svg de/svg zh/svg"},
	{"components", 8, "en/svg ru/svg"},
	{"frames", 5, "en/svg zh/svg"},
	{"radix", 8, "en/svg ar/svg"},
	{"headless", 6, "en/svg"},
	{"unseen", 8, "en/svg ar/svg"},
	{"names", 1, "en/svg"},
	{"tables", 12, "en/img zh/img"},
	{"dashboard", 8, "en/svg ja/svg"},
	{"sheet", 20, "en/svg"},
	{"editor", 10, "en/ligature de/svg"},
	{"oddities", 6, "en/svg zh/font"},
	{"recruit", 8, "en/svg de/font"},
	{"clinic", 8, "en/svg ar/svg"},
	{"market", 12, "en/font zh/svg ru/sprite"},
	{"social", 12, "en/svg ja/svg"},
	{"erp", 20, "en/img zh/svg"},
	{"checkout", 4, "en/svg ar/font"},
	{"results", 10, "en/svg zh/svg"},
	{"wizard", 1, "en/svg"},
}

// Pages returns the pages of the corpus.
func Pages() []Page {
	var out []Page
	for _, k := range kits {
		for v := range strings.FieldsSeq(k.variants) {
			p := Page{Kit: k.kit, Size: k.size}
			parts := strings.Split(v, "/")
			p.Lang, p.Icons = parts[0], parts[1]
			if len(parts) > 2 {
				_, _ = fmt.Sscan(parts[2], &p.Size)
			}
			p.Name = p.Kit + "-" + p.Lang
			out = append(out, p)
		}
	}
	return out
}

// kitchen parses the kits once.
var kitchen = sync.OnceValues(func() (*template.Template, error) {
	return template.New("").Funcs(funcs(Page{})).ParseFS(files, "pages/*.html")
})

// HTML returns a page's HTML with the attributes that carry the truth.
func (p Page) HTML() ([]byte, error) { return p.render(p.Kit) }

func (p Page) render(kit string) ([]byte, error) {
	all, err := kitchen()
	if err != nil {
		return nil, fmt.Errorf("parse the kits: %w", err)
	}
	own, err := all.Clone()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := own.Funcs(funcs(p)).ExecuteTemplate(&b, kit+".html", p); err != nil {
		return nil, fmt.Errorf("make %s: %w", p.Name, err)
	}
	return b.Bytes(), nil
}

// Handler serves every page at /name, what its frames show at /frame/name/kit,
// and a picture at every /img/….
func Handler() http.Handler {
	mux := http.NewServeMux()
	serve := func(w http.ResponseWriter, p Page, kit string) {
		b, err := p.render(kit)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(b)
	}
	for _, p := range Pages() {
		mux.HandleFunc("GET /"+p.Name, func(w http.ResponseWriter, _ *http.Request) { serve(w, p, p.Kit) })
		mux.HandleFunc("GET /frame/"+p.Name+"/{kit}", func(w http.ResponseWriter, r *http.Request) {
			kit := r.PathValue("kit")
			if _, err := files.Open("pages/" + kit + ".html"); err != nil {
				http.NotFound(w, r)
				return
			}
			serve(w, p, kit)
		})
	}
	mux.HandleFunc("GET /img/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24" fill="#789"/></svg>`)
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return mux
}
