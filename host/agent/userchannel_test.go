package agent

import (
	"context"
	"errors"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

func payCard() action.Card {
	return action.Card{
		Action: "click", Target: `button "Pay $12.50"`, Site: "shop.test",
		Decision: safety.Decision{Level: safety.Confirm, Class: safety.Purchase, Amount: "$12.50"},
	}
}

func TestCardsAreAnsweredOnce(t *testing.T) {
	rec := newRecord()
	d := NewUserChannel(rec)
	got := make(chan action.Answer, 1)
	go func() {
		a, err := d.Confirm(t.Context(), payCard())
		if err != nil {
			t.Error(err)
		}
		got <- a
	}()
	card := rec.await(t, wire.EvConfirmRequest).Confirm
	if card.Amount != "$12.50" || card.Class != "purchase" || card.Site != "shop.test" {
		t.Errorf("card %+v", card)
	}
	if err := d.Answer(wire.ConfirmAnswer{ID: "other", Allow: true}); !errors.Is(err, ErrNoCard) {
		t.Errorf("answer to an unknown card: %v", err)
	}
	if err := d.Answer(wire.ConfirmAnswer{ID: card.ID, Allow: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.Answer(wire.ConfirmAnswer{ID: card.ID, Allow: true}); !errors.Is(err, ErrNoCard) {
		t.Errorf("second answer: %v", err)
	}
	if a := <-got; !a.Allow || a.By != "panel" {
		t.Errorf("answer %+v", a)
	}
	if r := rec.await(t, wire.EvConfirmResult); r.Confirm.Answer != "allow" {
		t.Errorf("recorded %+v", r.Confirm)
	}
}

func TestNoAnswerIsNo(t *testing.T) {
	for name, c := range map[string]struct {
		ctx    func() (context.Context, context.CancelFunc)
		answer string
	}{
		"ran out": {func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(t.Context(), time.Millisecond)
		}, "expired"},
		"stopped": {func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(ErrStopped)
			return ctx, func() {}
		}, "void"},
	} {
		rec := newRecord()
		ctx, cancel := c.ctx()
		a, err := NewUserChannel(rec).Confirm(ctx, payCard())
		cancel()
		if err != nil || a.Allow {
			t.Errorf("%s: %+v %v", name, a, err)
		}
		if got := rec.last().Confirm.Answer; got != c.answer {
			t.Errorf("%s: recorded %q", name, got)
		}
	}
}

func TestAnAnswerThatCannotBeRecordedIsNo(t *testing.T) {
	rec := newRecord()
	rec.fail = wire.EvConfirmResult
	d := NewUserChannel(rec)
	d.Ask = func(context.Context, wire.ConfirmInfo) action.Answer {
		return action.Answer{Allow: true, By: "terminal"}
	}
	if a, err := d.Confirm(t.Context(), payCard()); err == nil || a.Allow {
		t.Errorf("%+v %v", a, err)
	}
}

// A card has its reasons in both languages of a panel, whatever the task's.
func TestACardSpeaksBothLanguages(t *testing.T) {
	rec := newRecord()
	desk := NewUserChannel(rec)
	desk.Ask = func(context.Context, wire.ConfirmInfo) action.Answer { return action.Answer{By: "policy"} }
	_, err := desk.Confirm(t.Context(), action.Card{
		Action: "click", Target: `按钮 "付款"`, Site: "shop.test", Changed: true,
		Decision: safety.Decision{Reasons: []safety.Reason{{Rule: "submit_word", Text: `按钮上写着 "付款"`}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	card := rec.await(t, wire.EvConfirmRequest).Confirm
	if len(card.Reasons) != 2 || len(card.In["en"]) != 2 || len(card.In["zh"]) != 2 || card.In["en"][1] != `The button says "付款"` || card.In["zh"][1] != `按钮上写着 "付款"` {
		t.Errorf("%q, %q", card.Reasons, card.In)
	}
}
