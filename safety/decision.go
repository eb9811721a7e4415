package safety

import "encoding/json"

// Act is an action about to run, with its target resolved.
type Act struct {
	Action string          `json:"action"` // name in the registry
	Params json.RawMessage `json:"params"`
	// Base is the sensitivity class that the registry gives the action, before its
	// target is known (read for getElements, code for executeJS).
	Base   Class   `json:"base"`
	Target *Target `json:"target,omitempty"` // nil for actions without one
	Page   Page    `json:"page"`
	URL    string  `json:"url,omitempty"`  // to which a navigation would go
	Key    string  `json:"key,omitempty"`  // pressed key with modifiers: Control+Enter
	Text   string  `json:"text,omitempty"` // text to type
	Submit bool    `json:"submit,omitempty"`
	Menu   bool    `json:"menu,omitempty"` // the right mouse button, which opens a menu
	File   string  `json:"file,omitempty"` // absolute path of the file to write
	Drop   *Target `json:"drop,omitempty"` // where a drag ends
	// Files are the absolute paths of the files to upload.
	Files []string `json:"files,omitempty"`
}

// Context holds the facts of the task that the gate judges by.
type Context struct {
	// Sites the user named or allowed, by registrable domain or host.
	Sites []string `json:"sites"`
	// AnySite says that writing on a site that is not in Sites needs no question:
	// the browser is isolated, with no login in it.
	AnySite bool `json:"anySite,omitempty"`
	// LocalHosts are loopback and private hosts that navigation may reach: the
	// user named them, or the browser was launched for a local page.
	LocalHosts []string `json:"localHosts"`
	// UploadDirs are the folders that files may be uploaded from. Where there are
	// none, each file is asked about; with UnaskedUploads nobody is asked, and no
	// file may be uploaded.
	UploadDirs     []string `json:"uploadDirs"`
	UnaskedUploads bool     `json:"unaskedUploads,omitempty"`
	// WriteDirs are the folders of the task. Files that exportFile, savePDF and
	// download write elsewhere are asked about.
	WriteDirs []string `json:"writeDirs,omitempty"`
	// Policy is the user's own rules; nil is the standard preset.
	Policy *Policy `json:"-"`
	// Consents are the classes and sites that the user allowed for the rest of the
	// task, where the policy asks once a task.
	Consents []Consent `json:"consents,omitempty"`
	// Lang is the language of the reasons, the user's: en or zh.
	Lang string `json:"lang,omitempty"`
}

// MayUpload reports whether a file may be uploaded at all. file is its absolute path
// without symbolic links.
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
	// Once are the consents that a yes gives for the rest of the task.
	Once []Consent `json:"once,omitempty"`

	parts []part   // the findings it was made from, for the policy
	hosts []string // hosts that it concerns

	to     string // recipient in the judged request
	option string // chosen option of a form that is the deed

	writes bool // the requests that the act causes are judged too: see HoldsRequests
}

// Reason is one fact that set the level: a rule's id, and words for a user.
type Reason struct {
	Rule string `json:"rule"` // submit_word, sensitive_url, sensitive_text, always, card_field, scheme, private_address, …
	Text string `json:"text"` // The button says "Pay" …
}

// raise adds a finding and never lowers the level. The class is that of the highest
// level, and among equal levels the graver one.
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

// defaultLevel gives the level of a class where no other rule applies (docs/permissions.md). Settings ask: the word
// lists mark mere preferences as notify.
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
