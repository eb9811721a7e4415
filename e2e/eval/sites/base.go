package sites

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html/template"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed web
var files embed.FS

// static are the style sheets and scripts of the sites.
var static = func() fs.FS {
	f, err := fs.Sub(files, "web")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return f
}()

// today is the day it is on all sites.
var today = time.Date(2026, time.May, 20, 9, 0, 0, 0, time.UTC)

// base is what every site has: a language, the numbers that follow from the
// seed, and its pages.
type base struct {
	lang  string
	rnd   *rand.Rand
	views map[string]*template.Template
	toast string // said once, on the next page
}

func newBase(lang, id string, seed int64) base {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	return base{lang: lang, rnd: rand.New(rand.NewPCG(uint64(seed), h.Sum64()))}
}

// t picks a text by the site's language.
func (b *base) t(en, zh string) string {
	if b.lang == "zh" {
		return zh
	}
	return en
}

// between gives a number from low to high.
func (b *base) between(low, high int) int { return low + b.rnd.IntN(high-low+1) }

// shuffle puts a list into the order that the seed gives, and gives it back.
func shuffle[T any](b *base, list []T) []T {
	b.rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// parsed are the pages of the sites by folder and language: reading them takes
// longer than all else, and they hold nothing of a site's state.
var parsed struct {
	sync.Mutex
	views map[string]map[string]*template.Template
}

// parse reads the pages of a site: each has the layout of layout.html. The
// functions may depend on the language and on nothing else.
func (b *base) parse(folder string, funcs template.FuncMap) {
	parsed.Lock()
	defer parsed.Unlock()
	key := folder + " " + b.lang
	if parsed.views[key] == nil {
		if parsed.views == nil {
			parsed.views = map[string]map[string]*template.Template{}
		}
		parsed.views[key] = b.read(folder, funcs)
	}
	b.views = parsed.views[key]
}

func (b *base) read(folder string, funcs template.FuncMap) map[string]*template.Template {
	all := template.FuncMap{
		"t": b.t, "lang": func() string { return b.lang }, "date": b.date, "money": b.money,
		// pairs makes a map of names and values.
		"pairs": func(kv ...any) map[string]any {
			m := map[string]any{}
			for i := 0; i+1 < len(kv); i += 2 {
				m[fmt.Sprint(kv[i])] = kv[i+1]
			}
			return m
		},
	}
	maps.Copy(all, funcs)
	names, err := fs.Glob(files, "web/"+folder+"/*.html")
	if err != nil {
		panic(err) // the pattern is right
	}
	layout := "web/" + folder + "/layout.html"
	views := map[string]*template.Template{}
	for _, name := range names {
		if name != layout {
			views[strings.TrimSuffix(path.Base(name), ".html")] = template.Must(template.New("layout.html").Funcs(all).ParseFS(files, layout, name))
		}
	}
	return views
}

// render writes a page; a toast that waits is on it, and gone.
func (b *base) render(w http.ResponseWriter, status int, name string, v map[string]any) {
	v["Toast"] = b.toast
	var out bytes.Buffer
	if err := b.views[name].Execute(&out, v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	b.toast = ""
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w) // the client may have gone
}

// see sends the browser to another page after a form.
func see(w http.ResponseWriter, r *http.Request, path string) {
	http.Redirect(w, r, path, http.StatusSeeOther)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}

// money prints cents.
func (b *base) money(cents int) string { return b.t("£", "¥") + plainMoney(cents) }

// plainMoney prints cents without a currency: 1,234.50.
func plainMoney(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "−", -cents
	}
	whole := strconv.Itoa(cents / 100)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("%s%s.%02d", sign, whole, cents%100)
}

// cents reads an amount as people type it, and -1 for what is none.
func cents(s string) int {
	s = strings.TrimSpace(strings.NewReplacer(",", "", "£", "", "¥", "", "¥", "").Replace(s))
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 0 || f > 1e9 {
		return -1
	}
	return int(f*100 + 0.5)
}

// date prints a day as the site's language has it.
func (b *base) date(d time.Time) string {
	return b.t(d.Format("2 January 2006"), d.Format("2006年1月2日"))
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}
