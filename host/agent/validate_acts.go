package agent

import (
	"slices"
	"strings"
	"unicode"

	"tabwright/host/action"
)

// If a task changed nothing, its answer may be right, since the task may only ask. It is
// a false claim if it tells nothing that was read. No words of any language are searched
// for: controls and news are known from the page.

// didAct reports whether a step did more than read.
func (e *evidence) didAct() bool {
	return slices.ContainsFunc(e.steps, func(d deed) bool { return d.acts && d.outcome == outcomeOK })
}

// ofControls reports whether a text names an element that was seen, or its role.
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

// shortWord is the longest word, in bytes, that is ignored because most pages have it.
const shortWord = 4

// tells reports whether an answer has news: a figure or a word of a page that is neither
// in the task nor in an element's name, or evidence that a page shows.
func (e *evidence) tells(task string, d action.Done) bool {
	taskFigures := figuresIn(task)
	for _, f := range figuresIn(d.Answer) {
		if (e.has(f) || !f.tells()) && !slices.ContainsFunc(taskFigures, func(a figure) bool { return slices.Contains(a.forms, f.forms[0]) }) {
			return true
		}
	}
	for _, q := range d.Evidence {
		q = flatten(q)
		if _, isControl := e.controls[q]; !isControl && len([]rune(q)) >= 3 && !strings.Contains(flatten(task), q) && e.shows(q) {
			return true
		}
	}
	known := units(task)
	for c := range e.controls {
		known = append(known, units(c)...)
	}
	news := slices.DeleteFunc(units(d.Answer), func(w string) bool {
		return len(w) <= shortWord || slices.ContainsFunc(known, func(k string) bool { return inflects(w, k) })
	})
	return slices.ContainsFunc(e.pages, func(p string) bool {
		words := units(p)
		return slices.ContainsFunc(news, func(w string) bool { return slices.Contains(words, w) })
	})
}

// longestEnding is how many letters an inflected word may be longer than its base:
// closed, cancelled.
const longestEnding = 3

// inflects reports whether a word is another or a longer form of it. So "closed" is no
// news if the task was to close something.
func inflects(word, of string) bool {
	return word == of || len(of) > 2 && len(word)-len(of) <= longestEnding && strings.HasPrefix(word, of)
}

// units returns the words of a text in lower case, each once, and pairs of adjacent
// Chinese characters.
func units(text string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(w string) {
		if w != "" && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	var word []rune
	var han rune
	for _, r := range strings.ToLower(text) {
		isHan := unicode.Is(unicode.Han, r)
		if !isHan && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			word, han = append(word, r), 0
			continue
		}
		add(string(word))
		word = word[:0]
		if isHan && han != 0 {
			add(string([]rune{han, r}))
		}
		han = 0
		if isHan {
			han = r
		}
	}
	add(string(word))
	return out
}
