// Package template executes the part of Go's text/template language that the program's own
// texts use. That part is fields, variables, if, with, range, template, and calls of
// functions.
//
// It calls no methods. One that does finds them by name, and then the linker keeps
// every exported method of every type: a tenth of the program. Start reading at Parse.
package template

import (
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"text/template/parse"
)

// Funcs are functions by name. Each returns one value.
type Funcs map[string]any

// builtins are functions that every template has.
var builtins = Funcs{
	"eq":    func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) },
	"ge":    func(a, b int) bool { return a >= b },
	"or":    func(a, b bool) bool { return a || b },
	"print": func(a any) string { return fmt.Sprint(a) },
}

// Set is a set of templates that include each other by name.
type Set struct {
	trees  map[string]*parse.Tree
	funcs  map[string]reflect.Value
	escape func(string) string
}

// Text reads the files that match the patterns, as templates of plain text. A file's
// template has the name of the file.
func Text(files fs.FS, funcs Funcs, patterns ...string) (*Set, error) {
	return read(files, funcs, func(s string) string { return s }, patterns)
}

// HTML reads templates of HTML. All that they print is escaped for text and for quoted
// attributes; it must not stand elsewhere, such as in a script or as a whole address.
func HTML(files fs.FS, funcs Funcs, patterns ...string) (*Set, error) {
	return read(files, funcs, html.EscapeString, patterns)
}

// Must returns the set, and panics if it can't be read: for templates in the binary.
func Must(s *Set, err error) *Set {
	if err != nil {
		panic(err)
	}
	return s
}

func read(files fs.FS, funcs Funcs, escape func(string) string, patterns []string) (*Set, error) {
	s := &Set{trees: map[string]*parse.Tree{}, funcs: map[string]reflect.Value{}, escape: escape}
	for _, more := range []Funcs{builtins, funcs} {
		for name, f := range more {
			s.funcs[name] = reflect.ValueOf(f)
		}
	}
	for _, pattern := range patterns {
		names, err := fs.Glob(files, pattern)
		if err != nil || len(names) == 0 {
			return nil, errors.Join(fmt.Errorf("no template matches %s", pattern), err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return nil, err
			}
			trees, err := parse.Parse(path.Base(name), string(text), "{{", "}}", builtins, funcs)
			if err != nil {
				return nil, err
			}
			maps.Copy(s.trees, trees)
		}
	}
	return s, nil
}

// Execute writes a template, filled with data.
func (s *Set) Execute(w io.Writer, name string, data any) (err error) {
	r := run{Set: s, out: w}
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("template %s: %v", name, failed)
		}
	}()
	return r.include(name, reflect.ValueOf(data))
}

// run is one execution. What a template does wrong panics in it.
type run struct {
	*Set
	out  io.Writer
	vars []variable // the innermost last
}

type variable struct {
	name  string
	value reflect.Value
}

func (r *run) include(name string, dot reflect.Value) error {
	tree := r.trees[name]
	if tree == nil {
		return fmt.Errorf("no template %q", name)
	}
	outer := r.vars
	r.vars = []variable{{"$", dot}}
	defer func() { r.vars = outer }()
	return r.walk(dot, tree.Root)
}

// walk writes a node, with dot as the value of ".".
func (r *run) walk(dot reflect.Value, node parse.Node) error {
	switch n := node.(type) {
	case *parse.TextNode:
		_, err := r.out.Write(n.Text)
		return err
	case *parse.ActionNode:
		v := r.pipe(dot, n.Pipe)
		if len(n.Pipe.Decl) > 0 {
			return nil
		}
		text := ""
		if v = indirect(v); v.IsValid() {
			text = fmt.Sprint(v.Interface())
		}
		_, err := io.WriteString(r.out, r.escape(text))
		return err
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, part := range n.Nodes {
			if err := r.walk(dot, part); err != nil {
				return err
			}
		}
		return nil
	case *parse.TemplateNode:
		var v reflect.Value
		if n.Pipe != nil {
			v = r.pipe(dot, n.Pipe)
		}
		return r.include(n.Name, v)
	}
	defer func(n int) { r.vars = r.vars[:n] }(len(r.vars))
	switch n := node.(type) {
	case *parse.IfNode:
		if isTrue(r.pipe(dot, n.Pipe)) {
			return r.walk(dot, n.List)
		}
		return r.walk(dot, n.ElseList)
	case *parse.WithNode:
		if v := r.pipe(dot, n.Pipe); isTrue(v) {
			return r.walk(v, n.List)
		}
		return r.walk(dot, n.ElseList)
	case *parse.RangeNode:
		list := indirect(r.pipe(dot, n.Pipe))
		if !isTrue(list) {
			return r.walk(dot, n.ElseList)
		}
		for i := range list.Len() {
			if err := r.walk(list.Index(i), n.List); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%s can't be used here", node)
}

func (r *run) pipe(dot reflect.Value, p *parse.PipeNode) reflect.Value {
	if len(p.Cmds) != 1 || len(p.Decl) > 1 {
		panic(fmt.Sprintf("%s can't be used here", p))
	}
	args := p.Cmds[0].Args
	v := r.value(dot, args[0], args[1:])
	for _, d := range p.Decl {
		r.vars = append(r.vars, variable{d.Ident[0], v})
	}
	return v
}

// value is what an operand stands for; args are those of a function.
func (r *run) value(dot reflect.Value, node parse.Node, args []parse.Node) reflect.Value {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return fields(dot, n.Ident)
	case *parse.VariableNode:
		for i := len(r.vars) - 1; i >= 0; i-- {
			if r.vars[i].name == n.Ident[0] {
				return fields(r.vars[i].value, n.Ident[1:])
			}
		}
	case *parse.PipeNode:
		return r.pipe(dot, n)
	case *parse.StringNode:
		return reflect.ValueOf(n.Text)
	case *parse.NumberNode:
		return reflect.ValueOf(int(n.Int64))
	case *parse.IdentifierNode:
		f := r.funcs[n.Ident]
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			in[i] = r.value(dot, a, nil)
			if t := f.Type().In(i); !in[i].IsValid() {
				in[i] = reflect.Zero(t)
			} else if !in[i].Type().AssignableTo(t) {
				in[i] = indirect(in[i])
			}
		}
		return f.Call(in)[0]
	}
	panic(fmt.Sprintf("%s can't be used here", node))
}

// fields follows names of fields, or keys of maps, from a value.
func fields(v reflect.Value, names []string) reflect.Value {
	for _, name := range names {
		in := indirect(v)
		switch {
		case in.Kind() == reflect.Map:
			if v = in.MapIndex(reflect.ValueOf(name)); !v.IsValid() {
				v = reflect.Zero(in.Type().Elem())
			}
		case in.Kind() != reflect.Struct:
			panic("no field " + name + " of " + in.Kind().String())
		default:
			if v = in.FieldByName(name); !v.IsValid() {
				panic("no field " + name + " of " + in.Type().String())
			}
		}
	}
	return v
}

// indirect follows pointers and interfaces. The zero Value stands for nil.
func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// isTrue tells a value from an empty one. A struct is never empty, and no pointer but nil.
func isTrue(v reflect.Value) bool {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}
