package action

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"unicode"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// outcome is what an act did, as far as can be seen.
type outcome struct {
	dialog   *browser.Dialog
	newTabs  []browser.TabInfo
	closed   []browser.TabInfo // tabs that came and went
	download []browser.Download
	files    []string // what the page asked files for
	launch   string   // what the page wanted another program to open, and did not
	leaving  string   // where the tab is going; the server there has not answered
	document string   // what is shown, if it is no web page
	status   int      // HTTP status of what is shown; 0 where no server answered
	failed   string   // a navigation that failed
	url      string   // where the main frame is now, if it navigated
	within   bool     // … in the same document
	title    string
	loading  bool
	waiting  bool           // for an answer to what the act asked a server for
	held     []browser.Held // what the page is about to send and was held
	detached error
	parts    []string // changes in words
	appeared []string // texts that came up
	value    string   // of the target, if it is another one now
	more     int
	late     []string // what changed before the act, since the last result
}

// tell puts one frame's changes into words, with the tab's indices.
func (w *watching) tell(f frame, e effects, out *outcome) {
	if len(e.Late) > 0 {
		var before outcome
		w.tell(f, effects{Changes: e.Late, Seen: e.Seen}, &before)
		out.late = append(out.late, before.parts...)
	}
	clean := func(s string) string { return s }
	if v := w.r.s.veil(); v != nil {
		clean = v.Replace
	}
	// Before they are shortened: the end of a secret is not known as one.
	safe := func(s string) string { return safety.Redact(clean(pagecontext.Flatten(clean(s)))) }
	if e.Launch != "" {
		out.launch = safe(e.Launch)
	}
	var added, gone, other []said
	for _, c := range e.Changes {
		what := describe(c.Role, "text", c.Name)
		raw := pagecontext.RawElement{ID: c.ID, Role: c.Role, Name: c.Name}
		number := func(what string) string {
			return fmt.Sprintf("[%d] %s", w.r.page.Seen(f, raw, e.Seen).Index, what)
		}
		if c.ID != 0 {
			what = number(what)
		}
		note := func(list *[]said, words string) { *list = append(*list, said{words, raw}) }
		from, to := apart(safe(c.From), safe(c.To))
		switch c.Kind {
		case "added":
			if c.Role == "" && c.Name == "" {
				what = fmt.Sprintf("%q", short(safe(c.To), 120))
				out.appeared = append(out.appeared, cameUp("", safe(c.To)))
			} else if c.Name != "" {
				out.appeared = append(out.appeared, c.Name)
			}
			note(&added, what)
		case "removed":
			if c.Role == "" && c.Name == "" {
				what = fmt.Sprintf("%q", from)
			}
			note(&gone, what)
		case "focus":
			if w.target != nil && w.target.frame.ID() == f.ID() && w.target.id == c.ID {
				continue // what was clicked has the focus; nobody needs to be told
			}
			what = "nothing"
			if c.ID != 0 {
				what = number(describe(c.Role, "element", c.Name))
			}
			note(&other, "focus on "+what)
		case "said":
			note(&other, fmt.Sprintf("the page announces %q", short(safe(c.To), 200)))
		case "drawn":
			what := "in the drawing"
			if c.Name != "" {
				what += fmt.Sprintf(" %q", short(safe(c.Name), 60))
			}
			note(&other, fmt.Sprintf("%s %s: %s", what, c.Role, short(safe(c.To), 160)))
		case "scroll":
			note(&other, "scrolled")
		case "text":
			if c.Role == "" && c.Name == "" && c.ID == 0 {
				what = "text"
			}
			out.appeared = append(out.appeared, cameUp(to, safe(c.To)))
			switch plain := what == "text"; {
			case plain && c.From == "":
				note(&added, fmt.Sprintf("%q", short(safe(c.To), 120)))
				continue
			case plain && c.To == "":
				note(&gone, fmt.Sprintf("%q", short(safe(c.From), 120)))
				continue
			}
			note(&other, fmt.Sprintf("%s %q → %q", what, from, to))
		default:
			if c.Kind == "value" && w.target != nil && w.target.frame.ID() == f.ID() && w.target.id == c.ID {
				if out.value = c.To; strings.HasPrefix(c.To, tail) {
					out.value = "" // a part is not what it holds
				}
			}
			if c.From == "" && c.To == "" { // a secret's: never told
				note(&other, fmt.Sprintf("%s %s changed", what, c.Kind))
				continue
			}
			note(&other, fmt.Sprintf("%s %s %q → %q", what, c.Kind, from, to))
		}
	}
	n := 0
	take := func(head string, list []said, sep string) {
		if len(list) == 0 || n >= shownChanges {
			out.more += len(list)
			return
		}
		keep := min(len(list), shownChanges-n)
		n += keep
		out.more += len(list) - keep
		words := make([]string, keep)
		for i, s := range list[:keep] {
			words[i] = s.words
			switch {
			case s.of.ID == 0:
			case head == isNew:
				w.r.page.TellNew(f, s.of, e.Seen)
			default:
				w.r.page.Tell(f, s.of, e.Seen)
			}
		}
		out.parts = append(out.parts, head+strings.Join(words, sep))
	}
	take("", other, "; ")
	take(isNew, added, ", ")
	take("gone: ", gone, ", ")
	out.more += e.More
}

// isNew is said before what came.
const isNew = "new: "

// said is a change in words, and the element that they name, if any.
type said struct {
	words string
	of    pagecontext.RawElement
}

// inFolder says where the file of a click goes, where its path is not known:
// only the action for downloads takes it from there.
func inFolder(d browser.Download) string {
	if filepath.IsAbs(d.File) {
		return ""
	}
	return " (into the browser's own download folder)"
}

// tail begins a text that the extractor tells from before where it differs: what
// stands before that is left out.
const tail = "…"

// apart shortens two texts to where they differ. It begins in no number: half of
// one is another.
func apart(from, to string) (string, string) {
	const most, before, back = 60, 12, 30
	f, t := []rune(from), []rune(to)
	n := 0
	for n < min(len(f), len(t)) && f[n] == t[n] {
		n++
	}
	at := 0
	if max(len(f), len(t)) > most && n > most/2 {
		for at = n - before; at > n-before-back && ofNumber(f[at]) && ofNumber(f[at-1]); {
			at--
		}
		for at < n && unicode.IsSpace(f[at]) {
			at++
		}
		from, to = tail+string(f[at:]), tail+string(t[at:])
	}
	size := most
	if at > 0 {
		size = max(most, n-at+most-before)
	}
	return short(from, size), short(to, size)
}

// cameUp is of a text that came up what is looked for when the step is done again:
// the part that is new, and words that stand there as they are.
func cameUp(part, whole string) string {
	if !strings.HasPrefix(part, tail) {
		part = short(whole, 80)
	}
	return strings.TrimSpace(strings.Trim(part, tail))
}

func ofNumber(r rune) bool {
	return unicode.IsNumber(r) || unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || strings.ContainsRune(".,:'’-−", r)
}

// words is the effect in one sentence, for a model.
func (o outcome) words() string {
	var parts []string
	if o.dialog != nil {
		parts = append(parts, fmt.Sprintf("%s opened%s (answer it with handleDialog)", dialogName(o.dialog), dialogText(o.dialog)))
	}
	if o.url != "" {
		verb := "navigated to "
		if o.within {
			verb = "address is now "
		}
		text := verb + short(o.url, 200)
		if o.title != "" {
			text += fmt.Sprintf(" (%s)", short(o.title, 80))
		}
		if o.status >= http.StatusBadRequest {
			text += fmt.Sprintf("; the server answered with %s", strings.TrimSpace(fmt.Sprint(o.status, " ", http.StatusText(o.status))))
		}
		if o.loading {
			text += ", still loading"
		}
		if o.document != "" {
			text += "; it is " + o.document
		}
		parts = append(parts, text)
	}
	if o.leaving != "" && o.dialog == nil {
		parts = append(parts, "the tab is going to "+short(o.leaving, 200)+", and the server there has not answered yet")
	}
	parts = append(parts, o.files...)
	if o.launch != "" {
		parts = append(parts, "the page wanted another program to open "+short(o.launch, 120)+", which was stopped: only the person may")
	}
	if o.failed != "" {
		parts = append(parts, "the page at "+short(o.failed, 200)+" could not be loaded")
	}
	for _, t := range o.newTabs {
		text := "opened a new tab"
		if t.URL != "" {
			text += " at " + short(t.URL, 200)
		}
		parts = append(parts, text+" (switchTab goes there)")
	}
	for _, t := range o.closed {
		parts = append(parts, "a new tab at "+short(t.URL, 200)+" opened and closed again by itself")
	}
	for _, d := range o.download {
		name := d.File
		if name == "" {
			name = d.URL
		}
		switch d.State {
		case "complete":
			parts = append(parts, "downloaded "+short(name, 120)+inFolder(d))
		case "interrupted":
			parts = append(parts, "the download of "+short(d.URL, 120)+" failed")
		default:
			parts = append(parts, "download began: "+short(name, 120)+inFolder(d))
		}
	}
	if o.detached != nil {
		parts = append(parts, "the tab went away")
	}
	parts = append(parts, o.parts...)
	if o.more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more changes", o.more))
	}
	if o.waiting && o.url == "" {
		parts = append(parts, "the page still waits for its server")
	}
	if len(parts) == 0 {
		return NoEffect
	}
	return strings.Join(parts, "; ")
}

// lateNote tells what changed in a page by itself: after the last result had been
// given, and before the act of this one.
var lateNote = map[string]string{
	English: "After the last result and before this act the page changed by itself: %s.",
	Chinese: "在上次结果之后、本次操作之前，页面自行发生了变化：%s。",
}

// movedNote tells of a tab that shows another document than at the last result.
var movedNote = map[string]string{
	English: "After the last result the tab went on to %s.",
	Chinese: "在上次结果之后，标签页又转到了 %s。",
}

// maxAlerts bounds a page that opens one alert after another.
const maxAlerts = 3

// report settles, and writes outcome and effect into the result.
func (r *run) report(ctx context.Context, w *watching, a *aim, verb, what string) *Error {
	w.target = a
	out := w.settle(ctx)
	var alerts []string
	for out.dialog != nil && out.dialog.Kind == "alert" && len(alerts) < maxAlerts {
		// An alert asks nothing. Its text is told and it is put away.
		said := fmt.Sprintf("an alert said %q and was closed", short(out.dialog.Message, 200))
		dctx, cancel := context.WithTimeout(ctx, frameTime)
		err := r.tab.HandleDialog(dctx, true, "")
		cancel()
		if err != nil {
			break
		}
		alerts = append(alerts, said)
		w.answered()
		out = w.settle(ctx)
	}
	if w.refused == nil && w.resent {
		return stoppedAfter(saidBefore, nil)
	}
	if w.refused != nil {
		return w.refused
	}
	out.parts = append(alerts, out.parts...)
	r.res.Effect, r.res.Loaded = out.words(), out.url != "" && !out.within
	if !r.res.Secret { // what a page echoes of what was typed is as secret
		r.res.Appeared, r.res.Value = out.appeared, safety.Redact(out.value)
		for i := range r.res.Appeared {
			r.res.Appeared[i] = safety.Redact(r.res.Appeared[i])
		}
	}
	if len(out.late) > 0 && !r.yielded && (out.url == "" || out.within) {
		r.s.noteNext(fmt.Sprintf(lateNote[r.s.o.Lang], strings.Join(out.late, "; ")))
	}
	r.res.Away = out.detached != nil
	if errors.Is(out.detached, browser.ErrGone) { // what came of it nobody saw
		return wrap("see what came of it", out.detached)
	}
	if out.failed != "" && out.url == "" && !strings.HasPrefix(verb, "clicked") {
		return &Error{Code: NavigationFailed, Message: "could not load " + short(out.failed, 200)}
	}
	line := verb
	if what != "" {
		line += " " + what
	}
	r.res.Text = fmt.Sprintf("OK: %s. Effect: %s.", line, r.res.Effect)
	return nil
}
