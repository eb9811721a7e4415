package control

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/control/clientsession"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// openSession opens a session in a tab of its own.
func (c *conn) openSession(ctx context.Context, p wire.SessionOpenParams) (*session, error) {
	b, m := c.b, c.b.Manager
	if p.Confirm == "" {
		p.Confirm = clientsession.Ask
	}
	if err := checkOpenParams(p); err != nil {
		return nil, err
	}
	id := newID()
	s := &session{asked: p, asks: p.Confirm == clientsession.Ask, own: p.Launch != nil || p.CDP != "", lang: cmp.Or(p.Lang, b.Lang), patience: b.SessionIdle, info: wire.SessionInfo{
		Session: p.Name, Task: id, Client: cmp.Or(p.Client, "A program"), New: true, Started: time.Now().UnixMilli(),
	}}
	if p.Name == "" {
		s.owner, s.info.Session = c, "s"+strings.ToLower(rand.Text()[:10])
	}
	place, err := c.sessionPlace(ctx, p, s)
	if err != nil {
		return nil, err
	}
	undo := func(err error) (*session, error) {
		if s.own {
			err = errors.Join(err, place.Driver.Close())
		}
		return nil, err
	}
	tab, err := firstTab(ctx, place.Driver, p.Launch != nil, func(t browser.TabID) bool { _, held := m.holder(place.Profile, t); return held })
	if err != nil {
		return undo(err)
	}
	if err := m.leaseTab(place.Profile, tab.ID, id); err != nil {
		return undo(err)
	}
	info := wire.TaskInfo{Task: id, Text: s.info.Client, Kind: KindSession, State: wire.TaskRunning, Started: s.info.Started}
	info.TabID, _ = strconv.Atoi(string(tab.ID)) // a launched browser's is no number
	err = m.Journal.Create(journal.Task{TaskInfo: info, Lang: p.Lang, Profile: place.Profile, Run: browser.RunOf(place.Driver)})
	if err == nil {
		_, err = m.Journal.Append(wire.Event{Task: id, Type: wire.EvStarted, Text: s.info.Client})
	}
	if err == nil {
		set := m.settings()
		s.client, err = clientsession.New(clientsession.Options{
			Confirm: p.Confirm, Record: &record{m: m, task: id}, Log: b.Log, UserPlace: userOf(p),
			Action: action.Options{
				Driver: place.Driver, Tab: tab.ID, UploadDirs: set.UploadDirs, SearchURL: set.SearchURL, Lang: s.lang,
				Policy: SessionPolicy(p.Launch != nil, p.Profile == "", p.Confirm, p.Hosts, set.UploadDirs), Log: b.Log.With().Str("task", id).Logger(),
				HighWater: func(tab browser.TabID) int { return m.highWater(place.Profile, tab) },
				Secrets:   m.Secrets, Openers: m.openersOf(place.Profile), OwnTab: true, TaskDir: m.taskDir(id), Rules: m.rules(), Audit: m.auditor(id, s.info.Client),
			},
		})
	}
	if err != nil {
		m.release(place.Profile, id)
		return undo(err)
	}
	if !s.own {
		s.client.User().Remember = m.remember(id)
	}
	if err := b.run(s, place, tab.ID); err != nil {
		m.release(place.Profile, id)
		ended := wire.Event{Task: id, Type: wire.EvFailed, Text: err.Error(), Error: wire.AsError(err)}
		_, saved := m.Journal.Append(ended)
		return undo(errors.Join(err, saved))
	}
	return s, nil
}

// checkOpenParams refuses parameters that do not go together.
func checkOpenParams(p wire.SessionOpenParams) error {
	bad := func(message, hint string) error {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: message, Hint: hint}
	}
	switch {
	case p.Confirm == clientsession.Allow && (p.Launch == nil || p.Profile != ""):
		return bad("Confirm allow goes with a launched browser only, and with no profile that stays.", "In your own browser the side panel answers.")
	case p.Launch == nil && IsOwn(p.Profile):
		return bad("An own profile needs to be told how to start.", "Give launch.")
	case p.Launch != nil && p.Profile != "" && !IsOwn(p.Profile):
		return bad("A browser that runs already can't be launched.", "Give launch or the profile.")
	case p.CDP != "" && (p.Launch != nil || p.Profile != ""):
		return bad("A browser that is joined by its address is not launched and has no profile's name.", "Give one of cdp, launch and profile.")
	case p.CDP != "" && p.Confirm != clientsession.Deny:
		return bad("Nobody can be asked in a browser that is joined by its address.", "Give confirm deny.")
	case p.Launch == nil && p.CDP == "" && p.Isolated:
		return bad("Only a launched or joined browser can be isolated.", "Use --launch, --profile own or --cdp.")
	}
	return nil
}

// checkMatch returns an error unless an open session has what p asks for.
func (s *session) checkMatch(p wire.SessionOpenParams) error {
	where := "in your own browser"
	if s.own {
		where = "in a browser of its own"
	}
	if IsOwn(s.info.Profile) {
		where = "in profile " + s.info.Profile
	}
	if s.cdp != "" {
		where = "in the browser at " + s.cdp
	}
	profile := p.Profile
	if folder, err := ownFolder(profile); err == nil && IsOwn(profile) {
		profile = ownProfile(folder)
	}
	other := p.CDP != "" && p.CDP != s.cdp || p.Launch != nil && (!s.own || s.cdp != "" || profile != s.info.Profile) || p.Isolated && !s.info.Isolated ||
		p.Launch == nil && profile != "" && (s.own || profile != wire.ProfileChrome && !strings.HasPrefix(s.info.Profile, profile))
	if with := s.difference(p); !other && with != "" {
		other, where = true, "with "+with
	}
	if !other {
		return nil
	}
	return &wire.Error{
		Code: wire.CodeInvalidParams, Message: fmt.Sprintf("Session %q is open already, %s.", s.info.Session, where),
		Hint: "Close it first, or name another session.",
	}
}

// difference names a property of an open session that differs from p and can't be
// changed while it is open; empty if none does.
func (s *session) difference(p wire.SessionOpenParams) string {
	was := s.asked
	switch {
	case p.Confirm != "" && p.Confirm != was.Confirm:
		return "confirm " + was.Confirm
	case slices.ContainsFunc(p.Hosts, func(h string) bool { return !slices.Contains(was.Hosts, h) }):
		return fmt.Sprintf("the hosts %q", was.Hosts)
	case p.Launch == nil || was.Launch == nil:
		return ""
	case p.Launch.Headless != was.Launch.Headless:
		return map[bool]string{true: "a headless browser", false: "a browser that has a window"}[was.Launch.Headless]
	case p.Launch.Browser != "" && p.Launch.Browser != was.Launch.Browser:
		return "another browser"
	case len(p.Launch.Args) > 0 && !slices.Equal(p.Launch.Args, was.Launch.Args):
		return fmt.Sprintf("the browser's arguments %q", was.Launch.Args)
	}
	return ""
}

// userOf returns where the user of a session answers questions.
func userOf(p wire.SessionOpenParams) clientsession.UserPlace {
	switch {
	case p.CDP != "":
		return clientsession.UserAtWindow
	case p.Launch == nil:
		return clientsession.UserInPanel
	case p.Launch.Headless:
		return clientsession.NoUser
	}
	return clientsession.UserAtWindow
}

// sessionPlace returns the browser of a session: the connected one, a launched one,
// or one joined by its address.
func (c *conn) sessionPlace(ctx context.Context, p wire.SessionOpenParams, s *session) (Place, error) {
	if p.CDP != "" {
		s.cdp, s.info.Isolated = p.CDP, p.Isolated
		d, err := joinPart(ctx, p.CDP, c.b.Extractor, p.Isolated)
		if err != nil {
			err = &wire.Error{Code: wire.CodeNoBrowser, Message: "The browser at " + p.CDP + " can't be joined: " + err.Error(), Hint: "Start it with --remote-debugging-port, and give http://127.0.0.1:PORT."}
		}
		return Place{NoUser: true, Driver: d}, err
	}
	if p.Launch != nil {
		return c.launchedPlace(ctx, p, s)
	}
	place, err := c.b.placeOf(ctx, p.Profile)
	if err != nil {
		return Place{}, err
	}
	s.info.Profile = place.Profile
	for _, r := range c.b.status(ctx).Relays {
		if r.Profile == place.Profile {
			s.info.Browser = strings.TrimSpace(r.Browser.Name + " " + r.Browser.Version)
		}
	}
	return place, nil
}

// launchedPlace launches a browser, or shares the running one of an own profile.
func (c *conn) launchedPlace(ctx context.Context, p wire.SessionOpenParams, s *session) (Place, error) {
	o := LaunchOptions{
		Headless: p.Launch.Headless, Browser: p.Launch.Browser, Args: p.Launch.Args, Env: p.Launch.Env,
		Extractor: c.b.Extractor, NoEnvArgs: true,
	}
	s.info.Launched, s.info.Isolated = true, p.Isolated
	place := Place{NoUser: true}
	var err error
	if IsOwn(p.Profile) {
		var shared *part
		if shared, err = c.b.share(ctx, p.Profile, o, p.Isolated); err == nil {
			place.Driver = shared
			folder, _ := ownFolder(p.Profile) // share has checked it
			s.info.Profile = ownProfile(folder)
			place.Profile = s.info.Profile
		}
	} else {
		place.Driver, err = launchPart(ctx, o, p.Isolated)
	}
	var ne *wire.Error
	if err != nil && !errors.As(err, &ne) {
		err = &wire.Error{Code: wire.CodeNoBrowser, Message: "The browser did not start: " + err.Error(), Hint: "Name one with --browser."}
	}
	return place, err
}

// launchPart launches a browser and returns it, or an isolated context of it.
func launchPart(ctx context.Context, o LaunchOptions, isolated bool) (browser.Driver, error) {
	l, err := Launch(ctx, o)
	if err != nil || !isolated {
		return l, err
	}
	return (&part{Driver: l, ended: l.Done(), end: l.Close}).isolate(ctx, l)
}

// joinPart connects to the browser at a DevTools address and returns it, or an
// isolated context of it. Closing that ends the connection, not the browser.
func joinPart(ctx context.Context, url, extractor string, isolated bool) (*part, error) {
	d, err := direct.Connect(ctx, url, direct.Options{Extractor: extractor})
	if err != nil {
		return nil, err
	}
	p := &part{Driver: d, ended: driverGone(d), shared: !isolated, end: d.Close}
	if !isolated {
		return p, nil
	}
	return p.isolate(ctx, directDriver{d})
}

// placeOf returns the connected profile whose id is or begins with profile.
func (b *Broker) placeOf(ctx context.Context, profile string) (Place, error) {
	if profile == "" || profile == wire.ProfileChrome {
		return b.Place(ctx)
	}
	b.mu.Lock()
	var found []*relayLink
	for id, l := range b.relays {
		if id == profile {
			found = []*relayLink{l}
			break
		}
		if strings.HasPrefix(id, profile) {
			found = append(found, l)
		}
	}
	b.mu.Unlock()
	if len(found) != 1 {
		return Place{}, &wire.Error{
			Code: wire.CodeNoBrowser, Message: fmt.Sprintf("%d connected profiles are called %q.", len(found), profile), Hint: "`tabwright profiles` lists them.",
		}
	}
	return found[0].ready(ctx)
}

// firstTab returns the tab that a session begins in: a new one, or the empty one of
// a launched browser.
func firstTab(ctx context.Context, d browser.Driver, own bool, held func(browser.TabID) bool) (browser.TabInfo, error) {
	if own {
		tabs, err := d.Tabs(ctx)
		if err != nil {
			return browser.TabInfo{}, err
		}
		for _, t := range tabs {
			if t.URL == "about:blank" && !held(t.ID) {
				return t, nil
			}
		}
	}
	return d.Open(ctx, "about:blank", own, "")
}

// loopback lists the local hosts that a launched browser may open: it is meant for
// pages under development and is not in the user's own session.
var loopback = []string{"127.0.0.0/8", "::1/128", "localhost", ".localhost", ".test"}

// SessionPolicy returns the policy context of a session: the hosts named when it was
// opened and, in a launched browser, this computer's. In a permanent profile (not
// fresh) the user may be signed in, so writing on a new site is asked about.
func SessionPolicy(launched, fresh bool, confirm string, hosts, uploads []string) safety.Context {
	c := safety.Context{UploadDirs: slices.Clone(uploads), UnaskedUploads: confirm == clientsession.Allow, LocalHosts: slices.Clone(hosts), Sites: slices.Clone(hosts)}
	if launched {
		c.LocalHosts = append(c.LocalHosts, loopback...)
		c.AnySite = fresh // nobody is logged in there
	}
	return c
}
