package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// hostManifest is the file in which Chrome finds the program of a native
// messaging host, and the extensions that may start it.
type hostManifest struct {
	Name           string   `json:"name"`
	Description    string   `json:"description"`
	Path           string   `json:"path"`
	Type           string   `json:"type"`
	AllowedOrigins []string `json:"allowed_origins"`
}

// Origin returns the origin of an extension, as it is in manifests and in the
// first argument with which Chrome starts the program.
func Origin(extensionID string) string { return "chrome-extension://" + extensionID + "/" }

// WriteManifest registers binary as Tabwright's host in the Chromium whose user
// data folder is userDataDir, and returns the manifest's path. Install calls it
// for each browser, a launcher for its own browser.
func WriteManifest(userDataDir, binary string, extensionIDs ...string) (string, error) {
	abs, err := filepath.Abs(binary) // Chrome refuses relative paths on Linux and macOS
	if err != nil {
		return "", fmt.Errorf("find the absolute path of %s: %w", binary, err)
	}
	var origins []string
	for _, id := range extensionIDs {
		origins = append(origins, Origin(id))
	}
	b, err := json.MarshalIndent(hostManifest{
		Name:           HostName,
		Description:    "Tabwright: the program behind the browser extension",
		Path:           abs,
		Type:           "stdio",
		AllowedOrigins: origins,
	}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write the manifest: %w", err)
	}
	path := manifestPath(filepath.Join(userDataDir, HostsFolder))
	if err := clearWay(path); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, writeFile(path, append(b, '\n'), 0o644)
}

// clearWay sets aside what prevents writing a manifest: a folder of its name, or
// a file of the name of its folder.
func clearWay(path string) error {
	if st, err := os.Stat(filepath.Dir(path)); err == nil && !st.IsDir() {
		_, err := SetAside(filepath.Dir(path))
		return err
	}
	if st, err := os.Lstat(path); err == nil && st.IsDir() {
		_, err := SetAside(path)
		return err
	}
	return nil
}

// SetAside renames a file or folder and returns the new path, which is in the
// same folder. It removes an empty one and returns "".
func SetAside(path string) (string, error) {
	if st, err := os.Lstat(path); err == nil && (st.IsDir() || st.Mode().IsRegular() && st.Size() == 0) && os.Remove(path) == nil {
		return "", nil
	}
	aside := path + ".set-aside-" + time.Now().UTC().Format("20060102T150405.000")
	return aside, os.Rename(path, aside)
}

func manifestPath(hostsDir string) string { return filepath.Join(hostsDir, HostName+".json") }

// readManifest reads a host manifest, ours or another program's.
func readManifest(path string) (hostManifest, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return hostManifest{}, err
	}
	return parseManifest(b)
}

func parseManifest(b []byte) (hostManifest, error) {
	var m hostManifest
	// A byte order mark makes Chrome refuse the file. Some editors add one, so
	// name it instead of "invalid character".
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		return m, &phrase{"byte_order_mark", "it starts with a byte order mark, which Chrome does not accept"}
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, &phrase{"bad_json", "it is not valid JSON: " + err.Error()}
	}
	return m, nil
}

// phrase is what is wrong with a file: a word for programs, and words that follow
// the file's name.
type phrase struct{ say, text string }

// Error returns the words.
func (p *phrase) Error() string { return p.text }

// faults returns what prevents this manifest from starting o.Binary for each id
// of the extension, as phrases that follow "the manifest".
func (m hostManifest) faults(o Options) (fs []phrase) {
	add := func(say, format string, args ...any) { fs = append(fs, phrase{say, fmt.Sprintf(format, args...)}) }
	if m.Name != HostName {
		add("wrong_name", "has the name %s instead of %s", quote(m.Name), HostName)
	}
	if m.Type != "stdio" {
		add("wrong_type", "has the type %s instead of stdio", quote(m.Type))
	}
	switch {
	case m.Path == "":
		add("no_program", "names no program")
	case !filepath.IsAbs(m.Path):
		add("relative_path", "names the program by a relative path (%s)", m.Path)
	default:
		if p := program(o.OS, m.Path); p != nil {
			add("program_"+p.say, "points at %s, which %s", m.Path, p.text)
		} else if o.Binary != "" && !sameFile(m.Path, o.Binary) {
			add("other_program", "points at another program: %s instead of %s", m.Path, o.Binary)
		}
	}
	for _, id := range o.ids() {
		origin := Origin(id)
		if slices.Contains(m.AllowedOrigins, origin) {
			continue
		}
		say := "wrong_id"
		switch {
		case slices.Contains(m.AllowedOrigins, strings.TrimSuffix(origin, "/")):
			say = "origin_no_slash"
		case slices.ContainsFunc(m.AllowedOrigins, func(s string) bool { return strings.Contains(s, "*") }):
			say = "origin_wildcard"
		}
		add(say, "does not allow %s (it allows: %s)", origin, orNobody(m.AllowedOrigins))
	}
	return fs
}

func orNobody(origins []string) string {
	if len(origins) == 0 {
		return "nobody"
	}
	return strings.Join(origins, ", ")
}

// executable is program as an error.
func executable(goos, path string) error {
	if p := program(goos, path); p != nil {
		return p
	}
	return nil
}

// program returns why path can't be started on the system goos, as a phrase that
// follows "which", or nil. On Windows only an .exe counts: a script would be
// started through cmd.exe, which the browser ends without the program that it
// started.
func program(goos, path string) *phrase {
	st, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return &phrase{"gone", "does not exist"}
	case err != nil:
		return &phrase{"unreadable", "can't be read: " + err.Error()}
	case !st.Mode().IsRegular():
		return &phrase{"no_file", "is not a file"}
	case goos == "windows":
		if !strings.EqualFold(filepath.Ext(path), ".exe") {
			return &phrase{"no_exe", "is no .exe"}
		}
	case st.Mode().Perm()&0o111 == 0:
		return &phrase{"not_executable", "is not executable"}
	}
	if goos != runtime.GOOS {
		return nil // a test for another system
	}
	return wrongMachine(path)
}

func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(sa, sb)
}

// writeFile writes a file beside path and renames it, so that a reader sees the
// old file or the new one.
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
