package pagecontext_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// none is Chromium's name where it has none and ours has one.
const none = "(none)"

// accname holds the examples of "Accessible Name and Description Computation
// 1.2" (W3C) and what its steps say, by step. #t is the element that is named.
var accname = []struct {
	step, html, want string
	chromium         string // where it says something else than we do: see the comment there
}{
	// 2A: hidden, and not referred to
	{"2A hidden text is left out", `<button id=t>Save <span hidden>now</span></button>`, "Save", ""},
	{"2A display none", `<button id=t>Save <span style="display:none">now</span></button>`, "Save", ""},
	{"2A visibility hidden", `<button id=t>Save <span style="visibility:hidden">now</span></button>`, "Save", ""},
	{"2A aria-hidden", `<button id=t>Save <span aria-hidden=true>now</span></button>`, "Save", ""},
	{"2A visible within visibility hidden", `<button id=t>Save <span style="visibility:hidden">not <b style="visibility:visible">now</b></span></button>`, "Save now", ""},
	{"2A a hidden label that is referred to counts", `<button id=t aria-labelledby=l>x</button><span id=l hidden>Send</span>`, "Send", ""},
	{"2A a hidden label that is referred to counts with all that is in it", `<button id=t aria-labelledby=l>x</button><span id=l style="display:none">Send <i>now</i></span>`, "Send now", ""},
	{"2A visibility hidden, referred to", `<button id=t aria-labelledby=l>x</button><span id=l style="visibility:hidden">Send</span>`, "Send", ""},
	{"2A a child hidden in a label that is not hidden", `<button id=t aria-labelledby=l>x</button><span id=l>Send <i hidden>later</i></span>`, "Send", ""},
	// A user sees that label all the same.
	{"2A label, hidden by aria", `<input id=t><label for=t aria-hidden=true>Name</label>`, "Name", none},

	// 2B: aria-labelledby
	{"2B example: a chain of two is not followed", `<div id=e1 aria-labelledby=e3></div><button id=t aria-labelledby=e1></button><div id=e3>hello</div>`, "", ""},
	{"2B example: what is referred to is named", `<button id=t aria-labelledby=e3></button><div id=e3>hello</div>`, "hello", ""},
	{"2B example: itself and another", `<a id=f href=./a.pdf>Documentation.pdf</a><span role=button tabindex=0 id=t aria-label=Delete aria-labelledby="t f"></span>`, "Delete Documentation.pdf", ""},
	{"2B several, in the order of the list", `<b id=b>two</b><b id=a>one</b><button id=t aria-labelledby="a b">x</button>`, "one two", ""},
	{"2B one of the ids is missing", `<b id=a>one</b><button id=t aria-labelledby="none a">x</button>`, "one", ""},
	{"2B all ids missing: the next step", `<button id=t aria-labelledby="none">Save</button>`, "Save", ""},
	{"2B before aria-label", `<b id=a>one</b><button id=t aria-label=two aria-labelledby=a>x</button>`, "one", ""},
	{"2B an aria-label in what is referred to", `<b id=a aria-label=one>two</b><button id=t aria-labelledby=a>x</button>`, "one", ""},
	{"2B an image that is referred to", `<img id=a alt=Search src="data:,"><button id=t aria-labelledby=a>x</button>`, "Search", ""},
	{"2B the value of a field that is referred to", `<span id=l>Every</span><input id=t value=5 aria-labelledby="l t u"><span id=u>minutes</span>`, "Every 5 minutes", ""},

	// 2C: embedded controls
	{"2C a textbox in a label", `<input type=checkbox id=t><label for=t>Flash the screen <input value=5> times</label>`, "Flash the screen 5 times", ""},
	{"2C role textbox", `<input type=checkbox id=t><label for=t>Flash the screen <span role=textbox>5</span> times</label>`, "Flash the screen 5 times", ""},
	{"2C a select in a label", `<input type=checkbox id=t><label for=t>Flash the screen <select><option>1<option selected>3</select> times</label>`, "Flash the screen 3 times", ""},
	{"2C a listbox in a label", `<input type=checkbox id=t><label for=t>Flash the screen <span role=listbox><span role=option>1</span> <span role=option aria-selected=true>2</span></span> times</label>`, "Flash the screen 2 times", ""},
	{"2C a combobox with its listbox", `<input type=checkbox id=t><label for=t>Flash the screen <div role=combobox><div role=textbox></div><ul role=listbox style="list-style-type:none"><li role=option aria-selected=true>1</li><li role=option>2</li></ul></div> times</label>`, "Flash the screen 1 times", ""},
	{"2C a slider's text", `<input type=checkbox id=t><label for=t>Flash the screen <span role=slider aria-valuetext=two aria-valuenow=2></span> times</label>`, "Flash the screen two times", ""},
	{"2C a spin button's number", `<input type=checkbox id=t><label for=t>Flash the screen <span role=spinbutton aria-valuenow=3></span> times</label>`, "Flash the screen 3 times", ""},
	{"2C a range", `<input type=checkbox id=t><label for=t>Flash the screen <input type=range value=4 max=9> times</label>`, "Flash the screen 4 times", ""},
	{"2C a meter", `<input type=checkbox id=t><label for=t>Flash the screen <meter value=5 max=9></meter> times</label>`, "Flash the screen 5 times", ""},

	// 2D: aria-label
	{"2D aria-label", `<button id=t aria-label=Close>X</button>`, "Close", ""},
	{"2D white space only is none", `<button id=t aria-label="  ">X</button>`, "X", ""},
	{"2D in a child", `<button id=t>Go <span aria-label=home>x</span></button>`, "Go home", ""},

	// 2E: the host language
	{"2E label for", `<label for=t>Name</label><input id=t>`, "Name", ""},
	{"2E label around", `<label>Name <input id=t></label>`, "Name", ""},
	{"2E two labels", `<label for=t>First</label><label for=t>name</label><input id=t>`, "First name", ""},
	{"2E label with a field in it", `<label>Every <input id=t value=5> minutes</label>`, "Every minutes", ""},
	{"2E alt", `<a href=# id=t><img alt=Home src="data:,"></a>`, "Home", ""},
	{"2E empty alt", `<button id=t><img alt="" src="data:,">Home</button>`, "Home", ""},
	{"2E an image's title", `<button id=t><img title=Home src="data:,"></button>`, "Home", ""},
	{"2E svg title", `<button id=t><svg width=9 height=9><title>Home</title></svg></button>`, "Home", ""},
	{"2E svg labelled", `<button id=t><svg width=9 height=9 role=img aria-label=Home></svg></button>`, "Home", ""},
	{"2E fieldset", `<fieldset id=t><legend>Address</legend><input></fieldset>`, "Address", ""},
	{"2E table caption", `<table id=t><caption>Prices</caption><tr><td>1</table>`, "Prices", ""},
	{"2E figure", `<figure id=t><img alt=x src="data:,"><figcaption>A mug</figcaption></figure>`, "A mug", none}, // HTML-AAM names it
	{"2E submit without a value", `<input type=submit id=t>`, "Submit", ""},
	{"2E reset without a value", `<input type=reset id=t>`, "Reset", ""},
	{"2E button value", `<input type=button id=t value=Go>`, "Go", ""},
	{"2E image button alt", `<input type=image id=t alt=Go src="data:,">`, "Go", ""},
	{"2E image button without alt", `<input type=image id=t src="data:,">`, "Submit", ""},
	{"2E area", `<map name=m><area id=t href=# alt=North shape=rect coords="0,0,9,9"></map><img usemap=#m width=9 height=9 src="data:,">`, "North", none}, // its tree has no such node
	{"2E iframe title", `<iframe id=t title=Map></iframe>`, "Map", ""},
	{"2E optgroup", `<select size=4><optgroup id=t label=Fruit><option>Pear</optgroup></select>`, "Fruit", ""},
	{"2E option label", `<select size=4><option id=t label=Pear>p</select>`, "Pear", ""},

	// 2F: content
	{"2F content", `<button id=t>Save <b>all</b></button>`, "Save all", ""},
	{"2F blocks are apart", `<button id=t><div>Save</div><div>all</div></button>`, "Save all", ""},
	{"2F inline is together", `<a href=# id=t>S<b>ave</b></a>`, "Save", ""},
	{"2F line break", `<button id=t>Save<br>all</button>`, "Save all", ""},
	{"2F inline block is apart", `<button id=t><span style="display:inline-block">Save</span><span style="display:inline-block">all</span></button>`, "Save all", ""},
	{"2F heading", `<h2 id=t>Part <em>one</em></h2>`, "Part one", ""},
	{"2F checkbox by content of role", `<div role=checkbox id=t tabindex=0>Agree</div>`, "Agree", ""},
	{"2F link with an image and words", `<a href=# id=t><img alt=Mug src="data:,"> Blue</a>`, "Mug Blue", ""},
	{"2F a picture's words stand apart from the text beside it", `<a href=# id=t><img alt=Cart src="data:,"><b>3</b></a>`, "Cart 3", ""},
	{"2F so do a drawing's", `<a href=# id=t><svg width=9 height=9 role=img><title>Cart</title></svg><b>3</b></a>`, "Cart 3", ""},
	{"2F and those of a label", `<a href=# id=t><i aria-label=Cart></i><b>3</b></a>`, "Cart 3", ""},
	{"2F what a flex box lays out is apart", `<button id=t style="display:flex"><b>New</b>item<em>now</em></button>`, "New item now", ""},
	{"2F what is above words is no part of them", `<a href=# id=t>A<ruby>B<rt>b</rt></ruby>C</a>`, "ABC", ""},
	{"2F a shape's title", `<svg width=50 height=50><rect id=t role=button tabindex=0 width=9 height=9><title>Seat 1A</title></rect></svg>`, "Seat 1A", ""},
	{"2F textbox is not named by content", `<div role=textbox contenteditable id=t>Hello</div>`, "", ""},
	{"2F combobox is not named by content", `<div role=combobox tabindex=0 id=t>Pear</div>`, "", ""},
	{"2F menu item", `<div role=menu><div role=menuitem id=t>Open <kbd>O</kbd></div></div>`, "Open O", ""},
	{"2F tab", `<div role=tablist><div role=tab id=t tabindex=0>Mail <span>3</span></div></div>`, "Mail 3", ""},
	{"2F option", `<ul role=listbox><li role=option id=t>Pear</li></ul>`, "Pear", ""},
	{"2F switch", `<button role=switch aria-checked=true id=t>Wi-Fi</button>`, "Wi-Fi", ""},
	{"2F tree item", `<ul role=tree><li role=treeitem id=t>Src</li></ul>`, "Src", ""},
	{"2F summary", `<details><summary id=t>More</summary>text</details>`, "More", ""},
	{"2F grid cell", `<table role=grid><tr><td role=gridcell id=t tabindex=0>4</table>`, "4", ""},
	{"2F before and after", `<style>#t::before{content:"<< "}#t::after{content:" >>"}</style><button id=t>Save</button>`, "<< Save >>", ""},
	{"2F after as a block", `<style>#t::after{content:"Browse";position:absolute}</style><button id=t>Choose file</button>`, "Choose file Browse", ""},
	{"2F before in a box", `<style>#t::before{content:"New";display:inline-block}</style><button id=t>mail</button>`, "New mail", ""},
	// Chromium takes what is painted; accname has the text, as a query, a user's words and the next style sheet do.
	{"2F in capitals by style", `<button id=t style="text-transform:uppercase">Sign in</button>`, "Sign in", "SIGN IN"},
	{"2F before alone", `<style>#t::before{content:"Menu"}</style><button id=t></button>`, "Menu", ""},
	{"2F slot", `<button id=t><template shadowrootmode=open></template>x</button>`, "x", ""},
	{"2F slotted text", `<my-b><template shadowrootmode=open><button id=in><slot></slot> now</button></template>Save</my-b><button id=t aria-labelledby=l></button><span id=l>ok</span>`, "ok", ""},

	// 2I: tooltip
	{"2I title", `<button id=t title=Close></button>`, "Close", ""},
	{"2I title after content", `<button id=t title=Close>X</button>`, "X", ""},
	{"2I title of a link", `<a href=# id=t title=Home></a>`, "Home", ""},
	{"2I title of a field", `<input id=t title=Name>`, "Name", ""},
	{"2I placeholder", `<input id=t placeholder=Name>`, "Name", ""},
	{"2I title before placeholder", `<input id=t title=A placeholder=B>`, "A", ""},
	{"2I title in a child", `<button id=t><span title=Close></span></button>`, "Close", none}, // step 2F with 2I

	{"whole: white space", "<button id=t>  Save \n\t all&nbsp; </button>", "Save all", ""},
	{"whole: no name", `<button id=t></button>`, "", ""},
}

// Example by example. Where Chromium says something else than the table, that
// is only allowed with what it says written beside it.
func TestAccname(t *testing.T) {
	tb := newTab(t)
	tb.must(tb.cdp("Accessibility.enable", nil, nil))
	tb.goTo("<body>")
	for _, c := range accname {
		tb.js(fmt.Sprintf("document.body.setHTMLUnsafe(%q)", c.html))
		fs, err := tb.Frames(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Element struct{ Name string }
			Error   *struct{ Message string }
		}
		if err := fs[0].Call(context.Background(), "resolve", map[string]any{"selector": "#t", "exact": true}, &got); err != nil {
			t.Fatal(err)
		}
		if got.Error != nil {
			t.Fatalf("%s: %s", c.step, got.Error.Message)
		}
		theirs := tb.chromiumName("#t")
		if got.Element.Name != c.want {
			t.Errorf("%s\n  %s\n  ours     %q\n  want     %q\n  Chromium %q", c.step, c.html, got.Element.Name, c.want, theirs)
		}
		want := c.chromium
		switch want {
		case "":
			want = c.want
		case none:
			want = ""
		}
		if theirs != want {
			t.Errorf("%s: Chromium says %q, not %q as the table has it", c.step, theirs, want)
		}
	}
}

// chromiumName is the name in Chromium's own tree.
func (tb *tab) chromiumName(selector string) string {
	tb.t.Helper()
	var obj struct{ Result struct{ ObjectID string } }
	tb.must(tb.cdp("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("document.querySelector(%q)", selector)}, &obj))
	var tree struct {
		Nodes []struct {
			Name struct{ Value any }
		}
	}
	tb.must(tb.cdp("Accessibility.getPartialAXTree", map[string]any{"objectId": obj.Result.ObjectID, "fetchRelatives": false}, &tree))
	if len(tree.Nodes) == 0 {
		return ""
	}
	s, _ := tree.Nodes[0].Name.Value.(string)
	return strings.Join(strings.Fields(s), " ")
}
