// Package realmodel downloads small models and model servers into .cache and serves them, so
// that tests and `make eval` can use a real model. Nothing of it is committed. It needs Go, a
// C and C++ compiler and Python with pip; where one is missing it says so, and what depends on
// it is skipped.
package realmodel

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Installed has the paths of what Setup installed in .cache; empty for what failed.
type Installed struct {
	Model  Model
	GGUF   string // the model's file
	Ollama string // the binary of Ollama's server
	OpenAI string // the Python that has llama-cpp-python's server
}

// ErrMissing says that Setup has not been run.
var ErrMissing = errors.New("no real model here: run `make models`")

// Find returns what an earlier Setup installed of a model and of Ollama, or ErrMissing.
func Find(m Model) (Installed, error) {
	in := Installed{Model: m, GGUF: m.file(), Ollama: ollamaBinary(OllamaVersion, ollamaFlags()), OpenAI: python(llamaCpp)}
	for _, path := range []string{in.Ollama, in.GGUF} {
		if _, err := os.Stat(path); err != nil {
			return Installed{}, ErrMissing
		}
	}
	return in, nil
}

// Setup installs a model and Ollama if they are missing, and reports each step to
// progress. If one of them fails, it still installs the other.
func Setup(ctx context.Context, m Model, progress io.Writer) (Installed, error) {
	in := Installed{Model: m}
	var failed error
	keep := func(path string, err error) string {
		if failed = errors.Join(failed, err); err != nil {
			return ""
		}
		return path
	}
	in.GGUF = keep(Fetch(ctx, m, progress))
	in.Ollama = keep(BuildOllama(ctx, OllamaVersion, progress))
	return in, failed
}

// AddOpenAI installs llama-cpp-python beside it if it is missing: a server of OpenAI's format.
func (in *Installed) AddOpenAI(ctx context.Context, progress io.Writer) error {
	python, err := BuildLlamaCpp(ctx, progress)
	if err == nil {
		in.OpenAI = python
	}
	return err
}

// cache is the folder of what is installed.
func cache() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", ".cache")
}

func (m Model) file() string { return filepath.Join(cache(), "models", m.SHA256[:16]+".gguf") }
