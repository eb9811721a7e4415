package control

import (
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// rules are Policies in memory.
type rules struct {
	mu sync.Mutex
	p  safety.Policy
}

func (r *rules) Now() *safety.Policy {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.p
	return &p
}

func (r *rules) Grant(g safety.Grant) (safety.Grant, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g.ID, g.Created, g.Expires = "g1", time.Now(), time.Now().Add(time.Hour)
	r.p.Grants = append(r.p.Grants, g)
	return g, nil
}

func (r *rules) Revoke(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, g := range r.p.Grants {
		if g.ID == id {
			r.p.Grants = append(r.p.Grants[:i:i], r.p.Grants[i+1:]...)
			return nil
		}
	}
	return fs.ErrNotExist
}

// What the user granted is taken back by the panel and by nobody else, and
// stands in the audit log.
func TestGrantsAreThePersons(t *testing.T) {
	own := &rules{p: safety.Policy{Preset: safety.Careful, Fault: "policy.yaml:3: x"}}
	log := journal.NewAudit(filepath.Join(t.TempDir(), "audit.log"))
	dial, b, _ := startBroker(t, func(b *Broker) { b.Manager.Policies, b.Manager.Audit = own, log })
	if err := b.Manager.remember("t1")("mail.test", safety.Communicate); err != nil {
		t.Fatal(err)
	}
	if err := b.Manager.remember("t1")("mail.test", safety.Purchase); err == nil {
		t.Error("a payment was remembered")
	}
	p := dial()
	p.Start()
	if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(wire.RoleRelay)); err != nil {
		t.Fatal(err)
	}
	info, err := rpc.Ask[wire.PolicyInfo](t.Context(), p, wire.MethodPolicyShow, wire.Empty{})
	if err != nil || info.Preset != safety.Careful || info.Fault == "" || len(info.Grants) != 1 || info.Grants[0].By != ByPanel || info.Grants[0].Expires <= info.Grants[0].Created {
		t.Fatalf("%+v, %v", info, err)
	}
	_, err = rpc.Ask[wire.PolicyInfo](t.Context(), p, wire.MethodPolicyRevoke, wire.GrantRef{ID: "g1"})
	wantCode(t, err, wire.CodePanelOnly)
	panel := p.Chan("panel-1")
	var left wire.PolicyInfo
	if err := panel.Call(t.Context(), wire.MethodPolicyRevoke, wire.GrantRef{ID: "g1"}, &left); err != nil || len(left.Grants) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
	wantCode(t, panel.Call(t.Context(), wire.MethodPolicyRevoke, wire.GrantRef{ID: "g1"}, nil), wire.CodeInvalidParams)
	es, err := log.Entries(10, nil)
	if err != nil || len(es) != 2 || es[0].Answer != "allow" || es[0].Task != "t1" || es[1].Answer != "revoke" || es[1].Kind != journal.AuditPolicy {
		t.Errorf("%+v, %v", es, err)
	}
}

// An entry says what was decided, and holds nothing that may be a secret.
func TestAuditEntryOfAnAct(t *testing.T) {
	log := journal.NewAudit(filepath.Join(t.TempDir(), "audit.log"))
	keep := auditorOf(log, "t1", DoorTask)
	d := safety.Decision{Level: safety.Confirm, Class: safety.Purchase, Amount: "$12.50", Reasons: []safety.Reason{{Rule: "purchase_word", Text: "The button says Pay"}}, Details: []string{"4111 1111 1111 1111"}}
	if err := keep(action.Audited{Kind: journal.AuditAnswer, Action: "click", Target: `button "Pay"`, Site: "shop.test", Decision: d, Answer: action.Answer{Allow: true, By: "panel", Note: "my PIN is 4711"}}); err != nil {
		t.Fatal(err)
	}
	es, err := log.Entries(1, nil)
	if err != nil || len(es) != 1 {
		t.Fatalf("%+v, %v", es, err)
	}
	e := es[0]
	want := journal.AuditEntry{
		Seq: 1, Time: e.Time, Prev: e.Prev, Kind: "answer", Task: "t1", Door: "task", Action: "click", Class: "purchase", Level: "confirm",
		Target: `button "Pay"`, Site: "shop.test", Amount: "$12.50", Rules: e.Rules, Answer: "allow", By: "panel",
	}
	if len(e.Rules) != 1 || e.Rules[0] != "purchase_word" {
		t.Errorf("rules %v", e.Rules)
	}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v\nwant %+v", e, want)
	}
	if err := auditorOf(journal.NewAudit(filepath.Join(t.TempDir(), "a", "\x00")), "", "")(action.Audited{}); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a log that can't be written: %v", err)
	}
}

// A second look is for strong models unless the user says otherwise.
func TestWhoseActsAreLookedAtTwice(t *testing.T) {
	for _, c := range []struct {
		set    string
		strong bool
		on     bool
	}{{CriticAuto, true, true}, {CriticAuto, false, false}, {CriticOn, false, true}, {CriticOff, true, false}, {"", true, false}} {
		m := &Manager{Critic: c.set}
		if got := m.criticOf(wire.TaskStartParams{Text: "x"}, models.Model{Strong: c.strong}, m.settings()) != nil; got != c.on {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
