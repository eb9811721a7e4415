package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// SavePDFParams are the parameters of savePDF.
type SavePDFParams struct {
	FileName   string `json:"fileName,omitempty" jsonschema:"name of the file in the task's folder; the page's title if left out"`
	Landscape  *bool  `json:"landscape,omitempty"`
	Background *bool  `json:"background,omitempty" jsonschema:"with background colours and pictures"`
}

// ExportFileParams are the parameters of exportFile.
type ExportFileParams struct {
	FileName string `json:"fileName" jsonschema:"name of the file in the task's folder"`
	Content  string `json:"content" jsonschema:"the whole text of the file"`
}

// DownloadParams are the parameters of download.
type DownloadParams struct {
	Target             // the link or button to click
	URL       string   `json:"url,omitempty" jsonschema:"address of the file, instead of an element"`
	FileName  string   `json:"fileName,omitempty" jsonschema:"name in the task's folder; as the site names it if left out"`
	TimeoutMS *float64 `json:"timeoutMs,omitempty" jsonschema:"60000 if left out"`
}

// FileInfo is a file that an action wrote.
type FileInfo struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Type string `json:"type"`
}

const (
	// beginTime is how long a download may take to begin.
	beginTime       = 5 * time.Second
	defaultDownload = 60 * time.Second
	maxFileName     = 120
)

func fileActions() []Spec {
	pdf := Spec{Name: "savePDF", Family: "reading", Class: safety.FileClass, NeedsTab: true, MayChange: true, Strong: true}
	export := Spec{Name: "exportFile", Family: "page events", Class: safety.FileClass, MayChange: true, Strong: true, WithDialog: true}
	down := Spec{Name: "download", Family: "page events", Class: safety.FileClass, NeedsTab: true, MayChange: true, Strong: true}
	return []Spec{declare(pdf, savePDF), declare(down, download, between("timeoutMs", 1000, 600000)), declare(export, exportFile)}
}

// inTaskDir gives where a file of that name would go: the task's folder for a
// name, the place itself for an absolute path (which the gate then asks about).
func (r *run) inTaskDir(name string) (string, *Error) {
	dir := r.s.o.TaskDir
	if filepath.IsAbs(name) {
		return filepath.Clean(name), nil
	}
	if dir == "" {
		return "", &Error{Code: Unsupported, Message: "this session has no folder for files", Hint: "Give the result as text instead."}
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.Join(dir, fileName(name)), nil
}

// fileName makes a name of one path element that every system takes.
func fileName(s string) string {
	s = pagecontext.Flatten(filepath.Base(strings.ReplaceAll(s, `\`, "/")))
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || strings.ContainsRune(`<>:"/\|?*`, c) {
			return '-'
		}
		return c
	}, s)
	ext := filepath.Ext(s)
	if r := []rune(s); len(r) > maxFileName {
		s = string(r[:maxFileName-min(len([]rune(ext)), 20)]) + ext
	}
	if s = strings.Trim(s, " ."); s == "" || s == "-" {
		return "file"
	}
	return s
}

// create makes a new file, with a number in its name where that is taken: no
// file is ever written over.
func create(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	for n := 1; n < 1000; n++ {
		at := path
		if n > 1 {
			at = fmt.Sprintf("%s (%d)%s", stem, n, ext)
		}
		f, err := os.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("too many files of the name %s", path)
}

// writeFile writes a new file whole, or leaves none.
func writeFile(path string, from io.Reader) (FileInfo, *Error) {
	f, err := create(path)
	if err != nil {
		return FileInfo{}, &Error{Code: Unsupported, Message: "the file can't be written: " + err.Error(), Err: err}
	}
	_, err = io.Copy(f, from)
	if err = errors.Join(err, f.Close()); err != nil {
		return FileInfo{}, &Error{Code: Unsupported, Message: "the file can't be written: " + err.Error(), Err: errors.Join(err, os.Remove(f.Name()))}
	}
	return infoOf(f.Name()), nil
}

// infoOf tells size and type of a file; the type by its content, or by its
// name where the content says little.
func infoOf(path string) FileInfo {
	out := FileInfo{Path: path, Type: "application/octet-stream"}
	f, err := os.Open(path)
	if err != nil {
		return out
	}
	defer func() { _ = f.Close() }()
	if st, err := f.Stat(); err == nil {
		out.Size = st.Size()
	}
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head) // a short file is no error
	out.Type = http.DetectContentType(head[:n])
	if byName := mime.TypeByExtension(filepath.Ext(path)); byName != "" && (strings.HasPrefix(out.Type, "text/plain") || out.Type == "application/octet-stream" || out.Type == "application/zip") {
		out.Type = byName
	}
	return out
}

func (r *run) wrote(info FileInfo) {
	*r.object = filepath.Base(info.Path)
	r.res.Data = info
	r.res.Effect = "wrote " + info.Path
	r.res.Text = fmt.Sprintf("OK: wrote %s (%d bytes, %s).", info.Path, info.Size, info.Type)
}

// savePDF prints the page into the task's folder.
func savePDF(ctx context.Context, r *run, p SavePDFParams) *Error {
	name := p.FileName
	if name == "" {
		if sum, err := r.page.Summary(ctx); err == nil {
			name = sum.Title
		}
		name = fileName(strings.ReplaceAll(name, "/", "-")) // a title is no path
	}
	if !strings.EqualFold(filepath.Ext(name), ".pdf") {
		name += ".pdf"
	}
	path, bad := r.inTaskDir(name)
	if bad != nil {
		return bad
	}
	var info FileInfo
	err := r.gated(ctx, plan{look: r.fileLook(path, r.tab.MainURL(), ""), what: path, do: func(ctx context.Context, _ *aim) *Error {
		long, end := r.longRun(ctx, untilTime)
		defer end()
		data, err := r.tab.PDF(long, browser.PDFOptions{Landscape: isOn(p.Landscape), Background: isOn(p.Background)})
		if err != nil {
			return wrap("print the page", err)
		}
		var bad *Error
		info, bad = writeFile(path, strings.NewReader(string(data)))
		return bad
	}})
	if err != nil {
		return err
	}
	r.wrote(info)
	return nil
}

// fileLook is the look of an action that writes a file.
func (r *run) fileLook(path, pageURL, text string) func(context.Context) (*aim, safety.Act, *Error) {
	return func(context.Context) (*aim, safety.Act, *Error) {
		return nil, safety.Act{
			Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, File: path, Text: text, Page: safety.Page{URL: pageURL},
		}, nil
	}
}

// exportFile writes text into the task's folder.
func exportFile(ctx context.Context, r *run, p ExportFileParams) *Error {
	if strings.TrimSpace(p.FileName) == "" {
		return &Error{Code: InvalidParams, Message: "fileName is empty"}
	}
	path, bad := r.inTaskDir(p.FileName)
	if bad != nil {
		return bad
	}
	*r.object = filepath.Base(path)
	var info FileInfo
	err := r.gated(ctx, plan{look: r.fileLook(path, r.s.urlOf(r.s.Tab()), p.Content), what: path, do: func(context.Context, *aim) *Error {
		r.res.Sent = true
		var bad *Error
		info, bad = writeFile(path, strings.NewReader(p.Content))
		return bad
	}})
	if err != nil {
		return err
	}
	r.wrote(info)
	return nil
}

// download clicks what begins a download, or opens its address, waits until it
// is there and puts it into the task's folder. The click is judged as one.
func download(ctx context.Context, r *run, p DownloadParams) *Error {
	if !p.given() && p.URL == "" {
		return &Error{Code: InvalidParams, Message: "no target: give index, ref or selector of the link, or the url of the file"}
	}
	d := &downloading{r: r, p: p}
	if err := d.prepare(); err != nil {
		return err
	}
	w := r.watcher()
	defer w.close()
	if err := r.gated(ctx, plan{look: d.look, what: p.URL, do: func(ctx context.Context, a *aim) *Error { return d.begin(ctx, w, a) }}); err != nil {
		return err
	}
	long, end := r.longRun(ctx, durationOf(p.TimeoutMS, defaultDownload))
	got, err := d.await(long, w)
	end()
	if err != nil {
		return d.failed(ctx, w, err)
	}
	return d.keep(ctx, got)
}

// downloading is one run of download.
type downloading struct {
	r   *run
	p   DownloadParams
	url string
	did *aim
}

func (d *downloading) prepare() *Error {
	if _, err := d.r.inTaskDir("x"); err != nil {
		return err
	}
	if d.p.given() {
		return nil
	}
	to, err := normalURL(d.p.URL)
	if err != nil {
		return &Error{Code: InvalidParams, Message: err.Error()}
	}
	if judged, _ := safety.CheckURL(to, safety.Context{}); judged != "" {
		to = judged
	}
	d.url = to
	return nil
}

// path is where a download of that address would go.
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

func (d *downloading) look(ctx context.Context) (*aim, safety.Act, *Error) {
	r := d.r
	if d.url != "" {
		path, err := d.path(d.url)
		return nil, safety.Act{
			Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, URL: d.url, File: path, Page: safety.Page{URL: r.tab.MainURL()},
		}, err
	}
	a, act, err := r.looker(goal{Target: d.p.Target})(ctx)
	if err != nil {
		return a, act, err
	}
	if strings.HasPrefix(a.facts.Href, "http") {
		act.URL = a.facts.Href
	}
	act.File, err = d.path(a.facts.Href)
	return a, act, err
}

func (d *downloading) begin(ctx context.Context, w *watching, a *aim) *Error {
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
	if err := clickable(a); err != nil {
		return err
	}
	at, err := r.ready(ctx, a, "click")
	if err != nil {
		return err
	}
	if err := w.begin(ctx, a.frame); err != nil {
		return err
	}
	w.more = true // the download is waited for first
	defer func() { w.more = false }()
	return r.clicked(ctx, w, a, at, press{button: "left", clicks: 1, nth: 1})
}

// errNoDownload is the end of waiting for a download that never began.
var errNoDownload = errors.New("no download began")

// await waits until the first download of the act has ended.
func (d *downloading) await(ctx context.Context, w *watching) (browser.Download, *Error) {
	began := time.Now()
	for {
		if dlg := d.r.tab.Dialog(); dlg != nil {
			return browser.Download{}, dialogOpen(dlg)
		}
		st := w.tab.Snapshot()
		if len(st.Downloads) == 0 {
			if time.Since(began) > beginTime {
				return browser.Download{}, &Error{Code: Timeout, Message: fmt.Sprintf("no download began within %s", beginTime), Err: errNoDownload}
			}
		} else if got := st.Downloads[0]; got.State == "complete" {
			return got, nil
		} else if got.State == "interrupted" {
			return got, &Error{Code: NavigationFailed, Message: "the download of " + short(got.URL, 200) + " broke off", Hint: "Try it again, or look whether the site needs a login."}
		}
		if st.Detached != nil {
			return browser.Download{}, wrap("wait for the download", st.Detached)
		}
		if !pause(ctx, pollTime) {
			return browser.Download{}, &Error{Code: Timeout, Message: "the download did not end in time", Hint: "It may still be running; a larger timeoutMs waits longer."}
		}
	}
}

// failed says what happened instead of a download.
func (d *downloading) failed(ctx context.Context, w *watching, err *Error) *Error {
	if !errors.Is(err, errNoDownload) {
		return err
	}
	out := w.settle(ctx)
	err.Hint = "Effect: " + out.words() + ". Choose what really begins the download."
	if d.url != "" && out.url != "" && !out.within {
		err.Code, err.Message = Unsupported, "the address shows a page; nothing is downloaded from it"
		err.Hint = "Use savePDF or extractContent for a page."
		if _, back := d.r.tab.History(ctx, -1); back != nil {
			d.r.s.o.Log.Debug().Err(back).Msg("could not go back")
		}
	}
	return err
}

// keep moves the file into the task's folder. What the site really sent may be
// called otherwise than its link: a program is asked about under its own name.
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
		r.res.Data = FileInfo{Path: got.File}
		r.res.Text = "OK: downloaded " + short(got.File, 120) + " to the browser's own folder."
		*r.object = fileName(got.File)
		return nil
	}
	var info FileInfo
	move := func(context.Context, *aim) *Error {
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
		err = move(ctx, nil) // the person has allowed it
	} else {
		real := filepath.Join(filepath.Dir(path), fileName(got.File))
		err = r.gated(ctx, plan{look: r.fileLook(real, r.tab.MainURL(), path), what: real, do: move})
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
