package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"tabwright/host/action/spec"
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

// FileInfo is a file that an action wrote.
type FileInfo struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Type string `json:"type"`
}

const maxFileName = 120

func fileActions() []declared {
	pdf := Spec{Name: "savePDF", Family: "reading", Class: safety.FileClass, NeedsTab: true, MayChange: true, Strong: true}
	export := Spec{Name: "exportFile", Family: "page events", Class: safety.FileClass, MayChange: true, Strong: true, WithDialog: true}
	down := Spec{Name: "download", Family: "page events", Class: safety.FileClass, NeedsTab: true, MayChange: true, Strong: true}
	return []declared{declare(pdf, savePDF), declare(down, download, spec.Between("timeoutMs", 1000, 600000)), declare(export, exportFile)}
}

// inTaskDir returns the path for a file of that name: in the task's folder, or name
// itself if it is an absolute path (which the gate then asks about).
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

// fileName turns s into a file name that every system accepts.
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

// create creates a new file, with a number in its name if the name is taken: no
// file is ever overwritten.
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

// infoOf returns size and type of a file: the type by its content, or by its name
// if the content shows only a general type.
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
	err := r.withGate(ctx, gatedStep{look: r.fileLook(path, r.tab.MainURL(), ""), what: path, do: func(ctx context.Context, _ *element) *Error {
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
func (r *run) fileLook(path, pageURL, text string) func(context.Context) (*element, safety.Act, *Error) {
	return func(context.Context) (*element, safety.Act, *Error) {
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
	err := r.withGate(ctx, gatedStep{look: r.fileLook(path, r.s.urlOf(r.s.Tab()), p.Content), what: path, do: func(context.Context, *element) *Error {
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
