package agent

import (
	"fmt"
	"strings"
	"testing"

	"tabwright/host/action"
)

const cartPage = `URL: https://shop.test/cart
Title: Your cart
--- main ---
[1] link "Blue mug, small" -> /p/1
$12.50
[3] link "Red plate" -> /p/2
$24.99
[5] link "Blue bowl" -> /p/3
$8.25 instead of $9.75
[7] link "Spoon" -> /p/4
$3.10
Shipping: $4.90`

// An answer may give what follows from the figures of a page without them; what
// doesn't follow is sent back all the same.
func TestWhatFollowsFromThePageIsTakenForSeen(t *testing.T) {
	for name, c := range map[string]struct{ task, answer, unseen string }{
		"all of it":                {"what is the total?", "Together it is $53.74.", ""},
		"without shipping":         {"", "The items come to $48.84.", ""},
		"two of them":              {"", "The mug and the bowl are $20.75.", ""},
		"by a word of the answer":  {"", "The blue ones cost $20.75 in all.", ""},
		"by a word of the task":    {"add up what is blue", "$20.75", ""},
		"the mean":                 {"", "Shipping counted, an item costs $10.75 on average.", ""},
		"a difference":             {"", "The plate is $12.49 dearer.", ""},
		"several of one":           {"", "A set of six costs $75.00.", ""},
		"what was saved":           {"", "You save $1.50.", ""},
		"the items wrongly added":  {"", "The items come to $49.84.", "$49.84"},
		"wrong by a cent":          {"", "Together it is $53.75.", "$53.75"},
		"a total of nothing":       {"buy it", "I paid $61.20 for it.", "$61.20"},
		"a price of nothing":       {"", "The mug costs $13.75.", "$13.75"},
		"an order of nothing":      {"", "Order BM-20418 is placed.", "BM-20418"},
		"a share of nothing":       {"", "That is 31% less.", "31%"},
		"an index is no figure":    {"", "There are 1357 of them.", "1357"},
		"in Chinese":               {"蓝色的一共多少钱？", "一共 $53.74。", ""},
		"in Chinese, and not true": {"蓝色的一共多少钱？", "一共 $54.74。", "$54.74"},
	} {
		var e evidence
		e.look(action.Observation{Text: cartPage})
		if got := strings.Join(e.unseen(c.answer, c.task), ", "); got != c.unseen {
			t.Errorf("%s: unseen %q, want %q", name, got, c.unseen)
		}
	}
}

// A name that begins a line without a role is no role that is counted.
func TestNamesAreNotCountedAsRoles(t *testing.T) {
	var e evidence
	e.tabulate("[1] link Mug|2 button Add\n[3] Cup|4 Add\n[5] Cup\n[6] link Help")
	if got := e.tables[0].items; len(got) != 1 || got["link"] != 2 {
		t.Errorf("%v", got)
	}
}

func TestACountOfRowsIsTakenForSeen(t *testing.T) {
	var list strings.Builder
	for i := range 137 {
		state := "open"
		if i < 104 {
			state = "closed"
		}
		fmt.Fprintf(&list, "[%d] link \"Ticket %d\" %s\n", i+1, 5000+i*7, state)
	}
	for answer, want := range map[string]string{
		"There are 137 tickets.": "", "104 of them are closed.": "", "There are 140 tickets.": "140", "121 are closed.": "121",
	} {
		var e evidence
		e.look(action.Observation{Text: list.String()})
		if got := strings.Join(e.unseen(answer, ""), ", "); got != want {
			t.Errorf("%s: unseen %q, want %q", answer, got, want)
		}
	}
}

// On a long page an amount out of nothing is rarely the sum of something.
func TestFewAmountsFollowFromALongPage(t *testing.T) {
	var page strings.Builder
	for i := range 60 {
		fmt.Fprintf(&page, "[%d] link \"Thing %c\"\n$%d.%02d\n", i+1, 'a'+i%26, 5+(i*37)%90, (i*53)%100)
	}
	var e evidence
	e.look(action.Observation{Text: page.String()})
	taken, tried := 0, 0
	for cents := 1013; cents < 60000; cents += 97 {
		tried++
		if len(e.unseen(fmt.Sprintf("I paid $%d.%02d for the thing.", cents/100, cents%100), "buy the thing")) == 0 {
			taken++
		}
	}
	if taken*20 > tried {
		t.Errorf("%d of %d amounts out of nothing are accepted", taken, tried)
	}
	t.Logf("%d of %d amounts out of nothing are accepted", taken, tried)
}
