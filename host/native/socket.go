package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"tabwright/host/native/wire"
)

// SocketEnv names the variable that moves the broker's socket.
const SocketEnv = "TABWRIGHT_SOCKET"

// ErrNotRunning is what Dial wraps when no broker answers; ErrRunning what
// Listen wraps when one does already.
var (
	ErrNotRunning = errors.New("the broker is not running")
	ErrRunning    = errors.New("a broker is running already")
)

// maxSocketPath is the room in sockaddr_un without the final NUL: 108 bytes on
// Linux, 104 on macOS and the BSDs.
var maxSocketPath = map[bool]int{true: 107, false: 103}[runtime.GOOS == "linux"]

// lockWait is how long Listen waits for a broker that is on its way out.
const lockWait = 3 * time.Second

// SocketPath is where the broker's socket is: TABWRIGHT_SOCKET, or
// tabwright/broker.sock in XDG_RUNTIME_DIR (on Linux /run/user/UID also counts
// when the variable is missing, as it is for some programs a desktop starts:
// both sides must look in the same place), or in the user's cache folder.
func SocketPath() (string, error) {
	path := os.Getenv(SocketEnv)
	if path == "" {
		dir := os.Getenv("XDG_RUNTIME_DIR")
		if dir == "" && runtime.GOOS == "linux" {
			dir = filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
		}
		if st, err := os.Stat(dir); dir == "" || err != nil || !st.IsDir() || !ownedByUs(st) {
			cache, err := os.UserCacheDir()
			if err != nil {
				return "", fmt.Errorf("find a folder for the broker's socket: %w", err)
			}
			dir = cache
		}
		path = filepath.Join(dir, "tabwright", "broker.sock")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find the broker's socket: %w", err)
	}
	if len(path) > maxSocketPath {
		return "", &wire.Error{
			Code:    wire.CodeTooLarge,
			Message: fmt.Sprintf("the path of the broker's socket is %d bytes long, the system allows %d: %s", len(path), maxSocketPath, path),
			Hint:    "set " + SocketEnv + " to a shorter path in a folder of your own",
		}
	}
	return path, nil
}

// Dial joins the broker. It wraps ErrNotRunning when there is none, and
// refuses a socket that another user serves.
func Dial(ctx context.Context) (net.Conn, error) {
	path, err := SocketPath()
	if err != nil {
		return nil, err
	}
	return dialPath(ctx, path)
}

func dialPath(ctx context.Context, path string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		if nobodyThere(err) {
			return nil, fmt.Errorf("join the broker at %s: %w", path, ErrNotRunning)
		}
		return nil, fmt.Errorf("join the broker at %s: %w", path, err)
	}
	if err := sameUser(c); err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("join the broker at %s: %w", path, err)
	}
	return c, nil
}

// Listener is the broker's socket. Connections of other users are turned away
// before Accept gives them out.
type Listener struct {
	*net.UnixListener
	path  string
	lock  *os.File
	close sync.Once
}

// Listen opens the broker's socket, at SocketPath's path, for this process
// alone; it wraps ErrRunning when another broker has it. A socket file that
// nobody answers is removed, under a lock that its owner would hold. It may
// wait three seconds for a broker that is ending.
func Listen(path string) (*Listener, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	return listen(ctx, path, os.Getenv(SocketEnv) == "")
}

// ListenChosen is Listen at a path that the user chose: its folder is looked
// at, and not changed.
func ListenChosen(path string) (*Listener, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	return listen(ctx, path, false)
}

func listen(ctx context.Context, path string, ours bool) (*Listener, error) {
	if err := privateDir(filepath.Dir(path), ours); err != nil {
		return nil, err
	}
	lock, err := takeLock(ctx, path)
	if err != nil {
		return nil, err
	}
	l, err := bind(ctx, path)
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return &Listener{UnixListener: l, path: path, lock: lock}, nil
}

func bind(ctx context.Context, path string) (*net.UnixListener, error) {
	// We hold the lock, so whoever answers does not know of it: leave it alone.
	if answers(ctx, path) {
		return nil, fmt.Errorf("listen at %s: %w", path, ErrRunning)
	}
	if st, err := os.Lstat(path); err == nil {
		if st.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("listen at %s: the file there is no socket", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("remove the stale socket: %w", err)
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", path, err)
	}
	// The folder already keeps others out between bind and chmod.
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("listen at %s: %w", path, err)
	}
	return l, nil
}

// takeLock waits a little for a broker that has the lock and no longer
// answers: it is ending. One that answers is ErrRunning at once.
func takeLock(ctx context.Context, path string) (*os.File, error) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the broker's lock: %w", err)
	}
	for {
		err := lockFile(f)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, errLocked) {
			_ = f.Close()
			return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		if answers(ctx, path) || !pause(ctx, 20*time.Millisecond) {
			_ = f.Close()
			return nil, fmt.Errorf("lock %s: %w", f.Name(), ErrRunning)
		}
	}
}

func answers(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// pause waits for d; false means ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// privateDir makes sure that nobody else can put a socket into dir. A folder
// of our own naming is made 0700; one the user chose is only looked at.
func privateDir(dir string, ours bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the broker's socket: %w", err)
	}
	st, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at the folder of the broker's socket: %w", err)
	}
	if !st.IsDir() || !ownedByUs(st) {
		return fmt.Errorf("the folder of the broker's socket, %s, is not a folder of this user", dir)
	}
	if runtime.GOOS == "windows" { // its permissions say nothing
		return nil
	}
	if ours && st.Mode().Perm() != 0o700 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return fmt.Errorf("close the folder of the broker's socket to others: %w", err)
		}
	} else if !ours && st.Mode().Perm()&0o022 != 0 {
		return &wire.Error{
			Code:    wire.CodeInvalidParams,
			Message: fmt.Sprintf("others can write to %s, the folder of the broker's socket", dir),
			Hint:    "set " + SocketEnv + " to a path in a folder of your own",
		}
	}
	return nil
}

// Path is where the socket is.
func (l *Listener) Path() string { return l.path }

// Accept gives the next connection of this user.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if sameUser(c) == nil {
			return c, nil
		}
		_ = c.Close()
	}
}

// Close removes the socket, then lets go of the lock.
func (l *Listener) Close() error {
	err := net.ErrClosed
	l.close.Do(func() {
		err = l.UnixListener.Close() // unlinks the file
		_ = l.lock.Close()
	})
	return err
}

// Creds is who is at the other end of a socket. PID is 0 and Binary empty
// where the system does not say.
type Creds struct {
	UID, PID int
	Binary   string // of the process, by /proc; doctor shows it
}

// sameUser is nil when the other end is this user, or the system can't tell
// (then the folder's permissions are what keeps others out).
func sameUser(c net.Conn) error {
	creds, err := PeerCreds(c)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	if uid := os.Getuid(); creds.UID != uid {
		return fmt.Errorf("the other side is user %d, not %d", creds.UID, uid)
	}
	return nil
}

// PeerOf is PeerCreds for what may be no socket, which is
// errors.ErrUnsupported.
func PeerOf(c io.ReadWriteCloser) (Creds, error) {
	conn, ok := c.(net.Conn)
	if !ok {
		return Creds{}, errors.ErrUnsupported
	}
	return PeerCreds(conn)
}
