package native

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tabwright/host/native/wire"
)

// startWait bounds how long a broker may take until its socket answers.
const startWait = 5 * time.Second

// lastWordsMax is when the file of last words is begun anew.
const lastWordsMax = 1 << 20

// StartBroker starts binary as the broker, free of this process: in a session
// of its own, with nothing of our stdin and stdout (a stray byte there would
// kill Chrome's port). What it says on stderr outside its own log, such as the
// trace of a crash, goes to a file beside the socket. It returns once the
// socket answers, within five seconds. env empty means this process's
// environment.
func StartBroker(ctx context.Context, binary string, args, env []string) error {
	socket, err := SocketPath()
	if err != nil {
		return err
	}
	if err := privateDir(filepath.Dir(socket), os.Getenv(SocketEnv) == ""); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	words, err := lastWords(socket)
	if err != nil {
		return err
	}
	defer words.Close()
	cmd := exec.Command(binary, args...) //nolint:gosec // our own binary
	cmd.Env = env
	cmd.Dir = startDir()
	cmd.Stdout, cmd.Stderr = words, words
	if cmd, err = startDetached(cmd); err != nil {
		return fmt.Errorf("start the broker: %w", err)
	}
	// The broker outlives this wait, and mostly this process: the goroutine is
	// there to hear of an early end and to leave no zombie.
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return awaitBroker(ctx, ended, words.Name())
}

// lastWords opens the file that takes a broker's stdout and stderr.
func lastWords(socket string) (*os.File, error) {
	name := strings.TrimSuffix(socket, ".sock") + ".stderr"
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if st, err := os.Stat(name); err == nil && st.Size() > lastWordsMax {
		flags |= os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the file for the broker's last words: %w", err)
	}
	return f, nil
}

// awaitBroker waits until the socket answers. A broker that ended may have
// lost the race to another, so its end alone is no failure yet.
func awaitBroker(ctx context.Context, ended <-chan error, words string) error {
	var exit error
	for {
		c, err := Dial(ctx)
		if err == nil {
			return c.Close()
		}
		// A dial that runs into the deadline says so before ctx does.
		if late := net.Error(nil); !errors.Is(err, ErrNotRunning) && ctx.Err() == nil && !(errors.As(err, &late) && late.Timeout()) {
			return err
		}
		select {
		case e := <-ended:
			ended = nil
			exit = fmt.Errorf("it ended: %v", e) //nolint:errorlint // nil is said as well
			if e != nil {
				// Another one would answer very soon.
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, lockWait/3)
				defer cancel()
			}
		default:
		}
		if !Sleep(ctx, 10*time.Millisecond) {
			e := &wire.Error{
				Code: wire.CodeClosed, Message: "the broker was started, but does not answer",
				Hint: "see " + words + " and the log, or run `tabwright broker` in a terminal",
			}
			if exit != nil {
				return fmt.Errorf("%w: %w", e, exit)
			}
			return fmt.Errorf("%w: %w", e, context.Cause(ctx))
		}
	}
}

// startDir is where the broker runs: not the folder Chrome started us in,
// which an update may want to replace.
func startDir() string {
	if home, err := os.UserHomeDir(); err == nil {
		if st, err := os.Stat(home); err == nil && st.IsDir() {
			return home
		}
	}
	return ""
}
