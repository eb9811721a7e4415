package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// keptMark stands in the names of the copies that Mend leaves.
const keptMark = ".before-mending-"

// Mend makes a file with faults usable: what can be read stays, with its
// comments, and what can't is taken out. The file as it was is kept beside it
// first, under the name that is given back; empty where nothing was wrong. What
// can't be read at all is given that name itself.
func Mend(path string) (kept string, err error) {
	if path == "" {
		path = Dirs().File
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrPermission) && os.Chmod(path, 0o600) == nil {
		b, err = os.ReadFile(path)
	}
	if err != nil {
		kept = keptName(path)
		if e := os.Rename(path, kept); e != nil {
			return "", unreadable(path, errors.Join(err, e))
		}
		return kept, nil
	}
	scratch := Default()
	if parse(b, path, &scratch) == nil {
		return "", nil
	}
	if kept, err = keepBeside(path, b); err != nil {
		return "", &Error{Source: path, Message: "can't be kept beside, so it stays as it is", Err: err}
	}
	out, err := edited(b, path, func(root *yaml.Node) error {
		if root.Kind != yaml.MappingNode {
			return &Error{Source: path, Message: "settings are written as name: value"}
		}
		prune(root, "")
		return nil
	})
	// Where nothing of it can be read, everything is as if never set.
	if again := Default(); err != nil || parse(out, path, &again) != nil {
		out = nil
	}
	return kept, writePrivate(path, out)
}

// Kept is the newest copy of a settings file that Mend left beside it; empty
// where there is none.
func Kept(path string) string {
	dir, name := filepath.Split(path)
	all, err := os.ReadDir(filepath.Clean(dir)) // in the order of names
	if err != nil {
		return ""
	}
	for _, f := range slices.Backward(all) {
		if strings.HasPrefix(f.Name(), name+keptMark) {
			return filepath.Join(dir, f.Name())
		}
	}
	return ""
}

// Check reads a settings file and says what is wrong in it; nothing is where it
// does not exist.
func Check(path string) error {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return unreadable(path, err)
	}
	scratch := Default()
	return parse(b, path, &scratch)
}

func keptName(path string) string {
	return path + keptMark + time.Now().UTC().Format("20060102T150405.000")
}

// keepBeside writes a copy that overwrites nothing.
func keepBeside(path string, b []byte) (string, error) {
	name := keptName(path)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(b)
	if e := f.Sync(); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	return name, nil
}

// prune takes out of a mapping what the parser has a fault with: unknown names,
// values that may not stand there, and what stands there a second time.
func prune(m *yaml.Node, under string) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(m.Content); {
		key, val := m.Content[i], m.Content[i+1]
		name := key.Value
		nested := val.Kind == yaml.MappingNode && (under == "" && (name == "budgets" || name == "providers") || under == "providers")
		if nested && !seen[name] {
			prune(val, name)
		}
		if seen[name] || nested && len(val.Content) == 0 || faulty(under, key, val) {
			m.Content = slices.Delete(m.Content, i, i+2)
			continue
		}
		seen[name] = true
		i += 2
	}
}

// faulty tells whether an entry alone, at its place in the file, has a fault.
func faulty(under string, key, val *yaml.Node) bool {
	p := parser{}
	c := Default()
	switch {
	case under == "budgets":
		p.setting(settings, under+"."+key.Value, key, val, &c)
	case under == "providers":
		p.provider(key, val, &c)
	case under != "": // of a provider
		p.setting(perProvider, key.Value, key, val, &c)
	case key.Value == "budgets":
		p.mapping(val, key.Value, func(k, v *yaml.Node) { p.setting(settings, key.Value+"."+k.Value, k, v, &c) })
	case key.Value == "providers":
		p.mapping(val, key.Value, func(k, v *yaml.Node) { p.provider(k, v, &c) })
	default:
		p.setting(settings, key.Value, key, val, &c)
	}
	return len(p.errs) > 0
}
