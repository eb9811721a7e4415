package install

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// passing are parts of the paths of programs that do not stay: in the caches of npx
// and similar tools, which may be emptied at any time, and in the folders that
// Homebrew and Scoop have for each version.
var passing = []string{"/_npx/", "/dlx-", "/dlx/", "/.bun/install/cache/", "/.yarn/", "/bunx-", "/caskroom/", "/cellar/", "/scoop/apps/"}

// passes reports whether a program is where it will not stay.
func passes(binary string) bool {
	path := strings.ToLower(filepath.ToSlash(binary))
	for _, part := range passing {
		if strings.Contains(path, part) {
			return true
		}
	}
	return false
}

// stableDir returns the folder of the copy that stays.
func (o Options) stableDir() string {
	return filepath.Join(o.withDefaults().DataHome, "tabwright", "bin")
}

// stablePath returns the path at which a program stays: its own, or that of the copy.
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

// StableBinary returns the program for the browser to start: binary, or, if that
// will not stay, a copy that it makes in the user's data folder.
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
	_ = os.Rename(to, to+".old") // Windows does not replace a running program
	if err := writeFile(to, is, 0o755); err != nil {
		_ = os.Rename(to+".old", to)
		return "", err
	}
	_ = os.Remove(to + ".old")
	return to, nil
}
