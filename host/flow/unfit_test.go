package flow

import (
	"context"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// unpressable is a page on which the first of two buttons can't be clicked.
type unpressable struct {
	still
	with wire.Error
}

func (p *unpressable) Do(ctx context.Context, c action.Call) wire.SessionResult {
	res := p.still.Do(ctx, c)
	if n := len(p.clicked); c.Name == "click" && p.clicked[n-1] == 7 {
		res.Error = &p.with
	}
	return res
}

// A step whose target moves away from the mouse each time, with nothing pressed,
// is put right like one that is covered; a time-out ends the replay.
func TestWhatSlipsAwayIsMended(t *testing.T) {
	timeout := wire.Code(action.Timeout)
	for name, c := range map[string]struct {
		with  wire.Error
		mends bool
	}{
		"covered":     {wire.Error{Code: wire.Code(action.Covered)}, true},
		"slips away":  {wire.Error{Code: timeout, Data: mustJSON(action.MovingData{Moving: true})}, true},
		"takes long":  {wire.Error{Code: timeout}, false},
		"stands long": {wire.Error{Code: timeout, Data: mustJSON(action.MovingData{})}, false},
	} {
		t.Run(name, func(t *testing.T) {
			page := &unpressable{with: c.with}
			m := &fixedMender{with: Amend{Index: 9}}
			r := Replay{
				Recording: &Recording{Steps: []Step{{Do: "click", Target: &Target{Role: "button", Name: "Save"}}}},
				Hands:     page, Mend: m, Patience: time.Second,
			}
			changes, err := r.Run(t.Context())
			if asked := len(m.asked) == 1; asked != c.mends || (err == nil) != c.mends || (len(changes) == 1) != c.mends {
				t.Errorf("%v, asked %q, changed %+v", err, m.asked, changes)
			}
		})
	}
}
