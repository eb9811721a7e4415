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

// startWait is how long a broker may take until its socket answers.
const startWait = 5 * time.Second

// lastWordsMax is the size in bytes over which lastWords empties its file.
const lastWordsMax = 1 << 20

// StartBroker starts binary as the broker. The broker is independent of this
// process: it has a session of its own and not our stdin and stdout, where a
// stray byte would close Chrome's port. Its stdout and stderr, such as the
// trace of a crash, go to a file beside the socket. StartBroker returns once
// the socket answers, or with an error after five seconds. An empty env means
// this process's environment.
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
	// The broker outlives this function, and mostly this process. The goroutine
	// reports an early end and prevents a zombie.
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

// awaitBroker waits until the socket answers. A broker that has ended may have
// lost the race to another one, so its end alone is no failure.
func awaitBroker(ctx context.Context, ended <-chan error, words string) error {
	var exit error
	for {
		c, err := Dial(ctx)
		if err == nil {
			return c.Close()
		}
		// A dial may return its time-out a moment before ctx.Err is set.
		if late := net.Error(nil); !errors.Is(err, ErrNotRunning) && ctx.Err() == nil && !(errors.As(err, &late) && late.Timeout()) {
			return err
		}
		select {
		case e := <-ended:
			ended = nil
			exit = fmt.Errorf("it ended: %v", e) //nolint:errorlint // nil is said as well
			if e != nil {
				// If another broker won the race, it answers very soon.
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

// startDir returns the broker's working folder: the home folder, since an
// update may want to replace the folder in which Chrome started us. It is empty
// if there is none.
func startDir() string {
	if home, err := os.UserHomeDir(); err == nil {
		if st, err := os.Stat(home); err == nil && st.IsDir() {
			return home
		}
	}
	return ""
}
