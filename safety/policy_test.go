package safety

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func mustPolicy(tb testing.TB, yaml string) *Policy {
	tb.Helper()
	p, err := ParsePolicy([]byte(yaml), "policy.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func judgeWith(p *Policy, a Act, given ...Consent) Decision {
	return Judge(a, Context{Policy: p, Consents: given})
}

// Acts of one class each, and what the gate alone makes of them.
var oneOfEach = []struct {
	act   Act
	class Class
	level Level
}{
	{click(button("Next"), page), Write, Auto},
	{click(submit("Go on", form("https://a.test/save", "post", Field{Name: "n", Type: "text"})), page), Submit, Notify},
	{click(button("Send message"), page), Communicate, Confirm},
	{click(button("Pay now"), page), Purchase, Confirm},
	{click(button("Delete account"), page), Destroy, Confirm},
	{click(button("Log in"), page), Identity, Confirm},
	{click(button("I accept the terms"), page), Legal, Confirm},
	{Act{Action: "executeJS", Base: CodeClass, Page: Page{URL: page}}, CodeClass, Confirm},
	{Act{Action: "uploadFile", Base: FileClass, Page: Page{URL: page}}, FileClass, Confirm},
	{Act{Action: "navigate", Base: Navigate, URL: "https://a.test/x"}, Navigate, Auto},
}

func TestPresets(t *testing.T) {
	for _, c := range oneOfEach {
		want := map[string]Level{Standard: c.level, Careful: c.level, Trusting: c.level}
		if c.level == Notify {
			want[Careful], want[Trusting] = Confirm, Auto
		}
		for preset, level := range want {
			d := judgeWith(mustPolicy(t, "preset: "+preset), c.act)
			if d.Level != level || d.Class != c.class {
				t.Errorf("%s: %s of %s: %s of %s", preset, level, c.class, d.Level, d.Class)
			}
			once := preset == Trusting && slices.Contains([]Class{Communicate, Identity, Legal}, c.class)
			if (len(d.Once) == 1) != once {
				t.Errorf("%s, %s: once %v", preset, c.class, d.Once)
			}
		}
		if nothing := judgeWith(nil, c.act); !reflect.DeepEqual(nothing, judgeWith(&Policy{}, c.act)) {
			t.Errorf("%s: no policy and an empty one differ", c.class)
		}
	}
}

// Each class can be raised to each level on one site, and on that site alone.
func TestAnyClassCanBeRaised(t *testing.T) {
	for _, c := range oneOfEach {
		for set, level := range map[Setting]Level{SetConfirm: Confirm, SetBlock: Block} {
			p := mustPolicy(t, fmt.Sprintf("sites:\n  a.test:\n    %s: %s\n", c.class, set))
			d := judgeWith(p, c.act)
			if d.Level != max(level, c.level) {
				t.Errorf("%s: %s gives %s", c.class, set, d.Level)
			}
			other := mustPolicy(t, fmt.Sprintf("sites:\n  b.test:\n    %s: %s\n", c.class, set))
			if d := judgeWith(other, c.act); d.Level != c.level {
				t.Errorf("%s: the rule of another site gives %s", c.class, d.Level)
			}
		}
	}
}

func TestWhatCanBeLowered(t *testing.T) {
	for _, c := range oneOfEach {
		guarded := slices.Contains(guardedClasses, c.class)
		_, err := ParsePolicy(fmt.Appendf(nil, "sites:\n  a.test:\n    %s: auto\n", c.class), "p")
		if (err != nil) != guarded {
			t.Errorf("%s: auto: %v", c.class, err)
		}
		// As if a file had passed that says so.
		p := &Policy{Sites: map[string]map[Class]Setting{"a.test": {c.class: SetAuto}}}
		d := judgeWith(p, c.act)
		if always := guarded || c.class == FileClass; always && (d.Level != Confirm || len(d.Once) != 1) || !always && d.Level != Auto {
			t.Errorf("%s: lowered to %s, once %v", c.class, d.Level, d.Once)
		}
		if len(d.Once) == 0 {
			continue
		}
		if again := judgeWith(p, c.act, d.Once...); again.Level != Notify {
			t.Errorf("%s: after the question of the task: %s", c.class, again.Level)
		}
		elsewhere := Consent{c.class, "b.test"}
		if again := judgeWith(p, c.act, elsewhere); again.Level != Confirm {
			t.Errorf("%s: the yes of another site counted", c.class)
		}
	}
}

// Whatever a policy says: nothing that is blocked passes, and what is guarded
// passes unasked only after a yes in this task.
func TestNoPolicyLetsGuardedActsPass(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	lowered := 0
	for range 20_000 {
		a := randomAct(r)
		p := &Policy{Preset: pick(r, Presets), Classes: map[Class]Setting{}, Sites: map[string]map[Class]Setting{}}
		for range r.IntN(4) {
			p.Classes[Classes[r.IntN(len(Classes))]] = AllSettings[r.IntN(len(AllSettings))]
			p.Sites[pick(r, []string{"a.test", "pay.test", "127.0.0.1", "test"})] = map[Class]Setting{Classes[r.IntN(len(Classes))]: AllSettings[r.IntN(len(AllSettings))]}
			p.Grants = append(p.Grants, Grant{Site: "a.test", Class: Classes[r.IntN(len(Classes))]})
		}
		bare, d := Judge(a, Context{}), judgeWith(p, a)
		if bare.Level == Block && d.Level != Block {
			t.Fatalf("%+v: %+v lowered a refusal to %s", a, p, d.Level)
		}
		if bare.Level == Confirm && slices.Contains(guardedClasses, bare.Class) && d.Level < Confirm {
			t.Fatalf("%+v: %+v lowered %s to %s", a, p, bare.Class, d.Level)
		}
		if d.Level < bare.Level {
			lowered++
		}
	}
	if lowered < 100 {
		t.Errorf("only %d acts were lowered: does the test still try?", lowered)
	}
}

// Trust in a site covers no other one that the act concerns, and the strictest
// rule of all of them counts.
func TestEverySiteOfAnActCounts(t *testing.T) {
	send := func(change func(*Act)) Act {
		a := click(submit("Send message", form("https://a.test/send", "post")), page)
		f := *a.Target.Form
		a.Target.Form = &f
		change(&a)
		return a
	}
	p := mustPolicy(t, "sites:\n  a.test:\n    communicate: auto\n    submit: auto\n  evil.test: block\n")
	for _, c := range []struct {
		name  string
		act   Act
		level Level
	}{
		{"the trusted site alone", send(func(*Act) {}), Auto},
		{"its subdomain", send(func(a *Act) { a.Page.URL, a.Target.Form.Action = "https://www.a.test/x", "https://api.a.test/" }), Auto},
		{"a form to another", send(func(a *Act) { a.Target.Form.Action = "https://b.test/send" }), Confirm},
		{"a frame of another", send(func(a *Act) { a.Target.FrameURL = "https://b.test/frame" }), Confirm},
		{"framed by another", send(func(a *Act) { a.Target.FrameURL, a.Page.URL = page, "https://b.test/" }), Confirm},
		{"a name that ends alike", send(func(a *Act) { a.Page.URL, a.Target.Form.Action = "https://nota.test/", "https://nota.test/" }), Confirm},
		{"a form to a forbidden site", send(func(a *Act) { a.Target.Form.Action = "https://evil.test/" }), Block},
		{"a link to a forbidden site", click(link("Read on", "https://evil.test/"), page), Block},
		{"a forbidden page", Act{Action: "navigate", Base: Navigate, URL: "https://x.evil.test/"}, Block},
		{"a page read there", Act{Action: "getText", Base: Read, Page: Page{URL: "https://evil.test/"}}, Block},
	} {
		if d := judgeWith(p, c.act); d.Level != c.level {
			t.Errorf("%s: %s, %+v", c.name, d.Level, d.Reasons)
		}
	}
	if _, d := CheckURL("https://evil.test/", Context{Policy: p}); d.Level != Block {
		t.Error("an address of a forbidden site is not refused")
	}
}

func TestGrants(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	send := click(button("Send message"), page)
	grant := func(g Grant) *Policy {
		g.Expires = now.Add(time.Hour)
		return &Policy{Grants: []Grant{g}}
	}
	always := grant(Grant{Site: "a.test", Class: Communicate})
	if d := judgeWith(always.At(now), send); d.Level != Notify {
		t.Errorf("always on this site: %s", d.Level)
	}
	if d := judgeWith(always.At(now.Add(time.Hour)), send); d.Level != Confirm {
		t.Errorf("when its time is over: %s", d.Level)
	}
	if d := judgeWith(grant(Grant{Site: "a.test", Class: All, Deny: true}), send); d.Level != Block {
		t.Errorf("denied: %s", d.Level)
	}
	for _, c := range guardedClasses {
		if Grantable(c) {
			t.Errorf("%s can be granted", c)
		}
		for _, x := range oneOfEach {
			if x.class == c && judgeWith(grant(Grant{Site: "a.test", Class: c}), x.act).Level != Confirm {
				t.Errorf("a grant for %s counts", c)
			}
		}
	}
	forbids := mustPolicy(t, "classes: {communicate: block}")
	forbids.Grants = always.Grants
	if d := judgeWith(forbids, send); d.Level != Block {
		t.Errorf("a grant lifted what the file forbids: %s", d.Level)
	}
	asks := mustPolicy(t, "classes: {communicate: confirm}")
	asks.Grants = always.Grants
	if d := judgeWith(asks, send); d.Level != Notify {
		t.Errorf("a grant does not count: %s", d.Level)
	}
	broken := FaultyPolicy("line 3", append(always.Grants, Grant{Site: "a.test", Class: Write, Deny: true}))
	d := judgeWith(broken, send)
	if d.Level != Confirm || d.Reasons[len(d.Reasons)-1].Rule != "policy_fault" {
		t.Errorf("with a broken file: %+v", d)
	}
	if d := judgeWith(broken, click(button("Next"), page)); d.Level != Block {
		t.Errorf("a broken file lost what was forbidden: %s", d.Level)
	}
}

func TestPolicyFaultsHaveLines(t *testing.T) {
	for _, c := range []struct {
		yaml string
		line int
		says string
	}{
		{"preset: bold", 1, `no preset "bold"`},
		{"preset: careful\npreset: trusting", 2, "line 1 already"},
		{"classes:\n  pay: confirm", 2, `no class "pay"`},
		{"classes:\n  submit: sometimes", 2, `no setting "sometimes"`},
		{"classes:\n  purchase: auto", 2, "at least once a task"},
		{"classes:\n  destroy: notify", 2, "at least once a task"},
		{"sites:\n  a.test:\n    identity: auto", 3, "at least once a task"},
		{"sites:\n  a.test: auto", 2, "payments"},
		{"sites:\n  https://a.test/: block", 2, "no site"},
		{"sites:\n  com: block", 2, "no site of its own"},
		{"sites:\n  co.uk: block", 2, "no site of its own"},
		{"sites:\n  a.test: block\n  A.TEST.: confirm", 3, "same site as in line 2"},
		{"sites: [a.test]", 1, "name: value"},
		{"local: nas.local", 1, "a list"},
		{"local:\n  - http://nas.local/", 2, "no host or network"},
		{"presets: careful", 1, `no "presets"`},
		{"a: b\n\tc: d", 2, ""},
		{"preset: careful\n---\npreset: trusting", 2, "second document"},
		{"- careful", 1, "name: value"},
		{"sites:\n  ? [a]\n  : block", 2, "one word"},
	} {
		p, err := ParsePolicy([]byte(c.yaml), "policy.yaml")
		var pe *PolicyError
		if !errors.As(err, &pe) || p != nil {
			t.Errorf("%q: %v", c.yaml, err)
			continue
		}
		if pe.Line != c.line || !strings.Contains(pe.Message, c.says) || !strings.HasPrefix(pe.Error(), fmt.Sprintf("policy.yaml:%d: ", c.line)) {
			t.Errorf("%q: line %d: %s", c.yaml, pe.Line, pe.Message)
		}
	}
	_, err := ParsePolicy([]byte("preset: bold\nclasses:\n  pay: confirm\nsites:\n  a.test: maybe\n"), "p")
	if n := strings.Count(err.Error(), "\n") + 1; n != 3 {
		t.Errorf("%d faults are told at once, want 3: %v", n, err)
	}
	for _, empty := range []string{"", "# nothing yet\n", "---\n"} {
		if p, err := ParsePolicy([]byte(empty), "p"); err != nil || p.Name() != Standard {
			t.Errorf("%q: %v", empty, err)
		}
	}
}

func TestPolicySite(t *testing.T) {
	for in, want := range map[string]string{
		"Shop.Example": "shop.example", "*.shop.example": "shop.example", ".shop.example.": "shop.example", "bücher.example": "xn--bcher-kva.example",
		"localhost:3000": "localhost:3000", "127.1": "127.0.0.1", "[::1]:80": "[::1]:80", "nas": "nas", "me.github.io": "me.github.io",
	} {
		if got, err := PolicySite(in); err != nil || got != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "*", "a b", "a@b.test", "a.test/x", "a.test:0", "a.test:x", "github.io", "de"} {
		if got, err := PolicySite(in); err == nil {
			t.Errorf("%q is taken for %q", in, got)
		}
	}
}

func FuzzParsePolicy(f *testing.F) {
	for _, s := range []string{"preset: careful", "sites:\n  a.test: {communicate: auto}", "classes: {purchase: once}", "local: [10.0.0.0/8]", "a: &a [*a]", "sites: !!binary x"} {
		f.Add([]byte(s))
	}
	pay := click(button("Pay now"), page)
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParsePolicy(b, "p")
		if (p == nil) == (err == nil) {
			t.Fatalf("%q: a policy and %v", b, err)
		}
		if err != nil {
			return
		}
		if d := judgeWith(p, pay); d.Level < Confirm {
			t.Errorf("%q lets a payment pass", b)
		}
	})
}

// A card offers to remember only where that would keep it from coming again.
func TestWhatMayBeRemembered(t *testing.T) {
	policy := mustPolicy(t, "")
	for _, c := range oneOfEach {
		site, class, ok := judgeWith(policy, c.act).GrantScope()
		want := c.level == Confirm && Grantable(c.class) && c.class != FileClass
		if ok != want || ok && (site != "a.test" || class != c.class) {
			t.Errorf("%s: %q, %s, %v", c.class, site, class, ok)
		}
		if !ok {
			continue
		}
		granted := &Policy{Grants: []Grant{{Site: site, Class: class}}}
		if d := judgeWith(granted, c.act); d.Level >= Confirm {
			t.Errorf("%s: offered, granted, and asked again", c.class)
		}
	}
	send := click(submit("Send message", form("https://a.test/send", "post")), page)
	away := click(submit("Send message", form("https://b.test/send", "post")), page)
	if _, _, ok := judgeWith(policy, away).GrantScope(); ok {
		t.Error("offered for a form that goes to another site")
	}
	flows := judgeWith(policy, send)
	flows.Cross(send, Context{}, Crossing{To: "a.test", Carried: []Carried{{From: "b.test", Text: "x"}}})
	if _, _, ok := flows.GrantScope(); ok {
		t.Error("offered for what carries data from another site")
	}
	if _, _, ok := judgeWith(FaultyPolicy("x", nil), send).GrantScope(); ok {
		t.Error("offered while the policy file is broken and no grant counts")
	}
	card := click(submit("Send message", form("https://a.test/send", "post", Field{Name: "cc", Secret: "card"})), page)
	if _, class, ok := judgeWith(policy, card).GrantScope(); ok {
		t.Errorf("offered for %s with card details in the form", class)
	}
}
