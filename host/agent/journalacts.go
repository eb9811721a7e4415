package agent

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// repeatable are idempotent actions.
var repeatable = []string{
	"scroll", "scrollIntoView", "scrollUntil", "hover", "mouseMove", "focus", "select", "check", "uncheck", "navigate",
	"goBack", "goForward", "openTab", "switchTab", "closeTab", "webSearch", "screenshot", "savePDF", "exportFile", "wait", "waitFor",
}

// harmless reports whether an act may be repeated whatever its outcome was.
func harmless(a journal.Act) bool {
	if a.Action == "type" {
		return !submits(a.Params)
	}
	if a.Action == "click" && a.Href != "" {
		return true // it only loads a page again
	}
	return slices.Contains(repeatable, a.Action)
}

func submits(params json.RawMessage) bool {
	var p struct {
		Submit bool `json:"submit"`
	}
	return json.Unmarshal(params, &p) == nil && p.Submit
}

// stepLine returns a finished step as one line for the model.
func stepLine(s wire.StepInfo) string {
	line := s.Line
	if s.Effect != "" {
		line += ": " + quotedLine(s.Effect)
	}
	if s.Outcome != outcomeOK && s.Outcome != "" {
		line += " (" + s.Outcome + ")"
	}
	return line
}

// stepWords returns an act in words: click button "Pay" (shop.test).
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

// nameIn returns the name in a target's words: Pay for button "Pay".
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

// quotedLine returns text of a page on one quoted line, for places without a fence, so
// that it can't pass for other text.
func quotedLine(s string) string {
	return strconv.Quote(cut(strings.Join(strings.Fields(s), " "), shrunkText))
}

// like reports whether an act might repeat another: it has the same target, or it may
// send what the other sent.
func like(old, now journal.Act) bool {
	if old.Site != now.Site || harmless(now) {
		return false
	}
	if now.Action == "executeJS" || old.Action == "executeJS" {
		return true // a script can do anything
	}
	if a, b := nameIn(old.Target), nameIn(now.Target); a != "" && alike(a, b) {
		return true
	}
	if old.Target == "" || now.Target == "" {
		return true // a point or a key: its target is unknown
	}
	return sends(old) || sends(now)
}

// sends reports whether an act submits a form, whatever the name of its target.
func sends(a journal.Act) bool {
	if a.Action == "type" {
		return submits(a.Params)
	}
	return (a.Action == "pressKey" || a.Action == "keyDown") && strings.Contains(string(a.Params), "Enter")
}

// alike reports whether two names differ only in digits, case and spaces.
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
