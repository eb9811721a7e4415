package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// tally is what was counted in some packages.
type tally struct {
	functions, participles int
	arrows, upward         int
}

// listed is a package as `go list` tells of it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
}

// load counts functions and arrows in the packages of a pattern.
func load(pattern string) (tally, error) {
	var out tally
	raw, err := run("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly", pattern)
	if err != nil {
		return out, err
	}
	exports := map[string]string{}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(raw)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return out, fmt.Errorf("read what go list says: %w", err)
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			all = append(all, p)
		}
	}
	for _, p := range all {
		if err := out.add(p, exports); err != nil {
			return out, fmt.Errorf("%s: %w", p.ImportPath, err)
		}
	}
	return out, nil
}

// add counts one package.
func (t *tally) add(p listed, exports map[string]string) error {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				t.functions++
				if bareParticiple(fn.Name.Name) {
					t.participles++
				}
			}
		}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	pkg, err := conf.Check(p.ImportPath, fset, files, &info)
	if err != nil {
		return err
	}
	uses := graph{}
	for id, obj := range info.Uses {
		from, to := fset.File(id.Pos()).Name(), fset.File(obj.Pos())
		if obj.Pkg() != pkg || to == nil || to.Name() == from {
			continue
		}
		if uses[from] == nil {
			uses[from] = map[string]bool{}
		}
		uses[from][to.Name()] = true
	}
	arrows, upward := count(uses)
	t.arrows, t.upward = t.arrows+arrows, t.upward+upward
	return nil
}

// run gives what a command says.
func run(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...) //nolint:gosec // go and git, with arguments of ours
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}
