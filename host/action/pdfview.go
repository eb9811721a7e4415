package action

import (
	"slices"
	"strings"
)

// pdfViewer is Chrome's own viewer of PDF documents: a frame of its in the place of
// the document, in which no page's element stands.
const pdfViewer = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/"

var errPDF = &Error{
	Code: Unsupported, Message: "this is a PDF document in the browser's viewer: nothing in it can be clicked or typed into",
	Hint: "Use screenshot to see it, scroll to move in it, and goBack or navigate to go on.",
}

// inPDF tells whether a target is a PDF document, or stands in the viewer of one.
func inPDF(fs []frame, a *aim) bool {
	if strings.HasPrefix(a.frame.URL(), pdfViewer) {
		return true
	}
	return slices.Contains([]string{"html", "body", "embed"}, a.el.Tag) && slices.ContainsFunc(fs, func(f frame) bool {
		return f.ParentID() == a.frame.ID() && strings.HasPrefix(f.URL(), pdfViewer)
	})
}
