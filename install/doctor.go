package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Check is the result for one part of the chain from the browser to the model. A
// check that is OK may still have a Warning: it works, but the user should know
// something about it.
type Check struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Warning bool   `json:"warning,omitempty"`
	Detail  string `json:"detail"`
	Fix     string `json:"fix,omitempty"`
	// Command is the advice as a line for a shell, if there is one.
	Command string `json:"command,omitempty"`
	// Say names what was found, the same in every language; Args are the values
	// in the sentence. The part of ID before the first dot and Say together
	// identify the sentence.
	Say  string   `json:"say,omitempty"`
	Args []string `json:"args,omitempty"`
	// Mend is the id of a repair that a program can do by itself: one of the
	// constants below, or one that the broker can do. It is empty if only a user
	// can repair it.
	Mend string `json:"mend,omitempty"`
}

// Code returns a name for what was found, for programs: it stays the same in
// later versions. That of a check that passed ends in ok.
func (c Check) Code() string {
	family, _, _ := strings.Cut(c.ID, ".")
	return family + "." + c.Say
}

// Repairs that need no user.
const (
	MendProgram   = "program"   // Mend corrects the permissions of the program's file
	MendManifest  = "manifest"  // Mend writes the registrations again
	MendExtension = "extension" // Mend writes the extension's folder again
	MendStrays    = "strays"    // Mend sets aside copies of our manifest that no browser uses
	MendReload    = "reload"    // the extension reloads itself
	MendRestart   = "restart"   // the broker ends, so that a new one starts
)

// Fault is one thing that is wrong, or, with Note, that the user should know.
// Probes return it as an error.
type Fault struct {
	Say     string
	Args    []string
	Detail  string
	Fix     string
	Command string
	Mend    string
	Note    bool
}

// Error returns what is wrong.
func (f *Fault) Error() string { return f.Detail }

// Check returns the check that found it.
func (f *Fault) Check(id, name string) Check {
	return Check{
		ID: id, Name: name, OK: f.Note, Warning: f.Note, Detail: f.Detail, Fix: f.Fix, Command: f.Command,
		Say: f.Say, Args: f.Args, Mend: f.Mend,
	}
}

// Checks returns a check for each fault, with an id of its own, or passed if
// there is no fault.
func Checks(passed Check, faults []Fault) []Check {
	if len(faults) == 0 {
		return []Check{passed}
	}
	var out []Check
	for _, f := range faults {
		out = append(out, f.Check(passed.ID+"."+f.Say, passed.Name))
	}
	return out
}

// as sets Say and Args, which say the same as Detail, so that it can be said in
// another language.
func (c Check) as(say string, args ...string) Check {
	c.Say, c.Args = say, args
	return c
}

func (c Check) mendable(id string) Check {
	c.Mend = id
	return c
}

// command sets the advice as a line for a shell.
func (c Check) command(line string) Check {
	c.Command = line
	return c
}

func pass(id, name, detail string) Check {
	return Check{ID: id, Name: name, OK: true, Detail: detail}
}

func warn(id, name, detail, fix string) Check {
	return Check{ID: id, Name: name, OK: true, Warning: true, Detail: detail, Fix: fix}
}

func fail(id, name, detail, fix string) Check {
	c := Check{ID: id, Name: name, Detail: detail, Fix: fix}
	if fix == reinstall {
		c.Command = "tabwright install"
	}
	return c
}

// failed returns the check for an error of this package.
func failed(id, name string, err error) Check {
	c := fail(id, name, err.Error(), reinstall).as("error", err.Error())
	var e *Error
	if errors.As(err, &e) {
		c.Fix, c.Command = e.Hint, ""
	}
	return c
}

const reinstall = "run tabwright install"

// shellWord quotes a path for a shell if it needs quotes.
func shellWord(path string) string {
	plain := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,:@", r))
	}
	if strings.ContainsFunc(path, plain) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// Doctor checks the whole chain: the program, the extension on disk, each
// browser's registration, policies, the running broker with its connected
// browsers, and the model. The checks do not depend on one another, so that one
// fault does not hide the next.
func Doctor(ctx context.Context, o Options) []Check {
	o = o.withDefaults()
	if err := o.supported(); err != nil {
		return []Check{failed("system", "Operating system", err)}
	}
	o.Binary = o.stablePath(o.Binary)
	checks := []Check{o.doctorBinary(), o.doctorExtension()}
	ps, err := o.registrations()
	if err != nil {
		return append(checks, failed("browsers", "Browsers", err))
	}
	checks = append(checks, o.doctorBrowsers(ps)...)
	checks = append(checks, o.doctorVersions(ps)...)
	checks = append(checks, o.doctorDuplicates(ps)...)
	checks = append(checks, o.doctorPolicies(ps)...)
	checks = append(checks, o.doctorConfined()...)
	status, broker := o.doctorBroker(ctx)
	checks = append(checks, broker...)
	checks = append(checks, o.doctorLoaded(ps, status)...)
	if c, ok := o.doctorModel(ctx); ok {
		checks = append(checks, c)
	}
	return checks
}

// reloadFolder is what is to be done where the extension is loaded from its folder,
// once that is current.
const reloadFolder = ", then click the reload arrow of Tabwright in chrome://extensions"

// What to do about a program that does not work, or not for long.
const (
	reinstallProgram = "install Tabwright again, as you did before (from source: make build)"
	moveProgram      = "move it to a permanent folder, and from there run tabwright install"
)

func (o Options) doctorBinary() Check {
	const id, name = "binary", "Program"
	if o.Binary == "" {
		return fail(id, name, pathUnknown, pathHint()).as("no_path")
	}
	if p := program(o.OS, o.Binary); p != nil {
		c := fail(id, name, o.Binary+" "+p.text, reinstallProgram).as(p.say, o.Binary, p.text)
		if p.say == "not_executable" {
			c = c.mendable(MendProgram)
			c.Fix, c.Command = "make it executable", "chmod u+x "+shellWord(o.Binary)
		}
		return c
	}
	// On Windows the mode of a file tells only whether it is read-only.
	if st, err := os.Stat(o.Binary); err == nil && st.Mode().Perm()&0o002 != 0 && o.OS != "windows" {
		return warn(id, name, "every user of this computer can overwrite "+o.Binary+", and the browser would start what they put there", "remove the right of others to write to it").as("open_to_all", o.Binary).command("chmod o-w " + shellWord(o.Binary)).mendable(MendProgram)
	}
	if inTemp(o.Binary) {
		return warn(id, name, o.Binary+" is in a temporary folder and may vanish", moveProgram).as("temporary", o.Binary)
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
		return o.extensionMend(fail(id, name, fmt.Sprintf("the folder has version %s, the program version %s", onDisk.version(), want.version()), reinstall+reloadFolder).as("other_version", onDisk.version(), want.version()).command("tabwright install"))
	case !same:
		return o.extensionMend(fail(id, name, "files in "+dir+" differ from those of this program", reinstall+reloadFolder).as("differs", dir).command("tabwright install"))
	}
	return pass(id, name, fmt.Sprintf("%s, version %s, id %s", dir, onDisk.version(), got)).as("ok", dir, onDisk.version(), got)
}

// extensionMend sets MendExtension if there is an extension that Mend could write.
func (o Options) extensionMend(c Check) Check {
	if o.checkExtension(&Report{}) == nil {
		c.Mend = MendExtension
	}
	return c
}

// doctorBrowsers returns a check for each browser that is there.
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

// doctorRegistration returns the first fault of the registration with a browser,
// or a check that passed.
func (o Options) doctorRegistration(p place) Check {
	id, name := "manifest."+p.ID, "Registration with "+p.Name
	var c Check
	for _, where := range o.own(p) {
		m, err := o.readOwn(where)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fail(id, name, where+" is missing", reinstall).as("missing", where).mendable(MendManifest)
		case err != nil:
			say := "unreadable"
			if p := (*phrase)(nil); errors.As(err, &p) {
				say = p.say
			}
			return fail(id, name, fmt.Sprintf("%s: %v", where, err), reinstall).as(say, where, err.Error()).mendable(MendManifest)
		}
		if fs := m.faults(o); len(fs) > 0 {
			var texts []string
			for _, f := range fs {
				texts = append(texts, f.text)
			}
			text := strings.Join(texts, "; it ")
			return fail(id, name, where+" "+text, reinstall).as(fs[0].say, where, text).mendable(MendManifest)
		}
		c = pass(id, name, where).as("ok", where)
	}
	return c
}

// doctorDuplicates looks for a common fault of native hosts: another program that
// answers for the same extension, or an old copy.
func (o Options) doctorDuplicates(ps []place) []Check {
	var faults []Fault
	seen := map[string]bool{}
	for _, p := range ps {
		for _, r := range o.hosts(p) {
			if seen[r.where] {
				continue
			}
			seen[r.where] = true
			switch {
			case !r.ours && r.m.Name == HostName && !r.system:
				f := Fault{
					Say: "stray", Args: []string{r.where}, Detail: fmt.Sprintf("%s has our name inside a file of another name; %s will not use it", r.where, p.Name),
					Fix: "remove it", Command: o.removing(r.where),
				}
				if o.OS != "windows" {
					f.Mend = MendStrays
				}
				faults = append(faults, f)
			case !r.ours && slices.ContainsFunc(o.ids(), func(id string) bool { return allows(r.m, id) }):
				faults = append(faults, Fault{
					Say: "second_host", Args: []string{r.where, r.m.Path, r.m.Name},
					Detail: fmt.Sprintf("%s lets another program (%s, host %s) talk to the extension", r.where, r.m.Path, r.m.Name),
					Fix:    "remove it, if you did not put it there", Command: o.removing(r.where),
				})
			case r.ours && r.system && o.Binary != "" && !sameFile(r.m.Path, o.Binary):
				f := Fault{
					Say: "system_copy", Args: []string{r.where, r.m.Path},
					Detail: fmt.Sprintf("%s registers another copy (%s) for everybody on this computer", r.where, r.m.Path),
					Fix:    "remove it, or ask your administrator to remove it", Command: o.removing(r.where),
				}
				if o.OS != "windows" {
					f.Command = "sudo " + f.Command
				}
				faults = append(faults, f)
			}
		}
	}
	return numbered(Checks(pass("duplicates", "Other registrations", "none").as("ok"), faults))
}

// removing returns a line for a shell that removes a registration.
func (o Options) removing(where string) string {
	if o.OS == "windows" {
		return `reg delete "` + where + `" /f`
	}
	return "rm " + shellWord(where)
}

// numbered appends numbers to the ids of checks that have the same id.
func numbered(checks []Check) []Check {
	seen := map[string]int{}
	for i, c := range checks {
		if seen[c.ID]++; seen[c.ID] > 1 {
			checks[i].ID = fmt.Sprintf("%s.%d", c.ID, seen[c.ID])
		}
	}
	return checks
}

func allows(m hostManifest, extensionID string) bool {
	return slices.Contains(m.AllowedOrigins, Origin(extensionID))
}

func (o Options) doctorPolicies(ps []place) []Check {
	var found []place
	for _, p := range ps {
		if p.found {
			found = append(found, p)
		}
	}
	var faults []Fault
	for _, f := range o.policyFindings(found) {
		faults = append(faults, Fault{
			Say: f.say, Args: []string{f.browser, f.dir}, Detail: f.sentence(),
			Fix: "ask your administrator, or use a browser that is not managed",
		})
	}
	return numbered(Checks(pass("policies", "Policies", "none in the way").as("ok"), faults))
}

func (o Options) doctorConfined() []Check {
	var out []Check
	for _, c := range o.confinedBrowsers() {
		f := Fault{
			Say: strings.ToLower(c.how), Args: []string{c.Name, c.dir}, Detail: capital(c.sentence()) + ".",
			Fix: "use a browser from its maker's package", Note: true,
		}
		out = append(out, f.Check("confined."+f.Say, "Snap and Flatpak"))
	}
	return numbered(out)
}

// doctorVersions returns a check for each browser that is too old for the
// extension, by the version that it wrote into its user data folder when it last
// ran.
func (o Options) doctorVersions(ps []place) []Check {
	want := 0
	if o.Extension != nil {
		if m, err := readExtManifest(o.Extension); err == nil {
			want = major(m.MinimumChrome)
		}
	}
	var out []Check
	for _, p := range ps {
		b, err := os.ReadFile(filepath.Join(p.dir, "Last Version"))
		is := major(string(b))
		if !p.found || err != nil || is == 0 || is >= want {
			continue
		}
		f := Fault{
			Say: "too_old", Args: []string{p.Name, strings.TrimSpace(string(b)), strconv.Itoa(want)},
			Detail: fmt.Sprintf("%s was at version %s when it ran last; Tabwright wants %d or newer", p.Name, strings.TrimSpace(string(b)), want),
			Fix:    "update the browser and start it once",
		}
		if is < sidePanelSince {
			f.Say, f.Detail = "no_side_panel", f.Detail+", and this one has no side panel for extensions"
		}
		out = append(out, f.Check("version."+p.ID, "Version of "+p.Name))
	}
	return out
}

// sidePanelSince is the first Chrome in which extensions have a side panel.
const sidePanelSince = 114

// major returns the first number of a version, or 0.
func major(version string) int {
	first, _, _ := strings.Cut(strings.TrimSpace(version), ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return n
}

// Healthy reports whether every check is OK.
func Healthy(checks []Check) bool {
	for _, c := range checks {
		if !c.OK {
			return false
		}
	}
	return true
}

// Text returns what the CLI prints: a line for each check, and below a fault what
// to do.
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
		fmt.Fprintf(&b, "%s  %s: %s", mark, c.Name, c.Detail)
		if c.OK && !c.Warning {
			b.WriteString("\n")
			continue
		}
		fmt.Fprintf(&b, " [%s]\n", c.Code())
		if c.Fix != "" {
			fmt.Fprintf(&b, "      → %s\n", c.Advice())
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

// Advice returns what to do, with the command for it if the words do not contain
// it.
func (c Check) Advice() string {
	if c.Command == "" || strings.Contains(c.Fix, c.Command) {
		return c.Fix
	}
	return c.Fix + ": " + c.Command
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
