package safety

import (
	"cmp"
	"regexp"
	"sort"
	"strings"
	"sync"
)

// Reword translates a sentence of this package to lang, en or zh: the reasons of a
// Decision are in the language of the task, and the program that asks the user may
// use another. Quoted values and other texts stay unchanged.
func Reword(text, lang string) string {
	to, from := chineseForm, englishForm
	if !strings.HasPrefix(strings.ToLower(lang), "zh") {
		to, from = englishForm, chineseForm
	}
	for _, f := range forms() {
		args := f.pattern[from].FindStringSubmatch(text)
		if args == nil {
			continue
		}
		for i, a := range args[1:] {
			if !strings.HasPrefix(a, `"`) { // a quoted value is the page's text
				args[i+1] = Reword(a, lang)
			}
		}
		parts := f.parts[to]
		var b strings.Builder
		for i, p := range parts {
			b.WriteString(p)
			if i+1 < len(parts) {
				b.WriteString(args[i+1])
			}
		}
		return b.String()
	}
	return text
}

// The languages of a form.
const (
	englishForm = iota
	chineseForm
)

// sentenceForm is a sentence in both languages: the parts between its values, and a
// pattern that finds the values.
type sentenceForm struct {
	parts   [2][]string
	pattern [2]*regexp.Regexp
}

// forms are all sentences, those with the most words of their own first: "%s
// answers: %s" fits much that another says better.
var forms = sync.OnceValue(func() []sentenceForm {
	out := make([]sentenceForm, 0, len(chinese))
	for en, zh := range chinese {
		var f sentenceForm
		for i, format := range []string{en, zh} {
			f.parts[i] = strings.Split(format, "%s")
			quoted := make([]string, len(f.parts[i]))
			for j, p := range f.parts[i] {
				quoted[j] = regexp.QuoteMeta(p)
			}
			f.pattern[i] = regexp.MustCompile(`(?s)^` + strings.Join(quoted, `("[^"]*"|.+?)`) + `$`)
		}
		out = append(out, f)
	}
	sort.Slice(out, func(i, j int) bool {
		x, y := strings.Join(out[i].parts[0], ""), strings.Join(out[j].parts[0], "")
		return cmp.Or(len(y)-len(x), strings.Compare(x, y)) < 0
	})
	return out
})
