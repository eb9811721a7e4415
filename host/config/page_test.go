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

A setting can come from a flag, a variable, the settings file or its default. The first source in this order counts.
The settings file is ` + "`~/.config/tabwright/config.yaml`" + `. If you set ` + "`XDG_CONFIG_HOME`" + `, that folder replaces ` + "`~/.config`" + `. A name
with a dot is written on two lines, like ` + "`budgets.steps`" + ` in this example:

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

A misspelt name or a wrong value is an error. The error names the line, the variable or the flag. An unknown variable that
begins with TABWRIGHT_ is also an error.

The side panel changes this file, too. The panel keeps your comments. A change applies to the next task, without a restart.

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
These are the providers: %s. Below `+"`providers.<name>`"+` you can write these settings: %s.
A time is written as 90s, 5m, 1h, 30d or 8w. In a variable, a colon separates several folders.

## Keys

Don't write keys into the settings file. `+"`tabwright key set PROVIDER`"+` asks for the key of a provider, or reads the key from a pipe.
The command stores the key in the keyring of the operating system. Without a keyring, the command stores the key in `+"`keys.json`"+` beside the
settings. Only you can read this file. `+"`tabwright key list`"+` lists the keys. `+"`tabwright key remove PROVIDER`"+` removes a key.

Tabwright takes the key of a provider from the first of these sources:

1. the variables `+"`TABWRIGHT_API_KEY`"+` and `+"`TABWRIGHT_<PROVIDER>_API_KEY`"+`;
2. the stored key;
3. the provider's own variable, such as `+"`OPENAI_API_KEY`"+`.

For the side panel, store the key. A browser that you start from the desktop does not have the variables of your shell.

## Logs

The logs are `+"`~/.local/state/tabwright/broker.log` and `shim.log`"+`. Only you can read these files. Each log takes at most 10 MB. Tabwright
removes keys from every line. `+"`tabwright logs`"+` prints the logs.
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
