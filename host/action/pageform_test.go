package action

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

func formPage() Observation {
	return Observation{
		Summary: &pagecontext.Summary{ScrollMax: pagecontext.Position{Y: 300}},
		Elements: &pagecontext.Listing{Elements: []pagecontext.Element{
			{Index: 3, Tag: "button", Role: "button", Name: "Add", Near: `Blue "mug"`, IsEnabled: true, IsVisible: true},
			{Index: 4, Tag: "button", Role: "button", Name: "Pay", IsVisible: true},
			{Index: 5, Tag: "input", Role: "searchbox", Name: "Search", IsEnabled: true, IsVisible: true},
			{Index: 6, Tag: "select", Role: "combobox", Name: "Size", Options: []string{"S", "M"}, IsEnabled: true, IsVisible: true},
			{Index: 8, Tag: "a", Role: "link", Name: "Behind", IsEnabled: true, IsVisible: true, Covered: true},
			{Index: 8, Tag: "input", Role: "checkbox", Name: "Wrap", Checked: "false", IsEnabled: true, IsVisible: true},
			{Index: 9, Tag: "input", Role: "checkbox", Name: "News", Checked: "true", IsEnabled: true, IsVisible: true},
			{Index: 13, Tag: "button", Role: "switch", Name: "Freeze", Checked: "false", IsEnabled: true, IsVisible: true},
			{Index: 10, Tag: "input", Role: "radio", Name: "Post", Checked: "true", IsEnabled: true, IsVisible: true},
			{Index: 11, Tag: "button", Role: "button", Name: "☆", Hint: "Add star", Near: "Tom", IsEnabled: true, IsVisible: true},
			{Index: 12, Tag: "button", Role: "button", Name: "Behind", Covered: true, IsEnabled: true, IsVisible: true},
			{Index: 7, Tag: "div", Role: "combobox", Name: "City", IsEnabled: true, IsVisible: true},
			{Index: 21, Tag: "button", Role: "button", Name: "Edit", IsEnabled: true, IsVisible: true, Row: 1},
			{Index: 22, Tag: "button", Role: "button", Name: "Edit", IsEnabled: true, IsVisible: true, Row: 2},
			{Index: 23, Tag: "button", Role: "button", Name: "Only one", IsEnabled: true, IsVisible: true, Row: 2},
		}, Rows: []pagecontext.Row{{Text: "Ida Lind"}, {Text: "Tom Becker"}}},
	}
}

// A form takes what fits the page and nothing else.
func TestPageForm(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal(PageForm(formPage(), FormOptions{}), &s); err != nil {
		t.Fatal(err)
	}
	form, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for reply, fits := range map[string]bool{
		`{"task_done":true,"answer":"It is 3."}`:                                    true,
		`{"task_done":false,"action":"click","element":"Blue 'mug': Add [3]"}`:      true,
		`{"task_done":false,"action":"type","element":"Search [5]","text":"tea"}`:   true,
		`{"task_done":false,"action":"pressKey","key":"Enter"}`:                     true,
		`{"task_done":false,"action":"select","element":"Size [6]","value":"M"}`:    true,
		`{"task_done":false,"action":"select","element":"City [7]","value":"Bern"}`: true,
		`{"task_done":false,"action":"click","element":"City [7]"}`:                 true,
		`{"task_done":false,"action":"scroll","direction":"down"}`:                  true,
		`{"task_done":false,"action":"askUser","question":"Which?"}`:                true,
		`{"task_done":false,"action":"click","element":"Tom Becker: Edit [22]"}`:    true, // the row tells it from another
		`{"task_done":false,"action":"click","element":"Only one [23]"}`:            true,
		`{"task_done":true}`: false, // without an answer
		`{"task_done":false,"action":"check","element":"Wrap [8]"}`:                        true,
		`{"task_done":false,"action":"uncheck","element":"News [9]"}`:                      true,
		`{"task_done":false,"action":"click","element":"Freeze [13]"}`:                     true,
		`{"task_done":false,"action":"uncheck","element":"Wrap [8]"}`:                      false, // it is not checked
		`{"task_done":false,"action":"click","element":"Wrap [8]"}`:                        false,
		`{"task_done":false,"action":"uncheck","element":"Post [10]"}`:                     false, // another is checked in its place
		`{"task_done":false,"action":"click","element":"Post [10]"}`:                       true,
		`{"task_done":false,"action":"check","element":"Post [10]"}`:                       true,
		`{"task_done":false,"action":"click","element":"Behind [11]"}`:                     false,
		`{"task_done":true,"action":"click","element":"Add"}`:                              false,
		`{"task_done":false,"answer":"It is 3."}`:                                          false,
		`{"task_done":false,"action":"click","element":"Pay [4]"}`:                         false, // disabled
		`{"task_done":false,"action":"click","element":"Behind [8]"}`:                      false, // by a dialog
		`{"task_done":false,"action":"click","element":"Search [5]"}`:                      false,
		`{"task_done":false,"action":"type","element":"Blue 'mug': Add [3]","text":"tea"}`: false,
		`{"task_done":false,"action":"select","element":"Size [6]","value":"XL"}`:          false,
		`{"task_done":false,"action":"goBack"}`:                                            false, // there is no page before
		`{"task_done":false,"action":"done","answer":"no"}`:                                false, // nothing failed
		`{"task_done":false,"action":"click","element":"Blue 'mug': Add [3]","index":4}`:   false,
		`{"task_done":false,"action":"executeJS","code":"1"}`:                              false,
	} {
		var v any
		if err := json.Unmarshal([]byte(reply), &v); err != nil {
			t.Fatal(err)
		}
		if err := form.Validate(v); (err == nil) != fits {
			t.Errorf("%s: fits %v, want %v (%v)", reply, err == nil, fits, err)
		}
	}
	if got := string(PageForm(formPage(), FormOptions{NoClaim: true})); strings.Contains(got, DoneKey) {
		t.Errorf("a form that only acts says whether the task is done: %s", got)
	}
	skips := string(PageForm(formPage(), FormOptions{Skip: func(action string, e pagecontext.Element) bool { return action == "click" && e.Index == 3 }}))
	if strings.Contains(skips, "[3]") || !strings.Contains(skips, "[5]") {
		t.Errorf("what is left out: %s", skips)
	}
	if strings.Contains(skips, "navigate") || !strings.Contains(string(PageForm(formPage(), FormOptions{Navigate: true})), "navigate") {
		t.Error("going to an address is offered where it was not asked for, or not where it was")
	}
	later := string(PageForm(formPage(), FormOptions{Back: true, GiveUp: true}))
	if !strings.Contains(later, `"goBack"`) || !strings.Contains(later, `"done"`) {
		t.Errorf("later: %s", later)
	}
	dialog := formPage()
	dialog.Dialog = &browser.Dialog{}
	if got := string(PageForm(dialog, FormOptions{Back: true})); !strings.Contains(got, `"accept"`) || strings.Contains(got, "Search") || strings.Contains(got, "goBack") {
		t.Errorf("under a dialog: %s", got)
	}
	dialog.Dialog.Kind = "prompt"
	if got := string(PageForm(dialog, FormOptions{})); !strings.Contains(got, `"text"`) {
		t.Errorf("under a prompt: %s", got)
	}
	cut := formPage()
	cut.Elements.Elements[3].Options = []string{"S", "S", "a name that is too long …"}
	if got := string(PageForm(cut, FormOptions{})); strings.Contains(got, "too long") {
		t.Errorf("only a part of an option can be chosen: %s", got)
	}
	cut.Elements.Elements[3].Options = []string{"S", "S"}
	if got := string(PageForm(cut, FormOptions{})); strings.Contains(got, `"S","S"`) {
		t.Errorf("an option stands twice: %s", got)
	}
	still := formPage()
	still.Summary.ScrollMax.Y = 0
	if got := string(PageForm(still, FormOptions{})); strings.Contains(got, "scroll") {
		t.Errorf("a page that does not scroll: %s", got)
	}
}

// What a grammar is made of must stay within bounds: of a long page, what is in view
// comes first.
func TestPageFormOfALongPage(t *testing.T) {
	o := Observation{Elements: &pagecontext.Listing{}}
	for i := range 400 {
		o.Elements.Elements = append(o.Elements.Elements, pagecontext.Element{
			Index: i, Tag: "a", Role: "link", Name: strings.Repeat("word ", 40), IsEnabled: true, IsVisible: i >= 300,
		})
	}
	got := string(PageForm(o, FormOptions{}))
	if n := strings.Count(got, "word word"); n == 0 || len(got) > formElements*(labelLength+30) || !strings.Contains(got, "[399]") || strings.Contains(got, "[299]") {
		t.Errorf("%d characters", len(got))
	}
}

func TestReadPageForm(t *testing.T) {
	for _, c := range []struct{ reply, action, params, problem string }{
		{`{"task_done":true,"answer":"It is 3."}`, "done", `{"answer":"It is 3.","success":true}`, ""},
		{`{"task_done":false,"action":"done","answer":"It can't."}`, "done", `{"answer":"It can't.","success":false}`, ""},
		{`{"task_done":false,"action":"click","element":"Room [2]: Add [31]"}`, "click", `{"index":31}`, ""},
		{`{"task_done":false,"action":"type","element":"Search [5]","text":""}`, "type", `{"clear":true,"index":5,"text":""}`, ""},
		{`{"task_done":false,"action":"select","element":"Size [6]","value":"M"}`, "select", `{"index":6,"value":"M"}`, ""},
		{`{"task_done":false,"action":"handleDialog","accept":false}`, "handleDialog", `{"accept":false}`, ""},
		{`{"task_done":false,"action":"goBack"}`, "goBack", `{}`, ""},
		{`{"task_done":false,"action":"click","element":"Save"}`, "", "", "number in brackets"},
		{`{"task_done":false}`, "", "", "name the next action"},
		{`{"action":"check","element":"Gift wrap [20]"}`, "check", `{"index":20}`, ""},
		{`{"action":"click","params":{"index":9}}`, "click", `{"index":9}`, ""},
		{`{"action":"done","answer":"It can't."}`, "done", `{"answer":"It can't.","success":false}`, ""},
		{`{"task_done":"no"}`, "", "", "bool"},
		{`{"task_done":false,"action":"click","element":"Add [99999999999999999999]"}`, "", "", "range"},
	} {
		call, err := ReadPageForm(Observation{}, FormOptions{}, json.RawMessage(c.reply))
		switch {
		case c.problem != "":
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%s: %v, want %q", c.reply, err, c.problem)
			}
		case err != nil || call.Name != c.action || string(call.Params) != c.params:
			t.Errorf("%s: %s %s %v", c.reply, call.Name, call.Params, err)
		}
	}
}

// What a model answers outside of the form is taken if it names one element, and else refused
// in the words of the form: with no parameter or action that the form does not have.
func TestReadPageFormOutsideOfIt(t *testing.T) {
	o := formPage()
	for _, c := range []struct {
		reply, params, problem string
		noClaim                bool
	}{
		{`{"action":"click","element":"Only one [23]"}`, `{"index":23}`, "", false}, // without task_done
		{`{"task_done":false,"action":"click","element":"Only one [66]"}`, `{"index":23}`, "", false},
		{`{"task_done":false,"action":"click","element":"only one"}`, `{"index":23}`, "", false},
		{`{"task_done":false,"action":"click","element":"Tom Becker: Edit"}`, `{"index":22}`, "", false},
		{`{"task_done":false,"action":"click","element":"Ida Lind: Edit [22]"}`, `{"index":21}`, "", false}, // the words go first
		{`{"task_done":false,"action":"click","element":"Edit [22]"}`, `{"index":22}`, "", false},           // which two have
		{`{"task_done":false,"action":"click","element":"One [23]"}`, `{"index":23}`, "", false},
		{`{"task_done":false,"action":"click","element":"Edit [66]"}`, "", "no element of the page", false},
		{`{"task_done":false,"action":"click","element":"Delete"}`, "", "no element of the page", false},
		{`{"task_done":false,"action":"click"}`, "", "name the element too", false},
		{`{"task_done":false,"action":"getElements"}`, "", "no action", false},
		{`{"task_done":true,"answer":"It is 3."}`, "", "no question now", true},
	} {
		call, err := ReadPageForm(o, FormOptions{NoClaim: c.noClaim}, json.RawMessage(c.reply))
		switch {
		case c.problem != "":
			if err == nil || !strings.Contains(err.Error(), c.problem) || strings.Contains(err.Error(), "index") {
				t.Errorf("%s: %v, want %q", c.reply, err, c.problem)
			}
		case err != nil || string(call.Params) != c.params:
			t.Errorf("%s: %s %v", c.reply, call.Params, err)
		}
	}
}
