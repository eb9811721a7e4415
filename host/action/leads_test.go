package action

import (
	"context"
	"testing"

	"tabwright/safety"
)

// leadsDiary is a Watcher that keeps where the clicks lead.
type leadsDiary struct{ leads []string }

func (d *leadsDiary) OnActStart(_ context.Context, c Call, _, _ string, _ safety.Level) error {
	d.leads = append(d.leads, c.Leads)
	return nil
}
func (*leadsDiary) Notify(context.Context, string, map[string]string) {}

// Only a plain link is told as one: what may do more than fetch a page is not.
func TestWhereAPlainLinkLeads(t *testing.T) {
	for name, c := range map[string]struct {
		name, tag string
		change    func(*safety.Target)
		want      string
	}{
		"a link":             {"Mugs", "a", func(t *safety.Target) { t.Href = "https://shop.test/mugs" }, "https://shop.test/mugs"},
		"one with a handler": {"Mugs", "a", func(t *safety.Target) { t.Href, t.HasHandler = "https://shop.test/mugs", true }, ""},
		"one that acts":      {"Remove", "a", func(t *safety.Target) { t.Href = "https://shop.test/cart/delete?id=3" }, ""},
		"one into the page":  {"Prices", "a", func(t *safety.Target) { t.Href = t.FrameURL + "#prices" }, ""},
		"a button":           {"Mugs", "button", func(*safety.Target) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			n := node(1, map[string]string{"a": "link", "button": "button"}[c.tag], c.name)
			n.target.HasHandler, n.target.FrameURL = c.tag != "a", "https://shop.test/cart"
			c.change(&n.target)
			r := newRig(t, n)
			d := &leadsDiary{}
			r.o.Watcher = d
			r.person.answers = []Answer{{Allow: true}}
			if res := r.do("click", `{"selector":"#n1"}`); res.Err != nil {
				t.Fatal(res.Err)
			}
			if len(d.leads) != 1 || d.leads[0] != c.want {
				t.Errorf("leads %q, want %q", d.leads, c.want)
			}
		})
	}
}
