package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// AuditFault is a place where the log is not as it was written.
type AuditFault struct {
	Line int    `json:"line,omitempty"` // from 1; 0 where it is no line
	What string `json:"what"`
}

// AuditReport is what Verify found.
type AuditReport struct {
	Entries int `json:"entries"`
	// Head is the hash of the last line: who notes it down can tell later
	// whether the whole log was made anew.
	Head   string       `json:"head"`
	From   int64        `json:"from,omitempty"` // Unix milliseconds, as To
	To     int64        `json:"to,omitempty"`
	Faults []AuditFault `json:"faults,omitempty"`
}

func (r *AuditReport) fault(line int, format string, args ...any) {
	r.Faults = append(r.Faults, AuditFault{line, fmt.Sprintf(format, args...)})
}

// maxFaults is how many faults are told: a file of something else is not a
// thousand of them.
const maxFaults = 20

// Verify reads the whole log and tells of every line that was changed, removed
// or inserted, and of a tail that is missing. The error is one of reading.
func (l *Audit) Verify() (AuditReport, error) {
	r := AuditReport{Head: noHash}
	seq := uint64(0)
	err := l.each(func(n int, line []byte) bool {
		e, hash, ok := opened(line)
		r.Entries++
		switch {
		case !ok:
			r.fault(n, "the line was changed: its hash does not fit")
			// What follows refers to the hash that stands here.
			r.Head, seq = storedHash(line), seq+1
			return len(r.Faults) < maxFaults
		case e.Seq <= seq:
			r.fault(n, "the line was inserted, or stood elsewhere")
			return len(r.Faults) < maxFaults
		case e.Seq > seq+1:
			r.fault(n, "lines before it were removed: %d", e.Seq-seq-1)
		case e.Prev != r.Head && r.Head != "":
			r.fault(n, "the line before it was changed or exchanged")
		}
		if e.Kind == AuditReset {
			r.fault(n, "the head was gone or unreadable when this was written: lines before it may be missing")
		}
		r.Head, seq = hash, e.Seq
		if r.From == 0 {
			r.From = e.Time
		}
		r.To = e.Time
		return len(r.Faults) < maxFaults
	})
	if err != nil || len(r.Faults) >= maxFaults {
		return r, err
	}
	return r, l.verifyHead(&r, seq)
}

func (l *Audit) verifyHead(r *AuditReport, seq uint64) error {
	f, err := os.Open(l.headPath())
	if errors.Is(err, fs.ErrNotExist) {
		if r.Entries > 0 {
			r.fault(0, "the head (%s) is missing: whether lines at the end were removed can't be told", l.headPath())
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	h, ok, err := readHead(f)
	switch {
	case err != nil:
		r.fault(0, "%s", err.Error())
	case !ok && r.Entries > 0:
		r.fault(0, "the head is empty: whether lines at the end were removed can't be told")
	case h.seq == seq && (h.hash == r.Head || r.Head == ""), h.nextSeq == seq && h.nextHash == r.Head:
	case h.seq > seq:
		r.fault(0, "lines at the end were removed: %d", h.seq-seq)
	case h.seq < seq:
		r.fault(0, "lines at the end were added from outside: %d", seq-h.seq)
	default:
		r.fault(r.Entries, "the last line was exchanged")
	}
	return nil
}

// storedHash is the hash that a line says it has; empty where it says none.
func storedHash(line []byte) string {
	cut := len(line) - hashTail
	if cut < 0 || !bytes.HasPrefix(line[cut:], []byte(`,"hash":"`)) {
		return ""
	}
	return string(line[cut+len(`,"hash":"`) : len(line)-len(`"}`)])
}

// each gives the lines of the log in their order, without their ends, until see
// is false. No log is no line.
func (l *Audit) each(see func(n int, line []byte) bool) error {
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	b := bufio.NewReaderSize(f, maxAuditLine)
	for n := 1; ; n++ {
		line, err := b.ReadBytes('\n')
		if len(line) > 0 && !see(n, bytes.TrimSuffix(line, []byte("\n"))) || errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Entries gives the last entries of the log that keep wants, oldest first, at
// most limit. Lines that can't be read are left out; Verify tells of them.
func (l *Audit) Entries(limit int, keep func(AuditEntry) bool) ([]AuditEntry, error) {
	var out []AuditEntry
	err := l.each(func(_ int, line []byte) bool {
		if e, _, ok := opened(line); ok && (keep == nil || keep(e)) {
			if out = append(out, e); len(out) > limit {
				out = out[1:]
			}
		}
		return true
	})
	return out, err
}
