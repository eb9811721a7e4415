package flow

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tabwright/host/action"
	"tabwright/safety"
)

// notRecorded are actions of a trail that a replay does not need: those that look,
// wait or scroll. A replay waits and looks by itself.
var notRecorded = []string{"scroll", "scrollIntoView", "scrollUntil", "loadMoreUntil", "wait", "waitFor", "hover", "mouseMove", "listTabs", "focus"}

// Record makes a recording of a finished task from its words, its start address and
// the marks of its trail. Typed values that occur in the words become parameters.
// The second result lists steps that can't be recorded.
func Record(task, begin string, marks []Mark) (*Recording, []string, error) {
	r := &Recording{Version: Version, Name: firstWords(task), Goal: task, URL: begin, Params: map[string]Param{}}
	var left []string
	for _, m := range marks {
		if m.Kind != MarkStep || !m.OK || !recorded(m.Action) {
			continue
		}
		if r.URL == "" && m.From != "about:blank" {
			r.URL = m.From
		}
		s, why := r.stepOf(m)
		if why != "" {
			left = append(left, m.Line+": "+why)
			continue
		}
		r.Steps = append(r.Steps, s)
	}
	if len(r.Steps) == 0 {
		return nil, left, invalid("Record a task that did something.", "There is no step in this task that could be done again.")
	}
	r.parametrise(task)
	return r, left, nil
}

// Acts reports whether a recording has an action as a step: not those that only look
// or wait.
func Acts(name string) bool { return recorded(name) }

func recorded(name string) bool {
	spec, ok := action.Default().Spec(name)
	return ok && (spec.MayChange || spec.Class != safety.Read) && spec.Family != "people" && spec.Family != "reading" && !slices.Contains(notRecorded, name)
}

// stepOf returns a mark as a step, or the reason why it can't be one.
func (r *Recording) stepOf(m Mark) (Step, string) {
	s := Step{Do: m.Action, Note: m.Line, With: map[string]any{}}
	if err := json.Unmarshal(m.Params, &s.With); err != nil && len(m.Params) > 0 {
		return s, "its parameters can't be read"
	}
	_, byIndex := s.With["index"]
	_, byRef := s.With["ref"]
	_, byPoint := s.With["x"]
	if sel, ok := s.With["selector"].(string); (byIndex || byRef || byPoint || ok) && m.Action != "switchTab" {
		if m.Target == nil && !byPoint {
			return s, "what it acted on has no name"
		}
		s.Target = m.Target
		if m.Target == nil || m.Target.Name == "" && m.Target.Selector == "" && sel == "" {
			return s, "what it acted on has no name"
		}
		if m.Target.Name == "" && sel != "" {
			s.Target = &Target{Selector: sel}
		}
	}
	for _, k := range []string{"index", "ref", "selector", "x", "y"} {
		delete(s.With, k)
	}
	if m.Action == "dragDrop" || m.Action == "mouseDown" || m.Action == "mouseUp" {
		return s, "points of one window can't be replayed"
	}
	if m.Action == "switchTab" {
		s.With = map[string]any{"url": pattern(m.To)}
	}
	if m.Secret {
		r.secret(&s)
	}
	if m.To != "" && m.From != m.To && m.Action != "switchTab" {
		if p := pattern(m.To); p != "" {
			s.Expect = &Expect{URL: p}
		}
	}
	if s.Expect == nil {
		s.Expect = effectOf(s, m)
	}
	if len(s.With) == 0 {
		s.With = nil
	}
	return s, ""
}

// effectOf gives the expected effect of a step that stayed on its page: the typed
// value of a field, else the first text that appeared. A field whose value differs
// from the typed text gets no expectation: the page formats it.
func effectOf(s Step, m Mark) *Expect {
	if v, ok := s.With["text"].(string); ok && s.Do == "type" {
		if !m.Secret && !isPlaceholder(v) && v != "" && fold(m.Value) == fold(v) {
			return &Expect{Value: v}
		}
		return nil
	}
	for _, t := range m.Appeared {
		if part := wordiest(t); len([]rune(part)) >= 4 && len([]rune(part)) <= textMost {
			return &Expect{Text: part}
		}
	}
	return nil
}

// secret replaces a secret value, which is stored nowhere, by a parameter.
func (r *Recording) secret(s *Step) {
	for _, k := range []string{"text", "value"} {
		v, ok := s.With[k].(string)
		if !ok || isPlaceholder(v) {
			continue
		}
		name := r.free(slug(s.Target))
		r.Params[name] = Param{Secret: true, About: "a placeholder of the vault: {{secret:name}}"}
		s.With[k] = "{{" + name + "}}"
	}
}

// parametrise makes parameters of typed or chosen values that occur in the task's
// words, and replaces the values everywhere.
func (r *Recording) parametrise(task string) {
	values := map[string]string{} // value → name
	for i := range r.Steps {
		s := &r.Steps[i]
		for _, k := range []string{"text", "value", "query"} {
			v, ok := s.With[k].(string)
			if !ok || isPlaceholder(v) || paramRef.MatchString(v) || len([]rune(strings.TrimSpace(v))) < 2 || !inWords(task, v) {
				continue
			}
			name, known := values[fold(v)]
			if !known {
				name = r.free(slug(s.Target))
				values[fold(v)] = name
				r.Params[name] = Param{Default: v, About: aboutParam(s.Target)}
			}
			s.With[k] = "{{" + name + "}}"
		}
	}
	for value, name := range values {
		r.Goal = replaceWords(r.Goal, value, name)
		for i := range r.Steps {
			s := &r.Steps[i]
			s.Note = replaceWords(s.Note, value, name)
			if s.Expect != nil {
				s.Expect.Text, s.Expect.Value = replaceWords(s.Expect.Text, value, name), replaceWords(s.Expect.Value, value, name)
			}
			if s.Target != nil {
				t := *s.Target
				t.Name, t.Context = replaceWords(t.Name, value, name), replaceWords(t.Context, value, name)
				s.Target = &t
			}
		}
	}
	if len(r.Params) == 0 {
		r.Params = nil
	}
}

func aboutParam(t *Target) string {
	if t == nil || t.Name == "" {
		return ""
	}
	return "typed into " + t.words()
}

// words describes a target: button "Pay".
func (t *Target) words() string {
	switch {
	case t == nil:
		return ""
	case t.Name == "" && t.Selector != "":
		return t.Selector
	case t.Name == "":
		return t.Role
	default:
		return fmt.Sprintf("%s %q", t.Role, t.Name)
	}
}

func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// inWords reports whether a value occurs in a text as whole words.
func inWords(text, value string) bool {
	m := wordsMatcher(value)
	return m != nil && m.MatchString(text)
}

func replaceWords(text, value, name string) string {
	m := wordsMatcher(value)
	if m == nil {
		return text
	}
	return m.ReplaceAllStringFunc(text, func(found string) string {
		lead := len(found) - len(strings.TrimLeftFunc(found, boundary))
		tail := len(strings.TrimRightFunc(found, boundary))
		return found[:lead] + "{{" + name + "}}" + found[tail:]
	})
}

func boundary(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// wordsMatcher matches a value in any case, between characters other than letters
// and digits.
func wordsMatcher(value string) *regexp.Regexp {
	words := strings.Fields(value)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	if len(words) == 0 {
		return nil
	}
	edge := `(?:^|$|[^\pL\pN_])`
	if strings.IndexFunc(value, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0 {
		edge = ""
	}
	re, err := regexp.Compile(`(?i)` + edge + strings.Join(words, `\s+`) + edge)
	if err != nil {
		return nil
	}
	return re
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slug makes a parameter's name from the name of its field.
func slug(t *Target) string {
	name := ""
	if t != nil {
		name = strings.Trim(notSlug.ReplaceAllString(strings.ToLower(t.Name), "_"), "_")
	}
	if len(name) > 32 {
		name = strings.Trim(name[:32], "_")
	}
	if !paramName.MatchString(name) {
		return "value"
	}
	return name
}

// free returns the name, with a number if a parameter has it already.
func (r *Recording) free(name string) string {
	out := name
	for n := 2; ; n++ {
		if _, taken := r.Params[out]; !taken {
			return out
		}
		out = fmt.Sprintf("%s_%d", name, n)
	}
}

var numbered = regexp.MustCompile(`[^/]*\d[^/]*`)

// pattern gives the address for which a replay waits: without host, query and
// fragment, and with * for parts with digits, which are mostly ids.
func pattern(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	path := u.EscapedPath()
	if path == "" || path == "/" {
		return "" // every address has it
	}
	return numbered.ReplaceAllString(path, "*")
}

func firstWords(s string) string { return cut(strings.Join(strings.Fields(s), " "), 60) }
