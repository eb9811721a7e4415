// Package direct drives any Chromium through its DevTools WebSocket. All attached tabs share
// one connection to the browser. In this connection each tab has its own session (a flat
// session of DevTools). Start reading at Connect. The protocol client is in conn.go.
package direct

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	host "tabwright/host/browser"
)

// Options are the options of Connect.
type Options struct {
	// Extractor is the script evaluated in each frame's isolated world.
	Extractor string
	// Downloads is the folder downloads go to; empty leaves that to the browser.
	Downloads string
}

// Driver is a browser.Driver over one WebSocket.
type Driver struct {
	conn   *conn
	opts   Options
	world  string // host.WorldName of the extractor
	bus    *host.Bus
	pool   *host.Pool
	stop   func()
	closed sync.Once

	mu        sync.Mutex
	sessions  map[host.TabID]target.SessionID
	active    host.TabID
	known     map[host.TabID]bool
	downloads map[string]host.TabEvent
}

var _ host.Driver = (*Driver)(nil)

// Connect joins the browser at a ws:// address, or at the http:// address of
// its DevTools port.
func Connect(ctx context.Context, url string, o Options) (*Driver, error) {
	ws, err := webSocketURL(ctx, url)
	if err != nil {
		return nil, err
	}
	c, err := dial(ctx, ws)
	if err != nil {
		return nil, err
	}
	d := &Driver{
		conn: c, opts: o, world: host.WorldName(o.Extractor), bus: host.NewBus(),
		sessions: map[host.TabID]target.SessionID{}, known: map[host.TabID]bool{}, downloads: map[string]host.TabEvent{},
	}
	d.pool = host.NewPool(transport{d}, d.bus)
	d.stop = c.browser.Listen(d.onEvent)
	go func() {
		<-c.browser.Done()
		d.bus.Publish(host.TabEvent{Kind: host.DriverGone, Reason: c.browser.Err().Error()})
	}()
	if err := d.enable(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *Driver) enable(ctx context.Context) error {
	if _, err := cdp.Call(ctx, d.conn.browser, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true}); err != nil {
		return fmt.Errorf("watch the browser's tabs: %w", err)
	}
	yes := true
	p := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDefault, EventsEnabled: &yes}
	if d.opts.Downloads != "" {
		p.Behavior, p.DownloadPath = browser.SetDownloadBehaviorBehaviorAllow, d.opts.Downloads
	}
	if _, err := cdp.Call(ctx, d.conn.browser, browser.SetDownloadBehavior, p); err != nil {
		return fmt.Errorf("watch the browser's downloads: %w", err)
	}
	return nil
}

// webSocketURL asks the DevTools port for the browser's WebSocket.
func webSocketURL(ctx context.Context, url string) (string, error) {
	if strings.HasPrefix(url, "ws://") || strings.HasPrefix(url, "wss://") {
		return url, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(url, "/")+"/json/version", nil)
	if err != nil {
		return "", fmt.Errorf("DevTools address: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", fmt.Errorf("ask for the browser's WebSocket: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	var v struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil || v.URL == "" {
		return "", fmt.Errorf("%s is no DevTools port (status %s)", url, res.Status)
	}
	return v.URL, nil
}

// Browser returns the raw session of the browser itself.
func (d *Driver) Browser() cdp.Session { return d.conn.browser }

// Kind returns "direct".
func (d *Driver) Kind() string { return "direct" }

// Tabs lists the pages. DevTools does not tell which tab is active: the one that
// was last opened or activated through this driver counts as active, else the
// first.
func (d *Driver) Tabs(ctx context.Context) ([]host.TabInfo, error) {
	return d.tabsOf(ctx, func(*target.Info) bool { return true })
}

// tabsOf lists the pages for which wanted returns true.
func (d *Driver) tabsOf(ctx context.Context, wanted func(*target.Info) bool) ([]host.TabInfo, error) {
	res, err := cdp.Call(ctx, d.conn.browser, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return nil, fmt.Errorf("list tabs: %w", err)
	}
	var tabs []host.TabInfo
	active := -1
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, i := range res.TargetInfos {
		if !isTab(i) || !wanted(i) {
			continue
		}
		t := tabInfo(i)
		if t.ID == d.active {
			active = len(tabs)
		}
		tabs = append(tabs, t)
	}
	if len(tabs) > 0 {
		tabs[max(active, 0)].Active = true
	}
	return tabs, nil
}

func isTab(i *target.Info) bool {
	return i != nil && i.Type == "page" && i.Subtype == "" && !strings.HasPrefix(i.URL, "devtools://")
}

func tabInfo(i *target.Info) host.TabInfo {
	return host.TabInfo{ID: host.TabID(i.TargetID), URL: i.URL, Title: i.Title, Opener: host.TabID(i.OpenerID)}
}

// Attach returns the tab, attached and ready.
func (d *Driver) Attach(ctx context.Context, id host.TabID) (*host.Tab, error) {
	t, err := d.pool.Attach(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("attach tab: %w", err)
	}
	return t, nil
}

// Open opens a tab. DevTools can't set an opener, so opener is only put into the
// result.
func (d *Driver) Open(ctx context.Context, url string, active bool, opener host.TabID) (host.TabInfo, error) {
	return d.openIn(ctx, "", url, active, opener)
}

func (d *Driver) openIn(ctx context.Context, in cdp.BrowserContextID, url string, active bool, opener host.TabID) (host.TabInfo, error) {
	if url == "" {
		url = "about:blank"
	}
	clean, err := host.CheckURL(url)
	if err != nil {
		return host.TabInfo{}, err
	}
	background := !active
	res, err := cdp.Call(ctx, d.conn.browser, target.CreateTarget, target.CreateTargetParams{URL: clean, Background: &background, BrowserContextID: in})
	if err != nil {
		return host.TabInfo{}, fmt.Errorf("open tab: %w", err)
	}
	id := host.TabID(res.TargetID)
	if active {
		d.setActive(id)
	}
	return host.TabInfo{ID: id, URL: clean, Active: active, Opener: opener}, nil
}

// Activate brings the tab to the front.
func (d *Driver) Activate(ctx context.Context, id host.TabID) error {
	if _, err := cdp.Call(ctx, d.conn.browser, target.ActivateTarget, target.ActivateTargetParams{TargetID: target.ID(id)}); err != nil {
		return fmt.Errorf("activate tab: %w", noTab(err))
	}
	d.setActive(id)
	d.bus.Publish(host.TabEvent{Kind: host.TabActivated, Tab: host.TabInfo{ID: id, Active: true}})
	return nil
}

func (d *Driver) setActive(id host.TabID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.active = id
}

// CloseTab closes the tab without a beforeunload dialog.
func (d *Driver) CloseTab(ctx context.Context, id host.TabID) error {
	if _, err := cdp.Call(ctx, d.conn.browser, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)}); err != nil {
		return fmt.Errorf("close tab: %w", noTab(err))
	}
	return nil
}

// Release detaches the tab.
func (d *Driver) Release(ctx context.Context, id host.TabID) error { return d.pool.Release(ctx, id) }

// Subscribe delivers tab events.
func (d *Driver) Subscribe() (<-chan host.TabEvent, func()) { return d.bus.Subscribe() }

// Close ends the connection. The browser runs on.
func (d *Driver) Close() error {
	var err error
	d.closed.Do(func() {
		d.stop()
		err = d.conn.close()
	})
	return err
}

func noTab(err error) error {
	var ce *host.CDPError
	if errors.As(err, &ce) && strings.Contains(ce.Message, "No target with given id") {
		return host.ErrNoTab
	}
	return err
}

// transport is the host.Transport of a Driver.
type transport struct{ d *Driver }

func (t transport) Session(ctx context.Context, id host.TabID) (host.RootSession, error) {
	yes := true
	res, err := cdp.Call(ctx, t.d.conn.browser, target.AttachToTarget, target.AttachToTargetParams{TargetID: target.ID(id), Flatten: &yes})
	if err != nil {
		return nil, noTab(err)
	}
	root := t.d.conn.root(string(res.SessionID))
	if root == nil {
		return nil, host.ErrNoTab // it was closed while we attached
	}
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	t.d.sessions[id] = res.SessionID
	return root, nil
}

// Tabs returns the driver's tabs without asking their pages.
func (t transport) Tabs(ctx context.Context) ([]host.TabInfo, error) { return t.d.Tabs(ctx) }

func (t transport) Detach(ctx context.Context, id host.TabID) error {
	t.d.mu.Lock()
	s, ok := t.d.sessions[id]
	delete(t.d.sessions, id)
	t.d.mu.Unlock()
	if !ok {
		return nil
	}
	_, err := cdp.Call(ctx, t.d.conn.browser, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: s})
	var ce *host.CDPError
	if errors.As(err, &ce) {
		return nil // "No session with given id": it was gone before
	}
	return err
}

func (t transport) Inject(ctx context.Context, _ host.TabID, s cdp.Session, frame cdp.FrameID) (host.World, error) {
	return host.InjectScript(ctx, s, frame, t.d.world, t.d.opts.Extractor)
}

// WorldNames returns the name of the world that Inject and Preload use.
func (t transport) WorldNames() []string { return []string{t.d.world} }

// Preload has Chrome put the extractor into every new document of the session.
func (t transport) Preload(ctx context.Context, s cdp.Session) (string, error) {
	return t.d.world, host.PreloadScript(ctx, s, t.d.world, t.d.opts.Extractor)
}
