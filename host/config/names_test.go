package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What nothing reads is an error with the nearest name, in a flag and in the
// environment as in the file.
func TestMisspeltSettings(t *testing.T) {
	for name, want := range map[string]string{
		"TABWRIGHT_MODLE":          "TABWRIGHT_MODLE: there is no such setting; did you mean TABWRIGHT_MODEL or TABWRIGHT_MODE?",
		"TABWRIGHT_BUDGET_STEPS":   "did you mean TABWRIGHT_BUDGETS_STEPS?",
		"TABWRIGHT_OPNAI_API_KEY":  "did you mean TABWRIGHT_OPENAI_API_KEY?",
		"TABWRIGHT_SOKET":          "did you mean TABWRIGHT_SOCKET?",
		"TABWRIGHT_LNAG":           "did you mean TABWRIGHT_LANG?",
		"TABWRIGHT_QZWX":           "TABWRIGHT_QZWX: there is no such setting",
		"TABWRIGHT_MODEL":          "",
		"TABWRIGHT_OPENAI_API_KEY": "",
		"TABWRIGHT_TEST_ANYTHING":  "",
		"OTHER_MODLE":              "",
	} {
		_, err := Load(Overrides{Env: env(), Names: []string{"PATH", name}})
		var one *Error
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && (!errors.As(err, &one) || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v lacks %q", name, err, want)
		}
	}
	t.Setenv("TABWRIGHT_MODLE", "x") // and in the environment that there really is
	for _, err := range []error{Overrides{}.CheckNames(), func() error { _, err := Load(Overrides{}); return err }()} {
		if err == nil || !strings.Contains(err.Error(), "TABWRIGHT_MODLE") {
			t.Errorf("a misspelt variable: %v", err)
		}
	}
	o := Overrides{Flags: map[string]string{"modle": "x"}, Env: env()}
	for _, err := range []error{o.CheckNames(), func() error { _, err := Load(o); return err }()} {
		if err == nil || !strings.Contains(err.Error(), "--set modle: there is no setting “modle”; did you mean model or mode?") {
			t.Errorf("%v", err)
		}
	}
	if err := (Overrides{Flags: map[string]string{"model": "x"}, Env: env()}).CheckNames(); err != nil {
		t.Error(err)
	}
}

// Each variable that stands anywhere in the tree is known, or what sets it would
// be refused by the program that it starts.
func TestVariablesOfTheTree(t *testing.T) {
	name := regexp.MustCompile(`TABWRIGHT_[A-Z][A-Z_]*[A-Z]`)
	known := append(variables(), workVars...)
	found := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && (base == "node_modules" || base == ".git" || base == ".cache" || base == "bin" || base == "dist") {
			return filepath.SkipDir
		}
		if d.IsDir() || d.Name() == "names_test.go" || !slices.Contains([]string{".go", ".mjs", ".sh", ".md", ".yml", "", "."}, filepath.Ext(path)) && !strings.HasPrefix(path, "../../.ci") {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, v := range name.FindAllString(string(b), -1) {
			found++
			if !slices.Contains(known, v) && !strings.HasPrefix(v, "TABWRIGHT_TEST") {
				t.Errorf("%s names %s, which the program would refuse", path, v)
			}
		}
		return err
	})
	if err != nil || found < 50 {
		t.Errorf("%d found, %v", found, err)
	}
}
