package llm

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// coerce returns v with harmless deviations from schema corrected. Any other
// deviation it leaves to the validator.
func (m *mender) coerce(schema map[string]any, v any, path string) any {
	if m.depth++; m.depth > maxDepth { // a schema that refers to itself
		return v
	}
	defer func() { m.depth-- }()
	schema = m.deref(schema)
	v = m.coerceType(schema, v, path)
	v = m.coerceEnum(schema, v, path)
	if obj, ok := v.(map[string]any); ok {
		m.coerceObject(schema, obj, path)
	}
	if list, ok := v.([]any); ok {
		if items, ok := schema["items"].(map[string]any); ok {
			for i := range list {
				list[i] = m.coerce(items, list[i], path)
			}
		}
	}
	for _, sub := range subschemas(schema["allOf"]) {
		v = m.coerce(sub, v, path)
	}
	v = m.conditional(schema, v, path)
	for _, key := range []string{"anyOf", "oneOf"} {
		if branches := subschemas(schema[key]); len(branches) > 0 {
			v = m.coerceBranch(branches, v, path)
		}
	}
	return v
}

// conditional coerces v by the then or else of the schema's if.
func (m *mender) conditional(schema map[string]any, v any, path string) any {
	cond, ok := schema["if"].(map[string]any)
	if !ok {
		return v
	}
	branch := "else"
	if m.fits(cond, v) {
		branch = "then"
	}
	if sub, ok := schema[branch].(map[string]any); ok {
		return m.coerce(sub, v, path)
	}
	return v
}

// coerceBranch leaves v if one of the branches fits it, else it coerces v by
// the first branch that then fits.
func (m *mender) coerceBranch(branches []map[string]any, v any, path string) any {
	for _, b := range branches {
		if m.fits(b, v) {
			return v
		}
	}
	for _, b := range branches {
		try := &mender{root: m.root, depth: m.depth}
		fixed := try.coerce(b, deepCopy(v), path)
		if m.fits(b, fixed) {
			m.mends.add(try.mends.list...)
			return fixed
		}
	}
	return v
}

func (m *mender) deref(schema map[string]any) map[string]any {
	for range 8 {
		ref, ok := schema["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#/") {
			return schema
		}
		var at any = m.root
		for _, key := range strings.Split(ref[2:], "/") {
			obj, ok := at.(map[string]any)
			if !ok {
				return schema
			}
			at = obj[strings.ReplaceAll(strings.ReplaceAll(key, "~1", "/"), "~0", "~")]
		}
		next, ok := at.(map[string]any)
		if !ok {
			return schema
		}
		schema = next
	}
	return schema
}

func subschemas(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, x := range list {
		if s, ok := x.(map[string]any); ok {
			out = append(out, s)
		}
	}
	return out
}

func typesOf(schema map[string]any) []string {
	if s, ok := schema["type"].(string); ok {
		return []string{s}
	}
	return stringList(schema["type"])
}

// coerceType converts v if its type is none of those allowed.
func (m *mender) coerceType(schema map[string]any, v any, path string) any {
	types := typesOf(schema)
	if len(types) == 0 {
		return v
	}
	for _, t := range types {
		if isType(t, v) {
			if n, ok := v.(json.Number); ok && t == "integer" {
				return wholeNumber(n)
			}
			return v
		}
	}
	for _, t := range types {
		if fixed, what := toType(t, v, schema); what != "" {
			m.note(path, what)
			return fixed
		}
	}
	return v
}

func isType(t string, v any) bool {
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case json.Number:
		return t == "number" || t == "integer" && isWhole(v)
	case []any:
		return t == "array"
	case map[string]any:
		return t == "object"
	}
	return false
}

var wholeForm = regexp.MustCompile(`^-?\d{1,18}(?:\.0+)?$`)

func isWhole(n json.Number) bool { return wholeForm.MatchString(string(n)) }

// wholeNumber returns 12 for 12.0: the validator takes both, but Go's decoder
// refuses the second for an int field.
func wholeNumber(n json.Number) json.Number {
	s, _, _ := strings.Cut(string(n), ".")
	return json.Number(s)
}

// toType converts v to type t and says in words what it did. The words are
// empty if it can't.
func toType(t string, v any, schema map[string]any) (any, string) {
	switch t {
	case "integer":
		if n, ok := number(v); ok && isWhole(n) {
			return wholeNumber(n), "number unquoted"
		}
	case "number":
		if s, ok := v.(string); ok && isNumber(strings.TrimSpace(s)) {
			return json.Number(strings.TrimSpace(s)), "number unquoted"
		}
	case "boolean":
		if s, ok := v.(string); ok {
			switch strings.ToLower(strings.TrimSpace(s)) {
			case "true":
				return true, "boolean unquoted"
			case "false":
				return false, "boolean unquoted"
			}
		}
	case "string":
		if n, ok := v.(json.Number); ok {
			return string(n), "number quoted"
		}
	case "object":
		if s, ok := v.(string); ok {
			if obj, _, err := parseArgs(s); err == nil && strings.HasPrefix(strings.TrimSpace(s), "{") {
				return obj, "object unpacked from text"
			}
		}
	case "array":
		return toArray(v, schema)
	}
	return v, ""
}

func toArray(v any, schema map[string]any) (any, string) {
	if s, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "[") {
		l := &lenient{s: s}
		if list, err := l.value(); err == nil && !l.closed {
			if a, ok := list.([]any); ok {
				return a, "list unpacked from text"
			}
		}
	}
	switch v.(type) {
	case string, json.Number, map[string]any:
		if _, ok := schema["items"].(map[string]any); ok {
			return []any{v}, "single value put in a list"
		}
	}
	return v, ""
}

func isNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
}

// coerceEnum corrects the case and the word breaks of an enum's value.
func (m *mender) coerceEnum(schema map[string]any, v any, path string) any {
	s, ok := v.(string)
	enum := stringList(schema["enum"])
	if !ok || len(enum) == 0 || inList(enum, s) {
		return v
	}
	match := ""
	for _, e := range enum {
		if fold(e) == fold(strings.TrimSpace(s)) {
			if match != "" {
				return v
			}
			match = e
		}
	}
	if match == "" {
		return v
	}
	m.note(path, clip(s, 30)+" read as "+match)
	return match
}

func (m *mender) coerceObject(schema, obj map[string]any, path string) {
	props, _ := schema["properties"].(map[string]any)
	if props == nil {
		return
	}
	required := stringList(schema["required"])
	m.sameKeys(props, obj, path)
	m.fixTarget(props, obj, path)
	for _, want := range slices.Sorted(maps.Keys(aliases)) {
		names := aliases[want]
		if props[want] == nil {
			continue
		}
		if _, has := obj[want]; has {
			continue
		}
		for _, alias := range names {
			v, there := obj[alias]
			if !there || props[alias] != nil {
				continue
			}
			if want == "index" {
				n, ok := number(v)
				if !ok {
					continue
				}
				v = n
			} else if want == "ref" {
				ref, ok := refOf(v)
				if !ok {
					continue
				}
				v = ref
			} else if !inList(required, want) {
				continue
			}
			obj[want] = v
			delete(obj, alias)
			m.note(join(path, want), "was given as "+alias)
			break
		}
	}
	// "#12" and "[12]" are no CSS selectors; they mean an element's index.
	if sel, ok := obj["selector"].(string); ok && props["index"] != nil && obj["index"] == nil {
		if hit := indexSelector.FindStringSubmatch(strings.TrimSpace(sel)); hit != nil {
			obj["index"] = json.Number(hit[1])
			delete(obj, "selector")
			m.note(join(path, "index"), "was given as the selector "+sel)
		}
	}
	for key, v := range obj {
		if v == nil && props[key] == nil {
			delete(obj, key) // null for an unknown property has no meaning
		}
	}
	for key, sub := range props {
		s, ok := sub.(map[string]any)
		v, has := obj[key]
		if !ok || !has {
			continue
		}
		types := typesOf(m.deref(s))
		if v == nil && !inList(required, key) && !inList(types, "null") {
			delete(obj, key)
			continue
		}
		if absent(v) && len(types) > 0 && !inList(types, "string") && !inList(required, key) {
			delete(obj, key)
			m.note(join(path, key), "none, left out")
			continue
		}
		obj[key] = m.coerce(s, v, join(path, key))
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// fits reports whether v fits schema. It is a small validator, to choose among
// branches.
func (m *mender) fits(schema map[string]any, v any) bool {
	schema = m.deref(schema)
	if types := typesOf(schema); len(types) > 0 {
		ok := false
		for _, t := range types {
			ok = ok || isType(t, v)
		}
		if !ok {
			return false
		}
	}
	if c, has := schema["const"]; has && !sameJSON(c, v) {
		return false
	}
	if enum, ok := schema["enum"].([]any); ok {
		hit := false
		for _, e := range enum {
			hit = hit || sameJSON(e, v)
		}
		if !hit {
			return false
		}
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return true
	}
	for _, r := range stringList(schema["required"]) {
		if _, has := obj[r]; !has {
			return false
		}
	}
	props, _ := schema["properties"].(map[string]any)
	for k, pv := range obj {
		sub, known := props[k].(map[string]any)
		if known && !m.fits(sub, pv) {
			return false
		}
		if closed, isBool := schema["additionalProperties"].(bool); !known && isBool && !closed {
			return false
		}
	}
	return true
}

func deepCopy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = deepCopy(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = deepCopy(x)
		}
		return out
	}
	return v
}
