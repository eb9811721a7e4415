package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/install"
)

// brokerCommand is the process that owns the tasks. People need not start it:
// the shim and the command line do.
func brokerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "broker", Short: "Run the broker in the foreground (started by itself when needed)", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := serveBroker(cmd.Context())
			switch {
			case errors.Is(err, control.ErrIdle), errors.Is(err, control.ErrAsked), errors.Is(err, control.ErrUpdated),
				errors.Is(err, context.Canceled), errors.Is(err, native.ErrRunning):
				return nil
			default:
				return &exitError{code: exitFailed, err: err}
			}
		},
	}
	cmd.AddCommand(brokerStopCommand())
	return cmd
}

func brokerStopCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "stop", Short: "End the broker, if no task runs; the next task, or the side panel, starts another", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			was, err := stopBroker(cmd.Context(), force)
			var busy *native.Error
			if errors.As(err, &busy) && busy.Code == control.CodeBusy {
				err = &native.Error{Code: busy.Code, Message: busy.Message, Hint: "Stop them first, or with --force they are interrupted: `tabwright resume` goes on with each."}
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			said := "The broker has ended."
			if !was {
				said = "No broker is running."
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), said)
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "also while tasks run")
	return cmd
}

// brokerEnd bounds the wait for a broker that was told to end.
const brokerEnd = 10 * time.Second

// stopBroker has a running broker end, with force its tasks too, and waits until
// it has; none running is no error.
func stopBroker(ctx context.Context, force bool) (was bool, err error) {
	c, err := dialBroker(ctx, false)
	if err != nil {
		return false, nil //nolint:nilerr // nothing to stop
	}
	defer c.Close()
	if err := c.Call(ctx, native.MethodBrokerStop, native.StopParams{Force: force}, nil); err != nil {
		return true, err
	}
	select {
	case <-c.Gone():
		return true, nil
	case <-time.After(brokerEnd):
		return true, fmt.Errorf("it was told to end, and still runs after %s", brokerEnd)
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

func serveBroker(ctx context.Context) error {
	env, err := loadEnv()
	if err != nil {
		return err
	}
	logFile, err := config.Logger(env.cfg.LogLevel, "broker")
	if err != nil {
		return err
	}
	defer logFile.Close()
	log := logFile.Logger
	path, err := native.SocketPath()
	if err != nil {
		return err
	}
	l, err := native.Listen(path)
	if err != nil {
		return err
	}
	j, err := journal.Open(filepath.Join(config.Dirs().Data, "journal.db"))
	if err != nil {
		return errors.Join(err, l.Close())
	}
	defer j.Close()
	if j.Broken != "" {
		log.Error().Str("kept", j.Broken).Msg("the journal could not be read; a new one was begun")
	}
	script, err := extension.Extractor()
	if err != nil {
		return errors.Join(errNotBuilt, l.Close())
	}
	m := env.manager(j, log)
	t := &tour{models: m.Models, log: log}
	defer t.close()
	b := &control.Broker{
		Manager: m, Version: version, Socket: path, Log: log, ExtensionID: extension.ID, Extractor: script,
		ProfilesDir: profilesDir(), Tour: t.start, Lang: env.cfg.Lang, Refresh: refreshExtension(log.Printf),
		ExtensionVersion: extension.Version(), Settings: panelSettings{env}, Doctor: panelDoctor{},
		PeerOf: func(c io.ReadWriteCloser) (int, string) {
			who, err := native.PeerOf(c)
			if err != nil {
				log.Debug().Err(err).Msg("peer credentials")
			}
			return who.PID, who.Binary
		},
	}
	log.Info().Str("version", version).Str("socket", path).Msg("broker up")
	err = b.Serve(ctx, l)
	log.Info().AnErr("why", err).Msg("broker down")
	return err
}

// profilesDir is where the profiles of our own browsers are kept.
func profilesDir() string { return filepath.Join(config.Dirs().Data, "profiles") }

// refreshExtension rewrites the installed extension when a relay older than
// this binary connects; the relay is then told to reload itself. A relay that
// was loaded from another folder is left alone.
func refreshExtension(logf func(string, ...any)) func(string) bool {
	tried := ""
	return func(relayVersion string) bool {
		if relayVersion == extension.Version() || tried == relayVersion || !extension.Built() {
			return false
		}
		tried = relayVersion // once: a relay that stays old was loaded from elsewhere
		dir := install.Options{}.ExtensionDir()
		if _, err := os.Stat(dir); err != nil {
			return false // never installed
		}
		changed, err := install.WriteExtension(dir, extension.Files())
		if err != nil {
			logf("refresh of the extension: %v", err)
		}
		return changed
	}
}

// runShim is host mode: Chrome started us, stdin and stdout are its port.
func runShim(origin string) int {
	log := zerolog.New(os.Stderr) // Chrome's own log, until there is a file
	if f, err := config.Logger("info", "shim"); err != nil {
		log.Error().Err(err).Msg("no log file")
	} else {
		defer f.Close()
		log = f.Logger
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	err := native.RunShim(ctx, native.ShimOptions{
		Origin: origin, Allowed: []string{extension.ID}, Stdin: os.Stdin, Stdout: os.Stdout,
		Dial: native.Dial, StartBroker: startBroker, Log: log,
	})
	if err != nil {
		log.Error().Err(err).Msg("shim ended")
		return exitFailed
	}
	return exitOK
}

// startBroker starts this same binary as the broker, in a session of its own.
func startBroker(ctx context.Context) error {
	if _, err := loadEnv(); err != nil {
		return err // the broker would end with it, where nobody reads
	}
	bin, err := os.Executable()
	if err != nil {
		return err
	}
	return native.StartBroker(ctx, bin, []string{"broker"}, nil)
}

// dialBroker joins the broker; with start, it starts one if there is none.
func dialBroker(ctx context.Context, start bool) (*control.Client, error) {
	c, err := joinBroker(ctx, start)
	if err != nil && start && ctx.Err() == nil && errors.Is(err, &native.Error{Code: native.CodeClosed}) {
		// It was just going: idle, or its binary was replaced.
		c, err = joinBroker(ctx, start)
	}
	return c, err
}

func joinBroker(ctx context.Context, start bool) (*control.Client, error) {
	nc, err := native.Dial(ctx)
	if err != nil && start {
		if err = startBroker(ctx); err == nil {
			nc, err = native.Dial(ctx)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the broker does not answer: %w", err)
	}
	hello, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return control.NewClient(hello, nc, version, zerolog.Nop())
}

func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Say what runs and which browsers are connected", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			const none = "The broker is not running; it starts with your browser or with the first task."
			c, err := dialBroker(cmd.Context(), false)
			if err != nil {
				fmt.Fprintln(out, none)
				return nil
			}
			defer c.Close()
			var s native.BrokerStatus
			err = c.Call(cmd.Context(), native.MethodBrokerStatus, native.Empty{}, &s)
			if errors.Is(err, &native.Error{Code: native.CodeClosed}) { // it was just ending
				fmt.Fprintln(out, none)
				return nil
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			fmt.Fprintf(out, "Broker %s, pid %d, tasks and sessions running: %d\n", s.Version, s.PID, s.Running)
			for _, r := range s.Relays {
				fmt.Fprintf(out, "  %s %s, profile %s, extension %s\n", r.Browser.Name, r.Browser.Version, r.Profile, r.Version)
			}
			return nil
		},
	}
}
