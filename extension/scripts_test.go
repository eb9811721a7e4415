package extension_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"tabwright/extension/bundle"
)

// The pure parts of the scripts are tested by node's own runner, from the
// *.test.ts files beside them.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node")
	}
	var tests []string
	src := filepath.Join(bundle.Root(), "src")
	err := filepath.WalkDir(src, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".test.ts") {
			tests = append(tests, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tests) == 0 {
		t.Fatal("no script tests found")
	}
	out := t.TempDir()
	r := api.Build(api.BuildOptions{
		EntryPoints: tests, Outdir: out, Outbase: src, Write: true, Bundle: true, Sourcemap: api.SourceMapInline,
		Platform: api.PlatformNode, Format: api.FormatESModule, OutExtension: map[string]string{".js": ".mjs"},
	})
	if len(r.Errors) > 0 {
		t.Fatalf("%s", api.FormatMessages(r.Errors, api.FormatMessagesOptions{}))
	}
	args := []string{"--enable-source-maps", "--test"}
	for _, f := range r.OutputFiles {
		args = append(args, f.Path)
	}
	cmd := exec.CommandContext(t.Context(), "node", args...)
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, b)
	}
}

// A thin extension stays thin.
func TestBuildIsWholeAndSmall(t *testing.T) {
	out := t.TempDir()
	stale := filepath.Join(out, "old.js")
	if err := os.WriteFile(stale, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := bundle.All(bundle.Root(), out); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	found := map[string]bool{}
	err := fs.WalkDir(os.DirFS(out), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found[path] = true
		b, err := os.ReadFile(filepath.Join(out, path))
		if err == nil && path != "NOTICES.txt" { // the licences of others: no code
			_, err = z.Write(b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"manifest.json", "relay.js", "extractor.js", "begin/list.js", "begin/summary.js", "begin/tree.js", "panel.html", "boot.js", "panel.js", "panel.css", "icons/128.png", "NOTICES.txt"} {
		if !found[name] {
			t.Errorf("the build lacks %s", name)
		}
	}
	if found["old.js"] {
		t.Error("the build left a file of an older one")
	}
	if packed.Len() > 256<<10 {
		t.Errorf("the extension is %d bytes packed, more than 256 KB", packed.Len())
	}
	t.Logf("%d bytes packed", packed.Len())
}

// A build over a build leaves what is right as it is, and every file is whole at
// every moment: the linters compile what embeds it while the tests build it.
func TestBuildOverABuild(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	must(t, bundle.All(bundle.Root(), out))
	relay, err := os.ReadFile(filepath.Join(out, "relay.js"))
	must(t, err)
	stop, seen := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				seen <- nil
				return
			default:
			}
			is, err := os.ReadFile(filepath.Join(out, "relay.js"))
			if err == nil && !bytes.Equal(is, relay) && string(is) != "an older one" {
				err = fmt.Errorf("%d bytes of %d", len(is), len(relay))
			}
			entries, listed := os.ReadDir(out)
			for _, e := range entries {
				if strings.Contains(e.Name(), "part") {
					listed = errors.New(e.Name() + " stands in the build")
				}
			}
			if err = errors.Join(err, listed); err != nil {
				seen <- err
				return
			}
		}
	}()
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	for range 3 {
		must(t, os.WriteFile(filepath.Join(out, ".older"), []byte("an older one"), 0o600))
		must(t, os.Rename(filepath.Join(out, ".older"), filepath.Join(out, "relay.js")))
		must(t, os.MkdirAll(filepath.Join(out, "gone", "deep"), 0o755))
		must(t, os.WriteFile(filepath.Join(out, "gone", "deep", "old.js"), nil, 0o600))
		must(t, os.Chtimes(filepath.Join(out, "panel.js"), long, long))
		must(t, bundle.All(bundle.Root(), out))
		is, err := os.ReadFile(filepath.Join(out, "relay.js"))
		must(t, err)
		if !bytes.Equal(is, relay) {
			t.Fatal("what was changed was not built anew")
		}
		if _, err := os.Stat(filepath.Join(out, "gone")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a folder of an older build: %v", err)
		}
		at, err := os.Stat(filepath.Join(out, "panel.js"))
		must(t, err)
		if !at.ModTime().Equal(long) {
			t.Error("what was right was written anew")
		}
	}
	close(stop)
	must(t, <-seen)
}
