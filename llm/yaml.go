package llm

import (
	"regexp"
	"strings"
)

// yamlLine matches a key with its value, or without one if an indented block follows.
var yamlLine = regexp.MustCompile(`^( *)(?:- )?([A-Za-z_]\w*):(?: +(.*?))? *$`)

// readYAML reads a call that a model wrote as YAML: action and params, or the
// parameters beside the action. The error is errNotACall if there is anything but
// lines of keys and plain values.
func readYAML(text string, tools []Tool) ([]Call, readNote, error) {
	top, inner := map[string]any{}, map[string]any(nil)
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		m := yamlLine.FindStringSubmatch(line)
		if m == nil {
			return nil, readNote{}, errNotACall
		}
		into := top
		if m[1] != "" {
			if into = inner; into == nil {
				return nil, readNote{}, errNotACall
			}
		}
		if _, twice := into[m[2]]; twice {
			return nil, readNote{}, errNotACall
		}
		switch {
		case m[3] != "":
			into[m[2]] = yamlValue(m[3])
		case m[1] == "":
			inner = map[string]any{}
			top[m[2]] = inner
		default:
			return nil, readNote{}, errNotACall
		}
	}
	name, is := top["action"].(string)
	if _, _, err := resolveName(name, tools); !is || err != nil {
		return nil, readNote{}, errNotACall
	}
	calls, mends, err := interpret(top, tools, 0)
	// It can't be seen whether YAML was cut off, so closed is true.
	return calls, readNote{mends: append(mends, "YAML read"), closed: true}, err
}

// yamlValue reads quoted text, a number or a word. It returns any other text as it is.
func yamlValue(text string) any {
	l := &lenient{s: text}
	v, err := l.value()
	if err == nil && l.i == len(text) && !l.closed {
		return v
	}
	return text
}
