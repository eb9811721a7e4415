package pagecontext_test

import "testing"

// TestPlacesAreSeenOnce: where each control of a look stands is seen when the page
// has nothing else to do, after the look and not between its slices, and not again
// by a look at a page that has not changed since. A change of the page, and a
// scroll, make it new.
func TestPlacesAreSeenOnce(t *testing.T) {
	const rows = 300
	tb := open(t, `<div id=box style="height:400px; overflow:auto">`+manyRows(rows)+`</div>`)
	inWorld[bool](tb, fakeClock)
	// Each idle moment has time for a few of them by that clock.
	inWorld[bool](tb, `(() => {
		globalThis.idles = 0;
		const real = requestIdleCallback;
		globalThis.requestIdleCallback = (fn, o) => { idles++; return real(fn, o); };
		return true;
	})()`)
	tb.js(`document.fonts.ready.then(() => 0)`)
	look := func() (during, after int) {
		t.Helper()
		got := inWorld[[]int](tb, `(async () => {
			idles = 0;
			await __tabwright.list({});
			const during = idles;
			for (let last = -1; last !== idles;) {
				last = idles;
				await new Promise((done) => setTimeout(done, 300));
			}
			return [during, idles];
		})()`)
		return got[0], got[1]
	}
	const few = 5 // what else is done then: the look before an act, the code of its facts
	during, after := look()
	if during > few {
		t.Errorf("places were seen in %d idle moments while a look was under way", during)
	}
	if after < 2*few {
		t.Fatalf("the places of %d controls were seen in %d idle moments", 2*rows, after)
	}
	if _, after := look(); after > few {
		t.Errorf("a second look at the same page took %d idle moments", after)
	}
	for _, change := range []string{`document.querySelector("b").textContent = "Another row"`, `box.scrollTop = 100`} {
		tb.js(change + `, new Promise((done) => setTimeout(done, 100))`)
		if _, after := look(); after < 2*few {
			t.Errorf("%s: a look took %d idle moments", change, after)
		}
	}
}
