package sites

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// site is one site with its state. World serves one request at a time, so it
// needs no locks.
type site interface {
	routes(mux *http.ServeMux)
	// facts is the whole state that a user can change, as keys and values. A key
	// that begins with "at." says where the user is or what was looked at: it
	// counts only where a goal names it.
	facts() facts
}

type facts map[string]string

// change is one fact that a request changed; to is empty for one that went.
type change struct{ key, from, to string }

func (c change) String() string {
	switch {
	case c.to == "":
		return fmt.Sprintf("%s (%q) is gone", c.key, c.from)
	case c.from == "":
		return fmt.Sprintf("%s is new: %q", c.key, c.to)
	}
	return fmt.Sprintf("%s is %q, was %q", c.key, c.to, c.from)
}

// changes are what leads from one state to another, by key.
func changes(from, to facts) []change {
	keys := map[string]bool{}
	for _, f := range []facts{from, to} {
		for k := range f {
			keys[k] = true
		}
	}
	var out []change
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if !sameText(from[k], to[k]) {
			out = append(out, change{k, from[k], to[k]})
		}
	}
	return out
}

// world is one site with its server, which watches the site's facts.
type world struct {
	server *http.Server
	url    string
	goal   goal

	mu      sync.Mutex
	site    site
	first   facts    // before the task
	last    facts    // after the last request
	changes []change // in between
}

func newWorld(t *task, seed int64) (*world, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := t.open(newBase(t.Lang, t.ID, seed))
	w := &world{url: "http://" + l.Addr().String(), site: s, goal: t.goal(s), first: s.facts()}
	w.last = w.first
	mux := http.NewServeMux()
	s.routes(mux)
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static)))
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	w.server = &http.Server{Handler: w.watch(mux), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = w.server.Serve(l) }() // ends with Close
	return w, nil
}

// watch serves one request at a time and records what each changed. Its body is
// read beforehand, so that a client that is slow to send it holds up nobody.
func (w *world) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(rw, r.Body, 1<<20)
		if err := r.ParseForm(); err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		rw.Header().Set("Cache-Control", "no-store")
		w.mu.Lock()
		defer w.mu.Unlock()
		next.ServeHTTP(rw, r)
		now := w.site.facts()
		w.changes = append(w.changes, changes(w.last, now)...)
		w.last = now
	})
}

func (w *world) URL() string { return w.url }

func (w *world) Close() { _ = w.server.Close() }

// Check compares the site's facts with the task's goal: those must all be there, and all
// others must be unchanged.
func (w *world) Check(answer string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	want := maps.Clone(w.first)
	for k, v := range w.goal.set {
		want[k] = v
	}
	var missing, more []string
	for _, c := range changes(want, w.last) {
		_, inGoal := w.goal.set[c.key]
		switch {
		case inGoal:
			missing = append(missing, fmt.Sprintf("%s is %q, not %q", c.key, c.to, c.from))
		case !passing(c.key):
			more = append(more, c.String())
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("not done: %s", strings.Join(missing, "; "))
	}
	if len(more) > 0 {
		return fmt.Errorf("changed as well: %s", strings.Join(more, "; "))
	}
	return w.goal.checkAnswer(answer)
}

// Wrong counts the changes that no solution makes. A change back to how things
// were mends a wrong one and isn't counted again.
func (w *world) Wrong() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, c := range w.changes {
		if !w.goal.allows(c, w.first) {
			n++
		}
	}
	return n
}

// passing reports whether a fact says only where the user is.
func passing(key string) bool { return strings.HasPrefix(key, "at.") }
