package control

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabwright/host/agent"
	"tabwright/host/native/wire"
)

// Say passes the user's message and attachments to a task.
func (m *Manager) Say(task, text string, attach ...wire.Attachment) error {
	l, err := m.runningTask(task)
	if err != nil {
		return err
	}
	_, given, err := m.attach(task, attach)
	if err == nil {
		l.desk.SayWith(text, given)
	}
	return err
}

// Tell passes a message to a task from a program that did not start it.
func (m *Manager) Tell(p wire.SayParams) error {
	l, err := m.runningTask(p.Task)
	if err != nil {
		return err
	}
	if len(p.Attach) > 0 {
		return &wire.Error{
			Code: wire.CodePanelOnly, Message: "Only the side panel, or who began the task, attaches something to it.", Hint: "Say it in words, or begin a task of your own.",
		}
	}
	l.desk.Tell(p.Text)
	return nil
}

// Pause makes a task wait before its next step.
func (m *Manager) Pause(task string) error {
	l, err := m.runningTask(task)
	if err == nil {
		l.desk.Pause()
	}
	return err
}

// Unpause lets a paused task go on. It also permits attaching to its tabs again if
// the user closed their debugging bar.
func (m *Manager) Unpause(task string) error {
	l, err := m.runningTask(task)
	if err != nil {
		return err
	}
	if l.place.Allow != nil {
		for _, t := range l.session.Tabs() {
			l.place.Allow(t.ID)
		}
	}
	l.desk.Unpause()
	return nil
}

// Answer answers a card.
func (m *Manager) Answer(a wire.ConfirmAnswer) error {
	l, err := m.runningTask(a.Task)
	if err != nil {
		return err
	}
	if err := l.desk.Answer(a); errors.Is(err, agent.ErrNoCard) {
		return &wire.Error{Code: wire.CodeNoCard, Message: "This question is not open any more."}
	}
	return nil
}

// TakeOver pauses a task at once, so that the user can act in its tab. It returns
// when the task has stopped using the page.
func (m *Manager) TakeOver(ctx context.Context, id string) error {
	l, err := m.runningTask(id)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, parkTime)
	defer cancel()
	select {
	case <-l.desk.TakeOver():
	case <-l.done:
	case <-ctx.Done():
		return &wire.Error{Code: wire.CodeTimeout, Message: fmt.Sprintf("The task did not let go of the page within %s.", parkTime), Hint: "Stop it."}
	}
	return nil
}

// inTakeover reports whether the user acts in a running task's tab.
func (m *Manager) inTakeover(id string) bool {
	l, err := m.runningTask(id)
	return err == nil && l.desk.InTakeover()
}

// parkTime is how long a task may take to stop using the page.
const parkTime = 10 * time.Second
