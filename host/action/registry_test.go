package action

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tabwright/host/action/spec"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update if that is meant):\n%s", name, got)
	}
}

func indent(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

func TestSchemas(t *testing.T) {
	all := map[string]json.RawMessage{}
	for _, s := range std.Specs() {
		all[s.Name] = spec.SchemaJSON(s.Schema)
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "schemas.json", indent(t, b))
	golden(t, "call.json", indent(t, std.CallSchema(English)))
	golden(t, "fallback.en.txt", FallbackText(English)+"\n")
	golden(t, "fallback.zh.txt", FallbackText(Chinese)+"\n")
}

// TestFirstBrief keeps the parameters of the eighteen actions of the first
// brief valid as they stood there.
func TestFirstBrief(t *testing.T) {
	brief := map[string][]string{
		"click":             {`{"selector":"#a"}`, `{"index":1}`, `{"x":1,"y":2.5}`},
		"type":              {`{"selector":"#a","text":"x"}`, `{"index":1,"text":"x","clear":true}`},
		"scroll":            {`{"direction":"down"}`, `{"direction":"up","amount":300,"selector":"#a"}`, `{"direction":"left"}`, `{"direction":"right"}`},
		"navigate":          {`{"url":"https://a.test"}`},
		"screenshot":        {`{}`},
		"wait":              {`{"ms":10}`},
		"hover":             {`{"selector":"#a"}`, `{"index":1}`, `{"x":1,"y":2}`},
		"select":            {`{"selector":"#a","value":"x"}`, `{"index":1,"value":"x"}`},
		"pressKey":          {`{"key":"Enter"}`, `{"key":"a","modifiers":["ctrl","alt","shift","meta"]}`},
		"goBack":            {`{}`},
		"goForward":         {`{}`},
		"refresh":           {`{}`},
		"dragDrop":          {`{"from":{"x":1,"y":2},"to":{"x":3,"y":4}}`},
		"uploadFile":        {`{"selector":"#a","filePath":"/tmp/x"}`, `{"index":1,"filePath":"/tmp/x"}`},
		"switchTab":         {`{"index":1}`, `{"url":"a.test"}`},
		"executeJS":         {`{"code":"1"}`},
		"getElements":       {`{}`, `{"type":"button","visible":true}`, `{"type":"all"}`, `{"type":"image"}`, `{"type":"input"}`, `{"type":"link"}`, `{"type":"select"}`},
		"getElementDetails": {`{"indices":[1,2]}`},
	}
	if len(brief) != 18 {
		t.Fatalf("%d actions, want 18", len(brief))
	}
	for name, calls := range brief {
		spec, ok := std.Spec(name)
		if !ok {
			t.Errorf("no action %s", name)
			continue
		}
		for _, c := range calls {
			if _, err := std.Parse(spec, json.RawMessage(c)); err != nil {
				t.Errorf("%s %s: %v", name, c, err)
			}
		}
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, action, params string
		want                 string // params after mending, or
		errs                 []string
	}{
		{name: "number as text", action: "click", params: `{"index":"12"}`, want: `{"index":12}`},
		{name: "number in brackets", action: "click", params: `{"index":"[12]"}`, want: `{"index":12}`},
		{name: "ref as index", action: "click", params: `{"index":"@e12"}`, want: `{"ref":"@e12"}`},
		{name: "text as number", action: "select", params: `{"index":1,"value":2}`, want: `{"index":1,"value":"2"}`},
		{name: "single for list", action: "getElementDetails", params: `{"indices":5}`, want: `{"indices":[5]}`},
		{name: "modifiers as text", action: "pressKey", params: `{"key":"a","modifiers":"Ctrl+shift"}`, want: `{"key":"a","modifiers":["ctrl","shift"]}`},
		{name: "modifiers by other names", action: "pressKey", params: `{"key":"a","modifiers":["Control","Cmd","Option"]}`, want: `{"key":"a","modifiers":["ctrl","meta","alt"]}`},
		{name: "no modifier", action: "click", params: `{"index":1,"modifiers":["hyper"]}`, errs: []string{"modifiers", "'ctrl'"}},
		{name: "null left out", action: "click", params: `{"index":1,"selector":null,"x":null}`, want: `{"index":1}`},
		{name: "empty left out", action: "click", params: `{"index":1,"selector":""}`, want: `{"index":1}`},
		{name: "another action's parameter", action: "click", params: `{"index":1,"text":"Add"}`, want: `{"index":1}`},
		{name: "a key has no target", action: "pressKey", params: `{"key":"Enter","index":5,"ref":"e5"}`, errs: []string{"click the element first"}},
		{name: "an empty target is none", action: "pressKey", params: `{"key":"Enter","index":null,"selector":"","text":""}`, want: `{"key":"Enter"}`},
		{name: "params as JSON text", action: "click", params: `"{\"index\":1}"`, want: `{"index":1}`},
		{name: "no params", action: "goBack", params: ``, want: `{}`},
		{name: "null params", action: "refresh", params: `null`, want: `{}`},
		{name: "enum in capitals", action: "scroll", params: `{"direction":"Down"}`, want: `{"direction":"down"}`},
		{name: "all errors at once", action: "type", params: `{"index":{},"clear":[],"bogus":1}`, errs: []string{"index", "clear", "bogus", "text"}},
		{name: "wrong enum", action: "scroll", params: `{"direction":"sideways"}`, errs: []string{"direction", "'up'"}},
		{name: "not an object", action: "click", params: `[1]`, errs: []string{"object"}},
		{name: "text must be given", action: "type", params: `{"index":1}`, errs: []string{"text"}},
		{name: "empty text is a text", action: "type", params: `{"index":1,"text":""}`, want: `{"index":1,"text":""}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec, _ := std.Spec(tt.action)
			got, err := std.Parse(spec, json.RawMessage(tt.params))
			if len(tt.errs) > 0 {
				if err == nil {
					t.Fatalf("no error, got %+v", got)
				}
				if err.Code != InvalidParams || err.Hint == "" {
					t.Errorf("error %+v", err)
				}
				for _, want := range tt.errs {
					if !strings.Contains(err.Message, want) {
						t.Errorf("%q does not tell of %q", err.Message, want)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			b, _ := json.Marshal(got)
			if string(b) != tt.want {
				t.Errorf("got %s, want %s", b, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"index":"[1]"}`, `null`, `"{}"`, `{"indices":"1,2"}`, `{"from":{"x":"1"}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, spec := range std.Specs() {
			p, err := std.Parse(spec, json.RawMessage(raw))
			if (p == nil) == (err == nil) {
				t.Fatalf("%s: %v, %v", spec.Name, p, err)
			}
		}
	})
}

func TestTools(t *testing.T) {
	weak := Tools(false)
	if len(weak) != 1 || weak[0].Name != FunctionName {
		t.Fatalf("weak models get %d tools", len(weak))
	}
	strong := Tools(true)
	offered := map[string]bool{}
	for _, tool := range strong {
		offered[tool.Name] = true
	}
	for _, s := range std.Specs() {
		if got := strings.Contains(weak[0].Description, "- "+s.Name+" {"); got != s.ModelVisible {
			t.Errorf("the one function tells of %s: %t", s.Name, got)
		}
		if want := s.ModelVisible || s.Strong; offered[s.Name] != want {
			t.Errorf("strong models get %s: %t", s.Name, !want)
		}
		for _, p := range append(slices.Clone(s.Advanced), s.Needed...) {
			if s.Schema.Properties[p] == nil {
				t.Errorf("%s has no parameter %s", s.Name, p)
			}
		}
	}
}

// TestWords holds every action and every error code to texts in both languages.
func TestWords(t *testing.T) {
	codes := []Code{
		StaleRef, NotFound, Covered, Disabled, NotVisible, NotEditable, Timeout, NeedsConfirmation, Denied, Blocked, StoppedAfter,
		NavigationFailed, DialogOpen, TabClosed, TabBusy, Detached, InvalidParams, Unsupported,
	}
	for _, c := range codes {
		if c.Hint() == "" || codeWords[c] == "" {
			t.Errorf("%s has no hint or no words", c)
		}
	}
	for _, s := range std.Specs() {
		for _, lang := range []string{English, Chinese} {
			p := phrases[lang][s.Name]
			if p.done == "" || p.failed == "" {
				t.Errorf("%s has no words in %s", s.Name, lang)
			}
		}
		if s.Doc[English] == s.Doc[Chinese] {
			t.Errorf("%s has one doc for both languages", s.Name)
		}
	}
	if len(codes) != len(spec.Codes()) {
		t.Errorf("%d hints for %d codes", len(spec.Codes()), len(codes))
	}
}

func TestLines(t *testing.T) {
	tests := []struct {
		lang, object string
		res          Result
		want         string
	}{
		{English, "", Result{Action: "click", Target: `button "Add to cart"`, Site: "shop.test"}, `Clicked "Add to cart" on shop.test`},
		{Chinese, "", Result{Action: "click", Target: `button "加入购物车"`, Site: "shop.test"}, `点击了按钮“加入购物车”（shop.test）`},
		{English, "", Result{Action: "navigate", Target: "https://shop.test/"}, `Opened https://shop.test/`},
		{English, "", Result{Action: "click", Target: `button "100% off"`, Site: "a.test"}, `Clicked "100% off" on a.test`},
		{English, "", Result{Action: "click", Err: &Error{Code: NotFound, Message: "no element matches #x"}}, `Could not click something: no element matches #x`},
		{Chinese, "", Result{Action: "click", Target: "button", Err: &Error{Code: Denied, Message: "no"}}, `无法点击按钮：您没有允许`},
		{English, `"{t} mug"`, Result{Action: "type", Target: `textbox "{x}"`, Site: "a.test"}, `Typed "{t} mug" into "{x}" on a.test`},
		{Chinese, `"杯子"`, Result{Action: "type", Target: `searchbox "搜索"`, Site: "a.test"}, `在搜索框“搜索”中输入了"杯子"（a.test）`},
		{English, "Enter", Result{Action: "pressKey", Target: "textbox", Site: "a.test"}, "Pressed Enter on a.test"},
		{English, "OK", Result{Action: "handleDialog", Target: `dialog "Proceed?"`}, `Answered the dialog "Proceed?" with OK`},
	}
	for _, tt := range tests {
		s := &Session{o: Options{Lang: tt.lang}}
		res := tt.res
		s.finish(&res, tt.object)
		if res.Line != tt.want {
			t.Errorf("got %q, want %q", res.Line, tt.want)
		}
	}
}

func TestNormalURL(t *testing.T) {
	tests := []struct{ in, want string }{
		{"example.com", "https://example.com"},
		{"example.com/a b", "https://example.com/a%20b"},
		{"localhost:8080/x", "http://localhost:8080/x"},
		{"shop.test", "http://shop.test"},
		{"127.0.0.1:1/", "http://127.0.0.1:1/"},
		{"[::1]:80/", "http://[::1]:80/"},
		{"//example.com", "https://example.com"},
		{" HTTPS://Example.com ", "https://Example.com"},
		{"about:blank", "about:blank"},
		{"javascript:alert(1)", "javascript:alert(1)"}, // the gate refuses it
		{"", ""},
		{"two words", ""},
		{"http://", ""},
	}
	for _, tt := range tests {
		got, err := normalURL(tt.in)
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%q: %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
}
