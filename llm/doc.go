// Package llm asks language models for the next action, and reads and checks their replies.
//
// There are three ways to get an action out of a model: native tool calls, output constrained
// by a JSON schema, and JSON in Markdown. The file ways.go chooses the way and remembers it.
// The file fallback.go reads the replies of models that write text.
//
// Each provider is an llms.Model of langchaingo. For Ollama's native API it is our own client
// (ollama.go). For the OpenAI and Anthropic formats, it is langchaingo's client with our own
// HTTP Doer. The Doer reads the stream itself (doer.go, openai_stream.go,
// anthropic_stream.go).
//
// The package may import nothing from host. Start reading at types.go, which has the input and
// output of a request. Then read model.go, which runs one request, from the choice of the way
// to the checked reply.
package llm
