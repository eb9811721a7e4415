package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/browser/launch"
	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/control/clientsession"
	"tabwright/host/control/httpapi"
	"tabwright/host/control/mcp"
	"tabwright/host/native"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
	"tabwright/host/vault"
)

// browserFlags say which browser the doors without a model use.
type browserFlags struct {
	launch, headless bool
	isolated         bool
	browser, cdp     string
	args, hosts      []string
	profile, confirm string
}

func (f *browserFlags) add(cmd *cobra.Command, confirm string) {
	fl := cmd.Flags()
	fl.BoolVar(&f.launch, "launch", false, "start a separate Chromium with a temporary profile, instead of using your browser")
	fl.BoolVar(&f.headless, "headless", false, "launch the browser without a window")
	fl.BoolVar(&f.isolated, "isolated", false, "give the session its own cookies and storage, deleted at its end; only in a launched browser or with --cdp")
	fl.StringVar(&f.browser, "browser", "", "the Chromium to launch")
	fl.StringArrayVar(&f.args, "browser-arg", nil, "an argument for the launched browser; may be repeated, and TABWRIGHT_CHROMIUM_ARGS adds more")
	fl.StringArrayVar(&f.hosts, "allow-host", nil, "a local host, host:port or network that may be opened; may be repeated (a launched browser may open this computer's own addresses)")
	fl.StringVar(&f.cdp, "cdp", "", "join the browser at this DevTools address: http://127.0.0.1:9222 or ws://…")
	fl.StringVar(&f.profile, "profile", "", "where to work: chrome, your browser in the profile used last (the default); the id of another profile of your browsers; own or own:NAME, a Chromium with a permanent profile of that name (tabwright profiles lists all)")
	fl.StringVar(&f.confirm, "confirm", confirm, "what to do if a confirmation is needed: ask, deny, or with --launch allow")
}

func (f *browserFlags) check() error {
	switch f.confirm {
	case clientsession.Ask, clientsession.Deny:
	case clientsession.Allow:
		if !f.launch {
			return errors.New("--confirm allow works only with --launch; in your own browser the side panel answers")
		}
	default:
		return fmt.Errorf("--confirm is ask, deny or allow, not %q", f.confirm)
	}
	switch {
	case f.launch && f.profile != "":
		return errors.New("--launch uses a temporary profile, and --profile names a permanent one: give one of them")
	case f.cdp != "" && (f.launch || f.profile != ""):
		return errors.New("--cdp uses a browser that already runs; it can't be combined with --launch or --profile")
	case !f.launches() && (f.headless || f.browser != "" || len(f.args) > 0):
		return errors.New("--headless, --browser and --browser-arg go with --launch or --profile own")
	case f.isolated && !f.launches() && f.cdp == "":
		return errors.New("--isolated goes with --launch, --profile own or --cdp: your own browser has one set of cookies")
	case f.cdp != "" && f.confirm == clientsession.Ask:
		return errors.New("--confirm ask can't be combined with --cdp: nobody can be asked there")
	}
	return nil
}

// launches tells whether the browser is one that we start.
func (f *browserFlags) launches() bool { return f.launch || control.IsOwn(f.profile) }

// session is what the broker is asked for.
func (f *browserFlags) session(p wire.SessionOpenParams) (wire.SessionOpenParams, error) {
	p.Profile, p.Confirm, p.Hosts, p.Isolated, p.CDP = f.profile, f.confirm, f.hosts, f.isolated, f.cdp
	if !f.launches() {
		return p, nil
	}
	extra, err := launch.EnvArgs()
	if err != nil {
		return p, err
	}
	env, err := serve.Load()
	if err != nil {
		return p, err
	}
	p.Launch = &wire.SessionLaunch{
		Headless: f.headless, Browser: cmp.Or(f.browser, env.Config.Browser), Args: append(slices.Clone(f.args), extra...), Env: serve.DisplayEnv(),
	}
	return p, nil
}

// mcpCommand is the MCP server.
func mcpCommand() *cobra.Command {
	var f browserFlags
	var set, listen string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the browser to MCP clients, over standard input and output or HTTP",
		Long: "Serves the browser to an MCP client. Without --launch, --cdp or --profile own it works in your own Chrome, through\n" +
			"the extension, in tabs that it opens and those you hand over in the side panel. Confirmations are asked for\n" +
			"there, or by the client for a launched browser; if nobody can be asked, the action is refused. --confirm deny asks nobody.\n" +
			"With --listen it serves any number of clients over Streamable HTTP on this computer, each with a session of its own;\n" +
			"they need the token, which is in a file that only you may read, or is the one in " + httpTokenEnv + ".",
		Example: `  tabwright mcp --launch --headless
  tabwright mcp --profile own --isolated
  tabwright mcp --cdp http://127.0.0.1:9222
  tabwright mcp --confirm deny --tools core
  tabwright mcp --listen 127.0.0.1:8931`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.askWhoCan(cmd)
			if err := f.check(); err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			if set != mcp.ToolsAll && set != mcp.ToolsCore {
				return &exitError{code: exitUsage, err: fmt.Errorf("--tools is all or core, not %q", set)}
			}
			return failedWith(serveMCP(cmd, f, set, listen))
		},
	}
	f.add(cmd, clientsession.Ask)
	cmd.Flags().StringVar(&listen, "listen", "", "serve Streamable HTTP at this local address, such as 127.0.0.1:8931, with the path /mcp; port 0 takes any free port")
	cmd.Flags().StringVar(&set, "tools", mcp.ToolsAll, "the tools to offer: all, or core for the ten used most")
	completeFlag(cmd, "tools", words(mcp.ToolsAll, mcp.ToolsCore))
	completeFlag(cmd, "confirm", words(clientsession.Ask, clientsession.Deny, clientsession.Allow))
	completeFlag(cmd, "profile", profileNames)
	return cmd
}

// askWhoCan has nobody asked where nobody can be.
func (f *browserFlags) askWhoCan(cmd *cobra.Command) {
	if f.cdp != "" && !cmd.Flags().Changed("confirm") {
		f.confirm = clientsession.Deny
	}
}

func serveMCP(cmd *cobra.Command, f browserFlags, set, listen string) error {
	ctx := cmd.Context()
	env, err := serve.Load()
	if err != nil {
		return err
	}
	warnPolicy(os.Stderr)
	log, closeLog := env.Logger("mcp")
	defer closeLog()
	open := func(ctx context.Context, client string) (control.SessionClient, error) {
		if f.launch || f.cdp != "" {
			script, err := extension.Extractor()
			if err != nil {
				return nil, serve.ErrNotBuilt
			}
			o := control.LocalOptions{
				CDP: f.cdp, Isolated: f.isolated, Confirm: f.confirm, Hosts: f.hosts, Uploads: env.Config.UploadDirs, SearchURL: env.Config.SearchURL(), Lang: env.Config.Lang, Extractor: script, Log: log,
				Policies: config.OpenPolicies(), Audit: serve.AuditLog(), Secrets: vault.Open(""), Door: client,
				Files: filepath.Join(config.Dirs().Data, "files", "mcp-"+time.Now().Format("20060102-150405")+"-"+strconv.Itoa(os.Getpid())),
			}
			if f.launch {
				o.Launch = &control.LaunchOptions{Headless: f.headless, Browser: cmp.Or(f.browser, env.Config.Browser), Args: f.args, Extractor: script}
			}
			return control.OpenLocal(ctx, o)
		}
		p, err := f.session(wire.SessionOpenParams{Client: client, Lang: env.Config.Lang})
		if err != nil {
			return nil, err
		}
		c, err := serve.Dial(ctx, true)
		if err != nil {
			return nil, err
		}
		h, _, err := control.OpenRemote(ctx, c, p)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		return h, nil
	}
	o := mcp.Options{Version: serve.Version, Tools: set, Open: open, Elicit: f.launches() && f.confirm == clientsession.Ask, Confirm: f.confirm, Log: log}
	if listen == "" {
		return mcp.Serve(ctx, o, os.Stdin, os.Stdout)
	}
	broker, err := native.SocketPath()
	if err != nil {
		return err
	}
	token, file, err := httpToken(filepath.Dir(broker), "mcp")
	if err != nil {
		return err
	}
	if file != "" {
		defer os.Remove(file)
	}
	l, err := loopbackListener(ctx, listen)
	if err != nil {
		return err
	}
	if err := sayListening(cmd, "http://"+l.Addr().String()+mcp.Path, file); err != nil {
		return errors.Join(err, l.Close())
	}
	return mcp.ServeHTTP(ctx, o, l, func(h http.Handler) (http.Handler, error) { return httpapi.Guard(l, token, h) })
}
