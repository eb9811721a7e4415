package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tabwright/host/native/wire"
	"tabwright/install/folders"
)

// SocketEnv names the variable that moves the broker's socket.
const SocketEnv = "TABWRIGHT_SOCKET"

// ErrNotRunning is what Dial wraps when no broker answers; ErrRunning what
// Listen wraps when one does already.
var (
	ErrNotRunning = errors.New("the broker is not running")
	ErrRunning    = errors.New("a broker is running already")
)

// lockWait is how long Listen waits for a broker that is on its way out.
const lockWait = 3 * time.Second

// SocketPath is where the broker's socket is: TABWRIGHT_SOCKET, or broker.sock in
// the folder that folders.Set names. On Windows a named pipe has its name from this
// path (Listener.Path), and the path itself is that of the lock beside it.
func SocketPath() (string, error) {
	path := os.Getenv(SocketEnv)
	if path == "" {
		path = filepath.Join(folders.Here().Sockets(func(dir string) bool {
			st, err := os.Stat(dir)
			return err == nil && st.IsDir() && ownedByUs(st)
		}), "broker.sock")
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
	c, err := dialEndpoint(ctx, path)
	if err != nil {
		if nobodyThere(err) {
			return nil, fmt.Errorf("join the broker at %s: %w", path, ErrNotRunning)
		}
		return nil, fmt.Errorf("join the broker at %s: %w", path, err)
	}
	if err := servedBySameUser(c); err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("join the broker at %s: %w", path, err)
	}
	return c, nil
}

// Listener is the broker's socket, or its named pipe on Windows. Connections of
// other users are turned away before Accept gives them out.
type Listener struct {
	net.Listener
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
	return &Listener{Listener: l, path: path, lock: lock}, nil
}

func bind(ctx context.Context, path string) (net.Listener, error) {
	// We hold the lock, so whoever answers does not know of it: leave it alone.
	if answers(ctx, path) {
		return nil, fmt.Errorf("listen at %s: %w", path, ErrRunning)
	}
	l, err := listenEndpoint(path)
	if err != nil {
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
		if answers(ctx, path) || !Sleep(ctx, 20*time.Millisecond) {
			_ = f.Close()
			return nil, fmt.Errorf("lock %s: %w", f.Name(), ErrRunning)
		}
	}
}

func answers(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	c, err := dialEndpoint(ctx, path)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// Sleep waits for d; false means ctx ended first.
func Sleep(ctx context.Context, d time.Duration) bool {
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
	if !permissions {
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

// Path is what a client opens: the socket's path, or the name of the pipe.
func (l *Listener) Path() string { return endpoint(l.path) }

// Accept gives the next connection of this user.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
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
		err = l.Listener.Close() // unlinks the file of a socket
		_ = l.lock.Close()
	})
	return err
}

// Creds is who is at the other end of a socket. PID is 0 and Binary empty
// where the system does not say. On Windows a user is no number, and UID is 0.
type Creds struct {
	UID, PID int
	Binary   string // of the process; doctor shows it
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
