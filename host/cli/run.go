package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/agent"
	"tabwright/host/control"
	"tabwright/host/control/client"
	"tabwright/host/control/clientsession"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

type runFlags struct {
	browserFlags
	model, lang string
	urls        []string
	artifacts   artifacts
}

// start is the task as the flags ask for it.
func (f runFlags) start(task string) (wire.TaskStartParams, error) {
	p := wire.TaskStartParams{Text: task, Model: f.model, Lang: f.lang, Hosts: f.hosts}
	if !f.launches() {
		p.Profile = f.profile
	}
	if len(f.urls) > 0 {
		p.URL = f.urls[0]
	}
	if len(f.urls) > 1 || f.artifacts.schema != "" {
		p.URLs = f.urls
	}
	var err error
	p.Schema, err = f.artifacts.readSchema()
	return p, err
}

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run TASK",
		Short: "Do a task in your Chrome, or in a browser of its own with --launch",
		Example: `  tabwright run "find the cheapest blue mug" --url https://shop.example
  tabwright run "what is new?" --url https://go.dev --launch --headless
  tabwright run "what is in my cart?" --profile own --url https://shop.example
  tabwright run "who founded these firms?" --schema founders.json --url https://a.example --url https://b.example`,
		Args: oneTask,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.askWhoCan(cmd)
			if err := f.check(); err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			warnPolicy(cmd.ErrOrStderr())
			if f.launches() || f.cdp != "" {
				return runHere(cmd, args[0], f)
			}
			return runInChrome(cmd, args[0], f)
		},
	}
	f.add(cmd, clientsession.Ask)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.urls, "url", nil, "the first page; with --schema, may be repeated: the pages to read")
	fl.StringVar(&f.model, "model", "", "the model as provider/name; default: the configured one")
	fl.StringVar(&f.lang, "lang", "", "the language of the answer, en or zh; default: the language of the task")
	f.artifacts.add(fl)
	completeFlag(cmd, "lang", words("en", "zh"))
	return cmd
}

// oneTask takes one argument. Words that a shell took apart are a task without quotes:
// to do the first of them only would be another task.
func oneTask(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 1 && strings.TrimSpace(args[0]) != "":
		return nil
	case len(args) > 1:
		return ownUsage{fmt.Errorf("the task has %d words; put it in quotes: %s %s", len(args), cmd.CommandPath(), quotedWords(args))}
	}
	return ownUsage{fmt.Errorf("say what to do, in quotes: %s \"what is new?\"", cmd.CommandPath())}
}

// quotedWords are arguments as the one word that was perhaps meant.
func quotedWords(args []string) string {
	text := strings.Join(args, " ")
	if strings.ContainsAny(text, "\"$`\\!") {
		return shellWord(text)
	}
	return `"` + text + `"`
}

func (f *runFlags) check() error {
	if err := f.browserFlags.check(); err != nil {
		return err
	}
	if len(f.urls) > 1 && f.artifacts.schema == "" {
		return errors.New("several --url need --schema")
	}
	return f.artifacts.check()
}

// runInChrome gives the task to the broker and shows what happens.
func runInChrome(cmd *cobra.Command, task string, f runFlags) error {
	ctx := cmd.Context()
	start, err := f.start(task)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	c, err := serve.Dial(ctx, true)
	if err != nil {
		return &exitError{code: exitFailed, err: err}
	}
	defer c.Close()
	var info wire.TaskInfo
	err = c.Call(ctx, wire.MethodTaskStart, start, &info)
	if err != nil {
		return &exitError{code: codeFor(wire.AsError(err)), err: err}
	}
	out := f.artifacts.events(cmd)
	var q *questions
	if _, tty := terminalOf(cmd.InOrStdin()); tty {
		q = &questions{asker: newAsker(f.confirm, cmd.InOrStdin(), out), out: out, panel: true, say: func(ctx context.Context, task, text string) error {
			return c.Call(ctx, wire.MethodTaskSay, wire.SayParams{Task: task, Text: text}, nil)
		}}
	}
	end, denied, err := followTask(ctx, c, terminalOfRun(cmd, out), q, wire.SubscribeParams{Task: info.Task})
	if err != nil {
		if ctx.Err() != nil { // stopped; what it leaves is fetched all the same
			late, cancel := context.WithTimeout(context.WithoutCancel(ctx), lateTime)
			defer cancel()
			err = errors.Join(err, f.artifacts.take(cmd, remoteArtifacts{late, c}, info.Task, wire.Event{Type: wire.EvCancelled}))
		}
		return err
	}
	return errors.Join(exitFor(end, denied), f.artifacts.take(cmd, remoteArtifacts{ctx, c}, info.Task, end))
}

// lateTime bounds what is done once the user has pressed Ctrl-C.
const lateTime = 5 * time.Second

// followTask shows a task of the broker's to its end; denied says that a
// card was not answered with yes. Questions, where there is a q, are answered here.
// Its errors carry an exit code.
func followTask(ctx context.Context, c *client.Client, t terminal, q *questions, from wire.SubscribeParams) (end wire.Event, denied bool, err error) {
	t.inPanel, t.answersHere = true, q != nil
	end, err = c.FollowFrom(ctx, from, func(ev wire.Event) {
		denied = denied || isNo(ev)
		t.event(ev)
		if q != nil {
			q.event(ctx, ev)
		}
	}, t.delta)
	if q != nil {
		q.close()
	}
	if errors.Is(err, context.Canceled) {
		return end, denied, stopTask(c, from.Task)
	}
	if err != nil {
		err = &exitError{code: exitFailed, err: err}
	}
	return end, denied, err
}

// stopTask stops the task when the user pressed Ctrl-C.
func stopTask(c *client.Client, task string) error {
	ctx, cancel := context.WithTimeout(context.Background(), lateTime)
	defer cancel()
	if err := c.Call(ctx, wire.MethodTaskStop, wire.TaskParams{Task: task}, nil); err != nil {
		return &exitError{code: exitFailed, err: fmt.Errorf("stop the task: %w", err)}
	}
	return &exitError{code: exitCancelled, err: agent.ErrStopped}
}

// isNo reports whether an event is a question that was not answered with yes.
func isNo(ev wire.Event) bool {
	return ev.Type == wire.EvConfirmResult && ev.Confirm.Answer != "allow"
}

// exitFor turns a task's end into an exit code; the end was already printed.
func exitFor(end wire.Event, denied bool) error {
	switch {
	case end.Type == wire.EvComplete:
		return nil
	case end.Type == wire.EvCancelled:
		return &exitError{code: exitCancelled, err: agent.ErrStopped, quiet: true}
	case denied:
		return &exitError{code: exitDenied, err: errors.New(end.Text), quiet: true}
	default:
		return &exitError{code: exitFailed, err: errors.New(end.Text), quiet: true}
	}
}

// runHere does the task in a browser that this process starts or joins; it needs no
// broker.
func runHere(cmd *cobra.Command, task string, f runFlags) (err error) {
	ctx := cmd.Context()
	start, err := f.start(task)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	env, err := serve.Load()
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	script, err := extension.Extractor()
	if err != nil {
		return &exitError{code: exitFailed, err: serve.ErrNotBuilt}
	}
	o := control.LocalOptions{CDP: f.cdp, Isolated: f.isolated, Extractor: script}
	if f.launches() {
		o.Launch = &control.LaunchOptions{Headless: f.headless, Browser: cmp.Or(f.browser, env.Config.Browser), Args: f.args, Extractor: script}
	}
	driver, err := control.OpenDriver(ctx, o, serve.ProfilesDir(), f.profile)
	if err != nil {
		return &exitError{code: exitFailed, err: err}
	}
	defer func() { err = errors.Join(err, driver.Close()) }()
	dir, err := os.MkdirTemp("", "tabwright-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	j, err := journal.Open(filepath.Join(dir, "journal.db"))
	if err != nil {
		return err
	}
	defer j.Close()
	m := env.Manager(j, zerolog.Nop())
	out := f.artifacts.events(cmd)
	a := newAsker(f.confirm, cmd.InOrStdin(), out)
	a.cards = make(chan string, 16)
	_, tty := terminalOf(cmd.InOrStdin())
	place := control.Place{Driver: driver, NoUser: !tty, Ask: a.confirm}
	q := &questions{
		asker: a, out: out, say: func(_ context.Context, task, text string) error { return m.Say(task, text) },
		unanswered: func() { go m.Close(agent.ErrStopped) }, // its end comes as an event
	}
	t := terminalOfRun(cmd, out)
	t.shown = a.printed
	return follow(cmd, m, start, place, f.artifacts, t, q)
}

// follow runs a task in this process and shows what happens.
func follow(cmd *cobra.Command, m *control.Manager, p wire.TaskStartParams, place control.Place, keep artifacts, t terminal, q *questions) error {
	ctx := cmd.Context()
	info, err := m.Start(ctx, p, place)
	if err != nil {
		return &exitError{code: codeFor(wire.AsError(err)), err: err}
	}
	defer m.Close(agent.ErrStopped)
	look, end := context.WithCancel(context.Background())
	defer end()
	old, live, err := m.Journal.Follow(look, info.Task, 0)
	if err != nil {
		return err
	}
	defer q.close()
	deltas, enough := m.Deltas(info.Task)
	defer enough()
	denied := false
	ended := func(ev wire.Event) error {
		<-m.TaskDone(info.Task)
		return errors.Join(exitFor(ev, denied), keep.take(cmd, m.History(), info.Task, ev))
	}
	for _, ev := range old { // a short task may have ended already
		denied = denied || isNo(ev)
		t.event(ev)
		q.event(ctx, ev)
		if wire.Ends(ev.Type) {
			return ended(ev)
		}
	}
	cancelled := ctx.Done()
	for {
		select {
		case ev, ok := <-live:
			if !ok {
				return &exitError{code: exitFailed, err: errors.New("the journal was closed")}
			}
			denied = denied || isNo(ev)
			t.event(ev)
			q.event(ctx, ev)
			if wire.Ends(ev.Type) {
				return ended(ev)
			}
		case d := <-deltas:
			t.delta(d)
		case <-cancelled:
			cancelled = nil
			go m.Close(agent.ErrStopped) // its end comes as an event
		}
	}
}
