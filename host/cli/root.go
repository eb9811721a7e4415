// Package cli is the command line, with a file for each command.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
	"tabwright/install/selfupdate"
)

// Exit codes of the command line, for scripts.
const (
	exitOK        = 0
	exitFailed    = 1 // the task failed, a check failed
	exitUsage     = 2
	exitDenied    = 3 // something had to be confirmed and was not
	exitUntold    = 4 // a question of `tabwright is` could not be answered
	exitCancelled = 130
)

// exitError carries an exit code up to main; its text was already said when
// quiet.
type exitError struct {
	code  int
	err   error
	quiet bool
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// Run runs the command line with the process's arguments, and gives its exit code.
func Run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cmd, err := rootCommand().ExecuteContextC(ctx)
	return exitCode(cmd, err)
}

// exitCode says what went wrong, if anything did, and gives the exit code.
func exitCode(cmd *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	var ee *exitError
	if errors.As(err, &ee) {
		if !ee.quiet && !sayJSON(cmd, ee) {
			sayError(cmd.ErrOrStderr(), ee.err)
		}
		return ee.code
	}
	out := cmd.ErrOrStderr()
	sayError(out, err)
	if cmd.HasParent() {
		fmt.Fprintf(out, "  Usage: %s\n", cmd.UseLine())
	}
	fmt.Fprintf(out, "  %s --help says more.\n", cmd.CommandPath())
	return exitUsage
}

// sayJSON prints a failure for a program that asked for JSON; one in how the
// command was written is for its author, unless it came from the other side.
func sayJSON(cmd *cobra.Command, ee *exitError) bool {
	if cmd == nil {
		return false
	}
	if on, err := cmd.Flags().GetBool("json"); err != nil || !on {
		return false
	}
	var coded *wire.Error
	if ee.code == exitUsage && !errors.As(ee.err, &coded) {
		return false
	}
	return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]*wire.Error{"error": codedError(ee.err)}) == nil
}

// Root is the command line, for what writes its pages.
func Root() *cobra.Command { return rootCommand() }

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "tabwright",
		Short: "A browser agent that lives in your own Chrome",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, words []string) error {
			if version, err := cmd.Flags().GetBool("version"); err != nil || version {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), "tabwright", serve.Version)
				return err
			}
			if len(words) > 0 {
				return noSuch(cmd, words)
			}
			return cmd.Help()
		},
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().Bool("json", false, "print the result as JSON")
	root.PersistentFlags().StringVar(&serve.Overrides.Path, "config", "", "read the settings from this file")
	root.PersistentFlags().StringToStringVar(&serve.Overrides.Flags, "set", nil, "a setting for this process: --set model=qwen3:8b (docs/settings.md)")
	root.PersistentFlags().Lookup("set").DefValue = "" // not []
	root.Flags().BoolP("version", "v", false, "version for tabwright")
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"tasks", "Do tasks:", []*cobra.Command{runCommand(), resumeCommand(), recordCommand(), replayCommand(), traceCommand(), flowCommand()}},
		{"setup", "Set up:", []*cobra.Command{installCommand(), doctorCommand(), uninstallCommand(), configCommand(), environmentCommand(), keyCommand(), modelsCommand(), versionCommand(), updateCommand(selfupdate.Official()), licensesCommand()}},
		{"safety", "What may be done:", []*cobra.Command{policyCommand(), auditCommand(), explainCommand(action.Default()), secretCommand()}},
		{"serve", "Serve programs:", []*cobra.Command{mcpCommand(), httpCommand(), brokerCommand(), statusCommand(), logsCommand(), benchCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	addActions(root)
	completions(root)

	root.AddCommand(otherWords(root)...)
	root.SetHelpCommand(helpCommand(root))
	root.SetUsageFunc(sayUsage)
	refuseUnknown(root)
	countArguments(root)
	fillExamples(root)
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = checkNames
	return root
}

// checkNames refuses settings that there are not before anything is done; what is
// to be read, and doctor, which says so among all else, go on.
func checkNames(cmd *cobra.Command, _ []string) error {
	switch top := topName(cmd); top {
	case "tabwright", "doctor", "help", "version", "update", "licenses", "completion", "environment", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		return nil
	}
	if err := serve.Overrides.CheckNames(); err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	return nil
}

// topName is the first word of a command.
func topName(cmd *cobra.Command) string {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return cmd.Name()
}
