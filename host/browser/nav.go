package browser

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// How long Navigate, Reload and History wait for the new document to begin, and then for
// it to load. A document that begins and does not finish loading is no error.
const (
	NavTimeout  = 20 * time.Second
	LoadTimeout = 10 * time.Second
)

// refused are the schemes that a tab must not be sent to, with the reason if it is not the
// usual one. Chrome does not refuse chrome:// itself: it navigates and detaches the
// debugger.
var refused = map[string]string{
	"javascript": "a javascript: address is a script, not a page", "view-source": "", "chrome": "",
	"chrome-untrusted": "", "chrome-extension": "", "chrome-error": "", "chrome-search": "", "chrome-native": "",
	"devtools": "", "chrome-devtools": "", "edge": "", "brave": "", "vivaldi": "", "opera": "", "arc": "",
	"filesystem": "", "isolated-app": "", "externalfile": "",
}

// CheckURL returns the address as Chrome reads it, or a *NavError if it is no address or
// one that can't be driven.
func CheckURL(raw string) (string, error) {
	// As in the URL standard, control characters and spaces at the ends are removed, and
	// tabs and newlines anywhere, so that "chr\tome://" hides nothing.
	s := strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	scheme, rest, ok := strings.Cut(s, ":")
	scheme = strings.ToLower(scheme)
	if !ok || scheme == "" || strings.ContainsAny(scheme, "/?#. ") {
		return "", &NavError{URL: raw, Text: "the address has no scheme, such as https://"}
	}
	if why, bad := refused[scheme]; bad {
		if why == "" {
			why = "pages of the browser itself can't be driven"
		}
		return "", &NavError{URL: raw, Text: why}
	}
	switch scheme {
	case "about":
		if page, _, _ := strings.Cut(strings.ToLower(rest), "#"); page != "blank" {
			return "", &NavError{URL: raw, Text: "of about: addresses only about:blank can be driven"}
		}
	case "http", "https":
		if u, err := url.Parse(s); err == nil && u.Host == "" && u.Opaque == "" {
			return "", &NavError{URL: raw, Text: "the address names no host"}
		}
	}
	return s, nil
}

// Navigate sends Page.navigate and waits until the document has loaded. If that fails, the
// error is a *NavError or a *Refusal. If a beforeunload dialog opens, it is ErrDialogOpen.
// A dialog that the new page opens is no error.
func (t *Tab) Navigate(ctx context.Context, url string) error {
	clean, err := CheckURL(url)
	if err != nil {
		return err
	}
	t.rouse(ctx)
	t.clearRefusal()
	crashed := t.stands()
	var res page.NavigateResult
	err = t.raceDialog(ctx, crashed, func(ctx context.Context) error {
		var err error
		res, err = cdp.Call(WithCallTimeout(ctx, most(ctx, NavTimeout)), t.root, page.Navigate, page.NavigateParams{URL: clean})
		return err
	})
	var ce *CDPError
	refusal := t.Refused()
	switch {
	case refusal != nil:
		t.awaitErrorPage(ctx, res)
		return refusal
	case errors.Is(err, ErrTimeout):
		t.giveUp(ctx)
		return &NavError{URL: url, Text: "the server did not answer in time", Err: err}
	case errors.As(err, &ce):
		return &NavError{URL: url, Text: ce.Message, Err: err}
	case err != nil:
		if ctx.Err() != nil {
			t.giveUp(ctx) // nobody waits for it any more
		}
		return err
	case res.IsDownload:
		t.awaitDownload(ctx)
		return nil // a Watch reports the download
	case res.ErrorText != "":
		t.awaitErrorPage(ctx, res)
		return &NavError{URL: url, Text: res.ErrorText}
	case res.LoaderID == "":
		return nil // a fragment of the same document
	}
	return t.awaitLoad(ctx, crashed, func(f *frameState) bool { return f.loader == res.LoaderID || f.was == res.LoaderID })
}

// awaitDownload waits until the watches have the download, whose event may come after the
// answer.
func (t *Tab) awaitDownload(ctx context.Context) {
	t.shortly(ctx, func() bool {
		there := len(t.watches) == 0
		for w := range t.watches {
			there = there || len(w.state.Downloads) > 0
		}
		return there
	})
}

// aborted is Chrome's error for a navigation that something else ended, such as a download
// or an answer without a page. It is not followed by an error page.
const aborted = "net::ERR_ABORTED"

// awaitErrorPage waits until Chrome shows its error page for a navigation that failed: it
// would otherwise count as an effect of the next act. A warning about a certificate is
// waited for longer, since it comes late on a busy machine. If another navigation began
// before it, Chrome would not tell the extension of that navigation's paused request
// (Fetch), and it would hang.
func (t *Tab) awaitErrorPage(ctx context.Context, res page.NavigateResult) {
	limit, warning := newsTime, strings.HasPrefix(res.ErrorText, "net::ERR_CERT_")
	if warning {
		limit = warningTime
	}
	t.within(ctx, limit, func() bool {
		f := t.frames[t.main]
		return res.LoaderID == "" || f == nil || f.loader == res.LoaderID || res.ErrorText == aborted && !f.navigating
	})
	never := func() bool { return false }
	switch {
	case warning: // the extension is detached a moment after it came
		t.within(ctx, shutOutTime, never)
	case res.ErrorText == unknown:
		t.within(ctx, askTime, never)
	}
}

// unknown is Chrome's error if a site asks for a name and a password (HTTP
// authentication). Chrome opens a window of its own for them over the error page.
const unknown = "net::ERR_INVALID_AUTH_CREDENTIALS"

// newsTime is how long after an answer its events may come, and warningTime how long
// Chrome's warning about a certificate may take. shutOutTime is how long after the warning
// a navigation must not begin: within 20 ms it was seen to hang. askTime is how long after
// the error page Chrome's window for a name and a password may open: a navigation in
// between does not close the window, which then is over the next page (3 of 100 times in a
// tab that another covers).
const (
	newsTime    = time.Second
	warningTime = 5 * time.Second
	shutOutTime = 500 * time.Millisecond
	askTime     = 200 * time.Millisecond
)

// shortly is within for newsTime.
func (t *Tab) shortly(ctx context.Context, there func() bool) { t.within(ctx, newsTime, there) }

// within waits until there returns true, and reports whether it did in time. It calls
// there with t.mu held.
func (t *Tab) within(ctx context.Context, most time.Duration, there func() bool) bool {
	limit := time.NewTimer(most)
	defer limit.Stop()
	for {
		t.mu.Lock()
		done, changed := there(), t.changed
		t.mu.Unlock()
		if done {
			return true
		}
		select {
		case <-changed:
		case <-limit.C:
			return false
		case <-ctx.Done():
			return false
		case <-t.root.Done():
			return false
		}
	}
}

// AwaitPage waits until a tab that was opened at an address has loaded a document other
// than the blank one that it begins with. It returns false if that takes longer than most.
func (t *Tab) AwaitPage(ctx context.Context, most time.Duration) bool {
	return t.within(ctx, most, func() bool {
		f := t.frames[t.main]
		return f != nil && f.url != "" && f.url != blank && f.isLoaded()
	})
}

const blank = "about:blank"

// FailedURL returns the address for which the tab shows Chrome's error page, or "" if it
// shows a page.
func (t *Tab) FailedURL() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.frames[t.main]; f != nil && f.failed {
		return f.url
	}
	return ""
}

// Reload loads the page again and waits for it.
func (t *Tab) Reload(ctx context.Context) error {
	if failed := t.FailedURL(); failed != "" {
		return t.Navigate(ctx, failed) // Page.reload would not say why it can't be loaded
	}
	t.rouse(ctx)
	t.clearRefusal()
	crashed := t.stands()
	before := t.mark().loader
	err := t.raceDialog(ctx, crashed, func(ctx context.Context) error {
		_, err := cdp.Call(ctx, t.root, page.Reload, page.ReloadParams{})
		return err
	})
	if err != nil {
		return err
	}
	// The document of a navigation from before the reload may still come first.
	return t.orGiveUp(ctx, t.awaitLoad(ctx, crashed, func(f *frameState) bool { return f.loader != before && !f.navigating }))
}

// Posted reports whether the main document is the answer to a form that was sent with POST
// while the tab was attached: Reload would send the form again.
func (t *Tab) Posted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.posted
}

func withoutFragment(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}

// orGiveUp gives up a navigation that is still pending when ctx has ended. It returns err.
func (t *Tab) orGiveUp(ctx context.Context, err error) error {
	t.mu.Lock()
	pending := t.leavingFor() != ""
	t.mu.Unlock()
	if ctx.Err() != nil && pending {
		t.giveUp(ctx)
	}
	return err
}

// History goes delta steps through the tab's history and waits for the page. moved is false
// if there is no such entry.
func (t *Tab) History(ctx context.Context, delta int) (moved bool, err error) {
	h, err := cdp.Call(ctx, t.root, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		return false, err
	}
	i := int(h.CurrentIndex) + delta
	if delta == 0 || i < 0 || i >= len(h.Entries) {
		return false, nil
	}
	if _, err := CheckURL(h.Entries[i].URL); err != nil {
		return false, err
	}
	t.mu.Lock()
	before := t.navs
	t.mu.Unlock()
	t.rouse(ctx)
	t.clearRefusal()
	crashed := t.stands()
	err = t.raceDialog(ctx, crashed, func(ctx context.Context) error {
		_, err := cdp.Call(ctx, t.root, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: h.Entries[i].ID})
		return err
	})
	if err != nil {
		return false, err
	}
	err = t.orGiveUp(ctx, t.awaitLoad(ctx, crashed, func(*frameState) bool { return t.navs != before }))
	return err == nil, err
}

// awaitLoad waits until begun returns true for the main frame, and then until the document
// has loaded. It is an error if the first does not happen in time, and none if the second
// does not. It calls begun with t.mu held; crashed is from stands.
func (t *Tab) awaitLoad(ctx context.Context, crashed <-chan struct{}, begun func(*frameState) bool) error {
	limit := time.NewTimer(most(ctx, NavTimeout))
	defer limit.Stop()
	started, dying := false, false
	for {
		t.mu.Lock()
		f := t.frames[t.main]
		if t.refusal != nil {
			defer t.mu.Unlock()
			return t.refusal
		}
		if !started && f != nil && begun(f) {
			started, dying = true, false
			limit.Reset(most(ctx, LoadTimeout))
			t.warm(ctx)
		}
		if started && f != nil && f.failed {
			defer t.mu.Unlock()
			return &NavError{URL: f.url, Text: "the page could not be loaded"}
		}
		done := started && f != nil && f.loader != "" && f.loaded == f.loader
		changed, up := t.changed, t.up
		t.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-up:
			if started {
				return nil
			}
			return ErrDialogOpen
		case <-crashed:
			crashed, dying = nil, true
			limit.Reset(underCrash)
		case <-limit.C:
			if dying {
				t.stopLoading(ctx)
				return ErrCrashed
			}
			if started {
				return nil
			}
			t.giveUp(ctx)
			return &NavError{URL: t.URL(), Text: "no page came in time", Err: ErrTimeout}
		case <-ctx.Done():
			return ctx.Err()
		case <-t.root.Done():
			return t.root.Err()
		}
	}
}
