package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tabwright/extension"
	"tabwright/host/config"
	"tabwright/host/native"
	"tabwright/host/native/wire"
	"tabwright/install"
)

// Examine is what doctor checks, for the command line and for the panel.
func Examine(ctx context.Context, userData string) ([]install.Check, error) {
	o, err := InstallOptions()
	if err != nil {
		return nil, err
	}
	o.UserDataDir, o.Broker, o.Model = userData, brokerProbe{}, modelProbe{}
	return append(install.Doctor(ctx, o), settingsCheck(), foldersCheck(), policyCheck(), auditCheck()), nil
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
		if c.ID == "broker" && errors.Is(d.reach(ctx), install.ErrNoBroker) {
			line.OK, line.Warning, line.Fix = false, false, wire.FixRestart
			line.Message, line.Hint = "it runs, and nobody else can reach it: its socket is gone or belongs to another", "start it over"
			line.Say, line.Args = "unreachable", nil
		}
		out = append(out, line)
	}
	return out, nil
}

func (d panelDoctor) reach(ctx context.Context) error {
	_, err := brokerProbe{}.Status(ctx)
	return err
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
	c.OK, c.Detail = false, text
	if config.Check(file) == nil {
		c.Say, c.Args = "elsewhere", []string{text}
		c.Fix = "correct or take out the variable or flag that is named"
		return c
	}
	c.Say, c.Args = "fault", []string{text}
	c.Fix = "correct what is named; what is wrong in the file tabwright doctor --fix takes out, and keeps the file as it was beside"
	c.Mend = wire.FixSettings
	return c
}

// foldersCheck is doctor's look at the folders that Tabwright writes to.
func foldersCheck() install.Check {
	d := config.Dirs()
	dirs := []string{d.Config, d.Data, filepath.Join(d.Data, "audit"), filepath.Join(d.Data, "files"), ProfilesDir(), d.State}
	if socket, err := native.SocketPath(); err == nil {
		dirs = append(dirs, filepath.Dir(socket))
	}
	var faults []string
	for _, dir := range dirs {
		if err := install.Writable(dir); err != nil && !slices.Contains(faults, err.Error()) {
			faults = append(faults, err.Error())
		}
	}
	c := install.Check{ID: "folders", Name: "Folders", OK: true, Detail: "can be written to", Say: "ok"}
	if len(faults) > 0 {
		text := strings.Join(faults, "; ")
		c.OK, c.Detail = false, text
		c.Say, c.Args = "closed", []string{text}
		c.Fix = "make each a folder that is yours and that you may write to, with room left on its disk"
	}
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
		c.Detail = "not in force, the careful preset is: " + p.Fault
		c.Fix = "mend it and run: tabwright policy check"
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
		c.OK, c.Detail, c.Fix = false, err.Error(), "see to it that you may read "+AuditLog().Path()
		c.Say, c.Args = "error", []string{err.Error(), AuditLog().Path()}
	case len(r.Faults) > 0:
		c.OK, c.Detail, c.Fix = false, r.Faults[0].What, "tabwright audit verify says where"
		c.Say, c.Args = "fault", []string{r.Faults[0].What}
	default:
		c.Detail = fmt.Sprintf("%d entries, whole", r.Entries)
		c.Say, c.Args = "ok", []string{strconv.Itoa(r.Entries)}
	}
	return c
}

// Mend does one of the fixes that need no person.
func Mend(ctx context.Context, userData, fix string) error {
	switch fix {
	case wire.FixSettings:
		return mendSettings()
	case install.MendRestart:
		_, err := StopBroker(ctx, false)
		return err
	}
	o, err := InstallOptions()
	if err != nil {
		return err
	}
	o.UserDataDir = userData
	return install.Mend(ctx, o, fix)
}

// InstallOptions is what install, uninstall and doctor share.
func InstallOptions() (install.Options, error) {
	bin, err := os.Executable()
	if err != nil {
		return install.Options{}, err
	}
	if bin, err = filepath.EvalSymlinks(bin); err != nil {
		return install.Options{}, err
	}
	o := install.Options{Binary: bin, ExtensionID: extension.ID, Extension: extension.Files()}
	if path, err := native.SocketPath(); err == nil {
		o.SocketDir = filepath.Dir(path)
	}
	return o, nil
}
