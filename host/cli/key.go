package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tabwright/host/config"
	"tabwright/host/serve"
	"tabwright/llm"
)

// keyCommand keeps API keys where they belong, never on the command line.
func keyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Store, list or remove the API keys of providers", Example: "  tabwright key set openai\n  tabwright key list"}
	cmd.AddCommand(
		&cobra.Command{
			Use: "set PROVIDER", Short: "Store a key: type it unseen, or pipe it to standard input", Args: cobra.ExactArgs(1), ValidArgsFunction: providerNames,
			Example: "  tabwright key set openai\n  tabwright key set openai < key.txt",
			RunE: func(cmd *cobra.Command, args []string) error {
				if err := config.CheckProvider(args[0]); err != nil {
					return &exitError{code: exitUsage, err: err}
				}
				line, err := readSecret(cmd, "Key of "+args[0])
				if err != nil {
					return err
				}
				key := config.Secret(strings.TrimSpace(line))
				if err := config.CheckKey(args[0], key); err != nil {
					return &exitError{code: exitUsage, err: err}
				}
				where, err := config.OpenKeys("").Set(args[0], key)
				if err != nil {
					return &exitError{code: exitFailed, err: err}
				}
				return printed(cmd, map[string]string{"kept": args[0], "where": string(where)}, func(w io.Writer) error {
					_, err := fmt.Fprintln(w, "Kept in", where)
					return err
				})
			},
		},
		keyListCommand(),
		&cobra.Command{
			Use: "remove PROVIDER", Aliases: []string{"delete", "rm"}, Short: "Remove a provider's key", Args: cobra.ExactArgs(1), ValidArgsFunction: providerNames,
			Example: "  tabwright key remove openai",
			RunE: func(cmd *cobra.Command, args []string) error {
				if err := config.CheckProvider(args[0]); err != nil {
					return &exitError{code: exitUsage, err: err}
				}
				if err := config.OpenKeys("").Delete(args[0]); err != nil {
					return &exitError{code: exitFailed, err: err}
				}
				return printed(cmd, map[string]string{"removed": args[0]}, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "Removed the key of %s\n", args[0])
					return err
				})
			},
		},
	)
	return cmd
}

// providerNames completes with the providers.
func providerNames(_ *cobra.Command, done []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(done) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return llm.Providers(), cobra.ShellCompDirectiveNoFileComp
}

// keyView is what is known of a key, and never the key.
type keyView struct {
	Provider string `json:"provider"`
	Needed   bool   `json:"needed"`
	Stored   bool   `json:"stored"`
	Variable string `json:"variable,omitempty"` // that comes first
	Page     string `json:"page,omitempty"`
}

func keyListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the providers, and whether each has a key", Args: cobra.NoArgs, Example: "  tabwright key list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			env, err := serve.Load()
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			states, err := config.KeyStates(env.Keys, env.Config.Provider)
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			all := make([]keyView, len(states))
			for i, s := range states {
				all[i] = keyView{s.Provider, s.Needed, s.Stored, s.Env, s.Page}
			}
			return printed(cmd, map[string]any{"keys": all}, func(out io.Writer) error {
				w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				for _, k := range all {
					state := "none"
					switch {
					case k.Variable != "":
						state = "in " + k.Variable
					case k.Stored:
						state = "stored"
					case !k.Needed:
						state = "none needed"
					}
					fmt.Fprintf(w, "%s\t%s\t%s\n", k.Provider, state, k.Page)
				}
				return w.Flush()
			})
		},
	}
}
