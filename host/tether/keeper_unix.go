//go:build unix

package tether

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// keeperScript reads the process group to kill, one on a line, the last of which
// counts. When the pipe is closed it kills that group and runs the last script,
// $1. After the line "end" it ends without doing either. Signals to the owner's
// group or terminal don't reach it, since it is in a session of its own.
const keeperScript = `trap '' HUP INT QUIT TERM PIPE
last=$1; shift
group=
while IFS= read -r line; do
	[ "$line" = end ] && exit 0
	group=$line
done
[ -n "$group" ] && kill -s KILL -- "-$group"
[ -n "$last" ] || exit 0
n=0
until (eval "$last") || [ $n -ge 50 ]; do n=$((n+1)); sleep 0.1; done
`

// keeper is the shell that runs keeperScript and outlives us by a moment.
type keeper struct {
	cmd *exec.Cmd
	in  io.WriteCloser
}

func (k *keeper) start(script string, args []string) (err error) {
	k.cmd = exec.Command("/bin/sh", append([]string{"-c", keeperScript, "tabwright-keeper", script}, args...)...)
	k.cmd.Dir = "/"
	k.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		return err
	}
	return k.cmd.Start()
}

// holds tells the keeper which process to kill, with its group. It ignores errors: if
// the keeper was killed, the tether works without it.
func (k *keeper) holds(p *os.Process) { _, _ = fmt.Fprintln(k.in, strconv.Itoa(p.Pid)) }

// forget tells the keeper that there is no group to kill any more.
func (k *keeper) forget() { _, _ = fmt.Fprintln(k.in) }

// end ends the keeper without killing anything or running the script.
func (k *keeper) end() error {
	_, _ = fmt.Fprintln(k.in, "end")
	_ = k.in.Close()
	late := time.AfterFunc(endTimeout, func() { _ = k.cmd.Process.Kill() })
	defer late.Stop()
	var killed *exec.ExitError
	if err := k.cmd.Wait(); err != nil && !errors.As(err, &killed) {
		return err
	}
	return nil
}

// settle waits until the group is empty, at most for limit.
func (k *keeper) settle(group int, limit time.Duration) {
	for until := time.Now().Add(limit); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if !living(group) {
			return
		}
	}
}

// kill kills what is left of the group and waits up to half a second until it is
// empty.
func (k *keeper) kill(group int) {
	for range 100 {
		if err := syscall.Kill(-group, syscall.SIGKILL); errors.Is(err, syscall.ESRCH) || !living(group) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// prepare gives the program a process group of its own, so that the program and all
// that it starts can be killed at once.
func prepare(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	dieWithParent(cmd.SysProcAttr)
}

func terminate(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }
