package control

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"tabwright/host/agent"
	"tabwright/host/native"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// Serve accepts connections from l until ctx ends, the broker is asked to stop,
// nothing has run for Idle, or its binary was replaced and no task runs. It returns
// when every connection and task has ended. The error is the reason; ErrIdle,
// ErrAsked and ErrUpdated are orderly ends.
func (b *Broker) Serve(ctx context.Context, l net.Listener) error {
	ctx, b.stop = context.WithCancelCause(ctx)
	defer b.stop(nil)
	if b.Idle <= 0 {
		b.Idle = time.Minute
	}
	if b.RelayWait <= 0 {
		b.RelayWait = relayWait
	}
	if b.SessionIdle <= 0 {
		b.SessionIdle = sessionIdle
	}
	b.session, b.started = rand.Text(), time.Now()
	b.conns, b.relays, b.wake = map[*conn]struct{}{}, map[string]*relayLink{}, make(chan struct{}, 1)
	b.look = make(chan struct{}, 1)
	b.Manager.OnChange = func(int) { b.pulse(); b.signalAttention() }
	var wg sync.WaitGroup
	wg.Go(func() { b.watch(ctx) })
	wg.Go(func() { b.attend(ctx) })
	wg.Go(func() { b.tellChanges(ctx) })
	b.Manager.sweep()
	b.Manager.History().Forget()
	wg.Go(func() {
		<-ctx.Done()
		_ = l.Close() // Accept below says so
	})
	for {
		c, err := l.Accept()
		if err != nil {
			b.stop(err)
			break
		}
		wg.Go(func() { b.serve(ctx, c) })
	}
	b.Manager.Close(agent.ErrEnded)
	b.closeAll()
	wg.Wait()
	b.Manager.History().Forget()
	return context.Cause(ctx)
}

// watch ends a broker that has nothing to do, or whose binary was replaced.
func (b *Broker) watch(ctx context.Context) {
	binary := b.binary
	if binary == "" {
		binary, _ = os.Executable() // if unknown, a replacement goes unseen
	}
	born := stamp(binary)
	before := born
	idle := time.NewTimer(b.Idle)
	defer idle.Stop()
	check := time.NewTicker(cmp.Or(b.lookEvery, 5*time.Second))
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
			idle.Reset(b.Idle)
		case <-idle.C:
			if b.isIdle() {
				b.stop(ErrIdle)
				return
			}
			idle.Reset(b.Idle)
		case <-check.C:
			// The stamp must be the same twice: a file may still be being written.
			now := stamp(binary)
			if now != born && now != (fileStamp{}) && now == before && b.isReplaceable() {
				b.stop(ErrUpdated)
				return
			}
			before = now
		}
	}
}

type fileStamp struct {
	size int64
	time int64
}

func stamp(path string) fileStamp {
	st, err := os.Stat(path)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{st.Size(), st.ModTime().UnixNano()}
}

func (b *Broker) isIdle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.conns) == 0 && b.Manager.CountRunning() == 0 && !b.Manager.Models.IsPulling()
}

// isReplaceable reports whether nothing runs. If only idle sessions run, it ends them, so
// that the next check can succeed: their programs open new ones in the new
// version.
func (b *Broker) isReplaceable() bool {
	running, idle := b.Manager.CountRunning(), b.sessions.idleSince(cmp.Or(b.updateIdle, updateIdle))
	if running == 0 {
		return true
	}
	if len(idle) == running {
		for _, s := range idle {
			s.end(errReplaced)
		}
	}
	return false // the next check finds them ended
}

// serve runs one connection to its end.
func (b *Broker) serve(ctx context.Context, nc net.Conn) {
	c := &conn{b: b, views: map[*rpc.Channel]view{}}
	if b.PeerOf != nil {
		c.pid, c.binary = b.PeerOf(nc)
	}
	c.peer = rpc.NewPeer(nc, rpc.PeerOptions{
		Name: "client", MaxWrite: native.MaxToChrome, Log: b.Log,
	})
	c.handle()
	b.mu.Lock()
	b.conns[c] = struct{}{}
	b.mu.Unlock()
	b.pulse()
	c.peer.Start()
	select {
	case <-c.peer.Done():
	case <-ctx.Done():
		_ = c.peer.Close() // Wait below
	}
	c.peer.Wait()
	c.leave()
	b.mu.Lock()
	delete(b.conns, c)
	b.mu.Unlock()
	b.pulse()
	b.Log.Info().Err(c.peer.Err()).Int("pid", c.pid).Msg("client gone")
}

// handle registers every method that a client may call. All but hello and ping
// are refused before hello.
func (c *conn) handle() {
	rpc.On(c.peer, wire.MethodHello, c.onHello)
	rpc.On(c.peer, wire.MethodPing, func(context.Context, *rpc.Channel, wire.Empty) (wire.Empty, error) {
		return wire.Empty{}, nil
	})
	on(c, wire.MethodChannelOpen, c.onChannelOpen)
	on(c, wire.MethodChannelClose, c.onChannelClose)
	b := c.b
	for _, ev := range wire.RelayEvents() {
		// Inline, so that no answer overtakes an earlier event.
		c.peer.HandleInline(ev, func(params json.RawMessage) {
			c.mu.Lock()
			link := c.link
			c.mu.Unlock()
			if link != nil {
				if ev == wire.EventTabActivated { // the user switched to one of its tabs or windows
					b.mu.Lock()
					b.last = link.profile
					b.mu.Unlock()
				}
				link.driver.Event(ev, params)
			}
		})
	}
	c.handlePanel()
	c.handleTasks()
	c.handleConversations()
	c.handleSettings()
	c.handleSessions()
	c.handleArtifacts()
	c.handleFlows()
}

func (c *conn) onHello(ctx context.Context, from *rpc.Channel, p wire.HelloParams) (wire.HelloResult, error) {
	var none wire.HelloResult
	if from.Name() != "" {
		return none, &wire.Error{Code: wire.CodeProtocol, Message: "Hello is said once, outside channels."}
	}
	if p.ProtocolMin > wire.ProtocolMax || p.ProtocolMax < wire.ProtocolMin {
		older := "extension"
		if p.ProtocolMin > wire.ProtocolMax {
			older = "host"
		}
		return none, &wire.Error{
			Code: wire.CodeProtocol, Message: "No common protocol version; the " + older + " is too old.",
			Hint: "Run `tabwright install` with the newest binary and reload the extension.",
			Data: json.RawMessage(`{"older":"` + older + `"}`),
		}
	}
	if p.Role == wire.RoleRelay && !slices.Contains(c.b.ExtensionIDs, p.ExtensionID) {
		return none, &wire.Error{Code: wire.CodeProtocol, Message: "This extension may not connect."}
	}
	c.mu.Lock()
	if c.hello != nil {
		c.mu.Unlock()
		return none, &wire.Error{Code: wire.CodeProtocol, Message: "Hello is said once."}
	}
	c.hello = &p
	c.mu.Unlock()
	c.b.Log.Info().Str("role", p.Role).Str("version", p.Version).Str("profile", p.Profile).Int("pid", c.pid).Msg("hello")
	if p.Role == wire.RoleRelay {
		if err := c.joinRelay(ctx, p); err != nil {
			return none, err
		}
	}
	return wire.HelloResult{
		Protocol: min(p.ProtocolMax, wire.ProtocolMax), Version: c.b.Version, PID: os.Getpid(), Session: c.b.session,
	}, nil
}

// leave ends the subscriptions and sessions of a closed connection.
func (c *conn) leave() {
	c.mu.Lock()
	link := c.link
	for _, v := range c.views {
		v.cancel()
	}
	c.mu.Unlock()
	if link != nil {
		link.detachConn(c)
	}
	c.b.sessions.leave(c)
}
