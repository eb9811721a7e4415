package safety

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// A page that keeps its state in the browser may send all of it after each act. The act is then
// judged by the difference from the state sent before.

const (
	// leastState is the least number of values in a state. A body with fewer is a command, and
	// the same command twice is two deeds.
	leastState = 60
	// mostChanged bounds the part of a state that one act may change: one value in mostChanged.
	mostChanged = 4
	// leastRecord is the least number of values in a record of the user, whose removal is a
	// deletion.
	leastRecord = 4
)

// ChangedOnly reduces a JSON body with a whole state to its difference from before, the body that
// the page sent to the same address last, as JSON. It returns any other body unchanged. A removed
// record is given as {"deleted": true}.
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

// changedPart gives the parts of now that differ from was, nil if they are equal. of is the key of
// both values.
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

// changedEntries gives the changed entries of a list. It compares entries by id, or by position
// where they have none.
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
		if len(now) < len(was) && countValues(x) >= leastRecord { // else the page made the list anew
			out = append(out, map[string]any{"deleted": true})
		}
	}
	return out
}

// changedRecord gives a record's change with those parts of the record that the judgement needs: all
// of it where a draft became final, since it is new to its recipient.
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

// keptDraft removes the recipients from a change, where record is the draft of a message: saving it
// sends nothing.
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

// bindingKey is the key in a change that says that its record binds others.
const bindingKey = "binding"

var (
	// bindingStates are states of records that another party has or is bound by.
	bindingStates = wordSet("sent issued approved signed submitted accepted awaitingpayment overdue paid partiallypaid")
	// sumsOfRecord are keys that show a record about money.
	sumsOfRecord = wordSet("total subtotal amountdue totalamount grandtotal lineitems")
)

// withBinding adds bindingKey to the change of a record about money that was sent or agreed to
// before: an invoice that a customer has is no draft.
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
