package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tabwright/host/config"
)

// refuseUnknown has every command that only groups others refuse a word that is
// none of them, and help a topic that there is not: cobra shows the help of the
// group then, and a script goes on as if something had been done.
func refuseUnknown(group *cobra.Command) {
	for _, c := range group.Commands() {
		refuseUnknown(c)
	}
	if group.HasParent() && group.HasSubCommands() && !group.Runnable() {
		group.Use, group.Args, group.ValidArgsFunction, group.DisableFlagsInUseLine = group.Name()+" COMMAND", nil, nil, true
		group.RunE = func(cmd *cobra.Command, words []string) error {
			return &exitError{code: exitUsage, err: noSuch(cmd, words)}
		}
	}
}

// helpCommand shows the help of a command.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND...]", Short: "Show the help of a command",
		ValidArgsFunction: func(_ *cobra.Command, done []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			if at, rest, err := root.Find(done); err == nil && len(rest) == 0 {
				names = namesOf(at)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		Example: "  tabwright run --help",
		RunE: func(_ *cobra.Command, words []string) error {
			at, rest, err := root.Find(words)
			if err == nil && len(rest) > 0 {
				err = noSuch(at, rest)
			}
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			return at.Help()
		},
	}
}

// namesOf are the names of the commands that a command goes on with.
func namesOf(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// noSuch says which words a command goes on with.
func noSuch(cmd *cobra.Command, words []string) error {
	names, path := namesOf(cmd), strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	switch {
	case !cmd.HasParent():
		return fmt.Errorf("there is no command %q%s", words[0], config.Meant(words[0], names))
	case len(names) == 1 && len(words) == 0:
		return fmt.Errorf("say what: %s %s", path, names[0])
	case len(names) == 0:
		return fmt.Errorf("%s is followed by no %q", path, words[0])
	case len(words) == 0:
		return fmt.Errorf("say what: %s is followed by one of %s", path, strings.Join(names, ", "))
	}
	meant := config.Meant(words[0], names)
	if meant == "" {
		meant = fmt.Sprintf(": %s is followed by one of %s", path, strings.Join(names, ", "))
	}
	return fmt.Errorf("there is no %q%s", path+" "+words[0], meant)
}
