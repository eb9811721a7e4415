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

// recall takes the way that an earlier process saved for the model. It also
// forgets what this process learnt with another build of the server or the
// model: an update may have fixed what failed. It does so once for each Model,
// and again if the server did not answer.
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

// askBuild returns Ollama's version and the digest of the model, and "" for
// other servers. It returns false if Ollama did not answer.
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
	// wayLife is how long a way counts if the server does not tell its build:
	// the model behind a hosted name may change at any time.
	wayLife  = 30 * 24 * time.Hour
	mostWays = 200
)

// FileWays is a WayStore in a JSON file. If the file can't be read or written,
// the best way is just found out again. If two processes write at once, the
// later wins.
type FileWays struct {
	Path string
	// Now replaces time.Now, for tests.
	Now func() time.Time

	mu sync.Mutex
}

var _ WayStore = (*FileWays)(nil)

// waysVersion is the version of the records. Older versions learnt from replies
// of models that were cut off while they were thinking, and their records do
// not count.
const waysVersion = 2

type savedWay struct {
	Version int       `json:"v"`
	Way     Way       `json:"way"`
	Build   string    `json:"build,omitempty"`
	Saved   time.Time `json:"saved"`
}

// LoadWay returns the way that was saved for a model and this build.
func (f *FileWays) LoadWay(key, build string) (Way, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.read()[key]
	if !ok || s.Version != waysVersion || s.Build != build || (build == "" && f.now().Sub(s.Saved) > wayLife) || !contains(wayNames(), string(s.Way)) {
		return "", false
	}
	return s.Way, true
}

// SaveWay saves the way of a model. It removes the oldest ways if there are
// more than mostWays.
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
	_ = f.write(all) // an error costs no more than finding out the way again
}

// ForgetWay removes the way of a model.
func (f *FileWays) ForgetWay(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.read()
	delete(all, key)
	_ = f.write(all) // as in SaveWay
}

// Keys returns the keys of the models whose saved way is of the current version.
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

// write replaces the file by a rename, so that no reader finds a part of it.
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
