package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// serverErrors are bodies as they stand in public reports, with what each asks for.
var serverErrors = []struct {
	server, thread string
	status         int // 0: within a stream
	body           string
	code           string
	after          time.Duration
}{
	// Too long: shorten, and send again.
	{"llama.cpp", "https://github.com/ggml-org/llama.cpp/pull/15780", 400, `{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":1407,"n_ctx":256}}`, CodeContextOverflow, 0},
	{"llama.cpp, in a stream", "https://github.com/oobabooga/textgen/issues/7257", 0, `{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}`, CodeContextOverflow, 0},
	{"llama-cpp-python", "https://github.com/fedora-copr/logdetective-website/pull/193", 500, `{"error":{"message":"Requested tokens (2285) exceed context window of 2048","type":"internal_server_error"}}`, CodeContextOverflow, 0},
	{"vLLM", "https://github.com/vllm-project/vllm/issues/20409", 400, `{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 19591 tokens (9591 in the messages, 10000 in the completion). Please reduce the length of the messages or completion. None","type":"BadRequestError","param":null,"code":400}`, CodeContextOverflow, 0},
	{"vLLM, with pictures", "https://github.com/thu-coai/Glyph/issues/9", 400, `{"error":{"message":"The decoder prompt (length 163840) is longer than the maximum model length of 131072. Make sure that ` + "`max_model_len`" + ` is no smaller than the number of text tokens plus multimodal tokens. For image inputs, the number of image tokens depends on the number of images, and possibly their aspect ratios as well.","type":"BadRequestError","param":null,"code":400}}`, CodeContextOverflow, 0},
	{"LM Studio", "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546", 400, `{"error":"Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input. Error Data: n/a, Additional Data: n/a"}`, CodeContextOverflow, 0},
	{"LM Studio, newer", "https://github.com/Gitlawb/openclaude/issues/353", 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input."}`, CodeContextOverflow, 0},
	{"SGLang", "https://github.com/QwenLM/Qwen3/issues/1321", 400, `{"object":"error","message":"The input (61709 tokens) is longer than the model's context length (40960 tokens).","type":"BadRequestError","param":null,"code":400}`, CodeContextOverflow, 0},
	{"oMLX", "https://github.com/ValueCell-ai/ClawX/issues/658", 400, `{"error":{"message":"Prompt too long: 41911 tokens exceeds max context window of 32768 tokens"}}`, CodeContextOverflow, 0},
	{"DashScope", "https://github.com/agentscope-ai/QwenPaw/issues/6255", 400, `{"error":{"code":"invalid_parameter_error","message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]","param":null,"type":"invalid_request_error"},"request_id":"81a373d6"}`, CodeContextOverflow, 0},
	{"OpenRouter", "https://github.com/cline/cline/issues/3855", 400, `{"error":{"message":"This endpoint's maximum context length is 1047576 tokens. However, you requested about 1620141 tokens (1620141 of text input). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400}}`, CodeContextOverflow, 0},
	{"OpenRouter, by credit", "https://github.com/continuedev/continue/issues/11540", 402, `{"error":{"message":"Prompt tokens limit exceeded: 36163 > 29652. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account","code":402}}`, CodeContextOverflow, 0},
	{"Groq, by minute", "https://github.com/HunorLaczko/ha-groq-cloud-api/issues/27", 413, `{"error":{"message":"Request too large for model llama-3.1-8b-instant in organization org_x service tier on_demand on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing","type":"tokens","code":"rate_limit_exceeded"}}`, CodeContextOverflow, 0},
	{"OpenAI, by minute", "https://github.com/vanna-ai/vanna-flask/issues/11", 429, `{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}`, CodeContextOverflow, 0},
	{"OpenAI", "https://github.com/langchain-ai/langchainjs/issues/5888", 400, `{"error":{"message":"This model's maximum context length is 16385 tokens. However, your messages resulted in 38551 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, CodeContextOverflow, 0},

	// Too soon: wait as long as the server says.
	{"Google", "https://github.com/googleapis/python-genai/pull/2114", 429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 58.934310785s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"58s"}]}}`, CodeRateLimited, 58934310785},
	{"Google, in the details only", "https://github.com/RooCodeInc/Roo-Code/pull/2118", 429, `[{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"12s"}]}}]`, CodeRateLimited, 12 * time.Second},
	{"Google, no wait", "https://github.com/google-gemini/gemini-cli/issues/14811", 0, `{"error":{"message":"{\n  \"error\": {\n    \"code\": 429,\n    \"message\": \"Resource has been exhausted (e.g. check quota).\",\n    \"status\": \"RESOURCE_EXHAUSTED\"\n  }\n}\n","code":429,"status":"Too Many Requests"}}`, CodeRateLimited, 0},
	{"Groq", "https://github.com/elizaOS/eliza/issues/4040", 429, "{\"error\":{\"message\":\"Rate limit reached for model `llama-3.1-8b-instant` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}", CodeRateLimited, 4770 * time.Millisecond},
	{"GLM, in a stream", "https://github.com/yilewang/llm-for-zotero/issues/17", 0, `{"error":{"code":"1302","message":"您的账户已达到速率限制，请您控制请求频率"}}`, CodeRateLimited, 0},
	{"GLM, five hours", "https://github.com/dirge-code/dirge/issues/818", 429, `{"error":{"code":"1308","message":"已达到 5 小时的使用上限。您的限额将在 2026-08-25 07:41:44 重置。"}}`, CodeRateLimited, 0},

	// Nothing left: no waiting helps.
	{"GLM", "https://github.com/continuedev/continue/issues/10296", 429, `{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}`, CodeNoCredit, 0},
	{"Z.ai", "https://github.com/autohandai/code-cli/issues/481", 429, `{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}`, CodeNoCredit, 0},

	// Pictures: fewer of them, or none.
	{"vLLM", "https://github.com/vllm-project/vllm/issues/17757", 400, `{"object":"error","message":"At most 1 image(s) may be provided in one request.","type":"BadRequestError","param":null,"code":400}`, "pictures", 0},
	{"vLLM, five", "https://github.com/vllm-project/vllm/issues/17092", 400, `{"object":"error","message":"At most 5 image(s) may be provided in one request.","type":"BadRequestError","param":null,"code":400}`, "pictures", 0},
	{"Xinference", "https://github.com/xorbitsai/inference/issues/3054", 500, "{\"detail\":\"[address=0.0.0.0:43315, pid=822191] You set image=2 (or defaulted to 1) in `--limit-mm-per-prompt`, but passed 3 image items in the same prompt.\"}", "pictures", 0},
	{"Anthropic, pixels", "https://github.com/anthropics/claude-code/issues/5147", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.7.content.3.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels"}}`, "pictures", 0},
	{"Anthropic, many", "https://github.com/anthropics/claude-code/issues/24630", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.19.content.27.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"},"request_id":"req_x"}`, "pictures", 0},
	{"Anthropic, bytes", "https://github.com/anthropics/claude-code/issues/10612", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.0.content.2.image.source.base64: image exceeds 5 MB maximum: 15908784 bytes > 5242880 bytes"},"request_id":"req_x"}`, "pictures", 0},

	// The chat template: ask in another form.
	{"LM Studio", "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1655", 400, `{"error":"Error rendering prompt with jinja template: \"No user query found in messages.\".\n\nThis is usually an issue with the model's prompt template. If you are using a popular model, you can try to search the model under lmstudio-community, which will have fixed prompt templates."}`, CodeUnsupported, 0},
	{"vLLM", "https://github.com/vllm-project/vllm/issues/36432", 500, `{"error":{"message":"No user query found in messages.","type":"InternalServerError","param":null,"code":500}}`, CodeUnsupported, 0},
	{"LM Studio, its parser", "https://github.com/tinyhumansai/openhuman/pull/5309", 400, `{"error":{"code":400,"message":"Unable to generate parser for this template. Automatic parser generation failed: While executing CallExpression at line 79, column 24 in source"}}`, CodeUnsupported, 0},
}

// Each error of a server is of the kind that says what to do about it.
func TestServerErrors(t *testing.T) {
	for _, c := range serverErrors {
		t.Run(c.server, func(t *testing.T) {
			if !issueURL.MatchString(c.thread) {
				t.Error("no thread")
			}
			p := provider{label: c.server}
			e := statusError(p, "m", c.status, http.Header{}, []byte(c.body))
			limited := limitsImages(e)
			if c.code == "pictures" {
				if !limited {
					t.Errorf("%v is no limit of pictures", e)
				}
				return
			}
			if e.Code != c.code || e.RetryAfter != c.after || limited {
				t.Errorf("%s after %v (pictures: %t), want %s after %v", e.Code, e.RetryAfter, limited, c.code, c.after)
			}
			if e.Code != CodeUnsupported && refusesImages(e) {
				t.Error("taken as a refusal of all pictures")
			}
		})
	}
}

func TestWaitIn(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"Please try again in 7m12.5s.":               7*time.Minute + 12500*time.Millisecond,
		"try again in 850ms":                         850 * time.Millisecond,
		"Please retry after 30 seconds":              30 * time.Second,
		"retry in 12 s":                              12 * time.Second,
		"Please wait 2 minutes and 5 seconds":        2*time.Minute + 5*time.Second,
		`"retryDelay": "39s"`:                        39 * time.Second,
		`{\"retryDelay\": \"12s\"}`:                  12 * time.Second,
		`{"retry_after":4}`:                          4 * time.Second,
		`{"retry_after_ms":1500}`:                    1500 * time.Millisecond,
		"请在 12 秒后重试":                                 12 * time.Second,
		"try again in 30h":                           time.Hour,
		"Try again later.":                           0,
		"Try again later (request id: 8mk2)":         0,
		"maximum context length is 8192 tokens":      0,
		"Please wait before trying again: 5 of 6 MB": 0,
	} {
		if got := waitIn(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// scripted answers each request with the next body.
type scripted struct {
	bodies []string
	status []int
	header http.Header
	sent   []string
}

func (s *scripted) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil {
		return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
	}
	raw, _ := io.ReadAll(req.Body)
	n := len(s.sent)
	s.sent = append(s.sent, string(raw))
	n = min(n, len(s.bodies)-1)
	h := s.header.Clone()
	if h == nil {
		h = http.Header{}
	}
	return &http.Response{StatusCode: s.status[n], Header: h, Body: io.NopCloser(strings.NewReader(s.bodies[n])), Request: req}, nil
}

func scriptedModel(t *testing.T, name string, s *scripted) *Model {
	t.Helper()
	yes := true
	m, err := New(t.Context(), Config{
		Provider: name, Model: "m-" + t.Name(), APIKey: "k", BaseURL: "http://scripted.invalid/v1", Tools: &yes, Vision: &yes,
		HTTPClient: &http.Client{Transport: s}, Env: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	m.pause = func(context.Context, time.Duration) error { return nil }
	return m
}

func seen(pictures int) Request {
	req := Request{Tools: []Tool{actionTool()}, Messages: []Message{Text(RoleUser, "go")}}
	for range pictures {
		req.Messages[0].Parts = append(req.Messages[0].Parts, Part{Image: []byte("x"), MIME: "image/png"})
	}
	return req
}

const wholeCall = `{"choices":[{"index":0,"message":{"role":"assistant","content":"I go.","tool_calls":[{"id":"a","type":"function","function":{"name":"browser_action","arguments":"{\"action\":\"click\",\"params\":{\"index\":5}}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4},"error":null}`

// Pictures that are too many are sent as one, then as none; the model still sees.
func TestPictureLimit(t *testing.T) {
	limit := `{"object":"error","message":"At most 1 image(s) may be provided in one request.","code":400}`
	s := &scripted{bodies: []string{limit, `{"error":{"message":"media exceeds size limit"}}`, wholeCall}, status: []int{400, 400, 200}, header: http.Header{"Content-Type": {"application/json"}}}
	m := scriptedModel(t, "custom", s)
	reply, err := m.Chat(t.Context(), seen(3), nil)
	if err != nil || callLines(reply.Calls) != click5 {
		t.Fatalf("%v, %v", reply, err)
	}
	var counts []int
	for _, body := range s.sent {
		counts = append(counts, strings.Count(body, "image_url\":{"))
	}
	if len(counts) != 3 || counts[0] != 3 || counts[1] != 1 || counts[2] != 0 {
		t.Errorf("pictures sent: %v", counts)
	}
	if m.mem.get(&m.mem.noVision) {
		t.Error("the model is taken for blind")
	}
}

// A server that answers in one piece where a stream was asked for is read all the same.
func TestWholeAnswer(t *testing.T) {
	message := `{"id":"m","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I go."},{"type":"tool_use","id":"a","name":"browser_action","input":{"action":"click","params":{"index":5}}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}}`
	for _, c := range []struct{ provider, kind, body string }{
		{"custom", "application/json", wholeCall},
		{"custom", "text/plain", wholeCall},
		{"custom", "", wholeCall},
		{"custom", "application/json", strings.Replace(wholeCall, `"finish_reason":"tool_calls"`, `"finish_reason":null`, 1)},
		{"anthropic", "application/json; charset=utf-8", message},
	} {
		s := &scripted{bodies: []string{c.body}, status: []int{200}, header: http.Header{"Content-Type": {c.kind}}}
		var shown strings.Builder
		reply, err := scriptedModel(t, c.provider, s).Chat(t.Context(), seen(0), func(d Delta) {
			if d.Kind == DeltaText {
				shown.WriteString(d.Text)
			}
		})
		if err != nil || callLines(reply.Calls) != click5 || reply.Text != "I go." || reply.Usage.Input != 3 || reply.Usage.Output != 4 || shown.String() != "I go." {
			t.Errorf("%s, %q: %+v, %v, shown %q", c.provider, c.kind, reply, err, shown.String())
		}
	}
	for _, body := range []string{`{"error":{"message":"Overloaded"}}`, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`} {
		s := &scripted{bodies: []string{body}, status: []int{200}, header: http.Header{"Content-Type": {"application/json"}}}
		if _, err := scriptedModel(t, "anthropic", s).Chat(t.Context(), seen(0), nil); CodeOf(err) != CodeOverloaded {
			t.Errorf("%s: %v", body, err)
		}
	}
	s := &scripted{bodies: []string{`{"ok":true}`}, status: []int{200}, header: http.Header{"Content-Type": {"application/json"}}}
	if reply, err := scriptedModel(t, "custom", s).Chat(t.Context(), seen(0), nil); err == nil {
		t.Errorf("no answer was read as %+v", reply)
	}
}

// A server that asks to wait is waited for, the user is told, and longer than a few
// minutes ends with a word on when to come back.
func TestWaitIsTold(t *testing.T) {
	busy := `{"error":{"message":"Rate limit reached"}}`
	ask := func(after string, bodies []string, status []int) ([]string, []time.Duration, error) {
		s := &scripted{bodies: bodies, status: status, header: http.Header{"Retry-After": {after}, "Content-Type": {"application/json"}}}
		m := scriptedModel(t, "custom", s)
		var notes []string
		var waits []time.Duration
		m.pause = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
		_, err := m.Chat(t.Context(), seen(0), func(d Delta) {
			if d.Kind == DeltaWaiting {
				notes = append(notes, d.Text)
			}
		})
		return notes, waits, err
	}
	notes, waits, err := ask("90", []string{busy, wholeCall}, []int{429, 200})
	if err != nil || len(notes) != 1 || notes[0] != "1m30s" || len(waits) != 1 || waits[0] != 90*time.Second {
		t.Errorf("%v, told %q, waited %v", err, notes, waits)
	}
	notes, waits, err = ask("1200", []string{busy}, []int{429})
	if CodeOf(err) != CodeRateLimited || !strings.Contains(err.Error(), "20m0s") || len(notes)+len(waits) > 0 {
		t.Errorf("%v, told %q, waited %v", err, notes, waits)
	}
}

// An error after the first piece of a reply is of its kind, with the wait it names.
func TestErrorAfterFirstDelta(t *testing.T) {
	for _, c := range []struct {
		provider, body, code string
		after                time.Duration
	}{
		{"custom", "data: {\"choices\":[{\"delta\":{\"content\":\"I\"}}]}\n\ndata: {\"error\":{\"message\":\"Overloaded\",\"code\":502}}\n\n", CodeOverloaded, 0},
		{"openrouter", "data: {\"choices\":[{\"delta\":{\"content\":\"I\"}}]}\n\ndata: {\"error\":{\"code\":429,\"message\":\"Rate limit exceeded, retry in 12 s\"},\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}\n\n", CodeRateLimited, 12 * time.Second},
		{"anthropic", "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"I\"}}\n\nevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", CodeOverloaded, 0},
	} {
		s := &scripted{bodies: []string{c.body}, status: []int{200}, header: http.Header{"Content-Type": {"text/event-stream"}}}
		_, err := scriptedModel(t, c.provider, s).Chat(t.Context(), seen(0), nil)
		var e *Error
		if !errors.As(err, &e) || e.Code != c.code || e.RetryAfter != c.after || !e.Begun {
			t.Errorf("%s: %+v", c.provider, err)
		}
	}
}

// Whatever a server sends, an error is typed, and its wait is bounded.
func FuzzServerError(f *testing.F) {
	for _, c := range serverErrors {
		f.Add(c.status, c.body)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		e := statusError(provider{label: "it"}, "m", status, http.Header{}, []byte(body))
		if e.Code == "" || e.RetryAfter < 0 || e.RetryAfter > time.Hour {
			t.Fatalf("%+v", e)
		}
		for _, whole := range []func([]byte) ([]byte, bool){openAIWhole, anthropicWhole} {
			if stream, ok := whole([]byte(body)); ok && len(stream) == 0 {
				t.Fatal("a whole answer became nothing")
			}
		}
	})
}
