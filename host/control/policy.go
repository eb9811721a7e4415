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

// Policies stores the user's rules.
type Policies interface {
	// Now returns the current policy.
	Now() *safety.Policy
	// Grant stores a grant and returns it with its id.
	Grant(g safety.Grant) (safety.Grant, error)
	// Revoke removes a grant. The error is fs.ErrNotExist if no grant has that id.
	Revoke(id string) error
}

// DoorTask is the door of a task with a model in the audit log. A program's session
// is logged under the program's name.
const DoorTask = "task"

// ByPanel is the origin of a grant that the user gave in the panel.
const ByPanel = "panel"

// When a model reviews its own acts.
const (
	CriticAuto = "auto" // only strong cloud models: small local ones are slow and doubt at random
	CriticOn   = "on"
	CriticOff  = "off"
)

func (m *Manager) rules() func() *safety.Policy { return rulesOf(m.Policies) }

// rulesOf returns the function that gives a session the current policy.
func rulesOf(p Policies) func() *safety.Policy {
	if p == nil {
		return nil
	}
	return p.Now
}

func (m *Manager) auditor(task, door string) func(action.Audited) error {
	return auditorOf(m.Audit, task, door)
}

// auditorOf returns the function that logs a session's gate decisions.
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

// remember returns the function that stores an "always on this site" answer.
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

// criticOf returns the critic of a task's acts, which uses the task's own model, or
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
