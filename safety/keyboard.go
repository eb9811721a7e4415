package safety

import (
	"cmp"
	"net/url"
	"path"
	"strings"
)

// judgeTyping judges text going into a field, and Enter after it.
func (j *judgement) judgeTyping() {
	t := j.act.Target
	if t == nil {
		j.raise(Notify, Write, "no_target", j.say("The text goes to whatever has the focus"))
		if j.act.Submit {
			j.enter(nil)
		}
		return
	}
	j.secretField(t)
	j.writes = !j.isSearch(t) // it may be sent while it is typed, or when the field loses the focus
	if t.OnChange {
		j.judgeKeyedChange(t)
	}
	if j.act.Submit || strings.ContainsAny(j.act.Text, "\n\r") && t.Tag != "textarea" && t.SubmitsForm {
		j.enter(t)
	}
	if strings.ContainsAny(j.act.Text, "\n\r") && t.Tag != "textarea" {
		j.writes = true // Enter may send the text though no name says so
		if j.composes(t) {
			j.enter(t)
		}
	}
}

func (j *judgement) secretField(t *Target) {
	switch t.Secret {
	case "":
		return
	case "card", "cvc":
		j.raise(Confirm, Purchase, t.Secret+"_field", j.say("The field takes payment details"))
	case "password", "otp", "government":
		j.raise(Confirm, Identity, t.Secret+"_field", j.say("The field takes a secret: %s", t.Secret))
	default:
		j.raise(Confirm, Identity, "secret_field", j.say("The field takes a secret: %s", t.Secret))
	}
}

// key judges a key press by what it triggers.
func (j *judgement) key() {
	mods, key := splitKey(j.act.Key)
	t := j.act.Target
	// A control with a handler may act on any key, so its requests are judged.
	j.writes = j.writes || t != nil && t.HasHandler && !t.Editable && key != "escape"
	if t != nil && t.Tag == "select" && len([]rune(key)) == 1 && !mods && key != " " {
		j.judgeKeyedChange(t) // its options are chosen by their first letters
		return
	}
	switch key {
	case "enter", "numpadenter", "return", "\n", "\r":
		j.enter(t)
	case " ", "space", "spacebar":
		if t != nil && !t.Editable {
			j.activate(t, nil)
		}
	case "delete", "backspace", "del", "#":
		switch {
		case j.erases():
			j.writes = true
			j.raise(Notify, Write, "delete_key", j.say("The key deletes what is selected on the page"))
		case t == nil || !t.Editable:
			j.raise(Confirm, Destroy, "delete_key", j.say("The key deletes what is selected on the page"))
		}
	case "s", "d", "x", "w", "q":
		if mods && key == "s" && t != nil && j.composes(t) && strings.Contains(strings.ToLower(j.act.Key), "alt") {
			j.raise(Confirm, Communicate, "shortcut_sends", j.say("The shortcut sends what is written in %s", quote(t.label())))
			return
		}
		if mods && (t == nil || !t.Editable) {
			j.writes = true
			j.raise(Notify, Write, "shortcut", j.say("A keyboard shortcut of the page or the browser"))
		}
	case "arrowup", "arrowdown", "arrowleft", "arrowright", "home", "end", "pageup", "pagedown":
		if t != nil && t.takesValues() {
			j.judgeKeyedChange(t)
		}
	case "tab":
		j.writes = true // a field that loses the focus may send its text
	default:
		if len([]rune(key)) == 1 && (t == nil || !t.Editable) {
			j.writes = true
			j.raise(Notify, Write, "shortcut", j.say("A key outside of a field may be a shortcut of the page"))
		}
	}
}

// erases reports the Delete key on a drawing: it removes a part, which is a draft until it is
// sent.
func (j *judgement) erases() bool {
	t, mods := j.act.Target, false
	key := ""
	if j.act.Key != "" {
		mods, key = splitKey(j.act.Key)
	}
	return t != nil && t.Drawn && !t.Editable && !mods && (key == "delete" || key == "backspace" || key == "del") && j.sensURL == ""
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
		j.writes = true
		if rule, text := j.sensitive(); rule != "" {
			j.raise(Confirm, Submit, rule, j.say("Enter with nothing known to have the focus. %s", text))
			return
		}
		j.raise(Notify, Submit, "enter", j.say("Enter goes to whatever has the focus"))
		return
	}
	if !t.Editable && (!t.SubmitsForm || t.submits()) {
		j.activate(t, nil) // Enter presses the button or link itself
		return
	}
	search := j.isSearch(t)
	j.writes = j.writes || !search
	if strings.Contains(j.act.Key, "+") && t.Editable && !search && ofNotebook(readableURL(j.act.Page.URL)) {
		j.raise(Confirm, CodeClass, "enter_runs", j.say("Enter runs what is written in a notebook: %s", pathEnd(j.act.Page.URL)))
		return
	}
	if t.SubmitsForm || t.DefaultButton != "" && strings.Contains(j.act.Key, "+") {
		button := []string{t.DefaultButton}
		if t.DefaultButton == "" && t.Form != nil {
			button = t.Form.Buttons
		}
		j.activate(t, append([]string{}, button...))
	} else if j.composes(t) || !search && t.Editable && strings.Contains(j.act.Key, "+") && commandEnter(j.act.Key) {
		j.raise(Confirm, Communicate, "enter_sends", j.say("Enter sends what is written in %s", quote(t.label())))
	} else if t.Tag != "textarea" || strings.Contains(j.act.Key, "+") {
		j.raise(Notify, Submit, "enter", j.say("Enter may submit %s", quote(t.label())))
	}
	if kind := cmp.Or(t.Secret, t.Beside); kind != "" && !search && t.Tag != "textarea" {
		j.takes(t, kind)
	}
	if j.sensURL != "" && !search && !(t.Tag == "textarea" && !strings.Contains(j.act.Key, "+") && !j.act.Submit) {
		j.raise(Confirm, Submit, "enter_sensitive_url", j.say("Enter on a page whose address is sensitive: %s", j.sensURL))
	}
}

// ofNotebook reports the page of a notebook, whose cells hold programs that Enter with any other key runs.
func ofNotebook(u *url.URL) bool {
	return u != nil && notebooks[strings.ToLower(path.Ext(u.Path))]
}

var notebooks = map[string]bool{".ipynb": true, ".qmd": true, ".rmd": true}

// commandEnter reports Control+Enter or Command+Enter, which send or run the
// written text where they do anything.
func commandEnter(key string) bool {
	mods, _ := splitKey(key)
	return mods && !strings.Contains(strings.ToLower(key), "alt")
}

// composes reports a field in which a message is written: by its name, or by
// standing on a page of messages without saying that it searches.
func (j *judgement) composes(t *Target) bool {
	if !t.Editable || t.Role == "searchbox" || t.Type == "search" {
		return false
	}
	searches := false
	for _, s := range []string{t.Name, t.Label, t.Title} {
		lb := j.lex.label(s)
		if j.lex.inSection("compose", &lb) != nil {
			return true
		}
		searches = searches || j.lex.inSection("search", &lb) != nil
	}
	return !searches && t.Tag != "input" && (ofMessages(readableURL(t.FrameURL)) || ofMessages(readableURL(j.act.Page.URL)))
}

var messageParts = wordSet("messages message messenger chat chats dm dms im inbox conversation conversations direct")

// ofMessages reports an address where people write to each other.
func ofMessages(u *url.URL) bool {
	if u == nil {
		return false
	}
	if first, _, _ := strings.Cut(u.Hostname(), "."); messageParts[first] {
		return true
	}
	for part := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
		if messageParts[part] {
			return true
		}
	}
	return false
}
