package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tabwright/safety"
)

// UploadFileParams are the parameters of uploadFile.
type UploadFileParams struct {
	Target
	FilePath string `json:"filePath" jsonschema:"absolute path of the file on this computer"`
}

func fileInputActions() []Spec {
	return []Spec{
		declare(Spec{Name: "uploadFile", Family: "forms", Class: safety.FileClass, NeedsTab: true, MayChange: true, ModelVisible: true}, uploadFile),
	}
}

// uploadFile gives a file to a file input (DOM.setFileInputFiles), to the one
// that a label or a box belongs to, or to the one that a button asks with when
// it is clicked. The file must exist and lie in a folder that files may be
// uploaded from. Without a target it goes to the input that a page asked with
// and that stands nowhere in it.
func uploadFile(ctx context.Context, r *run, p UploadFileParams) *Error {
	asked := r.h.asked
	if p.given() {
		asked = nil
	} else if asked == nil {
		return &Error{Code: InvalidParams, Message: "no target: give the index, ref or selector of the file input"}
	} else {
		if asked.chooser.Node == 0 {
			r.h.asked = nil
			return pickerOnly()
		}
		p.Target = asked.by // what made the page ask is judged
	}
	*r.object = filepath.Base(p.FilePath)
	var did *aim
	var file string
	w := r.watcher()
	defer w.close()
	look := func(ctx context.Context) (*aim, safety.Act, *Error) {
		f, err := r.uploadable(p.FilePath)
		if err != nil {
			return nil, safety.Act{}, err
		}
		file = f
		return r.looker(goal{Target: p.Target}, func(_ *aim, act *safety.Act) { act.File = f })(ctx)
	}
	err := r.gated(ctx, plan{look: look, what: p.FilePath, do: func(ctx context.Context, a *aim) *Error {
		did = a
		if asked != nil && a.frame.Document() != asked.doc {
			return &Error{Code: StaleRef, Message: "the page that asked for a file is gone", Hint: "Click what asks for the file again."}
		}
		var input struct {
			ID int `json:"id"`
		}
		if asked == nil {
			if err := a.frame.Call(ctx, "fileInput", map[string]int{"id": a.id}, &input); err != nil {
				return wrap("look at "+a.String(), err)
			}
			if input.ID == 0 && a.facts.Editable {
				return &Error{Code: Unsupported, Message: a.String() + " is no file input", Hint: "Give the index of the input of type file, of its label, or of the button that asks for a file."}
			}
			if a.facts.Tag == "input" && a.facts.Type == "file" && !a.el.Enabled {
				return &Error{Code: Disabled, Message: a.String() + " is disabled"}
			}
		}
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		if err := r.still(ctx, a); err != nil {
			return err
		}
		r.res.Sent = true
		if asked != nil {
			r.h.asked = nil
			return w.race(ctx, func(ctx context.Context) *Error {
				return r.gone(r.tab.GiveFiles(ctx, asked.chooser, []string{file}), "hand over the file")
			})
		}
		if input.ID == 0 {
			return r.uploadBy(ctx, w, a, file)
		}
		return w.race(ctx, func(ctx context.Context) *Error {
			return r.gone(r.tab.SetFiles(ctx, a.frame, input.ID, []string{file}), "hand over the file")
		})
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "uploaded", fmt.Sprintf("%s to %s", filepath.Base(file), did.label()))
}

// pickerOnly is the error for a page that asks for files by a window that no
// input stands behind, to which DevTools can give none.
func pickerOnly() *Error {
	return &Error{
		Code: Unsupported, Message: "the page asks for files by a window of its script's (showOpenFilePicker), which only a person can answer",
		Hint: "Look for a file input or a place to drop files; else have the person choose the file themselves.",
	}
}

// askTime is how long a page may take to ask for a file after the click.
const askTime = 2 * time.Second

// uploadBy clicks a button that asks for a file, and gives the file to the
// input that asked. The system's window is not opened meanwhile.
func (r *run) uploadBy(ctx context.Context, w *watching, a *aim, file string) *Error {
	r.res.Sent = false
	at, err := r.ready(ctx, a, "click")
	if err != nil {
		return err
	}
	had := len(w.tab.Snapshot().FileChoosers)
	w.more = true // what comes of it is told once the file is there
	err = r.clicked(ctx, w, a, at, leftClick())
	w.more = false
	if err != nil {
		return err
	}
	actx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	for {
		if d := w.dialog(); d != nil {
			return dialogOpen(d)
		}
		if now := w.tab.Snapshot().FileChoosers; len(now) > had {
			r.h.asked, w.given = nil, len(now)
			if now[had].Node == 0 {
				return pickerOnly()
			}
			return w.race(ctx, func(ctx context.Context) *Error {
				return r.gone(r.tab.GiveFiles(ctx, now[had], []string{file}), "hand over the file")
			})
		}
		if !r.tick(actx) {
			return &Error{
				Code: Unsupported, Message: a.String() + " was clicked, and the page asked for no file",
				Hint: "Look at the page: it may show an input of type file now, or want a choice first.",
			}
		}
	}
}

// uploadable gives the real path of a file that may be uploaded. Links are
// followed first, so that none leads out of the folder.
func (r *run) uploadable(path string) (string, *Error) {
	if !filepath.IsAbs(path) {
		return "", &Error{Code: InvalidParams, Message: fmt.Sprintf("%q is no absolute path", path)}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", &Error{Code: NotFound, Message: "there is no file " + path, Hint: "Ask the person which file is meant.", Err: err}
	}
	if st, err := os.Stat(real); err != nil || !st.Mode().IsRegular() {
		return "", &Error{Code: InvalidParams, Message: path + " is no file", Hint: "Give the path of a file, not of a folder."}
	}
	rules := r.s.rules()
	dirs := rules.UploadDirs
	if len(dirs) == 0 && rules.UnaskedUploads {
		return "", &Error{
			Code: Blocked, Message: "no folder is named that files may be uploaded from, and nobody is asked in this session",
			Hint: "Only the person can name one: upload_dirs in the settings, or TABWRIGHT_UPLOAD_DIRS.",
		}
	}
	if len(dirs) > 0 && !slices.ContainsFunc(dirs, func(d string) bool { return within(d, real) }) {
		return "", &Error{Code: Blocked, Message: path + " is outside the folders that files may be uploaded from" + notThere(dirs), Hint: "Only the person can allow another folder, in the settings. Ask for a file within those."}
	}
	return real, nil
}

// notThere says which of the folders have gone since the person named them. A
// model reads it, too: they are named without the way to them.
func notThere(dirs []string) string {
	var gone []string
	for _, d := range dirs {
		if _, err := os.Stat(d); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, fmt.Sprintf("%q", filepath.Base(d)))
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return ", of which these are not there any more: " + strings.Join(gone, ", ")
}

func within(dir, file string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(dir, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
