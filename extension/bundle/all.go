package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// static is what goes into the built extension as it stands, source to
// destination, relative to the extension folder and to out.
var static = map[string]string{
	"manifest.json":        "manifest.json",
	"src/panel/panel.html": "panel.html",
	"src/begin/summary.js": "begin/summary.js",
	"src/begin/tree.js":    "begin/tree.js",
	"icons/16.png":         "icons/16.png",
	"icons/32.png":         "icons/32.png",
	"icons/48.png":         "icons/48.png",
	"icons/128.png":        "icons/128.png",
}

// All builds the whole extension from the extension folder root into out,
// which then holds exactly what Chrome loads (and .keep, which keeps the
// folder in the source tree). The panel needs the npm packages (`npm ci`).
func All(root, out string) error {
	if err := clean(out); err != nil {
		return fmt.Errorf("clean %s: %w", out, err)
	}
	files, err := scripts(root)
	if err != nil {
		return err
	}
	for from, to := range static {
		b, err := os.ReadFile(filepath.Join(root, from))
		if err != nil {
			return fmt.Errorf("read %s: %w", from, err)
		}
		files[to] = b
	}
	for name, b := range files {
		to := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		if err := os.WriteFile(to, b, 0o644); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}

// scripts bundles everything that is compiled.
func scripts(root string) (map[string][]byte, error) {
	if _, err := os.Stat(filepath.Join(root, "node_modules", "preact")); err != nil {
		return nil, errors.New("the panel's npm packages are missing: run `npm ci` in the extension folder")
	}
	extractor, err := Extractor(root)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"extractor.js": []byte(extractor)}

	o := options(root)
	o.EntryPointsAdvanced = []api.EntryPoint{
		{InputPath: "src/relay/main.ts", OutputPath: "relay"},
		{InputPath: "src/panel/boot.ts", OutputPath: "boot"}, // no module: it must not wait for the page to be parsed
	}
	if err := add(files, o); err != nil {
		return nil, fmt.Errorf("bundle relay and boot: %w", err)
	}
	o = options(root)
	o.EntryPointsAdvanced = []api.EntryPoint{{InputPath: "src/panel/main.tsx", OutputPath: "panel"}}
	o.JSX, o.JSXImportSource = api.JSXAutomatic, "preact"
	o.Format = api.FormatESModule // boot imports it
	if err := add(files, o); err != nil {
		return nil, fmt.Errorf("bundle panel: %w", err)
	}
	return files, nil
}

// add builds what o says, minified, and adds it to files.
func add(files map[string][]byte, o api.BuildOptions) error {
	o.MinifySyntax, o.MinifyWhitespace, o.MinifyIdentifiers = true, true, true
	o.Outdir = o.AbsWorkingDir
	r := api.Build(o)
	for _, f := range r.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	return problems(r.Errors)
}

// clean empties out, so that nothing of an older build stays in the extension.
func clean(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == ".keep" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(out, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
