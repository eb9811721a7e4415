package install

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// passing are parts of paths in which a program does not stay: the caches of npx and
// its like, which are emptied when their package managers see fit, and the folders
// that Homebrew and Scoop have for each version.
var passing = []string{"/_npx/", "/dlx-", "/dlx/", "/.bun/install/cache/", "/.yarn/", "/bunx-", "/caskroom/", "/cellar/", "/scoop/apps/"}

// passes reports whether a program lies where it won't stay.
func passes(binary string) bool {
	path := strings.ToLower(filepath.ToSlash(binary))
	for _, part := range passing {
		if strings.Contains(path, part) {
			return true
		}
	}
	return false
}

// stableDir is the folder of the copy.
func (o Options) stableDir() string {
	return filepath.Join(o.withDefaults().DataHome, "tabwright", "bin")
}

// stablePath is where a program stays: where it lies, or where its copy does.
func (o Options) stablePath(binary string) string {
	if !passes(binary) {
		return binary
	}
	to := filepath.Join(o.stableDir(), "tabwright")
	if o.withDefaults().OS == "windows" {
		to += ".exe"
	}
	return to
}

// StableBinary is the program that a browser is to start: the one given, or a copy
// of it in the user's own folder where that one won't stay.
func (o Options) StableBinary(binary string) (string, error) {
	to := o.stablePath(binary)
	if to == binary {
		return binary, nil
	}
	is, err := os.ReadFile(binary)
	if err != nil {
		return "", err
	}
	if there, err := os.ReadFile(to); err == nil && bytes.Equal(there, is) {
		return to, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", err
	}
	_ = os.Rename(to, to+".old") // Windows replaces no program that runs
	if err := writeFile(to, is, 0o755); err != nil {
		_ = os.Rename(to+".old", to)
		return "", err
	}
	_ = os.Remove(to + ".old")
	return to, nil
}
