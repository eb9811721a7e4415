package realmodel

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	// OllamaVersion is the newest that builds from the Go module proxy with the
	// header of miniaudio; later ones lack more files in the module's archive.
	OllamaVersion = "v0.17.4"
	// OldOllamaVersion is one that some users still have.
	OldOllamaVersion = "v0.6.5"
	// LlamaCppVersion is that of llama-cpp-python, whose server speaks OpenAI's
	// format.
	LlamaCppVersion = "0.3.36"
)

// miniaudio is a header that Ollama's module archive lacks; this module has it.
const miniaudio = "github.com/gen2brain/malgo@v0.11.24"

// ollamaFlags are those of Ollama's C and C++ code on this machine. A binary for this
// processor alone is the fastest; with GGML_USE_CPU_REPACK, which its CMake build sets
// and its Go build does not, ggml lays weights out anew for the processor's widest
// instructions, and reads a prompt about twice as fast.
func ollamaFlags() []string {
	native := "-march=native"
	if runtime.GOARCH != "amd64" {
		native = "-mcpu=native"
	}
	return []string{"-O3", native, "-DGGML_USE_CPU_REPACK"}
}

// ollamaBinary is where the binary of a version is that was compiled with flags:
// other flags make another one.
func ollamaBinary(version string, flags []string) string {
	sum := sha256.Sum256([]byte(strings.Join(flags, " ")))
	return filepath.Join(cache(), fmt.Sprintf("ollama-%s-%x", version, sum[:4]), "ollama")
}

// BuildOllama compiles a version of the server, unless it is here, and gives its
// binary. What Go has compiled before it does not compile again.
func BuildOllama(ctx context.Context, version string, progress io.Writer) (string, error) {
	flags := ollamaFlags()
	bin := ollamaBinary(version, flags)
	return bin, install(ctx, bin, "Ollama "+version, progress, func() error { return compileOllama(ctx, bin, version, flags) })
}

func compileOllama(ctx context.Context, bin, version string, flags []string) error {
	dir := filepath.Dir(bin)
	include := filepath.Join(dir, "include", "miniaudio")
	if err := os.MkdirAll(include, 0o755); err != nil {
		return err
	}
	header, err := moduleFile(ctx, dir, miniaudio, "miniaudio.h")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(include, "miniaudio.h"), header, 0o644); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(dir, "fresh-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	all := strings.Join(flags, " ") + " -I" + filepath.Dir(include)
	env := []string{"GOBIN=" + fresh, "GOFLAGS=", "CGO_ENABLED=1", "CGO_CFLAGS=" + all, "CGO_CXXFLAGS=" + all}
	if err := run(ctx, env, nil, "go", "install", "github.com/ollama/ollama@"+version); err != nil {
		return err
	}
	return os.Rename(filepath.Join(fresh, "ollama"), bin)
}

// slim leaves out of the build what the server has no use for, which is half of it.
const slim = `set(LLAMA_BUILD_COMMON OFF)
set(LLAVA_BUILD OFF)
`

const llamaCpp = "llama-cpp-" + LlamaCppVersion

// BuildLlamaCpp installs llama-cpp-python with its server, unless it is here, and
// gives its Python. pip keeps what it has compiled.
func BuildLlamaCpp(ctx context.Context, progress io.Writer) (string, error) {
	options := filepath.Join(cache(), llamaCpp+".cmake")
	if err := os.WriteFile(options, []byte(slim), 0o644); err != nil {
		return "", err
	}
	return Venv(ctx, llamaCpp, progress,
		"--config-settings", "cmake.define.CMAKE_PROJECT_INCLUDE="+options, "llama-cpp-python[server]=="+LlamaCppVersion)
}

// python is the interpreter of a virtual environment in the cache.
func python(env string) string { return filepath.Join(cache(), env, "bin", "python") }

// Venv makes a virtual environment of Python in the cache, unless it is here, and
// gives its interpreter; args are those of pip for what belongs in it.
func Venv(ctx context.Context, env string, progress io.Writer, args ...string) (string, error) {
	dir := filepath.Join(cache(), env)
	ready := filepath.Join(dir, "ready")
	return python(env), install(ctx, ready, env, progress, func() error {
		if err := run(ctx, nil, nil, "python3", "-m", "venv", "--clear", dir); err != nil {
			return err
		}
		pip := append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, args...)
		if err := run(ctx, nil, nil, python(env), pip...); err != nil {
			return err
		}
		return os.WriteFile(ready, nil, 0o644)
	})
}

// moduleFile reads a file of a Go module, wherever in it that is.
func moduleFile(ctx context.Context, dir, module, name string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &got); jsonErr != nil {
		return nil, fmt.Errorf("go mod download %s: %w", module, errors.Join(err, jsonErr))
	}
	if got.Dir == "" {
		return nil, fmt.Errorf("go mod download %s: %s", module, got.Error)
	}
	found := ""
	err = filepath.WalkDir(got.Dir, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) == name {
			found = path
			return fs.SkipAll
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if found == "" {
		return nil, fmt.Errorf("%s holds no %s", module, name)
	}
	return os.ReadFile(found)
}
