package agent

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/llm"
)

var update = flag.Bool("update", false, "write the golden files")

// randomFence is the part of a fence that no page can know.
var randomFence = regexp.MustCompile(`(<<<(?:page|result) )[a-z0-9]{8}|[a-z0-9]{8}( (?:page|result)>>>)`)

// The whole of a request, for each mode, size and language: system text,
// functions, notes for the other ways, and the messages of the second step.
func TestGoldenRequests(t *testing.T) {
	tasks := map[string]string{"en": "buy the cheapest blue mug", "zh": "买最便宜的蓝色杯子"}
	plans := map[string]string{"en": `["pay","read the number"]`, "zh": `["付款","看订单号"]`}
	for _, vision := range []bool{false, true} {
		for _, size := range llm.Sizes() {
			for _, lang := range []string{"en", "zh"} {
				mode := map[bool]string{false: "dom", true: "hybrid"}[vision]
				t.Run(mode+"_"+size+"_"+lang, func(t *testing.T) {
					m := &fakeModel{
						caps:   llm.Capabilities{Vision: vision, Size: size, Context: 16384},
						script: script{planned("", `"plan":`+plans[lang], act("click", `{"index":1}`)), done("ok")},
					}
					h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
						return action.Result{Action: c.Name, Text: "Clicked button \"Pay\"", Line: "Clicked", Effect: "the page changed", PageRev: 2}
					}}
					try(t, m, h, func(o *Options) { o.Text, o.Lang = tasks[lang], lang })
					golden(t, "request_"+mode+"_"+size+"_"+lang+".txt", renderRequest(m.reqs[1]))
				})
			}
		}
	}
}

func renderRequest(r llm.Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "== system ==\n%s\n", r.System)
	for _, tool := range r.Tools {
		fmt.Fprintf(&b, "\n== function %s ==\n%s\n%s\n", tool.Name, tool.Description, tool.Schema)
	}
	for _, w := range []llm.Way{llm.WaySchema, llm.WayMarkdown} {
		fmt.Fprintf(&b, "\n== note of the way %s, in place of the functions ==\n%s\n", w, r.Notes[w])
	}
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "\n== %s %s==\n%s\n", m.Role, m.CallID, m.PlainText())
		for _, c := range m.Calls {
			fmt.Fprintf(&b, "(calls %s %s)\n", c.Name, c.Args)
		}
		for _, p := range m.Parts {
			if len(p.Image) > 0 {
				fmt.Fprintf(&b, "(picture, %s)\n", p.MIME)
			}
		}
	}
	fmt.Fprintf(&b, "\n== at most %d tokens of reply, window %d ==\n", r.MaxOutput, r.NumCtx)
	return randomFence.ReplaceAllString(b.String(), "${1}········$2")
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run go test ./host/agent -run Golden -update and look at the change", name)
	}
}
