package extension_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tabwright/extension/bundle"
)

// notForPanels are packages whose codes go to no panel: those of HTTP's own
// door, and of install, which a terminal shows.
var notForPanels = []string{filepath.Join("host", "control", "httpapi"), "install"}

// codesIn gives the codes of errors in the sources: constants of a type that is
// called Code, those called Code…, and what is written out where an error is made.
func codesIn(t *testing.T, root string) map[string]string {
	t.Helper()
	word := regexp.MustCompile(`^[a-z][a-z_]+$`)
	out := map[string]string{}
	see := func(e ast.Expr, where string) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if code, err := strconv.Unquote(lit.Value); err == nil && word.MatchString(code) {
				out[code] = where
			}
		}
	}
	for _, dir := range []string{"host", "llm"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(root, filepath.Dir(path))
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(rel, notForPanels[0]) || rel == notForPanels[1] {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					for i, v := range n.Values {
						if named := strings.HasPrefix(n.Names[i].Name, "Code"); named || typeIs(n.Type, "Code") {
							see(v, rel)
						}
					}
				case *ast.KeyValueExpr:
					if k, ok := n.Key.(*ast.Ident); ok && k.Name == "Code" {
						see(n.Value, rel)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func typeIs(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == name
	case *ast.SelectorExpr:
		return e.Sel.Name == name
	}
	return false
}

// keysOf gives the keys of a table in a file of words.
func keysOf(t *testing.T, file, table string) map[string]bool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(bundle.Root(), "src", "panel", "words", file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "export const "+table)
	if !ok {
		t.Fatalf("%s has no %s", file, table)
	}
	rest, _, _ = strings.Cut(rest, "\n};")
	out := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  "?([a-zA-Z_.]+)"?: `).FindAllStringSubmatch(rest, -1) {
		out[m[1]] = true
	}
	return out
}

// The panel has words, in both languages, for every code that the host sends it.
func TestEveryCodeHasWords(t *testing.T) {
	codes := codesIn(t, filepath.Dir(bundle.Root()))
	if len(codes) < 50 || codes["stale_ref"] == "" || codes["rate_limited"] == "" || codes["no_fit"] == "" {
		t.Fatalf("the sources have only %d codes: %v", len(codes), codes)
	}
	for _, table := range []string{"errorsEn", "errorsZh"} {
		words := keysOf(t, "errors.ts", table)
		for code, where := range codes {
			if !words[code] {
				t.Errorf("%s has no words for %s (%s)", table, code, where)
			}
		}
		for code := range words {
			if codes[code] == "" {
				t.Errorf("%s has words for %s, which no error has", table, code)
			}
		}
	}
}

// A card may be about any action, and says in both languages what it does; the
// two that the chat shows in another way have none.
func TestEveryActionHasWords(t *testing.T) {
	docs, err := filepath.Glob(filepath.Join(filepath.Dir(bundle.Root()), "host", "action", "docs", "*.en.md"))
	if err != nil || len(docs) < 40 {
		t.Fatalf("only %d actions: %v", len(docs), err)
	}
	for _, table := range []string{"verbsEn", "verbsZh"} {
		words := keysOf(t, "verbs.ts", table)
		for _, doc := range docs {
			action := strings.TrimSuffix(filepath.Base(doc), ".en.md")
			if words[action] == (action == "done" || action == "askUser" || action == "plan") {
				t.Errorf("%s has words for %s: %v", table, action, words[action])
			}
			delete(words, action)
		}
		for action := range words {
			t.Errorf("%s has words for %s, which is no action", table, action)
		}
	}
}

// Why a setting or key is refused is said by a word that the panel has in Chinese.
func TestEveryRefusalHasWords(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(bundle.Root()), "host", "config", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	said := map[string]bool{}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\bwrong\("(\w+)"`).FindAllStringSubmatch(string(raw), -1) {
			said[m[1]] = true
		}
	}
	if len(said) < 10 {
		t.Errorf("only %d refusals", len(said))
	}
	words := keysOf(t, "refusals.ts", "refusalsZh")
	for say := range said {
		if !words[say] {
			t.Errorf("refusalsZh has no words for %s", say)
		}
	}
	for say := range words {
		if !said[say] {
			t.Errorf("refusalsZh has words for %s, which nothing says", say)
		}
	}
}

// What the doctor finds is said by a word that the panel has in Chinese.
func TestEveryFindingHasWords(t *testing.T) {
	root := filepath.Dir(bundle.Root())
	said := map[string]bool{}
	var sources strings.Builder
	for _, pattern := range []string{"install/*.go", "host/serve/*.go", "host/config/*.go", "host/control/models/modelcheck.go"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			sources.Write(raw)
			for line := range strings.SplitSeq(string(raw), "\n") {
				if !strings.HasPrefix(pattern, "host/config") {
					for _, m := range findingWord.FindAllStringSubmatch(line, -1) {
						said[m[1]+m[2]] = true
					}
				}
				if strings.Contains(path, "install"+string(filepath.Separator)+"doctor") && regexp.MustCompile(`\b(pass|warn|fail)\(`).MatchString(line) && !strings.HasPrefix(line, "func ") && !strings.Contains(line, ".as(") {
					t.Errorf("%s says something without a word for it: %s", path, strings.TrimSpace(line))
				}
			}
		}
	}
	words := map[string]bool{}
	for key := range keysOf(t, "doctor.ts", "doctorZh") {
		_, say, _ := strings.Cut(key, ".")
		words[say] = true
	}
	if len(said) < 60 {
		t.Errorf("found only %v", said)
	}
	for say := range said {
		if !words[say] {
			t.Errorf("the panel has no Chinese words for %q", say)
		}
	}
	all := strings.ToLower(sources.String())
	for say := range words {
		if !strings.Contains(all, `"`+strings.TrimPrefix(say, "program_")+`"`) {
			t.Errorf("the panel has words for %q, which no check says", say)
		}
	}
}

// findingWord finds the word of a finding where one is made.
var findingWord = regexp.MustCompile(`\b(?:as|add|fault|\w+Fault|phrase)[({]"(\w*[a-z])"|\bSay(?:, \w+\.\w+)*:? ?[:=]* *"(\w+)"`)
