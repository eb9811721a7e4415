package control

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// launch runs the task in a goroutine that Stop and Close wait for.
func (m *Manager) launch(j job) error {
	m.Models.EndWarm(j.model.Model)
	id, p, place, set := j.id, j.p, j.place, j.set
	ctx, cancel := context.WithCancelCause(context.Background())
	rec := &record{m: m, task: id, driver: place.Driver, forget: set.Forget}
	desk := agent.NewUserChannel(rec)
	desk.Ask, desk.NoUser = place.Ask, place.NoUser
	desk.Remember = m.remember(id)
	l := &live{id: id, place: place, tab: j.tab.ID, desk: desk, cancel: cancel, done: make(chan struct{})}
	critic := m.criticOf(j.userWords(), j.model, set)
	hands := m.sessionOptions(j, desk)
	if critic != nil {
		hands.Critic = critic
	}
	var err error
	l.session, err = action.NewSession(hands)
	if err != nil {
		cancel(err)
		return err
	}
	rec.session = l.session
	j.addRecalls(l.session)
	work, err := m.prepareRun(id, p, l.session, set, agent.Options{
		Text: p.Text, Lang: p.Lang, Model: j.model.Model, Strong: j.model.Strong,
		User: desk, Record: rec, Budget: set.Budget, WaitBrowser: place.Wait, Leaving: place.Leaving, Critic: critic, Validator: set.Validator,
		Before: j.before, Attach: j.attach, Past: j.past, Begin: j.begin,
	})
	if err != nil {
		cancel(err)
		return errors.Join(err, l.session.Close(context.WithoutCancel(ctx))) // nothing is attached yet
	}
	if err := m.join(l); err != nil {
		cancel(err)
		return errors.Join(err, l.session.Close(context.WithoutCancel(ctx))) // nothing is attached yet
	}
	go func() {
		defer m.leave(l)
		defer cancel(nil)
		m.wg.Go(func() { l.watchTabLoss(ctx, p.Lang) })
		work(ctx)
		m.finish(l)
	}()
	return nil
}

// sessionOptions returns the options of a task's session, without its critic.
func (m *Manager) sessionOptions(j job, desk *agent.UserChannel) action.Options {
	uploads := m.uploadsOf(j.id, j.set.UploadDirs)
	began := j.tab
	began.URL = j.home // the user's page, not the one the task has since moved to
	return action.Options{
		Driver: j.place.Driver, Tab: j.tab.ID, Opened: j.own && j.tab.URL != "" && j.tab.URL != "about:blank", Confirmer: desk, Watcher: desk,
		Policy: policyFor(j.p, began, uploads), UploadDirs: uploads, SearchURL: j.set.SearchURL,
		Log: m.Log.With().Str("task", j.id).Logger(), Lang: j.p.Lang, TextOnly: true,
		HighWater: func(tab browser.TabID) int { return m.highWater(j.place.Profile, tab) },
		Task:      j.p.Text, Secrets: m.Secrets, Openers: m.openersOf(j.place.Profile), OwnTab: j.own, TaskDir: m.taskDir(j.id),
		Rules: m.rules(), Audit: m.auditor(j.id, DoorTask),
	}
}

// recordStartFailure records that a task could not begin, and why. If the browser or the
// broker is ending, the task can be resumed.
func (m *Manager) recordStartFailure(id string, why error) error {
	e := wire.AsError(why)
	ev := wire.Event{Task: id, Type: wire.EvFailed, Text: e.Message, Error: e}
	if isGoingAway(why) {
		ev.Type = wire.EvInterrupted
	}
	_, err := m.Journal.Append(ev)
	return err
}

// isGoingAway reports whether err comes from a browser that is not connected, is
// ending, or came back without the tab, or from a broker that ends.
func isGoingAway(err error) bool {
	for _, code := range []wire.Code{wire.CodeNoBrowser, agent.CodeBrowserGone, wire.CodeClosed} {
		if errors.Is(err, &wire.Error{Code: code}) {
			return true
		}
	}
	return errors.Is(err, browser.ErrGone)
}

// policyFor returns the policy context of a task. Its sites are the one it begins
// on and those that the user's words name. A local address is allowed only if the
// user was on it already or named it.
func policyFor(p wire.TaskStartParams, tab browser.TabInfo, uploads []string) safety.Context {
	c := safety.Context{UploadDirs: uploads, Sites: slices.Clone(p.Hosts), LocalHosts: slices.Clone(p.Hosts)}
	named := append([]string{tab.URL, p.URL}, p.URLs...)
	for _, w := range strings.FieldsFunc(p.Text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'“”<>()，。、", r) }) {
		w = strings.TrimRight(w, ".,;:!?")
		if strings.ContainsAny(w, ".:") || w == "localhost" {
			named = append(named, w)
		}
	}
	for _, n := range named {
		if !strings.Contains(n, "://") {
			n = "https://" + n
		}
		u, err := url.Parse(n)
		if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
			continue
		}
		c.Sites = append(c.Sites, u.Hostname())
		c.LocalHosts = append(c.LocalHosts, u.Hostname())
	}
	return c
}
