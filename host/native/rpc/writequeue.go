package rpc

import "sync"

// outItem is an encoded message with room for its header in front.
type outItem struct {
	channel string
	buf     []byte
}

type pushResult int

const (
	pushed pushResult = iota
	pushFull
	pushClosed
)

// writeQueue holds the messages that wait to be written, bounded in number and
// bytes. push never waits, since the read loop of this or another connection
// may call it.
type writeQueue struct {
	mu       sync.Mutex
	wake     *sync.Cond
	items    []outItem
	bytes    int
	busy     bool // an item is being written
	closed   bool
	idle     []chan struct{} // closed when nothing waits any more
	maxItems int
	maxBytes int
}

func newWriteQueue(items, bytes int) *writeQueue {
	q := &writeQueue{maxItems: items, maxBytes: bytes}
	q.wake = sync.NewCond(&q.mu)
	return q
}

// push queues an item. If nothing else waits, the item may be over the bound in
// bytes; it could never be sent otherwise.
func (q *writeQueue) push(it outItem) pushResult {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return pushClosed
	case len(q.items) >= q.maxItems, len(q.items) > 0 && q.bytes+len(it.buf) > q.maxBytes:
		return pushFull
	}
	q.items = append(q.items, it)
	q.bytes += len(it.buf)
	q.wake.Signal()
	return pushed
}

// pop waits for the next item. It returns false if the queue is closed.
func (q *writeQueue) pop() (outItem, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.wake.Wait()
	}
	if q.closed {
		return outItem{}, false
	}
	it := q.items[0]
	q.items[0] = outItem{}
	q.items = q.items[1:]
	q.bytes -= len(it.buf)
	q.busy = true
	return it, true
}

// wrote notes that the item popped last has been written.
func (q *writeQueue) wrote() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy = false
	if len(q.items) == 0 {
		for _, ch := range q.idle {
			close(ch)
		}
		q.idle = nil
	}
}

// flushed returns a channel that is closed once nothing waits to be written. If
// the queue is closed before that, the channel never is.
func (q *writeQueue) flushed() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	ch := make(chan struct{})
	if len(q.items) == 0 && !q.busy {
		close(ch)
	} else {
		q.idle = append(q.idle, ch)
	}
	return ch
}

func (q *writeQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.items = nil
	q.wake.Broadcast()
}
