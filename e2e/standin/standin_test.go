package standin

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

const page = `Step 3 of 40.
<<<page k3x9
URL: https://shop.test/mugs
Title: Mugs
--- main: "Blue mugs" ---
[31] button "Add \"Blue\" to cart"
[9] textbox "Search" value="[4] button \"no\"" placeholder="x"
--- overlay "Cookies" ---
[12] button "Reject" disabled
   [7] link -> /cart
k3x9 page>>>
[99] button "not of the page"`

func TestParseObservation(t *testing.T) {
	o := ParseObservation(page)
	if o.URL != "https://shop.test/mugs" || o.Title != "Mugs" || len(o.Lines) != 4 {
		t.Fatalf("%+v", o)
	}
	want := []Line{
		{31, "button", `Add "Blue" to cart`, "", `main: "Blue mugs"`},
		{9, "textbox", "Search", `value="[4] button \"no\"" placeholder="x"`, `main: "Blue mugs"`},
		{12, "button", "Reject", "disabled", `overlay "Cookies"`},
		{7, "link", "", "-> /cart", `overlay "Cookies"`},
	}
	for i, w := range want {
		if o.Lines[i] != w {
			t.Errorf("line %d: %+v, want %+v", i, o.Lines[i], w)
		}
	}
	if l, ok := o.Find("button", "blue", "CART"); !ok || l.Index != 31 {
		t.Errorf("found %+v", l)
	}
	if l, _ := o.Find("", "reject"); !l.Disabled() {
		t.Error("the disabled state is lost")
	}
	if _, ok := o.Find("button", "not of the page"); ok {
		t.Error("a line outside of the page was read")
	}
}

// In a long list elements share lines; a role is said once, and what goes with it.
func TestParseRows(t *testing.T) {
	o := ParseObservation("URL: https://shop.test/\n--- main\n" +
		"[1] link \"Mug|9 x\"|2 spinbutton value=\"1\"|3 button \"Add\" disabled\n" +
		"[4] Cup|5 value=\"2\"|6 Add ~\n" +
		"--- \"More\"\n[7] link \"Home\" current|8 \"2 Help\"|9 button \"More\" collapsed|10 Less\n" +
		"[12–20] cell \"1\" to \"9\" (index = number + 11)\n[21–30] 10 more links (getElements range=21-30 lists them)\n" +
		"[31] clickable (heart) near=\"Cup\" draggable|32 link -> /file\n" +
		"[33] textbox Full name value=Mara Lind required|34 spinbutton near=2 mugs value=-5|35 link Wiki -> wiki.test\n" +
		"[36] treeitem A expanded|37 B collapsed|38 C|39 D expanded|40 E|41 F draggable|42 G\n" +
		"[43] link A|44 B|45 tab C|46 link D|47 tab E\n[48] F|49 G|50 button H|51 I|52 J")
	want := []Line{
		{1, "link", "Mug|9 x", "", "main"},
		{2, "spinbutton", "", `value="1"`, "main"},
		{3, "button", "Add", "disabled", "main"},
		{4, "link", "Cup", "", "main"},
		{5, "spinbutton", "", `value="2"`, "main"},
		{6, "button", "Add Cup", "", "main"},
		{7, "link", "Home", "current", `"More"`},
		{8, "link", "2 Help", "", `"More"`},
		{9, "button", "More", "collapsed", `"More"`},
		{10, "button", "Less", "collapsed", `"More"`},
	}
	for n := 1; n <= 9; n++ {
		want = append(want, Line{11 + n, "cell", strconv.Itoa(n), "", `"More"`})
	}
	want = append(want, Line{31, "clickable", "", `(heart) near="Cup" draggable`, `"More"`}, Line{32, "link", "", "-> /file", `"More"`},
		Line{33, "textbox", "Full name", "value=Mara Lind required", `"More"`},
		Line{34, "spinbutton", "", "near=2 mugs value=-5", `"More"`},
		Line{35, "link", "Wiki", "-> wiki.test", `"More"`},
		Line{36, "treeitem", "A", "expanded", `"More"`},
		Line{37, "treeitem", "B", "collapsed", `"More"`},
		Line{38, "treeitem", "C", "collapsed", `"More"`},
		Line{39, "treeitem", "D", "expanded", `"More"`},
		Line{40, "treeitem", "E", "", `"More"`},
		Line{41, "treeitem", "F", "draggable", `"More"`},
		Line{42, "treeitem", "G", "draggable", `"More"`})
	for i, role := range strings.Fields("link link tab link tab link link button button button") {
		want = append(want, Line{43 + i, role, string(rune('A' + i)), "", `"More"`})
	}
	if got := value(want[21]); got != "Mara Lind" {
		t.Errorf("the field holds %q", got)
	}
	for i, w := range want {
		if i >= len(o.Lines) || o.Lines[i] != w {
			t.Fatalf("line %d of %+v, want %+v", i, o.Lines, w)
		}
	}
	if len(o.Lines) != len(want) {
		t.Errorf("%d lines, want %d", len(o.Lines), len(want))
	}
}

func TestObserveTakesTheNewestPage(t *testing.T) {
	conv := Conversation{Messages: []Message{
		{Role: "user", Text: "URL: https://a.test/\n[1] button \"A\""},
		{Role: "assistant", Text: "URL: https://x.test/\n[2] button \"X\""},
		{Role: "user", Text: "URL: https://b.test/\n[3] button \"B\""},
		{Role: "tool", Text: "done"},
	}}
	if o := Observe(conv); o.URL != "https://b.test/" || len(o.Lines) != 1 || o.Lines[0].Index != 3 {
		t.Errorf("%+v", o)
	}
}

// The streams, byte for byte, where they matter to a client.
func TestWire(t *testing.T) {
	turn := func(Conversation) Turn {
		return Turn{Text: "hello there", Calls: []Call{{Name: "click", Args: map[string]any{"index": 5}}}}
	}
	tools := `"tools":[{"type":"function","name":"browser_action","function":{"name":"browser_action"}}]`
	cases := []struct {
		name   string
		format Format
		path   string
		body   string
		status int
		want   []string
	}{
		{"ollama", OllamaTools, "/api/chat", `{"model":"standin","messages":[{"role":"user","content":"hi"}],` + tools + `}`, 200, []string{`"content":"hello t"`, `"arguments":{"action":"click","params":{"index":5}}`, `"done":true`, `"done_reason":"stop"`}},
		{"ollama at once", OllamaTools, "/api/chat", `{"model":"standin","stream":false,"messages":[{"role":"user","content":"hi"}],` + tools + `}`, 200, []string{`"content":"hello there"`, `"arguments":{"action":"click","params":{"index":5}}`, `"done":true`}},
		{"ollama markdown", OllamaMarkdown, "/api/chat", `{"model":"standin","stream":false,"messages":[{"role":"user","content":"hi"}]}`, 200, []string{"```json\\n{\\\"action\\\":\\\"click\\\""}},
		{"ollama without tools", OllamaMarkdown, "/api/chat", `{"model":"standin","messages":[{"role":"user","content":"hi"}],` + tools + `}`, 400, []string{"does not support tools"}},
		{"ollama without schema", OllamaMarkdown, "/api/chat", `{"model":"standin","messages":[{"role":"user","content":"hi"}],"format":{"type":"object"}}`, 400, []string{"cannot unmarshal object"}},
		{"ollama constrained", OllamaSchema, "/api/chat", `{"model":"standin","stream":false,"messages":[{"role":"user","content":"hi"}],"format":{"type":"object"}}`, 200, []string{`"content":"{\"thought\":\"hello there\",\"action\":\"click\"`}},
		{"openai", OpenAI, "/v1/chat/completions", `{"model":"standin:latest","stream":true,"messages":[{"role":"user","content":"hi"}],` + tools + `}`, 200, []string{`"arguments":"","name":"browser_action"`, `"arguments":"{\"actio"`, `"finish_reason":"tool_calls"`, "data: [DONE]"}},
		{"anthropic", Anthropic, "/v1/messages", `{"model":"standin:latest","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}],` + tools + `}`, 200, []string{"event: message_start", `"type":"input_json_delta"`, `"stop_reason":"tool_use"`, "event: message_stop"}},
		{"anthropic without max_tokens", Anthropic, "/v1/messages", `{"model":"standin:latest","messages":[{"role":"user","content":"hi"}]}`, 400, []string{"max_tokens"}},
		{"unknown model", OllamaTools, "/api/chat", `{"model":"x","messages":[{"role":"user","content":"hi"}]}`, 404, []string{"try pulling it first"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := New(Options{Format: c.format, Brain: BrainFunc(turn)})
			if s.Err() != nil {
				t.Fatal(s.Err())
			}
			defer s.Close()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, strings.TrimSuffix(s.URL(), "/v1")+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("X-Api-Key", "k")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != c.status {
				t.Fatalf("status %d: %s", resp.StatusCode, body)
			}
			for _, w := range c.want {
				if !strings.Contains(string(body), w) {
					t.Errorf("%q is missing in:\n%s", w, body)
				}
			}
			if n := len(s.Requests()); (n == 1) != (c.status == 200) {
				t.Errorf("%d requests recorded", n)
			}
		})
	}
}

func TestScriptReadsThePage(t *testing.T) {
	s := NewScript(Click("button", "blue"), Do("done", nil))
	conv := Conversation{Messages: []Message{{Role: "user", Text: page}}}
	if turn := s.Next(conv); len(turn.Calls) != 1 || turn.Calls[0].Args["index"] != 31 {
		t.Errorf("%+v", turn)
	}
	if turn := s.Next(conv); turn.Calls[0].Name != "done" {
		t.Errorf("%+v", turn)
	}
	if turn := s.Next(conv); len(turn.Calls) != 0 || s.Taken() != 2 {
		t.Errorf("%+v", turn)
	}
}

// An Ollama counts what is thought, thinks only where it is let, loads what is not
// in memory without a word, and forgets it when told.
func TestOllamaThinksAndLoads(t *testing.T) {
	loads := 0
	s := New(Options{
		Format: OllamaTools, Thinks: true, Load: func(context.Context) { loads++ },
		Brain: BrainFunc(func(Conversation) Turn { return Turn{Reasoning: strings.Repeat("hm hm, ", 20), Text: "so it is"} }),
	})
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	defer s.Close()
	ask := func(method, path, body string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		out, _ := io.ReadAll(resp.Body)
		return string(out)
	}
	chat := func(rest string) string {
		return ask(http.MethodPost, "/api/chat", `{"model":"standin","stream":false,"messages":[{"role":"user","content":"hi"}]`+rest+`}`)
	}
	in := func(what, text, want string, has bool) {
		t.Helper()
		if strings.Contains(text, want) != has {
			t.Errorf("%s: %q there %v, want %v:\n%s", what, want, !has, has, text)
		}
	}
	in("before", ask(http.MethodGet, "/api/ps", ""), `"models":[]`, true)
	in("load", ask(http.MethodPost, "/api/chat", `{"model":"standin","messages":[],"options":{"num_ctx":4096}}`), `"done_reason":"load"`, true)
	in("loaded", ask(http.MethodGet, "/api/ps", ""), `"context_length":4096`, true)
	whole := chat(`,"options":{"num_ctx":4096}`)
	in("whole", whole, `"content":"so it is"`, true)
	in("whole", whole, `"thinking":"hm hm, `, true)
	cutOff := chat(`,"options":{"num_ctx":4096,"num_predict":20}`)
	in("cut off", cutOff, `"done_reason":"length"`, true)
	in("cut off", cutOff, "so it is", false)
	quiet := chat(`,"think":false,"options":{"num_ctx":4096,"num_predict":20}`)
	in("without thoughts", quiet, `"content":"so it is"`, true)
	in("without thoughts", quiet, "hm hm", false)
	if loads != 1 {
		t.Errorf("loaded %d times", loads)
	}
	chat(`,"options":{"num_ctx":8192},"keep_alive":0`)
	in("let go", ask(http.MethodGet, "/api/ps", ""), `"models":[]`, true)
	if loads != 2 {
		t.Errorf("loaded %d times, with another window as well", loads)
	}
	plain := New(Options{Format: OllamaTools})
	defer plain.Close()
	s = plain
	in("one that does not think", chat(`,"think":true`), "does not support thinking", true)
}
