package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/config"
	"tabwright/host/serve"
	"tabwright/install"
)

func installCommand() *cobra.Command {
	var userData string
	var browsers []string
	cmd := &cobra.Command{
		Use: "install", Short: "Register Tabwright with your browsers", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !extension.Built() {
				return &exitError{code: exitFailed, err: serve.ErrNotBuilt}
			}
			o, err := serve.InstallOptions()
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			o.UserDataDir, o.Browsers = userData, browsers
			report, err := install.Install(cmd.Context(), o)
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), report.Text())
			return err
		},
	}
	cmd.Flags().StringVar(&userData, "user-data-dir", "", "a Chromium's own --user-data-dir")
	cmd.Flags().StringSliceVar(&browsers, "browser", nil, "only these browsers: chrome, chromium, brave, …")
	return cmd
}

func uninstallCommand() *cobra.Command {
	var userData string
	var purge bool
	cmd := &cobra.Command{
		Use: "uninstall", Short: "Undo everything that install did", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := serve.InstallOptions()
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			if purge && userData != "" {
				return &exitError{code: exitUsage, err: errors.New("--purge removes what all browsers share; leave --user-data-dir away")}
			}
			o.UserDataDir, o.Purge = userData, purge
			o.StopBroker = func(ctx context.Context) error {
				_, err := serve.StopBroker(ctx, true)
				return err
			}
			report, err := install.Uninstall(cmd.Context(), o)
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), report.Text())
			return err
		},
	}
	cmd.Flags().StringVar(&userData, "user-data-dir", "", "a Chromium's own --user-data-dir")
	cmd.Flags().BoolVar(&purge, "purge", false, "also remove settings, tasks and logs")
	return cmd
}

// keyCommand keeps API keys where they belong, never on the command line.
func keyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Keep or forget a provider's API key"}
	cmd.AddCommand(
		&cobra.Command{
			Use: "set PROVIDER", Short: "Read a key, from standard input or typed unseen, and keep it", Args: cobra.ExactArgs(1),
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
				_, err = fmt.Fprintln(cmd.OutOrStdout(), "Kept in", where)
				return err
			},
		},
		&cobra.Command{
			Use: "delete PROVIDER", Short: "Forget a provider's key", Args: cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error {
				if err := config.CheckProvider(args[0]); err != nil {
					return &exitError{code: exitUsage, err: err}
				}
				if err := config.OpenKeys("").Delete(args[0]); err != nil {
					return &exitError{code: exitFailed, err: err}
				}
				return nil
			},
		},
	)
	return cmd
}
