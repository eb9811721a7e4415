package llm

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Form is the form of a reply in the schema way, if that is not a call of the
// request's tools. The server constrains the reply by Schema, and Read returns the
// call that it stands for. A reply that is no JSON object, or has none of Keys, is read
// like any other reply.
type Form struct {
	System string // replaces the request's system text and notes
	Schema json.RawMessage
	Keys   []string // properties of which a reply in the form has at least one
	Read   func(reply json.RawMessage) (Call, error)
	Tools  []Tool // the call is checked against these
	// Greedy asks for the likeliest reply (temperature 0), if the user set no
	// temperature: at the usual ones a small model that is right more often than
	// not still errs every third time.
	Greedy bool
}

// readForm reads a reply in a form. ok is false if the reply is not in that form.
func readForm(reply *Reply, text string, form *Form) (ok bool, err error) {
	_, rest := splitReasoning(text)
	raw := bytes.TrimSpace([]byte(rest))
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || !slices.ContainsFunc(form.Keys, func(key string) bool { return fields[key] != nil }) {
		return false, nil //nolint:nilerr // it may be in another form
	}
	call, err := form.Read(raw)
	if err != nil {
		return true, badReply("%s", err)
	}
	if call.ID == "" {
		call.ID = newCallID()
	}
	checked, mends, err := CheckCall(call, form.Tools)
	if err != nil {
		return true, err
	}
	reply.Calls, reply.Mends, reply.Text = []Call{checked}, mends, ""
	return true, nil
}
