package llm

// thinkLow is the lowest level of thinking.
const thinkLow = "low"

// ThinkLevels returns the values of Config.Think.
func ThinkLevels() []string { return []string{"true", "false", thinkLow, "medium", "high"} }

// think returns a request's field think: a level for a model that can't do without
// thinking (gpt-oss), true or false for other models that think. It returns nil for
// models that don't, with which Ollama refuses the field, and where the level is left
// to the model. Older versions separate thoughts from the reply only for true.
func (m *Model) think(way Way, req Request, caps Capabilities) any {
	// With a schema the model must not think: some versions constrain the thoughts by the
	// grammar, too, and others answer twice.
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
