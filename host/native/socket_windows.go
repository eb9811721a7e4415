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

// permissions is false: on Windows the mode of a file tells only whether it is
// read-only. The folder is in the user's profile, whose access list keeps others out.
const permissions = false

// maxSocketPath is large: the name of a pipe has a hash of the path, not the path.
const maxSocketPath = 1 << 15

// lockFile takes the lock without waiting. Closing the file, or the end of the
// process, releases it.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{})
}

// ownedByUs is always true: the access list of the profile's folder is trusted.
func ownedByUs(os.FileInfo) bool { return true }

// endpoint returns the address to dial for a path: a named pipe. Its name has a hash
// of the whole path and the file's name, so that each path has its own pipe.
// (Windows 10 has AF_UNIX too, but does not tell who connects.)
func endpoint(path string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(path)))
	name := path[strings.LastIndexAny(path, `\/`)+1:]
	return `\\.\pipe\tabwright-` + hex.EncodeToString(sum[:8]) + "-" + strings.TrimSuffix(name, ".sock")
}

func dialEndpoint(ctx context.Context, path string) (net.Conn, error) {
	return winio.DialPipeContext(ctx, endpoint(path))
}

// listenEndpoint makes the pipe, or fails if there is one of that name. Only this user
// may open it: the access list has no other entry and inherits none. The owner is the
// user, not the group of administrators, so that a client can see whose pipe it is.
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

// nobodyThere reports whether a failed connect means that no broker listens.
func nobodyThere(err error) bool { return errors.Is(err, os.ErrNotExist) }

// handleOf returns the handle of a pipe.
func handleOf(c net.Conn) (windows.Handle, error) {
	f, ok := c.(interface{ Fd() uintptr })
	if !ok {
		return 0, errors.ErrUnsupported
	}
	return windows.Handle(f.Fd()), nil
}

// servedBySameUser returns nil if this user owns the pipe. Another user could make a
// pipe of this name first, but can't make us its owner.
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

// sameUser returns nil if the process that opened our pipe is this user's. It also
// returns nil if Windows denies access to that process: it is one of this user with
// more rights, since nobody else gets past the pipe's access list.
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

// PeerCreds returns the process at the other end of a pipe: the client for the
// server's end, the server for the client's end.
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

// imageOf returns the path of a process's program, empty if Windows does not tell.
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

// startDetached starts a program that outlives us. It is outside the browser's job,
// which ends as a whole, and has a console of its own without a window. (If a program
// without a console starts another, Windows makes a console with a window for that
// one.) A job may forbid programs to leave it. Then the program is started inside, and
// a later shim starts another one.
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

// otherSideGone reports whether a read or write failed because the connection is
// closed, on either side.
func otherSideGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, windows.ERROR_PIPE_NOT_CONNECTED) || errors.Is(err, winio.ErrFileClosed) || closedHere(err)
}
