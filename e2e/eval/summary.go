package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// progress is the line of a task that has ended.
func progress(r result, n, of int, left time.Duration) string {
	mark := "✗"
	if r.Solved {
		mark = "✓"
	}
	line := fmt.Sprintf("[%d/%d] %s %s (level %d, %s): %d steps, %s tokens in, %s out, %s", n, of, mark, r.Task, r.Level, r.Lang,
		r.Steps, thousands(r.TokensIn), thousands(r.TokensOut), seconds(r.Seconds))
	if n < of {
		line += "; about " + left.Round(time.Second).String() + " left"
	}
	if r.Why != "" {
		line += "\n    " + r.Why
	}
	return line
}

// tally is what several results come to. Sums, but for the wrong acts, which not
// every suite counts.
type tally struct {
	Tasks  int  `json:"tasks"`
	Solved int  `json:"solved"`
	Wrong  *int `json:"wrong,omitempty"`
	spending
}

func (t *tally) add(r result) {
	t.Tasks++
	if r.Solved {
		t.Solved++
	}
	if r.Wrong >= 0 {
		if t.Wrong == nil {
			t.Wrong = new(int)
		}
		*t.Wrong += r.Wrong
	}
	s := &t.spending
	s.Steps += r.Steps
	s.TokensIn += r.TokensIn
	s.TokensOut += r.TokensOut
	s.Seconds += r.Seconds
	s.Unread += r.Unread
	s.Gate += r.Gate
	s.Guard += r.Guard
	s.Invalid += r.Invalid
}

// summary is what a run came to.
type summary struct {
	Suite   string           `json:"suite"`
	Agent   string           `json:"agent"`
	Version string           `json:"version"`
	Model   string           `json:"model"`
	Label   string           `json:"label,omitempty"`
	Seed    int64            `json:"seed"`
	All     tally            `json:"all"`
	Levels  map[int]*tally   `json:"levels"`
	Langs   map[string]tally `json:"langs"`
	Failed  map[string]int   `json:"failed"` // how many for which kind of reason
	Results []result         `json:"results"`
}

// summarize sums up the results of one run; there is at least one.
func summarize(rs []result) summary {
	r := rs[0]
	s := summary{
		Suite: r.Suite, Agent: r.Agent, Version: r.Version, Model: r.Model, Label: r.Label, Seed: r.Seed,
		Levels: map[int]*tally{}, Langs: map[string]tally{}, Failed: map[string]int{}, Results: rs,
	}
	for _, r := range rs {
		s.All.add(r)
		if s.Levels[r.Level] == nil {
			s.Levels[r.Level] = &tally{}
		}
		s.Levels[r.Level].add(r)
		lang := s.Langs[r.Lang]
		lang.add(r)
		s.Langs[r.Lang] = lang
		if kind, _, ok := strings.Cut(r.Why, ":"); ok {
			s.Failed[kind]++
		}
	}
	return s
}

// save writes it as JSON.
func (s summary) save(path string) error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(raw, '\n'), 0o644)
}

// print writes the totals, and the row of a table.
func (s summary) print(w io.Writer) {
	fmt.Fprintf(w, "\n%-10s %9s %7s %10s %10s %9s %7s %5s %6s %8s %6s\n",
		"", "solved", "steps", "tokens in", "out", "seconds", "unread", "gate", "guard", "invalid", "wrong")
	line := func(name string, t tally) {
		wrong := "–"
		if t.Wrong != nil {
			wrong = fmt.Sprint(*t.Wrong)
		}
		fmt.Fprintf(w, "%-10s %9s %7d %10s %10s %9.0f %7d %5d %6d %8d %6s\n", name, fmt.Sprintf("%d of %d", t.Solved, t.Tasks),
			t.Steps, thousands(t.TokensIn), thousands(t.TokensOut), t.Seconds, t.Unread, t.Gate, t.Guard, t.Invalid, wrong)
	}
	for _, l := range sorted(s.Levels) {
		line(fmt.Sprintf("level %d", l), *s.Levels[l])
	}
	for _, l := range sorted(s.Langs) {
		line(l, s.Langs[l])
	}
	line("all", s.All)
	for _, kind := range sorted(s.Failed) {
		fmt.Fprintf(w, "%3d × %s\n", s.Failed[kind], kind)
	}
	fmt.Fprintf(w, "\nFor docs/models.md:\n%s\n%s\n", rowHead, s.row())
}

// rowHead is the head of the table in docs/models.md.
const rowHead = "| model | agent | suite | solved | level 1 | level 2 | level 3 | steps a task | tokens a task, in / out | seconds a task |\n" +
	"|---|---|---|---|---|---|---|---|---|---|"

// row is the run as a row of that table.
func (s summary) row() string {
	version, _, _ := strings.Cut(s.Version, "+") // without the checksum
	cells := []string{s.Model, strings.TrimSpace(s.Agent + " " + version + " " + s.Label), s.Suite, fmt.Sprintf("%d of %d", s.All.Solved, s.All.Tasks)}
	for level := 1; level <= 3; level++ {
		cell := "–"
		if t := s.Levels[level]; t != nil {
			cell = fmt.Sprintf("%d of %d", t.Solved, t.Tasks)
		}
		cells = append(cells, cell)
	}
	n := s.All.Tasks
	cells = append(cells, fmt.Sprintf("%.1f", float64(s.All.Steps)/float64(n)),
		thousands(s.All.TokensIn/n)+" / "+thousands(s.All.TokensOut/n), fmt.Sprintf("%.0f", s.All.Seconds/float64(n)))
	return "| " + strings.Join(cells, " | ") + " |"
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K {
	var keys []K
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// thousands is a number as 950 or 12.3k.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.1fk", float64(n)/1000)
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Second / 10).String()
}
