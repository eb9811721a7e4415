package action

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"tabwright/host/action/page"
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
	anew     bool     // … in a new one at the same address
	title    string
	loading  bool
	waiting  bool           // for an answer to what the act asked a server for
	held     []browser.Held // what the page is about to send and was held
	detached error
	parts    []string // changes in words
	appeared []string // texts that came up
	value    string   // of the target, if it is another one now
	more     int
	changed  bool           // something was to be told
	part     string         // the ref of what shows something else, where that is too much to be told
	late     []string       // what changed before the act, since the last result
	retitled string         // that the page has another title
	boxes    map[string]int // how many boxes but the target became checked, by what they are now
	news     []string       // what is new on a page that was loaded anew, in words
}

// tell puts one frame's changes into words, with the tab's indices.
func (w *effectRecorder) tell(f frame, e page.Effects, out *outcome) {
	if len(e.Late) > 0 {
		var before outcome
		w.tell(f, page.Effects{Changes: e.Late, Seen: e.Seen}, &before)
		out.late = append(out.late, before.parts...)
	}
	clean := w.r.s.veil()
	// Before they are shortened: the end of a secret is not known as one.
	safe := func(s string) string { return safety.Redact(clean(pagecontext.Flatten(clean(s)))) }
	if e.Launch != "" {
		out.launch = safe(e.Launch)
	}
	t := telling{w: w, f: f, seen: e.Seen, out: out, safe: safe}
	for _, c := range e.Changes {
		t.note(c)
	}
	if out.changed = out.changed || len(t.list) > 0; t.isView(e) {
		t.view(e)
		return
	}
	t.end()
	out.more += e.More
}

// inFolder says where the file of a click goes, where its path is not known:
// only the action for downloads takes it from there.
func inFolder(d browser.Download) string {
	if filepath.IsAbs(d.File) {
		return ""
	}
	return " (into the browser's own download folder)"
}

// words is the effect in one sentence, for a model.
func (o outcome) words() string {
	var parts []string
	if o.dialog != nil {
		parts = append(parts, fmt.Sprintf("%s opened%s (answer it with handleDialog)", dialogName(o.dialog), dialogText(o.dialog)))
	}
	parts = append(parts, o.news...)
	if o.url != "" {
		text := "navigated to " + short(o.url, 200)
		if o.within {
			text = "address is now " + short(o.url, 200)
		}
		if o.title != "" {
			text += fmt.Sprintf(" (%s)", short(o.title, 80))
		}
		if o.anew {
			text += ", loaded anew"
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
		parts = append(parts, "the tab is going to "+short(o.leaving, 200)+", and the server there has not answered yet: look again for what came of it, and do not do it twice")
	}
	parts = append(parts, o.files...)
	if o.launch != "" {
		parts = append(parts, "the page wanted another program to open "+short(o.launch, 120)+", which was stopped: only the user may")
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
	if o.retitled != "" && o.url == "" {
		parts = append(parts, o.retitled)
	}
	if o.more > 0 {
		parts = append(parts, "and "+howMany(o.more, "more change"))
	}
	if o.waiting && o.url == "" {
		parts = append(parts, "the page still waits for its server")
	}
	if len(parts) == 0 {
		return NoEffect
	}
	return strings.Join(parts, "; ")
}

// forget takes back what frames told, which are asked once more.
func (o *outcome) forget() {
	o.parts, o.appeared, o.late, o.boxes = nil, nil, nil, nil
	o.more, o.part, o.retitled, o.value = 0, "", "", ""
}

// howMany is a number with what is counted.
func howMany(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
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
func (r *run) report(ctx context.Context, w *effectRecorder, a *element, verb, what string) *Error {
	w.target = a
	out := w.settle(ctx)
	var alerts []string
	for out.dialog != nil && out.dialog.Kind == "alert" && len(alerts) < maxAlerts {
		// An alert asks nothing. Its text is told and it is put away.
		said := fmt.Sprintf("an alert said %q and was closed", short(pagecontext.Flatten(out.dialog.Message), 200))
		dctx, cancel := context.WithTimeout(ctx, frameTime)
		err := r.tab.HandleDialog(dctx, true, "")
		cancel()
		if err != nil {
			break
		}
		alerts = append(alerts, said)
		w.noteDialogAnswered()
		out = w.settle(ctx)
	}
	if w.refused == nil && w.resent {
		return stoppedAfterError(saidBefore, nil)
	}
	if w.refused != nil {
		return w.refused
	}
	out.parts = append(alerts, out.parts...)
	if r.spec.Name == "navigate" && out.within && !out.changed && !out.waiting {
		out.parts = []string{sameShown}
	}
	r.boxes = out.boxes
	r.res.Part = out.part
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
