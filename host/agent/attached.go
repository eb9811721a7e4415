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

// givenMost is how many tokens of a request what was attached may take in a large
// window.
const givenMost = 16_000

// addAttached takes in what was attached to a later word; it stands with the task
// from then on.
func (r *run) addAttached(list []Attached) error {
	notices, err := r.attach(list)
	if len(notices) > 0 {
		r.hist.task += "\n\n" + strings.Join(notices, "\n\n")
		r.notices = append(r.notices, prompts.Notice(prompts.AttachedNow, r.Lang))
	}
	return err
}

// attach says what the model is told of what was attached. A text is given as
// data, a picture to a model that sees, both as far as there is room; any other
// file is for uploads only.
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

// givenRoom is how many tokens more what is attached may take of each request: a
// quarter of the window in all, where the rules, a page and an answer leave it.
func (r *run) givenRoom() int {
	left := r.window() - r.fixedTokens() - r.pageBudget() - maxOutput
	return max(min(r.window()/4, givenMost, left)-r.given, 0)
}

// show has the model see a picture with the task, if there is room for it.
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

// fitText is as much of the beginning of a text as there is room for, without card
// numbers, to the end of a line where one is near.
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
