package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// written is a log of n entries.
func written(t *testing.T, n int) *Audit {
	t.Helper()
	dir := t.TempDir()
	l := NewAudit(filepath.Join(dir, "audit", "audit.log"))
	for i := range n { // no two logs are alike, also those of one millisecond
		if err := l.Append(AuditEntry{Kind: AuditAct, Action: "click", Target: fmt.Sprintf("button <%d>", i+1), Site: filepath.Base(dir) + ".shop.test", Amount: "$12.50"}); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l *Audit) lines(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(l.path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(b), "\n"), "\n")
}

func (l *Audit) put(t *testing.T, lines []string) {
	t.Helper()
	if err := os.WriteFile(l.path, []byte(strings.TrimSuffix(strings.Join(lines, ""), "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// resealed is a line with its hash made right again, as somebody would who
// knows how the log is written.
func resealed(t *testing.T, line, old, with string) string {
	t.Helper()
	e, _, ok := opened([]byte(strings.TrimSuffix(line, "\n")))
	if !ok {
		t.Fatalf("not a line: %s", line)
	}
	e.Target = strings.Replace(e.Target, old, with, 1)
	out, _, err := sealed(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestAuditHoldsTogether(t *testing.T) {
	l := written(t, 5)
	r, err := l.Verify()
	if err != nil || r.Entries != 5 || len(r.Faults) > 0 || r.Head == noHash || r.From == 0 || r.To < r.From {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, path := range []string{l.path, l.headPath()} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, st.Mode(), err)
		}
	}
	es, err := l.Entries(2, func(e AuditEntry) bool { return e.Seq != 5 })
	if err != nil || len(es) != 2 || es[0].Seq != 3 || es[1].Target != "button <4>" {
		t.Errorf("%+v, %v", es, err)
	}
	if r, err := written(t, 0).Verify(); err != nil || r.Entries != 0 || len(r.Faults) > 0 {
		t.Errorf("no log: %+v, %v", r, err)
	}
}

// Every way to tamper with five lines is found, at its place.
func TestAuditTampering(t *testing.T) {
	for _, c := range []struct {
		name   string
		tamper func(t *testing.T, l *Audit, lines []string) []string // nil: it wrote itself
		line   int
		says   string
	}{
		{"a changed byte", func(_ *testing.T, _ *Audit, s []string) []string {
			s[2] = strings.Replace(s[2], "12.50", "99.50", 1)
			return s
		}, 3, "changed"},
		{"a changed byte in the last line", func(_ *testing.T, _ *Audit, s []string) []string {
			s[4] = strings.Replace(s[4], "12.50", "99.50", 1)
			return s
		}, 5, "changed"},
		{"a changed hash", func(_ *testing.T, _ *Audit, s []string) []string {
			s[1] = s[1][:len(s[1])-10] + "aaaaaaa" + s[1][len(s[1])-3:]
			return s
		}, 2, "changed"},
		{"a changed line with a right hash", func(t *testing.T, _ *Audit, s []string) []string {
			s[1] = resealed(t, s[1], "2", "two")
			return s
		}, 3, "before it was changed"},
		{"a changed last line with a right hash", func(t *testing.T, _ *Audit, s []string) []string {
			s[4] = resealed(t, s[4], "5", "five")
			return s
		}, 5, "exchanged"},
		{"white space", func(_ *testing.T, _ *Audit, s []string) []string {
			s[3] = strings.Replace(s[3], `,"kind"`, `, "kind"`, 1)
			return s
		}, 4, "changed"},
		{"the first line removed", func(_ *testing.T, _ *Audit, s []string) []string { return s[1:] }, 1, "removed: 1"},
		{"two lines removed", func(_ *testing.T, _ *Audit, s []string) []string { return slices.Delete(s, 1, 3) }, 2, "removed: 2"},
		{"the last line removed", func(_ *testing.T, _ *Audit, s []string) []string { return s[:4] }, 0, "at the end were removed: 1"},
		{"all lines removed", func(_ *testing.T, _ *Audit, _ []string) []string { return []string{""} }, 0, ""},
		{"the file removed", func(t *testing.T, l *Audit, _ []string) []string {
			if err := os.Remove(l.path); err != nil {
				t.Fatal(err)
			}
			return nil
		}, 0, "at the end were removed: 5"},
		{"a line twice", func(_ *testing.T, _ *Audit, s []string) []string { return slices.Insert(s, 3, s[2]) }, 4, "inserted"},
		{"lines exchanged", func(_ *testing.T, _ *Audit, s []string) []string { s[1], s[2] = s[2], s[1]; return s }, 2, "removed"},
		{"a line made up", func(_ *testing.T, _ *Audit, s []string) []string {
			made, _, err := sealed(AuditEntry{Seq: 3, Prev: storedHash([]byte(strings.TrimSuffix(s[1], "\n"))), Kind: AuditAnswer, Answer: "allow"})
			if err != nil {
				t.Fatal(err)
			}
			return slices.Insert(s, 2, string(made))
		}, 4, "inserted"},
		{"a line made up at the end", func(_ *testing.T, _ *Audit, s []string) []string {
			made, _, err := sealed(AuditEntry{Seq: 6, Prev: storedHash([]byte(s[4])), Kind: AuditAnswer, Answer: "allow"})
			if err != nil {
				t.Fatal(err)
			}
			return append(s[:4:4], s[4]+"\n", string(made))
		}, 0, "added from outside: 1"},
		{"something else", func(_ *testing.T, _ *Audit, s []string) []string { return slices.Insert(s, 2, "hello\n") }, 3, "changed"},
		{"the head removed", func(t *testing.T, l *Audit, s []string) []string {
			if err := os.Remove(l.headPath()); err != nil {
				t.Fatal(err)
			}
			return s
		}, 0, "head"},
		{"the head of another log", func(t *testing.T, l *Audit, s []string) []string {
			b, err := os.ReadFile(written(t, 5).headPath())
			if err == nil {
				err = os.WriteFile(l.headPath(), b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			return s
		}, 5, "exchanged"},
		{"a head that is none", func(t *testing.T, l *Audit, s []string) []string {
			if err := os.WriteFile(l.headPath(), []byte("5 x"), 0o600); err != nil {
				t.Fatal(err)
			}
			return s
		}, 0, "head"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := written(t, 5)
			if lines := c.tamper(t, l, l.lines(t)); lines != nil {
				l.put(t, lines)
			}
			r, err := l.Verify()
			if err != nil || len(r.Faults) == 0 {
				t.Fatalf("not found: %+v, %v", r, err)
			}
			if f := r.Faults[0]; f.Line != c.line && c.says != "" || !strings.Contains(f.What, c.says) {
				t.Errorf("%+v, want line %d: %s", f, c.line, c.says)
			}
			// What happens from now on is recorded all the same, and does not
			// cover up what was done.
			if err := l.Append(AuditEntry{Kind: AuditBlocked}); err != nil {
				t.Fatal(err)
			}
			if r, err = l.Verify(); err != nil || len(r.Faults) == 0 {
				t.Errorf("covered up by the next entry: %+v, %v", r, err)
			}
		})
	}
}

// A process that dies while it writes leaves a log that holds together.
func TestAuditAfterADeathInTheMiddle(t *testing.T) {
	l := written(t, 3)
	full := l.lines(t)
	last, prev := full[2], storedHash([]byte(strings.TrimSuffix(full[1], "\n")))
	hash := storedHash([]byte(last))
	dying := head{2, prev, 3, hash}
	for name, lines := range map[string][]string{"before the line": full[:2], "behind the line": full} {
		l.put(t, slices.Clone(lines))
		if err := os.WriteFile(l.headPath(), []byte(dying.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := l.Verify(); err != nil || len(r.Faults) > 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if err := l.Append(AuditEntry{Kind: AuditAct}); err != nil {
			t.Fatal(err)
		}
		if r, err := l.Verify(); err != nil || len(r.Faults) > 0 || r.Entries != len(lines)+1 {
			t.Errorf("%s, and gone on with: %+v, %v", name, r, err)
		}
	}
}

// Several processes append to one log; here several handles do.
func TestAuditFromSeveralWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 25 {
				if err := NewAudit(path).Append(AuditEntry{Kind: AuditAct, Action: "click"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if r, err := NewAudit(path).Verify(); err != nil || r.Entries != 100 || len(r.Faults) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAuditRefusesWhatIsTooLong(t *testing.T) {
	l := written(t, 1)
	if err := l.Append(AuditEntry{Target: strings.Repeat("x", maxAuditLine)}); err == nil {
		t.Error("a line without end was written")
	}
	if r, err := l.Verify(); err != nil || len(r.Faults) > 0 || r.Entries != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func BenchmarkAuditAppend(b *testing.B) {
	l := NewAudit(filepath.Join(b.TempDir(), "audit.log"))
	for b.Loop() {
		if err := l.Append(AuditEntry{Kind: AuditAct, Action: "click", Target: `button "Add to cart"`, Site: "shop.test", Class: "write", Level: "auto"}); err != nil {
			b.Fatal(err)
		}
	}
}
