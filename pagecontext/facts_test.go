package pagecontext_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

const order = `<body><header><a id=home href="/home?utm_source=x">Home</a></header><main><h1>Checkout</h1>
<div class=summary><ul><li>Blue mug × 1 <span>$12.50</span></li><li>Red plate × 2 <span>$20.00</span></li></ul><p>Total: <b id=total>$32.50</b></p></div>
<form id=f action="/pay" method=post><label>Name <input name=name value=Ann></label><label>Card number <input id=card name=num value="4111 1111 1111 1111"></label>
<label>CVC <input id=cvc name=c value=737></label><input type=hidden name=amount value=32.50><input type=hidden name=csrf_token value=deadbeefdeadbeef>
<button id=pay>Pay now (29)</button></form>
<form id=s action="/search"><input id=q name=q type=search aria-label=Search></form>
<select id=lang aria-label=Language onchange="location='/'+this.value"><option>en<option>de</select></main></body>`

// An identity number is a secret of its form once it is filled in; a password is one before.
func TestEmptySecretsOfAForm(t *testing.T) {
	tb := open(t, `<form method=post><label>Passport number <input name=a></label><label>Passport number <input name=b value=X12></label><label>Password <input type=password name=word></label><button id=go>Go</button></form>`)
	for i, want := range []string{"", "government", "password"} {
		if got := found(tb, "#go").Target.Form.Fields[i].Secret; got != want {
			t.Errorf("field %d: secret %q, want %q", i+1, got, want)
		}
	}
}

func TestFacts(t *testing.T) {
	tb := open(t, order)
	pay := found(tb, "#pay").Target
	base := inline().URL
	if pay.Role != "button" || !pay.SubmitsForm || pay.Form == nil || pay.Form.Action != base+"/pay" || pay.Form.Method != "post" {
		t.Fatalf("pay: %+v", pay)
	}
	if pay.DefaultButton != "Pay now (29)" || !strings.Contains(pay.Context, "Checkout") || len(pay.Form.Fields) != 5 {
		t.Errorf("pay: %+v", pay)
	}
	for _, f := range pay.Form.Fields {
		want := map[string][2]string{"name": {"Ann", ""}, "num": {"", "card"}, "c": {"", "cvc"}, "amount": {"32.50", ""}, "csrf_token": {"", ""}}[f.Name]
		if f.Value != want[0] || f.Secret != want[1] {
			t.Errorf("field %+v, want value %q secret %q", f, want[0], want[1])
		}
	}
	q := found(tb, "#q").Target
	if !q.SubmitsForm || !q.Editable || q.Form == nil || !q.Form.Search || q.DefaultButton != "" {
		t.Errorf("search: %+v", q)
	}
	if l := found(tb, "#lang").Target; !l.OnChange {
		t.Errorf("select: %+v", l)
	}
	home := found(tb, "#home").Target
	if !strings.HasSuffix(home.Href, "/home?utm_source=x") || home.LinkText != "Home" || home.Form != nil {
		t.Errorf("link: %+v", home)
	}
	facts := do[struct {
		Text           string
		Amounts, Items []string
	}](tb, "pageFacts", map[string]any{"id": found(tb, "#pay").ID})
	if len(facts.Amounts) == 0 || facts.Amounts[0] != "$32.50" {
		t.Errorf("amounts: %q", facts.Amounts)
	}
	if fmt.Sprint(facts.Items) != "[Blue mug × 1 $12.50 Red plate × 2 $20.00]" {
		t.Errorf("items: %q", facts.Items)
	}
}

// TestSecretBeside: what a page would send by script is known of its buttons: a
// card's number wherever it stands in the document, other secrets in the same
// group, and nothing that is empty, hidden, or sent by the button's own form.
func TestSecretBeside(t *testing.T) {
	tb := open(t, `<header><div><input type=password value=known><button id=signin>Go</button></div></header>
<main><section><label>Name <input value=Ann></label><button id=plain>Continue</button></section>
<section><div><label>Code <input autocomplete=one-time-code value=123456></label></div>
<div><input type=hidden value=x><label><input type=checkbox>Remember me</label><input type=button id=code value=Next></div></section>
<form><input type=password value=known><button id=own>Save</button><button type=button id=other>Continue</button></form>
<a id=nowhere href="#">Continue</a><a id=away href="/x">Continue</a><div id=host></div></main>`)
	beside := func(want map[string]string) {
		t.Helper()
		for id, kind := range want {
			if got := found(tb, "#"+id).Target.Beside; got != kind {
				t.Errorf("beside %s stands %q, want %q", id, got, kind)
			}
		}
	}
	beside(map[string]string{"signin": "password", "plain": "", "code": "otp", "own": "", "other": "password", "away": ""})
	tb.js(`document.querySelector("main").insertAdjacentHTML("beforeend", "<div><input id=card autocomplete=cc-number><input type=hidden name=card_number value='4111 1111 1111 1111'></div>")`)
	beside(map[string]string{"plain": "", "code": "otp"})
	fill := func(value string) { tb.js(`document.querySelector("#card").value = "` + value + `"`) }
	fill("4111 1111 1111 1111")
	beside(map[string]string{"plain": "card", "code": "card", "own": "card", "other": "card", "nowhere": "card", "away": ""})
	fill("")
	tb.js(`document.querySelector("#host").attachShadow({ mode: "open" }).innerHTML = "<input autocomplete=cc-number value='4111 1111 1111 1111'>"`)
	beside(map[string]string{"plain": "card"})
	tb.js(`document.querySelector("#host").remove(); document.querySelector("form").insertAdjacentHTML("beforeend", "<input autocomplete=cc-number value='4111 1111 1111 1111'>")`)
	beside(map[string]string{"plain": "card", "own": ""})
}

func TestAmountsAsPrinted(t *testing.T) {
	tb := newTab(t)
	for in, want := range map[string]string{
		"Total $12.50 now": "$12.50", "€9,99": "€9,99", "¥1,200": "¥1,200", "12,50 €": "12,50 €", "₹ 1,00,000": "₹ 1,00,000",
		"CN¥12": "CN¥12", "USD 12": "USD 12", "12 USD": "12 USD", "2 × 12,50 €": "12,50 €", "1 234,50 €": "1 234,50 €", "100元": "100元",
		"£1’200": "£1’200", "CHF 1'200.50": "CHF 1'200.50", "US$5": "US$5", "R$ 10,00": "R$ 10,00", "5 items": "", "2026-11-20": "",
	} {
		tb.goTo("<body><p>" + in + "</p></body>")
		got := do[struct{ Amounts []string }](tb, "pageFacts", map[string]any{}).Amounts
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What counts as the same act, and what doesn't.
func TestFingerprint(t *testing.T) {
	cases := []struct {
		name, target, change string
		same                 bool
	}{
		{"nothing", "#pay", ``, true},
		{"a counter in its name", "#pay", `pay.textContent='Pay now (28)'`, true},
		{"an unrelated mutation", "#pay", `document.body.append(document.createElement('hr'))`, true},
		{"focus elsewhere", "#pay", `q.focus()`, true},
		{"a class", "#pay", `pay.className='hover'`, true},
		{"grouped digits on leaving a field", "#pay", `f.elements.name.value='A nn'`, true},
		{"its name", "#pay", `pay.textContent='Delete account'`, false},
		{"the total", "#pay", `total.textContent='$320.50'`, false},
		{"an item's price", "#pay", `document.querySelector('li span').textContent='$99.00'`, false},
		{"the form's action", "#pay", `f.action='https://evil.test/'`, false},
		{"a formaction of its own", "#pay", `pay.setAttribute('formaction','/other')`, false},
		{"the method", "#pay", `f.method='get'`, false},
		{"a field", "#pay", `f.elements.name.value='Bob'`, false},
		{"a hidden field", "#pay", `f.elements.amount.value='999'`, false},
		{"a secret field", "#pay", `card.value='5555 5555 5555 4444'`, false},
		{"a short secret", "#pay", `cvc.value='738'`, false},
		{"a link's address", "#home", `home.href='/logout'`, false},
		{"a link's words", "#home", `home.textContent='Log out'`, false},
		{"a value elsewhere, for a link", "#home", `f.elements.name.value='Bob'`, true},
		{"a price elsewhere, for a link", "#home", `total.textContent='$1.00'`, true},
		{"the address of the page", "#pay", `history.pushState(0,'','/elsewhere')`, false},
		{"the hash of the page", "#pay", `history.pushState(0,'','#part')`, true},
		{"a tooltip outside of the button", "#pay", `pay.style.position='relative';pay.insertAdjacentHTML('beforeend','<span style="position:absolute;top:-200px;left:0">Press to pay</span>')`, true},
		{"text laid over the button", "#pay", `pay.style.position='relative';pay.insertAdjacentHTML('beforeend','<span style="position:absolute;top:0;left:0">Cancel</span>')`, false},
	}
	tb := newTab(t)
	for _, c := range cases {
		tb.goTo(order)
		before := found(tb, c.target)
		tb.js(c.change + ";0")
		after := do[resolved](tb, "resolve", map[string]any{"id": before.ID})
		if got := before.Target.Fingerprint == after.Target.Fingerprint; got != c.same {
			t.Errorf("%s: same = %v, want %v", c.name, got, c.same)
		}
	}
}

// The digest of a secret must not be the same in two documents: else a short
// one could be found by trying.
func TestFingerprintIsSalted(t *testing.T) {
	tb := open(t, order)
	a := found(tb, "#pay").Target.Fingerprint
	tb.goTo(order)
	if b := found(tb, "#pay").Target.Fingerprint; a == b {
		t.Error("two documents give one fingerprint")
	}
}

func TestSecretKinds(t *testing.T) {
	cases := []struct{ html, secret string }{
		{`<input class=t type=password>`, "password"},
		{`<input class=t autocomplete=current-password>`, "password"},
		{`<label>Passwort <input class=t></label>`, "password"},
		{`<label>密码 <input class=t></label>`, "password"},
		{`<input class=t name=userPassword>`, "password"},
		{`<input class=t style="-webkit-text-security:disc">`, "password"},
		{`<input class=t autocomplete=one-time-code>`, "otp"},
		{`<label>Verification code <input class=t></label>`, "otp"},
		{`<label>短信验证码 <input class=t></label>`, "otp"},
		{`<input class=t name=otp_code>`, "otp"},
		{`<div><span><input maxlength=1 class=t></span><span><input maxlength=1></span><span><input maxlength=1></span><span><input maxlength=1></span></div>`, "otp"},
		{`<input class=t autocomplete=cc-csc>`, "cvc"},
		{`<input class=t name=cvv>`, "cvc"},
		{`<form><input name=cardNumber><label>Security code <input class=t></label></form>`, "cvc"},
		{`<input class=t autocomplete="section-x billing cc-number">`, "card"},
		{`<input class=t id=cardNumber>`, "card"},
		{`<label>Kartennummer <input class=t></label>`, "card"},
		{`<label>卡号 <input class=t></label>`, "card"},
		{`<input class=t value="4242 4242 4242 4242">`, "card"},
		{`<table><tr><td>Password</td><td><input class=t></td></tr></table>`, "password"},
		{`<label>SSN <input class=t></label>`, "government"},
		{`<label>Social security number <input class=t></label>`, "government"},
		{`<label>Passport number <input class=t></label>`, "government"},
		{`<label>身份证号 <input class=t></label>`, "government"},
		{`<label>E-mail <input class=t type=email></label>`, ""},
		{`<label>Full name <input class=t></label>`, ""},
		{`<p>Enter your user name and password</p><input class=t>`, ""},
		{`<p>Benutzername und Passwort</p><input class=t>`, ""},
		{`<label>E-mail or user name, and password <input class=t></label>`, ""},
		{`<h2>Reset your password</h2><input class=t name=login>`, ""},
		{`<h2>Reset your password</h2><input class=t type=email>`, ""},
		{`<h2>Password</h2><input class=t placeholder="User name">`, ""},
		{`<h2>Password</h2><input class=t name=x1>`, "password"},
		{`<h2>Sign in</h2><input class=t name=user_password>`, "password"},
		{`<label>Password of your account <input class=t></label>`, "password"},
		{`<label>Name on card <input class=t autocomplete=cc-name></label>`, ""},
		{`<label>Expiry <input class=t autocomplete=cc-exp></label>`, ""},
		{`<label>Phone number <input class=t type=tel value="+49 170 1234567"></label>`, ""},
		{`<label>Order number <input class=t value="1234567890123456"></label>`, ""},
		{`<label>ZIP code <input class=t></label>`, ""},
		{`<label>Discount code <input class=t></label>`, ""},
		{`<label>Passenger name <input class=t></label>`, ""},
		{`<label>Number of passengers <input class=t></label>`, ""},
		{`<label>Spinach <input class=t></label>`, ""},
		{`<label>Loyalty card number <input class=t></label>`, ""},
		{`<label>Message to the recipient <textarea class=t></textarea></label>`, ""},
		{`<label><input class=t type=checkbox> Show password</label>`, ""},
		{`<button class=t>Reset password</button>`, ""},
	}
	html := make([]string, len(cases))
	for i, c := range cases {
		html[i] = c.html
	}
	tb := open(t, snippets(html))
	for i, c := range cases {
		if got := found(tb, fmt.Sprintf("#c%d .t", i)); got.Element.Secret != c.secret || got.Target.Secret != c.secret {
			t.Errorf("%s: %q, want %q", c.html, got.Element.Secret, c.secret)
		}
	}
}

// No function gives a secret away, in whatever form it is asked for.
func TestSecretsNeverLeak(t *testing.T) {
	const secret = "tr0ub4dor&3"
	page := `<body><form action=/x><label>User <input name=u></label><label>Password <input id=p type=password value="` + secret + `" data-copy="` + secret + `" data-value="x"></label>
	<label>Code <input id=o autocomplete=one-time-code value="` + secret + `1"></label><textarea id=k aria-label="Recovery phrase">` + secret + `2</textarea>
	<div id=e contenteditable role=textbox aria-label="Your password">` + secret + `3</div>
	<label for=b>Confirm <input type=password value="` + secret + `4"> twice</label><button id=b>Log in</button></form></body>`
	tb := open(t, page)
	ctx := context.Background()
	p := pagecontext.New(tb, 0)
	s, err := p.Summary(ctx)
	tb.must(err)
	l, err := p.Elements(ctx, pagecontext.Query{})
	tb.must(err)
	tb.must(tb.main().Call(ctx, "watch", nil, nil))
	tb.js(`p.value='` + secret + `5'; o.value='` + secret + `6'; e.textContent='` + secret + `7'; k.value='` + secret + `8'; document.title='x'`)
	ids := []int{}
	all := []any{s, l, p.Render(s, l, pagecontext.RenderOptions{})}
	for _, sel := range []string{"#p", "#o", "#k", "#e", "#b"} {
		r := found(tb, sel)
		ids = append(ids, r.ID)
		all = append(all, r, do[any](tb, "value", map[string]any{"id": r.ID}), do[any](tb, "pageFacts", map[string]any{"id": r.ID}))
	}
	all = append(all, do[any](tb, "details", map[string]any{"ids": ids}), do[any](tb, "summary", nil),
		do[any](tb, "effects", map[string]any{"quietMs": 20, "maxMs": 500, "stop": true}))
	data, err := json.Marshal(all)
	tb.must(err)
	text := string(data)
	if plain := strings.ReplaceAll(text, `\u0026`, "&"); strings.Contains(plain, secret[:6]) {
		i := strings.Index(plain, secret[:6])
		t.Errorf("a secret came out: …%s…", plain[max(0, i-200):min(len(plain), i+40)])
	}
	if v := do[map[string]any](tb, "value", map[string]any{"id": ids[0]}); v["secret"] != "password" {
		t.Errorf("value says %v", v)
	}
}

func TestResolve(t *testing.T) {
	tb := open(t, `<body style="margin:0"><button hidden>First</button><button id=b style="position:absolute;left:10px;top:10px;width:100px;height:40px"><span id=in>Second</span></button>
	<label id=l for=c style="position:absolute;left:10px;top:100px">Agree</label><input id=c type=checkbox style="position:absolute;top:200px">
	<iframe id=i style="position:absolute;left:200px;top:10px;width:100px;height:100px"></iframe>
	<x-a style="position:absolute;left:400px;top:10px"></x-a><script>const r=document.querySelector('x-a').attachShadow({mode:'open'});r.innerHTML='<button id=deep>Deep</button>'</script></body>`)
	if r := found(tb, "body > button"); r.Element.Name != "Second" {
		t.Errorf("the only visible match is %q", r.Element.Name)
	}
	if r := resolve(tb, "button"); r.Error == nil || r.Error.Code != "ambiguous" {
		t.Errorf("several visible matches: %+v", r)
	}
	if a, b := found(tb, "#in"), found(tb, "#b"); a.ID != b.ID {
		t.Error("an inner span isn't its button")
	}
	if r := found(tb, "xpath=//button[2]"); r.Element.Name != "Second" {
		t.Errorf("xpath: %+v", r.Element)
	}
	if r := found(tb, "#deep"); r.Element.Name != "Deep" {
		t.Errorf("shadow: %+v", r.Element)
	}
	if r := found(tb, "x-a"); r.Element.Name != "Deep" || r.Element.Role != "button" {
		t.Errorf("a host filled by one button is %s %q", r.Element.Role, r.Element.Name)
	}
	if r := found(tb, "#l"); r.Target.Role != "checkbox" || r.Target.Label != "Agree" {
		t.Errorf("label: %+v", r.Target)
	}
	at := func(x, y int) resolved { return do[resolved](tb, "resolve", map[string]any{"x": x, "y": y}) }
	if r := at(50, 30); r.Element.Name != "Second" {
		t.Errorf("point: %+v", r.Element)
	}
	if r := at(250, 50); !r.IFrame {
		t.Errorf("frame at point: %+v", r)
	}
	if r := at(410, 20); r.Element.Name != "Deep" {
		t.Errorf("shadow at point: %+v", r.Element)
	}
	tb.js(`r.getElementById('deep').focus()`)
	if r := do[resolved](tb, "resolve", map[string]any{"focused": true}); r.Element.Name != "Deep" {
		t.Errorf("focused: %+v", r.Element)
	}
	for sel, want := range map[string]string{"text=Second": "Second", `text="Agree"`: "Agree", "button:has-text('second')": "Second", `button:contains("Deep")`: "Deep"} {
		if r := found(tb, sel); r.Element.Name != want {
			t.Errorf("%s: %+v", sel, r.Element)
		}
	}
	for sel, code := range map[string]string{"text=nowhere": "not_found", "#none": "not_found", "b[": "invalid_params", `b:has-text("A"):not(:has-text("B"))`: "invalid_params", "xpath=//[": "invalid_params"} {
		if r := resolve(tb, sel); r.Error == nil || r.Error.Code != code {
			t.Errorf("%s: %+v", sel, r.Error)
		}
	}
	id := found(tb, "#b").ID
	tb.js(`b.remove()`)
	if r := do[resolved](tb, "check", map[string]any{"id": id, "role": "button", "name": "Second"}); r.Error == nil || r.Error.Code != "stale_ref" {
		t.Errorf("a removed node: %+v", r)
	}
}

// Nothing of the page may be touched, and nothing the page does to its own
// objects may fool us.
func TestPageIsLeftAlone(t *testing.T) {
	tb := open(t, `<body><form id=f><input name=parentNode><input name=getAttribute><input name=action><input name=elements><input name=nodeType><input name=localName>
	<input name=getBoundingClientRect><input name=children><input name=ownerDocument><input name=matches><input name=form><input name=checkVisibility><button>Go</button></form>
	<img name=createTreeWalker><img name=body><img name=evaluate><img name=elementFromPoint><img name=baseURI><form name=title></form><form name=activeElement></form><form name=addEventListener></form></body>
	<script>Element.prototype.getAttribute=()=>'fooled';window.seen=[];new MutationObserver(r=>seen.push(...r)).observe(document,{subtree:true,childList:true,attributes:true,characterData:true})</script>`)
	ctx := context.Background()
	p := pagecontext.New(tb, 0)
	_, err := p.Summary(ctx)
	tb.must(err)
	l, err := p.Elements(ctx, pagecontext.Query{})
	tb.must(err)
	if len(l.Elements) != 13 {
		t.Errorf("%d elements, want 13", len(l.Elements))
	}
	if r := found(tb, "xpath=//button"); r.Element.Name != "Go" {
		t.Errorf("xpath: %+v", r)
	}
	found(tb, "form")
	r := found(tb, "button")
	if r.Target.Form == nil || !strings.HasPrefix(r.Target.Form.Action, "http") || len(r.Target.Form.Fields) != 12 {
		t.Errorf("form: %+v", r.Target.Form)
	}
	do[any](tb, "ready", map[string]any{"id": r.ID, "kind": "click", "timeoutMs": 500})
	do[any](tb, "pageFacts", map[string]any{})
	do[any](tb, "watch", nil)
	do[any](tb, "effects", map[string]any{"quietMs": 10, "maxMs": 100, "stop": true})
	if n := tb.js(`seen.length`); n != 0.0 {
		t.Errorf("the page saw %v mutations", n)
	}
	if tb.js(`'__tabwright' in window`) != false {
		t.Error("the page's world has our object")
	}
}

// A page without end must neither hang nor break the reading of the rest.
func TestEndlessPages(t *testing.T) {
	tb := open(t, `<body><button>First</button><div id=d></div><script>let e=d;for(let i=0;i<1500;i++){const n=document.createElement('div');e.append(n);e=n}e.innerHTML='<button>Deep</button>'</script></body>`)
	ctx := context.Background()
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(ctx, pagecontext.Query{})
	tb.must(err)
	if len(l.Elements) != 1 || l.Elements[0].Name != "First" || !l.Truncated {
		t.Errorf("%+v", l)
	}
	if _, err := p.Summary(ctx); err != nil {
		t.Error(err)
	}
	do[any](tb, "pageFacts", map[string]any{})
	found(tb, "text=First")
}

// Frames that nobody can see are where a page hides text and traps.
func TestFramesNobodySees(t *testing.T) {
	tb := open(t, `<body style="margin:0"><iframe style="opacity:0;position:absolute;left:0;top:0" srcdoc="<button>Clear</button>"></iframe><iframe width=1 height=1 srcdoc="<button>Dot</button>"></iframe>
	<iframe style="display:none" srcdoc="<button>None</button>"></iframe><div role=dialog aria-label=D style="position:absolute;top:300px"><iframe srcdoc="<button>Seen</button>"></iframe></div></body>`)
	ctx := context.Background()
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(ctx, pagecontext.Query{})
	tb.must(err)
	s, err := p.Summary(ctx)
	tb.must(err)
	if len(l.Elements) != 1 || l.Elements[0].Name != "Seen" || !l.Elements[0].Overlay || !l.Elements[0].IsVisible || s.Elements.Buttons != 1 || s.VisibleText != "Seen" {
		t.Errorf("%+v %+v", l.Elements, s)
	}
}

// TestFactsThroughShadow: hosts of shadow and slots are no steps on the way from a button to its row.
func TestFactsThroughShadow(t *testing.T) {
	tb := open(t, `<div id=rows></div><script>
const wrap = (inner, deep) => { let e = inner; for (let i = 0; i < deep; i++) { const h = document.createElement("x-wrap"); h.attachShadow({mode: "open"}).innerHTML = "<slot></slot>"; h.append(e); e = h }; return e }
for (const name of ["Hall window", "Garage door"]) {
  const row = document.createElement("div"), b = document.createElement("button"), shut = document.createElement("button");
  row.append(name, wrap(b, 6), wrap(shut, 6)); b.setAttribute("aria-label", "Open cover"); b.id = name.split(" ")[0]; b.onclick = () => {};
  document.getElementById("rows").append(row);
}
</script>`)
	if got := found(tb, "#Garage").Target; got.Item != "Garage door" {
		t.Errorf("the row of the button says %q", got.Item)
	}
	if got := found(tb, "#Hall").Target; !strings.Contains(got.Context, "Garage door") {
		t.Errorf("around the button stands %q", got.Context)
	}
}

// TestFactsOfAddedWords: what a style sheet adds to a control is read with its words if it is drawn: the tooltip of a cross inside is not.
func TestFactsOfAddedWords(t *testing.T) {
	tb := open(t, `<style>i::after{content:attr(title)} .none i::after{display:none} .clear i::after{opacity:0} .hidden i::after{visibility:hidden}</style>
<div id=drawn role=tab tabindex=0>Plans <i title=Leave></i></div><div id=none class=none role=tab tabindex=0>Plans <i title=Leave></i></div>
<div id=clear class=clear role=tab tabindex=0>Plans <i title=Leave></i></div><div id=hidden class=hidden role=tab tabindex=0>Plans <i title=Leave></i></div>`)
	for id, want := range map[string]string{"drawn": "Leave Plans", "none": "", "clear": "", "hidden": ""} {
		if got := found(tb, "#"+id).Target.Seen; got != want {
			t.Errorf("%s is seen as %q, want %q", id, got, want)
		}
	}
}

// TestFactsOfWhatCommits: which controls take effect as they are changed, what a script sends for a
// link, what is asked first, what opens, what stands in a dialog and whether anything is written yet.
func TestFactsOfWhatCommits(t *testing.T) {
	tb := open(t, `<form><select id=alone><option>a<option>b</select></form>
<form><input id=range type=range></form><form><input id=text></form><form><input id=tick type=checkbox></form>
<form><input id=waits type=number><button>Save</button></form>
<form><input id=inline onchange="this.form.submit()"><button>Save</button></form>
<form><label><input type=radio name=r id=one>One</label><label><input type=radio name=r>Two</label></form>
<a id=put data-method=put href="/users/5">Lock</a><a id=del href="/x" data-confirm="Are you sure?" data-method=delete><span id=in>Away</span></a><a id=plain href="/y" data-method=get>Look</a>
<button id=hx hx-post="/like">Like</button>
<button id=menu aria-haspopup=menu>More</button><div id=closed role=combobox tabindex=0 aria-expanded=false>All users</div><div id=opened role=combobox tabindex=0 aria-expanded=true>All users</div>
<button id=asks data-target="#sure">Delete</button><button id=bare aria-controls=sure>Delete</button><div id=div data-bs-target="#sure">Delete</div><a id=jumps href="#sure">Security settings</a><a id=leads href=sure>Sure</a><button id=says aria-controls=said>Delete</button><button id=shows aria-controls=part>Delete</button>
<form><button id=sends data-target="#sure">Delete</button></form>
<div id=sure style="display:none">Sure? <button>Yes</button><button>No</button></div><div id=said hidden>Deleted. <button>×</button></div><div id=part><button>1</button><button>2</button></div>
<div id=row onclick="1" style="cursor:pointer">Safari on iPhone <button>Revoke access</button></div>`)
	for id, want := range map[string]bool{"alone": true, "range": true, "text": false, "tick": false, "waits": false, "inline": true, "one": true} {
		if got := found(tb, "#"+id).Target.OnChange; got != want {
			t.Errorf("%s takes effect as it is changed: %v", id, got)
		}
	}
	for id, want := range map[string][2]string{"put": {"PUT", ""}, "del": {"DELETE", "Are you sure?"}, "in": {"DELETE", "Are you sure?"}, "plain": {"", ""}, "hx": {"POST", ""}} {
		if got := found(tb, "#"+id).Target; got.Method != want[0] || got.Asks != want[1] {
			t.Errorf("%s: method %q, asks %q", id, got.Method, got.Asks)
		}
	}
	for id, want := range map[string]bool{"menu": true, "closed": true, "opened": false, "put": false, "asks": true, "bare": true, "div": true, "jumps": true, "leads": false, "says": false, "shows": false, "sends": false} {
		if got := found(tb, "#"+id).Target.Opens; got != want {
			t.Errorf("%s opens: %v", id, got)
		}
	}
	if got := found(tb, "#row").Target; strings.Contains(got.Text+got.Name, "Revoke") || !strings.Contains(got.Text, "Safari") {
		t.Errorf("a row with a button says %q, is called %q", got.Text, got.Name)
	}
	if got := found(tb, "#put").Target; !got.Blank || got.Dialog != "" {
		t.Errorf("nothing is written, no dialog is open: %+v", got)
	}
	tb.js(`document.body.insertAdjacentHTML("afterbegin", "<nav><button id=way>Payments</button></nav>")`)
	if !found(tb, "#way").Target.Nav || found(tb, "#put").Target.Nav {
		t.Error("a way about the site is not known from a link elsewhere")
	}
	tb.js(`document.body.insertAdjacentHTML("beforeend", "<input id=number type=number value=100>")`)
	if found(tb, "#put").Target.Blank {
		t.Error("an amount stands there")
	}
	tb.js(`document.querySelector("#number").remove(); document.querySelector("#text").value = "Hello"`)
	if found(tb, "#put").Target.Blank {
		t.Error("something is written")
	}
	tb.js(`document.body.insertAdjacentHTML("beforeend", '<div role=dialog aria-label="Edit label" style="position:fixed;inset:0;background:white"><button id=cancel>Cancel</button></div>')`)
	if got := found(tb, "#cancel").Target; got.Dialog != "Edit label" || got.Blank {
		t.Errorf("in a dialog: %q, blank %v", got.Dialog, got.Blank)
	}
	tb.js(`document.querySelector("[role=dialog]")?.remove(); document.body.insertAdjacentHTML("beforeend", '<div role=dialog style="position:fixed;inset:0;background:white"><div><p>Are you sure you want to shut down?</p><button>OK</button><button id=off>Cancel</button><button id=next data-target="#sure">Absolutely</button></div></div>')`)
	if got := found(tb, "#off").Target.Dialog; got != "Are you sure you want to shut down?" {
		t.Errorf("a dialog without a name: %q", got)
	}
	if found(tb, "#next").Target.Opens {
		t.Error("the answer of a dialog names a part, and counts as opening it")
	}
	tb.js(`const saved = document.createElement("div"); saved.innerHTML = '<form><input type=email name=mail value=ida@a.test id=mail><input type=checkbox name=all id=all checked aria-label="Share with everyone"><input name=same value=x><input type=hidden name=token value=1 id=token><button id=saves>Save</button></form>'; document.body.append(saved); mail.value = "eve@b.test", all.checked = false, token.value = 2`)
	was := map[string]string{}
	for _, f := range found(tb, "#saves").Target.Form.Fields {
		was[f.Name] = f.Was
	}
	if want := map[string]string{"mail": "ida@a.test", "all": "on", "same": "", "token": ""}; !maps.Equal(was, want) {
		t.Errorf("before, the fields held %q, want %q", was, want)
	}
}

// What fields held before, where scripts fill them and no attribute tells: what they held when their form was first
// told, or as soon as a script filled them, and never what input wrote, which a framework may copy to the markup. A
// ticked box may have an empty value.
func TestHeldBefore(t *testing.T) {
	tb := open(t, `<style>input { position: fixed; top: 10px; width: 20px; height: 20px; margin: 0 }</style><form>
<input id=mail type=email style="left:10px"><input id=all type=checkbox style="left:50px"><input id=none type=checkbox style="left:90px">
<input id=late style="left:130px"><input id=new style="left:170px" oninput="this.setAttribute('value', value)"><input id=bare type=checkbox checked value="" style="left:210px"><select id=role><option>Reader<option>Owner</select><textarea id=about></textarea>
<input id=same><button id=saves>Save</button></form><script>mail.value = "ida@a.test", all.checked = true, about.value = "Old", same.value = "x"</script>`)
	was := func() map[string]string {
		out := map[string]string{}
		for _, f := range found(tb, "#saves").Target.Form.Fields {
			if f.Was != "" {
				out[f.Name] = f.Was
			}
		}
		return out
	}
	if got := was(); len(got) > 0 {
		t.Errorf("nothing was changed, yet the fields held %q", got)
	}
	write := func(x float64) {
		tb.click(x, 20)
		tb.key("a", "KeyA", 65, "a")
	}
	write(20)
	tb.click(60, 20)
	tb.click(220, 20)
	tb.click(100, 20) // ticked and unticked again
	was()
	tb.click(100, 20)
	tb.js(`late.value = "Late"; role.value = "Owner"; about.value = "New"`)
	was()
	write(140)
	write(180)
	was()
	write(180)
	if got, want := was(), map[string]string{"mail": "ida@a.test", "all": "on", "bare": "on", "late": "Late", "role": "Reader", "about": "Old"}; !maps.Equal(got, want) {
		t.Errorf("before, the fields held %q, want %q", got, want)
	}
}

// What is said of the boxes beside a button: those that were ticked or cleared by input since the page was
// loaded, of its form or, where it has none, of its dialog.
func TestBoxesSetBeside(t *testing.T) {
	tb := open(t, `<style>input { position: fixed; top: 10px; width: 20px; height: 20px; margin: 0 }</style>
<section><h3>Share this folder with</h3><form id=f><label>Office <input id=office type=checkbox style="left:10px"></label>
<label>Home <input id=home type=checkbox style="left:50px" checked></label><button id=own>Save</button></form></section>
<button id=outside>Save</button><form><button id=other>Save</button></form><input id=text style="left:90px">`)
	set := func(id string) string { return strings.Join(found(tb, "#"+id).Target.Set, "|") }
	for _, id := range []string{"own", "outside"} {
		if got := set(id); got != "" {
			t.Errorf("beside %s stands %q before anything was ticked", id, got)
		}
	}
	tb.js(`document.querySelector("#home").dispatchEvent(new Event("change", { bubbles: true }))`) // a script's
	tb.click(20, 20)
	for _, id := range []string{"own", "outside"} {
		if got := set(id); !strings.HasPrefix(got, "Office · Share this folder with") || strings.Contains(got, "|") {
			t.Errorf("beside %s stands %q", id, got)
		}
	}
	for _, id := range []string{"other", "text"} {
		if got := set(id); got != "" {
			t.Errorf("beside %s stands %q", id, got)
		}
	}
	tb.click(20, 20)
	cleared := func() string { return strings.Join(found(tb, "#own").Target.Cleared, "|") }
	if got := set("own") + cleared(); got != "" {
		t.Errorf("of a box that is not ticked any more: %q", got)
	}
	tb.click(60, 20)
	if got := cleared(); !strings.HasPrefix(got, "Home · Share this folder with") || set("own") != "" {
		t.Errorf("of a box that was cleared: %q, %q", got, set("own"))
	}
	tb.click(60, 20)
	if got := set("own") + cleared(); got != "" {
		t.Errorf("of a box that is ticked as before: %q", got)
	}
}

// What is drawn on: a canvas, a picture in which something has the keyboard, what they fill. The
// picture on a button, a drawing behind a page and a field on one are none.
func TestDrawn(t *testing.T) {
	tb := open(t, `<style>canvas, svg { display: block }</style><canvas id=canvas tabindex=0 width=300 height=200></canvas>
<div id=around tabindex=0 style="width:300px;height:200px;overflow:hidden"><svg width=2000 height=2000><g id=node tabindex=0><rect width=40 height=20 /></g></svg></div>
<div id=page style="width:300px"><canvas width=300 height=200></canvas></div>
<button id=button><svg width=16 height=16></svg></button>
<div id=list tabindex=0 style="width:300px;height:400px"><canvas width=300 height=200></canvas><p>Letter from Ann</p></div>
<div id=field tabindex=0 contenteditable style="width:300px"><svg width=300 height=200></svg></div>`)
	for id, want := range map[string]bool{"canvas": true, "around": true, "node": true, "page": false, "button": false, "list": false, "field": false} {
		if got := found(tb, "#"+id).Target.Drawn; got != want {
			t.Errorf("%s is drawn on: %v", id, got)
		}
	}
}

// TestItemOfMenu: a menu's choices are no name of the place that they stand in; a card is
// named by its words, however many links it has.
func TestItemOfMenu(t *testing.T) {
	links := `<a class=t href=/1>Edit</a> <a href=/2>Move</a> <a href=/3>Copy</a> <a href=/4>Delete</a>`
	for html, want := range map[string]string{
		`<div class=m>` + links + `</div><div class=m><a href=/5>Help</a></div>`:                      "",
		`<div class=m><b>Mug</b> ` + links + `</div><div class=m><b>Pot</b><a href=/5>Help</a></div>`: "Mug Edit Move Copy Delete",
		`<ul><li>` + links + `<li><a href=/5>Help</a></ul>`:                                           "Edit Move Copy Delete",
	} {
		if got := found(open(t, "<body>"+html), ".t").Target.Item; got != want {
			t.Errorf("%s: in %q, want %q", html, got, want)
		}
	}
}
