package control

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// Start begins a task in a place and returns as soon as it is on disk.
func (m *Manager) Start(ctx context.Context, p wire.TaskStartParams, place Place) (wire.TaskInfo, error) {
	return m.startAs(ctx, newID(), p, place)
}

// startAs is Start of a task that has its id already.
func (m *Manager) startAs(ctx context.Context, id string, p wire.TaskStartParams, place Place) (wire.TaskInfo, error) {
	if strings.TrimSpace(p.Text) == "" {
		return wire.TaskInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "The task has no words.", Hint: "Say what is to be done."}
	}
	set := m.settings()
	if p.Lang == "" {
		p.Lang = set.Lang
	}
	if p.Lang == "" {
		p.Lang = agent.Language(p.Text) // one language for prompts, steps and cards
	}
	model, err := m.modelFor(ctx, p)
	if err != nil {
		return wire.TaskInfo{}, err
	}
	before, err := m.History().Before(p.Conversation)
	if err != nil {
		return wire.TaskInfo{}, err
	}
	if p.Part != nil {
		if err := m.announce(ctx, id, p, model, place); err != nil {
			return wire.TaskInfo{}, err
		}
	}
	tab, begin, err := m.startTab(ctx, id, place.Driver, p)
	if err != nil {
		return wire.TaskInfo{}, errors.Join(err, m.unannounce(id, p, err))
	}
	info, err := m.begin(job{
		id: id, p: p, place: place, tab: tab, own: p.TabID == 0, home: tab.URL, begin: begin, model: model, set: set, before: before,
	})
	if err != nil && p.TabID == 0 { // a tab that was opened for nothing
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), detachTime)
		defer cancel()
		err = errors.Join(err, place.Driver.CloseTab(closing, tab.ID))
	}
	if err != nil {
		err = errors.Join(err, m.unannounce(id, p, err))
	}
	return info, err
}

// job is a task that is about to run.
type job struct {
	id    string
	p     wire.TaskStartParams
	place Place
	tab   browser.TabInfo
	own   bool   // the tab was opened for it
	home  string // the page it began on
	begin string // what it opens itself, first: the user is asked before
	model models.Model
	set   TaskSettings

	before []agent.Exchange // of the conversation
	attach []agent.Attached
	past   *agent.Past // of a task that is taken up again
	// pastSites are the sites that it has been on.
	pastSites []string
}

// begin takes the tab, puts the task on disk and runs it; where the tab is
// another's, it may wait for it.
func (m *Manager) begin(j job) (info wire.TaskInfo, err error) {
	id, p := j.id, j.p
	busy := m.leaseTab(j.place.Profile, j.tab.ID, id)
	if busy != nil && !p.Queue {
		return info, busy
	}
	info = wire.TaskInfo{
		Task: id, Text: p.Text, State: wire.TaskRunning, Model: j.model.ID, Started: nowMillis(), Conversation: p.Conversation,
	}
	if info.Conversation == "" {
		info.Conversation = id
	}
	info.TabID, _ = strconv.Atoi(string(j.tab.ID)) // a target id of a launched browser is no number, and needs none
	rec := journal.Task{TaskInfo: info, URL: p.URL, Lang: p.Lang, Profile: j.place.Profile, Run: browser.RunOf(j.place.Driver), Home: j.home, Own: j.own}
	if rec.Attach, j.attach, err = m.attach(id, p.Attach); err == nil && p.Part == nil {
		err = m.keepExtras(id, p) // whoever takes it up needs them
	}
	if err == nil && busy != nil {
		return m.enqueue(j, rec, busy)
	}
	if err == nil {
		err = m.Journal.Create(rec)
	}
	if err == nil {
		_, err = m.Journal.Append(wire.Event{Task: id, Type: wire.EvStarted, Text: p.Text})
	}
	if err != nil {
		m.release(j.place.Profile, id)
		return info, err
	}
	if err := m.launch(j); err != nil {
		m.release(j.place.Profile, id)
		if p.Part == nil { // else whoever announced it ends it
			err = errors.Join(err, m.notBegun(id, err))
		}
		return info, err
	}
	return info, nil
}

// announce puts a node's task on disk before its tab is opened, so that the tab
// is found again if the broker ends just then.
func (m *Manager) announce(ctx context.Context, id string, p wire.TaskStartParams, model models.Model, place Place) error {
	tabs, err := place.Driver.Tabs(ctx)
	if err != nil {
		return err
	}
	rec := journal.Task{
		TaskInfo: wire.TaskInfo{Task: id, Text: p.Text, State: wire.TaskRunning, Model: model.ID, Started: nowMillis(), Conversation: id},
		URL:      p.URL, Lang: p.Lang, Profile: place.Profile, Run: browser.RunOf(place.Driver), Own: true,
	}
	rec.Opening = openingAmong(tabs, rec.Run)
	if err := m.keepExtras(id, p); err != nil {
		return err
	}
	return m.Journal.Create(rec)
}

// openingAmong is what tells a tab that is opened now from those that are there.
func openingAmong(tabs []browser.TabInfo, run string) *journal.Opening {
	o := &journal.Opening{Run: run}
	for _, t := range tabs {
		o.Above = max(o.Above, numberOf(t.ID))
	}
	return o
}

// numberOf is a tab's number; 0 in a launched browser, where ids are none.
func numberOf(id browser.TabID) int {
	n, err := strconv.Atoi(string(id))
	if err != nil {
		return 0
	}
	return n
}

// unannounce ends a node's task that was announced and could not begin, wherever
// that failed: nothing of it runs, and nobody else would end it.
func (m *Manager) unannounce(id string, p wire.TaskStartParams, why error) error {
	if p.Part == nil {
		return nil
	}
	rec, err := m.Journal.Task(id)
	if err == nil && rec.Seq == 0 {
		_, err = m.Journal.Append(wire.Event{Task: id, Type: wire.EvStarted, Text: p.Text})
	}
	return errors.Join(err, m.notBegun(id, why))
}

// notBegun records that a task could not begin, and why; where the browser or the
// broker is going just then, it can be taken up.
func (m *Manager) notBegun(id string, why error) error {
	e := wire.AsError(why)
	ev := wire.Event{Task: id, Type: wire.EvFailed, Text: e.Message, Error: e}
	if isGoingAway(why) {
		ev.Type = wire.EvInterrupted
	}
	_, err := m.Journal.Append(ev)
	return err
}

// isGoingAway tells an error of a browser that is not there just now, goes in this
// moment, or came back without the tab, or of a broker that ends.
func isGoingAway(err error) bool {
	for _, code := range []wire.Code{wire.CodeNoBrowser, agent.CodeBrowserGone, wire.CodeClosed} {
		if errors.Is(err, &wire.Error{Code: code}) {
			return true
		}
	}
	return errors.Is(err, browser.ErrGone)
}

func nowMillis() int64 { return time.Now().UnixMilli() }

// userWords are the user's words for a task, those of the conversation before it
// among them.
func (j job) userWords() wire.TaskStartParams {
	p, words := j.p, []string{}
	for _, e := range j.before {
		words = append(words, e.Asked)
	}
	p.Text = strings.Join(append(words, p.Text), "\n")
	return p
}

// launch runs the task in a goroutine that Wait and Stop wait for.
func (m *Manager) launch(j job) error {
	m.Models.EndWarm(j.model.Model)
	id, p, place, set := j.id, j.p, j.place, j.set
	ctx, cancel := context.WithCancelCause(context.Background())
	rec := &record{m: m, task: id, driver: place.Driver, forget: set.Forget}
	desk := agent.NewUserChannel(rec)
	desk.Ask, desk.NoPerson = place.Ask, place.NoUser
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

// sessionOptions is what a task's session is made of, but for its critic.
func (m *Manager) sessionOptions(j job, desk *agent.UserChannel) action.Options {
	uploads := m.uploadsOf(j.id, j.set.UploadDirs)
	began := j.tab
	began.URL = j.home // what the user was at, and not where the task has gone since
	return action.Options{
		Driver: j.place.Driver, Tab: j.tab.ID, Opened: j.own && j.tab.URL != "" && j.tab.URL != "about:blank", Confirmer: desk, Watcher: desk,
		Policy: policyFor(j.p, began, uploads), UploadDirs: uploads, SearchURL: j.set.SearchURL,
		Log: m.Log.With().Str("task", j.id).Logger(), Lang: j.p.Lang, TextOnly: true,
		HighWater: func(tab browser.TabID) int { return m.highWater(j.place.Profile, tab) },
		Task:      j.p.Text, Secrets: m.Secrets, OwnTab: j.own, TaskDir: m.taskDir(j.id),
		Rules: m.rules(), Audit: m.auditor(j.id, DoorTask),
	}
}

// work runs the loop, or what does the task in its place. A fault of ours in one task must not take the broker,
// and with it every other task, down: it becomes that task's failure.
func (m *Manager) work(ctx context.Context, id string, o agent.Options, do func(context.Context, agent.Options) error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		m.Log.Error().Str("task", id).Interface("panic", r).Bytes("stack", debug.Stack()).Msg("task panicked")
		e := &wire.Error{Code: wire.CodeInternal, Message: "Tabwright itself failed in this task.", Hint: "See the log of the broker."}
		if err := o.Record.Emit(wire.Event{Type: wire.EvFailed, Text: e.Message, Error: e}); err != nil {
			m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
		}
	}()
	if err := do(ctx, o); err != nil {
		m.Log.Error().Err(err).Str("task", id).Msg("the task's end could not be recorded")
	}
}

// startTab is the tab the user was in, or a new one; a node of a workflow has its tab
// behind the one that the user looks at. An address that is asked about before it is
// opened comes back as begin, and the tab is empty.
func (m *Manager) startTab(ctx context.Context, id string, d browser.Driver, p wire.TaskStartParams) (tab browser.TabInfo, begin string, err error) {
	if p.TabID == 0 {
		at := p.URL
		if p.Replay != nil { // a replay goes there by itself
			at = ""
		}
		to, asks, err := m.mayOpen(id, p, browser.TabInfo{}, at)
		if err != nil {
			return tab, "", err
		}
		if asks {
			to, begin = "about:blank", to
		}
		tab, err = d.Open(ctx, to, p.Part == nil, "")
		return tab, begin, err
	}
	tab, err = userTab(ctx, d, p)
	return tab, "", err
}

// mayOpen asks the gate about the address that a task's tab is to be opened at.
func (m *Manager) mayOpen(id string, p wire.TaskStartParams, home browser.TabInfo, address string) (to string, asks bool, err error) {
	to, asks, bad := action.MayOpen(action.Options{
		Policy: policyFor(p, home, nil), Rules: m.rules(), Audit: m.auditor(id, DoorTask), Log: m.Log, Lang: p.Lang,
	}, address)
	if bad != nil {
		return "", false, &wire.Error{Code: wire.Code(bad.Code), Message: bad.Message, Hint: bad.Hint}
	}
	return to, asks, nil
}

// userTab is the tab that the user began a task in.
func userTab(ctx context.Context, d browser.Driver, p wire.TaskStartParams) (browser.TabInfo, error) {
	tabs, err := d.Tabs(ctx)
	if err != nil {
		return browser.TabInfo{}, err
	}
	id := browser.TabID(strconv.Itoa(p.TabID))
	i := slices.IndexFunc(tabs, func(t browser.TabInfo) bool { return t.ID == id })
	if i < 0 {
		return browser.TabInfo{}, &wire.Error{Code: wire.Code(action.TabClosed), Message: "The tab the task was to begin in is gone."}
	}
	browser.Take(d, id) // the user is in it
	return tabs[i], nil
}

// taskDir is where a task's files go; it is made with the first of them.
func (m *Manager) taskDir(id string) string {
	if m.FilesDir == "" {
		return ""
	}
	return filepath.Join(m.FilesDir, id)
}

// policyFor is what the gate knows of a task: it began on a site, and the
// user's own words name others. A local address is allowed only when the
// user was there already or named it.
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

// newID gives ids that sort by time.
func newID() string {
	return "t" + strconv.FormatInt(time.Now().UnixMilli(), 36) + strings.ToLower(rand.Text()[:4])
}

// startTime bounds the start of a task: asking the model server what it has,
// opening a tab.
const startTime = 30 * time.Second
