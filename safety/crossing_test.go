package safety

import "testing"

// TestCross: what an act does beyond its page raises it, whatever the page or
// the policy says, and never lowers it.
func TestCross(t *testing.T) {
	page := Page{URL: "https://a.test/"}
	act := func(t *Target) Act { return Act{Action: "click", Base: Write, Target: t, Page: page} }
	plain, notified, asked := act(button("Show more")), act(submit("Go on", form("https://a.test/x", "post"))), act(button("Delete account"))
	read := Act{Action: "getElements", Base: Read, Page: page}
	goes := Act{Action: "navigate", Base: Navigate, URL: "https://a.test/people", Page: page}
	link := act(&Target{Tag: "a", Role: "link", Name: "Users", Text: "Users", Href: "https://a.test/people", FrameURL: page.URL})
	for _, tt := range []struct {
		name string
		act  Act
		x    Crossing
		want Level
		rule string
	}{
		{"nothing", plain, Crossing{To: "a.test"}, Auto, ""},
		{"a page that speaks to the model: what ran is shown", plain, Crossing{To: "a.test", Signals: true}, Notify, "injection"},
		{"what was shown is asked", notified, Crossing{To: "a.test", Signals: true}, Confirm, "injection"},
		{"what was asked stays asked", asked, Crossing{To: "a.test", Signals: true}, Confirm, "injection"},
		{"going elsewhere stays free", goes, Crossing{To: "a.test", Signals: true}, Auto, ""},
		{"a link stays free", link, Crossing{To: "a.test", Signals: true}, Auto, ""},
		{"reading stays free", read, Crossing{To: "a.test", Signals: true}, Auto, ""},
		{"data of another site", plain, Crossing{To: "a.test", Carried: []Carried{{From: "b.test", Text: "TX-88213"}}}, Confirm, "data_flow"},
		{"the clipboard", plain, Crossing{To: "a.test", Pastes: true}, Confirm, "data_flow"},
		{"a drag from elsewhere", plain, Crossing{To: "a.test", From: "b.test"}, Confirm, "data_flow"},
		{"a site nobody named", plain, Crossing{To: "a.test", New: "a.test"}, Confirm, "new_site"},
		{"a stored secret", plain, Crossing{To: "a.test", Secret: "bank", SecretClass: Identity}, Confirm, "vault"},
	} {
		for _, c := range []Context{{Sites: []string{"a.test"}}, {Sites: []string{"a.test"}, Policy: mustPolicy(t, "preset: trusting\nsites:\n  a.test: {write: auto, submit: auto, navigate: auto}\n")}} {
			d := Judge(tt.act, c)
			before := d.Level
			d.Cross(tt.act, c, tt.x)
			want := tt.want
			if tt.rule == "injection" {
				want = max(min(before+1, Confirm), before) // of what the policy made of it
			}
			if tt.rule == "" && hasRule(d, "injection") {
				t.Errorf("%s: raised by a text that speaks to the model", tt.name)
			}
			if d.Level < before || d.Level != max(want, before) {
				t.Errorf("%s: %s, was %s, want %s", tt.name, d.Level, before, want)
			}
			if has := hasRule(d, tt.rule); tt.rule != "" && !has {
				t.Errorf("%s: no reason %s: %v", tt.name, tt.rule, d.Reasons)
			}
		}
	}
}

func hasRule(d Decision, rule string) bool {
	for _, r := range d.Reasons {
		if r.Rule == rule {
			return true
		}
	}
	return false
}
