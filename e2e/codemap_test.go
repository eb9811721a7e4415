package e2e

import (
	"flag"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeFolders are the folders of the top level that hold code.
var codeFolders = []string{"host", "extension", "llm", "pagecontext", "safety", "prompts", "install", "e2e"}

var updateMap = flag.Bool("update-codemap", false, "write the list of packages of docs/CODEMAP.md anew")

var (
	mappedPath = regexp.MustCompile("`([a-zA-Z0-9_./-]+/[a-zA-Z0-9_./-]*)`((?: `[A-Za-z_.]+`)*)")
	mappedName = regexp.MustCompile("`([A-Za-z_.]+)`")
)

// TestCodeMap holds docs/CODEMAP.md against the tree: its list of packages is made of
// their documentation, all files that it and docs/architecture.md name are there,
// and in them the names that they give.
func TestCodeMap(t *testing.T) {
	const file = "../docs/CODEMAP.md"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	head, rest, ok := strings.Cut(page, "<!-- packages -->\n")
	_, tail, ok2 := strings.Cut(rest, "<!-- /packages -->")
	if !ok || !ok2 {
		t.Fatal("there is no place for the packages")
	}
	if want := head + "<!-- packages -->\n" + packageLines(t) + "<!-- /packages -->" + tail; want != page {
		if !*updateMap {
			t.Error("the list of packages is not current: go test ./e2e -run CodeMap -update-codemap")
		} else if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		page = want
	}
	architecture, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mappedPath.FindAllStringSubmatch(page+string(architecture), -1) {
		if top, _, _ := strings.Cut(m[1], "/"); !slices.Contains(codeFolders, top) {
			continue // below the package that is spoken of
		}
		path := filepath.Join("..", m[1])
		info, err := os.Stat(path)
		if err != nil {
			t.Errorf("%s is not there", m[1])
			continue
		}
		names := mappedName.FindAllStringSubmatch(m[2], -1)
		if len(names) == 0 || info.IsDir() {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			name := n[1][strings.LastIndex(n[1], ".")+1:]
			if !regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |\t?|var |const |export (?:async )?(?:function|const|class) |(?:async )?function |const |  private )` + name + `\b`).Match(source) {
				t.Errorf("%s has no %s", m[1], n[1])
			}
		}
	}
}

// packageLines is a line for each package, with the first sentence of its documentation.
func packageLines(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for _, top := range codeFolders {
		err := filepath.WalkDir(filepath.Join("..", top), func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if slices.Contains([]string{"node_modules", "testdata", "dist"}, d.Name()) {
				return filepath.SkipDir
			}
			if synopsis := synopsisOf(t, path); synopsis != "" {
				name, _ := filepath.Rel("..", path)
				out.WriteString("- `" + filepath.ToSlash(name) + "/`: " + synopsis + "\n")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// synopsisOf is the first sentence of a package's documentation without its name, or
// empty where a folder holds no package but tests.
func synopsisOf(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	set := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return ""
	}
	for _, f := range files {
		if f.Doc == nil {
			continue
		}
		text := new(doc.Package).Synopsis(f.Doc.Text())
		words := strings.SplitN(text, " ", 3)
		if len(words) == 3 && (words[0] == "Package" || words[0] == "Command") {
			text = words[2]
		}
		return strings.TrimSuffix(text, ".") + "."
	}
	t.Errorf("package %s has no documentation", dir)
	return ""
}
