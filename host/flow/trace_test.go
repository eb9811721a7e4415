package flow

import (
	"encoding/base64"
	"encoding/json"
	"html/template"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// hostile is what a page or a model may say, wherever text of theirs stands.
const hostile = `</pre></script><script>document.documentElement.dataset.hacked=1</script><img src=x onerror="document.documentElement.dataset.hacked=2">` +
	`" onload="document.documentElement.dataset.hacked=3" x="{{.Task}}<svg onload=document.documentElement.dataset.hacked=4>`

func hostileTrace() Trace {
	step := wire.StepInfo{
		N: 1, Action: "click", Params: json.RawMessage(`{"text":` + string(quoteJSON(hostile)) + `}`), Line: "Clicked " + hostile,
		Target: hostile, Site: hostile, Level: "confirm", Outcome: `ok" onclick="x`, Effect: hostile, Error: &wire.Error{Code: "x", Message: hostile},
	}
	asked := wire.ConfirmInfo{Action: "click", Target: hostile, Site: hostile, Reasons: []string{hostile}, Amount: hostile, Answer: "deny", By: "panel"}
	return NewTrace(wire.TaskInfo{Task: "t1", Text: hostile, State: wire.TaskDone, Started: 1}, []wire.Event{
		{Time: 1, Type: wire.EvStarted, Text: hostile},
		{Time: 3, Type: wire.EvConfirmRequest, Confirm: &asked},
		{Time: 4, Type: wire.EvConfirmResult, Confirm: &asked},
		{Time: 5, Type: wire.EvToolCall, Step: &step},
		{Time: 6, Type: wire.EvToolResult, Step: &step, Usage: &wire.UsageInfo{Steps: 1, InputTokens: 1234, OutputTokens: 56, Millis: 5}},
		{Time: 7, Type: wire.EvComplete, Text: hostile},
	}, []Mark{{Kind: MarkLook, Time: 2, Saw: hostile, Said: hostile, Calls: []llm.Call{{Name: hostile, Args: json.RawMessage(`{}`)}}, Usage: llm.Usage{Input: 1234}}},
		func(int) (wire.Picture, bool) {
			return wire.Picture{MIME: "image/png", Data: onePixel}, true
		})
}

func quoteJSON(s string) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return raw
}

var onePixel = base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82"))

// The page is what Go's html/template, which knows where a value stands, makes of it.
func TestATraceIsEscaped(t *testing.T) {
	funcs := template.FuncMap{}
	maps.Copy(funcs, template.FuncMap(traceFuncs))
	funcs["image"] = func(p *wire.Picture) template.URL { return template.URL(imageURL(p)) } //nolint:gosec // checked by imageURL
	var want strings.Builder
	if err := template.Must(template.New("trace.html.tmpl").Funcs(funcs).ParseFS(traceFiles, "*")).Execute(&want, hostileTrace()); err != nil {
		t.Fatal(err)
	}
	if got, err := hostileTrace().HTML(); err != nil || got != strings.ReplaceAll(want.String(), "&#43;", "+") {
		t.Errorf("%v\n got %s\nwant %s", err, got, want.String())
	}
}

// No script that stands in what a page or a model said runs in the trace, in a
// real Chromium, and nothing is fetched.
func TestATraceRunsNoScript(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser")
	}
	page, err := hostileTrace().HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, never := range []string{"<script", "http://", "https://", "<link", "@import"} {
		if strings.Contains(strings.ToLower(page), never) {
			t.Errorf("the page has %q", never)
		}
	}
	var asked []string
	// Once with the page's own policy, once without: escaping must do alone.
	bare := strings.Replace(page, `http-equiv="Content-Security-Policy"`, `name="x"`, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			_, _ = w.Write([]byte(page)) // the browser may have gone
		case "/bare":
			_, _ = w.Write([]byte(bare)) // as above
		case "/favicon.ico":
		default:
			asked = append(asked, r.URL.Path)
		}
	}))
	defer server.Close()
	br, err := launch.Start(t.Context(), launch.Options{Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := br.Close(); err != nil {
			t.Error(err)
		}
	}()
	d, err := direct.Connect(t.Context(), br.URL(), direct.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, path := range []string{"/", "/bare"} {
		info, err := d.Open(t.Context(), "about:blank", true, "")
		if err != nil {
			t.Fatal(err)
		}
		tab, err := d.Attach(t.Context(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := tab.Navigate(t.Context(), server.URL+path); err != nil {
			t.Fatal(err)
		}
		raw, err := tab.Evaluate(t.Context(), `new Promise(done => {
			const look = () => done(JSON.stringify({hacked: document.documentElement.dataset.hacked || "", scripts: document.scripts.length,
				images: [...document.images].map(i => i.src.slice(0, 10) + i.naturalWidth), steps: document.querySelectorAll('.item').length,
				handlers: [...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length,
				text: document.body.innerText}));
			document.readyState === 'complete' ? look() : addEventListener('load', look);
		})`)
		if err != nil {
			t.Fatal(err)
		}
		var quoted string
		var got struct {
			Hacked                   string
			Scripts, Steps, Handlers int
			Images                   []string
			Text                     string
		}
		if err := json.Unmarshal(raw, &quoted); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(quoted), &got); err != nil {
			t.Fatal(err)
		}
		if got.Hacked != "" || got.Scripts != 0 || got.Handlers != 0 || len(got.Images) != 1 || got.Images[0] != "data:image1" {
			t.Errorf("%s: hacked %q, %d scripts, %d handlers, images %v", path, got.Hacked, got.Scripts, got.Handlers, got.Images)
		}
		if got.Steps != 6 || !strings.Contains(got.Text, "1234 tokens read, 56 written") || !strings.Contains(got.Text, "deny (panel)") || !strings.Contains(got.Text, "onerror=") {
			t.Errorf("%s: %d items:\n%s", path, got.Steps, got.Text)
		}
	}
	if len(asked) > 0 {
		t.Errorf("it fetched %v", asked)
	}
}
