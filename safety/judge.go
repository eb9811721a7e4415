package safety

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Judge gives the level and class of an act on its resolved target, with the
// reasons. It is deterministic and pure: the same facts give the same answer.
// What a page says can raise a level and never lower one.
func Judge(a Act, c Context) Decision {
	j := &judgement{act: a, ctx: c, lex: lex(), d: Decision{Level: Auto, Class: a.Base}}
	if len(j.lex.classes) == 0 {
		j.raise(Confirm, a.Base, "no_words", "The word lists could not be read, so everything is asked about")
	}
	if a.Base == "" {
		j.raise(Confirm, Settings, "no_class", "The action has no class of its own")
	}
	j.findSensitive()
	j.byAction()
	j.finish()
	return j.d
}

// judgement is one call of Judge.
type judgement struct {
	act Act
	ctx Context
	lex *lexicon
	d   Decision

	sensURL  string // why the page's address is sensitive
	sensText string // why the page's text is
}

func (j *judgement) raise(l Level, c Class, rule, text string) {
	j.d.raise(l, c, Reason{rule, text})
}

// raise lifts the level, never lowers it. The class is that of the highest
// level, and among equals the graver one.
func (d *Decision) raise(l Level, c Class, r Reason) {
	if l > d.Level || l == d.Level && gravity[c] > gravity[d.Class] {
		d.Class = c
	}
	if l > d.Level {
		d.Level = l
	}
	for _, have := range d.Reasons {
		if have == r {
			return
		}
	}
	d.Reasons = append(d.Reasons, r)
}

var gravity = map[Class]int{
	Read: 0, Navigate: 1, Write: 2, Submit: 3, Settings: 4, FileClass: 5, Legal: 6, Communicate: 7, Identity: 8,
	CodeClass: 9, Destroy: 10, Purchase: 11,
}

// defaultLevel is SAFETY.md's default by class. Settings ask: what is only a
// preference is in the lists as notify.
func defaultLevel(c Class) Level {
	switch c {
	case Read, Navigate, Write:
		return Auto
	case Submit:
		return Notify
	default:
		return Confirm
	}
}

// findSensitive looks at the address by parts and at the page's text.
func (j *judgement) findSensitive() {
	page := j.act.Page
	urls := []string{page.URL}
	if t := j.act.Target; t != nil && t.FrameURL != "" && t.FrameURL != page.URL {
		urls = append(urls, t.FrameURL)
	}
	for _, raw := range urls {
		if w := sensitiveURL(parsed(raw)); w != "" {
			j.sensURL = w
			break
		}
	}
}

// textSensitive is looked up only when a rule needs it: 20,000 characters take
// longer to read than the rest of the judgement.
func (j *judgement) textSensitive() string {
	if j.sensText != "" {
		return strings.TrimPrefix(j.sensText, "-")
	}
	j.sensText = "-"
	for _, s := range []string{j.act.Page.Dialog, j.act.Page.Title, j.act.Page.Text} {
		if p := j.lex.inText("page", s); p != nil {
			j.sensText = p.raw
			return p.raw
		}
	}
	if t := j.act.Target; t != nil {
		if p := j.lex.inText("page", t.Context); p != nil {
			j.sensText = p.raw
			return p.raw
		}
	}
	return ""
}

// sensitive says why the page is sensitive: rule and words, or nothing.
func (j *judgement) sensitive() (rule, text string) {
	if j.sensURL != "" {
		return "sensitive_url", "The page's address is sensitive: " + j.sensURL
	}
	if w := j.textSensitive(); w != "" {
		return "sensitive_text", "The page says: " + w
	}
	return "", ""
}

// byAction takes each action to what it really does.
func (j *judgement) byAction() {
	a := j.act
	switch a.Action {
	case "executeJS":
		j.raise(Confirm, CodeClass, "always", "Running code in a page is always asked about")
	case "uploadFile":
		j.raise(Confirm, FileClass, "always", "Handing over a file is always asked about")
		if a.File != "" && len(j.ctx.UploadDirs) > 0 && !inDirs(a.File, j.ctx.UploadDirs) {
			j.raise(Block, FileClass, "upload_dir", "The file is outside the folders that may be uploaded from")
		}
		j.onChange()
	case "navigate", "openTab", "webSearch":
		j.navigation()
	case "click", "mouseDown", "mouseUp", "tap", "check", "uncheck":
		j.activate(a.Target, nil)
	case "type":
		j.typing()
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
			j.raise(Confirm, CodeClass, "always", "Waiting for a function runs code in the page")
		}
	case "download", "exportFile", "savePDF":
		j.writesFile()
	case "hover", "scroll", "focus", "mouseMove", "scrollIntoView", "scrollUntil", "wait", "done", "askUser",
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
		j.raise(l, a.Base, "class", "The action's class is "+string(a.Base))
	}
	if a.URL != "" {
		j.navigation()
	}
	if a.Target != nil && a.Base != Read && a.Base != Navigate {
		j.activate(a.Target, nil)
	}
}

func (j *judgement) params() map[string]any {
	var m map[string]any
	if len(j.act.Params) == 0 || json.Unmarshal(j.act.Params, &m) != nil {
		return nil
	}
	return m
}

func (j *judgement) param(names ...string) string {
	p := j.params()
	for _, n := range names {
		if s, ok := p[n].(string); ok && s != "" {
			return s
		}
	}
	return ""
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
}

func (j *judgement) take(d Decision) {
	for _, r := range d.Reasons {
		j.raise(d.Level, d.Class, r.Rule, r.Text)
	}
}

// typing judges text going into a field, and Enter after it.
func (j *judgement) typing() {
	t := j.act.Target
	if t == nil {
		j.raise(Notify, Write, "no_target", "The text goes to whatever has the focus")
		if j.act.Submit {
			j.enter(nil)
		}
		return
	}
	j.secretField(t)
	if j.act.Submit || strings.ContainsAny(j.act.Text, "\n\r") && t.Tag != "textarea" && t.SubmitsForm {
		j.enter(t)
	}
	if strings.ContainsAny(j.act.Text, "\n\r") && composes(j.lex, t) {
		j.enter(t)
	}
}

func (j *judgement) secretField(t *Target) {
	switch t.Secret {
	case "":
		return
	case "card", "cvc", "iban":
		j.raise(Confirm, Purchase, t.Secret+"_field", "The field takes payment details")
	case "password", "otp", "government":
		j.raise(Confirm, Identity, t.Secret+"_field", "The field takes a secret: "+t.Secret)
	default:
		j.raise(Confirm, Identity, "secret_field", "The field takes a secret: "+t.Secret)
	}
}

// key judges a key press by what it triggers.
func (j *judgement) key() {
	mods, key := splitKey(j.act.Key)
	t := j.act.Target
	switch key {
	case "enter", "numpadenter", "return", "\n", "\r":
		j.enter(t)
	case " ", "space", "spacebar":
		if t != nil && !t.Editable {
			j.activate(t, nil)
		}
	case "delete", "backspace", "del", "#":
		if t == nil || !t.Editable {
			j.raise(Confirm, Destroy, "delete_key", "The key deletes what is selected on the page")
		}
	case "s", "d", "x", "w", "q":
		if mods && (t == nil || !t.Editable) {
			j.raise(Notify, Write, "shortcut", "A keyboard shortcut of the page or the browser")
		}
	default:
		if len([]rune(key)) == 1 && (t == nil || !t.Editable) {
			j.raise(Notify, Write, "shortcut", "A key outside of a field may be a shortcut of the page")
		}
	}
}

// splitKey takes "Control+Shift+Enter" apart.
func splitKey(s string) (mods bool, key string) {
	if s == "+" || strings.HasSuffix(s, "++") {
		return len(s) > 1, "+"
	}
	parts := strings.Split(s, "+")
	key = strings.ToLower(parts[len(parts)-1])
	if key == "" {
		key = parts[len(parts)-1]
	}
	for _, p := range parts[:len(parts)-1] {
		switch strings.ToLower(p) {
		case "control", "ctrl", "meta", "cmd", "command", "alt", "option":
			mods = true
		}
	}
	return mods, key
}

// enter judges the Enter key: the form's default button, the control itself,
// or the message it would send.
func (j *judgement) enter(t *Target) {
	if t == nil {
		if rule, text := j.sensitive(); rule != "" {
			j.raise(Confirm, Submit, rule, "Enter with nothing known to have the focus. "+text)
			return
		}
		j.raise(Notify, Submit, "enter", "Enter goes to whatever has the focus")
		return
	}
	if !t.Editable && !t.SubmitsForm {
		j.activate(t, nil)
		return
	}
	search := j.isSearch(t)
	if t.SubmitsForm || t.DefaultButton != "" {
		button := []string{t.DefaultButton}
		if t.DefaultButton == "" && t.Form != nil {
			button = t.Form.Buttons
		}
		j.activate(t, append([]string{}, button...))
	} else if composes(j.lex, t) {
		j.raise(Confirm, Communicate, "enter_sends", "Enter sends what is written in "+quote(t.label()))
	} else if t.Tag != "textarea" || strings.Contains(j.act.Key, "+") {
		j.raise(Notify, Submit, "enter", "Enter may submit "+quote(t.label()))
	}
	if j.sensURL != "" && !search && !(t.Tag == "textarea" && !strings.Contains(j.act.Key, "+") && !j.act.Submit) {
		j.raise(Confirm, Submit, "enter_sensitive_url", "Enter on a page whose address is sensitive: "+j.sensURL)
	}
}

// composes reports a field in which a message is written.
func composes(l *lexicon, t *Target) bool {
	if !t.Editable || t.Role == "searchbox" || t.Type == "search" {
		return false
	}
	for _, s := range []string{t.Name, t.Label, t.Title} {
		lb := l.label(s)
		if l.inSection("compose", &lb) != nil {
			return true
		}
	}
	return false
}

// isSearch reports facts that prove a search or a filter: a GET form without
// secrets that the extractor found to be a search, or a lone search box.
func (j *judgement) isSearch(t *Target) bool {
	if t == nil || t.Secret != "" {
		return false
	}
	f := t.Form
	if f == nil {
		return t.Editable && (t.Role == "searchbox" || t.Type == "search")
	}
	if !strings.EqualFold(f.Method, "get") && f.Method != "" || f.secret() != "" {
		return false
	}
	return f.Search || t.Role == "searchbox" || t.Type == "search"
}

func (f *Form) secret() string {
	if f == nil {
		return ""
	}
	found := ""
	for _, x := range f.Fields {
		switch {
		case x.Secret == "card" || x.Secret == "cvc" || x.Secret == "iban":
			return x.Secret
		case x.Secret != "":
			found = x.Secret
		}
	}
	return found
}

// onChange judges controls that act as soon as they are changed.
func (j *judgement) onChange() {
	t := j.act.Target
	if t == nil {
		return
	}
	j.secretField(t)
	if t.OnChange {
		j.activate(t, []string{j.param("value", "label"), t.Name, t.Label})
	}
}

func (j *judgement) drop() {
	if d := j.act.Drop; d != nil {
		j.activate(d, nil)
		return
	}
	if j.act.Target == nil {
		j.raise(Notify, Write, "no_target", "The drag's end is not known")
	}
}

// dialog judges a native dialog by its text; dismissing one is safe but for
// beforeunload, where leaving loses what was written.
func (j *judgement) dialog() {
	accept, _ := j.params()["accept"].(bool)
	if !accept {
		return
	}
	text := j.act.Page.Dialog
	lb := j.lex.label(text)
	for _, p := range j.lex.hits(&lb) {
		if p.level >= Confirm && p.anchor == anywhere {
			j.raise(p.level, p.class, "dialog_text", "The page asks: "+clip(text, 200))
		}
	}
	if p := j.lex.inText("page", text); p != nil {
		j.raise(Confirm, Destroy, "dialog_text", "The page asks: "+clip(text, 200))
	}
	if rule, why := j.sensitive(); rule != "" {
		j.raise(Confirm, Submit, rule, "Agreeing to a dialog. "+why)
	}
	j.raise(Notify, Submit, "dialog", "Agreeing to a dialog of the page: "+clip(text, 200))
}

func (j *judgement) writesFile() {
	if f := j.act.File; f != "" && !inDirs(f, j.ctx.WriteDirs) {
		j.raise(Confirm, FileClass, "outside_folder", "The file would be written outside of the task's folder: "+f)
		return
	}
	if j.act.Action == "download" {
		j.raise(Notify, FileClass, "download", "A file is downloaded to the task's folder")
		name := j.act.File + " " + j.act.URL
		if t := j.act.Target; t != nil {
			name += " " + t.Href
		}
		if ext := programExt(name); ext != "" {
			j.raise(Confirm, FileClass, "program", "The download is a program: "+ext)
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

// hostOnly keeps "https://shop.com" from being a DOS program.
func hostOnly(f string) bool {
	u, err := url.Parse(f)
	return err == nil && u.Host != "" && strings.Trim(u.Path, "/") == ""
}
