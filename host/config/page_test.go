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

You can set a setting by a flag, by a variable or in the settings file. If a setting has several values, a flag overrides a variable, and a
variable overrides the settings file. If a setting has no value, its default applies.
The settings file is ` + "`~/.config/tabwright/config.yaml`" + `. If the variable ` + "`XDG_CONFIG_HOME`" + ` is set, the
folder in this variable replaces ` + "`~/.config`" + `. In the file, write a setting with a dot in its name on two lines, like ` + "`budgets.steps`" + ` in
this example:

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

If a name is misspelt or a value is wrong, Tabwright prints an error. The error names the line of the settings file, the variable or the
flag. An unknown variable that begins with TABWRIGHT_ is also an error.

The settings of the side panel are stored in the same file. The side panel keeps your comments in the file. A changed setting applies to
the next task, without a restart.

| name | variable | what it is | default |
|---|---|---|---|
`)
	for _, s := range settings {
		def := s.get(Default())
		if def == "" {
			def = "–"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Name, s.Env(), s.Doc, def)
	}
	b.WriteString("\nOther variables:\n\n| variable | what it is |\n|---|---|\n")
	for _, v := range slices.Concat(programVars, otherVars) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(v.Name, ", ", "`, `"), v.Doc)
	}
	b.WriteString("\n`tabwright environment` prints all variables. `tabwright config list` prints each setting with its value and source.\n`tabwright config set NAME VALUE` writes a setting into the file. `tabwright config remove NAME` removes a setting from the file.\n")
	fmt.Fprintf(&b, `
The providers of models are %s. Under `+"`providers.<name>`"+` in the settings file, you can write these settings for one provider: %s.
Write a time as 90s, 5m, 1h, 30d or 8w. If a variable has several folders, separate them with colons.

## Keys

Don't write API keys into the settings file. `+"`tabwright key set PROVIDER`"+` asks for the key of a provider, or reads the key from a pipe.
The command stores the key in the keyring of the operating system. Without a keyring, the command stores the key in the file `+"`keys.json`"+`
beside the settings file. Only you can read the file `+"`keys.json`"+`. `+"`tabwright key list`"+` lists the stored keys. `+"`tabwright key remove PROVIDER`"+` removes a key.

Tabwright takes the key of a provider from the first of these sources:

1. the variables `+"`TABWRIGHT_API_KEY`"+` and `+"`TABWRIGHT_<PROVIDER>_API_KEY`"+`
2. the stored key
3. the provider's own variable, such as `+"`OPENAI_API_KEY`"+`

If you use the side panel, store the key instead of setting a variable. A browser that you start from the desktop does not have the
variables of your shell.

## Logs

Tabwright writes the logs `+"`broker.log` and `shim.log` in the folder `~/.local/state/tabwright`"+`. Only you can read the logs. Each log has at
most 10 MB. Tabwright removes API keys from the logs. `+"`tabwright logs`"+` prints the logs.
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
