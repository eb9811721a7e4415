package agent

import (
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// Says returns an event with the text of a notice, in the task's language and, for
// a panel in another one, in each language.
func Says(ev wire.Event, lang, kind string, args ...any) wire.Event {
	ev.Text, ev.In = prompts.Notice(kind, lang, args...), prompts.InEach(kind, args...)
	return ev
}

// pause returns the event of a pause; kind is the notice that says why.
func (r *run) pause(kind string, args ...any) wire.Event {
	return Says(wire.Event{Type: wire.EvPaused}, r.Lang, kind, args...)
}
