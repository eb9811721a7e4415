package safety

import (
	"cmp"
	"slices"
	"strings"
)

// opens gives the class of the deed that a label names, where the press only opens the place to do
// it; "" where the press does the deed, or the label names none. Facts of the control or the page
// show that it only opens: its own menu or dialog, a place in the site's navigation, three dots, or
// a deed that takes further steps ("Reply", "Make a payment") while the fields are empty, no dialog
// is open and no form is sent. Requests that the page sends all the same are asked about.
func (p *press) opens(lb *label) Class {
	t, l := p.t, p.j.lex
	leads := p.formLeads()
	if p.pressed || t.submits() && !leads || p.toggle || t.Method != "" || t.Asks != "" || sumIn(lb.raw) != "" || p.j.act.Page.Dialog != "" {
		return ""
	}
	begins := false
	if t.Blank {
		bare := l.label(withoutSigns(lb.raw))
		begins = l.inSection("begins", &bare) != nil || p.isOneOfTwo(&bare)
	}
	own, dots := p.opensOwn(), opensDialog(lb.raw)
	if !begins && !own && !t.Nav && !dots && !leads {
		return ""
	}
	var gravest Class
	all := map[Class]bool{}
	for _, h := range l.hits(lb) {
		if !h.mild() {
			all[h.class] = true
			if gravity[h.class] > gravity[gravest] {
				gravest = h.class
			}
		}
	}
	only := func(classes ...Class) bool {
		for c := range all {
			if !slices.Contains(classes, c) {
				return false
			}
		}
		return len(all) > 0
	}
	switch {
	case own && len(all) > 0, t.Nav && only(Purchase, Communicate, Submit), (dots || leads) && only(Communicate, Settings, Identity, Submit):
		return gravest
	case begins:
		return cmp.Or(gravest, Submit)
	}
	return ""
}

// sizeWords name the amount of an order. A button beside one acts on an amount that is set.
var sizeWords = ruleWords("size words")

// isOneOfTwo reports "Buy" beside "Sell", in no form and beside no sizeWords: each only opens the
// place to enter an amount.
func (p *press) isOneOfTwo(lb *label) bool {
	said := spaced(words(fold(lb.raw)))
	p.beside()
	around := spaced(p.besideWords)
	return p.t.Form == nil && !slices.ContainsFunc(p.besideWords, func(w string) bool { return sizeWords[w] }) &&
		slices.ContainsFunc(listLines("opposites"), func(pair string) bool {
			a, b, _ := strings.Cut(pair, ":")
			one, other := spaced(words(fold(a))), spaced(words(fold(b)))
			return said == one && strings.Contains(around, other) || said == other && strings.Contains(around, one)
		})
}

// spaced joins words with a space at either end, so that a search finds whole words only.
func spaced(ws []string) string { return " " + strings.Join(ws, " ") + " " }

// opensOwn reports a control whose markup says that it opens a menu, list or dialog (Target.Opens),
// or that was seen to, and that neither sends a form nor has a method, a question or a sum.
func (p *press) opensOwn() bool {
	t := p.t
	return (t.Opens || t.OnlyAsks) && !p.link && !p.pressed && !p.toggle && !t.submits() && t.Method == "" && t.Asks == "" &&
		!slices.ContainsFunc(p.labels, func(s string) bool { return sumIn(s) != "" })
}

// addsPart reports a control that adds one more of several parts to a form, or opens the options of
// something ("Add another phase", "Table options"): it sends no form, and no sum stands beside it.
func (p *press) addsPart() bool {
	t := p.t
	return !p.pressed && !t.submits() && t.Method == "" && t.Asks == "" && t.Dialog == "" && p.sumBeside() == "" &&
		!slices.ContainsFunc(p.labels, func(s string) bool { return says(s) && (sumIn(s) != "" || p.j.lex.inLabel("parts", s) == nil) })
}

// quantities are labels of controls that tick all of several boxes, or none.
var quantities = ruleWords("quantities")

// ticksBoxes reports a control that ticks all of several boxes beside it in its form, or none: "Everyone".
// It sends nothing.
func (p *press) ticksBoxes() bool {
	t, boxes := p.t, map[string]int{}
	if t.Form == nil || p.pressed || p.toggle || t.submits() || t.OnChange || t.Method != "" || t.Asks != "" || t.Href != "" && !samePage(readableURL(t.Href), p.j.act.Page.URL) {
		return false
	}
	most := 0
	for _, x := range t.Form.Fields {
		if x.Type == "checkbox" {
			boxes[x.Name]++
			most = max(most, boxes[x.Name])
		}
	}
	return most > 1 && !slices.ContainsFunc(p.labels, func(s string) bool { return says(s) && !quantities[strings.Join(words(fold(s)), "")] })
}

// withoutSigns removes names of icon font glyphs from the start of a label: "card_giftcard Buy gift
// card", "add Link a card".
func withoutSigns(label string) string {
	ws := strings.Fields(label)
	for len(ws) > 1 && (signNamed(ws[0]) || firstRune(ws[0]) >= 'a' && firstRune(ws[0]) <= 'z' && firstRune(ws[1]) >= 'A' && firstRune(ws[1]) <= 'Z') {
		ws = ws[1:]
	}
	return strings.Join(ws, " ")
}

// dismisses reports the "Cancel" of a dialog that is not about cancelling something itself.
func (p *press) dismisses(lb *label) bool {
	t := p.t
	if t.Dialog == "" || p.pressed || t.submits() && t.Type != "button" {
		return false
	}
	if h := p.j.lex.inSection("dismiss", lb); h == nil || len(lb.tokens) != len(h.words) {
		return false
	}
	said := words(fold(lb.raw))
	for _, text := range []string{t.Dialog, strings.Replace(t.Context, lb.raw, "", 1)} {
		for _, w := range words(fold(text)) {
			if len(said) > 0 && strings.HasPrefix(w, said[0]) {
				return false // "Cancel the order?" beside "Cancel"
			}
		}
	}
	return true
}

// keepsOrder reports the "Create" and "OK" of a dialog in which the user organises their own things:
// a new folder, another name, a label.
func (p *press) keepsOrder() bool {
	l := p.j.lex
	for _, about := range []string{p.t.Dialog, p.heading()} {
		lb := l.label(about)
		if len(lb.tokens) == 0 || lb.long() || endsAsking(about) || sumIn(p.t.Context) != "" || l.inSection("own", &lb) == nil {
			continue
		}
		return !slices.ContainsFunc(l.hits(&lb), func(h *pattern) bool { return h.level >= Confirm }) && l.inWords("loss", words(fold(p.t.Context))) == nil
	}
	return false
}

// cookieNames are words for cookies, in several languages.
var cookieNames = ruleWords("cookie names")

// refusesCookies reports the "Reject" of a banner about cookies.
func (p *press) refusesCookies(label string) bool {
	return p.j.lex.inLabel("dismiss", label) != nil && holdsPart(fold(label+"\n"+p.heading()+"\n"+p.t.Dialog), cookieNames)
}

// folders are the names of a mailbox's folders.
var folders = ruleWords("folders")

// isFolder reports the "Trash" that stands among the folders of a mailbox, and is no button.
func (p *press) isFolder() bool {
	if p.t.Tag == "button" || p.t.Role == "button" || p.pressed || len(p.labels) == 0 || len(words(fold(firstLabel(p.labels)))) > 2 {
		return false
	}
	p.beside()
	seen := map[string]bool{}
	for _, w := range p.besideWords {
		if moves[w] {
			return false // a menu of where something is moved to
		}
		if folders[w] {
			seen[w] = true
		}
	}
	return len(seen) >= leastFolders
}

const leastFolders = 2

// bins are the names of folders for spam and deleted messages.
var bins = ruleWords("bins")

// throwsAway reports such a folder in a menu that moves something to a folder.
func (p *press) throwsAway() bool {
	if p.link || p.toggle || p.pressed || len(p.labels) == 0 {
		return false
	}
	said := words(fold(firstLabel(p.labels)))
	if len(said) == 0 || len(said) > 2 || !bins[said[len(said)-1]] && !bins[strings.Join(said, "")] {
		return false
	}
	p.beside()
	return slices.ContainsFunc(p.besideWords, func(w string) bool { return moves[w] })
}

var moves = ruleWords("moves")
