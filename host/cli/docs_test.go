package cli

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/action"
	"tabwright/host/action/spec"
	"tabwright/host/control/mcp"
)

var update = flag.Bool("update", false, "write the generated parts of the reference pages anew")

// TestDocsAreCurrent holds the tables of docs/mcp.md and docs/cli.md against
// the registry.
func TestDocsAreCurrent(t *testing.T) {
	for _, d := range []struct{ file, mark, want string }{
		{"../../docs/mcp.md", "tools", toolTable()},
		{"../../docs/cli.md", "commands", commandTable()},
	} {
		raw, err := os.ReadFile(d.file)
		if err != nil {
			t.Fatal(err)
		}
		head, rest, ok := strings.Cut(string(raw), "<!-- "+d.mark+":")
		line, body, ok2 := strings.Cut(rest, "-->\n")
		_, tail, ok3 := strings.Cut(body, "<!-- /"+d.mark+" -->")
		if !ok || !ok2 || !ok3 {
			t.Fatalf("%s has no place for %s", d.file, d.mark)
		}
		page := head + "<!-- " + d.mark + ":" + line + "-->\n" + d.want + "<!-- /" + d.mark + " -->" + tail
		if page == string(raw) {
			continue
		}
		if !*update {
			t.Errorf("%s is not current; go test ./host/cli -run Docs -update", d.file)
			continue
		}
		if err := os.WriteFile(d.file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestErrorTable holds the table of errors in docs/mcp.md against the codes that
// an action can give; no_browser comes before any action.
func TestErrorTable(t *testing.T) {
	raw, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(raw), "\n| code | what it means | what to do |\n|---|---|---|\n")
	if !ok {
		t.Fatal("docs/mcp.md has no table of errors")
	}
	var told []string
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if len(cells) < 3 {
			break
		}
		told = append(told, strings.Trim(cells[0], "| `"))
	}
	want := []string{"no_browser"}
	for _, c := range spec.Codes() {
		want = append(want, string(c))
	}
	slices.Sort(told)
	slices.Sort(want)
	if !slices.Equal(told, want) {
		t.Errorf("docs/mcp.md tells of %q, the codes are %q", told, want)
	}
}

// TestEveryCommandHasJSON: each command that acts in a browser gives its result to
// programs.
func TestEveryCommandHasJSON(t *testing.T) {
	n := 0
	var walk func(cmds []*cobra.Command)
	walk = func(cmds []*cobra.Command) {
		for _, c := range cmds {
			if c.HasSubCommands() {
				walk(c.Commands())
				continue
			}
			n++
			if c.Flag("json") == nil {
				t.Errorf("%s has no --json", c.CommandPath())
			}
		}
	}
	for _, c := range rootCommand().Commands() {
		if c.GroupID == groupBrowser {
			walk([]*cobra.Command{c})
		}
	}
	if n < 50 {
		t.Errorf("only %d commands act in a browser", n)
	}
}

func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}

func toolTable() string {
	var b strings.Builder
	b.WriteString("\n| tool | core | parameters | what it does |\n|---|---|---|---|\n")
	for _, l := range mcp.List(action.Default()) {
		mark := ""
		if l.Core {
			mark = "✓"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", l.Name, mark, cell(strings.Join(l.Params, ", ")), cell(l.Description))
	}
	return b.String() + "\n"
}

func commandTable() string {
	var b strings.Builder
	b.WriteString("\n| command | flags | what it does |\n|---|---|---|\n")
	root := rootCommand()
	var walk func(prefix string, cmds []*cobra.Command)
	walk = func(prefix string, cmds []*cobra.Command) {
		for _, c := range cmds {
			if prefix == "" && c.GroupID != groupBrowser {
				continue
			}
			if c.HasSubCommands() {
				walk(prefix+c.Name()+" ", c.Commands())
				continue
			}
			var flags []string
			c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				switch {
				case f.Name == "help":
				case f.Shorthand != "":
					flags = append(flags, "`-"+f.Shorthand+"`, `--"+f.Name+"`")
				default:
					flags = append(flags, "`--"+f.Name+"`")
				}
			})
			fmt.Fprintf(&b, "| `%s%s` | %s | %s |\n", prefix, c.Use, strings.Join(flags, " "), cell(c.Short))
		}
	}
	walk("", root.Commands())
	return b.String() + "\n"
}
