package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"tabwright/extension"
	"tabwright/host/control/client"
	"tabwright/host/native"
	"tabwright/host/native/wire"
	"tabwright/install"
)

// BrokerPatience is how long the doctor waits for a broker's hello.
var BrokerPatience = 5 * time.Second

// brokerProbe is the broker as doctor asks it.
type brokerProbe struct{}

// Status asks a broker that runs; why none can be asked is an install.Fault, or
// install.ErrNoBroker where nothing is wrong.
func (brokerProbe) Status(ctx context.Context) (install.BrokerStatus, error) {
	c, err := brokerClient(ctx)
	if err != nil {
		return install.BrokerStatus{}, err
	}
	defer c.Close()
	var s wire.BrokerStatus
	if err := c.Call(ctx, wire.MethodBrokerStatus, wire.Empty{}, &s); err != nil {
		return install.BrokerStatus{}, err
	}
	out := install.BrokerStatus{PID: s.PID, Version: s.Version, Socket: s.Socket, Binary: s.Binary}
	for _, r := range s.Relays {
		relay := install.Relay{
			Browser: r.Browser.Name + " " + r.Browser.Version, Profile: r.Profile, ExtensionID: r.ExtensionID,
			ExtensionVersion: r.Version, ShimPID: r.ShimPID, ShimPath: r.ShimBinary,
		}
		if r.PingError != "" {
			relay.PingErr = errors.New(r.PingError)
		}
		out.Relays = append(out.Relays, relay)
	}
	return out, nil
}

func (brokerProbe) TryAttach(ctx context.Context, profile string) error {
	c, err := Dial(ctx, false)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Call(ctx, wire.MethodTryAttach, wire.ProfileParams{Profile: profile}, nil)
}

// reloadWait bounds the wait for extensions that reload themselves.
const reloadWait = 15 * time.Second

func (p brokerProbe) Reload(ctx context.Context) error {
	c, err := Dial(ctx, false)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Call(ctx, wire.MethodDoctorFix, wire.DoctorFixParams{Fix: wire.FixReload}, nil); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, reloadWait)
	defer cancel()
	_, err = AwaitExtension(ctx, install.Options{Broker: p, ExtensionID: extension.ID, OtherIDs: extension.IDs()[1:]}, extension.Version(), nil)
	return err
}

func (brokerProbe) Stop(ctx context.Context) error {
	_, err := StopBroker(ctx, false)
	return err
}

// brokerClient joins a broker that runs, within BrokerPatience.
func brokerClient(ctx context.Context) (*client.Client, error) {
	path, err := native.SocketPath()
	if err != nil {
		return nil, socketFault("path_too_long", err.Error(), "set "+native.SocketEnv+" to a shorter path in a folder of your own", path)
	}
	if f := socketFolder(filepath.Dir(path)); f != nil {
		return nil, f
	}
	nc, err := native.Dial(ctx)
	if errors.Is(err, native.ErrNotRunning) {
		return nil, whyNotRunning(path)
	}
	if err != nil {
		return nil, socketFault("refused", err.Error(), "set "+native.SocketEnv+" to a path in a folder of your own", path)
	}
	who, _ := native.PeerOf(nc) // 0 where the system does not say
	hello, cancel := context.WithTimeout(ctx, BrokerPatience)
	defer cancel()
	c, err := client.New(hello, nc, Version, zerolog.Nop())
	switch {
	case err == nil:
		return c, nil
	case hello.Err() != nil && ctx.Err() == nil:
		f := socketFault("hangs", fmt.Sprintf("process %d has the socket %s, and does not answer", who.PID, path), "end it; the extension starts a new one", path)
		f.Args = append(f.Args, strconv.Itoa(who.PID))
		if f.Mend = ""; ours(who.PID) {
			f.Mend, f.Command = wire.FixSocket, "kill "+strconv.Itoa(who.PID)
		}
		return nil, f
	case errors.Is(err, &wire.Error{Code: wire.CodeProtocol}):
		f := socketFault("other_protocol", fmt.Sprintf("process %d is a broker of another version: %v", who.PID, err), "end it; the extension starts a new one", path)
		if f.Args = append(f.Args, strconv.Itoa(who.PID)); ours(who.PID) {
			f.Mend, f.Command = wire.FixSocket, "kill "+strconv.Itoa(who.PID)
		}
		return nil, f
	}
	return nil, err
}

func socketFault(say, detail, fix, path string) *install.Fault {
	return &install.Fault{Say: say, Args: []string{path}, Detail: detail, Fix: fix}
}

// whyNotRunning tells what is in the way of a broker that is to be started:
// install.ErrNoBroker where nothing is.
func whyNotRunning(path string) error {
	if pid := lockHolder(path + ".lock"); pid != 0 {
		f := socketFault("lock_held", fmt.Sprintf("process %d holds %s.lock, and no broker answers", pid, path), "end it; the extension starts a broker", path)
		if f.Args = append(f.Args, strconv.Itoa(pid)); ours(pid) {
			f.Mend, f.Command = wire.FixSocket, "kill "+strconv.Itoa(pid)
		}
		return f
	}
	st, err := os.Lstat(path)
	switch {
	case err != nil:
		return install.ErrNoBroker
	case st.Mode()&os.ModeSocket == 0:
		f := socketFault("no_socket", path+" is in the place of the broker's socket, but is no socket", "give it another name", path)
		f.Mend = wire.FixSocket
		return f
	}
	f := socketFault("left_over", path+" was left by a broker that has ended", "nothing: the next broker removes it", path)
	f.Mend, f.Note = wire.FixSocket, true
	return f
}

// mendSocket ends a broker of ours that does not answer, and clears its place.
func mendSocket(ctx context.Context) error {
	path, err := native.SocketPath()
	if err != nil {
		return err
	}
	if err := closeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	c, err := brokerClient(ctx)
	if err == nil {
		return c.Close() // it answers now
	}
	f := (*install.Fault)(nil)
	if errors.As(err, &f) && f.Mend == wire.FixSocket && len(f.Args) > 1 {
		pid, err := strconv.Atoi(f.Args[1])
		if err != nil || !ours(pid) {
			return fmt.Errorf("process %d is no broker of this program", pid)
		}
		if err := endProcess(ctx, pid); err != nil {
			return err
		}
	}
	if st, err := os.Lstat(path); err == nil && st.Mode()&os.ModeSocket == 0 {
		if _, err := install.SetAside(path); err != nil {
			return err
		}
	}
	l, err := native.Listen(path)
	if err != nil {
		return err
	}
	return l.Close() // which removes the socket
}

// ours says that a process runs this program, or another copy of it.
func ours(pid int) bool {
	exe, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	if err != nil || pid <= 1 || pid == os.Getpid() {
		return false
	}
	exe = strings.TrimSuffix(exe, " (deleted)")
	self, err := os.Executable()
	return err == nil && exe == self || strings.TrimSuffix(filepath.Base(exe), ".exe") == "tabwright"
}

// AwaitExtension waits until a browser with the extension is connected to the
// broker, of that version if one is named, and gives it. tick is called about
// twice a second, after the broker was asked.
func AwaitExtension(ctx context.Context, o install.Options, version string, tick func()) (install.Relay, error) {
	every := time.NewTicker(500 * time.Millisecond)
	defer every.Stop()
	for {
		st, err := o.Broker.Status(ctx)
		for _, r := range st.Relays {
			if err == nil && (r.ExtensionID == o.ExtensionID || slices.Contains(o.OtherIDs, r.ExtensionID)) && (version == "" || r.ExtensionVersion == version) {
				return r, nil
			}
		}
		if tick != nil {
			tick()
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			return install.Relay{}, ctx.Err()
		}
	}
}
