package action

import (
	"context"
	"slices"
	"time"

	"tabwright/safety"
)

// Critic takes a second look at acts that the gate lets pass: if it returns true,
// the user is asked. It can't lower a level.
type Critic interface {
	Doubts(ctx context.Context, facts safety.CriticFacts) (bool, error)
}

// criticTime bounds the second look. One that fails or takes longer changes
// nothing: the gate holds without it, and a model server that is slow or away
// must not turn every act into a question.
const criticTime = 12 * time.Second

// askCritic asks the critic about an act that would pass without a question. An
// answer for the same facts earlier in this task still counts.
func (r *run) askCritic(ctx context.Context, act safety.Act, d safety.Decision) safety.Decision {
	s := r.s
	if s.o.Critic == nil || !r.spec.MayChange || !safety.WantsCritic(act, d) {
		return d
	}
	facts := safety.FactsForCritic(act, d)
	key := facts.String()
	s.mu.Lock()
	doubts, known := s.critic[key]
	s.mu.Unlock()
	if !known {
		resume := r.bound.pause()
		cctx, cancel := context.WithTimeout(ctx, criticTime)
		var err error
		doubts, err = s.o.Critic.Doubts(cctx, facts)
		cancel()
		resume()
		if err != nil {
			s.o.Log.Warn().Err(err).Str("action", r.spec.Name).Msg("the critic gave no answer; the gate's level stands")
			return d
		}
		s.mu.Lock()
		if s.critic == nil {
			s.critic = map[string]bool{}
		}
		s.critic[key] = doubts
		s.mu.Unlock()
	}
	if !doubts {
		return d
	}
	return safety.RaiseForCritic(d, s.rules())
}

// keepConsents keeps what a yes covers for the rest of the task. It counts once the
// act was done: until then the yes is bound to that act.
func (s *Session) keepConsents(once []safety.Consent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range once {
		if !slices.Contains(s.consents, c) {
			s.consents = append(s.consents, c)
		}
	}
}
