package safety

import "strings"

// A record of a tracker, a help desk or a plan ends, and begins anew, by its status: an issue is
// closed, a case resolved, a milestone opened again.

// turnKey is the key under which a change tells that its record was ended, or opened again.
const turnKey = "status change"

const reopened = "reopened"

// turns are the states in which work on a record ends, and what is done by giving it one.
var turns = func() map[string]Class {
	m := map[string]Class{"locked": Settings, "lock": Settings, reopened: Settings, "reopen": Settings}
	for s := range wordSet("closed close resolved resolve archived archive ended suspended geschlossen geloest archiviert fermee ferme cloture cerrado cerrada resuelto archivado " +
		"chiuso chiusa risolto archiviato fechado fechada resolvido encerrado encerrada arquivado закрыт закрыта закрыто решен решена 关闭 已关闭 關閉 已關閉 已解决 已解決 " +
		"クローズ 解決済み 終了 닫힘 종료 해결됨 مغلق مغلقة बंद") {
		m[keyName(fold(s))] = Destroy
	}
	return m
}()

// turnFlags are set to true by what ends a record, and to false by what opens it again.
var turnFlags = wordSet("closed isclosed resolved isresolved")

// passing are things that are shut and put away without anything being done: parts of a page, and
// what is one's own to do or to read.
var passing = wordSet("todo todos reminder reminders dialog dialogs modal modals drawer drawers window windows pane panes menu menus section sections accordion accordions group groups " +
	"popup popups popover popovers alert alerts overlay overlays sheet sheets node nodes nav navigation ui email emails mail mails message messages inbox")

// passes reports the name of a list or a segment of an address that holds such things.
func passes(name string) bool {
	s := requestWords().name(name)
	return s.trifle || passing[s.bare] || passing[s.tail]
}

// withTurn adds to the change of a record whose status changed that this ended it or opened it
// again. of is the list in which it stands.
func withTurn(change, record, before any, of string) any {
	d, okD := change.(map[string]any)
	r, okR := record.(map[string]any)
	w, okW := before.(map[string]any)
	if !okD || !okR || !okW || countValues(r) < leastRecord || passes(of) {
		return change
	}
	turn := ""
	for k, v := range r {
		to := turnOf(k, v)
		if from := turnOf(k, w[k]); from != "" && to == "" && w[k] != nil && v != nil {
			to = reopened
		} else if from == to {
			continue
		}
		turn = max(turn, to)
	}
	if turn != "" {
		d[turnKey] = turn
	}
	return d
}

// turnOf gives the state in turns that a key and its value tell.
func turnOf(key string, v any) string {
	k := keyName(key)
	switch v := v.(type) {
	case bool:
		if v && turnFlags[k] {
			return "closed"
		}
	case string:
		if s := keyName(fold(v)); stateKeys[k] && turns[s] != "" {
			return s
		}
	}
	return ""
}

// judgeStatus judges the state that a body gives the one record to which it is sent, as {"state": …} or
// {"issue": {"state": …}}. What stands deeper is of something else.
func (b *bodyReader) judgeStatus(key, state string) {
	p, last := b.path, len(b.path.names)-1
	if last < 0 || !p.idLast || p.isTrifle(last) || passes(p.names[last].bare) {
		return
	}
	if b.level < 2 || b.level == 2 && b.of != "" && strings.HasPrefix(p.names[last].bare, keyName(b.of)) {
		b.soft = append(b.soft, finding{turns[state], key + ": " + state})
	}
}
