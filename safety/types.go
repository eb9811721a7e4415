// Package safety is the gate: it decides whether an action runs silently, runs with a notice, is asked
// about, or is refused. It is pure: it judges only facts that others gathered from the page,
// and ignores what a model says about them. It imports nothing from host. Start reading at
// Judge.
package safety

// Level is what happens to an action, mildest first.
type Level int

// The levels.
const (
	Auto    Level = iota // run
	Notify               // run and show
	Confirm              // ask the user and wait
	Block                // never
)

// String gives the level's name as it stands in events and policy files.
func (l Level) String() string { return [...]string{"auto", "notify", "confirm", "block"}[l] }

// Class is the consequence class of an action on its resolved target.
type Class string

// The consequence classes (docs/permissions.md).
const (
	Read        Class = "read"
	Navigate    Class = "navigate"
	Write       Class = "write"
	Submit      Class = "submit"
	Communicate Class = "communicate"
	Purchase    Class = "purchase"
	Destroy     Class = "destroy"
	Identity    Class = "identity"
	Legal       Class = "legal"
	FileClass   Class = "file"
	CodeClass   Class = "code"
	Settings    Class = "settings"
)

// Target holds the extractor's facts of the element that an action will really
// reach, gathered in the one call that resolved it. The extractor cuts strings to
// 300 characters and leaves out the values of secret fields.
type Target struct {
	Tag         string   `json:"tag"`
	Role        string   `json:"role"`
	Name        string   `json:"name"`            // accessible name
	Text        string   `json:"text"`            // visible text
	Title       string   `json:"title,omitempty"` // title attribute
	Value       string   `json:"value,omitempty"` // of a button-like input, or of a field that is no secret
	Type        string   `json:"type,omitempty"`  // of an input or button
	Href        string   `json:"href,omitempty"`  // resolved URL of the link it is or stands in
	LinkText    string   `json:"linkText,omitempty"`
	Seen        string   `json:"seen,omitempty"`     // the painted letters as the eye reads them, where they say other than text
	Icon        string   `json:"icon,omitempty"`     // of a control without words: what its picture is called in class, file, sprite
	Label       string   `json:"label,omitempty"`    // text of its <label>
	Context     string   `json:"context,omitempty"`  // heading and text of the group around it
	Row         string   `json:"row,omitempty"`      // text of the row, list item or card that it stands in
	Item        string   `json:"item,omitempty"`     // what a user reads in that, but for its buttons: for the sentences of results
	HasHandler  bool     `json:"hasHandler"`         // it or an ancestor reacts to clicks as far as can be seen
	Editable    bool     `json:"editable"`           // takes text
	Secret      string   `json:"secret,omitempty"`   // password, card, cvc, otp, government; empty when none
	Beside      string   `json:"beside,omitempty"`   // a secret that has been filled in beside it, and that no form of its own sends; a card number anywhere in its document
	SubmitsForm bool     `json:"submitsForm"`        // a click, or for keys Enter, submits Form
	OnChange    bool     `json:"onChange,omitempty"` // a change of its value takes effect at once: its script sends or leads away, or its form has no button
	Opens       bool     `json:"opens,omitempty"`    // a press opens its menu, list or dialog (aria-haspopup, aria-expanded="false", or the id of a part that is not shown)
	OnlyAsks    bool     `json:"-"`                  // it was seen to only open a question (OpenerKey); no page can say so
	Drawn       bool     `json:"drawn,omitempty"`    // it is a surface that is drawn on, or a part of one
	Method      string   `json:"method,omitempty"`   // in which a script sends the address of a link or button, unless GET: data-method, hx-delete
	Dialog      string   `json:"dialog,omitempty"`   // name of the dialog that is open over the page, where it stands in that
	Answers     []string `json:"answers,omitempty"`  // of a control that is named by a figure: the dialog's other buttons
	Nav         bool     `json:"nav,omitempty"`      // it stands among the ways about a site: nav, navigation, tablist, menubar
	Blank       bool     `json:"blank,omitempty"`    // nothing is written in the fields of its document, but for what is searched by, and no dialog is open
	Set         []string `json:"set,omitempty"`      // what the boxes say, each with the words around it, that were ticked beside it since the page was loaded
	Cleared     []string `json:"cleared,omitempty"`  // the same of boxes that were ticked then and are no longer
	Asks        string   `json:"asks,omitempty"`     // what the page asks before it acts: data-confirm, hx-confirm
	Form        *Form    `json:"form,omitempty"`
	FrameURL    string   `json:"frameUrl"` // of the document the element is in
	// Fingerprint is a hash by the extractor over every fact above that the
	// judgement may rest on, plus the form's values; the input guard compares
	// it when the event arrives.
	Fingerprint string `json:"fingerprint"`
	// DefaultButton is the label of the button that Enter presses in the form.
	DefaultButton string `json:"defaultButton,omitempty"`
}

// Form is the form a target belongs to.
type Form struct {
	Action  string   `json:"action"` // resolved URL
	Method  string   `json:"method"`
	Fields  []Field  `json:"fields"`
	Buttons []string `json:"buttons"`
	Search  bool     `json:"search"`         // role=search or a lone search field with GET
	Rows    int      `json:"rows,omitempty"` // ticked boxes that stand for lines of a list: several boxes have their name
}

// Field is one field of a form. Value is empty for secrets.
type Field struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Label  string `json:"label,omitempty"`
	Value  string `json:"value,omitempty"`
	Was    string `json:"was,omitempty"` // what it held before, by its markup or when its form was first told, if that is something else; of a box: that it was ticked
	Secret string `json:"secret,omitempty"`
}

// Page holds the facts of the page around the target.
type Page struct {
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Text    string   `json:"text"`    // visible text, up to 20,000 characters
	Amounts []string `json:"amounts"` // money amounts near the target first, as printed: "$12.50"
	Items   []string `json:"items"`   // lines of an order summary, if one was found
	Dialog  string   `json:"dialog,omitempty"`
}
