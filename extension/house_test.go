package extension_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// house plays a host with several conversations, each of several tasks.
type house struct {
	mu     sync.Mutex
	convs  []wire.ConvInfo // the newest first, with their tasks, the oldest first
	events map[string][]wire.Event
	host   *paneltest.Host
	follow map[string]string // panel → the task it follows
	panels map[string]bool
	calls  chan wire.Message // what changes something
	extra  func(m wire.Message) (any, bool)
	again  int      // events sent once more with each subscription
	shown  []string // the tasks that were followed, in order
}

func newHouse() *house {
	return &house{events: map[string][]wire.Event{}, follow: map[string]string{}, panels: map[string]bool{}, calls: make(chan wire.Message, 256)}
}

func (s *house) handle(_ context.Context, h *paneltest.Host, m wire.Message) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.panels[m.Chan] = true
	if s.extra != nil {
		if v, ok := s.extra(m); ok {
			s.calls <- m
			return v, nil
		}
	}
	switch m.Method {
	case wire.MethodHello:
		s.host = h
		return wire.HelloResult{Protocol: 1, Version: "test", Session: "s"}, nil
	case wire.MethodPanelState:
		return wire.PanelState{Version: "test", Models: models, Tasks: s.tasks()}, nil
	case wire.MethodTaskList:
		return wire.TaskList{Tasks: s.tasks()}, nil
	case wire.MethodModelList:
		return models, nil
	case wire.MethodTaskSubscribe:
		return s.subscribe(h, m)
	case wire.MethodConvList:
		p := params[wire.ConvListParams](m)
		var out wire.ConvList
		for _, c := range s.convs {
			if strings.Contains(strings.ToLower(c.Title), strings.ToLower(p.Query)) {
				c.Tasks = nil
				out.Conversations = append(out.Conversations, c)
			}
		}
		out.Total = len(out.Conversations)
		return out, nil
	case wire.MethodConvShow:
		return s.conv(params[wire.ConvRef](m).Conversation)
	case wire.MethodConvRename:
		p := params[wire.ConvRenameParams](m)
		for i := range s.convs {
			if s.convs[i].Conversation == p.Conversation {
				s.convs[i].Title = p.Title
			}
		}
		s.calls <- m
		return s.conv(p.Conversation)
	case wire.MethodConvDelete:
		id := params[wire.ConvRef](m).Conversation
		s.convs = slices.DeleteFunc(s.convs, func(c wire.ConvInfo) bool { return c.Conversation == id })
		s.calls <- m
		return wire.Empty{}, nil
	case wire.MethodConvExport:
		p := params[wire.ConvExportParams](m)
		s.calls <- m
		return wire.Exported{Name: "talk." + p.Format, MIME: "text/plain", Text: "all of " + p.Conversation}, nil
	case wire.MethodTaskStart:
		p := params[wire.TaskStartParams](m)
		s.calls <- m
		return s.begin(p.Conversation, p.Text), nil
	case wire.MethodSessionList, wire.MethodPolicyShow:
		return nil, &wire.Error{Code: wire.CodeUnknownMethod, Message: m.Method}
	default:
		s.calls <- m
		return wire.Empty{}, nil
	}
}

var models = wire.ModelList{Models: []wire.ModelInfo{{ID: "ollama/small", Local: true}}, Using: "ollama/small"}

func params[T any](m wire.Message) T {
	var v T
	_ = json.Unmarshal(m.Params, &v) // the test sees what is missing
	return v
}

// subscribe sends the events behind the answer, as the broker does.
func (s *house) subscribe(h *paneltest.Host, m wire.Message) (any, error) {
	p := params[wire.SubscribeParams](m)
	from := min(int(p.Seq), len(s.events[p.Task]))
	return paneltest.Later{Answer: wire.Subscribed{Replayed: len(s.events[p.Task]) - from}, Then: func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.follow[m.Chan] = p.Task
		s.shown = append(s.shown, p.Task)
		for _, e := range s.events[p.Task][max(0, from-s.again):] {
			_ = h.Event(m.Chan, wire.EventTask, e)
		}
	}}, nil
}

func (s *house) conv(id string) (wire.ConvInfo, error) {
	for _, c := range s.convs {
		if c.Conversation == id {
			return c, nil
		}
	}
	return wire.ConvInfo{}, &wire.Error{Code: "no_conversation", Message: "There is no such conversation."}
}

func (s *house) tasks() []wire.TaskInfo {
	var out []wire.TaskInfo
	for _, c := range s.convs {
		for _, t := range slices.Backward(c.Tasks) {
			out = append(out, t)
		}
	}
	return out
}

// begin adds a running task to a conversation, or to a new one.
func (s *house) begin(conv, text string) wire.TaskInfo {
	id := "t" + string(rune('a'+len(s.events)))
	info := wire.TaskInfo{Task: id, Text: text, State: wire.TaskRunning, Model: models.Using, Conversation: conv}
	if conv == "" {
		info.Conversation = id
		s.convs = append([]wire.ConvInfo{{Conversation: id, Title: text, State: info.State}}, s.convs...)
	}
	s.events[id] = nil
	for i := range s.convs {
		if s.convs[i].Conversation == info.Conversation {
			s.convs[i].Tasks = append(s.convs[i].Tasks, info)
			s.convs[i].Count++
		}
	}
	s.addTo(id, wire.Event{Type: wire.EvStarted, Text: text})
	return info
}

func (s *house) addTo(task string, e wire.Event) {
	e.Task, e.Seq = task, uint64(len(s.events[task])+1)
	s.events[task] = append(s.events[task], e)
	state := map[wire.EventType]wire.TaskState{
		wire.EvComplete: wire.TaskDone, wire.EvConfirmRequest: wire.TaskConfirming, wire.EvConfirmResult: wire.TaskRunning,
		wire.EvPaused: wire.TaskPaused, wire.EvResumed: wire.TaskRunning,
	}[e.Type]
	for i, c := range s.convs {
		for j := range c.Tasks {
			if t := &s.convs[i].Tasks[j]; t.Task == task {
				t.Seq = e.Seq
				if state != "" {
					t.State, s.convs[i].State = state, state
				}
			}
		}
	}
	for ch, following := range s.follow {
		if following == task {
			_ = s.host.Event(ch, wire.EventTask, e)
		}
	}
}

// emit adds an event to a task and sends it to who follows.
func (s *house) emit(task string, es ...wire.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range es {
		s.addTo(task, e)
	}
}

// stream sends passing text of a task to who follows.
func (s *house) stream(task, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ch, following := range s.follow {
		if following == task {
			_ = s.host.Event(ch, wire.EventDelta, wire.DeltaEvent{Task: task, Kind: "text", Text: text})
		}
	}
}

// run is a new conversation with a task under way.
func (s *house) run(text string) (task string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begin("", text).Task
}

// show opens the panel in a tab, beside nothing else.
func (s *house) show(t *testing.T, width int) (context.Context, *paneltest.Page) {
	t.Helper()
	ctx, b := launch(t, s.handle)
	p, err := b.Open(ctx, paneltest.PanelURL, width, 720)
	must(t, err)
	return ctx, p
}

// done is a conversation of tasks that are over.
func (s *house) done(texts ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	conv := ""
	for _, text := range texts {
		info := s.begin(conv, text)
		conv = info.Conversation
		s.addTo(info.Task, wire.Event{Type: wire.EvComplete, Text: "Answer to " + text})
	}
	return conv
}

// change tells every panel of a task, as it stands.
func (s *house) change(info wire.TaskInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ch := range s.panels {
		if ch != "" {
			_ = s.host.Event(ch, wire.EventTaskChanged, info)
		}
	}
}

func (s *house) call(ctx context.Context, t *testing.T, method string) wire.Message {
	t.Helper()
	return (&stage{calls: s.calls}).call(ctx, t, method)
}

// silent fails when the panel asked for that meanwhile.
func (s *house) silent(t *testing.T, method string) {
	t.Helper()
	for {
		select {
		case m := <-s.calls:
			if m.Method == method {
				t.Errorf("the panel called %s %s", m.Method, m.Params)
			}
		default:
			return
		}
	}
}

func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("it lacks %q:\n%s", w, text)
		}
	}
}
