// Package journal records tasks on disk: an event is written before a user sees it, and the
// start of an act is written before its input is sent. There is one exception: if a program's
// call only read the page, the answer is sent first.
//
// One process opens a journal: the broker, or `tabwright run --launch`, which has its own
// journal. The package may import host/native for the types of events, and nothing else of the
// project. Start reading at Journal.
package journal

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterr "go.etcd.io/bbolt/errors"

	"tabwright/host/native/wire"
)

var (
	bucketMeta   = []byte("meta")
	bucketTasks  = []byte("tasks")  // id → Task
	bucketEvents = []byte("events") // id 0x00 seq → Event
	bucketGlobal = []byte("global") // global → event key
	bucketActs   = []byte("acts")   // id → Act that started and has not finished
	bucketDoubts = []byte("doubts") // id 0x00 step → Act whose outcome nobody knows
	bucketMarks  = []byte("marks")  // tab → highest index ever given in it
	bucketTitles = []byte("titles") // conversation → the title that the user gave it
)

// ErrNoTask is the error for an id that the journal does not hold.
var ErrNoTask = errors.New("no such task")

// ErrLocked is the error of Open when another process holds the file.
var ErrLocked = errors.New("the journal is open in another process")

// lockWait is how long Open waits for a process that is ending.
const lockWait = 4 * time.Second

// Kept is how many tasks Open leaves in the journal; the oldest go.
const Kept = 1000

// Task is a task's record.
type Task struct {
	wire.TaskInfo
	URL  string `json:"url,omitempty"`
	Lang string `json:"lang,omitempty"`
	// Profile is the relay the task runs in; empty in a launched browser.
	Profile string `json:"profile,omitempty"`
	// Run is the run of the browser in which the task got its first tab.
	Run string `json:"run,omitempty"`
	// Home is the page it began on, and Own says that its tab was opened for it.
	Home string `json:"home,omitempty"`
	Own  bool   `json:"own,omitempty"`
	// Opening is set while a tab is being opened for it.
	Opening *Opening `json:"opening,omitempty"`
	// Where is the page that it was at with its newest event.
	Where Where `json:"where,omitzero"`
	// Attach are what the user gave with it.
	Attach []Attached `json:"attach,omitempty"`
}

// Opening is a tab that is being opened: in this run of the browser, with a number
// above that of all tabs that were there.
type Opening struct {
	Run   string `json:"run,omitempty"`
	Above int    `json:"above,omitempty"`
}

// Where is a page in a tab.
type Where struct {
	Tab string `json:"tab,omitempty"`
	Run string `json:"run,omitempty"` // of the browser: another one may give the number to another tab
	URL string `json:"url,omitempty"`
}

// Attached is an attachment as it is kept: a file's or picture's bytes are in
// the task's folder.
type Attached struct {
	Kind string `json:"kind"` // as in wire.Attachment
	Name string `json:"name,omitempty"`
	URL  string `json:"url,omitempty"`
	Text string `json:"text,omitempty"`
	MIME string `json:"mime,omitempty"`
	Path string `json:"path,omitempty"`
	// View is the path of what a model is given of a file: a .txt or a .jpg.
	View string `json:"view,omitempty"`
}

// Act is an act whose input was about to be sent.
type Act struct {
	Step    int             `json:"step"`
	Action  string          `json:"action"`
	Params  json.RawMessage `json:"params,omitempty"`
	Target  string          `json:"target,omitempty"`
	Site    string          `json:"site,omitempty"`
	Started int64           `json:"started"` // Unix milliseconds
	// URL is the page it began on, and Lines numbers of what that page showed, of
	// each part by itself: what stands there later and was not there is the
	// evidence of what came of the act. None where the page was not looked at
	// right before.
	URL   string   `json:"url,omitempty"`
	Lines []uint32 `json:"lines,omitempty"`
	// Href is where a click on a plain link goes: such a click does no more than
	// fetch that page, and may be done again.
	Href string `json:"href,omitempty"`
}

// Journal is an open journal file. All methods are safe for use by several
// goroutines.
type Journal struct {
	db *file
	// Broken is where Open put a file that could not be read, empty mostly.
	Broken string

	mu      sync.Mutex
	subs    map[*sub]struct{}
	onState func(Task)
	wipe    wipe
}

// Open opens or makes the journal at path (0600, in a 0700 folder). Tasks that
// were under way when the last process died become interrupted, and their open
// confirmations void; Interrupted lists them.
func Open(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("journal folder: %w", err)
	}
	db, err := openFile(path)
	broken := ""
	if damaged(err) {
		// A machine that lost its power may leave one; the user's next task
		// must not depend on what can't be read.
		broken = fmt.Sprintf("%s.broken-%d", path, time.Now().UnixMilli())
		if err := os.Rename(path, broken); err != nil {
			return nil, fmt.Errorf("set the broken journal aside: %w", err)
		}
		db, err = openFile(path)
	}
	if errors.Is(err, bolterr.ErrTimeout) {
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	}
	if err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	j := &Journal{db: db, Broken: broken, subs: map[*sub]struct{}{}}
	err = db.Update(func(tx *bolt.Tx) error {
		for _, b := range [][]byte{bucketMeta, bucketTasks, bucketEvents, bucketGlobal, bucketActs, bucketDoubts, bucketMarks, bucketTitles} {
			if _, err := tx.CreateBucketIfNotExists(b); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = j.interruptAll()
	}
	if err == nil {
		err = j.Prune(Kept)
	}
	if err == nil {
		err = j.wipeLeft()
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return j, nil
}

// Close ends all subscriptions and closes the file; of what was removed nothing
// is left in it then.
func (j *Journal) Close() error {
	j.mu.Lock()
	for s := range j.subs {
		j.drop(s)
	}
	j.mu.Unlock()
	return errors.Join(j.wipe.end(), j.db.Close())
}

// Create records a new task.
func (j *Journal) Create(t Task) error {
	return j.db.Update(func(tx *bolt.Tx) error { return putTask(tx, t) })
}

// Task gives one task's record.
func (j *Journal) Task(id string) (t Task, err error) {
	err = j.db.View(func(tx *bolt.Tx) error { t, err = getTask(tx, id); return err })
	return t, err
}

// Tasks gives the newest tasks first, at most limit of them.
func (j *Journal) Tasks(limit int) ([]Task, error) {
	var out []Task
	err := j.db.View(func(tx *bolt.Tx) error {
		c := tx.Bucket(bucketTasks).Cursor()
		for k, v := c.Last(); k != nil && len(out) < limit; k, v = c.Prev() {
			var t Task
			if err := json.Unmarshal(v, &t); err != nil {
				return fmt.Errorf("task %s: %w", k, err)
			}
			out = append(out, t)
		}
		return nil
	})
	return out, err
}

// Opening notes that a tab is being opened for a task, so that it is found again if
// the program ends before the task is in it.
func (j *Journal) Opening(task string, o Opening) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.db.Update(func(tx *bolt.Tx) error {
		t, err := getTask(tx, task)
		if err != nil {
			return err
		}
		t.Opening = &o
		return putTask(tx, t)
	})
	if err != nil {
		return fmt.Errorf("journal the opening of a tab: %w", err)
	}
	return nil
}

// Append numbers an event, writes it and the task's new state, and only then
// hands it to the subscribers. The event with its numbers is returned. It is
// one transaction: a step's result takes the record of its act along. An event
// that would have a task go on that is over is ErrOver, and nothing is written.
func (j *Journal) Append(ev wire.Event) (wire.Event, error) { return j.AppendAt(ev, Where{}) }

// AppendAt is Append that also notes where the task is now, unless at is zero.
func (j *Journal) AppendAt(ev wire.Event, at Where) (wire.Event, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if ev.Time == 0 {
		ev.Time = time.Now().UnixMilli()
	}
	var t Task
	changed := false
	err := j.db.Update(func(tx *bolt.Tx) (err error) {
		t, changed, err = appendEvent(tx, &ev, at)
		return err
	})
	if err != nil {
		return ev, fmt.Errorf("journal event %s: %w", ev.Type, err)
	}
	for s := range j.subs {
		if !s.push(ev) {
			j.drop(s)
		}
	}
	if changed && j.onState != nil {
		j.onState(t)
	}
	return ev, nil
}

// OnState has f called with each task whose state an event has changed, its
// first included. f must not block, nor call the journal.
func (j *Journal) OnState(f func(Task)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.onState = f
}

func appendEvent(tx *bolt.Tx, ev *wire.Event, at Where) (t Task, changed bool, err error) {
	if t, err = getTask(tx, ev.Task); err != nil {
		return t, false, err
	}
	if !takes(t.State, ev.Type) {
		return t, false, fmt.Errorf("%s is %s: %w", t.Task, t.State, ErrOver)
	}
	t.Seq++
	ev.Seq = t.Seq
	t.Updated = ev.Time
	if at != (Where{}) {
		t.Where, t.Opening = at, nil
	}
	g := tx.Bucket(bucketGlobal)
	if ev.Global, err = g.NextSequence(); err != nil {
		return t, false, err
	}
	if ev.Usage != nil && ev.Usage.Way != "" {
		t.Way, t.Mode = ev.Usage.Way, ev.Usage.Mode
	}
	if s, ok := stateAfter(ev.Type); ok && !settled(t.State, ev.Type) {
		changed = s != t.State || ev.Type == wire.EvStarted
		t.State, t.Resumable = s, s == wire.TaskInterrupted && t.Kind == ""
	}
	raw, err := json.Marshal(ev)
	if err != nil {
		return t, false, err
	}
	key := eventKey(ev.Task, ev.Seq)
	if err := tx.Bucket(bucketEvents).Put(key, raw); err != nil {
		return t, false, err
	}
	if err := g.Put(binary.BigEndian.AppendUint64(nil, ev.Global), key); err != nil {
		return t, false, err
	}
	if ev.Type == wire.EvToolResult && ev.Step != nil {
		if err := endAct(tx, ev.Task, ev.Step); err != nil {
			return t, false, err
		}
	}
	return t, changed, putTask(tx, t)
}

// Events gives a task's events after seq, oldest first.
func (j *Journal) Events(task string, after uint64) ([]wire.Event, error) {
	var out []wire.Event
	err := j.db.View(func(tx *bolt.Tx) error {
		if _, err := getTask(tx, task); err != nil {
			return err
		}
		c := tx.Bucket(bucketEvents).Cursor()
		prefix := eventKey(task, 0)[:len(task)+1]
		for k, v := c.Seek(eventKey(task, after+1)); k != nil && hasPrefix(k, prefix); k, v = c.Next() {
			var ev wire.Event
			if err := json.Unmarshal(v, &ev); err != nil {
				return err
			}
			out = append(out, ev)
		}
		return nil
	})
	return out, err
}

// All gives every task's events after the broker-wide number, oldest first.
func (j *Journal) All(after uint64) ([]wire.Event, error) {
	var out []wire.Event
	err := j.db.View(func(tx *bolt.Tx) error {
		events := tx.Bucket(bucketEvents)
		c := tx.Bucket(bucketGlobal).Cursor()
		for k, key := c.Seek(binary.BigEndian.AppendUint64(nil, after+1)); k != nil; k, key = c.Next() {
			var ev wire.Event
			if err := json.Unmarshal(events.Get(key), &ev); err != nil {
				return err
			}
			out = append(out, ev)
		}
		return nil
	})
	return out, err
}

func getTask(tx *bolt.Tx, id string) (t Task, err error) {
	raw := tx.Bucket(bucketTasks).Get([]byte(id))
	if raw == nil {
		return t, fmt.Errorf("%q: %w", id, ErrNoTask)
	}
	err = json.Unmarshal(raw, &t)
	return t, err
}

func putTask(tx *bolt.Tx, t Task) error {
	raw, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return tx.Bucket(bucketTasks).Put([]byte(t.Task), raw)
}

func eventKey(task string, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(task), 0), seq)
}

func hasPrefix(b, p []byte) bool { return len(b) >= len(p) && string(b[:len(p)]) == string(p) }
