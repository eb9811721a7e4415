package action

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// uploadFile gives a file to a file input (DOM.setFileInputFiles). The file
// must exist and lie in a folder that files may be uploaded from.
func uploadFile(ctx context.Context, r *run, p UploadFileParams) *Error {
	if !p.given() {
		return &Error{Code: InvalidParams, Message: "no target: give the index, ref or selector of the file input"}
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
		if a.facts.Tag != "input" || a.facts.Type != "file" {
			return &Error{Code: Unsupported, Message: a.String() + " is no file input", Hint: "Give the index of the input of type file, or the selector input[type=file]."}
		}
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		if err := r.still(ctx, a); err != nil {
			return err
		}
		r.res.Sent = true
		return w.race(ctx, func(ctx context.Context) *Error {
			return r.gone(r.tab.SetFiles(ctx, a.frame, a.id, []string{file}), "hand over the file")
		})
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "uploaded", fmt.Sprintf("%s to %s", filepath.Base(file), did.label()))
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
	dirs := r.s.policy.UploadDirs
	if len(dirs) > 0 && !slices.ContainsFunc(dirs, func(d string) bool { return within(d, real) }) {
		return "", &Error{Code: Blocked, Message: path + " is outside the folders that files may be uploaded from"}
	}
	return real, nil
}

func within(dir, file string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(dir, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
