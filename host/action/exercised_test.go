package action

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestEveryActionMeetsAPage: each action is done by name on a page of a real
// browser, in one of the files *_browser_test.go; the two that only end or stop a
// task do nothing there.
func TestEveryActionMeetsAPage(t *testing.T) {
	files, err := filepath.Glob("*_browser_test.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	call := regexp.MustCompile(`\.(?:ok|do|doIn|fails)\((?:\w+, )?"(\w+)", (?:p\{|params\b)`)
	done := map[string]bool{}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllSubmatch(src, -1) {
			done[string(m[1])] = true
		}
	}
	for _, s := range std.Specs() {
		if !done[s.Name] && !slices.Contains([]string{"done", "askUser", "plan"}, s.Name) {
			t.Errorf("no test does %s on a page", s.Name)
		}
	}
	for name := range done {
		if _, ok := std.Spec(name); !ok {
			t.Errorf("tests do %s, which is no action", name)
		}
	}
}

// TestBothAlwaysAreThere: the tests that are to run on both drivers are called so.
func TestBothAlwaysAreThere(t *testing.T) {
	t.Setenv(everything, "")
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, src...)
	}
	for _, name := range onBothAlways {
		if !regexp.MustCompile(`(?m)^func ` + name + `\(t \*testing\.T\) \{\n\tdrivers\(`).Match(all) {
			t.Errorf("there is no %s on both drivers", name)
		}
		if leftOut(name) || leftOut(name+"/one of its cases") {
			t.Errorf("%s is left out", name)
		}
	}
}
