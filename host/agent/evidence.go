package agent

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/llm"
	"tabwright/pagecontext"
	"tabwright/prompts"
)

const (
	// A page may still be on its way to showing what came of an act.
	evidenceLooks = 3
	evidenceWait  = 500 * time.Millisecond
	evidenceLines = 40 // that the model is shown
	outcomeOutput = 600
)

// repeatable are actions that set a state: done twice they do no more than once.
var repeatable = []string{
	"scroll", "scrollIntoView", "scrollUntil", "hover", "mouseMove", "focus", "select", "check", "uncheck", "navigate",
	"goBack", "goForward", "openTab", "switchTab", "closeTab", "webSearch", "screenshot", "savePDF", "exportFile", "wait", "waitFor",
}

// harmless tells an act that may be repeated whatever came of it.
func harmless(a journal.Act) bool {
	if a.Action == "type" {
		return !submits(a.Params)
	}
	if a.Action == "click" && a.Href != "" {
		return true // a page is fetched once more
	}
	return slices.Contains(repeatable, a.Action)
}

func submits(params json.RawMessage) bool {
	var p struct {
		Submit bool `json:"submit"`
	}
	return json.Unmarshal(params, &p) == nil && p.Submit
}

// whatCame looks at the page for what came of an act. Where done is false, the
// page does not show it.
func (r *run) whatCame(ctx context.Context, a journal.Act) (done bool, evidence string, err error) {
	var fresh []string
	for look := range evidenceLooks {
		if look > 0 {
			select {
			case <-time.After(evidenceWait):
			case <-ctx.Done():
				return false, "", context.Cause(ctx)
			}
		}
		obs, err := r.observe(ctx)
		if err != nil {
			return false, "", err
		}
		fresh = newLines(a, obs)
		if evidence, ok := shows(a, obs, fresh); ok {
			return true, evidence, nil
		}
		if len(fresh) > 0 {
			break
		}
	}
	if quote := r.askOutcome(ctx, a, fresh); quote != "" {
		return true, quote, nil
	}
	if ctx.Err() != nil {
		return false, "", context.Cause(ctx)
	}
	return false, "", nil
}

// shows tells whether a page shows by itself that an act was done: what was
// acted on is gone, and another page, or other words, have come in its place.
func shows(a journal.Act, o action.Observation, fresh []string) (evidence string, ok bool) {
	if o.Dialog != nil || o.Elements == nil || a.URL == "" || !gone(a, o) {
		return "", false
	}
	web := strings.HasPrefix(o.URL, "http://") || strings.HasPrefix(o.URL, "https://")
	switch {
	case !web:
		return "", false
	case bareURL(o.URL) != bareURL(a.URL):
		return strings.TrimSpace(o.URL + " " + o.Title), true
	case len(fresh) > 0:
		return cut(fresh[0], shrunkText), true
	}
	return "", false
}

// gone tells whether nothing of the name that was acted on is on the page, as
// far as all of the page was read.
func gone(a journal.Act, o action.Observation) bool {
	name := nameIn(a.Target)
	if name == "" || len(o.Elements.Elements) < o.Elements.Total || o.Elements.Truncated || o.Elements.Unread > 0 {
		return false
	}
	for _, e := range o.Elements.Elements {
		if alike(name, e.Name) || alike(name, e.Text) {
			return false
		}
	}
	return true
}

func bareURL(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return u
}

// linesOf are the lines of a page's text, without what is another each time: the
// indices of the list, which are other ones after a restart.
func linesOf(text string) []string {
	var out []string
	for line := range strings.SplitSeq(pagecontext.WithoutIndices(text), "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// marksOf are the numbers of a page's lines, as an act keeps them.
func marksOf(text string) []uint32 {
	lines := linesOf(text)
	out := make([]uint32, len(lines))
	for i, l := range lines {
		out[i] = markOf(l)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func markOf(line string) uint32 {
	f := fnv.New32a()
	_, _ = f.Write([]byte(line)) // a hash never fails to write
	return f.Sum32()
}

// newLines are the lines of a page that it did not have when the act began;
// none where that is not known.
func newLines(a journal.Act, o action.Observation) []string {
	if len(a.Lines) == 0 {
		return nil
	}
	var out []string
	for _, l := range linesOf(o.Text) {
		if _, had := slices.BinarySearch(a.Lines, markOf(l)); !had && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// outcomeTool is the one function of the question what came of an act.
var outcomeTool = llm.Tool{
	Name: "outcome", Description: "Say whether the step was carried out.",
	Schema: json.RawMessage(`{"type":"object","properties":{"outcome":{"type":"string","enum":["done","unclear"]},"quote":{"type":"string","description":"the line that says so, word for word"}},"required":["outcome"],"additionalProperties":false}`),
}

// askOutcome asks the model whether one of the lines that are new on the page
// says that the act was done, and gives that line. What it quotes must stand
// there; empty: it can't be said.
func (r *run) askOutcome(ctx context.Context, a journal.Act, fresh []string) string {
	if len(fresh) == 0 {
		return ""
	}
	if len(fresh) > evidenceLines {
		fresh = fresh[:evidenceLines]
	}
	ask := prompts.Notice(prompts.OutcomeAsk, r.Lang, cut(r.Text, 2000), stepWords(a), prompts.Fence("page", nonce(), strings.Join(fresh, "\n")))
	reply, err := r.chat(ctx, llm.Request{
		System: prompts.Notice(prompts.OutcomeSystem, r.Lang), Messages: []llm.Message{llm.Text(llm.RoleUser, ask)},
		Tools: []llm.Tool{outcomeTool}, MaxOutput: outcomeOutput, NumCtx: r.window(),
	})
	r.count(reply)
	if err != nil || reply == nil {
		return "" // then it is not known
	}
	for _, c := range reply.Calls {
		var v struct {
			Outcome string `json:"outcome"`
			Quote   string `json:"quote"`
		}
		if json.Unmarshal(c.Args, &v) != nil || v.Outcome != "done" {
			continue
		}
		quote := strings.Join(strings.Fields(v.Quote), " ")
		for _, l := range fresh {
			if quote != "" && strings.Contains(l, quote) {
				return cut(quote, shrunkText)
			}
		}
	}
	return ""
}
