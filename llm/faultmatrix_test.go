package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"tabwright/llm"
)

// wire is how one format frames its stream, for faults to be put into it.
type wire struct {
	sep   string // between two frames
	error string // a frame that reports an error
	// huge is a frame, or a few, whose thinking is the text %s.
	huge string
	// rewrite changes one frame of tool calls: the index of all is 0, and type
	// and id stand on every piece.
	rewrite func(t *testing.T, frame string) string
}

var wires = map[string]wire{
	"ollama": {
		sep: "\n", error: `{"error":"boom"}`, huge: `{"message":{"role":"assistant","content":"","thinking":"%s"},"done":false}`,
		rewrite: func(t *testing.T, frame string) string {
			return rewriteJSON(t, "", frame, func(v map[string]any) {
				msg, _ := v["message"].(map[string]any)
				for _, c := range list(msg["tool_calls"]) {
					fn, _ := c["function"].(map[string]any)
					fn["index"] = 0
					c["type"] = "function"
				}
			})
		},
	},
	"openai": {
		sep: "\n\n", error: `data: {"error":{"message":"boom"}}`, huge: `data: {"choices":[{"index":0,"delta":{"reasoning_content":"%s"}}]}`,
		rewrite: openAIRewriter(),
	},
	"anthropic": {
		sep: "\n\n", error: "event: error\ndata: " + `{"type":"error","error":{"type":"api_error","message":"boom"}}`,
		huge: `data: {"type":"content_block_start","index":99,"content_block":{"type":"thinking","thinking":""}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":99,"delta":{"type":"thinking_delta","thinking":"%s"}}` + "\n\n" +
			`data: {"type":"content_block_stop","index":99}`,
		rewrite: func(t *testing.T, frame string) string {
			at := strings.Index(frame, "data: ")
			if at < 0 {
				return frame
			}
			return frame[:at] + rewriteJSON(t, "data: ", frame[at:], func(v map[string]any) {
				if _, has := v["index"]; has {
					v["index"] = 0
				}
			})
		},
	},
}

func list(v any) []map[string]any {
	var out []map[string]any
	items, _ := v.([]any)
	for _, i := range items {
		if m, ok := i.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func rewriteJSON(t *testing.T, prefix, frame string, change func(map[string]any)) string {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(frame, prefix)), &v); err != nil {
		return frame // [DONE]
	}
	change(v)
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return prefix + string(b)
}

// openAIRewriter remembers the id that the first piece of a call carried.
func openAIRewriter() func(*testing.T, string) string {
	last := ""
	return func(t *testing.T, frame string) string {
		return rewriteJSON(t, "data: ", frame, func(v map[string]any) {
			for _, choice := range list(v["choices"]) {
				delta, _ := choice["delta"].(map[string]any)
				for _, c := range list(delta["tool_calls"]) {
					if id, _ := c["id"].(string); id != "" {
						last = id
					}
					c["index"], c["type"], c["id"] = 0, "function", last
				}
			}
		})
	}
}

// answers is a client whose server gives the nth request for a reply what
// respond says.
func answers(r recorded, respond func(n int) (status int, body io.Reader)) *http.Client {
	n := 0
	inner := replay(r, nil)
	return &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
		if req.Method != http.MethodPost || strings.HasSuffix(req.URL.Path, "/api/show") {
			if req.Method == http.MethodPost {
				return inner.Transport.RoundTrip(req)
			}
			return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Request: req, Body: http.NoBody}, nil
		}
		n++
		status, body := respond(n)
		body = &underContext{r: body, ctx: req.Context()}
		resp := &http.Response{StatusCode: status, Header: http.Header{}, Request: req, Body: io.NopCloser(body), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
		if status == http.StatusOK {
			resp.Header.Set("Content-Type", r.header)
		} else {
			resp.Header.Set("Retry-After-Ms", "1")
		}
		return resp, nil
	})}
}

// underContext reads as a connection does: what stalls ends with the request.
type underContext struct {
	r   io.Reader
	ctx context.Context //nolint:containedctx // the request's own
}

func (u *underContext) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if n == 0 && errors.Is(err, errStalled) {
		<-u.ctx.Done()
		return 0, u.ctx.Err()
	}
	return n, err
}

var errStalled = errors.New("stalled")

type stalled struct{}

func (stalled) Read([]byte) (int, error) { return 0, errStalled }

// Every provider through every fault: a broken reply is never a success, and
// of a good one no call is lost or doubled.
func TestEveryProviderThroughEveryFault(t *testing.T) {
	byFormat := map[string][]recorded{}
	for _, r := range record(t) {
		name, _, _ := strings.Cut(r.name, " ")
		byFormat[name] = append(byFormat[name], r)
	}
	for _, provider := range llm.Providers() {
		format := provider
		if provider != "ollama" && provider != "anthropic" {
			format = "openai"
		}
		for _, r := range byFormat[format] {
			name := provider
			if format == "ollama" {
				name = r.name
			}
			r.cfg.Provider = provider
			yes := true
			if format != "ollama" {
				r.cfg.Tools = &yes // custom has none in the table
			}
			t.Run(name, func(t *testing.T) { everyFault(t, r, wires[format]) })
		}
	}
}

func everyFault(t *testing.T, r recorded, w wire) {
	body := string(r.body)
	send := func(tune func(*llm.Config), respond func(n int) (int, io.Reader)) (*llm.Reply, error) {
		cfg := fresh(r.cfg, answers(r, respond))
		if tune != nil {
			tune(&cfg)
		}
		return model(t, cfg).Chat(t.Context(), ask("go"), nil)
	}
	once := func(s string) func(int) (int, io.Reader) {
		return func(int) (int, io.Reader) { return http.StatusOK, strings.NewReader(s) }
	}
	whole, wholeErr := send(nil, once(body))
	if wholeErr != nil && llm.CodeOf(wholeErr) != llm.CodeBadReply {
		t.Fatal(wholeErr)
	}
	good := func(t *testing.T, reply *llm.Reply, err error) {
		t.Helper()
		if llm.CodeOf(err) != llm.CodeOf(wholeErr) || show(reply) != show(whole) {
			t.Errorf("got  %.300s, %v\nwant %.300s, %v", show(reply), err, show(whole), wholeErr)
		}
	}
	frames := strings.Split(strings.TrimSuffix(body, w.sep), w.sep)

	t.Run("byte by byte", func(t *testing.T) {
		reply, err := send(nil, func(int) (int, io.Reader) { return http.StatusOK, &slowReader{s: body} })
		good(t, reply, err)
	})
	t.Run("cut after every frame", func(t *testing.T) {
		for i := range len(frames) - 1 {
			part := strings.Join(frames[:i], w.sep) + w.sep
			if reply, err := send(nil, once(part)); err == nil && show(reply) != show(whole) {
				t.Fatalf("cut after frame %d of %d: taken as %s", i, len(frames), show(reply))
			}
		}
	})
	t.Run("an error frame anywhere", func(t *testing.T) {
		// After the frame that ends the reply nothing is read any more.
		for i := range max(len(frames)-3, 1) {
			broken := append(append(append([]string{}, frames[:i]...), w.error), frames[i:]...)
			reply, err := send(nil, once(strings.Join(broken, w.sep)+w.sep))
			if llm.CodeOf(err) != llm.CodeStreamError || reply != nil || !strings.Contains(err.Error(), "boom") {
				t.Fatalf("before frame %d of %d: %s, %v", i, len(frames), show(reply), err)
			}
		}
	})
	t.Run("type and id on each piece, index 0 for all", func(t *testing.T) {
		changed := make([]string, 0, len(frames))
		for _, f := range frames {
			changed = append(changed, w.rewrite(t, f))
		}
		reply, err := send(nil, once(strings.Join(changed, w.sep)+w.sep))
		good(t, reply, err)
	})
	t.Run("429, 503, then a reply", func(t *testing.T) {
		asked := 0
		reply, err := send(func(c *llm.Config) { c.Retries = 2 }, func(n int) (int, io.Reader) {
			asked = n
			if n <= 2 {
				return []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}[n-1], strings.NewReader(`{"error":{"message":"not now"}}`)
			}
			return http.StatusOK, strings.NewReader(body)
		})
		good(t, reply, err)
		if asked != 3 {
			t.Errorf("asked %d times, want 3", asked)
		}
	})
	t.Run("a stall in the middle", func(t *testing.T) {
		hang := &stalled{}
		half := strings.Join(frames[:len(frames)/2], w.sep) + w.sep
		reply, err := send(func(c *llm.Config) { c.Timeout = 100 * time.Millisecond }, func(int) (int, io.Reader) {
			return http.StatusOK, io.MultiReader(strings.NewReader(half), hang)
		})
		if llm.CodeOf(err) != llm.CodeTimeout || reply != nil {
			t.Errorf("%s, %v", show(reply), err)
		}
	})
	t.Run("a huge line", func(t *testing.T) {
		big := strings.Repeat("x", 1<<20)
		at := len(frames) / 3
		if strings.HasPrefix(body, "event:") {
			at = 1 // after message_start, between blocks
		}
		with := append(append(append([]string{}, frames[:at]...), fmt.Sprintf(w.huge, big)), frames[at:]...)
		reply, err := send(nil, once(strings.Join(with, w.sep)+w.sep))
		good(t, reply, err)
		if err == nil && !strings.Contains(reply.Reasoning, big) {
			t.Errorf("of the huge line %d bytes are left", len(reply.Reasoning))
		}
	})
}
