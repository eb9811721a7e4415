package agent

import (
	"hash/fnv"
	"slices"
	"strings"

	"tabwright/host/action"
)

// watchdog notices a loop that does not get on: the same action on the same
// page, acts without any effect or with an error, steps in which nothing
// changes. The model is told first, with ways that it has not tried; then the
// person is asked.
type watchdog struct {
	seen  map[uint64]int
	vain  int      // acts in a row that changed nothing or failed
	still int      // steps in a row in which nothing changed, looking included
	tried []string // actions since something last changed
}

// verdict is what the watchdog makes of a step.
type verdict int

const (
	fine       verdict = iota
	repeats            // tell the model
	noEffect           // tell the model
	noProgress         // tell the model
	stuck              // ask the person
)

const (
	repeatNotice     = 3  // same action on the same page this often: say so
	repeatStuck      = 6  // … this often: stop and ask
	noEffectNotice   = 4  // acts in a row in vain: say so
	noEffectStuck    = 8  // … stop and ask
	noProgressNotice = 8  // steps in a row without a change: say so
	noProgressStuck  = 16 // … stop and ask
)

func (w *watchdog) step(c action.Call, r action.Result, page string) verdict {
	if w.seen == nil {
		w.seen = map[uint64]int{}
	}
	f := fnv.New64a()
	for _, s := range []string{c.Name, string(c.Params), page} {
		_, _ = f.Write([]byte(s + "\x00")) // a hash never fails to write
	}
	key := f.Sum64()
	w.seen[key]++
	w.count(c, r)
	n := w.seen[key]
	switch {
	case n >= repeatStuck, w.vain >= noEffectStuck, w.still >= noProgressStuck:
		w.seen[key], w.vain, w.still, w.tried = 0, 0, 0, nil
		return stuck
	case n >= repeatNotice:
		return repeats
	case w.vain == noEffectNotice:
		return noEffect
	case w.still == noProgressNotice:
		return noProgress
	}
	return fine
}

// count follows how long nothing has changed. A question to the person and a
// wait that was asked for are no idleness.
func (w *watchdog) count(c action.Call, r action.Result) {
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

// otherWays are the actions that may do where one leads nowhere, best first.
var otherWays = map[string][]string{
	"click":    {"scroll", "pressKey", "hover", "getElementDetails", "focus", "goBack", "webSearch"},
	"type":     {"click", "focus", "pressKey", "select", "getElementDetails"},
	"select":   {"click", "getOptions", "type", "pressKey"},
	"pressKey": {"click", "focus", "type", "scroll"},
	"scroll":   {"find", "extractContent", "getElements", "loadMoreUntil", "pressKey"},
	"navigate": {"webSearch", "goBack", "click", "refresh"},
	"wait":     {"refresh", "scroll", "getElements", "goBack"},
}

// anyWay is what may help where nothing is known of the action.
var anyWay = []string{"scroll", "extractContent", "find", "click", "goBack", "webSearch"}

// shownWays is how many untried ways are named.
const shownWays = 4

// untried names ways that have not been tried since something last changed, of
// those that the model is offered.
func (w *watchdog) untried(name string, offered func(string) bool) string {
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

// untried names ways that the model is offered and has not tried here.
func (r *run) untried(name string) string {
	return r.dog.untried(name, func(other string) bool {
		spec, ok := action.Default().Spec(other)
		return ok && (spec.ModelVisible || r.Strong && spec.Strong)
	})
}
