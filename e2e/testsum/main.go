// Command testsum runs `go test -json …`, shows a line per package and the
// output of what failed, and closes with the number of tests on a line of its
// own: "N passed, N failed, N skipped". Start reading at summary.event.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
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
	if len(args) == 0 {
		return 2, errors.New("usage: testsum go test -json …")
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return 2, err
	}
	if err := cmd.Start(); err != nil {
		return 2, err
	}
	s := newSummary(out)
	readErr := s.read(pipe)
	_ = cmd.Wait() // its code is in ProcessState, its words were printed
	s.close()
	if readErr != nil {
		return 1, readErr
	}
	if !cmd.ProcessState.Success() || s.failed > 0 {
		return 1, nil
	}
	return 0, nil
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

// summary counts tests, subtests included, and keeps the output of each until
// it is known whether anybody wants to read it.
type summary struct {
	out                     io.Writer
	passed, failed, skipped int

	output map[testID][]string
	builds map[string][]string // output of the compiler by package
	tests  map[string]int      // finished tests by package
	broken map[string]bool     // packages in which a test failed
	skips  []string
}

func newSummary(out io.Writer) *summary {
	return &summary{
		out: out, output: map[testID][]string{}, builds: map[string][]string{},
		tests: map[string]int{}, broken: map[string]bool{},
	}
}

func (s *summary) read(r io.Reader) error {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Action == "" {
				s.print(string(line)) // not everything a test binary prints comes wrapped
			} else {
				s.event(e)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) event(e event) {
	id := testID{e.Package, e.Test}
	switch e.Action {
	case "output":
		s.output[id] = append(s.output[id], e.Output)
	case "build-output":
		s.builds[e.ImportPath] = append(s.builds[e.ImportPath], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.endPackage(e)
		} else {
			s.endTest(e, id)
		}
	}
}

func (s *summary) endTest(e event, id testID) {
	s.tests[e.Package]++
	switch e.Action {
	case "pass":
		s.passed++
	case "skip":
		s.skipped++
		s.skips = append(s.skips, fmt.Sprintf("%s %s: %s", e.Package, e.Test, reason(s.output[id])))
	case "fail":
		s.failed++
		s.broken[e.Package] = true
		s.print(strings.Join(s.output[id], ""))
	}
	delete(s.output, id)
}

func (s *summary) endPackage(e event) {
	switch {
	case e.Action == "fail" && e.FailedBuild != "":
		s.failed++
		s.print(strings.Join(s.builds[e.FailedBuild], ""))
		s.print(fmt.Sprintf("FAIL  %s (does not compile)\n", e.Package))
	case e.Action == "fail":
		if !s.broken[e.Package] {
			s.failed++ // it crashed, ran out of time, or TestMain failed
			s.unfinished(e.Package)
		}
		s.print(fmt.Sprintf("FAIL  %s  %.1fs\n", e.Package, e.Elapsed))
	case s.tests[e.Package] > 0:
		s.print(fmt.Sprintf("ok    %s  %d tests  %.1fs\n", e.Package, s.tests[e.Package], e.Elapsed))
	}
	delete(s.output, testID{e.Package, ""})
}

// unfinished prints what a package said that ended without naming a test:
// its own words, and those of the tests that were running.
func (s *summary) unfinished(pkg string) {
	var ids []testID
	for id := range s.output {
		if id.pkg == pkg {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b testID) int { return strings.Compare(a.test, b.test) })
	for _, id := range ids {
		s.print(strings.Join(s.output[id], ""))
		delete(s.output, id)
	}
}

// reason finds what a test gave to Skip among its output.
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
	s.print(fmt.Sprintf("\n%d passed, %d failed, %d skipped\n", s.passed, s.failed, s.skipped))
}

func (s *summary) print(text string) { _, _ = io.WriteString(s.out, text) }
