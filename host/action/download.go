package action

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tabwright/host/browser"
	"tabwright/host/native"
	"tabwright/safety"
)

// DownloadParams are the parameters of download.
type DownloadParams struct {
	Target             // the link or button to click
	URL       string   `json:"url,omitempty" jsonschema:"address of the file, instead of an element"`
	FileName  string   `json:"fileName,omitempty" jsonschema:"name in the task's folder; as the site names it if left out"`
	TimeoutMS *float64 `json:"timeoutMs,omitempty" jsonschema:"60000 if left out"`
}

const (
	// beginTime is how long a download may take to begin.
	beginTime       = 5 * time.Second
	defaultDownload = 60 * time.Second
	// reasonTime is how long to wait for the reason of a broken download: the tab
	// reports the end, and chrome.downloads the reason.
	reasonTime = 500 * time.Millisecond
)

// download clicks an element that begins a download, or opens the file's address,
// and moves the file into the task's folder. The gate judges the click as a download.
func download(ctx context.Context, r *run, p DownloadParams) *Error {
	if !p.isSet() && p.URL == "" {
		return &Error{Code: InvalidParams, Message: "no target: give index, ref or selector of the link, or the url of the file"}
	}
	d := &downloading{r: r, p: p}
	if err := d.prepare(); err != nil {
		return err
	}
	w := r.watcher()
	defer w.close()
	if err := r.withGate(ctx, gatedStep{look: d.look, what: p.URL, do: func(ctx context.Context, a *element) *Error { return d.begin(ctx, w, a) }}); err != nil {
		return err
	}
	long, end := r.longRun(ctx, durationOf(p.TimeoutMS, defaultDownload))
	got, err := d.await(long, w)
	end()
	if err != nil {
		return d.failure(ctx, w, err)
	}
	return d.keep(ctx, got)
}

// downloading is one run of download.
type downloading struct {
	r   *run
	p   DownloadParams
	url string
	did *element
}

func (d *downloading) prepare() *Error {
	if _, err := d.r.inTaskDir("x"); err != nil {
		return err
	}
	if d.p.isSet() {
		return nil
	}
	var bad *Error
	d.url, bad = address(d.p.URL)
	return bad
}

// path returns the path for a download of that address.
func (d *downloading) path(from string) (string, *Error) {
	name := d.p.FileName
	if name == "" {
		if u, err := url.Parse(from); err == nil {
			name = filepath.Base(u.Path)
		}
		name = fileName(name)
	}
	return d.r.inTaskDir(name)
}

func (d *downloading) look(ctx context.Context) (*element, safety.Act, *Error) {
	r := d.r
	if d.url != "" {
		path, err := d.path(d.url)
		return nil, safety.Act{
			Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, URL: d.url, File: path, Page: safety.Page{URL: r.tab.MainURL()},
		}, err
	}
	a, act, err := r.looker(targetQuery{Target: d.p.Target})(ctx)
	if err != nil {
		return a, act, err
	}
	if strings.HasPrefix(a.facts.Href, "http") {
		act.URL = a.facts.Href
	}
	act.File, err = d.path(a.facts.Href)
	return a, act, err
}

func (d *downloading) begin(ctx context.Context, w *effectRecorder, a *element) *Error {
	r := d.r
	d.did = a
	if a == nil {
		if err := w.start(ctx, nil); err != nil {
			return err
		}
		r.res.Sent = true
		return w.race(ctx, func(ctx context.Context) *Error {
			if err := r.tab.Navigate(ctx, d.url); err != nil {
				return navigationError(d.url, err)
			}
			return nil
		})
	}
	w.more = true // the download is waited for first
	defer func() { w.more = false }()
	return r.clickElement(ctx, w, a, leftClick())
}

// errNoDownload says that no download began in time.
var errNoDownload = errors.New("no download began")

// await waits until the first download of the act has ended.
func (d *downloading) await(ctx context.Context, w *effectRecorder) (browser.Download, *Error) {
	began := time.Now()
	var broke time.Time
	for {
		if dlg := d.r.tab.Dialog(); dlg != nil {
			return browser.Download{}, dialogOpen(dlg)
		}
		if err := w.answerAll(ctx); err != nil {
			return browser.Download{}, err
		}
		st := w.tab.Snapshot()
		if len(st.Downloads) == 0 {
			if time.Since(began) > beginTime {
				return browser.Download{}, &Error{Code: Timeout, Message: fmt.Sprintf("no download began within %s", beginTime), Err: errNoDownload}
			}
		} else if got := st.Downloads[0]; got.State == "complete" {
			return got, nil
		} else if got.State == "interrupted" {
			if broke.IsZero() {
				broke = time.Now()
			}
			if got.Reason != "" || time.Since(broke) > reasonTime {
				return got, interruptedError(got)
			}
		}
		if st.Detached != nil {
			return browser.Download{}, wrap("wait for the download", st.Detached)
		}
		if !native.Sleep(ctx, pollTime) {
			if len(st.Downloads) == 0 {
				return browser.Download{}, &Error{Code: Timeout, Message: "no download began in the time that was given", Err: errNoDownload}
			}
			return browser.Download{}, &Error{Code: Timeout, Message: "the download did not end in time", Hint: "It may still be running; a larger timeoutMs waits longer."}
		}
	}
}

// failure adds to errNoDownload what the act did instead.
func (d *downloading) failure(ctx context.Context, w *effectRecorder, err *Error) *Error {
	if !errors.Is(err, errNoDownload) {
		return err
	}
	out := w.settle(ctx)
	err.Hint = "Effect: " + out.Words() + ". Choose what really begins the download."
	if d.url != "" && out.URL != "" && !out.Within {
		err.Code, err.Message = Unsupported, "the address shows a page; nothing is downloaded from it"
		err.Hint = "Use savePDF or extractContent for a page."
		if _, back := d.r.tab.History(ctx, -1); back != nil {
			d.r.s.o.Log.Debug().Err(back).Msg("could not go back")
		}
	}
	return err
}

// keep moves the file into the task's folder. The site may send it under another
// name than its link: the gate then judges the real name.
func (d *downloading) keep(ctx context.Context, got browser.Download) *Error {
	r := d.r
	name := d.p.FileName
	if name == "" {
		name = fileName(got.File)
	} else if filepath.Ext(name) == "" {
		name += filepath.Ext(got.File)
	}
	path, bad := r.inTaskDir(name)
	if bad != nil {
		return bad
	}
	if !filepath.IsAbs(got.File) {
		// An older browser gives only the name: path, size and type are unknown.
		r.res.Data = map[string]string{"name": got.File}
		r.res.Text = "OK: downloaded " + short(got.File, 120) + " to the browser's own folder; the browser does not say where that is."
		*r.object = fileName(got.File)
		return nil
	}
	var info FileInfo
	move := func(context.Context, *element) *Error {
		f, err := os.Open(got.File)
		if err != nil {
			return &Error{Code: NotFound, Message: "the browser's file can't be read: " + err.Error(), Err: err}
		}
		defer func() { _ = f.Close() }()
		var bad *Error
		if info, bad = writeFile(path, f); bad != nil {
			return bad
		}
		return wrap("take the file out of the browser's folder", os.Remove(got.File))
	}
	var err *Error
	if r.res.Level >= safety.Confirm {
		err = move(ctx, nil) // the user has allowed it
	} else {
		real := filepath.Join(filepath.Dir(path), fileName(got.File))
		err = r.withGate(ctx, gatedStep{look: r.fileLook(real, r.tab.MainURL(), path), what: real, do: move})
	}
	if err != nil {
		if err.Code == Denied || err.Code == Blocked {
			err.Err = errors.Join(err.Err, os.Remove(got.File))
		}
		return err
	}
	r.wrote(info)
	r.res.Text = fmt.Sprintf("OK: downloaded %s (%d bytes, %s).", info.Path, info.Size, info.Type)
	r.res.Effect = "downloaded " + info.Path
	return nil
}

// interruptedError is the error for a download that ended before its file was whole.
// Its reason is one of chrome.downloads.InterruptReason, or unknown.
func interruptedError(d browser.Download) *Error {
	what := "the download of " + short(d.URL, 200)
	e := &Error{Code: NavigationFailed, Message: what + " broke off", Hint: "Try it again, or look whether the site needs a login."}
	switch d.Reason {
	case "":
		e.Message = what + " broke off, or was cancelled"
		return e
	case "USER_CANCELED":
		e.Message = what + " was cancelled in the browser"
		e.Hint = "Do not begin it again by yourself: tell the user, or go on without the file."
		return e
	case "USER_SHUTDOWN":
		e.Message, e.Hint = what+" ended with the browser", "Begin it again when the browser is back."
	case "FILE_BLOCKED", "FILE_VIRUS_INFECTED", "FILE_SECURITY_CHECK_FAILED":
		e.Code, e.Message = Blocked, "the browser refused the file of "+short(d.URL, 200)
		e.Hint = "Do not go around it: tell the user, or go on without the file."
	case "FILE_ACCESS_DENIED", "FILE_NO_SPACE", "FILE_NAME_TOO_LONG", "FILE_TOO_LARGE":
		e.Code, e.Message = Unsupported, "the browser can't write the file of "+short(d.URL, 200)
		e.Hint = "Tell the user: only they can make room in the browser's download folder."
	case "SERVER_UNAUTHORIZED":
		e.Hint = "The site wants a login for it: use requestLogin."
	}
	e.Message += " (" + d.Reason + ")"
	return e
}
