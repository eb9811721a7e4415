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

	"tabwright/host/action/hittarget"
	"tabwright/host/action/page"
	"tabwright/safety"
)

// UploadFileParams are the parameters of uploadFile; filePath or paths is needed.
type UploadFileParams struct {
	Target
	FilePath string   `json:"filePath,omitempty" jsonschema:"absolute path of the file on this computer"`
	Paths    []string `json:"paths,omitempty" jsonschema:"several files at once"`
}

// maxFiles is how many files are given at once.
const maxFiles = 20

// files returns the paths that were given.
func (p UploadFileParams) files() ([]string, *Error) {
	out := p.Paths
	if p.FilePath != "" {
		out = append([]string{p.FilePath}, p.Paths...)
	}
	switch {
	case len(out) == 0:
		return nil, &Error{Code: InvalidParams, Message: "no file: give filePath, or paths for several"}
	case len(out) > maxFiles:
		return nil, &Error{Code: InvalidParams, Message: fmt.Sprintf("%d files are more than the %d that can be given at once", len(out), maxFiles)}
	}
	return out, nil
}

// fileNames returns the names of files without their folders.
func fileNames(files []string) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = filepath.Base(f)
	}
	return strings.Join(names, ", ")
}

func fileInputActions() []declared {
	return []declared{
		declare(Spec{Name: "uploadFile", Family: "forms", Class: safety.FileClass, NeedsTab: true, MayChange: true, ModelVisible: true, Advanced: []string{"paths"}, Needed: []string{"filePath"}}, uploadFile),
	}
}

// uploadFile gives files to a file input (DOM.setFileInputFiles), to the input of a
// label or a box, or to the input that a button opens when it is clicked; or it drops
// them (Input.dispatchDragEvent) on an element that accepts drops. The files must exist
// and be in a folder that files may be uploaded from. Without a target they go to the
// last input outside the document that asked for files.
func uploadFile(ctx context.Context, r *run, p UploadFileParams) *Error {
	asked := r.h.asked
	if p.isSet() {
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
	paths, bad := p.files()
	if bad != nil {
		return bad
	}
	*r.object = fileNames(paths)
	var did *element
	var files []string
	var input page.FileInput
	w := r.watcher()
	defer w.close()
	look := func(ctx context.Context) (*element, safety.Act, *Error) {
		files = make([]string, len(paths))
		for i, path := range paths {
			f, err := r.uploadable(path)
			if err != nil {
				return nil, safety.Act{}, err
			}
			files[i] = f
		}
		a, act, err := r.looker(targetQuery{Target: p.Target}, func(_ *element, act *safety.Act) { act.Files = files })(ctx)
		switch {
		case err != nil:
		case asked == nil:
			input, err = fieldFor(ctx, a, files)
		case !asked.chooser.Multiple:
			err = oneOnly(a, files)
		}
		return a, act, err
	}
	err := r.withGate(ctx, gatedStep{look: look, what: strings.Join(paths, ", "), do: func(ctx context.Context, a *element) *Error {
		did = a
		if asked != nil && a.frame.Document() != asked.doc {
			return &Error{Code: StaleRef, Message: "the page that asked for a file is gone", Hint: "Click what asks for the file again."}
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
				return r.ignoreNavigated(r.tab.GiveFiles(ctx, asked.chooser, files), "hand over the files")
			})
		}
		if input.ID == 0 {
			return r.uploadBy(ctx, w, a, files)
		}
		return w.race(ctx, func(ctx context.Context) *Error {
			return r.ignoreNavigated(r.tab.SetFiles(ctx, a.frame, input.ID, files), "hand over the files")
		})
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "uploaded", fmt.Sprintf("%s to %s", fileNames(files), did.label()))
}

// pickerOnly is the error for a page that asks for files by a dialog without an input,
// to which DevTools can't give files.
func pickerOnly() *Error {
	return &Error{
		Code: Unsupported, Message: "the page asks for files by a window of its script's (showOpenFilePicker), which only a user can answer",
		Hint: "Look for a file input or a place to drop files; else have the user choose the file themselves.",
	}
}

// buttonRoles are the roles of elements that are clicked for a file, not dropped on.
var buttonRoles = []string{"button", "link", "menuitem", "option", "tab"}

// askTime is how long a page may take to ask for a file after the click.
const askTime = 2 * time.Second

// fieldFor returns the file input of a, and an error if it can't take the files: the
// user is not asked about an act that can't be done.
func fieldFor(ctx context.Context, a *element, files []string) (f page.FileInput, bad *Error) {
	f, err := page.FileInputOf(ctx, a.frame, a.id)
	if err != nil {
		return f, wrap("look at "+a.String(), err)
	}
	switch {
	case f.ID == 0 && a.facts.Editable:
		return f, &Error{Code: Unsupported, Message: a.String() + " is no file input", Hint: "Give the index of the input of type file, of its label, or of the button that asks for a file."}
	case a.facts.Tag == "input" && a.facts.Type == "file" && !a.el.Enabled:
		return f, &Error{Code: Disabled, Message: a.String() + " is disabled"}
	case f.ID != 0 && !f.Multiple:
		return f, oneOnly(a, files)
	}
	return f, nil
}

// oneOnly returns the error for several files if a takes one only.
func oneOnly(a *element, files []string) *Error {
	if len(files) < 2 {
		return nil
	}
	return &Error{Code: InvalidParams, Message: a.String() + " takes one file only", Hint: "Give one file, or look for a field that takes several."}
}

// dropOn drops files on an element, behind a guard that sees where the drop arrives.
// took is false if the page accepts none there.
func (r *run) dropOn(ctx context.Context, w *effectRecorder, a *element, files []string) (took bool, err *Error) {
	at, err := r.ready(ctx, a, "click")
	if err != nil {
		return false, err
	}
	if err := page.BeginDrop(ctx, a.frame); err != nil {
		return false, wrap("look at "+a.String(), err)
	}
	takes := func() bool {
		tctx, cancel := context.WithTimeout(ctx, frameTime)
		defer cancel()
		takes, err := page.TakesDrop(tctx, a.frame)
		took = err == nil && takes && r.tab.Dialog() == nil
		return took
	}
	w.more = true // effects are told once the files are there
	err = r.guardedDrop(ctx, w, a, a, "drag", func(ctx context.Context, l hittarget.Lease) *Error {
		err := r.tab.DropFiles(ctx, l, at.X, at.Y, files, takes)
		r.res.Sent = took
		return r.ignoreNavigated(err, "drop the files")
	})
	w.more = false
	return took, err
}

// uploadBy clicks a button that asks for a file, and gives the files to the input that
// asked. The system's dialog is kept closed. An element that is no button is tried
// with a drop first.
func (r *run) uploadBy(ctx context.Context, w *effectRecorder, a *element, files []string) *Error {
	r.res.Sent = false
	if !slices.Contains(buttonRoles, a.el.Role) {
		if took, err := r.dropOn(ctx, w, a, files); took || err != nil {
			return err
		}
	}
	at, err := r.ready(ctx, a, "click")
	if err != nil {
		return err
	}
	had := len(w.tab.Snapshot().FileChoosers)
	w.more = true // effects are told once the file is there
	err = r.guardedClick(ctx, w, a, at, leftClick())
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
			if err := oneOnly(a, files); err != nil && !now[had].Multiple {
				return err
			}
			return w.race(ctx, func(ctx context.Context) *Error {
				return r.ignoreNavigated(r.tab.GiveFiles(ctx, now[had], files), "hand over the files")
			})
		}
		if !r.tick(actx) {
			return &Error{
				Code: Unsupported, Message: a.String() + " was clicked, and the page asked for no file; nor does it take one that is dropped there",
				Hint: "Look at the page: it may show an input of type file now, or want a choice first.",
			}
		}
	}
}

// uploadable returns the real path of a file that may be uploaded. Links are followed
// first, so that none leads out of the folder.
func (r *run) uploadable(path string) (string, *Error) {
	if !filepath.IsAbs(path) {
		return "", &Error{Code: InvalidParams, Message: fmt.Sprintf("%q is no absolute path", path)}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", &Error{Code: NotFound, Message: "there is no file " + path, Hint: "Ask the user which file is meant.", Err: err}
	}
	if st, err := os.Stat(real); err != nil || !st.Mode().IsRegular() {
		return "", &Error{Code: InvalidParams, Message: path + " is no file", Hint: "Give the path of a file, not of a folder."}
	}
	rules := r.s.rules()
	dirs := rules.UploadDirs
	if len(dirs) == 0 && rules.UnaskedUploads {
		return "", &Error{
			Code: Blocked, Message: "no folder is named that files may be uploaded from, and nobody is asked in this session",
			Hint: "Only the user can name one: upload_dirs in the settings, or TABWRIGHT_UPLOAD_DIRS.",
		}
	}
	if len(dirs) > 0 && !slices.ContainsFunc(dirs, func(d string) bool { return within(d, real) }) {
		return "", &Error{Code: Blocked, Message: path + " is outside the folders that files may be uploaded from" + notThere(dirs), Hint: "Only the user can allow another folder, in the settings. Ask for a file within those."}
	}
	return real, nil
}

// notThere tells which of the folders no longer exist. Only their names are told,
// because a model reads the text, too.
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
