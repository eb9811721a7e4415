package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/config"
)

// usageTemplate is cobra's with one line of usage, and without the other words for a
// command: who knows them may write them, and who reads should learn one.
const usageTemplate = `Usage:
  {{if .HasParent}}{{.UseLine}}{{else}}{{.CommandPath}} COMMAND{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{if eq (len .Groups) 0}}

Commands:{{range $cmds}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{else}}{{range $group := .Groups}}

{{.Title}}{{range $cmds}}{{if and (eq .GroupID $group.ID) .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}

Other commands:{{range $cmds}}{{if and (eq .GroupID "") (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{flagUsages .LocalFlags | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of every command:
{{flagUsages .InheritedFlags | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

{{.CommandPath}} COMMAND --help says more of a command.{{end}}{{if not .HasParent}}
{{.CommandPath}} environment lists the variables.{{end}}
`

// flagKinds are names of Go's types, and what a user reads in their place: of the same
// length, so that the columns stay.
var flagKinds = strings.NewReplacer(" stringToString ", " NAME=VALUE     ", " stringArray ", " string      ", " strings ", " string  ")

func flagUsages(flags *pflag.FlagSet) string { return flagKinds.Replace(flags.FlagUsages()) }

// environmentCommand lists the variables, from the table of settings.
func environmentCommand() *cobra.Command {
	var long strings.Builder
	long.WriteString("Each variable below is read where no flag says otherwise, and comes before the file of settings.\n\n")
	for _, v := range config.Variables() {
		fmt.Fprintf(&long, "    %s\n        %s\n", v.Name, v.Doc) // indented, so that a manual page keeps the lines
	}
	return &cobra.Command{
		Use: "environment", Long: long.String(), Short: "List the variables that are read", Args: cobra.NoArgs,
		Example: "  tabwright environment\n  tabwright environment --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printed(cmd, config.Variables(), func(out io.Writer) error { return printVariables(out) })
		},
	}
}

func printVariables(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, v := range config.Variables() {
		fmt.Fprintf(w, "%s\t%s\n", v.Name, v.Doc)
	}
	return w.Flush()
}

// fillExamples gives an example to a command that is run by its name alone.
func fillExamples(cmd *cobra.Command) {
	if cmd.Example == "" && cmd.HasParent() {
		cmd.Example = "  " + cmd.CommandPath()
		if names := namesOf(cmd); len(names) > 0 {
			cmd.Example += " " + names[0]
		}
	}
	for _, c := range cmd.Commands() {
		fillExamples(c)
	}
}
