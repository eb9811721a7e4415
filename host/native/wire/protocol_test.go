package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// section is a method's part of PROTOCOL.md.
type section struct {
	name     string
	line     string              // kind, direction, types, codes
	examples map[string][]string // by what stands after ```json
}

// readProtocol gives the methods' parts, in order, and the rest as one part
// without a name.
func readProtocol(t *testing.T) (page string, rest section, methods []section) {
	t.Helper()
	b, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	page = string(b)
	rest.examples = map[string][]string{}
	now := &rest
	var fence string
	var example []string
	for line := range strings.SplitSeq(page, "\n") {
		switch {
		case fence != "" && line == "```":
			now.examples[fence] = append(now.examples[fence], strings.Join(example, "\n"))
			fence, example = "", nil
		case fence != "":
			example = append(example, line)
		case strings.HasPrefix(line, "```json"):
			fence = strings.TrimSpace(strings.TrimPrefix(line, "```json"))
			if fence == "" {
				t.Fatalf("an example that does not say of what: %s", line)
			}
		case strings.HasPrefix(line, "### `"):
			methods = append(methods, section{name: strings.Trim(line, "#` "), examples: map[string][]string{}})
			now = &methods[len(methods)-1]
		case strings.HasPrefix(line, "#"):
			now = &rest
		case now != &rest && now.line == "" && line != "":
			now.line = line
		}
	}
	return page, rest, methods
}

// typeName is how PROTOCOL.md calls a type.
func typeName(v any) string {
	return strings.ReplaceAll(reflect.TypeOf(v).Elem().String(), "wire.", "")
}

func TestProtocolHasEveryMethod(t *testing.T) {
	_, _, methods := readProtocol(t)
	known := map[string]methodSpec{}
	for _, s := range generatedSpecs {
		known[s.name] = s
	}
	said := map[string]bool{}
	codes := allCodes(t)
	lineRE := regexp.MustCompile("^(Request|Event), (?:both ways|[a-z ]+ → [a-z ]+)\\. `([A-Za-z]+)`(?: → (any JSON|`[\\[\\]A-Za-z]+`))?\\.(?: Codes: (.+)\\.)?$")
	for _, m := range methods {
		spec, ok := known[m.name]
		if !ok {
			t.Errorf("PROTOCOL.md has %s, which does not exist", m.name)
			continue
		}
		if said[m.name] {
			t.Errorf("PROTOCOL.md has %s twice", m.name)
		}
		said[m.name] = true
		parts := lineRE.FindStringSubmatch(m.line)
		if parts == nil {
			t.Errorf("%s: this line says not what it is, which way it goes, and its types: %q", m.name, m.line)
			continue
		}
		params, result := spec.types()
		wantResult := "`" + typeName(result) + "`"
		if spec.event {
			wantResult = ""
		} else if typeName(result) == "json.RawMessage" {
			wantResult = "any JSON"
		}
		if isEvent := parts[1] == "Event"; isEvent != spec.event || parts[2] != typeName(params) || parts[3] != wantResult {
			t.Errorf("%s is %q, want event %v, %s → %s", m.name, m.line, spec.event, typeName(params), wantResult)
		}
		for _, code := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(parts[4], -1) {
			if !codes[code[1]] {
				t.Errorf("%s names the code %s, which does not exist", m.name, code[1])
			}
		}
		want := []string{"params", "result"}
		if spec.event {
			want = want[:1]
		}
		if len(m.examples) != len(want) {
			t.Errorf("%s has examples of %d things, want %v", m.name, len(m.examples), want)
		}
		for i, key := range want {
			if len(m.examples[key]) == 0 {
				t.Errorf("%s has no example of its %s", m.name, key)
			}
			for _, ex := range m.examples[key] {
				p, r := spec.types()
				if err := strict(ex, []any{p, r}[i]); err != nil {
					t.Errorf("%s, %s: %v\n%s", m.name, key, err, ex)
				}
			}
		}
	}
	for _, s := range generatedSpecs {
		if !said[s.name] {
			t.Errorf("PROTOCOL.md lacks %s (%s)", s.name, s.constant)
		}
	}
}

func TestProtocolExamplesOfMessages(t *testing.T) {
	_, rest, _ := readProtocol(t)
	known := map[string]bool{}
	for _, s := range generatedSpecs {
		known[s.name] = true
	}
	kinds := map[Kind]bool{}
	for _, ex := range rest.examples["message"] {
		var m Message
		if err := strict(ex, &m); err != nil {
			t.Errorf("%v\n%s", err, ex)
		}
		if err := m.Check(); err != nil {
			t.Errorf("%v\n%s", err, ex)
		}
		if m.Method != "" && !known[m.Method] {
			t.Errorf("an example of the method %s, which does not exist", m.Method)
		}
		kinds[m.Kind] = true
	}
	for _, k := range []Kind{KindReq, KindRes, KindCancel, KindChunk} {
		if !kinds[k] {
			t.Errorf("no example of a %s", k)
		}
	}
	for _, ex := range rest.examples["error"] {
		if err := strict(ex, new(Error)); err != nil {
			t.Errorf("%v\n%s", err, ex)
		}
	}
	if n := len(rest.examples); n != 2 {
		t.Errorf("examples of %d things outside methods, want messages and errors", n)
	}
}

// strict decodes an example without a field too many, and encodes it again:
// a field that is always there must be in the example.
func strict(example string, into any) error {
	dec := json.NewDecoder(strings.NewReader(example))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	again, err := json.Marshal(into)
	if err != nil {
		return err
	}
	var a, b any
	if err := json.Unmarshal([]byte(example), &a); err != nil {
		return err
	}
	if err := json.Unmarshal(again, &b); err != nil {
		return err
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("the type says %s", again)
	}
	return nil
}

// TestProtocolNamesNoOtherMethod looks at every name in code style that looks
// like a method.
func TestProtocolNamesNoOtherMethod(t *testing.T) {
	page, _, _ := readProtocol(t)
	known := map[string]bool{}
	for _, s := range generatedSpecs {
		known[s.name] = true
	}
	for _, m := range regexp.MustCompile("`([a-z]+\\.[a-z]+)`").FindAllStringSubmatch(page, -1) {
		if !known[m[1]] {
			t.Errorf("PROTOCOL.md names %s, which does not exist", m[1])
		}
	}
}

func TestProtocolHasEveryCode(t *testing.T) {
	page, _, _ := readProtocol(t)
	_, table, ok := strings.Cut(page, "\n| code | meaning |\n")
	if !ok {
		t.Fatal("there is no table of codes")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	said := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(table, -1) {
		said[m[1]] = true
	}
	codes := allCodes(t)
	for code := range codes {
		if !said[code] {
			t.Errorf("PROTOCOL.md lacks the code %s", code)
		}
	}
	for code := range said {
		if !codes[code] {
			t.Errorf("PROTOCOL.md has the code %s, which does not exist", code)
		}
	}
	if !codes[string(CodeMalformed)] || len(codes) < 10 {
		t.Errorf("found only the codes %v in the sources", codes)
	}
}

// allCodes reads the Code constants of this package and of the broker's from
// their sources; the arrows between packages do not let us import the latter.
func allCodes(t *testing.T) map[string]bool {
	t.Helper()
	codes := map[string]bool{}
	for _, pattern := range []string{"*.go", "../../control/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, bytes.NewReader(src), parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				if !ok || !isCode(spec.Type) {
					return true
				}
				for _, v := range spec.Values {
					if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						code, _ := strconv.Unquote(lit.Value)
						codes[code] = true
					}
				}
				return true
			})
		}
	}
	return codes
}

// isCode says whether a type is Code or wire.Code.
func isCode(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "Code"
	case *ast.SelectorExpr:
		pkg, ok := e.X.(*ast.Ident)
		return ok && pkg.Name == "wire" && e.Sel.Name == "Code"
	}
	return false
}
