package agent

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tabwright/pagecontext"
)

// What small models take for the end of a task, and is not, whatever the page's
// language: a menu that opened, a row that was selected, a setting that waits for
// the button that the task names.

// expands says that a press only opened what belongs to its target.
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

// leavesNamedButton says that the task names a button that is left (namedButton). A task
// may name one for another reason, so this holds for its first two settings.
func (r *run) leavesNamedButton(now *pagecontext.Listing) bool {
	if r.unsaved >= 2 || r.namedButton(now) == nil {
		return false
	}
	r.unsaved++
	return true
}

// namedButton is a button of the page that the task names and that was not pressed, where
// the last step set a value: "switch the digest off and save". Else nil.
func (r *run) namedButton(now *pagecontext.Listing) *pagecontext.Element {
	steps := r.proof.steps
	if now == nil || len(steps) == 0 || !isSetting(&steps[len(steps)-1]) {
		return nil
	}
	task := strings.ToLower(r.judgedTask())
	return r.firstLeft(now, func(e *pagecontext.Element) bool {
		return isButton(*e) && e.Pressed == nil && e.Expanded == nil && containsPhrase(task, strings.ToLower(e.Name))
	})
}

// firstLeft is the first element in use for which wanted is true and that no step was
// about. Else nil.
func (r *run) firstLeft(now *pagecontext.Listing, wanted func(*pagecontext.Element) bool) *pagecontext.Element {
	for i := range now.Elements {
		e := &now.Elements[i]
		if e.IsVisible && e.IsEnabled && !e.Covered && wanted(e) &&
			!slices.ContainsFunc(r.proof.steps, func(d deed) bool { return samePlace(*e, d.target, now) }) {
			return e
		}
	}
	return nil
}

// quotedElement is an element of the page whose name the task has in quotes, as several
// words, and that was not pressed. Else nil.
func (r *run) quotedElement(now *pagecontext.Listing) *pagecontext.Element {
	if now == nil {
		return nil
	}
	var quoted []string
	for _, m := range quotedText.FindAllStringSubmatch(flatten(r.judgedTask()), -1) {
		if phrase := strings.TrimSpace(m[1]); strings.Contains(phrase, " ") || utf8.RuneCountInString(phrase) >= 3 && strings.ContainsFunc(phrase, isSpaceless) {
			quoted = append(quoted, phrase)
		}
	}
	if len(quoted) == 0 {
		return nil
	}
	return r.firstLeft(now, func(e *pagecontext.Element) bool {
		return (isButton(*e) || e.Role == "link") && slices.Contains(quoted, flatten(e.Name))
	})
}

// quotedText is what stands in quotes in a flat text.
var quotedText = regexp.MustCompile(`"([^"]+)"`)

// isButton says that an element is a button, or behaves as one and has no role.
func isButton(e pagecontext.Element) bool {
	return e.Role == "button" || e.Role == "generic"
}

// isSetting says that a step set a value, rather than pressed a button.
func isSetting(d *deed) bool {
	switch d.action {
	case "check", "uncheck", "select", "type":
		return true
	}
	return d.action == "click" && d.target.Checked != ""
}

// containsPhrase says that a phrase of two characters at least stands in a text, as whole
// words where its script has spaces between them.
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
		if !(isWordPart(before) && isWordPart(first)) && !(isWordPart(after) && isWordPart(last)) {
			return true
		}
		from = end
	}
}

// isWordPart says that a character is part of a word in a script that has spaces between words.
func isWordPart(c rune) bool {
	return (unicode.IsLetter(c) || unicode.IsDigit(c)) && !isSpaceless(c)
}

// indicesOf are the indices of a list's elements.
func indicesOf(l *pagecontext.Listing) map[int]bool {
	out := make(map[int]bool, len(l.Elements))
	for _, e := range l.Elements {
		out[e.Index] = true
	}
	return out
}

// samePlace says that an element is one that was acted on, which may have been drawn
// anew since: then the old one is gone from the list.
func samePlace(el, was pagecontext.Element, now *pagecontext.Listing) bool {
	if el.Index == was.Index {
		return true
	}
	if was.Name == "" || el.Role != was.Role || el.Name != was.Name || el.Near != was.Near || el.Href != was.Href || el.Group != was.Group || el.Overlay != was.Overlay {
		return false
	}
	return now == nil || !slices.ContainsFunc(now.Elements, func(e pagecontext.Element) bool { return e.Index == was.Index })
}
