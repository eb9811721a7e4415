package control

import (
	"context"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// handleSettings registers the methods of the panel's settings.
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

// changeSettings makes a change that only the user may make, one at a time, and
// returns the new settings.
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
