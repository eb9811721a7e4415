package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Check is one link of the chain from the browser to the model. A check that
// is OK may still carry a Warning: it works, and something about it is worth
// knowing.
type Check struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Warning bool   `json:"warning,omitempty"`
	Detail  string `json:"detail"`
	Fix     string `json:"fix,omitempty"`
	// Say names what was found, whatever the language, and Args are the values in
	// its sentence. With the part of ID before its first dot it is a sentence.
	Say  string   `json:"say,omitempty"`
	Args []string `json:"args,omitempty"`
	// Mend is the id of what a program can do about it by itself: MendManifest,
	// MendExtension, or what whoever runs the broker can do: MendReload,
	// MendRestart, settings. Empty where only a user can.
	Mend string `json:"mend,omitempty"`
}

// What can be done about a fault without a user.
const (
	MendManifest  = "manifest"  // Mend writes the registrations anew
	MendExtension = "extension" // Mend writes the extension's folder anew
	MendReload    = "reload"    // the extension is to reload itself
	MendRestart   = "restart"   // the broker is to end, so that a new one starts
)

// as says by a word, and the values in its sentence, what Detail says, so that it
// can be said in another language.
func (c Check) as(say string, args ...string) Check {
	c.Say, c.Args = say, args
	return c
}

func (c Check) mendable(id string) Check {
	c.Mend = id
	return c
}

func pass(id, name, detail string) Check {
	return Check{ID: id, Name: name, OK: true, Detail: detail}
}

func warn(id, name, detail, fix string) Check {
	return Check{ID: id, Name: name, OK: true, Warning: true, Detail: detail, Fix: fix}
}

func fail(id, name, detail, fix string) Check {
	return Check{ID: id, Name: name, Detail: detail, Fix: fix}
}

// failed is a check that an error of this package decided.
func failed(id, name string, err error) Check {
	c := fail(id, name, err.Error(), reinstall).as("error", err.Error())
	var e *Error
	if errors.As(err, &e) {
		c.Fix = e.Hint
	}
	return c
}

const reinstall = "run tabwright install"

// Doctor checks the whole chain: the program, the extension on disk, each
// browser's registration, policies, the running broker with the browsers
// connected to it, and the model. The checks do not depend on one another, so
// one fault does not hide the next.
func Doctor(ctx context.Context, o Options) []Check {
	o = o.withDefaults()
	if err := o.supported(); err != nil {
		return []Check{failed("system", "Operating system", err)}
	}
	checks := []Check{o.doctorBinary(), o.doctorExtension()}
	ps, err := o.registrations()
	if err != nil {
		return append(checks, failed("browsers", "Browsers", err))
	}
	checks = append(checks, o.doctorBrowsers(ps)...)
	checks = append(checks, o.doctorDuplicates(ps), o.doctorPolicies(ps))
	if c, ok := o.doctorConfined(); ok {
		checks = append(checks, c)
	}
	status, broker := o.doctorBroker(ctx)
	checks = append(checks, broker...)
	checks = append(checks, o.doctorLoaded(ps, status)...)
	if c, ok := o.doctorModel(ctx); ok {
		checks = append(checks, c)
	}
	return checks
}

func (o Options) doctorBinary() Check {
	const id, name = "binary", "Program"
	if o.Binary == "" {
		return fail(id, name, "its path is not known", "run it by its full path").as("no_path")
	}
	if err := executable(o.OS, o.Binary); err != nil {
		return fail(id, name, fmt.Sprintf("%s %v", o.Binary, err), "build it with make build").as("not_executable", o.Binary, err.Error())
	}
	if inTemp(o.Binary) {
		return warn(id, name, o.Binary+" is in a temporary folder and may vanish", "build it with make build and run bin/tabwright install").as("temporary", o.Binary)
	}
	// The bits of a file on Windows tell only whether it is read-only.
	if st, err := os.Stat(o.Binary); err == nil && st.Mode().Perm()&0o002 != 0 && o.OS != "windows" {
		return warn(id, name, "anybody on this computer may overwrite "+o.Binary+", and the browser would start what they put there", "chmod o-w "+o.Binary).as("open_to_all", o.Binary)
	}
	return pass(id, name, o.Binary).as("ok", o.Binary)
}

func (o Options) doctorExtension() Check {
	const id, name = "extension", "Extension on disk"
	dir := o.ExtensionDir()
	onDisk, err := readExtManifest(os.DirFS(dir))
	if os.IsNotExist(err) {
		return o.extensionMend(fail(id, name, dir+" is missing", reinstall).as("missing", dir))
	}
	if err != nil {
		return o.extensionMend(fail(id, name, fmt.Sprintf("%s: %v", dir, err), reinstall).as("unreadable", dir, err.Error()))
	}
	got, err := IDOfKey(onDisk.Key)
	if err != nil || got != o.ExtensionID {
		return o.extensionMend(fail(id, name, fmt.Sprintf("its key gives the id %s, the program expects %s", orNone(got), o.ExtensionID), reinstall).as("other_id", orNone(got), o.ExtensionID))
	}
	if o.Extension == nil {
		return warn(id, name, "this program was built without the extension, so the one on disk can't be compared", "build it with make build").as("not_built")
	}
	want, err := readExtManifest(o.Extension)
	if err != nil {
		return warn(id, name, "this program was built without the extension, so the one on disk can't be compared", "build it with make build").as("not_built")
	}
	same, err := sameFiles(dir, o.Extension)
	switch {
	case err != nil:
		return o.extensionMend(fail(id, name, fmt.Sprintf("%s: %v", dir, err), reinstall).as("unreadable", dir, err.Error()))
	case want.version() != onDisk.version():
		return o.extensionMend(fail(id, name, fmt.Sprintf("the folder has version %s, the program version %s", onDisk.version(), want.version()), reinstall+", then click the reload arrow in chrome://extensions").as("other_version", onDisk.version(), want.version()))
	case !same:
		return o.extensionMend(fail(id, name, "files in "+dir+" differ from those of this program", reinstall+", then click the reload arrow in chrome://extensions").as("differs", dir))
	}
	return pass(id, name, fmt.Sprintf("%s, version %s, id %s", dir, onDisk.version(), got)).as("ok", dir, onDisk.version(), got)
}

// extensionMend says that Mend can write the folder, where there is an
// extension to write.
func (o Options) extensionMend(c Check) Check {
	if o.checkExtension(&Report{}) == nil {
		c.Mend = MendExtension
	}
	return c
}

// doctorBrowsers has one check per browser that is there.
func (o Options) doctorBrowsers(ps []place) []Check {
	var out []Check
	for _, p := range ps {
		if !p.found {
			continue
		}
		out = append(out, o.doctorRegistration(p))
	}
	if len(out) == 0 {
		return []Check{fail("browsers", "Browsers", "none was found in "+o.browserHome(), "start Chrome or Chromium once, then "+reinstall).as("none", o.browserHome())}
	}
	return out
}

// doctorRegistration is the first fault of the registration with a browser.
func (o Options) doctorRegistration(p place) Check {
	id, name := "manifest."+p.ID, "Registration with "+p.Name
	var c Check
	for _, where := range o.own(p) {
		m, err := o.readOwn(where)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fail(id, name, where+" is missing", reinstall).as("missing", where).mendable(MendManifest)
		case err != nil:
			return fail(id, name, fmt.Sprintf("%s: %v", where, err), reinstall).as("unreadable", where, err.Error()).mendable(MendManifest)
		}
		if fs := m.faults(o); len(fs) > 0 {
			return fail(id, name, fmt.Sprintf("%s %s", where, strings.Join(fs, "; it ")), reinstall).as("faults", where, strings.Join(fs, "; it ")).mendable(MendManifest)
		}
		c = pass(id, name, where).as("ok", where)
	}
	return c
}

// doctorDuplicates looks for the commonest fault of native hosts in the
// field: something else that answers for the same extension, or an old copy.
func (o Options) doctorDuplicates(ps []place) Check {
	const id, name = "duplicates", "Other registrations"
	var faults []string
	seen := map[string]bool{}
	for _, p := range ps {
		for _, r := range o.hosts(p) {
			if seen[r.where] {
				continue
			}
			seen[r.where] = true
			switch {
			case !r.ours && r.m.Name == HostName:
				faults = append(faults, fmt.Sprintf("%s has our name inside a file of another name; %s will not use it", r.where, p.Name))
			case !r.ours && allows(r.m, o.ExtensionID):
				faults = append(faults, fmt.Sprintf("%s lets another program (%s, host %s) talk to the extension", r.where, r.m.Path, r.m.Name))
			case r.ours && r.system && o.Binary != "" && !sameFile(r.m.Path, o.Binary):
				faults = append(faults, fmt.Sprintf("%s registers another copy (%s) for everybody on this computer", r.where, r.m.Path))
			}
		}
	}
	if len(faults) > 0 {
		return fail(id, name, strings.Join(faults, "; "), "remove what is not meant to be there").as("found", strings.Join(faults, "; "))
	}
	return pass(id, name, "none").as("ok")
}

func allows(m hostManifest, extensionID string) bool {
	for _, origin := range m.AllowedOrigins {
		if origin == Origin(extensionID) {
			return true
		}
	}
	return false
}

func (o Options) doctorPolicies(ps []place) Check {
	const id, name = "policies", "Policies"
	var found []place
	for _, p := range ps {
		if p.found {
			found = append(found, p)
		}
	}
	var lines []string
	for _, f := range o.policyFindings(found) {
		lines = append(lines, f.sentence())
	}
	if len(lines) > 0 {
		return fail(id, name, strings.Join(lines, " "), "ask whoever manages this computer, or use a browser that is not managed").as("found", strings.Join(lines, " "))
	}
	return pass(id, name, "none in the way").as("ok")
}

func (o Options) doctorConfined() (Check, bool) {
	cs := o.confinedBrowsers()
	if len(cs) == 0 {
		return Check{}, false
	}
	var lines []string
	for _, c := range cs {
		lines = append(lines, capital(c.sentence())+".")
	}
	return warn("confined", "Snap and Flatpak", strings.Join(lines, " "), "use a browser from its maker's package").as("found", strings.Join(lines, " ")), true
}

// Healthy says whether every check is OK.
func Healthy(checks []Check) bool {
	for _, c := range checks {
		if !c.OK {
			return false
		}
	}
	return true
}

// Text is what the CLI prints: a line a check, and under a fault what to do.
func Text(checks []Check) string {
	var b strings.Builder
	bad := 0
	for _, c := range checks {
		mark := "ok  "
		switch {
		case !c.OK:
			mark, bad = "FAIL", bad+1
		case c.Warning:
			mark = "note"
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", mark, c.Name, c.Detail)
		if c.Fix != "" {
			fmt.Fprintf(&b, "      → %s\n", c.Fix)
		}
	}
	switch bad {
	case 0:
		b.WriteString("\nAll checks passed.\n")
	case 1:
		b.WriteString("\n1 check failed.\n")
	default:
		fmt.Fprintf(&b, "\n%d checks failed.\n", bad)
	}
	return b.String()
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
