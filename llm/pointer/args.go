package pointer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// args are the arguments of an action.
type args map[string]any

// text returns the first of the named arguments that is set, as text, or "".
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

// yes returns a boolean argument, or fallback if it is missing.
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

// list returns the first of the named arguments that is set, as a list of words.
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

// numbers returns the numbers in a value: a number, text, a list, or an object with
// x and y.
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

// at returns the point in a value: two numbers, or the four of a box, of which it
// returns the middle.
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

// callAt returns a call at a point, with more parameters as pairs of name and value.
func callAt(name string, p Point, more ...any) Call {
	c := Call{Name: name, Params: map[string]any{"x": p.X, "y": p.Y}}
	for i := 0; i+1 < len(more); i += 2 {
		c.Params[fmt.Sprint(more[i])] = more[i+1]
	}
	return c
}

// typing returns the call that types into the focused element. A line break at the
// end of the text means the Enter key.
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

// finish returns the call that ends the task.
func finish(success bool, answer string) Call {
	return Call{Name: "done", Params: map[string]any{"success": success, "answer": strings.TrimSpace(answer)}}
}

// pause returns the call that waits for some seconds, at most 30.
func pause(seconds float64) Call {
	const most = 30
	return Call{Name: "wait", Params: map[string]any{"ms": 1000 * min(max(seconds, 0), most)}}
}

// visit returns the call that opens an address, or that searches the web if there
// are spaces in it.
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

// ticks is the amount in CSS pixels up to which a scroll counts as notches of a
// wheel, which give no distance.
const ticks = 40

// scrolling returns the call that scrolls by amount in CSS pixels, or by a screen if
// that is no more than ticks. It scrolls what is at the point, or the page if at is
// nil.
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

// bare returns a call without parameters.
func bare(name string) Call { return Call{Name: name, Params: map[string]any{}} }
