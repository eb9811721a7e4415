package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/serve"
	"tabwright/install"
)

func installCommand() *cobra.Command {
	var userData string
	var browsers []string
	var waiting installWait
	cmd := &cobra.Command{
		Use: "install", Short: "Put Tabwright into your browsers, and wait until one is connected", Args: cobra.NoArgs,
		Example: "  tabwright install\n  tabwright install --browser chrome\n  tabwright install --no-wait",
		Long: `Registers the program with every browser that you have started at least once, opens a page with the remaining clicks in
the one that you used last, and waits until the extension is connected. Without a terminal, or without a display, it opens
nothing and does not wait, unless --wait says so.`,
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
				code := exitFailed
				if errors.Is(err, &install.Error{Code: install.CodeUnknown}) {
					code = exitUsage // --browser names none
				}
				return &exitError{code: code, err: err}
			}
			return waiting.finish(cmd, o, report)
		},
	}
	waiting.flags(cmd.Flags())
	cmd.Flags().StringVar(&userData, "user-data-dir", "", "the folder that a Chromium is started with (--user-data-dir)")
	cmd.Flags().StringSliceVar(&browsers, "browser", nil, "only this browser: chrome, chromium, brave, …; may be repeated")
	return cmd
}

func uninstallCommand() *cobra.Command {
	var userData string
	var purge bool
	cmd := &cobra.Command{
		Use: "uninstall", Short: "Undo everything that install did", Args: cobra.NoArgs,
		Example: "  tabwright uninstall\n  tabwright uninstall --purge",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := serve.InstallOptions()
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			if purge && userData != "" {
				return &exitError{code: exitUsage, err: errors.New("--purge removes what all browsers share; use it without --user-data-dir")}
			}
			o.UserDataDir, o.Purge = userData, purge
			o.StopBroker = func(ctx context.Context) error {
				_, err := serve.StopBroker(ctx, true)
				return err
			}
			var secrets error
			if purge {
				secrets = serve.ForgetSecrets()
			}
			report, err := install.Uninstall(cmd.Context(), o)
			if err = errors.Join(secrets, err); err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			return printed(cmd, report, func(out io.Writer) error {
				_, err := fmt.Fprint(out, report.Text())
				return err
			})
		},
	}
	cmd.Flags().StringVar(&userData, "user-data-dir", "", "the folder that a Chromium is started with (--user-data-dir)")
	cmd.Flags().BoolVar(&purge, "purge", false, "also remove settings, keys, tasks and logs")
	return cmd
}
