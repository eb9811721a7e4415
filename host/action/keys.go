package action

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tabwright/host/browser"
)

// key is one key of a US keyboard as Input.dispatchKeyEvent wants it.
type key struct {
	Key      string // DOM key: "a", "Enter"
	Code     string // DOM code: "KeyA", "Enter"
	VK       int    // Windows virtual key code
	Text     string // what it types, empty when nothing
	Location int    // 1 left, 2 right, 3 keypad
	Shift    bool   // needs Shift on that keyboard
}

// Modifier bits of Input.dispatchKeyEvent and dispatchMouseEvent.
const (
	modAlt   = browser.ModAlt
	modCtrl  = browser.ModCtrl
	modMeta  = browser.ModMeta
	modShift = browser.ModShift
)

// namedKeys are the keys that have a name instead of a character; the names
// are those of the UI Events specification, which Playwright uses as well.
var namedKeys = func() map[string]key {
	m := map[string]key{}
	add := func(name, code string, vk int, text string) { m[name] = key{Key: name, Code: code, VK: vk, Text: text} }
	for i := 1; i <= 24; i++ {
		n := fmt.Sprintf("F%d", i)
		add(n, n, 111+i, "")
	}
	for _, k := range []struct {
		name string
		vk   int
	}{
		{"Backspace", 8},
		{"Tab", 9},
		{"Clear", 12},
		{"Pause", 19},
		{"CapsLock", 20},
		{"Escape", 27},
		{"Convert", 28},
		{"NonConvert", 29},
		{"PageUp", 33},
		{"PageDown", 34},
		{"End", 35},
		{"Home", 36},
		{"ArrowLeft", 37},
		{"ArrowUp", 38},
		{"ArrowRight", 39},
		{"ArrowDown", 40},
		{"PrintScreen", 44},
		{"Insert", 45},
		{"Delete", 46},
		{"Help", 47},
		{"ContextMenu", 93},
		{"NumLock", 144},
		{"ScrollLock", 145},
		{"BrowserBack", 166},
		{"BrowserForward", 167},
		{"BrowserRefresh", 168},
		{"BrowserSearch", 170},
		{"AudioVolumeMute", 173},
		{"AudioVolumeDown", 174},
		{"AudioVolumeUp", 175},
		{"MediaTrackNext", 176},
		{"MediaTrackPrevious", 177},
		{"MediaStop", 178},
		{"MediaPlayPause", 179},
	} {
		add(k.name, k.name, k.vk, "")
	}
	m["Enter"] = key{Key: "Enter", Code: "Enter", VK: 13, Text: "\r"}
	m["NumpadEnter"] = key{Key: "Enter", Code: "NumpadEnter", VK: 13, Text: "\r", Location: 3}
	m["Space"] = key{Key: " ", Code: "Space", VK: 32, Text: " "}
	for name, k := range map[string]key{
		"Shift": {Key: "Shift", VK: 16}, "Control": {Key: "Control", VK: 17}, "Alt": {Key: "Alt", VK: 18}, "Meta": {Key: "Meta", VK: 91},
	} {
		k.Code, k.Location = name+"Left", 1
		m[name], m[name+"Left"] = k, k
		k.Code, k.Location = name+"Right", 2
		if name == "Meta" {
			k.VK = 92
		}
		m[name+"Right"] = k
	}
	for i, c := range "0123456789" {
		m["Numpad"+string(c)] = key{Key: string(c), Code: "Numpad" + string(c), VK: 96 + i, Text: string(c), Location: 3}
	}
	for code, k := range map[string]key{
		"NumpadMultiply": {Key: "*", VK: 106}, "NumpadAdd": {Key: "+", VK: 107}, "NumpadSubtract": {Key: "-", VK: 109},
		"NumpadDecimal": {Key: ".", VK: 110}, "NumpadDivide": {Key: "/", VK: 111},
	} {
		k.Code, k.Text, k.Location = code, k.Key, 3
		m[code] = k
	}
	return m
}()

// charKeys are the keys that type a character, by the character and, for the
// unshifted ones, by their code.
var charKeys = func() map[string]key {
	m := map[string]key{" ": {Key: " ", Code: "Space", VK: 32, Text: " "}}
	add := func(plain, shifted, code string, vk int) {
		k := key{Key: plain, Code: code, VK: vk, Text: plain}
		m[plain], m[code] = k, k
		m[shifted] = key{Key: shifted, Code: code, VK: vk, Text: shifted, Shift: true}
	}
	for c := 'a'; c <= 'z'; c++ {
		up := strings.ToUpper(string(c))
		add(string(c), up, "Key"+up, int(c-'a')+65)
	}
	for i, s := range []string{")", "!", "@", "#", "$", "%", "^", "&", "*", "("} {
		add(fmt.Sprint(i), s, fmt.Sprintf("Digit%d", i), 48+i)
	}
	for _, p := range []struct {
		plain, shifted, code string
		vk                   int
	}{
		{";", ":", "Semicolon", 186},
		{"=", "+", "Equal", 187},
		{",", "<", "Comma", 188},
		{"-", "_", "Minus", 189},
		{".", ">", "Period", 190},
		{"/", "?", "Slash", 191},
		{"`", "~", "Backquote", 192},
		{"[", "{", "BracketLeft", 219},
		{"\\", "|", "Backslash", 220},
		{"]", "}", "BracketRight", 221},
		{"'", "\"", "Quote", 222},
	} {
		add(p.plain, p.shifted, p.code, p.vk)
	}
	return m
}()

// otherNames are spellings that models use for a key.
var otherNames = map[string]string{
	"return": "Enter", "esc": "Escape", "spacebar": "Space", "del": "Delete", "ins": "Insert", "bksp": "Backspace",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"pgup": "PageUp", "pgdn": "PageDown", "pgdown": "PageDown", "ctrl": "Control", "cmd": "Meta", "command": "Meta",
	"win": "Meta", "super": "Meta", "option": "Alt", "opt": "Alt", "os": "Meta",
}

// findKey gives the key of a name or a character.
func findKey(name string) (key, bool) {
	if k, ok := charKeys[name]; ok {
		return k, true
	}
	if k, ok := namedKeys[name]; ok {
		return k, true
	}
	low := strings.ToLower(name)
	if n, ok := otherNames[low]; ok {
		return namedKeys[n], true
	}
	if utf8.RuneCountInString(name) > 1 {
		for _, set := range []map[string]key{namedKeys, charKeys} {
			for n, k := range set {
				if len(n) > 1 && strings.EqualFold(n, low) {
					return k, true
				}
			}
		}
	}
	return key{}, false
}

// chord is a key with the modifiers held; down are those among them that are held
// already, by keyDown.
type chord struct {
	key        key
	mods, down int
}

// with is the chord while modifiers are held already.
func (c chord) with(down int) chord {
	c.mods, c.down = c.mods|down, down
	if c.mods&modShift != 0 {
		c.key = c.key.withShift() // Shift+a types A
	}
	return c
}

// withShift is what the key types with Shift.
func (k key) withShift() key {
	if !k.Shift && len(k.Text) == 1 {
		for _, up := range charKeys {
			if up.Shift && up.Code == k.Code {
				return up
			}
		}
	}
	return k
}

// shiftedText is what the keys of a text type with Shift.
func shiftedText(text string) string {
	return strings.Map(func(r rune) rune {
		if k, ok := charKeys[string(r)]; ok {
			return []rune(k.withShift().Key)[0]
		}
		return r
	}, text)
}

// parseChord reads "Enter", "Control+a", "ctrl+shift+K" and the modifiers list.
func parseChord(name string, modifiers []string) (chord, error) {
	var c chord
	for _, m := range modifiers {
		bit, ok := modifierBit(m)
		if !ok {
			return c, fmt.Errorf("no modifier %q: use ctrl, alt, shift or meta", m)
		}
		c.mods |= bit
	}
	k, ok := findKey(name)
	for !ok {
		mod, rest, plus := strings.Cut(name, "+")
		bit, is := modifierBit(mod)
		if !plus || !is || rest == "" {
			return c, fmt.Errorf("no key %q: use a character of the keyboard or a name such as Enter, Tab, Escape, Backspace, ArrowDown, PageDown, F5; any other character is text, for the action type", name)
		}
		c.mods |= bit
		name = rest
		k, ok = findKey(name)
	}
	c.key = k
	if k.Shift {
		c.mods |= modShift
	}
	return c.with(0), nil
}

func modifierBit(name string) (int, bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "ctrl", "control", "ctl":
		return modCtrl, true
	case "alt", "option", "opt":
		return modAlt, true
	case "shift":
		return modShift, true
	case "meta", "cmd", "command", "win", "super":
		return modMeta, true
	case "controlormeta", "mod":
		return modCtrl, true
	}
	return 0, false
}

// String writes the chord as the gate reads it: Control+Enter.
func (c chord) String() string {
	var parts []string
	for _, m := range []struct {
		bit  int
		name string
	}{{modCtrl, "Control"}, {modAlt, "Alt"}, {modShift, "Shift"}, {modMeta, "Meta"}} {
		if c.mods&m.bit != 0 && (m.bit != modShift || !c.key.Shift) {
			parts = append(parts, m.name)
		}
	}
	name := c.key.Key
	if name == " " {
		name = "Space"
	}
	return strings.Join(append(parts, name), "+")
}

// text is what the chord types: nothing while Ctrl, Alt or Meta are held.
func (c chord) text() string {
	if c.mods&(modCtrl|modAlt|modMeta) != 0 {
		return ""
	}
	return c.key.Text
}

// commands gives the editing commands that a browser maps to the chord.
// Synthetic key events bypass the platform's key bindings on macOS, where
// Control+A is not "select all" either; naming the command does it everywhere.
func (c chord) commands() []string {
	if c.mods != modCtrl && c.mods != modMeta {
		return nil
	}
	names := map[string]string{"KeyA": "selectAll", "KeyC": "copy", "KeyX": "cut", "KeyV": "paste", "KeyZ": "undo", "KeyY": "redo"}
	if n, ok := names[c.key.Code]; ok {
		return []string{n}
	}
	return nil
}

// modifiersToPress lists the modifier keys to press before and release after, in order: not
// those that are modifiersToPress already.
func (c chord) modifiersToPress() []chord {
	var out []chord
	mods := c.down
	for _, m := range []struct {
		bit  int
		name string
	}{{modCtrl, "Control"}, {modAlt, "Alt"}, {modShift, "Shift"}, {modMeta, "Meta"}} {
		if c.mods&^c.down&m.bit != 0 {
			mods |= m.bit
			out = append(out, chord{key: namedKeys[m.name], mods: mods})
		}
	}
	return out
}

// event gives the chord as one key event.
func (c chord) event(up bool) browser.KeyEvent {
	e := browser.KeyEvent{
		Up: up, Key: c.key.Key, Code: c.key.Code, KeyCode: c.key.VK, Location: c.key.Location, Modifiers: c.mods,
	}
	if !up {
		e.Text, e.Commands = c.text(), c.commands()
	}
	return e
}
