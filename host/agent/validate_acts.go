package agent

import (
	"regexp"
	"slices"
	"strings"

	"tabwright/host/action"
)

// An answer that comes before any act may be right: the task only asks. It is a
// false claim where it speaks of something that can be pressed or filled in, and
// tells nothing that was read. No words of any language are looked for: controls
// are known from the page, and so is what is news.

// acted says that a step did more than look.
func (e *evidence) acted() bool {
	return slices.ContainsFunc(e.steps, func(d deed) bool { return d.acts && d.outcome == outcomeOK })
}

// control finds the elements in a page as it is written for the model.
var control = regexp.MustCompile(`\[\d+\] (?:([a-z]+)\b)?(?: ?"([^"]+)")?`)

// notes keeps what elements a page has.
func (e *evidence) notes(o action.Observation) {
	if e.controls == nil {
		e.controls = map[string]struct{}{}
	}
	note := func(role, name string) {
		if role == "link" { // its words are the page's content as well
			name = ""
		}
		for _, s := range []string{role, flatten(name)} {
			if len([]rune(s)) > 1 && len(e.controls) < evidenceFigures {
				e.controls[s] = struct{}{}
			}
		}
	}
	if o.Elements == nil {
		for _, m := range control.FindAllStringSubmatch(o.Text, -1) {
			note(m[1], m[2])
		}
		return
	}
	for _, el := range o.Elements.Elements {
		note(el.Role, el.Name)
	}
}

// ofControls says that a text names an element of a page that was seen, or its kind.
func (e *evidence) ofControls(text string) bool {
	words := " " + strings.Join(units(text), " ") + " "
	flat := flatten(text)
	for c := range e.controls {
		if !strings.Contains(flat, c) {
			continue
		}
		list := units(c)
		if len(list) == 0 || strings.Contains(words, " "+strings.Join(list, " ")+" ") {
			return true
		}
	}
	return false
}

// shortWord is how many bytes a word has at most that most pages have, whatever
// they are about.
const shortWord = 4

// tells says that an answer has news: a figure, or a word of a page, that neither
// the task has nor an element is called by.
func (e *evidence) tells(task, answer string) bool {
	asked := figuresIn(task)
	for _, f := range figuresIn(answer) {
		if !slices.ContainsFunc(asked, func(a figure) bool { return slices.Contains(a.forms, f.forms[0]) }) {
			return true
		}
	}
	known := units(task)
	for c := range e.controls {
		known = append(known, units(c)...)
	}
	news := slices.DeleteFunc(units(answer), func(w string) bool { return len(w) <= shortWord || slices.Contains(known, w) })
	return slices.ContainsFunc(e.pages, func(p string) bool { return covers(news, units(p)) > 0 })
}
