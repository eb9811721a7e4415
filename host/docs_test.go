package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/action"
	"tabwright/host/control/mcp"
)

var update = flag.Bool("update", false, "write the generated parts of the reference pages anew")

// TestDocsAreCurrent holds the tables of docs/mcp.md and docs/cli.md against
// the registry.
func TestDocsAreCurrent(t *testing.T) {
	for _, d := range []struct{ file, mark, want string }{
		{"../docs/mcp.md", "tools", toolTable()},
		{"../docs/cli.md", "commands", commandTable()},
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
			t.Errorf("%s is not current; go test ./host -run Docs -update", d.file)
			continue
		}
		if err := os.WriteFile(d.file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
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
