package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tabwright/host/config"
	"tabwright/host/vault"
)

// secretCommand keeps the values that a model may have filled in without seeing
// them. A value is read from standard input, never from the command line, where
// every program of this computer could read it.
func secretCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "secret", Short: "Store, list or remove values that models fill in without seeing them",
		Long: "A model writes {{secret:NAME}} in place of the value; the value is filled in on its sites only, in a field of its kind,\n" +
			"after you allow it.",
		Example: "  tabwright secret set bank --site bank.example\n  tabwright secret list",
	}
	cmd.AddCommand(secretSet(), secretList(), secretRemove())
	return cmd
}

func secretSet() *cobra.Command {
	var sites []string
	var field string
	cmd := &cobra.Command{
		Use: "set NAME --site HOST...", Short: "Store a value: type it unseen, or pipe it to standard input", Args: cobra.ExactArgs(1),
		Example: "  tabwright secret set bank --site bank.example\n  tabwright secret set bank --site bank.example < password.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(sites) == 0 {
				return isMissing("--site HOST")
			}
			value, err := readSecret(cmd, "Value of "+args[0])
			if err != nil {
				return err
			}
			where, err := vault.Open("").Set(args[0], config.Secret(value), sites, field)
			if err != nil {
				return vaultError(err)
			}
			note := ""
			if where == config.InFile {
				note = ", not encrypted: there is no keyring here"
			}
			return printed(cmd, map[string]string{"kept": args[0], "where": string(where)}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "Kept in %s%s\n", where, note)
				return err
			})
		},
	}
	cmd.Flags().StringArrayVar(&sites, "site", nil, "a host it may be filled in on, with its subdomains; may be repeated")
	cmd.Flags().StringVar(&field, "field", "", "the kind of field: "+strings.Join(vault.Fields[1:], ", ")+"; default: any field for secrets")
	return cmd
}

func secretList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the names and sites, without the values", Args: cobra.NoArgs, Example: "  tabwright secret list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := vault.Open("").List()
			if err != nil {
				return vaultError(err)
			}
			if all == nil {
				all = []vault.Info{}
			}
			return printed(cmd, map[string]any{"secrets": all}, func(out io.Writer) error {
				w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
				for _, i := range all {
					field := i.Field
					if field == "" {
						field = "any secret"
					}
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", i.Name, strings.Join(i.Sites, ", "), field, i.Where)
				}
				return w.Flush()
			})
		},
	}
}

func secretRemove() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Aliases: []string{"delete", "rm"}, Short: "Remove a value", Args: cobra.ExactArgs(1), Example: "  tabwright secret remove bank",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := vaultError(vault.Open("").Delete(args[0])); err != nil {
				return err
			}
			return printed(cmd, map[string]string{"removed": args[0]}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "Removed %s\n", args[0])
				return err
			})
		},
	}
}

// vaultError gives bad input the exit code of a usage error.
func vaultError(err error) error {
	var bad *vault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &bad) && bad.Code != vault.CodeDamaged:
		return &exitError{code: exitUsage, err: err}
	}
	return &exitError{code: exitFailed, err: err}
}
