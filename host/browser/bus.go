package browser

import "sync"

// Bus hands tab events to whoever subscribed; drivers own one each.
type Bus struct {
	mu   sync.Mutex
	next int
	subs map[int]chan TabEvent
}

// NewBus gives an empty one.
func NewBus() *Bus { return &Bus{subs: map[int]chan TabEvent{}} }

// Publish never blocks: the oldest event of a full reader is dropped.
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

// Subscribe delivers from now on; cancel closes the channel.
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
