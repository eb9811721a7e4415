package browser

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// OffAfter is how long what an act switched on in Chrome stays on after it: acts
// that follow each other at once would switch it off and on between them, and
// wait for both.
const OffAfter = 200 * time.Millisecond

// switched is something that is on in sessions while watches need it; Tab.mu
// guards it.
type switched struct {
	users int
	on    map[cdp.Session]bool // whom to tell of the end; false: who may have forgotten the beginning
	off   *time.Timer          // to its end, where nobody needs it any more
	told  chan struct{}        // closed when the last telling was answered; nil before the first
	tell  func(ctx context.Context, s cdp.Session, on bool) error
}

// is tells whether it is on, or about to be.
func (s *switched) is() bool { return s.users > 0 || s.off != nil }

// unsure has the sessions told again by who comes next.
func (s *switched) unsure() {
	for x := range s.on {
		s.on[x] = false
	}
}

// use switches it on in sessions; ready waits until Chrome has heard of it, or
// ctx ends. t.mu is held.
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

// tell tells sessions after what was told before: neither may overtake the
// other. t.mu is held.
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
				// A frame that is gone has nothing to catch; any other is told again.
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

// leave ends the need of one user. t.mu is held.
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
