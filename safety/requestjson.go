package safety

import (
	"encoding/json"
	"strings"
)

// jsonLevel is an object or a list around the current value of a walk through JSON.
// key is the key of the value, or of the list that it is in.
type jsonLevel struct {
	object, inKey bool
	key           string
	of            string // the key that the object is the value of, or stands in the list of
}

// json judges all keys of a JSON text. It skips errors, so the text may be cut off.
// patch says that each "op" is an edit of one thing (JSON Patch).
func (b *bodyReader) json(text string, patch bool, depth int) {
	stack := make([]jsonLevel, 0, 16)
	var top jsonLevel
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '{', '[':
			if c == '{' && rightsKeys[keyName(top.key)] {
				b.soft = append(b.soft, finding{Identity, top.key})
			}
			if c == '{' && keyName(top.key) == "delete" {
				b.soft = append(b.soft, finding{Destroy, top.key})
			}
			if c == '{' && len(stack) == 1 && b.path.acts {
				b.operation("fn", top.key) // {"reboot": {…}} to /servers/4/action
			}
			stack = append(stack, top)
			top = jsonLevel{object: c == '{', inKey: c == '{', key: top.key, of: top.key}
			i++
		case '}', ']':
			if n := len(stack); n > 0 {
				top, stack = stack[n-1], stack[:n-1]
			}
			i++
		case ',':
			top.inKey = top.object
			i++
		case ':', ' ', '\t', '\r', '\n':
			i++
		case '"':
			end := stringEnd(text, i)
			s := jsonString(text[i:end])
			i = end
			if top.inKey {
				top.key, top.inKey = s, false
			} else if !patch || top.key != "op" {
				b.level, b.of = len(stack), top.of
				b.pair(top.key, s, depth)
			}
		default:
			from := i
			for i < len(text) && !strings.ContainsRune("{}[],:\" \t\r\n", rune(text[i])) {
				i++
			}
			if b.path.acts && len(stack) == 1 && text[from:i] == "null" {
				b.operation("fn", top.key)
			}
			b.literal(top.key, text[from:i])
			b.judgeSwitch(top.of, top.key, text[from:i])
		}
	}
}

// switchKeys turn the object around them on and off.
var switchKeys = wordSet("enabled isenabled active isactive on ison")

// judgeSwitch judges a key of switchKeys in an object named of: any write to some objects is a deed.
func (b *bodyReader) judgeSwitch(of, key, val string) {
	if val != "true" && val != "false" || !switchKeys[keyName(key)] {
		return
	}
	if s := b.v.name(of); s.guard != "" {
		b.soft = append(b.soft, finding{s.guard, of + ": " + key})
	}
}

// literal judges a value that is no text: a number, true, false, null.
func (b *bodyReader) literal(key, val string) {
	switch {
	case val == "true":
		b.flag(key)
		b.givesAccess(key, val)
		b.field(key, val)
	case val == "false":
		b.off(key)
		b.givesAccess(key, val)
	case val != "" && (val[0] == '-' || val[0] >= '0' && val[0] <= '9'):
		b.number(key, val)
	}
}

// jsonString decodes a JSON string. It returns one that does not decode without its
// quotes.
func jsonString(quoted string) string {
	bare := strings.TrimSuffix(quoted[1:], `"`)
	if !strings.Contains(bare, `\`) {
		return bare
	}
	var s string
	if json.Unmarshal([]byte(quoted), &s) != nil {
		return bare
	}
	return s
}
