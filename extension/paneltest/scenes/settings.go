package scenes

import (
	"context"
	"encoding/json"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

var settingsInfo = wire.SettingsInfo{
	File: "/home/anna/.config/tabwright/config.yaml",
	Settings: []wire.Setting{
		{Name: "provider", Value: "ollama", Default: "ollama", Source: "default", Choices: []string{"ollama", "openai", "anthropic", "google", "deepseek", "qwen", "glm", "openrouter", "custom"}},
		{Name: "model", Value: "qwen3:8b", Source: "file"},
		{Name: "base_url", Source: "default"},
		{Name: "num_ctx", Value: "16384", Source: "file"},
		{Name: "size", Source: "default", Choices: []string{"small", "medium", "large"}},
		{Name: "vision", Source: "default", Choices: []string{"true", "false"}},
		{Name: "lang", Source: "default", Choices: []string{"", "en", "zh"}},
		{Name: "budgets.steps", Value: "80", Source: "file"},
		{Name: "budgets.tokens", Source: "default"},
		{Name: "budgets.minutes", Value: "30", Source: "env", Fixed: true},
		{Name: "budgets.money", Source: "default"},
		{Name: "validator", Value: "auto", Default: "auto", Source: "default", Choices: []string{"auto", "on", "off"}},
		{Name: "critic", Value: "auto", Default: "auto", Source: "default", Choices: []string{"auto", "on", "off"}},
		{Name: "search", Value: "https://search.example/?q={query}", Default: "duckduckgo", Source: "file"},
		{Name: "upload_dirs", Value: "/home/anna/Documents/for-uploads:/home/anna/Pictures/2026", Source: "file"},
		{Name: "history", Value: "keep", Default: "keep", Source: "default", Choices: []string{"keep", "none"}},
	},
	Keys: []wire.KeyInfo{
		{Provider: "ollama"},
		{Provider: "openai", Needed: true, Source: "stored", Console: "https://platform.openai.com/api-keys"},
		{Provider: "anthropic", Needed: true, Source: "env", Console: "https://console.anthropic.com/settings/keys"},
		{Provider: "google", Needed: true, Console: "https://aistudio.google.com/apikey"},
		{Provider: "custom"},
	},
}

var (
	checked = wire.ModelCheck{ID: "ollama/qwen3:8b", Way: "native", Checks: []wire.CheckLine{
		{Name: "text", OK: true, Message: "1.2 s, 31 tokens"},
		{Name: "native tools", OK: true, Message: "2.0 s, 214 tokens"},
		{Name: "constrained output", OK: true, Message: "1.8 s, 96 tokens"},
		{Name: "JSON in Markdown", OK: true, Message: "1.9 s, 120 tokens"},
		{Name: "vision", Skipped: true, Message: "Ollama does not offer it", Say: "not_tried"},
	}}
	noTools = wire.ModelCheck{ID: "ollama/qwen3:8b", Checks: []wire.CheckLine{
		{Name: "text", OK: true, Message: "1.2 s"},
		{Name: "native tools", Message: "The server says that the model has no tools.", Say: "unsupported", Hint: "Choose a model that has them, such as qwen3:8b."},
		{Name: "constrained output", Message: "no call; it said: 42", Say: "unfit", Args: []string{"no call; it said: 42"}},
		{Name: "JSON in Markdown", Message: "the reply is empty", Say: "unfit", Args: []string{"the reply is empty"}},
		{Name: "vision", Skipped: true, Message: "Ollama does not offer it", Say: "not_tried"},
	}}
	healthy = wire.DoctorReport{Version: "0.1.0", Checks: []wire.CheckLine{
		{ID: "binary", Name: "Program", OK: true, Message: "/home/anna/bin/tabwright", Say: "ok", Args: []string{"/home/anna/bin/tabwright"}},
		{ID: "extension", Name: "Extension on disk", OK: true, Message: "/home/anna/.local/share/tabwright/extension, version 0.1.0"},
		{ID: "manifest.chrome", Name: "Registration with Google Chrome", OK: true, Message: "/home/anna/.config/google-chrome/NativeMessagingHosts/com.tabwright.host.json"},
		{ID: "broker", Name: "Broker", OK: true, Message: "process 4711, version 0.1.0"},
		{ID: "model", Name: "Model", OK: true, Message: "ollama, qwen3:8b", Say: "ok", Args: []string{"qwen3:8b", "ollama"}},
	}}
	sick = wire.DoctorReport{Version: "0.1.0", Checks: []wire.CheckLine{
		healthy.Checks[0],
		{ID: "extension", Name: "Extension on disk", Message: "files in /home/anna/.local/share/tabwright/extension differ from those of this program", Hint: "run tabwright install, then click the reload arrow in chrome://extensions", Fix: wire.FixExtension, Say: "differs", Args: []string{"/home/anna/.local/share/tabwright/extension"}},
		{ID: "manifest.chrome", Name: "Registration with Google Chrome", Message: "/home/anna/.config/google-chrome/NativeMessagingHosts/com.tabwright.host.json is missing", Hint: "run tabwright install", Fix: wire.FixManifest, Say: "missing", Args: []string{"/home/anna/.config/google-chrome/NativeMessagingHosts/com.tabwright.host.json"}},
		{ID: "broker", Name: "Broker", OK: true, Warning: true, Message: "process 4711 runs another copy of the program: /tmp/tabwright", Hint: "when no task runs: tabwright broker stop, then open the panel again", Fix: wire.FixRestart, Say: "other_copy", Args: []string{"4711", "/tmp/tabwright"}},
		healthy.Checks[4],
	}}
	rules = wire.PolicyInfo{Preset: "careful", Grants: []wire.GrantInfo{
		{ID: "g1", Site: "mail.example", Class: "communicate", Created: day(0), Expires: day(30), By: "panel"},
		{ID: "g2", Site: "casino.example", Class: "all", Deny: true, Created: day(0), Expires: day(365), By: "panel"},
		{ID: "g3", Site: "a-very-long-name-of-a-site.departments.university.example", Class: "file", Created: day(0), Expires: day(7), By: "command line"},
	}}
)

// day is a moment some days after a fixed one, so that pictures stay the same.
func day(n int) int64 { return time.Date(2026, 11, 22+n, 12, 0, 0, 0, time.UTC).UnixMilli() }

const open = `document.querySelector("[data-testid=open-settings]").click()`

// part opens a part of the settings and then does some more.
func part(name string, js ...string) func(context.Context, *paneltest.Page) error {
	return page(append([]string{
		open, wait(`[data-testid=tab-` + name + `]`), `document.querySelector("[data-testid=tab-` + name + `]").click()`, wait(`[data-part=` + name + `] > :nth-child(2)`),
	}, js...)...)
}

// wait is a promise that there is an element.
func wait(selector string) string {
	return `new Promise(r => { const t = setInterval(() => { if (document.querySelector("` + selector + `")) { clearInterval(t); r(); } }, 20) })`
}

const ready = `document.querySelector("[data-testid=status]").dataset.phase === "ready"`

var settings = []Scene{
	{Name: "settings-models", Models: localModels, Until: ready, Then: part("models", wait(`[data-testid=found-model]`))},
	{
		Name: "settings-pull", Models: localModels, Until: ready,
		Pulls: []wire.PullInfo{
			{Name: "gemma4:e4b", State: wire.PullFailed, Error: &wire.Error{Code: "disk_full", Message: "there is no room for gemma4:e4b on the disk of the model server", Hint: "remove models that are not used: ollama rm NAME"}},
			{Name: "qwen3.5:9b", State: wire.PullRunning, Status: "pulling dec52a44569a", Done: 2_100_000_000, Total: 6_600_000_000},
		},
		Then: part("models", wait(`[data-testid=pulled]`), `document.querySelector(".pull").scrollIntoView()`),
	},
	{
		Name: "settings-test", Models: localModels, Check: &checked, Until: ready,
		Then: part("models", wait(`[data-testid=test-model]`), `document.querySelector("[data-testid=test-model]").click()`, wait(`[data-testid=check]`), `document.querySelector(".test").scrollIntoView()`),
	},
	{
		Name: "settings-no-tools", Models: taughtModels, Check: &noTools, Until: ready,
		Then: part("models", wait(`[data-testid=test-model]`), `document.querySelector("[data-testid=test-model]").click()`, wait(`[data-testid=check]`), `document.querySelector(".test").scrollIntoView()`),
	},
	{
		Name: "settings-keys", Models: localModels, Until: ready,
		Then: part("models", wait(`.keys`), `document.querySelector(".more").open = true`, `document.querySelector(".keys").scrollIntoView()`),
	},
	{Name: "settings-look", Models: localModels, Until: ready, Then: part("look", wait(`[data-testid=set-lang]`))},
	{Name: "settings-limits", Models: localModels, Until: ready, Then: part("budgets", wait(`[data-testid=set-critic]`))},
	{Name: "settings-sites", Models: localModels, Policy: &rules, Until: ready, Then: part("sites", wait(`[data-testid=grant]`))},
	{Name: "settings-search", Models: localModels, Until: ready, Then: part("search", wait(`[data-testid=search-engine]`))},
	{Name: "settings-uploads", Models: localModels, Until: ready, Then: part("uploads", wait(`[data-testid=folder-path]`))},
	{Name: "settings-privacy", Models: localModels, Until: ready, Then: part("privacy", wait(`[data-testid=forget-all]`), `document.querySelector("[data-testid=forget-all]").click()`, wait(`[data-testid=forget-yes]`))},
	{Name: "settings-about", Models: localModels, Report: &healthy, Until: ready, Then: part("about", wait(`[data-testid=check]`))},
	{Name: "settings-doctor", Models: localModels, Report: &sick, Until: ready, Then: part("about", wait(`[data-testid=check]`))},
	{
		Name: "settings-refused", Models: localModels, Until: ready,
		Refuse: &wire.Error{Code: "invalid_params", Message: "Nothing was changed: budgets.steps: \"many\" is not a whole number", Data: json.RawMessage(`{"settings":{"budgets.steps":"“many” is not a whole number"},"say":{"budgets.steps":{"say":"whole","args":["“many”"]}}}`)},
		Then: part("budgets", wait(`[data-testid='set-budgets.steps']`),
			`(() => { const i = document.querySelector("[data-testid='set-budgets.steps']"); i.value = "many"; i.dispatchEvent(new Event("input", {bubbles: true})); i.dispatchEvent(new Event("change", {bubbles: true})); })()`, wait(`.refused`)),
	},
	{
		Name: "settings-fault", Models: localModels, Until: ready, Then: part("models", wait(`.refused`)),
		Fault: &wire.Error{Code: "settings", Message: "/home/anna/.config/tabwright/config.yaml:3: there is no setting “modle”; did you mean model?", Hint: "Mend /home/anna/.config/tabwright/config.yaml, or what is named here.", Data: json.RawMessage(`{"fix":"settings"}`)},
	},
	{
		Name: "policy-fault", Models: localModels, Until: paneltest.ByTestID("policy-fault"),
		Policy: &wire.PolicyInfo{Preset: "careful", Fault: "policy.yaml:7: there is no class “pay”", Grants: []wire.GrantInfo{}},
	},
	{Name: "older-program", Models: localModels, Ext: "0.0.9", Until: paneltest.ByTestID("versions-differ")},
	{Name: "older-extension", Models: localModels, Ext: "0.2.0", Until: paneltest.ByTestID("versions-differ")},
	{Name: "host-too-old", Host: OldHost, Until: paneltest.ByTestID("host-missing") + `?.dataset.older === "host"`},
	{Name: "extension-too-old", Host: OldExtension, Until: paneltest.ByTestID("host-missing") + `?.dataset.older === "extension"`},
	{
		Name: "bad-key", Until: paneltest.ByTestID("no-model"),
		Models: wire.ModelList{Error: &wire.Error{Code: "unauthorized", Message: "OpenAI refused the key (401).", Hint: "check the API key (config, or OPENAI_API_KEY)"}},
	},
}

var first = []Scene{
	{Name: "first-1-no-program", Host: NoHost, First: true, Until: paneltest.ByTestID("host-missing")},
	{Name: "first-2-model", First: true, Models: localModels, Until: paneltest.ByTestID("first-model")},
	{Name: "first-2-no-model", First: true, Models: noModels, Until: paneltest.ByTestID("no-model")},
	{
		Name: "first-3-try", First: true, Models: localModels, Until: paneltest.ByTestID("first-model"),
		Then: page(`document.querySelector("[data-testid=first-next]").click()`, wait(`[data-testid=first-try]`)),
	},
}
