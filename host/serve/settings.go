package serve

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"time"

	"tabwright/host/agent"
	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// panelSettings is the user's settings and keys as the panel shows and
// changes them.
type panelSettings struct{ env *Environment }

// Show gives the settings with their sources, and which keys there are.
func (s panelSettings) Show() (wire.SettingsInfo, error) {
	none := wire.SettingsInfo{Settings: []wire.Setting{}, Keys: []wire.KeyInfo{}}
	states, err := config.States(Overrides)
	if err != nil {
		return none, settingsFault(err)
	}
	out := wire.SettingsInfo{File: SettingsFile()}
	provider := ""
	for _, st := range states {
		if st.Name == "provider" {
			provider = st.Value
		}
		out.Settings = append(out.Settings, wire.Setting{
			Name: st.Name, Value: st.Value, Default: st.Default, Source: string(st.Source), Fixed: st.Fixed(), Choices: st.Choices, Help: st.Doc,
		})
	}
	keys, err := config.KeyStates(s.env.Keys, provider)
	if err != nil {
		return none, settingsFault(err)
	}
	for _, k := range keys {
		info := wire.KeyInfo{Provider: k.Provider, Needed: k.Needed, Console: k.Page}
		switch {
		case k.Env != "":
			info.Source = "env"
		case k.Stored:
			info.Source = "stored"
		}
		out.Keys = append(out.Keys, info)
	}
	return out, nil
}

// SettingsFile is the file that settings are read from and kept in.
func SettingsFile() string {
	if Overrides.Path != "" {
		return Overrides.Path
	}
	return config.Dirs().File
}

// settingsFault is a file, variable or key store that can't be used.
func settingsFault(err error) error {
	e := &wire.Error{
		Code: wire.CodeSettings, Message: strings.ReplaceAll(err.Error(), "\n", "; "),
		Hint: "Mend " + SettingsFile() + ", or what is named here.",
	}
	if config.Check(SettingsFile()) != nil {
		e.Data = data(wire.FaultData{Fix: wire.FixSettings})
	}
	return e
}

// data is an error's data; what can't be written is left out.
func data(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

// refuse adds to d what is wrong with a setting or key.
func refuse(d *wire.RefusedData, name string, err error) {
	d.Settings[name] = err.Error()
	var v *config.ValueError
	if errors.As(err, &v) {
		d.Say[name] = wire.SaidOf{Say: v.Say, Args: v.Args}
	}
}

func newRefused() wire.RefusedData {
	return wire.RefusedData{Settings: map[string]string{}, Say: map[string]wire.SaidOf{}}
}

// Set changes settings, all or none. The error names each that was refused.
func (s panelSettings) Set(values map[string]string) error {
	err := config.Change(Overrides, values)
	if err == nil {
		return nil
	}
	refused := newRefused()
	var many interface{ Unwrap() []error }
	if errors.As(err, &many) {
		for _, e := range many.Unwrap() {
			var c *config.ChangeError
			if errors.As(e, &c) {
				refuse(&refused, c.Name, c.Err)
			}
		}
	}
	if len(refused.Settings) == 0 {
		return settingsFault(err)
	}
	return &wire.Error{
		Code: wire.CodeInvalidParams, Message: "Nothing was changed: " + strings.ReplaceAll(err.Error(), "\n", "; "), Data: data(refused),
	}
}

// SetKey keeps a provider's key where config keeps keys.
func (s panelSettings) SetKey(provider, key string) error {
	k := config.Secret(strings.TrimSpace(key))
	if err := config.CheckKey(provider, k); err != nil {
		refused := newRefused()
		refuse(&refused, "key."+provider, err)
		return &wire.Error{Code: wire.CodeInvalidParams, Message: "The key was not kept: " + err.Error() + ".", Data: data(refused)}
	}
	if _, err := s.env.Keys.Set(provider, k); err != nil {
		return settingsFault(err)
	}
	return nil
}

// RemoveKey forgets a provider's stored key.
func (s panelSettings) RemoveKey(provider string) error {
	if err := config.CheckKey(provider, "x"); err != nil {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: err.Error()}
	}
	if err := s.env.Keys.Delete(provider); err != nil {
		return settingsFault(err)
	}
	return nil
}

// liveSettings reads the settings anew whenever a task begins, so that what the
// user changed counts for the next one. A file that can't be read leaves
// those that were good last.
type liveSettings struct {
	mu   sync.Mutex
	last config.Config
}

func (l *liveSettings) now() control.TaskSettings {
	l.mu.Lock()
	defer l.mu.Unlock()
	if cfg, err := config.Load(Overrides); err == nil {
		l.last = cfg
	}
	c := l.last
	return control.TaskSettings{
		Budget:     agent.Budget{Steps: c.Budgets.Steps, Tokens: c.Budgets.Tokens, Time: time.Duration(math.Round(c.Budgets.Minutes * float64(time.Minute))), Money: c.Budgets.Money},
		UploadDirs: c.UploadDirs, SearchURL: c.SearchURL(), Critic: c.Critic, Validator: c.Validator, Lang: c.Lang, Forget: c.History == "none",
	}
}
