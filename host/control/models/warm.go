package models

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"tabwright/host/agent"
	"tabwright/llm"
)

// warmEvery is how long a model counts as warm after it was warmed up.
const warmEvery = 5 * time.Minute

// warmth warms up one model at a time.
type warmth struct {
	mu     sync.Mutex
	began  time.Time
	closed bool
	now    *warmUp         // nil if none runs
	ending <-chan struct{} // done of the last one, if it was cancelled
	wg     sync.WaitGroup
}

// warmUp is one run of warming up.
type warmUp struct {
	model string             // provider/name; empty until it is known
	load  context.CancelFunc // cancels loading and reading
	read  context.CancelFunc // cancels the reading that follows
	done  chan struct{}
}

// end cancels the running warmUp. The next one waits for its end. The caller holds
// w.mu.
func (w *warmth) end() {
	if w.now != nil {
		w.now.load()
		w.now, w.ending = nil, w.now.done
	}
}

// Warm loads the model that the next task would use, if Ollama runs it on this
// machine, and lets it read the beginning of a task's requests. It returns at once and
// does nothing within warmEvery of the last time. Failures are ignored: the task will
// report them. budget is the task's budget, which the prompt names.
func (m *Catalog) Warm(lang string, budget agent.Budget) {
	w := &m.warmth
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.now != nil || time.Since(w.began) < warmEvery {
		return
	}
	loading, load := context.WithCancel(context.Background())
	reading, read := context.WithCancel(loading)
	this, before := &warmUp{load: load, read: read, done: make(chan struct{})}, w.ending
	w.began, w.now = time.Now(), this
	w.wg.Go(func() {
		defer close(this.done)
		defer func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if load(); w.now == this {
				w.now = nil
			}
		}()
		if before != nil {
			<-before // it was cancelled
		}
		if model := m.toWarm(loading); model != nil && w.noteModel(this, model.Name()) && model.Load(loading) == nil {
			agent.Warm(reading, model, strong(model.Provider()), cmp.Or(lang, "en"), budget)
		}
	})
}

// noteModel notes which model is warmed up. It returns false if this was cancelled.
func (w *warmth) noteModel(this *warmUp, model string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	this.model = model
	return w.now == this
}

// toWarm returns the model that the next task would use, or nil if it need not be
// warmed up.
func (m *Catalog) toWarm(ctx context.Context) *llm.Model {
	id := cmp.Or(m.Choice(), m.List(ctx).Using)
	if strings.HasPrefix(id, StandIn+"/") || id == "" {
		return nil
	}
	cfg, err := m.configFor(id)
	if err != nil || cfg.Provider != "ollama" {
		return nil
	}
	cfg.Ways = m.Ways
	if model, err := llm.New(ctx, cfg); err == nil && model.IsLocal() {
		return model
	}
	return nil
}

// EndWarm makes room for a task with a model. If that model is being loaded, only the
// reading is cancelled: the task waits for the loading, which Ollama would start anew
// if nothing waited for it. The warming up of another model is cancelled.
func (m *Catalog) EndWarm(model agent.Model) {
	if m == nil {
		return
	}
	name := ""
	if namer, ok := model.(interface{ Name() string }); ok {
		name = namer.Name()
	}
	w := &m.warmth
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.now == nil:
	case w.now.model == name && name != "":
		w.now.read()
	default:
		w.end()
		w.began = time.Time{}
	}
}

// cancelWarm cancels the warming up of any model but the chosen one, and lets the next Warm
// begin at once.
func (m *Catalog) cancelWarm(chosen string) {
	w := &m.warmth
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now != nil && w.now.model == chosen && chosen != "" {
		return
	}
	w.end()
	w.began = time.Time{}
}
