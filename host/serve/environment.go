// Package serve builds the broker, the shim that Chrome starts, and the doctor from the
// settings. The command line uses it.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rs/zerolog"

	"tabwright/extension"
	"tabwright/host/browser/launch"
	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/host/vault"
	"tabwright/llm"
)

// Version is that of the extension inside: they are of one build.
var Version = cmp.Or(extension.Version(), "dev")

// ErrNotBuilt is what can't be done without the extension.
var ErrNotBuilt = errors.New("this binary was built without the extension; build it with make build")

// Environment is how this process is set up.
type Environment struct {
	Config config.Config
	Keys   config.Keys
}

// Overrides is what the command line says of the settings, above file and
// environment. It holds in this process: a broker that runs already has its own.
var Overrides config.Overrides

// Load reads the settings and opens the store of keys.
func Load() (*Environment, error) {
	cfg, err := config.Load(Overrides)
	if err != nil {
		return nil, err
	}
	return &Environment{Config: cfg, Keys: config.OpenKeys("")}, nil
}

// Logger opens the log of a command that serves, and says on standard error
// where it can't; the log is silent then. done closes it.
func (e *Environment) Logger(name string) (log zerolog.Logger, done func()) {
	file, err := config.Logger(e.Config.LogLevel, name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tabwright: no log file:", err)
		return zerolog.Nop(), func() {}
	}
	return file.Logger, func() { _ = file.Close() }
}

// Manager gives what runs tasks with these settings.
func (e *Environment) Manager(j *journal.Journal, log zerolog.Logger) *control.Manager {
	return &control.Manager{
		Journal: j, Log: log, UploadDirs: e.Config.UploadDirs, FilesDir: filepath.Join(config.Dirs().Data, "files"),
		Secrets:  vault.Open(""),
		Policies: config.OpenPolicies(), Audit: AuditLog(), Now: (&liveSettings{last: e.Config}).now,
		Models: &models.Catalog{
			Config: e.ModelConfig, Ways: WaysFile(),
			Save: func(provider, model string) error {
				return config.Save(config.Dirs().File, map[string]string{"provider": provider, "model": model})
			},
		},
	}
}

// WaysFile keeps which way to an action works with which model.
func WaysFile() *llm.FileWays {
	return &llm.FileWays{Path: filepath.Join(config.Dirs().State, "ways.json")}
}

// ModelConfig reads the settings anew each time, so that a key or a provider
// that the user just set counts without a restart.
func (e *Environment) ModelConfig(provider string) (llm.Config, error) {
	cfg, err := config.Load(Overrides)
	if err != nil {
		return llm.Config{}, err
	}
	return cfg.LLM(provider, e.Keys)
}

// Unfit is the refusal of a model that can't answer, and nil for any other.
func Unfit(ctx context.Context, cfg llm.Config) error {
	m, err := llm.New(ctx, cfg)
	if err != nil {
		return nil //nolint:nilerr // something else is wrong with it
	}
	if _, err := m.Capabilities(ctx); llm.CodeOf(err) == llm.CodeUnfit {
		return err
	}
	return nil
}

// AuditLog is the audit log in its usual place.
func AuditLog() *journal.Audit {
	return journal.NewAudit(filepath.Join(config.Dirs().Data, "audit", "audit.log"))
}

// WithLaunch says how a browser is launched for a session: as the settings and
// the environment have it.
func (e *Environment) WithLaunch(p wire.SessionOpenParams) (wire.SessionOpenParams, error) {
	if p.Lang == "" {
		p.Lang = e.Config.Lang
	}
	if p.Launch == nil && control.IsOwn(p.Profile) {
		p.Launch = &wire.SessionLaunch{}
	}
	if p.Launch == nil {
		return p, nil
	}
	args, err := launch.EnvArgs()
	if err != nil {
		return p, err
	}
	p.Launch.Browser, p.Launch.Args, p.Launch.Env = e.Config.Browser, slices.Clone(args), DisplayEnv()
	return p, nil
}

// DisplayEnv is where a launched browser's window goes: the broker may have
// been started elsewhere.
func DisplayEnv() []string {
	var out []string
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"} {
		if v := os.Getenv(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return out
}
