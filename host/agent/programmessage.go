package agent

import (
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// toldMost is how many characters of another program's message a model gets.
const toldMost = 4000

// Names on cards for text that did not come from the task's own pages, when it would
// go to a site.
const (
	siteOfProgram = "another program"
	siteOfWords   = "an attached text"
)

// Tell passes a message from a program to a task that it did not start. The message may
// steer the task, but it is not the user's: it answers no question, lifts no denial, and
// goes to no site unasked, as data of the program.
func (d *UserChannel) Tell(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = append(d.said, saying{text: text, program: true})
	d.wake()
}

// programMessage passes another program's message to the model, marked as such.
func (r *run) programMessage(text string) error {
	text = cut(text, toldMost)
	if err := r.Record.Emit(Says(wire.Event{Type: wire.EvNotify, Level: "warn"}, r.Lang, prompts.ProgramTold, text)); err != nil {
		return err
	}
	r.recalls(siteOfProgram, text)
	r.notices = append(r.notices, prompts.Notice(prompts.ProgramSaid, r.Lang, prompts.Fence("program", nonce(), text)))
	return nil
}

// recalls notes that a text was read on a site, so that it is not sent to another site
// unasked.
func (r *run) recalls(site, text string) {
	if f, ok := r.Executor.(siteRecaller); ok {
		f.Recalls([]string{site}, text)
	}
}

// drainMessages handles the messages that have come since the last call.
func (r *run) drainMessages() error {
	if err := r.heedPlan(); err != nil {
		return err
	}
	for _, said := range r.User.takeSaid() {
		text := said.text
		if said.program {
			if err := r.programMessage(text); err != nil {
				return err
			}
			continue
		}
		if err := r.Record.Emit(wire.Event{Type: wire.EvSteered, Text: text}); err != nil {
			return err
		}
		// The message may allow what the user denied before, so that is asked again.
		if f, ok := r.Executor.(denialForgetter); ok {
			f.ForgetDenials()
		}
		if f, ok := r.Executor.(wordKeeper); ok {
			f.AddUserWords(text)
		}
		r.notices = append(r.notices, prompts.Notice("user_said", r.Lang, text))
		r.hist.said = append(r.hist.said, text)
		if err := r.addAttached(said.attach); err != nil {
			return err
		}
	}
	return nil
}
