// Package tether ties a program to the life of the process that starts it:
// when that process ends, be it by kill -9 in the middle of anything, the
// program and all of its process group are killed, and a last script cleans up
// behind them. A browser that outlives its owner would go on for ever, with a
// debugging port open and a folder in /tmp.
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

// endTimeout bounds the wait for what was killed.
const endTimeout = 5 * time.Second

// Tether holds one program, or none yet.
type Tether struct {
	// Grace is how long the rest of the group may go on by itself when the
	// program has ended: a browser's helper may still write what is to be kept.
	Grace time.Duration

	keeper keeper

	proc    *os.Process
	done    chan struct{}
	waitErr error

	closing sync.Once
	closed  error
}

// New makes a tether. From now on script, for sh, with args as $1 and on, is
// run when this process ends without Close; it is repeated for a while as long
// as it fails, because what was killed may still write. Empty: nothing is run.
func New(script string, args ...string) (*Tether, error) {
	t := &Tether{}
	if err := t.keeper.start(script, args); err != nil {
		return nil, fmt.Errorf("tie to this process: %w", err)
	}
	return t, nil
}

// Start starts the one program of this tether, in a process group of its own.
func (t *Tether) Start(cmd *exec.Cmd) error {
	if t.done != nil {
		return errors.New("a tether holds one program")
	}
	t.done = make(chan struct{})
	prepare(cmd)
	started := make(chan error, 1)
	// The program is started and waited for on one locked thread: Linux sends
	// the signal of the parent's death when that thread ends, not the process
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
			// What it started has no use without it; later its group's number may
			// be another's.
			t.keeper.kill(cmd.Process.Pid)
			t.keeper.forget()
		}
		close(t.done)
	}()
	return <-started
}

// PID is of the program, which leads its process group.
func (t *Tether) PID() int { return t.proc.Pid }

// Done is closed when the program ended and the rest of its group was killed.
func (t *Tether) Done() <-chan struct{} { return t.done }

// Err is how the program ended, after Done.
func (t *Tether) Err() error { return t.waitErr }

// Terminate asks the program to end.
func (t *Tether) Terminate() { terminate(t.proc) }

// Close kills what is left of the program and its process group, and unties:
// the script is not run any more.
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
