package control

import (
	"errors"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// Policies is where the user's rules are kept.
type Policies interface {
	// Now is the policy as it stands.
	Now() *safety.Policy
	// Grant keeps a grant and gives it with its id.
	Grant(g safety.Grant) (safety.Grant, error)
	// Revoke takes one back; fs.ErrNotExist when there is none of that id.
	Revoke(id string) error
}

// DoorTask stands in the audit log for a task with a model; a program's session
// stands there by the program's name.
const DoorTask = "task"

// ByPanel is who gave a grant on a card.
const ByPanel = "panel"

// When a model looks at its acts a second time.
const (
	CriticAuto = "auto" // strong models in the cloud: small local ones are slow, and doubt at random
	CriticOn   = "on"
	CriticOff  = "off"
)

func (m *Manager) rules() func() *safety.Policy { return rulesOf(m.Policies) }

// rulesOf gives a session its policy.
func rulesOf(p Policies) func() *safety.Policy {
	if p == nil {
		return nil
	}
	return p.Now
}

func (m *Manager) auditor(task, door string) func(action.Audited) error {
	return auditorOf(m.Audit, task, door)
}

// auditorOf writes what a session's gate decides into the audit log.
func auditorOf(l *journal.Audit, task, door string) func(action.Audited) error {
	if l == nil {
		return nil
	}
	return func(a action.Audited) error {
		e := journal.AuditEntry{
			Kind: a.Kind, Task: task, Door: door, Action: a.Action, Target: a.Target, Site: a.Site, URL: a.URL,
			Class: string(a.Decision.Class), Level: a.Decision.Level.String(), Amount: safety.Redact(a.Decision.Amount), Policy: a.Preset, Outcome: a.Outcome,
		}
		for _, r := range a.Decision.Reasons {
			e.Rules = append(e.Rules, r.Rule)
		}
		if a.Kind == journal.AuditAnswer {
			e.Answer, e.By = "deny", a.Answer.By
			if a.Answer.Allow {
				e.Answer = "allow"
			}
		}
		return l.Append(e)
	}
}

// remember is what a task's user channel does with "always on this site".
func (m *Manager) remember(task string) func(string, safety.Class) error {
	if m.Policies == nil {
		return nil
	}
	return func(site string, class safety.Class) error {
		if !safety.Grantable(class) {
			return errors.New("this is asked about each time")
		}
		g, err := m.Policies.Grant(safety.Grant{Site: site, Class: class, By: ByPanel})
		if err == nil {
			err = m.auditGrant(task, g, "allow")
		}
		return err
	}
}

func (m *Manager) auditGrant(task string, g safety.Grant, answer string) error {
	if m.Audit == nil {
		return nil
	}
	return m.Audit.Append(journal.AuditEntry{
		Kind: journal.AuditPolicy, Task: task, Class: string(g.Class), Site: g.Site, Target: g.ID, Answer: answer, By: ByPanel,
	})
}

// criticOf is the second look at the acts of a task, by the task's own model, or
// nil.
func (m *Manager) criticOf(p wire.TaskStartParams, model models.Model, set TaskSettings) *agent.Critic {
	if set.Critic == CriticOn || set.Critic == CriticAuto && model.Strong {
		return &agent.Critic{Model: model.Model, Task: p.Text, Lang: p.Lang}
	}
	return nil
}

func (m *Manager) policyInfo() wire.PolicyInfo {
	out := wire.PolicyInfo{Preset: safety.Standard, Grants: []wire.GrantInfo{}}
	if m.Policies == nil {
		return out
	}
	p := m.Policies.Now()
	out.Preset, out.Fault = p.Name(), p.Fault
	for _, g := range p.Grants {
		out.Grants = append(out.Grants, wire.GrantInfo{
			ID: g.ID, Site: g.Site, Class: string(g.Class), Deny: g.Deny, Created: g.Created.UnixMilli(), Expires: g.Expires.UnixMilli(), By: g.By,
		})
	}
	return out
}
