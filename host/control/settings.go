package control

import (
	"context"
	"time"

	"tabwright/host/agent"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// Settings is where the user's settings and keys are kept.
type Settings interface {
	// Show gives them as they stand. Keys are never in it.
	Show() (wire.SettingsInfo, error)
	// Set changes settings, all or none.
	Set(values map[string]string) error
	// SetKey and RemoveKey keep and forget a provider's key.
	SetKey(provider, key string) error
	RemoveKey(provider string) error
}

// TaskSettings is what a task takes from the user's settings when it begins.
type TaskSettings struct {
	Budget     agent.Budget
	UploadDirs []string
	SearchURL  string // with {query} in it; empty: action.DefaultSearchURL
	Critic     string // CriticAuto, CriticOn, CriticOff; empty is off
	Validator  string // auto, on or off, as Critic
	Lang       string // en, zh; empty: by the task's words
	// Forget removes a task from disk once it has ended and was seen.
	Forget bool
}

// settings are those of the moment: from Now, else the fields.
func (m *Manager) settings() TaskSettings {
	if m.Now != nil {
		return m.Now()
	}
	return TaskSettings{Budget: m.Budget, UploadDirs: m.UploadDirs, Critic: m.Critic}
}

// handleSettings sets the methods behind the panel's settings.
func (c *conn) handleSettings() {
	b := c.b
	on(c, wire.MethodSettingsShow, func(context.Context, *rpc.Channel, wire.Empty) (wire.SettingsInfo, error) {
		if b.Settings == nil {
			return wire.SettingsInfo{}, errNoSettings
		}
		return b.Settings.Show()
	})
	on(c, wire.MethodSettingsSet, func(_ context.Context, from *rpc.Channel, p wire.SettingsSetParams) (wire.SettingsInfo, error) {
		return c.changeSettings(from, func() error {
			err := b.Settings.Set(p.Values)
			_, provider := p.Values["provider"]
			_, model := p.Values["model"]
			if err == nil && (provider || model) {
				b.Manager.Models.ForgetChoice()
			}
			return err
		})
	})
	on(c, wire.MethodKeySet, func(_ context.Context, from *rpc.Channel, p wire.KeyParams) (wire.SettingsInfo, error) {
		return c.changeSettings(from, func() error { return b.Settings.SetKey(p.Provider, p.Key) })
	})
	on(c, wire.MethodKeyRemove, func(_ context.Context, from *rpc.Channel, p wire.KeyParams) (wire.SettingsInfo, error) {
		return c.changeSettings(from, func() error { return b.Settings.RemoveKey(p.Provider) })
	})
	on(c, wire.MethodPolicyGrant, c.onPolicyGrant)
	on(c, wire.MethodDoctorRun, func(ctx context.Context, _ *rpc.Channel, _ wire.Empty) (wire.DoctorReport, error) {
		return b.runDoctor(ctx)
	})
	on(c, wire.MethodDoctorFix, c.onDoctorFix)
}

var errNoSettings = &wire.Error{Code: wire.CodeInternal, Message: "This broker keeps no settings."}

// changeSettings runs a change that only the user may make, one at a time,
// and gives what came of it.
func (c *conn) changeSettings(from *rpc.Channel, change func() error) (wire.SettingsInfo, error) {
	if _, err := c.panel(from); err != nil {
		return wire.SettingsInfo{}, err
	}
	if c.b.Settings == nil {
		return wire.SettingsInfo{}, errNoSettings
	}
	c.b.changing.Lock()
	defer c.b.changing.Unlock()
	if err := change(); err != nil {
		return wire.SettingsInfo{}, err
	}
	return c.b.Settings.Show()
}

// onPolicyGrant allows or denies a class on a site. Only a panel may: what a
// program sends is not the user's word.
func (c *conn) onPolicyGrant(_ context.Context, from *rpc.Channel, p wire.PolicyGrantParams) (wire.PolicyInfo, error) {
	m := c.b.Manager
	if _, err := c.panel(from); err != nil {
		return wire.PolicyInfo{}, err
	}
	if m.Policies == nil {
		return wire.PolicyInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "There are no grants here."}
	}
	g := safety.Grant{Site: p.Site, Class: safety.Class(p.Class), Deny: p.Deny, By: ByPanel}
	if p.Days < 0 {
		return wire.PolicyInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "The number of days is below nothing.", Hint: "Give 1 or more, or leave it out."}
	}
	if p.Days > 0 {
		g.Created = time.Now()
		g.Expires = g.Created.AddDate(0, 0, min(p.Days, 10_000))
	}
	g, err := m.Policies.Grant(g)
	if err != nil {
		return wire.PolicyInfo{}, &wire.Error{
			Code: wire.CodeInvalidParams, Message: "That can't be granted: " + err.Error(),
			Hint: "Name a site such as shop.example and a class, for a year at most.",
		}
	}
	answer := "allow"
	if g.Deny {
		answer = "deny"
	}
	return m.policyInfo(), m.auditGrant("", g, answer)
}
