package control

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"tabwright/host/agent"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// kept are Settings in memory.
type kept struct {
	values map[string]string
	keys   map[string]string
}

func (k *kept) Show() (wire.SettingsInfo, error) {
	out := wire.SettingsInfo{Settings: []wire.Setting{{Name: "model", Value: k.values["model"]}}, Keys: []wire.KeyInfo{}}
	for p := range k.keys {
		out.Keys = append(out.Keys, wire.KeyInfo{Provider: p, Source: "stored"})
	}
	return out, nil
}
func (k *kept) Set(v map[string]string) error { k.values = v; return nil }
func (k *kept) SetKey(p, key string) error    { k.keys[p] = key; return nil }
func (k *kept) RemoveKey(p string) error      { delete(k.keys, p); return nil }

// mended is a Doctor that remembers what it did.
type mended struct{ fixes []string }

func (m *mended) Examine(context.Context) ([]wire.CheckLine, error) {
	return []wire.CheckLine{{ID: "binary", Name: "Program", OK: true}}, nil
}

func (m *mended) Mend(_ context.Context, fix string) error {
	m.fixes = append(m.fixes, fix)
	return nil
}

// Settings, keys, grants, fixes and the models of Ollama are changed by the panel and by nobody else:
// neither a command line nor the relay outside a panel's channel.
func TestSettingsArePanelsOnly(t *testing.T) {
	set, doctor := &kept{keys: map[string]string{}}, &mended{}
	own := &rules{}
	log := journal.NewAudit(filepath.Join(t.TempDir(), "audit.log"))
	dial, _, _ := startBroker(t, func(b *Broker) {
		b.Settings, b.Doctor, b.Manager.Policies, b.Manager.Audit = set, doctor, own, log
		b.Manager.Models.Config = func(string) (llm.Config, error) { return llm.Config{}, errors.New("no server") }
		if err := b.Manager.Models.Use(t.Context(), "ollama/old"); err != nil {
			t.Error(err)
		}
	})
	relay, cli := dial(), dial()
	for p, role := range map[*rpc.Peer]string{relay: wire.RoleRelay, cli: wire.RoleCLI} {
		p.Start()
		if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(role)); err != nil {
			t.Fatal(err)
		}
	}
	changes := map[string]any{
		wire.MethodSettingsSet: wire.SettingsSetParams{Values: map[string]string{"model": "new"}},
		wire.MethodKeySet:      wire.KeyParams{Provider: "openai", Key: "sk-1"},
		wire.MethodKeyRemove:   wire.KeyParams{Provider: "openai"},
		wire.MethodPolicyGrant: wire.PolicyGrantParams{Site: "mail.test", Class: "communicate", Days: 7},
		wire.MethodDoctorFix:   wire.DoctorFixParams{Fix: wire.FixManifest},
		wire.MethodModelPull:   wire.ModelRef{ID: "qwen3.5:4b"}, wire.MethodModelPullStop: wire.ModelRef{ID: "qwen3.5:4b"},
		wire.MethodModelWarm: wire.WarmParams{Lang: "en"},
	}
	for method, params := range changes {
		wantCode(t, cli.Call(t.Context(), method, params, nil), wire.CodePanelOnly)
		wantCode(t, cli.Chan("p1").Call(t.Context(), method, params, nil), wire.CodePanelOnly)
		wantCode(t, relay.Call(t.Context(), method, params, nil), wire.CodePanelOnly)
	}
	if set.values != nil || len(set.keys) != 0 || len(doctor.fixes) != 0 || len(own.Now().Grants) != 0 {
		t.Fatalf("changed all the same: %+v %+v %v", set, doctor, own.Now().Grants)
	}
	panel := relay.Chan("p1")
	var info wire.SettingsInfo
	call := func(method string, out any) {
		t.Helper()
		if err := panel.Call(t.Context(), method, changes[method], out); err != nil {
			t.Fatal(err)
		}
	}
	call(wire.MethodSettingsSet, &info)
	if info.Settings[0].Value != "new" {
		t.Errorf("%+v", info)
	}
	call(wire.MethodKeySet, &info)
	if len(info.Keys) != 1 || set.keys["openai"] != "sk-1" {
		t.Errorf("%+v", info)
	}
	call(wire.MethodKeyRemove, &info)
	if len(info.Keys) != 0 {
		t.Errorf("%+v", info)
	}
	var policy wire.PolicyInfo
	call(wire.MethodPolicyGrant, &policy)
	if len(policy.Grants) != 1 || policy.Grants[0].By != ByPanel {
		t.Errorf("%+v", policy)
	}
	if es, err := log.Entries(10, nil); err != nil || len(es) != 1 || es[0].Answer != "allow" || es[0].Site != "mail.test" {
		t.Errorf("%+v, %v", es, err)
	}
	var report wire.DoctorReport
	call(wire.MethodDoctorFix, &report)
	if len(doctor.fixes) != 1 || doctor.fixes[0] != wire.FixManifest || len(report.Checks) != 1 {
		t.Errorf("%+v, %+v", doctor, report)
	}
	wantCode(t, panel.Call(t.Context(), wire.MethodDoctorFix, wire.DoctorFixParams{Fix: "all"}, nil), wire.CodeInvalidParams)
	wantCode(t, panel.Call(t.Context(), wire.MethodPolicyGrant, wire.PolicyGrantParams{Site: "mail.test", Class: "read", Days: -1}, nil), wire.CodeInvalidParams)
	// Everybody may look.
	if err := cli.Call(t.Context(), wire.MethodDoctorRun, wire.Empty{}, &report); err != nil || len(report.Checks) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	if err := cli.Call(t.Context(), wire.MethodSettingsShow, wire.Empty{}, &info); err != nil {
		t.Error(err)
	}
}

// The settings of the moment hold for the next task, and the model that was
// chosen before gives way to the one of the settings.
func TestSettingsOfTheMoment(t *testing.T) {
	now := TaskSettings{Critic: CriticOn, Budget: agent.Budget{Steps: 7}}
	m := &Manager{Critic: CriticOff, Now: func() TaskSettings { return now }}
	if m.settings().Budget.Steps != 7 || m.criticOf(wire.TaskStartParams{Text: "x"}, models.Model{}, m.settings()) == nil {
		t.Error("the fields count, not the moment")
	}
	now = TaskSettings{Critic: CriticOff}
	if m.criticOf(wire.TaskStartParams{Text: "x"}, models.Model{}, m.settings()) != nil {
		t.Error("a change does not count")
	}
	catalog := &models.Catalog{Config: func(string) (llm.Config, error) { return llm.Config{}, errors.New("no server") }}
	if err := catalog.Use(t.Context(), "ollama/old"); err != nil || catalog.Choice() != "ollama/old" {
		t.Fatal(err)
	}
	catalog.ForgetChoice()
	if catalog.Choice() != "" {
		t.Error("the old choice stays")
	}
}
