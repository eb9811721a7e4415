package llm

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// recall takes over what an earlier process remembered of the model, and
// forgets what this one learnt of another build of server or model: an update
// may have cured what was seen to fail. It asks once for each Model, and again
// where the server did not answer.
func (m *Model) recall(ctx context.Context) {
	if m.cfg.Ways == nil || m.recalled.Load() {
		return
	}
	build, ok := m.askBuild(ctx)
	if !ok {
		return
	}
	m.recalled.Store(true)
	way, stored := m.cfg.Ways.LoadWay(m.key, build)
	m.mem.mu.Lock()
	defer m.mem.mu.Unlock()
	if m.mem.build != build {
		if m.mem.build != "" {
			m.mem.clear()
		}
		m.mem.build = build
	}
	if stored && rank(way) > rank(m.mem.best) {
		m.mem.best = way
	}
}

// askBuild asks Ollama for its version and the digest of the model; of other
// servers nothing is known. False means that there was no answer.
func (m *Model) askBuild(ctx context.Context) (build string, ok bool) {
	o, isOllama := m.lc.(*ollamaLLM)
	if !isOllama {
		return "", true
	}
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	var version struct {
		Version string `json:"version"`
	}
	if o.getJSON(ctx, http.MethodGet, "/api/version", nil, &version) != nil {
		return "", false
	}
	tags, err := o.tags(ctx)
	if err != nil {
		return "", false
	}
	build = version.Version
	for _, t := range tags {
		if t.Name == o.model || t.Name == o.model+":latest" {
			build += " " + t.Digest
		}
	}
	return build, true
}

// Bounds of FileWays.
const (
	// wayLife is how long a way counts whose server tells no build: what stands
	// behind a hosted name changes without a word.
	wayLife  = 30 * 24 * time.Hour
	mostWays = 200
)

// FileWays is a WayStore in a file of JSON. A file that can't be read or
// written costs nothing but the memory: the best way is then found out anew.
// Of two processes that write at once the later wins.
type FileWays struct {
	Path string
	// Now replaces time.Now, for tests.
	Now func() time.Time

	mu sync.Mutex
}

var _ WayStore = (*FileWays)(nil)

// waysVersion is that of the records: what older versions learnt of models that
// think was learnt of replies cut off in mid-thought, and counts for nothing.
const waysVersion = 2

type savedWay struct {
	Version int       `json:"v"`
	Way     Way       `json:"way"`
	Build   string    `json:"build,omitempty"`
	Saved   time.Time `json:"saved"`
}

// LoadWay gives the way saved for a model, if it is of this build.
func (f *FileWays) LoadWay(key, build string) (Way, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.read()[key]
	if !ok || s.Version != waysVersion || s.Build != build || (build == "" && f.now().Sub(s.Saved) > wayLife) || !contains(wayNames(), string(s.Way)) {
		return "", false
	}
	return s.Way, true
}

// SaveWay keeps the way of a model in place of the one before.
func (f *FileWays) SaveWay(key, build string, way Way) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.read()
	all[key] = savedWay{Version: waysVersion, Way: way, Build: build, Saved: f.now().UTC()}
	for len(all) > mostWays {
		oldest := key
		for k, s := range all {
			if s.Saved.Before(all[oldest].Saved) {
				oldest = k
			}
		}
		delete(all, oldest)
	}
	_ = f.write(all) // documented: only the memory is lost
}

// ForgetWay drops what is kept of a model.
func (f *FileWays) ForgetWay(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.read()
	delete(all, key)
	_ = f.write(all) // as in SaveWay
}

// Keys are the models of which a way is kept that still counts.
func (f *FileWays) Keys() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for key, s := range f.read() {
		if s.Version == waysVersion {
			out = append(out, key)
		}
	}
	return out
}

func (f *FileWays) now() time.Time {
	if f.Now != nil {
		return f.Now()
	}
	return time.Now()
}

func (f *FileWays) read() map[string]savedWay {
	all := map[string]savedWay{}
	b, err := os.ReadFile(f.Path)
	if err != nil || json.Unmarshal(b, &all) != nil || all == nil {
		return map[string]savedWay{}
	}
	return all
}

// write replaces the file whole, so that no reader finds half of it.
func (f *FileWays) write(all map[string]savedWay) error {
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(f.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, strings.TrimSuffix(filepath.Base(f.Path), ".json")+"-*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(b)
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), f.Path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // nothing of it is wanted
	}
	return err
}

func wayNames() []string {
	out := make([]string, 0, len(allWays))
	for _, w := range allWays {
		out = append(out, string(w))
	}
	return out
}
