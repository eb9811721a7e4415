package action

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"tabwright/safety"
)

const pressLog = "move(10,5) down(10,5) up(10,5)"

func pay() *fakeNode {
	n := node(1, "button", "Pay")
	n.target.SubmitsForm = true
	n.target.Form = &safety.Form{Action: "https://shop.test/pay", Method: "post"}
	return n
}

func TestGateAllows(t *testing.T) {
	r := newRig(t, pay())
	r.main.amounts = []string{"$12.50"}
	var lit int
	r.person.onAsk = func(int, Card) { lit = r.tab.lit }
	res := r.do("click", `{"selector":"#n1"}`)
	wantCode(t, res, "")
	if r.tab.log() != pressLog {
		t.Errorf("sent %s", r.tab.log())
	}
	if len(r.person.cards) != 1 {
		t.Fatalf("%d cards", len(r.person.cards))
	}
	c := r.person.cards[0]
	if c.Target != `button "Pay"` || c.Site != "shop.test" || c.Decision.Class != safety.Purchase || c.Decision.Amount != "$12.50" || c.Changed {
		t.Errorf("card %+v", c)
	}
	if lit != 1 || r.tab.lit != 0 {
		t.Errorf("outlined %d while asking, %d after", lit, r.tab.lit)
	}
	if len(r.diary.started) != 1 || r.diary.started[0] != `click button "Pay" shop.test confirm` {
		t.Errorf("started %q", r.diary.started)
	}
	if !res.Sent || res.Level != safety.Confirm || res.Site != "shop.test" {
		t.Errorf("result %+v", res)
	}
}

func TestGateDenies(t *testing.T) {
	tests := []struct {
		name   string
		answer Answer
		err    error
		code   Code
		again  int // cards when it is tried again
	}{
		{"no", Answer{By: "panel", Note: "too dear"}, nil, Denied, 1},
		{"ran out", Answer{By: "limit"}, nil, Denied, 1},
		{"policy", Answer{By: "policy"}, nil, Denied, 1},
		{"can't ask", Answer{}, errors.New("no panel"), Denied, 2},
		{"stopped", Answer{}, context.Canceled, Timeout, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, pay())
			r.person.answers, r.person.err = []Answer{tt.answer}, tt.err
			wantCode(t, r.do("click", `{"selector":"#n1"}`), tt.code)
			wantCode(t, r.do("click", `{"selector":"#n1"}`), tt.code)
			if len(r.person.cards) != tt.again {
				t.Errorf("asked %d times, want %d", len(r.person.cards), tt.again)
			}
			if r.tab.log() != "" || len(r.diary.started) != 0 {
				t.Errorf("sent %q, started %q", r.tab.log(), r.diary.started)
			}
		})
	}
}

// TestWhoSaidNo: a no that nobody spoke is not told as the user's.
func TestWhoSaidNo(t *testing.T) {
	for by, want := range map[string]string{
		"panel": "the user said no", "stop": "stopped before an answer", "limit": "nobody answered in time", byPolicy: "the policy says no",
	} {
		r := newRig(t, pay())
		r.person.answers = []Answer{{By: by}}
		res := r.do("click", `{"selector":"#n1"}`)
		wantCode(t, res, Denied)
		if !strings.Contains(res.Err.Message, want) || by != "panel" && strings.Contains(res.Err.Message, "the user") {
			t.Errorf("%s: %q", by, res.Err.Message)
		}
	}
}

// TestDeniedNotAgain: the same consequence by another road is denied unasked.
func TestDeniedNotAgain(t *testing.T) {
	field := node(2, "textbox", "Coupon")
	field.target.DefaultButton = "Pay"
	field.target.SubmitsForm = true
	field.target.Form = &safety.Form{Action: "https://shop.test/pay", Method: "post"}
	remove := node(4, "button", "Delete the address")
	r := newRig(t, pay(), field, node(3, "button", "Buy now"), remove)
	r.main.focus = 2
	r.person.answers = []Answer{{By: "panel"}}
	wantCode(t, r.do("click", `{"selector":"#n1"}`), Denied)
	for _, road := range []struct{ name, action, params string }{
		{"same button by point", "click", `{"x":10,"y":5}`},
		{"Enter in its form", "pressKey", `{"key":"Enter"}`},
		{"another button", "click", `{"selector":"#n3"}`},
		{"code", "executeJS", `{"code":"document.forms[0].submit()"}`},
		{"the form's address", "navigate", `{"url":"https://shop.test/pay"}`},
	} {
		t.Run(road.name, func(t *testing.T) {
			wantCode(t, r.do(road.action, road.params), Denied)
			if len(r.person.cards) != 1 {
				t.Errorf("asked %d times", len(r.person.cards))
			}
		})
	}
	if r.tab.log() != "" {
		t.Errorf("sent %q", r.tab.log())
	}
	r.person.answers = []Answer{{Allow: true}}
	wantCode(t, r.do("click", `{"selector":"#n4"}`), "")
	if len(r.person.cards) != 2 {
		t.Errorf("another consequence was not asked about: %d cards", len(r.person.cards))
	}
	r.ForgetDenials()
	wantCode(t, r.do("click", `{"selector":"#n1"}`), "")
}

// TestChangedWhileAsked: what changes while the card is open is asked again,
// and after three changed questions the task must pause.
func TestChangedWhileAsked(t *testing.T) {
	tests := []struct {
		name    string
		changes int // how many questions find the page changed after them
		cards   int
		code    Code
	}{
		{"once", 1, 2, ""},
		{"three times", 3, 4, ""},
		{"each time", 99, 4, NeedsConfirmation},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, pay())
			r.main.amounts = []string{"$10"}
			r.person.onAsk = func(n int, c Card) {
				if c.Changed != (n > 1) {
					t.Errorf("card %d: Changed %t", n, c.Changed)
				}
				if n <= tt.changes {
					r.main.amounts = []string{fmt.Sprintf("$%d", 10+n)}
				}
			}
			res := r.do("click", `{"selector":"#n1"}`)
			wantCode(t, res, tt.code)
			if paused := res.Err != nil && errors.Is(res.Err, ErrKeepsChanging); paused != (tt.code != "") {
				t.Errorf("error %v", res.Err)
			}
			if len(r.person.cards) != tt.cards {
				t.Errorf("%d cards, want %d", len(r.person.cards), tt.cards)
			}
			want := pressLog
			if tt.code != "" {
				want = ""
			}
			if r.tab.log() != want {
				t.Errorf("sent %q, want %q", r.tab.log(), want)
			}
		})
	}
}

// TestGoneWhileAsked: the node that was allowed is not there any more, and
// another one answers to the same selector.
func TestGoneWhileAsked(t *testing.T) {
	first, second := pay(), pay()
	second.id, second.selector, second.el.ID = 2, "#n1", 2
	second.gone = true
	r := newRig(t, first, second)
	r.person.onAsk = func(n int, _ Card) {
		if n == 1 {
			first.gone, second.gone = true, false
		}
	}
	wantCode(t, r.do("click", `{"selector":"#n1"}`), "")
	if len(r.person.cards) != 2 || !r.person.cards[1].Changed {
		t.Errorf("cards %+v", r.person.cards)
	}
}

func TestGuardStops(t *testing.T) {
	t.Run("another node", func(t *testing.T) {
		r := newRig(t, node(1, "button", "More"))
		r.main.stop = "other_node"
		res := r.do("click", `{"selector":"#n1"}`)
		wantCode(t, res, StaleRef)
		if res.Sent {
			t.Error("a click that was stopped counts as sent")
		}
		if !strings.Contains(res.Text, "[1]") {
			t.Errorf("no candidates in %q", res.Text)
		}
	})
	t.Run("facts changed once", func(t *testing.T) {
		r := newRig(t, pay())
		r.main.stop = "facts_changed"
		r.main.amounts = []string{"$10"}
		r.main.onCall = func(fn string) {
			if fn == "arm" { // between the look and the input
				r.main.amounts = []string{"$99"}
			}
		}
		r.person.onAsk = func(n int, _ Card) {
			if n == 2 {
				r.main.stop = ""
			}
		}
		wantCode(t, r.do("click", `{"selector":"#n1"}`), "")
		if len(r.person.cards) != 2 || !r.person.cards[1].Changed || r.person.cards[1].Decision.Amount != "$99" {
			t.Errorf("cards %+v", r.person.cards)
		}
	})
	t.Run("facts keep changing", func(t *testing.T) {
		r := newRig(t, node(1, "button", "More"))
		r.main.stop = "facts_changed"
		wantCode(t, r.do("click", `{"selector":"#n1"}`), StaleRef)
		if n := strings.Count(r.tab.log(), "down"); n != maxMoved+1 {
			t.Errorf("tried %d times", n)
		}
	})
}

func TestGateBlocks(t *testing.T) {
	for _, url := range []string{"chrome://settings", "javascript:alert(1)", "file:///etc/passwd", "http://169.254.169.254/"} {
		r := newRig(t)
		wantCode(t, r.do("navigate", `{"url":"`+url+`"}`), Blocked)
		if r.tab.log() != "" || len(r.person.cards) != 0 {
			t.Errorf("%s: sent %q", url, r.tab.log())
		}
	}
}

func TestAlwaysAsks(t *testing.T) {
	r := newRig(t)
	r.person.answers = []Answer{{Allow: true}}
	for i := 1; i <= 2; i++ {
		wantCode(t, r.do("executeJS", `{"code":"1+1"}`), "")
		if len(r.person.cards) != i {
			t.Errorf("%d cards after %d runs", len(r.person.cards), i)
		}
	}
}

// TestWatcherStops: when the step can't be recorded, nothing is sent.
func TestWatcherStops(t *testing.T) {
	r := newRig(t, node(1, "button", "More"))
	r.diary.err = errors.New("disk full")
	res := r.do("click", `{"selector":"#n1"}`)
	if res.Err == nil || r.tab.log() != "" || res.Sent {
		t.Errorf("error %v, sent %q", res.Err, r.tab.log())
	}
}

func TestNobodyToAsk(t *testing.T) {
	r := newRig(t, pay())
	r.o.Confirmer = nil
	wantCode(t, r.do("click", `{"selector":"#n1"}`), Denied)
}

func TestNotify(t *testing.T) {
	n := node(1, "button", "Submit")
	n.target.SubmitsForm = true
	n.target.Form = &safety.Form{Action: "https://shop.test/feedback", Method: "post"}
	r := newRig(t, n)
	res := r.do("click", `{"selector":"#n1"}`)
	wantCode(t, res, "")
	if res.Level != safety.Notify || len(r.diary.notes) != 1 {
		t.Errorf("level %s, notes %q", res.Level, r.diary.notes)
	}
	if in := r.diary.noted; !strings.Contains(in[Chinese], "会提交表单") || in[English] != r.diary.notes[0] {
		t.Errorf("said in each language: %q", in)
	}
	if res.In[English] != res.Line || !strings.HasPrefix(res.In[Chinese], "点击了") {
		t.Errorf("the line in each language: %q", res.In)
	}
}

func TestHandleDialogIsJudged(t *testing.T) {
	r := newRig(t)
	r.tab.open(&dialogDelete)
	wantCode(t, r.do("click", `{"selector":"#n1"}`), DialogOpen)
	r.person.answers = []Answer{{By: "panel"}}
	wantCode(t, r.do("handleDialog", `{"accept":true}`), Denied)
	if r.tab.log() != "" {
		t.Errorf("sent %q", r.tab.log())
	}
	wantCode(t, r.do("handleDialog", `{"accept":false}`), "")
	if r.tab.log() != "dialog(false,)" || len(r.person.cards) != 1 {
		t.Errorf("sent %q, %d cards", r.tab.log(), len(r.person.cards))
	}
	wantCode(t, r.do("handleDialog", `{"accept":true}`), NotFound)
}

// TestCardLanguage: the reasons on a card are in the user's language.
func TestCardLanguage(t *testing.T) {
	for lang, han := range map[string]bool{English: false, Chinese: true} {
		r := newRigIn(t, lang, pay())
		wantCode(t, r.do("click", `{"selector":"#n1"}`), "")
		text := reasons(r.person.cards[0].Decision)
		if got := strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Han, c) }); got != han {
			t.Errorf("%s: %q", lang, text)
		}
	}
}
