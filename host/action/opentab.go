package action

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// OpenTabParams are the parameters of openTab.
type OpenTabParams struct {
	URL string `json:"url,omitempty" jsonschema:"address to open; an empty tab if left out"`
}

// CloseTabParams are the parameters of closeTab.
type CloseTabParams struct {
	Index *int   `json:"index,omitempty" jsonschema:"number of the tab in listTabs; the current tab if left out"`
	URL   string `json:"url,omitempty" jsonschema:"a part of the tab's address"`
}

// WebSearchParams are the parameters of webSearch.
type WebSearchParams struct {
	Query string `json:"query" jsonschema:"what to search the web for"`
}

// DefaultSearchURL is the engine of webSearch if none is configured.
const DefaultSearchURL = "https://duckduckgo.com/?q={query}"

// TabEntry is one tab of the task, as listTabs gives it.
type TabEntry struct {
	Index  int           `json:"index"`
	ID     browser.TabID `json:"id"`
	URL    string        `json:"url"`
	Title  string        `json:"title"`
	Active bool          `json:"active"` // actions go to it
}

func tabActions() []declared {
	open := Spec{Name: "openTab", Family: "navigation", Class: safety.Navigate, MayChange: true, ModelVisible: true}
	closing := Spec{Name: "closeTab", Family: "navigation", Class: safety.Write, MayChange: true, Strong: true, WithDialog: true}
	list := Spec{Name: "listTabs", Family: "navigation", Class: safety.Read, Strong: true, WithDialog: true}
	search := Spec{Name: "webSearch", Family: "navigation", Class: safety.Navigate, NeedsTab: true, MayChange: true, ModelVisible: true}
	return []declared{declare(open, openTab), declare(closing, closeTab), declare(list, listTabs), declare(search, webSearch)}
}

// openTab opens a tab of the task's own in the background and makes it current. The
// tab is opened empty and then navigated, so that a page that can't be loaded is
// reported.
func openTab(ctx context.Context, r *run, p OpenTabParams) *Error {
	to := ""
	if strings.TrimSpace(p.URL) != "" {
		var bad *Error
		if to, bad = address(p.URL); bad != nil {
			return bad
		}
	}
	s := r.s
	before := s.Tab()
	look := func(context.Context) (*element, safety.Act, *Error) {
		return nil, safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, URL: to, Page: safety.Page{URL: s.urlOf(before)}}, nil
	}
	r.res.Target = to
	var opened browser.TabInfo
	err := r.withGate(ctx, gatedStep{look: look, what: to, do: func(ctx context.Context, _ *element) *Error {
		r.res.Sent = true
		var err error
		opened, err = s.b.Open(ctx, "about:blank", false, before)
		if errors.Is(err, browser.ErrNoTab) { // the tab that would open it is closed
			opened, err = s.b.Open(ctx, "about:blank", false, "")
		}
		if err != nil {
			return wrap("open a tab", err)
		}
		s.adopt(opened.ID, opened.URL)
		return nil
	}})
	if err != nil {
		return err
	}
	if err := r.enter(ctx, opened.ID); err != nil {
		r.abandon(ctx, opened.ID, before)
		return err
	}
	if to != "" {
		w := r.watcher()
		w.leaves = true
		defer w.close()
		err := w.start(ctx, nil)
		if err == nil {
			err = w.race(ctx, func(ctx context.Context) *Error {
				if err := r.tab.Navigate(ctx, to); err != nil {
					return navigationError(to, err)
				}
				return nil
			})
		}
		if err == nil {
			err = r.report(ctx, w, nil, "opened a tab at", to)
		}
		if err != nil {
			r.abandon(ctx, opened.ID, before)
			return err
		}
		if host := siteOf(r.tab.MainURL()); host != "" {
			r.res.Site = host
		}
	} else {
		r.res.Effect = "opened an empty tab"
		r.res.Text = "OK: opened an empty tab; actions go to it now."
	}
	s.freshTabs(ctx)
	r.res.Data = r.entryOf(opened.ID)
	return nil
}

// enter makes a tab of the task the current one of the session and of this run.
func (r *run) enter(ctx context.Context, id browser.TabID) *Error {
	s := r.s
	s.mu.Lock()
	old := s.current
	s.current = id
	s.mu.Unlock()
	h, err := s.here(ctx)
	if err != nil {
		s.mu.Lock()
		s.current = old
		s.mu.Unlock()
		return err
	}
	r.h, r.tab, r.page = h, h.tab, h.page
	return nil
}

// abandon closes a tab that could not be used and goes back to the one before.
func (r *run) abandon(ctx context.Context, id, before browser.TabID) {
	cctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), frameTime)
	defer cancel()
	if err := r.s.b.CloseTab(cctx, id); err != nil {
		r.s.o.Log.Debug().Err(err).Msg("could not close a tab that came to nothing")
	}
	r.s.leave(id)
	r.s.mu.Lock()
	r.s.current = before
	r.s.mu.Unlock()
	r.h, r.tab, r.page = nil, nil, nil
}

// leave forgets a tab.
func (s *Session) leave(id browser.TabID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tabs, id)
}

func (s *Session) urlOf(id browser.TabID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.tabs[id]
	switch {
	case h == nil:
		return ""
	case h.tab != nil:
		return h.tab.MainURL()
	}
	return h.info.URL
}

func (r *run) entryOf(id browser.TabID) TabEntry {
	for _, e := range r.s.entries() {
		if e.ID == id {
			return e
		}
	}
	return TabEntry{ID: id}
}

func (s *Session) entries() []TabEntry {
	out := []TabEntry{}
	for i, t := range s.Tabs() {
		url := t.URL
		if url == "" {
			url = s.urlOf(t.ID)
		}
		out = append(out, TabEntry{Index: i + 1, ID: t.ID, URL: url, Title: pagecontext.Flatten(t.Title), Active: t.Active})
	}
	return out
}

// freshTabs updates address and title of the task's tabs. The browser's list lags
// behind a page that has just loaded, so attached tabs are asked
// themselves.
func (s *Session) freshTabs(ctx context.Context) {
	s.refreshTabs(ctx)
	s.mu.Lock()
	attached := map[browser.TabID]tab{}
	for id, h := range s.tabs {
		if h.tab != nil {
			attached[id] = h.tab
		}
	}
	s.mu.Unlock()
	for id, t := range attached {
		tctx, cancel := context.WithTimeout(ctx, frameTime)
		title, err := t.Title(tctx)
		cancel()
		if err != nil {
			continue // the tab is closing
		}
		s.mu.Lock()
		if h := s.tabs[id]; h != nil {
			h.info.Title, h.info.URL = title, t.MainURL()
		}
		s.mu.Unlock()
	}
}

// pickTab finds a tab of the task by number or by a part of its address.
func (s *Session) pickTab(index *int, url string) (TabEntry, *Error) {
	tabs := s.entries()
	var i int
	switch {
	case index != nil:
		i = *index - 1
	case url != "":
		i = slices.IndexFunc(tabs, func(t TabEntry) bool { return strings.Contains(t.URL, url) })
	default:
		i = slices.IndexFunc(tabs, func(t TabEntry) bool { return t.Active })
	}
	if i < 0 || i >= len(tabs) {
		return TabEntry{}, &Error{Code: NotFound, Message: "the task has no such tab", Hint: "The task's tabs: " + tabList(s.Tabs())}
	}
	return tabs[i], nil
}

// closeTab closes a tab of the task. A tab that the task did not open is the user's:
// the gate then judges the closing as destructive.
func closeTab(ctx context.Context, r *run, p CloseTabParams) *Error {
	s := r.s
	s.freshTabs(ctx)
	t, bad := s.pickTab(p.Index, p.URL)
	if bad != nil {
		return bad
	}
	if all, err := s.b.Tabs(ctx); err == nil && len(all) <= 1 {
		return &Error{Code: Unsupported, Message: "this is the browser's only tab; without it the browser would end", Hint: "Open another tab with openTab first."}
	}
	title := short(t.Title, 80)
	if title == "" {
		title = t.URL
	}
	r.res.Target = title
	look := func(context.Context) (*element, safety.Act, *Error) {
		act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: t.URL}}
		if !s.owns(t.ID) {
			act.Base = safety.Destroy
		}
		return nil, act, nil
	}
	err := r.withGate(ctx, gatedStep{look: look, what: "tab " + title, do: func(ctx context.Context, _ *element) *Error {
		r.res.Sent = true
		return r.closeAsked(ctx, t.ID)
	}})
	if err != nil {
		return err
	}
	s.leave(t.ID)
	rest := s.entries()
	s.mu.Lock()
	if s.current == t.ID {
		s.current = ""
		if len(rest) > 0 {
			s.current = rest[len(rest)-1].ID
		}
	}
	s.mu.Unlock()
	rest = s.entries()
	r.res.Effect = "closed the tab"
	r.res.Data = map[string]any{"tabs": rest}
	r.res.Text = fmt.Sprintf("OK: closed the tab %q. ", title)
	if len(rest) == 0 {
		r.res.Text += "The task has no tab left; openTab opens one."
	} else {
		r.res.Text += "The task's tabs: " + tabList(s.Tabs())
	}
	return nil
}

func (s *Session) owns(id browser.TabID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tabs[id] != nil && s.tabs[id].own
}

// listTabs lists the tabs of the task; other tabs are not told.
func listTabs(ctx context.Context, r *run, _ NoParams) *Error {
	r.s.freshTabs(ctx)
	tabs := r.s.entries()
	*r.object = fmt.Sprint(len(tabs))
	r.res.Data = map[string]any{"tabs": tabs}
	r.res.Text = "OK: the task's tabs: " + tabList(r.s.Tabs())
	return nil
}

// webSearch opens the results of the configured engine in the current tab.
func webSearch(ctx context.Context, r *run, p WebSearchParams) *Error {
	q := strings.TrimSpace(p.Query)
	if q == "" {
		return &Error{Code: InvalidParams, Message: "query is empty"}
	}
	engine := r.s.o.SearchURL
	if engine == "" {
		engine = DefaultSearchURL
	}
	if !strings.Contains(engine, "{query}") && !strings.Contains(engine, "%s") {
		return &Error{Code: Unsupported, Message: "the configured search engine has no {query} in its address", Hint: "Use navigate with the address of a search page."}
	}
	to, bad := address(strings.NewReplacer("{query}", url.QueryEscape(q), "%s", url.QueryEscape(q)).Replace(engine))
	if bad != nil {
		return bad
	}
	*r.object = fmt.Sprintf("%q", short(q, 80))
	return r.travel(ctx, to, "searched at", true, func(ctx context.Context) *Error {
		if err := r.tab.Navigate(ctx, to); err != nil {
			return navigationError(to, err)
		}
		return nil
	})
}
