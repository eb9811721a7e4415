package llm_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

// recorded is the whole stream of one reply, as a server of a format sends it.
type recorded struct {
	name   string
	cfg    llm.Config
	header string
	body   []byte
}

// record takes a reply with reasoning, text and two parallel calls off every
// format.
func record(t *testing.T) []recorded {
	t.Helper()
	turn := standin.Turn{
		Reasoning: "hm, \"so\"", Text: "Two things, 两件事.",
		Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": 15}}, {Name: "type", Args: map[string]any{"index": 2, "text": "a \"b\" c"}}},
	}
	var out []recorded
	for _, f := range formats {
		s := standin.New(standin.Options{Format: f.format, Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn { return turn })})
		r := recorded{name: f.name, cfg: config(s)}
		var mu sync.Mutex
		spy := &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil || req.Method != http.MethodPost || strings.HasSuffix(req.URL.Path, "/show") || resp.StatusCode != http.StatusOK {
				return resp, err
			}
			body, err := io.ReadAll(resp.Body)
			mu.Lock()
			r.header, r.body = resp.Header.Get("Content-Type"), body
			mu.Unlock()
			resp.Body = io.NopCloser(strings.NewReader(string(body)))
			return resp, err
		})}
		cfg := r.cfg
		cfg.HTTPClient = spy
		if _, err := model(t, cfg).Chat(t.Context(), ask("go"), nil); err != nil && f.format != standin.OllamaSchema {
			t.Fatalf("%s: %v", f.name, err)
		}
		s.Close()
		if len(r.body) == 0 {
			t.Fatalf("%s: nothing recorded", f.name)
		}
		out = append(out, r)
	}
	return out
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// replay is a client whose server answers every chat with the given body. It
// answers Ollama's /api/show as a model with or without tools.
func replay(r recorded, body func() io.Reader) *http.Client {
	return &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
		resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: req, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
		if strings.HasSuffix(req.URL.Path, "/api/show") {
			caps := `["completion"]`
			if r.name == "ollama tools" {
				caps = `["completion","tools"]`
			}
			resp.Body = io.NopCloser(strings.NewReader(`{"capabilities":` + caps + `,"model_info":{"x.context_length":8192}}`))
			return resp, nil
		}
		resp.Header.Set("Content-Type", r.header)
		resp.Body = io.NopCloser(body())
		return resp, nil
	})}
}

var serial atomic.Int64

// fresh gives a config of its own memory, so that failures don't add up.
func fresh(cfg llm.Config, c *http.Client) llm.Config {
	cfg.HTTPClient = c
	cfg.BaseURL = fmt.Sprintf("http://test-%d.invalid/v1", serial.Add(1))
	cfg.Retries = -1
	return cfg
}

func show(r *llm.Reply) string {
	if r == nil {
		return "no reply"
	}
	out := r.Text + " |"
	for _, c := range r.Calls {
		out += " " + c.Name + string(c.Args)
	}
	return out
}

// One byte at a time is the same as all at once.
func TestByteByByte(t *testing.T) {
	for _, r := range record(t) {
		whole, err1 := model(t, fresh(r.cfg, replay(r, func() io.Reader { return strings.NewReader(string(r.body)) }))).Chat(t.Context(), ask("go"), nil)
		bytes, err2 := model(t, fresh(r.cfg, replay(r, func() io.Reader { return &slowReader{s: string(r.body)} }))).Chat(t.Context(), ask("go"), nil)
		if show(whole) != show(bytes) || (err1 == nil) != (err2 == nil) || (err1 != nil && r.name != "ollama schema") {
			t.Errorf("%s: %s, %v\nbut: %s, %v", r.name, show(whole), err1, show(bytes), err2)
		}
	}
}

type slowReader struct {
	s string
	i int
}

func (s *slowReader) Read(p []byte) (int, error) {
	if s.i >= len(s.s) {
		return 0, io.EOF
	}
	p[0] = s.s[s.i]
	s.i++
	return 1, nil
}

// A stream cut at any position is an error, or, when only trimmings were cut
// off, the whole reply. It is never half of one.
func TestCutAtEveryPosition(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for _, r := range record(t) {
		t.Run(r.name, func(t *testing.T) {
			whole, _ := model(t, fresh(r.cfg, replay(r, func() io.Reader { return strings.NewReader(string(r.body)) }))).Chat(t.Context(), ask("go"), nil)
			for _, end := range []error{io.EOF, io.ErrUnexpectedEOF} {
				okAt := 0
				for i := 0; i < len(r.body); i += step {
					c := replay(r, func() io.Reader { return io.MultiReader(strings.NewReader(string(r.body[:i])), errReader{end}) })
					reply, err := model(t, fresh(r.cfg, c)).Chat(t.Context(), ask("go"), nil)
					code := llm.CodeOf(err)
					switch {
					case code == llm.CodeStreamCut || code == llm.CodeStreamError:
					case err == nil || code == llm.CodeBadReply:
						okAt++
						if show(reply) != show(whole) {
							t.Fatalf("cut at %d of %d: taken as %s", i, len(r.body), show(reply))
						}
					default:
						t.Fatalf("cut at %d: %v", i, err)
					}
				}
				// Only the very end may be cut off.
				if okAt > 250/step+1 {
					t.Errorf("%d cuts were taken as the whole", okAt)
				}
			}
		})
	}
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

// streamOf serves a fixed stream in a format and gives the reply.
func streamOf(t *testing.T, provider, body string, req llm.Request) (*llm.Reply, error) {
	t.Helper()
	r := recorded{name: "ollama tools", header: "text/event-stream"}
	cfg := fresh(llm.Config{Provider: provider, Model: "m", APIKey: "k"}, replay(r, func() io.Reader { return strings.NewReader(body) }))
	yes := true
	cfg.Tools = &yes
	return model(t, cfg).Chat(t.Context(), req, nil)
}

const clickArgs = `{\"action\":\"click\",\"params\":{\"index\":5}}`

func oa(delta, finish string) string {
	return `data: {"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}` + "\n\n"
}

func oaTool(fields, args string) string {
	return oa(`{"tool_calls":[{`+fields+`"function":{`+args+`}}]}`, "null")
}

// Streams as servers really send them, each with the fault it is known for.
func TestStreamFaults(t *testing.T) {
	done := oa("{}", `"tool_calls"`) + "data: [DONE]\n\n"
	click := `browser_action{"action":"click","params":{"index":5}}`
	click6 := `browser_action{"action":"click","params":{"index":6}}`
	big := strings.Repeat("x", 300<<10)
	cases := []struct {
		name, provider, body string
		want                 string // of show
		code                 string
		says                 string
	}{
		{
			name: "type and id on every piece (DashScope)", provider: "qwen", want: " | " + click,
			body: oaTool(`"index":0,"id":"a","type":"function",`, `"name":"browser_action","arguments":""`) +
				oaTool(`"index":0,"id":"a","type":"function",`, `"name":"","arguments":"{\"action\":\"click\","`) +
				oaTool(`"index":0,"id":"a","type":"function",`, `"arguments":"\"params\":{\"index\":5}}"`) + done,
		},
		{
			name: "another id on every piece", provider: "custom", want: " | " + click,
			body: oaTool(`"index":0,"id":"a","type":"function",`, `"name":"browser_action","arguments":"{\"action\":\"click\","`) +
				oaTool(`"index":0,"id":"b","type":"function",`, `"arguments":"\"params\":{\"index\":5}}"`) + done,
		},
		{
			name: "index 0 for all parallel calls (Ollama)", provider: "custom", want: " | " + click + " " + click6,
			body: oaTool(`"index":0,"id":"a","type":"function",`, `"name":"browser_action","arguments":"`+clickArgs+`"`) +
				oaTool(`"index":0,"id":"b","type":"function",`, `"name":"browser_action","arguments":"`+strings.ReplaceAll(clickArgs, "5", "6")+`"`) + done,
		},
		{
			name: "index 0 and no ids", provider: "custom", want: " | " + click + " " + click6,
			body: oaTool(`"index":0,`, `"name":"browser_action","arguments":"`+clickArgs+`"`) +
				oaTool(`"index":0,`, `"name":"browser_action","arguments":"`+strings.ReplaceAll(clickArgs, "5", "6")+`"`) + done,
		},
		{
			name: "pieces of parallel calls mixed", provider: "openai", want: " | " + click + " " + click6,
			body: oaTool(`"index":0,"id":"a","type":"function",`, `"name":"browser_action","arguments":""`) +
				oaTool(`"index":1,"id":"b","type":"function",`, `"name":"browser_action","arguments":""`) +
				oaTool(`"index":0,`, `"arguments":"{\"action\":\"click\",\"params\":"`) + oaTool(`"index":1,`, `"arguments":"{\"action\":\"click\",\"params\":"`) +
				oaTool(`"index":1,`, `"arguments":"{\"index\":6}}"`) + oaTool(`"index":0,`, `"arguments":"{\"index\":5}}"`) + done,
		},
		{
			name: "no index (Gemini)", provider: "google", want: " | " + click + " " + click6,
			body: oaTool(`"id":"","type":"function",`, `"name":"browser_action","arguments":"`+clickArgs+`"`) +
				oaTool(`"id":"","type":"function",`, `"name":"browser_action","arguments":"`+strings.ReplaceAll(clickArgs, "5", "6")+`"`) + done,
		},
		{
			name: "arguments as an object", provider: "custom", want: " | " + click,
			body: oaTool(`"index":0,"id":"a",`, `"name":"browser_action","arguments":{"action":"click","params":{"index":5}}`) + done,
		},
		{
			name: "old function_call", provider: "custom", want: " | " + click,
			body: oa(`{"function_call":{"name":"browser_action","arguments":"`+clickArgs+`"}}`, "null") + oa("{}", `"function_call"`) + "data: [DONE]\n\n",
		},
		{
			name: "CRLF, comments, no space after the colon", provider: "openrouter", want: "hi |",
			body: ": OPENROUTER PROCESSING\r\n\r\n" + strings.ReplaceAll(strings.ReplaceAll(oa(`{"content":"hi"}`, "null")+oa("{}", `"stop"`), "data: ", "data:"), "\n", "\r\n") + "data:[DONE]\r\n\r\n",
		},
		{name: "a huge line", provider: "openai", want: big + " |", body: oa(`{"content":"`+big+`"}`, "null") + oa("{}", `"stop"`) + "data: [DONE]\n\n"},
		{
			name: "huge arguments", provider: "openai", want: ` | browser_action{"action":"type","params":{"text":"` + big + `"}}`,
			body: oaTool(`"index":0,"id":"a",`, `"name":"browser_action","arguments":"{\"action\":\"type\",\"params\":{\"text\":\"`+big+`\"}}"`) + done,
		},
		{name: "no [DONE]", provider: "custom", want: "hi |", body: oa(`{"content":"hi"}`, "null") + oa("{}", `"stop"`)},
		{name: "[DONE] without a reason", provider: "custom", code: llm.CodeStreamCut, body: oa(`{"content":"hi"}`, "null") + "data: [DONE]\n\n"},
		{name: "error frame", provider: "openai", code: llm.CodeStreamError, says: "The server had an error", body: oa(`{"content":"hi"}`, "null") + `data: {"error":{"message":"The server had an error"}}` + "\n\ndata: [DONE]\n\n"},
		{name: "error event", provider: "custom", code: llm.CodeStreamError, says: "boom", body: oa(`{"content":"hi"}`, "null") + "event: error\ndata: {\"message\":\"boom\"}\n\n"},
		{name: "error as a reason (OpenRouter)", provider: "openrouter", code: llm.CodeOverloaded, body: `data: {"choices":[{"delta":{"content":""},"finish_reason":"error","error":{"message":"Provider overloaded"}}]}` + "\n\n"},
		{name: "context error frame", provider: "custom", code: llm.CodeContextOverflow, body: `data: {"error":{"message":"the request exceeds the available context size"}}` + "\n\n"},
		{name: "no JSON", provider: "custom", code: llm.CodeStreamError, body: "data: <html>\n\n"},
		{
			name: "arguments cut off", provider: "openai", code: llm.CodeBadReply, says: "cut off",
			body: oaTool(`"index":0,"id":"a",`, `"name":"browser_action","arguments":"{\"action\":\"type\",\"params\":{\"text\":\"hel"`) + oa("{}", `"length"`) + "data: [DONE]\n\n",
		},
		{
			name: "a bracket short is no bracket in a native call", provider: "openai", code: llm.CodeBadReply, says: "cut off",
			body: oaTool(`"index":0,"id":"a",`, `"name":"browser_action","arguments":"{\"action\":\"click\",\"params\":{\"index\":5}"`) + done,
		},
		{
			name: "unknown function", provider: "openai", code: llm.CodeBadReply, says: `no tool or action "fly"`,
			body: oaTool(`"index":0,"id":"a",`, `"name":"fly","arguments":"{}"`) + done,
		},
		{
			name: "call as text in a native reply", provider: "openai", want: "Sure. | " + click,
			body: oa(`{"content":"Sure.\n<tool_call>{\"name\":\"browser_action\",\"arguments\":`+strings.ReplaceAll(clickArgs, `\"`, `\"`)+`}</tool_call>"}`, "null") + oa("{}", `"stop"`) + "data: [DONE]\n\n",
		},
		{
			name: "usage before the reason, reasoning by two names", provider: "deepseek", want: "hi |",
			body: oa(`{"reasoning_content":"a","reasoning":"a"}`, "null") + `data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":"none"}}` + "\n\n" + oa(`{"content":"hi"}`, "null") + oa("{}", `"stop"`) + "data: [DONE]\n\n",
		},
		{name: "ollama: error frame", provider: "ollama", code: llm.CodeStreamError, says: "llama runner", body: `{"message":{"role":"assistant","content":"hi"},"done":false}` + "\n" + `{"error":"llama runner process has terminated"}` + "\n"},
		{name: "ollama: malformed call", provider: "ollama", code: llm.CodeBadReply, says: "tool call", body: `{"error":"error parsing tool call: raw='{' err=unexpected end"}` + "\n"},
		{name: "ollama: no done", provider: "ollama", code: llm.CodeStreamCut, body: `{"message":{"role":"assistant","content":"hi"},"done":false}` + "\n"},
		{name: "ollama: not JSON", provider: "ollama", code: llm.CodeStreamError, body: "<html>\n"},
		{name: "ollama: a huge line", provider: "ollama", want: big + " |", body: `{"message":{"content":"` + big + `"},"done":true,"done_reason":"stop"}` + "\n"},
		{name: "ollama: no end of line at the end", provider: "ollama", want: "hi |", body: `{"message":{"content":"hi"},"done":true,"done_reason":"stop"}`},
		{name: "ollama: calls without ids", provider: "ollama", want: " | " + click + " " + click6, body: `{"message":{"content":"","tool_calls":[{"function":{"name":"browser_action","arguments":{"action":"click","params":{"index":5}}}},{"function":{"name":"browser_action","arguments":{"action":"click","params":{"index":6}}}}]},"done":false}` + "\n" + `{"message":{"content":""},"done":true,"done_reason":"stop"}` + "\n"},
		{
			name: "anthropic: unknown blocks", provider: "anthropic", want: "hi | " + click,
			body: an("message_start", `"message":{"usage":{"input_tokens":3}}`) + an("content_block_start", `"index":0,"content_block":{"type":"redacted_thinking","data":"x"}`) + an("content_block_stop", `"index":0`) +
				an("new_event", `"x":1`) + an("content_block_start", `"index":1,"content_block":{"type":"text","text":""}`) + an("content_block_delta", `"index":1,"delta":{"type":"text_delta","text":"hi"}`) + an("content_block_stop", `"index":1`) +
				an("content_block_start", `"index":2,"content_block":{"type":"tool_use","id":"t","name":"browser_action","input":{}}`) + an("content_block_delta", `"index":2,"delta":{"type":"input_json_delta","partial_json":"`+clickArgs+`"}`) + an("content_block_stop", `"index":2`) +
				an("message_delta", `"delta":{"stop_reason":"tool_use"}`) + an("message_stop", `"x":0`),
		},
		{
			name: "anthropic: input that is not JSON", provider: "anthropic", code: llm.CodeBadReply, says: "cut off",
			body: an("message_start", `"message":{}`) + an("content_block_start", `"index":0,"content_block":{"type":"tool_use","id":"t","name":"browser_action","input":{}}`) + an("content_block_delta", `"index":0,"delta":{"type":"input_json_delta","partial_json":"{\"action\":\"cl"}`) +
				an("content_block_stop", `"index":0`) + an("message_delta", `"delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":5}`) + an("message_stop", `"x":0`),
		},
		{name: "anthropic: error event", provider: "anthropic", code: llm.CodeOverloaded, body: an("message_start", `"message":{}`) + an("error", `"error":{"type":"overloaded_error","message":"Overloaded"}`)},
		{name: "anthropic: nothing said", provider: "anthropic", want: " |", body: an("message_start", `"message":{}`) + an("message_delta", `"delta":{"stop_reason":"end_turn"}`) + an("message_stop", `"x":0`)},
		{name: "anthropic: block never closed", provider: "anthropic", code: llm.CodeStreamCut, body: an("message_start", `"message":{}`) + an("content_block_start", `"index":0,"content_block":{"type":"text"}`) + an("message_delta", `"delta":{"stop_reason":"end_turn"}`) + an("message_stop", `"x":0`)},
		{name: "anthropic: no stop reason", provider: "anthropic", code: llm.CodeStreamCut, body: an("message_start", `"message":{}`) + an("message_stop", `"x":0`)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			reply, err := streamOf(t, c.provider, c.body, ask("go"))
			if c.code != "" {
				if llm.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
					t.Fatalf("error %v, want %s with %q", err, c.code, c.says)
				}
				if c.code != llm.CodeBadReply && reply != nil {
					t.Errorf("a broken stream gave a reply: %s", show(reply))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if show(reply) != c.want {
				t.Errorf("got  %.300s\nwant %.300s", show(reply), c.want)
			}
			if strings.Contains(c.name, "two names") && (reply.Reasoning != "a" || reply.Usage != llm.Usage{Input: 3, Output: 4}) {
				t.Errorf("reasoning %q, usage %+v", reply.Reasoning, reply.Usage)
			}
		})
	}
}

func an(name, fields string) string {
	return "event: " + name + "\ndata: {\"type\":\"" + name + "\"," + fields + "}\n\n"
}

// What is not a success, by status and words.
func TestStatus(t *testing.T) {
	cases := []struct {
		provider, body, header, code, hint string
		status                             int
		after                              time.Duration
	}{
		{provider: "openai", status: 401, body: `{"error":{"message":"Incorrect API key provided"}}`, code: llm.CodeUnauthorized, hint: "OPENAI_API_KEY"},
		{provider: "anthropic", status: 401, body: `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, code: llm.CodeUnauthorized, hint: "ANTHROPIC_API_KEY"},
		{provider: "google", status: 400, body: `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]`, code: llm.CodeUnauthorized},
		{provider: "openai", status: 429, header: "7", body: `{"error":{"message":"Rate limit reached"}}`, code: llm.CodeRateLimited, after: 7 * time.Second},
		{provider: "anthropic", status: 529, body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, code: llm.CodeOverloaded},
		{provider: "custom", status: 503, body: `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, code: llm.CodeOverloaded},
		{provider: "openai", status: 404, body: `{"error":{"message":"The model gpt-9 does not exist","code":"model_not_found"}}`, code: llm.CodeModelNotFound},
		{provider: "openai", status: 400, body: `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`, code: llm.CodeContextOverflow},
		{provider: "anthropic", status: 400, body: `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, code: llm.CodeContextOverflow},
		{provider: "custom", status: 502, body: "<html>Bad gateway</html>", code: llm.CodeServerError},
		{provider: "custom", status: 413, body: "", code: llm.CodeContextOverflow},
		{provider: "openai", status: 200, header: "json", body: `{"error":{"message":"quota exceeded"}}`, code: llm.CodeRateLimited},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s %d %s", c.provider, c.status, c.code), func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if c.after > 0 {
					w.Header().Set("Retry-After", c.header)
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer srv.Close()
			cfg := llm.Config{Provider: c.provider, Model: "gpt-9", APIKey: "sk-secret", BaseURL: srv.URL, Retries: -1}
			_, err := model(t, cfg).Chat(t.Context(), ask("go"), nil)
			if llm.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.hint) {
				t.Fatalf("error %v, want %s", err, c.code)
			}
			if strings.Contains(err.Error(), "sk-secret") {
				t.Error("the key is in the error")
			}
			if e := asError(t, err); e.RetryAfter != c.after {
				t.Errorf("retry after %v, want %v", e.RetryAfter, c.after)
			}
		})
	}
}

// A server that stalls is given up after the time-out, with the connection
// closed; one that is slow but alive is not.
func TestStall(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			rec := recordOne(t, f.format)
			gone := make(chan struct{})
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/api/show") {
					_, _ = io.WriteString(w, `{"capabilities":["completion","tools"]}`)
					return
				}
				if r.Method == http.MethodGet {
					http.NotFound(w, r)
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", rec.header)
				_, _ = w.Write(rec.body[:len(rec.body)/2])
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
				close(gone)
			}))
			defer srv.Close()
			cfg := rec.cfg
			cfg.BaseURL, cfg.Timeout, cfg.Retries = srv.URL, 150*time.Millisecond, -1
			_, err := model(t, cfg).Chat(t.Context(), ask("go"), nil)
			if llm.CodeOf(err) != llm.CodeTimeout {
				t.Fatalf("error %v", err)
			}
			select {
			case <-gone:
			case <-time.After(2 * time.Second):
				t.Error("the connection was left open")
			}
		})
	}
}

func recordOne(t *testing.T, f standin.Format) recorded {
	t.Helper()
	for i, r := range record(t) {
		if formats[i].format == f {
			return r
		}
	}
	t.Fatal("no such format")
	return recorded{}
}
