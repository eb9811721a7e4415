package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// maxLog is how large a log grows before it becomes its own predecessor.
const maxLog = 5 << 20

// Log is a logger with its file.
type Log struct {
	zerolog.Logger
	Path string

	file *rotating
}

// Logger opens the log of one role of the program (broker, shim, cli) in the
// folder of logs: JSON lines, readable by the owner only, at most twice 5 MB.
// Keys that this process has read never reach it, nor what looks like a key.
func Logger(level, role string) (*Log, error) {
	return LoggerAt(level, filepath.Join(Dirs().State, role+".log"))
}

// LoggerAt is Logger with a path of its own.
func LoggerAt(level, path string) (*Log, error) {
	lv, err := zerolog.ParseLevel(level)
	if err != nil {
		return nil, fmt.Errorf("log level %s: %w", quote(level), err)
	}
	file, err := openRotating(path, maxLog)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	return &Log{
		Logger: zerolog.New(&redactor{to: file}).Level(lv).With().Timestamp().Int("process", os.Getpid()).Logger(),
		Path:   path, file: file,
	}, nil
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// redactor takes secrets out of each line on its way to the file. It works on
// the written line, not on fields: a key inside an error's text is caught too.
type redactor struct{ to io.Writer }

// secrets are texts to be hidden.
type secrets struct {
	mu   sync.RWMutex
	list []string
}

// seen holds every key this process has read or stored, for all of its logs:
// a log hides them without being told by whoever asked for a key.
var seen secrets

// looksSecret knows the shapes and the labels of keys, for those nobody told
// us about. Each replaces the value alone and never a quote or a backslash, so
// that the line stays JSON. (A word after an escaped line break has no word
// boundary before it: "\nsk-…" is one word to a regular expression.)
var looksSecret = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(\\[nrtbf]|\b)(?:sk-|pk-|rk-|xai-|gsk_|ghp_|hf_|AIza)[A-Za-z0-9_\-]{12,}`),
	regexp.MustCompile(`(?i)(` + label + `(?:"\s*:\s*"|\\"\s*:\s*\\"|'\s*:\s*')` + scheme + `)[^\s"'\\,;&}\]]+`),
	regexp.MustCompile(`(?i)(` + label + `\s*[:=]\s*(?:\\"|')?` + scheme + `)[^\s"'\\,;&}\]]+`),
	regexp.MustCompile(`(?i)((?:\\[nrtbf]|\b)(?:bearer|basic)\s+)[A-Za-z0-9._~+/\-]{16,}=*`),
	regexp.MustCompile(`(?i)([?&](?:key|token|apikey)=)[^\s"'\\&]+`),
}

const (
	label  = `(?:api[_-]?key|access[_-]?token|auth[_-]?token|authorization|goog-api-key)`
	scheme = `(?:(?:bearer|basic)\s+)?`
)

func (r *secrets) add(s Secret) {
	v := string(s)
	if len(v) < 4 {
		return // hiding so short a text would make the log unreadable
	}
	forms := []string{v}
	// In a line of JSON a key with quotes or the like stands escaped.
	if b, err := json.Marshal(v); err == nil {
		if esc := strings.Trim(string(b), `"`); esc != v {
			forms = append(forms, esc)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range forms {
		if !slices.Contains(r.list, f) {
			r.list = append(r.list, f)
		}
	}
}

func (r *secrets) hideIn(line string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.list {
		line = strings.ReplaceAll(line, s, hidden)
	}
	return line
}

// Write passes a line on without its secrets.
func (r *redactor) Write(p []byte) (int, error) {
	line := seen.hideIn(string(p))
	for _, re := range looksSecret {
		line = re.ReplaceAllString(line, "${1}"+hidden)
	}
	if _, err := io.WriteString(r.to, line); err != nil {
		return 0, err
	}
	return len(p), nil
}

// rotating is a file that is renamed to .1 when it grows too large. Several
// processes may write to one: lines are appended whole, and each notices when
// another has renamed the file under it.
type rotating struct {
	path string
	max  int64

	mu sync.Mutex
	f  *os.File
}

func openRotating(path string, limit int64) (*rotating, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	r := &rotating{path: path, max: limit}
	return r, r.open()
}

func (r *rotating) open() error {
	f, err := openShared(r.path)
	if err != nil {
		return err
	}
	// A log left by somebody with other habits is made private too.
	if err := f.Chmod(0o600); err != nil {
		return errors.Join(err, f.Close())
	}
	r.f = f
	return nil
}

// Write appends p, rotating before it where p would not fit.
func (r *rotating) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.f == nil {
		return 0, os.ErrClosed
	}
	mine, err := r.f.Stat()
	if err != nil {
		return 0, err
	}
	there, err := os.Stat(r.path)
	moved := err != nil || !os.SameFile(mine, there)
	full := !moved && mine.Size() > 0 && mine.Size()+int64(len(p)) > r.max
	// A log that can't be rotated grows rather than losing lines.
	if moved || full && setAside(r.path) == nil {
		old := r.f
		if err := r.open(); err != nil {
			return 0, err
		}
		_ = old.Close()
	}
	return r.f.Write(p)
}

// setAside makes a log its own predecessor. Windows puts no file in the place of one
// that is open, as the last predecessor may be in a process that has not written
// since, but renames that one.
func setAside(path string) error {
	last := path + ".1"
	err := os.Rename(path, last)
	if err == nil {
		return nil
	}
	gone := fmt.Sprintf("%s.%d-%d", last, os.Getpid(), time.Now().UnixNano())
	if os.Rename(last, gone) != nil {
		return err
	}
	_ = os.Remove(gone) // it goes when it is closed
	return os.Rename(path, last)
}

// Close closes the file; later writes fail.
func (r *rotating) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.f == nil {
		return nil
	}
	f := r.f
	r.f = nil
	return f.Close()
}
