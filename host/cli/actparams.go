package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/pflag"

	"tabwright/host/action"
	"tabwright/host/config"
)

// msRE finds the milliseconds that hold where a flag is left out.
var msRE = regexp.MustCompile(`\d{3,}(?: if left out)`)

// flags declares a flag for each parameter that has no position.
func (f form) flags(fl *pflag.FlagSet, s action.Spec) {
	for _, name := range s.Schema.PropertyOrder {
		if _, set := f.preset[name]; set || slices.Contains(f.args, name) || slices.Contains(f.args, name+"…") {
			continue
		}
		if slices.Contains(targets, name) && takesTarget(s) && name != "x" && name != "y" && !f.loose {
			continue
		}
		addFlag(fl, name, f.keys[name], s.Schema.Properties[name])
	}
}

// flagOf is the flag of a parameter. What counts milliseconds is a duration here.
func flagOf(param string) string { return kebab(strings.TrimSuffix(param, "Ms")) }

// undescribed are what flags say whose names say it to a model.
var undescribed = map[string]string{"y": "with --x: CSS pixels from the top of the viewport", "landscape": "landscape: wider than high", "placeholder": "the placeholder of a field"}

// ofPoint says of the flag --x alone what its parameter says of a point.
var ofPoint = strings.NewReplacer("with y: a point in CSS pixels of the viewport", "with --y: CSS pixels from the left of the viewport",
	"with y: what is at this point", "with --y: CSS pixels from the left of the viewport; what is there scrolls")

func addFlag(fl *pflag.FlagSet, param, key string, p *jsonschema.Schema) {
	name, usage := flagOf(param), p.Description
	if len(p.Enum) > 0 {
		words := make([]string, len(p.Enum))
		for i, e := range p.Enum {
			words[i] = fmt.Sprint(e)
		}
		usage = strings.TrimSpace(usage + " (" + strings.Join(words, ", ") + ")")
	}
	if usage == "" {
		usage = undescribed[name]
	}
	usage = ofPoint.Replace(usage)
	if fl.Lookup(name) != nil {
		return
	}
	if strings.HasSuffix(param, "Ms") {
		usage, _, _ = strings.Cut(usage, ",")
		usage = msRE.ReplaceAllStringFunc(usage, func(ms string) string {
			number, rest, _ := strings.Cut(ms, " ")
			n, err := strconv.Atoi(number)
			if err != nil {
				return ms
			}
			return config.FormatDuration(time.Duration(n)*time.Millisecond) + " " + rest
		})
		var d time.Duration
		durationVar(fl, &d, name, 0, usage)
		fl.Lookup(name).DefValue = ""
		fl.String(name+"-ms", "", "in milliseconds")
		fl.Lookup(name + "-ms").Hidden = true
		return
	}
	switch p.Type {
	case "boolean":
		fl.BoolP(name, key, false, usage)
	case "integer":
		fl.IntP(name, key, 0, usage)
	case "number":
		fl.Float64P(name, key, 0, usage)
	case "array":
		fl.StringSliceP(name, key, nil, usage)
	default:
		fl.StringP(name, key, "", usage)
	}
}

// params makes the call's parameters of the words and flags of a command line.
func (f form) params(s action.Spec, fl *pflag.FlagSet, words []string) (p map[string]any, file string, err error) {
	p = map[string]any{}
	for k, v := range f.preset {
		p[k] = v
	}
	fl.Visit(func(flag *pflag.Flag) {
		for name, schema := range s.Schema.Properties {
			if ms, is := strings.CutSuffix(name, "Ms"); is && kebab(ms) == flag.Name {
				if d, ok := flag.Value.(*duration); ok {
					p[name] = time.Duration(*d).Milliseconds()
				}
				continue
			}
			if kebab(name) == flag.Name {
				if v, e := flagValue(fl, flag.Name, schema); e == nil {
					p[name] = v
				} else {
					err = cmp.Or(err, e)
				}
			}
		}
	})
	if err != nil {
		return nil, "", err
	}
	named := slices.ContainsFunc(targets, func(t string) bool { _, ok := p[t]; return ok })
	_, byURL := p["url"] // of download, which then needs no element
	if takesTarget(s) && !named && !byURL && len(words) > 0 && f.firstIsTarget(s, words) {
		for k, v := range target(words[0]) {
			p[k] = v
		}
		words = words[1:]
	}
	for _, a := range f.args {
		if len(words) == 0 {
			break
		}
		name, rest := strings.CutSuffix(a, "…")
		if name == fileArg {
			file, words = words[0], words[1:]
			continue
		}
		schema := s.Schema.Properties[name]
		switch {
		case rest && schema.Type == "array":
			p[name], err = list(name, words, schema)
		case rest:
			p[name], err = value(name, strings.Join(words, " "), schema)
		default:
			p[name], err = value(name, words[0], schema)
		}
		if err != nil {
			return nil, "", err
		}
		if words = words[1:]; rest {
			words = nil
		}
	}
	if len(words) > 0 {
		return nil, "", fmt.Errorf("too many words: %q", words)
	}
	return p, file, nil
}

// firstIsTarget tells whether the first word is the element. Where it may be
// left out, it is one if it is a ref, if it is none of the words that may stand
// in its place, or if there are more words than places.
func (f form) firstIsTarget(s action.Spec, words []string) bool {
	if !f.loose || len(f.args) == 0 || refRE.MatchString(words[0]) || signedRE.MatchString(words[0]) || len(words) > len(f.args) {
		return true
	}
	first := s.Schema.Properties[f.args[0]]
	return len(words) > 1 && first != nil && len(enum(first)) > 0 && !slices.Contains(enum(first), words[0])
}

func flagValue(fl *pflag.FlagSet, name string, s *jsonschema.Schema) (any, error) {
	if s.Type == "array" {
		words, err := fl.GetStringSlice(name)
		if err != nil {
			return nil, err
		}
		return list(name, words, s)
	}
	return value(name, fl.Lookup(name).Value.String(), s)
}

// list reads words as an array. Numbers may stand in one word, with commas or
// spaces between; what is text is as it was given.
func list(name string, words []string, s *jsonschema.Schema) (any, error) {
	var out []any
	for _, word := range words {
		parts := []string{word}
		if s.Items.Type != "string" {
			parts = strings.FieldsFunc(word, func(r rune) bool { return r == ',' || r == ' ' })
		}
		for _, w := range parts {
			if m := refRE.FindStringSubmatch(w); m != nil && s.Items.Type == "integer" {
				w = m[1][strings.LastIndex(m[1], "e")+1:] // its index
			}
			v, err := value(name, w, s.Items)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
	}
	return out, nil
}

// value reads a word as its parameter's type wants it.
func value(name, word string, s *jsonschema.Schema) (any, error) {
	switch s.Type {
	case "integer":
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("%s is a whole number, not %q", name, word)
		}
		return n, nil
	case "number":
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is a number, not %q", name, word)
		}
		return n, nil
	case "boolean":
		return strconv.ParseBool(word)
	case "array":
		return list(name, []string{word}, s)
	case "object":
		// The end of a drag: a point, or an element as every target is written.
		if !strings.HasPrefix(word, "{") {
			return target(word), nil
		}
		var v map[string]any
		if err := json.Unmarshal([]byte(word), &v); err != nil {
			return nil, fmt.Errorf("%s is no JSON object: %q", name, word)
		}
		return v, nil
	}
	// The broker runs elsewhere: a file is told to it by its whole path.
	if (name == "filePath" || name == "paths" || name == "path") && word != "" {
		return filepath.Abs(word)
	}
	return word, nil
}
