package safety

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// A page that keeps its state in the browser sends the whole of it with whatever is done.
// What is done then is what differs from the state that it sent before.

const (
	// leastState is how many values a state has at least; what has fewer is a command, and the
	// same command twice is two deeds.
	leastState = 60
	// mostChanged is how large a part of a state one act may change, as one in so many.
	mostChanged = 4
	// leastRecord is how many values an entry of a list has that is one of the user's records,
	// whose removal is a deletion.
	leastRecord = 4
)

// ChangedOnly gives of a JSON body that holds a whole state what differs from the one that its
// page sent to the same address before, as JSON; any other body as it is. An entry of a list
// that is there no more is told as {"deleted": true}.
func ChangedOnly(body, before string) string {
	var now, was any
	if before == "" || before == body || json.Unmarshal([]byte(body), &now) != nil || json.Unmarshal([]byte(before), &was) != nil {
		return body
	}
	if top, ok := now.(map[string]any); ok {
		for k := range top {
			if opKeys[keyName(k)] || methodKeys[keyName(k)] {
				return body
			}
		}
	}
	all := countValues(now)
	if all < leastState || countValues(was) < leastState {
		return body
	}
	diff := changedPart(now, was, "")
	if n := countValues(diff); n == 0 || n*mostChanged > all {
		return body
	}
	out, err := json.Marshal(diff)
	if err != nil {
		return body
	}
	return string(out)
}

// countValues counts the texts, numbers and truth values in v.
func countValues(v any) int {
	n := 0
	switch v := v.(type) {
	case nil:
	case map[string]any:
		for _, x := range v {
			n += countValues(x)
		}
	case []any:
		for _, x := range v {
			n += countValues(x)
		}
	default:
		n = 1
	}
	return n
}

// changedPart gives what of now differs from was; nil where nothing does. of is the key that they
// stand under.
func changedPart(now, was any, of string) any {
	if reflect.DeepEqual(now, was) {
		return nil
	}
	switch n := now.(type) {
	case map[string]any:
		w, ok := was.(map[string]any)
		if !ok {
			return now
		}
		out := map[string]any{}
		for k, x := range n {
			old, had := w[k]
			under, byID := k, isID(k)
			if byID {
				under = of // records by their ids
			}
			if !had {
				out[k] = x
			} else if d := changedPart(x, old, under); d != nil {
				if byID || entryID(x) != "" {
					d = changedRecord(d, x, old, under)
				}
				out[k] = d
			}
		}
		for k, x := range w {
			if _, has := n[k]; !has && countValues(x) >= leastRecord {
				out[k] = map[string]any{"deleted": true}
			}
		}
		return out
	case []any:
		if w, ok := was.([]any); ok {
			return changedEntries(n, w, of)
		}
	}
	return now
}

// changedEntries compares two lists by the ids of their entries, or by their places where these
// have none.
func changedEntries(now, was []any, of string) []any {
	var out []any
	old := map[string]any{}
	for _, x := range was {
		if id := entryID(x); id != "" {
			old[id] = x
		}
	}
	for i, x := range now {
		id := entryID(x)
		switch w, had := old[id]; {
		case id != "" && had:
			delete(old, id)
			if d := changedPart(x, w, of); d != nil {
				out = append(out, changedRecord(d, x, w, of))
			}
		case id != "":
			out = append(out, keptDraft(x, x))
		case slices.ContainsFunc(was, func(w any) bool { return reflect.DeepEqual(x, w) }):
		case i < len(was) && entryID(was[i]) == "":
			if d := changedPart(x, was[i], of); d != nil {
				out = append(out, d)
			}
		default:
			out = append(out, x)
		}
	}
	for _, x := range old {
		if len(now) < len(was) && countValues(x) >= leastRecord { // else it was drawn up anew
			out = append(out, map[string]any{"deleted": true})
		}
	}
	return out
}

// changedRecord gives what a change of a record says with the rest of it: a draft that is one no more
// is new to whom it is for.
func changedRecord(change, now, was any, of string) any {
	if isDraft(was) && !isDraft(now) {
		return now
	}
	return withTurn(withBinding(keptDraft(change, now), now), now, was, of)
}

// isDraft reports a record that says it is a draft.
func isDraft(x any) bool {
	m, _ := x.(map[string]any)
	return m["isDraft"] == true || m["is_draft"] == true || m["draft"] == true
}

// keptDraft leaves out of a record or its change whom it is for, where the record is the draft of a
// message: that is kept and not sent.
func keptDraft(change, record any) any {
	m, ok := change.(map[string]any)
	if !ok || !isDraft(record) {
		return change
	}
	out := map[string]any{}
	for k, v := range m {
		switch kind := keyKinds[keyName(k)]; {
		case kind&(ofSum|ofCard|ofCode) != 0:
			return change
		case kind&ofReceiver == 0:
			out[k] = v
		}
	}
	return out
}

// bindingKey is the key under which a change tells that its record binds others.
const bindingKey = "binding"

var (
	// bindingStates are of records that somebody else has or is held to.
	bindingStates = wordSet("sent issued approved signed submitted accepted awaitingpayment overdue paid partiallypaid")
	// sumsOfRecord are keys of records about money.
	sumsOfRecord = wordSet("total subtotal amountdue totalamount grandtotal lineitems")
)

// withBinding adds to the change of a record about money that it was sent or agreed to before: an
// invoice that a customer has is no draft.
func withBinding(change, record any) any {
	d, okD := change.(map[string]any)
	r, okR := record.(map[string]any)
	if !okD || !okR {
		return change
	}
	money := false
	for k := range r {
		money = money || sumsOfRecord[keyName(k)]
	}
	for k, v := range r {
		s, _ := v.(string)
		if _, changed := d[k]; money && !changed && stateKeys[keyName(k)] && bindingStates[keyName(s)] {
			d[bindingKey] = s
		}
	}
	return d
}

// entryID gives the id of an entry of a list; "" where it has none.
func entryID(x any) string {
	m, ok := x.(map[string]any)
	if !ok {
		return ""
	}
	for _, k := range []string{"id", "_id", "uuid", "uid", "key", "slug"} {
		switch v := m[k].(type) {
		case string, float64:
			return fmt.Sprint(v)
		}
	}
	return ""
}
