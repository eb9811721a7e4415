package control

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// nowhere is a browser with one tab that can never be attached.
type nowhere struct {
	browser.Driver
	opened chan struct{}
	closed chan struct{}
	letGo  chan struct{} // subscriptions that ended; may be nil
}

func (nowhere) Open(context.Context, string, bool, browser.TabID) (browser.TabInfo, error) {
	return browser.TabInfo{ID: "7"}, nil
}

func (n nowhere) Attach(ctx context.Context, _ browser.TabID) (*browser.Tab, error) {
	select {
	case n.opened <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (n nowhere) Subscribe() (<-chan browser.TabEvent, func()) {
	ch := make(chan browser.TabEvent)
	return ch, sync.OnceFunc(func() {
		close(ch)
		if n.letGo != nil {
			n.letGo <- struct{}{}
		}
	})
}

func (nowhere) Tabs(context.Context) ([]browser.TabInfo, error) {
	return []browser.TabInfo{{ID: "7"}}, nil
}

func (n nowhere) CloseTab(context.Context, browser.TabID) error {
	select {
	case n.closed <- struct{}{}:
	default:
	}
	return nil
}

func (nowhere) Release(context.Context, browser.TabID) error { return nil }

// manager gives one whose model is never asked.
func manager(t *testing.T) *Manager {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	j, err := journal.Open(filepath.Join(t.TempDir(), "j.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return &Manager{Journal: j, Log: zerolog.Nop(), Models: &models.Catalog{Config: func(string) (llm.Config, error) {
		return llm.Config{Provider: "openai", BaseURL: server.URL, APIKey: "x", Model: "m"}, nil
	}}}
}

// faulty panics at the first touch.
type faulty struct{ nowhere }

func (faulty) Attach(context.Context, browser.TabID) (*browser.Tab, error) { panic("a fault of ours") }

func TestAFaultInOneTaskIsThatTasksFailure(t *testing.T) {
	m := manager(t)
	info, err := m.Start(t.Context(), wire.TaskStartParams{Text: "x"}, Place{Driver: faulty{}, Profile: "p1"})
	if err != nil {
		t.Fatal(err)
	}
	<-m.TaskDone(info.Task)
	if got, err := m.Journal.Task(info.Task); err != nil || got.State != wire.TaskFailed {
		t.Errorf("%+v %v", got, err)
	}
	m.Close(agent.ErrStopped)
}

func TestAManagerThatEndsTakesNoMoreTasks(t *testing.T) {
	m := manager(t)
	j := m.Journal
	d := nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}
	place := Place{Driver: d, Profile: "p1"}
	info, err := m.Start(t.Context(), wire.TaskStartParams{Text: "x"}, place)
	if err != nil {
		t.Fatal(err)
	}
	<-d.opened
	_, err = m.Start(t.Context(), wire.TaskStartParams{Text: "y"}, place)
	wantCode(t, err, wire.CodeTabBusy)
	<-d.closed // a tab that was opened for a refused task does not stay
	_, err = m.Start(t.Context(), wire.TaskStartParams{Text: "y", TabID: 7}, place)
	wantCode(t, err, wire.CodeTabBusy)
	if len(d.closed) != 0 {
		t.Error("the user's own tab was closed")
	}
	if err := m.Stop(t.Context(), info.Task); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Task(info.Task); err != nil || got.State != wire.TaskCancelled {
		t.Errorf("after Stop: %+v %v", got, err)
	}
	// The tab is free at once, although it stays attached for a while.
	if info, err = m.Start(t.Context(), wire.TaskStartParams{Text: "z"}, place); err != nil {
		t.Fatal(err)
	}
	m.Close(agent.ErrStopped)
	if len(m.ended.tasks) != 0 || m.CountRunning() != 0 {
		t.Errorf("left over: %d tabs, %d tasks", len(m.ended.tasks), m.CountRunning())
	}
	_, err = m.Start(t.Context(), wire.TaskStartParams{Text: "late"}, place)
	wantCode(t, err, wire.CodeClosed)
	if m.CountRunning() != 0 {
		t.Error("a task began after the end")
	}
	if got, err := j.Task(info.Task); err != nil || got.State != wire.TaskCancelled {
		t.Errorf("after Close: %+v %v", got, err)
	}
}

// A broker whose binary was replaced hands over, but only once the new file
// stands still, and not while a task runs.
func TestAReplacedBinaryTakesOver(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "tabwright")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(binary, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("old")
	place := Place{Driver: nowhere{opened: make(chan struct{}, 1)}, Profile: "p1"}
	m := manager(t)
	dial, _, ended := startBroker(t, func(b *Broker) {
		b.Manager, b.binary, b.lookEvery = m, binary, 5*time.Millisecond
	})
	joined(t, dial) // it serves
	info, err := m.Start(t.Context(), wire.TaskStartParams{Text: "x"}, place)
	if err != nil {
		t.Fatal(err)
	}
	<-place.Driver.(nowhere).opened
	write("the new one")
	select {
	case err := <-ended:
		t.Fatalf("it left its task: %v", err)
	case <-time.After(100 * time.Millisecond): // twenty looks
	}
	if err := m.Stop(t.Context(), info.Task); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, ErrUpdated) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it did not hand over")
	}
}

// The tabs of an ended task are let go of after a while, but not under the next
// task that works in them.
func TestTabsAreNotLetGoUnderTheNextTask(t *testing.T) {
	m := manager(t)
	m.ended.after = 5 * time.Millisecond
	d := nowhere{opened: make(chan struct{}, 1), letGo: make(chan struct{}, 4)}
	place := Place{Driver: d, Profile: "p1"}
	begin := func() string {
		t.Helper()
		info, err := m.Start(t.Context(), wire.TaskStartParams{Text: "x", TabID: 7}, place)
		if err != nil {
			t.Fatal(err)
		}
		<-d.opened
		return info.Task
	}
	first := begin()
	m.ended.letting.Lock() // the first one's time comes only when the second has begun
	if err := m.Stop(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	ended := func(what string) {
		t.Helper()
		select {
		case <-d.letGo:
		case <-time.After(10 * time.Second):
			t.Fatal(what)
		}
	}
	ended("a task that ended still looks whether its tab is there")
	if err := m.lease("p1", "7", "next"); err != nil {
		t.Fatal(err)
	}
	m.ended.letting.Unlock()
	select {
	case <-d.letGo:
		t.Fatal("the tab was let go under the next task")
	case <-time.After(50 * time.Millisecond): // ten times its time
	}
	m.release("p1", "next")
	ended("the tab stays attached for ever")
	second := begin() // and can be taken again
	m.Close(agent.ErrStopped)
	if n := len(d.letGo); n != 2 { // the task's, and its tab's
		t.Errorf("the end of the broker leaves something attached: %d of 2 ended", n)
	}
	if got, err := m.Journal.Task(second); err != nil || got.State != wire.TaskCancelled {
		t.Errorf("%+v %v", got, err)
	}
}
