// Package pointer speaks with models that act by screenshots and coordinates. Each
// family has a file: how large it wants the picture, in which scale it names a
// point, how it writes an action, and how a conversation is laid out for it. What
// comes out are actions of the registry, with points in CSS pixels of the viewport.
//
// The formats are those of the models' published cards and repositories. The
// package imports nothing of Tabwright's. Start reading at Family.
package pointer

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
)

// Family is one format.
type Family struct {
	Name string
	// Shots is how many screenshots a request carries, the newest included.
	Shots int
	// Prompt names the template of the rules, and Example is an action as the family
	// writes it.
	Prompt, Example string
	// Inline says that the rules stand before the task, in the user's message, and not
	// in the system's.
	Inline bool

	model    *regexp.Regexp // names of models that were trained on nothing else; nil: only where the user says so
	scale    scale
	factor   int // the sides of the picture are multiples of it
	parse    func(text string, s Screen) (Reply, error)
	converse func(t Talk) []Message // nil: as a chat
}

// scale is what a family counts coordinates in.
type scale int

const (
	pixels    scale = iota // of the picture that was sent
	thousand               // 0 to 1000 along each side
	hundred                // per cent of each side
	leastSide = 2          // of a picture, in multiples of factor
)

// families lists them; the first whose pattern is in a model's name is its own.
var families = []*Family{&fara15, &fara, &holo1, &holo2, &uiTARS15, &uiTARS, &molmoWeb, &guiOwl15, &guiOwl, &qwen25, &qwen3}

// Names are the names of the families.
func Names() []string {
	out := make([]string, len(families))
	for i, f := range families {
		out[i] = f.Name
	}
	return out
}

// Lookup gives the family of a name.
func Lookup(name string) (*Family, bool) {
	i := slices.IndexFunc(families, func(f *Family) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return families[i], true
}

// Of gives the name of the family that a model was trained on and nothing else, by
// the model's name; empty where it is none of them.
func Of(model string) string {
	for _, f := range families {
		if f.model != nil && f.model.MatchString(model) {
			return f.Name
		}
	}
	return ""
}

// general are models that can point, and can do without.
var general = regexp.MustCompile(`(?i)qwen-?2[._]?5-?vl`)

// Closest is the family of a model that is said to point, by its name.
func Closest(model string) string {
	if name := Of(model); name != "" {
		return name
	}
	if general.MatchString(model) {
		return qwen25.Name
	}
	return qwen3.Name
}

// Point is a place in the viewport, in CSS pixels.
type Point struct{ X, Y float64 }

// Screen is a screenshot that a model was sent: its size in pixels, and in CSS
// pixels the size of the viewport that it shows.
type Screen struct {
	Width, Height         int
	ViewWidth, ViewHeight float64
	Cursor                *Point // where the last action pointed
	Hovered               bool   // … and did no more there than move the mouse
}

// Call is an action of the registry with its parameters.
type Call struct {
	Name   string
	Params map[string]any
}

// Action is what a model asked for.
type Action struct {
	Name  string // as the model calls it
	Calls []Call // that do it, in order
	// Fact is something to be kept for later. Answer is that to an action that
	// has no counterpart.
	Fact, Answer string
}

// Reply is what a model said.
type Reply struct {
	Thought string
	Actions []Action
}

// ErrNoAction is the error of a reply of words only.
var ErrNoAction = errors.New("the reply has no action")

// Turn is one exchange: what the model was shown, what it answered, and what came
// of that. The newest has no answer yet.
type Turn struct {
	Shown, Said, Result string
	URL, Title          string
	Picture             []byte
	MIME                string
}

// Talk is a conversation to be laid out.
type Talk struct {
	Task  string
	Turns []Turn // oldest first
}

// Roles of a Message.
const (
	User      = "user"
	Assistant = "assistant"
)

// Message is one entry of the conversation as a family wants it. A picture comes
// before the text.
type Message struct {
	Role, Text string
	Pictures   []Picture
}

// Picture is a screenshot.
type Picture struct {
	Data []byte
	MIME string
}

// Parse reads a reply to the screenshot s. Its error says to the model what was
// wrong; nothing is guessed and nothing that was cut off is completed.
func (f *Family) Parse(text string, s Screen) (Reply, error) {
	r, err := f.parse(text, s)
	if err == nil && len(r.Actions) == 0 {
		err = ErrNoAction
	}
	r.Actions = slices.CompactFunc(r.Actions, same) // the same action twice is done once
	return r, err
}

func same(a, b Action) bool {
	return fmt.Sprint(a) == fmt.Sprint(b)
}

// Coordinates are how far the coordinates of a screenshot go.
func (f *Family) Coordinates(s Screen) (width, height int) {
	switch f.scale {
	case thousand:
		return 1000, 1000
	case hundred:
		return 100, 100
	default:
		return s.Width, s.Height
	}
}

// point reads coordinates of the screenshot.
func (f *Family) point(s Screen, x, y float64) (Point, error) {
	w, h := f.Coordinates(s)
	whole := x == math.Trunc(x) && y == math.Trunc(y)
	switch {
	case w == 0 || h == 0:
		return Point{}, errors.New("there is no screenshot yet that the point could be on")
	case !(x >= 0 && y >= 0 && x <= float64(w) && y <= float64(h)):
		return Point{}, fmt.Errorf("the point (%g, %g) is outside of the screenshot: x goes from 0 to %d, y from 0 to %d", x, y, w, h)
	case f.scale != hundred && !whole && x <= 1 && y <= 1:
		return Point{}, fmt.Errorf("the point (%g, %g) is in another scale: x goes from 0 to %d, y from 0 to %d, in whole numbers", x, y, w, h)
	}
	at := func(v float64, most int, view float64) float64 {
		return math.Round(10*min(max(v/float64(most)*view, 0), max(view-1, 0))) / 10
	}
	return Point{at(x, w, s.ViewWidth), at(y, h, s.ViewHeight)}, nil
}

// along is a distance on the screenshot in CSS pixels.
func (f *Family) along(s Screen, v float64, vertical bool) float64 {
	w, h := f.Coordinates(s)
	most, view := w, s.ViewWidth
	if vertical {
		most, view = h, s.ViewHeight
	}
	if most == 0 {
		return v
	}
	return v / float64(most) * view
}
