package pointer

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Holo1 and Holo1.5: one JSON object with a note, a thought and an action, points in
// pixels of the picture. Text is written into the field at a point.
var holo1 = Family{
	Name: "holo1", Shots: 3, Prompt: "pointer_holo1", model: regexp.MustCompile(`(?i)(^|[^a-z])holo-?1`), scale: pixels, factor: 28,
	Example: `{"note": "", "thought": "The form is sent with the button below it.", "action": {"action": "click_element", "element": "the button Send", "x": 640, "y": 420}}`,
}

// Holo2 and Holo3: the action is a flat tool_call, points from 0 to 1000, at most
// three screenshots.
var holo2 = Family{
	Name: "holo2", Shots: 3, Prompt: "pointer_holo2", model: regexp.MustCompile(`(?i)(^|[^a-z])holo-?[2-9]`), scale: thousand, factor: 32,
	Example: `{"note": null, "thought": "The form is sent with the button below it.", "tool_call": {"tool_name": "click", "element": "the button Send", "x": 500, "y": 430}}`,
}

func init() {
	holo1.parse = func(text string, s Screen) (Reply, error) { return holo(&holo1, text, s) }
	holo2.parse = func(text string, s Screen) (Reply, error) { return holo(&holo2, text, s) }
}

// holo reads a reply of either family; they differ in the names of the fields.
func holo(f *Family, text string, s Screen) (Reply, error) {
	r, err := step(text)
	if err != nil || r.fields == nil {
		return r.Reply, err
	}
	r.Thought = r.fields.text("thought")
	act, ok := r.fields["action"].(map[string]any)
	if !ok {
		act, ok = r.fields["tool_call"].(map[string]any)
	}
	if !ok {
		if r.fields.text("action", "tool_name") == "" {
			return r.Reply, errors.New(`the step has no action: it stands under "action", or under "tool_call"`)
		}
		act = r.fields // the action alone
	}
	a, err := holoAction(f, act, s)
	a.Fact = r.fields.text("note", "notes")
	r.Actions = append(r.Actions, a)
	return r.Reply, err
}

// read is a reply that is one JSON object.
type read struct {
	Reply
	fields args
}

// step reads the one object of a reply. Words before it are the thought. If there is
// no object, fields is nil.
func step(text string) (read, error) {
	i := strings.IndexByte(text, '{')
	if i < 0 {
		return read{Reply: Reply{Thought: strings.TrimSpace(text)}}, nil
	}
	r := read{Reply: Reply{Thought: strings.Trim(strings.TrimSpace(text[:i]), "`\n")}}
	fields, end, err := object(text[i:])
	if err != nil {
		return r, fmt.Errorf("the JSON can't be read: %w", err)
	}
	if strings.Contains(text[i+end:], "{") {
		return r, errors.New("there are two objects: answer with one object, of one action")
	}
	r.fields = fields
	return r, nil
}

func holoAction(f *Family, a args, s Screen) (Action, error) {
	out := Action{Name: a.text("tool_name", "action")}
	do := func(c Call, err error) (Action, error) {
		out.Calls = append(out.Calls, c)
		return out, err
	}
	there := func() (Point, error) {
		if a["x"] == nil || a["y"] == nil {
			return Point{}, fmt.Errorf("%s needs x and y", out.Name)
		}
		return f.at(s, out.Name, []any{a["x"], a["y"]})
	}
	switch out.Name {
	case "click", "click_element", "click_absolute", "double_click", "right_click":
		p, err := there()
		return do(callAt("click", p, clicks[out.Name]...), err)
	case "hover":
		p, err := there()
		return do(callAt("hover", p), err)
	case "write", "write_element", "write_element_abs", "type":
		text := a.text("content", "text")
		if text == "" {
			return out, fmt.Errorf("%s needs %q", out.Name, "content")
		}
		if a["x"] != nil || a["y"] != nil {
			p, err := there()
			if err != nil {
				return out, err
			}
			out.Calls = append(out.Calls, callAt("click", p))
		}
		// Holo1's write_element_abs presses Enter.
		return do(typing(text, a.yes("clear", out.Name != "write" && out.Name != "type"), a.yes("press_enter", out.Name == "write_element_abs")), nil)
	case "scroll":
		direction := strings.ToLower(a.text("direction"))
		if direction == "" {
			direction = "down"
		}
		var at *Point
		if a["x"] != nil && a["y"] != nil {
			p, err := there()
			if err != nil {
				return out, err
			}
			at = &p
		}
		return do(scrolling(direction, 0, at), oneOf(out.Name, direction, "up", "down", "left", "right"))
	case "press", "press_key", "hotkey", "key":
		calls, err := keys(a.list("keys", "key"))
		out.Calls = calls
		return out, err
	case "go_back", "goback":
		return do(bare("goBack"), nil)
	case "refresh":
		return do(bare("refresh"), nil)
	case "goto", "go_to", "navigate":
		return do(visit(a.text("url")))
	case "wait":
		n, ok := a.number("seconds", "time")
		if !ok {
			n = 2
		}
		return do(pause(n), nil)
	case "restart":
		out.Answer = "The task can't be begun anew: what was done stays done. Go on from the page as it is, or go to the page where it began with goto."
	case "ask_user":
		return do(Call{Name: "askUser", Params: map[string]any{"question": a.text("question", "content")}}, nil)
	case "answer":
		return do(finish(true, a.text("content", "answer")), nil)
	default:
		return out, fmt.Errorf("there is no action %q", out.Name)
	}
	return out, nil
}

func oneOf(action, word string, words ...string) error {
	for _, w := range words {
		if w == word {
			return nil
		}
	}
	return fmt.Errorf("%s has no direction %q: it is one of %s", action, word, strings.Join(words, ", "))
}
