package action

import (
	"testing"

	"tabwright/host/browser"
)

// A form's submit event does not leave its shadow root: the guard must see it
// there, or a script could send what nobody was asked about.
func TestAttackFormInAShadowRoot(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		w := newWorld(t)
		for _, mode := range []string{"open", "closed"} {
			if mode == "closed" && t.Name() != "TestAttackFormInAShadowRoot/direct" {
				continue // a played relay can't open it; TestRealClosedRootsInTheExtension has the real one
			}
			for _, a := range shadowForms(mode) {
				a.run(t, w, d)
			}
		}
	})
}

// shadowForms are forms with a card in a shadow root, sent by a button beside or
// outside of them.
func shadowForms(mode string) (out []attack) {
	for name, button := range map[string]string{
		"by the form's own script": `<button id=b type=button>Next</button>`,
		"by what stands outside":   ``,
	} {
		body := `<x-pay></x-pay>`
		if button == "" {
			body += `<button id=b type=button>Next</button>`
		}
		body += `<script>
customElements.define("x-pay", class extends HTMLElement { connectedCallback() {
  const r = this.attachShadow({ mode: "` + mode + `" });
  r.innerHTML = '<form action=/evil/shadow method=post><input type=hidden name=card autocomplete=cc-number value=4111111111111111>` + button + `<button>Pay now</button></form>';
  (r.getElementById("b") ?? document.getElementById("b") ?? document).addEventListener("click", () => r.querySelector("form").requestSubmit());
} });
</script>`
		if button == "" {
			// Outside of the shadow root, and there before the element looks for it.
			body = `<button id=b type=button>Next</button>` + body[:len(`<x-pay></x-pay>`)] + body[len(`<x-pay></x-pay><button id=b type=button>Next</button>`):]
		}
		out = append(out, attack{name: mode + " " + name, body: body, steps: []step{{"find", p{"role": "button", "name": "Next"}}, {"click", p{"ref": "e1"}}}})
	}
	return out
}
