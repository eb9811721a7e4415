// Package llm asks language models for the next action, and reads and checks their replies.
//
// It may import nothing from host. Start reading at types.go (what goes in and
// out), then model.go (one request, from choosing the way to the checked
// reply). Below that, each provider is an llms.Model of langchaingo: our own on
// Ollama's native API (ollama.go), langchaingo's clients for the OpenAI and
// Anthropic formats, cured by an HTTP Doer that reads the stream itself
// (doer.go, openai_stream.go, anthropic_stream.go).
//
// There are three ways to get an action out of a model: native tool calls,
// output constrained by a JSON schema, and JSON in Markdown. ways.go chooses
// and remembers; fallback.go reads what models write when they write text.
package llm
