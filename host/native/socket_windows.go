package native

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

var errLocked error = windows.ERROR_LOCK_VIOLATION

// permissions: those of a file on Windows tell only whether it is read-only. The
// folder is in the user's profile, whose own access list keeps others out.
const permissions = false

// maxSocketPath: the name of a pipe is made of a hash.
const maxSocketPath = 1 << 15

// lockFile takes the lock without waiting; closing the file, or the end of
// the process, lets go of it.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{})
}

// ownedByUs trusts the profile folder's own access list.
func ownedByUs(os.FileInfo) bool { return true }

// endpoint is what is dialled for a path: a named pipe, whose name is the file's
// and a hash of the whole path, so that each path has its own as with a socket.
// (Windows 10 has AF_UNIX too, without a way to know who connects.)
func endpoint(path string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(path)))
	name := path[strings.LastIndexAny(path, `\/`)+1:]
	return `\\.\pipe\tabwright-` + hex.EncodeToString(sum[:8]) + "-" + strings.TrimSuffix(name, ".sock")
}

func dialEndpoint(ctx context.Context, path string) (net.Conn, error) {
	return winio.DialPipeContext(ctx, endpoint(path))
}

// listenEndpoint makes the pipe, as its first instance or not at all. Only this user may open it:
// the access list has no other entry and inherits none, and the owner is the user,
// not the group of administrators, by which a client knows whose pipe it is.
func listenEndpoint(path string) (net.Listener, error) {
	me, err := currentUser()
	if err != nil {
		return nil, err
	}
	return winio.ListenPipe(endpoint(path), &winio.PipeConfig{
		SecurityDescriptor: fmt.Sprintf("O:%[1]sD:P(A;;GA;;;%[1]s)", me),
		InputBufferSize:    64 << 10, OutputBufferSize: 64 << 10,
	})
}

func currentUser() (*windows.SID, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("ask who this user is: %w", err)
	}
	return user.User.Sid, nil
}

// nobodyThere says whether a failed connect means that no broker listens.
func nobodyThere(err error) bool { return errors.Is(err, os.ErrNotExist) }

// handleOf gives the handle of a pipe.
func handleOf(c net.Conn) (windows.Handle, error) {
	f, ok := c.(interface{ Fd() uintptr })
	if !ok {
		return 0, errors.ErrUnsupported
	}
	return windows.Handle(f.Fd()), nil
}

// servedBySameUser looks at the pipe's owner: another user can make a pipe of this
// name first, and can't give it to us.
func servedBySameUser(c net.Conn) error {
	h, err := handleOf(c)
	if err != nil {
		return err
	}
	sd, err := windows.GetSecurityInfo(h, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("ask who owns the pipe: %w", err)
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return fmt.Errorf("ask who owns the pipe: %w", err)
	}
	me, err := currentUser()
	if err != nil {
		return err
	}
	if owner == nil || !owner.Equals(me) {
		return fmt.Errorf("the pipe belongs to %s, not to %s", owner, me)
	}
	return nil
}

// sameUser is nil when the process that opened our pipe is this user's. A process
// of ours with more rights does not let us look, and no other gets past the pipe's
// access list: not to be told is no refusal.
func sameUser(c net.Conn) error {
	creds, err := PeerCreds(c)
	if err != nil {
		return err
	}
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(creds.PID)) //nolint:gosec // a process id
	if err != nil {
		return notTold(err)
	}
	defer windows.CloseHandle(p) //nolint:errcheck // nothing is to be done
	var token windows.Token
	if err := windows.OpenProcessToken(p, windows.TOKEN_QUERY, &token); err != nil {
		return notTold(err)
	}
	defer token.Close()
	user, err := token.GetTokenUser()
	if err != nil {
		return err
	}
	me, err := currentUser()
	if err != nil {
		return err
	}
	if !user.User.Sid.Equals(me) {
		return fmt.Errorf("the other side is %s, not %s", user.User.Sid, me)
	}
	return nil
}

func notTold(err error) error {
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return nil
	}
	return fmt.Errorf("ask who is at the other end: %w", err)
}

// PeerCreds asks which process is at the other end of a pipe: of our own end the
// client, or else the server.
func PeerCreds(c net.Conn) (Creds, error) {
	h, err := handleOf(c)
	if err != nil {
		return Creds{}, err
	}
	var flags, pid uint32
	if err := windows.GetNamedPipeInfo(h, &flags, nil, nil, nil); err != nil {
		return Creds{}, fmt.Errorf("ask who is at the other end: %w", err)
	}
	ask := windows.GetNamedPipeServerProcessId
	if flags&windows.PIPE_SERVER_END != 0 {
		ask = windows.GetNamedPipeClientProcessId
	}
	if err := ask(h, &pid); err != nil {
		return Creds{}, fmt.Errorf("ask who is at the other end: %w", err)
	}
	return Creds{PID: int(pid), Binary: imageOf(pid)}, nil
}

// imageOf is the program of a process, empty where it can't be seen.
func imageOf(pid uint32) string {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(p) //nolint:errcheck // nothing is to be done
	name := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(name))
	if windows.QueryFullProcessImageName(p, 0, &name[0], &size) != nil {
		return ""
	}
	return windows.UTF16ToString(name[:size])
}

// startDetached starts a program that outlives us, whoever ends us: out of the job
// of the browser, which would be ended as a whole, and with a console of its own
// that has no window. (A program without any console would have one with a
// window made for each it starts.) A job may forbid to leave it: the program is then
// started inside, and a later shim starts another one.
func startDetached(cmd *exec.Cmd) (*exec.Cmd, error) {
	const free = windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP
	again := *cmd
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: free | windows.CREATE_BREAKAWAY_FROM_JOB, HideWindow: true}
	err := cmd.Start()
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		cmd = &again
		cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: free, HideWindow: true}
		err = cmd.Start()
	}
	return cmd, err
}

func withoutSIGPIPE() func() { return func() {} }

// otherSideGone says whether a read or write failed because nobody is at the
// other end any more.
func otherSideGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, windows.ERROR_PIPE_NOT_CONNECTED) || errors.Is(err, winio.ErrFileClosed) || closedHere(err)
}
