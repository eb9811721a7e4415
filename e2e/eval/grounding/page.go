package grounding

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
)

// Name is that of the suite.
const Name = "grounding"

// The kinds of question, by what must be read to answer it.
const (
	KindRow     = "row"     // which of the same controls, by its row's words
	KindState   = "state"   // what is checked, open, current, unread, disabled
	KindGroup   = "group"   // which of the same names, by the part of the page
	KindOrder   = "order"   // which by its place: second, last, next
	KindMeaning = "meaning" // other words than the page's
	KindValue   = "value"   // by what a field holds
	KindIcon    = "icon"    // of controls without text
)

// mark is the attribute by which a page's source says which element is which. It
// is taken away before anything reads the page.
const mark = "data-truth"

// Question asks for one element of a page.
type Question struct {
	ID    string   `json:"id"`
	Page  string   `json:"page"`
	Kind  string   `json:"kind"`
	Text  string   `json:"text"`
	Truth []string `json:"truth"` // CSS selectors or XPaths; what any of them matches is right
}

// Page is one page with what is asked of it.
type Page struct {
	Name      string // its path, without the slash
	Lang      string
	HTML      string
	Questions []Question
	// open starts the server of a page that has one, and gives its address.
	open func() (url string, stop func(), err error)
}

// Pages are all pages of the suite, those made by the seed first.
func Pages(seed uint64) ([]Page, error) {
	fixtures, err := Fixtures()
	return append(GeneratePages(seed), fixtures...), err
}

// kinds are the generators; long says that a long variant of it is made as well.
var kinds = []struct {
	name string
	long bool
	make func(*maker)
}{
	{"invoices", true, invoices},
	{"mail", true, mail},
	{"products", true, products},
	{"cart", false, cart},
	{"settings", false, settings},
	{"calendar", false, calendar},
	{"manual", true, manual},
	{"checkout", false, checkout},
	{"editor", false, editor},
	{"dashboard", false, dashboard},
	{"feed", true, feed},
	{"results", true, results},
	{"dialog", false, dialog},
	{"board", true, board},
	{"flights", true, flights},
	{"files", true, files},
	{"questions", false, questions},
	{"team", true, team},
}

// GeneratePages makes the generated pages: each kind in English and Chinese, some
// of them long as well. The same seed makes the same pages.
func GeneratePages(seed uint64) []Page {
	var out []Page
	for i, k := range kinds {
		for j, lang := range []string{"en", "zh"} {
			sizes := []bool{false}
			if k.long {
				sizes = []bool{false, true}
			}
			for _, long := range sizes {
				name := k.name + "-" + lang
				if long {
					name += "-long"
				}
				n := uint64(4*i + 2*j)
				if long {
					n++
				}
				m := &maker{Rand: rand.New(rand.NewPCG(seed, n)), zh: lang == "zh", long: long, style: int(n+n/3) % 3}
				m.head(name)
				k.make(m)
				m.foot()
				p := Page{Name: name, Lang: lang, HTML: m.b.String(), Questions: m.questions}
				for q := range p.Questions {
					p.Questions[q].Page, p.Questions[q].ID = name, fmt.Sprintf("%s/%d", name, q+1)
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// maker writes a page.
type maker struct {
	*rand.Rand
	zh, long  bool
	style     int // of the markup: native elements, ARIA on <div>s, classes and handlers
	b         strings.Builder
	questions []Question
}

// t gives the text in the page's language.
func (m *maker) t(en, zh string) string {
	if m.zh {
		return zh
	}
	return en
}

// p writes markup; a %s stands for text and is escaped, a %v is not.
func (m *maker) p(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = html.EscapeString(s)
		}
	}
	fmt.Fprintf(&m.b, format+"\n", args...)
}

// raw is markup for p.
type raw string

// key marks an element.
func key(k string) raw {
	if k == "" {
		return ""
	}
	return raw(fmt.Sprintf(` %s="%s"`, mark, k))
}

// ask notes a question; keys are the marks of the right elements, any of them.
func (m *maker) ask(kind, keys, en, zh string, args ...any) {
	q := Question{Kind: kind, Text: fmt.Sprintf(m.t(en, zh), args...)}
	for _, k := range strings.Fields(keys) {
		q.Truth = append(q.Truth, fmt.Sprintf(`[%s="%s"]`, mark, k))
	}
	m.questions = append(m.questions, q)
}

// n gives the number of rows: short, or long.
func (m *maker) n(short, long int) int {
	if m.long {
		return long
	}
	return short
}

// some gives n of the words in a random order.
func some(m *maker, n int, en, zh []string) []string {
	from := en
	if m.zh {
		from = zh
	}
	out := make([]string, 0, n)
	for len(out) < n {
		for _, i := range m.Perm(len(from)) {
			w := from[i]
			if k := len(out) / len(from); k > 0 {
				w = fmt.Sprintf("%s %d", w, k+1)
			}
			if out = append(out, w); len(out) == n {
				break
			}
		}
	}
	return out
}

// button writes a button as the page's style has it.
func (m *maker) button(k, label string, attrs ...string) {
	a := raw(strings.Join(append([]string{""}, attrs...), " "))
	switch m.style {
	case 0:
		m.p(`<button type="button"%v%v>%s</button>`, key(k), a, label)
	case 1:
		m.p(`<div role="button" tabindex="0" class="btn"%v%v>%s</div>`, key(k), a, label)
	default:
		m.p(`<a class="btn" href="javascript:void(0)"%v%v><span>%s</span></a>`, key(k), a, label)
	}
}

// icon writes a button without text; what it is for stands where such buttons say it.
func (m *maker) icon(k, name, glyph string, attrs ...string) {
	a := raw(strings.Join(append([]string{""}, attrs...), " "))
	svg := raw(`<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d="M2 2h12v12H2z"/></svg>`)
	switch m.style {
	case 0:
		m.p(`<button type="button" class="icon" aria-label="%s"%v%v>%v</button>`, name, key(k), a, svg)
	case 1:
		m.p(`<span role="button" tabindex="0" class="icon" title="%s"%v%v>%v</span>`, name, key(k), a, svg)
	default:
		m.p(`<a href="#" class="icon"%v%v><span aria-hidden="true">%s</span><span class="sr">%s</span></a>`, key(k), a, glyph, name)
	}
}

// link writes a link.
func (m *maker) link(k, label, href string, attrs ...string) {
	m.p(`<a href="%s"%v%v>%s</a>`, href, key(k), raw(strings.Join(append([]string{""}, attrs...), " ")), label)
}

// field writes a text field with its label, as the page's style has it.
func (m *maker) field(k, label, value string, attrs ...string) {
	a := raw(strings.Join(append([]string{""}, attrs...), " "))
	id := fmt.Sprintf("f%d", m.b.Len())
	switch m.style {
	case 0:
		m.p(`<div class="f"><label for="%s">%s</label> <input id="%s" value="%s"%v%v></div>`, id, label, id, value, key(k), a)
	case 1:
		m.p(`<label class="f">%s <input value="%s"%v%v></label>`, label, value, key(k), a)
	default:
		m.p(`<div class="f"><div class="l" id="%s">%s</div><input aria-labelledby="%s" value="%s"%v%v></div>`, id, label, id, value, key(k), a)
	}
}

// check writes a check box, a switch in some styles.
func (m *maker) check(k, label string, on bool) {
	state, aria := "", "false"
	if on {
		state, aria = " checked", "true"
	}
	switch m.style {
	case 0:
		m.p(`<label class="c"><input type="checkbox"%v%v> %s</label>`, key(k), raw(state), label)
	case 1:
		m.p(`<div class="c"><span>%s</span> <button type="button" role="switch" aria-checked="%s" aria-label="%s"%v class="sw"></button></div>`, label, aria, label, key(k))
	default:
		m.p(`<div class="c"><input type="checkbox" id="c%d"%v%v><label for="c%d">%s</label></div>`, m.b.Len(), key(k), raw(state), m.b.Len(), label)
	}
}

// pages writes links to the pages of a list, the current one marked.
func (m *maker) pages(current, last int) {
	m.p(`<nav class="pages row" aria-label="%s">`, m.t("Pagination", "分页"))
	m.link("prev", m.t("‹ Prev", "‹ 上一页"), fmt.Sprintf("?page=%d", current-1))
	for i := 1; i <= last; i++ {
		at := ""
		if i == current {
			at = []string{`aria-current="page"`, `class="active"`, `class="page-link current" aria-current="true"`}[m.style]
		}
		m.link(fmt.Sprintf("page-%d", i), fmt.Sprint(i), fmt.Sprintf("?page=%d", i), at)
	}
	m.link("next", m.t("Next ›", "下一页 ›"), fmt.Sprintf("?page=%d", current+1))
	m.p(`</nav>`)
}

const css = `body{margin:0;font:14px/1.5 sans-serif;color:#222}.row{display:flex;gap:10px;align-items:center;flex-wrap:wrap}header,footer,.bar{padding:8px 16px;background:#f2f2f5}
main,.main{padding:12px 16px}.btn{display:inline-block;border:1px solid #999;border-radius:4px;padding:2px 8px;cursor:pointer;background:#fff;color:#222;text-decoration:none}
.icon{display:inline-block;width:24px;height:24px;cursor:pointer;border:0;background:none}.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}
table{border-collapse:collapse;width:100%}td,th{padding:5px 8px;border-bottom:1px solid #ddd;text-align:left}.card{border:1px solid #ddd;border-radius:6px;padding:10px;margin:6px 0}
.grid{display:grid;grid-template-columns:repeat(4,1fr);gap:10px}.unread{font-weight:700}.active,.current{background:#dde6ff;font-weight:700}.done{text-decoration:line-through;color:#888}
.sw{width:34px;height:18px;border-radius:9px}.line{display:flex;gap:10px;border-bottom:1px solid #eee;padding:6px;align-items:center}.muted{color:#666}.side{width:230px;flex:none}
.mask{position:fixed;inset:0;background:rgba(0,0,0,.4);z-index:9}.box{position:absolute;left:25%;top:20%;width:50%;background:#fff;padding:20px}.f{margin:4px 0}`

// head begins a page with what stands over most pages.
func (m *maker) head(name string) {
	m.p(`<!doctype html><html lang="%s"><head><meta charset="utf-8"><title>%s</title><style>%v</style></head><body>`, m.t("en", "zh-CN"), strings.Split(name, "-")[0], raw(css))
	open, end := "header", "header"
	if m.style == 2 {
		open, end = `div class="bar top"`, "div"
	}
	m.p(`<%v><div class="row">`, raw(open))
	m.link("", []string{"Northwind", "Acme", "Lumio"}[m.style], "/")
	m.p(`<nav class="row">`)
	for i, w := range []string{m.t("Overview", "概览"), m.t("Projects", "项目"), m.t("Reports", "报表"), m.t("Help", "帮助")} {
		m.link("", w, fmt.Sprintf("/h%d", i))
	}
	m.p(`</nav>`)
	m.p(`<input type="search" placeholder="%s"%v>`, m.t("Search", "搜索"), key("top-search"))
	m.icon("bell", m.t("Notifications", "通知"), "🔔")
	m.icon("account", m.t("Account menu", "账户菜单"), "☺", `aria-haspopup="menu"`, `aria-expanded="false"`)
	m.p(`</div></%v>`, raw(end))
}

func (m *maker) foot() {
	m.p(`<footer class="row">`)
	for i, w := range []string{m.t("About", "关于"), m.t("Privacy", "隐私"), m.t("Terms", "条款"), m.t("Contact", "联系我们")} {
		m.link(fmt.Sprintf("foot-%d", i), w, fmt.Sprintf("/f%d", i))
	}
	m.p(`</footer></body></html>`)
}
