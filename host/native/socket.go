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

// ErrNotRunning is wrapped in Dial's error if no broker answers, ErrRunning in
// Listen's if one runs already.
var (
	ErrNotRunning = errors.New("the broker is not running")
	ErrRunning    = errors.New("a broker is running already")
)

// lockWait is how long Listen waits for a broker that is ending.
const lockWait = 3 * time.Second

// SocketPath returns the path of the broker's socket: TABWRIGHT_SOCKET, or
// broker.sock in the folder that folders.Set.Sockets names. On Windows there is a
// named pipe instead, whose name is made from this path (Listener.Path). The lock
// lies beside the path. A path that is too long for a socket is CodeTooLarge.
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

// Dial joins the broker. Its error wraps ErrNotRunning if there is none. It refuses
// a socket that another user serves.
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

// Listener is the broker's socket, or its named pipe on Windows. It closes
// connections of other users; Accept does not return them.
type Listener struct {
	net.Listener
	path  string
	lock  *os.File
	close sync.Once
}

// Listen opens the broker's socket at path, which SocketPath gives, for this process
// alone. Its error wraps ErrRunning if another broker has it. A socket file that
// nobody answers is removed; a lock, which a running broker holds, makes that safe.
// Listen waits up to three seconds for a broker that is ending.
func Listen(path string) (*Listener, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	return listen(ctx, path, os.Getenv(SocketEnv) == "")
}

// ListenChosen is Listen at a path that the user chose: it checks the permissions of
// the folder and does not change them.
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
	// We hold the lock, so another kind of program listens there: leave it alone.
	if answers(ctx, path) {
		return nil, fmt.Errorf("listen at %s: %w", path, ErrRunning)
	}
	l, err := listenEndpoint(path)
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", path, err)
	}
	return l, nil
}

// takeLock takes the lock. While a broker that has it does not answer, it is ending,
// and takeLock waits until ctx ends. If it answers, the error is ErrRunning at once.
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

// Sleep waits for d and returns true, or false if ctx ended first.
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

// privateDir makes sure that no other user can put a socket into dir. It gives a
// folder that we named the mode 0700, and only checks one that the user chose.
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

// Path returns what a client opens: the socket's path, or the name of the pipe.
func (l *Listener) Path() string { return endpoint(l.path) }

// Accept returns the next connection of this user.
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

// Close removes the socket, then releases the lock.
func (l *Listener) Close() error {
	err := net.ErrClosed
	l.close.Do(func() {
		err = l.Listener.Close() // unlinks the file of a socket
		_ = l.lock.Close()
	})
	return err
}

// Creds says which process of which user is at the other end of a socket. PID is 0
// and Binary empty where the system does not tell. On Windows users have no number,
// and UID is 0.
type Creds struct {
	UID, PID int
	Binary   string // the program's path; doctor shows it
}

// PeerOf is PeerCreds for any connection. For one that is no socket the error is
// errors.ErrUnsupported.
func PeerOf(c io.ReadWriteCloser) (Creds, error) {
	conn, ok := c.(net.Conn)
	if !ok {
		return Creds{}, errors.ErrUnsupported
	}
	return PeerCreds(conn)
}
