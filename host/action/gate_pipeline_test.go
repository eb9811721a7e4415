package action

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/host/browser"
)

// The events of a click are sent at once: what a page does when the first of
// them comes must not have the others reach something else.

// sprung is a harmless button and what a page does when the mouse comes.
func sprung(event, code string) string {
	return fmt.Sprintf(`<button id=b style="position:absolute;left:50px;top:50px;width:200px;height:60px">Show more</button>
<script>
const style = "position:absolute;left:40px;top:40px;width:300px;height:100px;border:0;z-index:9";
const evil = (d, how) => { const x = d.createElement("button"); x.style = "position:absolute;inset:0;width:100%%;height:100%%"; x.textContent = "Delete account"; x.onclick = x.onmousedown = () => harm(how); return x; };
let sprung = false;
const spring = () => { if (sprung) return; sprung = true; %s };
at("b").addEventListener(%q, spring);
</script>`, code, event)
}

// TestPipelineFrames: a frame that was not there when the guards were armed
// comes under the mouse with its first event.
func TestPipelineFrames(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	w.mu.Lock()
	w.pages["/victim"] = victim
	w.mu.Unlock()
	for name, code := range map[string]string{
		"blank":           `const i = document.createElement("iframe"); i.style = style; document.body.append(i); i.contentDocument.body.append(evil(i.contentDocument, "blank"));`,
		"written":         `const i = document.createElement("iframe"); i.style = style; document.body.append(i); const d = i.contentDocument; d.open(); d.write("<body></body>"); d.close(); d.body.append(evil(d, "written"));`,
		"within a shadow": `const h = document.createElement("div"); document.body.append(h); const i = document.createElement("iframe"); i.style = style; h.attachShadow({mode: "open"}).append(i); i.contentDocument.body.append(evil(i.contentDocument, "shadow"));`,
		"within another":  `const o = document.createElement("iframe"); o.style = style; document.body.append(o); const i = o.contentDocument.createElement("iframe"); i.style = style; i.style.left = i.style.top = "0"; o.contentDocument.body.append(i); i.contentDocument.body.append(evil(i.contentDocument, "inner"));`,
		"its own anew":    `document.open(); document.write("<body></body>"); document.close(); document.body.append(evil(document, "anew"));`,
		"same site":       `const i = document.createElement("iframe"); i.style = style; i.src = "/victim"; document.body.append(i); const x = new XMLHttpRequest(); x.open("GET", "/victim", false); x.send();`,
		"other site":      `const i = document.createElement("iframe"); i.style = style; i.src = "http://b.test:{port}/victim"; document.body.append(i); const x = new XMLHttpRequest(); x.open("GET", "/victim", false); x.send();`,
		"source":          `const i = document.createElement("iframe"); i.style = style; i.srcdoc = "<body><button style='position:absolute;inset:0;width:100%%' onclick='parent.harm(1)' onmousedown='parent.harm(2)'>Delete</button>"; document.body.append(i);`,
		"object":          `const i = document.createElement("object"); i.style = style; i.data = "/victim"; document.body.append(i);`,
	} {
		for _, event := range []string{"mousemove", "pointerenter", "pointerdown"} {
			attack{name: name + " on " + event, body: sprung(event, code), steps: []step{on("b")}, before: "!sprung"}.run(t, w, chromium.d)
		}
	}
}

// TestPipelineShifts: the element goes from under the mouse, or something comes
// over it, between the events of one click.
func TestPipelineShifts(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	for name, code := range map[string]string{
		"capture":   `document.body.append(window.e = evil(document, "captured")); e.style = "position:absolute;left:400px;top:300px"; addEventListener("pointerdown", (v) => e.setPointerCapture(v.pointerId), {once: true});`,
		"popover":   `const e = evil(document, "popover"); e.popover = "manual"; document.body.append(e); e.style = style + ";margin:0"; e.showPopover();`,
		"modal":     `const d = document.createElement("dialog"); d.append(evil(document, "modal")); d.style = "width:100%%;height:100%%"; document.body.append(d); d.showModal();`,
		"inert":     `const e = evil(document, "below"); e.style = style + ";z-index:-1"; document.body.append(e); at("b").inert = true;`,
		"untouched": `const e = evil(document, "below"); e.style = style + ";z-index:-1"; document.body.append(e); at("b").style.pointerEvents = "none";`,
		"removed":   `const e = evil(document, "below"); e.style = style + ";z-index:-1"; document.body.append(e); at("b").remove();`,
		"label":     `const e = evil(document, "labelled"); e.id = "pay"; e.style = "position:absolute;left:400px;top:300px"; document.body.append(e); const l = document.createElement("label"); l.htmlFor = "pay"; l.style = style; document.body.append(l);`,
		"hover":     `const s = document.createElement("style"); s.textContent = "#pay{visibility:hidden} #b:hover~#pay{visibility:visible}"; const e = evil(document, "hover"); e.id = "pay"; e.style = style + ";visibility:"; document.body.append(s, e);`,
		"animation": `const e = evil(document, "moved"); e.style = style + ";left:400px"; document.body.append(e); e.animate([{left: "400px"}, {left: "40px"}], {duration: 1, fill: "forwards"});`,
	} {
		for _, event := range []string{"mousemove", "pointerenter", "pointerdown", "mouseup"} {
			attack{name: name + " on " + event, body: sprung(event, code), steps: []step{on("b")}, before: "!sprung"}.run(t, w, chromium.d)
		}
	}
}

// TestPipelineLate: events that wait in a page which stands still (a dialog, a
// long script) are judged when it goes on, however late that is.
func TestPipelineLate(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	for name, body := range map[string]string{
		"mouse": sprung("mousemove", `const end = performance.now() + 2500; while (performance.now() < end); const e = evil(document, "late"); e.style = style; document.body.append(e);`),
		"keys":  `<input id=b><button id=d onclick="harm('late')">Delete account</button><script>at("b").onkeydown = () => { const end = performance.now() + 2500; while (performance.now() < end); at("d").focus(); }</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			l := w.live(t, chromium.d, body)
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			r := l.runOn(ctx, t)
			a, err := r.resolve(ctx, targetQuery{Target: Target{Selector: "#b"}, kind: "click"})
			if err != nil {
				t.Fatal(err)
			}
			at, err := r.ready(ctx, a, "click")
			if err != nil {
				t.Fatal(err)
			}
			x := page.Guard{Token: "late", ID: a.id, Fingerprint: a.facts.Fingerprint, Kind: "pointer", MS: 2000, Unpainted: true}
			list := []input{
				{mouse: &mouse{kind: browser.MouseMove, x: at.X, y: at.Y}},
				{mouse: &mouse{kind: browser.MouseDown, x: at.X, y: at.Y, button: "left", clicks: 1}},
				{mouse: &mouse{kind: browser.MouseUp, x: at.X, y: at.Y, button: "left", clicks: 1}},
			}
			if name == "keys" {
				x.Kind, x.Focus = "key", page.FocusCaret
				a, _ := keyboard.Char('a')
				list = append(keyInputs(a.Stroke()), keyInputs(keyboard.Named("Enter", 0).Stroke())...)
			}
			if err := a.frame.Call(ctx, "arm", x, nil); err != nil {
				t.Fatal(err)
			}
			if err := r.tab.Send(ctx, hittarget.Unguarded(), list); err != nil {
				t.Fatal(err)
			}
			if h := w.harmed(); len(h) > 0 {
				t.Errorf("harm done: %q", h)
			}
		})
	}
}

// runOn is a run on a page's tab, for what tests do between the parts of an act.
func (l *live) runOn(ctx context.Context, t testing.TB) *run {
	t.Helper()
	h, err := l.here(ctx)
	if err != nil {
		t.Fatal(err)
	}
	object := ""
	spec, _ := l.reg.Spec("click")
	return &run{s: l.Session, spec: spec, call: Call{Name: "click"}, res: &Result{}, h: h, tab: h.tab, page: h.page, object: &object}
}

// TestPipelineSent: what reached the page is not taken back because the last
// part of the act was stopped: repeating it would do it twice.
func TestPipelineSent(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	for _, tt := range []struct {
		name, body string
		step       step
	}{
		{"enter after text", `<input id=f aria-label=Note><button id=d type=button>Other</button><script>at("f").onkeydown = (e) => { if (e.key === "c") setTimeout(() => at("f").addEventListener("keyup", () => 0)); }; addEventListener("keydown", (e) => { if (e.key === "Enter") at("d").focus(); }, true); at("f").addEventListener("input", () => { if (at("f").value === "abc") at("d").focus(); });</script>`, step{"type", p{"selector": "#f", "text": "abc", "submit": true}}},
		{"second click", `<button id=b style="position:absolute;left:50px;top:50px;width:200px;height:60px">Show more</button><div id=c style="position:absolute;left:40px;top:40px;width:300px;height:100px;display:none">Cover</div><script>let n = 0; at("b").onclick = () => { n++; addEventListener("mousedown", () => 0); addEventListener("mousemove", () => { at("c").style.display = ""; }); }</script>`, step{"click", p{"selector": "#b", "clicks": 2}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := w.live(t, chromium.d, tt.body)
			if res := tt.step.run(l); !res.Sent {
				t.Errorf("not sent: %s", res.Text)
			}
		})
	}
}

// TestPipelineOptions: a list that acts by being changed is judged by what its
// options say, by whatever name the caller asks for one.
func TestPipelineOptions(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	acts := func(more string) string {
		return `<select id=s aria-label=Action onchange="location='/evil/' + this.value"><option>Choose<option value=2>Show<option value=3>Delete account</select>` + more
	}
	pick := func(q p) []step { q["selector"] = "#s"; return []step{{"select", q}} }
	for _, a := range []attack{
		{name: "value", body: acts(""), steps: pick(p{"value": "3"})},
		{name: "values", body: acts(""), steps: pick(p{"values": []string{"3"}})},
		{name: "position", body: acts(""), steps: pick(p{"position": 2})},
		{name: "value that is a position", body: acts(""), steps: pick(p{"value": "02"})},
		{name: "label", body: acts(""), steps: pick(p{"label": "delete account"})},
		{name: "renamed on focus", body: acts(`<script>at("s").addEventListener("focus", () => { at("s").value = 3; })</script>`), steps: pick(p{"value": "3"})},
	} {
		a.run(t, w, chromium.d)
	}
}

// TestPipelineChanges: a form that a script fills is asked about by what the session changed in it, though
// no attribute tells what it held.
func TestPipelineChanges(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	filled := func(more string) string {
		return `<form onsubmit="harm('b'); return false"><label>Title <input name=title></label><label><input type=checkbox id=all> Share with everyone</label>` + more + `<button id=b>Save</button></form>
<script>document.querySelector("[name=title]").value = "Trees"; document.querySelector("#all").checked = true</script>`
	}
	for _, a := range []attack{
		{name: "box", body: filled(""), steps: []step{on("all"), on("b")}},
		{name: "box by a key", body: filled(""), steps: []step{{"focus", p{"selector": "#all"}}, {"pressKey", p{"key": "Space"}}, on("b")}},
	} {
		a.run(t, w, chromium.d)
	}
}

// TestPipelineHeadings: a dialog whose heading is the command, with buttons that
// only agree to it.
func TestPipelineHeadings(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	for _, a := range []attack{
		{name: "confirm", body: `<div role=dialog><h2>Delete project</h2><p>Website</p><button>Cancel</button> <button id=b onclick="harm('b')">Confirm</button></div>`, steps: []step{on("b")}},
		{name: "ok", body: `<dialog open><h3>Close account</h3><button>Cancel</button> <button id=b onclick="harm('b')">OK</button></dialog>`, steps: []step{on("b")}},
		{name: "within a form", body: `<form method=dialog onsubmit="harm('b')"><fieldset><legend>删除文件</legend><button type=button>取消</button> <button id=b>确定</button></fieldset></form>`, steps: []step{on("b")}},
		{name: "legend", body: `<section><header><h2>Remove member</h2></header><p>Anna loses access.</p><footer><button>Back</button><button id=b onclick="harm('b')">Continue</button></footer></section>`, steps: []step{on("b")}},
	} {
		a.run(t, w, chromium.d)
	}
}
