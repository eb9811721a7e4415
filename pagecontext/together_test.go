package pagecontext

import "testing"

// inFrame is an element of a frame of that host, in view.
func inFrame(i int, role, name, frame, host string) Element {
	e := Element{Index: i, Role: role, Name: name, Frame: frame, IsEnabled: true, IsVisible: true}
	if host != "" {
		e.FrameURL = "https://" + host + "/widget"
	} else {
		e.FrameURL = "about:srcdoc"
	}
	return e
}

// Frames of one host that are a line each stand under one heading, which says so and
// which they are; one made alike goes on with the roles of the one above.
func TestFramesStandTogether(t *testing.T) {
	away := func(e Element) Element {
		e.IsVisible = false
		return e
	}
	under := func(e Element, group string) Element {
		e.Group = group
		return e
	}
	over := inFrame(9, "button", "Close", "F4", "a.test")
	over.Overlay = true
	for _, tt := range []struct {
		name string
		es   []Element
		want string
	}{
		{"alike", []Element{
			inFrame(1, "button", "Like", "F1", "a.test"), inFrame(2, "textbox", "Note", "F1", "a.test"),
			inFrame(3, "button", "Like", "F2", "a.test"), inFrame(4, "textbox", "Note", "F2", "a.test"),
			inFrame(5, "button", "Like", "F3", "a.test"), inFrame(6, "textbox", "Note", "F3", "a.test"),
			inFrame(7, "link", "Help", "F4", "a.test"), inFrame(8, "button", "Send", "F4", "a.test"),
		}, "--- frames 1–4 (a.test), a line each\n[1] button Like|2 textbox \"Note\"\n[3] Like|4 \"Note\"\n[5] Like|6 \"Note\"\n[7] link Help|8 button Send"},
		{"not alike", []Element{
			inFrame(1, "button", "Like", "F1", "a.test"), inFrame(2, "textbox", "Memo", "F1", "a.test"),
			inFrame(3, "button", "Like", "F2", "a.test"), inFrame(4, "textbox", "Memo", "F2", "a.test"),
			inFrame(5, "link", "Help", "F3", "a.test"),
		}, "--- frames 1–3 (a.test), a line each\n[1] button Like|2 textbox Memo\n[3] button Like|4 textbox Memo\n[5] link Help"},
		{
			"two",
			[]Element{inFrame(1, "button", "Like", "F1", "a.test"), inFrame(2, "button", "Like", "F2", "a.test")},
			"--- frame 1 (a.test)\n[1] button Like\n--- frame 2\n[2] Like",
		},
		{"of several hosts, and of none", []Element{
			inFrame(1, "button", "A", "F1", "a.test"), inFrame(2, "button", "B", "F2", "a.test"), inFrame(3, "button", "C", "F3", "b.test"),
			inFrame(4, "button", "D", "F4", "a.test"), inFrame(5, "button", "E", "F5", ""), inFrame(6, "button", "F", "F6", "a.test"),
		}, "--- frame 1 (a.test)\n[1] button A\n--- frame 2\n[2] B\n--- frame 3 (b.test)\n[3] C\n--- frame 4 (a.test)\n[4] D\n--- frame 5\n[5] E\n--- frame 6\n[6] F"},
		{
			"given their content by the page",
			[]Element{inFrame(1, "button", "A", "F1", ""), inFrame(2, "button", "B", "F2", ""), inFrame(3, "button", "C", "F3", "")},
			"--- frames 1–3, a line each\n[1] button A\n[2] B\n[3] C",
		},
		{"one twice", []Element{
			inFrame(1, "button", "A", "F1", "a.test"), inFrame(2, "button", "B", "F2", "a.test"), inFrame(3, "button", "C", "F1", "a.test"),
			inFrame(4, "button", "D", "F3", "a.test"), inFrame(5, "button", "E", "F4", "a.test"),
		}, "--- frame 1 (a.test)\n[1] button A\n--- frame 2\n[2] B\n--- frames 1, 3–4, a line each\n[3] C\n[4] D\n[5] E"},
		{"with a heading", []Element{
			inFrame(1, "button", "A", "F1", "a.test"), inFrame(2, "button", "B", "F2", "a.test"),
			under(inFrame(3, "button", "C", "F3", "a.test"), "page: Your order"), inFrame(4, "button", "D", "F4", "a.test"),
		}, "--- frame 1 (a.test)\n[1] button A\n--- frame 2\n[2] B\n--- frame 3: Your order\n[3] C\n--- frame 4\n[4] D"},
		{"and what follows in the last", []Element{
			inFrame(1, "button", "A", "F1", "a.test"), inFrame(2, "button", "B", "F2", "a.test"), inFrame(3, "button", "C", "F3", "a.test"),
			under(inFrame(4, "button", "D", "F3", "a.test"), "page: Your order"),
		}, "--- frames 1–3 (a.test), a line each\n[1] button A\n[2] B\n[3] C\n--- frame 3: Your order\n[4] D"},
		{"over the page, in view and out of it", []Element{
			inFrame(1, "button", "A", "F1", "a.test"), inFrame(2, "button", "B", "F2", "a.test"), inFrame(3, "button", "C", "F3", "a.test"), over,
			away(inFrame(4, "link", "D", "F1", "a.test")), away(inFrame(5, "link", "E", "F3", "a.test")), away(inFrame(6, "link", "F", "F4", "a.test")),
		}, "--- frame 1 (a.test) overlay\n[9] button Close\n--- frames 2–4, a line each\n[1] button A\n[2] B\n[3] C\n" +
			"--- frames 2, 4, 1, a line each (out of view from here on)\n[4] link D\n[5] E\n[6] F"},
	} {
		if got := Render(nil, &Listing{Total: len(tt.es), Elements: tt.es}, RenderOptions{Compact: true}); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// A line for each of them is said in the person's language; a page can't say it.
func TestFramesTogetherAreSaidByNobodyElse(t *testing.T) {
	es := []Element{
		inFrame(1, "button", "A", "F1", "a.test"), inFrame(2, "button", "B", "F2", "a.test"), inFrame(3, "button", "C", "F3", "a.test"),
		{Index: 4, Role: "link", Name: "D", Group: "main: Frames", IsEnabled: true, IsVisible: true},
		{Index: 5, Role: "link", Name: "E", Group: "main: frames 1, 2, 3, a line each", IsEnabled: true, IsVisible: true},
		inFrame(6, "link", "F", "F4", "pay.test),(b.test"),
	}
	got := Render(nil, &Listing{Total: len(es), Elements: es}, RenderOptions{Compact: true, Lang: "zh"})
	want := "--- frames 1–3 (a.test)，每个一行\n[1] button A\n[2] B\n[3] C\n--- main: \"Frames\"\n[4] link D\n--- \"frames 1, 2, 3, a line each\"\n[5] E\n" +
		"--- frame 4 (pay.test___b.test)\n[6] F"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
