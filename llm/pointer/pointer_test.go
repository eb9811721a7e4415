package pointer_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tabwright/llm/pointer"
	"tabwright/prompts"
)

// screenOf is a viewport of 1440 by 900 CSS pixels as a family is sent it.
func screenOf(f *pointer.Family) pointer.Screen {
	s := pointer.Screen{ViewWidth: 1440, ViewHeight: 900}
	s.Width, s.Height = f.Size(1440, 900)
	return s
}

func family(t testing.TB, name string) *pointer.Family {
	t.Helper()
	f, ok := pointer.Lookup(name)
	if !ok {
		t.Fatalf("no family %q", name)
	}
	return f
}

// renderCalls writes what came of a reply as a line of calls.
func renderCalls(r pointer.Reply) string {
	var out []string
	for _, a := range r.Actions {
		for _, c := range a.Calls {
			b, _ := json.Marshal(c.Params) //nolint:errchkjson // of a test
			out = append(out, c.Name+string(b))
		}
		if a.Fact != "" {
			out = append(out, "fact:"+a.Fact)
		}
		if a.Answer != "" {
			out = append(out, "told")
		}
	}
	return strings.Join(out, " ")
}

func toolCall(args string) string {
	return "I go on.\n<tool_call>\n{\"name\": \"computer_use\", \"arguments\": " + args + "}\n</tool_call>"
}

// Each family's published form, and what goes wrong in it.
func TestReplies(t *testing.T) {
	for _, c := range []struct {
		name, family, reply string
		want                string // the calls, or with ! what the error holds
	}{
		// Fara-7B: pixels of a picture of 1428 by 896.
		{"click", "fara", toolCall(`{"action": "left_click", "coordinate": [714, 448]}`), `click{"x":720,"y":450}`},
		{"two spellings of one call", "fara", "<tool_call>\n{'name': 'computer_use', 'arguments': {'action': 'left_click', 'coordinate': (714, 448), 'x': None}}\n</tool_call>", `click{"x":720,"y":450}`},
		{"type at a point presses Enter", "fara", toolCall(`{"action": "type", "coordinate": [714, 448], "text": "mug"}`), `click{"x":720,"y":450} type{"submit":true,"text":"mug"}`},
		{"type without Enter", "fara", toolCall(`{"action": "type", "text": "mug", "press_enter": false, "delete_existing_text": true}`), `type{"clear":true,"text":"mug"}`},
		{"the space bar", "fara", toolCall(`{"action": "key", "keys": [" "]}`), `pressKey{"key":"Space"}`},
		{"a modifier and the space bar", "fara", toolCall(`{"action": "key", "keys": ["ctrl", " "]}`), `pressKey{"key":"Space","modifiers":["ctrl"]}`},
		{"a modifier and plus", "fara", toolCall(`{"action": "key", "keys": ["ctrl++"]}`), `pressKey{"key":"+","modifiers":["ctrl"]}`},
		{"a modifier and plus, apart", "fara", toolCall(`{"action": "key", "keys": ["ctrl + shift + +"]}`), `pressKey{"key":"+","modifiers":["ctrl","shift"]}`},
		{"plus", "fara", toolCall(`{"action": "key", "keys": ["+"]}`), `pressKey{"key":"+"}`},
		{"keys", "fara", toolCall(`{"action": "key", "keys": ["Control", "a"]}`), `pressKey{"key":"a","modifiers":["ctrl"]}`},
		{"a scroll is a screen", "fara", toolCall(`{"action": "scroll", "pixels": -500}`), `scroll{"direction":"down"}`},
		{"address", "fara", toolCall(`{"action": "visit_url", "url": "shop.example"}`), `navigate{"url":"shop.example"}`},
		{"words for an address", "fara", toolCall(`{"action": "visit_url", "url": "blue mug"}`), `webSearch{"query":"blue mug"}`},
		{"search", "fara", toolCall(`{"action": "web_search", "query": "blue mug"}`), `webSearch{"query":"blue mug"}`},
		{"back", "fara", toolCall(`{"action": "history_back"}`), `goBack{}`},
		{"fact", "fara", toolCall(`{"action": "pause_and_memorize_fact", "fact": "the mug costs 8"}`), `fact:the mug costs 8`},
		{"wait", "fara", toolCall(`{"action": "wait", "time": 3}`), `wait{"ms":3000}`},
		{"the thought is the answer", "fara", toolCall(`{"action": "terminate", "status": "success"}`), `done{"answer":"I go on.","success":true}`},
		{"failure", "fara", toolCall(`{"action": "terminate", "status": "failure"}`), `done{"answer":"I go on.","success":false}`},
		{"tags left out by the server", "fara", `{"name": "computer_use", "arguments": {"action": "wait", "time": 1}}`, `wait{"ms":1000}`},
		{"the name drifted", "fara", "<tool_call>{\"name\": \"left_click\", \"arguments\": {\"coordinate\": [0, 0]}}</tool_call>", `click{"x":0,"y":0}`},
		{"outside", "fara", toolCall(`{"action": "left_click", "coordinate": [1500, 20]}`), `!outside of the screenshot: x goes from 0 to 1428, y from 0 to 896`},
		{"another scale", "fara", toolCall(`{"action": "left_click", "coordinate": [0.52, 0.3]}`), `!another scale`},
		{"negative", "fara", toolCall(`{"action": "left_click", "coordinate": [-4, 20]}`), `!outside of the screenshot`},
		{"no point", "fara", toolCall(`{"action": "left_click"}`), `!left_click needs the point`},
		{"three numbers", "fara", toolCall(`{"action": "left_click", "coordinate": [1, 2, 3]}`), `!two numbers`},
		{"unknown", "fara", toolCall(`{"action": "teleport"}`), `!no action "teleport"`},
		{"cut", "fara", "I click.\n<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [71", `!cut off`},
		{"cut after the tag", "fara", "I click.\n<tool_call>", `!cut off`},
		{"words", "fara", "I can't do that.", `!no action`},
		{"two calls", "fara", toolCall(`{"action": "wait", "time": 1}`) + toolCall(`{"action": "history_back"}`), `wait{"ms":1000} goBack{}`},
		{"the same call twice", "fara", toolCall(`{"action": "history_back"}`) + toolCall(`{"action": "history_back"}`), `goBack{}`},

		// Fara 1.5: 0 to 1000.
		{"click", "fara-1.5", toolCall(`{"action": "left_click", "coordinate": [500, 500]}`), `click{"x":720,"y":450}`},
		{"type presses no Enter", "fara-1.5", toolCall(`{"action": "type", "text": "mug"}`), `type{"text":"mug"}`},
		{"a line break does", "fara-1.5", toolCall(`{"action": "type", "text": "mug\n"}`), `type{"submit":true,"text":"mug"}`},
		{"triple", "fara-1.5", toolCall(`{"action": "triple_click", "coordinate": [500, 500]}`), `click{"clicks":3,"x":720,"y":450}`},
		{"scroll by its scale", "fara-1.5", toolCall(`{"action": "scroll", "pixels": -500}`), `scroll{"amount":450,"direction":"down"}`},
		{"sideways", "fara-1.5", toolCall(`{"action": "hscroll", "pixels": 100}`), `scroll{"amount":144,"direction":"right"}`},
		{"over a box", "fara-1.5", toolCall(`{"action": "mouse_move", "coordinate": [500, 500]}`) + toolCall(`{"action": "scroll", "pixels": 500}`), `hover{"x":720,"y":450} scroll{"amount":450,"direction":"up","x":720,"y":450}`},
		{"drag from the mouse", "fara-1.5", toolCall(`{"action": "mouse_move", "coordinate": [0, 0]}`) + toolCall(`{"action": "left_click_drag", "coordinate": [500, 500]}`), `hover{"x":0,"y":0} dragDrop{"from":{"x":0,"y":0},"to":{"x":720,"y":450}}`},
		{"drag from nowhere", "fara-1.5", toolCall(`{"action": "left_click_drag", "coordinate": [500, 500]}`), `!move it to the beginning`},
		{"read", "fara-1.5", toolCall(`{"action": "read_page_answer_question", "question": "the price?"}`), `extractContent{}`},
		{"ask", "fara-1.5", toolCall(`{"action": "ask_user_question", "question": "Which size?"}`), `askUser{"question":"Which size?"}`},
		{"answer", "fara-1.5", toolCall(`{"action": "terminate", "answer": "It costs 8."}`), `done{"answer":"It costs 8.","success":true}`},
		{"arguments in tags", "fara-1.5", "<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n[500, 500]\n</parameter>\n</function>\n</tool_call>", `click{"x":720,"y":450}`},
		{"tags cut", "fara-1.5", "<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>", `!cut off`},
		{"pixels in place of its scale", "fara-1.5", toolCall(`{"action": "left_click", "coordinate": [1290, 450]}`), `!x goes from 0 to 1000`},
		{"the rim", "fara-1.5", toolCall(`{"action": "left_click", "coordinate": [1000, 1000]}`), `click{"x":1439,"y":899}`},

		// GUI-Owl and Qwen-VL.
		{"type clears and sends", "gui-owl", toolCall(`{"action": "type", "text": "mug", "clear": 1, "enter": 1}`), `type{"clear":true,"submit":true,"text":"mug"}`},
		{"drag between points", "gui-owl", toolCall(`{"action": "drag", "coordinate": [0, 0], "coordinate2": [714, 448]}`), `dragDrop{"from":{"x":0,"y":0},"to":{"x":720,"y":450}}`},
		{"notches", "gui-owl", toolCall(`{"action": "scroll", "pixels": -5}`), `scroll{"direction":"down"}`},
		{"click", "gui-owl-1.5", "Action: Press Add.\n" + toolCall(`{"action": "left_click", "coordinate": [500, 500]}`), `click{"x":720,"y":450}`},
		{"interact", "gui-owl-1.5", toolCall(`{"action": "interact", "text": "Please sign in."}`), `askUser{"question":"Please sign in."}`},
		{"answer", "qwen3-vl", toolCall(`{"action": "answer", "text": "8"}`), `done{"answer":"8","success":true}`},
		{"click", "qwen2.5-vl", toolCall(`{"action": "double_click", "coordinate": [714, 448]}`), `click{"clicks":2,"x":720,"y":450}`},
		{"a screenshot", "qwen2.5-vl", toolCall(`{"action": "screenshot"}`), `told`},

		// Holo1, pixels; Holo2 and 3, 0 to 1000.
		{"click", "holo1", `{"note": "", "thought": "t", "action": {"action": "click_element", "element": "the 31st", "x": 714, "y": 448}}`, `click{"x":720,"y":450}`},
		{"in a fence", "holo1", "```json\n{\"note\": \"8 dollars\", \"thought\": \"t\", \"action\": {\"action\": \"scroll\", \"direction\": \"down\"}}\n```", `scroll{"direction":"down"} fact:8 dollars`},
		{"write and Enter", "holo1", `{"thought": "t", "action": {"action": "write_element_abs", "content": "mug", "element": "search", "x": 714, "y": 448}}`, `click{"x":720,"y":450} type{"clear":true,"submit":true,"text":"mug"}`},
		{"write", "holo1", `{"thought": "t", "action": {"action": "write_element", "content": "mug", "element": "search", "x": 714, "y": 448}}`, `click{"x":720,"y":450} type{"clear":true,"text":"mug"}`},
		{"answer", "holo1", `{"note": "n", "thought": "t", "action": {"action": "answer", "content": "8"}}`, `done{"answer":"8","success":true} fact:n`},
		{"restart", "holo1", `{"thought": "t", "action": {"action": "restart"}}`, `told`},
		{"the localiser's", "holo1", `{"action": "click_absolute", "x": 714, "y": 448}`, `click{"x":720,"y":450}`},
		{"no point", "holo1", `{"thought": "t", "action": {"action": "click_element", "element": "the 31st"}}`, `!needs x and y`},
		{"cut", "holo1", `{"note": "", "thought": "t", "action": {"action": "click_element", "x": 714, "y": 44`, `!cut off`},
		{"two objects", "holo1", `{"thought": "t", "action": {"action": "refresh"}} {"thought": "t", "action": {"action": "go_back"}}`, `!two objects`},
		{"no action", "holo1", `{"note": "", "thought": "t"}`, `!the step has no action`},
		{"words", "holo1", "I can't.", `!no action`},
		{"click", "holo2", `{"note": null, "thought": "t", "tool_call": {"tool_name": "click", "element": "b", "x": 500, "y": 500}}`, `click{"x":720,"y":450}`},
		{"write", "holo2", `{"note": null, "thought": "t", "tool_call": {"tool_name": "write", "content": "mug", "press_enter": true}}`, `type{"submit":true,"text":"mug"}`},
		{"goto", "holo2", `{"note": null, "thought": "t", "tool_call": {"tool_name": "goto", "url": "https://shop.example/"}}`, `navigate{"url":"https://shop.example/"}`},
		{"fractions", "holo2", `{"note": null, "thought": "t", "tool_call": {"tool_name": "click", "element": "b", "x": 0.5, "y": 0.5}}`, `!another scale`},
		{"a wrong direction", "holo2", `{"thought": "t", "tool_call": {"tool_name": "scroll", "direction": "sideways"}}`, `!no direction "sideways"`},

		// UI-TARS: 0 to 1000; 1.5 in pixels.
		{"click", "ui-tars", "Thought: I press it.\nAction: click(start_box='(500,500)')", `click{"x":720,"y":450}`},
		{"tokens around the box", "ui-tars", "Thought: t\nAction: click(start_box='<|box_start|>(500,500)<|box_end|>')", `click{"x":720,"y":450}`},
		{"a point", "ui-tars", "Thought: t\nAction: click(point='<point>500 500</point>')", `click{"x":720,"y":450}`},
		{"a box", "ui-tars", "Thought: t\nAction: click(start_box='[400, 400, 600, 600]')", `click{"x":720,"y":450}`},
		{"double", "ui-tars", "Thought: t\nAction: left_double(start_box='(500,500)')", `click{"clicks":2,"x":720,"y":450}`},
		{"right", "ui-tars", "Thought: t\nAction: right_single(start_box='(500,500)')", `click{"button":"right","x":720,"y":450}`},
		{"pixels", "ui-tars-1.5", "Thought: t\nAction: click(start_box='(714,448)')", `click{"x":720,"y":450}`},
		{"drag", "ui-tars", "Thought: t\nAction: drag(start_box='(0,0)', end_box='(500,500)')", `dragDrop{"from":{"x":0,"y":0},"to":{"x":720,"y":450}}`},
		{"hotkey", "ui-tars", "Thought: t\nAction: hotkey(key='ctrl c')", `pressKey{"key":"c","modifiers":["ctrl"]}`},
		{"a key of two words", "ui-tars", "Thought: t\nAction: hotkey(key='page_down')", `pressKey{"key":"PageDown"}`},
		{"type and send", "ui-tars", `Thought: t` + "\n" + `Action: type(content='mug\n')`, `type{"submit":true,"text":"mug"}`},
		{"a quote within", "ui-tars", "Thought: t\nAction: type(content='it's a \"mug\"')", `type{"text":"it's a \"mug\""}`},
		{"an escaped quote", "ui-tars", `Action: type(content='it\'s')`, `type{"text":"it's"}`},
		{"scroll at a point", "ui-tars", "Thought: t\nAction: scroll(start_box='(500,500)', direction='down')", `scroll{"direction":"down","x":720,"y":450}`},
		{"wait", "ui-tars", "Thought: t\nAction: wait()", `wait{"ms":5000}`},
		{"finished", "ui-tars", "Thought: t\nAction: finished(content='It costs 8 (with tax).')", `done{"answer":"It costs 8 (with tax).","success":true}`},
		{"finished without words", "ui-tars", "Thought: It is in the cart.\nAction: finished()", `done{"answer":"It is in the cart.","success":true}`},
		{"the user", "ui-tars", "Thought: Which size?\nAction: call_user()", `askUser{"question":"Which size?"}`},
		{"two actions", "ui-tars", "Thought: t\nAction: wait()\n\nclick(start_box='(500,500)')", `wait{"ms":5000} click{"x":720,"y":450}`},
		{"a full colon", "ui-tars", "Thought：点它。\nAction：click(start_box='(500,500)')", `click{"x":720,"y":450}`},
		{"cut", "ui-tars", "Thought: t\nAction: click(start_box='(500,50", `!cut off`},
		{"cut in a text", "ui-tars", "Thought: t\nAction: type(content='a blue", `!cut off`},
		{"no point", "ui-tars", "Thought: t\nAction: click()", `!needs the point`},
		{"unknown", "ui-tars", "Thought: t\nAction: teleport()", `!no action "teleport"`},
		{"outside", "ui-tars", "Thought: t\nAction: click(start_box='(1300,500)')", `!outside`},
		{"no call", "ui-tars", "Thought: t\nAction: press the button", `!is no action`},
		{"words", "ui-tars", "Thought: I can't do that.", `!no action`},

		// MolmoWeb: per cent.
		{"click", "molmoweb", `{"thought": "t", "action": {"name": "mouse_click", "x": 50.0, "y": 50.0, "button": "left", "click_type": "single"}}`, `click{"x":720,"y":450}`},
		{"small per cents", "molmoweb", `{"thought": "t", "action": {"name": "click", "x": 0.5, "y": 0.5}}`, `click{"x":7.2,"y":4.5}`},
		{"type", "molmoweb", `{"thought": "t", "action": {"name": "keyboard_type", "text": "mug"}}`, `type{"text":"mug"}`},
		{"press", "molmoweb", `{"thought": "t", "action": {"name": "keyboard_press", "key": "Enter"}}`, `pressKey{"key":"Enter"}`},
		{"all", "molmoweb", `{"thought": "t", "action": {"name": "keypress", "key": "ControlOrMeta+a"}}`, `pressKey{"key":"a","modifiers":["ctrl"]}`},
		{"scroll", "molmoweb", `{"thought": "t", "action": {"name": "scroll", "delta_x": 0, "delta_y": 60}}`, `scroll{"amount":540,"direction":"down"}`},
		{"scroll at", "molmoweb", `{"thought": "t", "action": {"name": "scroll_at", "x": 50, "y": 50, "delta_x": 0, "delta_y": -60}}`, `scroll{"amount":540,"direction":"up","x":720,"y":450}`},
		{"type at, in its own scale", "molmoweb", `{"thought": "t", "action": {"name": "gemini_type_text_at", "x": 500, "y": 500, "text": "mug"}}`, `click{"x":720,"y":450} type{"clear":true,"submit":true,"text":"mug"}`},
		{"goto", "molmoweb", `{"thought": "t", "action": {"name": "goto", "url": "https://shop.example/"}}`, `navigate{"url":"https://shop.example/"}`},
		{"back", "molmoweb", `{"thought": "t", "action": {"name": "browser_nav", "nav_type": "go_back", "index": -1}}`, `goBack{}`},
		{"tab", "molmoweb", `{"thought": "t", "action": {"name": "browser_nav", "nav_type": "tab_focus", "index": 1}}`, `switchTab{"index":2}`},
		{"answer", "molmoweb", `{"thought": "t", "action": {"name": "send_msg_to_user", "msg": "[ANSWER] 8"}}`, `done{"answer":"8","success":true}`},
		{"can't", "molmoweb", `{"thought": "t", "action": {"name": "report_infeasible", "infeasibility_reason": "sold out"}}`, `done{"answer":"sold out","success":false}`},
		{"pixels", "molmoweb", `{"thought": "t", "action": {"name": "click", "x": 720, "y": 450}}`, `!x goes from 0 to 100`},
		{"no point", "molmoweb", `{"thought": "t", "action": {"name": "click"}}`, `!needs x and y`},
		{"cut", "molmoweb", `{"thought": "t", "action": {"name": "click", "x": 50.0, "y"`, `!cut off`},
		{"unknown", "molmoweb", `{"thought": "t", "action": {"name": "teleport"}}`, `!no action "teleport"`},
	} {
		t.Run(c.family+"/"+c.name, func(t *testing.T) {
			f := family(t, c.family)
			r, err := f.Parse(c.reply, screenOf(f))
			if why, bad := strings.CutPrefix(c.want, "!"); bad {
				if err == nil || !strings.Contains(err.Error(), why) {
					t.Fatalf("error %v, want one with %q (read as %s)", err, why, renderCalls(r))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := renderCalls(r); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// A model is known by its name, however it is written.
func TestNames(t *testing.T) {
	for model, want := range map[string]string{
		"fara:7b": "fara", "hf.co/bartowski/microsoft_Fara-7B-GGUF:Q4_K_M": "fara", "microsoft/Fara1.5-9B": "fara-1.5", "fara-1.5:4b": "fara-1.5",
		"Hcompany/Holo1-7B": "holo1", "holo1.5-3b": "holo1", "Hcompany/Holo2-4B": "holo2", "holo3.1": "holo2",
		"ui-tars:7b": "ui-tars", "ByteDance-Seed/UI-TARS-1.5-7B": "ui-tars-1.5", "allenai/MolmoWeb-8B": "molmoweb", "mPLUG/GUI-Owl-7B": "gui-owl", "gui-owl-1.5-8b": "gui-owl-1.5",
		"qwen3-vl:8b": "", "qwen2.5vl:7b": "", "qwen3:8b": "", "safara": "", "hologram-7b": "", "holo": "", "molmo-7b": "", "llama3.2-vision": "",
	} {
		if got := pointer.Of(model); got != want {
			t.Errorf("%s is taken for %q, want %q", model, got, want)
		}
	}
	for model, want := range map[string]string{"qwen2.5vl:7b": "qwen2.5-vl", "Qwen/Qwen2.5-VL-7B": "qwen2.5-vl", "qwen3-vl:8b": "qwen3-vl", "anything": "qwen3-vl", "fara:7b": "fara"} {
		if got := pointer.Closest(model); got != want {
			t.Errorf("%s points as %q, want %q", model, got, want)
		}
	}
}

// The sides are multiples of what the model sees at a time, the shape is kept, and
// no server has a reason to scale the picture again.
func TestSizes(t *testing.T) {
	factors := map[string]int{"fara": 28, "fara-1.5": 32, "holo1": 28, "holo2": 32, "ui-tars": 28, "ui-tars-1.5": 28, "molmoweb": 1, "gui-owl": 28, "gui-owl-1.5": 32, "qwen2.5-vl": 28, "qwen3-vl": 32}
	for _, name := range pointer.Names() {
		f := family(t, name)
		for _, view := range [][2]int{{1440, 900}, {1280, 720}, {2560, 1440}, {500, 900}, {3000, 120}, {1, 1}} {
			w, h := f.Size(view[0], view[1])
			if w%factors[name] != 0 || h%factors[name] != 0 || w < 1 || h < 1 {
				t.Errorf("%s: %v becomes %d by %d", name, view, w, h)
			}
			if w*h > 1440*900 {
				t.Errorf("%s: %v becomes %d by %d: too many pixels", name, view, w, h)
			}
			if view[0] > 200 && view[1] > 200 {
				if k := float64(w) / float64(h) / (float64(view[0]) / float64(view[1])); k < 0.95 || k > 1.05 {
					t.Errorf("%s: %v becomes %d by %d: another shape", name, view, w, h)
				}
			}
		}
	}
}

var inEnum = regexp.MustCompile(`"enum": \[("key"[^\]]*)\]`)

// What the rules offer can be read: each action of the function's list, and each
// family's example; and what they say of the function is JSON.
func TestRulesAndFormatsAgree(t *testing.T) {
	for _, name := range pointer.Names() {
		f := family(t, name)
		s := screenOf(f)
		if _, err := f.Parse(f.Example, s); err != nil {
			t.Errorf("%s: its own example: %v", name, err)
		}
		if f.Prompt == "" {
			continue
		}
		w, h := f.Coordinates(s)
		rules, err := prompts.Pointer(f.Prompt, prompts.PointerData{Lang: "en", Width: w, Height: h})
		if err != nil {
			t.Fatal(err)
		}
		_, rest, ok := strings.Cut(rules, "<tools>\n")
		if !ok {
			continue
		}
		tool, _, _ := strings.Cut(rest, "\n</tools>")
		if !json.Valid([]byte(tool)) {
			t.Errorf("%s: what the rules say of the function is no JSON:\n%s", name, tool)
		}
		m := inEnum.FindStringSubmatch(tool)
		if m == nil {
			t.Fatalf("%s: no list of actions in the rules", name)
		}
		for _, action := range strings.Split(strings.ReplaceAll(m[1], `"`, ""), ", ") {
			s.Cursor = &pointer.Point{X: 1, Y: 1}
			all := fmt.Sprintf(`{"action": %q, "coordinate": [5, 5], "coordinate2": [9, 9], "keys": ["Enter"], "text": "x", "url": "https://a.example/", "query": "x", "fact": "x", "question": "x", "pixels": 90, "time": 1, "status": "success"}`, action)
			if action != "drag" {
				all = strings.Replace(all, `"coordinate2": [9, 9], `, "", 1)
			}
			if r, err := f.Parse(toolCall(all), s); err != nil || len(r.Actions) != 1 {
				t.Errorf("%s: %s is offered and not read: %v", name, action, err)
			}
		}
	}
}

// MolmoWeb is told all in one message: the goal, the newest three steps, the page.
func TestMolmoWebMessage(t *testing.T) {
	said := func(n int) string {
		return fmt.Sprintf(`{"thought": "thought %d", "action": {"name": "goto", "url": "https://a.example/%d"}}`, n, n)
	}
	talk := pointer.Talk{Task: "find a mug"}
	for i := range 5 {
		talk.Turns = append(talk.Turns, pointer.Turn{Said: said(i), Result: "OK", Picture: []byte("old")})
	}
	talk.Turns = append(talk.Turns, pointer.Turn{URL: "https://a.example/5", Title: "Five", Picture: []byte("new")})
	got := family(t, "molmoweb").Converse(talk)
	if len(got) != 1 || len(got[0].Pictures) != 1 || string(got[0].Pictures[0].Data) != "new" {
		t.Fatalf("not one message with the newest picture: %+v", got)
	}
	text := got[0].Text
	for _, want := range []string{"molmo_web_think: \n# GOAL\nfind a mug\n", "## Step 3\nTHOUGHT: thought 2\nACTION: {\"name\": \"goto\", \"url\": \"https://a.example/2\"}\n", "## Step 5\n", "Page 0: Five | https://a.example/5\n", "# NEXT STEP\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Step 2\n") {
		t.Errorf("more than three steps:\n%s", text)
	}
}

// A chat keeps each reply word for word, and the newest screenshots only.
func TestChat(t *testing.T) {
	talk := pointer.Talk{Task: "find a mug"}
	for i := range 5 {
		talk.Turns = append(talk.Turns, pointer.Turn{Shown: fmt.Sprint("page ", i), Said: fmt.Sprint("reply ", i), Result: fmt.Sprint("result ", i), Picture: []byte{byte(i)}})
	}
	talk.Turns = append(talk.Turns, pointer.Turn{Shown: "page 5", Picture: []byte{5}})
	var pictures []byte
	var text []string
	for _, m := range family(t, "fara").Converse(talk) {
		text = append(text, m.Role+": "+m.Text)
		for _, p := range m.Pictures {
			pictures = append(pictures, p.Data...)
		}
	}
	if !slices.Equal(pictures, []byte{3, 4, 5}) {
		t.Errorf("pictures %v", pictures)
	}
	want := "user: find a mug\n\npage 0|assistant: reply 0|user: result 0\n\npage 1|assistant: reply 1"
	if got := strings.Join(text, "|"); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "|user: result 4\n\npage 5") {
		t.Errorf("laid out as %q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(toolCall(`{"action": "left_click", "coordinate": [714, 448]}`))
	f.Add("Thought: t\nAction: type(content='it's \\u00e4 \"mug\"')")
	f.Add(`{"thought": "t", "action": {"name": "click", "x": 50.0, "y": [[[1]]]}}`)
	f.Add("<tool_call><function=computer_use><parameter=action>key</parameter></function>")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range pointer.Names() {
			fam := family(t, name)
			s := screenOf(fam)
			r, err := fam.Parse(text, s)
			if err != nil {
				continue
			}
			for _, a := range r.Actions {
				for _, c := range a.Calls {
					x, ok := c.Params["x"].(float64)
					y, _ := c.Params["y"].(float64)
					if ok && (x < 0 || x >= s.ViewWidth || y < 0 || y >= s.ViewHeight) {
						t.Fatalf("%s: %s goes outside of the page: %v", name, c.Name, c.Params)
					}
					if _, err := json.Marshal(c.Params); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
				}
			}
		}
	})
}
