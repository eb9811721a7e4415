package action

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// ObserveOptions say how much of the page is wanted.
type ObserveOptions struct {
	// Budget is the most tokens of Text; 0 for no limit. Elements then holds only
	// about as many elements as fit, and the number of all.
	Budget int
	// Image adds a picture of the viewport, marked with the indices of the list.
	Image bool
	// Fit returns the size in pixels of a picture of a viewport, for a model that points at
	// pixels: a picture without marks, with Image only.
	Fit func(width, height int) (w, h int)
	// Full adds the list of elements to the summary.
	Full bool
	// NoText leaves the beginning of the page's text out of Text.
	NoText bool
}

// observeTime bounds one look.
const observeTime = 20 * time.Second

// Observe looks at the current tab. It waits for a running action.
func (s *Session) Observe(ctx context.Context, o ObserveOptions) (Observation, error) {
	if err := s.turn(ctx); err != nil {
		return Observation{}, s.withHint(err)
	}
	defer func() { <-s.acting }()
	first, end := context.WithTimeout(ctx, observeTime)
	h, bad := s.here(first)
	end()
	if bad != nil {
		return Observation{}, s.withHint(s.closedOr(ctx, bad))
	}
	if at, used := h.userInputSince(); used {
		h.userSeen = at
	}
	if bad := s.awaitOpenedPage(ctx, h); bad != nil {
		return Observation{}, s.withHint(s.closedOr(ctx, bad))
	}
	ctx, cancel := context.WithTimeout(ctx, observeTime)
	defer cancel()
	out := Observation{URL: h.tab.MainURL(), PageRev: h.tab.PageRev()}
	defer func() { h.told = out.PageRev }()
	if s.groundSeen(h, &out) || s.dialogSeen(h, &out) {
		return out, nil
	}
	opened := h.tab.DialogOpened()
	lctx, stop := context.WithCancel(ctx)
	defer stop()
	got := make(chan error, 1)
	go func() { got <- s.look(lctx, h, o, &out) }()
	select {
	case err := <-got:
		if err != nil && h.tab.Dialog() == nil {
			if e := asError(err); e != nil {
				return out, s.withHint(s.closedOr(ctx, e))
			}
			return out, fmt.Errorf("observe the page: %w", err)
		}
	case <-opened: // nothing in the page answers while a dialog is open
		stop()
		if err := <-got; err != nil { // the dialog's doing
			s.o.Log.Debug().Err(err).Msg("look ended by a dialog")
		}
	}
	if !s.groundSeen(h, &out) { // it may have been led there in the middle
		s.dialogSeen(h, &out)
		s.sawObservation(&out)
		s.maskObservation(&out)
	}
	return out, nil
}

// awaitOpenedPage waits before the first look for the page that the tab was opened at,
// as after a navigation: the browser returns the tab before its server has answered.
// It returns an error if the page can't be loaded.
func (s *Session) awaitOpenedPage(ctx context.Context, h *held) *Error {
	s.mu.Lock()
	waits := s.o.Opened && s.current == s.o.Tab
	s.o.Opened = false
	s.mu.Unlock()
	if !waits {
		return nil
	}
	whole := ctx
	ctx, stop := context.WithTimeout(ctx, browser.NavTimeout)
	defer stop()
	go func() { // ends with the wait
		select {
		case <-h.tab.DialogOpened(): // the page stands still under it
			stop()
		case <-ctx.Done():
		}
	}()
	w := h.tab.Watch()
	defer w.Close()
	lctx, end := context.WithTimeout(ctx, loadTime)
	defer end()
	came := h.tab.AwaitPage(lctx, loadTime)
	if to := h.tab.FailedURL(); to != "" && h.tab.Refused() == nil {
		// Chrome gives the reason only to a new navigation, which may succeed now.
		if err := h.tab.Navigate(whole, to); err != nil {
			return navigationError(to, err)
		}
	}
	if came {
		w.Rest(lctx, restTime, loadTime)
		return nil
	}
	blank := func() bool {
		return nowhere(h.tab.MainURL()) && h.tab.Dialog() == nil && h.tab.Refused() == nil && len(w.Snapshot().Downloads) == 0
	}
	if blank() && !h.tab.AwaitPage(ctx, browser.NavTimeout) && blank() && whole.Err() == nil {
		return &Error{Code: NavigationFailed, Message: fmt.Sprintf("no page came in %s from the address that the task begins at", browser.NavTimeout)}
	}
	return nil
}

// nowhere tells whether an address is that of a tab that has loaded nothing yet.
func nowhere(url string) bool { return url == "" || url == "about:blank" }

// look reads the page, and again if the document changed meanwhile.
func (s *Session) look(ctx context.Context, h *held, o ObserveOptions, out *Observation) error {
	var sum *pagecontext.Summary
	var list *pagecontext.Listing
	for try := 0; ; try++ {
		var err error
		if o.Full {
			sum, list, err = h.page.Look(ctx, o.Budget)
		} else {
			sum, err = h.page.Summary(ctx)
		}
		if err == nil {
			break
		}
		if try == 2 || ctx.Err() != nil {
			return err
		}
		w := h.tab.Watch()
		w.Wait(ctx, quietTime, settleTime)
		w.Close()
	}
	out.Summary, out.Elements = sum, list
	out.URL, out.Title, out.PageRev, out.SnapshotID = sum.URL, sum.Title, sum.PageRev, sum.SnapshotID
	if list != nil {
		out.SnapshotID = list.SnapshotID
	}
	out.Text = h.page.Render(sum, list, pagecontext.RenderOptions{Budget: o.Budget, Lang: s.o.Lang, NoText: o.NoText}) + s.pdfNote(ctx, h)
	if o.Image {
		want := shot{fit: o.Fit}
		if list != nil && o.Fit == nil {
			want.mark = indicesOf(list)
		}
		pic, _, err := s.picture(ctx, h, want)
		if err != nil {
			s.o.Log.Warn().Err(err).Msg("no picture for the observation")
		} else {
			out.Image, out.MIME = pic.Data, pic.MIME
			out.Shown = Shown{pic.Width, pic.Height, pic.ViewWidth, pic.ViewHeight}
			if list != nil {
				h.page.Show(list.SnapshotID, markedIndices(pic)...)
			}
		}
	}
	return nil
}

// answerDialog ends the first line of an observation of a page under a dialog.
var answerDialog = map[string]string{
	English: " Nothing else can be done until it is answered with handleDialog.",
	Chinese: "必须先用 handleDialog 回应它。",
}

// NameDialogAnswer replaces handleDialog by the reader's name of that action in the
// observation of a page under a dialog. Other text, and text of the page, is not
// changed.
func NameDialogAnswer(text, name string) string {
	first, rest, more := strings.Cut(text, "\n")
	for _, says := range answerDialog {
		if head, ok := strings.CutSuffix(first, says); ok {
			first = head + strings.Replace(says, "handleDialog", name, 1)
			break
		}
	}
	if more {
		first += "\n" + rest
	}
	return first
}

// dialogSeen fills in the observation of an open dialog, and tells whether one is open.
func (s *Session) dialogSeen(h *held, out *Observation) bool {
	d := h.tab.Dialog()
	if d == nil {
		return false
	}
	out.Dialog = d
	text := fmt.Sprintf("A %s dialog is open on %s: %q.", d.Kind, out.URL, short(pagecontext.Flatten(d.Message), 500)) + answerDialog[English]
	if s.o.Lang == Chinese {
		text = fmt.Sprintf("%s 上打开了一个 %s 对话框：%q。", out.URL, d.Kind, short(pagecontext.Flatten(d.Message), 500)) + answerDialog[Chinese]
	}
	if out.Text != "" {
		text += "\n" + out.Text
	}
	out.Text = text
	return true
}

func (s *Session) withHint(e *Error) *Error {
	if e.Hint == "" {
		e.Hint = e.Code.Hint()
	}
	return e
}
