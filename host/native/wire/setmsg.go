package wire

// Methods behind the panel's settings. What changes something is for panels
// only: a program must not choose its own budget.
const (
	MethodSettingsShow  = "settings.show"   // Empty → SettingsInfo
	MethodSettingsSet   = "settings.set"    // SettingsSetParams → SettingsInfo; a panel only; all or nothing
	MethodKeySet        = "key.set"         // KeyParams → SettingsInfo; a panel only; no method gives a key back
	MethodKeyRemove     = "key.remove"      // KeyParams → SettingsInfo; a panel only
	MethodModelCheck    = "models.check"    // ModelRef → ModelCheck; with real requests, one of each kind
	MethodModelForget   = "models.forget"   // ModelRef → Empty; what was seen to fail with a model is tried again
	MethodModelPull     = "models.pull"     // ModelRef → PullList; a panel only; has Ollama get a model, and does not wait for it
	MethodModelPulls    = "models.pulls"    // Empty → PullList; how far they have come
	MethodModelPullStop = "models.pullStop" // ModelRef → PullList; a panel only; ends a pull, or removes an ended one from the list
	MethodModelWarm     = "models.warm"     // WarmParams → Empty; a panel only; has a model on this machine loaded ahead of a task
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
	Fixed   bool     `json:"fixed,omitempty"`   // the environment or a flag sets it: the file has no effect
	Choices []string `json:"choices,omitempty"` // the allowed values, if they are limited
	Help    string   `json:"help,omitempty"`
}

// SettingsInfo is the settings of a user.
type SettingsInfo struct {
	File     string    `json:"file"`
	Settings []Setting `json:"settings"`
	Keys     []KeyInfo `json:"keys"`
}

// SettingsSetParams changes settings by their names in the file; an empty value
// removes a setting from it.
type SettingsSetParams struct {
	Values map[string]string `json:"values"`
}

// KeyParams is a provider's key; Key is empty where one is removed.
type KeyParams struct {
	Provider string `json:"provider"`
	Key      string `json:"key,omitempty"`
}

// KeyInfo says whether a provider has a key, and never the key itself.
type KeyInfo struct {
	Provider string `json:"provider"`
	Needed   bool   `json:"needed"`            // the provider takes no request without one
	Source   string `json:"source,omitempty"`  // stored, env; empty: there is none
	Console  string `json:"console,omitempty"` // where a user gets one
}

// ModelCheck is what a model can do, as a check of it found.
type ModelCheck struct {
	ID     string      `json:"id"`
	Checks []CheckLine `json:"checks"`
	Way    string      `json:"way,omitempty"` // the best way to get an action from it
}

// The states of a pull.
const (
	PullRunning = "running"
	PullDone    = "done"
	PullFailed  = "failed"
	PullStopped = "stopped"
)

// PullInfo is a model that the server pulls, or has pulled.
type PullInfo struct {
	Name   string `json:"name"`
	State  string `json:"state"`            // running, done, failed, stopped
	Status string `json:"status,omitempty"` // what the server does, in its words
	Done   int64  `json:"done,omitempty"`   // bytes
	Total  int64  `json:"total,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

// PullList is the pulls, ended ones too, the newest last.
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
	ID      string `json:"id,omitempty"` // names what was tried, the same in every language
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Warning bool   `json:"warning,omitempty"` // it works, and something about it is worth knowing
	Skipped bool   `json:"skipped,omitempty"`
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
	Fix     string `json:"fix,omitempty"` // id of what doctor.fix can do about it
	// Say names what a check of the doctor found, the same in every language; Args are
	// the values in the sentence.
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
	FixReload    = "reload"    // reload the extension
	FixRestart   = "restart"   // end the broker; the extension starts another one
	FixSettings  = "settings"  // remove what can't be read from the settings file, and keep a copy of the old file
	FixProgram   = "program"   // correct the permissions of the program's file
	FixStrays    = "strays"    // set aside copies of the registration that no browser uses
	FixFolders   = "folders"   // let the user write to Tabwright's folders
	FixSocket    = "socket"    // remove what an ended broker left, and end one that hangs
	FixJournal   = "journal"   // set aside a journal that can't be read
	FixKeys      = "keys"      // deny other users the file of the keys
	FixModel     = "model"     // set an address that answers, or a model that can act
	FixProfiles  = "profiles"  // remove the locks that ended browsers left in our own profiles
)

// RefusedData is the data of an error that refuses settings or a key. Settings has the
// sentence for each by its name (key.PROVIDER for a key), Say its kind and values.
type RefusedData struct {
	Settings map[string]string `json:"settings"`
	Say      map[string]SaidOf `json:"say,omitempty"`
}

// SaidOf is a sentence for a client that has its own words for it: its kind, and the
// values in it.
type SaidOf struct {
	Say  string   `json:"say"`
	Args []string `json:"args,omitempty"`
}

// FaultData is the data of an error of CodeSettings: the fix of doctor.fix for it.
type FaultData struct {
	Fix string `json:"fix,omitempty"`
}

// DoctorFixParams names a fix of the report.
type DoctorFixParams struct {
	Fix string `json:"fix"`
}
