package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tabwright/safety"
)

type fakeVault map[string]filling

func (v fakeVault) Lookup(name string) (value string, sites []string, field string, err error) {
	f, ok := v[name]
	if !ok {
		return "", nil, "", errors.New("there is no such secret")
	}
	return f.value, f.sites, f.field, nil
}

const vaultValue = "correct-horse-battery"

// TestVaultFills: a value is filled in on its site, in its kind of field, after a
// yes, and neither it nor what the page echoes of it is said anywhere.
func TestVaultFills(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	form := `<form action=/session method=post><label>E-mail <input id=mail type=email></label><label>Password <input id=pw type=password oninput="at('echo').textContent = value"></label>
<p id=echo></p></form><form action="http://b.test:{port}/session" method=post><label>Password <input id=away type=password></label></form>`
	l := w.live(t, chromium.d, form)
	l.o.Secrets = fakeVault{
		"bank":  {value: vaultValue, sites: []string{"a.test"}},
		"other": {value: vaultValue, sites: []string{"test.example", "b.test"}},
		"card":  {value: vaultValue, sites: []string{"a.test"}, field: "card"},
	}
	fill := func(sel, text string) Result { return step{"type", p{"selector": sel, "text": text}}.run(l) }
	for _, x := range []struct{ sel, text, code string }{
		{"#pw", "{{secret:other}}", string(Blocked)},
		{"#pw", "{{secret:card}}", string(Blocked)},
		{"#mail", "{{secret:bank}}", string(Blocked)},
		{"#away", "{{secret:bank}}", string(Blocked)},
		{"#pw", "{{secret:nothing}}", string(NotFound)},
		{"#pw", "my {{secret:bank}}", string(InvalidParams)},
	} {
		if res := fill(x.sel, x.text); res.Err == nil || string(res.Err.Code) != x.code || res.Err.Hint == "" {
			t.Errorf("%s into %s: %v, want %s", x.text, x.sel, res.Err, x.code)
		}
	}
	if len(l.person.cards) > 0 {
		t.Fatalf("asked: %s", cardsOf(l))
	}
	if res := fill("#pw", "{{secret:bank}}"); res.Err == nil || len(l.person.cards) != 1 || l.eval("at('pw').value") != `""` {
		t.Fatalf("after a no: %v, %s", res.Err, cardsOf(l))
	}
	c := l.person.cards[0]
	if c.Decision.Class != safety.Identity || !strings.Contains(reasons(c.Decision), "bank") {
		t.Errorf("card %+v", c)
	}
	l.ForgetDenials()
	l.person.answers = []Answer{{Allow: true, By: byPolicy}}
	if res := fill("#pw", "{{secret:bank}}"); res.Err == nil || res.Err.Code != Denied || l.eval("at('pw').value") != `""` {
		t.Fatalf("filled in on --confirm allow, which is no person's word: %v", res.Err)
	}
	l.person.answers = []Answer{{Allow: true, By: "panel"}}
	res := fill("#pw", "{{secret:bank}}")
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	if got := l.eval("at('pw').value"); got != `"`+vaultValue+`"` {
		t.Fatalf("filled in: %s", got)
	}
	said := fmt.Sprint(res, l.person.cards, l.diary)
	o := l.observe()
	for _, v := range []any{o, o.Elements, o.Summary, step{"getText", p{}}.run(l), step{"snapshot", p{}}.run(l), step{"executeJS", p{"code": "at('echo').textContent"}}.run(l)} {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		said += string(b)
	}
	if i := strings.Index(said, vaultValue); i >= 0 {
		t.Errorf("the value is said: …%s…", said[max(0, i-80):i+30])
	}
	if !strings.Contains(said, "{{secret:bank}}") {
		t.Error("the placeholder does not stand for it")
	}
}
