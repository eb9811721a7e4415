package safety

import "strings"

// What a control without words shows is a picture, and who drew the page has
// named it: in a class, a file, a sprite. Only names that leave no doubt count;
// "close", "times" and "remove" are on every chip and dialog.

var iconClasses = map[string]Class{
	"trash": Destroy, "trashcan": Destroy, "delete": Destroy, "bin": Destroy, "garbage": Destroy, "dustbin": Destroy,
	"recycle": Destroy, "wastebasket": Destroy,
	"pay": Purchase, "payment": Purchase, "buy": Purchase, "purchase": Purchase,
	"send": Communicate, "paperplane": Communicate, "publish": Communicate,
	"logout": Identity, "signout": Identity,
}

// icon judges a control without words by the names of its picture.
func (p *press) icon() {
	words := strings.Fields(p.t.Icon)
	for i, w := range words {
		class, ok := iconClasses[w]
		if !ok && w == "paper" && i+1 < len(words) && words[i+1] == "plane" {
			class, ok = Communicate, true
		}
		if ok {
			p.severe = true
			p.j.raise(Confirm, class, "icon", p.j.say("The picture on the %s is called %s", p.kind(), quote(w)))
		}
	}
}

// dropWords name places where what is dropped is gone.
var dropWords = wordSet("trash bin delete remove recycle discard garbage trashcan wastebasket dustbin papierkorb loschen entfernen " +
	"corbeille supprimer papelera eliminar borrar lixeira excluir apagar cestino elimina удалить")

var dropPhrases = []string{"删除", "刪除", "回收站", "回收筒", "垃圾桶", "ゴミ箱", "ごみ箱", "削除", "휴지통", "삭제", "हटाएं", "حذف", "سلة المهملات"}

// dropZone judges where a drag ends: the words of such a place tell what
// happens there wherever they stand ("Drop here to delete").
func (j *judgement) dropZone(d *Target) {
	for _, s := range append(d.labels(), d.Icon) {
		text := fold(s)
		for _, w := range words(text) {
			if dropWords[w] {
				j.raise(Confirm, Destroy, "drop_zone", j.say("What is dropped there is gone: %s", quote(s)))
				return
			}
		}
		for _, p := range dropPhrases {
			if strings.Contains(text, fold(p)) {
				j.raise(Confirm, Destroy, "drop_zone", j.say("What is dropped there is gone: %s", quote(s)))
				return
			}
		}
	}
}
