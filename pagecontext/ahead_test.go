package pagecontext_test

import (
	"strings"
	"testing"
)

// TestAhead: a look that is begun to be thrown away changes nothing in those that
// follow, whatever the page does meanwhile, and a large page is spared it.
func TestAhead(t *testing.T) {
	tb := newTab(t)
	page := func(controls int) string {
		return `<h1>Goods</h1>` + strings.Repeat(`<p><a href="/a">Mug</a> <button>Add</button></p>`, controls/2)
	}
	// given is the number of the last control: more than there are where a look gave
	// numbers to others before.
	given := func(controls int, look string) (last, listed int) {
		tb.goTo(page(controls))
		w, err := tb.main().(*testFrame).world()
		tb.must(err)
		if look != "" {
			tb.callIn(w, `
				const done = __tabwright.ahead({ look: "`+look+`", ms: 1000 });
				document.querySelector("p").remove();
				await done;
				await new Promise((done) => setTimeout(done, 0));
				document.querySelector("p").remove();`)
		}
		var got struct {
			Elements []struct {
				ID   int
				Name string
			}
		}
		tb.must(tb.main().Call(t.Context(), "list", map[string]any{}, &got))
		for _, e := range got.Elements {
			last = max(last, e.ID)
			if e.Name != "Mug" && e.Name != "Add" {
				t.Errorf("after %q an element is called %q", look, e.Name)
			}
		}
		return last, len(got.Elements)
	}
	if last, listed := given(40, ""); last != 40 || listed != 40 {
		t.Errorf("%d of 40 controls are listed, the last is %d", listed, last)
	}
	// Nobody was shown what it saw: a row that is for something else since the list is known as such.
	tb.goTo(`<ul><li>Bill of Ada <button>Delete</button><li>Bill of Ben <button>Delete</button></ul>`)
	w, err := tb.main().(*testFrame).world()
	tb.must(err)
	tb.callIn(w, `
		__tabwright.list({});
		for (const li of document.querySelectorAll("li")) li.firstChild.data = li.firstChild.data.replace("Bill of Ada", "Note by Cleo");
		await __tabwright.ahead({ look: "summary", ms: 1000 });`)
	var got struct{ Error struct{ Message string } }
	tb.must(tb.main().Call(t.Context(), "check", map[string]any{"id": 1, "role": "button", "name": "Delete"}, &got))
	if !strings.Contains(got.Error.Message, "Cleo") {
		t.Errorf("a button whose row became another's: %q", got.Error.Message)
	}
	for _, look := range []string{"summary", "tree"} {
		if last, listed := given(40, look); last <= listed || listed != 36 {
			t.Errorf("%s: %d of 36 controls are listed, the last is %d: no look was begun before", look, listed, last)
		}
		if last, listed := given(2000, look); last != listed || listed != 1996 {
			t.Errorf("%s of a large page: %d of 1996 controls are listed, the last is %d", look, listed, last)
		}
	}
}
