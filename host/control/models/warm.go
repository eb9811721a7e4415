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

// warmEvery is how long a model that was warmed up is taken to be warm.
const warmEvery = 5 * time.Minute

// warmth is the warming up of a model: one at a time.
type warmth struct {
	mu     sync.Mutex
	began  time.Time
	closed bool
	now    *warmUp         // nil: nothing goes on
	ending <-chan struct{} // of the one before, which was ended
	wg     sync.WaitGroup
}

// warmUp is one warming up.
type warmUp struct {
	model string             // provider/name; empty until it is known
	load  context.CancelFunc // ends the loading
	read  context.CancelFunc // ends the reading after it
	done  chan struct{}
}

// end ends the warming up under way; w.mu is held. What comes next waits for its end.
func (w *warmth) end() {
	if w.now != nil {
		w.now.load()
		w.now, w.ending = nil, w.now.done
	}
}

// Warm has the model that the next task would use loaded, if Ollama runs it on this
// machine, and lets it read what each request of a task begins with. It does not wait
// for that, and does it once in some minutes. A failure is none: the task will say it.
// budget is the one that the task would have, for its rules name it.
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
			<-before // its requests were cancelled
		}
		if model := m.toWarm(loading); model != nil && w.warms(this, model.Name()) && model.Load(loading) == nil {
			agent.Warm(reading, model, strong(model.Provider()), cmp.Or(lang, "en"), budget)
		}
	})
}

// warms notes which model is warmed up, unless that was ended already.
func (w *warmth) warms(this *warmUp, model string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	this.model = model
	return w.now == this
}

// toWarm is the model that the next task would use; nil where there is nothing to warm
// up.
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

// EndWarm makes way for a task with a model, which waits for the loading of its own
// model: Ollama would begin that anew if nobody waited for it any more. Another
// model's is ended.
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

// cool ends the warming up of any model but the one that was chosen now, and lets the
// next Warm begin at once.
func (m *Catalog) cool(chosen string) {
	w := &m.warmth
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now != nil && w.now.model == chosen && chosen != "" {
		return
	}
	w.end()
	w.began = time.Time{}
}
