package pointer

import (
	"errors"
	"strings"
)

var modifiers = map[string]string{
	"ctrl": "ctrl", "control": "ctrl", "controlleft": "ctrl", "controlormeta": "ctrl", "mod": "ctrl", "alt": "alt", "option": "alt", "shift": "shift", "shiftleft": "shift",
	"meta": "meta", "cmd": "meta", "command": "meta", "win": "meta", "winleft": "meta", "super": "meta",
}

// keyNames are the registry's names of keys, by the models' names in lower case
// without spaces, underscores and hyphens.
var keyNames = map[string]string{
	"enter": "Enter", "return": "Enter", "tab": "Tab", "esc": "Escape", "escape": "Escape", "backspace": "Backspace", "back": "Backspace",
	"del": "Delete", "delete": "Delete", "space": "Space", "spacebar": "Space", "insert": "Insert", "home": "Home", "end": "End",
	"pageup": "PageUp", "pgup": "PageUp", "pagedown": "PageDown", "pgdn": "PageDown", "pgdown": "PageDown",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"arrowup": "ArrowUp", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight",
	"uparrow": "ArrowUp", "downarrow": "ArrowDown", "leftarrow": "ArrowLeft", "rightarrow": "ArrowRight",
	"plus": "+", "minus": "-", "comma": ",", "period": ".",
}

// keys returns the calls that press keys, one after another, with the modifiers in
// the list held. A combination may be a list, or one word with + or spaces.
func keys(list []string) ([]Call, error) {
	var held []string
	var out []Call
	for _, part := range list {
		for _, k := range apart(part) {
			if k == " " {
				k = "Space"
			}
			plain := strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(k))
			if m, ok := modifiers[plain]; ok {
				held = append(held, m)
				continue
			}
			if name, ok := keyNames[plain]; ok {
				k = name
			} else if len(plain) > 1 && plain[0] == 'f' && strings.Trim(plain[1:], "0123456789") == "" {
				k = strings.ToUpper(plain)
			} else if len([]rune(k)) == 1 && len(held) > 0 {
				k = strings.ToLower(k)
			}
			c := Call{Name: "pressKey", Params: map[string]any{"key": k}}
			if len(held) > 0 {
				c.Params["modifiers"] = held
			}
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("there is no key to press beside those that are held")
	}
	return out, nil
}

// apart returns the keys of a combination. The last key may be + itself, and a space
// alone is the space bar.
func apart(s string) []string {
	if s != "" && strings.Trim(s, " ") == "" {
		return []string{" "}
	}
	s = strings.TrimSpace(s)
	between := func(r rune) bool { return r == '+' || r == ' ' }
	switch before, last := strings.CutSuffix(s, "+"); {
	case s == "+":
		return []string{s}
	case last && strings.HasSuffix(strings.TrimSpace(before), "+"):
		return append(strings.FieldsFunc(before, between), "+")
	}
	return strings.FieldsFunc(s, between)
}
