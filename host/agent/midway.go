package agent

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tabwright/host/action"
	"tabwright/pagecontext"
)

// Small models take some steps for the end of a task that are not, in any language:
// a menu opened, a row was selected, a setting waits for the button that the task
// names.

// expands tells whether a click only expanded its target.
func expands(last *deed, now *pagecontext.Listing) bool {
	if last.action != "click" || last.target.Expanded == nil || *last.target.Expanded || now == nil {
		return false
	}
	return slices.ContainsFunc(now.Elements, func(e pagecontext.Element) bool {
		return e.Index == last.target.Index && e.Expanded != nil && *e.Expanded
	})
}

// selectedRow are the indices of what is next where a tick selected one of several rows,
// for which buttons came: these, and the boxes of the other rows.
func selectedRow(last *deed, was, now *pagecontext.Listing) map[int]bool {
	box := last.target
	if !isSetting(last) || box.Role != "checkbox" || was == nil || now == nil {
		return nil
	}
	had, out := indicesOf(was), map[int]bool{}
	others, buttons := false, false
	for _, e := range now.Elements {
		switch {
		case e.Role == "checkbox" && e.Name == box.Name && e.Index != box.Index:
			others, out[e.Index] = true, true
		case !had[e.Index] && e.IsVisible && e.IsEnabled && isButton(e):
			buttons, out[e.Index] = true, true
		}
	}
	if !others || !buttons {
		return nil
	}
	return out
}

// barOf returns the indices of the buttons for selected rows after a step: those that came
// with the first row, while more rows are selected; else nil.
func barOf(bar, opened map[int]bool, last *deed, now *pagecontext.Listing) map[int]bool {
	if last.target.Role != "checkbox" || !isSetting(last) || now == nil {
		return nil
	}
	out := map[int]bool{}
	for _, e := range now.Elements {
		if isButton(e) && (bar[e.Index] || opened[e.Index]) {
			out[e.Index] = true
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// leavesNamedButton tells whether the task names a button that is left (namedButton). As a
// task may name one for another reason, it is true at most twice.
func (r *run) leavesNamedButton(obs action.Observation) bool {
	if r.unsaved >= 2 || r.namedButton(obs) == nil {
		return false
	}
	r.unsaved++
	return true
}

// namedButton returns a button of the page that the task names and that was not clicked, if
// the last step set a value: "switch the digest off and save". Where that selected rows it
// is one of the buttons for them, and one whose name no effect has shown yet. Else it
// returns nil.
func (r *run) namedButton(obs action.Observation) *pagecontext.Element {
	steps := r.proof.steps
	if len(steps) == 0 || !isSetting(&steps[len(steps)-1]) {
		return nil
	}
	task := flatten(r.judgedTask())
	return r.firstLeft(obs, func(e *pagecontext.Element) bool {
		return isButton(*e) && e.Pressed == nil && e.Expanded == nil && (r.bar == nil || r.bar[e.Index]) &&
			names(task, flatten(e.Name), obs.Elements) &&
			!slices.ContainsFunc(steps, func(d deed) bool { return d.tells(e) })
	})
}

// names tells whether a flat task names an element of the page: not in a longer quotation,
// nor in the longer name of another element.
func names(task, name string, now *pagecontext.Listing) bool {
	if !containsPhrase(task, name) {
		return false
	}
	task = quotedText.ReplaceAllStringFunc(task, func(q string) string {
		if strings.Trim(q, `"`) == name {
			return q
		}
		return `""`
	})
	for _, e := range now.Elements {
		if longer := flatten(e.Name); len(longer) > len(name) && containsPhrase(longer, name) {
			task = strings.ReplaceAll(task, longer, `""`)
		}
	}
	return containsPhrase(task, name)
}

// tells tells whether the effect of a step shows the name of an element otherwise than by
// naming such an element.
func (d deed) tells(e *pagecontext.Element) bool {
	effect := strings.ReplaceAll(flatten(d.effect), flatten(pagecontext.RoleWord(e)+` "`+e.Name+`"`), "")
	return containsPhrase(effect, flatten(e.Name))
}

// firstLeft returns the first element that the form offers, for which wanted is true, and
// whose name is not in that of a step's target; else nil.
func (r *run) firstLeft(obs action.Observation, wanted func(*pagecontext.Element) bool) *pagecontext.Element {
	if obs.Elements == nil {
		return nil
	}
	skip := r.skip(obs)
	for i := range obs.Elements.Elements {
		e := &obs.Elements.Elements[i]
		if e.IsVisible && e.IsEnabled && !e.Covered && wanted(e) && !skip("click", *e) &&
			!slices.ContainsFunc(r.proof.steps, func(d deed) bool {
				return d.target.Index == e.Index || containsPhrase(flatten(d.target.Name), flatten(e.Name))
			}) {
			return e
		}
	}
	return nil
}

// quotedElement returns an element of the page whose name the task has in quotes, as several
// words, and that was not clicked, or nil.
func (r *run) quotedElement(obs action.Observation) *pagecontext.Element {
	var quoted []string
	for _, m := range quotedText.FindAllStringSubmatch(flatten(r.judgedTask()), -1) {
		if phrase := strings.TrimSpace(m[1]); strings.Contains(phrase, " ") || utf8.RuneCountInString(phrase) >= 3 && strings.ContainsFunc(phrase, isSpaceless) {
			quoted = append(quoted, phrase)
		}
	}
	if len(quoted) == 0 {
		return nil
	}
	return r.firstLeft(obs, func(e *pagecontext.Element) bool {
		return (isButton(*e) || e.Role == "link") && slices.Contains(quoted, flatten(e.Name))
	})
}

// quotedText matches text in quotes in a flat text.
var quotedText = regexp.MustCompile(`"([^"]+)"`)

// isButton tells whether an element is a button, or behaves as one and has no role.
func isButton(e pagecontext.Element) bool {
	return e.Role == "button" || e.Role == "generic"
}

// isSetting tells whether a step set a value, rather than clicked a button.
func isSetting(d *deed) bool {
	switch d.action {
	case "check", "uncheck", "select", "type":
		return true
	}
	return d.action == "click" && d.target.Checked != ""
}

// containsPhrase tells whether a text has a phrase of at least two characters, as whole
// words if its script has spaces between them, and not inside of a number, a date or a time.
func containsPhrase(text, phrase string) bool {
	if utf8.RuneCountInString(phrase) < 2 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(phrase)
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[end:])
		inNumber := unicode.IsDigit(first) && numberBefore.MatchString(text[:i]) || unicode.IsDigit(last) && numberAfter.MatchString(text[end:])
		if !inNumber && !(isWordPart(before) && isWordPart(first)) && !(isWordPart(after) && isWordPart(last)) {
			return true
		}
		from = end
	}
}

// numberBefore and numberAfter match the rest of a number before and after digits.
var (
	numberBefore = regexp.MustCompile(`\d[.,:/-]$`)
	numberAfter  = regexp.MustCompile(`^[.,:/-]\d`)
)

// isWordPart tells whether a character is part of a word in a script with spaces between words.
func isWordPart(c rune) bool {
	return (unicode.IsLetter(c) || unicode.IsDigit(c)) && !isSpaceless(c)
}

// indicesOf returns the set of the indices of a list's elements.
func indicesOf(l *pagecontext.Listing) map[int]bool {
	out := make(map[int]bool, len(l.Elements))
	for _, e := range l.Elements {
		out[e.Index] = true
	}
	return out
}

// samePlace tells whether el is the element that was acted on, which the page may have drawn
// again since: then the old one is gone from the list.
func samePlace(el, was pagecontext.Element, now *pagecontext.Listing) bool {
	if el.Index == was.Index {
		return true
	}
	if was.Name == "" || el.Role != was.Role || el.Name != was.Name || el.Near != was.Near || el.Href != was.Href || el.Group != was.Group || el.Overlay != was.Overlay {
		return false
	}
	return now == nil || !slices.ContainsFunc(now.Elements, func(e pagecontext.Element) bool { return e.Index == was.Index })
}
