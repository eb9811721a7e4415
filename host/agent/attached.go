package agent

import (
	"fmt"
	"sort"
	"strings"

	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
	"tabwright/safety"
)

// givenMost is how many tokens of a request the attachments may take in a large
// window.
const givenMost = 16_000

// addAttached adds the attachments of a later message of the user to the task.
func (r *run) addAttached(list []Attached) error {
	notices, err := r.attach(list)
	if len(notices) > 0 {
		r.hist.task += "\n\n" + strings.Join(notices, "\n\n")
		r.notices = append(r.notices, prompts.Notice(prompts.AttachedNow, r.Lang))
	}
	return err
}

// attach returns what the model is told about the attachments. A text is fenced as
// data, and a picture is shown to a model with vision, both as far as there is room.
// Any other file can only be uploaded.
func (r *run) attach(list []Attached) (notices []string, err error) {
	tell := func(kind string, args ...any) { notices = append(notices, prompts.Notice(kind, r.Lang, args...)) }
	warn := func(kind string, args ...any) {
		if err == nil {
			err = r.Record.Emit(Says(wire.Event{Type: wire.EvNotify, Level: "warn"}, r.Lang, kind, args...))
		}
	}
	for _, a := range list {
		text, whole := r.fitText(a.Text)
		cutAt, orders := 0, []safety.Signal(nil)
		if !whole {
			cutAt = len([]rune(text))
		}
		if text != "" {
			site := safety.Site(a.URL)
			if site == "" {
				site = siteOfWords
			}
			r.recalls(site, text)
			r.proof.saw(text)
			orders = safety.InjectionSignals(text)
			text = prompts.Fence("page", nonce(), text)
		}
		sees := len(a.Data) > 0 && r.caps.Vision
		pictureFits := sees && r.show(llm.Part{Image: a.Data, MIME: a.MIME})
		switch a.Kind {
		case AttachSelection:
			tell(prompts.AttachedText, cut(a.URL, 200), text, cutAt)
		case AttachFile:
			tell(prompts.AttachedFile, fmt.Sprintf("%q", a.Path), text, cutAt, pictureFits)
		case AttachPicture:
			if pictureFits {
				tell(prompts.AttachedPicture, cut(a.URL, 200))
			} else {
				tell(prompts.AttachedUnseen, sees)
			}
		}
		if len(orders) > 0 {
			tell(prompts.AttachedOrders, orders[0].Text)
			warn(prompts.AttachedWarned, orders[0].Text)
		}
		switch {
		case !whole:
			warn(prompts.AttachedCut, a.Name, cutAt)
		case len(a.Data) > 0 && !pictureFits && (sees || a.Kind == AttachPicture): // else its chip said so
			warn(prompts.AttachedUnseen, sees)
		}
	}
	return notices, err
}

// givenRoom returns how many more tokens of each request attachments may take: a
// quarter of the window in all, if the rules, a page and an answer leave that.
func (r *run) givenRoom() int {
	left := r.window() - r.fixedTokens() - r.pageBudget() - maxOutput
	return max(min(r.window()/4, givenMost, left)-r.given, 0)
}

// show adds a picture to the task if there is room for it, and reports whether it did.
func (r *run) show(p llm.Part) bool {
	takes := estimate([]llm.Message{{Parts: []llm.Part{p}}})
	if takes > r.givenRoom() {
		return false
	}
	r.given += takes
	r.proof.picture = true
	r.hist.pictures = append(r.hist.pictures, p)
	return true
}

// fitText returns the beginning of a text, redacted, as far as there is room, up to the
// end of a line if one is near. whole reports whether that is the whole text.
func (r *run) fitText(text string) (out string, whole bool) {
	room := r.givenRoom()
	all := []rune(text)
	most := min(len(all), 8*room) // more never fits
	rs := []rune(safety.Redact(string(all[:most])))
	n := sort.Search(len(rs), func(n int) bool { return llm.EstimateTokens(string(rs[:n+1])) > room })
	out, whole = string(rs[:n]), n == len(rs) && most == len(all)
	if i := strings.LastIndexByte(out, '\n'); !whole && i > len(out)/2 {
		out = out[:i]
	}
	r.given += llm.EstimateTokens(out)
	return out, whole
}
