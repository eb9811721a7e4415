package models

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"tabwright/host/native/wire"
	"tabwright/llm"
)

// pulls holds the running and ended pulls until the broker ends, so that a panel shows
// them when it is opened again.
type pulls struct {
	mu   sync.Mutex
	list []*pull // the newest last
	wg   sync.WaitGroup
}

type pull struct {
	info   wire.PullInfo
	cancel context.CancelCauseFunc
	ended  chan struct{}
}

var errPullStopped = errors.New("stopped by the user")

// mostPulls is how many pulls may run at once. Twice as many are kept in the list.
const mostPulls = 8

func pullName(id string) string { return strings.TrimPrefix(strings.TrimSpace(id), "ollama/") }

// Pull starts to pull a model, unless it is being pulled already. It does not wait for
// the pull, which goes on when the caller disconnects.
func (m *Catalog) Pull(id string) (wire.PullList, error) {
	name := pullName(id)
	if err := llm.CheckPullName(name); err != nil {
		e := *modelErrorOf(err)
		e.Code = wire.CodeInvalidParams
		return wire.PullList{}, &e
	}
	cfg, err := m.Config("ollama")
	if err != nil {
		return wire.PullList{}, err
	}
	p := &m.pulls
	p.mu.Lock()
	defer p.mu.Unlock()
	running := 0
	for _, old := range p.list {
		if old.info.State != wire.PullRunning {
			continue
		}
		if running++; old.info.Name == name {
			return p.info(), nil
		}
	}
	if running >= mostPulls {
		return wire.PullList{}, &wire.Error{Code: wire.CodeBusy, Message: "Several models are being pulled already.", Hint: "Wait until one of them is there."}
	}
	// A pull of that name that was just stopped may still be ending: wait for it.
	var before <-chan struct{}
	p.list = slices.DeleteFunc(p.list, func(old *pull) bool {
		if old.info.Name == name {
			before = old.ended
		}
		return old.info.Name == name
	})
	for len(p.list) >= 2*mostPulls {
		i := slices.IndexFunc(p.list, func(old *pull) bool { return old.info.State != wire.PullRunning })
		p.list = slices.Delete(p.list, i, i+1)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	this := &pull{info: wire.PullInfo{Name: name, State: wire.PullRunning}, cancel: cancel, ended: make(chan struct{})}
	p.list = append(p.list, this)
	p.wg.Go(func() {
		defer close(this.ended)
		defer cancel(nil)
		if before != nil {
			<-before
		}
		p.end(ctx, this, llm.Pull(ctx, cfg, name, func(at llm.PullProgress) {
			p.mu.Lock()
			defer p.mu.Unlock()
			this.info.Status, this.info.Done, this.info.Total = at.Status, at.Done, at.Total
		}))
	})
	return p.info(), nil
}

func (p *pulls) end(ctx context.Context, this *pull, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil: // also if it was stopped too late
		this.info.State = wire.PullDone
	case errors.Is(context.Cause(ctx), errPullStopped):
		this.info.State = wire.PullStopped
	default:
		this.info.State, this.info.Error = wire.PullFailed, modelErrorOf(err)
	}
}

// info returns the current list. The caller holds p.mu.
func (p *pulls) info() wire.PullList {
	out := wire.PullList{Pulls: []wire.PullInfo{}}
	for _, one := range p.list {
		out.Pulls = append(out.Pulls, one.info)
	}
	return out
}

// Pulls returns the pulls with their progress.
func (m *Catalog) Pulls() wire.PullList {
	m.pulls.mu.Lock()
	defer m.pulls.mu.Unlock()
	return m.pulls.info()
}

// StopPull stops a running pull, or removes an ended one from the list. The server
// keeps the part it has: the next pull continues there.
func (m *Catalog) StopPull(id string) wire.PullList {
	p := &m.pulls
	p.mu.Lock()
	defer p.mu.Unlock()
	name := pullName(id)
	p.list = slices.DeleteFunc(p.list, func(one *pull) bool {
		if one.info.Name != name {
			return false
		}
		one.cancel(errPullStopped)
		running := one.info.State == wire.PullRunning
		if running {
			one.info.State = wire.PullStopped
		}
		return !running
	})
	return p.info()
}

// IsPulling reports whether a model is being pulled.
func (m *Catalog) IsPulling() bool {
	if m == nil {
		return false
	}
	return slices.ContainsFunc(m.Pulls().Pulls, func(p wire.PullInfo) bool { return p.State == wire.PullRunning })
}

// Close stops the pulls and the warming up, and waits for their end.
func (m *Catalog) Close() {
	if m == nil {
		return
	}
	m.pulls.mu.Lock()
	for _, p := range m.pulls.list {
		p.cancel(errPullStopped)
	}
	m.pulls.mu.Unlock()
	m.warmth.mu.Lock()
	m.warmth.closed = true
	m.warmth.end()
	m.warmth.mu.Unlock()
	m.pulls.wg.Wait()
	m.warmth.wg.Wait()
}
