// Package keyboard turns the names of keys into the events that Chrome takes. A name is what a
// model, a user or a program writes: "Enter", "ctrl+a", "KeyB". The events are those of a US
// keyboard with its modifiers. The package imports host/browser for the types of the events.
// Start reading at Parse.
package keyboard

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tabwright/host/browser"
)

// Key is one key of a US keyboard as Input.dispatchKeyEvent wants it.
type Key struct {
	Key      string // DOM key: "a", "Enter"
	Code     string // DOM code: "KeyA", "Enter"
	VK       int    // Windows virtual key code
	Text     string // what it types, empty when nothing
	Location int    // 1 left, 2 right, 3 keypad
	Shifted  bool   // needs Shift on that keyboard
}

// The modifier bits of Input.dispatchKeyEvent and dispatchMouseEvent.
const (
	Alt   = browser.ModAlt
	Ctrl  = browser.ModCtrl
	Meta  = browser.ModMeta
	Shift = browser.ModShift
)

// namedKeys are the keys that have a name instead of a character; the names
// are those of the UI Events specification, which Playwright uses as well.
var namedKeys = func() map[string]Key {
	m := map[string]Key{}
	add := func(name, code string, vk int, text string) { m[name] = Key{Key: name, Code: code, VK: vk, Text: text} }
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
	m["Enter"] = Key{Key: "Enter", Code: "Enter", VK: 13, Text: "\r"}
	m["NumpadEnter"] = Key{Key: "Enter", Code: "NumpadEnter", VK: 13, Text: "\r", Location: 3}
	m["Space"] = Key{Key: " ", Code: "Space", VK: 32, Text: " "}
	for name, k := range map[string]Key{
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
		m["Numpad"+string(c)] = Key{Key: string(c), Code: "Numpad" + string(c), VK: 96 + i, Text: string(c), Location: 3}
	}
	for code, k := range map[string]Key{
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
var charKeys = func() map[string]Key {
	m := map[string]Key{" ": {Key: " ", Code: "Space", VK: 32, Text: " "}}
	add := func(plain, shifted, code string, vk int) {
		k := Key{Key: plain, Code: code, VK: vk, Text: plain}
		m[plain], m[code] = k, k
		m[shifted] = Key{Key: shifted, Code: code, VK: vk, Text: shifted, Shifted: true}
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

// Find gives the key of a name or a character.
func Find(name string) (Key, bool) {
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
		for _, set := range []map[string]Key{namedKeys, charKeys} {
			for n, k := range set {
				if len(n) > 1 && strings.EqualFold(n, low) {
					return k, true
				}
			}
		}
	}
	return Key{}, false
}

// Chord is a key with the modifiers held; Down are the modifiers among them that keyDown
// already holds.
type Chord struct {
	Key        Key
	Mods, Down int
}

// With returns the chord while the modifiers down are already held.
func (c Chord) With(down int) Chord {
	c.Mods, c.Down = c.Mods|down, down
	if c.Mods&Shift != 0 {
		c.Key = c.Key.withShift() // Shift+a types A
	}
	return c
}

// withShift returns what the key types with Shift.
func (k Key) withShift() Key {
	if !k.Shifted && len(k.Text) == 1 {
		for _, up := range charKeys {
			if up.Shifted && up.Code == k.Code {
				return up
			}
		}
	}
	return k
}

// ShiftedText returns what the keys of a text type with Shift.
func ShiftedText(text string) string {
	return strings.Map(func(r rune) rune {
		if k, ok := charKeys[string(r)]; ok {
			return []rune(k.withShift().Key)[0]
		}
		return r
	}, text)
}

// Parse reads "Enter", "Control+a", "ctrl+shift+K" and the modifiers list.
func Parse(name string, modifiers []string) (Chord, error) {
	var c Chord
	for _, m := range modifiers {
		bit, ok := Modifier(m)
		if !ok {
			return c, fmt.Errorf("no modifier %q: use ctrl, alt, shift or meta", m)
		}
		c.Mods |= bit
	}
	k, ok := Find(name)
	for !ok {
		mod, rest, plus := strings.Cut(name, "+")
		bit, is := Modifier(mod)
		if !plus || !is || rest == "" {
			return c, fmt.Errorf("no key %q: use a character of the keyboard or a name such as Enter, Tab, Escape, Backspace, ArrowDown, PageDown, F5; any other character is text, for the action type", name)
		}
		c.Mods |= bit
		name = rest
		k, ok = Find(name)
	}
	c.Key = k
	if k.Shifted {
		c.Mods |= Shift
	}
	return c.With(0), nil
}

// ModifierNames are the names of the modifier keys whose bits are set.
func ModifierNames(mods int) []string {
	var out []string
	for _, name := range []string{"ctrl", "alt", "shift", "meta"} {
		if bit, _ := Modifier(name); mods&bit != 0 {
			out = append(out, name)
		}
	}
	return out
}

// Modifier gives the bit of a modifier key by any of its names.
func Modifier(name string) (int, bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "ctrl", "control", "ctl":
		return Ctrl, true
	case "alt", "option", "opt":
		return Alt, true
	case "shift":
		return Shift, true
	case "meta", "cmd", "command", "win", "super":
		return Meta, true
	case "controlormeta", "mod":
		return Ctrl, true
	}
	return 0, false
}

// String writes the chord as the gate reads it: Control+Enter.
func (c Chord) String() string {
	var parts []string
	for _, m := range []struct {
		bit  int
		name string
	}{{Ctrl, "Control"}, {Alt, "Alt"}, {Shift, "Shift"}, {Meta, "Meta"}} {
		if c.Mods&m.bit != 0 && (m.bit != Shift || !c.Key.Shifted) {
			parts = append(parts, m.name)
		}
	}
	name := c.Key.Key
	if name == " " {
		name = "Space"
	}
	return strings.Join(append(parts, name), "+")
}

// text returns what the chord types: nothing while Ctrl, Alt or Meta are held.
func (c Chord) text() string {
	if c.Mods&(Ctrl|Alt|Meta) != 0 {
		return ""
	}
	return c.Key.Text
}

// commands gives the editing commands that a browser maps to the chord.
// Synthetic key events bypass the platform's key bindings on macOS, where
// Control+A is not "select all" either; naming the command does it everywhere.
func (c Chord) commands() []string {
	if c.Mods != Ctrl && c.Mods != Meta {
		return nil
	}
	names := map[string]string{"KeyA": "selectAll", "KeyC": "copy", "KeyX": "cut", "KeyV": "paste", "KeyZ": "undo", "KeyY": "redo"}
	if n, ok := names[c.Key.Code]; ok {
		return []string{n}
	}
	return nil
}

// modifiersToPress lists the modifier keys to press before and release after, in order,
// without those that are already held.
func (c Chord) modifiersToPress() []Chord {
	var out []Chord
	mods := c.Down
	for _, m := range []struct {
		bit  int
		name string
	}{{Ctrl, "Control"}, {Alt, "Alt"}, {Shift, "Shift"}, {Meta, "Meta"}} {
		if c.Mods&^c.Down&m.bit != 0 {
			mods |= m.bit
			out = append(out, Chord{Key: namedKeys[m.name], Mods: mods})
		}
	}
	return out
}

// Event gives the chord as one key event.
func (c Chord) Event(up bool) browser.KeyEvent {
	e := browser.KeyEvent{
		Up: up, Key: c.Key.Key, Code: c.Key.Code, KeyCode: c.Key.VK, Location: c.Key.Location, Modifiers: c.Mods,
	}
	if !up {
		e.Text, e.Commands = c.text(), c.commands()
	}
	return e
}

// Events presses and releases the chord, the modifier keys included.
func (c Chord) Events() []browser.KeyEvent {
	var out []browser.KeyEvent
	held := c.modifiersToPress()
	for _, m := range held {
		out = append(out, m.Event(false))
	}
	out = append(out, c.Stroke()...)
	for i := len(held) - 1; i >= 0; i-- {
		up := held[i].Event(true)
		if i > 0 {
			up.Modifiers = held[i-1].Mods
		} else {
			up.Modifiers = c.Down
		}
		out = append(out, up)
	}
	return out
}

// Stroke presses and releases the key alone, as if the modifiers were held.
func (c Chord) Stroke() []browser.KeyEvent {
	return []browser.KeyEvent{c.Event(false), c.Event(true)}
}

// Named is the chord of a key that has a name, such as Enter.
func Named(name string, mods int) Chord { return Chord{Key: namedKeys[name], Mods: mods} }

// Char is the chord that types a character; false where no key does.
func Char(c rune) (Chord, bool) {
	k, ok := charKeys[string(c)]
	if !ok {
		return Chord{}, false
	}
	ch := Chord{Key: k}
	if k.Shifted {
		ch.Mods = Shift
	}
	return ch, true
}
