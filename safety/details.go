package safety

import (
	"strings"
)

// finish adds the amount and the lines of the card. They come from the page or from
// the data that would be sent, never from a model's description.
func (j *judgement) finish() {
	a := j.act
	if j.d.Class == "" {
		j.d.Class = Read
	}
	if j.d.Class == Purchase && j.d.Level >= Notify {
		j.read = true
		j.d.Amount = amount(j.lex, a)
		for _, item := range a.Page.Items {
			j.detail(Redact(item))
		}
	}
	if j.d.Level < Confirm {
		return
	}
	if j.d.Class == Purchase {
		j.sentMoney()
	}
	switch {
	case a.Action == "executeJS":
		j.detail(clip(j.param("code"), 500))
	case a.Action == "waitFor":
		j.detail(clip(j.param("function", "fn", "predicate"), 500))
	case a.File != "":
		j.detail(a.File)
	case len(a.Files) > 0:
		for _, f := range a.Files {
			j.detail(f)
		}
	case j.d.Class == Communicate:
		j.message()
	}
	if a.Target != nil && a.Target.Form != nil && a.Target.Form.Action != "" {
		if from, to := Site(a.Page.URL), Site(a.Target.Form.Action); to != "" && from != "" && from != to {
			j.detail(j.say("Goes to %s", host(a.Target.Form.Action)))
		}
	}
	if a.Target != nil && a.Target.FrameURL != "" {
		if in, page := Site(a.Target.FrameURL), Site(a.Page.URL); in != "" && page != "" && in != page {
			j.detail(j.say("In a frame of %s", host(a.Target.FrameURL)))
		}
	}
}

func (j *judgement) detail(s string) {
	if s = strings.TrimSpace(s); s != "" {
		j.d.Details = append(j.d.Details, s)
	}
}

// moneyFields are names of fields with an amount or a recipient. A page may show
// other values than it sends, so the card shows the ones it sends.
var moneyFields = wordSet("amount amt total price sum quantity qty currency payee recipient beneficiary merchant receiver to account plan tip fee")

// sentMoney lists the fields of amount and payee as the form would send them,
// hidden ones included.
func (j *judgement) sentMoney() {
	if j.act.Target == nil || j.act.Target.Form == nil {
		return
	}
	n := 0
	for _, f := range j.act.Target.Form.Fields {
		if f.Value == "" || f.Secret != "" || n >= 8 {
			continue
		}
		for _, w := range words(fold(f.Name)) {
			if moneyFields[w] {
				j.detail(clip(f.Name, 40) + ": " + Redact(clip(f.Value, 100)))
				n++
				break
			}
		}
	}
}

// message adds the typed text and the fields of the form to the card.
func (j *judgement) message() {
	if j.act.Text != "" {
		j.detail(Redact(clip(j.act.Text, 500)))
	}
	if j.act.Target == nil || j.act.Target.Form == nil {
		return
	}
	for _, f := range j.act.Target.Form.Fields {
		if f.Value == "" || f.Secret != "" || f.Type == "hidden" {
			continue
		}
		name := f.Label
		if name == "" {
			name = f.Name
		}
		j.detail(name + ": " + Redact(clip(f.Value, 300)))
	}
}

// amount picks the amount a purchase is about: the button's own, else the one
// beside a word for "total", else the nearest to the target.
func amount(l *lexicon, a Act) string {
	if t := a.Target; t != nil {
		for _, s := range append(t.labels(), t.DefaultButton) {
			if m := Amounts(s); len(m) > 0 {
				return m[0]
			}
		}
	}
	sources := append([]string{}, a.Page.Items...)
	if a.Target != nil {
		sources = append(sources, a.Target.Context)
	}
	sources = append(sources, a.Page.Dialog)
	for _, s := range sources {
		if m := totalIn(l, s); m != "" {
			return m
		}
	}
	if m := totalAmong(l, a.Page.Text, a.Page.Amounts); m != "" {
		return m
	}
	if len(a.Page.Amounts) > 0 {
		return a.Page.Amounts[0]
	}
	return totalIn(l, clip(a.Page.Text, 4000))
}

// beforeTotal is how many bytes before an amount are searched for a word for "total".
const beforeTotal = 60

// totalAmong gives the last of the known amounts that follows a word for
// "total" in the text. Looking for known strings keeps it quick: a regular
// expression over a whole page takes milliseconds.
func totalAmong(l *lexicon, text string, amounts []string) string {
	found, at := "", -1
	for _, m := range amounts {
		if m == "" {
			continue
		}
		for from, n := 0, 0; n < 20; n++ {
			i := strings.Index(text[from:], m)
			if i < 0 {
				break
			}
			i += from
			from = i + len(m)
			before := text[max(0, i-beforeTotal):i]
			if k := strings.LastIndexByte(before, '\n'); k >= 0 {
				before = before[k:]
			}
			if i > at && l.inText("total", before) != nil {
				found, at = m, i
			}
		}
	}
	return found
}

// totalIn gives the last amount that follows a word for "total" closely.
func totalIn(l *lexicon, text string) string {
	found := ""
	for line := range strings.SplitSeq(text, "\n") {
		if l.inText("total", line) == nil {
			continue
		}
		spans := money.FindAllStringIndex(line, -1)
		from := 0
		for _, s := range spans {
			before := clip(line[from:s[0]], 60)
			if l.inText("total", before) != nil {
				found = strings.TrimRight(strings.TrimSpace(line[s[0]:s[1]]), ".,'’")
			}
			from = s[1]
		}
	}
	return found
}
