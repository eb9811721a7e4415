package llm_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

func asError(t *testing.T, err error) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("not an *Error: %v", err)
	}
	return e
}

type memoryStore struct {
	mu   sync.Mutex
	ways map[string]llm.Way
}

func (s *memoryStore) LoadWay(key, _ string) (llm.Way, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.ways[key]
	return w, ok
}

func (s *memoryStore) SaveWay(key, _ string, w llm.Way) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ways == nil {
		s.ways = map[string]llm.Way{}
	}
	s.ways[key] = w
}

func (s *memoryStore) ForgetWay(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ways, key)
}

func (s *memoryStore) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.ways))
}

// openAIServer answers each request by a function of its body; it counts.
func openAIServer(t *testing.T, answer func(n int, body string) (status int, text string)) (llm.Config, *[]string) {
	t.Helper()
	var mu sync.Mutex
	var bodies []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		raw, _ := io.ReadAll(r.Body)
		mu.Lock()
		bodies = append(bodies, string(raw))
		n := len(bodies)
		mu.Unlock()
		status, text := answer(n, string(raw))
		if status != http.StatusOK {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After", "0.01")
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"error":{"message":%q}}`, text)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(srv.Close)
	return llm.Config{Provider: "openai", Model: "m", APIKey: "k", BaseURL: srv.URL}, &bodies
}

func say(text string) string {
	return oa(fmt.Sprintf(`{"content":%q}`, text), "null") + oa("{}", `"stop"`) + "data: [DONE]\n\n"
}

const goodJSON = `{"action":"click","params":{"index":5}}`

// A server that says it has no tools is taken at its word: the next way is
// tried in the same request, and remembered, also for the next process.
func TestRefusedWayIsDropped(t *testing.T) {
	store := &memoryStore{}
	cfg, bodies := openAIServer(t, func(_ int, body string) (int, string) {
		switch {
		case strings.Contains(body, `"tools"`):
			return 400, "this model does not support tools"
		case strings.Contains(body, `"response_format"`):
			return 400, "This response_format type is unavailable now"
		}
		return 200, say("```json\n" + goodJSON + "\n```")
	})
	cfg.Ways = store
	m := model(t, cfg)
	reply, err := m.Chat(t.Context(), ask("go"), nil)
	if err != nil || reply.Way != llm.WayMarkdown || len(reply.Calls) != 1 || len(*bodies) != 3 {
		t.Fatalf("%s, %v after %d requests", show(reply), err, len(*bodies))
	}
	if !strings.Contains((*bodies)[2], "browser_action") || !strings.Contains((*bodies)[2], "```json") {
		t.Error("the prompt for Markdown lacks tools or form")
	}
	if _, err := m.Chat(t.Context(), ask("go"), nil); err != nil || len(*bodies) != 4 {
		t.Errorf("the dropped ways were tried again: %d requests, %v", len(*bodies), err)
	}
	caps, _ := m.Capabilities(t.Context())
	if caps.Tools || caps.Source["tools"] != "seen" {
		t.Errorf("capabilities %+v", caps)
	}
	if len(store.ways) != 1 {
		t.Errorf("stored %v", store.ways)
	}
	for _, w := range store.ways {
		if w != llm.WayMarkdown {
			t.Errorf("stored %v", w)
		}
	}
}

// A server that takes a schema only beside the type json_object gets it so, in the
// same request and from then on; one that refuses that, too, is not asked again.
func TestSchemaBesideJSONObject(t *testing.T) {
	const message = `1 validation error: {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': "Input should be 'text' or 'json_object'", 'input': 'json_schema'}`
	for _, takes := range []bool{true, false} {
		cfg, bodies := openAIServer(t, func(_ int, body string) (int, string) {
			switch {
			case strings.Contains(body, `"tools"`):
				return 400, "this model does not support tools"
			case strings.Contains(body, `"type":"json_schema"`), !takes && strings.Contains(body, `"response_format"`):
				return 500, message
			}
			return 200, say("```json\n" + goodJSON + "\n```")
		})
		m := model(t, cfg)
		want, requests := llm.WaySchema, 3
		if !takes {
			want, requests = llm.WayMarkdown, 4
		}
		for again := range 2 {
			reply, err := m.Chat(t.Context(), ask("go"), nil)
			if err != nil || reply.Way != want || len(reply.Calls) != 1 || len(*bodies) != requests+again {
				t.Fatalf("takes %v: %s, %v after %d requests", takes, show(reply), err, len(*bodies))
			}
		}
		if last := (*bodies)[len(*bodies)-1]; takes != (strings.Contains(last, `"response_format":{"schema":{`) && strings.Contains(last, `"type":"json_object"`)) {
			t.Errorf("takes %v: the last request was %s", takes, last)
		}
	}
}

func TestStoredWayIsUsed(t *testing.T) {
	s := start(t, standin.Options{Format: standin.OllamaTools, Brain: standin.NewScript(standin.Do("click", map[string]any{"index": 1}))})
	cfg := config(s)
	cfg.Ways = &memoryStore{ways: map[string]llm.Way{"ollama " + s.URL() + " " + s.Model(): llm.WaySchema}}
	reply, err := model(t, cfg).Chat(t.Context(), ask("go"), nil)
	if err != nil || reply.Way != llm.WaySchema {
		t.Errorf("%s, %v", show(reply), err)
	}
}

// Two bad replies in a row drop a way; a good one between them does not.
func TestTwoFailuresDropAWay(t *testing.T) {
	bad := oaTool(`"index":0,"id":"a",`, `"name":"browser_action","arguments":"{\"action\":\"fly\",\"params\":{}}"`) + oa("{}", `"tool_calls"`) + "data: [DONE]\n\n"
	good := oaTool(`"index":0,"id":"a",`, `"name":"browser_action","arguments":"`+clickArgs+`"`) + oa("{}", `"tool_calls"`) + "data: [DONE]\n\n"
	order := []string{bad, good, bad, bad}
	cfg, _ := openAIServer(t, func(n int, body string) (int, string) {
		if n <= len(order) {
			return 200, order[n-1]
		}
		if !strings.Contains(body, `"json_schema"`) || strings.Contains(body, `"tools"`) {
			return 400, "not the schema way"
		}
		return 200, say(goodJSON)
	})
	m := model(t, cfg)
	for i := range order {
		reply, err := m.Chat(t.Context(), ask("go"), nil)
		if reply == nil || reply.Way != llm.WayNative {
			t.Fatalf("request %d: %s, %v", i, show(reply), err)
		}
		if (order[i] == bad) != (llm.CodeOf(err) == llm.CodeBadReply) {
			t.Fatalf("request %d: %v", i, err)
		}
		if order[i] == bad && (!strings.Contains(err.Error(), "fly") || !strings.Contains(reply.Text, "fly") || len(reply.Calls) > 0) {
			t.Errorf("the bad call is not told: %v, %s", err, show(reply))
		}
	}
	reply, err := m.Chat(t.Context(), ask("go"), nil)
	if err != nil || reply.Way != llm.WaySchema || len(reply.Calls) != 1 {
		t.Errorf("after two failures: %s, %v", show(reply), err)
	}
}

func TestReportBad(t *testing.T) {
	cfg, _ := openAIServer(t, func(int, string) (int, string) { return 200, say("I would click.") })
	m := model(t, cfg)
	for range 2 {
		reply, err := m.Chat(t.Context(), ask("go"), nil)
		if err != nil {
			t.Fatal(err)
		}
		m.ReportBad(reply)
	}
	caps, _ := m.Capabilities(t.Context())
	if m.Way(caps) != llm.WaySchema {
		t.Errorf("way %s", m.Way(caps))
	}
}

// 429 and 503 are tried again after the time the server names, as long as
// nothing has arrived.
func TestRetry(t *testing.T) {
	for _, status := range []int{429, 503, 500} {
		cfg, bodies := openAIServer(t, func(n int, _ string) (int, string) {
			if n == 1 {
				return status, "not now"
			}
			return 200, say("hi")
		})
		reply, err := model(t, cfg).Chat(t.Context(), ask("go"), nil)
		if err != nil || reply.Text != "hi" || len(*bodies) != 2 {
			t.Errorf("%d: %s, %v after %d", status, show(reply), err, len(*bodies))
		}
	}
	cfg, bodies := openAIServer(t, func(int, string) (int, string) { return 429, "not now" })
	_, err := model(t, cfg).Chat(t.Context(), ask("go"), nil)
	if e := asError(t, err); e.Code != llm.CodeRateLimited || len(*bodies) != 3 || e.RetryAfter != 10*time.Millisecond {
		t.Errorf("%v after %d, retry after %v", err, len(*bodies), e.RetryAfter)
	}
	cfg, bodies = openAIServer(t, func(int, string) (int, string) {
		return 200, oa(`{"content":"half"}`, "null") + `data: {"error":{"message":"rate limit reached"}}` + "\n\n"
	})
	if _, err := model(t, cfg).Chat(t.Context(), ask("go"), nil); llm.CodeOf(err) != llm.CodeRateLimited || len(*bodies) != 1 {
		t.Errorf("a reply that had begun was asked for again: %v after %d", err, len(*bodies))
	}
}

// A server that refuses a picture gets the same request without, at once,
// and no picture again.
func TestRefusedPicture(t *testing.T) {
	cfg, bodies := openAIServer(t, func(_ int, body string) (int, string) {
		if strings.Contains(body, "image_url") {
			return 400, "image input is not supported by this model"
		}
		return 200, say("ok")
	})
	m := model(t, cfg)
	req := ask("look")
	req.Messages[0].Parts = append(req.Messages[0].Parts, llm.Part{Image: []byte{1}, MIME: "image/png"})
	for want := 2; want <= 3; want++ {
		if _, err := m.Chat(t.Context(), req, nil); err != nil || len(*bodies) != want {
			t.Fatalf("%v after %d requests, want %d", err, len(*bodies), want)
		}
	}
	if caps, _ := m.Capabilities(t.Context()); caps.Vision || caps.Source["vision"] != "seen" {
		t.Errorf("capabilities %+v", caps)
	}
}

func TestCapabilityTable(t *testing.T) {
	yes, no := true, false
	want := map[string][2]bool{
		"google": {yes, yes}, "openai": {yes, yes}, "anthropic": {yes, yes}, "deepseek": {yes, no}, "qwen": {yes, yes}, "glm": {yes, yes},
		"custom": {no, no},
	}
	for name, w := range want {
		cfg := llm.Config{Provider: name, Model: "m", APIKey: "k", BaseURL: "http://127.0.0.1:1/v1", Env: func(string) string { return "" }}
		caps, err := model(t, cfg).Capabilities(t.Context())
		if err != nil || caps.Tools != w[0] || caps.Vision != w[1] || caps.Source["tools"] != "table" {
			t.Errorf("%s: %+v, %v", name, caps, err)
		}
		cfg.Tools, cfg.Vision, cfg.NumCtx = &no, &yes, 5000
		caps, err = model(t, cfg).Capabilities(t.Context())
		if err != nil || caps.Tools || !caps.Vision || caps.Context != 5000 || caps.Source["vision"] != "user" {
			t.Errorf("%s by the user: %+v, %v", name, caps, err)
		}
	}
	// What a server says comes before the table.
	s := start(t, standin.Options{Format: standin.OpenAI, Context: 12345})
	cfg := config(s)
	cfg.Provider = "custom"
	if caps, err := model(t, cfg).Capabilities(t.Context()); err != nil || caps.Context != 12345 || caps.Source["context"] != "server" {
		t.Errorf("custom server: %+v, %v", caps, err)
	}
}

func TestMarkdownForAnthropicWithoutTools(t *testing.T) {
	s := start(t, standin.Options{Format: standin.Anthropic, Brain: standin.NewScript(standin.Do("click", map[string]any{"index": 4}))})
	cfg := config(s)
	no := false
	cfg.Tools = &no
	reply, err := model(t, cfg).Chat(t.Context(), ask("go"), nil)
	if err != nil || reply.Way != llm.WayMarkdown || len(reply.Calls) != 1 {
		t.Errorf("%s, %v", show(reply), err)
	}
}

// A refusal that is not about the way drops none: the request is at fault,
// and the first answer says how.
func TestRefusalOfSomethingElse(t *testing.T) {
	ok := false
	cfg, bodies := openAIServer(t, func(int, string) (int, string) {
		if ok {
			return 200, say("fine")
		}
		return 400, "Unsupported parameter: 'max_completion_tokens' is not supported"
	})
	m := model(t, cfg)
	for range 3 {
		if _, err := m.Chat(t.Context(), ask("go"), nil); llm.CodeOf(err) != llm.CodeUnsupported {
			t.Fatal(err)
		}
	}
	ok = true
	reply, err := m.Chat(t.Context(), ask("go"), nil)
	if err != nil || reply.Way != llm.WayNative || len(*bodies) != 10 {
		t.Errorf("%s, %v after %d requests", show(reply), err, len(*bodies))
	}
}

func TestRefusedTemperature(t *testing.T) {
	cfg, bodies := openAIServer(t, func(_ int, body string) (int, string) {
		if strings.Contains(body, `"temperature"`) {
			return 400, "Unsupported value: 'temperature' does not support 0 with this model."
		}
		return 200, say("fine")
	})
	var zero float64
	cfg.Temperature = &zero
	m := model(t, cfg)
	for want := 2; want <= 3; want++ {
		reply, err := m.Chat(t.Context(), ask("go"), nil)
		if err != nil || reply.Way != llm.WayNative || len(*bodies) != want {
			t.Fatalf("%s, %v after %d requests, want %d", show(reply), err, len(*bodies), want)
		}
	}
}

// thinker is an Ollama with a model that thinks: so many words, then it acts.
func thinker(words int, stopped *int) standin.Brain {
	return standin.BrainFunc(func(c standin.Conversation) standin.Turn {
		*stopped++
		return standin.Turn{Reasoning: strings.Repeat("hm, let me see ", words/4), Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": 1}}}}
	})
}

// What a model thinks is not counted towards the length of its reply; where it
// thinks without end, nothing is held against it, and it is asked to think less.
func TestThoughtsAreNoPartOfTheReply(t *testing.T) {
	requests := 0
	store := &memoryStore{}
	s := start(t, standin.Options{Format: standin.OllamaTools, Thinks: true, Context: 40000, Brain: thinker(3000, &requests)})
	cfg := config(s)
	cfg.Ways = store
	m := model(t, cfg)
	reply, err := m.Chat(t.Context(), ask("go"), nil)
	if err != nil || len(reply.Calls) != 1 || llm.EstimateTokens(reply.Reasoning) < 2000 {
		t.Fatalf("%s, %v", show(reply), err)
	}
	endless := start(t, standin.Options{Format: standin.OllamaTools, Thinks: true, Context: 40000, Brain: thinker(60000, &requests)})
	cfg = config(endless)
	cfg.Ways = store
	m = model(t, cfg)
	for range 3 {
		reply, err = m.Chat(t.Context(), ask("go"), nil)
		if llm.CodeOf(err) != llm.CodeBadReply || reply.Stop != llm.StopLength || !strings.Contains(err.Error(), "thinking") {
			t.Fatalf("%s, %v", show(reply), err)
		}
		m.ReportBad(reply)
	}
	caps, err := m.Capabilities(t.Context())
	if err != nil || m.Way(caps) != llm.WayNative || !caps.Tools || len(store.ways) > 0 || len(m.Learnt()) > 0 {
		t.Errorf("it is held against the model: %+v, %v, %v", caps, store.ways, err)
	}
	req := ask("go")
	req.Brief = true
	if reply, err = m.Chat(t.Context(), req, nil); err != nil || len(reply.Calls) != 1 {
		t.Errorf("asked to think less: %s, %v", show(reply), err)
	}
}

// A reply that runs on for ever after its thoughts is cut off by us: the server's
// own bound leaves room for thoughts.
func TestAnEndlessReplyIsCutOff(t *testing.T) {
	gone := make(chan struct{}, 9)
	s := start(t, standin.Options{Format: standin.OllamaTools, Thinks: true, Context: 40000, Gone: func() { gone <- struct{}{} }, Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn {
		return standin.Turn{Reasoning: strings.Repeat("let me see ", 500), Text: strings.Repeat("and so on ", 20000)}
	})})
	reply, err := model(t, config(s)).Chat(t.Context(), ask("go"), nil)
	if llm.CodeOf(err) != llm.CodeBadReply || reply.Stop != llm.StopLength {
		t.Fatalf("%.200s, %v", show(reply), err)
	}
	if n := llm.EstimateTokens(reply.Text); n < 300 || n > 900 {
		t.Errorf("the reply has %d tokens of 300", n)
	}
}

// What was learnt of a model can be forgotten, in this process and in the file.
func TestForget(t *testing.T) {
	store := &memoryStore{}
	s := start(t, standin.Options{Format: standin.OllamaTools, Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn { return standin.Turn{Text: "I would click."} })})
	cfg := config(s)
	cfg.Ways = store
	m := model(t, cfg)
	for range 2 {
		reply, _ := m.Chat(t.Context(), ask("go"), nil)
		m.ReportBad(reply)
	}
	caps, _ := m.Capabilities(t.Context())
	if got := m.Learnt(); len(got) != 1 || got[0] != "native" || m.Way(caps) != llm.WaySchema {
		t.Fatalf("learnt %v, way %s", got, m.Way(caps))
	}
	err := llm.Forget(store, "other")
	if e := asError(t, err); e.Code != llm.CodeModelNotFound || !strings.Contains(e.Hint, "ollama/"+s.Model()) {
		t.Errorf("%v", err)
	}
	if err := llm.Forget(store, "ollama/standin"); err != nil {
		t.Fatal(err)
	}
	caps, err = m.Capabilities(t.Context())
	if err != nil || m.Way(caps) != llm.WayNative || len(m.Learnt()) > 0 || len(store.ways) > 0 {
		t.Errorf("not forgotten: %v, %v, %v", m.Learnt(), store.ways, err)
	}
	if llm.CodeOf(llm.Forget(store, "ollama/standin")) != llm.CodeModelNotFound {
		t.Error("there was nothing left to forget")
	}
}
