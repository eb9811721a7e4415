package control

import "testing"

// Only in a browser with a profile that is thrown away nobody is signed in.
func TestSessionPolicyOfProfiles(t *testing.T) {
	for _, tt := range []struct{ launched, fresh, anySite, loopback bool }{
		{true, true, true, true},
		{true, false, false, true},  // --profile own
		{false, true, false, false}, // the user's own browser
	} {
		c := SessionPolicy(tt.launched, tt.fresh, "ask", nil, nil)
		if c.AnySite != tt.anySite || (len(c.LocalHosts) > 0) != tt.loopback {
			t.Errorf("%+v: any site %v, local hosts %v", tt, c.AnySite, c.LocalHosts)
		}
	}
}
