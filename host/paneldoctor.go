package main

import (
	"context"
	"errors"
	"strings"

	"tabwright/host/config"
	"tabwright/host/native"
	"tabwright/install"
)

// examine is what doctor checks, for the command line and for the panel.
func examine(ctx context.Context, env *environment, userData string) ([]install.Check, error) {
	o, err := installOptions()
	if err != nil {
		return nil, err
	}
	o.UserDataDir, o.Broker, o.Model = userData, brokerProbe{}, modelProbe{env}
	return append(install.Doctor(ctx, o), settingsCheck(), policyCheck(), auditCheck()), nil
}

// panelDoctor is the doctor inside the broker.
type panelDoctor struct{ env *environment }

// Examine tries the whole chain. That the broker runs is known here: one that
// can't be reached through its socket is to be started over.
func (d panelDoctor) Examine(ctx context.Context) ([]native.CheckLine, error) {
	checks, err := examine(ctx, d.env, "")
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
func (d panelDoctor) Mend(ctx context.Context, fix string) error {
	if fix == native.FixSettings {
		_, err := config.Mend(settingsFile())
		return err
	}
	o, err := installOptions()
	if err != nil {
		return err
	}
	return install.Mend(ctx, o, fix)
}

// settingsCheck is doctor's look at the settings file.
func settingsCheck() install.Check {
	file := settingsFile()
	c := install.Check{ID: "settings", Name: "Settings", OK: true, Detail: file, Say: "ok", Args: []string{file}}
	if kept := config.Kept(file); kept != "" {
		c.Detail = file + "; as it was before it was mended: " + kept
		c.Say, c.Args = "kept", []string{file, kept}
	}
	if err := config.Check(file); err != nil {
		text := strings.ReplaceAll(err.Error(), "\n", "; ")
		c.OK, c.Detail = false, text
		c.Say, c.Args = "fault", []string{text}
		c.Fix, c.Mend = "mend the file; About in the settings of the panel can do it, and keeps the file as it was beside", native.FixSettings
	}
	return c
}
