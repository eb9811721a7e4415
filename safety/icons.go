package safety

import (
	"slices"
	"strings"
)

// A control without words shows a picture, which the page's author has named in a
// class, a file or a sprite. Only unambiguous names count; "close", "times" and
// "remove" are on every chip and dialog.

var iconClasses = map[string]Class{
	"trash": Destroy, "trashcan": Destroy, "delete": Destroy, "bin": Destroy, "garbage": Destroy, "dustbin": Destroy,
	"recycle": Destroy, "wastebasket": Destroy, "del": Destroy, "erase": Destroy, "rubbish": Destroy,
	"pay": Purchase, "payment": Purchase, "buy": Purchase, "purchase": Purchase,
	"send": Communicate, "paperplane": Communicate, "publish": Communicate,
	"approve": Communicate, "reject": Communicate,
	"logout": Identity, "signout": Identity, "retweet": Communicate, "repost": Communicate, "donate": Purchase,
	"shutdown": Destroy, "reboot": Destroy, "unsubscribe": Destroy, "unfriend": Destroy, "revoke": Destroy, "wipe": Destroy,
	"deploy": CodeClass, "merge": CodeClass, "execute": CodeClass,
}

// iconRest are words that change the meaning of a picture's name: to a list, a
// setting, an undo.
var iconRest = wordSet("undo restore history list log settings setting status off sent failed schedule ticket mode flight air airport travel arrow-left")

// iconPairs are names of two words.
var iconPairs = map[string]Class{
	"run sql": CodeClass, "run query": CodeClass, "play sql": CodeClass, "run script": CodeClass, "run code": CodeClass, "run job": CodeClass,
	"power off": Destroy, "shut down": Destroy, "log out": Identity, "sign out": Identity, "go live": Communicate, "call start": Communicate,
}

// iconWords splits a picture's name into words: "btn_send ico-plane".
func iconWords(icon string) []string {
	return strings.FieldsFunc(openCamel(icon), func(r rune) bool { return strings.ContainsRune(" \t\n_-./", r) })
}

// dangers are names that design systems give to destructive controls. Beside one,
// "remove" and "times" mean a deletion.
var dangers = wordSet("red danger destructive error negative")

// pictures are words in the names of common pictures and icon sets.
var pictures = wordSet("icon icons ico svg glyph glyphicon mdi lucide feather material symbol symbols sprite img image picture fas far fab " +
	"star starred heart like thumb thumbs bookmark flag pin menu hamburger more ellipsis kebab dots close times cross xmark chevron caret arrow angle search magnifier " +
	"gear cog settings edit pencil plus minus add info help question eye play pause mute volume copy clipboard download print refresh reload sync zoom expand collapse " +
	"filter sort home user avatar bell calendar clock check tick drag handle grip link share cart basket bag camera photo map location globe lock unlock moon sun smile emoji")

// isPicture reports a name that has a word of pictures.
func isPicture(icon string) bool {
	return slices.ContainsFunc(iconWords(strings.ToLower(icon)), func(w string) bool { return pictures[w] })
}

// less are words beside which a minus decreases or folds something and deletes nothing.
var less = wordSet("zoom font volume decrease decrement quantity qty stepper spinner collapse fold indent")

// opensMenu reports the picture of a control that unfolds: a caret that points down. Its name often
// has that of the button beside it, too ("deploy-menu caret-down").
func (p *press) opensMenu(words []string) bool {
	caret := slices.ContainsFunc(words, func(w string) bool { return w == "caret" || w == "chevron" || w == "angle" })
	return caret && slices.Contains(words, "down") && !p.t.submits() && !p.pressed && p.t.Method == "" && p.t.Asks == ""
}

// isCloseIcon reports a picture that has the name of a close button and no other:
// the cross of a dialog doesn't say yes to it.
func isCloseIcon(icon string) bool {
	found := false
	for _, w := range iconWords(icon) {
		switch strings.ToLower(w) {
		case "close", "times", "xmark", "cross", "dismiss":
			found = true
		case "icon", "icons", "btn", "button", "modal", "dialog", "popup", "svg", "fas", "far", "mdi", "circle", "solid", "outline", "toast", "banner":
		default:
			return false
		}
	}
	return found
}

// turnsPage reports a picture that goes to the next or the previous page: a
// chevron to a side, with no deed in its name, no sum and no sentence beside it.
func (p *press) turnsPage() bool {
	ws := iconWords(strings.ToLower(p.t.Icon))
	chevron := slices.ContainsFunc(ws, func(w string) bool { return w == "chevron" || w == "caret" || w == "angle" })
	way := slices.ContainsFunc(ws, func(w string) bool {
		return w == "left" || w == "right" || w == "next" || w == "prev" || w == "previous"
	})
	deed := slices.ContainsFunc(ws, func(w string) bool { return iconClasses[w] != "" || postWords[w] != "" || finals[w] })
	return chevron && way && !deed && !p.t.submits() && !p.pressed && p.sumBeside() == "" && p.tells(false) == ""
}

// icon judges a control without words by the names of its picture.
func (p *press) icon() {
	words := iconWords(strings.ToLower(p.t.Icon))
	rest := slices.ContainsFunc(words, func(w string) bool { return iconRest[w] })
	danger := slices.ContainsFunc(words, func(w string) bool { return dangers[w] }) && !slices.ContainsFunc(words, func(w string) bool { return less[w] })
	if p.opensMenu(words) {
		p.begins = Submit
		p.j.raise(Notify, Navigate, "opens", p.j.say("The picture on the %s is called %s", p.kind(), quote(words[len(words)-1])))
		return
	}
	for i, w := range words {
		w = strings.TrimRight(w, "0123456789") // trash2
		class, ok := iconClasses[w]
		if ok && rest && len(strings.Fields(p.t.Icon)) < len(words) {
			continue // "send-history": the whole name says what it is
		}
		if !ok && i+1 < len(words) {
			class, ok = iconPairs[w+" "+words[i+1]]
		}
		if !ok && (w == "paper" || w == "telegram") && i+1 < len(words) && words[i+1] == "plane" {
			class, ok = Communicate, true
		}
		if !ok && danger && (w == "remove" || w == "times" || w == "minus") {
			class, ok = Destroy, true
		}
		if ok {
			p.ask(class, "icon", "The picture on the %s is called %s", p.kind(), quote(w))
		}
	}
}

// dropZone judges the target of a drag by the words of its labels and icon, at any
// place in them ("Drop here to delete").
func (j *judgement) dropZone(d *Target) {
	for _, s := range append(d.labels(), d.Icon) {
		if j.lex.inText("drop", s) != nil {
			j.raise(Confirm, Destroy, "drop_zone", j.say("What is dropped there is gone: %s", quote(s)))
			return
		}
	}
	// A column of a board: "Closed · …"
	heading, _, _ := strings.Cut(d.Context, " · ")
	if t := j.act.Target; t != nil && strings.HasPrefix(t.Context, heading+" · ") {
		return
	}
	if c := turns[keyName(strings.TrimRight(fold(heading), " 0123456789()"))]; c != "" {
		j.raise(Confirm, c, "drop_zone", j.say("What is dropped there becomes: %s", quote(heading)))
	}
}
