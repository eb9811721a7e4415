package control

import (
	"fmt"
	"sync"
)

// owns holds the running browsers of own profiles. Sessions of one profile share a
// browser, because Chromium opens a profile only once.
type owns struct {
	mu  sync.Mutex
	run map[string]*ownBrowser // by profile
}

type ownBrowser struct {
	launched *Launched
	headless bool
	users    int
}

// take returns the browser of a profile with one more user. It calls start if none
// runs.
func (o *owns) take(profile string, start func() (*ownBrowser, error)) (*ownBrowser, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w := o.run[profile]; w != nil {
		select {
		case <-w.launched.Done(): // its sessions are about to end
		default:
			w.users++
			return w, nil
		}
		if err := w.launched.Close(); err != nil {
			return nil, fmt.Errorf("end the browser that was lost: %w", err)
		}
	}
	w, err := start()
	if err != nil {
		return nil, err
	}
	w.users = 1
	if o.run == nil {
		o.run = map[string]*ownBrowser{}
	}
	o.run[profile] = w
	return w, nil
}

// leave counts one user less and ends the browser after the last one.
func (o *owns) leave(profile string, w *ownBrowser) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w.users--; w.users > 0 {
		return nil
	}
	if o.run[profile] == w {
		delete(o.run, profile)
	}
	return w.launched.Close() // under the lock, so that the next start finds the profile free
}

func (o *owns) runningBrowser(profile string) (headless bool, users int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w := o.run[profile]; w != nil {
		return w.headless, w.users, true
	}
	return false, 0, false
}
