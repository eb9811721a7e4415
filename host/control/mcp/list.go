package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// listBudget is how many tokens of a page that was gone to are told with it.
const listBudget = 600

// noElements is the text of an empty list, buildTime the most that is waited for the
// first element of a page.
const (
	noElements = "OK: no such elements."
	buildTime  = 5 * time.Second
)

// travels are the actions that lead to a page that nobody has looked at.
var travels = []string{"navigate", "openTab", "goBack", "goForward", "refresh"}

// arrived is how an effect says that there is another document, moved that the address
// is another one.
const (
	arrived = "navigated to "
	moved   = "address is now "
)

// withList adds the beginning of the list of elements to what led to another page or
// view, of a view the part that is new: a model would ask for it next.
func withList(ctx context.Context, hand control.SessionClient, call action.Call, r wire.SessionResult) wire.SessionResult {
	says := func(s string) bool { return strings.Contains(r.Effect, s) }
	travel := slices.Contains(travels, call.Name) && says(moved)
	if r.Error != nil || r.Confirm != nil || r.Part == "" && !travel && !says(arrived) || says("; it is ") {
		return r
	}
	params := fmt.Appendf(nil, `{"budget":%d,"type":"new"}`, listBudget)
	if r.Part != "" {
		params = fmt.Appendf(nil, `{"budget":%d,"type":"new","scope":%q}`, listBudget, r.Part)
	}
	read := func() wire.SessionResult {
		return hand.Do(ctx, action.Call{Name: "getElements", Params: params}, "")
	}
	list := read()
	if list.Error == nil && r.Part == "" && list.Text == noElements {
		// A page that its script builds may have loaded before anything of it is there.
		still := hand.Do(ctx, action.Call{Name: "waitFor", Params: fmt.Appendf(nil, `{"state":"stable","timeoutMs":%d}`, buildTime.Milliseconds())}, "")
		if list = read(); list.Text == noElements && still.Error != nil {
			r.Text += "\nNothing to operate is there yet, and the page is still changing: wait for what is to come."
		}
	}
	if list.Error == nil && strings.Contains(list.Text, "\n") { // more than that there is none
		r.Text += "\n" + list.Text
		r.Notes = append(r.Notes, list.Notes...)
		if isBare(list.Text) {
			r = withFacts(ctx, hand, r)
		}
	}
	return r
}

const (
	// mostBare is how many elements a list has at most that says nothing of what its page is
	// about: buttons and links under a heading.
	mostBare = 8
	// factsChars is how much of the text of such a page is told with the list.
	factsChars = 400
)

// isBare tells whether a list has a few buttons and links only, in no row.
func isBare(list string) bool {
	n := 0
	for line := range strings.Lines(list) {
		switch word, _, _ := strings.Cut(line, " "); word {
		case "button", "link", "clickable":
			n++
		case "##", "…":
		default:
			return false
		}
	}
	return n > 0 && n <= mostBare
}

// withFacts adds the beginning of what the page, or its new part, says.
func withFacts(ctx context.Context, hand control.SessionClient, r wire.SessionResult) wire.SessionResult {
	params := fmt.Appendf(nil, `{"maxChars":%d}`, factsChars)
	if r.Part != "" {
		params = fmt.Appendf(nil, `{"maxChars":%d,"ref":%q}`, factsChars, r.Part)
	}
	read := hand.Do(ctx, action.Call{Name: "getText", Params: params}, "")
	text, ok := strings.CutPrefix(read.Text, "OK: text:\n")
	if read.Error != nil || !ok {
		return r
	}
	text, _, _ = strings.Cut(text, "\n… ")
	r.Text += "\nText: " + strings.Join(strings.Fields(text), " ")
	r.Notes = append(r.Notes, read.Notes...)
	return r
}
