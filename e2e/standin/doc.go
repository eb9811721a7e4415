// Package standin serves simulated models over the real wire formats, for tests and for the
// tour. The formats are Ollama's native API with and without tools, OpenAI's chat completions,
// and Anthropic's messages. A Brain decides what the model "says". The package only sends it
// in the format, in small pieces, as the real servers do.
//
// A Brain is to choose its targets by reading the observation it was sent
// (observation.go), never by a fixed index. It may import llm and nothing else
// of the project. Start reading at standin.go.
package standin
