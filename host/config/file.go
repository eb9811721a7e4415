package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"tabwright/llm"
)

// parse reads the file's text into c. It walks the YAML nodes rather than
// decoding into the struct, so that each fault has its line and its own words.
func parse(b []byte, path string, c *Config) error {
	root, err := document(b, path)
	if err != nil || root == nil {
		return err
	}
	p := parser{path: path}
	p.mapping(root, "", func(key, val *yaml.Node) {
		switch name := key.Value; name {
		case "budgets":
			p.mapping(val, name, func(k, v *yaml.Node) { p.setting(settings, name+"."+k.Value, k, v, c) })
		case "providers":
			p.mapping(val, name, func(k, v *yaml.Node) { p.provider(k, v, c) })
		default:
			p.setting(settings, name, key, val, c)
		}
	})
	return errors.Join(p.errs...)
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// document gives the mapping at the top; nil where the file says nothing.
func document(b []byte, path string) (*yaml.Node, error) {
	var doc, more yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(b))
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err == nil {
		if e := dec.Decode(&more); e == nil {
			err = &Error{Source: path, Line: more.Line, Message: "a second document begins here; settings are one", Say: "syntax"}
			return nil, err
		} else if !errors.Is(e, io.EOF) {
			err = e
		}
	}
	if err != nil {
		e := &Error{Source: path, Message: err.Error(), Say: "syntax"}
		if m := yamlLine.FindStringSubmatch(e.Message); m != nil {
			e.Line, _ = strconv.Atoi(m[1])
			e.Message = e.Message[len(m[0]):]
		}
		return nil, e
	}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return nil, nil
	}
	return doc.Content[0], nil
}

type parser struct {
	path string
	errs []error
}

func (p *parser) fault(n *yaml.Node, format string, args ...any) {
	p.errs = append(p.errs, &Error{Source: p.path, Line: n.Line, Message: fmt.Sprintf(format, args...)})
}

// mapping calls f for each entry. Keys that come twice are a fault: YAML
// forbids them, and the one that a reader overlooks would win.
func (p *parser) mapping(n *yaml.Node, name string, f func(key, val *yaml.Node)) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		if name == "" {
			p.errs = append(p.errs, &Error{Source: p.path, Line: n.Line, Message: "settings are written as name: value", Say: "syntax"})
		} else {
			p.fault(n, "%s: settings belong under it, indented", name)
		}
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			p.fault(key, "%s stands here a second time", quote(key.Value))
			continue
		}
		seen[key.Value] = true
		f(key, n.Content[i+1])
	}
}

func (p *parser) provider(key, val *yaml.Node, c *Config) {
	name := key.Value
	if !slices.Contains(llm.Providers(), name) {
		p.fault(key, "%v", unknownProvider(name))
		return
	}
	own := Config{}
	p.mapping(val, "providers."+name, func(k, v *yaml.Node) { p.setting(perProvider, k.Value, k, v, &own) })
	if c.Providers == nil {
		c.Providers = map[string]Model{}
	}
	own.Model.Provider = name
	c.Providers[name] = own.Model
}

func (p *parser) setting(list []Setting, name string, key, val *yaml.Node, c *Config) {
	s, ok := named(list, name)
	if !ok {
		p.errs = append(p.errs, &Error{Source: p.path, Line: key.Line, Message: unknownSetting(name, list), Say: "unknown_setting"})
		return
	}
	if isNull(val) {
		return // "model:" with nothing after it leaves the default
	}
	v := val.Value
	switch {
	case s.list && val.Kind == yaml.SequenceNode:
		var parts []string
		for _, e := range val.Content {
			if e.Kind != yaml.ScalarNode {
				p.fault(e, "%s: each entry is one word", name)
				return
			}
			parts = append(parts, e.Value)
		}
		v = strings.Join(parts, string(filepath.ListSeparator))
	case val.Kind != yaml.ScalarNode:
		p.fault(val, "%s: one value belongs here", name)
		return
	}
	if err := s.set(c, v); err != nil {
		p.fault(val, "%s: %v", name, err)
	}
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }
