package browser

import "sync"

// Bus hands tab events to subscribers. Each driver has one.
type Bus struct {
	mu   sync.Mutex
	next int
	subs map[int]chan TabEvent
}

// NewBus returns a Bus without subscribers.
func NewBus() *Bus { return &Bus{subs: map[int]chan TabEvent{}} }

// Publish hands an event to all subscribers. It never blocks: if a subscriber's
// buffer is full, its oldest event is dropped.
func (b *Bus) Publish(e TabEvent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, ch := range b.subs {
		for sent := false; !sent; {
			select {
			case ch <- e:
				sent = true
			default:
				select {
				case <-ch:
				default:
				}
			}
		}
	}
}

// Subscribe returns a channel of the events from now on, and a function that
// closes it.
func (b *Bus) Subscribe() (<-chan TabEvent, func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	n, ch := b.next, make(chan TabEvent, 256)
	b.subs[n] = ch
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if _, ok := b.subs[n]; ok {
			delete(b.subs, n)
			close(ch)
		}
	}
}
