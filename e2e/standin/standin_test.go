package standin

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

const page = `Step 3 of 40.
<<<page k3x9
URL: https://shop.test/mugs
Title: Mugs
## main: Blue mugs
button "Add \"Blue\" to cart" [31]
textbox "Search" value="button \"no\" [4]" placeholder="x" [9]
- row "Ida Lind Invoice" unread
  checkbox "Select" [13]
- link "Tom Becker" unread → /mail/2 [15]
  button "Star" (on hover) [16]
## overlay "Cookies"
button "Reject" disabled [12]
link → /cart [7]
- row "Week 9": gridcell "1" [21] "\"2\" [x]" selected current [22] "3" [23]
- row: button "A" [24]
… 4 more below the fold (getElements query=…)
k3x9 page>>>
button "not of the page" [99]`

func TestParseObservation(t *testing.T) {
	o := ParseObservation(page)
	if o.URL != "https://shop.test/mugs" || o.Title != "Mugs" {
		t.Fatalf("%+v", o)
	}
	mugs, cookies := "main: Blue mugs", `overlay "Cookies"`
	want := []Line{
		{Index: 31, Role: "button", Name: `Add "Blue" to cart`, Group: mugs},
		{Index: 9, Role: "textbox", Name: "Search", Rest: `value="button \"no\" [4]" placeholder="x"`, Group: mugs},
		{Index: 13, Role: "checkbox", Name: "Select", Group: mugs, Row: "Ida Lind Invoice"},
		{Index: 15, Role: "link", Name: "Tom Becker", Rest: "unread → /mail/2", Group: mugs, Row: "Tom Becker"},
		{Index: 16, Role: "button", Name: "Star", Rest: "(on hover)", Group: mugs, Row: "Tom Becker"},
		{Index: 12, Role: "button", Name: "Reject", Rest: "disabled", Group: cookies},
		{Index: 7, Role: "link", Rest: "→ /cart", Group: cookies},
		{Index: 21, Role: "gridcell", Name: "1", Group: cookies, Row: "Week 9"},
		{Index: 22, Role: "gridcell", Name: `"2" [x]`, Rest: "selected current", Group: cookies, Row: "Week 9"},
		{Index: 23, Role: "gridcell", Name: "3", Group: cookies, Row: "Week 9"},
		{Index: 24, Role: "button", Name: "A", Group: cookies},
	}
	if len(o.Lines) != len(want) {
		t.Fatalf("%d lines, want %d: %+v", len(o.Lines), len(want), o.Lines)
	}
	for i, w := range want {
		if o.Lines[i] != w {
			t.Errorf("line %d: %+v, want %+v", i, o.Lines[i], w)
		}
	}
	if l, ok := o.Find("button", "blue", "CART"); !ok || l.Index != 31 {
		t.Errorf("found %+v", l)
	}
	if l, _ := o.Find("", "reject"); !l.IsDisabled() {
		t.Error("the disabled state is lost")
	}
	if _, ok := o.Find("button", "not of the page"); ok {
		t.Error("a line outside of the page was read")
	}
}

func TestObserveTakesTheNewestPage(t *testing.T) {
	conv := Conversation{Messages: []Message{
		{Role: "user", Text: "URL: https://a.test/\nbutton \"A\" [1]"},
		{Role: "assistant", Text: "URL: https://x.test/\nbutton \"X\" [2]"},
		{Role: "user", Text: "URL: https://b.test/\nbutton \"B\" [3]"},
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
