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

// actionTime bounds one action, the time a user takes to answer a card and
// the time an action itself was asked to wait not counted.
const actionTime = 30 * time.Second

// Options is what a Session is made of.
type Options struct {
	Driver browser.Driver
	// Tab is where the task begins.
	Tab browser.TabID
	// Opened says that it was just opened there, at an address.
	Opened bool
	// Confirmer asks the user; without one everything that needs a
	// confirmation is denied.
	Confirmer Confirmer
	// Watcher is told before input is sent; may be nil.
	Watcher Watcher
	// Policy is what the gate knows of the task.
	Policy safety.Context
	// Task is what the user asked for, in their words; empty where a program
	// acts. What it says may be written anywhere.
	Task string
	// Rules gives the user's own policy as it stands now; nil is the standard
	// preset. It is asked for each act, so that a change counts at once.
	Rules func() *safety.Policy
	// Audit keeps what is decided and done; after its error nothing is sent. May
	// be nil.
	Audit func(Audited) error
	// Critic looks once more at what the gate lets pass; may be nil.
	Critic Critic
	// Secrets is the user's vault; nil where there is none.
	Secrets Secrets
	// UploadDirs are the folders that files may be uploaded from.
	UploadDirs []string
	Log        zerolog.Logger
	Lang       string // of Result.Line and cards: en or zh
	// TextOnly says that of results only Text and Image are read, by a model.
	TextOnly bool
	// HighWater gives the highest index ever given in a tab, from the journal;
	// may be nil.
	HighWater func(browser.TabID) int
	// OwnTab says that Tab was opened for this task, which may close it then.
	OwnTab bool
	// TaskDir is where savePDF, download and exportFile write; without one they
	// are unsupported.
	TaskDir string
	// SearchURL is the engine of webSearch: an address with {query} in it;
	// DefaultSearchURL if empty.
	SearchURL string

	backend backend // tests put a fake here
}

// Session is one task's hold on a browser: the tabs it may see, what it was
// shown of them, and what the user denied. Its methods may be called from
// several goroutines; one action runs at a time.
type Session struct {
	o   Options
	b   backend
	reg *Registry

	acting chan struct{}  // holds one token while a Do or an Observe runs
	loose  sync.WaitGroup // what ends on its own after a stopped act; Close waits

	mu      sync.Mutex
	current browser.TabID
	tabs    map[browser.TabID]*held
	joined  int
	aliens  map[browser.TabID]bool // tabs that are none of the task's, whoever opened them
	denials []safety.Deed
	stopped []string // requests that were refused, as sameRequest has them
	policy  safety.Context
	known   origins
	hidden  map[string]string // values that are said nowhere, and what stands for them
	// texts is how many texts were written, and acted how many acts were done.
	texts, acted int
	// consents are what the user allowed for the rest of the task, and critic
	// what was said of acts before.
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
	seq  int // in the order in which the tabs came to the task
	tab  tab
	page *pagecontext.Page
	// attached says that this session attached the tab and must release it.
	attached bool
	// placed says that a key may have put the caret where it is.
	placed bool
	// told is the page counter that the last result or look gave.
	told int
	// lost says that tab was detached: it is attached anew on its next use.
	lost bool
	// unsettled are the frames that an act left watched because a dialog opened,
	// watched those of the last act.
	unsettled, watched []frame
	// asked is an input outside the page that asked for a file.
	asked *asked
	// mouse is where the mouse was last sent, and pressed what it was pressed on
	// and not let go yet. One action runs at a time, so no lock guards them.
	mouse   *XY
	pressed *pressed
	keys    []string // held by keyDown
	// own says that the task opened the tab, so that it may close it; handed
	// that it is the user's, who let the session use it, and granted the host
	// that may be opened for that.
	own, handed bool
	granted     string
	// pdfs are the PDF documents of the tab that were read last.
	pdfs []keptPDF
	// personSeen is the user's last input that was reckoned with.
	personSeen time.Time
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

// ForgetDenials makes the session ask again for what was denied. Only a new
// word of the user's own (steering, a new task) is a reason to call it.
func (s *Session) ForgetDenials() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.denials, s.stopped = nil, nil
}

// Close lets go of keys and buttons that are held, and releases what the
// session attached.
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
