package safety

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Question holds the texts of a card besides its reasons. They come from the page and
// the data that it would send, never from a model.
type Question struct {
	Yes   map[string]string // the words of the button that allows it, by language: "Pay $17.10"
	About string            // the list line that the act is about, or the question that it answers
	To    string            // the recipient
}

// subject holds the parts for the words of the button that allows an act.
type subject struct {
	action string
	name   string   // of the pressed control
	says   []string // the languages in which the lists read the deed from that name
	to     string
	object string // row, dialog or question that the act is about
	chosen string // number of chosen lines
	option string // option chosen in the form, where that is the deed
	text   string // new value of a control
	file   string
	site   string // site that is opened or written to
	leaves string // site that would get another site's data
}

const (
	maxOwnWords = 4  // most words of a name that is used as the page has it; a longer one is a sentence
	maxOnYes    = 32 // most characters of a part of the button's text
)

// QuestionOf gives the question about an act with its decision.
func QuestionOf(a Act, d Decision) Question {
	s := subjectOf(a, d)
	q := Question{Yes: map[string]string{}, About: clip(oneLine(s.object), 200), To: clip(oneLine(s.to), 200)}
	for lang := range yesWords {
		q.Yes[lang] = s.yes(d, lang)
	}
	return q
}

// subjectOf gathers the parts of the words from an act and its decision.
func subjectOf(a Act, d Decision) subject {
	s := subject{action: a.Action, to: cmp.Or(d.to, a.recipient()), site: host(cmp.Or(a.URL, a.Page.URL)), object: a.Page.Dialog}
	for _, f := range append([]string{a.File}, a.Files...) {
		if f != "" && s.file == "" {
			s.file = filepath.Base(f)
		}
	}
	if d.Flows() {
		s.leaves = Leaves(a).Site
	}
	t := a.Target
	if t == nil {
		return s
	}
	if s.name = t.label(); s.name == "unnamed "+cmp.Or(t.Role, t.Tag) {
		s.name = ""
	}
	if a.pressesEnter() && t.DefaultButton != "" {
		s.name = t.DefaultButton
	}
	switch {
	case a.Action == "select" && t.Secret == "":
		s.text = a.Text
	case a.Action == "dragDrop" && a.Drop != nil:
		s.text = a.Drop.label()
	}
	l := lex()
	if lb := l.label(s.name); len(lb.tokens) <= maxOwnWords {
		for _, p := range l.hits(&lb) {
			if p.class == d.Class && p.level >= Confirm {
				s.says = append(s.says, p.lang)
			}
		}
	}
	s.chosen, s.option = t.chosenLines(), d.option
	if a.Action != "handleDialog" {
		s.object = cmp.Or(t.Item, a.Page.Dialog, t.Asks, t.Dialog)
	}
	return s
}

// chosenLines matches a page's count of chosen list lines.
var chosenLines = regexp.MustCompile(`(?i)\b(\d{1,6}) (?:\pL+ )?(?:selected|chosen|ausgewählt|markiert|sélectionn|seleccionad|selecionad|selezionat|geselecteerd|выбрано)|已选(?:择|中)?\s*(\d{1,6})`)

// chosenLines gives the number of list lines that an act is about: the ticked boxes of
// its form, or the count in the text around it; "" if unknown.
func (t *Target) chosenLines() string {
	if t.Form != nil && t.Form.Rows > 0 {
		return strconv.Itoa(t.Form.Rows)
	}
	for _, text := range []string{t.Context, t.Dialog} {
		if m := chosenLines.FindStringSubmatch(text); m != nil {
			return cmp.Or(m[1], m[2])
		}
	}
	return ""
}

// recipient gives the recipient in the fields of an act's form, "" if none.
func (a Act) recipient() string {
	t := a.Target
	if t == nil || t.Form == nil {
		return ""
	}
	for _, f := range t.Form.Fields {
		if f.Secret != "" || f.Value == "" || f.Type == "checkbox" || f.Type == "radio" {
			continue
		}
		if slices.ContainsFunc([]string{f.Name, f.Label}, isReceiver) && !opaque(f.Value) {
			return Redact(f.Value)
		}
	}
	return ""
}

// isReceiver reports the name of a field for a recipient or a payee.
func isReceiver(name string) bool {
	return keyKinds[keyName(strings.ReplaceAll(name, " ", ""))]&(ofReceiver|ofPayee) != 0
}

// receiver gives the recipient in the fields of a body, "" if none.
func (b *bodyReader) receiver() string {
	for _, f := range b.fields {
		if isReceiver(f.key) && !opaque(f.value) && !isNumber(f.value) {
			return Redact(f.value)
		}
	}
	return ""
}

// yes gives the words of the button that allows an act, in a language: the deed and
// its object. The deed is in the page's own words where the lists recognise it in
// them.
func (s subject) yes(d Decision, lang string) string {
	w := yesWords[lang]
	put := func(format string, parts ...string) string {
		args := make([]any, len(parts))
		for i, p := range parts {
			args[i] = clip(oneLine(p), maxOnYes)
		}
		return fmt.Sprintf(format, args...)
	}
	verb, ok := w.classes[d.Class]
	if !ok {
		return ""
	}
	switch {
	case d.Flows() && s.leaves != "":
		return put(w.flows, s.leaves)
	case s.action == "executeJS" || s.action == "waitFor":
		return w.classes[CodeClass]
	case d.Class == Purchase && d.Amount != "" && s.to != "":
		return put(w.payTo, d.Amount, s.to)
	case d.Class == Purchase && d.Amount != "":
		return put(w.pay, d.Amount)
	case d.Class == Communicate && s.to != "":
		return put(w.sendTo, s.to)
	case s.action == "uploadFile" && s.file != "":
		return put(w.upload, s.file)
	case s.file != "":
		return put(w.save, s.file)
	case d.Class == Navigate && s.site != "":
		return put(w.open, s.site)
	case w.sets[s.action] != "" && s.name != "" && s.text != "":
		return put(w.sets[s.action], s.name, s.text)
	case w.turns[s.action] != "" && s.name != "":
		return put(w.turns[s.action], s.name)
	}
	deed, object := verb, oneLine(s.object)
	if slices.Contains(s.says, lang) {
		deed = clip(oneLine(s.name), maxOnYes)
	}
	if s.option != "" {
		deed = put(w.named, verb, s.option)
	}
	switch {
	case s.chosen != "" && !strings.Contains(deed, s.chosen):
		return fmt.Sprintf(w.chosen, deed, s.chosen)
	case strings.HasSuffix(object, "?"), strings.HasSuffix(object, "？"):
		return fmt.Sprintf(w.answers, clip(object, maxOnYes))
	case object != "" && !strings.Contains(deed, object):
		return fmt.Sprintf(w.about, deed, clip(object, maxOnYes))
	case deed == verb && s.name != "" && s.action != "handleDialog":
		return put(w.named, verb, s.name)
	}
	return deed
}

// yesWording holds the words of the button that allows an act, in one language.
type yesWording struct {
	classes     map[Class]string
	turns, sets map[string]string // by action, of a control's value: on or off, and to what

	pay, payTo, sendTo, upload, save, open, flows, named, chosen, answers, about string
}

var yesWords = map[string]yesWording{
	"en": {
		classes: map[Class]string{
			Read: "Read this", Navigate: "Open this", Write: "Write this", Submit: "Submit", Communicate: "Send", Purchase: "Pay or order", Destroy: "Delete or cancel",
			Identity: "Sign in or change access", Legal: "Agree", FileClass: "Hand over or save a file", CodeClass: "Run this code", Settings: "Change the settings",
		},
		turns: map[string]string{"check": "Turn on “%s”", "uncheck": "Turn off “%s”"}, sets: map[string]string{"select": "Set “%s” to “%s”", "dragDrop": "Drag “%s” to “%s”"},
		pay: "Pay %s", payTo: "Pay %s to %s", sendTo: "Send to %s", upload: "Upload %s", save: "Save %s", open: "Open %s", flows: "Send it to %s",
		named: "%s: “%s”", chosen: "%s (%s selected)", answers: "Yes: “%s”", about: "%s “%s”",
	},
	"zh": {
		classes: map[Class]string{
			Read: "读取", Navigate: "打开", Write: "写入", Submit: "提交", Communicate: "发送", Purchase: "付款或下单", Destroy: "删除或取消",
			Identity: "登录或更改权限", Legal: "同意", FileClass: "交出或保存文件", CodeClass: "运行这段代码", Settings: "更改设置",
		},
		turns: map[string]string{"check": "打开“%s”", "uncheck": "关闭“%s”"}, sets: map[string]string{"select": "把“%s”设为“%s”", "dragDrop": "把“%s”拖到“%s”"},
		pay: "支付 %s", payTo: "支付 %s 给 %s", sendTo: "发送给 %s", upload: "上传 %s", save: "保存 %s", open: "打开 %s", flows: "发往 %s",
		named: "%s：“%s”", chosen: "%s（已选 %s 项）", answers: "是：“%s”", about: "%s“%s”",
	},
}

// oneLine puts a text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
