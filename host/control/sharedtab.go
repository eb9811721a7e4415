package control

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// Messages when the user shares a tab or takes it back.
var (
	handedText = map[string]string{
		action.English: "You let %s use the tab %q.",
		action.Chinese: "您允许 %s 使用标签页 %q。",
	}
	takenText = map[string]string{
		action.English: "You took a tab back from %s.",
		action.Chinese: "您从 %s 收回了一个标签页。",
	}
)

// panel returns the browser whose side panel calls, and refuses any other client.
func (c *conn) panel(from *rpc.Channel) (*relayLink, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == nil || from.Name() == "" {
		return nil, &wire.Error{Code: wire.CodePanelOnly, Message: "Only the side panel does this.", Hint: "Open the Tabwright side panel."}
	}
	return c.link, nil
}

// requireUser refuses a call that only the user may make about a program's session
// in their browser: that they are done in a tab, or that the program may go on. The
// program itself can reach the broker, too.
func (c *conn) requireUser(from *rpc.Channel, task string) error {
	if s := c.b.sessions.byTask(task); s == nil || s.own {
		return nil
	}
	_, err := c.panel(from)
	return err
}

// mostBegun is how many of its started tasks a connection remembers.
const mostBegun = 1000

// addBegun notes that a task was started on this connection.
func (c *conn) addBegun(task string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.begun = append(c.begun, task); len(c.begun) > mostBegun {
		c.begun = c.begun[1:]
	}
}

// speaksFor reports whether a message to a task comes from its user: from the panel
// or from the program that started the task. Any other program of the same user can
// reach the socket, too, and does not speak for the user.
func (c *conn) speaksFor(from *rpc.Channel, task string) bool {
	if _, err := c.panel(from); err == nil {
		return true
	}
	if c.b.sessions.byTask(task) != nil {
		return true // requireUser has checked it
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.begun, task)
}

// sessionHere returns a session that works in the calling panel's browser.
func (c *conn) sessionHere(from *rpc.Channel, name string) (*session, *relayLink, error) {
	link, err := c.panel(from)
	if err != nil {
		return nil, nil, err
	}
	s, err := c.b.sessions.get(name)
	if err != nil || s.own || s.live.place.Profile != link.profile {
		return nil, nil, noSession(name)
	}
	return s, link, nil
}

// onSessionHand lets a session use a tab of the user's.
func (c *conn) onSessionHand(ctx context.Context, from *rpc.Channel, p wire.SessionTabParams) (wire.Empty, error) {
	s, link, err := c.sessionHere(from, p.Session)
	if err != nil {
		return wire.Empty{}, err
	}
	tabs, err := link.driver.Tabs(ctx)
	if err != nil {
		return wire.Empty{}, err
	}
	id := browser.TabID(strconv.Itoa(p.TabID))
	at := slices.IndexFunc(tabs, func(t browser.TabInfo) bool { return t.ID == id })
	if at < 0 {
		return wire.Empty{}, &wire.Error{Code: wire.Code(action.TabClosed), Message: "That tab is gone."}
	}
	if !isDrivable(tabs[at].URL) {
		return wire.Empty{}, &wire.Error{
			Code: wire.Code(action.Unsupported), Message: "Nothing can be done in one of the browser's own pages.", Hint: "Open a website in it first.",
		}
	}
	m := c.b.Manager
	if by, held := m.holder(link.profile, id); held && by == s.info.Task {
		return wire.Empty{}, nil // it has it already
	}
	if err := m.leaseTab(link.profile, id, s.info.Task); err != nil {
		return wire.Empty{}, err
	}
	if s.live.place.Allow != nil {
		s.live.place.Allow(id) // permits it again if the user closed the debugging bar there
	}
	browser.Take(s.live.place.Driver, id)
	s.client.Action().Receive(tabs[at])
	return wire.Empty{}, c.b.tell(s, fmt.Sprintf(handedText[lang(s.lang)], s.info.Client, tabs[at].Title))
}

// onSessionTake takes a tab away from a session.
func (c *conn) onSessionTake(ctx context.Context, from *rpc.Channel, p wire.SessionTabParams) (wire.Empty, error) {
	s, link, err := c.sessionHere(from, p.Session)
	if err != nil {
		return wire.Empty{}, err
	}
	id := browser.TabID(strconv.Itoa(p.TabID))
	if by, held := c.b.Manager.holder(link.profile, id); !held || by != s.info.Task {
		return wire.Empty{}, nil // it has it no more
	}
	err = s.client.Action().GiveBack(ctx, id)
	c.b.Manager.releaseTab(link.profile, id, s.info.Task)
	if err != nil {
		return wire.Empty{}, err
	}
	return wire.Empty{}, c.b.tell(s, fmt.Sprintf(takenText[lang(s.lang)], s.info.Client))
}

// tell records a notice in the session's journal.
func (b *Broker) tell(s *session, text string) error {
	_, err := b.Manager.Journal.Append(wire.Event{Task: s.info.Task, Type: wire.EvNotify, Level: "info", Text: text})
	return err
}

func lang(l string) string {
	if l == action.Chinese {
		return l
	}
	return action.English
}
