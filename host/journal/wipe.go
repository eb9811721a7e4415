package journal

import (
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// keyWipe, in the bucket of the journal itself, says that the file may hold
// text of tasks that were removed.
var keyWipe = []byte("wipe")

// markWipe notes that something is removed whose words the file still holds.
func markWipe(tx *bolt.Tx) error { return tx.Bucket(bucketMeta).Put(keyWipe, []byte{1}) }

// wipeAfter is how long a removal waits for others, so that many conversations
// that are deleted one after the other cost one rewriting of the file.
const wipeAfter = time.Second

// wipe rewrites the file after removals.
type wipe struct {
	mu    sync.Mutex // held while the file is rewritten
	timer *time.Timer
	do    func() error // nil: nothing to do
	ended bool
}

// soon has the file rewritten in a moment.
func (w *wipe) soon(j *Journal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	w.do = j.wipeNow
	if w.timer == nil {
		// What can't be done now (a full disk) is done at the next start.
		w.timer = time.AfterFunc(wipeAfter, func() { _ = w.now() })
		return
	}
	w.timer.Reset(wipeAfter)
}

func (w *wipe) now() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.do == nil {
		return nil
	}
	do := w.do
	w.do = nil
	return do()
}

// end does what is left to do; nothing is begun after it.
func (w *wipe) end() error {
	w.mu.Lock()
	w.ended = true
	if w.timer != nil {
		w.timer.Stop()
	}
	w.mu.Unlock()
	return w.now()
}

// wipeNow rewrites the file and takes the mark away.
func (j *Journal) wipeNow() error {
	if err := j.db.rewrite(); err != nil {
		return err
	}
	return j.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketMeta).Delete(keyWipe) })
}

// wipeLeft does what the last process did not come to. That it can't be done
// now either keeps nobody from their next task: the mark stays.
func (j *Journal) wipeLeft() error {
	left := false
	err := j.db.View(func(tx *bolt.Tx) error {
		left = tx.Bucket(bucketMeta).Get(keyWipe) != nil
		return nil
	})
	if err != nil || !left {
		return err
	}
	_ = j.wipeNow()
	return nil
}
