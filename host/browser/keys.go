package browser

import (
	"strings"
	"unicode/utf8"
)

// keyNames are the keys of a US keyboard that have names; the letters, digits
// and signs are found by KeyFor.
var keyNames = map[string]KeyEvent{
	"enter": {Key: "Enter", Code: "Enter", Text: "\r", KeyCode: 13}, "tab": {Key: "Tab", Code: "Tab", KeyCode: 9},
	"backspace": {Key: "Backspace", Code: "Backspace", KeyCode: 8}, "delete": {Key: "Delete", Code: "Delete", KeyCode: 46},
	"escape": {Key: "Escape", Code: "Escape", KeyCode: 27}, "space": {Key: " ", Code: "Space", Text: " ", KeyCode: 32},
	"arrowleft": {Key: "ArrowLeft", Code: "ArrowLeft", KeyCode: 37}, "arrowup": {Key: "ArrowUp", Code: "ArrowUp", KeyCode: 38},
	"arrowright": {Key: "ArrowRight", Code: "ArrowRight", KeyCode: 39}, "arrowdown": {Key: "ArrowDown", Code: "ArrowDown", KeyCode: 40},
	"home": {Key: "Home", Code: "Home", KeyCode: 36}, "end": {Key: "End", Code: "End", KeyCode: 35},
	"pageup": {Key: "PageUp", Code: "PageUp", KeyCode: 33}, "pagedown": {Key: "PageDown", Code: "PageDown", KeyCode: 34},
	"insert": {Key: "Insert", Code: "Insert", KeyCode: 45}, "capslock": {Key: "CapsLock", Code: "CapsLock", KeyCode: 20},
	"contextmenu": {Key: "ContextMenu", Code: "ContextMenu", KeyCode: 93},
	"shift":       {Key: "Shift", Code: "ShiftLeft", KeyCode: 16, Location: 1},
	"control":     {Key: "Control", Code: "ControlLeft", KeyCode: 17, Location: 1},
	"alt":         {Key: "Alt", Code: "AltLeft", KeyCode: 18, Location: 1},
	"meta":        {Key: "Meta", Code: "MetaLeft", KeyCode: 91, Location: 1},
	"f1":          {Key: "F1", Code: "F1", KeyCode: 112}, "f2": {Key: "F2", Code: "F2", KeyCode: 113},
	"f3": {Key: "F3", Code: "F3", KeyCode: 114}, "f4": {Key: "F4", Code: "F4", KeyCode: 115},
	"f5": {Key: "F5", Code: "F5", KeyCode: 116}, "f6": {Key: "F6", Code: "F6", KeyCode: 117},
	"f7": {Key: "F7", Code: "F7", KeyCode: 118}, "f8": {Key: "F8", Code: "F8", KeyCode: 119},
	"f9": {Key: "F9", Code: "F9", KeyCode: 120}, "f10": {Key: "F10", Code: "F10", KeyCode: 121},
	"f11": {Key: "F11", Code: "F11", KeyCode: 122}, "f12": {Key: "F12", Code: "F12", KeyCode: 123},
}

// keyAliases are what people and models call some of them.
var keyAliases = map[string]string{
	"return": "enter", "esc": "escape", "del": "delete", "ins": "insert", "spacebar": "space", " ": "space",
	"left": "arrowleft", "up": "arrowup", "right": "arrowright", "down": "arrowdown",
	"pgup": "pageup", "pgdn": "pagedown", "pgdown": "pagedown",
	"ctrl": "control", "option": "alt", "opt": "alt", "cmd": "meta", "command": "meta", "win": "meta", "super": "meta",
	"\n": "enter", "\r": "enter", "\t": "tab",
}

// signKeys are the keys of the signs: plain, with shift, DOM code, key code.
var signKeys = []struct {
	plain, shifted byte
	code           string
	keyCode        int
}{
	{'1', '!', "Digit1", 49},
	{'2', '@', "Digit2", 50},
	{'3', '#', "Digit3", 51},
	{'4', '$', "Digit4", 52},
	{'5', '%', "Digit5", 53},
	{'6', '^', "Digit6", 54},
	{'7', '&', "Digit7", 55},
	{'8', '*', "Digit8", 56},
	{'9', '(', "Digit9", 57},
	{'0', ')', "Digit0", 48},
	{'-', '_', "Minus", 189},
	{'=', '+', "Equal", 187},
	{'[', '{', "BracketLeft", 219},
	{']', '}', "BracketRight", 221},
	{'\\', '|', "Backslash", 220},
	{';', ':', "Semicolon", 186},
	{'\'', '"', "Quote", 222},
	{'`', '~', "Backquote", 192},
	{',', '<', "Comma", 188},
	{'.', '>', "Period", 190},
	{'/', '?', "Slash", 191},
}

// KeyFor gives the key of a name: a DOM key ("Enter", "ArrowLeft"), a common
// alias ("Esc", "Cmd"), or one character. A character that no US key types
// comes with its text and no code. ok is false for anything else.
func KeyFor(name string) (key KeyEvent, ok bool) {
	low := strings.ToLower(name)
	if alias, is := keyAliases[low]; is {
		low = alias
	}
	if k, is := keyNames[low]; is {
		return k, true
	}
	if utf8.RuneCountInString(name) != 1 || !utf8.ValidString(name) {
		return KeyEvent{}, false
	}
	k := KeyEvent{Key: name, Text: name}
	c := name[0]
	switch {
	case c >= 'a' && c <= 'z':
		k.Code, k.KeyCode = "Key"+strings.ToUpper(name), int(c-'a'+'A')
	case c >= 'A' && c <= 'Z':
		k.Code, k.KeyCode, k.Modifiers = "Key"+name, int(c), ModShift
	case c < utf8.RuneSelf:
		for _, s := range signKeys {
			if c == s.plain || c == s.shifted {
				k.Code, k.KeyCode = s.code, s.keyCode
				if c == s.shifted {
					k.Modifiers = ModShift
				}
				return k, true
			}
		}
		return KeyEvent{}, false // a control character
	}
	return k, true
}
