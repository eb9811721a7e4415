package llm

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	// vouchEvery is how often a silent server is asked whether it still answers.
	vouchEvery = 10 * time.Second
	// vouchMost bounds how long such answers count: loading a large model from a slow
	// disk, or reading a long page without a graphics card, takes minutes.
	vouchMost = 30 * time.Minute
)

// ollamaPs is what the server has in memory.
type ollamaPs struct {
	Models *[]struct {
		Name   string `json:"name"`
		Window int    `json:"context_length"` // since 0.9
		Size   int64  `json:"size"`           // bytes in memory
		VRAM   int64  `json:"size_vram"`      // … of these on the graphics card
	} `json:"models"`
}

func (o *ollamaLLM) ps(ctx context.Context) (out ollamaPs, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	err := o.getJSON(withState(ctx, &callState{}), http.MethodGet, "/api/ps", nil, &out)
	return out, err == nil && out.Models != nil
}

// has reports whether the model is in memory with this window; with another one it would
// be loaded again. The server may report a multiple of the window, for several callers.
func (p ollamaPs) has(model string, window int) bool {
	for _, m := range *p.Models {
		if m.Name == model || m.Name == model+":latest" {
			return m.Window == 0 || m.Window%window == 0
		}
	}
	return false
}

// load has the server load the model if it is not in memory. It sends a request of its
// own, so that it is known when the loading ends. A server that can't be asked loads the
// model with the first request, without a delta.
func (o *ollamaLLM) load(ctx context.Context, state *callState, chat *ollamaRequest) error {
	window, _ := chat.Options["num_ctx"].(int)
	now, ok := o.ps(ctx)
	if !ok || now.has(chat.Model, max(window, 1)) {
		return nil
	}
	info, known := o.listed(ctx, chat.Model)
	if !known { // it runs elsewhere, or is not there at all
		return nil
	}
	state.note(DeltaLoading, loadingText(chat.Model, info))
	empty := &ollamaRequest{Model: chat.Model, Messages: []ollamaMessage{}, Options: map[string]any{"num_ctx": window}, KeepAlive: chat.KeepAlive}
	resp, err := o.send(withState(ctx, &callState{}), http.MethodPost, "/api/chat", empty)
	if err == nil {
		_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, maxErrorBody))
		resp.Body.Close()
	}
	if ctx.Err() != nil {
		return transportError(ctx, o.prov.label, err)
	}
	if CodeOf(err) == CodeBadRequest || CodeOf(err) == CodeUnsupported {
		err = nil // it refuses an empty request; the next one is complete
	}
	if err == nil {
		state.note(DeltaLoaded, "")
		state.alive()
	}
	return err
}

// Load has the server load the model with the window that a task would use, or with a
// smaller one if that does not fit.
func (m *Model) Load(ctx context.Context) error {
	defer m.mem.startLoad()() // before anything else: a task waits for it (Await)
	caps, err := m.Capabilities(ctx)
	if err != nil {
		return err
	}
	if err := m.ready(ctx, caps); err != nil {
		return err
	}
	if n := m.fit(ctx, caps.Context); n < caps.Context {
		caps.Context = n
		m.window.Store(int64(n)) // what is asked of this model from now on
		return m.ready(ctx, caps)
	}
	return nil
}

// startLoad notes that a Load is under way until end is called.
func (m *memory) startLoad() (end func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.loading != nil {
		return func() {} // another one is
	}
	this := make(chan struct{})
	m.loading = this
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.loading = nil
		close(this)
	}
}

// Await waits for a Load of the same model that is under way, also by another Model, and
// takes the window that Load found to fit. Without it a request could have the model
// loaded twice. It tells sink what it waits for.
func (m *Model) Await(ctx context.Context, sink func(Delta)) error {
	m.mem.mu.Lock()
	loading := m.mem.loading
	m.mem.mu.Unlock()
	if loading == nil {
		return nil
	}
	if sink == nil {
		sink = func(Delta) {}
	}
	if o, ok := m.lc.(*ollamaLLM); ok {
		if size, known := o.listed(ctx, m.cfg.Model); known {
			sink(Delta{Kind: DeltaLoading, Text: loadingText(m.cfg.Model, size)})
		}
	}
	select {
	case <-loading:
		m.window.Store(0)
		sink(Delta{Kind: DeltaLoaded})
		return nil
	case <-ctx.Done():
		return transportError(ctx, m.prov.label, ctx.Err())
	}
}

// loadingText returns a model's name and size.
func loadingText(model string, size int64) string {
	return fmt.Sprintf("%s (%.1f GB)", model, float64(size)/1e9)
}

// fit looks at how much memory the model loaded with a window takes, and returns the
// window to load it with the next time.
func (m *Model) fit(ctx context.Context, window int) int {
	o, ok := m.lc.(*ollamaLLM)
	m.mem.mu.Lock()
	said := m.mem.server
	m.mem.mu.Unlock()
	if !ok || said == nil || m.cfg.NumCtx > 0 {
		return window // it is the user's, or not known how the model fits
	}
	now, ok := o.ps(ctx)
	if !ok {
		return window
	}
	for _, l := range *now.Models {
		if l.Name != o.model && l.Name != o.model+":latest" || l.Window != window {
			continue
		}
		n := fittedWindow(window, l.Size, l.VRAM, said.needs.perToken, m.cfg.memory())
		if n < window {
			m.mem.mu.Lock()
			m.mem.window = n
			m.mem.mu.Unlock()
		}
		return n
	}
	return window
}

// ready has the model loaded, if it runs on Ollama. That may take longer than a request's
// time-out.
func (m *Model) ready(ctx context.Context, caps Capabilities) error {
	o, ok := m.lc.(*ollamaLLM)
	if !ok {
		return nil
	}
	watched, touch, stop := watchdog(ctx, m.cfg.Timeout, m.prov.label)
	defer stop()
	defer o.vouch(watched, m.cfg.Timeout, touch)()
	return o.load(watched, &callState{}, &ollamaRequest{Model: o.model, Options: map[string]any{"num_ctx": caps.Context}, KeepAlive: m.keepAlive()})
}

// leastSize is the least size of a model on the server's disk in bytes. A model that runs
// elsewhere takes only a few hundred there.
const leastSize = 1 << 16

// holds reports whether a model is in memory, with any window.
func (p ollamaPs) holds(model string) bool {
	if p.Models == nil {
		return false
	}
	for _, m := range *p.Models {
		if m.Name == model {
			return true
		}
	}
	return false
}

// listed returns the size of a model on the server's disk. ok is false if there is no such
// model, or if it runs elsewhere.
func (o *ollamaLLM) listed(ctx context.Context, model string) (bytes int64, ok bool) {
	list, err := o.tags(withState(ctx, &callState{}))
	if err != nil {
		return 0, false
	}
	for _, m := range list {
		if m.Name == model || m.Name == model+":latest" {
			return m.Size, m.Size >= leastSize
		}
	}
	return 0, false
}

// vouch calls alive regularly while the server answers /api/ps: it may be silent for long
// while it loads a model or reads the prompt. stop may be called more than once.
func (o *ollamaLLM) vouch(ctx context.Context, limit time.Duration, alive func()) (stop func()) {
	ctx, cancel := context.WithTimeout(ctx, vouchMost)
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(min(vouchEvery, max(limit/4, time.Millisecond)))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if _, ok := o.ps(ctx); ok && ctx.Err() == nil {
				alive()
			}
		}
	})
	return func() {
		cancel()
		done.Wait()
	}
}
