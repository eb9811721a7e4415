package agent

import (
	"fmt"
	"strings"

	"tabwright/host/native"
	"tabwright/llm"
	"tabwright/prompts"
	"tabwright/safety"
)

// Exchange is an earlier task of the conversation.
type Exchange struct {
	Asked, Answered string
	Sites           []string // that the answer was read on
}

// Attached is what a person gave with their words.
type Attached struct {
	Kind string // AttachSelection, AttachPicture, AttachFile
	URL  string // the page that it was taken from
	Text string // of a selection
	Path string // of a file, in the task's own folder
	MIME string
	Data []byte // of a picture
}

// The kinds of Attached, as native.Attachment has them.
const (
	AttachSelection = "selection"
	AttachPicture   = "screenshot"
	AttachFile      = "file"
)

const (
	earlierMost  = 6    // exchanges, the newest
	earlierAsk   = 400  // characters of what was asked
	earlierReply = 1200 // … and answered
	selectionMax = 6000
)

// opening is the task as the model is given it: the person's words, what they
// attached, and the conversation so far, shortened.
func (r *run) opening() (string, error) {
	out := []string{r.Text}
	told, err := r.attached(r.Attach)
	if err != nil {
		return "", err
	}
	out = append(out, told...)
	share := 1.0
	if r.window() < comfortable {
		share = 0.25
	}
	before := r.Before
	if len(before) > earlierMost {
		before = before[len(before)-earlierMost:]
	}
	for i, e := range before {
		if i == 0 {
			out = append(out, prompts.Notice(prompts.Earlier, r.Lang))
		}
		out = append(out, prompts.Notice(prompts.EarlierAsked, r.Lang, cut(e.Asked, int(earlierAsk*share))))
		answer := prompts.Notice(prompts.EarlierNone, r.Lang)
		if e.Answered != "" {
			fenced := prompts.Fence("result", nonce(), cut(e.Answered, int(earlierReply*share)))
			answer = prompts.Notice(prompts.EarlierAnswered, r.Lang, fenced)
		}
		out = append(out, answer)
	}
	return strings.Join(out, "\n\n"), nil
}

// attached tells the model what was attached; a picture goes with its next look,
// where it sees.
func (r *run) attached(list []Attached) (told []string, err error) {
	for _, a := range list {
		switch a.Kind {
		case AttachSelection:
			site := safety.Site(a.URL)
			if site == "" {
				site = siteOfWords
			}
			r.recalls(site, a.Text)
			text := prompts.Fence("page", nonce(), cut(a.Text, selectionMax))
			told = append(told, prompts.Notice(prompts.AttachedText, r.Lang, cut(a.URL, 200), text))
		case AttachFile:
			told = append(told, prompts.Notice(prompts.AttachedFile, r.Lang, fmt.Sprintf("%q", a.Path)))
		case AttachPicture:
			if r.caps.Vision {
				r.picked = llm.Part{Image: a.Data, MIME: a.MIME}
				told = append(told, prompts.Notice(prompts.AttachedPicture, r.Lang, cut(a.URL, 200)))
				continue
			}
			text := prompts.Notice(prompts.AttachedUnseen, r.Lang)
			told = append(told, text)
			if err := r.Record.Emit(Says(native.Event{Type: native.EvNotify, Level: "warn"}, r.Lang, prompts.AttachedUnseen)); err != nil {
				return nil, err
			}
		}
	}
	return told, nil
}
