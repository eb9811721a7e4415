package control

import (
	"context"
	"path/filepath"
	"testing"

	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native"
)

// kept are Settings in memory.
type kept struct {
	values map[string]string
	keys   map[string]string
}

func (k *kept) Show() (native.SettingsInfo, error) {
	out := native.SettingsInfo{Settings: []native.Setting{{Name: "model", Value: k.values["model"]}}, Keys: []native.KeyInfo{}}
	for p := range k.keys {
		out.Keys = append(out.Keys, native.KeyInfo{Provider: p, Source: "stored"})
	}
	return out, nil
}
func (k *kept) Set(v map[string]string) error { k.values = v; return nil }
func (k *kept) SetKey(p, key string) error    { k.keys[p] = key; return nil }
func (k *kept) RemoveKey(p string) error      { delete(k.keys, p); return nil }

// mended is a Doctor that remembers what it did.
type mended struct{ fixes []string }

func (m *mended) Examine(context.Context) ([]native.CheckLine, error) {
	return []native.CheckLine{{ID: "binary", Name: "Program", OK: true}}, nil
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
		b.Manager.Models.using = "ollama/old"
	})
	relay, cli := dial(), dial()
	for p, role := range map[*native.Peer]string{relay: RoleRelay, cli: RoleCLI} {
		p.Start()
		if _, err := native.Ask[native.HelloResult](t.Context(), p, native.MethodHello, hello(role)); err != nil {
			t.Fatal(err)
		}
	}
	changes := map[string]any{
		native.MethodSettingsSet: native.SettingsSetParams{Values: map[string]string{"model": "new"}},
		native.MethodKeySet:      native.KeyParams{Provider: "openai", Key: "sk-1"},
		native.MethodKeyRemove:   native.KeyParams{Provider: "openai"},
		native.MethodPolicyGrant: native.PolicyGrantParams{Site: "mail.test", Class: "communicate", Days: 7},
		native.MethodDoctorFix:   native.DoctorFixParams{Fix: native.FixManifest},
		native.MethodModelPull:   native.ModelRef{ID: "qwen3.5:4b"}, native.MethodModelPullStop: native.ModelRef{ID: "qwen3.5:4b"},
		native.MethodModelWarm: native.WarmParams{Lang: "en"},
	}
	for method, params := range changes {
		wantCode(t, cli.Call(t.Context(), method, params, nil), CodePanelOnly)
		wantCode(t, cli.Chan("p1").Call(t.Context(), method, params, nil), CodePanelOnly)
		wantCode(t, relay.Call(t.Context(), method, params, nil), CodePanelOnly)
	}
	if set.values != nil || len(set.keys) != 0 || len(doctor.fixes) != 0 || len(own.Now().Grants) != 0 {
		t.Fatalf("changed all the same: %+v %+v %v", set, doctor, own.Now().Grants)
	}
	panel := relay.Chan("p1")
	var info native.SettingsInfo
	call := func(method string, out any) {
		t.Helper()
		if err := panel.Call(t.Context(), method, changes[method], out); err != nil {
			t.Fatal(err)
		}
	}
	call(native.MethodSettingsSet, &info)
	if info.Settings[0].Value != "new" {
		t.Errorf("%+v", info)
	}
	call(native.MethodKeySet, &info)
	if len(info.Keys) != 1 || set.keys["openai"] != "sk-1" {
		t.Errorf("%+v", info)
	}
	call(native.MethodKeyRemove, &info)
	if len(info.Keys) != 0 {
		t.Errorf("%+v", info)
	}
	var policy native.PolicyInfo
	call(native.MethodPolicyGrant, &policy)
	if len(policy.Grants) != 1 || policy.Grants[0].By != ByPanel {
		t.Errorf("%+v", policy)
	}
	if es, err := log.Entries(10, nil); err != nil || len(es) != 1 || es[0].Answer != "allow" || es[0].Site != "mail.test" {
		t.Errorf("%+v, %v", es, err)
	}
	var report native.DoctorReport
	call(native.MethodDoctorFix, &report)
	if len(doctor.fixes) != 1 || doctor.fixes[0] != native.FixManifest || len(report.Checks) != 1 {
		t.Errorf("%+v, %+v", doctor, report)
	}
	wantCode(t, panel.Call(t.Context(), native.MethodDoctorFix, native.DoctorFixParams{Fix: "all"}, nil), native.CodeInvalidParams)
	wantCode(t, panel.Call(t.Context(), native.MethodPolicyGrant, native.PolicyGrantParams{Site: "mail.test", Class: "read", Days: -1}, nil), native.CodeInvalidParams)
	// Everybody may look.
	if err := cli.Call(t.Context(), native.MethodDoctorRun, native.Empty{}, &report); err != nil || len(report.Checks) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	if err := cli.Call(t.Context(), native.MethodSettingsShow, native.Empty{}, &info); err != nil {
		t.Error(err)
	}
}

// The settings of the moment hold for the next task, and the model that was
// chosen before gives way to the one of the settings.
func TestSettingsOfTheMoment(t *testing.T) {
	now := TaskSettings{Critic: CriticOn, Budget: agent.Budget{Steps: 7}}
	m := &Manager{Critic: CriticOff, Now: func() TaskSettings { return now }}
	if m.settings().Budget.Steps != 7 || m.criticOf(native.TaskStartParams{Text: "x"}, OpenModel{}, m.settings()) == nil {
		t.Error("the fields count, not the moment")
	}
	now = TaskSettings{Critic: CriticOff}
	if m.criticOf(native.TaskStartParams{Text: "x"}, OpenModel{}, m.settings()) != nil {
		t.Error("a change does not count")
	}
	models := &Models{using: "ollama/old"}
	models.forgetChoice()
	if models.choice() != "" {
		t.Error("the old choice stays")
	}
}
