package zoo

import (
	"encoding/json"
	"slices"
)

// What is done with widgets: the columns of the table.
const (
	choose   = "choose"
	write    = "type"
	drag     = "drag"
	sorting  = "sort"
	date     = "date"
	upload   = "upload"
	format   = "format"
	pressing = "press"
)

var kinds = []string{choose, write, date, pressing, drag, sorting, upload, format}

// Widget is a library's page and what is done there.
type Widget struct {
	Family, Name string
	Page         string // in pages/
	// Few says that it is of those that every test run has. Its packages are
	// dependencies of package.json.
	Few   bool
	Deeds []Deed
}

// Deed is something that a user does with a widget.
type Deed struct {
	Kind, What string
	// Want is what of the page's state() there must be afterwards.
	Want  map[string]any
	Steps []Step
	// Fails says why it can't be done, if it can't.
	Fails string
}

// in names a deed.
func (d Deed) in(w Widget) string { return w.Name + "/" + d.Kind + " " + d.What }

// Step is one call of a tool. Target names the element as the list of elements
// shows it: `button "Remove" in "Apple"`. The rest are parameters.
type Step struct {
	Action, Target string
	To             string // of a drag
	Params         p
}

type p = map[string]any

func act(action, target string, params ...p) Step {
	s := Step{Action: action, Target: target}
	if len(params) > 0 {
		s.Params = params[0]
	}
	return s
}

func click(target string) Step              { return act("click", target) }
func press(key string) Step                 { return act("pressKey", "", p{"key": key}) }
func pick(target string, value string) Step { return act("select", target, p{"value": value}) }
func picks(target string, v ...string) Step { return act("select", target, p{"values": v}) }
func fill(target string, text string) Step {
	return act("type", target, p{"text": text, "clear": true})
}
func add(target string, text string) Step { return act("type", target, p{"text": text}) }
func dragTo(from, to string) Step         { return Step{Action: "dragDrop", Target: from, To: to} }

func giveFile(target string, file string) Step { return act("uploadFile", target, p{"filePath": file}) }

// same compares two values as JSON has them.
func same(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// Widgets are all of them, in the order of the table.
var Widgets = slices.Concat(react, vue, angular, components, jquery, plain, editors, more)
