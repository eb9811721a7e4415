package extension_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// cabinet plays a host with settings and keys, and refuses what the real one
// would.
type cabinet struct {
	mu     sync.Mutex
	values map[string]string
	stored bool
	calls  chan wire.Message
}

func (c *cabinet) handle(_ context.Context, _ *paneltest.Host, m wire.Message) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m.Method {
	case wire.MethodHello:
		return wire.HelloResult{Protocol: wire.ProtocolMax, Version: "test", Session: "s"}, nil
	case wire.MethodPanelState:
		return wire.PanelState{Version: "test", Models: models}, nil
	case wire.MethodModelList:
		return models, nil
	case wire.MethodSettingsShow:
		return c.info(), nil
	case wire.MethodSettingsSet:
		p := params[wire.SettingsSetParams](m)
		if p.Values["budgets.steps"] == "0" {
			return nil, &wire.Error{Code: wire.CodeInvalidParams, Message: "Nothing was changed.", Data: json.RawMessage(`{"settings":{"budgets.steps":"0 is not between 1 and 10000"}}`)}
		}
		for k, v := range p.Values {
			c.values[k] = v
		}
	case wire.MethodKeySet:
		c.stored = true
	case wire.MethodDoctorRun, wire.MethodDoctorFix:
		c.calls <- m
		return wire.DoctorReport{Version: "test", Checks: []wire.CheckLine{{ID: "extension", Name: "Extension on disk", OK: m.Method == wire.MethodDoctorFix, Fix: wire.FixExtension}}}, nil
	default:
		return wire.Empty{}, nil
	}
	c.calls <- m
	return c.info(), nil
}

func (c *cabinet) info() wire.SettingsInfo {
	out := wire.SettingsInfo{
		File:     "/x/config.yaml",
		Settings: []wire.Setting{{Name: "provider", Value: "openai", Source: "default", Choices: []string{"ollama", "openai"}}, {Name: "budgets.steps", Value: c.values["budgets.steps"], Source: "file"}},
		Keys:     []wire.KeyInfo{{Provider: "openai", Needed: true, Console: "https://platform.openai.com/api-keys"}},
	}
	if c.stored {
		out.Keys[0].Source = "stored"
	}
	return out
}

// The settings by keyboard alone: into them, from part to part, a change that
// is kept and one that is refused, a key that leaves the panel at once, the
// theme over a reload, a fix of the doctor, and back to where one came from.
func TestSettingsByKeyboard(t *testing.T) {
	c := &cabinet{values: map[string]string{"budgets.steps": "80"}, calls: make(chan wire.Message, 64)}
	ctx, b := launch(t, c.handle)
	p, err := b.Open(ctx, paneltest.PanelURL, 360, 720)
	must(t, err)
	call := func(method string) wire.Message {
		t.Helper()
		for {
			select {
			case m := <-c.calls:
				if m.Method == method {
					return m
				}
			case <-ctx.Done():
				t.Fatalf("no %s", method)
			}
		}
	}
	focus := func(id string) {
		t.Helper()
		must(t, p.Until(ctx, `document.activeElement.dataset.testid === "`+id+`"`))
	}
	must(t, p.Until(ctx, paneltest.ByTestID("open-settings")+` && `+paneltest.ByTestID("status")+`.dataset.phase === "ready"`))
	must(t, p.Eval(ctx, paneltest.ByTestID("open-settings")+`.focus()`, nil))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	must(t, p.Until(ctx, paneltest.ByTestID("settings")))
	must(t, p.Press(ctx, "Tab", 9, ""))
	focus("tab-models")
	must(t, p.Type(ctx, "set-key.openai", "sk-from-the-panel"))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	if k := params[wire.KeyParams](call(wire.MethodKeySet)); k.Provider != "openai" || k.Key != "sk-from-the-panel" {
		t.Errorf("%+v", k)
	}
	must(t, p.Until(ctx, paneltest.ByTestID("state-key.openai")+`.textContent === "Stored"`))
	must(t, p.Until(ctx, paneltest.ByTestID("set-key.openai")+`.value === "" && !document.documentElement.outerHTML.includes("sk-from")`))

	must(t, p.Eval(ctx, paneltest.ByTestID("tab-models")+`.focus()`, nil))
	for _, to := range []string{"tab-look", "tab-budgets"} {
		must(t, p.Press(ctx, "ArrowRight", 39, ""))
		focus(to)
	}
	must(t, p.Eval(ctx, paneltest.ByTestID("set-budgets.steps")+`.select()`, nil))
	must(t, p.Type(ctx, "set-budgets.steps", "60"))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	if s := params[wire.SettingsSetParams](call(wire.MethodSettingsSet)); len(s.Values) != 1 || s.Values["budgets.steps"] != "60" {
		t.Errorf("%+v", s)
	}
	must(t, p.Until(ctx, `document.querySelector(".saved")`))
	must(t, p.Eval(ctx, paneltest.ByTestID("set-budgets.steps")+`.select()`, nil))
	must(t, p.Type(ctx, "set-budgets.steps", "0"))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	must(t, p.Until(ctx, paneltest.ByTestID("set-budgets.steps")+`.ariaInvalid === "true" && document.querySelector(".refused").textContent.includes("between 1 and")`))
	// What was typed stays, in another part and back, until it is corrected or put back.
	must(t, p.Click(ctx, "tab-privacy"))
	must(t, p.Click(ctx, "tab-budgets"))
	must(t, p.Until(ctx, paneltest.ByTestID("set-budgets.steps")+`?.value === "0" && document.querySelector(".refused")`))
	must(t, p.Click(ctx, "back-budgets.steps"))
	must(t, p.Until(ctx, paneltest.ByTestID("set-budgets.steps")+`.value === "60" && !document.querySelector(".refused")`))

	must(t, p.Click(ctx, "tab-about"))
	must(t, p.Click(ctx, "fix-extension"))
	if f := params[wire.DoctorFixParams](call(wire.MethodDoctorFix)); f.Fix != wire.FixExtension {
		t.Errorf("%+v", f)
	}
	must(t, p.Until(ctx, paneltest.ByTestID("check")+`.dataset.state === "ok"`))

	must(t, p.Click(ctx, "tab-look"))
	must(t, p.Click(ctx, "theme-dark"))
	must(t, p.Eval(ctx, paneltest.ByTestID("open-settings")+`.focus()`, nil))
	must(t, p.Eval(ctx, paneltest.ByTestID("tab-look")+`.focus()`, nil))
	must(t, p.Press(ctx, "Escape", 27, ""))
	must(t, p.Until(ctx, `!`+paneltest.ByTestID("settings")))
	focus("open-settings")
	must(t, p.Call(ctx, "Page.reload", nil, nil))
	must(t, p.Until(ctx, `document.documentElement.dataset.theme === "dark" && getComputedStyle(document.body).backgroundColor === "rgb(20, 24, 23)"`))
}
