package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/pagecontext"
)

// listing is a session that answers getElements with a list.
type listing struct {
	aHand
	asked *[]string
	list  wire.SessionResult
	text  wire.SessionResult // what getText answers
	built wire.SessionResult // the answer to the wait for a page that is still empty
	later wire.SessionResult // the list behind that
}

func (h listing) Do(_ context.Context, c action.Call, _ string) wire.SessionResult {
	*h.asked = append(*h.asked, c.Name+string(c.Params))
	if c.Name == "getText" {
		return h.text
	}
	if c.Name == "waitFor" {
		return h.built
	}
	if h.later.Text != "" && len(*h.asked) > 1 {
		return h.later
	}
	return h.list
}

// listOf is the result of getElements with this text: one line of it has no elements.
func listOf(text string) wire.SessionResult {
	l := pagecontext.Listing{Elements: make([]pagecontext.Element, strings.Count(text, "\n")), Same: strings.Contains(text, "nothing is new")}
	data, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	return wire.SessionResult{Text: text, Data: data}
}

// TestNavigationTellsTheList: what leads to another page tells how its list begins, and
// what does not asks for none.
func TestNavigationTellsTheList(t *testing.T) {
	const list = "## main\nbutton \"New\" [1]"
	for name, c := range map[string]struct {
		action string
		r      wire.SessionResult
		list   wire.SessionResult
		want   string
		asks   bool
	}{
		"a page":       {"navigate", wire.SessionResult{Text: "OK: navigated.", Effect: "navigated to https://a.test/ (A)", Destination: "document"}, listOf(list), "OK: navigated.\n" + list, true},
		"a place":      {"navigate", wire.SessionResult{Text: "OK: navigated.", Effect: "address is now https://a.test/#b", Destination: "address"}, listOf(list), "OK: navigated.\n" + list, true},
		"an empty one": {"goBack", wire.SessionResult{Text: "OK: went back.", Effect: "navigated to https://a.test/", Destination: "document"}, listOf("OK: no such elements."), "OK: went back.", true},
		"nothing new":  {"navigate", wire.SessionResult{Text: "OK: navigated.", Destination: "same"}, listOf("… nothing is new since the last act; all there is:\n" + list), "OK: navigated.", true},
		"a file":       {"navigate", wire.SessionResult{Text: "OK: navigated.", Effect: "navigated to https://a.test/; it is a PDF", Destination: "file"}, listOf(list), "OK: navigated.", false},
		"a click":      {"click", wire.SessionResult{Text: "OK: clicked.", Effect: "navigated to https://a.test/", Destination: "document"}, listOf(list), "OK: clicked.\n" + list, true},
		"a view":       {"click", wire.SessionResult{Text: "OK: clicked.", Effect: `the view changed to "B"`, Part: "e7"}, listOf(list), "OK: clicked.\n" + list, true},
		"a small one":  {"click", wire.SessionResult{Text: "OK: clicked.", Effect: "address is now https://a.test/#b", Destination: "address"}, listOf(list), "OK: clicked.", false},
		"a failure":    {"navigate", wire.SessionResult{Text: "ERROR", Effect: "navigated to https://a.test/", Destination: "document", Error: &wire.Error{Code: "timeout"}}, listOf(list), "ERROR", false},
		"a failed look": {
			"navigate",
			wire.SessionResult{Text: "OK: navigated.", Effect: "navigated to https://a.test/", Destination: "document"},
			wire.SessionResult{Text: "ERROR\nlater", Error: &wire.Error{Code: "timeout"}},
			"OK: navigated.", true,
		},
	} {
		var asked []string
		got := withList(t.Context(), listing{asked: &asked, list: c.list}, action.Call{Name: c.action}, c.r)
		if got.Text != c.want || (len(asked) > 0) != c.asks {
			t.Errorf("%s: %q, asked %q", name, got.Text, asked)
		}
		of := `getElements{"budget":600,"type":"new"}`
		if c.r.Part != "" {
			of = `getElements{"budget":600,"type":"new","scope":"` + c.r.Part + `"}`
		}
		if len(asked) > 0 && asked[0] != of {
			t.Errorf("%s: asked %q", name, asked)
		}
	}
}

// A list of a few buttons says nothing of what its view is about: the text does.
func TestBareListHasTheText(t *testing.T) {
	r := wire.SessionResult{Text: "OK: clicked.", Effect: `the view changed to "QU-0028"`, Part: "e7"}
	text := wire.SessionResult{Text: "OK: text:\nQU-0028\n  Metro Fabrication\n$14,410.00 Sent"}
	for list, want := range map[string]string{
		"## main: QU-0028\nbutton \"Edit\" [1]\nbutton \"Copy\" [2]":                     "\nText: QU-0028 Metro Fabrication $14,410.00 Sent",
		"## main\n- row \"QU-0028 Metro\"\n  button \"Edit\" [1]\n  button \"Copy\" [2]": "",
		"## main\ntextbox \"Name\" [1]\nbutton \"Save\" [2]":                             "",
		strings.Repeat("button \"Edit\" [1]\n", 9):                                       "",
	} {
		var asked []string
		got := withList(t.Context(), listing{asked: &asked, list: listOf(list), text: text}, action.Call{Name: "click"}, r)
		if got.Text != r.Text+"\n"+list+want {
			t.Errorf("%q: %q, asked %q", list, got.Text, asked)
		}
		if want != "" && asked[1] != `getText{"maxChars":400,"ref":"e7"}` {
			t.Errorf("asked %q", asked)
		}
	}
	text.Text += "\n… (cut; a larger maxChars or a smaller part gives the rest)"
	got := withList(t.Context(), listing{asked: new([]string), list: listOf("## main\nbutton \"Edit\" [1]"), text: text}, action.Call{Name: "click"}, r)
	if !strings.HasSuffix(got.Text, "$14,410.00 Sent… (browser_get_text has the rest)") {
		t.Errorf("of a text that is cut: %q", got.Text)
	}
}

// A part that is gone or empty once it is looked at was drawn anew: the page is listed.
func TestPartDrawnAnewIsListedWithThePage(t *testing.T) {
	r := wire.SessionResult{Text: "OK: clicked.", Effect: "much of the page is new", Part: "e7"}
	for name, first := range map[string]wire.SessionResult{
		"gone": {Text: "ERROR stale_ref", Error: &wire.Error{Code: "stale_ref"}}, "empty": listOf("OK: no such elements."),
	} {
		var asked []string
		later := listOf("## dialog: Edit flow\ntextbox \"Name\" [3]")
		got := withList(t.Context(), listing{asked: &asked, list: first, later: later}, action.Call{Name: "click"}, r)
		if got.Text != r.Text+"\n"+later.Text || len(asked) != 2 || asked[1] != `getElements{"budget":600,"type":"new"}` {
			t.Errorf("%s: %q, asked %q", name, got.Text, asked)
		}
	}
}

// A page that loads before its script has built anything is waited for, once.
func TestNavigationWaitsForThePageToBeBuilt(t *testing.T) {
	r := wire.SessionResult{Text: "OK: navigated.", Effect: "navigated to https://a.test/", Destination: "document"}
	empty, timeout := listOf("OK: no such elements."), wire.SessionResult{Text: "ERROR", Error: &wire.Error{Code: "timeout"}}
	for name, c := range map[string]struct {
		built, later wire.SessionResult
		want         string
		asks         int
	}{
		"built":          {wire.SessionResult{Text: "OK"}, listOf("## main\nbutton \"New\" [1]"), "OK: navigated.\n## main\nbutton \"New\" [1]", 4},
		"nothing to see": {wire.SessionResult{Text: "OK"}, empty, "OK: navigated.", 3},
		"still changing": {timeout, empty, "OK: navigated.\nNothing to operate is there yet, and the page is still changing: wait for what is to come.", 3},
	} {
		var asked []string
		got := withList(t.Context(), listing{asked: &asked, list: empty, built: c.built, later: c.later}, action.Call{Name: "navigate"}, r)
		if got.Text != c.want || len(asked) != c.asks {
			t.Errorf("%s: %q, asked %q", name, got.Text, asked)
		}
	}
}
