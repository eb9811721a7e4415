package agent

import (
	"encoding/json"
	"errors"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/safety"
)

const (
	outcomeOK      = "ok"
	outcomeError   = "error"
	outcomeDenied  = "denied"
	outcomeBlocked = "blocked"
	outcomeUnknown = "unknown"
	outcomeStopped = "stopped_after" // done in the page but not saved
)

// finish fills in the result of a step.
func finish(s wire.StepInfo, res action.Result, took time.Duration) wire.StepInfo {
	if res.Line != "" {
		s.Line, s.In = res.Line, res.In
	}
	s.Target, s.Site, s.Level, s.Effect = res.Target, res.Site, res.Level.String(), res.Effect
	s.Millis = took.Milliseconds()
	s.Outcome = outcomeOK
	if res.Err == nil {
		return s
	}
	s.Error = &wire.Error{Code: wire.Code(res.Err.Code), Message: res.Err.Message} // the hint is for models only
	switch {
	case res.Err.Code == action.Denied:
		s.Outcome = outcomeDenied
	case res.Err.Code == action.Blocked:
		s.Outcome = outcomeBlocked
	case res.Err.Code == action.StoppedAfter:
		s.Outcome = outcomeStopped
	case res.Sent && errors.Is(res.Err, action.ErrBrowserGone):
		s.Outcome = outcomeUnknown
	default:
		s.Outcome = outcomeError
	}
	return s
}

// paramsToKeep returns the parameters of a step for events and journal: without card
// numbers and, if hide is set, without typed text.
func paramsToKeep(params json.RawMessage, hide bool) json.RawMessage {
	if hide {
		params = without(params, "text", "value")
	}
	return json.RawMessage(safety.Redact(string(params)))
}

// without hides the named parameters, except placeholders of the vault.
func without(params json.RawMessage, names ...string) json.RawMessage {
	var p map[string]any
	if json.Unmarshal(params, &p) != nil {
		return params
	}
	hidden := false
	for _, name := range names {
		if s, ok := p[name].(string); ok && !action.IsSecretRef(s) {
			p[name], hidden = "•••", true
		}
	}
	if !hidden {
		return params
	}
	b, err := json.Marshal(p)
	if err != nil {
		return nil
	}
	return b
}

// withoutValues returns a call for the history, without the text it typed into a secret
// field.
func withoutValues(c llm.Call) llm.Call {
	var flat struct {
		Action string          `json:"action"`
		Params json.RawMessage `json:"params"`
	}
	if c.Name == action.FunctionName && json.Unmarshal(c.Args, &flat) == nil {
		flat.Params = without(flat.Params, "text", "value")
		if b, err := json.Marshal(flat); err == nil {
			c.Args = b
		}
		return c
	}
	c.Args = without(c.Args, "text", "value")
	return c
}
