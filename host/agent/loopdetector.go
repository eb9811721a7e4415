package agent

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/pagecontext"
)

// loopDetector notices a loop that does not get on: the same action on the same
// page, acts without any effect or with an error, steps in which nothing
// changes. The model is told first, with ways that it has not tried; then the
// user is asked.
type loopDetector struct {
	seen  map[uint64]int // acts on the page as it was
	alike map[uint64]int // … whatever figures stood on it: a clock, a counter
	vain  int            // acts in a row that changed nothing or failed
	still int            // steps in a row in which nothing changed, looking included
	tried []string       // actions since something last changed
}

// verdict is the loop detector's judgement of a step.
type verdict int

const (
	fine       verdict = iota
	repeats            // tell the model
	noEffect           // tell the model
	noProgress         // tell the model
	stuck              // ask the user
)

const (
	repeatNotice     = 3  // same action on the same page this often: say so
	repeatStuck      = 6  // … this often: stop and ask
	noEffectNotice   = 4  // acts in a row in vain: say so
	noEffectStuck    = 8  // … stop and ask
	noProgressNotice = 8  // steps in a row without a change: say so
	noProgressStuck  = 16 // … stop and ask
	alikeNotice      = 10 // same action on a page with other figures, each time so often: say so
	alikeStuck       = 40 // … this often: stop and ask; a quantity may have been counted up by then
)

func (w *loopDetector) step(c action.Call, r action.Result, o action.Observation) verdict {
	if w.seen == nil {
		w.seen, w.alike = map[uint64]int{}, map[uint64]int{}
	}
	what, page := c.Name+sameParams(c.Params, o), pagecontext.WithoutIndices(o.Text)
	key, like := hashOf(what, page), hashOf(what, figureText.ReplaceAllString(page, "0"))
	w.seen[key]++
	w.alike[like]++
	w.count(c, r)
	n, times := w.seen[key], w.alike[like]
	switch {
	case n >= repeatStuck, times >= alikeStuck, w.vain >= noEffectStuck, w.still >= noProgressStuck:
		w.seen[key], w.alike[like], w.vain, w.still, w.tried = 0, 0, 0, 0, nil
		return stuck
	case n >= repeatNotice, times%alikeNotice == 0:
		return repeats
	case w.vain == noEffectNotice:
		return noEffect
	case w.still == noProgressNotice:
		return noProgress
	}
	return fine
}

var figureText = regexp.MustCompile(`\d+`)

func hashOf(texts ...string) uint64 {
	f := fnv.New64a()
	for _, s := range texts {
		_, _ = f.Write([]byte(s + "\x00")) // a hash never fails to write
	}
	return f.Sum64()
}

// sameParams returns the parameters of a call with the position of its element in
// the list instead of its index: a page that was opened or drawn again has other
// indices for the same elements.
func sameParams(params json.RawMessage, o action.Observation) string {
	var p map[string]json.RawMessage
	if o.Elements == nil || json.Unmarshal(params, &p) != nil {
		return string(params)
	}
	for i, e := range o.Elements.Elements {
		if string(p["index"]) == fmt.Sprint(e.Index) {
			p["index"] = json.RawMessage(fmt.Sprintf(`"place %d"`, i))
			break
		}
	}
	out, err := json.Marshal(p) // its keys in order
	if err != nil {
		return string(params)
	}
	return string(out)
}

// count counts how long nothing has changed. A question to the user and a
// wait that was asked for don't count.
func (w *loopDetector) count(c action.Call, r action.Result) {
	switch {
	case r.Err == nil && r.Effect != "" && r.Effect != action.NoEffect, r.Ask != "", r.Handover != "":
		w.vain, w.still, w.tried = 0, 0, nil
		return
	case r.Err != nil || r.Effect == action.NoEffect:
		w.vain++
	}
	if c.Name != "wait" && c.Name != "waitFor" {
		w.still++
	}
	if !slices.Contains(w.tried, c.Name) {
		w.tried = append(w.tried, c.Name)
	}
}

// otherWays are the actions to try, best first, when one leads nowhere.
var otherWays = map[string][]string{
	"click":    {"scroll", "pressKey", "hover", "getElementDetails", "focus", "goBack", "webSearch"},
	"type":     {"click", "focus", "pressKey", "select", "getElementDetails"},
	"select":   {"click", "getOptions", "type", "pressKey"},
	"pressKey": {"click", "focus", "type", "scroll"},
	"scroll":   {"find", "extractContent", "getElements", "loadMoreUntil", "pressKey"},
	"navigate": {"webSearch", "goBack", "click", "refresh"},
	"wait":     {"refresh", "scroll", "getElements", "goBack"},
}

// anyWay are the actions to try for an action that otherWays does not have.
var anyWay = []string{"scroll", "extractContent", "find", "click", "goBack", "webSearch"}

// shownWays is how many untried ways are named.
const shownWays = 4

// firstUntried names offered actions that have not been tried since something last
// changed.
func (w *loopDetector) firstUntried(name string, offered func(string) bool) string {
	list := otherWays[name]
	if list == nil {
		list = anyWay
	}
	var out []string
	for _, a := range list {
		if len(out) < shownWays && a != name && !slices.Contains(w.tried, a) && offered(a) {
			out = append(out, a)
		}
	}
	return strings.Join(out, ", ")
}
