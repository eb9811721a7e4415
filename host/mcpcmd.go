package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/control/door"
	"tabwright/host/control/mcp"
	"tabwright/host/native"
)

// browserFlags say which browser the doors without a model use.
type browserFlags struct {
	launch, headless bool
	browser, cdp     string
	args, hosts      []string
	profile, confirm string
}

func (f *browserFlags) add(cmd *cobra.Command, confirm string) {
	fl := cmd.Flags()
	fl.BoolVar(&f.launch, "launch", false, "start a Chromium of its own instead of joining yours")
	fl.BoolVar(&f.headless, "headless", false, "with --launch: without a window")
	fl.StringVar(&f.browser, "browser", "", "with --launch: the browser's binary")
	fl.StringArrayVar(&f.args, "browser-arg", nil, "with --launch: a further argument for the browser; TABWRIGHT_CHROMIUM_ARGS adds more")
	fl.StringArrayVar(&f.hosts, "allow-host", nil, "a local host, host:port or network that may be opened (a launched browser may open this computer's own)")
	fl.StringVar(&f.profile, "profile", "", "the connected profile, as `tabwright profiles` lists them; default: the one used last")
	fl.StringVar(&f.confirm, "confirm", confirm, "what needs a confirmation: ask, deny, or with --launch allow")
}

func (f *browserFlags) check() error {
	switch f.confirm {
	case door.Ask, door.Deny:
	case door.Allow:
		if !f.launch {
			return errors.New("--confirm allow goes with --launch only; in your own browser the side panel answers")
		}
	default:
		return fmt.Errorf("--confirm is ask, deny or allow, not %q", f.confirm)
	}
	switch {
	case !f.launch && (f.headless || f.browser != "" || len(f.args) > 0):
		return errors.New("--headless, --browser and --browser-arg go with --launch")
	case f.launch && f.cdp != "":
		return errors.New("--launch starts a browser, --cdp joins one: give one of them")
	case f.cdp != "" && f.confirm == door.Ask:
		return errors.New("--confirm ask does not go with --cdp: nobody can be asked there")
	case f.profile != "" && (f.launch || f.cdp != ""):
		return errors.New("--profile is of your own browser; it does not go with --launch or --cdp")
	}
	return nil
}

// mcpCommand is the MCP server.
func mcpCommand() *cobra.Command {
	var f browserFlags
	var set string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the browser to an MCP client over standard input and output",
		Long: "Serves the browser to an MCP client. Without --launch or --cdp it works in your own Chrome, through the extension,\n" +
			"in tabs that it opens; what needs a confirmation is then answered in the side panel (--confirm ask) or refused (deny).",
		Example: `  tabwright mcp --launch --headless
  tabwright mcp --cdp http://127.0.0.1:9222
  tabwright mcp --confirm ask`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			if set != mcp.ToolsAll && set != mcp.ToolsCore {
				return &exitError{code: exitUsage, err: fmt.Errorf("--tools is all or core, not %q", set)}
			}
			if err := serveMCP(cmd.Context(), f, set); err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			return nil
		},
	}
	f.add(cmd, door.Deny)
	cmd.Flags().StringVar(&f.cdp, "cdp", "", "join the browser at this DevTools address: http://127.0.0.1:9222 or ws://…")
	cmd.Flags().StringVar(&set, "tools", mcp.ToolsAll, "all, or core: the ten used most")
	return cmd
}

func serveMCP(ctx context.Context, f browserFlags, set string) error {
	env, err := loadEnv()
	if err != nil {
		return err
	}
	log := nopLogger()
	if file, err := config.Logger(env.cfg.LogLevel, "mcp"); err == nil {
		defer file.Close()
		log = file.Logger
	} else {
		fmt.Fprintln(os.Stderr, "tabwright: no log file:", err)
	}
	open := func(ctx context.Context, client string) (control.Hand, error) {
		if f.launch || f.cdp != "" {
			script, err := extension.Extractor()
			if err != nil {
				return nil, errNotBuilt
			}
			o := control.LocalOptions{
				CDP: f.cdp, Confirm: f.confirm, Hosts: f.hosts, Uploads: env.cfg.UploadDirs, Lang: env.cfg.Lang, Extractor: script, Log: log,
				Files: filepath.Join(config.Dirs().Data, "files", "mcp-"+time.Now().Format("20060102-150405")+"-"+strconv.Itoa(os.Getpid())),
			}
			if f.launch {
				o.Launch = &control.LaunchOptions{Headless: f.headless, Browser: f.browser, Args: f.args, Extractor: script}
			}
			return control.OpenLocal(ctx, o)
		}
		c, err := dialBroker(ctx, true)
		if err != nil {
			return nil, err
		}
		h, _, err := control.OpenRemote(ctx, c, native.SessionOpenParams{
			Client: client, Profile: f.profile, Confirm: f.confirm, Lang: env.cfg.Lang, Hosts: f.hosts,
		})
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		return h, nil
	}
	return mcp.Serve(ctx, mcp.Options{
		Version: version, Tools: set, Open: open, Elicit: f.launch && f.confirm == door.Ask, Log: log,
	}, os.Stdin, os.Stdout)
}
