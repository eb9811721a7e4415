package llm

// thinkLow is the least that a model which is told by levels can think.
const thinkLow = "low"

// ThinkLevels are the values of Config.Think.
func ThinkLevels() []string { return []string{"true", "false", thinkLow, "medium", "high"} }

// think is what a request says of thinking, as the model takes it: a level for a
// model that can't do without (gpt-oss), true or false for others, nil for those
// that don't think, which Ollama refuses to be told of, and where the level is left to
// the model. Older versions part thoughts from the reply only where they are told true.
func (m *Model) think(way Way, req Request, caps Capabilities) any {
	// Some versions bind the whole output by the grammar, thoughts included, and
	// others answer twice: think or be constrained, not both.
	little := req.Brief || way == WaySchema
	switch {
	case !caps.Thinking:
		return nil
	case caps.levels && (little || m.cfg.Think == "false"):
		return thinkLow
	case little:
		return false
	case caps.levels && (m.cfg.Think == "" || m.cfg.Think == "true"):
		return nil
	case caps.levels:
		return m.cfg.Think
	default:
		return m.cfg.Think != "false"
	}
}
