package action

import (
	"strconv"
	"strings"
	"testing"

	"tabwright/host/browser"
)

// TestRealHardPicks: a box that grows with what is chosen is the same box; fields
// that lie nowhere while their box says what is chosen are listed and chosen from;
// a combobox that is called by what is chosen in it says what it stands beside,
// and stays what it is; a list that comes with a field to search in is searched; one
// that opens with the press, over what was pressed, is open; one that is drawn beside
// the list that is told is chosen from, and its field holds no password; a button that has a label
// says what it shows.
func TestRealHardPicks(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_picks.html")
		list := l.ok("getElements", p{}).Text
		has(t, list, `combobox "Woods" value="Ash"`, `combobox "Size" value="Pick"`, `combobox "Wood" value="Ash"`, `combobox "Rome" near="Town"`, `combobox "Ripe" value="Any"`, `combobox "Hue" value="Red"`, `button "Born" value="May 4, 2026"`)
		if strings.Contains(list, "textbox") || strings.Contains(list, "clickable") || strings.Contains(list, "secret") {
			t.Errorf("listed twice, or for what it is not:\n%s", list)
		}
		for _, tt := range []struct {
			name, key string
			by        p
			want      string // the page's own record
			says      string // what the result says is chosen
		}{
			{"Colours", "Colours", p{"values": []string{"Ash", "Cedar"}}, "Ash,Cedar", "Ash Cedar"},
			{"Woods", "Woods", p{"values": []string{"Beech", "Cedar"}}, "Ash,Beech,Cedar", "Ash Beech Cedar"},
			{"Lit", "Lit", p{"value": "Ash"}, "Ash", "Ash"}, // the list lights up the next one
			{"Size", "Size", p{"value": "Beech"}, "Beech", "Beech"},
			{"Wood", "Wood", p{"value": "Cedar"}, "Cedar", "Cedar"},
			{"Hue", "hue", p{"value": "Blue"}, "Blue", "Blue"}, // not one of those that are told
			{"Rome", "town", p{"value": "Oslo"}, "Oslo", "Oslo"},
			{"Ripe", "ripe", p{"value": "No"}, "No", "No"},
		} {
			tt.by["index"] = l.found(p{"role": "combobox", "name": tt.name, "exact": true}).Index
			has(t, l.ok("select", tt.by).Text, `Chosen now: "`+tt.says+`"`)
			if got := l.eval("out[" + strconv.Quote(tt.key) + "]"); got != strconv.Quote(tt.want) {
				t.Errorf("%s: chosen in the page: %s, want %s", tt.name, got, tt.want)
			}
			if tt.key == "town" { // another name now, and the same control
				has(t, l.ok("select", p{"index": tt.by["index"], "value": "Ostrava"}).Text, `Chosen now: "Ostrava"`)
				has(t, l.fails(NotFound, "select", p{"index": tt.by["index"], "value": "Paris"}).Text, `no option "Paris"`)
				if got := l.eval(`document.querySelector("[type=search]").value`); got != `""` {
					t.Errorf("left in the field: %s", got)
				}
				l.eval(`document.querySelector(".pop").remove(), town.ariaExpanded = "false", 0`)
			}
		}
		has(t, l.ok("getOptions", p{"selector": "#ripe"}).Text, `"Any"`, `"No"`)
		l.eval(`ripes.remove(), ripe.ariaExpanded = "false", 0`)
		has(t, l.ok("click", p{"selector": "#ripe"}).Effect, `expanded "false" → "true"`)
		l.eval(`ripes.remove(), ripe.ariaExpanded = "false", 0`)
		options := l.ok("getOptions", p{"selector": "#hue input"}).Text
		has(t, options, "3 options", `"Blue" selected`)
		l.eval(`document.querySelector(".pop").remove(), hue.querySelector("input").ariaExpanded = "false", 0`)

		// What a menu shows once the mouse has stayed is waited for; what is open is told
		// where the page takes no presses beside it.
		l.ok("click", p{"selector": "#menu"})
		has(t, l.ok("hover", p{"selector": "#sub"}).Effect, `expanded "false" → "true"`, "Hammer")
		has(t, l.fails(Covered, "click", p{"selector": "#other"}).Text, `menu "Do"`)
	})
}

// TestRealHardPickRows: of rows that a list uses again the combobox of another one
// is told, whatever is chosen in it.
func TestRealHardPickRows(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_picks.html")
		l.eval(`document.body.insertAdjacentHTML("beforeend", ["Blue mug", "Oak lamp", "Tin cup"].map((n) => '<div class="row"><span>' + n + '</span><div class="control"><div class="value"><b>Small</b><input role="combobox" aria-label="Amount" aria-expanded="false"></div></div></div>').join("")), 0`)
		index := l.found(p{"role": "combobox", "name": "Amount", "nth": 1}).Index
		l.eval(`document.querySelectorAll(".row b")[1].textContent = "Very large", 0`)
		l.ok("focus", p{"index": index})
		l.eval(`document.querySelectorAll(".row span")[1].textContent = "Red hat", 0`)
		l.fails(StaleRef, "focus", p{"index": index})
	})
}
