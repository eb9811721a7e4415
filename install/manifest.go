package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// hostManifest is the file by which Chrome finds the program of a native
// messaging host and knows who may start it.
type hostManifest struct {
	Name           string   `json:"name"`
	Description    string   `json:"description"`
	Path           string   `json:"path"`
	Type           string   `json:"type"`
	AllowedOrigins []string `json:"allowed_origins"`
}

// Origin is the origin of an extension as manifests name it, and the first
// argument with which Chrome starts the program.
func Origin(extensionID string) string { return "chrome-extension://" + extensionID + "/" }

// WriteManifest registers binary as Tabwright's host in the Chromium whose
// user data folder is userDataDir, and gives the path written. Install uses it
// for each browser; a launcher uses it alone for a browser of its own.
func WriteManifest(userDataDir, binary, extensionID string) (string, error) {
	abs, err := filepath.Abs(binary) // Chrome refuses relative paths on Linux and macOS
	if err != nil {
		return "", fmt.Errorf("find the absolute path of %s: %w", binary, err)
	}
	b, err := json.MarshalIndent(hostManifest{
		Name:           HostName,
		Description:    "Tabwright: the program behind the browser extension",
		Path:           abs,
		Type:           "stdio",
		AllowedOrigins: []string{Origin(extensionID)},
	}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write the manifest: %w", err)
	}
	path := manifestPath(filepath.Join(userDataDir, HostsFolder))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, writeFile(path, append(b, '\n'), 0o644)
}

func manifestPath(hostsDir string) string { return filepath.Join(hostsDir, HostName+".json") }

// readManifest reads a host manifest of ours or of anyone.
func readManifest(path string) (hostManifest, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return hostManifest{}, err
	}
	return parseManifest(b)
}

func parseManifest(b []byte) (hostManifest, error) {
	var m hostManifest
	// A byte order mark makes Chrome refuse the file; editors on other systems
	// add one, so say that rather than "invalid character".
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		return m, fmt.Errorf("it starts with a byte order mark, which Chrome does not accept")
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("it is not valid JSON: %w", err)
	}
	return m, nil
}

// faults lists what keeps this manifest from starting binary for the
// extension, as phrases that follow "the manifest".
func (m hostManifest) faults(o Options) []string {
	binary, extensionID := o.Binary, o.ExtensionID
	var fs []string
	if m.Name != HostName {
		fs = append(fs, fmt.Sprintf("has the name %s instead of %s", quote(m.Name), HostName))
	}
	if m.Type != "stdio" {
		fs = append(fs, fmt.Sprintf("has the type %s instead of stdio", quote(m.Type)))
	}
	switch {
	case m.Path == "":
		fs = append(fs, "names no program")
	case !filepath.IsAbs(m.Path):
		fs = append(fs, fmt.Sprintf("names the program by a relative path (%s)", m.Path))
	case executable(o.OS, m.Path) != nil:
		fs = append(fs, fmt.Sprintf("points at %s, which %v", m.Path, executable(o.OS, m.Path)))
	case binary != "" && !sameFile(m.Path, binary):
		fs = append(fs, fmt.Sprintf("points at another program: %s instead of %s", m.Path, binary))
	}
	if !slices.Contains(m.AllowedOrigins, Origin(extensionID)) {
		fs = append(fs, fmt.Sprintf("does not allow %s (it allows: %s)", Origin(extensionID), orNobody(m.AllowedOrigins)))
	}
	return fs
}

func orNobody(origins []string) string {
	if len(origins) == 0 {
		return "nobody"
	}
	return strings.Join(origins, ", ")
}

// executable says why path can't be started, as a phrase that follows "which".
// On Windows a script would be started through cmd.exe, which the browser ends
// without what it started.
func executable(goos, path string) error {
	st, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return fmt.Errorf("does not exist")
	case err != nil:
		return fmt.Errorf("can't be read: %w", err)
	case !st.Mode().IsRegular():
		return fmt.Errorf("is not a file")
	case goos == "windows":
		if !strings.EqualFold(filepath.Ext(path), ".exe") {
			return fmt.Errorf("is no .exe")
		}
	case st.Mode().Perm()&0o111 == 0:
		return fmt.Errorf("is not executable")
	}
	return nil
}

func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(sa, sb)
}

// writeFile writes beside path and renames, so that a reader sees the old
// file or the new one and never half of one.
func writeFile(path string, b []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	tmp := f.Name()
	_, err = f.Write(b)
	if e := f.Chmod(mode); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return err
}
