package control

import (
	"context"
	"errors"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/wire"
)

// run lists a session among the running tasks until it ends.
func (b *Broker) run(s *session, place Place, tab browser.TabID) error {
	m := b.Manager
	ctx, cancel := context.WithCancelCause(context.Background())
	l := &live{id: s.info.Task, place: place, tab: tab, desk: s.client.User(), session: s.client.Action(), cancel: cancel, done: make(chan struct{})}
	if err := m.join(l); err != nil {
		cancel(err)
		return errors.Join(err, s.client.Close(context.WithoutCancel(ctx)))
	}
	s.live = l
	s.last = time.Now()
	s.idle = time.AfterFunc(s.patience, s.endIfIdle)
	b.sessions.add(s)
	missed := make(chan struct{})
	go func() {
		defer close(missed)
		if !s.own {
			s.missBrowser(ctx)
		}
	}()
	go func() {
		defer m.leave(l)
		select {
		case <-ctx.Done():
		case <-browserEnd(place.Driver, s.own):
			cancel(errBrowserEnded)
		}
		b.endSession(s, context.Cause(ctx))
		<-missed
	}()
	return nil
}

// browserGrace is how long a question stays open while its browser is not
// connected. A stopped service worker or a reloaded extension is back sooner.
const browserGrace = 3 * time.Second

// missBrowser withdraws the open question when the browser that shows it has been
// gone for browserGrace. It returns with ctx.
func (s *session) missBrowser(ctx context.Context) {
	away := time.AfterFunc(time.Hour, func() { s.client.Withdraw(clientsession.ErrBrowserAway) })
	defer away.Stop()
	away.Stop()
	for e := range driverEvents(ctx, s.live.place.Driver) {
		switch e.Kind {
		case browser.DriverGone:
			away.Reset(browserGrace)
		case browser.DriverBack:
			away.Stop()
		}
	}
}

// endSession releases a session's tabs and closes a browser of its own.
func (b *Broker) endSession(s *session, why error) {
	m, l := b.Manager, s.live
	b.sessions.remove(s)
	s.idle.Stop()
	s.client.Stop(why)
	s.busy.Wait()
	ev := wire.Event{Task: l.id, Type: wire.EvComplete, Text: endText(why)}
	if errors.Is(why, agent.ErrStopped) {
		ev.Type = wire.EvCancelled
	}
	if _, err := m.Journal.Append(ev); err != nil {
		b.Log.Error().Err(err).Str("task", l.id).Msg("the session's end could not be recorded")
	}
	if !s.own {
		b.closeBlankTabs(s)
		m.finish(l)
		return
	}
	if p, ok := l.place.Driver.(*part); ok && p.shared {
		b.closeTabs(s) // other sessions use that browser
	}
	m.release(l.place.Profile, l.id)
	n := m.remove(l)
	if err := l.place.Driver.Close(); err != nil {
		b.Log.Warn().Err(err).Str("task", l.id).Msg("end of the launched browser")
	}
	detachTabs(l, closeTime, b.Log)
	m.notifyRunning(n)
	m.History().Forget()
}

// closeTabs closes the tabs of a session in a shared browser.
func (b *Broker) closeTabs(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	for _, t := range s.client.Action().Tabs() {
		if err := ignoreGone(s.live.place.Driver.CloseTab(ctx, t.ID)); err != nil {
			b.Log.Debug().Err(err).Str("task", s.live.id).Msg("close a tab")
		}
	}
}

// closeBlankTabs closes the session's tabs that are still blank.
func (b *Broker) closeBlankTabs(s *session) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := closeBlank(ctx, s.live.place.Driver, s.client.Action()); err != nil {
		b.Log.Debug().Err(err).Str("task", s.live.id).Msg("close the empty tab")
	}
}

func ignoreGone(err error) error {
	if errors.Is(err, browser.ErrNoTab) {
		return nil
	}
	return err
}

func endText(why error) string {
	switch {
	case errors.Is(why, clientsession.ErrClosed):
		return "Closed."
	case errors.Is(why, agent.ErrStopped):
		return "Stopped by the user."
	default:
		s := why.Error()
		return strings.ToUpper(s[:1]) + s[1:] + "."
	}
}

// browserEnd returns a channel that is closed when a launched browser ends; nil for
// other browsers.
func browserEnd(d browser.Driver, own bool) <-chan struct{} {
	if l, ok := d.(interface{ Done() <-chan struct{} }); ok && own {
		return l.Done()
	}
	return nil
}

// closeTime bounds the end of a session, beside that of its browser.
const closeTime = 3 * time.Second

// closeBlank closes the tabs of a session that are still blank.
func closeBlank(ctx context.Context, d browser.Driver, s *action.Session) error {
	open, err := d.Tabs(ctx)
	if err != nil {
		return err
	}
	for _, t := range s.Tabs() {
		for _, o := range open {
			if o.ID == t.ID && o.URL == "about:blank" {
				err = errors.Join(err, ignoreGone(d.CloseTab(ctx, t.ID)))
			}
		}
	}
	return err
}

// driverGone returns a channel that is closed when the connection to a browser is
// lost or closed.
func driverGone(d browser.Driver) <-chan struct{} {
	events, cancel := d.Subscribe()
	done := make(chan struct{})
	go func() { // ends with the driver, which closes its bus
		defer close(done)
		defer cancel()
		for e := range events {
			if e.Kind == browser.DriverGone {
				return
			}
		}
	}()
	return done
}
