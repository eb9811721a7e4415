package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/action/pdf"
	"tabwright/host/browser"
	"tabwright/pagecontext"
)

const (
	// mostPDF is the largest size of a PDF document that is read, in bytes.
	mostPDF = 64 << 20
	// keptPDFs is how many documents of a tab are kept after reading.
	keptPDFs = 3
)

func errPDF() *Error {
	return &Error{
		Code: Unsupported, Message: "this is a PDF document in the browser's viewer: nothing in it can be clicked or typed into",
		Hint: "Use extractContent to read it, screenshot to see it, scroll to move in it, and goBack or navigate to go on.",
	}
}

// inPDF tells whether a frame is a PDF viewer or is inside one, at any depth: the
// document in the viewer has its own frame.
func inPDF(fs []frame, f frame) bool {
	for range len(fs) + 1 {
		if f == nil {
			return false
		}
		if f.PDF() {
			return true
		}
		f = frameOf(fs, f.ParentID())
	}
	return false
}

// notPDF returns an error for a target that is a PDF document or is inside one: input has
// no effect there, and the user is not asked about it. Other elements of a page that
// shows a PDF are not affected.
func (r *run) notPDF(ctx context.Context, a *element) *Error {
	if a.frame.PDF() {
		return errPDF()
	}
	if a.el.Tag != "embed" && a.el.Tag != "object" {
		return nil
	}
	fs, err := r.frames(ctx)
	if err != nil {
		return err
	}
	fs = slices.DeleteFunc(fs, func(f frame) bool { return !f.PDF() })
	if childOf(ctx, fs, a.frame, a.id) != nil {
		return errPDF()
	}
	return nil
}

// isPDF tells whether a frame holds a PDF document, and is not the viewer's own frame.
func isPDF(f pagecontext.Frame) bool {
	shows, ok := f.(frame)
	return ok && shows.PDF() && !strings.HasPrefix(f.URL(), "chrome-extension:")
}

// pdfNote returns a note that a tab or its frames show PDF documents; "" if there is
// none.
func (s *Session) pdfNote(ctx context.Context, h *held) string {
	fs, err := h.tab.Frames(ctx)
	if err != nil || !slices.ContainsFunc(fs, isPDF) {
		return ""
	}
	zh := s.o.Lang == Chinese
	if isPDF(fs[0]) {
		if zh {
			return "\n此标签页是浏览器查看器中的 PDF 文档，其中没有可操作的元素。extractContent page=1 读取一页的文字，extractContent query=… 查找文字，截图可以查看。"
		}
		return "\nThis tab shows a PDF document in the browser's viewer; nothing in it can be operated. extractContent page=1 reads a page of its text, extractContent query=… finds words in all of it, a screenshot shows it."
	}
	var at []string
	for _, f := range fs {
		if isPDF(f) {
			at = append(at, short(f.URL(), 200))
		}
	}
	if zh {
		return "\n此页面在框架中显示 PDF 文档：" + strings.Join(at, "、") + "。extractContent query=… 可在其中查找文字。"
	}
	return "\nThe page shows PDF documents in frames: " + strings.Join(at, ", ") + ". extractContent query=… finds words in them."
}

// notePDF adds the pdfNote to a result.
func (r *run) notePDF(ctx context.Context) { r.res.Text += r.s.pdfNote(ctx, r.h) }

// readPDF reads the document that a frame shows; it is read only once.
func (r *run) readPDF(ctx context.Context, f frame) (pdf.Document, *Error) {
	for _, k := range r.h.pdfs {
		if k.document == f.Document() {
			return k.Document, nil
		}
	}
	ctx, end := r.longRun(ctx, untilTime)
	defer end()
	data, err := f.Content(ctx, mostPDF)
	if errors.Is(err, browser.ErrContentTooLarge) {
		return pdf.Document{}, &Error{Code: Unsupported, Message: fmt.Sprintf("the PDF document has more than %d MB", mostPDF>>20), Hint: "Use screenshot to see it.", Err: err}
	}
	if err != nil {
		return pdf.Document{}, wrap("get the PDF document", err)
	}
	d, err := pdf.Read(ctx, data)
	if errors.Is(err, pdf.ErrUnreadable) {
		return d, &Error{Code: Unsupported, Message: short(err.Error(), 300), Hint: "Use screenshot to see it.", Err: err}
	}
	if err != nil {
		return d, wrap("read the PDF document", err)
	}
	r.h.pdfs = append(r.h.pdfs, keptPDF{f.Document(), d})
	if len(r.h.pdfs) > keptPDFs {
		r.h.pdfs = r.h.pdfs[1:]
	}
	return d, nil
}

// keptPDF is a PDF document after reading.
type keptPDF struct {
	document string // the frame's
	pdf.Document
}

// pdfText returns the text of a document as Markdown, a heading for each page; page 0
// means all pages.
func pdfText(d pdf.Document, page int) (string, *Error) {
	first, last := 1, len(d.Pages)
	if page > 0 {
		if page > d.Count {
			return "", &Error{Code: InvalidParams, Message: fmt.Sprintf("there is no page %d: the document has %d", page, d.Count)}
		}
		first, last = page, min(page, len(d.Pages))
	}
	var b strings.Builder
	words := false
	for n := first; n <= last; n++ {
		fmt.Fprintf(&b, "## Page %d\n\n%s\n\n", n, d.Pages[n-1])
		words = words || d.Pages[n-1] != ""
	}
	if page == 0 && last < d.Count {
		fmt.Fprintf(&b, "(The pages after %d were not read: the document is too long.)\n", last)
	}
	if !words {
		return "", nil
	}
	return strings.TrimSpace(b.String()), nil
}

// scannedPDF returns the text for a document without text on any page.
func scannedPDF(d pdf.Document) string {
	return fmt.Sprintf("there is no text to read in this PDF document of %s: it may be scanned. A screenshot shows it.", pageCount(d.Count))
}

func pageCount(n int) string {
	if n == 1 {
		return "1 page"
	}
	return fmt.Sprintf("%d pages", n)
}
