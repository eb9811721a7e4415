package action

import (
	"context"
	"fmt"
	"strings"

	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// A page that asks for a file opens a dialog of the system, which nothing can
// control. During an act the dialog is kept closed (browser.Watch.SuppressFileDialogs), and
// the result names the input that asked, for uploadFile.

// asked is a request for files that has no index, such as that of an input outside
// the document: uploadFile without a target gives the files to it.
type asked struct {
	chooser browser.FileChooser
	by      Target // what was acted on when it asked
	doc     string // of its frame
}

// fileWords says which input asked for a file.
func (w *effectRecorder) fileWords(ctx context.Context, c browser.FileChooser) string {
	r := w.r
	what := "a file"
	if c.Multiple {
		what = "files"
	}
	if c.Node == 0 {
		// showOpenFilePicker and similar calls have no input. Kept closed, they tell
		// the page that the user cancelled.
		r.h.asked = &asked{chooser: c}
		return "the page asked for " + what + " by a window of its script's (showOpenFilePicker), which only a user can answer; it was cancelled"
	}
	said := "the page asked for " + what + ", and no window was opened: use uploadFile with "
	fctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	pf, id, err := r.tab.Asker(fctx, c)
	if err == nil {
		f, bad := asFrame(pf)
		if bad == nil {
			if got, err := page.Resolve(fctx, f, page.Locator{ID: id, Exact: true}); err == nil && got.Error == nil {
				return said + fmt.Sprintf("index %d (%s)", r.page.IndexOf(f, got.Element), pagecontext.Describe("file input", "", got.Element.Name))
			}
		}
	}
	if w.target != nil {
		index := w.target.index
		r.h.asked = &asked{chooser: c, by: Target{Index: &index}, doc: w.target.frame.Document()}
	}
	if c.Multiple {
		return said + "paths alone, and no index"
	}
	return said + "filePath alone, and no index"
}

// document describes a document that is no web page by its MIME type, or returns "".
func document(mime string) string {
	switch kind, _, _ := strings.Cut(mime, "/"); {
	case mime == "application/pdf":
		return "a PDF document, whose text can't be read as a page's: screenshot shows it, scroll moves in it"
	case kind == "image" && mime != "image/svg+xml":
		return "a picture: screenshot shows it"
	case kind == "video" || kind == "audio":
		return "a " + kind + " file"
	}
	return ""
}
