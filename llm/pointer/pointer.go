// Package pointer speaks with models that see only screenshots and answer with coordinates.
// Each family of models has a file. It says how large the picture is, in which scale the model
// names a point, how it writes an action, and in which form it gets a conversation. The
// results are actions of the registry, with points in CSS pixels of the viewport.
//
// The formats are those of the models' published cards and repositories. The package imports
// nothing of Tabwright. Start reading at Family.
package pointer

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
)

// Family is the format of a family of models.
type Family struct {
	Name string
	// Shots is how many screenshots a request has, the newest included.
	Shots int
	// Prompt names the template of the rules. Example is an action as the family
	// writes it.
	Prompt, Example string
	// Inline puts the rules before the task in the user's message, not into the
	// system's.
	Inline bool

	model    *regexp.Regexp // names of models that know only this format; nil: only if the user chooses it
	scale    scale
	factor   int // the sides of the picture are multiples of it
	parse    func(text string, s Screen) (Reply, error)
	converse func(t Talk) []Message // nil: as a chat
}

// scale is the unit of a family's coordinates.
type scale int

const (
	pixels    scale = iota // of the picture that was sent
	thousand               // 0 to 1000 along each side
	hundred                // per cent of each side
	leastSide = 2          // of a picture, in multiples of factor
)

// families are all families. A model belongs to the first whose pattern matches its
// name.
var families = []*Family{&fara15, &fara, &holo1, &holo2, &uiTARS15, &uiTARS, &molmoWeb, &guiOwl15, &guiOwl, &qwen25, &qwen3}

// Names returns the names of the families.
func Names() []string {
	out := make([]string, len(families))
	for i, f := range families {
		out[i] = f.Name
	}
	return out
}

// Lookup returns the family of a name.
func Lookup(name string) (*Family, bool) {
	i := slices.IndexFunc(families, func(f *Family) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return families[i], true
}

// Of returns the name of the family whose format is the only one that a model knows,
// by the model's name, or "" if there is none.
func Of(model string) string {
	for _, f := range families {
		if f.model != nil && f.model.MatchString(model) {
			return f.Name
		}
	}
	return ""
}

// general matches models that can point and can act by functions as well.
var general = regexp.MustCompile(`(?i)qwen-?2[._]?5-?vl`)

// Closest returns the family for a model that the user lets point, by the model's
// name.
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

// Screen is a screenshot that a model was sent: its size in pixels, and the size of
// the viewport that it shows in CSS pixels.
type Screen struct {
	Width, Height         int
	ViewWidth, ViewHeight float64
	Cursor                *Point // where the last action pointed
	Hovered               bool   // the last action only moved the mouse there
}

// Call is an action of the registry with its parameters.
type Call struct {
	Name   string
	Params map[string]any
}

// Action is what a model asked for.
type Action struct {
	Name  string // as the model calls it
	Calls []Call // the calls that do it, in order
	// Fact is something to remember for later. Answer is the reply to an action that
	// has no counterpart here.
	Fact, Answer string
}

// Reply is what a model said.
type Reply struct {
	Thought string
	Actions []Action
}

// ErrNoAction is the error for a reply without an action.
var ErrNoAction = errors.New("the reply has no action")

// Turn is one exchange: what the model was shown, its answer, and the result. The
// newest turn has no answer yet.
type Turn struct {
	Shown, Said, Result string
	URL, Title          string
	Picture             []byte
	MIME                string
}

// Talk is a conversation, before Converse.
type Talk struct {
	Task  string
	Turns []Turn // oldest first
}

// Roles of a Message.
const (
	User      = "user"
	Assistant = "assistant"
)

// Message is one entry of a conversation in a family's form. Pictures come before
// the text.
type Message struct {
	Role, Text string
	Pictures   []Picture
}

// Picture is a screenshot.
type Picture struct {
	Data []byte
	MIME string
}

// Parse reads a reply to the screenshot s. Its error tells the model what was wrong.
// It guesses nothing and completes nothing that was cut off.
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

// Coordinates returns the largest coordinates on a screenshot.
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

// point returns the point in the viewport for coordinates on the screenshot.
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

// along returns a distance on the screenshot in CSS pixels.
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
