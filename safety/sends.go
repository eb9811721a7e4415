package safety

import (
	"strings"
)

// A form's fields tell more than its button: with a sum and a payee any "Next" is a
// payment, and a GET form opens an address that may act.

var (
	sumFields = ruleWords("sum fields")
	// offerFields are names for a price, a bid or a gift. Calculators do not use
	// them.
	offerFields = ruleWords("offer fields")
	payeeFields = ruleWords("payee fields")
	payerFields = ruleWords("payer fields")
)

// sends judges a form's fields, whatever its button says.
func (p *press) sends() {
	f := p.t.Form
	if f == nil {
		return
	}
	if !strings.EqualFold(f.Method, "get") && f.paysSomebody() {
		p.ask(Purchase, "money_form", "The form says how much goes to whom")
	}
	if u := f.opens(); u != nil {
		if w := payingWord(u); w != "" {
			p.ask(Purchase, "acting_url", "The form goes to an address that says: %s", w)
		}
	}
}

// scriptVerbs give the class of a link's own script by the verbs in its name.
// "remove" and "cancel" are left out: every chip and dialog has them.
var scriptVerbs = map[string]Class{
	"delete": Destroy, "del": Destroy, "destroy": Destroy, "unsubscribe": Destroy, "revoke": Destroy, "deactivate": Destroy,
	"terminate": Destroy, "purge": Destroy, "erase": Destroy, "trash": Destroy,
	"pay": Purchase, "buy": Purchase, "purchase": Purchase, "donate": Purchase, "withdraw": Purchase,
	"logout": Identity, "signout": Identity,
}

// judgeScriptAddress judges a link whose address is a script by the names in it:
// javascript:deleteAlbum(31).
func (p *press) judgeScriptAddress(href string) {
	_, code, _ := strings.Cut(href, ":")
	ws := words(fold(clip(unescape(code), 500)))
	for i, w := range ws {
		class, ok := scriptVerbs[w]
		if !ok && i+1 < len(ws) && payingPhrases[w+ws[i+1]] {
			class, ok = Purchase, true
		}
		if ok {
			p.script, p.scriptClass = w, class
			return
		}
	}
}

// scriptSays asks about a script whose name acts, unless the link itself says
// that it only leads somewhere.
func (p *press) scriptSays() {
	if p.script == "" {
		return
	}
	level := Confirm
	if p.quieted {
		level = Notify
	}
	p.j.raise(level, p.scriptClass, "script_word", p.j.say("The link's script is called: %s", p.script))
	p.severe = p.severe || level >= Confirm
}
