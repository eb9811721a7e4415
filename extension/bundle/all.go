package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/evanw/esbuild/pkg/api"
)

// static is what goes into the built extension as it stands, source to
// destination, relative to the extension folder and to out.
var static = map[string]string{
	"manifest.json":        "manifest.json",
	"src/panel/panel.html": "panel.html",
	"src/begin/list.js":    "begin/list.js",
	"src/begin/summary.js": "begin/summary.js",
	"src/begin/tree.js":    "begin/tree.js",
	"icons/16.png":         "icons/16.png",
	"icons/32.png":         "icons/32.png",
	"icons/48.png":         "icons/48.png",
	"icons/128.png":        "icons/128.png",

	"_locales/en/messages.json":    "_locales/en/messages.json",
	"_locales/zh_CN/messages.json": "_locales/zh_CN/messages.json",
}

// All builds the whole extension as AllOf does, with the version in the source.
func All(root, out string) error { return all(root, out, nil) }

// AllOf builds the whole extension from the extension folder root into out, with
// the version of a build from that source. out then holds exactly what Chrome loads.
// The panel needs the npm packages (`npm ci`).
// What is there and right stays untouched, and what is not is replaced in one
// step: who reads out meanwhile finds every file whole.
func AllOf(root, out string, from Source) error { return all(root, out, &from) }

func all(root, out string, from *Source) error {
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
	if from != nil {
		if err := stamp(files, *from); err != nil {
			return err
		}
	}
	for name, b := range files {
		if err := put(out, filepath.FromSlash(name), b); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	if err := clean(out, files); err != nil {
		return fmt.Errorf("clean %s: %w", out, err)
	}
	return nil
}

// put makes b the content of the file name in out, unless it is. What is written
// first stands beside out, where nobody who lists out meets it.
func put(out, name string, b []byte) error {
	path := filepath.Join(out, name)
	if is, err := os.ReadFile(path); err == nil && bytes.Equal(is, b) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(out), ".part-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // no longer there when it was renamed
	_, err = f.Write(b)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
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
	boot, err := add(files, o)
	if err != nil {
		return nil, fmt.Errorf("bundle relay and boot: %w", err)
	}
	o = options(root)
	o.EntryPointsAdvanced = []api.EntryPoint{{InputPath: "src/panel/main.tsx", OutputPath: "panel"}}
	o.JSX, o.JSXImportSource = api.JSXAutomatic, "preact"
	o.Format = api.FormatESModule // boot imports it
	panel, err := add(files, o)
	if err != nil {
		return nil, fmt.Errorf("bundle panel: %w", err)
	}
	if files["NOTICES.txt"], err = panelNotices(root, []string{boot, panel}); err != nil {
		return nil, fmt.Errorf("notices: %w", err)
	}
	return files, nil
}

// add builds what o says, minified, adds it to files, and gives esbuild's account of
// what went into it.
func add(files map[string][]byte, o api.BuildOptions) (metafile string, err error) {
	o.MinifySyntax, o.MinifyWhitespace, o.MinifyIdentifiers = true, true, true
	o.Outdir, o.Metafile = o.AbsWorkingDir, true
	r := api.Build(o)
	for _, f := range r.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	return r.Metafile, problems(r.Errors)
}

// clean removes from out what is none of the files, so that nothing of an older
// build stays in the extension.
func clean(out string, files map[string][]byte) error {
	var folders []string
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(out, path)
		if err != nil || name == "." {
			return err
		}
		if d.IsDir() {
			folders = append(folders, path)
			return nil
		}
		if files[filepath.ToSlash(name)] != nil {
			return nil
		}
		return os.Remove(path)
	})
	for _, f := range slices.Backward(folders) {
		_ = os.Remove(f) // only if it is empty
	}
	return err
}
