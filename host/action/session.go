package action

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// actionTime bounds one action, without the time a user takes to answer a card and
// the time that a wait was asked for.
const actionTime = 30 * time.Second

// Options configure a Session.
type Options struct {
	Driver browser.Driver
	// Tab is the tab where the task begins.
	Tab browser.TabID
	// Opened says that Tab was just opened, at an address.
	Opened bool
	// Confirmer asks the user; without one everything that needs a
	// confirmation is denied.
	Confirmer Confirmer
	// Watcher is told before input is sent; may be nil.
	Watcher Watcher
	// Policy is what the gate knows of the task.
	Policy safety.Context
	// Task is the user's request, in their words; empty if a program acts. Its words
	// may be written on any site.
	Task string
	// Rules returns the user's current policy; nil is the standard preset. It is
	// called for each act, so that a change applies at once.
	Rules func() *safety.Policy
	// Audit records decisions and acts; after its error nothing is sent. May
	// be nil.
	Audit func(Audited) error
	// Critic takes a second look at acts that the gate lets pass; may be nil.
	Critic Critic
	// Secrets is the user's vault; nil if there is none.
	Secrets Secrets
	// Openers are the controls that are known to only open a question; nil learns none.
	Openers *Openers
	// UploadDirs are the folders that files may be uploaded from.
	UploadDirs []string
	Log        zerolog.Logger
	Lang       string // of Result.Line and cards: en or zh
	// TextOnly says that a model reads the results, only Text and Image.
	TextOnly bool
	// HighWater returns the highest index ever given in a tab, from the journal;
	// may be nil.
	HighWater func(browser.TabID) int
	// OwnTab says that Tab was opened for this task, which may then close it.
	OwnTab bool
	// TaskDir is the folder of savePDF, download and exportFile; without one they
	// are unsupported.
	TaskDir string
	// SearchURL is the engine of webSearch: an address with {query} in it;
	// DefaultSearchURL if empty.
	SearchURL string

	backend backend // tests put a fake here
}

// Session is one task's access to a browser: the tabs that the task may see, what it
// was shown of them, and what the user denied. Its methods may be called from
// several goroutines; one action runs at a time.
type Session struct {
	o   Options
	b   backend
	reg *Registry

	acting chan struct{}  // holds one token while a Do or an Observe runs
	loose  sync.WaitGroup // cleanup after a stopped act; Close waits for it

	mu      sync.Mutex
	current browser.TabID
	tabs    map[browser.TabID]*held
	joined  int
	aliens  map[browser.TabID]bool // tabs that never belong to the task, even if it opened them
	denials []safety.Deed
	stopped []string // keys of refused requests, from sameRequest
	// allowedPress is the press that the user allowed last.
	allowedPress allowedPress
	policy       safety.Context
	known        origins
	hidden       map[string]string // secret values, and their replacements in texts
	// texts counts the texts that were written, acted the acts that were done.
	texts, acted int
	// consents are what the user allowed for the rest of the task, critic the
	// critic's earlier answers.
	consents []safety.Consent
	critic   map[string]bool
	stop     func()
	// notes are for the next result; tookBack says that the user took the
	// current tab back.
	notes    []string
	tookBack bool
}

// held is a tab the task may see. page is nil until the tab is first needed.
type held struct {
	info browser.TabInfo
	seq  int // the order in which the tabs joined the task
	tab  tab
	page *pagecontext.Page
	// attached says that this session attached the tab and must release it.
	attached bool
	// acted is the label of what was last acted on: a dialog may ask about that.
	acted string
	// placed says that a key may have moved the caret.
	placed bool
	// told is the page counter at the last result or look.
	told int
	// lost says that tab was detached: it is attached again on its next use.
	lost bool
	// unsettled are the frames that an act left watched because a dialog opened,
	// watched those of the last act.
	unsettled, watched []frame
	// asked is a request for files by an input outside the page.
	asked *asked
	// mouse is where the mouse was last moved to, and pressed the button still held
	// down. One action runs at a time, so no lock guards them.
	mouse   *XY
	pressed *pressed
	keys    []string // held by keyDown
	// own says that the task opened the tab, so that it may close it; handed says
	// that it is the user's, who let the session use it; granted is the host that
	// the session may open because of that.
	own, handed bool
	granted     string
	// pdfs are the last PDF documents that were read in the tab.
	pdfs []keptPDF
	// userSeen is the time of the user's last input that was taken into account.
	userSeen time.Time
}

// NewSession starts a session in a tab. The tab is attached on its first use.
func NewSession(o Options) (*Session, error) {
	b := o.backend
	if b == nil {
		if o.Driver == nil {
			return nil, errors.New("action session: no driver")
		}
		b = realDriver{o.Driver}
	}
	if o.Tab == "" {
		return nil, errors.New("action session: no tab")
	}
	if o.Lang != Chinese {
		o.Lang = English
	}
	o.Policy.Lang = o.Lang
	if o.Policy.Lang == "" {
		o.Policy.Lang = o.Lang
	}
	o.Policy.UploadDirs = append(slices.Clone(o.Policy.UploadDirs), o.UploadDirs...)
	o.Policy.LocalHosts = append(slices.Clone(o.Policy.LocalHosts), engineHost(o.SearchURL)...)
	if o.TaskDir != "" {
		o.Policy.WriteDirs = append(slices.Clone(o.Policy.WriteDirs), o.TaskDir)
	}
	s := &Session{
		o: o, b: b, reg: std, acting: make(chan struct{}, 1), current: o.Tab, policy: o.Policy, known: newOrigins(o.Task),
		tabs: map[browser.TabID]*held{o.Tab: {info: browser.TabInfo{ID: o.Tab}, own: o.OwnTab}},
	}
	events, cancel := b.Subscribe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range events {
			s.onTab(e)
		}
	}()
	s.stop = sync.OnceFunc(func() { cancel(); <-done })
	return s, nil
}

// ForgetDenials makes the session ask again about refused acts. Call it only after
// new words of the user's own (steering, a new task).
func (s *Session) ForgetDenials() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.denials, s.stopped = nil, nil
}

// Close releases held keys and buttons, and the tabs that the session
// attached.
func (s *Session) Close(ctx context.Context) error {
	s.stop()
	s.loose.Wait()
	s.mu.Lock()
	var ids []browser.TabID
	var hs []*held
	for id, h := range s.tabs {
		if h.attached {
			ids, hs = append(ids, id), append(hs, h)
		}
	}
	s.mu.Unlock()
	for _, h := range hs {
		s.releaseHeldInput(ctx, h)
	}
	var errs []error
	for _, id := range ids {
		errs = append(errs, s.b.Release(ctx, id))
	}
	return errors.Join(errs...)
}
