package launch

import (
	"runtime"
	"syscall"
)

// dieWithParent has the kernel kill the browser when the thread that started
// it ends; its helpers end when the browser does.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

func lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
