package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tabwright/e2e/eval/suite"
)

// agent does tasks in a browser of its own.
type agent interface {
	Name() string
	// Version changes with whatever may change its results.
	Version() string
	// Set are the settings that change its results.
	Set() string
	// Do does one task. An error means that the run says nothing about the model: it could
	// not be asked, or the agent did not start.
	Do(ctx context.Context, j job) (outcome, error)
}

// job is a task on the site that was opened for it.
type job struct {
	text, url string
	maxSteps  int
	maxTime   time.Duration
}

// outcome is how an agent ended.
type outcome struct {
	end    string
	answer string // where it says that it is done
	said   string // what it ended with otherwise
	spending
	transcript map[string][]byte // files, by the ends of their names
}

// runner has an agent do a suite's tasks.
type runner struct {
	options
	suite   suite.Suite
	agent   agent
	results *results
	out     io.Writer
}

// run does the tasks that have no result yet, and returns all results, also with an
// error. If the context is cancelled, it returns the context's error, and the current
// task gets no result.
func (r *runner) run(ctx context.Context, tasks []suite.Task) ([]result, error) {
	done := make([]result, 0, len(tasks))
	var left []suite.Task
	for _, t := range tasks {
		if known, ok := r.results.known[r.blank(t).Key]; ok {
			done = append(done, known)
		} else {
			left = append(left, t)
		}
	}
	fmt.Fprintf(r.out, "%s: %d tasks by %s %s with %s", r.suite.Name(), len(tasks), r.agent.Name(), r.agent.Version(), r.model)
	if len(done) > 0 {
		fmt.Fprintf(r.out, "; %d are done already", len(done))
	}
	fmt.Fprintln(r.out)
	began := time.Now()
	for i, t := range left {
		one, err := r.task(ctx, t)
		if err != nil {
			return done, err
		}
		if err := r.results.add(one); err != nil {
			return done, err
		}
		done = append(done, one)
		each := time.Since(began) / time.Duration(i+1)
		fmt.Fprintln(r.out, progress(one, len(done), len(tasks), each*time.Duration(len(left)-i-1)))
	}
	return done, nil
}

// blank is the result of a task that was not done yet.
func (r *runner) blank(t suite.Task) result {
	one := result{
		Suite: r.suite.Name(), Task: t.ID, Lang: t.Lang, Level: t.Level, Acts: t.Acts,
		Agent: r.agent.Name(), Version: r.agent.Version(), Model: r.model.String(), Label: r.label, Seed: r.seed,
	}
	one.Key = one.key(strings.Join(append([]string{r.agent.Set(), "judge " + judge()}, r.limits()...), ","))
	return one
}

// judge is a checksum of this program, which holds the sites and their verdicts: with
// other ones a result is another.
var judge = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	sum, err := checksum(path)
	if err != nil {
		return ""
	}
	return sum
})

// limits are those that are not the usual ones.
func (r *runner) limits() []string {
	var out []string
	if r.maxSteps != 0 {
		out = append(out, fmt.Sprint("max-steps=", r.maxSteps))
	}
	if r.maxTime != usualTime {
		out = append(out, fmt.Sprint("max-seconds=", r.maxTime.Seconds()))
	}
	return out
}

// task does one task on a fresh site.
func (r *runner) task(ctx context.Context, t suite.Task) (result, error) {
	one := r.blank(t)
	if err := ctx.Err(); err != nil {
		return one, err
	}
	w, err := r.suite.Open(t, r.seed)
	if err != nil {
		return one, fmt.Errorf("open the site of %s: %w", t.ID, err)
	}
	defer w.Close()
	j := job{text: t.Text, url: w.URL() + t.Start, maxSteps: r.maxSteps, maxTime: r.maxTime}
	if j.maxSteps == 0 {
		j.maxSteps = 3*t.Acts + 4
	}
	got, err := r.agent.Do(ctx, j)
	if ctx.Err() != nil {
		return one, ctx.Err()
	}
	if e := r.keep(one, got.transcript); e != nil {
		return one, e
	}
	if err != nil {
		return one, fmt.Errorf("%s: %w", t.ID, err)
	}
	one.End, one.Answer, one.spending = got.end, oneLine(got.answer, 2000), got.spending
	verdict := w.Check(got.answer)
	if errors.Is(verdict, suite.ErrJudge) {
		return one, fmt.Errorf("%s: %w", t.ID, verdict)
	}
	one.Wrong = w.Wrong()
	if one.Solved = verdict == nil; !one.Solved {
		one.Why = one.why(verdict, got.said)
	}
	return one, nil
}

// keep writes a transcript, where transcripts are asked for. Its name is another for
// each result.
func (r *runner) keep(one result, files map[string][]byte) error {
	if r.transcripts == "" || len(files) == 0 {
		return nil
	}
	if err := os.MkdirAll(r.transcripts, 0o755); err != nil {
		return err
	}
	name := fmt.Sprintf("%s-%s-%s-%s-%s-seed-%d", one.Suite, one.Task, r.model.name, one.Agent, one.Version, one.Seed)
	if one.Label != "" {
		name += "-" + one.Label
	}
	name = fileName(fmt.Sprintf("%s-%.4x", name, sha256.Sum256([]byte(one.Key))))
	for end, raw := range files {
		if err := os.WriteFile(filepath.Join(r.transcripts, name+end), raw, 0o644); err != nil {
			return err
		}
	}
	return nil
}
