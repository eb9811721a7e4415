package pagecontext_test

import (
	"context"
	"testing"
)

func (tb *tab) mouse(kind string, x, y float64) {
	tb.t.Helper()
	p := map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
	if kind == "mouseMoved" {
		p["button"] = "none"
	}
	tb.must(tb.cdp("Input.dispatchMouseEvent", p, nil))
}

func (tb *tab) click(x, y float64) {
	tb.t.Helper()
	tb.mouse("mouseMoved", x, y)
	tb.mouse("mousePressed", x, y)
	tb.mouse("mouseReleased", x, y)
}

func (tb *tab) key(key, code string, vk int, text string) {
	tb.t.Helper()
	p := map[string]any{"type": "keyDown", "key": key, "code": code, "windowsVirtualKeyCode": vk, "text": text}
	tb.must(tb.cdp("Input.dispatchKeyEvent", p, nil))
	p["type"], p["text"] = "keyUp", ""
	tb.must(tb.cdp("Input.dispatchKeyEvent", p, nil))
}

type report struct {
	Arrived int
	Stopped []struct{ Type, Why, On string }
}

func (tb *tab) arm(r resolved, kind string) {
	tb.t.Helper()
	do[any](tb, "arm", map[string]any{"token": "t", "id": r.ID, "fingerprint": r.Target.Fingerprint, "kind": kind, "ms": 5000})
}

func (tb *tab) disarm() report { return do[report](tb, "disarm", map[string]any{"token": "t"}) }

// Each page counts in window.n what got through to it.
func TestGuard(t *testing.T) {
	const pay = `<body><p>Total <b id=total>$12</b></p><form id=f action=# onsubmit="n++;return false"><input name=a id=a value=1><button id=b style="width:120px;height:40px">Pay</button></form>
	<script>n=0</script>`
	cases := []struct {
		name, html string
		pass       bool
		why        string
	}{
		{"nothing changes", pay, true, ""},
		{"swapped on mousemove", pay + `<script>b.onmousemove=()=>{const c=document.createElement('button');c.style.cssText=b.style.cssText;c.textContent='Delete';b.replaceWith(c)}</script>`, false, "other_node"},
		{"a cover on mousemove", pay + `<script>b.onmousemove=()=>{document.body.insertAdjacentHTML('beforeend','<div style="position:fixed;inset:0" onclick="n++"></div>')}</script>`, false, "other_node"},
		{"the amount on mousemove", pay + `<script>b.onmousemove=()=>{total.textContent='$1200'}</script>`, false, "facts_changed"},
		{"the name on mousemove", pay + `<script>b.onmousemove=()=>{b.textContent='Delete'}</script>`, false, "facts_changed"},
		{"the value on mousemove", pay + `<script>b.onmousemove=()=>{a.value='1000'}</script>`, false, "facts_changed"},
		{"the action on mousemove", pay + `<script>b.onmousemove=()=>{f.action='/evil'}</script>`, false, "facts_changed"},
		{"the name between press and release", pay + `<script>b.onmousedown=()=>{b.textContent='Delete'}</script>`, false, "facts_changed"},
		{"a nested button on mousemove", pay + `<script>b.onmousemove=()=>{f.insertAdjacentHTML('beforeend','<div style="position:absolute;left:0;top:0;width:500px;height:300px;cursor:pointer" onclick="n++">x</div>')}</script>`, false, "other_node"},
		{"hover changes its colour", pay + `<style>button:hover{color:red}</style>`, true, ""},
		{"a name for the waiting", pay + `<script>f.addEventListener('click',()=>{b.textContent='Sending…'},true)</script>`, true, ""},
		{"a hidden field filled on click", pay + `<script>b.onclick=()=>{f.insertAdjacentHTML('beforeend','<input type=hidden name=js value=1>')}</script>`, true, ""},
		{"the action changed on click", pay + `<script>b.onclick=()=>{f.action='/evil'}</script>`, false, "facts_changed"},
	}
	tb := newTab(t)
	for _, c := range cases {
		tb.goTo(c.html)
		r := found(tb, "#b")
		at := ready(tb, r.ID, "click", 1000).Point
		tb.arm(r, "pointer")
		tb.click(at.X, at.Y)
		rep := tb.disarm()
		n, _ := tb.js(`n`).(float64)
		if passed := n == 1 && len(rep.Stopped) == 0; passed != c.pass || !c.pass && n != 0 {
			t.Errorf("%s: page saw %v, report %+v", c.name, n, rep)
			continue
		}
		if !c.pass && rep.Stopped[0].Why != c.why {
			t.Errorf("%s: stopped for %s, want %s", c.name, rep.Stopped[0].Why, c.why)
		}
		if c.pass && rep.Arrived < 5 {
			t.Errorf("%s: only %d events counted", c.name, rep.Arrived)
		}
	}
}

func TestGuardLetsLabelsAndKeysThrough(t *testing.T) {
	tb := open(t, `<body><label id=l>Agree <input id=c type=checkbox></label><form id=f action=# onsubmit="n=(window.n||0)+1;return false"><input id=q name=q><button id=go>Go</button></form><textarea id=x></textarea></body>`)
	l := found(tb, "#l")
	tb.arm(l, "pointer")
	at := ready(tb, l.ID, "click", 1000).Point
	tb.click(at.X, at.Y)
	if rep := tb.disarm(); len(rep.Stopped) > 0 || tb.js(`c.checked`) != true {
		t.Errorf("label: %+v", rep)
	}
	c := found(tb, "#c")
	tb.arm(c, "pointer")
	at = ready(tb, c.ID, "click", 1000).Point
	tb.click(at.X, at.Y)
	if rep := tb.disarm(); len(rep.Stopped) > 0 || tb.js(`c.checked`) != false {
		t.Errorf("checkbox: %+v", rep)
	}

	// Typing changes the value; that is what typing is for.
	q := found(tb, "#q")
	do[any](tb, "focus", map[string]any{"id": q.ID})
	tb.arm(q, "key")
	for _, r := range "blue mug" {
		tb.key(string(r), "", int(r), string(r))
	}
	if rep := tb.disarm(); len(rep.Stopped) > 0 || tb.js(`q.value`) != "blue mug" {
		t.Errorf("typing: %+v", rep)
	}
	tb.arm(q, "key")
	tb.must(tb.cdp("Input.insertText", map[string]any{"text": "s"}, nil))
	if rep := tb.disarm(); len(rep.Stopped) > 0 || tb.js(`q.value`) != "blue mugs" {
		t.Errorf("insertText: %+v", rep)
	}
	// Enter is an act of its own: judged before, the value counts.
	old := q
	tb.arm(old, "key")
	tb.key("Enter", "Enter", 13, "\r")
	if rep := tb.disarm(); len(rep.Stopped) == 0 || tb.js(`window.n||0`) != 0.0 {
		t.Errorf("Enter with an old judgement went through: %+v", rep)
	}
	q = found(tb, "#q")
	tb.arm(q, "key")
	tb.key("Enter", "Enter", 13, "\r")
	if rep := tb.disarm(); len(rep.Stopped) > 0 || tb.js(`window.n||0`) != 1.0 {
		t.Errorf("Enter: %+v", rep)
	}
	// The keyboard went elsewhere.
	q = found(tb, "#q")
	tb.js(`x.focus()`)
	tb.arm(q, "key")
	tb.key("a", "KeyA", 65, "a")
	if rep := tb.disarm(); len(rep.Stopped) == 0 || rep.Stopped[0].Why != "other_node" || tb.js(`x.value`) != "" {
		t.Errorf("stolen focus: %+v", rep)
	}
	// Space on a button is a press.
	b := found(tb, "#go")
	do[any](tb, "focus", map[string]any{"id": b.ID})
	tb.arm(b, "key")
	tb.key(" ", "Space", 32, " ")
	if rep := tb.disarm(); len(rep.Stopped) > 0 || tb.js(`n`) != 2.0 {
		t.Errorf("Space: %+v", rep)
	}
}

func TestGuardOfADrag(t *testing.T) {
	const page = `<body style="margin:0"><style>div{position:absolute;width:80px;height:80px;top:0}</style><div id=a tabindex=0 style="left:0">A</div><div id=b tabindex=0 style="left:200px">B</div><div id=c tabindex=0 style="left:400px">C</div>
	<script>ups=0;onmouseup=()=>ups++;</script>`
	cases := []struct {
		name, js string
		x        float64
		pass     bool
	}{
		{"onto the target", ``, 240, true},
		{"the dragged thing follows the mouse", `a.style.zIndex=9;onmousemove=e=>{a.style.left=e.clientX-40+'px'}`, 240, true},
		{"onto something else", ``, 440, false},
		{"following the mouse onto something else", `a.style.zIndex=9;onmousemove=e=>{a.style.left=e.clientX-40+'px'}`, 440, false},
		{"the target makes room", `a.style.zIndex=9;onmousemove=e=>{a.style.left=e.clientX-40+'px';if(e.clientX>190)b.style.left='110px'}`, 240, true},
		{"the target is swapped", `b.onmousemove=()=>{b.style.left='600px';c.style.left='200px'}`, 240, false},
	}
	tb := newTab(t)
	for _, c := range cases {
		tb.goTo(page)
		tb.js(c.js + ";0")
		a, b := found(tb, "#a"), found(tb, "#b")
		do[any](tb, "arm", map[string]any{"token": "t", "id": a.ID, "dropId": b.ID, "fingerprint": a.Target.Fingerprint, "kind": "drag", "ms": 5000})
		tb.mouse("mouseMoved", 40, 40)
		tb.mouse("mousePressed", 40, 40)
		for x := 40.0; x <= c.x; x += 20 {
			tb.must(tb.cdp("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": 40, "button": "left", "buttons": 1}, nil))
		}
		tb.mouse("mouseReleased", c.x, 40)
		rep := tb.disarm()
		if got := len(rep.Stopped) == 0 && tb.js(`ups`) == 1.0; got != c.pass {
			t.Errorf("%s: %+v", c.name, rep)
		}
	}
}

func TestGuardEnds(t *testing.T) {
	tb := open(t, `<body><button id=a style="position:absolute;left:0;top:0;width:100px;height:50px">A</button><button id=b onclick="n++" style="position:absolute;left:200px;top:0;width:100px;height:50px">B</button><script>n=0</script></body>`)
	tb.arm(found(tb, "#a"), "pointer")
	tb.js(`b.click()`) // the page's own events are none of our business
	if n := tb.js(`n`); n != 1.0 {
		t.Errorf("a click by script was stopped: n=%v", n)
	}
	tb.disarm()
	tb.click(250, 25)
	if n := tb.js(`n`); n != 2.0 {
		t.Errorf("after disarm a click was stopped: n=%v", n)
	}
	do[any](tb, "arm", map[string]any{"token": "t", "id": found(tb, "#a").ID, "fingerprint": "", "kind": "pointer", "ms": 1})
	tb.js(`new Promise(r=>setTimeout(r,30))`)
	tb.click(250, 25)
	if n := tb.js(`n`); n != 3.0 {
		t.Errorf("a guard outlived its time: n=%v", n)
	}
}

func TestGuardAroundFrames(t *testing.T) {
	tb := open(t, `<body style="margin:0"><iframe id=i srcdoc="<body style='margin:0'><button id=b style='width:100px;height:50px' onclick='parent.n++'>In</button>" style="position:absolute;left:100px;top:100px;border:0"></iframe>
	<button id=o onclick="n++" style="position:absolute;left:500px;top:0;width:100px;height:50px">Out</button><script>n=0</script></body>`)
	ctx := context.Background()
	fs, err := tb.Frames(ctx)
	tb.must(err)
	child := fs[1]
	var in resolved
	tb.must(child.Call(ctx, "resolve", map[string]any{"selector": "#b"}, &in))
	owner := found(tb, "#i")
	arm := func() {
		do[any](tb, "arm", map[string]any{"token": "t", "id": 0, "iframeId": owner.ID, "fingerprint": "", "kind": "pointer", "ms": 5000})
		tb.must(child.Call(ctx, "arm", map[string]any{"token": "t", "id": in.ID, "fingerprint": in.Target.Fingerprint, "kind": "pointer", "ms": 5000}, nil))
	}
	arm()
	tb.click(150, 120)
	var rep report
	tb.must(child.Call(ctx, "disarm", map[string]any{"token": "t"}, &rep))
	if outer := tb.disarm(); len(outer.Stopped)+len(rep.Stopped) > 0 || rep.Arrived == 0 || tb.js(`n`) != 1.0 {
		t.Errorf("into the frame: outer %+v inner %+v", outer, rep)
	}
	arm()
	tb.click(550, 20)
	if outer := tb.disarm(); len(outer.Stopped) == 0 || tb.js(`n`) != 1.0 {
		t.Errorf("beside the frame: %+v", outer)
	}
}
