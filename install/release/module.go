package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"tabwright/extension"
)

// rewriteModule changes the module path of the source tree: in go.mod, in the
// imports and in the import rules of the linter. With out it changes a copy of the
// files that git tracks and of the extension's archive instead.
func rewriteModule(root, path, out string) error {
	if err := module.CheckPath(path); err != nil {
		return err
	}
	names, err := tracked(root)
	if err != nil {
		return err
	}
	to := root
	if out != "" {
		to = out
		names = append(names, filepath.Join("extension", extension.Archive))
	}
	raw, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	old := modfile.ModulePath(raw)
	for _, name := range names {
		from := filepath.Join(root, name)
		st, err := os.Lstat(from)
		if err != nil {
			return err
		}
		if !st.Mode().IsRegular() {
			continue
		}
		was, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		is, err := withPath(name, was, old, path)
		if err != nil {
			return err
		}
		if out == "" && bytes.Equal(was, is) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), is, st.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}

// tracked returns the files of the tree that git tracks.
func tracked(root string) ([]string, error) {
	b, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	return slices.DeleteFunc(strings.Split(string(b), "\x00"), func(s string) bool {
		_, err := os.Lstat(filepath.Join(root, s))
		return s == "" || errors.Is(err, os.ErrNotExist) // removed, and not committed yet
	}), nil
}

// withPath returns a file of the module old as one of the module path.
func withPath(name string, b []byte, old, path string) ([]byte, error) {
	switch {
	case name == "go.mod":
		f, err := modfile.Parse(name, b, nil)
		if err != nil {
			return nil, err
		}
		if err := f.AddModuleStmt(path); err != nil {
			return nil, err
		}
		return f.Format()
	case name == ".golangci.yml":
		return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(" "+old+"/"), []byte(" "+path+"/")), []byte("["+old+"/"), []byte("["+path+"/")), nil
	case filepath.Ext(name) != ".go":
		return b, nil
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, name, b, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, spec := range slices.Backward(parsed.Imports) {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if rest, ok := strings.CutPrefix(imported, old+"/"); ok {
			at := files.Position(spec.Path.Pos()).Offset
			b = slices.Concat(b[:at], []byte(strconv.Quote(path+"/"+rest)), b[at+len(spec.Path.Value):])
		}
	}
	return b, nil
}
