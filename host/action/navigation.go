package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/action/effect"
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// NavigateParams are the parameters of navigate.
type NavigateParams struct {
	URL string `json:"url" jsonschema:"address to open; https:// is added where no scheme is given"`
}

// NoParams is for actions that take none.
type NoParams struct{}

// SwitchTabParams are the parameters of switchTab.
type SwitchTabParams struct {
	Index *int   `json:"index,omitempty" jsonschema:"number of the tab in the list of the task's tabs, from 1"`
	URL   string `json:"url,omitempty" jsonschema:"a part of the tab's address"`
}

func navigationActions() []declared {
	nav := Spec{Family: travelFamily, Class: safety.Navigate, NeedsTab: true, MayChange: true, ModelVisible: true}
	named := func(name string) Spec { s := nav; s.Name = name; return s }
	tabs := named("switchTab")
	tabs.Class, tabs.NeedsTab, tabs.MayChange = safety.Read, false, false
	return []declared{
		declare(named("navigate"), navigate),
		declare(named("goBack"), func(ctx context.Context, r *run, _ NoParams) *Error { return history(ctx, r, -1) }),
		declare(named("goForward"), func(ctx context.Context, r *run, _ NoParams) *Error { return history(ctx, r, 1) }),
		declare(named("refresh"), refresh),
		declare(tabs, switchTab),
	}
}

// navigate opens an address in the current tab (Page.navigate).
func navigate(ctx context.Context, r *run, p NavigateParams) *Error {
	to, bad := address(p.URL)
	if bad != nil {
		return bad
	}
	return r.travel(ctx, to, "navigated", !sameDocument(r.tab.MainURL(), to), func(ctx context.Context) *Error {
		if err := r.tab.Navigate(ctx, to); err != nil {
			return navigationError(to, err)
		}
		return nil
	})
}

// history goes one page back or forward (Page.navigateToHistoryEntry).
func history(ctx context.Context, r *run, delta int) *Error {
	verb := "went back"
	if delta > 0 {
		verb = "went forward"
	}
	return r.travel(ctx, "", verb, false, func(ctx context.Context) *Error {
		moved, err := r.tab.History(ctx, delta)
		if err != nil {
			return navigationError("the page in the history", err)
		}
		if !moved {
			r.res.Sent = false
			return &Error{Code: NavigationFailed, Message: "there is no such page in this tab's history", Hint: "Use navigate with an address instead."}
		}
		return nil
	})
}

// refresh loads the page again (Page.reload).
func refresh(ctx context.Context, r *run, _ NoParams) *Error {
	if t, ok := r.tab.(interface{ Posted() bool }); ok && t.Posted() {
		return &Error{
			Code: Unsupported, Message: "the page is the answer to a form that was sent, and loading it again would send the form again",
			Hint: "Read what is there; to see it anew go to its address with navigate, or to where it is kept, such as a list of orders.",
		}
	}
	return r.travel(ctx, "", "reloaded", true, func(ctx context.Context) *Error {
		if err := r.tab.Reload(ctx); err != nil {
			return navigationError(r.tab.MainURL(), err)
		}
		return nil
	})
}

// sameDocument says whether an address is another place in the same document.
func sameDocument(now, to string) bool {
	page, _, _ := strings.Cut(now, "#")
	other, _, fragment := strings.Cut(to, "#")
	return fragment && page == other
}

// travel is the common part of the navigations, which are judged by address, not by
// element. leaves says that the current document will be replaced.
func (r *run) travel(ctx context.Context, to, verb string, leaves bool, send func(context.Context) *Error) *Error {
	w := r.watcher()
	w.leaves = leaves
	defer w.close()
	look := func(ctx context.Context) (*element, safety.Act, *Error) {
		return nil, safety.Act{
			Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, URL: to,
			Page: safety.Page{URL: r.tab.MainURL()},
		}, nil
	}
	err := r.withGate(ctx, gatedStep{look: look, what: to, do: func(ctx context.Context, _ *element) *Error {
		if err := w.start(ctx, nil); err != nil {
			return err
		}
		if leaves && samePage(r.tab.MainURL(), cmp.Or(to, r.tab.MainURL())) {
			w.readPage(ctx)
		}
		r.res.Sent = true
		return w.race(ctx, send)
	}})
	if err != nil {
		return err
	}
	if d := w.dialog(); d != nil && d.Kind == effect.LeaveKind {
		return dialogOpen(d) // the page is still there
	}
	if host := siteOf(to); host != "" {
		r.res.Site = host
	}
	r.res.Target = to
	return r.report(ctx, w, nil, verb, to)
}

// navigationError says why an address could not be opened.
func navigationError(to string, err error) *Error {
	var nav *browser.NavError
	if errors.As(err, &nav) {
		words, hint := netWords(nav.Text)
		return &Error{Code: NavigationFailed, Message: fmt.Sprintf("could not open %s: %s", to, words), Hint: hint, Err: err}
	}
	if e := asError(err); e != nil {
		return e
	}
	return &Error{Code: NavigationFailed, Message: fmt.Sprintf("could not open %s: %v", to, err), Err: err}
}

// switchTab makes another of the task's tabs the current one. Tabs that the task may
// not see are not told.
func switchTab(ctx context.Context, r *run, p SwitchTabParams) *Error {
	r.s.refreshTabs(ctx)
	tabs := r.s.Tabs()
	var hit *browser.TabInfo
	switch {
	case p.Index != nil && *p.Index >= 1 && *p.Index <= len(tabs):
		hit = &tabs[*p.Index-1]
	case p.Index != nil:
	case p.URL != "":
		for i := range tabs {
			if strings.Contains(tabs[i].URL, p.URL) {
				hit = &tabs[i]
				break
			}
		}
	default:
		return &Error{Code: InvalidParams, Message: "give the index or the url of a tab", Hint: "The task's tabs: " + tabList(tabs)}
	}
	if hit == nil {
		return &Error{Code: NotFound, Message: "the task has no such tab", Hint: "The task's tabs: " + tabList(tabs)}
	}
	if err := r.enter(ctx, hit.ID); err != nil {
		return err
	}
	h, to := r.h, *hit
	if h.tab.Dialog() == nil {
		// The list of tabs may lag behind a page that has just loaded.
		tctx, cancel := context.WithTimeout(ctx, frameTime)
		defer cancel()
		if sum, err := h.page.Summary(tctx); err == nil {
			to.Title, to.URL = sum.Title, sum.URL
		}
	}
	title := short(pagecontext.Flatten(to.Title), 80)
	r.res.Target = title
	if title == "" {
		r.res.Target = to.URL
	}
	r.res.Data = map[string]any{"tab": to.ID, "url": to.URL, "title": title}
	r.res.Text = fmt.Sprintf("OK: now in tab %q at %s.", title, to.URL)
	return nil
}

// refreshTabs brings address and title of the task's tabs up to date.
func (s *Session) refreshTabs(ctx context.Context) {
	list, err := s.b.Tabs(ctx)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.tabs {
		if !slices.ContainsFunc(list, func(t browser.TabInfo) bool { return t.ID == id }) {
			delete(s.tabs, id) // the event of its end will follow
		}
	}
	for _, info := range list {
		if h, ok := s.tabs[info.ID]; ok {
			h.info = info
		} else if _, ok := s.tabs[info.Opener]; ok && info.Opener != "" {
			s.join(info)
		}
	}
}
