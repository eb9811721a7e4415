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
		t.Error("docs/settings.md is not what the table of settings says; make generate")
	}
}

// page is docs/settings.md: what the table of settings says, for people.
func page() string {
	var b strings.Builder
	b.WriteString(`# Settings

<!-- Written by go generate ./host/config from the table in settings.go. -->

Settings come from flags, from variables, from the file, and from defaults; the first that says something wins. The
file is ` + "`~/.config/tabwright/config.yaml`" + ` (or below ` + "`$XDG_CONFIG_HOME`" + `). A name with a dot is written indented:

` + "```yaml" + `
provider: ollama
model: qwen3.5:9b
budgets:
  steps: 80
upload_dirs:
  - ~/Documents/for-uploads
providers:            # for those who change between several
  openai:
    model: gpt-4.1-mini
` + "```" + `

What is misspelt or out of bounds is an error that names the line, the variable or the flag; so is a variable that begins
with TABWRIGHT_ and that nothing reads.

The side panel's settings change this file: one value at a time, in its place, with your comments and empty lines kept.
All that they change is checked first, and written whole or not at all. A task takes the settings of the moment it
begins, so nothing needs to be restarted.

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
	b.WriteString("\nFurther variables:\n\n| variable | what it is |\n|---|---|\n")
	for _, v := range slices.Concat(programVars, otherVars) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(v.Name, ", ", "`, `"), v.Doc)
	}
	b.WriteString("\n`tabwright environment` prints all variables. `tabwright config list` shows each setting with its value and where that is\nfrom, `tabwright config set NAME VALUE` writes one into the file, and `tabwright config remove NAME` takes it out.\n")
	fmt.Fprintf(&b, `
Providers: %s. Under `+"`providers.<name>`"+` may stand: %s. Times are written 90s, 5m, 1h, 30d or 8w. In a variable, several folders
are joined with a colon.

## Keys

Keys do not belong in the file. `+"`tabwright key set PROVIDER`"+` asks for one, which does not show as it is typed, or
reads it from a pipe, and puts it into the keyring of the operating system; where there is none (no D-Bus session on Linux), into `+"`keys.json`"+` beside the settings, readable by
you alone, and says so. `+"`tabwright key remove PROVIDER`"+` forgets it,
and `+"`tabwright key list`"+` says which there are.

A key in `+"`TABWRIGHT_API_KEY`"+` (for the configured provider) or `+"`TABWRIGHT_<PROVIDER>_API_KEY`"+` comes before the stored one; the
provider's own variable (such as `+"`OPENAI_API_KEY`"+`) comes after it. A browser started from the desktop does not see
variables of your shell, and the program it starts neither: store the key if the side panel is to use it.

## Logs

`+"`~/.local/state/tabwright/broker.log` and `shim.log`"+`, readable by you alone, at most twice 5 MB each. Keys are taken out of
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
