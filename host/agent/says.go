package agent

import (
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// Says gives an event the text of a notice: in the language of the task, and in
// each of a panel, whose user may read another one.
func Says(ev wire.Event, lang, kind string, args ...any) wire.Event {
	ev.Text, ev.In = prompts.Notice(kind, lang, args...), prompts.InEach(kind, args...)
	return ev
}

// pause is the event of a pause, with why.
func (r *run) pause(kind string, args ...any) wire.Event {
	return Says(wire.Event{Type: wire.EvPaused}, r.Lang, kind, args...)
}
