package safety

import (
	"regexp"
	"slices"
	"strings"
)

// A switch that protects an account, a device or a fund, and a setting that
// sends mail, money or access elsewhere, are known by their heading and their
// fields: the control itself says "Off", "Save", "OK".

// heading is the first part of the text around a control.
func (p *press) heading() string {
	head, _, _ := strings.Cut(p.t.Context, " · ")
	return clip(head, 120)
}

// names gives the first phrase of a word list section in the control's labels or
// heading, "" if none.
func (p *press) names(section string) string {
	for _, s := range append([]string{p.t.Label, p.heading()}, p.labels...) {
		if h := p.j.lex.inWords(section, words(fold(clip(s, 120)))); h != nil {
			return h.raw
		}
	}
	return ""
}

// guards judges a control that may turn a safeguard off: a switch of that name,
// moved either way, a "Turn off" under that heading, a choice of "None" for it.
func (p *press) guards() {
	if p.severe || p.link || p.t.Role == "tab" || p.filters() || p.unfiltersGroup() || !p.moves() {
		return
	}
	what := p.names("safeguard")
	if what == "" {
		what = p.secures()
	}
	if what == "" {
		p.switchesStake()
		return
	}
	level := Confirm
	if t := p.t; p.toggle && t.Tag == "input" && t.Role != "switch" && t.Form != nil && !t.OnChange && !t.HasHandler {
		level = Notify // a box of a form is a draft until the form is sent
	}
	p.j.raise(level, Identity, "safeguard", p.j.say("%s may turn off: %s", quote(p.t.label()), what))
	p.severe = level >= Confirm
}

// switchesStake judges a switch whose name has a word for money or a right: "Auto-accept
// payments". A switch for the user's own notifications is none.
func (p *press) switchesStake() {
	t, l := p.t, p.j.lex
	if t.Role != "switch" && !(p.toggle && t.OnChange) || t.Form != nil && p.filters() {
		return
	}
	for _, s := range append([]string{t.Label}, p.labels...) {
		ws := words(fold(clip(s, 120)))
		lb := l.label(s)
		h := l.inWords("stake", ws)
		if h == nil || l.views(&lb) || l.inWords("notices", ws) != nil || l.inWords("notices", words(fold(p.heading()))) != nil {
			continue
		}
		p.ask(Settings, "safeguard", "%s may turn off: %s", quote(t.label()), h.raw)
		return
	}
}

// secures gives the word for an account's security in the heading or the page title
// of a switch: there any switch may be a safeguard.
func (p *press) secures() string {
	if p.t.Role != "switch" && !p.t.OnChange {
		return ""
	}
	if h := p.j.lex.inWords("security", words(fold(p.heading()))); h != nil {
		return h.raw
	}
	if h := p.j.lex.inWords("security", words(fold(clip(p.j.act.Page.Title, 120)))); h != nil {
		return h.raw
	}
	return ""
}

// moves reports a switch or a box, and any other control that says "off".
func (p *press) moves() bool {
	switch p.t.Role {
	case "switch", "checkbox", "menuitemcheckbox":
		return !p.pressed
	}
	if p.toggle && p.t.Type == "checkbox" {
		return true
	}
	return slices.ContainsFunc(p.labels, func(s string) bool {
		// "Close" and "No" shut a dialog as well, unless they are a choice.
		return p.j.lex.inLabel("off", s) != nil && (p.toggle || p.t.OnChange || p.j.lex.inLabel("dismiss", s) == nil)
	})
}

// redirects judges a control that stores a setting which sends the user's mail,
// money or access elsewhere, or protects them: a switch of that name, and "Save" in
// the dialog or form of the setting.
func (p *press) redirects() {
	if p.severe || p.link || p.quieted || p.proven() || !p.keeps() {
		return
	}
	for _, x := range []struct {
		section string
		class   Class
	}{{"redirect", Settings}, {"safeguard", Identity}} {
		what := p.names(x.section)
		if f := p.t.Form; what == "" && f != nil && !strings.EqualFold(f.Method, "get") {
			what = f.names(p.j.lex, x.section)
			if h := p.j.lex.inWords(x.section, words(fold(clip(p.j.act.Page.Title, 120)))); what == "" && h != nil && f.writes() {
				what = h.raw // the page is about nothing else
			}
		}
		if what != "" {
			p.ask(x.class, "redirects", "%s keeps a setting of: %s", quote(firstLabel(p.labels)), what)
			return
		}
	}
}

// changesRecord judges the "Save" under the heading of a document that binds others and has a
// number: "Edit invoice INV-0045". One without a number is a draft.
func (p *press) changesRecord() {
	if p.severe || p.link || p.toggle || p.quieted || !p.saves || p.filters() {
		return
	}
	about := p.heading()
	h := p.j.lex.inWords("binding", words(fold(about)))
	if h == nil || len(words(about)) > headline || !strings.ContainsAny(about, "0123456789") {
		return
	}
	p.ask(Settings, "under_heading", "%s answers: %s", quote(firstLabel(p.labels)), about)
}

// renameWords are verbs for another name, and sharedNames are words for what others or programs know by its name.
var (
	renameWords = ruleWords("rename words")
	sharedNames = ruleWords("shared names")
)

// renames judges the button of a POST form that gives another name to what others or programs know by the old one.
// Folders, labels and the like are the user's own.
func (p *press) renames() {
	f := p.t.Form
	if p.severe || p.quieted || f == nil || !p.t.submits() && !p.pressed || !strings.EqualFold(f.Method, "post") {
		return
	}
	p.raiseSetting(func(s string) bool {
		said := words(fold(s))
		return len(said) > 1 && len(said) <= headline && slices.ContainsFunc(said, func(w string) bool { return renameWords[w] }) && slices.ContainsFunc(said, func(w string) bool { return sharedNames[w] })
	})
}

// raiseSetting has a press asked about whose labels say that it changes a setting.
func (p *press) raiseSetting(says func(label string) bool) {
	for _, s := range p.labels {
		if says(s) {
			p.ask(Settings, "settings_word", "The %s says %s", p.kind(), quote(s))
			return
		}
	}
}

// silences judges the button of a POST form by which nobody is told of something any more: "Mute notifications". A sound
// is not muted by a form.
func (p *press) silences() {
	if f := p.t.Form; p.severe || f == nil || !p.t.submits() && !p.pressed || !strings.EqualFold(f.Method, "post") {
		return
	}
	p.raiseSetting(func(s string) bool { return p.j.lex.inLabel("silence", s) != nil })
}

// keeps reports a control that stores settings: "Save", "OK", a switch, the button
// that sends the form.
func (p *press) keeps() bool {
	if p.saves || p.t.Role == "switch" || p.t.submits() || p.pressed && p.t.OnChange {
		return true
	}
	return !p.toggle && (p.weak != "" && !p.puzzling || slices.ContainsFunc(p.labels, func(s string) bool { return p.j.lex.inLabel("keep", s) != nil }))
}

// paidCoins matches a site's own currency with the amount after the name, as in
// Chinese, Japanese and Korean.
var paidCoins = regexp.MustCompile(`(?i)(?:[有無]償石|原石|星石|魔晶石|ジュエル|オーブ|` + coinNames + `)[ :：×xX]*` + num + ` ?[個枚个颗顆개枚]|` + num + ` ?\pL{0,8}(?:gems|coins|bucks|stones|orbs|shards|crystals)`)

// draws judges a control that draws, spins or opens a number of lots beside an
// amount of a site's own currency: "10回ひく", "Open 10".
func (p *press) draws() {
	if p.severe || p.link || p.toggle || p.t.submits() && p.proven() {
		return
	}
	for _, s := range p.labels {
		lb := p.j.lex.label(s)
		if p.j.lex.inSection("draw", &lb) == nil || !strings.ContainsAny(fold(s), "0123456789一二三五十百") {
			continue
		}
		coins := p.coinsBeside()
		if coins == "" {
			continue
		}
		p.ask(Purchase, "settles", "%s stands beside: %s", quote(s), coins)
		return
	}
}

// coinsBeside gives the first sum in a site's own currency beside the control.
func (p *press) coinsBeside() string {
	text := p.beside()
	if c := paidCoins.FindString(text); c != "" {
		return c
	}
	if !hasCoinedPrefix(text) {
		return ""
	}
	return coins.FindString(text)
}
