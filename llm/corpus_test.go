package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// corpusShape is one line of testdata/shapes: what a model wrote, and how a
// user reads it. The text is our own in the shape of the one in the issue;
// the tools are those of the tests.
type corpusShape struct {
	Name   string // of the test
	Family string // of models
	Issue  string // the public thread it was seen in
	Text   string
	Tools  string // several: one function per action; foreign: knows other programs' names; else browser_action
	Want   []struct {
		Action string
		Params json.RawMessage
	}
	Rest string // the prose around the call, where the row says
	Mend string // a part of what must be told as mended
	Fail string // a part of the reason of the refusal
}

const corpusLeast = 310

var issueURL = regexp.MustCompile(`^https://github\.com/[\w.-]+/[\w.-]+/(?:issues|pull)/\d+$`)

func corpus(t testing.TB) []corpusShape {
	t.Helper()
	files, err := filepath.Glob("testdata/shapes/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []corpusShape
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(raw))
		for n := 1; lines.Scan(); n++ {
			var s corpusShape
			dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&s); err != nil {
				t.Fatalf("%s:%d: %v", name, n, err)
			}
			if s.Family == "" || !issueURL.MatchString(s.Issue) || (len(s.Want) == 0) == (s.Fail == "") {
				t.Errorf("%s:%d: a row has a family, an issue, and either calls or the reason of a refusal", name, n)
			}
			all = append(all, s)
		}
	}
	return all
}

// Every shape seen in the field is read as a user reads it, or refused with
// the right reason.
func TestCorpus(t *testing.T) {
	all := corpus(t)
	if len(all) < corpusLeast {
		t.Errorf("%d shapes, want at least %d", len(all), corpusLeast)
	}
	families := map[string]int{}
	for _, s := range all {
		families[s.Family]++
		t.Run(s.Family+"/"+s.Name, func(t *testing.T) { s.check(t) })
	}
	t.Logf("%d shapes of %d families", len(all), len(families))
}

func (s corpusShape) check(t *testing.T) {
	tools := []Tool{actionTool()}
	if s.Tools == "several" {
		tools = severalTools()
	}
	if s.Tools == "foreign" {
		tools = []Tool{foreignTool()}
	}
	calls, rest, mends, err := ParseFallback(s.Text, tools)
	var got []string
	for _, c := range calls {
		checked, more, cerr := CheckCall(c, tools)
		if cerr != nil {
			err = cerr
			break
		}
		mends = append(mends, more...)
		got = append(got, checked.Name+" "+string(checked.Args))
	}
	if s.Fail != "" {
		if CodeOf(err) != CodeBadReply || !strings.Contains(err.Error(), s.Fail) {
			t.Fatalf("%s: read as %q with %v, want a refusal with %q", s.Issue, got, err, s.Fail)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", s.Issue, err)
	}
	want := make([]string, 0, len(s.Want))
	for _, w := range s.Want {
		var params any
		if err := json.Unmarshal(w.Params, &params); err != nil {
			t.Fatal(err)
		}
		line, err := marshalPlain(map[string]any{"action": w.Action, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, "browser_action "+string(line))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\ngot  %s\nwant %s", s.Issue, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if s.Rest != "" && rest != s.Rest {
		t.Errorf("rest %q, want %q", rest, s.Rest)
	}
	if s.Mend != "" && !strings.Contains(strings.Join(mends, "; "), s.Mend) {
		t.Errorf("mends %q lack %q", mends, s.Mend)
	}
}

// foreignTool knows some names of other programs.
func foreignTool() Tool {
	point := map[string]string{"coordinate": "x,y"}
	return Tool{
		Name: "browser_action", Schema: json.RawMessage(`{"type":"object","properties":{
			"action":{"type":"string","enum":["click","type","scroll","goBack","wait","navigate","openTab","done"]},
			"params":{"type":"object","properties":{"index":{"type":"integer"},"ref":{"type":"string"},"x":{"type":"number"},"y":{"type":"number"},
				"text":{"type":"string"},"clear":{"type":"boolean"},"direction":{"type":"string","enum":["up","down"]},"amount":{"type":"number"},
				"url":{"type":"string"},"ms":{"type":"number"}},"additionalProperties":false}},"required":["action","params"]}`),
		Aliases: []Alias{
			{Action: "click", Name: "click", Params: point},
			{Action: "click", Name: "click_element"},
			{Action: "click", Name: "click_element_by_index"},
			{Action: "click", Name: "left_click"},
			{Action: "click", Name: "browser_click", Drop: []string{"element"}},
			{Action: "type", Name: "input_text", Default: map[string]any{"clear": true}},
			{Action: "scroll", Name: "scroll", When: map[string]string{"down": "true"}, Params: map[string]string{"pages": "=1"}, Set: map[string]any{"direction": "down"}},
			{Action: "scroll", Name: "scroll_down", Set: map[string]any{"direction": "down"}},
			{Action: "navigate", Name: "go_to_url"},
			{Action: "navigate", Name: "browser_navigate"},
			{Action: "navigate", Name: "go_to_url", When: map[string]string{"new_tab": "false"}},
			{Action: "openTab", Name: "go_to_url", When: map[string]string{"new_tab": "true"}},
			{Action: "wait", Name: "wait", Params: map[string]string{"seconds": "ms*1000"}},
		},
	}
}
