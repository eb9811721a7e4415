package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Written is one manifest that Install wrote.
type Written struct {
	Browser  string   `json:"browser"`
	Path     string   `json:"path"`
	Keys     []string `json:"keys,omitempty"`     // the keys of the Windows registry that name it
	Replaced string   `json:"replaced,omitempty"` // the program it pointed at before, if that was another
}

// Report is what Install did and what is left for the user.
type Report struct {
	Binary       string    `json:"binary"`
	ExtensionDir string    `json:"extensionDir"`
	Version      string    `json:"version"`
	Changed      bool      `json:"changed"` // the extension on disk was not this one before
	Manifests    []Written `json:"manifests"`
	Warnings     []string  `json:"warnings,omitempty"`
	Steps        []string  `json:"steps"`           // what only a user can do
	Store        bool      `json:"store,omitempty"` // the steps are those of the Web Store
}

// Install writes the extension to its folder and registers the program with
// each browser that is there. It may be repeated.
func Install(ctx context.Context, o Options) (Report, error) {
	o = o.withDefaults()
	var r Report
	if err := o.supported(); err != nil {
		return r, err
	}
	binary, err := o.checkBinary()
	if err != nil {
		return r, err
	}
	r.Binary, r.ExtensionDir = binary, o.ExtensionDir()
	if err := o.checkExtension(&r); err != nil {
		return r, err
	}
	ps, err := o.targets()
	if err != nil {
		return r, err
	}
	if r.Changed, err = WriteExtension(r.ExtensionDir, o.Extension); err != nil {
		return r, wrapWrite("write the extension to "+r.ExtensionDir, err)
	}
	var outside []string
	for _, p := range ps {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		w := Written{Browser: p.Name}
		for _, where := range o.own(p) {
			if old, err := o.readOwn(where); err == nil && !sameFile(old.Path, binary) {
				w.Replaced = old.Path
			}
		}
		if w.Path, err = o.register(p, binary); err != nil {
			return r, wrapWrite("register with "+p.Name, err)
		}
		if o.OS == "windows" {
			w.Keys = o.own(p)
		}
		r.Manifests = append(r.Manifests, w)
		if p.ID == customID && o.OS != "windows" {
			outside = append(outside, w.Path)
		}
	}
	if len(outside) > 0 {
		if err := o.remember(outside); err != nil {
			return r, wrapWrite("remember what was installed", err)
		}
	}
	r.Warnings = append(r.Warnings, o.warnings(binary, ps)...)
	r.Steps, r.Store = o.steps(r), o.StoreID != ""
	return r, nil
}

// targets returns the browsers to register with: those that are there, and
// those that the user named. It is an error if there are none.
func (o Options) targets() ([]place, error) {
	ps, err := o.places()
	if err != nil {
		return nil, err
	}
	var out []place
	for _, p := range ps {
		if p.found || len(o.Browsers) > 0 {
			out = append(out, p)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	e := &Error{
		Code:    CodeNoBrowser,
		Message: "no browser to install into was found in " + o.browserHome(),
		Hint:    "start Chrome or Chromium once and try again, or name one with --browser (" + strings.Join(browserIDs(), ", ") + ")",
	}
	if cs := o.confinedBrowsers(); len(cs) > 0 {
		e.Message += "; " + cs[0].sentence()
		e.Hint = "install the browser from its maker's package instead of the " + cs[0].how + ", start it once and try again"
	}
	return nil, e
}

func (o Options) checkBinary() (string, error) {
	bad := func(err error) error {
		return &Error{
			Code: CodeBinary, Message: "Chrome could not start the program", Err: err,
			Hint: reinstallProgram,
		}
	}
	if o.Binary == "" {
		return "", bad(fmt.Errorf("its path is not known"))
	}
	abs, err := filepath.Abs(o.Binary)
	if err != nil {
		return "", bad(err)
	}
	if err := executable(o.OS, abs); err != nil {
		return "", bad(fmt.Errorf("%s %w", abs, err))
	}
	stays, err := o.StableBinary(abs)
	if err != nil {
		return "", wrapWrite("copy the program to where it stays", err)
	}
	return stays, nil
}

func (o Options) checkExtension(r *Report) error {
	bad := func(msg string, err error) error {
		return &Error{Code: CodeExtension, Message: msg, Err: err, Hint: "build it with make build"}
	}
	if o.Extension == nil {
		return bad("this program was built without the extension", nil)
	}
	m, err := readExtManifest(o.Extension)
	if err != nil {
		return bad("this program was built without the extension", err)
	}
	id, err := IDOfKey(m.Key)
	if err != nil {
		return bad("the extension has no fixed id", err)
	}
	if id != o.ExtensionID {
		return bad(fmt.Sprintf("the extension's key gives the id %s, the program expects %s", id, o.ExtensionID), nil)
	}
	r.Version = m.version()
	return nil
}

func (o Options) warnings(binary string, ps []place) []string {
	var ws []string
	if inTemp(binary) {
		ws = append(ws, fmt.Sprintf("The program is in a temporary folder (%s). When that is emptied, the browser will not find it: %s.", filepath.Dir(binary), moveProgram))
	}
	for _, c := range o.confinedBrowsers() {
		ws = append(ws, capital(c.sentence())+".")
	}
	for _, f := range o.policyFindings(ps) {
		ws = append(ws, f.sentence())
	}
	return ws
}

// steps returns the clicks that only a user can do: since Chrome 137 no command
// line loads an extension into a branded build.
func (o Options) steps(r Report) []string {
	if len(r.Manifests) == 0 {
		return nil
	}
	if o.StoreID != "" {
		return []string{"Open " + storePage + o.StoreID, "Click “Add to Chrome”, then “Add extension”."}
	}
	return []string{
		"Open chrome://extensions and switch on “Developer mode” (top right).",
		"Click “Load unpacked” and choose " + r.ExtensionDir,
	}
}

// Text returns the report as the CLI prints it.
func (r Report) Text() string {
	var b strings.Builder
	state := "is up to date"
	if r.Changed {
		state = "is now"
	}
	fmt.Fprintf(&b, "The extension (%s) %s in %s\n", r.Version, state, r.ExtensionDir)
	for _, m := range r.Manifests {
		fmt.Fprintf(&b, "Registered with %s: %s\n", m.Browser, strings.Join(append(m.Keys, m.Path), ", "))
		if m.Replaced != "" {
			fmt.Fprintf(&b, "  before, it pointed at %s\n", m.Replaced)
		}
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "\nWarning: %s\n", w)
	}
	if len(r.Steps) > 0 {
		b.WriteString("\nTwo steps are left, in each browser:\n")
		for i, s := range r.Steps {
			fmt.Fprintf(&b, "  %d. %s\n", i+1, s)
		}
		if r.Store {
			b.WriteString("Already added from the Web Store? Then nothing is left: Chrome keeps it up to date.\n")
		} else {
			b.WriteString("Already loaded? Then click its reload arrow there once.\n")
		}
	}
	return b.String()
}

// inTemp reports whether a program is where `go run` or a test builds it, or in
// another folder that the system empties.
func inTemp(path string) bool {
	if strings.Contains(path, string(filepath.Separator)+"go-build") {
		return true
	}
	for _, tmp := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"} {
		if rel, err := filepath.Rel(tmp, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

func (c confined) sentence() string {
	return fmt.Sprintf("%s is installed as a %s (%s), which generally keeps it from starting programs outside; Tabwright can't work there", c.Name, c.how, c.dir)
}

// wrapWrite says what could not be done with a file, and what helps.
func wrapWrite(what string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: CodeWrite, Message: "could not " + what, Err: err, Hint: writeHint(err)}
}

// writeHint is what to do about a file that could not be written or removed.
func writeHint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "free space on that disk"
	case errors.Is(err, syscall.EROFS):
		return "that disk is mounted read-only: mount it writable, or move the folder elsewhere"
	}
	return "check the owner and the rights of that folder"
}

// OwnProgram gives the path by which the program that runs was started, and that of its
// file, which is another where the first is a link.
func OwnProgram() (path, file string, err error) {
	path, err = osExecutable()
	if err == nil {
		file, err = filepath.EvalSymlinks(path)
	}
	if err == nil {
		return path, file, nil
	}
	return "", "", &Error{Code: CodeBinary, Message: pathUnknown, Err: err, Hint: pathHint()}
}

const pathUnknown = "the program does not know its own path"

// pathHint is what to do about that.
func pathHint() string {
	if runtime.GOOS == "linux" {
		return "Linux tells it in /proc: mount that (a container or chroot may lack it), or, if the program was moved or deleted, start it again"
	}
	return "run it by its full path"
}

// osExecutable is os.Executable; a test puts another in its place.
var osExecutable = os.Executable

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
