// Command testsum runs `go test` and sums up its results. Its arguments are `FLAGS --
// PACKAGES`, or `FLAGS -- PACKAGES -- PACKAGES` for two runs side by side. Each half may
// be several runs one after the other, `PACKAGES -then PACKAGES`, and each of these may begin
// with flags of its own, as -name=value. It shows a line per package and the output of
// what failed, names the tests that took longest, and closes with the names of
// what failed, under "Failed:", and the number of tests on a line of its own: "N
// passed, N failed, N skipped". With -again N the
// tests that failed, if there are no more than N, are run once more, by themselves
// and with the flags that they had; those that pass then are counted as passed and
// named as flaky. A data race, a crash and what does not compile get no second
// run, nor does a test whose name -held PATTERN matches: what may not happen even
// once has happened when it fails. Start reading at summary.event.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
)

func main() {
	code, err := run(os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum:", err)
	}
	os.Exit(code)
}

// run runs the command and gives its exit code; a command that succeeds while
// a test failed is a failure all the same.
func run(args []string, out io.Writer) (int, error) {
	flags := flag.NewFlagSet("testsum", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	again := flags.Int("again", 0, "how many failed tests are run once more")
	var held *regexp.Regexp
	flags.Func("held", "names of the tests that are never run once more", func(pattern string) (err error) {
		held, err = regexp.Compile(pattern)
		return err
	})
	err := flags.Parse(args)
	command := flags.Args()
	packages := slices.Index(command, "--")
	if err != nil || packages < 1 {
		return 2, errors.New("usage: testsum [-again N] [-held PATTERN] go test -json FLAGS -- PACKAGES [-then PACKAGES] [-- PACKAGES [-then PACKAGES]]")
	}
	command, patterns := command[:packages], command[packages+1:]
	s := newSummary(out)
	ok, err := s.all(command, patterns)
	if second := s.toRepeat(*again, held); err == nil && len(second) > 0 {
		ok = true
		for _, pkg := range slices.Sorted(maps.Keys(second)) {
			for _, alike := range s.alike(second[pkg]) {
				one, serr := s.repeat(alike)
				ok, err = ok && one, errors.Join(err, serr)
			}
		}
	}
	s.close()
	if err != nil || !ok || s.total().failed > 0 {
		return 1, err
	}
	return 0, nil
}

// then divides the packages of one half into those that run one after the other.
const then = "-then"

// all runs the packages before a "--" and those behind it side by side.
func (s *summary) all(command, patterns []string) (ok bool, err error) {
	first, second := patterns, []string(nil)
	if at := slices.Index(patterns, "--"); at >= 0 {
		first, second = patterns[:at], patterns[at+1:]
	}
	if len(second) == 0 {
		return s.half(command, first)
	}
	var behind sync.WaitGroup
	var ok2 bool
	var err2 error
	behind.Go(func() { ok2, err2 = s.half(command, second) })
	ok, err = s.half(command, first)
	behind.Wait()
	return ok && ok2, errors.Join(err, err2)
}

// half runs its parts one after the other, all of them even if one fails.
func (s *summary) half(command, patterns []string) (ok bool, err error) {
	for ok = true; ; {
		part, rest, more := cut(patterns)
		flags := len(part)
		if at := slices.IndexFunc(part, func(p string) bool { return !strings.HasPrefix(p, "-") }); at >= 0 {
			flags = at
		}
		one, perr := s.command(slices.Concat(command, part[:flags]), part[flags:])
		ok, err = ok && one, errors.Join(err, perr)
		if !more {
			return ok, err
		}
		patterns = rest
	}
}

func cut(patterns []string) (part, rest []string, more bool) {
	if at := slices.Index(patterns, then); at >= 0 {
		return patterns[:at], patterns[at+1:], true
	}
	return patterns, nil, false
}

// command runs go test with its flags on packages, or with flags of the last
// minute, and reads what it says; ok is whether it succeeded.
func (s *summary) command(with, on []string) (ok bool, err error) {
	args := slices.Concat(with, on)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	told, err := s.read(pipe, with)
	_ = cmd.Wait() // its code is in ProcessState, its words were printed
	if ok = cmd.ProcessState.Success(); !ok && !told {
		s.mu.Lock()
		s.grave = true // a flag it does not know, or it was killed: which tests did not run nobody can tell
		s.untold = append(s.untold, strings.Join(args, " "))
		s.mu.Unlock()
	}
	return ok, err
}

// event is one line of test2json; see go doc cmd/test2json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build output
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

type testID struct{ pkg, test string }

// top is the test that a subtest belongs to.
func (id testID) top() testID {
	name, _, _ := strings.Cut(id.test, "/")
	return testID{id.pkg, name}
}

// slowest is how many tests are named as the slowest.
const slowest = 25

type counts struct{ passed, failed, skipped int }

// summary counts tests, subtests included, and keeps the output of each until it is known
// whether the output is needed.
type summary struct {
	out io.Writer
	mu  sync.Mutex // of what follows, while two commands run

	counts map[testID]*counts // by top test; by package (no test) what ended without one
	output map[testID][]string
	builds map[string][]string // output of the compiler by package
	tests  map[string]int      // finished tests by package
	broken map[string]bool     // packages in which a test failed
	grave  bool                // what no second run excuses was seen
	untold []string            // commands that failed and named no package
	skips  []string
	flaky  []string
	took   []timed             // tests that took a second or longer
	failed map[testID][]string // the command, with its flags, in which a test failed
}

type timed struct {
	id      testID
	seconds float64
}

func newSummary(out io.Writer) *summary {
	return &summary{
		out: out, counts: map[testID]*counts{}, output: map[testID][]string{}, builds: map[string][]string{},
		tests: map[string]int{}, broken: map[string]bool{}, failed: map[testID][]string{},
	}
}

func (s *summary) count(id testID) *counts {
	c := s.counts[id]
	if c == nil {
		c = &counts{}
		s.counts[id] = c
	}
	return c
}

func (s *summary) total() counts {
	var all counts
	for _, c := range s.counts {
		all.passed += c.passed
		all.failed += c.failed
		all.skipped += c.skipped
	}
	return all
}

// grave tells the lines of a data race, and of a crash or a time-out, after
// which other tests of the package have not run.
func grave(line string) bool {
	return strings.Contains(line, "WARNING: DATA RACE") || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// toRepeat gives the tests that get a second run, by package: all that failed but
// those that held matches (nil: none), or no test when they are more than most or
// some can't be excused.
func (s *summary) toRepeat(most int, held *regexp.Regexp) map[string][]testID {
	if s.grave {
		return nil
	}
	tests, n := map[string][]testID{}, 0
	for id, c := range s.counts {
		if c.failed == 0 || id.test != "" && held != nil && held.MatchString(id.test) {
			continue
		}
		if n++; id.test == "" || n > most {
			return nil
		}
		tests[id.pkg] = append(tests[id.pkg], id)
	}
	return tests
}

// alike divides tests of a package into those that ran with the same flags.
func (s *summary) alike(tests []testID) [][]testID {
	slices.SortFunc(tests, func(a, b testID) int {
		return cmp.Or(slices.Compare(s.failed[a], s.failed[b]), strings.Compare(a.test, b.test))
	})
	var out [][]testID
	for i, id := range tests {
		if i == 0 || !slices.Equal(s.failed[tests[i-1]], s.failed[id]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], id)
	}
	return out
}

// repeat runs tests of a package, all with the same flags, once more; what they
// said first does not count.
func (s *summary) repeat(tests []testID) (ok bool, err error) {
	pkg, names := tests[0].pkg, make([]string, len(tests))
	for i, id := range tests {
		names[i] = id.test
		delete(s.counts, id)
	}
	s.print(fmt.Sprintf("\nonce more: %s %s\n", pkg, strings.Join(names, " ")))
	ok, err = s.command(s.failed[tests[0]], []string{"-skip", "^$", "-run", "^(" + strings.Join(names, "|") + ")$", pkg})
	for _, id := range tests {
		if c := s.counts[id]; c == nil || c.passed+c.skipped == 0 || c.failed > 0 {
			ok = false
			continue
		}
		s.flaky = append(s.flaky, pkg+" "+id.test)
	}
	return ok, err
}

// read reads what a command says; told is whether a package was said to fail.
func (s *summary) read(r io.Reader, command []string) (told bool, err error) {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			e := s.line(line, command)
			told = told || e.Action == "fail" && e.Test == ""
		}
		if errors.Is(err, io.EOF) {
			return told, nil
		}
		if err != nil {
			return told, err
		}
	}
}

func (s *summary) line(line []byte, command []string) event {
	s.mu.Lock()
	defer s.mu.Unlock()
	var e event
	if json.Unmarshal(line, &e) != nil || e.Action == "" {
		s.print(string(line)) // not everything a test binary prints comes wrapped
		return event{}
	}
	s.event(e, command)
	return e
}

func (s *summary) event(e event, command []string) {
	id := testID{e.Package, e.Test}
	switch e.Action {
	case "output":
		s.grave = s.grave || grave(e.Output)
		s.output[id] = append(s.output[id], e.Output)
	case "build-output":
		s.builds[e.ImportPath] = append(s.builds[e.ImportPath], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.endPackage(e)
		} else {
			s.endTest(e, id, command)
		}
	}
}

func (s *summary) endTest(e event, id testID, command []string) {
	s.tests[e.Package]++
	if id == id.top() && e.Elapsed >= 1 {
		s.took = append(s.took, timed{id, e.Elapsed})
	}
	c := s.count(id.top())
	switch e.Action {
	case "pass":
		c.passed++
	case "skip":
		c.skipped++
		s.skips = append(s.skips, fmt.Sprintf("%s %s: %s", e.Package, e.Test, reason(s.output[id])))
	case "fail":
		c.failed++
		s.broken[e.Package] = true
		s.failed[id.top()] = command
		s.print(strings.Join(s.output[id], ""))
	}
	delete(s.output, id)
}

func (s *summary) endPackage(e event) {
	switch {
	case e.Action == "fail" && e.FailedBuild != "":
		s.count(testID{e.Package, ""}).failed++
		s.print(strings.Join(s.builds[e.FailedBuild], ""))
		s.print(fmt.Sprintf("FAIL  %s (does not compile)\n", e.Package))
	case e.Action == "fail":
		if cut := s.unfinished(e.Package); cut || !s.broken[e.Package] {
			s.count(testID{e.Package, ""}).failed++ // it crashed, was killed, ran out of time, or TestMain failed
			s.grave = s.grave || cut
		}
		s.print(fmt.Sprintf("FAIL  %s  %.1fs\n", e.Package, e.Elapsed))
	case s.tests[e.Package] > 0:
		s.print(fmt.Sprintf("ok    %s  %d tests  %.1fs\n", e.Package, s.tests[e.Package], e.Elapsed))
	}
	// Another part of the half may be of the same package.
	delete(s.output, testID{e.Package, ""})
	delete(s.tests, e.Package)
	delete(s.broken, e.Package)
}

// unfinished prints what a package said that ended without naming a test: the
// words of the tests that were running, and then or where none failed its own. cut
// is whether there were such tests.
func (s *summary) unfinished(pkg string) (cut bool) {
	var ids []testID
	for id := range s.output {
		if id.pkg == pkg {
			ids = append(ids, id)
			cut = cut || id.test != ""
		}
	}
	if !cut && s.broken[pkg] {
		return false
	}
	slices.SortFunc(ids, func(a, b testID) int { return strings.Compare(a.test, b.test) })
	for _, id := range ids {
		s.print(strings.Join(s.output[id], ""))
		delete(s.output, id)
	}
	return cut
}

// reason finds the reason of Skip in a test's output.
func reason(lines []string) string {
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l != "" && !strings.HasPrefix(l, "=== ") && !strings.HasPrefix(l, "--- ") {
			return l
		}
	}
	return "no reason given"
}

func (s *summary) close() {
	if len(s.skips) > 0 {
		s.print("\nSkipped:\n  " + strings.Join(s.skips, "\n  ") + "\n")
	}
	if len(s.flaky) > 0 {
		s.print("\nFlaky (failed, then passed by itself):\n  " + strings.Join(s.flaky, "\n  ") + "\n")
	}
	if len(s.took) > 0 {
		slices.SortStableFunc(s.took, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
		s.print("\nSlowest:\n")
		for _, t := range s.took[:min(slowest, len(s.took))] {
			s.print(fmt.Sprintf("  %6.1fs  %s %s\n", t.seconds, t.id.pkg, t.id.test))
		}
	}
	if names := s.failures(); len(names) > 0 {
		s.print("\nFailed:\n  " + strings.Join(names, "\n  ") + "\n")
	}
	all := s.total()
	s.print(fmt.Sprintf("\n%d passed, %d failed, %d skipped\n", all.passed, all.failed, all.skipped))
}

// failures names what failed: tests, packages that ended without naming one, and
// commands that named nothing.
func (s *summary) failures() []string {
	names := slices.Clone(s.untold)
	for id, c := range s.counts {
		switch {
		case c.failed == 0:
		case id.test == "":
			names = append(names, id.pkg+" (the package itself: its output is above)")
		default:
			names = append(names, id.pkg+" "+id.test)
		}
	}
	slices.Sort(names)
	return names
}

func (s *summary) print(text string) { _, _ = io.WriteString(s.out, text) }
