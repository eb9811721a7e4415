package safety

import "strings"

// onlyBegins reports a label that begins what takes more to do, "Reply", "Make a payment", where
// nothing was written yet, no dialog is open and no form is sent: it opens the place to do it in.
// What the page sends of it all the same is asked about, whatever that says.
func (p *press) onlyBegins(label string) bool {
	t := p.t
	if !t.Blank || p.pressed || t.submits() || p.toggle || t.Method != "" || sumIn(label) != "" || p.j.act.Page.Dialog != "" {
		return false
	}
	lb := p.j.lex.label(withoutSigns(label))
	return p.j.lex.inSection("begins", &lb) != nil
}

// withoutSigns takes the names of signs of an icon font off the beginning of a label: "card_giftcard
// Buy gift card", "add Link a card".
func withoutSigns(label string) string {
	ws := strings.Fields(label)
	for len(ws) > 1 && (signNamed(ws[0]) || firstRune(ws[0]) >= 'a' && firstRune(ws[0]) <= 'z' && firstRune(ws[1]) >= 'A' && firstRune(ws[1]) <= 'Z') {
		ws = ws[1:]
	}
	return strings.Join(ws, " ")
}

// dismisses reports the "Cancel" of a dialog that is not about cancelling something itself.
func (p *press) dismisses(lb *label) bool {
	t := p.t
	if t.Dialog == "" || p.pressed || t.submits() && t.Type != "button" {
		return false
	}
	if p.j.lex.inSection("dismiss", lb) == nil || len(lb.tokens) > 1 {
		return false
	}
	said := words(fold(lb.raw))
	for _, text := range []string{t.Dialog, strings.Replace(t.Context, lb.raw, "", 1)} {
		for _, w := range words(fold(text)) {
			if len(said) > 0 && strings.HasPrefix(w, said[0]) {
				return false // "Cancel the order?" beside "Cancel"
			}
		}
	}
	return true
}

// folders are what the places are called in which messages lie.
var folders = wordSet("inbox sent drafts spam starred archive junk important snoozed posteingang gesendet entwuerfe entwürfe brouillons envoyés envoyes recibidos enviados borradores " +
	"rascunhos bozze inviati входящие отправленные черновики 收件箱 已发送 草稿箱 垃圾邮件 星标 受信トレイ 送信済み 下書き")

// isFolder reports the "Trash" that stands among the folders of a mailbox, and is no button.
func (p *press) isFolder() bool {
	if p.t.Tag == "button" || p.t.Role == "button" || p.pressed || len(p.labels) == 0 || len(words(fold(firstLabel(p.labels)))) > 2 {
		return false
	}
	p.beside()
	seen := map[string]bool{}
	for _, w := range p.besideWords {
		if moves[w] {
			return false // a menu of where something is moved to
		}
		if folders[w] {
			seen[w] = true
		}
	}
	return len(seen) >= leastFolders
}

const leastFolders = 2

var moves = wordSet("move moved moving verschieben deplacer déplacer mover spostare переместить 移动 移到 移至 移動")
