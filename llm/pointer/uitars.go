package pointer

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// UI-TARS: a thought, then a call in Python's syntax, such as
// click(start_box='(120,40)'). In the first versions and in UI-TARS 2 points go from
// 0 to 1000. The newest five screenshots are sent.
var uiTARS = Family{
	Name: "ui-tars", Shots: 5, Prompt: "pointer_uitars", Example: "Thought: The form is sent with the button below it.\nAction: click(start_box='(500,430)')",
	model: regexp.MustCompile(`(?i)ui[-_ ]?tars`), scale: thousand, factor: 28, Inline: true,
}

// UI-TARS 1.5: points in pixels of the picture.
var uiTARS15 = Family{
	Name: "ui-tars-1.5", Shots: 5, Prompt: "pointer_uitars", Example: "Thought: The form is sent with the button below it.\nAction: click(start_box='(640,420)')",
	model: regexp.MustCompile(`(?i)ui[-_ ]?tars[-_ ]?1[._]5`), scale: pixels, factor: 28, Inline: true,
}

func init() {
	uiTARS.parse = func(text string, s Screen) (Reply, error) { return tars(&uiTARS, text, s) }
	uiTARS15.parse = func(text string, s Screen) (Reply, error) { return tars(&uiTARS15, text, s) }
}

var (
	thoughtHead = regexp.MustCompile(`(?s)^\s*(?:Thought|Reflection|Action_Summary)\s*[:：]\s*`)
	actionHead  = regexp.MustCompile(`(?m)^\s*Action\s*[:：]\s*|\bAction:\s*`)
	callHead    = regexp.MustCompile(`^\s*([a-z_]+)\(`)
	keyHead     = regexp.MustCompile(`^\s*,?\s*([a-z_]+)\s*=\s*`)
)

func tars(f *Family, text string, s Screen) (Reply, error) {
	text = strings.TrimSuffix(strings.TrimSpace(text), "[EOS]")
	head, rest := text, ""
	if at := actionHead.FindStringIndex(text); at != nil {
		head, rest = text[:at[0]], text[at[1]:]
	} else if callHead.MatchString(text) {
		head, rest = "", text
	}
	r := Reply{Thought: strings.TrimSpace(thoughtHead.ReplaceAllString(head, ""))}
	for rest = strings.TrimSpace(rest); rest != ""; {
		name, a, end, err := pythonCall(rest)
		if err != nil {
			return r, err
		}
		act, err := tarsAction(f, name, a, s, r.Thought)
		if err != nil {
			return r, err
		}
		r.Actions = append(r.Actions, act)
		rest = strings.TrimSpace(rest[end:])
		rest = strings.TrimSpace(strings.TrimPrefix(rest, "Action:"))
		if !callHead.MatchString(rest) {
			break // words follow
		}
	}
	return r, nil
}

// pythonCall reads name(key='value', …) at the beginning of s, and returns where it
// ends.
func pythonCall(s string) (name string, a args, end int, err error) {
	m := callHead.FindStringSubmatch(s)
	if m == nil {
		return "", nil, 0, fmt.Errorf("%q is no action", firstWords(s))
	}
	name, a = m[1], args{}
	for i := len(m[0]); ; {
		rest := strings.TrimLeft(s[i:], " \n\t,")
		i = len(s) - len(rest)
		if rest == "" {
			return "", nil, 0, errCut
		}
		if rest[0] == ')' {
			return name, a, i + 1, nil
		}
		k := keyHead.FindStringSubmatch(rest)
		if k == nil {
			return "", nil, 0, fmt.Errorf("the arguments of %s can't be read: %q", name, firstWords(rest))
		}
		i += len(k[0])
		v, n, err := pythonText(s[i:])
		if err != nil {
			return "", nil, 0, err
		}
		a[k[1]], i = v, i+n
	}
}

// closing matches what may follow the quote that ends a text: the next argument, or
// the end of the call and its line. A quote before anything else is a part of the
// text.
var closing = regexp.MustCompile(`^\s*(?:,\s*[a-z_]+\s*=|\)\s*(?:\n|$))`)

// pythonText reads a text in quotes, in which models do not escape quotes, or a value
// without quotes. It returns the text and where it ends.
func pythonText(s string) (string, int, error) {
	if s == "" {
		return "", 0, errCut
	}
	quote := s[0]
	if quote != '\'' && quote != '"' {
		n := strings.IndexAny(s, ",)")
		if quote == '(' || quote == '[' {
			n = strings.IndexAny(s, ")]") + 1
		}
		if n <= 0 {
			return "", 0, errCut
		}
		return s[:n], n, nil
	}
	var b strings.Builder
	for i := 1; i < len(s); {
		switch {
		case s[i] == '\\':
			n, err := unescape(&b, s[i:])
			if err != nil {
				return "", 0, err
			}
			i += n
		case s[i] == quote && closing.MatchString(s[i+1:]):
			return b.String(), i + 1, nil
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return "", 0, errCut
}

func firstWords(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func tarsAction(f *Family, name string, a args, s Screen, thought string) (Action, error) {
	out := Action{Name: name}
	do := func(c Call, err error) (Action, error) {
		out.Calls = append(out.Calls, c)
		return out, err
	}
	there := func(names ...string) (Point, error) {
		return f.at(s, name, a.text(names...))
	}
	from := []string{"start_box", "point", "start_point"}
	switch name {
	case "click", "left_single":
		p, err := there(from...)
		return do(callAt("click", p), err)
	case "left_double":
		p, err := there(from...)
		return do(callAt("click", p, clicks["double_click"]...), err)
	case "right_single":
		p, err := there(from...)
		return do(callAt("click", p, clicks["right_click"]...), err)
	case "hover", "mouse_move":
		p, err := there(from...)
		return do(callAt("hover", p), err)
	case "drag", "select":
		p, err := there(from...)
		if err != nil {
			return out, err
		}
		to, err := there("end_box", "end_point")
		return do(dragging(p, to), err)
	case "hotkey", "press":
		calls, err := keys(a.list("key", "hotkey", "keys"))
		out.Calls = calls
		return out, err
	case "type":
		text := a.text("content", "text")
		if text == "" {
			return out, errors.New("type needs content")
		}
		return do(typing(text, false, false), nil)
	case "scroll":
		direction := strings.ToLower(a.text("direction"))
		if err := oneOf(name, direction, "up", "down", "left", "right"); err != nil {
			return out, err
		}
		if a.text(from...) == "" {
			return do(scrolling(direction, 0, nil), nil)
		}
		p, err := there(from...)
		return do(scrolling(direction, 0, &p), err)
	case "wait":
		const seconds = 5 // as the model's rules say
		return do(pause(seconds), nil)
	case "goto", "navigate", "open_url":
		return do(visit(a.text("url", "content")))
	case "press_back", "navigate_back", "go_back":
		return do(bare("goBack"), nil)
	case "call_user":
		return do(Call{Name: "askUser", Params: map[string]any{"question": thought}}, nil)
	case "finished":
		answer := a.text("content")
		if answer == "" {
			answer = thought
		}
		return do(finish(true, answer), nil)
	default:
		return out, fmt.Errorf("there is no action %q", name)
	}
}
