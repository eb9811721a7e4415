package agent

import (
	"tabwright/host/native"
	"tabwright/prompts"
)

// Says gives an event the text of a notice: in the language of the task, and in
// each of a panel, whose person may read another one.
func Says(ev native.Event, lang, kind string, args ...any) native.Event {
	ev.Text, ev.In = prompts.Notice(kind, lang, args...), prompts.InEach(kind, args...)
	return ev
}

// pause is the event of a pause, with why.
func (r *run) pause(kind string, args ...any) native.Event {
	return Says(native.Event{Type: native.EvPaused}, r.Lang, kind, args...)
}
