package control

import (
	"testing"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// Only a side panel gives a user's tab away: no program does so for itself.
func TestOnlyThePanelHandsTabsOver(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	for _, role := range []string{wire.RoleCLI, wire.RoleRelay} {
		p := dial()
		p.Start()
		if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(role)); err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{wire.MethodSessionHand, wire.MethodSessionTake} {
			_, err := rpc.Ask[wire.Empty](t.Context(), p, method, wire.SessionTabParams{Session: "default", TabID: 1})
			wantCode(t, err, wire.CodePanelOnly)
		}
	}
}

// What does not go together is refused before anything is started.
func TestSessionsThatCannotBe(t *testing.T) {
	dial, _, _ := startBroker(t, nil)
	p := dial()
	p.Start()
	if _, err := rpc.Ask[wire.HelloResult](t.Context(), p, wire.MethodHello, hello(wire.RoleCLI)); err != nil {
		t.Fatal(err)
	}
	launch := &wire.SessionLaunch{Headless: true}
	for name, o := range map[string]wire.SessionOpenParams{
		"allow in the user's browser":   {Confirm: "allow"},
		"allow in a profile that stays": {Confirm: "allow", Profile: "own", Launch: launch},
		"isolated in their own":         {Isolated: true},
		"an own one, unlaunched":        {Profile: "own"},
		"a launched one of theirs":      {Profile: "chrome", Launch: launch},
		"a name that leads elsewhere":   {Profile: "own:../../x", Launch: launch},
		"a name that is none":           {Profile: "own:", Launch: launch},
	} {
		_, err := rpc.Ask[wire.SessionInfo](t.Context(), p, wire.MethodSessionOpen, o)
		if t.Log(name, err); err == nil {
			t.Errorf("%s is open", name)
			continue
		}
		wantCode(t, err, wire.CodeInvalidParams)
	}
}
