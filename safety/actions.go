package safety

import (
	"net/url"
	"strings"
)

// onChange judges controls that act as soon as they are changed.
func (j *judgement) onChange() {
	t := j.act.Target
	if t == nil {
		return
	}
	j.secretField(t)
	chosen := strings.Split(j.act.Text, "\n") // the options' texts, whichever way the caller names them
	j.judgeChange(t, append(chosen, j.param("value", "label"), t.Name, t.Label))
}

// judgeKeyedChange judges a change of a control to a value that is not known: after key presses,
// clicks, drags and typing.
func (j *judgement) judgeKeyedChange(t *Target) { j.judgeChange(t, []string{t.Name, t.Label}) }

// judgeChange judges a control that gets another value. chosen are the names and the chosen
// values: they count where the change takes effect at once. The page's requests are judged in any
// case.
func (j *judgement) judgeChange(t *Target, chosen []string) {
	if j.arranges(t, chosen) || t.OnChange && j.choosesLanguage(t) {
		return
	}
	switch {
	case t.OnChange:
		j.activate(t, chosen)
	case t.isDrawn() && t.takesValues():
		j.judgeName(t)
	}
	j.writes = true // a script may listen where no fact shows it
}

// judgeName judges a control by its name alone: "Slide to pay" beside a sum pays it, "Minimum price"
// beside the prices of a list does not.
func (j *judgement) judgeName(t *Target) {
	for _, s := range []string{t.Name, t.Label} {
		for _, h := range j.lex.commands(s) {
			j.raise(Confirm, h.class, string(h.class)+"_word", j.say("The %s says %s", j.say(kindOf(t)), quote(s)))
		}
	}
}

func (j *judgement) drop() {
	if t := j.act.Target; t != nil && (t.Role == "slider" || t.Type == "range") {
		j.judgeKeyedChange(t)
	}
	if d := j.act.Drop; d != nil {
		if j.reorders(d) {
			j.raise(Notify, Write, "reorders", j.say("A line of a list is moved"))
		} else {
			j.activate(d, nil)
		}
		j.dropZone(d)
		return
	}
	if j.act.Target == nil {
		j.writes = true
		j.raise(Notify, Write, "no_target", j.say("The drag's end is not known"))
	}
}

// reorders reports a drag from line to line of a list whose heading says that it
// holds titles: a song may be called "Buy my love".
func (j *judgement) reorders(d *Target) bool {
	t := j.act.Target
	if t == nil || t.Role != "listitem" || d.Role != "listitem" || t.Tag != d.Tag || d.Href != "" || d.SubmitsForm || d.Icon != "" || d.Context != "" && d.Context != t.Context {
		return false
	}
	return len(words(fold(d.label()))) > 1 && j.lex.inText("tracks", clip(t.Context, 120)) != nil
}

// dialog judges a native dialog by its text; dismissing one is safe but for
// beforeunload, where leaving loses the text written on the page.
func (j *judgement) dialog() {
	j.writes = true // the page may act after either answer
	accept, _ := j.params()["accept"].(bool)
	if !accept {
		return
	}
	text := j.act.Page.Dialog
	if t := j.act.Target; t != nil && t.Type == "alert" { // an alert has no other answer
		j.raise(Notify, Read, "dialog", j.say("Agreeing to a dialog of the page: %s", clip(text, 200)))
		return
	}
	asks := j.say("The page asks: %s", clip(text, 200))
	if t := j.act.Target; t != nil && t.Type == "beforeunload" {
		j.raise(Confirm, Destroy, "leaves", j.say("Leaving the page loses what was written there"))
	}
	lb := j.lex.label(text)
	for _, p := range j.lex.hits(&lb) {
		if p.level >= Confirm && p.anchor == anywhere {
			j.raise(p.level, p.class, "dialog_text", asks)
		}
	}
	// In a sentence the verb stands in the middle ("Do you want to delete 3
	// files?") or in the passive ("All photos will be deleted").
	for i, t := range lb.tokens {
		if lb.hushed[i] {
			continue
		}
		for _, f := range t.forms {
			for _, p := range j.lex.classes[f] {
				if p.level >= Confirm && p.anchor == atStart && len(p.words) == 1 && !p.more && !p.behind {
					j.raise(Confirm, p.class, "dialog_text", asks)
				}
			}
			for _, p := range j.lex.sections["dialog"][f] {
				if lb.matchAt(p, i) {
					j.raise(Confirm, p.class, "dialog_text", asks)
				}
			}
		}
	}
	for section, class := range map[string]Class{"page": Destroy, "loss": Destroy} {
		if j.lex.inText(section, text) != nil {
			j.raise(Confirm, class, "dialog_text", asks)
		}
	}
	if rule, why := j.sensitive(); rule != "" {
		j.raise(Confirm, Submit, rule, j.say("Agreeing to a dialog. %s", why))
	}
	if t := j.act.Target; j.d.Level < Confirm && t != nil && t.Type == "confirm" && j.lex.inText("benign", text) == nil {
		class := j.hangs(text)
		for _, h := range j.lex.commands(t.Context) { // what was pressed before: "Drop", where the page only asks "Are you sure?"
			class = h.class
		}
		j.raise(Confirm, class, "dialog", asks) // a site asks only where something depends on the answer
	}
	j.raise(Notify, Submit, "dialog", j.say("Agreeing to a dialog of the page: %s", clip(text, 200)))
}

func (j *judgement) writesFile() {
	if f := j.act.File; f != "" && !inDirs(f, j.ctx.WriteDirs) {
		j.raise(Confirm, FileClass, "outside_folder", j.say("The file would be written outside of the task's folder: %s", f))
		return
	}
	if j.act.Action == "download" {
		j.raise(Notify, FileClass, "download", j.say("A file is downloaded to the task's folder"))
		name := j.act.File + " " + j.act.URL
		if t := j.act.Target; t != nil {
			name += " " + t.Href
		}
		if ext := programExt(name); ext != "" {
			j.raise(Confirm, FileClass, "program", j.say("The download is a program: %s", ext))
		}
	}
	if j.act.URL != "" {
		j.navigation()
	}
}

var programExts = []string{
	".exe", ".msi", ".bat", ".cmd", ".ps1", ".scr", ".com", ".vbs", ".jar", ".dmg", ".pkg", ".app", ".deb", ".rpm",
	".appimage", ".run", ".sh", ".apk", ".crx", ".xpi", ".iso", ".lnk", ".reg", ".hta",
}

// binaryExts are the extensions of programExts that a browser downloads rather than
// shows. Scripts are left out: they are read as often as they are run.
var binaryExts = wordSet("exe msi scr dmg pkg deb rpm appimage apk crx xpi iso hta lnk")

// fetchesProgram asks about an address that downloads a program when opened.
func (j *judgement) fetchesProgram(u *url.URL) {
	if u == nil {
		return
	}
	path := strings.ToLower(u.Path)
	if i := strings.LastIndexByte(path, '.'); i >= 0 && binaryExts[path[i+1:]] {
		j.raise(Confirm, FileClass, "program", j.say("The download is a program: %s", path[i:]))
	}
}

func programExt(s string) string {
	for _, f := range strings.Fields(strings.ToLower(s)) {
		f = cutTail(f)
		for _, e := range programExts {
			if strings.HasSuffix(f, e) && !strings.HasSuffix(f, "://") && !hostOnly(f) {
				return e
			}
		}
	}
	return ""
}

// hostOnly reports an address without a path: the ".com" of "https://shop.com" is no DOS program.
func hostOnly(f string) bool {
	u, err := url.Parse(f)
	return err == nil && u.Host != "" && strings.Trim(u.Path, "/") == ""
}
