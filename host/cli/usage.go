package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/config"
)

// sayUsage prints how a command is used: as cobra does, but with one line of usage, and
// without the other words for a command: who knows them may write them, and who reads
// should learn one. (A template would keep every method in the program; see
// prompts/template.)
func sayUsage(cmd *cobra.Command) error {
	out, path := cmd.OutOrStderr(), cmd.CommandPath()
	if cmd.HasParent() {
		fmt.Fprintf(out, "Usage:\n  %s", cmd.UseLine())
	} else {
		fmt.Fprintf(out, "Usage:\n  %s COMMAND", path)
	}
	if cmd.HasExample() {
		fmt.Fprintf(out, "\n\nExamples:\n%s", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		for _, g := range cmd.Groups() {
			printCommands(out, cmd, g.Title, g.ID)
		}
		title := "Commands:"
		if len(cmd.Groups()) > 0 {
			title = "Other commands:"
		}
		printCommands(out, cmd, title, "")
	}
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprint(out, "\n\nFlags:\n", flagUsages(cmd.LocalFlags()))
	}
	if cmd.HasAvailableInheritedFlags() {
		fmt.Fprint(out, "\n\nFlags of every command:\n", flagUsages(cmd.InheritedFlags()))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(out, "\n\n%s COMMAND --help says more about a command.", path)
	}
	if !cmd.HasParent() {
		fmt.Fprintf(out, "\n%s environment lists the variables.", path)
	}
	fmt.Fprintln(out)
	return nil
}

func printCommands(out io.Writer, cmd *cobra.Command, title, group string) {
	fmt.Fprint(out, "\n\n", title)
	for _, c := range cmd.Commands() {
		if c.GroupID == group && (c.IsAvailableCommand() || c.Name() == "help") {
			fmt.Fprintf(out, "\n  %-*s %s", c.NamePadding(), c.Name(), c.Short)
		}
	}
}

// flagKinds are names of Go's types, and what a user reads in their place: of the same
// length, so that the columns stay.
var flagKinds = strings.NewReplacer(" stringToString ", " NAME=VALUE     ", " stringArray ", " string      ", " strings ", " string  ")

func flagUsages(flags *pflag.FlagSet) string {
	return strings.TrimRightFunc(flagKinds.Replace(flags.FlagUsages()), unicode.IsSpace)
}

// environmentCommand lists the variables, from the table of settings.
func environmentCommand() *cobra.Command {
	var long strings.Builder
	long.WriteString("The variables below take precedence over the settings file; flags take precedence over both.\n\n")
	for _, v := range config.Variables() {
		fmt.Fprintf(&long, "    %s\n        %s\n", v.Name, v.Doc) // indented, so that a manual page keeps the lines
	}
	return &cobra.Command{
		Use: "environment", Long: long.String(), Short: "List the environment variables that Tabwright reads", Args: cobra.NoArgs,
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
