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

// How long Navigate, Reload and History wait: for the new document to begin,
// and then for it to load. A page that begins and never finishes is no error.
const (
	NavTimeout  = 20 * time.Second
	LoadTimeout = 10 * time.Second
)

// refused are schemes a tab must not be sent to. Chrome does not refuse
// chrome:// itself: it navigates and the debugger is detached.
var refused = map[string]string{
	"javascript": "a javascript: address is a script, not a page", "view-source": "", "chrome": "",
	"chrome-untrusted": "", "chrome-extension": "", "chrome-error": "", "chrome-search": "", "chrome-native": "",
	"devtools": "", "chrome-devtools": "", "edge": "", "brave": "", "vivaldi": "", "opera": "", "arc": "",
	"filesystem": "", "isolated-app": "", "externalfile": "",
}

// CheckURL gives the address as Chrome will read it, or a *NavError when it is
// none or one that can't be driven.
func CheckURL(raw string) (string, error) {
	// As the URL standard does: control characters and spaces at the ends go,
	// and tabs and newlines anywhere, so that "chr\tome://" hides nothing.
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

// Navigate sends Page.navigate and waits until the document has loaded. When
// that fails the error is a *NavError, or a *Refusal; when a beforeunload dialog holds it up,
// ErrDialogOpen. A dialog that the new page opens is no error.
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
		return nil // a download it is then, which a Watch reports
	case res.ErrorText != "":
		t.awaitErrorPage(ctx, res)
		return &NavError{URL: url, Text: res.ErrorText}
	case res.LoaderID == "":
		return nil // a fragment of the same document
	}
	return t.awaitLoad(ctx, crashed, func(f *frameState) bool { return f.loader == res.LoaderID || f.was == res.LoaderID })
}

// awaitDownload waits until the news of a download is there, which comes by
// another way than the answer: those who watch would not see it.
func (t *Tab) awaitDownload(ctx context.Context) {
	t.shortly(ctx, func() bool {
		there := len(t.watches) == 0
		for w := range t.watches {
			there = there || len(w.state.Downloads) > 0
		}
		return there
	})
}

// aborted is how Chrome calls a navigation that something else broke off, a
// download or an answer without a page among them: no error page comes of it.
const aborted = "net::ERR_ABORTED"

// awaitErrorPage waits until Chrome shows its error page for a navigation that
// failed, or what comes of it would be taken for the next act's doing. The next
// navigation must not come before a warning about a certificate either: what it
// pauses (Fetch) Chrome then tells no extension any more, and it hangs. So that
// one is waited for longer; on a busy machine it is slow to come.
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
	case warning: // an extension is shut out of it a moment after it came
		t.within(ctx, shutOutTime, never)
	case res.ErrorText == unknown:
		t.within(ctx, askTime, never)
	}
}

// unknown is what Chrome says where a site asks who wants the page. Over the error
// page it puts a window of its own with the question.
const unknown = "net::ERR_INVALID_AUTH_CREDENTIALS"

// newsTime is how long news may come behind an answer, warningTime how long
// Chrome's warning about a certificate may, and shutOutTime how long after it an
// extension is still let see it: within 20 ms of it a navigation was seen to hang.
// askTime is how long Chrome's window for a name and a password may be on its way
// behind the error page: a navigation that comes meanwhile does not close it, and
// it stands over the next page (3 of 100 times in a tab that another covers).
const (
	newsTime    = time.Second
	warningTime = 5 * time.Second
	shutOutTime = 500 * time.Millisecond
	askTime     = 200 * time.Millisecond
)

// shortly waits for news after which something is there; there is called with
// t.mu held.
func (t *Tab) shortly(ctx context.Context, there func() bool) { t.within(ctx, newsTime, there) }

// within waits until there is so, which is asked with t.mu held, and tells whether it is.
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

// AwaitPage waits, for so long at most, until a tab that was opened at an address has
// loaded more than the blank document that it begins with.
func (t *Tab) AwaitPage(ctx context.Context, most time.Duration) bool {
	return t.within(ctx, most, func() bool {
		f := t.frames[t.main]
		return f != nil && f.url != "" && f.url != blank && f.isLoaded()
	})
}

const blank = "about:blank"

// FailedURL is the address that the tab could not load, and shows Chrome's error page
// for; empty where it shows a page.
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
		return t.Navigate(ctx, failed) // only so Chrome says again why it can't be loaded
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
	// A navigation from before the reload may still bring its document first.
	return t.orGiveUp(ctx, t.awaitLoad(ctx, crashed, func(f *frameState) bool { return f.loader != before && !f.navigating }))
}

// Posted tells whether the main document is the answer to a form that was sent
// with POST while the tab was attached: Reload would send it again.
func (t *Tab) Posted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.posted
}

func withoutFragment(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}

// orGiveUp gives up a navigation that the end of ctx leaves pending.
func (t *Tab) orGiveUp(ctx context.Context, err error) error {
	t.mu.Lock()
	pending := t.leavingFor() != ""
	t.mu.Unlock()
	if ctx.Err() != nil && pending {
		t.giveUp(ctx)
	}
	return err
}

// History goes delta steps through the tab's history and waits for the page;
// moved is false when there is no such entry.
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

// awaitLoad waits until begun holds of the main frame, which is an error when
// it does not come, and then until the document has loaded, which is not. It
// calls begun with t.mu held; crashed is from stands.
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
