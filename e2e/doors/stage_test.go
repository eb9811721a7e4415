package doors

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tabwright/host/browser/launch"
)

// stage is a page on which everything takes long, and that tells what happens
// on it: the end of anything can be put into the middle of any action.
type stage struct {
	url string

	mu   sync.Mutex
	seen map[string]int
	more chan struct{} // closed at the next thing seen
	hold chan struct{} // closed when the answers that are held are given up
}

// hang is how long the page's button keeps the page busy.
const hang = 3 * time.Second

const stagePage = `<!doctype html><meta charset=utf-8><title>stage</title>
<style>#list{height:300px;overflow:auto} li{height:40px}</style>
<h1>Stage</h1>
<button id=count>Count</button> <button id=hang>Hang</button> <a href="/file">File</a> <label>Words <input id=words></label>
<form method=post action="/delete"><button>Delete account</button></form>
<p><label>Colour <input id=colour role=combobox aria-controls=colours aria-expanded=false></label> <span id=colours role=listbox hidden><span role=option>Red</span></span>
<span id=card style="display:inline-block;width:60px;height:30px;background:#ccc">Card</span> <button id=more>Load more</button></p>
<ul id=list></ul>
<script>
const at = (what) => navigator.sendBeacon("/at?" + what);
let n = 0, key = false;
document.querySelector("#count").onclick = () => at("count");
const busy = (what) => { at(what); const end = Date.now() + %d; while (Date.now() < end); };
document.querySelector("#hang").onclick = () => busy("hang");
document.querySelector("#card").onmousedown = () => busy("drag");
document.querySelector("#more").onclick = () => at("more");
document.querySelector("#colour").onclick = () => { at("colour"); document.querySelector("#colours").hidden = false; };
document.querySelector("#words").onkeydown = () => { if (!key) at("key"); key = true; };
addEventListener("scroll", () => { at("scroll"); more(); });
const more = () => { for (let i = 0; i < 30; i++) document.querySelector("ul").parentNode.append(Object.assign(document.createElement("p"), {textContent: "Line " + n++})); };
more(); more();
setInterval(() => at("tick"), 60);
</script>`

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{seen: map[string]int{}, more: make(chan struct{}), hold: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stage", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, stagePage, hang.Milliseconds())
	})
	mux.HandleFunc("POST /at", func(_ http.ResponseWriter, r *http.Request) { s.saw(r.URL.RawQuery) })
	mux.HandleFunc("POST /delete", func(http.ResponseWriter, *http.Request) { s.saw("delete") })
	mux.HandleFunc("GET /never", func(_ http.ResponseWriter, r *http.Request) {
		s.saw("never")
		s.held(r)
	})
	mux.HandleFunc("GET /file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", `attachment; filename="slow.bin"`)
		w.Header().Set("Content-Length", "100000000")
		_, _ = w.Write(make([]byte, 100_000)) // whoever went away is the test's business
		_ = http.NewResponseController(w).Flush()
		s.saw("file")
		s.held(r)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	s.url = server.URL
	return s
}

// held keeps a request until it is given up, by either side.
func (s *stage) held(r *http.Request) {
	s.mu.Lock()
	hold := s.hold
	s.mu.Unlock()
	select {
	case <-r.Context().Done():
	case <-hold:
	}
	panic(http.ErrAbortHandler)
}

// release gives up what is held: a browser has only six connections to a host.
func (s *stage) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.hold)
	s.hold = make(chan struct{})
}

func (s *stage) saw(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[what]++
	close(s.more)
	s.more = make(chan struct{})
}

// count is how often something was seen so far.
func (s *stage) count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[what]
}

// await waits until something was seen more than n times, and not for ever.
func (s *stage) await(what string, n int) error {
	late := time.After(30 * time.Second)
	for {
		s.mu.Lock()
		seen, more := s.seen[what], s.more
		s.mu.Unlock()
		if seen > n {
			return nil
		}
		select {
		case <-more:
		case <-late:
			return fmt.Errorf("the page did not come to %q", what)
		}
	}
}

// isolate gives a bench its own temporary folder, so that what is left in it
// is known.
func (b *bench) isolate() {
	b.t.Helper()
	dir := filepath.Join(filepath.Dir(filepath.Dir(b.socket())), "tmp")
	b.must(os.Mkdir(dir, 0o700))
	b.env = append(b.env, "TMPDIR="+dir)
}

// socket is where the broker of this bench listens; every process of ours has
// it in its environment.
func (b *bench) socket() string {
	for i := len(b.env) - 1; i >= 0; i-- {
		if path, ok := strings.CutPrefix(b.env[i], "TABWRIGHT_SOCKET="); ok {
			return path
		}
	}
	b.t.Fatal("no socket")
	return ""
}

// proc is a process as it was seen: its id may be another's later.
type proc struct {
	pid, parent, group int
	start, cmd         string
	ours               bool
}

// processes are those that live.
func processes(mark string) map[int]proc {
	out := map[int]proc{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is constant
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it ended
		}
		f := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
		if len(f) < 20 || f[0] == "Z" || f[0] == "X" {
			continue
		}
		dir := filepath.Dir(path)
		p := proc{start: f[19]}
		p.pid, _ = strconv.Atoi(filepath.Base(dir)) // digits
		p.parent, _ = strconv.Atoi(f[1])
		p.group, _ = strconv.Atoi(f[2])
		cmd, _ := os.ReadFile(filepath.Join(dir, "cmdline")) // empty when it ended
		p.cmd = strings.ReplaceAll(string(cmd), "\x00", " ")
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		p.ours = strings.Contains(string(env), mark)
		out[p.pid] = p
	}
	return out
}

// family are the processes that came of this bench: by the mark in their
// environment, or by descent from one that has it, since Chromium's helpers
// write over theirs.
func (b *bench) family() map[int]proc {
	all := processes("TABWRIGHT_SOCKET=" + b.socket())
	ours := map[int]proc{}
	for id, p := range all {
		q := p
		for range 10 {
			if q.ours || all[q.group].ours {
				ours[id] = p
				break
			}
			parent, ok := all[q.parent]
			if !ok || parent.pid <= 1 {
				break
			}
			q = parent
		}
	}
	return ours
}

// gone waits until those of before that match nothing of stay have ended.
func (b *bench) gone(before map[int]proc, stay func(proc) bool) error {
	left := ""
	if waitFor(limit5(), func() bool {
		left = ""
		now := processes("")
		for id, p := range before {
			if q, ok := now[id]; ok && q.start == p.start && (stay == nil || !stay(p)) {
				left += fmt.Sprintf("\n  %d: %.150s", id, p.cmd)
			}
		}
		return left == ""
	}) {
		return nil
	}
	return fmt.Errorf("after %s these are left:%s", limit5(), left)
}

// waitFor looks again and again: nothing tells of the end of a process that is
// not ours, or of a file that goes.
func waitFor(limit time.Duration, done func() bool) bool {
	end, again := time.After(limit), time.NewTicker(25*time.Millisecond)
	defer again.Stop()
	for !done() {
		select {
		case <-again.C:
		case <-end:
			return done()
		}
	}
	return true
}

// end kills one process at once.
func end(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) } // it may have ended just now

// matching are the ids of processes whose command lines hold all these.
func matching(all map[int]proc, words ...string) (pids []int) {
next:
	for id, p := range all {
		for _, w := range words {
			if !strings.Contains(p.cmd, w) {
				continue next
			}
		}
		pids = append(pids, id)
	}
	return pids
}

// own starts a browser that is not the door's.
func (b *bench) own() *launch.Browser {
	b.t.Helper()
	br, err := launch.Start(b.ctx, launch.Options{Headless: true, Env: []string{"TABWRIGHT_SOCKET=" + b.socket()}})
	b.must(err)
	b.t.Cleanup(func() {
		if err := br.Close(); err != nil {
			b.t.Error(err)
		}
	})
	return br
}
