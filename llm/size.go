package llm

import (
	"regexp"
	"strconv"
	"strings"
)

// The sizes of model that prompts are written for: tiny ones are asked for one
// small decision at a time, small ones get short rules, one flat function and a
// worked example, large ones a function per action.
const (
	SizeTiny   = "tiny"
	SizeSmall  = "small"
	SizeMedium = "medium"
	SizeLarge  = "large"
)

// Sizes lists them, smallest first.
func Sizes() []string { return []string{SizeTiny, SizeSmall, SizeMedium, SizeLarge} }

// parameters is the number before the B of a model's name or of Ollama's
// parameter_size: qwen3:8b, llama-3.3-70b-instruct, 7.6B.
var parameters = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)\s*([bm])(?:$|[^a-z0-9])`)

// tinyModel is how many billions of parameters a tiny model has at most, with its
// embeddings: what is called 1.7b counts 2.0B.
const tinyModel = 2

// sizeOf goes by the parameters where they are known; a hosted model without
// them is what its provider usually serves. said is what the server says.
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

// billions is how many parameters a model has, by what the server says or by its name.
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
