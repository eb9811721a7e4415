// Package models finds the models that can be used, opens them and downloads new ones. It also
// keeps the model in use loaded. Start reading at Catalog.
package models

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"time"

	"tabwright/host/agent"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// StandIn is the provider name of the tour's script, which is not a real model.
const StandIn = "stand-in"

// Model is an opened model.
type Model struct {
	ID     string // provider/name
	Model  agent.Model
	Strong bool // is offered one function per action
}

// Catalog finds and opens models.
type Catalog struct {
	// Config returns the user's configuration of a provider, with its key. An empty
	// provider means the configured one.
	Config func(provider string) (llm.Config, error)
	// Save stores the choice of a model. If nil, it lasts as long as the process.
	Save func(provider, model string) error
	// Ways stores which way of calling an action works with a model. If nil, each
	// process finds it out anew.
	Ways llm.WayStore

	mu      sync.Mutex
	using   string
	standIn *llm.Config // the tour's script, once the tour was started
	search  *search

	checking sync.Mutex // held while a model is checked
	pulls    pulls
	warmth   warmth
}

// search is a running or finished List that several callers may wait for.
type search struct {
	done chan struct{}
	list wire.ModelList
}

// soon is how long Soon waits, so that a panel does not stay blank while a server does
// not answer.
const soon = 500 * time.Millisecond

// Soon is List for callers that can't wait. After half a second it returns what is
// known without the server, with an error that says so. The search goes on for the
// next caller.
func (m *Catalog) Soon(ctx context.Context) wire.ModelList {
	m.mu.Lock()
	l := m.search
	if l == nil {
		l = &search{done: make(chan struct{})}
		m.search = l
		go func() { // ends by itself: List has a time limit
			l.list = m.List(context.WithoutCancel(ctx))
			m.mu.Lock()
			m.search = nil
			m.mu.Unlock()
			close(l.done)
		}()
	}
	m.mu.Unlock()
	wait := time.NewTimer(soon)
	defer wait.Stop()
	select {
	case <-l.done:
		return l.list
	case <-wait.C:
	case <-ctx.Done():
	}
	out := wire.ModelList{Models: []wire.ModelInfo{}, Using: m.Choice(), Error: &wire.Error{
		Code: wire.CodeLooking, Message: "The model server has not answered yet.", Hint: "It is asked again in a moment.",
	}}
	m.addKnown(&out)
	return out
}

// addKnown adds what is known without a server: the configured choice and the tour's
// script.
func (m *Catalog) addKnown(out *wire.ModelList) {
	if cfg, err := m.Config(""); err == nil && cfg.Model != "" && out.Using == "" {
		out.Using = cfg.Provider + "/" + cfg.Model
	}
	m.addStandIn(out)
}

func (m *Catalog) addStandIn(out *wire.ModelList) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.standIn != nil {
		out.Models = append(out.Models, wire.ModelInfo{
			ID: StandIn + "/" + m.standIn.Model, Local: true, StandIn: true, Tools: true,
		})
	}
}

// UseStandIn makes the tour's script available as a model.
func (m *Catalog) UseStandIn(cfg llm.Config) (id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.standIn = &cfg
	return StandIn + "/" + cfg.Model
}

// List returns the models that can be used now. If a server can't be reached, Error
// says so, with what to do about it.
func (m *Catalog) List(ctx context.Context) wire.ModelList {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out := wire.ModelList{Models: []wire.ModelInfo{}, Using: m.Choice()}
	cfg, err := m.Config("")
	if err == nil {
		err = m.addConfigured(ctx, cfg, &out)
	}
	if err != nil {
		out.Error = modelError(cfg, err)
	}
	m.addStandIn(&out)
	if out.Using == "" && len(out.Models) > 0 && out.Models[0].StandIn {
		out.Using = out.Models[0].ID // the tour's script; no other model is chosen for being the first
	}
	return out
}

func (m *Catalog) addConfigured(ctx context.Context, cfg llm.Config, out *wire.ModelList) error {
	if cfg.Model != "" && out.Using == "" {
		out.Using = cfg.Provider + "/" + cfg.Model
	}
	found, err := llm.ListModels(ctx, cfg)
	if cfg.Provider == "ollama" {
		out.Suggested = suggestModel(cfg)
	}
	for _, f := range found {
		info := wire.ModelInfo{
			ID: cfg.Provider + "/" + f.Name, Local: localServer(cfg) && !f.Remote, Context: cmp.Or(f.Window, f.Context), MaxContext: f.Context,
			Tools: f.Tools, Vision: f.Vision, Thinks: f.Thinking,
			Size: f.Size, Parameters: f.Parameters, Quantization: f.Quantization, Recommended: f.Recommended,
		}
		if f.Problem != nil {
			info.Problem = modelError(cfg, f.Problem)
		}
		out.Models = append(out.Models, info)
	}
	if out.Using == "" && len(found) > 0 {
		name, why := llm.Choose(found)
		if why != nil {
			return why
		}
		out.Using = cfg.Provider + "/" + name
	}
	for i := range out.Models {
		if out.Models[i].ID == out.Using {
			m.describe(ctx, cfg, found[i].Name, &out.Models[i])
		}
	}
	if err == nil && len(found) == 0 {
		return &llm.Error{
			Code: llm.CodeModelNotFound, Message: "The model server has no models yet.",
			Hint: "For Ollama: ollama pull " + suggestModel(cfg),
		}
	}
	return err
}

// describe fills in what the model in use can do and how it is called. It adds nothing
// if the server does not tell.
func (m *Catalog) describe(ctx context.Context, cfg llm.Config, name string, info *wire.ModelInfo) {
	cfg.Model, cfg.Ways = name, m.Ways
	model, err := llm.New(ctx, cfg)
	if err != nil {
		return
	}
	caps, err := model.Capabilities(ctx)
	if err != nil {
		return
	}
	info.Tools, info.Vision, info.Thinks, info.Context, info.MaxContext = caps.Tools, caps.Vision, caps.Thinking, caps.Context, caps.MaxContext
	info.Way, info.Mode, info.Learned = string(model.Way(caps)), caps.Mode(), model.Learnt()
}

// suggestModel returns a model to suggest to a user who has none.
func suggestModel(cfg llm.Config) string {
	if !localServer(cfg) {
		return llm.SuggestedModel(0)
	}
	return llm.SuggestedModel(llm.MachineMemory())
}

// localServer reports whether a provider's server is on this computer.
func localServer(cfg llm.Config) bool {
	if cfg.BaseURL == "" {
		return cfg.Provider == "ollama"
	}
	u, err := url.Parse(cfg.BaseURL)
	if err != nil {
		return false
	}
	h := u.Hostname()
	return h == "localhost" || h == "::1" || strings.HasPrefix(h, "127.")
}

func modelError(cfg llm.Config, err error) *wire.Error {
	var le *llm.Error
	if errors.As(err, &le) {
		e := &wire.Error{Code: wire.Code(le.Code), Message: le.Message, Hint: le.Hint}
		if cfg.Provider == "ollama" && le.Code == llm.CodeUnreachable {
			e.Message = "Ollama isn't running on this computer."
			e.Hint = "Install it from ollama.com, then: ollama pull " + suggestModel(cfg) + " — or choose another provider in " +
				"the configuration file. Meanwhile, try the tour in the panel."
		}
		return e
	}
	var ne *wire.Error
	if errors.As(err, &ne) {
		return ne
	}
	return &wire.Error{Code: wire.CodeNoModel, Message: err.Error()}
}

// Forget deletes what was learned about a model.
func (m *Catalog) Forget(id string) error {
	if err := llm.Forget(m.Ways, id); err != nil {
		return modelError(llm.Config{}, err)
	}
	return nil
}

// fitTime is how long fit waits for the server.
const fitTime = 3 * time.Second

// checkFit returns an error if the server reports that a model can't do tasks. If the
// server does not answer in time, it returns nil, and the task reports the problem.
func checkFit(ctx context.Context, model *llm.Model) error {
	ctx, cancel := context.WithTimeout(ctx, fitTime)
	defer cancel()
	if _, err := model.Capabilities(ctx); llm.CodeOf(err) == llm.CodeUnfit {
		return modelError(llm.Config{}, err)
	}
	return nil
}

// Use chooses the model for future tasks.
func (m *Catalog) Use(ctx context.Context, id string) error {
	provider, name, ok := strings.Cut(id, "/")
	if !ok || name == "" {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: "A model is named provider/name, like ollama/qwen3.5:9b."}
	}
	if cfg, err := m.configFor(id); err == nil {
		if model, err := llm.New(ctx, cfg); err == nil {
			if err := checkFit(ctx, model); err != nil {
				return err
			}
		}
	}
	m.mu.Lock()
	m.using = id
	m.mu.Unlock()
	m.cancelWarm(id)
	if provider == StandIn || m.Save == nil {
		return nil
	}
	return m.Save(provider, name)
}

// Choice returns the chosen model, or an empty string.
func (m *Catalog) Choice() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.using
}

// Open opens a model: the named one, else the chosen one, else the configured one,
// else the one that List suggests.
func (m *Catalog) Open(ctx context.Context, id string) (Model, error) {
	if id == "" {
		id = m.Choice()
	}
	if id == "" {
		list := m.List(ctx)
		if list.Using == "" {
			if list.Error != nil {
				return Model{}, list.Error
			}
			return Model{}, &wire.Error{Code: wire.CodeNoModel, Message: "No model is configured.", Hint: "Choose one in the settings of the side panel; `tabwright models` lists what was found."}
		}
		id = list.Using
	}
	cfg, err := m.configFor(id)
	if err != nil {
		return Model{}, err
	}
	cfg.Ways = m.Ways
	model, err := llm.New(ctx, cfg)
	if err != nil {
		return Model{}, modelError(cfg, err)
	}
	if err := checkFit(ctx, model); err != nil {
		return Model{}, err
	}
	return Model{ID: id, Model: model, Strong: strong(cfg.Provider)}, nil
}

func (m *Catalog) configFor(id string) (llm.Config, error) {
	provider, name, ok := strings.Cut(id, "/")
	if !ok {
		provider, name = "", id // a bare name belongs to the configured provider
	}
	if provider == StandIn {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.standIn == nil {
			return llm.Config{}, &wire.Error{Code: wire.CodeNoModel, Message: "The tour's stand-in is not running.", Hint: "Start the tour first."}
		}
		return *m.standIn, nil
	}
	cfg, err := m.Config(provider)
	if err != nil {
		return cfg, err
	}
	cfg.Model = name
	return cfg, nil
}

// strong reports whether a provider's models are offered one function per action.
func strong(provider string) bool {
	switch provider {
	case "openai", "anthropic", "google":
		return true
	default:
		return false
	}
}

// ForgetChoice drops the choice after the settings have changed, so that their model
// is used.
func (m *Catalog) ForgetChoice() {
	m.mu.Lock()
	m.using = ""
	m.mu.Unlock()
	m.cancelWarm("")
}
