package action

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"tabwright/pagecontext"
)

// FormOptions says what a reply may hold beside acts on the page's elements.
type FormOptions struct {
	Back   bool // going back: the task has left its first page
	Undone bool // it has just been told that the task is not done: it has to act
	GiveUp bool // ending as not done: something failed, or was refused
}

// formElements bounds how many elements a form names: a server compiles each
// into a grammar.
const formElements = 150

// labelLength bounds the words of an element in a form, in characters.
const labelLength = 70

// PageForm is the JSON schema of one small decision on a page, for models that
// manage no more: whether the task is done, with the answer, or else one action.
// Each action is offered only where the page has an element for it, and an element
// is named by its words and then by its index: a model that begins with a number
// has chosen before it has read. A dialog that is open leaves nothing but itself.
func PageForm(o Observation, opt FormOptions) json.RawMessage {
	text := &jsonschema.Schema{Type: "string"}
	var forms []*jsonschema.Schema
	if !opt.Undone {
		forms = append(forms, branch(true, field{"answer", text}))
	}
	act := func(name string, fields ...field) {
		forms = append(forms, branch(false, append([]field{{"action", choice(name)}}, fields...)...))
	}
	if o.Dialog != nil {
		accept := field{"accept", &jsonschema.Schema{Type: "boolean"}}
		act("handleDialog", accept)
		if o.Dialog.Kind == "prompt" {
			act("handleDialog", accept, field{"text", text})
		}
		return marshal(&jsonschema.Schema{AnyOf: forms})
	}
	kinds := sortElements(o.Elements)
	if len(kinds.press) > 0 {
		act("click", field{"element", choice(kinds.press...)})
	}
	if len(kinds.write) > 0 {
		act("type", field{"element", choice(kinds.write...)}, field{"text", text})
		act("pressKey", field{"key", choice("Enter", "Escape")})
	}
	for _, s := range kinds.choose {
		value := text
		if len(s.options) > 0 {
			value = choice(s.options...)
		}
		act("select", field{"element", choice(s.label)}, field{"value", value})
	}
	if s := o.Summary; s == nil || s.ScrollMax.Y > 0 {
		act("scroll", field{"direction", choice("down", "up")})
	}
	if opt.Back {
		act("goBack")
	}
	act("navigate", field{"url", text})
	act("askUser", field{"question", text})
	if opt.GiveUp {
		act("done", field{"answer", text})
	}
	return marshal(&jsonschema.Schema{AnyOf: forms})
}

// field is one property of a branch, in its place.
type field struct {
	name   string
	schema *jsonschema.Schema
}

// branch is one form of a reply: its fields, all required, in this order.
func branch(done bool, fields ...field) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{PageFormKey: {Type: "boolean", Enum: []any{done}}},
		Required:             []string{PageFormKey},
		PropertyOrder:        []string{PageFormKey},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, f := range fields {
		s.Properties[f.name] = f.schema
		s.Required = append(s.Required, f.name)
		s.PropertyOrder = append(s.PropertyOrder, f.name)
	}
	return s
}

// PageFormKey is what every reply in the form begins with.
const PageFormKey = "task_done"

func choice(values ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for i, v := range values {
		if !slices.Contains(values[:i], v) {
			s.Enum = append(s.Enum, v)
		}
	}
	return s
}

// formTargets are the elements of a page by what is done with them.
type formTargets struct {
	press, write []string
	choose       []formSelect
}

type formSelect struct {
	label   string
	options []string
}

// mostOptions is how many options of a select an Element holds at most: a list of
// that length may go on.
const mostOptions = 12

func sortElements(l *pagecontext.Listing) formTargets {
	var t formTargets
	if l == nil {
		return t
	}
	list := l.Elements
	if len(list) > formElements {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b pagecontext.Element) int { return cmp.Compare(outOfView(a), outOfView(b)) })
		list = list[:formElements]
	}
	for _, e := range list {
		if !e.IsEnabled || e.Covered || e.Role == "option" && e.Tag == "option" {
			continue
		}
		label := formLabel(e)
		switch {
		case e.Tag == "select":
			s := formSelect{label: label}
			if len(e.Options) < mostOptions && !slices.ContainsFunc(e.Options, func(o string) bool { return o == "" || strings.HasSuffix(o, "…") }) {
				s.options = e.Options // all of them, and whole
			}
			t.choose = append(t.choose, s)
		case takesText(e):
			t.write = append(t.write, label)
		default:
			t.press = append(t.press, label)
			if e.Role == "combobox" || e.Role == "listbox" {
				t.choose = append(t.choose, formSelect{label: label})
			}
		}
	}
	return t
}

func outOfView(e pagecontext.Element) int {
	if e.IsVisible && !e.Covered {
		return 0
	}
	return 1
}

// takesText says that text can be typed into an element.
func takesText(e pagecontext.Element) bool {
	switch e.Role {
	case "textbox", "searchbox", "spinbutton":
		return true
	case "combobox":
		return e.Tag == "input" || e.Tag == "textarea"
	}
	return e.Tag == "textarea" || e.Tag == "input" && slices.Contains([]string{"date", "time", "datetime-local", "month", "week"}, e.Type)
}

// formLabel names an element by its words and its index: Darjeeling: Add to basket [7].
func formLabel(e pagecontext.Element) string {
	name := cmp.Or(e.Name, e.Text, e.Placeholder, e.Hint, e.Role, e.Tag)
	row := e.Near
	name, row = plainWords(name, labelLength), plainWords(row, labelLength/2)
	if row != "" && !strings.Contains(name, row) {
		name = row + ": " + name
	}
	return name + " [" + strconv.Itoa(e.Index) + "]"
}

// plainWords is a text in one line without what JSON escapes, which a model would
// have to write.
func plainWords(s string, most int) string {
	s = strings.Join(strings.Fields(strings.NewReplacer(`"`, "'", `\`, "/").Replace(s)), " ")
	if r := []rune(s); len(r) > most {
		s = strings.TrimSpace(string(r[:most])) + "…"
	}
	return s
}

// labelIndex is the index at the end of a label.
var labelIndex = regexp.MustCompile(`\[(\d+)\]\s*$`)

// ReadPageForm reads a reply in the form of PageForm as the call it stands for.
func ReadPageForm(reply json.RawMessage) (Call, error) {
	var f struct {
		Done    *bool   `json:"task_done"`
		Action  string  `json:"action"`
		Answer  *string `json:"answer"`
		Element *string `json:"element"`

		Text      *string `json:"text"`
		Key       *string `json:"key"`
		Value     *string `json:"value"`
		Direction *string `json:"direction"`
		URL       *string `json:"url"`
		Question  *string `json:"question"`
		Accept    *bool   `json:"accept"`
	}
	if err := json.Unmarshal(reply, &f); err != nil {
		return Call{}, err
	}
	if f.Done == nil {
		return Call{}, errors.New("say in task_done whether the task is done: true or false")
	}
	if !*f.Done && f.Action == "" {
		return Call{}, errors.New("name the next action in action")
	}
	p := map[string]any{}
	if *f.Done || f.Action == "done" {
		f.Action = "done"
		p["success"] = *f.Done
	}
	if f.Element != nil {
		m := labelIndex.FindStringSubmatch(*f.Element)
		if m == nil {
			return Call{}, errors.New("name the element as it stands in the list, with its number in brackets at the end")
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return Call{}, err
		}
		p["index"] = n
	}
	for name, v := range map[string]*string{
		"answer": f.Answer, "text": f.Text, "key": f.Key, "value": f.Value, "direction": f.Direction, "url": f.URL, "question": f.Question,
	} {
		if v != nil {
			p[name] = *v
		}
	}
	if f.Action == "type" {
		p["clear"] = true
	}
	if f.Accept != nil {
		p["accept"] = *f.Accept
	}
	params, err := json.Marshal(p)
	return Call{Name: f.Action, Params: params}, err
}
