package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	cases := []struct {
		name, events string
		counts       string
		shows, hides []string
	}{
		{
			"passes", `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}
{"Action":"pass","Package":"p","Test":"TestA/sub"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":1.2}
{"Action":"pass","Package":"p","Test":"TestB","Elapsed":2.2}
{"Action":"pass","Package":"p","Elapsed":1.25}
{"Action":"skip","Package":"empty"}
`, "3 passed, 0 failed, 0 skipped", []string{"ok    p  3 tests  1.2s", "Slowest:\n     2.2s  p TestB\n     1.2s  p TestA\n"}, []string{"noise", "empty", "Failed:"},
		},
		{
			"fails", `{"Action":"output","Package":"p","Test":"TestA","Output":"want 1\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p","Elapsed":1}
`, "0 passed, 1 failed, 0 skipped", []string{"want 1\n", "FAIL  p", "\nFailed:\n  p TestA\n\n0 passed"}, nil,
		},
		{
			"skips", `{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:3: no browser\n"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}
`, "0 passed, 0 failed, 1 skipped", []string{"p TestA: a_test.go:3: no browser"}, nil,
		},
		{
			"does not compile", `{"ImportPath":"p [p.test]","Action":"build-output","Output":"p.go:1: bad\n"}
{"ImportPath":"p [p.test]","Action":"build-fail"}
{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}
`, "0 passed, 1 failed, 0 skipped", []string{"p.go:1: bad", "does not compile", "\nFailed:\n  p (the package itself: its output is above)\n\n0 passed"}, nil,
		},
		{
			"crashes", `{"Action":"output","Package":"p","Test":"TestA","Output":"panic: oh\n"}
{"Action":"output","Package":"p","Output":"exit status 2\n"}
{"Action":"fail","Package":"p"}
`, "0 passed, 1 failed, 0 skipped", []string{"panic: oh", "exit status 2"}, nil,
		},
		{"not wrapped", "plain words\n", "0 passed, 0 failed, 0 skipped", []string{"plain words"}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			s := newSummary(&out)
			if _, err := s.read(strings.NewReader(c.events), nil); err != nil {
				t.Fatal(err)
			}
			s.close()
			lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
			if last := lines[len(lines)-1]; last != c.counts {
				t.Errorf("last line %q, want %q", last, c.counts)
			}
			for _, want := range c.shows {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q lacks %q", out.String(), want)
				}
			}
			for _, not := range c.hides {
				if strings.Contains(out.String(), not) {
					t.Errorf("%q shows %q", out.String(), not)
				}
			}
		})
	}
}

// module writes a module of one test file and gives its folder.
func module(t *testing.T, tests string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module x\n\ngo 1.24\n", "x_test.go": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A real module with a test that fails: the code and the counts agree.
func TestRunOfRealTests(t *testing.T) {
	dir := module(t, "package x\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n"+
		"func TestBad(t *testing.T) { t.Error(\"bad as planned\") }\n")
	for _, flags := range [][]string{nil, {"-again", "5"}} {
		var out strings.Builder
		code, err := run(append(flags, "go", "test", "-C", dir, "-json", "--", "./..."), &out)
		if err != nil || code != 1 {
			t.Errorf("code %d, %v", code, err)
		}
		if !strings.HasSuffix(out.String(), "\n1 passed, 1 failed, 0 skipped\n") || !strings.Contains(out.String(), "bad as planned") {
			t.Error(out.String())
		}
	}
	var out strings.Builder
	code, err := run([]string{"go", "test", "-C", dir, "-json", "-run", "Good", "--", "./..."}, &out)
	if err != nil || code != 0 {
		t.Errorf("code %d, %v", code, err)
	}
	if code, err := run(nil, &out); err == nil || code == 0 {
		t.Error("no command, no error")
	}
	if code, err := run([]string{"-held", "(", "go", "test", "-C", dir, "-json", "--", "./..."}, &out); err == nil || code == 0 {
		t.Error("a pattern that is none, no error")
	}
}

// Packages behind a second "--" run beside the first, and count as they do.
func TestSideBySide(t *testing.T) {
	dir := module(t, "package x\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n")
	bad := filepath.Join(dir, "bad")
	if err := os.Mkdir(bad, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bad, "b_test.go"), []byte("package bad\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error(\"beside\") }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]string{{".", "--", "./bad"}, {"./bad", "--", "."}} {
		var out strings.Builder
		code, err := run(append([]string{"go", "test", "-C", dir, "-json", "--"}, order...), &out)
		if err != nil || code != 1 || !strings.HasSuffix(out.String(), "\n1 passed, 1 failed, 0 skipped\n") || !strings.Contains(out.String(), "beside") {
			t.Errorf("%v: code %d, %v\n%s", order, code, err, out.String())
		}
	}
}

// What fails once gets a second run, and is named; more failures than allowed,
// a data race, a crash and what is held do not, and what is held stays failed
// beside others that are excused.
func TestRunsAgain(t *testing.T) {
	const flaky = "package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n" +
		"func TestGood(t *testing.T) {}\n" +
		"func TestOnce(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { once(t, \"one\") }) }\n" +
		"func TestTwo(t *testing.T) { once(t, \"two\") }\n" +
		"func once(t *testing.T, name string) {\n\tif os.Mkdir(name, 0o700) == nil {\n\t\tFAIL\n\t}\n}\n"
	cases := []struct {
		name, fail, again, held string
		code                    int
		ends, shows             string
	}{
		{"twice flaky", `t.Error("not yet")`, "2", "", 0, "4 passed, 0 failed, 0 skipped\n", "x TestOnce\n  x TestTwo\n"},
		{"too many", `t.Error("not yet")`, "1", "", 1, "1 passed, 3 failed, 0 skipped\n", "not yet"},
		{"a race", `t.Error("WARNING: DATA RACE")`, "2", "", 1, "1 passed, 3 failed, 0 skipped\n", "DATA RACE"},
		{"a crash", `panic("gone")`, "2", "", 1, "failed, 0 skipped\n", "gone"},
		{"one is held", `t.Error("not yet")`, "1", "^TestO", 1, "\nFailed:\n  x TestOnce\n\n2 passed, 2 failed, 0 skipped\n", "once more: x TestTwo\n"},
		{"another is held", `t.Error("not yet")`, "2", "^Test(Two|Good)$", 1, "3 passed, 1 failed, 0 skipped\n", "once more: x TestOnce\n"},
		{"both are held", `t.Error("not yet")`, "2", "Once|Two", 1, "1 passed, 3 failed, 0 skipped\n", "not yet"},
		{"neither is", `t.Error("not yet")`, "2", "^TestOnceMore", 0, "4 passed, 0 failed, 0 skipped\n", "x TestOnce\n  x TestTwo\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := module(t, strings.Replace(flaky, "FAIL", c.fail, 1))
			var out strings.Builder
			flags := []string{"-again", c.again}
			if c.held != "" {
				flags = append(flags, "-held", c.held)
			}
			code, err := run(append(flags, "go", "test", "-C", dir, "-json", "--", "./..."), &out)
			if err != nil || code != c.code || !strings.HasSuffix(out.String(), c.ends) || !strings.Contains(out.String(), c.shows) {
				t.Errorf("code %d, %v\n%s", code, err, out.String())
			}
		})
	}
}

// Parts of a half run one after the other with flags of their own, also when
// they are of one package, and what failed in one is run again with these.
func TestParts(t *testing.T) {
	const tests = "package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n" +
		"func TestGood(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Error(\"short\")\n\t}\n}\n" +
		"func TestOnce(t *testing.T) {\n\tif !testing.Short() {\n\t\tt.Error(\"long\")\n\t}\n\tif os.Mkdir(\"once\", 0o700) == nil {\n\t\tt.Error(\"not yet\")\n\t}\n}\n" +
		"func TestQuits(t *testing.T) {\n\tif testing.Short() {\n\t\tos.Exit(1)\n\t}\n}\n"
	for _, c := range []struct {
		name  string
		parts []string
		code  int
		ends  string
		shows []string
	}{
		{"each its own", []string{"-skip=Once", ".", "-then", "-short", "-run=Once", "."}, 0, "3 passed, 0 failed, 0 skipped\n", []string{"ok    x  2 tests", "FAIL  x", "once more: x TestOnce\n"}},
		{"in the second half", []string{"-run=None", ".", "--", "-skip=Once", ".", "-then", "-short", "-run=Once", "."}, 0, "3 passed, 0 failed, 0 skipped\n", []string{"once more: x TestOnce\n"}},
		{"a first part that fails", []string{"-short", "-run=Good", ".", "-then", "-short", "-run=Once", "."}, 1, "1 passed, 1 failed, 0 skipped\n", []string{"once more: x TestGood\n", "once more: x TestOnce\n"}},
		{"a part that does not run", []string{"-run=Good", ".", "-then", "./gone"}, 1, "1 passed, 1 failed, 0 skipped\n", []string{"does not compile"}},
		{"a part with a flag that is none", []string{"-short", "-run=Once", ".", "-then", "-count=x", "."}, 1, "0 passed, 1 failed, 0 skipped\n", []string{"FAIL  x", "-count=x .\n  x TestOnce\n\n0 passed"}},
		{"a test that ends the program behind one that fails", []string{"-short", "-run=Once|Quits", "."}, 1, "0 passed, 2 failed, 0 skipped\n", []string{"=== RUN   TestQuits"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := module(t, tests)
			var out strings.Builder
			code, err := run(append([]string{"-again", "2", "go", "test", "-C", dir, "-json", "--"}, c.parts...), &out)
			if err != nil || code != c.code || !strings.HasSuffix(out.String(), c.ends) {
				t.Errorf("code %d, %v\n%s", code, err, out.String())
			}
			for _, want := range c.shows {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q lacks %q", out.String(), want)
				}
			}
		})
	}
}

// The short tests get the second run that all tests get: what make would run says so.
func TestShortRunsAgain(t *testing.T) {
	for _, target := range []string{"test-short", "test"} {
		said, err := exec.Command("make", "-C", filepath.Join("..", ".."), "-n", target).CombinedOutput()
		if err != nil {
			t.Fatalf("make -n %s: %v\n%s", target, err, said)
		}
		if !regexp.MustCompile(`e2e/testsum -again [1-9]\d* '-held=\S+' go test -json`).Match(said) {
			t.Errorf("make %s gives no second run, or one to what is held:\n%s", target, said)
		}
	}
}
