package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/action/spec"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// listBudget is how many tokens of the element list are added after a navigation.
const listBudget = 600

// buildTime is how long to wait for the first element of a page.
const buildTime = 5 * time.Second

// navigations are the actions that lead to a page that was not yet read.
var navigations = []string{"navigate", "openTab", "goBack", "goForward", "refresh"}

// elementList is a list of elements with what is known of it.
type elementList struct {
	wire.SessionResult
	some bool // it has elements
	same bool // nothing of it is new
}

// withList adds the beginning of the element list to the result of an action that led
// to another page or opened a new part, because a model would ask for it next. For a
// part, only the part is listed.
func withList(ctx context.Context, hand control.SessionClient, call action.Call, r wire.SessionResult) wire.SessionResult {
	to := spec.Destination(r.Destination)
	anew := to == spec.ToDocument || slices.Contains(navigations, call.Name) && (to == spec.ToAddress || to == spec.ToSame)
	if r.Error != nil || r.Confirm != nil || r.Part == "" && !anew || to == spec.ToFile {
		return r
	}
	read := func() elementList {
		params := fmt.Appendf(nil, `{"budget":%d,"type":"new"}`, listBudget)
		if r.Part != "" {
			params = fmt.Appendf(nil, `{"budget":%d,"type":"new","scope":%q}`, listBudget, r.Part)
		}
		out := elementList{SessionResult: hand.Do(ctx, action.Call{Name: "getElements", Params: params}, "")}
		var l struct { // of pagecontext.Listing
			Elements []json.RawMessage
			Same     bool
		}
		if out.Error == nil && json.Unmarshal(out.Data, &l) == nil {
			out.some, out.same = len(l.Elements) > 0, l.Same
		}
		return out
	}
	list := read()
	if r.Part != "" && !list.some {
		r.Part = "" // it was drawn anew since, or is empty until then
		list = read()
	}
	if list.Error == nil && r.Part == "" && !list.some {
		// A page built by its script may have loaded before it has any element.
		still := hand.Do(ctx, action.Call{Name: "waitFor", Params: fmt.Appendf(nil, `{"state":"stable","timeoutMs":%d}`, buildTime.Milliseconds())}, "")
		if list = read(); list.Error == nil && !list.some && still.Error != nil {
			r.Text += "\nNothing to operate is there yet, and the page is still changing: wait for what is to come."
		}
	}
	if to == spec.ToSame && list.same {
		return r
	}
	if list.some {
		r.Text += "\n" + list.Text
		r.Notes = append(r.Notes, list.Notes...)
		if isBare(list.Text) {
			r = withFacts(ctx, hand, r)
		}
	}
	return r
}

const (
	// mostBare is the largest number of elements of a bare list: buttons and links under a
	// heading, which do not tell what the page is about.
	mostBare = 8
	// factsChars is how many characters of such a page's text are added to the list.
	factsChars = 400
)

// isBare reports whether a list has only a few buttons and links, and no rows.
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

// withFacts adds the beginning of the text of the page, or of its new part.
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
	text, _, isCut := strings.Cut(text, "\n… ")
	r.Text += "\nText: " + strings.Join(strings.Fields(text), " ")
	if isCut {
		r.Text += "… (browser_get_text has the rest)"
	}
	r.Notes = append(r.Notes, read.Notes...)
	return r
}
