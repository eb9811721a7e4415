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

Settings come from flags, from variables, from the file, and from defaults; the first that sets a value counts. The
file is ` + "`~/.config/tabwright/config.yaml`" + ` (or below ` + "`$XDG_CONFIG_HOME`" + `). A name with a dot is written indented:

` + "```yaml" + `
provider: ollama
model: qwen3.5:9b
budgets:
  steps: 80
upload_dirs:
  - ~/Documents/for-uploads
providers:            # if you change between several
  openai:
    model: gpt-4.1-mini
` + "```" + `

A misspelt name, or a value out of bounds, is an error that names the line, the variable or the flag. So is an unknown
variable that begins with TABWRIGHT_.

The side panel's settings change this file: one value at a time, in its place, with your comments and empty lines kept.
A change is checked before it is written. A change applies to the next task, without a restart.

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
	b.WriteString("\n`tabwright environment` prints all variables. `tabwright config list` shows each setting with its value and its source,\n `tabwright config set NAME VALUE` writes one into the file, and `tabwright config remove NAME` removes it.\n")
	fmt.Fprintf(&b, `
Providers: %s. Under `+"`providers.<name>`"+` you can set: %s. Times are written 90s, 5m, 1h, 30d or 8w. In a variable, several folders
are joined with a colon.

## Keys

Don't write keys into the file. `+"`tabwright key set PROVIDER`"+` asks for one without showing it, or reads it from a pipe. It stores
the key in the keyring of the operating system. If there is no keyring (on Linux, no D-Bus session), it stores the key in `+"`keys.json`"+`
beside the settings, which only you can read, and says so. `+"`tabwright key remove PROVIDER`"+` removes a key, and `+"`tabwright key list`"+`
lists them.

A key in `+"`TABWRIGHT_API_KEY`"+` (for the configured provider) or `+"`TABWRIGHT_<PROVIDER>_API_KEY`"+` comes before the stored one; the
provider's own variable (such as `+"`OPENAI_API_KEY`"+`) comes after it. A browser started from the desktop does not have the
variables of your shell, nor does the program that it starts. Store the key if the side panel is to use it.

## Logs

`+"`~/.local/state/tabwright/broker.log` and `shim.log`"+`, which only you can read. Each takes at most 10 MB. Keys are removed from
every line. `+"`tabwright logs`"+` prints them.
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
