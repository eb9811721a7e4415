package pointer

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// MolmoWeb: one message with the goal, the last three steps, the address of the
// page and one screenshot. The reply is one JSON object, with points in per cent.
// The model ends a task with two messages to the user, of which the first is the
// answer.
var molmoWeb = Family{
	Name: "molmoweb", Shots: 1, model: regexp.MustCompile(`(?i)molmo[-_ ]?web`), scale: hundred, factor: 1,
	Example: `{"thought": "The form is sent with the button below it.", "action": {"name": "mouse_click", "x": 50.0, "y": 43.5}}`,
}

func init() {
	molmoWeb.parse, molmoWeb.converse = molmo, molmoConverse
}

// molmoSteps is how many earlier steps the model is told.
const molmoSteps = 3

// molmoConverse returns a conversation as one message.
func molmoConverse(t Talk) []Message {
	last := t.Turns[len(t.Turns)-1]
	past := t.Turns[:len(t.Turns)-1]
	skipped := max(len(past)-molmoSteps, 0)
	var b strings.Builder
	fmt.Fprintf(&b, "molmo_web_think: \n# GOAL\n%s\n\n# PREVIOUS STEPS\n", t.Task)
	for i, p := range past[skipped:] {
		thought, action := "", strings.TrimSpace(p.Said)
		if r, err := step(p.Said); err == nil && r.fields != nil {
			thought = r.fields.text("thought")
			if _, body, ok := strings.Cut(action, `"action":`); ok {
				if fields, end, err := object(strings.TrimSpace(body)); err == nil && fields != nil {
					action = strings.TrimSpace(body)[:end]
				}
			}
		}
		fmt.Fprintf(&b, "## Step %d\nTHOUGHT: %s\nACTION: %s\n", skipped+i+1, thought, action)
		if p.Result != "" {
			fmt.Fprintf(&b, "RESULT: %s\n", p.Result)
		}
	}
	fmt.Fprintf(&b, "\n# CURRENTLY ACTIVE PAGE\nPage 0: %s | %s\n", last.Title, last.URL)
	if last.Shown != "" {
		fmt.Fprintf(&b, "\n%s\n", last.Shown)
	}
	b.WriteString("\n# NEXT STEP\n")
	m := Message{Role: User, Text: b.String()}
	if len(last.Picture) > 0 {
		m.Pictures = []Picture{{last.Picture, last.MIME}}
	}
	return []Message{m}
}

func molmo(text string, s Screen) (Reply, error) {
	r, err := step(text)
	if err != nil || r.fields == nil {
		return r.Reply, err
	}
	act, ok := r.fields["action"].(map[string]any)
	if !ok {
		act = r.fields
	}
	r.Thought = r.fields.text("thought")
	if args(act).text("name") == "" {
		return r.Reply, errors.New(`the action has no "name"`)
	}
	a, err := molmoAction(act, s)
	r.Actions = append(r.Actions, a)
	return r.Reply, err
}

func molmoAction(a args, s Screen) (Action, error) {
	f := &molmoWeb
	out := Action{Name: a.text("name")}
	do := func(c Call, err error) (Action, error) {
		out.Calls = append(out.Calls, c)
		return out, err
	}
	there := func(x, y string) (Point, error) {
		if a[x] == nil || a[y] == nil {
			return Point{}, fmt.Errorf("%s needs %s and %s, in per cent of the screenshot", out.Name, x, y)
		}
		return f.at(s, out.Name, []any{a[x], a[y]})
	}
	switch out.Name {
	case "click", "mouse_click", "dblclick":
		p, err := there("x", "y")
		var more []any
		if b := a.text("button"); b != "" && b != "left" {
			more = append(more, "button", b)
		}
		if out.Name == "dblclick" || a.text("click_type") == "double" {
			more = append(more, "clicks", 2)
		}
		return do(callAt("click", p, more...), err)
	case "hover_at", "mouse_move":
		p, err := there("x", "y")
		return do(callAt("hover", p), err)
	case "drag_and_drop", "mouse_drag_and_drop":
		p, err := there("from_x", "from_y")
		if err != nil {
			return out, err
		}
		to, err := there("to_x", "to_y")
		return do(dragging(p, to), err)
	case "scroll", "scroll_at":
		return molmoScroll(out, a, s, there)
	case "type", "keyboard_type":
		text := a.text("text")
		if text == "" {
			return out, fmt.Errorf("%s needs %q", out.Name, "text")
		}
		return do(typing(text, false, false), nil)
	case "gemini_type_text_at": // its points go from 0 to 1000, unlike the others
		for _, k := range []string{"x", "y"} {
			if n, ok := a.number(k); ok {
				a[k] = n / 10
			}
		}
		p, err := there("x", "y")
		if err != nil {
			return out, err
		}
		out.Calls = append(out.Calls, callAt("click", p))
		return do(typing(a.text("text"), a.yes("clear_before_typing", true), a.yes("press_enter", true)), nil)
	case "keypress", "keyboard_press":
		calls, err := keys(a.list("key"))
		out.Calls = calls
		return out, err
	case "goto":
		return do(visit(a.text("url")))
	case "browser_nav", "go_back", "new_tab", "tab_focus":
		return molmoNav(out, a)
	case "noop":
		const seconds = 5 // as in the model's training
		return do(pause(seconds), nil)
	case "send_msg_to_user":
		msg := strings.TrimSpace(a.text("msg", "text"))
		if strings.HasPrefix(msg, "[EXIT]") {
			msg = strings.TrimSpace(strings.TrimPrefix(msg, "[EXIT]"))
		}
		return do(finish(true, strings.TrimSpace(strings.TrimPrefix(msg, "[ANSWER]"))), nil)
	case "report_infeasible":
		return do(finish(false, a.text("infeasibility_reason", "reason")), nil)
	default:
		return out, fmt.Errorf("there is no action %q", out.Name)
	}
}

func molmoScroll(out Action, a args, s Screen, there func(x, y string) (Point, error)) (Action, error) {
	dx, _ := a.number("delta_x")
	dy, _ := a.number("delta_y")
	direction, by, vertical := "down", dy, true
	switch {
	case dy < 0:
		direction = "up"
	case dy == 0 && dx > 0:
		direction, by, vertical = "right", dx, false
	case dy == 0 && dx < 0:
		direction, by, vertical = "left", dx, false
	case dy == 0:
		return out, fmt.Errorf("%s needs delta_x or delta_y, in per cent of the screenshot", out.Name)
	}
	var at *Point
	if out.Name == "scroll_at" {
		p, err := there("x", "y")
		if err != nil {
			return out, err
		}
		at = &p
	}
	out.Calls = []Call{scrolling(direction, molmoWeb.along(s, max(by, -by), vertical), at)}
	return out, nil
}

func molmoNav(out Action, a args) (Action, error) {
	kind := a.text("nav_type")
	if kind == "" {
		kind = out.Name
	}
	switch kind {
	case "go_back":
		out.Calls = []Call{bare("goBack")}
	case "new_tab":
		out.Calls = []Call{bare("openTab")}
	case "tab_focus":
		n, ok := a.number("index")
		if !ok {
			return out, errors.New("tab_focus needs index")
		}
		out.Calls = []Call{{Name: "switchTab", Params: map[string]any{"index": n + 1}}} // it counts them from 0
	default:
		return out, fmt.Errorf("browser_nav has no nav_type %q: it is go_back, new_tab or tab_focus", kind)
	}
	return out, nil
}
