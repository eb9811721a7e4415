// Package tether ends a program when the process that started it ends. This holds even for
// kill -9: the program and all of its process group are killed, and a last script cleans up
// after them. A browser that outlives its owner would go on for ever, with a debugging port
// open and a folder in /tmp.
//
// On Unix a shell watches a pipe whose other end only the owner has: the kernel
// closes it however the owner ends. On Linux the kernel's signal at the
// parent's death covers the instant in which the shell does not know of the
// program yet; on Windows a job object does all of it, but for the script. The
// package imports nothing of the project. Start reading at New.
package tether

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// endTimeout is how long Close waits for a killed process to end.
const endTimeout = 5 * time.Second

// Tether ties at most one program to this process.
type Tether struct {
	// Grace is how long the rest of the group may run on after the program has
	// ended: a browser's helper may still write data.
	Grace time.Duration

	keeper keeper

	proc    *os.Process
	done    chan struct{}
	waitErr error

	closing sync.Once
	closed  error
}

// New returns a tether. If this process ends without Close, sh runs script with args
// as $1 and on. If script fails, it is repeated for some seconds, since processes that
// were killed may still write. An empty script is not run.
func New(script string, args ...string) (*Tether, error) {
	t := &Tether{}
	if err := t.keeper.start(script, args); err != nil {
		return nil, fmt.Errorf("tie to this process: %w", err)
	}
	return t, nil
}

// Start starts the program of this tether, in a process group of its own. It may be
// called only once.
func (t *Tether) Start(cmd *exec.Cmd) error {
	if t.done != nil {
		return errors.New("a tether holds one program")
	}
	t.done = make(chan struct{})
	prepare(cmd)
	started := make(chan error, 1)
	// The program is started and waited for on one locked thread: Linux sends the
	// signal for the parent's death when that thread ends, not when the process ends
	// (golang/go#27505).
	go func() {
		unlock := lockThread()
		defer unlock()
		err := cmd.Start()
		if err == nil {
			t.proc = cmd.Process
			t.keeper.holds(cmd.Process)
		}
		started <- err
		if err == nil {
			t.waitErr = cmd.Wait()
			t.keeper.settle(cmd.Process.Pid, t.Grace)
			// Processes that it started are of no use without it. Kill them now:
			// later another group may have this number.
			t.keeper.kill(cmd.Process.Pid)
			t.keeper.forget()
		}
		close(t.done)
	}()
	return <-started
}

// PID returns the id of the program, which is also that of its process group.
func (t *Tether) PID() int { return t.proc.Pid }

// Done is closed when the program has ended and the rest of its group was killed.
func (t *Tether) Done() <-chan struct{} { return t.done }

// Err returns how the program ended, once Done is closed.
func (t *Tether) Err() error { return t.waitErr }

// Terminate asks the program to end.
func (t *Tether) Terminate() { terminate(t.proc) }

// Close kills what is left of the program and its process group. The script is not run
// after that.
func (t *Tether) Close() error {
	t.closing.Do(func() {
		if t.proc != nil {
			t.keeper.kill(t.proc.Pid)
			select {
			case <-t.done:
			case <-time.After(endTimeout):
				t.closed = fmt.Errorf("process %d did not end", t.proc.Pid)
			}
		}
		t.closed = errors.Join(t.closed, t.keeper.end())
	})
	return t.closed
}
