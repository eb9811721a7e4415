package safety

import (
	"net/url"
	"slices"
	"strings"
)

// Forms that change nothing: they filter, sort, look something up, calculate.

// filters reports a GET form that opens an address of its own site with the options
// chosen in it: it has no secret and no payee, and the address does not act.
func (p *press) filters() bool {
	f := p.t.Form
	if f == nil || !strings.EqualFold(f.Method, "get") || f.secret() != "" || f.paysSomebody() || p.severe {
		return false
	}
	if to := Site(f.Action); to != "" && to != actSite(p.j.act) {
		return false
	}
	u := f.opens()
	if u == nil || acts(u) {
		return false
	}
	chosen := 0
	for _, x := range f.Fields {
		switch x.Type {
		case "select", "select-one", "select-multiple", "date", "month", "week", "range", "number", "search", "datetime-local", "radio", "checkbox":
			chosen++
		case "hidden", "text", "submit", "button":
		default:
			return false
		}
	}
	return chosen > 0
}

// namesView reports the button of a form without an address of its own whose labels name a part of a view, such as a
// filter, and no deed: "Add filter". A form that forwards mail is never one. Its requests are judged.
func (p *press) namesView() bool {
	if p.t.Form == nil || p.t.Form.secret() != "" || p.t.Form.paysSomebody() || p.t.Asks != "" || p.t.Method != "" || p.pressed {
		return false
	}
	if u := readableURL(p.t.Form.Action); u == nil || !samePage(u, p.j.act.Page.URL) {
		return false
	}
	for _, s := range p.labels {
		if !says(s) {
			continue
		}
		if lb := p.j.lex.label(s); len(lb.tokens) > mostViewWords || p.j.lex.inText("shown", s) == nil || slices.ContainsFunc(p.j.lex.hits(&lb), func(h *pattern) bool { return h.level >= Confirm }) {
			return false
		}
	}
	return firstLabel(p.labels) != "" && p.t.Form.names(p.j.lex, "redirect") == ""
}

// mostViewWords is how many words such a label has.
const mostViewWords = 3

// sorts reports a filtering form's button that has the name of a select in it:
// "Ordina" beside "Ordina per" sorts, though elsewhere it orders.
func (p *press) sorts(label string) bool {
	label = fold(strings.TrimSpace(label))
	return len(label) > 2 && p.t.submits() && p.filters() && slices.ContainsFunc(p.t.Form.Fields, func(f Field) bool {
		return strings.HasPrefix(f.Type, "select") && (fold(f.Name) == label || strings.HasPrefix(fold(f.Label), label+" "))
	})
}

// resetsFilter reports the "Reset" beside the "Search" of a filtering form.
func (p *press) resetsFilter(label string) bool {
	return p.j.lex.inLabel("resets", label) != nil && !p.pressed && p.filters() && slices.ContainsFunc(p.t.Form.Buttons, func(b string) bool {
		return b != label && p.j.lex.inLabel("search", b) != nil
	})
}

// articles are words that may stand around the object of a command and change nothing about it.
var articles = ruleWords("articles")

// clearsView reports a label that takes away only how things are shown: a verb of deleting and
// "filter", "search", "sort order", and nothing else.
func (p *press) clearsView(lb *label) bool {
	l, t := p.j.lex, p.t
	if p.pressed || p.toggle || t.submits() || t.Method != "" || t.Asks != "" || l.inSection("shown", lb) == nil {
		return false
	}
	if !slices.ContainsFunc(l.hits(lb), func(h *pattern) bool { return h.class == Destroy }) {
		return false
	}
	known := make([]bool, len(lb.tokens))
	for i, tk := range lb.tokens {
		known[i] = known[i] || articles[tk.forms[0]]
		for _, f := range tk.forms {
			for _, q := range slices.Concat(l.sections["shown"][f], l.classes[f]) {
				if (q.class == "" || q.class == Destroy) && lb.standsAt(q, i) {
					for k := range q.words {
						known[i+k] = true
					}
				}
			}
		}
	}
	return !slices.Contains(known, false)
}

// arranges reports a select that sorts a list or chooses which part of it is
// shown: its name says so, no chosen option names a deed, its form if any only
// filters, and no sentence beside it tells what happens.
func (j *judgement) arranges(t *Target, chosen []string) bool {
	if t.Tag != "select" && t.Role != "combobox" && t.Role != "listbox" {
		return false
	}
	p := press{j: j, t: t, labels: chosen}
	if t.Form != nil && !p.filters() || p.tells(true) != "" || p.instant() != "" {
		return false
	}
	named := false
	for _, s := range []string{t.Name, t.Label} {
		lb := j.lex.label(s)
		named = named || j.lex.inSection("arrange", &lb) != nil
		for _, section := range []string{"safeguard", "redirect", "stake"} {
			if j.lex.inSection(section, &lb) != nil {
				return false
			}
		}
	}
	return named && !slices.ContainsFunc(chosen, func(s string) bool { return len(j.lex.commands(s)) > 0 })
}

// unfilters reports a link to the same page with a shorter query: it removes a
// filter, whatever its label.
func (p *press) unfilters() bool {
	if !p.link {
		return false
	}
	u, at := readableURL(p.t.Href), readableURL(p.j.act.Page.URL)
	return u != nil && at != nil && u.Host == at.Host && u.Path == at.Path && len(u.RawQuery) < len(at.RawQuery) && !acts(u)
}

// calculated are words in the paths of calculators and searches, where nothing is bought.
var calculated = ruleWords("calculated")

func calculates(u *url.URL) bool {
	if u == nil {
		return false
	}
	return slices.ContainsFunc(words(fold(u.Path)), func(w string) bool { return calculated[w] })
}

// fillsIn reports a box that only sets a field of its form: no script handles it, or it is no switch and the form
// is one that a button sends by POST.
func (p *press) fillsIn() bool {
	t, f := p.t, p.t.Form
	return p.toggle && t.Tag == "input" && f != nil && !t.OnChange &&
		(!t.HasHandler || t.Role != "switch" && strings.EqualFold(f.Method, "post") && t.DefaultButton != "")
}

// isSearch reports facts that prove a search or a filter: a GET form without
// secrets that the extractor found to be a search, or a lone search box.
func (j *judgement) isSearch(t *Target) bool {
	if t == nil || t.Secret != "" {
		return false
	}
	f := t.Form
	if f == nil {
		return t.Editable && (t.Role == "searchbox" || t.Type == "search")
	}
	if !strings.EqualFold(f.Method, "get") && f.Method != "" || f.secret() != "" {
		return false
	}
	return f.Search || t.Role == "searchbox" || t.Type == "search"
}
