// Package tether ends a program when the process that started it, its owner, ends. This works
// even if the owner is killed with kill -9: the program and its whole process group are
// killed, and then a script cleans up. Without this, a browser would continue for ever after
// its owner ends, with a debugging port open and a folder in /tmp.
//
// On Unix a shell watches a pipe. Only the owner has the other end, and the kernel closes it
// however the owner ends. On Linux the program also gets a signal from the kernel when its
// parent ends. This covers the moment before the shell knows of the program. On Windows a job
// object ends the program, and no script runs. The package imports nothing of the project.
// Start reading at New.
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
