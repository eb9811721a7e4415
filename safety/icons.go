package safety

import (
	"slices"
	"strings"
)

// What a control without words shows is a picture, and who drew the page has
// named it: in a class, a file, a sprite. Only names that leave no doubt count;
// "close", "times" and "remove" are on every chip and dialog.

var iconClasses = map[string]Class{
	"trash": Destroy, "trashcan": Destroy, "delete": Destroy, "bin": Destroy, "garbage": Destroy, "dustbin": Destroy,
	"recycle": Destroy, "wastebasket": Destroy, "del": Destroy, "erase": Destroy, "rubbish": Destroy,
	"pay": Purchase, "payment": Purchase, "buy": Purchase, "purchase": Purchase,
	"send": Communicate, "paperplane": Communicate, "publish": Communicate,
	"approve": Communicate, "reject": Communicate,
	"logout": Identity, "signout": Identity,
}

// dangers are how a design system says that a control destroys something; with
// them "remove" and "times" are more than a cross.
var dangers = wordSet("red danger destructive error negative")

// closing reports a picture that shuts what it stands on, and is called
// nothing else: the cross of a dialog doesn't say yes to it.
func closing(icon string) bool {
	found := false
	for _, w := range strings.Fields(icon) {
		switch w {
		case "close", "times", "xmark", "cross", "dismiss":
			found = true
		case "icon", "icons", "btn", "button", "modal", "dialog", "popup", "svg", "fas", "far", "mdi", "circle", "solid", "outline", "toast", "banner":
		default:
			return false
		}
	}
	return found
}

// icon judges a control without words by the names of its picture.
func (p *press) icon() {
	words := strings.Fields(p.t.Icon)
	danger := slices.ContainsFunc(words, func(w string) bool { return dangers[w] })
	for i, w := range words {
		w = strings.TrimRight(w, "0123456789") // trash2
		class, ok := iconClasses[w]
		if !ok && (w == "paper" || w == "telegram") && i+1 < len(words) && words[i+1] == "plane" {
			class, ok = Communicate, true
		}
		if !ok && danger && (w == "remove" || w == "times" || w == "minus") {
			class, ok = Destroy, true
		}
		if ok {
			p.severe = true
			p.j.raise(Confirm, class, "icon", p.j.say("The picture on the %s is called %s", p.kind(), quote(w)))
		}
	}
}

// dropZone judges where a drag ends: the words of such a place tell what
// happens there wherever they stand ("Drop here to delete").
func (j *judgement) dropZone(d *Target) {
	for _, s := range append(d.labels(), d.Icon) {
		if j.lex.inText("drop", s) != nil {
			j.raise(Confirm, Destroy, "drop_zone", j.say("What is dropped there is gone: %s", quote(s)))
			return
		}
	}
}
