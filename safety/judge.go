package safety

import (
	"slices"
)

// Judge gives the level and class of an act on its resolved target, with the
// reasons. It is deterministic and pure: the same facts give the same answer.
// Text of a page can raise a level and never lower one. The user's policy for
// the class and the site (Context.Policy) is applied last.
func Judge(a Act, c Context) Decision { return judgeAct(a, c).d }

// ReadsPage reports whether Judge of this act uses the page's text, amounts and
// items. If not, they need not be read. It may be called without them: the
// judgement is the same up to the first use of them.
func ReadsPage(a Act, c Context) bool { return judgeAct(a, c).read }

func judgeAct(a Act, c Context) *judgement {
	j := &judgement{act: a, ctx: c, lex: lex(), d: Decision{Level: Auto, Class: a.Base}}
	if len(j.lex.classes) == 0 {
		j.raise(Confirm, a.Base, "no_words", j.say("The word lists could not be read, so everything is asked about"))
	}
	if a.Base == "" {
		j.raise(Confirm, Settings, "no_class", j.say("The action has no class of its own"))
	}
	j.findSensitive()
	j.byAction()
	j.d = c.Policy.apply(j)
	j.d.writes = j.writes
	j.finish()
	return j
}

// findSensitive sets sensURL from the addresses of the page and the frame.
func (j *judgement) findSensitive() {
	page := j.act.Page
	urls := []string{page.URL}
	if t := j.act.Target; t != nil && t.FrameURL != "" && t.FrameURL != page.URL {
		urls = append(urls, t.FrameURL)
	}
	for _, raw := range urls {
		if w := sensitiveURL(readableURL(raw)); w != "" {
			j.sensURL = w
			break
		}
	}
}

// byAction calls the judge of the act's action.
func (j *judgement) byAction() {
	a := j.act
	switch a.Action {
	case "executeJS":
		j.raise(Confirm, CodeClass, "always", j.say("Running code in a page is always asked about"))
	case "uploadFile":
		j.raise(Confirm, FileClass, "always", j.say("Handing over a file is always asked about"))
		if slices.ContainsFunc(a.Files, func(f string) bool { return !j.ctx.MayUpload(f) }) {
			j.raise(Block, FileClass, "upload_dir", j.say("The file is outside the folders that may be uploaded from"))
		}
		j.onChange()
	case "navigate", "openTab", "webSearch":
		j.navigation()
	case "click", "mouseDown", "mouseUp", "tap", "check", "uncheck":
		if a.Menu && a.Target != nil {
			j.writes = true // a script may act on any mouse button, so its requests are judged
			break
		}
		j.activate(a.Target, nil)
		if t := a.Target; t != nil && t.OnChange && (t.Type == "range" || isToggle(t)) {
			j.judgeKeyedChange(t)
		}
	case "type":
		j.judgeTyping()
	case "pressKey", "keyDown", "keyUp":
		j.key()
	case "select":
		j.onChange()
	case "dragDrop":
		j.drop()
	case "handleDialog":
		j.dialog()
	case "waitFor":
		if p := j.params(); p["function"] != nil || p["fn"] != nil || p["predicate"] != nil {
			j.raise(Confirm, CodeClass, "always", j.say("Waiting for a function runs code in the page"))
		}
	case "download", "exportFile", "savePDF":
		j.writesFile()
	case "focus":
		j.writes = true // a field that loses the focus may send its text
	case "hover", "scroll", "mouseMove", "scrollIntoView", "scrollUntil", "wait", "done", "askUser",
		"requestLogin", "screenshot":
	case "loadMoreUntil":
		j.activate(a.Target, nil)
	default:
		j.unknown()
	}
}

// unknown judges an action that the gate has no rule for by its class, and by
// its target as if it were clicked unless it only reads.
func (j *judgement) unknown() {
	a := j.act
	if l := defaultLevel(a.Base); l > Auto {
		j.raise(l, a.Base, "class", j.say("The action's class is %s", string(a.Base)))
	}
	if a.URL != "" {
		j.navigation()
	}
	if a.Target != nil && a.Base != Read && a.Base != Navigate {
		j.activate(a.Target, nil)
	}
}

func (j *judgement) navigation() {
	raw := j.act.URL
	if raw == "" {
		raw = j.param("url")
	}
	if raw == "" {
		return // an empty tab, or a search whose engine is the host's own
	}
	_, d := CheckURL(raw, j.ctx)
	j.take(d)
	j.fetchesProgram(readableURL(raw))
}
