package control

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/control/client"
	"tabwright/host/control/clientsession"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// SessionClient is a session as the CLI and MCP use it, in this process's browser or
// in one of the broker's.
type SessionClient interface {
	// Do does one action. Every failure is in the result.
	Do(ctx context.Context, c action.Call, confirmation string) wire.SessionResult
	Observe(ctx context.Context, o action.ObserveOptions) wire.SessionResult
	// Explain returns how the gate would judge an action, and does nothing.
	Explain(ctx context.Context, c action.Call) wire.SessionResult
	// Answer answers the open question of a launched browser.
	Answer(ctx context.Context, confirmation string, allow bool, note string) error
	// Done is closed when the session has ended.
	Done() <-chan struct{}
	Close() error
}

// LocalOptions describes a session in a browser that this process starts or joins.
type LocalOptions struct {
	Launch    *LaunchOptions // start a browser
	CDP       string         // or join one by its DevTools address
	Isolated  bool           // with cookies and storage of its own
	Confirm   string         // clientsession.Ask, Deny or Allow
	Hosts     []string       // local hosts that may be opened
	Uploads   []string       // folders from which files may be uploaded
	SearchURL string         // the engine of webSearch, with {query} in it; empty: the default
	Secrets   action.Secrets // the user's vault; nil: none
	Files     string         // folder of files that actions write; empty: none
	Policies  Policies       // the user's own rules; nil: the standard preset
	Audit     *journal.Audit // logs decisions and actions; nil: no log
	Door      string         // who acts, for the audit log
	Lang      string
	Extractor string
	Log       zerolog.Logger
}

type localSession struct {
	*clientsession.Session
	driver browser.Driver
	ended  <-chan struct{}
	own    bool // the browser ends with the session
}

// OpenDriver starts or joins a browser for a command without a broker. profiles is the
// folder of own profiles; profile names one of them, empty means a temporary one.
func OpenDriver(ctx context.Context, o LocalOptions, profiles, profile string) (browser.Driver, error) {
	if o.Launch == nil {
		return joinPart(ctx, o.CDP, o.Extractor, o.Isolated)
	}
	how := *o.Launch
	if profile != "" {
		folder, err := ownFolder(profile)
		if err != nil {
			return nil, err
		}
		how.Profile = filepath.Join(profiles, folder)
	}
	return launchPart(ctx, how, o.Isolated)
}

// OpenLocal opens a session without a broker.
func OpenLocal(ctx context.Context, o LocalOptions) (SessionClient, error) {
	h := &localSession{own: o.Launch != nil}
	place := clientsession.UserAtWindow
	if o.Launch != nil {
		d, err := launchPart(ctx, *o.Launch, o.Isolated)
		if err != nil {
			return nil, err
		}
		h.driver, h.ended = d, browserEnd(d, true)
		if o.Launch.Headless {
			place = clientsession.NoUser
		}
	} else {
		d, err := joinPart(ctx, o.CDP, o.Extractor, o.Isolated)
		if err != nil {
			return nil, err
		}
		h.driver, h.ended = d, d.Done()
	}
	tab, err := firstTab(ctx, h.driver, o.Launch != nil, func(browser.TabID) bool { return false })
	if err == nil {
		h.Session, err = clientsession.New(clientsession.Options{Confirm: o.Confirm, Log: o.Log, UserPlace: place, Action: action.Options{
			Driver: h.driver, Tab: tab.ID, UploadDirs: o.Uploads, SearchURL: o.SearchURL, Lang: o.Lang, Log: o.Log,
			OwnTab: true, Secrets: o.Secrets, Openers: new(action.Openers), TaskDir: o.Files, Rules: rulesOf(o.Policies), Audit: auditorOf(o.Audit, "", o.Door),
			Policy: SessionPolicy(o.Launch != nil, true, o.Confirm, o.Hosts, o.Uploads),
		}})
	}
	if err != nil {
		return nil, errors.Join(err, h.driver.Close())
	}
	return h, nil
}

func (h *localSession) Done() <-chan struct{} { return h.ended }

func (h *localSession) Answer(_ context.Context, id string, allow bool, note string) error {
	return h.Session.Answer(id, allow, note)
}

func (h *localSession) Close() error {
	h.Stop(clientsession.ErrClosed)
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	var err error
	if !h.own {
		err = errors.Join(closeBlank(ctx, h.driver, h.Action()), h.Session.Close(ctx))
	}
	return errors.Join(err, h.driver.Close())
}

type remoteSession struct {
	c    *client.Client
	info wire.SessionInfo
	keep bool
	gone chan struct{}
	once sync.Once // closes gone
	told sync.Once // the first result names profile and browser
}

// ErrBrokerGone is the error of a call during which the broker ended.
var ErrBrokerGone = &wire.Error{
	Code: wire.Code(action.Detached), Message: "Tabwright's broker ended in the middle of this; whether it was done is not known",
	Hint: "Look before you do it again. The next call starts the broker anew, and a session without a name with it.",
}

// OpenRemote opens a session in the broker, or joins an open one.
func OpenRemote(ctx context.Context, c *client.Client, p wire.SessionOpenParams) (SessionClient, wire.SessionInfo, error) {
	h := &remoteSession{c: c, keep: p.Name != "", gone: make(chan struct{})}
	if err := c.Call(ctx, wire.MethodSessionOpen, p, &h.info); err != nil {
		return nil, h.info, err
	}
	return h, h.info, nil
}

// callTime bounds a call to the broker: an action, and the time that a user takes
// to answer.
const callTime = 15 * time.Minute

func (h *remoteSession) Do(ctx context.Context, c action.Call, confirmation string) wire.SessionResult {
	p := wire.SessionDoParams{Session: h.info.Session, Action: c.Name, Params: c.Params, ConfirmationID: confirmation}
	return h.call(ctx, c.Name, wire.MethodSessionDo, p)
}

func (h *remoteSession) Observe(ctx context.Context, o action.ObserveOptions) wire.SessionResult {
	return h.call(ctx, "observe", wire.MethodSessionObserve, wire.SessionObserveParams{Session: h.info.Session, Full: o.Full, Budget: o.Budget})
}

func (h *remoteSession) Explain(ctx context.Context, c action.Call) wire.SessionResult {
	return h.call(ctx, c.Name, wire.MethodSessionDo, wire.SessionDoParams{Session: h.info.Session, Action: c.Name, Params: c.Params, Explain: true})
}

func (h *remoteSession) call(ctx context.Context, name, method string, p any) (r wire.SessionResult) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	if err := h.c.Call(ctx, method, p, &r); err != nil {
		switch {
		case errors.Is(err, &wire.Error{Code: wire.CodeClosed}) && ctx.Err() == nil:
			h.markEnded()
			err = ErrBrokerGone
		case errors.Is(err, &wire.Error{Code: wire.CodeNoSession}):
			h.markEnded()
		}
		return ResultOf(name, err)
	}
	r.Action = cmp.Or(r.Action, name)
	if h.info.New {
		h.told.Do(func() { r.Profile, r.Browser = h.info.Profile, h.info.Browser })
	}
	return r
}

func (h *remoteSession) markEnded() { h.once.Do(func() { close(h.gone) }) }

func (h *remoteSession) Answer(ctx context.Context, id string, allow bool, note string) error {
	return h.c.Call(ctx, wire.MethodSessionAnswer, wire.SessionAnswerParams{Session: h.info.Session, ConfirmationID: id, Allow: allow, Note: note}, nil)
}

func (h *remoteSession) Done() <-chan struct{} { return h.gone }

// Close closes the connection, and ends the session unless it has a name.
func (h *remoteSession) Close() error {
	var err error
	if !h.keep {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		err = h.c.Call(ctx, wire.MethodSessionClose, wire.SessionCloseParams{Session: h.info.Session}, nil)
		if errors.Is(err, &wire.Error{Code: wire.CodeNoSession}) {
			err = nil
		}
	}
	return errors.Join(err, h.c.Close())
}

// ResultOf turns the error of a failed call into the result of a failed action.
func ResultOf(name string, err error) wire.SessionResult {
	e := wire.AsError(err)
	text := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	return wire.SessionResult{Action: name, Text: text, Line: e.Message, Error: e}
}
