package safety

import (
	"cmp"
	"slices"
	"strings"
)

// guardStates are states of locks and alarms, as a control shows them beside its name.
var guardStates = listed("guard states")

// doorStates are states of doors.
var doorStates = listed("door states")

// entrances judges a press that lets somebody in, by the thing in whose row it stands ("Open" beside "Garage door")
// or by the state of a lock that it shows: "Front door, locked" in a control named "Front door", or in the row of
// a picture without words. A control that is named by all it shows only shows more.
func (p *press) entrances() {
	t := p.t
	if p.severe || p.link || p.pressed || t.Editable || t.Opens || t.submits() || len(words(fold(t.Item))) > headline {
		return
	}
	name, text, item := words(fold(t.Name)), words(fold(t.Text)), words(fold(t.Item))
	found := ""
	switch {
	case strings.TrimSpace(strings.Join(p.labels, "")) == "":
		around := cmp.Or(t.Item, t.Context)
		if ws := words(fold(around)); t.HasHandler && !namesPicture(t.Icon) && len(ws) <= headline && p.showsLock(ws) {
			found = around
		}
	case len(name) > 0 && len(text) == len(name)+1 && slices.Equal(text[:len(name)], name) && p.showsLock(text):
		found = t.Text
	case len(name) > 0 && len(name) <= 2 && len(item) > 0 && !slices.Equal(name, item) && p.opensDoor(name, item):
		found = t.Name + " · " + t.Item
	}
	if found != "" {
		p.j.raise(Confirm, Settings, "entrance", p.j.say("The %s says %s", p.kind(), quote(found)))
		p.severe = true
	}
}

// showsLock reports the name of a thing and its state, where that is one of a lock, or of a door.
func (p *press) showsLock(ws []string) bool {
	if len(ws) < 2 {
		return false
	}
	thing, state := ws[:len(ws)-1], ws[len(ws)-1]
	return guardStates[state] || doorStates[state] && p.opensDoor([]string{"open"}, thing)
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
			lb := p.j.lex.label(s)
			return slices.ContainsFunc(p.j.lex.hits(&lb), func(h *pattern) bool {
				return h.class == Settings && h.level >= Confirm && h.anchor != whole && len(h.words) > 1
			})
		})
	})
}

// runWords are verbs that do all that somebody wrote down as a rule, a script or a job.
var runWords = listed("run words")

// runsEntry judges "Run" in a menu of what is done with one thing: beside it stand entries that delete it or switch it off.
// In a menu of ways to run something, none do.
func (p *press) runsEntry() {
	said := words(fold(firstLabel(p.labels)))
	if p.severe || p.link || !strings.HasPrefix(p.t.Role, "menuitem") || p.t.Opens || len(said) != 1 || !runWords[said[0]] {
		return
	}
	if slices.ContainsFunc(words(fold(p.t.Context)), func(w string) bool {
		lb := p.j.lex.label(w)
		return slices.ContainsFunc(p.j.lex.hits(&lb), func(h *pattern) bool { return h.level >= Confirm && (h.class == Destroy || h.class == Settings) })
	}) {
		p.j.raise(Confirm, CodeClass, "code_word", p.j.say("The %s says %s", p.kind(), quote(firstLabel(p.labels))))
		p.severe = true
	}
}
