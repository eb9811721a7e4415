package agent

import (
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// toldMost is how many characters of another program's words a model is given.
const toldMost = 4000

// What a model is told of that its task's own pages did not say stands on cards
// under these names, where it would go to a site.
const (
	siteOfProgram = "another program"
	siteOfWords   = "an attached text"
)

// Tell takes in what a program says to a task that it did not begin. It may
// steer, but it is not the user's word: it answers no question, undoes no no,
// and what it says is data of the program's, which goes to no site unasked.
func (d *UserChannel) Tell(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = append(d.said, saying{text: text, program: true})
	d.wake()
}

// programMessage gives the model another program's words, as such.
func (r *run) programMessage(text string) error {
	text = cut(text, toldMost)
	if err := r.Record.Emit(Says(wire.Event{Type: wire.EvNotify, Level: "warn"}, r.Lang, prompts.ProgramTold, text)); err != nil {
		return err
	}
	r.recalls(siteOfProgram, text)
	r.notices = append(r.notices, prompts.Notice(prompts.ProgramSaid, r.Lang, prompts.Fence("program", nonce(), text)))
	return nil
}

// recalls remembers a text as read on a site, so that it is not carried to
// another unasked.
func (r *run) recalls(site, text string) {
	if f, ok := r.Executor.(siteRecaller); ok {
		f.Recalls([]string{site}, text)
	}
}

// drainMessages takes in what the user said meanwhile.
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
		// It may be their yes to what they refused before: it is asked again.
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
