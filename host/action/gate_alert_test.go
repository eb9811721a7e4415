package action

import (
	"testing"

	"tabwright/safety"
)

// An alert has one answer: its words are no button's. Of a question they are.
func TestAnAlertIsNoButton(t *testing.T) {
	for kind, want := range map[string]safety.Level{"alert": safety.Notify, "confirm": safety.Confirm, "prompt": safety.Confirm} {
		text := "Your subscription was extended. Delete account?"
		r := &run{}
		level := safety.Auto
		for _, act := range r.judgements(safety.Act{
			Action: "handleDialog", Base: safety.Submit, Params: []byte(`{"accept":true}`),
			Target: &safety.Target{Tag: "dialog", Role: "dialog", Name: text, Type: kind, FrameURL: "https://a.test/"},
			Page:   safety.Page{URL: "https://a.test/", Dialog: text},
		}) {
			level = max(level, safety.Judge(act, safety.Context{Sites: []string{"a.test"}}).Level)
		}
		if level != want {
			t.Errorf("%s: %s, want %s", kind, level, want)
		}
	}
}
