package page

import (
	"context"
	"slices"
	"strconv"
	"time"

	"tabwright/pagecontext"
)

// Held is what a field holds; of a secret only whether it ends with what was asked about,
// and how many characters it has.
type Held struct {
	Value  string `json:"value"`
	Secret string `json:"secret"`
	Drawn  bool   `json:"drawn"`
	Same   bool   `json:"same"`
	Size   int    `json:"size"`
}

// Value asks what a field holds.
func Value(ctx context.Context, f Frame, id int) (Held, error) {
	return call[Held](ctx, f, "value", node{id})
}

// ValueIs asks the same, and of a secret whether it ends with a text.
func ValueIs(ctx context.Context, f Frame, id int, text string) (Held, error) {
	return call[Held](ctx, f, "value", struct {
		ID int    `json:"id"`
		Is string `json:"is"`
	}{id, text})
}

// LeaveAndReturn has a field left and entered again; value is what it held between.
func LeaveAndReturn(ctx context.Context, f Frame, id int, wait time.Duration, text string) (left bool, value string, err error) {
	got, err := call[struct {
		Left  bool   `json:"left"`
		Value string `json:"value"`
	}](ctx, f, "leaveAndReturn", struct {
		ID   int    `json:"id"`
		MS   int64  `json:"ms"`
		Text string `json:"text"`
	}{id, wait.Milliseconds(), text})
	return got.Left, got.Value, err
}

// FieldValue is what a field holds that was set, or why it was not.
type FieldValue struct {
	Value string `json:"value"`
	Error *Error `json:"error"`
}

// SetField sets a date, time, range or colour field.
func SetField(ctx context.Context, f Frame, id int, value string) (FieldValue, error) {
	return call[FieldValue](ctx, f, "setField", struct {
		ID    int    `json:"id"`
		Value string `json:"value"`
	}{id, value})
}

// Stepper is a slider or spin button that is no input, as it says itself.
type Stepper struct {
	Now  *float64 `json:"now"`
	Min  *float64 `json:"min"`
	Max  *float64 `json:"max"`
	Text string   `json:"text"`
}

// String is what a user reads on it.
func (s Stepper) String() string {
	if s.Text != "" || s.Now == nil {
		return s.Text
	}
	return strconv.FormatFloat(*s.Now, 'f', -1, 64)
}

// ReadStepper reads a slider or spin button.
func ReadStepper(ctx context.Context, f Frame, id int) (Stepper, error) {
	return call[Stepper](ctx, f, "stepper", node{id})
}

// FileInput is the file input that an element is, or belongs to; none has the id 0.
type FileInput struct {
	ID       int  `json:"id"`
	Multiple bool `json:"multiple"`
}

// FileInputOf finds it.
func FileInputOf(ctx context.Context, f Frame, id int) (FileInput, error) {
	return call[FileInput](ctx, f, "fileInput", node{id})
}

// ButtonsBeside are the names of the buttons in the smallest part around an editor that
// has any.
func ButtonsBeside(ctx context.Context, f Frame, id int) ([]string, error) {
	got, err := call[struct {
		Buttons []string `json:"buttons"`
	}](ctx, f, "buttonsBeside", node{id})
	return got.Buttons, err
}

// OptionQuery is an option that is wanted; Value matches value, label or position.
type OptionQuery struct {
	Value    *string `json:"value,omitempty"`
	Label    string  `json:"label,omitempty"`
	Position *int    `json:"position,omitempty"`
}

// Text is what one would type to find the option; empty for a position.
func (w OptionQuery) Text() string {
	if w.Value != nil {
		return *w.Value
	}
	return w.Label
}

// OptionMatch is an option of a list that is open, and the list.
type OptionMatch struct {
	Option   *pagecontext.RawElement `json:"option"`
	Selected bool                    `json:"selected"`
	Current  bool                    `json:"current"` // Selected may be no more than where the pointer or the arrow keys are
	Other    *pagecontext.RawElement `json:"other"`   // what to point at to see that
	Multiple bool                    `json:"multiple"`
	Shown    int                     `json:"shown"`
	Labels   []string                `json:"labels"`
	More     bool                    `json:"more"`
	Suggests bool                    `json:"suggests"` // as one types
	Expanded bool                    `json:"expanded"` // as the control says
	Popup    string                  `json:"popup"`    // what it opens where that is no list: dialog (in which one may be) or grid
	Closable bool                    `json:"closable"` // by Escape, which does nothing else then
	Search   *pagecontext.RawElement `json:"search"`   // the field that came with the list
	Error    *Error                  `json:"error"`
}

// Pick looks for an option in the list of a combobox or list box that is open.
func Pick(ctx context.Context, f Frame, id int, want OptionQuery) (OptionMatch, error) {
	return call[OptionMatch](ctx, f, "pick", struct {
		ID   int         `json:"id"`
		Wish OptionQuery `json:"wish"`
	}{id, want})
}

// ScrollList scrolls that list on, or to its start; false where it did not move.
func ScrollList(ctx context.Context, f Frame, id int, start bool) (bool, error) {
	got, err := call[struct {
		Moved bool `json:"moved"`
	}](ctx, f, "scrollList", struct {
		ID    int  `json:"id"`
		Start bool `json:"start"`
	}{id, start})
	return got.Moved, err
}

// Selection is what a combobox or list box says is chosen.
type Selection struct {
	Value    string   `json:"value"`
	Selected []string `json:"selected"`
	Open     bool     `json:"open"`
	Next     []string `json:"next"` // what the last one has opened beside it
}

// Chosen reads what the control shows of the options that were pressed.
func Chosen(ctx context.Context, f Frame, id int, labels []string) (Selection, error) {
	return call[Selection](ctx, f, "chosen", struct {
		ID     int      `json:"id"`
		Labels []string `json:"labels"`
	}{id, append([]string{}, labels...)}) // a list, be it empty
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
	return call[Options](ctx, f, "options", struct {
		ID  int `json:"id"`
		Max int `json:"max"`
	}{id, most})
}

// Choose says which options of a native select to choose: with Look only what they would
// be, with Expect none but these.
type Choose struct {
	ID     int           `json:"id"`
	Wishes []OptionQuery `json:"wishes"`
	Look   bool          `json:"look,omitempty"`
	Expect []string      `json:"expect,omitempty"`
}

// Chose is what was chosen, or would be.
type Chose struct {
	Labels []string `json:"labels"`
	Values []string `json:"values"`
	Error  *Error   `json:"error"`
}

// All are the labels, then the values.
func (c Chose) All() []string { return slices.Concat(c.Labels, c.Values) }

// ChooseOptions chooses options of a native select.
func ChooseOptions(ctx context.Context, f Frame, c Choose) (Chose, error) {
	return call[Chose](ctx, f, "choose", c)
}
