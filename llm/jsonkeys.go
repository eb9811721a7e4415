package llm

import (
	"regexp"
	"strings"
)

// aliases are the names that models use for a property of the registry. One counts
// only if the schema has the property and not the alias.
var aliases = map[string][]string{
	"index": {"element_id", "elementId", "element_index", "elementIndex", "element", "idx", "id", "node_id", "elementid", "target"},
	"ref":   {"target", "element_ref", "element", "element_id", "uid"},
	"text":  {"value", "content", "input_text", "query"},
	"url":   {"href", "link", "address"},
	"value": {"option", "text"},
	"key":   {"keys"},
}

var (
	indexSelector = regexp.MustCompile(`^[#\[]\s*(\d{1,9})\s*\]?$`)
	refForm       = regexp.MustCompile(`^\[?\s*(?:ref\s*=\s*)?["']?@?((?:snap_\w+:)?e\d{1,9})["']?\s*\]?$`)
)

// refOf returns the ref in a text such as e5, @e5 or [ref=e5].
func refOf(v any) (string, bool) {
	s, ok := v.(string)
	if !ok {
		return "", false
	}
	hit := refForm.FindStringSubmatch(strings.TrimSpace(s))
	if hit == nil {
		return "", false
	}
	return hit[1], true
}

// fixTarget corrects an index and a ref of an element that were exchanged: "e5" is
// no index, and 5 is no ref.
func (m *mender) fixTarget(props, obj map[string]any, path string) {
	if props["index"] == nil {
		return
	}
	if list, ok := obj["index"].([]any); ok && len(list) == 1 {
		obj["index"] = list[0]
		m.note(join(path, "index"), "taken out of its list")
	}
	if props["ref"] == nil {
		return
	}
	move := func(from, to string, v any, as string) {
		delete(obj, from)
		obj[to] = v
		m.note(join(path, to), "was given as "+as)
	}
	if _, has := obj["ref"]; !has {
		if ref, ok := refOf(obj["index"]); ok {
			move("index", "ref", ref, "the index")
		} else if sel, is := obj["selector"].(string); is && strings.ContainsAny(sel, "@=") {
			if ref, ok := refOf(sel); ok {
				move("selector", "ref", ref, "the selector")
			}
		}
		return
	}
	if ref, ok := refOf(obj["ref"]); ok && ref != obj["ref"] {
		move("ref", "ref", ref, clip(obj["ref"].(string), 30)) //nolint:forcetypeassert // refOf takes a string only
	} else if n, ok := number(obj["ref"]); ok && isWhole(n) && obj["index"] == nil {
		move("ref", "index", n, "the ref")
	}
}

// sameKeys renames a key that differs from a property only in case or word breaks.
func (m *mender) sameKeys(props, obj map[string]any, path string) {
	for key := range obj {
		if props[key] != nil || strings.Trim(key, "-_ ") != key {
			continue
		}
		want := ""
		for p := range props {
			if fold(p) == fold(key) {
				if want != "" {
					want = ""
					break
				}
				want = p
			}
		}
		if _, has := obj[want]; want != "" && !has {
			obj[want] = obj[key]
			delete(obj, key)
			m.note(join(path, want), "was given as "+key)
		}
	}
}
