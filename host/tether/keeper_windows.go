package tether

import (
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// keeper is a job object. Windows kills the processes in it when its last handle is
// closed, and closes ours however we end.
type keeper struct{ job windows.Handle }

// start makes the job object. It ignores the script: there is no shell to run it.
func (k *keeper) start(string, []string) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		_ = windows.CloseHandle(job)
		return err
	}
	k.job = job
	return nil
}

// holds puts the program into the job. Processes that it starts are in the job as
// well.
func (k *keeper) holds(p *os.Process) {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err != nil {
		return // it ended at once
	}
	_ = windows.AssignProcessToJobObject(k.job, h)
	_ = windows.CloseHandle(h)
}

func (k *keeper) forget() {}

func (k *keeper) end() error { return windows.CloseHandle(k.job) }

// settle does nothing: a job is ended as a whole.
func (k *keeper) settle(int, time.Duration) {}

func (k *keeper) kill(int) { _ = windows.TerminateJobObject(k.job, 1) }

func prepare(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= syscall.CREATE_NEW_PROCESS_GROUP
}

// terminate kills the program: Windows has no signal that a Chromium without a window
// obeys.
func terminate(p *os.Process) { _ = p.Kill() }

func lockThread() (unlock func()) { return func() {} }
