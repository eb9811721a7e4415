package safety

import "encoding/json"

// Act is what is about to happen, resolved.
type Act struct {
	Action string          `json:"action"` // name in the registry
	Params json.RawMessage `json:"params"`
	// Base is the sensitivity class the registry gives the action: what it is
	// before its target is known (read for getElements, code for executeJS).
	Base   Class   `json:"base"`
	Target *Target `json:"target,omitempty"` // nil for actions without one
	Page   Page    `json:"page"`
	URL    string  `json:"url,omitempty"`  // where a navigation would go
	Key    string  `json:"key,omitempty"`  // of a key press, with modifiers: Control+Enter
	Text   string  `json:"text,omitempty"` // that would be typed
	Submit bool    `json:"submit,omitempty"`
	Menu   bool    `json:"menu,omitempty"` // the right mouse button, which opens a menu
	File   string  `json:"file,omitempty"` // absolute path of what is written
	Drop   *Target `json:"drop,omitempty"` // of a drag
	// Files are the absolute paths of what is uploaded.
	Files []string `json:"files,omitempty"`
}

// Context is what the gate knows of the task.
type Context struct {
	// Sites the user named or allowed, by registrable domain or host.
	Sites []string `json:"sites"`
	// AnySite says that writing on a site nobody named needs no question: an
	// isolated browser, in which nobody is logged in.
	AnySite bool `json:"anySite,omitempty"`
	// LocalAllowed lets navigation to loopback and private addresses pass; the
	// user named them, or the browser is a launched one for a local page.
	LocalHosts []string `json:"localHosts"`
	// UploadDirs are the folders that files may be uploaded from. Where there are
	// none, each file is asked about, unless UnaskedUploads says that nobody is
	// asked: then none may.
	UploadDirs     []string `json:"uploadDirs"`
	UnaskedUploads bool     `json:"unaskedUploads,omitempty"`
	// WriteDirs are the folders of the task: what exportFile, savePDF and
	// download write elsewhere is asked about.
	WriteDirs []string `json:"writeDirs,omitempty"`
	// Policy is the user's own rules; nil is the standard preset.
	Policy *Policy `json:"-"`
	// Consents are what the user allowed for the rest of the task, where the
	// policy wants one question a task.
	Consents []Consent `json:"consents,omitempty"`
	// Lang is the user's language, en or zh: that of the reasons' words.
	Lang string `json:"lang,omitempty"`
}

// MayUpload tells whether a file, by its absolute path without links, may be handed
// over at all.
func (c Context) MayUpload(file string) bool {
	return len(c.UploadDirs) == 0 && !c.UnaskedUploads || inDirs(file, c.UploadDirs)
}

// Decision is the gate's answer, with its reasons as data.
type Decision struct {
	Level   Level    `json:"level"`
	Class   Class    `json:"class"`
	Reasons []Reason `json:"reasons"`
	Amount  string   `json:"amount,omitempty"`  // for purchases, as the page prints it
	Details []string `json:"details,omitempty"` // items, file, code: lines for the card
	// Once is what a yes to this covers for the rest of the task.
	Once []Consent `json:"once,omitempty"`

	parts []part   // what it was put together from, for the policy
	hosts []string // that it concerns

	to string // whom the request goes to that it is about

	writes bool // what it makes the page send is to be judged as well: HoldsRequests
}

// Reason is one fact that set the level: a rule's id, and words for a user.
type Reason struct {
	Rule string `json:"rule"` // submit_word, sensitive_url, sensitive_text, always, card_field, scheme, private_address, …
	Text string `json:"text"` // The button says "Pay" …
}

// raise lifts the level, never lowers it. The class is that of the highest
// level, and among equals the graver one.
func (d *Decision) raise(l Level, c Class, r Reason) {
	d.parts = append(d.parts, part{l, c, r})
	if l > d.Level || l == d.Level && gravity[c] > gravity[d.Class] {
		d.Class = c
	}
	if l > d.Level {
		d.Level = l
	}
	for _, have := range d.Reasons {
		if have == r {
			return
		}
	}
	d.Reasons = append(d.Reasons, r)
}

var gravity = map[Class]int{
	Read: 0, Navigate: 1, Write: 2, Submit: 3, Settings: 4, FileClass: 5, Legal: 6, Communicate: 7, Identity: 8,
	CodeClass: 9, Destroy: 10, Purchase: 11,
}

// defaultLevel is the level of a class where nothing else speaks (docs/permissions.md). Settings ask: what is only a
// preference is in the lists as notify.
func defaultLevel(c Class) Level {
	switch c {
	case Read, Navigate, Write:
		return Auto
	case Submit:
		return Notify
	default:
		return Confirm
	}
}
