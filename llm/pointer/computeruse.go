package pointer

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Models of Qwen's computer_use write some words, and then a call of the only
// function computer_use, as JSON between tags: Fara, GUI-Owl and Qwen-VL.
// computerUse has the differences between them.

// computerUse is the format of one such family.
type computerUse struct {
	family *Family
	// enters means that Enter follows typed text unless the call says otherwise, and
	// pages that a scroll goes by a screen, whatever its distance.
	enters, pages bool
}

// The tags around a call.
const (
	callOpens  = "<tool_call>"
	callCloses = "</tool_call>"
)

// exampleOf returns a click as those models write it.
func exampleOf(x, y int) string {
	return fmt.Sprintf("%s\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [%d, %d]}}\n%s", callOpens, x, y, callCloses)
}

func (c computerUse) parse(text string, s Screen) (Reply, error) {
	thought, rest, found := strings.Cut(text, callOpens)
	if !found {
		// The opening tag is a single token, which some servers leave out.
		i := strings.Index(text, `{"name"`)
		if i < 0 {
			return Reply{Thought: strings.TrimSpace(text)}, nil
		}
		thought, rest = text[:i], text[i:]
	}
	r := Reply{Thought: plainThought(thought)}
	for _, block := range strings.Split(rest, callOpens) {
		a, err := c.call(strings.TrimSpace(block), s, r.Thought)
		if err != nil {
			return r, err
		}
		s = s.After(a)
		r.Actions = append(r.Actions, a)
	}
	return r, nil
}

// plainThought returns the words before an action without a heading such as
// "Thought:".
func plainThought(s string) string {
	s = strings.TrimSpace(s)
	for _, head := range []string{"Thought:", "Action:", "Thoughts:"} {
		s = strings.TrimSpace(strings.TrimPrefix(s, head))
	}
	return s
}

func (c computerUse) call(block string, s Screen, thought string) (Action, error) {
	if block == "" {
		return Action{}, errCut
	}
	if strings.HasPrefix(block, "<function=") {
		name, a, err := parseTags(block)
		if err != nil {
			return Action{}, err
		}
		return c.action(name, a, s, thought)
	}
	fields, _, err := object(block)
	if err != nil {
		return Action{}, fmt.Errorf("the JSON between %s and %s can't be read: %w", callOpens, callCloses, err)
	}
	given := fields["arguments"]
	if given == nil {
		given = fields["parameters"]
	}
	if text, ok := given.(string); ok { // JSON within JSON
		if fields, _, err := object(strings.TrimSpace(text)); err == nil {
			given = fields
		}
	}
	a, ok := given.(map[string]any)
	if !ok {
		if _, flat := fields["action"]; !flat {
			return Action{}, errors.New(`the call has no "arguments"`)
		}
		a = fields
	}
	return c.action(args(fields).text("name"), a, s, thought)
}

var (
	functionTag  = regexp.MustCompile(`^<function=([^>\s]+)>`)
	parameterTag = regexp.MustCompile(`(?s)<parameter=([^>\s]+)>\s*(.*?)\s*</parameter>`)
)

// parseTags reads a call whose arguments are between tags of their own, as the
// models write it from which these were trained.
func parseTags(block string) (name string, a args, err error) {
	m := functionTag.FindStringSubmatch(block)
	if m == nil || !strings.Contains(block, "</function>") {
		return "", nil, errCut
	}
	a = args{}
	for _, p := range parameterTag.FindAllStringSubmatch(block, -1) {
		a[p[1]] = p[2]
		var v any
		if strings.HasPrefix(p[2], "[") && json.Unmarshal([]byte(p[2]), &v) == nil {
			a[p[1]] = v
		}
	}
	return m[1], a, nil
}

// clicks are the parameters of our click for the names of clicks.
var clicks = map[string][]any{
	"left_click": nil, "click": nil, "right_click": {"button", "right"}, "middle_click": {"button", "middle"}, "double_click": {"clicks", 2}, "triple_click": {"clicks", 3},
}

// action returns the action of ours for one of computer_use.
func (c computerUse) action(function string, a args, s Screen, thought string) (Action, error) {
	name := a.text("action")
	if name == "" {
		name = function // models sometimes write the action as the function
	}
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_")
	out := Action{Name: name}
	do := func(calls ...Call) { out.Calls = append(out.Calls, calls...) }
	where := func() (Point, error) {
		if a["coordinate"] == nil && s.Cursor != nil {
			return *s.Cursor, nil
		}
		return c.family.at(s, name, a["coordinate"])
	}
	if more, ok := clicks[name]; ok {
		p, err := where()
		do(callAt("click", p, more...))
		return out, err
	}
	switch name {
	case "mouse_move", "hover":
		p, err := where()
		do(callAt("hover", p))
		return out, err
	case "left_click_drag", "drag":
		return c.drag(out, a, s)
	case "key", "hotkey", "keypress":
		calls, err := keys(a.list("keys", "key", "text"))
		do(calls...)
		return out, err
	case "type", "input_text":
		if a["coordinate"] != nil {
			p, err := where()
			if err != nil {
				return out, err
			}
			do(callAt("click", p))
		}
		text := a.text("text", "text_value")
		clear := a.yes("delete_existing_text", false) || a.yes("clear", false)
		if text == "" && !clear {
			return out, errors.New(`type needs "text"`)
		}
		do(typing(text, clear, a.yes("press_enter", c.enters) || a.yes("enter", false)))
	case "scroll", "hscroll":
		return c.scroll(out, a, s)
	case "visit_url", "goto", "open_url":
		call, err := visit(a.text("url"))
		do(call)
		return out, err
	case "web_search":
		q := a.text("query")
		if q == "" {
			return out, errors.New(`web_search needs "query"`)
		}
		do(Call{Name: "webSearch", Params: map[string]any{"query": q}})
	case "history_back", "go_back":
		do(bare("goBack"))
	case "history_forward", "go_forward":
		do(bare("goForward"))
	case "refresh", "reload":
		do(bare("refresh"))
	case "wait", "sleep":
		n, ok := a.number("time", "duration")
		if !ok {
			n = 2
		}
		do(pause(n))
	case "pause_and_memorize_fact", "memorize":
		if out.Fact = a.text("fact", "text"); out.Fact == "" {
			return out, fmt.Errorf("%s needs %q", name, "fact")
		}
	case "read_page_answer_question":
		do(bare("extractContent"))
	case "ask_user_question", "interact", "call_user":
		q := a.text("question", "text")
		if q == "" {
			q = thought
		}
		do(Call{Name: "askUser", Params: map[string]any{"question": q}})
	case "answer":
		do(finish(true, a.text("text", "answer")))
	case "terminate", "stop", "done":
		answer := a.text("answer", "text")
		if answer == "" {
			answer = thought
		}
		do(finish(!strings.EqualFold(a.text("status"), "failure"), answer))
	case "screenshot":
		out.Answer = "The newest screenshot is attached to each message."
	default:
		return out, fmt.Errorf("there is no action %q", name)
	}
	return out, nil
}

func (c computerUse) drag(out Action, a args, s Screen) (Action, error) {
	from, to := a["start_coordinate"], a["coordinate"]
	if a["coordinate2"] != nil {
		from, to = a["coordinate"], a["coordinate2"]
	}
	end, err := c.family.at(s, out.Name, to)
	if err != nil {
		return out, err
	}
	start := s.Cursor
	if from != nil {
		p, err := c.family.at(s, out.Name, from)
		if err != nil {
			return out, err
		}
		start = &p
	}
	if start == nil {
		return out, fmt.Errorf("%s begins where the mouse is: move it to the beginning with mouse_move first", out.Name)
	}
	out.Calls = []Call{dragging(*start, end)}
	return out, nil
}

// dragging returns the call that drags from one point to another.
func dragging(from, to Point) Call {
	return Call{Name: "dragDrop", Params: map[string]any{
		"from": map[string]any{"x": from.X, "y": from.Y}, "to": map[string]any{"x": to.X, "y": to.Y},
	}}
}

func (c computerUse) scroll(out Action, a args, s Screen) (Action, error) {
	n, ok := a.number("pixels")
	if !ok || n == 0 {
		return out, fmt.Errorf("%s needs %q, which is not 0: up is positive, down negative", out.Name, "pixels")
	}
	vertical := out.Name == "scroll"
	direction := map[bool]map[bool]string{true: {true: "up", false: "down"}, false: {true: "right", false: "left"}}[vertical][n > 0]
	amount := c.family.along(s, max(n, -n), vertical)
	if c.pages {
		amount = 0
	}
	var at *Point
	if s.Hovered {
		at = s.Cursor // the mouse was moved over the thing to scroll
	}
	if a["coordinate"] != nil {
		p, err := c.family.at(s, out.Name, a["coordinate"])
		if err != nil {
			return out, err
		}
		at = &p
	}
	out.Calls = []Call{scrolling(direction, amount, at)}
	return out, nil
}

// After returns the screen after an action, with the cursor where the action left it.
func (s Screen) After(a Action) Screen {
	for _, c := range a.Calls {
		params := c.Params
		if to, ok := params["to"].(map[string]any); ok {
			params = to
		}
		x, okX := params["x"].(float64)
		y, okY := params["y"].(float64)
		if okX && okY {
			s.Cursor = &Point{x, y}
			s.Hovered = c.Name == "hover" || c.Name == "scroll" && s.Hovered
		}
	}
	return s
}
