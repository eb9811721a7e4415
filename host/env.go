package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rs/zerolog"

	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/host/vault"
	"tabwright/install"
	"tabwright/llm"
)

// environment is how this process is set up.
type environment struct {
	cfg  config.Config
	keys config.Keys
}

// given is what the command line says of the settings, above file and
// environment. It holds in this process: a broker that runs already has its own.
var given config.Overrides

func loadEnv() (*environment, error) {
	cfg, err := config.Load(given)
	if err != nil {
		return nil, err
	}
	return &environment{cfg: cfg, keys: config.OpenKeys("")}, nil
}

// logger opens the log of a command that serves, and says on standard error
// where it can't; the log is silent then. done closes it.
func (e *environment) logger(name string) (log zerolog.Logger, done func()) {
	file, err := config.Logger(e.cfg.LogLevel, name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tabwright: no log file:", err)
		return zerolog.Nop(), func() {}
	}
	return file.Logger, func() { _ = file.Close() }
}

// manager gives what runs tasks with these settings.
func (e *environment) manager(j *journal.Journal, log zerolog.Logger) *control.Manager {
	return &control.Manager{
		Journal: j, Log: log, UploadDirs: e.cfg.UploadDirs, FilesDir: filepath.Join(config.Dirs().Data, "files"),
		Secrets:  vault.Open(""),
		Policies: config.OpenPolicies(), Audit: auditLog(), Now: (&liveSettings{last: e.cfg}).now,
		Models: &control.Models{
			Config: e.modelConfig, Ways: waysFile(),
			Save: func(provider, model string) error {
				return config.Save(config.Dirs().File, map[string]string{"provider": provider, "model": model})
			},
		},
	}
}

// waysFile keeps which way to an action works with which model.
func waysFile() *llm.FileWays {
	return &llm.FileWays{Path: filepath.Join(config.Dirs().State, "ways.json")}
}

// modelConfig reads the settings anew each time, so that a key or a provider
// that the person just set counts without a restart.
func (e *environment) modelConfig(provider string) (llm.Config, error) {
	cfg, err := config.Load(given)
	if err != nil {
		return llm.Config{}, err
	}
	return cfg.LLM(provider, e.keys)
}

// brokerProbe is the broker as doctor asks it.
type brokerProbe struct{}

func (brokerProbe) Status(ctx context.Context) (install.BrokerStatus, error) {
	c, err := dialBroker(ctx, false)
	if err != nil {
		return install.BrokerStatus{}, errors.Join(install.ErrNoBroker, err)
	}
	defer c.Close()
	var s native.BrokerStatus
	if err := c.Call(ctx, native.MethodBrokerStatus, native.Empty{}, &s); err != nil {
		return install.BrokerStatus{}, err
	}
	out := install.BrokerStatus{PID: s.PID, Version: s.Version, Socket: s.Socket, Binary: s.Binary}
	for _, r := range s.Relays {
		relay := install.Relay{
			Browser: r.Browser.Name + " " + r.Browser.Version, Profile: r.Profile, ExtensionID: r.ExtensionID,
			ExtensionVersion: r.Version, ShimPID: r.ShimPID, ShimPath: r.ShimBinary,
		}
		if r.PingError != "" {
			relay.PingErr = errors.New(r.PingError)
		}
		out.Relays = append(out.Relays, relay)
	}
	return out, nil
}

func (brokerProbe) TryAttach(ctx context.Context, profile string) error {
	c, err := dialBroker(ctx, false)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Call(ctx, native.MethodTryAttach, native.ProfileParams{Profile: profile}, nil)
}

// modelProbe is the model server as doctor asks it.
type modelProbe struct{}

func (modelProbe) Probe(ctx context.Context) (install.ModelStatus, error) {
	settings, _ := config.Load(given) // what is wrong there is another check's; the rest counts
	cfg, err := settings.LLM("", config.OpenKeys(""))
	if err != nil {
		return install.ModelStatus{Provider: cfg.Provider, Hint: "store the key again: tabwright key set " + cfg.Provider}, err
	}
	s := install.ModelStatus{Provider: cfg.Provider, URL: config.BareAddress(cfg.BaseURL), Model: cfg.Model}
	found, err := llm.ListModels(ctx, cfg)
	for _, m := range found {
		s.Models = append(s.Models, m.Name)
	}
	if err == nil && cfg.Model != "" && !slices.Contains(s.Models, cfg.Model) {
		err = unfit(ctx, cfg) // it is there, perhaps, and can't answer
	}
	var le *llm.Error
	if errors.As(err, &le) {
		s.Hint = le.Hint
	}
	if cfg.Model == "" && len(found) > 0 { // as control.Models does
		if s.Model, err = llm.Choose(found); err == nil {
			s.First = true
		} else if errors.As(err, &le) {
			s.Hint = le.Hint
		}
	}
	if err == nil && len(found) == 0 && cfg.Provider == "ollama" {
		s.Models, s.Hint = []string{}, "run: tabwright models pull "+llm.SuggestedModel(llm.MachineMemory())
	}
	return s, err
}

// unfit is the refusal of a model that can't answer, and nil for any other.
func unfit(ctx context.Context, cfg llm.Config) error {
	m, err := llm.New(ctx, cfg)
	if err != nil {
		return nil //nolint:nilerr // something else is wrong with it
	}
	if _, err := m.Capabilities(ctx); llm.CodeOf(err) == llm.CodeUnfit {
		return err
	}
	return nil
}
