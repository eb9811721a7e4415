package extension_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"tabwright/extension/paneltest"
	"tabwright/host/native"
)

// house plays a host with several conversations, each of several tasks.
type house struct {
	mu     sync.Mutex
	convs  []native.ConvInfo // the newest first, with their tasks, the oldest first
	events map[string][]native.Event
	host   *paneltest.Host
	follow map[string]string // panel → the task it follows
	panels map[string]bool
	calls  chan native.Message // what changes something
	extra  func(m native.Message) (any, bool)
	again  int      // events sent once more with each subscription
	shown  []string // the tasks that were followed, in order
}

func newHouse() *house {
	return &house{events: map[string][]native.Event{}, follow: map[string]string{}, panels: map[string]bool{}, calls: make(chan native.Message, 256)}
}

func (s *house) handle(_ context.Context, h *paneltest.Host, m native.Message) (any, error) {
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
	case native.MethodHello:
		s.host = h
		return native.HelloResult{Protocol: 1, Version: "test", Session: "s"}, nil
	case native.MethodPanelState:
		return native.PanelState{Version: "test", Models: models, Tasks: s.tasks()}, nil
	case native.MethodTaskList:
		return native.TaskList{Tasks: s.tasks()}, nil
	case native.MethodModelList:
		return models, nil
	case native.MethodTaskSubscribe:
		return s.subscribe(h, m)
	case native.MethodConvList:
		p := params[native.ConvListParams](m)
		var out native.ConvList
		for _, c := range s.convs {
			if strings.Contains(strings.ToLower(c.Title), strings.ToLower(p.Query)) {
				c.Tasks = nil
				out.Conversations = append(out.Conversations, c)
			}
		}
		out.Total = len(out.Conversations)
		return out, nil
	case native.MethodConvShow:
		return s.conv(params[native.ConvRef](m).Conversation)
	case native.MethodConvRename:
		p := params[native.ConvRenameParams](m)
		for i := range s.convs {
			if s.convs[i].Conversation == p.Conversation {
				s.convs[i].Title = p.Title
			}
		}
		s.calls <- m
		return s.conv(p.Conversation)
	case native.MethodConvDelete:
		id := params[native.ConvRef](m).Conversation
		s.convs = slices.DeleteFunc(s.convs, func(c native.ConvInfo) bool { return c.Conversation == id })
		s.calls <- m
		return native.Empty{}, nil
	case native.MethodConvExport:
		p := params[native.ConvExportParams](m)
		s.calls <- m
		return native.Exported{Name: "talk." + p.Format, MIME: "text/plain", Text: "all of " + p.Conversation}, nil
	case native.MethodTaskStart:
		p := params[native.TaskStartParams](m)
		s.calls <- m
		return s.begin(p.Conversation, p.Text), nil
	case native.MethodSessionList, native.MethodPolicyShow:
		return nil, &native.Error{Code: native.CodeUnknownMethod, Message: m.Method}
	default:
		s.calls <- m
		return native.Empty{}, nil
	}
}

var models = native.ModelList{Models: []native.ModelInfo{{ID: "ollama/small", Local: true}}, Using: "ollama/small"}

func params[T any](m native.Message) T {
	var v T
	_ = json.Unmarshal(m.Params, &v) // the test sees what is missing
	return v
}

// subscribe sends the events behind the answer, as the broker does.
func (s *house) subscribe(h *paneltest.Host, m native.Message) (any, error) {
	p := params[native.SubscribeParams](m)
	from := min(int(p.Seq), len(s.events[p.Task]))
	return paneltest.Later{Answer: native.Subscribed{Replayed: len(s.events[p.Task]) - from}, Then: func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.follow[m.Chan] = p.Task
		s.shown = append(s.shown, p.Task)
		for _, e := range s.events[p.Task][max(0, from-s.again):] {
			_ = h.Event(m.Chan, native.EventTask, e)
		}
	}}, nil
}

func (s *house) conv(id string) (native.ConvInfo, error) {
	for _, c := range s.convs {
		if c.Conversation == id {
			return c, nil
		}
	}
	return native.ConvInfo{}, &native.Error{Code: "no_conversation", Message: "There is no such conversation."}
}

func (s *house) tasks() []native.TaskInfo {
	var out []native.TaskInfo
	for _, c := range s.convs {
		for _, t := range slices.Backward(c.Tasks) {
			out = append(out, t)
		}
	}
	return out
}

// begin adds a running task to a conversation, or to a new one.
func (s *house) begin(conv, text string) native.TaskInfo {
	id := "t" + string(rune('a'+len(s.events)))
	info := native.TaskInfo{Task: id, Text: text, State: native.TaskRunning, Model: models.Using, Conversation: conv}
	if conv == "" {
		info.Conversation = id
		s.convs = append([]native.ConvInfo{{Conversation: id, Title: text, State: info.State}}, s.convs...)
	}
	s.events[id] = nil
	for i := range s.convs {
		if s.convs[i].Conversation == info.Conversation {
			s.convs[i].Tasks = append(s.convs[i].Tasks, info)
			s.convs[i].Count++
		}
	}
	s.addTo(id, native.Event{Type: native.EvStarted, Text: text})
	return info
}

func (s *house) addTo(task string, e native.Event) {
	e.Task, e.Seq = task, uint64(len(s.events[task])+1)
	s.events[task] = append(s.events[task], e)
	state := map[native.EventType]native.TaskState{
		native.EvComplete: native.TaskDone, native.EvConfirmRequest: native.TaskConfirming, native.EvConfirmResult: native.TaskRunning,
		native.EvPaused: native.TaskPaused, native.EvResumed: native.TaskRunning,
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
			_ = s.host.Event(ch, native.EventTask, e)
		}
	}
}

// emit adds an event to a task and sends it to who follows.
func (s *house) emit(task string, es ...native.Event) {
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
			_ = s.host.Event(ch, native.EventDelta, native.DeltaEvent{Task: task, Kind: "text", Text: text})
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
		s.addTo(info.Task, native.Event{Type: native.EvComplete, Text: "Answer to " + text})
	}
	return conv
}

// change tells every panel of a task, as it stands.
func (s *house) change(info native.TaskInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ch := range s.panels {
		if ch != "" {
			_ = s.host.Event(ch, native.EventTaskChanged, info)
		}
	}
}

func (s *house) call(ctx context.Context, t *testing.T, method string) native.Message {
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
