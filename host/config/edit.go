package config

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Save keeps settings in the file; empty values take them out. What a user
// wrote there stays, comments and order included, and what came from the
// environment or flags is not written.
func Save(path string, changes map[string]string) error {
	if path == "" {
		path = Dirs().File
	}
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return &Error{Source: path, Message: "can't be read", Err: err}
	}
	// A file with faults is left to the user: writing over it could lose
	// what they meant.
	scratch := Default()
	if err := parse(b, path, &scratch); err != nil {
		return err
	}
	out, err := edited(b, path, func(root *yaml.Node) error {
		for _, name := range sorted(changes) {
			if err := change(root, name, changes[name], &scratch); err != nil {
				return &Error{Source: path, Message: name, Err: err}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writePrivate(path, out)
}

// blank stands for an empty line while a file is edited: YAML's nodes keep
// comments, and no empty lines.
const blank = "#~tabwright~empty~line~"

var (
	blankLine  = regexp.MustCompile(`(?m)^[ \t]*\r?$\n`)
	blankMark  = regexp.MustCompile(`(?m)^[ \t]*` + blank + `$`)
	onlyRemark = regexp.MustCompile(`^(?:[ \t]*(?:#.*)?\r?(?:\n|$))*$`)
)

// edited is the text of a file after f changed its mapping.
func edited(b []byte, path string, f func(root *yaml.Node) error) ([]byte, error) {
	if onlyRemark.Match(b) { // or nothing at all: there is no node that could keep the comments
		root := &yaml.Node{Kind: yaml.MappingNode}
		if err := f(root); err != nil || len(root.Content) == 0 {
			return b, err
		}
		out, err := encode(root, path)
		if len(b) > 0 && b[len(b)-1] != '\n' {
			b = append(b, '\n')
		}
		return append(b, out...), err
	}
	marked := blankLine.ReplaceAll(b, []byte(blank+"\n"))
	doc, err := decode(marked, path)
	if err != nil || carries(doc) { // the empty line belongs to a text of several lines
		if doc, err = decode(b, path); err != nil {
			return nil, err
		}
	}
	if isNull(doc.Content[0]) {
		doc.Content[0] = &yaml.Node{Kind: yaml.MappingNode}
	}
	if err := f(doc.Content[0]); err != nil {
		return nil, err
	}
	out, err := encode(doc, path)
	return blankMark.ReplaceAll(out, nil), err
}

func decode(b []byte, path string) (*yaml.Node, error) {
	doc := &yaml.Node{}
	if err := yaml.Unmarshal(b, doc); err != nil || len(doc.Content) == 0 {
		return nil, &Error{Source: path, Message: "can't be read", Err: err}
	}
	return doc, nil
}

func encode(n *yaml.Node, path string) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(n), enc.Close()); err != nil {
		return nil, &Error{Source: path, Message: "can't be written", Err: err}
	}
	return out.Bytes(), nil
}

// carries reports that the mark of an empty line became part of a value.
func carries(n *yaml.Node) bool {
	return strings.Contains(n.Value, blank) || slices.ContainsFunc(n.Content, carries)
}

func sorted(changes map[string]string) []string {
	return slices.Sorted(maps.Keys(changes))
}

func change(root *yaml.Node, name, value string, scratch *Config) error {
	s, ok := settingNamed(name)
	if !ok {
		return errors.New(unknownSetting(name, settings))
	}
	if value != "" {
		if err := s.set(scratch, value); err != nil {
			return err
		}
	}
	at, above := root, (*yaml.Node)(nil)
	parts := strings.Split(name, ".")
	for _, part := range parts[:len(parts)-1] {
		next := entry(at, part)
		if next == nil || next.Kind != yaml.MappingNode {
			if value == "" {
				return nil
			}
			next = &yaml.Node{Kind: yaml.MappingNode}
			put(at, part, next)
		}
		at, above = next, at
	}
	last := parts[len(parts)-1]
	if value == "" {
		drop(at, last)
		if above != nil && len(at.Content) == 0 {
			drop(above, parts[0])
		}
		return nil
	}
	var node yaml.Node
	if s.list {
		if err := node.Encode(filepath.SplitList(value)); err != nil {
			return err
		}
	} else {
		node = yaml.Node{Kind: yaml.ScalarNode, Value: value}
		if value != strings.TrimSpace(value) || isNull(scalar(value)) {
			node.Style = yaml.DoubleQuotedStyle
		}
	}
	put(at, last, &node)
	return nil
}

// scalar is what YAML makes of a bare word.
func scalar(v string) *yaml.Node {
	var n yaml.Node
	if yaml.Unmarshal([]byte(v), &n) != nil || len(n.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	return n.Content[0]
}

func entry(m *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i+1]
		}
	}
	return nil
}

func put(m *yaml.Node, name string, v *yaml.Node) {
	if old := entry(m, name); old != nil {
		v.LineComment, v.HeadComment, v.FootComment = old.LineComment, old.HeadComment, old.FootComment
		*old = *v
		return
	}
	if len(m.Content) == 0 {
		m.Style &^= yaml.FlowStyle // nothing at all is written {}
	}
	m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, v)
}

// drop takes an entry out. The comment above it stays: it may be of the file.
func drop(m *yaml.Node, name string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value != name {
			continue
		}
		if head := m.Content[i].HeadComment; head != "" && i+2 < len(m.Content) {
			next := m.Content[i+2]
			next.HeadComment = strings.TrimSuffix(head+"\n"+next.HeadComment, "\n")
		}
		m.Content = slices.Delete(m.Content, i, i+2)
		return
	}
}
