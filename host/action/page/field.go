package page

import (
	"context"
	"slices"
	"strconv"
	"time"

	"tabwright/pagecontext"
)

// Held is the value of a field; for a secret only its length, and whether it ends with the
// text that was asked about.
type Held struct {
	Value  string `json:"value"`
	Secret string `json:"secret"`
	Drawn  bool   `json:"drawn"`
	Same   bool   `json:"same"`
	Size   int    `json:"size"`
}

// Value returns the value of a field.
func Value(ctx context.Context, f Frame, id int) (Held, error) {
	return call[Held](ctx, f, "value", args{"id": id})
}

// ValueIs is Value; for a secret it also tells whether the value ends with text.
func ValueIs(ctx context.Context, f Frame, id int, text string) (Held, error) {
	return call[Held](ctx, f, "value", args{"id": id, "is": text})
}

// LeaveAndReturn takes the focus from a field and gives it back; value is its value between.
func LeaveAndReturn(ctx context.Context, f Frame, id int, wait time.Duration, text string) (left bool, value string, err error) {
	got, err := call[struct {
		Left  bool   `json:"left"`
		Value string `json:"value"`
	}](ctx, f, "leaveAndReturn", args{"id": id, "ms": wait.Milliseconds(), "text": text})
	return got.Left, got.Value, err
}

// FieldValue is the value of a field after it was set, or why it was not set.
type FieldValue struct {
	Value string `json:"value"`
	Error *Error `json:"error"`
}

// SetField sets a date, time, range or colour field.
func SetField(ctx context.Context, f Frame, id int, value string) (FieldValue, error) {
	return call[FieldValue](ctx, f, "setField", args{"id": id, "value": value})
}

// Stepper is the state of a slider or spin button that is no input, by its own attributes.
type Stepper struct {
	Now  *float64 `json:"now"`
	Min  *float64 `json:"min"`
	Max  *float64 `json:"max"`
	Text string   `json:"text"`
}

// String returns the value as a user reads it.
func (s Stepper) String() string {
	if s.Text != "" || s.Now == nil {
		return s.Text
	}
	return strconv.FormatFloat(*s.Now, 'f', -1, 64)
}

// ReadStepper reads a slider or spin button.
func ReadStepper(ctx context.Context, f Frame, id int) (Stepper, error) {
	return call[Stepper](ctx, f, "stepper", args{"id": id})
}

// FileInput is the file input that an element is, or belongs to; none has the id 0.
type FileInput struct {
	ID       int  `json:"id"`
	Multiple bool `json:"multiple"`
}

// FileInputOf finds the file input of an element.
func FileInputOf(ctx context.Context, f Frame, id int) (FileInput, error) {
	return call[FileInput](ctx, f, "fileInput", args{"id": id})
}

// ButtonsBeside returns the names of the buttons in the smallest part around an editor
// that has any.
func ButtonsBeside(ctx context.Context, f Frame, id int) ([]string, error) {
	return one[[]string](ctx, f, "buttonsBeside", args{"id": id}, "buttons")
}

// OptionQuery is an option that is wanted; Value matches value, label or position.
type OptionQuery struct {
	Value    *string `json:"value,omitempty"`
	Label    string  `json:"label,omitempty"`
	Position *int    `json:"position,omitempty"`
}

// Text returns the text to type to find the option; empty for a position.
func (w OptionQuery) Text() string {
	if w.Value != nil {
		return *w.Value
	}
	return w.Label
}

// OptionMatch is an option of an open list, with the state of the list.
type OptionMatch struct {
	Option   *pagecontext.RawElement `json:"option"`
	Selected bool                    `json:"selected"`
	Current  bool                    `json:"current"` // Selected may only mark the option at the pointer or the arrow keys
	Other    *pagecontext.RawElement `json:"other"`   // the option to point at to find out
	Multiple bool                    `json:"multiple"`
	Shown    int                     `json:"shown"`
	Labels   []string                `json:"labels"`
	More     bool                    `json:"more"`
	Suggests bool                    `json:"suggests"` // the field suggests options for typed text
	Expanded bool                    `json:"expanded"` // by the control's own state
	Popup    string                  `json:"popup"`    // what it opens if that is no list: dialog (which may contain a list) or grid
	Closable bool                    `json:"closable"` // by Escape, which does nothing else then
	Search   *pagecontext.RawElement `json:"search"`   // the field that came with the list
	Error    *Error                  `json:"error"`
}

// Pick looks for an option in the open list of a combobox or list box.
func Pick(ctx context.Context, f Frame, id int, want OptionQuery) (OptionMatch, error) {
	return call[OptionMatch](ctx, f, "pick", args{"id": id, "wish": want})
}

// ScrollList scrolls that list on, or to its start; false if it did not move.
func ScrollList(ctx context.Context, f Frame, id int, start bool) (bool, error) {
	return one[bool](ctx, f, "scrollList", args{"id": id, "start": start}, "moved")
}

// Selection is what a combobox or list box shows as chosen.
type Selection struct {
	Value    string   `json:"value"`
	Selected []string `json:"selected"`
	Open     bool     `json:"open"`
	Next     []string `json:"next"` // options that the last choice opened beside it
}

// Chosen reads what the control shows of the options with these labels.
func Chosen(ctx context.Context, f Frame, id int, labels []string) (Selection, error) {
	return call[Selection](ctx, f, "chosen", args{"id": id, "labels": append([]string{}, labels...)}) // never null in JSON
}

// Choice is one option of a select, combobox or list box.
type Choice struct {
	ID       int    `json:"id"`
	Role     string `json:"role"`
	Value    string `json:"value"`
	Label    string `json:"label"`
	Selected bool   `json:"selected"`
	Disabled bool   `json:"disabled"`
	Group    string `json:"group"`
}

// Options are the options of a control.
type Options struct {
	Options  []Choice `json:"options"`
	Native   bool     `json:"native"`
	Open     bool     `json:"open"`
	Multiple bool     `json:"multiple"`
	More     int      `json:"more"`
	Seen     int      `json:"seen"`
	Error    *Error   `json:"error"`
}

// OptionsOf lists the options of a control.
func OptionsOf(ctx context.Context, f Frame, id, most int) (Options, error) {
	return call[Options](ctx, f, "options", args{"id": id, "max": most})
}

// Choose says which options of a native select to choose: with Look they are only looked
// up, with Expect none but these may be chosen.
type Choose struct {
	ID     int           `json:"id"`
	Wishes []OptionQuery `json:"wishes"`
	Look   bool          `json:"look,omitempty"`
	Expect []string      `json:"expect,omitempty"`
}

// Chose are the options that were chosen, or would be.
type Chose struct {
	Labels []string `json:"labels"`
	Values []string `json:"values"`
	Error  *Error   `json:"error"`
}

// All returns the labels, then the values.
func (c Chose) All() []string { return slices.Concat(c.Labels, c.Values) }

// ChooseOptions chooses options of a native select.
func ChooseOptions(ctx context.Context, f Frame, c Choose) (Chose, error) {
	return call[Chose](ctx, f, "choose", c)
}
