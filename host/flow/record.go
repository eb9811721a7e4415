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

// notRecorded are actions of a trail that do nothing a replay needs: those that
// look, wait or move what is seen. A replay waits and looks by itself.
var notRecorded = []string{"scroll", "scrollIntoView", "scrollUntil", "loadMoreUntil", "wait", "waitFor", "hover", "mouseMove", "listTabs", "focus"}

// Record makes a recording of a finished task: its words, where it began, and
// the marks of its trail. Values that were typed and stand in the words become
// parameters. What it can't take up stands in the second result.
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

// Acts reports whether an action is such that a recording has it as a step:
// those that look or wait are none.
func Acts(name string) bool { return recorded(name) }

func recorded(name string) bool {
	spec, ok := action.Default().Spec(name)
	return ok && (spec.MayChange || spec.Class != safety.Read) && spec.Family != "people" && spec.Family != "reading" && !slices.Contains(notRecorded, name)
}

// stepOf is a mark as a step, or why it can't be one.
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

// effectOf is what a step that stayed on its page is to come to: the value that
// was put into a field, else the first words that came up. Other values than the
// one that was asked for are the page's own way to write it.
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

// secret puts a parameter in the place of a value that is kept nowhere.
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

// parametrise makes parameters of the values that were typed or chosen and
// stand in the task's words, and puts them wherever the values occur.
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

// words says a target: button "Pay".
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

// inWords reports whether a value stands in a text as whole words.
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

// wordsMatcher finds a value in any case, between what is no letter or digit.
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

// slug is a parameter's name after the field it was typed into.
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

// free is a name that no parameter has yet.
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

// pattern is an address as a replay waits for it: without host, query and
// fragment, and with * for what has digits in it, which are ids mostly.
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
