package agent

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"tabwright/host/journal"
	"tabwright/host/native/wire"
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

// stepLine is a finished step as the model is reminded of it.
func stepLine(s wire.StepInfo) string {
	line := s.Line
	if s.Effect != "" {
		line += ": " + pageWords(s.Effect)
	}
	if s.Outcome != outcomeOK && s.Outcome != "" {
		line += " (" + s.Outcome + ")"
	}
	return line
}

// stepWords is an act in plain words: click button "Pay" on shop.test.
func stepWords(a journal.Act) string {
	out := a.Action
	if a.Target != "" {
		out += " " + a.Target
	}
	if a.Site != "" {
		out += " (" + a.Site + ")"
	}
	return out
}

// nameIn is the name in a target's words: Pay in button "Pay".
func nameIn(target string) string {
	i := strings.IndexByte(target, '"')
	if i < 0 {
		return ""
	}
	quoted, err := strconv.QuotedPrefix(target[i:])
	if err != nil {
		return strings.Trim(target[i:], `"`)
	}
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return strings.Trim(quoted, `"`)
	}
	return name
}

// pageWords are words of a page where no fence is: in quotes, and one line of
// them, so that they look like nobody else's.
func pageWords(s string) string {
	return strconv.Quote(cut(strings.Join(strings.Fields(s), " "), shrunkText))
}

// like tells whether an act is such that it might do again what another did:
// the same target, or another way to send what the other sent.
func like(old, now journal.Act) bool {
	if old.Site != now.Site || harmless(now) {
		return false
	}
	if now.Action == "executeJS" || old.Action == "executeJS" {
		return true // code can press anything
	}
	if a, b := nameIn(old.Target), nameIn(now.Target); a != "" && alike(a, b) {
		return true
	}
	if old.Target == "" || now.Target == "" {
		return true // a point, a key: it can't be said what they reach
	}
	return sends(old) || sends(now)
}

// sends tells whether an act sends a form by whatever its target is called.
func sends(a journal.Act) bool {
	if a.Action == "type" {
		return submits(a.Params)
	}
	return (a.Action == "pressKey" || a.Action == "keyDown") && strings.Contains(string(a.Params), "Enter")
}

// alike tells whether two names differ only in digits and the case of letters.
func alike(a, b string) bool {
	plain := func(s string) string {
		s = strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return -1
			}
			return c
		}, strings.ToLower(s))
		return strings.Join(strings.Fields(s), " ")
	}
	return plain(a) == plain(b)
}
