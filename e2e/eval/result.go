package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// result is one task as one agent did it: a line of the results.
type result struct {
	Key     string `json:"key"` // of all that the result depends on
	Suite   string `json:"suite"`
	Task    string `json:"task"`
	Lang    string `json:"lang"`
	Level   int    `json:"level"`
	Acts    int    `json:"acts"`
	Agent   string `json:"agent"`
	Version string `json:"version"`
	Model   string `json:"model"`
	Label   string `json:"label,omitempty"`
	Seed    int64  `json:"seed"`

	Solved bool   `json:"solved"` // by the site's record
	End    string `json:"end"`    // how the agent ended: one of the ends
	Why    string `json:"why,omitempty"`
	Answer string `json:"answer,omitempty"`
	Wrong  int    `json:"wrong"` // acts on wrong elements; -1: not known
	spending
}

// spending is what a run used, and what went wrong in it.
type spending struct {
	Steps     int     `json:"steps"` // acts, the one that ends the task among them
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	Seconds   float64 `json:"seconds"`
	Unread    int     `json:"unread"`  // replies in which no act could be read
	Gate      int     `json:"gate"`    // acts that were not allowed
	Guard     int     `json:"guard"`   // … that would have met another element
	Invalid   int     `json:"invalid"` // … that could not be done otherwise
}

// The ways a run ends.
const (
	endDone   = "done"   // the agent says that it is done
	endGaveUp = "failed" // … that it is not
	endSteps  = "steps"  // the steps ran out, or another budget
	endTime   = "time"   // the time ran out
	endModel  = "model"  // the model did not answer, or with nothing that can be read
)

// why returns on one line why a run was not solved. check is the site's verdict, said
// the agent's last message.
func (r *result) why(check error, said string) string {
	kind := "not done"
	switch {
	case r.End == endModel:
		kind = "model error"
	case r.End == endDone:
		kind = "said done but not"
	case r.End == endSteps || r.End == endTime:
		kind = "budget (" + r.End + ")"
	case r.Wrong > 0:
		kind = "wrong state"
	}
	if r.End == endTime && r.TokensIn == 0 {
		said = "the model gave no reply" // the machine may have been busy
	}
	line := kind + ": " + oneLine(check.Error(), 160)
	if said = oneLine(said, 160); said != "" && r.End != endDone {
		line += " [" + said + "]"
	}
	return line
}

// oneLine is a text in a line of at most n characters.
func oneLine(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

// key returns a key of all that a result depends on; set are settings and limits.
func (r *result) key(set string) string {
	return strings.Join([]string{r.Suite, r.Task, r.Model, r.Agent, r.Version, "seed " + strconv.FormatInt(r.Seed, 10), set, r.Label}, "|")
}

// results is the file of them: each is written as its task ends.
type results struct {
	file  *os.File
	known map[string]result // by key; the newest
}

// openResults reads the results that are in a file, and opens it for more.
func openResults(path string) (*results, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	r := &results{known: map[string]result{}}
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// A line that a crash cut off is a task that is done anew.
	whole := raw[:len(raw)-len(lastLine(raw))]
	lines := bufio.NewScanner(strings.NewReader(string(whole)))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var one result
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		r.known[one.Key] = one
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	if len(whole) < len(raw) {
		if err := r.file.Truncate(int64(len(whole))); err != nil {
			return nil, errors.Join(err, r.file.Close())
		}
	}
	return r, nil
}

// lastLine is what stands after the last end of a line.
func lastLine(raw []byte) []byte {
	return raw[strings.LastIndexByte(string(raw), '\n')+1:]
}

// add writes a result.
func (r *results) add(one result) error {
	raw, err := json.Marshal(one)
	if err != nil {
		return err
	}
	if _, err := r.file.Write(append(raw, '\n')); err != nil {
		return err
	}
	r.known[one.Key] = one
	return r.file.Sync()
}

// Close closes the file.
func (r *results) Close() error { return r.file.Close() }

var unfit = regexp.MustCompile(`[^\p{L}\p{N}._-]+`)

// fileName is a text that can be a file's name.
func fileName(s string) string { return strings.Trim(unfit.ReplaceAllString(s, "_"), "_") }
