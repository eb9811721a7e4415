package standin

import "sync"

// Step is one turn of a script, made from what the page looks like then.
type Step func(o Observation, conv Conversation) Turn

// Script is a Brain that takes its steps in order, and then says that it has
// no more.
type Script struct {
	mu    sync.Mutex
	steps []Step
	next  int
}

// NewScript makes a script.
func NewScript(steps ...Step) *Script { return &Script{steps: steps} }

// Next takes the next step.
func (s *Script) Next(conv Conversation) Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next >= len(s.steps) {
		return Turn{Text: "The script has ended."}
	}
	step := s.steps[s.next]
	s.next++
	return step(Observe(conv), conv)
}

// Taken is the number of steps taken.
func (s *Script) Taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next
}

// Say is a step of plain words.
func Say(text string) Step {
	return func(Observation, Conversation) Turn { return Turn{Text: text} }
}

// Do is a step with one action whose params are known.
func Do(name string, args map[string]any) Step {
	return func(Observation, Conversation) Turn { return Turn{Calls: []Call{{Name: name, Args: args}}} }
}

// Tell is a step that ends the task with an answer, which rests on the page that it
// sees: its title is the evidence.
func Tell(answer string) Step {
	return func(o Observation, conv Conversation) Turn {
		return Do("done", map[string]any{"success": true, "answer": answer, "evidence": []string{o.Title}})(o, conv)
	}
}

// Click is a step that clicks the first element of a role whose name contains
// the words.
func Click(role string, words ...string) Step {
	return On("click", nil, role, words...)
}

// On is a step with an action on the first element found, with extra params.
func On(action string, extra map[string]any, role string, words ...string) Step {
	return func(o Observation, _ Conversation) Turn {
		line, ok := o.Find(role, words...)
		if !ok {
			return Turn{Text: "I can't find it.", Calls: []Call{{Name: "getElements", Args: map[string]any{}}}}
		}
		args := map[string]any{"index": line.Index}
		for k, v := range extra {
			args[k] = v
		}
		return Turn{Text: "I use " + line.Role + " " + line.Name + ".", Calls: []Call{{Name: action, Args: args}}}
	}
}
