package llm

import (
	"regexp"
	"strconv"
	"strings"
)

// The sizes of model that prompts are written for. Tiny models are asked for one small
// decision at a time. Small ones get short rules, one flat function and an example,
// large ones a function for each action.
const (
	SizeTiny   = "tiny"
	SizeSmall  = "small"
	SizeMedium = "medium"
	SizeLarge  = "large"
)

// Sizes returns all sizes, smallest first.
func Sizes() []string { return []string{SizeTiny, SizeSmall, SizeMedium, SizeLarge} }

// parameters matches the number before the B or M in a model's name or in Ollama's
// parameter_size: qwen3:8b, llama-3.3-70b-instruct, 7.6B.
var parameters = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)\s*([bm])(?:$|[^a-z0-9])`)

// tinyModel is how many billions of parameters a tiny model has at most, with its
// embeddings: a model that is called 1.7b has 2.0B.
const tinyModel = 2

// sizeOf returns a model's size by its number of parameters, if that is known, else
// the usual size of the provider's models. said is the number as the server writes it.
func sizeOf(p provider, model, said string) string {
	switch n := billions(said, model); {
	case n == 0:
	case n <= tinyModel:
		return SizeTiny
	case n < 14:
		return SizeSmall
	case n < 200:
		return SizeMedium
	default:
		return SizeLarge
	}
	switch p.name {
	case "openai", "anthropic", "google":
		return SizeLarge
	case "ollama", "custom":
		return SizeSmall
	}
	return SizeMedium
}

// billions returns how many billions of parameters a model has, by what the server
// says or by its name, or 0.
func billions(said, name string) float64 {
	for _, text := range []string{said, name} {
		m := parameters.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if n, err := strconv.ParseFloat(m[1], 64); err == nil {
			if strings.EqualFold(m[2], "m") {
				n /= 1000
			}
			return n
		}
	}
	return 0
}
