package serve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"tabwright/extension"
	"tabwright/host/config"
	"tabwright/host/native"
	"tabwright/host/native/wire"
	"tabwright/install"
)

// Adjust changes, where it is set, the options of install, uninstall and doctor;
// for tests.
var Adjust func(*install.Options)

// Examine is what doctor checks, for the command line and for the panel.
func Examine(ctx context.Context, userData string) ([]install.Check, error) {
	o, _ := InstallOptions() // where the program is not found, the first check says so
	o.UserDataDir = userData
	checks := append(install.Doctor(ctx, o), settingsCheck())
	checks = append(checks, foldersChecks(o)...)
	checks = append(checks, journalCheck(), keysCheck(), policyCheck(), auditCheck(), clockCheck(o))
	checks = append(checks, profilesChecks()...)
	return append(checks, launchChecks(ctx)...), nil
}

// panelDoctor is the doctor inside the broker.
type panelDoctor struct{}

// Examine tries the whole chain. That the broker runs is known here: one that
// can't be reached through its socket is to be started over.
func (d panelDoctor) Examine(ctx context.Context) ([]wire.CheckLine, error) {
	checks, err := Examine(ctx, "")
	if err != nil {
		return nil, err
	}
	out := make([]wire.CheckLine, 0, len(checks))
	for _, c := range checks {
		line := wire.CheckLine{ID: c.ID, Name: c.Name, OK: c.OK, Warning: c.Warning, Message: c.Detail, Hint: c.Fix, Fix: c.Mend, Say: c.Say, Args: c.Args}
		if c.ID == "broker" && d.unreachable(ctx) {
			line.OK, line.Warning, line.Fix = false, false, wire.FixRestart
			line.Message, line.Hint = "it runs, and nobody else can reach it: its socket is gone or belongs to another", "start it over"
			line.Say, line.Args = "unreachable", nil
		}
		out = append(out, line)
	}
	return out, nil
}

func (panelDoctor) unreachable(ctx context.Context) bool {
	_, err := brokerProbe{}.Status(ctx)
	var f *install.Fault
	return errors.Is(err, install.ErrNoBroker) || errors.As(err, &f)
}

// Mend does a fix of the installation or of the settings file.
func (panelDoctor) Mend(ctx context.Context, fix string) error { return Mend(ctx, "", fix) }

func mendSettings() error {
	_, err := config.Mend(SettingsFile())
	return err
}

// settingsCheck is doctor's look at the settings: the file, and what variables and
// flags say.
func settingsCheck() install.Check {
	file := SettingsFile()
	c := install.Check{ID: "settings", Name: "Settings", OK: true, Detail: file, Say: "ok", Args: []string{file}}
	if kept := config.Kept(file); kept != "" {
		c.Detail = file + "; as it was before it was mended: " + kept
		c.Say, c.Args = "kept", []string{file, kept}
	}
	_, err := config.Load(Overrides)
	if err == nil {
		return c
	}
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	c.OK, c.Detail, c.Args = false, text, []string{text}
	inFile := config.Check(file)
	if inFile == nil {
		c.Say = "elsewhere"
		c.Fix = "correct or remove the named variable or flag"
		return c
	}
	c.Say = "fault"
	if e := (*config.Error)(nil); errors.As(inFile, &e) && e.Say != "" {
		c.Say = e.Say
	}
	c.Fix = "correct it yourself, or let tabwright doctor --fix remove what is wrong; it keeps a copy of the file"
	c.Command, c.Mend = "tabwright doctor --fix", wire.FixSettings
	return c
}

// policyCheck is doctor's look at the policy.
func policyCheck() install.Check {
	store := config.OpenPolicies()
	p := store.Now()
	c := install.Check{
		ID: "policy", Name: "Policy", OK: p.Fault == "", Detail: fmt.Sprintf("preset %s, %d grants", p.Name(), len(p.Grants)),
		Say: "ok", Args: []string{p.Name(), strconv.Itoa(len(p.Grants))},
	}
	if !c.OK {
		c.Detail = "not used, the careful preset holds: " + p.Fault
		c.Fix, c.Command = "fix it and run: tabwright policy check", "tabwright policy check"
		c.Say, c.Args = "fault", []string{p.Fault}
	}
	return c
}

// auditCheck is doctor's look at the audit log.
func auditCheck() install.Check {
	c := install.Check{ID: "audit", Name: "Audit log", OK: true}
	r, err := AuditLog().Verify()
	switch {
	case err != nil:
		c.OK, c.Detail, c.Fix = false, err.Error(), "make sure that you may read "+AuditLog().Path()
		c.Say, c.Args = "error", []string{err.Error(), AuditLog().Path()}
	case len(r.Faults) > 0:
		c.OK, c.Detail, c.Fix = false, r.Faults[0].What, "tabwright audit verify says where"
		c.Command = "tabwright audit verify"
		c.Say, c.Args = "fault", []string{r.Faults[0].What}
	default:
		c.Detail = fmt.Sprintf("%d entries, whole", r.Entries)
		c.Say, c.Args = "ok", []string{strconv.Itoa(r.Entries)}
	}
	return c
}

// Mend does one of the fixes that need no user.
func Mend(ctx context.Context, userData, fix string) error {
	o, err := InstallOptions()
	if err != nil {
		return err
	}
	o.UserDataDir = userData
	switch fix {
	case wire.FixSettings:
		return mendSettings()
	case wire.FixFolders:
		return mendFolders(o)
	case wire.FixSocket:
		return mendSocket(ctx)
	case wire.FixJournal:
		return mendJournal()
	case wire.FixKeys:
		return config.MendKeys()
	case wire.FixModel:
		return mendModel(ctx)
	case wire.FixProfiles:
		return mendProfiles()
	}
	return install.Mend(ctx, o, fix)
}

// InstallOptions is what install, uninstall and doctor share. The error says why the
// program's own path is missing in them.
func InstallOptions() (install.Options, error) {
	_, bin, err := install.OwnProgram()
	o := install.Options{Binary: bin, ExtensionID: extension.ID, OtherIDs: extension.IDs()[1:], StoreID: extension.StoreID, Extension: extension.Files()}
	if path, err := native.SocketPath(); err == nil {
		o.SocketDir = filepath.Dir(path)
	}
	o.Broker, o.Model = brokerProbe{}, modelProbe{}
	if Adjust != nil {
		Adjust(&o)
	}
	return o, err
}
