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
	// ExtensionVersion is that of the extension in this program; panels compare
	// it with theirs.
	ExtensionVersion string
	// Extractor is the script for frames that chrome.scripting can't reach.
	Extractor string
	// Idle is how long the broker stays when nothing is connected and nothing
	// runs; default 60 s.
	Idle time.Duration
	// Refresh rewrites the installed extension when a relay of an older
	// version says hello; true means that the relay is to reload itself.
	Refresh func(relayVersion string) bool
	// Tour starts the bundled shop with its stand-in model.
	Tour func(ctx context.Context) (wire.TourInfo, error)
	// PeerOf says who is at the other end of a connection.
	PeerOf func(c io.ReadWriteCloser) (pid int, binary string)
	// Lang of the user: en or zh.
	Lang string
	// RelayWait is how long a task waits for its browser to come back; default
	// two minutes.
	RelayWait time.Duration
	// ProfilesDir is where the profiles of the host's own browsers are kept.
	ProfilesDir string
	// SessionIdle is how long a session stays without a call; default an hour.
	SessionIdle time.Duration
	// Settings are the user's; nil: there are none to show or change.
	Settings Settings
	// Doctor examines the installation; nil: nothing is examined.
	Doctor Doctor

	// Of the tests: what is watched for being replaced, and how often.
	binary    string
	lookEvery time.Duration
	// … and how long a session has gone unused that an update may end.
	updateIdle time.Duration

	session string
	started time.Time
	stop    context.CancelCauseFunc

	changing sync.Mutex // of settings: one change at a time

	mu     sync.Mutex
	conns  map[*conn]struct{}
	relays map[string]*relayLink // by profile
	last   string                // profile that was heard from last

	sessions sessions      // of programs without a model
	owns     owns          // browsers of own profiles
	wake     chan struct{} // pulse: connections or tasks changed
	look     chan struct{} // glance: what the browsers show may have changed
}

// Reasons of an orderly end.
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

// glance makes attend look again; without a broker that serves, nobody does.
func (b *Broker) glance() {
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
	link  *relayLink // of a relay
	views map[*rpc.Channel]view
	// panels are the ports of the side panels behind a relay.
	panels map[string]bool
	begun  []string // the newest of the tasks that were begun here
}

// on is rpc.On for a method that wants a hello before.
func on[P, R any](c *conn, method string, f func(context.Context, *rpc.Channel, P) (R, error)) {
	rpc.On(c.peer, method, func(ctx context.Context, from *rpc.Channel, p P) (R, error) {
		c.mu.Lock()
		ok := c.hello != nil
		c.mu.Unlock()
		if !ok {
			var zero R
			return zero, &wire.Error{Code: wire.CodeProtocol, Message: "Say hello first."}
		}
		return f(ctx, from, p)
	})
}

// Doctor examines the installation and mends what needs no person.
type Doctor interface {
	// Examine tries the whole chain, from the program to the model.
	Examine(ctx context.Context) ([]wire.CheckLine, error)
	// Mend does one of the fixes that are of the installation.
	Mend(ctx context.Context, fix string) error
}

// Settings is where the user's settings and keys are kept.
type Settings interface {
	// Show gives them as they stand. Keys are never in it.
	Show() (wire.SettingsInfo, error)
	// Set changes settings, all or none.
	Set(values map[string]string) error
	// SetKey and RemoveKey keep and forget a provider's key.
	SetKey(provider, key string) error
	RemoveKey(provider string) error
}

// view is what a channel follows.
type view struct {
	task   string // empty: every task
	cancel context.CancelFunc
}

// relayLink is a browser profile: its driver outlives the connections.
type relayLink struct {
	profile string
	driver  *relay.Driver

	patience time.Duration // how long a task waits for it

	adopting sync.Mutex // one connection at a time takes over

	mu     sync.Mutex
	newest *conn // the last that said hello; it is, or becomes, conn
	conn   *conn // nil while it is gone
	info   wire.RelayInfo
	back   chan struct{} // closed when conn is set
}
