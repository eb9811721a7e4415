package realmodel

import (
	"slices"
	"testing"
)

// Ollama is compiled with the fast layout of weights, and a binary that was compiled
// with other flags is not taken for it.
func TestOllamaFlags(t *testing.T) {
	const repack = "-DGGML_USE_CPU_REPACK"
	flags := ollamaFlags()
	if !slices.Contains(flags, repack) {
		t.Errorf("the flags %v lack %s", flags, repack)
	}
	without := slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return f == repack })
	if a, b := ollamaBinary(OllamaVersion, flags), ollamaBinary(OllamaVersion, without); a == b {
		t.Errorf("flags %v and %v share the binary %s", flags, without, a)
	}
}
