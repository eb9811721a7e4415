package control

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"tabwright/host/agent"
	"tabwright/llm"
)

// warmEvery is how long a model that was warmed up is taken to be warm.
const warmEvery = 5 * time.Minute

// warmth is the warming up of a model: one at a time.
type warmth struct {
	mu     sync.Mutex
	began  time.Time
	closed bool
	load   context.CancelFunc // of the loading; nil: nothing goes on
	read   context.CancelFunc // of the reading after it
	wg     sync.WaitGroup
}

// Warm has the model that the next task would use loaded, if Ollama runs it on this
// machine, and lets it read what each request of a task begins with. It does not wait
// for that, and does it once in some minutes. A failure is none: the task will say it.
func (m *Models) Warm(lang string) {
	w := &m.warmth
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.load != nil || time.Since(w.began) < warmEvery {
		return
	}
	loading, load := context.WithCancel(context.Background())
	reading, read := context.WithCancel(loading)
	w.began, w.load, w.read = time.Now(), load, read
	w.wg.Go(func() {
		defer func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			load()
			w.load, w.read = nil, nil
		}()
		m.warm(loading, reading, lang)
	})
}

func (m *Models) warm(loading, reading context.Context, lang string) {
	id := cmp.Or(m.choice(), m.List(loading).Using)
	if strings.HasPrefix(id, StandIn+"/") || id == "" {
		return
	}
	cfg, err := m.configFor(id)
	if err != nil || cfg.Provider != "ollama" {
		return
	}
	cfg.Ways = m.Ways
	model, err := llm.New(loading, cfg)
	if err == nil && model.IsLocal() && model.Load(loading) == nil {
		agent.Warm(reading, model, strong(cfg.Provider), cmp.Or(lang, "en"))
	}
}

// endWarm makes way for a task, which waits for the loading as the warming up did:
// Ollama would begin that anew if nobody waited for it any more.
func (m *Models) endWarm() {
	if m == nil {
		return
	}
	m.warmth.mu.Lock()
	defer m.warmth.mu.Unlock()
	if m.warmth.read != nil {
		m.warmth.read()
	}
}

// cool lets the next Warm begin at once: another model was chosen.
func (m *Models) cool() {
	m.warmth.mu.Lock()
	defer m.warmth.mu.Unlock()
	m.warmth.began = time.Time{}
}
