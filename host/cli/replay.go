package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/action"
	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/control/clientsession"
	"tabwright/host/control/models"
	"tabwright/host/flow"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

type replayFlags struct {
	browserFlags
	params     map[string]string
	set        map[string]string // as of every command, and parameters as older versions took them
	url, model string
	noModel    bool
	keep       bool
	wait       time.Duration
}

// replayCommand does a recorded workflow again.
func replayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use: "replay FILE", Short: "Run a recorded workflow again without a model; it finds elements by role and name",
		Long: "Runs the steps of a recorded workflow. Elements are found by role and name; confirmations are asked for as\n" +
			"always. If a step no longer fits, the model fixes it, the file is rewritten, and the change is shown. With\n" +
			"--no-model, or without a model, the replay stops there.",
		Example: "  tabwright replay shop.yaml --param search_products=\"red mug\"\n  tabwright replay shop.yaml --launch --headless --confirm deny --no-model",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			return f.run(cmd, args[0])
		},
	}
	f.add(cmd, clientsession.Ask)
	fl := cmd.Flags()
	fl.StringToStringVar(&f.params, "param", nil, "a parameter of the workflow, by its name in the file: --param search_products=\"red mug\"")
	fl.StringToStringVar(&f.set, "set", nil, "a setting for this process, as for every command; or a parameter, as in older versions")
	fl.Lookup("param").DefValue, fl.Lookup("set").DefValue = "", "" // not []
	fl.StringVar(&f.url, "url", "", "begin at this page instead of the recorded one")
	fl.StringVar(&f.model, "model", "", "provider/name of the model that fixes steps; default: the configured one")
	fl.BoolVar(&f.noModel, "no-model", false, "stop at a step that no longer fits")
	durationVar(fl, &f.wait, "wait", 8*time.Second, "how long to wait for an element")
	fl.BoolVar(&f.keep, "keep-file", false, "show the steps that the model fixed, and leave the file as it is")
	completeFlag(cmd, "confirm", words(clientsession.Ask, clientsession.Deny, clientsession.Allow))
	completeFlag(cmd, "profile", profileNames)
	return cmd
}

func (f replayFlags) run(cmd *cobra.Command, path string) (err error) {
	ctx := cmd.Context()
	raw, err := os.ReadFile(path)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	rec, err := flow.ParseRecording(raw)
	if err == nil {
		err = f.resolve(rec)
	}
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	if rec.Unfinished != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "! %s was recorded from a task that was not done (%s), and ends where that ended\n", path, rec.Unfinished)
	}
	warnPolicy(cmd.ErrOrStderr())
	env, err := serve.Load()
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	hand, info, err := f.open(ctx, env, cmp.Or(f.url, rec.URL))
	if err != nil {
		return failedWith(err)
	}
	defer func() { err = errors.Join(err, hand.Close()) }()
	doer := &replayDoer{cmd: cmd, hand: hand}
	if f.confirm == clientsession.Ask && info.Launched {
		doer.asker = newAsker(f.confirm, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	r := flow.Replay{Recording: rec, Hands: doer, Values: f.params, URL: f.url, Patience: f.wait, Say: func(n, total int, line string) {
		if asJSON(cmd) {
			_ = printed(cmd, map[string]any{"step": n, "of": total, "line": line}, nil) // who reads it may have gone
			return
		}
		fmt.Fprintf(cmd.OutOrStdout(), "✓ %2d/%d %s\n", n, total, line)
	}}
	if !f.noModel {
		r.Mend = &lazyMender{env: env, id: f.model, lang: env.Config.Lang, out: cmd.OutOrStdout()}
	}
	changes, failed := r.Run(ctx)
	if err := f.rewrite(cmd, path, raw, changes); err != nil {
		failed = errors.Join(failed, err)
	}
	if failed == nil {
		return nil
	}
	var ne *wire.Error
	if errors.As(failed, &ne) {
		e := *ne
		e.Message = strings.ReplaceAll(failed.Error(), ne.Error(), ne.Message)
		return &exitError{code: codeFor(ne), err: &e}
	}
	return &exitError{code: exitFailed, err: failed}
}

// resolve sorts what --set names into parameters and settings, and checks both.
func (f *replayFlags) resolve(rec *flow.Recording) error {
	params, settings := map[string]string{}, map[string]string{}
	for name, v := range f.set {
		if _, ok := rec.Params[name]; ok {
			params[name] = v
		} else {
			settings[name] = v
		}
	}
	maps.Copy(params, f.params)
	f.params, serve.Overrides.Flags = params, settings
	_, err := rec.Resolve(params)
	return errors.Join(err, serve.Overrides.CheckNames())
}

// rewrite puts what was mended into the file, and shows it.
func (f replayFlags) rewrite(cmd *cobra.Command, path string, raw []byte, changes []flow.Change) error {
	if len(changes) == 0 {
		return nil
	}
	mended, err := flow.Rewrite(raw, changes)
	if err != nil {
		return err
	}
	// Spaces that only the writing of YAML changes are no change of a step.
	before, err := flow.Rewrite(raw, nil)
	if err != nil {
		return err
	}
	diff := flow.Diff(string(before), string(mended))
	var view []map[string]any
	for _, c := range changes {
		view = append(view, map[string]any{"step": c.At + 1, "why": c.Why})
	}
	if err := printed(cmd, map[string]any{"mended": view, "diff": diff}, func(out io.Writer) error {
		for _, c := range changes {
			fmt.Fprintf(out, "! step %d was mended: %s\n", c.At+1, c.Why)
		}
		_, err := fmt.Fprint(out, diff)
		return err
	}); err != nil {
		return err
	}
	if f.keep || bytes.Equal(raw, mended) {
		return nil
	}
	return os.WriteFile(path, mended, 0o600)
}

// open opens the session that the steps are done in.
func (f replayFlags) open(ctx context.Context, env *serve.Environment, begin string) (control.SessionClient, wire.SessionInfo, error) {
	hosts := f.hosts
	if u, err := url.Parse(begin); err == nil && u.Host != "" {
		hosts = append(hosts, u.Hostname()) // who runs the file names the site it begins on
	}
	if f.launch || f.cdp != "" {
		script, err := extension.Extractor()
		if err != nil {
			return nil, wire.SessionInfo{}, serve.ErrNotBuilt
		}
		o := control.LocalOptions{
			CDP: f.cdp, Isolated: f.isolated, Confirm: f.confirm, Hosts: hosts, Uploads: env.Config.UploadDirs, SearchURL: env.Config.SearchURL(), Lang: env.Config.Lang, Extractor: script,
			Log: zerolog.Nop(), Policies: config.OpenPolicies(), Audit: serve.AuditLog(), Door: "replay",
			Files: filepath.Join(config.Dirs().Data, "files", "replay-"+time.Now().Format("20060102-150405")),
		}
		if f.launch {
			o.Launch = &control.LaunchOptions{Headless: f.headless, Browser: cmp.Or(f.browser, env.Config.Browser), Args: f.args, Extractor: script}
		}
		h, err := control.OpenLocal(ctx, o)
		return h, wire.SessionInfo{Launched: true}, err
	}
	f.hosts = hosts
	p, err := f.session(wire.SessionOpenParams{Client: "Replay", Lang: env.Config.Lang})
	if err != nil {
		return nil, wire.SessionInfo{}, err
	}
	c, err := serve.Dial(ctx, true)
	if err != nil {
		return nil, wire.SessionInfo{}, err
	}
	h, info, err := control.OpenRemote(ctx, c, p)
	if err != nil {
		err = errors.Join(err, c.Close())
	}
	return h, info, err
}

// replayDoer does a replay's acts to their end: a question is answered by whom
// the session's door has answer it, the panel or this terminal.
type replayDoer struct {
	cmd   *cobra.Command
	hand  control.SessionClient
	asker *asker // at this terminal; nil: the panel answers
}

func (d *replayDoer) Do(ctx context.Context, c action.Call) wire.SessionResult {
	r := d.hand.Do(ctx, c, "")
	for r.Confirm != nil && ctx.Err() == nil {
		terminal{out: d.cmd.OutOrStdout(), inPanel: d.asker == nil}.card(*r.Confirm)
		if d.asker != nil {
			a := d.asker.confirm(ctx, *r.Confirm)
			if err := d.hand.Answer(ctx, r.Confirm.ID, a.Allow, a.Note); err != nil {
				return r
			}
		}
		r = d.hand.Do(ctx, c, r.Confirm.ID)
	}
	return r
}

func (d *replayDoer) Observe(ctx context.Context, o action.ObserveOptions) wire.SessionResult {
	return d.hand.Observe(ctx, o)
}

// lazyMender opens the model when the first step needs it: a replay that fits
// asks nobody.
type lazyMender struct {
	env      *serve.Environment
	id, lang string
	out      io.Writer
}

func (m *lazyMender) Amend(ctx context.Context, q flow.Question) (flow.Amend, error) {
	models := &models.Catalog{Config: m.env.ModelConfig}
	open, err := models.Open(ctx, m.id)
	if err != nil {
		return flow.Amend{}, fmt.Errorf("%s, and there is no model to fix it: %w", q.Why, err)
	}
	fmt.Fprintf(m.out, "· step %d does not fit (%s); %s is asked\n", q.Number, q.Why, open.ID)
	return flow.ModelMender{Model: open.Model, Lang: m.lang}.Amend(ctx, q)
}
