// Package zoo tests Tabwright with the widgets of real libraries: each library has a page, and
// a test operates the page through the MCP tools. When the tests run, the libraries come from
// npm into .cache, at the versions of package-lock.json. We wrote the pages (pages/), and
// esbuild bundles them. The function state() of a page returns the state of its widgets, and
// the tests compare this state with the expected one. docs/widgets.md is the table of all;
// `make zoo` writes it.
package zoo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// ErrNoPackages says that npm could not install what the pages are made of.
var ErrNoPackages = errors.New("the packages of the widgets can't be had from npm")

// dir is the folder of this package.
func dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// cache is where packages and bundles are kept.
func cache() string { return filepath.Join(filepath.Dir(filepath.Dir(dir())), ".cache", "zoo") }

// Install installs the packages of the lock file, unless they are there, and
// gives their node_modules: of all pages, or of the few that each test run has
// (the lock file's dependencies, without its devDependencies).
func Install(ctx context.Context, all bool) (string, error) {
	lock, err := os.ReadFile(filepath.Join(dir(), "package-lock.json"))
	if err != nil {
		return "", err
	}
	whole := filepath.Join(cache(), "all-"+digest(lock), "node_modules")
	if _, err := os.Stat(whole); err == nil {
		return whole, nil
	}
	to, args := filepath.Dir(whole), []string{"ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"}
	if !all {
		to, args = filepath.Join(cache(), "few-"+digest(lock)), append(args, "--omit=dev")
		if _, err := os.Stat(filepath.Join(to, "node_modules")); err == nil {
			return filepath.Join(to, "node_modules"), nil
		}
	}
	if err := os.MkdirAll(cache(), 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(cache(), "install-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	for _, name := range []string{"package.json", "package-lock.json"} {
		b, err := os.ReadFile(filepath.Join(dir(), name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(tmp, name), b, 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir = tmp
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: npm ci: %w: %s", ErrNoPackages, err, bytes.TrimSpace(out))
	}
	if err := os.Rename(tmp, to); err != nil {
		if _, there := os.Stat(filepath.Join(to, "node_modules")); there != nil { // nor did another process install them
			return "", err
		}
	}
	return filepath.Join(to, "node_modules"), nil
}

// Build bundles a page (its path in pages/) with the packages in modules, unless
// that was done before with the same source and packages, and gives the path of
// its script; a style sheet lies beside it, if the page has one.
func Build(modules, page string) (string, error) {
	source := filepath.Join(dir(), "pages", filepath.FromSlash(page))
	b, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	builder, err := os.ReadFile(filepath.Join(dir(), "build.go"))
	if err != nil {
		return "", err
	}
	_, lock, _ := strings.Cut(filepath.Base(filepath.Dir(modules)), "-")
	name := strings.TrimSuffix(filepath.Base(page), filepath.Ext(page))
	out := filepath.Join(cache(), "pages", name, digest(b, builder, []byte(lock)))
	script := filepath.Join(out, name+".js")
	if _, err := os.Stat(script); err == nil {
		return script, nil
	}
	o := options(modules)
	if bytes.Contains(b, []byte("react 18")) {
		o.Alias["react"], o.Alias["react-dom"] = "react18", "react-dom18"
	}
	o.EntryPoints, o.Outfile = []string{source}, script
	r := api.Build(o)
	if len(r.Errors) > 0 {
		return "", fmt.Errorf("bundle %s: %s", page, strings.Join(api.FormatMessages(r.Errors, api.FormatMessagesOptions{}), ""))
	}
	if err := os.RemoveAll(filepath.Dir(out)); err != nil { // of other sources
		return "", err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	for i := range r.OutputFiles { // the script last: with it the page is whole
		f := r.OutputFiles[len(r.OutputFiles)-1-i]
		if err := os.WriteFile(f.Path, f.Contents, 0o644); err != nil {
			return "", err
		}
	}
	return script, nil
}

// options are what every page is bundled with.
func options(modules string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir:     dir(),
		NodePaths:         []string{modules},
		Bundle:            true,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		KeepNames:         true,
		Charset:           api.CharsetUTF8,
		Target:            api.ES2022,
		Platform:          api.PlatformBrowser,
		Format:            api.FormatIIFE,
		JSX:               api.JSXAutomatic,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelSilent,
		TsconfigRaw:       `{"compilerOptions": {"experimentalDecorators": true, "useDefineForClassFields": false}}`,
		Alias: map[string]string{
			"vue": "vue/dist/vue.esm-bundler.js",
			// Its package.json exports this to bundlers of style sheets only.
			"@angular/material/theme.css": filepath.Join(modules, "@angular", "material", "prebuilt-themes", "azure-blue.css"),
		},
		Define: map[string]string{
			"process.env.NODE_ENV": `"production"`, "global": "globalThis", "process.env": "{}", "__VUE_OPTIONS_API__": "true",
			"__VUE_PROD_DEVTOOLS__": "false", "__VUE_PROD_HYDRATION_MISMATCH_DETAILS__": "false",
		},
		Loader: map[string]api.Loader{
			".ttf": api.LoaderDataURL, ".woff": api.LoaderDataURL, ".woff2": api.LoaderDataURL, ".eot": api.LoaderEmpty,
			".svg": api.LoaderDataURL, ".png": api.LoaderDataURL, ".webp": api.LoaderDataURL, ".gif": api.LoaderDataURL,
		},
	}
}

// digest is a short name for what all of these hold.
func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
