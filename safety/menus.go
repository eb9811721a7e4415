package safety

import (
	"regexp"
	"strings"
)

// A menu's entries are the objects of its heading: "Schedule send · Tomorrow, 8:00".

// ofMenu judges an entry of a menu whose heading names the deed: the time of sending, the new state
// or role. It also judges the bin in a menu that moves something to a folder.
func (p *press) ofMenu() {
	j := p.j
	if p.severe || p.link || p.toggle || p.pressed || p.acts {
		return
	}
	if p.throwsAway() {
		p.ask(Destroy, "under_heading", "%s answers: %s", quote(firstLabel(p.labels)), clip(p.t.Context, 160))
		return
	}
	head, _, ok := strings.Cut(p.t.Context, " · ")
	if !ok || len(p.labels) == 0 {
		return
	}
	lb := j.lex.label(clip(head, 120))
	if len(lb.tokens) == 0 || lb.long() || j.lex.inSection("ask", &lb) != nil {
		return
	}
	when, entry := p.when(), strings.HasPrefix(p.t.Role, "menuitem") || p.t.Role == "option"
	for _, h := range j.lex.hits(&lb) {
		if h.level >= Confirm && (when && (h.class == Communicate || h.class == Purchase || h.class == Destroy) ||
			entry && (h.class == Settings || h.class == Identity)) {
			p.ask(h.class, "under_heading", "%s answers: %s", quote(firstLabel(p.labels)), clip(head, 160))
		}
	}
}

// clock is a time of the day.
var clock = regexp.MustCompile(`\b\d{1,2}[:.h時时시]\d{2}\b|\d{1,2} ?(?:AM|PM|am|pm|Uhr|h\b|時|点|點|시|बजे|ч(?:\PL|$))`)

// when reports an entry that names a time: an hour, or a word for a day.
func (p *press) when() bool {
	label := firstLabel(p.labels)
	return clock.MatchString(label) && sumIn(label) == "" || p.j.lex.inWords("minute", words(fold(label))) != nil
}

// writes matches an SQL statement that changes a database.
var writes = regexp.MustCompile(`(?i)\b(?:delete\s+from|drop\s+(?:table|database|schema|index|view|column)|truncate\s+table\s+\S+|update\s+\S+\s+set|insert\s+into|alter\s+table\s+\S+\s+(?:add|drop|rename|alter|modify|change|set|owner|enable|disable|engine|auto_increment)|grant\s+\w+\s+on)\b|\bcreate\s+(?:table|database|user)\s+(?:if\s+not\s+exists\s+)?\S+\s*(?:[(;@]|(?:as|with|identified|password|default|character|charset|collate)\b)|(?:;\s*create|(?:^|\n)\s*(?-i:CREATE|create))\s+(?-i:TABLE|DATABASE|USER|table|database|user)\s+(?:if\s+not\s+exists\s+)?\S+\s*(?:\n|$)|\brm\s+-rf?\b|^\s*truncate\s+\S+\s*$`)

// runs judges a control beside a statement that changes a database, or under a
// shell's command: it runs that, unless it shows or drops the draft, or turns to a tab.
func (p *press) runs() {
	if p.severe || p.quieted || p.toggle || p.t.Editable || p.t.Role == "tab" || p.known && p.weak == "" && strings.TrimSpace(strings.Join(p.labels, "")) != "" {
		return
	}
	text := p.t.Context
	if f := p.t.Form; f != nil {
		for _, x := range f.Fields {
			if x.Secret == "" {
				text += "\n" + x.Value
			}
		}
	}
	if !strings.ContainsAny(text, " \t") || isCloseIcon(p.t.Icon) {
		return
	}
	if s := writes.FindString(text); s != "" {
		p.ask(CodeClass, "runs_statement", "Beside it stands a statement that changes data: %s", clip(s, 60))
	}
}
