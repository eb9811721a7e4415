package safety

import (
	"cmp"
	"encoding/json"
	"strings"
)

// judgement is one call of Judge.
type judgement struct {
	act Act
	ctx Context
	lex *lexicon
	d   Decision

	sensURL  string // why the page's address is sensitive
	sensText string // why the page's text is
	read     bool   // text, amounts or items of the page were looked at
	writes   bool   // the act may write: its requests are to be judged
	pressed  *press // the press, if it is one
}

// press is one pressing being judged.
type press struct {
	j       *judgement
	t       *Target
	labels  []string
	pressed bool // by Enter: labels are the default button's
	link    bool // a link that only leads somewhere
	toggle  bool // a box that is part of a draft

	quieted   bool // a label says navigation or an ordinary draft
	navWords  bool
	severe    bool // a rule has raised it to Confirm already
	searchy   bool // a label says search or filter
	weak      string
	leads     Class // class by the address of a link that a script handles
	known     bool  // a list knows a label
	saves     bool  // a label says that settings are saved
	acts      bool  // a list knows a label as one that acts
	puzzling  bool  // no list knows a label, so the text around it counts
	begins    Class // class of a deed that it begins and does not do yet
	leadsTo   bool  // it leads to a folder, by the text around it
	draft     bool  // it keeps what another button of its form publishes or sends
	aside     bool  // it shows a draft of its form or calls it off
	runsQuery bool  // it runs a statement that only reads
	fills     Class // class named by a box that only sets a field of its form

	besideText  string // the text around it, read once, and its words
	besideWords []string
	sumFound    string // the sum there
	sumRead     bool
	told        string // the sentence there
	toldStrong  bool
	toldRead    bool
	verbFound   *pattern // the verb in its labels
	verbRead    bool

	script      string // name of the link's own script, where it names a deed
	scriptClass Class
}

func (j *judgement) raise(l Level, c Class, rule, text string) {
	j.d.raise(l, c, Reason{rule, text})
}

// ask raises the press to Confirm, by a rule that needs no other.
func (p *press) ask(c Class, rule, format string, args ...any) {
	p.j.raise(Confirm, c, rule, p.j.say(format, args...))
	p.severe = true
}

func (j *judgement) take(d Decision) {
	for _, r := range d.Reasons {
		j.raise(d.Level, d.Class, r.Rule, r.Text)
	}
}

// textSensitive gives the words that make the page's text sensitive. It runs only
// when a rule needs it: reading 20,000 characters takes longer than the rest of the
// judgement.
func (j *judgement) textSensitive() string {
	if j.sensText != "" {
		return strings.TrimPrefix(j.sensText, "-")
	}
	j.sensText = "-"
	for _, s := range []string{j.act.Page.Dialog, j.act.Page.Title} {
		if p := j.lex.inText("page", s); p != nil {
			j.sensText = p.raw
			return p.raw
		}
	}
	j.read = true
	if p := j.lex.inText("page", j.act.Page.Text); p != nil {
		j.sensText = p.raw
		return p.raw
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
		return "sensitive_url", j.say("The page's address is sensitive: %s", j.sensURL)
	}
	if w := j.textSensitive(); w != "" {
		return "sensitive_text", j.say("The page says: %s", w)
	}
	return "", ""
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

func (j *judgement) say(format string, args ...any) string { return j.ctx.say(format, args...) }

// kind names the pressed control in a sentence.
func (p *press) kind() string {
	if p.pressed {
		return p.j.say("form's button")
	}
	return p.j.say(kindOf(p.t))
}

// kindOf is the word for a control: its role, or its tag; one without a role is an element.
func kindOf(t *Target) string {
	if t.Role == "generic" {
		return "element"
	}
	return cmp.Or(t.Role, t.Tag)
}
