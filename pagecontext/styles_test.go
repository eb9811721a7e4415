package pagecontext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestStylesThatAreKeptAreAlive: what a look learned of how things are drawn is no
// older than the look, though the objects it is read by are kept: not after a class,
// a style sheet or a place in the tree has changed.
func TestStylesThatAreKeptAreAlive(t *testing.T) {
	tb := open(t, `<style id=s>.new::before{content:"New "}.last::after{content:" left"}.gone{display:none}.clear{opacity:0}</style>
<a id=a href=/a>Mug</a> <a id=b href=/b><span id=w>Blue</span><span>bowl</span></a> <button id=c>Buy</button>
<p id=in class=new><a id=d href=/d>Cup</a></p><section id=out></section>`)
	for i, step := range []struct {
		js   string
		want []string
	}{
		{"0", []string{"Mug", "Bluebowl", "Buy", "Cup"}},
		{"a.className = 'new'", []string{"New Mug", "Bluebowl", "Buy", "Cup"}},
		{"a.className = 'last'; w.style.display = 'block'", []string{"Mug left", "Blue bowl", "Buy", "Cup"}},
		{"s.sheet.insertRule('a::before{content:\"Go \"}'); c.className = 'gone'", []string{"Go Mug left", "Go Blue bowl", "Go Cup"}},
		{"s.disabled = true; c.className = ''; out.append(d)", []string{"Mug", "Blue bowl", "Buy", "Cup"}},
		{"s.disabled = false; s.textContent = '#out a{color:#fff} #c{cursor:pointer}'", []string{"Mug", "Blue bowl", "Buy"}},
		// A page of more elements than styles are kept of, and back.
		{"out.innerHTML = '<i></i>'.repeat(1200)", []string{"Mug", "Blue bowl", "Buy"}},
		{"out.remove(); w.style.display = ''; a.style.cssText = 'visibility:hidden'", []string{"Bluebowl", "Buy"}},
	} {
		tb.js(fmt.Sprintf("(() => { %s })()", step.js))
		var got []string
		for _, e := range inWorld[slicedList](tb, `__tabwright.list({})`).Elements {
			got = append(got, e.Name)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("step %d, after %s: %s, want %s", i, step.js, strings.Join(got, ", "), strings.Join(step.want, ", "))
		}
	}
}
