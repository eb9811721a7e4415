package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// AuditEntry is one line of the audit log: what the gate decided, what the
// user answered, what was done. It holds no parameters and no values: who
// reads it learns what happened, and no secret.
type AuditEntry struct {
	Seq    uint64 `json:"seq"`  // from 1, without gaps
	Time   int64  `json:"time"` // Unix milliseconds
	Prev   string `json:"prev"` // hash of the line before, 64 zeros in the first
	Kind   string `json:"kind"` // one of the Audit kinds
	Task   string `json:"task,omitempty"`
	Door   string `json:"door,omitempty"` // task, or the program that acts
	Action string `json:"action,omitempty"`
	Class  string `json:"class,omitempty"`
	Level  string `json:"level,omitempty"`
	Target string `json:"target,omitempty"`
	Site   string `json:"site,omitempty"`
	URL    string `json:"url,omitempty"` // of the page, without query and fragment
	Amount string `json:"amount,omitempty"`
	// Rules are the ids of the reasons; Policy is the preset in force.
	Rules   []string `json:"rules,omitempty"`
	Policy  string   `json:"policy,omitempty"`
	Answer  string   `json:"answer,omitempty"`  // allow, deny
	By      string   `json:"by,omitempty"`      // panel, terminal, policy, limit, stop
	Outcome string   `json:"outcome,omitempty"` // ok, or the error's code
}

// Kinds of AuditEntry.
const (
	AuditBlocked = "blocked" // the gate refused
	AuditAsked   = "asked"   // the user was asked
	AuditAnswer  = "answer"  // and said
	AuditAct     = "act"     // input is about to be sent
	AuditResult  = "result"  // what came of it
	AuditPolicy  = "policy"  // a grant was given or taken back
	AuditReset   = "reset"   // the head was gone or unreadable when this was written
)

// Audit is the audit log at a path: a file of lines that is only ever appended
// to, each with the hash of the one before and its own, and beside it the head:
// how many there are and the last one's hash. Several processes may append.
//
// A line's hash is SHA-256 over its bytes without the hash itself, so each
// changed byte shows; a removed or inserted line breaks the chain; a tail that
// was cut off no longer fits the head. Who may write both files can make a new
// log that holds together: it guards against changes, not against its owner.
type Audit struct{ path string }

// NewAudit is the log at path, which need not exist yet.
func NewAudit(path string) *Audit { return &Audit{path} }

// Path is where the log is.
func (l *Audit) Path() string { return l.path }

func (l *Audit) headPath() string { return l.path + ".head" }

const (
	noHash   = "0000000000000000000000000000000000000000000000000000000000000000"
	hashTail = len(`,"hash":"`) + len(noHash) + len(`"}`)
	// maxAuditLine is the longest line in bytes; longer texts are cut before.
	maxAuditLine = 1 << 16
)

// head is the state of the log. While a line is being written, next is that
// line: a process that dies then leaves a log that is one of the two.
type head struct {
	seq      uint64
	hash     string
	nextSeq  uint64
	nextHash string
}

func (h head) String() string {
	return fmt.Sprintf("%020d %s %020d %s\n", h.seq, h.hash, h.nextSeq, h.nextHash)
}

func readHead(f io.ReaderAt) (h head, ok bool, err error) {
	b := make([]byte, len(head{hash: noHash, nextHash: noHash}.String()))
	n, err := f.ReadAt(b, 0)
	if n == 0 && errors.Is(err, io.EOF) {
		return head{hash: noHash, nextHash: noHash}, false, nil
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return h, false, err
	}
	if _, err := fmt.Sscanf(string(b[:n]), "%d %s %d %s\n", &h.seq, &h.hash, &h.nextSeq, &h.nextHash); err != nil || h.String() != string(b[:n]) {
		return h, false, errors.New("the audit log's head can't be read")
	}
	return h, true, nil
}

// Append numbers an entry, chains it and writes it. When it returns, other
// processes see it; it is not forced to the disk, which only a power cut shows.
func (l *Audit) Append(e AuditEntry) error {
	if err := l.append(e); err != nil {
		return fmt.Errorf("audit log %s: %w", l.path, err)
	}
	return nil
}

func (l *Audit) append(e AuditEntry) error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	hf, err := os.OpenFile(l.headPath(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer hf.Close()
	if err := lockFile(hf); err != nil {
		return err
	}
	defer unlockFile(hf)
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	h, ok, herr := readHead(hf)
	last, err := lastLine(f)
	if err != nil {
		return err
	}
	if !last.whole {
		if _, err := f.WriteString("\n"); err != nil { // half a line, of a power cut
			return err
		}
	}
	switch {
	case herr != nil || !ok && last.seq > 0:
		// What happens from now on must not go unrecorded, nor cover up that lines
		// may be missing: the log says for ever that its head was lost here.
		h = head{seq: last.seq, hash: last.hash}
		if h, err = write(f, hf, h, AuditEntry{Kind: AuditReset}); err != nil {
			return err
		}
	case h.nextSeq == last.seq && h.nextHash == last.hash && h.nextSeq > h.seq:
		h.seq, h.hash = h.nextSeq, h.nextHash // its writer died in between
	}
	_, err = write(f, hf, h, e)
	return err
}

// write appends an entry behind a head and gives the new one.
func write(f, hf *os.File, h head, e AuditEntry) (head, error) {
	e.Seq, e.Prev = h.seq+1, h.hash
	if e.Time == 0 {
		e.Time = time.Now().UnixMilli()
	}
	line, hash, err := sealed(e)
	if err != nil {
		return h, err
	}
	next := head{h.seq, h.hash, e.Seq, hash}
	if _, err := hf.WriteAt([]byte(next.String()), 0); err != nil {
		return h, err
	}
	if _, err := f.Write(line); err != nil {
		return h, err
	}
	done := head{e.Seq, hash, e.Seq, hash}
	_, err = hf.WriteAt([]byte(done.String()), 0)
	return done, err
}

// sealed is an entry as a line, and its hash.
func sealed(e AuditEntry) (line []byte, hash string, err error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, "", err
	}
	body := bytes.TrimSuffix(bytes.TrimSpace(b.Bytes()), []byte("}"))
	if len(body)+hashTail > maxAuditLine {
		return nil, "", errors.New("the entry is too long")
	}
	hash = hashOf(body)
	return append(body, `,"hash":"`+hash+"\"}\n"...), hash, nil
}

func hashOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// opened takes a line apart; ok says that its hash is right.
func opened(line []byte) (e AuditEntry, hash string, ok bool) {
	cut := len(line) - hashTail
	if cut < 0 || json.Unmarshal(line, &e) != nil {
		return e, "", false
	}
	body := line[:cut]
	hash = hashOf(body)
	return e, hash, string(line[cut:]) == `,"hash":"`+hash+`"}`
}

type tail struct {
	seq   uint64
	hash  string
	whole bool // the file ends with a line's end, or is empty
}

// lastLine reads the end of a log.
func lastLine(f *os.File) (tail, error) {
	none := tail{hash: noHash, whole: true}
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return none, err
	}
	n := min(st.Size(), 2*maxAuditLine)
	b := make([]byte, n)
	if _, err := f.ReadAt(b, st.Size()-n); err != nil && !errors.Is(err, io.EOF) {
		return none, err
	}
	out := tail{hash: noHash, whole: b[n-1] == '\n'}
	b = bytes.TrimRight(b, "\n")
	if e, hash, ok := opened(b[bytes.LastIndexByte(b, '\n')+1:]); ok {
		out.seq, out.hash = e.Seq, hash
	}
	return out, nil
}

// lockWithin tries a lock until it is got, or for a while.
func lockWithin(try func() (bool, error), limit time.Duration) error {
	for end := time.Now().Add(limit); ; time.Sleep(time.Millisecond) {
		if ok, err := try(); ok || err != nil {
			return err
		}
		if time.Now().After(end) {
			return errors.New("another process holds it")
		}
	}
}
