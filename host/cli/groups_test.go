package cli

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"tabwright/host/config"
	"tabwright/host/serve"
)

// ran is the exit code of a command line, and what it said.
func ran(t *testing.T, in io.Reader, words ...string) (code int, said string) {
	t.Helper()
	root := rootCommand()
	t.Cleanup(func() { serve.Overrides = config.Overrides{} })
	var out bytes.Buffer
	root.SetIn(in)
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(words)
	err := root.ExecuteContext(t.Context())
	var ee *exitError
	switch {
	case errors.As(err, &ee):
		code = ee.code
	case err != nil:
		code = exitUsage
	}
	if err != nil {
		out.WriteString(err.Error())
	}
	return code, out.String()
}

// A word that no group of commands knows is a usage error, in every group and for
// help, and no two commands of a group answer to one name.
func TestUnknownCommands(t *testing.T) {
	groups := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.HasSubCommands() {
			return
		}
		groups++
		path := strings.Fields(c.CommandPath())[1:]
		for _, words := range [][]string{slices.Concat(path, []string{"nonsuch"}), slices.Concat([]string{"help"}, path, []string{"nonsuch"})} {
			if code, said := ran(t, nil, words...); code != exitUsage || !strings.Contains(said, "nonsuch") {
				t.Errorf("%q: exit code %d, %s", words, code, said)
			}
		}
		if code, said := ran(t, nil, slices.Concat([]string{"help"}, path)...); code != exitOK || !strings.Contains(said, "Usage:") {
			t.Errorf("help %q: exit code %d, %s", path, code, said)
		}
		names := map[string]bool{}
		for _, sub := range c.Commands() {
			for _, name := range append(sub.Aliases, sub.Name()) {
				if names[name] {
					t.Errorf("%s: two commands are called %s", c.CommandPath(), name)
				}
				names[name] = true
			}
			walk(sub)
		}
	}
	walk(rootCommand())
	if groups < 12 {
		t.Errorf("%d groups were found", groups)
	}
	for words, want := range map[string]string{
		"audit verfy":             `there is no "audit verfy"; did you mean verify?`,
		"policy alow":             "did you mean allow?",
		"bench page":              "did you mean pages?",
		"flow cancel":             `there is no "flow cancel": flow is followed by one of list, modify, pause, restore, resume, run, save, show, stop`,
		"secret keep bank":        "secret is followed by one of list, remove, set",
		"key Enter":               "key is followed by one of list, remove, set",
		"audit":                   "say what: audit is followed by one of show, verify",
		"key set opnai":           "no provider is called “opnai”; did you mean openai?",
		"key delete opnai":        "did you mean openai?",
		"key set nobody":          "there are: ollama, openai",
		"models --provider opnai": "did you mean openai?",
		"status --set modle=x":    "--set modle: there is no setting “modle”; did you mean model or mode?",
	} {
		if code, said := ran(t, strings.NewReader("sk-1\n"), strings.Fields(words)...); code != exitUsage || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, %q lacks %q", words, code, said, want)
		}
	}
}
