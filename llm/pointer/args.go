package pointer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// args are what an action is called with.
type args map[string]any

// text gives the first of some arguments that is there, as text.
func (a args) text(names ...string) string {
	for _, name := range names {
		switch v := a[name].(type) {
		case nil:
		case string:
			if v != "" {
				return v
			}
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		default:
			return fmt.Sprint(v)
		}
	}
	return ""
}

func (a args) number(names ...string) (float64, bool) {
	for _, name := range names {
		switch v := a[name].(type) {
		case float64:
			return v, true
		case string:
			if n, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
				return n, true
			}
		}
	}
	return 0, false
}

// yes reads a switch; fallback is what holds where it is left out.
func (a args) yes(name string, fallback bool) bool {
	switch v := a[name].(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		if b, err := strconv.ParseBool(strings.ToLower(v)); err == nil {
			return b
		}
	}
	return fallback
}

// list gives an argument as a list of words.
func (a args) list(names ...string) []string {
	for _, name := range names {
		switch v := a[name].(type) {
		case string:
			return []string{v}
		case []any:
			var out []string
			for _, item := range v {
				out = append(out, fmt.Sprint(item))
			}
			return out
		}
	}
	return nil
}

var figure = regexp.MustCompile(`-?\d+(?:\.\d+)?`)

// numbers are the numbers of a value: a list, an object with x and y, or text.
func numbers(v any) []float64 {
	var out []float64
	switch v := v.(type) {
	case float64:
		return []float64{v}
	case string:
		for _, s := range figure.FindAllString(v, -1) {
			if n, err := strconv.ParseFloat(s, 64); err == nil {
				out = append(out, n)
			}
		}
	case []any:
		for _, item := range v {
			out = append(out, numbers(item)...)
		}
	case map[string]any:
		out = append(numbers(v["x"]), numbers(v["y"])...)
	}
	return out
}

// at reads a point out of a value: two numbers, or the four of a box, whose middle
// counts.
func (f *Family) at(s Screen, action string, v any) (Point, error) {
	switch n := numbers(v); len(n) {
	case 2:
		return f.point(s, n[0], n[1])
	case 4:
		return f.point(s, (n[0]+n[2])/2, (n[1]+n[3])/2)
	case 0:
		return Point{}, fmt.Errorf("%s needs the point where: x and y", action)
	default:
		return Point{}, fmt.Errorf("%s needs a point of two numbers, x and y; it has %d", action, len(n))
	}
}

// callAt is a call at a point.
func callAt(name string, p Point, more ...any) Call {
	c := Call{Name: name, Params: map[string]any{"x": p.X, "y": p.Y}}
	for i := 0; i+1 < len(more); i += 2 {
		c.Params[fmt.Sprint(more[i])] = more[i+1]
	}
	return c
}

// typing types into what has the keyboard. A line break at the end is the Enter key.
func typing(text string, clear, enter bool) Call {
	if t := strings.TrimRight(text, "\r\n"); t != text {
		text, enter = t, true
	}
	c := Call{Name: "type", Params: map[string]any{"text": text}}
	if clear {
		c.Params["clear"] = true
	}
	if enter {
		c.Params["submit"] = true
	}
	if text == "" && enter && !clear {
		return Call{Name: "pressKey", Params: map[string]any{"key": "Enter"}}
	}
	return c
}

// finish ends the task.
func finish(success bool, answer string) Call {
	return Call{Name: "done", Params: map[string]any{"success": success, "answer": strings.TrimSpace(answer)}}
}

// pause waits for some seconds.
func pause(seconds float64) Call {
	const most = 30
	return Call{Name: "wait", Params: map[string]any{"ms": 1000 * min(max(seconds, 0), most)}}
}

// visit opens an address; words with spaces in them are searched for.
func visit(url string) (Call, error) {
	url = strings.TrimSpace(url)
	switch {
	case url == "":
		return Call{}, fmt.Errorf("there is no address to go to")
	case strings.Contains(url, " "):
		return Call{Name: "webSearch", Params: map[string]any{"query": url}}, nil
	}
	return Call{Name: "navigate", Params: map[string]any{"url": url}}, nil
}

// ticks is up to how many CSS pixels a scroll is of a few notches of a wheel, which
// say no distance.
const ticks = 40

// scrolling scrolls by CSS pixels; a few are a screen. Nil at: the page.
func scrolling(direction string, amount float64, at *Point) Call {
	c := Call{Name: "scroll", Params: map[string]any{"direction": direction}}
	if amount > ticks {
		c.Params["amount"] = float64(int(min(amount, 100_000)))
	}
	if at != nil {
		c.Params["x"], c.Params["y"] = at.X, at.Y
	}
	return c
}

// bare is an action without parameters.
func bare(name string) Call { return Call{Name: name, Params: map[string]any{}} }
