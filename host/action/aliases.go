package action

import (
	"slices"

	"tabwright/host/action/spec"
)

// aliases are the names that other programs use for the actions. An alias with the
// action's own name renames parameters under every name of the action.
func aliases() map[string][]spec.Alias {
	point := map[string]string{"coordinate": "x*px,y*px"}
	press := func(n int) map[string]any { return map[string]any{"clicks": n} }
	replace := map[string]any{"clear": true} // their typing replaces what the field holds
	tab := map[string]string{"tab_id": "index", "page_id": "index"}
	tabs := func(op string) spec.Alias {
		return spec.Alias{Name: "browser_tabs", When: map[string]string{"action": op}}
	}
	scroll := func(name, direction string) spec.Alias {
		return spec.Alias{Name: name, Set: map[string]any{"direction": direction}}
	}
	scrollDown := func(down, direction string) spec.Alias {
		a := scroll("scroll", direction)
		a.When, a.Params = map[string]string{"down": down}, map[string]string{"pages": "=1", "num_pages": "=1"}
		return a
	}
	// A field of browser_fill_form, of a kind and perhaps with a value.
	field := func(kind, value string, into map[string]string) spec.Alias {
		a := spec.Alias{Name: "browser_fill_form", Each: "fields", When: map[string]string{"type": kind}, Params: into, Drop: []string{"name", "element"}}
		if value != "" {
			a.When["value"] = value
		}
		return a
	}
	textField := func(kind string) spec.Alias {
		a := field(kind, "", map[string]string{"value": "text"})
		a.Default = replace
		return a
	}
	newTab := func(name, value string) spec.Alias {
		return spec.Alias{Name: name, When: map[string]string{"new_tab": value}}
	}
	return map[string][]spec.Alias{
		"click": slices.Concat(also("click_element", "click_element_by_index"), withDescription("browser_mouse_click_xy"), []spec.Alias{
			{Name: "click", Params: map[string]string{"coordinate": "x*px,y*px", "coordinate_x": "x*px", "coordinate_y": "y*px"}},
			{Name: "browser_click", When: map[string]string{"doubleClick": "true"}, Set: press(2), Drop: []string{"element"}},
			{Name: "browser_click", Drop: []string{"element", "doubleClick"}},
			{Name: "left_click", Params: map[string]string{"text": "modifiers"}},
			{Name: "right_click", Params: map[string]string{"text": "modifiers"}, Set: map[string]any{"button": "right"}},
			{Name: "middle_click", Params: map[string]string{"text": "modifiers"}, Set: map[string]any{"button": "middle"}},
			{Name: "double_click", Params: map[string]string{"text": "modifiers"}, Set: press(2)},
			{Name: "dblclick", Set: press(2)},
			{Name: "triple_click", Params: map[string]string{"text": "modifiers"}, Set: press(3)},
		}),
		"hover": slices.Concat(also("mouse_move"), withDescription("browser_hover", "browser_mouse_move_xy"), []spec.Alias{{Name: "hover", Params: point}}),
		"dragDrop": {
			{Name: "left_click_drag", Params: map[string]string{"start_coordinate": "from.x*px,from.y*px", "coordinate": "to.x*px,to.y*px"}},
			{Name: "browser_drag", Params: map[string]string{"startRef": "from.ref", "endRef": "to.ref"}, Drop: []string{"startElement", "endElement"}},
			{Name: "browser_mouse_drag_xy", Params: map[string]string{"startX": "from.x", "startY": "from.y", "endX": "to.x", "endY": "to.y"}, Drop: []string{"element"}},
		},
		"type": {
			{Name: "type", Params: map[string]string{"value": "text", "content": "text"}},
			{Name: "input", Default: replace},
			{Name: "input_text", Default: replace},
			{Name: "fill", Params: map[string]string{"value": "text"}, Default: replace},
			{Name: "browser_type", When: map[string]string{"slowly": "true"}, Drop: []string{"element"}},
			{Name: "browser_type", Drop: []string{"element", "slowly"}, Default: replace},
			textField("textbox"), textField("slider"),
		},
		"pressKey": slices.Concat(also("press"), withDescription("browser_press_key"), []spec.Alias{
			{Name: "send_keys", Params: map[string]string{"keys": "key"}},
			{Name: "key", Params: map[string]string{"text": "key"}},
		}),
		"select": slices.Concat(also("select_dropdown", "select_dropdown_option", "select_option"), withDescription("browser_select_option"), []spec.Alias{
			{Name: "select", Params: map[string]string{"text": "value", "option": "value"}},
			field("combobox", "", map[string]string{"value": "label"}),
		}),
		"getOptions": also("get_dropdown_options", "dropdown_options"),
		"check":      slices.Concat(withDescription("browser_check"), []spec.Alias{field("checkbox", "true", nil), field("radio", "true", nil)}),
		"uncheck":    slices.Concat(withDescription("browser_uncheck"), []spec.Alias{field("checkbox", "false", nil)}),
		"uploadFile": slices.Concat(also("browser_file_upload"), []spec.Alias{{Name: "uploadFile", Params: map[string]string{"path": "filePath", "files": "paths"}}}),
		"scroll": {
			{Name: "scroll", Params: map[string]string{"scroll_direction": "direction", "scroll_amount": "amount*100", "pixels": "amount", "coordinate": "x*px,y*px"}},
			scrollDown("true", "down"), scrollDown("false", "up"),
			scroll("scroll_down", "down"), scroll("scroll_up", "up"),
		},
		"find":        {{Name: "find", Params: map[string]string{"query": "text"}}},
		"scrollUntil": also("find_text", "scroll_to_text"),
		"navigate":    slices.Concat(also("goto", "browser_navigate", "go_to_url"), []spec.Alias{{Name: "open", When: map[string]string{"url": "?"}}, newTab("navigate", "false"), newTab("go_to_url", "false")}),
		"goBack":      also("back", "browser_navigate_back"),
		"goForward":   also("forward", "browser_navigate_forward"),
		"refresh":     also("reload"),
		"switchTab":   slices.Concat(also("switch", "browser_tab_select"), []spec.Alias{{Name: "switchTab", Params: tab}, tabs("select")}),
		"openTab":     slices.Concat(also("browser_tab_new"), []spec.Alias{tabs("new"), newTab("navigate", "true"), newTab("go_to_url", "true")}),
		"closeTab":    slices.Concat(also("browser_tab_close"), []spec.Alias{{Name: "closeTab", Params: tab}, tabs("close")}),
		"listTabs":    slices.Concat(also("browser_tab_list"), []spec.Alias{tabs("list")}),
		"webSearch":   {{Name: "search", Drop: []string{"engine"}}, {Name: "search_google"}},
		"wait":        {{Name: "wait", Params: map[string]string{"seconds": "ms*1000", "duration": "ms*1000"}}, {Name: "browser_wait_for", When: map[string]string{"text": "", "textGone": ""}, Params: map[string]string{"time": "ms*1000"}}},
		"waitFor":     slices.Concat(waitStates(), []spec.Alias{{Name: "browser_wait_for", When: map[string]string{"text": "", "textGone": "?"}, Params: map[string]string{"textGone": "text"}, Set: map[string]any{"gone": true}}, {Name: "browser_wait_for", When: map[string]string{"text": "?", "textGone": ""}}}),
		"screenshot":  {{Name: "browser_take_screenshot", Params: map[string]string{"filename": "fileName"}, Drop: []string{"element", "type", "raw"}}, {Name: "take_screenshot"}, {Name: "browser_screenshot"}},
		"getElements": also("browser_snapshot", "snapshot"),
		"extractContent": {
			{Name: "extractContent", Params: map[string]string{"goal": "query", "extract_links": "links"}},
			{Name: "extract"},
			{Name: "extract_page_content"},
		},
		"handleDialog": {{Name: "browser_handle_dialog", Params: map[string]string{"promptText": "text"}}},
		"savePDF":      {{Name: "save_as_pdf"}, {Name: "browser_pdf_save", Params: map[string]string{"filename": "fileName"}}},
		"executeJS":    {{Name: "executeJS", Params: map[string]string{"script": "code", "javascript": "code"}}, {Name: "evaluate", When: map[string]string{"code": "?"}}},
		"done":         {{Name: "done", Params: map[string]string{"text": "answer"}, Drop: []string{"files_to_display"}}},
	}
}

// waitStates are the states that Playwright, Puppeteer and agent-browser wait for.
func waitStates() []spec.Alias {
	out := []spec.Alias{{Name: "waitFor", Params: map[string]string{
		"loadState": "state", "load": "state", "waitUntil": "state", "timeout": "timeoutMs", "expression": "function", "fn": "function",
	}}}
	is := func(state, param string, value any) {
		out = append(out, spec.Alias{Name: "waitFor", When: map[string]string{"state": state}, Set: map[string]any{param: value}})
	}
	for _, there := range []string{"visible", "attached"} {
		is(there, "gone", false)
	}
	for _, gone := range []string{"hidden", "detached"} {
		is(gone, "gone", true)
	}
	for _, idle := range []string{"networkidle0", "networkidle2", "idle"} {
		is(idle, "state", "networkidle")
	}
	is("complete", "state", "load")
	is("interactive", "state", "domcontentloaded")
	is("commit", "state", "domcontentloaded")
	return out
}

// also returns aliases without renamed parameters.
func also(names ...string) []spec.Alias {
	out := make([]spec.Alias, 0, len(names))
	for _, n := range names {
		out = append(out, spec.Alias{Name: n})
	}
	return out
}

// withDescription returns aliases that drop the parameter element, a description that
// Playwright MCP takes beside the target.
func withDescription(names ...string) []spec.Alias {
	out := also(names...)
	for i := range out {
		out[i].Drop = []string{"element"}
	}
	return out
}
