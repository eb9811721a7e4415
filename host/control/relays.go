package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sort"
	"time"

	"tabwright/host/browser"
	"tabwright/host/browser/relay"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// relayWait is how long a task waits for its browser to reconnect. Chrome may
// stop the service worker at any time, and starts it again at the next event.
const relayWait = 2 * time.Minute

// joinRelay makes c the connection of its profile. The first hello creates the
// driver. A later one gives the driver a new connection, which adopts the tabs that
// are still attached.
func (c *conn) joinRelay(ctx context.Context, p wire.HelloParams) error {
	b := c.b
	b.mu.Lock()
	link, known := b.relays[p.Profile]
	if !known {
		link = &relayLink{profile: p.Profile, back: make(chan struct{}), patience: b.RelayWait}
		link.driver = relay.New(c.peer, relay.Options{ExtensionID: p.ExtensionID, Extractor: b.Extractor, Run: p.Run})
		b.relays[p.Profile] = link
	}
	b.last = p.Profile
	b.mu.Unlock()

	link.mu.Lock()
	conn, old := link.conn, link.newest
	link.newest = c
	link.mu.Unlock()
	if old != nil {
		_ = old.peer.Close() // a profile has one relay: the newest
	}
	if conn != nil {
		link.detachConn(conn)
	}
	info := wire.RelayInfo{
		Profile: p.Profile, ExtensionID: p.ExtensionID, Version: p.Version,
		Connected: time.Now().UnixMilli(), ShimPID: c.pid, ShimBinary: c.binary,
	}
	if p.Browser != nil {
		info.Browser = *p.Browser
	}
	c.mu.Lock()
	c.link = link
	c.mu.Unlock()
	// The rest calls the relay, which accepts no call before the answer to its
	// hello.
	rpc.AfterAnswer(ctx, func() { c.adopt(link, info, known, p) })
	return nil
}

func (c *conn) adopt(link *relayLink, info wire.RelayInfo, known bool, p wire.HelloParams) {
	// A relay may reconnect twice at once (its service worker was stopped and the
	// extension reloaded). The connections take over one after the other, and only
	// the newest stays.
	link.adopting.Lock()
	defer link.adopting.Unlock()
	if !link.isNewest(c) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if c.b.Refresh != nil && c.b.Manager.CountRunning() == 0 && c.b.Refresh(p.Version) {
		c.b.Log.Info().Str("from", p.Version).Str("to", c.b.Version).Msg("extension rewritten, reloading it")
		if err := c.peer.Call(ctx, wire.MethodReload, wire.Empty{}, nil); err != nil {
			c.b.Log.Warn().Err(err).Msg("reload of the extension")
		}
		return
	}
	if known {
		err := link.driver.Reconnect(ctx, c.peer, relay.Options{ExtensionID: info.ExtensionID, Extractor: c.b.Extractor, Run: p.Run})
		if err != nil {
			c.b.Log.Error().Err(err).Str("profile", link.profile).Msg("tabs not adopted")
		}
	}
	link.mu.Lock()
	defer link.mu.Unlock()
	if c.peer.Err() != nil || link.newest != c {
		return
	}
	link.conn, link.info = c, info
	close(link.back)
	c.b.signalAttention()
}

func (l *relayLink) isNewest(c *conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newest == c
}

// detachConn notes that a connection was lost.
func (l *relayLink) detachConn(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.newest == c {
		l.newest = nil
	}
	if l.conn != c {
		return
	}
	l.conn = nil
	l.back = make(chan struct{})
	l.driver.Gone(c.peer.Err())
}

// wait returns when the relay is connected, or with an error after l.patience.
func (l *relayLink) wait(ctx context.Context) error {
	l.mu.Lock()
	back := l.back
	l.mu.Unlock()
	ctx, cancel := context.WithTimeoutCause(ctx, l.patience, fmt.Errorf("it did not reconnect within %s", l.patience))
	defer cancel()
	select {
	case <-back:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *relayLink) place() Place {
	return Place{
		Driver: l.driver, Profile: l.profile, Wait: l.wait, Leaving: l.isQuitting,
		Allow: func(tab browser.TabID) { l.driver.Allow(tab) },
	}
}

// placeFor returns the place of a client's task: the panel's own browser, else the
// one that was focused last.
func (c *conn) placeFor(ctx context.Context) (Place, error) {
	c.mu.Lock()
	link := c.link
	c.mu.Unlock()
	if link == nil {
		return c.b.Place(ctx)
	}
	return link.ready(ctx)
}

// Place returns the browser profile that was focused last, or connected since.
func (b *Broker) Place(ctx context.Context) (Place, error) {
	b.mu.Lock()
	link := b.relays[b.last]
	b.mu.Unlock()
	if link == nil {
		return Place{}, &wire.Error{
			Code: wire.CodeNoBrowser, Message: "No browser with the Tabwright extension is connected.",
			Hint: "Start your browser; `tabwright doctor` says what is missing. Or use --launch.",
		}
	}
	return link.ready(ctx)
}

// ready returns the place once the relay is connected. It waits a few seconds for
// one that is reconnecting.
func (l *relayLink) ready(ctx context.Context) (Place, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := l.wait(ctx); err != nil {
		return Place{}, &wire.Error{
			Code: wire.CodeNoBrowser, Message: "The browser is not connected just now.", Hint: "Open it, or reload the extension.",
		}
	}
	return l.place(), nil
}

// status returns what doctor and `tabwright status` show. It pings each relay.
func (b *Broker) status(ctx context.Context) wire.BrokerStatus {
	binary, _ := os.Executable() // for people only; empty when unknown
	s := wire.BrokerStatus{
		Version: b.Version, PID: os.Getpid(), Socket: b.Socket, Binary: binary,
		Started: b.started.UnixMilli(), Running: b.Manager.CountRunning(), Relays: []wire.RelayInfo{},
	}
	b.mu.Lock()
	links := slices.Collect(maps.Values(b.relays))
	b.mu.Unlock()
	for _, l := range links {
		if info, ok := l.status(ctx); ok {
			s.Relays = append(s.Relays, info)
		}
	}
	sort.Slice(s.Relays, func(i, j int) bool { return s.Relays[i].Connected < s.Relays[j].Connected })
	return s
}

func (l *relayLink) status(ctx context.Context) (wire.RelayInfo, bool) {
	l.mu.Lock()
	c, info := l.conn, l.info
	l.mu.Unlock()
	if c == nil {
		return info, false
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := c.peer.Call(ctx, wire.MethodPing, wire.Empty{}, nil); err != nil {
		info.PingError = err.Error()
	}
	return info, true
}

// tryAttach checks the last link of the chain: it opens a tab in that profile,
// attaches to it and closes it.
func (b *Broker) tryAttach(ctx context.Context, profile string) error {
	b.mu.Lock()
	link := b.relays[profile]
	b.mu.Unlock()
	if link == nil {
		return &wire.Error{Code: wire.CodeNoBrowser, Message: "No such profile is connected.", Hint: "`tabwright profiles` lists those that are."}
	}
	tab, err := link.driver.Open(ctx, "about:blank", false, "")
	if err != nil {
		return err
	}
	_, err = link.driver.Attach(ctx, tab.ID)
	// Also if ctx has ended: the tab must not stay.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), detachTime)
	defer cancel()
	return errors.Join(err, link.driver.Release(after, tab.ID), link.driver.CloseTab(after, tab.ID))
}

// placeForResume returns the browser that a task ran in. It waits up to backTime for it
// to connect.
func (b *Broker) placeForResume(ctx context.Context, profile string) (Place, error) {
	ctx, cancel := context.WithTimeout(ctx, backTime)
	defer cancel()
	tick := time.NewTicker(backLook)
	defer tick.Stop()
	for {
		b.mu.Lock()
		link := b.relays[profile]
		b.mu.Unlock()
		if link != nil {
			return link.ready(ctx)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return Place{}, &wire.Error{
				Code: wire.CodeNoBrowser, Message: "The browser that this task ran in is not connected.", Hint: "Open it, then resume the task.",
			}
		}
	}
}

// backTime is how long the browser of an interrupted task may take to connect: the
// broker may have just started.
const backTime = 10 * time.Second

const backLook = 50 * time.Millisecond

// quitTime is how long a browser that quits may take from closing its tabs to its
// own end.
const quitTime = 2 * time.Second

// isQuitting reports whether the browser has ended or ends within quitTime. A tab
// that closed with the browser was not closed by the user.
func (l *relayLink) isQuitting(ctx context.Context) bool {
	events, stop := l.driver.Subscribe()
	defer stop()
	l.mu.Lock()
	gone := l.conn == nil
	l.mu.Unlock()
	moment := time.NewTimer(quitTime)
	defer moment.Stop()
	for !gone {
		select {
		case e, ok := <-events:
			if !ok {
				return false
			}
			gone = e.Kind == browser.DriverGone
		case <-moment.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}
