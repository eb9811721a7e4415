package action

import (
	"context"
	"time"
)

// How long a user must have left the tab alone before we go on in it, how long an act
// waits for that, and the interval of looking.
const (
	userStill = 1500 * time.Millisecond
	userWait  = 10 * time.Second
	userLook  = 100 * time.Millisecond
)

// userInputWatcher is a tab that distinguishes a user's input from ours; *browser.Tab.
type userInputWatcher interface{ UserInputAt() time.Time }

// The notes in a result after the user used the tab: for an act, and for an action
// that only reads.
var (
	waitedNote = map[string]string{
		English: "The user used this tab; once they were still the page was looked at again for this. What you saw before may be gone.",
		Chinese: "用户操作过这个标签页；等其停手后已为此重新查看页面。之前看到的内容可能已经变了。",
	}
	usedNote = map[string]string{
		English: "The user used this tab meanwhile. What you saw before may be gone.",
		Chinese: "用户刚才操作过这个标签页。之前看到的内容可能已经变了。",
	}
)

// userInputSince returns when a user last used the tab, and whether that was after the
// last look at it.
func (h *held) userInputSince() (time.Time, bool) {
	w, ok := h.tab.(userInputWatcher)
	if !ok {
		return time.Time{}, false
	}
	at := w.UserInputAt()
	return at, at.After(h.userSeen)
}

// awaitUserIdle waits until a user has left the tab alone for a moment.
func (h *held) awaitUserIdle(ctx context.Context) error {
	tick := time.NewTicker(userLook)
	defer tick.Stop()
	for {
		at, used := h.userInputSince()
		if !used {
			return nil
		}
		if time.Since(at) >= userStill {
			h.userSeen = at
			return nil
		}
		select {
		case <-tick.C:
		case <-h.tab.Done():
			return nil // the next call fails then
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// yield lets a user who uses the tab go first. An act waits until they are idle; a
// read does not wait, and only notes that they were there.
func (r *run) yield(ctx context.Context) *Error {
	at, used := r.h.userInputSince()
	if !used {
		return nil
	}
	r.s.forgetPress()
	if !r.spec.MayChange {
		r.h.userSeen = at
		r.s.noteNext(usedNote[r.s.o.Lang])
		return nil
	}
	defer r.bound.pause()() // the act itself has not begun
	wait, cancel := context.WithTimeout(ctx, userWait)
	defer cancel()
	if err := r.h.awaitUserIdle(wait); err != nil {
		if ctx.Err() != nil {
			return &Error{Code: Timeout, Message: "the action was stopped", Err: ctx.Err()}
		}
		return &Error{Code: TabBusy, Message: "the user is using this tab just now", Hint: "Wait a while, then look at the page and try again."}
	}
	r.yielded = true
	r.s.noteNext(waitedNote[r.s.o.Lang])
	return nil
}

// AwaitUserIdle waits for a user who has used the current tab since the last look: it
// calls waiting, waits until they are idle, and returns true. The caller must then look
// at the page again.
func (s *Session) AwaitUserIdle(ctx context.Context, waiting func()) (bool, error) {
	if err := s.turn(ctx); err != nil {
		return false, err
	}
	defer func() { <-s.acting }()
	s.mu.Lock()
	h := s.tabs[s.current]
	s.mu.Unlock()
	if h == nil || h.tab == nil || h.lost {
		return false, nil
	}
	if _, used := h.userInputSince(); !used {
		return false, nil
	}
	waiting()
	return true, h.awaitUserIdle(ctx)
}

// noteNext adds a note to the next result, beside its own text.
func (s *Session) noteNext(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, text)
}

// takeNotes moves the waiting notes into a result.
func (s *Session) takeNotes(res *Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.notes {
		res.Notes = append(res.Notes, n)
		res.Text += "\nNote: " + n
	}
	s.notes = nil
}
