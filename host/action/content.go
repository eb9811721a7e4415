package action

import (
	"context"
	"fmt"
	"strings"

	"tabwright/host/action/page"
	"tabwright/host/action/pdf"
	"tabwright/pagecontext"
)

// ExtractContentParams are the parameters of extractContent.
type ExtractContentParams struct {
	Target          // the page's main part if left out
	Query    string `json:"query,omitempty" jsonschema:"only the passages with these words"`
	Cursor   string `json:"cursor,omitempty" jsonschema:"nextCursor of the part before, for what follows"`
	Page     *int   `json:"page,omitempty" jsonschema:"page of a PDF"`
	Format   string `json:"format,omitempty" jsonschema:"markdown if left out"`
	Links    *bool  `json:"links,omitempty" jsonschema:"with the addresses of links (true) or their words only"`
	MaxChars *int   `json:"maxChars,omitempty" jsonschema:"12000 if left out"`
}

const (
	defaultContent = 12000
	leastChars     = 20
	// wholeContent is how much of a page is read to find passages in it, or
	// what follows a cursor.
	wholeContent = 2000000
	// shownHeadings is how many headings are told if no passage matches.
	shownHeadings = 12
)

// ContentData is the Data of extractContent's result.
type ContentData struct {
	Content    string `json:"content"`
	Title      string `json:"title"`
	URL        string `json:"url"`
	More       bool   `json:"more"`
	NextCursor string `json:"nextCursor,omitempty"`
	// Found counts the passages that answer the query; those that did not fit
	// are not in Content.
	Found int `json:"found,omitempty"`
	// Pages is how many pages a PDF document has.
	Pages int `json:"pages,omitempty"`
}

// leastFrame is the least length of a child frame's content that is added.
const leastFrame = 200

// extractContent gives the readable text that a user sees on the page: all of it
// piece by piece, or the passages that match a query.
func extractContent(ctx context.Context, r *run, p ExtractContentParams) *Error {
	limit := limitOf(p.MaxChars, defaultContent)
	if p.Cursor != "" && !pagecontext.ValidCursor(p.Cursor) {
		return &Error{Code: InvalidParams, Message: fmt.Sprintf("%q is no cursor of extractContent", short(p.Cursor, 60)), Hint: "Give nextCursor as it came, or leave it out to begin at the top."}
	}
	if p.Cursor != "" && p.Query != "" {
		return &Error{Code: InvalidParams, Message: "query and cursor exclude each other", Hint: "A query looks through the whole page; for more passages give a larger maxChars."}
	}
	return r.readingAny(ctx, p.Target, func(ctx context.Context, f frame, id int) *Error {
		d := &ContentData{URL: f.URL()}
		text, err := r.wholeText(ctx, f, id, p, d)
		if err != nil {
			return err
		}
		r.res.Data = d
		head := fmt.Sprintf("%q (%s)", short(d.Title, 120), short(d.URL, 200))
		if d.Pages > 0 {
			head += fmt.Sprintf(", a PDF document of %s", pageCount(d.Pages))
		}
		if p.Query != "" {
			r.res.Text = d.passages(text, p.Query, limit, head)
			return nil
		}
		var moved bool
		d.Content, d.NextCursor, moved = pagecontext.Piece(text, p.Cursor, limit)
		d.More = d.NextCursor != ""
		r.res.Text = d.piece(head, moved)
		return nil
	})
}

// wholeText reads an element, or the page with its frames, and sets the title and
// the number of pages in d.
func (r *run) wholeText(ctx context.Context, f frame, id int, p ExtractContentParams, d *ContentData) (text string, bad *Error) {
	if f.PDF() {
		return r.wholePDF(ctx, f, p, d)
	}
	if p.Page != nil {
		return "", &Error{Code: InvalidParams, Message: "page is for PDF documents, and this is none", Hint: "Leave page out; cursor goes on where a part ended."}
	}
	most := wholeContent
	if p.Query == "" && p.Cursor == "" {
		most = limitOf(p.MaxChars, defaultContent) + leastFrame // enough to see that there is more
	}
	arg := page.ContentOptions{ID: id, Max: most, Links: p.Format != "text" && (p.Links == nil || *p.Links)}
	got, err := page.ReadContent(ctx, f, arg)
	if err != nil {
		return "", wrap("read the page", err)
	}
	if got.Error != nil {
		return "", r.extractorErr(f, got.Error)
	}
	text = got.Markdown
	if id == 0 {
		text += r.framesContent(ctx, f, arg, most-len(text))
	}
	text = cleanLines(text)
	if p.Format == "text" {
		text = plainText(text)
	}
	d.Title = pagecontext.Flatten(got.Title)
	return text, nil
}

// wholePDF is wholeText of a PDF document.
func (r *run) wholePDF(ctx context.Context, f frame, p ExtractContentParams, d *ContentData) (string, *Error) {
	doc, bad := r.readPDF(ctx, f)
	if bad != nil {
		return "", bad
	}
	d.Title, d.Pages = pagecontext.Flatten(doc.Title), doc.Count
	page := 0
	if p.Page != nil {
		page = *p.Page
	}
	text, bad := pdfText(doc, page)
	if bad != nil {
		return "", bad
	}
	if text = cleanLines(text); p.Format == "text" {
		text = plainText(text)
	}
	return text, nil
}

// piece is the text of a result that gives a part of the whole.
func (d *ContentData) piece(head string, moved bool) string {
	if d.Content == "" && d.Pages > 0 {
		return "OK: " + scannedPDF(pdf.Document{Count: d.Pages})
	}
	if d.Content == "" {
		return "OK: there is nothing to read here; getElements or a screenshot may show more."
	}
	out := "OK: content of " + head + ":\n" + d.Content
	if moved {
		out = "OK: content of " + head + "; the page has changed since the part before, so this begins only about there:\n" + d.Content
	}
	if d.More {
		out += fmt.Sprintf("\n… there is more: extractContent cursor=%s goes on, query=… finds words in all of it.", d.NextCursor)
	}
	return out
}

// passages is the text of a result that answers a query.
func (d *ContentData) passages(text, query string, limit int, head string) string {
	var shown int
	d.Content, shown, d.Found = pagecontext.Passages(text, query, limit)
	if d.Found == 0 {
		out := fmt.Sprintf("OK: nothing in %s has the words %q.", head, short(query, 120))
		if hs := pagecontext.Headings(text); len(hs) > 0 {
			out += " It is about: " + strings.Join(hs[:min(len(hs), shownHeadings)], "; ") + "."
		}
		return out
	}
	d.More = shown < d.Found
	out := fmt.Sprintf("OK: passages of %s with %q:\n%s", head, short(query, 120), d.Content)
	if d.More {
		out += fmt.Sprintf("\n… %d of %d passages fit: a larger maxChars, or other words, show more.", shown, d.Found)
	}
	return out
}

// framesContent returns the content of shown child frames, except short ones such
// as ads and buttons.
func (r *run) framesContent(ctx context.Context, main frame, arg page.ContentOptions, room int) string {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return ""
	}
	var b strings.Builder
	for _, f := range fs {
		if f.ID() == main.ID() || room-b.Len() < leastFrame {
			continue
		}
		if _, _, shown := f.Offset(ctx); !shown {
			continue
		}
		fctx, cancel := context.WithTimeout(ctx, frameTime)
		var got page.Content
		var err error
		if isPDF(f) {
			if d, bad := r.readPDF(fctx, f); bad == nil {
				got.Markdown, _ = pdfText(d, 0)
			}
		} else {
			got, err = page.ReadContent(fctx, f, arg)
		}
		cancel()
		if err == nil && got.Error == nil && len(got.Markdown) >= leastFrame {
			fmt.Fprintf(&b, "\n\n---\nFrame %s\n\n%s", short(f.URL(), 200), short(got.Markdown, room-b.Len()))
		}
	}
	return b.String()
}

// plainText takes the marks of headings and code out of Markdown.
func plainText(md string) string {
	lines := strings.Split(md, "\n")
	out := lines[:0]
	for _, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			continue
		}
		out = append(out, strings.TrimPrefix(strings.TrimLeft(l, "#"), " "))
	}
	return strings.Join(out, "\n")
}
