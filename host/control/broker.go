package control

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/browser/relay"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// Broker is the one process per user that owns the tasks. Shims (one for
// each connected browser profile) and command lines are its clients.
type Broker struct {
	Manager *Manager
	Version string
	Socket  string // for status only
	Log     zerolog.Logger
	// ExtensionIDs are the only extensions that may be relays.
	ExtensionIDs []string
	// ExtensionVersion is the version of the extension in this program; panels
	// compare it with theirs.
	ExtensionVersion string
	// Extractor is the script for frames that chrome.scripting can't reach.
	Extractor string
	// Idle is how long the broker stays when nothing is connected and nothing
	// runs; default 60 s.
	Idle time.Duration
	// Refresh rewrites the installed extension when a relay of an older version
	// connects. It returns true if the relay must reload itself.
	Refresh func(relayVersion string) bool
	// Tour starts the bundled shop with its stand-in model.
	Tour func(ctx context.Context) (wire.TourInfo, error)
	// PeerOf returns the process at the other end of a connection.
	PeerOf func(c io.ReadWriteCloser) (pid int, binary string)
	// Lang is the user's language: en or zh.
	Lang string
	// RelayWait is how long a task waits for its browser to come back; default
	// two minutes.
	RelayWait time.Duration
	// ProfilesDir is where the profiles of the host's own browsers are kept.
	ProfilesDir string
	// SessionIdle is how long a session stays without a call; default an hour.
	SessionIdle time.Duration
	// Settings holds the user's settings. If nil, they can't be shown or changed.
	Settings Settings
	// Doctor checks the installation. If nil, nothing is checked.
	Doctor Doctor

	// Set by tests: the file watched for replacement, and how often it is checked,
	binary    string
	lookEvery time.Duration
	// … and how long a session must be unused before an update may end it.
	updateIdle time.Duration

	session string
	started time.Time
	stop    context.CancelCauseFunc

	changing sync.Mutex // of settings: one change at a time

	mu     sync.Mutex
	conns  map[*conn]struct{}
	relays map[string]*relayLink // by profile
	last   string                // the profile the user was active in last

	sessions sessions      // of programs without a model
	owns     owns          // browsers of own profiles
	wake     chan struct{} // sent by pulse: connections or tasks changed
	look     chan struct{} // sent by signalAttention: what the browsers show may have changed
}

// Reasons for which Serve ends in good order.
var (
	ErrIdle    = errors.New("nothing has been running for a while")
	ErrAsked   = errors.New("asked to stop")
	ErrUpdated = errors.New("the binary was replaced")
)

func (b *Broker) pulse() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// signalAttention makes attend look again. Without a serving broker it does nothing.
func (b *Broker) signalAttention() {
	select {
	case b.look <- struct{}{}:
	default:
	}
}

func (b *Broker) closeAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.conns {
		_ = c.peer.Close() // its serve returns
	}
}

// conn is one client's connection.
type conn struct {
	b      *Broker
	peer   *rpc.Peer
	pid    int
	binary string

	mu    sync.Mutex
	hello *wire.HelloParams
	link  *relayLink // nil unless it is a relay
	views map[*rpc.Channel]view
	// panels are the ports of the side panels behind a relay.
	panels map[string]bool
	begun  []string // the newest tasks started on this connection
}

// on is rpc.On for a method that may be called only after hello.
func on[P, R any](c *conn, method string, f func(context.Context, *rpc.Channel, P) (R, error)) {
	rpc.On(c.peer, method, func(ctx context.Context, from *rpc.Channel, p P) (R, error) {
		if err := c.checkHello(); err != nil {
			var zero R
			return zero, err
		}
		return f(ctx, from, p)
	})
}

func (c *conn) checkHello() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hello == nil {
		return &wire.Error{Code: wire.CodeProtocol, Message: "Say hello first."}
	}
	return nil
}

// Doctor checks the installation and makes the fixes that need no user.
type Doctor interface {
	// Examine checks the whole chain, from the program to the model.
	Examine(ctx context.Context) ([]wire.CheckLine, error)
	// Mend makes one of the fixes to the installation.
	Mend(ctx context.Context, fix string) error
}

// Settings stores the user's settings and keys.
type Settings interface {
	// Show returns the current settings, never the keys.
	Show() (wire.SettingsInfo, error)
	// Set changes all of the given settings, or none of them.
	Set(values map[string]string) error
	// SetKey and RemoveKey store and delete a provider's key.
	SetKey(provider, key string) error
	RemoveKey(provider string) error
}

// view is a channel's subscription.
type view struct {
	task   string // empty: every task
	cancel context.CancelFunc
}

// relayLink is a browser profile: its driver outlives the connections.
type relayLink struct {
	profile string
	driver  *relay.Driver

	patience time.Duration // how long a task waits for a connection

	adopting sync.Mutex // held while a connection takes over

	mu     sync.Mutex
	newest *conn // the last that sent hello; it is conn or becomes it
	conn   *conn // nil while the browser is not connected
	info   wire.RelayInfo
	back   chan struct{} // closed when conn is set
}
