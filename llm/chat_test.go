package llm_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

var browserTool = llm.Tool{Name: "browser_action", Description: "Act in the browser.", Schema: json.RawMessage(`{"type":"object",
	"properties":{"action":{"type":"string","enum":["click","type","scroll","done"]},
	"params":{"type":"object","properties":{"index":{"type":"integer"},"text":{"type":"string"}}}},"required":["action","params"]}`)}

const page = "URL: https://shop.test/\nTitle: Mugs\n## main: Blue mugs\nbutton \"Add \\\"Blue\\\" to cart\" [31]\nlink \"Cart\" → /cart [7]"

func config(s *standin.Server) llm.Config {
	return llm.Config{Provider: s.Provider(), Model: s.Model(), BaseURL: s.URL(), APIKey: "key-1", Env: func(string) string { return "" }}
}

func start(t *testing.T, o standin.Options) *standin.Server {
	t.Helper()
	s := standin.New(o)
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	t.Cleanup(s.Close)
	return s
}

func model(t *testing.T, cfg llm.Config) *llm.Model {
	t.Helper()
	m, err := llm.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ask(text string) llm.Request {
	return llm.Request{System: "You act.", Tools: []llm.Tool{browserTool}, Messages: []llm.Message{llm.Text(llm.RoleUser, text)}, MaxOutput: 300}
}

// deltas collects a stream by kind.
type deltas struct {
	mu  sync.Mutex
	all map[string]string
}

func (d *deltas) add(x llm.Delta) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all == nil {
		d.all = map[string]string{}
	}
	d.all[x.Kind] += x.Text
}

var formats = []struct {
	name   string
	format standin.Format
	way    llm.Way
	think  bool
}{
	{"ollama tools", standin.OllamaTools, llm.WayNative, true},
	{"ollama schema", standin.OllamaSchema, llm.WaySchema, true},
	{"ollama markdown", standin.OllamaMarkdown, llm.WayMarkdown, true},
	{"openai", standin.OpenAI, llm.WayNative, true},
	{"anthropic", standin.Anthropic, llm.WayNative, true},
}

// Two turns of a task on every format: a call that names what was read, then,
// with the call and its result in the history, the end.
func TestTwoTurns(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			script := standin.NewScript(
				func(o standin.Observation, c standin.Conversation) standin.Turn {
					turn := standin.Click("button", "blue", "cart")(o, c)
					turn.Reasoning = "The user wants a mug, 蓝色."
					return turn
				},
				standin.Do("done", map[string]any{"text": "bought <it> & left"}),
			)
			s := start(t, standin.Options{Format: f.format, Brain: script})
			m := model(t, config(s))
			req := ask(page)
			req.Answer = llm.AnswerParam{Action: "done", Param: "text"}
			var d deltas
			first, err := m.Chat(t.Context(), req, d.add)
			if err != nil {
				t.Fatal(err)
			}
			if first.Way != f.way || len(first.Calls) != 1 {
				t.Fatalf("way %s, calls %+v", first.Way, first.Calls)
			}
			call := first.Calls[0]
			if call.Name != "browser_action" || string(call.Args) != `{"action":"click","params":{"index":31}}` || call.ID == "" {
				t.Errorf("call %s %s", call.Name, call.Args)
			}
			if first.Usage.Input == 0 || first.Usage.Output == 0 {
				t.Errorf("usage %+v", first.Usage)
			}
			if !strings.Contains(first.Reasoning, "蓝色") || d.all[llm.DeltaReasoning] != first.Reasoning {
				t.Errorf("reasoning %q, streamed %q", first.Reasoning, d.all[llm.DeltaReasoning])
			}
			if !strings.HasPrefix(first.Text, "I use button") || strings.TrimSpace(d.all[llm.DeltaText]) != first.Text {
				t.Errorf("text %q, streamed %q", first.Text, d.all[llm.DeltaText])
			}
			if !strings.Contains(d.all[llm.DeltaCall], `"index":31`) {
				t.Errorf("call streamed as %q", d.all[llm.DeltaCall])
			}
			req.Messages = append(req.Messages,
				llm.Message{Role: llm.RoleAssistant, Parts: []llm.Part{{Text: first.Text}}, Calls: first.Calls},
				llm.ToolResult(call, "clicked"), llm.Text(llm.RoleUser, page))
			d = deltas{}
			second, err := m.Chat(t.Context(), req, d.add)
			if err != nil {
				t.Fatal(err)
			}
			if len(second.Calls) != 1 || string(second.Calls[0].Args) != `{"action":"done","params":{"text":"bought <it> & left"}}` {
				t.Fatalf("second turn: %+v", second.Calls)
			}
			// Ollama gives a native call when it is whole; else the answer streams.
			if want := map[bool]string{true: "", false: "bought <it> & left"}[f.format == standin.OllamaTools]; d.all[llm.DeltaAnswer] != want {
				t.Errorf("the answer streamed as %q, want %q", d.all[llm.DeltaAnswer], want)
			}
			last := s.Requests()[len(s.Requests())-1].Conversation
			if last.System == "" || !strings.HasPrefix(last.System, "You act.") {
				t.Errorf("system %q", last.System)
			}
			var all strings.Builder
			for _, msg := range last.Messages {
				all.WriteString(msg.Role + ": " + msg.Text + "\n")
			}
			if !strings.Contains(all.String(), "clicked") {
				t.Errorf("the result is not in the history:\n%s", all.String())
			}
		})
	}
}

// What Ollama must always be told.
func TestOllamaRequest(t *testing.T) {
	s := start(t, standin.Options{Format: standin.OllamaTools, Brain: standin.NewScript(standin.Say("a"), standin.Say("b")), Context: 40000, Vision: true})
	m := model(t, config(s))
	req := ask("hi")
	req.Messages[0].Parts = append(req.Messages[0].Parts, llm.Part{Image: []byte{1, 2, 3}, MIME: "image/png"})
	if _, err := m.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	req.NumCtx = 9000
	if _, err := m.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{16384, 9000} {
		var body struct {
			Options  map[string]any
			Truncate *bool
			Think    *bool
			Stream   bool
			Keep     string `json:"keep_alive"`
			Messages []struct{ Images []string }
			Tools    []struct {
				Function struct{ Parameters json.RawMessage }
			}
		}
		if err := json.Unmarshal(s.Requests()[i].Body, &body); err != nil {
			t.Fatal(err)
		}
		// There is room for thoughts beside the reply, as far as the window has it.
		predict, _ := body.Options["num_predict"].(float64)
		if body.Options["num_ctx"] != want || predict < 300+4096 || predict > want {
			t.Errorf("options %v, want num_ctx %v", body.Options, want)
		}
		if body.Truncate == nil || *body.Truncate || !body.Stream || body.Keep == "" {
			t.Errorf("truncate %v, stream %v, keep_alive %q", body.Truncate, body.Stream, body.Keep)
		}
		if body.Think != nil {
			t.Error("think sent to a model without it: Ollama answers 400")
		}
		if len(body.Messages[1].Images) != 1 || body.Messages[1].Images[0] != "AQID" {
			t.Errorf("images %v", body.Messages[1].Images)
		}
		if len(body.Tools) != 1 || !strings.Contains(string(body.Tools[0].Function.Parameters), `"enum"`) {
			t.Error("the tool's schema was not sent")
		}
	}
	caps, err := m.Capabilities(t.Context())
	if err != nil || !caps.Tools || !caps.Vision || caps.MaxContext != 40000 || caps.Context != 16384 || caps.Source["tools"] != "server" {
		t.Errorf("capabilities %+v, %v", caps, err)
	}
}

func TestPlainTextIsNoError(t *testing.T) {
	for _, f := range formats {
		s := start(t, standin.Options{Format: f.format, Brain: standin.NewScript(standin.Say("Hello, I can help."))})
		reply, err := model(t, config(s)).Chat(t.Context(), ask("hi"), nil)
		if f.way == llm.WayNative {
			if err != nil || reply.Text != "Hello, I can help." || len(reply.Calls) != 0 {
				t.Errorf("%s: %+v, %v", f.name, reply, err)
			}
			continue
		}
		if llm.CodeOf(err) != llm.CodeBadReply || reply == nil || reply.Text != "Hello, I can help." {
			t.Errorf("%s: %+v, %v", f.name, reply, err)
		}
	}
}

func TestWithoutTools(t *testing.T) {
	for _, f := range formats {
		s := start(t, standin.Options{Format: f.format, Brain: standin.NewScript(standin.Say(`A summary with {"action":"click"} in it.`))})
		req := ask("sum up")
		req.Tools = nil
		reply, err := model(t, config(s)).Chat(t.Context(), req, nil)
		if err != nil || reply.Text != `A summary with {"action":"click"} in it.` || len(reply.Calls) != 0 {
			t.Errorf("%s: %+v, %v", f.name, reply, err)
		}
	}
}

func TestListModels(t *testing.T) {
	for _, f := range formats {
		s := start(t, standin.Options{Format: f.format})
		got, err := llm.ListModels(t.Context(), config(s))
		if err != nil || len(got) != 1 || got[0].Name != standin.ModelName {
			t.Errorf("%s: %+v, %v", f.name, got, err)
		}
	}
	_, err := llm.ListModels(t.Context(), llm.Config{Provider: "ollama", BaseURL: "http://127.0.0.1:1"})
	if llm.CodeOf(err) != llm.CodeUnreachable || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("unreachable: %v", err)
	}
}

func TestModelNotFound(t *testing.T) {
	for _, f := range formats {
		s := start(t, standin.Options{Format: f.format})
		cfg := config(s)
		cfg.Model = "nowhere:1b"
		_, err := model(t, cfg).Chat(t.Context(), ask("hi"), nil)
		if llm.CodeOf(err) != llm.CodeModelNotFound {
			t.Errorf("%s: %v", f.name, err)
		}
		if cfg.Provider == "ollama" && !strings.Contains(err.Error(), "ollama pull nowhere:1b") {
			t.Errorf("no hint: %v", err)
		}
	}
}

// Cancel is at once, in the middle of a stream, and nothing is emitted after:
// Chat returns while the server, which would go on for minutes, has sent only a
// few of its pieces. How long that took is not measured: the machine is shared.
func TestCancel(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			s := start(t, standin.Options{Format: f.format, Delay: 100 * time.Millisecond, Brain: standin.NewScript(standin.Say(strings.Repeat("words and more words ", 2000)))})
			ctx, cancel := context.WithCancel(t.Context())
			m := model(t, config(s))
			var deltas, after atomic.Int32
			var returned atomic.Bool
			_, err := m.Chat(ctx, ask("hi"), func(llm.Delta) {
				if deltas.Add(1); returned.Load() {
					after.Add(1)
				}
				cancel()
			})
			returned.Store(true)
			if llm.CodeOf(err) != llm.CodeCancelled {
				t.Fatalf("error %v", err)
			}
			// Of six thousand pieces, one each 100 ms: the one that cancelled.
			if n := deltas.Load(); n > 1 {
				t.Errorf("%d pieces came before the cancel counted", n)
			}
			// The server's side ends too: it is not left writing to nobody.
			s.Close()
			if n := after.Load(); n > 0 {
				t.Errorf("%d pieces came after Chat had returned", n)
			}
		})
	}
}

func TestNoVisionNoImages(t *testing.T) {
	s := start(t, standin.Options{Format: standin.OllamaTools, Brain: standin.NewScript(standin.Say("ok"))})
	req := ask("look")
	req.Messages[0].Parts = append(req.Messages[0].Parts, llm.Part{Image: []byte{1}, MIME: "image/png"})
	if _, err := model(t, config(s)).Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	if n := s.Requests()[0].Conversation.Messages[0].Images; n != 0 {
		t.Errorf("%d images sent to a model that can't see", n)
	}
	for _, f := range []standin.Format{standin.OpenAI, standin.Anthropic} {
		s := start(t, standin.Options{Format: f, Brain: standin.NewScript(standin.Say("ok"))})
		if _, err := model(t, config(s)).Chat(t.Context(), req, nil); err != nil {
			t.Fatal(err)
		}
		if n := s.Requests()[0].Conversation.Messages[0].Images; n != 1 {
			t.Errorf("format %v: %d images sent, want 1", f, n)
		}
	}
}

// A history as it is left by a stop, a compaction and a batch is made one
// that servers take: every call answered, every answer called for.
func TestBrokenHistory(t *testing.T) {
	for _, f := range formats {
		s := start(t, standin.Options{Format: f.format, Brain: standin.NewScript(standin.Say("ok"))})
		a := llm.Call{ID: "a", Name: "browser_action", Args: json.RawMessage(`{"action":"click","params":{"index":1}}`)}
		b := llm.Call{ID: "b", Name: "browser_action", Args: json.RawMessage(`{"action":"click","params":{"index":2}}`)}
		req := ask("start")
		req.Messages = append(req.Messages,
			llm.ToolResult(llm.Call{ID: "gone", Name: "browser_action"}, "orphan"),
			llm.Message{Role: llm.RoleAssistant, Calls: []llm.Call{a, b}}, llm.ToolResult(a, "did a"),
			llm.Text(llm.RoleUser, "stopped"), llm.Text(llm.RoleUser, "go on"))
		if _, err := model(t, config(s)).Chat(t.Context(), req, nil); err != nil && llm.CodeOf(err) != llm.CodeBadReply {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		var all strings.Builder
		for _, m := range s.Requests()[0].Conversation.Messages {
			all.WriteString(m.Text + "\n")
		}
		for _, want := range []string{"orphan", "did a", "go on"} {
			if !strings.Contains(all.String(), want) {
				t.Errorf("%s: %q is lost", f.name, want)
			}
		}
		if f.format == standin.OpenAI {
			checkPaired(t, s.Requests()[0].Body)
		}
	}
}

// checkPaired is OpenAI's rule for tool messages.
func checkPaired(t *testing.T, body json.RawMessage) {
	t.Helper()
	var req struct {
		Messages []struct {
			Role  string
			ID    string                `json:"tool_call_id"`
			Calls []struct{ ID string } `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{}
	for i, m := range req.Messages {
		if m.Role == "tool" {
			if !open[m.ID] {
				t.Errorf("message %d answers %q, which was not called", i, m.ID)
			}
			delete(open, m.ID)
			continue
		}
		if len(open) > 0 {
			t.Errorf("message %d comes before the answers to %v", i, open)
		}
		for _, c := range m.Calls {
			open[c.ID] = true
		}
	}
}
