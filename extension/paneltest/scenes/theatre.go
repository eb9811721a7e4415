package scenes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// HostKind says what the extension finds where the host should be.
type HostKind int

// The kinds of host, in the order in which a Theatre can play them.
const (
	NoHost       HostKind = iota + 1 // nothing is registered
	OldHost                          // one that refuses the extension as too new
	OldExtension                     // one that refuses the extension as too old
	WholeHost                        // as it should be; the default
)

// Scene is one state of the panel and how to get there.
type Scene struct {
	Name   string
	Host   HostKind
	First  bool   // the first run was not gone through
	Ext    string // version of the extension that the host carries; empty: this one's
	Models wire.ModelList
	Events []wire.Event
	Delta  string
	// Thoughts stream before Delta.
	Thoughts string
	Answer   string // … and this after it
	Pulls    []wire.PullInfo
	State    wire.TaskState
	Ago      time.Duration // since the newest event
	Check    *wire.ModelCheck
	Report   *wire.DoctorReport
	Policy   *wire.PolicyInfo
	// Programs use the browser; Other is a task that runs beside the one shown.
	Programs []wire.SessionInfo
	Other    *wire.TaskInfo
	Lost     bool        // the host goes once the scene is shown
	Fault    *wire.Error // what settings.show refuses with
	Refuse   *wire.Error // … and settings.set
	Flow     *wire.FlowInfo
	Saved    []wire.SavedFlow
	Until    string // the panel shows the scene when this is true
	Then     func(context.Context, *paneltest.Page) error
}

func (s *Scene) host() HostKind {
	if s.Host == 0 {
		return WholeHost
	}
	return s.Host
}

// All gives every scene, in the order in which one Theatre can play them.
func All() []Scene {
	all := slices.Concat(chat, flows, settings, first)
	slices.SortStableFunc(all, func(a, b Scene) int { return int(a.host()) - int(b.host()) })
	return all
}

// Theatre plays scenes in one browser, one after the other.
type Theatre struct {
	Browser *paneltest.Browser
	// Still stops the panel's clock, so that a picture is the same each time.
	Still bool

	dir  string
	now  atomic.Pointer[Scene]
	lost atomic.Bool // the host refuses to come back
	turn int         // of the newest scene
	kind HostKind
	host atomic.Pointer[paneltest.Host]
	view atomic.Pointer[string] // the panel that followed a task last
}

// Send has the host say more to the panel that followed the scene's task last.
func (t *Theatre) Send(method string, params any) error {
	h, view := t.host.Load(), t.view.Load()
	if h == nil || view == nil {
		return errors.New("no panel follows a task")
	}
	return h.Event(*view, method, params)
}

// Open starts the browser. Close ends it.
func Open(ctx context.Context) (*Theatre, error) {
	dir, err := os.MkdirTemp("", "tw")
	if err != nil {
		return nil, err
	}
	t := &Theatre{dir: dir, kind: NoHost}
	if t.Browser, err = paneltest.Launch(ctx, paneltest.Options{Dir: dir}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return t, nil
}

// Close ends the browser.
func (t *Theatre) Close() error {
	t.Browser.Close()
	return os.RemoveAll(t.dir)
}

// Enter opens the panel on a scene, in a language (en or zh). Scenes come in
// the order of All: a host that was there does not go away again.
func (t *Theatre) Enter(ctx context.Context, s *Scene, lang string, width, height int) (*paneltest.Page, error) {
	return t.Next(ctx, nil, s, lang, width, height)
}

// Next is Enter in the tab of the scene before, which is faster than another tab;
// nil opens one. A tab with a scene that can't be shown is closed.
func (t *Theatre) Next(ctx context.Context, p *paneltest.Page, s *Scene, lang string, width, height int) (*paneltest.Page, error) {
	if s.host() < t.kind {
		return nil, fmt.Errorf("%s comes after scenes with another host", s.Name)
	}
	t.now.Store(s)
	t.lost.Store(false)
	if err := t.change(ctx, s.host()); err != nil {
		return nil, err
	}
	t.turn++ // by which the page of this scene is told from the one before it in the tab
	script := fmt.Sprintf(`globalThis.turn = %d; { const prefs = { theme: "system", contrast: "system", lang: %q, welcomed: %t };
	  localStorage.setItem("prefs", JSON.stringify(prefs)); void chrome.storage.local.set({ prefs }); }`, t.turn, lang, !s.First)
	if t.Still {
		script += fmt.Sprintf(`{ const at = %d, Clock = Date; globalThis.Date = class extends Clock {
		  constructor(...a) { if (a.length > 0) super(...a); else super(at); }
		  static now() { return at; }
		}; }`, t.time().UnixMilli())
	}
	var err error
	if p == nil {
		p, err = t.Browser.OpenWith(ctx, paneltest.PanelURL, width, height, script)
	} else if err = p.Resize(ctx, width, height, 2); err == nil {
		err = p.Go(ctx, paneltest.PanelURL, script)
	}
	if err != nil {
		return nil, err
	}
	if err := p.Until(ctx, fmt.Sprintf(`globalThis.turn === %d && (%s)`, t.turn, s.Until)); err != nil {
		return nil, errors.Join(fmt.Errorf("scene %s: %w", s.Name, err), p.Close(ctx))
	}
	if s.Lost {
		t.lost.Store(true)
		_ = t.host.Load().Close() // Chrome sees its host exit
		if err := p.Until(ctx, paneltest.ByTestID("host-missing")); err != nil {
			return nil, errors.Join(fmt.Errorf("scene %s: %w", s.Name, err), p.Close(ctx))
		}
	}
	if s.Then == nil {
		return p, nil
	}
	if err := s.Then(ctx, p); err != nil {
		return nil, errors.Join(fmt.Errorf("scene %s: %w", s.Name, err), p.Close(ctx))
	}
	return p, nil
}

// time is what the panel's clock shows.
func (t *Theatre) time() time.Time {
	if t.Still {
		return time.UnixMilli(day(0))
	}
	return time.Now()
}

// change brings another kind of host about.
func (t *Theatre) change(ctx context.Context, to HostKind) error {
	before := t.kind
	if to == before {
		return nil
	}
	t.kind = to
	if before == NoHost {
		return t.Browser.Register(ctx, t.play)
	}
	if h := t.host.Load(); h != nil {
		_ = h.Close() // Chrome sees its host exit, and the extension asks again
	}
	return nil
}

// play answers the panel with the scene's state and events.
func (t *Theatre) play(_ context.Context, h *paneltest.Host, m wire.Message) (any, error) {
	s := t.now.Load()
	switch m.Method {
	case wire.MethodHello:
		if t.lost.Load() {
			return nil, &wire.Error{Code: wire.CodeInternal, Message: "Native host has exited."}
		}
		t.host.Store(h)
		return s.hello()
	case wire.MethodPanelState:
		return wire.PanelState{Version: "0.1.0", Extension: s.Ext, Models: s.Models, Tasks: s.tasks(), Tour: true}, nil
	case wire.MethodTaskList:
		return wire.TaskList{Tasks: s.tasks()}, nil
	case wire.MethodModelList:
		return s.Models, nil
	case wire.MethodTaskSubscribe:
		t.view.Store(&m.Chan)
		return s.subscribe(h, m.Chan, t.time())
	case wire.MethodConvList:
		talks := talks(t.time())
		return wire.ConvList{Conversations: talks, Total: len(talks)}, nil
	case wire.MethodStepThumb:
		return wire.Picture{MIME: "image/png", Data: thumb()}, nil
	case wire.MethodSettingsShow, wire.MethodSettingsSet:
		if s.Fault != nil {
			return nil, s.Fault
		}
		if m.Method == wire.MethodSettingsSet && s.Refuse != nil {
			return nil, s.Refuse
		}
		return settingsInfo, nil
	case wire.MethodModelPulls:
		return wire.PullList{Pulls: s.Pulls}, nil
	case wire.MethodModelCheck:
		return s.Check, nil
	case wire.MethodDoctorRun:
		return s.Report, nil
	case wire.MethodFlowList:
		if s.Flow == nil {
			return wire.FlowList{Flows: []wire.FlowInfo{}}, nil
		}
		return wire.FlowList{Flows: []wire.FlowInfo{*s.Flow}}, nil
	case wire.MethodSessionList:
		return wire.SessionList{Sessions: s.Programs}, nil
	case wire.MethodSavedList:
		return wire.SavedList{Saved: s.Saved}, nil
	case wire.MethodPolicyShow:
		if s.Policy == nil {
			return wire.PolicyInfo{Preset: "standard", Grants: []wire.GrantInfo{}}, nil
		}
		return s.Policy, nil
	default:
		return wire.Empty{}, nil
	}
}

func (s *Scene) hello() (any, error) {
	older := map[HostKind]string{OldHost: "host", OldExtension: "extension"}[s.host()]
	if older == "" {
		return wire.HelloResult{Protocol: wire.ProtocolMax, Version: "0.1.0", PID: 1, Session: "shots"}, nil
	}
	data, err := json.Marshal(wire.OlderData{Older: older})
	if err != nil {
		return nil, err
	}
	return nil, &wire.Error{Code: wire.CodeProtocol, Message: "No common protocol version; the " + older + " is too old.", Data: data}
}

func (s *Scene) subscribe(h *paneltest.Host, channel string, now time.Time) (any, error) {
	for i, e := range s.Events {
		e.Task, e.Seq, e.Global, e.Time = "t1", uint64(i+1), uint64(i+1), now.Add(-s.Ago).UnixMilli()
		if err := h.Event(channel, wire.EventTask, e); err != nil {
			return nil, err
		}
	}
	for _, d := range []wire.DeltaEvent{{Task: "t1", Kind: "reasoning", Text: s.Thoughts}, {Task: "t1", Kind: "text", Text: s.Delta}, {Task: "t1", Kind: wire.DeltaAnswer, Text: s.Answer}} {
		if d.Text == "" {
			continue
		}
		if err := h.Event(channel, wire.EventDelta, d); err != nil {
			return nil, err
		}
	}
	return wire.Subscribed{Replayed: len(s.Events)}, nil
}

func (s *Scene) tasks() []wire.TaskInfo {
	if len(s.Events) == 0 {
		return nil
	}
	all := []wire.TaskInfo{{Task: "t1", Text: s.Events[0].Text, State: s.State, Model: s.Models.Using, Resumable: s.State == wire.TaskInterrupted}}
	if s.Other != nil {
		all = append(all, *s.Other)
	}
	return all
}
