package agent

import (
	"hash/fnv"

	"tabwright/host/action"
)

// watchdog notices a loop that goes in circles: the same action on the same
// page, or step after step without any effect.
type watchdog struct {
	seen     map[uint64]int
	noEffect int
}

// verdict is what the watchdog makes of a step.
type verdict int

const (
	fine     verdict = iota
	repeats          // tell the model
	noEffect         // tell the model
	stuck            // ask the person
)

const (
	repeatNotice   = 3 // same action on the same page this often: say so
	repeatStuck    = 6 // … this often: stop and ask
	noEffectNotice = 4 // changing actions in a row without any effect
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
	switch {
	case r.Err == nil && r.Effect != "" && r.Effect != action.NoEffect:
		w.noEffect = 0
	case r.Effect == action.NoEffect:
		w.noEffect++
	}
	switch n := w.seen[key]; {
	case n >= repeatStuck:
		w.seen[key] = 0
		return stuck
	case n >= repeatNotice:
		return repeats
	case w.noEffect >= noEffectNotice:
		w.noEffect = 0
		return noEffect
	}
	return fine
}
