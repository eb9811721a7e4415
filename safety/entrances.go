package safety

import (
	"cmp"
	"slices"
	"strings"
)

// guardStates are states of locks and alarms, as a control shows them beside its name, doorStates those of doors. openVerbs
// open a door, armVerbs switch an alarm on, and runWords do all that somebody wrote down as a rule, a script or a job.
var (
	guardStates = ruleWords("guard states")
	doorStates  = ruleWords("door states")
	openVerbs   = listedWords("open verbs")
	armVerbs    = ruleWords("arm verbs")
	runWords    = ruleWords("run words")
)

// entrances judges a press that lets somebody in, by the thing in whose row it stands ("Open" beside "Garage door")
// or by the state of a lock that it shows: "Front door, locked" in a control named "Front door", or in the row of
// a picture without words. A control that is named by all it shows only shows more. "Arm" beside the state of an alarm
// switches it on.
func (p *press) entrances() {
	t := p.t
	if p.severe || p.link || p.pressed || t.Editable || t.Opens || t.submits() {
		return
	}
	name, text, item := words(fold(t.Name)), words(fold(t.Text)), words(fold(t.Item))
	found := ""
	switch {
	case armVerbs[strings.Join(name, "")] && slices.ContainsFunc(words(fold(t.Context)), func(w string) bool { return guardStates[w] }):
		found = t.Name
	case len(item) > headline:
	case strings.TrimSpace(strings.Join(p.labels, "")) == "":
		around := cmp.Or(t.Item, t.Context)
		if ws := words(fold(around)); t.HasHandler && !namesPicture(t.Icon) && len(ws) <= headline && p.namedLock(ws) > 0 {
			found = around
		}
	case len(name) > 0 && p.namedLock(text) == len(name) && slices.Equal(text[:len(name)], name):
		found = t.Text
	case len(name) > 0 && len(name) <= 2 && len(item) > 0 && !slices.Equal(name, item) && p.opensDoor(name, item):
		found = t.Name + " · " + t.Item
	}
	if found != "" {
		p.ask(Settings, "entrance", "The %s says %s", p.kind(), quote(found))
	}
}

// namedLock gives how many of the words name a thing, where those behind are the state of a lock or of a door; 0 for none.
func (p *press) namedLock(ws []string) int {
	for n := len(ws) - 1; n > 0 && n >= len(ws)-longestState; n-- {
		state := strings.Join(ws[n:], "")
		if guardStates[state] || doorStates[state] && p.opensDoor(openVerbs, ws[:n]) {
			return n
		}
	}
	return 0
}

// namesPicture reports the name of a picture that says what it shows, and not only that it is one.
func namesPicture(icon string) bool {
	return slices.ContainsFunc(iconWords(strings.ToLower(icon)), func(w string) bool { return pictures[w] && !anyPicture[w] })
}

// anyPicture are words in the names of all pictures.
var anyPicture = wordSet("icon icons ico svg img image picture sprite glyph symbol")

// opensDoor reports a verb of said that opens the last word of a thing's name, or both in the other order.
func (p *press) opensDoor(said, thing []string) bool {
	last := thing[len(thing)-1]
	return slices.ContainsFunc(said, func(w string) bool {
		return slices.ContainsFunc([]string{w + " " + last, last + " " + w}, func(s string) bool {
			return slices.ContainsFunc(p.j.lex.commands(s), func(h *pattern) bool { return h.class == Settings && h.anchor != whole && len(h.words) > 1 })
		})
	})
}

// runsEntry judges "Run" beside the name of what it runs, and in a menu of what is done with one thing, where entries beside
// it delete that or switch it off: in a menu of ways to run something, none do. What is run may be anything, unless its name
// or its heading says that it only reads, as a query does.
func (p *press) runsEntry() {
	t, l := p.t, p.j.lex
	label := firstLabel(p.labels)
	said := words(fold(label))
	if p.severe || p.link || t.Opens || !runWords[strings.Join(said, "")] {
		return
	}
	class, what, item := CodeClass, label, l.label(t.Item)
	switch {
	case strings.HasPrefix(t.Role, "menuitem"):
		if !slices.ContainsFunc(words(fold(t.Context)), func(w string) bool {
			return slices.ContainsFunc(l.commands(w), func(h *pattern) bool { return h.class == Destroy || h.class == Settings })
		}) {
			return
		}
	case len(item.tokens) == 0 || item.count() > 2*headline || strings.Contains(spaced(strings.Fields(t.Item)), spaced(strings.Fields(label))) || t.Form != nil && (strings.EqualFold(t.Form.Method, "get") || slices.ContainsFunc(t.Form.Fields, func(x Field) bool { return x.Type != "hidden" })):
		return
	default:
		what += " · " + t.Item
		does := slices.DeleteFunc(l.commands(t.Item), func(h *pattern) bool { return h.link })
		if len(does) == 0 && slices.ContainsFunc([]string{t.Item, p.heading(), p.j.act.Page.Title}, func(s string) bool { return l.inText("reading", s) != nil }) {
			return
		}
		if len(does) > 0 {
			class = does[0].class
		}
	}
	p.ask(class, "code_word", "The %s says %s", p.kind(), quote(what))
}
