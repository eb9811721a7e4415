package flow

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tabwright/llm"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// The kinds of Mark.
const (
	MarkLook = "look" // the model was asked and replied
	MarkStep = "step" // an action was done
)

const (
	trailName = "trail.jsonl"
	// sawMost and saidMost cut a mark, in characters; trailMost ends a trail, in
	// bytes: a task of a thousand steps stays below 16 MB.
	sawMost   = 12_000
	saidMost  = 4_000
	trailMost = 16 << 20
)

// Mark is one line of a trail.
type Mark struct {
	Kind string `json:"kind"`
	Time int64  `json:"time"` // Unix milliseconds, of its end

	// Of a look.
	Saw     string     `json:"saw,omitempty"` // the newest message: page, notices, last result
	Picture bool       `json:"picture,omitempty"`
	Said    string     `json:"said,omitempty"`
	Calls   []llm.Call `json:"calls,omitempty"`
	Usage   llm.Usage  `json:"usage,omitzero"`
	Millis  int64      `json:"millis,omitempty"`
	Way     llm.Way    `json:"way,omitempty"`
	Failed  string     `json:"failed,omitempty"`

	// Of a step.
	Action string          `json:"action,omitempty"`
	Params json.RawMessage `json:"params,omitempty"` // without values of secret fields
	Secret bool            `json:"secret,omitempty"`
	Target *Target         `json:"target,omitempty"`
	Line   string          `json:"line,omitempty"`
	From   string          `json:"from,omitempty"` // address before
	To     string          `json:"to,omitempty"`   // … and after
	Effect string          `json:"effect,omitempty"`
	OK     bool            `json:"ok,omitempty"`
	// Appeared are texts that appeared, Value is the field's value after the step.
	Appeared []string `json:"appeared,omitempty"`
	Value    string   `json:"value,omitempty"`
}

// Target is an element as a user would name it. It has no index, since an index is
// valid in one tab only.
type Target struct {
	Role    string `json:"role,omitempty" yaml:"role,omitempty"`
	Name    string `json:"name,omitempty" yaml:"name,omitempty"`
	Context string `json:"context,omitempty" yaml:"context,omitempty"` // landmark or heading it stands under
	// Selector is for elements with neither role nor name.
	Selector string `json:"selector,omitempty" yaml:"selector,omitempty"`
}

// Trail records what the model of a task saw and said, and the task's actions, in a
// file of the task's folder. A nil Trail records nothing. It is safe for concurrent
// use.
type Trail struct {
	mu      sync.Mutex
	path    string
	file    *os.File
	size    int64
	err     error
	hidden  []string // values of fields for secrets
	pending *Mark    // a look whose calls may still turn out to write secrets
}

// OpenTrail begins or continues the trail in a task's folder. The first mark creates
// the folder. OpenTrail returns nil if dir is empty.
func OpenTrail(dir string) *Trail {
	if dir == "" {
		return nil
	}
	return &Trail{path: trailPath(dir)}
}

func trailPath(dir string) string { return filepath.Join(dir, ".trace", trailName) }

// add writes a mark; the error of the first that failed is kept for Close.
func (t *Trail) add(m Mark) {
	if t.err != nil {
		return
	}
	if t.file == nil {
		if t.err = os.MkdirAll(filepath.Dir(t.path), 0o700); t.err != nil {
			return
		}
		if t.file, t.err = os.OpenFile(t.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); t.err != nil {
			return
		}
		if st, err := t.file.Stat(); err == nil {
			t.size = st.Size()
		}
	}
	if t.size > trailMost {
		return
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.err = err
		return
	}
	n, err := t.file.Write(append([]byte(t.clean(string(raw))), '\n'))
	t.size, t.err = t.size+int64(n), err
}

// clean hides card numbers, and text typed into fields for secrets, in an encoded
// mark.
func (t *Trail) clean(raw string) string {
	for _, h := range t.hidden {
		raw = strings.ReplaceAll(raw, h, hiddenMark)
	}
	return safety.Redact(raw)
}

const hiddenMark = "•••"

// hide makes clean hide a value from now on.
func (t *Trail) hide(value string) {
	if len(value) < 3 { // it would hide half the page
		return
	}
	raw, err := json.Marshal(value)
	if err == nil {
		value = string(raw[1 : len(raw)-1])
	}
	t.hidden = append(t.hidden, value)
}

// looked records a look. It is written with the next one, since its calls may turn
// out to type a secret.
func (t *Trail) looked(m Mark) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flush()
	m.Kind, m.Time = MarkLook, time.Now().UnixMilli()
	m.Saw, m.Said = cut(m.Saw, sawMost), cut(m.Said, saidMost)
	t.pending = &m
}

// read adds the calls in its reply to the last look, or the error instead of them.
func (t *Trail) read(calls []llm.Call, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending == nil {
		return
	}
	t.pending.Calls = calls
	if err != nil {
		t.pending.Failed = err.Error()
	}
}

// stepped writes a step.
func (t *Trail) stepped(m Mark) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.Secret {
		m.Params = t.redactParams(m.Params)
	}
	m.Kind, m.Time = MarkStep, time.Now().UnixMilli()
	t.add(m)
}

// redactParams hides the text typed into a field for secrets, and returns the
// parameters without it.
func (t *Trail) redactParams(params json.RawMessage) json.RawMessage {
	var p map[string]any
	if json.Unmarshal(params, &p) != nil {
		return params
	}
	for _, k := range []string{"text", "value"} {
		if s, ok := p[k].(string); ok && !isPlaceholder(s) {
			t.hide(s)
			p[k] = hiddenMark
		}
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return params
	}
	return raw
}

// hideParams hides the text that a failed call would have typed into such a field.
func (t *Trail) hideParams(params json.RawMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.redactParams(params)
}

func (t *Trail) flush() {
	if t.pending != nil {
		t.add(*t.pending)
		t.pending = nil
	}
}

// Close writes what is left and closes the file. Its error is that of the
// first mark that could not be written.
func (t *Trail) Close() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flush()
	if t.file == nil {
		return t.err
	}
	err := errors.Join(t.err, t.file.Close())
	t.file = nil
	return err
}

// ReadTrail gives the marks of a task's folder, oldest first; none where
// nothing was kept. A last line that was cut off by a crash is left out.
func ReadTrail(dir string) ([]Mark, error) {
	f, err := os.Open(trailPath(dir))
	if errors.Is(err, fs.ErrNotExist) || dir == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Mark
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m Mark
		if json.Unmarshal(lines.Bytes(), &m) == nil {
			out = append(out, m)
		}
	}
	return out, lines.Err()
}

func cut(s string, n int) string { return pagecontext.Cut(s, n+1) }
