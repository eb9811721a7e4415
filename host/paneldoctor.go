package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"tabwright/host/config"
	"tabwright/host/native"
	"tabwright/install"
)

// examine is what doctor checks, for the command line and for the panel.
func examine(ctx context.Context, userData string) ([]install.Check, error) {
	o, err := installOptions()
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
func (d panelDoctor) Examine(ctx context.Context) ([]native.CheckLine, error) {
	checks, err := examine(ctx, "")
	if err != nil {
		return nil, err
	}
	out := make([]native.CheckLine, 0, len(checks))
	for _, c := range checks {
		line := native.CheckLine{ID: c.ID, Name: c.Name, OK: c.OK, Warning: c.Warning, Message: c.Detail, Hint: c.Fix, Fix: c.Mend, Say: c.Say, Args: c.Args}
		if c.ID == "broker" && errors.Is(d.reach(ctx), install.ErrNoBroker) {
			line.OK, line.Warning, line.Fix = false, false, native.FixRestart
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
func (panelDoctor) Mend(ctx context.Context, fix string) error { return mend(ctx, "", fix) }

func mendSettings() error {
	_, err := config.Mend(settingsFile())
	return err
}

// settingsCheck is doctor's look at the settings: the file, and what variables and
// flags say.
func settingsCheck() install.Check {
	file := settingsFile()
	c := install.Check{ID: "settings", Name: "Settings", OK: true, Detail: file, Say: "ok", Args: []string{file}}
	if kept := config.Kept(file); kept != "" {
		c.Detail = file + "; as it was before it was mended: " + kept
		c.Say, c.Args = "kept", []string{file, kept}
	}
	_, err := config.Load(given)
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
	c.Mend = native.FixSettings
	return c
}

// foldersCheck is doctor's look at the folders that Tabwright writes to.
func foldersCheck() install.Check {
	d := config.Dirs()
	dirs := []string{d.Config, d.Data, filepath.Join(d.Data, "audit"), filepath.Join(d.Data, "files"), profilesDir(), d.State}
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
