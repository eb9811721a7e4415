package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
)

// source is the exported types and constants of some Go files, in their order.
type source struct {
	names  []string // of the types
	types  map[string]*decl
	consts []*constant
}

type decl struct {
	doc  string
	expr ast.Expr
}

type constant struct {
	name, doc string
	typ       string // of a named string type, else empty
	value     string // a Go literal, which is a TypeScript one as well
}

type field struct {
	name, doc string
	optional  bool
	expr      ast.Expr
}

func load(paths ...string) (*source, error) {
	s := &source{types: map[string]*decl{}}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("parse the wire types: %w", err)
		}
		for _, d := range file.Decls {
			if gen, ok := d.(*ast.GenDecl); ok {
				s.add(gen)
			}
		}
	}
	return s, nil
}

func (s *source) add(gen *ast.GenDecl) {
	for _, sp := range gen.Specs {
		switch sp := sp.(type) {
		case *ast.TypeSpec:
			if !sp.Name.IsExported() {
				continue
			}
			s.names = append(s.names, sp.Name.Name)
			s.types[sp.Name.Name] = &decl{doc: comment(sp.Doc, gen.Doc), expr: sp.Type}
		case *ast.ValueSpec:
			if gen.Tok != token.CONST || len(sp.Names) != 1 || len(sp.Values) != 1 || !sp.Names[0].IsExported() {
				continue
			}
			lit, ok := sp.Values[0].(*ast.BasicLit)
			if !ok {
				continue
			}
			c := &constant{name: sp.Names[0].Name, doc: comment(sp.Doc, sp.Comment), value: lit.Value}
			if id, ok := sp.Type.(*ast.Ident); ok {
				c.typ = id.Name
			}
			s.consts = append(s.consts, c)
		}
	}
}

// comment returns the text of the first group that is not empty.
func comment(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := strings.TrimSpace(g.Text()); text != "" {
			return text
		}
	}
	return ""
}

// fields returns a struct's fields by their JSON names. A field without a json
// tag is an error.
func fields(name string, st *ast.StructType) ([]field, error) {
	var out []field
	for _, f := range st.Fields.List {
		if len(f.Names) != 1 {
			return nil, fmt.Errorf("%s: embedded or grouped fields are not supported", name)
		}
		if !f.Names[0].IsExported() {
			continue
		}
		if f.Tag == nil {
			return nil, fmt.Errorf("%s.%s has no json tag", name, f.Names[0].Name)
		}
		tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
		jsonName, rest, _ := strings.Cut(tag, ",")
		switch jsonName {
		case "-":
			continue
		case "":
			return nil, fmt.Errorf("%s.%s has no json name", name, f.Names[0].Name)
		}
		out = append(out, field{
			name: jsonName, doc: comment(f.Doc, f.Comment), expr: f.Type,
			optional: strings.Contains(rest, "omitempty") || strings.Contains(rest, "omitzero"),
		})
	}
	return out, nil
}

// method is a Method* or Event* constant with its types, read from the
// constant's comment: "Params → Result; remark", or "Params; remark" for an
// event. A result that begins with "raw" is any JSON.
type method struct {
	constant *constant
	event    bool
	params   string
	result   string
}

func (s *source) methods() ([]method, error) {
	var out []method
	for _, c := range s.consts {
		if !strings.HasPrefix(c.name, "Method") && !strings.HasPrefix(c.name, "Event") || c.typ != "" {
			continue
		}
		types, _, _ := strings.Cut(strings.SplitN(c.doc, "\n", 2)[0], ";")
		params, result, answered := strings.Cut(types, "→")
		m := method{constant: c, event: !answered, params: strings.TrimSpace(params), result: strings.TrimSpace(result)}
		if strings.HasPrefix(m.result, "raw") {
			m.result = ""
		} else if answered && s.types[strings.TrimPrefix(m.result, "[]")] == nil {
			return nil, fmt.Errorf("%s: its comment names the result %q, which is no wire type", c.name, m.result)
		}
		if s.types[m.params] == nil {
			return nil, fmt.Errorf("%s: its comment names the params %q, which is no wire type", c.name, m.params)
		}
		out = append(out, m)
	}
	return out, nil
}
