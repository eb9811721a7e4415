package main

import (
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, err := outputs(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not current (%v): run `go run ./host/native/tsgen`", name, err)
		}
	}
}

func load1(t *testing.T, src string) *source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(path, []byte("package x\n"+src), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTypescript(t *testing.T) {
	s := load1(t, `
// A is an a.
type A struct {
	// B is long */
	// and longer.
	B string `+"`json:\"b\"`"+`
	C []B    `+"`json:\"c\"`"+` // bees
	D []byte `+"`json:\"d,omitempty\"`"+`
	E json.RawMessage `+"`json:\"e\"`"+`
	F *B `+"`json:\"f\"`"+`
	G map[string]uint64 `+"`json:\"g,omitempty\"`"+`
	H int `+"`json:\"-\"`"+`
	i int
}
type B struct{}
type S string
const (
	S1 S = "1"
	S2 S = "2"
)`)
	got, err := s.typescript(s.names, options{nullSlices: true})
	if err != nil {
		t.Fatal(err)
	}
	want := `
/** A is an a. */
export interface A {
  /**
   * B is long *\/
   * and longer.
   */
  b: string;
  /** bees */
  c: B[] | null;
  d?: string;
  e: unknown;
  f: B | null;
  g?: Record<string, number>;
}

export type B = Record<string, never>;

export type S = "1" | "2";
`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestWhatCannotBeSaidIsAnError(t *testing.T) {
	for _, src := range []string{
		"type A struct { B string }",
		"type A struct { B }\ntype B struct{}",
		"type A struct { B Nowhere `json:\"b\"` }",
		"type A struct { B chan int `json:\"b\"` }",
	} {
		s := load1(t, src)
		if got, err := s.typescript(s.names, options{}); err == nil {
			t.Errorf("%s: no error, but %s", src, got)
		}
	}
	for _, doc := range []string{"", "A → Nowhere", "Nowhere → A", "what it does"} {
		s := load1(t, "type A struct{}\nconst MethodX = \"x\" // "+doc)
		if _, err := s.methods(); err == nil {
			t.Errorf("%q passed for the types of a method", doc)
		}
	}
	if e, err := parser.ParseExpr("map[string]chan int"); err == nil {
		if _, err := (&source{types: map[string]*decl{}}).typeOf(e.(*ast.MapType)); err == nil || !strings.Contains(err.Error(), "no TypeScript") {
			t.Error(err)
		}
	}
}
