package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"tabwright/extension"
	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/control/client"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/host/native/wire"
	"tabwright/install"
)

// brokerEnd bounds the wait for a broker that was told to end.
const brokerEnd = 10 * time.Second

// StopBroker has a running broker end, with force its tasks too, and waits until
// it has; none running is no error.
func StopBroker(ctx context.Context, force bool) (was bool, err error) {
	c, err := Dial(ctx, false)
	if err != nil {
		return false, nil //nolint:nilerr // nothing to stop
	}
	defer c.Close()
	if err := c.Call(ctx, wire.MethodBrokerStop, wire.StopParams{Force: force}, nil); err != nil {
		return true, err
	}
	select {
	case <-c.Done():
		return true, nil
	case <-time.After(brokerEnd):
		return true, fmt.Errorf("it was told to end, and still runs after %s", brokerEnd)
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

// RunBroker runs the broker until it is idle, told to end, or replaced by another
// build; the error says which.
func RunBroker(ctx context.Context) error {
	env, err := Load()
	if err != nil {
		return err
	}
	logFile, err := config.Logger(env.Config.LogLevel, "broker")
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
		return errors.Join(ErrNotBuilt, l.Close())
	}
	m := env.Manager(j, log)
	t := &tour{models: m.Models, log: log}
	defer t.close()
	b := &control.Broker{
		Manager: m, Version: Version, Socket: l.Path(), Log: log, ExtensionIDs: extension.IDs(), Extractor: script,
		ProfilesDir: ProfilesDir(), Tour: t.start, Lang: env.Config.Lang, Refresh: refreshExtension(log.Printf),
		ExtensionVersion: extension.Version(), Settings: panelSettings{env}, Doctor: panelDoctor{},
		PeerOf: func(c io.ReadWriteCloser) (int, string) {
			who, err := native.PeerOf(c)
			if err != nil {
				log.Debug().Err(err).Msg("peer credentials")
			}
			return who.PID, who.Binary
		},
	}
	log.Info().Str("version", Version).Str("socket", l.Path()).Msg("broker up")
	err = b.Serve(ctx, l)
	log.Info().AnErr("why", err).Msg("broker down")
	return err
}

// ProfilesDir is where the profiles of our own browsers are kept.
func ProfilesDir() string { return filepath.Join(config.Dirs().Data, "profiles") }

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

// startBroker starts this same binary as the broker, in a session of its own.
func startBroker(ctx context.Context) error {
	if _, err := Load(); err != nil {
		return err // the broker would end with it, where nobody reads
	}
	bin, _, err := install.OwnProgram()
	if err != nil {
		return err
	}
	return native.StartBroker(ctx, bin, []string{"broker"}, nil)
}

// Dial joins the broker; with start, it starts one if there is none.
func Dial(ctx context.Context, start bool) (*client.Client, error) {
	c, err := joinBroker(ctx, start)
	if err != nil && start && ctx.Err() == nil && errors.Is(err, &wire.Error{Code: wire.CodeClosed}) {
		// It was just going: idle, or its binary was replaced.
		c, err = joinBroker(ctx, start)
	}
	return c, err
}

func joinBroker(ctx context.Context, start bool) (*client.Client, error) {
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
	return client.New(hello, nc, Version, zerolog.Nop())
}
