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
	outcomeStopped = "stopped_after" // done in the page, and not saved
)

// finish fills in what came of a step.
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
	s.Error = &wire.Error{Code: wire.Code(res.Err.Code), Message: res.Err.Message} // its hint is for models
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

// paramsToKeep are the parameters of a step as events and journal keep them: without
// card numbers, and without what was typed where that may be a secret.
func paramsToKeep(params json.RawMessage, hide bool) json.RawMessage {
	if hide {
		params = without(params, "text", "value")
	}
	return json.RawMessage(safety.Redact(string(params)))
}

// without hides those of the parameters; a placeholder of the vault says nothing.
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

// withoutValues is a call as the model is reminded of it, without what it wrote into a
// field for secrets.
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
