package browser

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// OffAfter is how long what an act switched on in Chrome stays on after the act, so
// that acts in quick succession need not switch it off and on again.
const OffAfter = 200 * time.Millisecond

// switched is a mode of DevTools sessions that is on while something needs it; Tab.mu
// guards it.
type switched struct {
	users int
	on    map[cdp.Session]bool // sessions where it was switched on; false: it may be off again
	off   *time.Timer          // switches it off, once nobody needs it
	told  chan struct{}        // closed when the last command was answered; nil before the first
	tell  func(ctx context.Context, s cdp.Session, on bool) error
}

// is reports whether the mode is on or about to be.
func (s *switched) is() bool { return s.users > 0 || s.off != nil }

// unsure has the next use switch the mode on again in all sessions.
func (s *switched) unsure() {
	for x := range s.on {
		s.on[x] = false
	}
}

// use switches the mode on in sessions. ready waits until Chrome has answered, or ctx
// ends. t.mu is held. The caller counts itself in users.
func (t *Tab) use(ctx context.Context, s *switched, sessions []cdp.Session) (ready func()) {
	if s.off != nil {
		s.off.Stop()
		s.off = nil
	}
	if s.on == nil {
		s.on = map[cdp.Session]bool{}
	}
	var fresh []cdp.Session
	for _, x := range sessions {
		if !s.on[x] {
			s.on[x] = true
			fresh = append(fresh, x)
		}
	}
	if len(fresh) > 0 {
		t.tell(context.WithoutCancel(ctx), s, fresh, true)
	}
	told := s.told
	return func() {
		select {
		case <-told:
		case <-ctx.Done():
		}
	}
}

// tell switches the mode on or off in sessions, after the commands before it were
// answered, so that they stay in order. t.mu is held.
func (t *Tab) tell(ctx context.Context, s *switched, sessions []cdp.Session, on bool) {
	before, told := s.told, make(chan struct{})
	s.told = told
	go func() {
		defer close(told)
		if before != nil {
			<-before
		}
		ctx := WithCallTimeout(ctx, 2*time.Second)
		var done sync.WaitGroup
		for _, x := range sessions {
			done.Go(func() {
				// If the session is not gone, the next use tries again.
				if err := s.tell(ctx, x, on); err != nil && on {
					t.mu.Lock()
					defer t.mu.Unlock()
					if s.on != nil {
						s.on[x] = false
					}
				}
			})
		}
		done.Wait()
	}()
}

// leave takes one off users. When none is left, the mode is switched off after
// OffAfter. t.mu is held.
func (t *Tab) leave(s *switched) {
	if s.users--; s.users > 0 {
		return
	}
	var off *time.Timer
	off = time.AfterFunc(OffAfter, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if s.off != off {
			return // needed again meanwhile
		}
		var sessions []cdp.Session
		for x := range s.on {
			sessions = append(sessions, x)
		}
		s.off, s.on = nil, nil
		t.tell(context.Background(), s, sessions, false)
	})
	s.off = off
}
