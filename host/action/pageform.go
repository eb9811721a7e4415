package action

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"tabwright/host/action/spec"
	"tabwright/pagecontext"
)

// FormOptions says which replies a form permits beside acts on the page's elements.
type FormOptions struct {
	Back    bool // permit goBack: the task has left its first page
	NoClaim bool // the model must act: the form does not ask whether the task is done
	GiveUp  bool // permit ending as not done: something failed, or was refused
	// Navigate permits addresses: a small model tends to make them up.
	Navigate bool
	// Skip, if set, tells what to leave out of the form: an action on an element; e is
	// empty for an action without one.
	Skip func(action string, e pagecontext.Element) bool
}

// formElements bounds how many elements a form names: a server compiles each
// into a grammar.
const formElements = 150

// labelLength bounds the words of an element in a form, in characters.
const labelLength = 70

// PageForm returns the JSON schema of one small decision on a page, for models that
// manage no more: whether the task is done, with the answer, or else one action.
// An action is offered only if the page has an element for it. An element is named by
// its words and then its index: a model that begins with a number has chosen before
// it has read. If a dialog is open, only its answer is offered.
func PageForm(o Observation, opt FormOptions) json.RawMessage {
	text := &jsonschema.Schema{Type: "string"}
	var forms []*jsonschema.Schema
	var first []field
	if !opt.NoClaim {
		forms = append(forms, branch(isDone(true), field{"answer", text}))
		first = append(first, isDone(false))
	}
	act := func(name string, fields ...field) {
		forms = append(forms, branch(slices.Concat(first, []field{{"action", choice(name)}}, fields)...))
	}
	if o.Dialog != nil {
		accept := field{"accept", &jsonschema.Schema{Type: "boolean"}}
		act("handleDialog", accept)
		if o.Dialog.Kind == "prompt" {
			act("handleDialog", accept, field{"text", text})
		}
		return spec.SchemaJSON(&jsonschema.Schema{AnyOf: forms})
	}
	left := func(name string) bool { return opt.Skip != nil && opt.Skip(name, pagecontext.Element{}) }
	kinds := sortElements(o.Elements, opt.Skip)
	if len(kinds.press) > 0 {
		act("click", field{"element", choice(kinds.press...)})
	}
	if len(kinds.check) > 0 {
		act("check", field{"element", choice(kinds.check...)})
	}
	if len(kinds.uncheck) > 0 {
		act("uncheck", field{"element", choice(kinds.uncheck...)})
	}
	if len(kinds.write) > 0 {
		act("type", field{"element", choice(kinds.write...)}, field{"text", text})
	}
	if kinds.fields && !left("pressKey") {
		act("pressKey", field{"key", choice("Enter", "Escape")})
	}
	for _, s := range kinds.choose {
		value := text
		if len(s.options) > 0 {
			value = choice(s.options...)
		}
		act("select", field{"element", choice(s.label)}, field{"value", value})
	}
	if s := o.Summary; (s == nil || s.ScrollMax.Y > 0) && !left("scroll") {
		act("scroll", field{"direction", choice("down", "up")})
	}
	if opt.Back && !left("goBack") {
		act("goBack")
	}
	if opt.Navigate {
		act("navigate", field{"url", text})
	}
	if len(forms) == 0 { // there is nothing to act on
		act("wait")
		opt.GiveUp = true
	}
	act("askUser", field{"question", text})
	if opt.GiveUp {
		act("done", field{"answer", text})
	}
	return spec.SchemaJSON(&jsonschema.Schema{AnyOf: forms})
}

// field is one property of a branch; the order of fields is kept.
type field struct {
	name   string
	schema *jsonschema.Schema
}

// isDone returns the field that says whether the task is done.
func isDone(yes bool) field {
	return field{DoneKey, &jsonschema.Schema{Type: "boolean", Enum: []any{yes}}}
}

// branch returns one form of a reply: its fields, all required, in this order.
func branch(fields ...field) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, f := range fields {
		s.Properties[f.name] = f.schema
		s.Required = append(s.Required, f.name)
		s.PropertyOrder = append(s.PropertyOrder, f.name)
	}
	return s
}

// DoneKey is the key that says in a form whether the task is done.
const DoneKey = "task_done"

func choice(values ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for i, v := range values {
		if !slices.Contains(values[:i], v) {
			s.Enum = append(s.Enum, v)
		}
	}
	return s
}

// formTargets are the elements of a page by the action that they take.
type formTargets struct {
	press, check, uncheck, write []string
	choose                       []formSelect
	fields                       bool // there is a field to type into
}

type formSelect struct {
	label   string
	options []string
}

// mostOptions is the most options of a select in an Element: a list of that length may be
// incomplete.
const mostOptions = 12

func sortElements(l *pagecontext.Listing, skip func(action string, e pagecontext.Element) bool) formTargets {
	var t formTargets
	if l == nil {
		return t
	}
	row := rowIn(l)
	put := func(to *[]string, action string, e pagecontext.Element) {
		if skip == nil || !skip(action, e) {
			*to = append(*to, formLabel(e, row(e)))
		}
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
		switch {
		case e.Tag == "select":
			s := formSelect{label: formLabel(e, row(e))}
			if len(e.Options) < mostOptions && !slices.ContainsFunc(e.Options, func(o string) bool { return o == "" || strings.HasSuffix(o, "…") }) {
				s.options = e.Options // complete, and none cut
			}
			if skip == nil || !skip("select", e) {
				t.choose = append(t.choose, s)
			}
		case takesText(e):
			t.fields = true
			put(&t.write, "type", e)
		case e.Checked != "" && e.Role != "switch": // a switch is named by what it does, and pressed like a button
			if e.Role == "radio" { // "choose" a size is a press to a model that names the action first
				put(&t.press, "click", e)
			}
			put(&t.check, "check", e)                                                  // one that is checked too: that it is so already is found out by it
			if e.Checked == "true" && e.Role != "radio" && e.Role != "menuitemradio" { // a radio button is unchecked by choosing another
				put(&t.uncheck, "uncheck", e)
			}
		default:
			put(&t.press, "click", e)
			if e.Role == "combobox" || e.Role == "listbox" {
				t.choose = append(t.choose, formSelect{label: formLabel(e, row(e))})
			}
		}
	}
	return t
}

// rowIn returns a function that gives the text that distinguishes an element of a list from
// those of the same name.
func rowIn(l *pagecontext.Listing) func(pagecontext.Element) string {
	named := map[[2]string]int{}
	for _, e := range l.Elements {
		named[[2]string{e.Role, e.Name}]++
	}
	return func(e pagecontext.Element) string {
		if e.Near != "" || named[[2]string{e.Role, e.Name}] < 2 {
			return e.Near
		}
		return l.RowOf(&e)
	}
}

func outOfView(e pagecontext.Element) int {
	if e.IsVisible && !e.Covered {
		return 0
	}
	return 1
}

// takesText tells whether text can be typed into an element.
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
func formLabel(e pagecontext.Element, row string) string {
	name := cmp.Or(e.Name, e.Text, e.Placeholder, e.Hint, e.Role, e.Tag)
	if e.Hint != "" && e.Hint != name { // of a sign: ★ (Add star)
		name += " (" + e.Hint + ")"
	}
	name, row = plainWords(name, labelLength), plainWords(row, labelLength/2)
	if row != "" && !strings.Contains(name, row) {
		name = row + ": " + name
	}
	return name + " [" + strconv.Itoa(e.Index) + "]"
}

// plainWords returns a text in one line without characters that JSON escapes, which a
// model would have to write.
func plainWords(s string, most int) string {
	s = strings.Join(strings.Fields(strings.NewReplacer(`"`, "'", `\`, "/").Replace(s)), " ")
	if r := []rune(s); len(r) > most {
		s = strings.TrimSpace(string(r[:most])) + "…"
	}
	return s
}

// labelIndex matches the index at the end of a label.
var labelIndex = regexp.MustCompile(`\[(\d+)\]\s*$`)

// actsOfForm are the actions of a form, and whether each is on an element.
var actsOfForm = map[string]bool{
	"click": true, "check": true, "uncheck": true, "type": true, "select": true,
	"pressKey": false, "scroll": false, "goBack": false, "navigate": false, "wait": false, "askUser": false, "handleDialog": false, "done": false,
}

// IsFormAction tells whether PageForm may offer an action.
func IsFormAction(name string) bool {
	_, ok := actsOfForm[name]
	return ok
}

// ReadPageForm converts a reply in the form of PageForm to a call. A server that does not
// hold the model to the schema may let through other replies: one whose meaning is certain is
// taken, and the error for another speaks of the form only.
func ReadPageForm(o Observation, opt FormOptions, reply json.RawMessage) (Call, error) {
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

		Params json.RawMessage `json:"params"` // of a call as other models write it
	}
	if err := json.Unmarshal(reply, &f); err != nil {
		return Call{}, err
	}
	done := f.Done != nil && *f.Done
	onElement, known := actsOfForm[f.Action]
	switch {
	case opt.NoClaim && done && f.Action == "":
		return Call{}, errors.New("whether the task is done is no question now: name the next action in action")
	case !done && f.Action == "":
		return Call{}, errors.New("name the next action in action")
	case !known && !done:
		return Call{}, fmt.Errorf("there is no action %q: the actions stand in the rules, with what each does", plainWords(f.Action, labelLength))
	case f.Params != nil:
		return Call{Name: f.Action, Params: f.Params}, nil
	case onElement && f.Element == nil && !done:
		return Call{}, errors.New("name the element too, as it stands in the list, with its number in brackets at the end")
	}
	p := map[string]any{}
	if done || f.Action == "done" {
		f.Action = "done"
		p["success"] = done
	}
	if f.Element != nil {
		n, err := readLabel(o.Elements, *f.Element)
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

// readLabel returns the index of the element that a label names. The words of one element
// only go before a number that is not its.
func readLabel(l *pagecontext.Listing, label string) (int, error) {
	words, number := label, -1
	if m := labelIndex.FindStringSubmatchIndex(label); m != nil {
		n, err := strconv.Atoi(label[m[2]:m[3]])
		if err != nil {
			return 0, err
		}
		words, number = label[:m[0]], n
	}
	var named []int
	listed := l == nil
	if l != nil {
		row := rowIn(l)
		words = strings.ToLower(plainWords(words, len(words)))
		for _, e := range l.Elements {
			full := formLabel(e, row(e))
			if full == label {
				return e.Index, nil
			}
			listed = listed || e.Index == number
			full = full[:strings.LastIndex(full, " [")]
			if words != "" && (strings.EqualFold(full, words) || strings.EqualFold(plainWords(e.Name, labelLength), words)) {
				named = append(named, e.Index)
			}
		}
	}
	switch {
	case len(named) == 1:
		return named[0], nil
	case listed && number >= 0:
		return number, nil
	}
	return 0, fmt.Errorf("%q is no element of the page: name one as it stands in the list, with its number in brackets at the end", plainWords(label, labelLength))
}
