package action

import (
	"fmt"
	"os"
	"testing"

	"tabwright/host/browser"
)

// attack is a page that tries to have something costly done. The user says
// no to every card: whatever harm is done then was done without a word.
type attack struct {
	name  string
	body  string
	steps []step
	// quiet: the attack must fail without anybody being asked either.
	quiet bool
	// known: what it has pressed is no deed to those who press it knowingly.
	known bool
	// before is what must be true in the page before the steps: one that has
	// turned by then is judged as what it is, and attacks nothing.
	before string
}

// run makes the attack on an open world and fails when it did harm.
func (a attack) run(t *testing.T, w *world, d browser.Driver) {
	t.Run(a.name, func(t *testing.T) {
		l := w.next(t, d, a.body)
		if a.before != "" && l.eval(a.before) != "true" {
			t.Fatalf("not %s when the page had loaded", a.before)
		}
		for _, s := range a.steps {
			s.run(l)
		}
		if h := w.harmed(); len(h) > 0 {
			t.Errorf("harm done: %q; cards: %s", h, cardsOf(l))
		}
		if a.quiet && len(l.person.cards) > 0 {
			t.Errorf("asked: %s", cardsOf(l))
		}
		if os.Getenv(everything) != "" && !t.Failed() && !a.known && d.Kind() == "direct" {
			w.adversary(l, a.name, attackTries)
		}
	})
}

// turncoat is a harmless button that becomes another when it is touched.
func turncoat(change, when string) string {
	return fmt.Sprintf(`<form id=fm action=/evil/form onsubmit="if (!window.bad) event.preventDefault()"><input type=hidden name=card autocomplete=cc-number value=4111111111111111></form>
<div id=box><button id=b type=button>Show more</button></div>
<button id=evil type=button onclick="harm('evil')" style="position:absolute;left:400px;top:400px">Delete everything</button>
<a id=a href="/next.html">Next page</a>
<script>
function turn() { if (window.bad) return; window.bad = true; const b = at("b"), a = at("a"), evil = at("evil"), box = at("box"), fm = at("fm"); %s; }
at("b").addEventListener("click", () => { if (/delete|pay/i.test(at("b").textContent + at("b").title + (at("b").ariaLabel ?? ""))) harm("pressed as " + at("b").textContent); });
%s
</script>`, change, when)
}

var changes = map[string]string{
	"renamed":     `b.textContent = "Delete account"`,
	"text node":   `b.firstChild.data = "Pay $99"`,
	"aria":        `b.ariaLabel = "Delete account"`,
	"title":       `b.title = "Delete account"`,
	"moved":       `const r = b.getBoundingClientRect(); evil.style.left = r.left + "px"; evil.style.top = r.top + "px"; b.style.position = "absolute"; b.style.left = "500px"`,
	"covered":     `const r = b.getBoundingClientRect(); Object.assign(evil.style, {left: r.left + "px", top: r.top + "px", opacity: 0, zIndex: 9})`,
	"replaced":    `b.replaceWith(evil); evil.style.position = "static"`,
	"nested":      `b.textContent = ""; b.append(evil); evil.style.position = "static"`,
	"reparented":  `fm.append(b); b.type = "submit"; fm.onsubmit = null`,
	"form attr":   `b.setAttribute("form", "fm"); b.type = "submit"; fm.onsubmit = null`,
	"label":       `const l = document.createElement("label"); l.htmlFor = "evil"; b.before(l); l.append(b.firstChild); b.remove(); l.id = "b"`,
	"swap labels": `b.id = "x"; evil.id = "b"; const r = b.getBoundingClientRect(); evil.style.left = r.left + "px"; evil.style.top = r.top + "px"; b.remove()`,
}

var moments = map[string]string{
	"mousemove":   `document.addEventListener("mousemove", turn, true)`,
	"pointerdown": `window.addEventListener("pointerdown", turn, true)`,
	"mousedown":   `window.addEventListener("mousedown", turn, true)`,
	"focus":       `document.addEventListener("focusin", turn, true)`,
	"mouseup":     `window.addEventListener("mouseup", turn, true)`,
}

// TestAttackTurncoats: what a button is, where it lies and what it does change
// between the look and the press.
func TestAttackTurncoats(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		w := newWorld(t)
		tried := 0
		for change, code := range changes {
			for moment, when := range moments {
				name := change + " on " + moment
				if os.Getenv(everything) != "" || leftOut(name) == (d.Kind() == "direct") { // each on one of them
					tried++
					attack{name: name, body: turncoat(code, when), steps: []step{on("b")}, before: "!window.bad"}.run(t, w, d)
				}
			}
		}
		t.Logf("%d of %d changes and moments on this driver; all with %s=1", tried, len(changes)*len(moments), everything)
		// Random and clocked changes: each try may meet them at another point.
		for name, when := range map[string]string{
			"timer":   `setTimeout(turn, Math.random() * 60); setInterval(() => {}, 5)`,
			"frame":   `let n = 0; const f = () => { if (++n > 1 + Math.random() * 6) turn(); else requestAnimationFrame(f); }; document.addEventListener("mousemove", f, {once: true})`,
			"flicker": `setInterval(() => { const r = at("b")?.getBoundingClientRect(); if (r) Object.assign(at("evil").style, {left: r.left + "px", top: r.top + "px", zIndex: 9, display: Math.random() < .5 ? "none" : ""}); }, 1)`,
		} {
			for i := range 4 {
				attack{name: fmt.Sprintf("%s %d", name, i), body: turncoat(changes["renamed"], when), steps: []step{on("b"), on("b")}}.run(t, w, d)
			}
		}
		attack{name: "link's href on mousedown", body: turncoat(`a.href = "/evil/delete?id=1"`, moments["mousedown"]), steps: []step{on("a")}}.run(t, w, d)
		attack{name: "link's href on mousemove", body: turncoat(`a.href = "/evil/delete?id=1"`, moments["mousemove"]), steps: []step{on("a")}}.run(t, w, d)
		attack{name: "form's action on mousedown", body: `<form id=fm action=/find><input name=q><button id=b>Search</button></form>
<script>addEventListener("mousedown", () => { at("fm").action = "/evil/pay"; at("fm").method = "post"; }, true)</script>`, steps: []step{on("b")}}.run(t, w, d)
		attack{name: "formaction on pointerdown", body: `<form id=fm action=/find><input name=q><button id=b>Search</button></form>
<script>addEventListener("pointerdown", () => at("b").setAttribute("formaction", "/evil/delete"), true)</script>`, steps: []step{on("b")}}.run(t, w, d)
		attack{name: "form's action on submit", body: `<form id=fm action=/find><input name=q><button id=b>Search</button></form>
<script>at("fm").addEventListener("click", () => { at("fm").action = "/evil/delete"; })</script>`, steps: []step{on("b")}}.run(t, w, d)
	})
}

// frameOver is a page with a frame that flickers over a harmless button.
func frameOver(src, how string) string {
	return fmt.Sprintf(`<button id=b style="position:absolute;left:50px;top:50px;width:200px;height:60px">Show more</button>
<iframe id=i src="%s" style="position:absolute;left:40px;top:40px;width:300px;height:100px;border:0;opacity:.01;display:none"></iframe>
<script>const i = at("i"); %s</script>`, src, how)
}

const victim = `<button style="position:absolute;inset:0;width:100%;height:100%" onclick="harm('framed')" onmousedown="harm('framed down')" onpointerup="harm('framed up')">Confirm</button>`

// TestAttackFrames: a frame comes over the judged button at the last moment.
func TestAttackFrames(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		w := newWorld(t)
		w.mu.Lock()
		w.pages["/victim"] = victim
		w.mu.Unlock()
		attack{name: "drifting over an object", body: `<object data="/victim" type="text/html" style="position:absolute;left:40px;top:40px;width:700px;height:80px"></object>
<button id=b style="position:absolute;left:50px;top:50px;width:30px;height:30px">More</button>
<script>let n = 0; const f = () => { at("b").style.left = 50 + (n = (n + 23) % 600) + "px"; requestAnimationFrame(f); }; f()</script>`, steps: []step{{"wait", p{"ms": 300}}, on("b"), on("b")}, quiet: true, known: true}.run(t, w, d)
		for _, host := range []string{"a.test", "b.test"} {
			src := "http://" + host + ":{port}/victim"
			for name, how := range map[string]string{
				"always":         `i.style.display = ""`,
				"on move":        `addEventListener("mousemove", () => i.style.display = "")`,
				"on move, late":  `addEventListener("mousemove", () => setTimeout(() => i.style.display = "", 6))`,
				"on down":        `addEventListener("mousedown", () => i.style.display = "")`,
				"flicker":        `setInterval(() => i.style.display = Math.random() < .5 ? "none" : "", 3)`,
				"pointer-events": `i.style.display = ""; i.style.pointerEvents = "none"; addEventListener("mousemove", () => setTimeout(() => i.style.pointerEvents = "", 4))`,
			} {
				n := 1
				if name == "flicker" || name == "on move, late" {
					n = 6
				}
				steps := []step{{"wait", p{"ms": 300}}}
				for range n {
					steps = append(steps, on("b"))
				}
				attack{name: host + " " + name, body: frameOver(src, how), steps: steps, known: true}.run(t, w, d)
			}
		}
	})
}

// TestAttackDisguises: what is pressed is not what it seems to be.
func TestAttackDisguises(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	for _, a := range []attack{
		{name: "label for", body: `<label id=b for=pay>Show details</label><button id=pay onclick="harm('pay')">Buy now</button>`, steps: []step{on("b")}},
		{name: "label around", body: `<label id=b>Show details <button id=pay onclick="harm('pay')" style="position:absolute;left:-999px">Buy now</button></label>`, steps: []step{on("b")}},
		{name: "label for a hidden submit", body: `<form action=/evil/order method=post><input id=s type=submit value="Place order" hidden></form><label id=b for=s>Next</label>`, steps: []step{on("b")}},
		{name: "button in a link", body: `<a id=b href="#x"><button onclick="harm('b')">Delete account</button></a>`, steps: []step{on("b")}},
		{name: "button in a row", body: `<div id=b role=row tabindex=0 style="width:90px"><button onclick="harm('b')">Delete account</button></div>`, steps: []step{on("b")}},
		{name: "form attribute", body: `<form id=fm action=/evil/pay method=post><input name=card autocomplete=cc-number value=4111111111111111></form><button id=b form=fm>Next</button>`, steps: []step{on("b")}},
		{name: "formaction", body: `<form action=/find method=post><input name=q><button id=b formaction=/evil/delete-account>Show</button></form>`, steps: []step{on("b")}},
		{name: "image submit", body: `<form action=/evil/x method=post><input name=card autocomplete=cc-number value=4111111111111111><input id=b type=image alt=Next src=/x></form>`, steps: []step{on("b")}},
		{name: "image submit, title", body: `<form action=/evil/x method=post><input id=b type=image alt=Next title="Pay now" src=/x></form>`, steps: []step{on("b")}},
		{name: "summary", body: `<details><summary id=b onclick="harm('b')">Delete account</summary>x</details>`, steps: []step{on("b")}},
		{name: "div button", body: `<div id=b role=button onclick="harm('b')">Confirm payment</div>`, steps: []step{on("b")}},
		{name: "bare div", body: `<div id=b style="cursor:pointer">Delete all files</div><script>at("b").addEventListener("click", () => harm("b"))</script>`, steps: []step{on("b")}},
		{name: "span within", body: `<div onclick="harm('b')">Pay <span id=b>now</span></div>`, steps: []step{on("b")}},
		{name: "open shadow", body: `<x-b id=b aria-label="Next"></x-b><script>customElements.define("x-b", class extends HTMLElement { constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<button>Buy now</button>"; this.shadowRoot.firstChild.onclick = () => harm("b"); } })</script>`, steps: []step{on("b")}},
		{name: "closed shadow", body: `<x-b id=b role=button aria-label="Next"></x-b><script>customElements.define("x-b", class extends HTMLElement { constructor() { super(); const r = this.attachShadow({mode: "closed"}); r.innerHTML = "<button>Buy now</button>"; r.firstChild.onclick = () => harm("b"); } })</script>`, steps: []step{on("b")}},
		{name: "closed shadow, no role", body: `<x-b id=b></x-b><script>customElements.define("x-b", class extends HTMLElement { constructor() { super(); const r = this.attachShadow({mode: "closed"}); r.innerHTML = "<button>Delete account</button>"; r.firstChild.onclick = () => harm("b"); } })</script>`, steps: []step{on("b"), point(60, 32)}},
		{name: "slot", body: `<x-b><span id=b>Next</span></x-b><script>customElements.define("x-b", class extends HTMLElement { constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<button>Buy now: <slot></slot></button>"; this.shadowRoot.firstChild.onclick = () => harm("b"); } })</script>`, steps: []step{on("b")}},
		{name: "lying aria-label", body: `<button id=b aria-label="Next" onclick="harm('b')">Buy now</button>`, steps: []step{on("b")}},
		{name: "lying text", body: `<button id=b aria-label="Delete account" onclick="harm('b')">Next</button>`, steps: []step{on("b")}},
		{name: "lying labelledby", body: `<span id=l hidden>Next</span><button id=b aria-labelledby=l onclick="harm('b')">Pay now</button>`, steps: []step{on("b")}},
		{name: "reset that acts", body: `<form><button id=b type=reset onclick="harm('b')">Delete all</button></form>`, steps: []step{on("b")}},
		{name: "checkbox that is a button", body: `<div id=b role=checkbox onclick="harm('b')">Delete account</div>`, steps: []step{on("b")}},
		{name: "svg trash", body: `<button id=b class="icon-btn" onclick="harm('b')"><svg class="icon icon-trash" width=20 height=20><path d="M0 0h20v20H0z"/></svg></button>`, steps: []step{on("b")}},
		{name: "svg trash by point", body: `<svg style="position:absolute;left:50px;top:50px" onclick="harm('b')" data-icon=trash-alt width=40 height=40><path d="M0 0h40v40H0z"/></svg>`, steps: []step{point(60, 60)}},
		{name: "svg title", body: `<button id=b onclick="harm('b')"><svg width=20 height=20><title>Delete</title><path d="M0 0h20v20H0z"/></svg></button>`, steps: []step{on("b")}},
		{name: "svg use", body: `<button id=b onclick="harm('b')"><svg width=20 height=20><use href="/icons.svg#trash"/></svg></button>`, steps: []step{on("b")}},
		{name: "icon font class", body: `<a id=b onclick="harm('b')" style="cursor:pointer"><i class="fa fa-trash" style="display:inline-block;width:20px;height:20px"></i></a>`, steps: []step{on("b")}},
		{name: "icon font ligature", body: `<button id=b onclick="harm('b')"><span class=material-icons aria-hidden=true>delete_forever</span></button>`, steps: []step{on("b")}},
		{name: "image button, no alt", body: `<button id=b onclick="harm('b')"><img src="/img/trash-can.png" width=20 height=20></button>`, steps: []step{on("b")}},
		{name: "image alt", body: `<img id=b src=/x alt="Pay now" width=90 height=30 style="cursor:pointer" onclick="harm('b')">`, steps: []step{on("b")}},
		{name: "background with title", body: `<div id=b title="Buy now" style="width:90px;height:30px;background:red;cursor:pointer" onclick="harm('b')"></div>`, steps: []step{on("b")}},
		{name: "pseudo element", body: `<style>#b::before{content:"Pay now"}</style><button id=b onclick="harm('b')"></button>`, steps: []step{on("b")}},
		{name: "pseudo element and text", body: `<style>#b::before{content:"Pay now and "}</style><button id=b onclick="harm('b')">continue</button>`, steps: []step{on("b")}},
		{name: "pseudo element, attr", body: `<style>#b::after{content:attr(data-x)}</style><button id=b data-x="Delete account" onclick="harm('b')"></button>`, steps: []step{on("b")}},
		{name: "text in an image", body: `<a id=b style="cursor:pointer" onclick="harm('b')"><img src=/x alt="Delete account" width=90 height=30></a>`, steps: []step{on("b")}},
		{name: "covered word", body: `<button id=b onclick="harm('b')"><span style="position:absolute;left:-999px">Show </span>Pay now</button>`, steps: []step{on("b")}},
		{name: "quiet phrase beside", body: `<button id=b onclick="harm('b')">Order history — Pay now</button>`, steps: []step{on("b")}},
		{name: "invisible quiet phrase", body: `<button id=b aria-label="Remove filter" onclick="harm('b')">Remove account</button>`, steps: []step{on("b")}},
		{name: "button that edits by a context", body: `<div id=b role=button onclick="harm('b')">Pay $900</div><script>at("b").editContext = new EditContext()</script>`, steps: []step{on("b")}},
		{name: "link that edits by a context", body: `<a id=b href="/evil/pay" onclick="harm('b')">Pay $900</a><script>try { at("b").editContext = new EditContext() } catch {}</script>`, steps: []step{on("b")}},
		{name: "button in an editor", body: `<div contenteditable><button id=b onclick="harm('b')">Pay $900</button></div>`, steps: []step{on("b")}},
		{name: "words of a button in an editor", body: `<div contenteditable><div role=button onclick="harm('b')"><span id=b>Pay $900</span></div></div>`, steps: []step{on("b")}},
		{name: "handler in an editor", body: `<div contenteditable><span id=b onclick="harm('b')">Pay $900</span></div>`, steps: []step{on("b")}},
		{name: "editor that is a button", body: `<div contenteditable id=b role=button onclick="harm('b')">Pay $900</div>`, steps: []step{on("b")}},
		{name: "canvas", body: `<section><h2>Transfer</h2><p>Are you sure you want to pay $500?</p><canvas id=b width=100 height=40 style="background:#eee" onclick="harm('b')"></canvas></section>`, steps: []step{on("b")}},
	} {
		a.run(t, w, chromium.d)
	}
}

// TestAttackLabels: a button's words in disguise.
func TestAttackLabels(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	for _, words := range []string{
		"P\u200ba\u200by now", "\u0420\u0430y now", "ＰＡＹ ＮＯＷ", "P a y n o w", "P.a.y n.o.w", "P-A-Y", "Pa y now", "Pay\u00adment: pay now", "d3lete account", "D e l e t e",
		"\u202ewon yaP\u202c", "𝐏𝐚𝐲 𝐧𝐨𝐰", "ⓅⒶⓎ ⓃⓄⓌ", "pay\u2028now", "PAY NOW!!!", "→ Buy now ←", "1. Pay now", "[Delete account]", "“Delete account”", "Dеlеtе аccount", "Buуnow", "Yes, I want to pay $12 now", "PayNow",
		"OK — pay", "Continue & pay", "Next (pay $30)", "立即支付", "確認刪除", "今すぐ購入", "결제하기", "Jetzt kaufen", "Payer maintenant", "Eliminar cuenta", "Оплатить", "حذف الحساب", "भुगतान करें", "🗑️", "💳",
		"<b style='display:none'>Show</b>Pay now", "<span>P</span><span>a</span><span>y</span>", "<span style='display:inline-block'>P</span><span style='display:inline-block'>ay now</span>", "<span style='text-transform:uppercase'>delete account</span>",
		"<bdo dir=rtl>won yaP</bdo>", "<span style='display:inline-flex;flex-direction:row-reverse'><i>now</i><i>pay&nbsp;</i></span>", "<i style='font-size:0'>x</i>Delete<i style='font-size:0'>x</i> account", "Del<wbr>ete acc<wbr>ount", "Delete<br>account",
	} {
		attack{name: words, body: `<button id=b onclick="harm('b')">` + words + `</button>`, steps: []step{on("b")}}.run(t, w, chromium.d)
	}
}

// TestAttackKeys: keys that do more than write.
func TestAttackKeys(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		w := newWorld(t)
		form := func(fields, button string) string {
			return `<form action=/evil/form method=post><input id=f name=nick aria-label="Nickname">` + fields + button + `</form><p id=away>Text`
		}
		for _, a := range []attack{
			{name: "enter", body: form("", `<button>Delete account</button>`), steps: []step{on("f"), strike("Enter")}},
			{name: "numpad enter", body: form("", `<button>Delete account</button>`), steps: []step{on("f"), strike("NumpadEnter")}},
			{name: "newline", body: form("", `<button>Delete account</button>`), steps: []step{into("joe\n")}},
			{name: "newlines within", body: form("", `<button>Delete account</button>`), steps: []step{into("joe\n\nx"), into("joe\r"), into("joe\r\n"), into("jo\u2028e")}},
			{name: "enter, hidden button", body: form("", `<button style="display:none">Delete account</button><button type=button>Next</button>`), steps: []step{into("joe\n")}},
			{name: "enter, button elsewhere", body: `<form id=fm action=/evil/form method=post><input id=f></form><button form=fm>Delete account</button>`, steps: []step{into("joe\n")}},
			{name: "enter, no button, card", body: form(`<input type=hidden name=card autocomplete=cc-number value=4111111111111111>`, ""), steps: []step{into("joe\n")}},
			{name: "enter by listener", body: `<input id=f aria-label="Write a message"><script>at("f").onkeydown = (e) => { if (e.key === "Enter") harm("sent"); }</script>`, steps: []step{into("hello\n"), on("f"), strike("Enter")}},
			{name: "enter in an editor", body: `<div id=f contenteditable role=textbox aria-label="Message" style="width:200px;height:50px"></div><script>at("f").onkeydown = (e) => { if (e.key === "Enter" && !e.shiftKey) harm("sent"); }</script>`, steps: []step{into("hello\n"), on("f"), strike("Enter")}},
			{name: "ctrl enter in an editor", body: `<div id=f contenteditable aria-label="Text" style="width:200px;height:50px"></div><button>Send</button><script>at("f").onkeydown = (e) => { if (e.key === "Enter" && e.ctrlKey) harm("sent"); }</script>`, steps: []step{on("f"), {"pressKey", p{"key": "Enter", "modifiers": []string{"ctrl"}}}}},
			{name: "space on a button", body: `<button id=x>Show</button><button onclick="harm('b')">Delete account</button>`, steps: []step{on("x"), strike("Tab"), strike(" "), strike("Space")}},
			{name: "tab then enter", body: form("", `<button>Delete account</button>`), steps: []step{on("f"), strike("Tab"), strike("Enter")}},
			{name: "accesskey", body: `<p id=away>Text</p><button accesskey=p onclick="harm('b')">Pay now</button>`, steps: []step{{"pressKey", p{"key": "p", "modifiers": []string{"alt"}}}, {"pressKey", p{"key": "p", "modifiers": []string{"alt", "shift"}}}}},
			{name: "delete in a list", body: `<div id=f tabindex=0 role=listbox aria-label="Mails"><div role=option aria-selected=true>Mail 1</div></div><script>addEventListener("keydown", (e) => { if (["Delete", "Backspace", "#"].includes(e.key)) harm("deleted"); })</script>`, steps: []step{on("f"), strike("Delete"), strike("Backspace"), strike("#")}},
			{name: "focus moves on keydown", body: `<input id=f aria-label=Nickname><button id=d onclick="harm('b')">Delete account</button><script>at("f").onkeydown = () => at("d").focus()</script>`, steps: []step{on("f"), strike("Enter"), on("f"), strike(" "), into("a b\n")}},
			{name: "button renamed on focus", body: `<button id=x>Show</button><button id=d>More</button><script>at("d").onkeydown = () => { at("d").textContent = "Pay"; }; at("d").onclick = () => { if (at("d").textContent === "Pay") harm("pay"); }</script>`, steps: []step{on("x"), strike("Tab"), strike("Enter"), strike(" ")}},
			{name: "submits as one types", body: form("", `<button>Delete account</button>`) + `<script>at("f").oninput = () => at("f").form.requestSubmit()</script>`, steps: []step{into("joe")}},
			{name: "clicks as one types", body: form("", `<button id=d type=button onclick="harm('d')">Delete account</button>`) + `<script>at("f").onkeydown = () => at("d").focus()</script>`, steps: []step{into("a b c")}},
			{name: "select submits", body: form(`<select id=s onchange="this.form.submit()"><option>A<option>B</select>`, `<button>Delete account</button>`), steps: []step{{"select", p{"selector": "#s", "value": "B"}}}},
			{name: "select submits by listener", body: form(`<select id=s><option>A<option>B</select>`, `<button>Delete account</button>`) + `<script>at("s").addEventListener("change", () => at("s").form.requestSubmit())</script>`, steps: []step{{"select", p{"selector": "#s", "value": "B"}}}},
			{name: "checkbox submits by listener", body: form(`<input id=s type=checkbox aria-label=Blue>`, `<button>Delete account</button>`) + `<script>at("s").addEventListener("change", () => at("s").form.requestSubmit())</script>`, steps: []step{on("s")}},
			{name: "neutral button submits by script", body: form(`<input type=hidden name=card autocomplete=cc-number value=4111111111111111><button id=s type=button>Next</button>`, `<button>Pay now</button>`) + `<script>at("s").addEventListener("click", () => at("s").form.requestSubmit())</script>`, steps: []step{on("s")}},
			{name: "option that deletes", body: `<select id=s aria-label=Action onchange="location='/evil/' + this.value"><option>Choose<option>Delete</select>`, steps: []step{{"select", p{"selector": "#s", "value": "Delete"}}}},
		} {
			a.run(t, w, d)
		}
	})
}

// TestAttackDrops: things dragged to where they are deleted.
func TestAttackDrops(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	zone := func(attrs, inner string) string {
		return `<div id=c draggable=true style="position:absolute;left:40px;top:40px;width:60px;height:60px;background:#cde">Card</div>
<div id=z ` + attrs + ` style="position:absolute;left:300px;top:40px;width:120px;height:120px;background:#eee">` + inner + `</div>
<script>const z = at("z"); z.ondragover = (e) => e.preventDefault(); z.ondrop = () => harm("dropped"); z.onmouseup = () => harm("let go")</script>`
	}
	drag := []step{{"dragDrop", p{"from": p{"x": 60, "y": 60}, "to": p{"x": 350, "y": 90}}}}
	for _, a := range []attack{
		{name: "trash", body: zone("", "Trash"), steps: drag},
		{name: "labelled", body: zone(`aria-label="Recycle bin"`, ""), steps: drag},
		{name: "drop here to delete", body: zone("", "Drop here to delete"), steps: drag},
		{name: "icon", body: zone("", `<i class="icon-trash" style="display:block;width:50px;height:50px"></i>`), steps: drag},
		{name: "class", body: zone("class=trash-zone", ""), steps: drag},
		{name: "archive of deleted", body: zone("", "Delete"), steps: drag},
	} {
		a.run(t, w, chromium.d)
	}
}
