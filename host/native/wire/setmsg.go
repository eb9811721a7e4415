package wire

// Methods behind the panel's settings. What changes something is for panels
// only: a program must not choose its own budget.
const (
	MethodSettingsShow  = "settings.show"   // Empty → SettingsInfo
	MethodSettingsSet   = "settings.set"    // SettingsSetParams → SettingsInfo; a panel only; all or nothing
	MethodKeySet        = "key.set"         // KeyParams → SettingsInfo; a panel only; no method gives a key back
	MethodKeyRemove     = "key.remove"      // KeyParams → SettingsInfo; a panel only
	MethodModelCheck    = "models.check"    // ModelRef → ModelCheck; real requests, of each kind one
	MethodModelForget   = "models.forget"   // ModelRef → Empty; what was seen to fail with a model is tried again
	MethodModelPull     = "models.pull"     // ModelRef → PullList; a panel only; has Ollama get a model, and does not wait for it
	MethodModelPulls    = "models.pulls"    // Empty → PullList; how far they have come
	MethodModelPullStop = "models.pullStop" // ModelRef → PullList; a panel only; ends a pull, or takes one that has ended off the list
	MethodModelWarm     = "models.warm"     // WarmParams → Empty; a panel only; has a model on this machine loaded, for a task that may come
	MethodPolicyGrant   = "policy.grant"    // PolicyGrantParams → PolicyInfo; a panel only
	MethodDoctorRun     = "doctor.run"      // Empty → DoctorReport
	MethodDoctorFix     = "doctor.fix"      // DoctorFixParams → DoctorReport; a panel only
)

// Setting is one of the settings, as it stands.
type Setting struct {
	Name    string   `json:"name"`  // as in the file
	Value   string   `json:"value"` // as it would be written there; empty: the default
	Default string   `json:"default,omitempty"`
	Source  string   `json:"source"`            // default, file, env, flag
	Fixed   bool     `json:"fixed,omitempty"`   // the environment or a flag has it: the file would change nothing
	Choices []string `json:"choices,omitempty"` // where only these may stand
	Help    string   `json:"help,omitempty"`
}

// SettingsInfo is the settings of a user.
type SettingsInfo struct {
	File     string    `json:"file"`
	Settings []Setting `json:"settings"`
	Keys     []KeyInfo `json:"keys"`
}

// SettingsSetParams changes settings by their names in the file; an empty value
// takes a setting out of it.
type SettingsSetParams struct {
	Values map[string]string `json:"values"`
}

// KeyParams is a provider's key; Key is empty where one is removed.
type KeyParams struct {
	Provider string `json:"provider"`
	Key      string `json:"key,omitempty"`
}

// KeyInfo says that there is a key, and never what it is.
type KeyInfo struct {
	Provider string `json:"provider"`
	Needed   bool   `json:"needed"`            // the provider takes none without
	Source   string `json:"source,omitempty"`  // stored, env; empty: there is none
	Console  string `json:"console,omitempty"` // where a user gets one
}

// ModelCheck is what a model was seen to do.
type ModelCheck struct {
	ID     string      `json:"id"`
	Checks []CheckLine `json:"checks"`
	Way    string      `json:"way,omitempty"` // to an action, that was found best
}

// The states of a pull.
const (
	PullRunning = "running"
	PullDone    = "done"
	PullFailed  = "failed"
	PullStopped = "stopped"
)

// PullInfo is a model on its way to the server, or that was.
type PullInfo struct {
	Name   string `json:"name"`
	State  string `json:"state"`            // running, done, failed, stopped
	Status string `json:"status,omitempty"` // what the server does, in its words
	Done   int64  `json:"done,omitempty"`   // bytes
	Total  int64  `json:"total,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

// PullList is what is pulled and was, the newest last.
type PullList struct {
	Pulls []PullInfo `json:"pulls"`
}

// WarmParams says in which language the task is likely to be: en, zh; empty: the
// configured one.
type WarmParams struct {
	Lang string `json:"lang,omitempty"`
}

// CheckLine is one thing that was tried.
type CheckLine struct {
	ID      string `json:"id,omitempty"` // what was tried, whatever the language
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Warning bool   `json:"warning,omitempty"` // it works, and something about it is worth knowing
	Skipped bool   `json:"skipped,omitempty"`
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
	Fix     string `json:"fix,omitempty"` // id of what doctor.fix can do about it
	// Say names what a check of the doctor found, whatever the language, with the
	// values in its sentence.
	Say  string   `json:"say,omitempty"`
	Args []string `json:"args,omitempty"`
}

// PolicyGrantParams allows or denies a class on a site, for a while.
type PolicyGrantParams struct {
	Site  string `json:"site"`
	Class string `json:"class"`
	Deny  bool   `json:"deny,omitempty"`
	Days  int    `json:"days,omitempty"` // 0: as long as a click in a card gives
}

// DoctorReport is the health of an installation.
type DoctorReport struct {
	Version string      `json:"version"` // of the host
	Checks  []CheckLine `json:"checks"`
}

// Fixes that doctor.fix can do.
const (
	FixManifest  = "manifest"  // write the registration with each browser anew
	FixExtension = "extension" // write the extension's folder anew; the extension reloads itself
	FixReload    = "reload"    // have the extension reload itself
	FixRestart   = "restart"   // end the broker; the extension starts another one
	FixSettings  = "settings"  // take out of the settings file what can't be read, and keep it as it was beside
	FixProgram   = "program"   // put the rights of the program's file right
	FixStrays    = "strays"    // set copies of the registration aside that no browser uses
	FixFolders   = "folders"   // let the user write to Tabwright's folders
	FixSocket    = "socket"    // remove what an ended broker left, and end one that hangs
	FixJournal   = "journal"   // set a journal aside that can't be read
	FixKeys      = "keys"      // keep others from the file of the keys
	FixModel     = "model"     // set an address that answers, or a model that can act
	FixProfiles  = "profiles"  // remove the locks that ended browsers left in our own profiles
)

// RefusedData is the data of an error that refuses settings or a key: the
// sentence of each by its name (a key's is key.PROVIDER), and the same as its
// kind with the values in it.
type RefusedData struct {
	Settings map[string]string `json:"settings"`
	Say      map[string]SaidOf `json:"say,omitempty"`
}

// SaidOf is a sentence for who has words of their own: its kind, and what it
// names.
type SaidOf struct {
	Say  string   `json:"say"`
	Args []string `json:"args,omitempty"`
}

// FaultData is the data of an error, settings: what doctor.fix can do about it.
type FaultData struct {
	Fix string `json:"fix,omitempty"`
}

// DoctorFixParams names a fix of the report.
type DoctorFixParams struct {
	Fix string `json:"fix"`
}
