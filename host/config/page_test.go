package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tabwright/llm"
)

var update = flag.Bool("update", false, "write docs/settings.md anew")

// The page for people says what the table says.
func TestSettingsPage(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "settings.md")
	if *update {
		if err := os.WriteFile(path, []byte(page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != page() {
		t.Error("docs/settings.md differs from the table of settings; make generate")
	}
}

// page is docs/settings.md: what the table of settings says, for people.
func page() string {
	var b strings.Builder
	b.WriteString(`# Settings

<!-- Written by go generate ./host/config from the table in settings.go. -->

You can change a setting in four ways:

- in the side panel, which writes it into the settings file
- in the settings file
- with an environment variable, which overrides the settings file
- with a flag of a command, which overrides the environment variable

If you don't change a setting, its default applies.

The settings file is ` + "`~/.config/tabwright/config.yaml`" + `. If the environment variable ` + "`XDG_CONFIG_HOME`" + ` is set, the folder in this variable
replaces ` + "`~/.config`" + `. In the file, write a setting with a dot in its name on two lines, like ` + "`budgets.steps`" + ` in this example:

` + "```yaml" + `
provider: ollama
model: qwen3.5:9b
budgets:
  steps: 80
upload_dirs:
  - ~/Documents/for-uploads
providers:            # settings for each of several providers
  openai:
    model: gpt-4.1-mini
` + "```" + `

If a name is misspelt or a value is wrong, Tabwright prints an error. The error names the line of the settings file, the variable or the flag. An
unknown variable that begins with TABWRIGHT_ is also an error.

A changed setting applies to the next task. You don't need to restart anything. The side panel keeps the comments that you write into the file.

| name | environment variable | meaning | default |
|---|---|---|---|
`)
	for _, s := range settings {
		def := s.get(Default())
		if def == "" {
			def = "–"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Name, s.Env(), s.Doc, def)
	}
	b.WriteString("\nOther environment variables:\n\n| variable | meaning |\n|---|---|\n")
	for _, v := range slices.Concat(programVars, otherVars) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(v.Name, ", ", "`, `"), v.Doc)
	}
	b.WriteString("\nThese commands show and change the settings:\n\n- `tabwright config list` prints each setting with its value, and says where the value comes from.\n- `tabwright config set NAME VALUE` writes a setting into the file.\n- `tabwright config remove NAME` removes a setting from the file.\n- `tabwright environment` prints all environment variables.\n")
	fmt.Fprintf(&b, `
Write a time as 90s, 5m, 1h, 30d or 8w. If a variable has several folders, separate them with colons.

The providers of models are %s. In the settings file, you can write settings for a single provider under `+"`providers.<name>`"+`, as in the example
above. These settings are possible there: %s.

## Keys

Don't write API keys into the settings file. Use these commands:

- `+"`tabwright key set PROVIDER`"+` stores the key of a provider. It asks for the key, or reads the key from a pipe.
- `+"`tabwright key list`"+` lists the stored keys.
- `+"`tabwright key remove PROVIDER`"+` removes a key.

Tabwright stores keys in the keyring of the operating system. If there is no keyring, it stores them in the file `+"`keys.json`"+` beside the settings
file. Only you can read this file.

Tabwright looks for the key of a provider in these places, in this order:

1. the environment variables `+"`TABWRIGHT_API_KEY`"+` and `+"`TABWRIGHT_<PROVIDER>_API_KEY`"+`
2. the stored key
3. the environment variable that other programs also use for this provider, such as `+"`OPENAI_API_KEY`"+`

If you use the side panel, store the key with `+"`tabwright key set`"+` or in the panel. A browser that you start from the desktop does not have the
environment variables of your shell.

## Logs

The command `+"`tabwright logs`"+` prints the log of the background program, and `+"`tabwright logs mcp`"+` prints `+"`mcp.log`"+`. The logs are in the folder
`+"`~/.local/state/tabwright`"+`:

- `+"`broker.log`"+` is the log of the background program, which runs the tasks.
- `+"`shim.log`"+` is the log of the small program that connects the browser with the background program.
- `+"`mcp.log`"+` and `+"`http.log`"+` are the logs of the commands `+"`tabwright mcp`"+` and `+"`tabwright http`"+`.

Only you can read the logs. Each log has at most 10 MB. Tabwright removes API keys from the logs.
`, strings.Join(llm.Providers(), ", "), names(perProvider))
	return b.String()
}

func names(list []Setting) string {
	var ns []string
	for _, s := range list {
		ns = append(ns, "`"+s.Name+"`")
	}
	return strings.Join(ns, ", ")
}
