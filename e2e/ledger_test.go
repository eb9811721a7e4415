package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"tabwright/e2e/standin"
)

const (
	entries = 10 // of a task; each is sent and left: 20 steps
	// The kinds of page: after a submit one is elsewhere and says so, one says so
	// in the same place, one shows nothing at all.
	moves, tells, silent = "moves", "tells", "silent"
)

// ledger is a site that counts each submit.
type ledger struct {
	mu   sync.Mutex
	sent map[string]int // by path
	told []string       // the submits and when they came, for story
}

func (l *ledger) count(path string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent[path]
}

// entry is a page of the ledger: /kind/run/n.
type entry struct {
	kind, run string
	n         int
}

func (e entry) path() string { return fmt.Sprintf("/%s/%s/%d", e.kind, e.run, e.n) }

func entryOf(path string) (e entry, ok bool) {
	p := strings.Split(strings.Trim(path, "/"), "/")
	if len(p) < 3 {
		return e, false
	}
	n, err := strconv.Atoi(p[2])
	return entry{p[0], p[1], n}, err == nil
}

func (l *ledger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e, ok := entryOf(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Method == http.MethodPost {
		l.mu.Lock()
		l.sent[e.path()]++
		l.told = append(l.told, atTime(time.Now(), e.path()+" was sent"))
		l.mu.Unlock()
		switch e.kind {
		case moves:
			http.Redirect(w, r, e.path()+"/saved", http.StatusSeeOther)
		case tells:
			http.Redirect(w, r, e.path(), http.StatusSeeOther)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><title>Entries</title><h1>Entry %d of %d</h1>", e.n, entries)
	saved := strings.HasSuffix(r.URL.Path, "/saved")
	if saved || e.kind == tells && l.count(e.path()) > 0 {
		fmt.Fprintf(w, "<p>Entry %d is saved.</p>", e.n)
	}
	if !saved {
		fmt.Fprintf(w, `<form method="post" action="%s"><button>Save entry %d</button></form>`, e.path(), e.n)
	}
	next := entry{e.kind, e.run, e.n + 1}
	if e.n < entries {
		fmt.Fprintf(w, `<p><a href="%s">Next entry</a></p>`, next.path())
	}
}

// clerk is the stand-in model: it saves each entry and goes on. It believes a
// submit done when it was told so, or sees it, and else sends it again blindly:
// that nothing is sent twice must not depend on it.
type clerk struct {
	mu   sync.Mutex
	done map[string]bool // by path: it was told
	last string          // the submit it asked for last
}

var isSaved = regexp.MustCompile(`Entry \d+ is saved\.`)

// Next is standin.Brain's.
func (c *clerk) Next(conv standin.Conversation) standin.Turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(conv.Tools) == 1 && conv.Tools[0] == "outcome" {
		if says := isSaved.FindString(conv.Newest()); says != "" {
			return call("outcome", map[string]any{"outcome": "done", "quote": says})
		}
		return call("outcome", map[string]any{"outcome": "unclear"})
	}
	o := standin.Observe(conv)
	_, path, _ := strings.Cut(strings.TrimPrefix(o.URL, "http://"), "/")
	e, ok := entryOf(path)
	if !ok {
		return call("done", map[string]any{"success": false, "answer": "I am lost at " + o.URL + ": " + conv.Newest()})
	}
	if c.last != "" && toldOf(conv) {
		c.done[c.last] = true
	}
	if remindedOf(conv, e.n) {
		c.done[e.path()] = true
	}
	c.last = ""
	if c.done[e.path()] || strings.Contains(o.Text, fmt.Sprintf("Entry %d is saved.", e.n)) {
		if e.n == entries {
			return call("done", map[string]any{"success": true, "answer": "All entries are saved."})
		}
		if l, ok := o.Find("link", "Next entry"); ok {
			return call("click", map[string]any{"index": l.Index})
		}
	}
	if b, ok := o.Find("button", "Save entry"); ok {
		c.last = e.path()
		return call("click", map[string]any{"index": b.Index})
	}
	return call("done", map[string]any{"success": false, "answer": "There is nothing to press."})
}

// toldOf tells whether the newest result of an action says that it is done, or
// may have been.
func toldOf(conv standin.Conversation) bool {
	for i := len(conv.Messages) - 1; i >= 0; i-- {
		if m := conv.Messages[i]; m.Role == "tool" {
			return strings.Contains(m.Text, "OK: clicked") || strings.Contains(m.Text, "may have been done already")
		}
	}
	return false
}

// remindedOf tells whether the steps that the model is reminded of have an entry
// as saved: the task was interrupted after that.
func remindedOf(conv standin.Conversation, n int) bool {
	for line := range strings.SplitSeq(conv.Messages[0].Text, "\n") {
		if strings.HasPrefix(line, "- ") && strings.Contains(line, fmt.Sprintf(`"Save entry %d"`, n)) && !strings.HasSuffix(line, ")") {
			return true
		}
	}
	return false
}

func call(name string, args map[string]any) standin.Turn {
	return standin.Turn{Calls: []standin.Call{{Name: name, Args: args}}}
}
