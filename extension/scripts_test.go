package extension_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
		if err == nil {
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
	for _, name := range []string{"manifest.json", "relay.js", "extractor.js", "begin/summary.js", "begin/tree.js", "panel.html", "boot.js", "panel.js", "panel.css", "icons/128.png"} {
		if !found[name] {
			t.Errorf("the build lacks %s", name)
		}
	}
	if found["old.js"] {
		t.Error("the build left a file of an older one")
	}
	if packed.Len() > 200<<10 {
		t.Errorf("the extension is %d bytes packed, more than 200 KB", packed.Len())
	}
	t.Logf("%d bytes packed", packed.Len())
}
