package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// dependency is something of others that is built into what ships.
type dependency struct {
	Name, Version string
	dir           string // where its licence lies
}

// systems are those that the program is released for: each has modules of its own.
var systems = []string{"linux", "darwin", "windows"}

// HostNotices gives the licences of the Go modules that are compiled into ./host on
// any system it is released for, and of Go itself; root is the extension folder. It
// fails on a licence that is not one of those allowed.
func HostNotices(root string) ([]byte, error) {
	env, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	deps := []dependency{{Name: "Go", Version: strings.TrimPrefix(runtime.Version(), "go"), dir: string(bytes.TrimSpace(env))}}
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "./host")
		cmd.Dir = filepath.Dir(root)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		var failed bytes.Buffer
		cmd.Stderr = &failed
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w: %s", err, bytes.TrimSpace(failed.Bytes()))
		}
		for line := range strings.Lines(string(out)) {
			if parts := strings.SplitN(strings.TrimSpace(line), " ", 3); len(parts) == 3 {
				deps = append(deps, dependency{parts[0], parts[1], parts[2]})
			}
		}
	}
	return notices(deps)
}

// panelNotices gives the same of the npm packages that were bundled, by what esbuild
// says of its inputs.
func panelNotices(root string, metafiles []string) ([]byte, error) {
	var deps []dependency
	for _, m := range metafiles {
		var meta struct{ Inputs map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(m), &meta); err != nil {
			return nil, err
		}
		for input := range meta.Inputs {
			_, rest, ok := strings.Cut(filepath.ToSlash(input), "node_modules/")
			if !ok {
				continue
			}
			parts := strings.SplitN(rest, "/", 3)
			name := parts[0]
			if strings.HasPrefix(name, "@") {
				name += "/" + parts[1]
			}
			dir := filepath.Join(root, "node_modules", filepath.FromSlash(name))
			var is struct{ Version string }
			b, err := os.ReadFile(filepath.Join(dir, "package.json"))
			if err = errors.Join(err, json.Unmarshal(b, &is)); err != nil {
				return nil, err
			}
			deps = append(deps, dependency{name, is.Version, dir})
		}
	}
	return notices(deps)
}

// notices writes the licences of all dependencies as one text.
func notices(deps []dependency) ([]byte, error) {
	slices.SortFunc(deps, func(a, b dependency) int { return cmp.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	for _, d := range slices.Compact(deps) {
		text, err := d.licence()
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", d.Name, d.Version, err)
		}
		fmt.Fprintf(&out, "%s %s\n\n%s\n\n%s\n", d.Name, d.Version, text, strings.Repeat("-", 80))
	}
	return out.Bytes(), nil
}

// licence reads the licence of a dependency, and what belongs to it.
func (d dependency) licence() (string, error) {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return "", err
	}
	var texts []string
	known := false
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") && !strings.HasPrefix(name, "NOTICE") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(d.dir, e.Name()))
		if err != nil {
			return "", err
		}
		known = known || licenceOf(string(b)) != ""
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n")))
	}
	if !known {
		return "", fmt.Errorf("no licence of %s in %s", strings.Join(allowedLicences(), ", "), d.dir)
	}
	return strings.Join(texts, "\n\n"), nil
}

// licences are those that a dependency may have, by words that only they hold.
var licences = []struct{ name, words string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"BSD", "redistribution and use in source and binary forms, with or without modification, are permitted"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"},
}

func allowedLicences() []string {
	var out []string
	for _, l := range licences {
		out = append(out, l.name)
	}
	return out
}

// licenceOf names the licence that a text is, or is empty. Marks of a document's
// format don't count.
func licenceOf(text string) string {
	flat := strings.Join(strings.Fields(strings.NewReplacer("#", " ", "*", " ", "(the \"License\")", " ").Replace(strings.ToLower(text))), " ")
	flat = strings.ReplaceAll(flat, "license, version", "license version")
	for _, l := range licences {
		if strings.Contains(flat, l.words) {
			return l.name
		}
	}
	return ""
}
