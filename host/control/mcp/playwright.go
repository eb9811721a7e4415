package mcp

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// Clients and prompts written for Playwright MCP call its tools by their names. These
// are not listed. A call of one is first translated to the tools of this server.

// closeTool is the tool that ends the session.
const closeTool = "browser_close"

// params are the arguments of a call. Those that are left are passed on.
type params map[string]any

// take removes and returns an argument.
func (p params) take(name string) any {
	v := p[name]
	delete(p, name)
	return v
}

// text removes and returns an argument that is a string.
func (p params) text(name string) string {
	s, _ := p.take(name).(string)
	return s
}

// rename renames an argument if it is given.
func (p params) rename(from, to string) {
	if v := p.take(from); v != nil {
		p[to] = v
	}
}

// refShape matches a ref, also with a snapshot's name before it.
var refShape = regexp.MustCompile(`^@?(?:snap_[a-z0-9]+:)?e\d+$`)

// targetArgs turns Playwright's target, a ref or a selector, into this server's arguments.
func targetArgs(target string) map[string]any {
	if refShape.MatchString(target) {
		return map[string]any{"ref": strings.TrimPrefix(target, "@")}
	}
	return map[string]any{"selector": target}
}

// target replaces the target argument by ref or selector, and then removes the
// element argument, which only describes it.
func (p params) target() {
	t := p.text("target")
	if t != "" {
		maps.Copy(p, targetArgs(t))
	}
	if p["ref"] != nil || p["selector"] != nil {
		delete(p, "element")
	}
}

// keys maps Playwright's names of modifier keys to this server's.
var keys = map[string]string{"Alt": "alt", "Control": "ctrl", "ControlOrMeta": "ctrl", "Meta": "meta", "Shift": "shift"}

// translation returns the calls that replace a call of a Playwright tool.
type translation func(p params) ([]step, error)

// sameAs translates to one other tool with the same arguments, changed by change.
func sameAs(name string, change func(p params)) translation {
	return func(p params) ([]step, error) {
		p.target()
		if change != nil {
			change(p)
		}
		return []step{{tool: ToolName(name), args: p}}, nil
	}
}

// playwright has the translations of the tools of @playwright/mcp. If a tool here has
// the same name, only calls with an argument of marks are translated.
var playwright map[string]translation

func init() {
	playwright = map[string]translation{
		closeTool: func(params) ([]step, error) { return []step{{tool: closeTool}}, nil },
		"browser_click": sameAs("click", func(p params) {
			if twice, _ := p.take("doubleClick").(bool); twice {
				p["clicks"] = 2
			}
			if list, ok := p["modifiers"].([]any); ok {
				for i, k := range list {
					if own := keys[fmt.Sprint(k)]; own != "" {
						list[i] = own
					}
				}
			}
		}),
		"browser_type": sameAs("type", func(p params) {
			if slowly, _ := p.take("slowly").(bool); !slowly && p["clear"] == nil {
				p["clear"] = true
			}
		}),
		"browser_hover":         sameAs("hover", nil),
		"browser_check":         sameAs("check", nil),
		"browser_uncheck":       sameAs("uncheck", nil),
		"browser_select_option": sameAs("select", nil),
		"browser_drag": func(p params) ([]step, error) {
			args := map[string]any{}
			for from, to := range map[string]string{"start": "from", "end": "to"} {
				t := p.text(from + "Target")
				if ref := p.text(from + "Ref"); t == "" {
					t = ref
				}
				if t != "" {
					args[to] = targetArgs(t)
				}
				delete(p, from+"Element")
			}
			maps.Copy(args, p)
			return []step{{tool: ToolName("dragDrop"), args: args}}, nil
		},
		"browser_drop":             sameAs("uploadFile", nil),
		"browser_file_upload":      sameAs("uploadFile", nil),
		"browser_navigate_back":    sameAs("goBack", nil),
		"browser_navigate_forward": sameAs("goForward", nil),
		"browser_handle_dialog":    sameAs("handleDialog", func(p params) { p.rename("promptText", "text") }),
		"browser_snapshot": sameAs("snapshot", func(p params) {
			p.rename("ref", "scope")
			p.rename("selector", "scope")
			p.rename("depth", "maxDepth")
			delete(p, "boxes")
		}),
		"browser_take_screenshot": sameAs("screenshot", func(p params) {
			if p["type"] == "png" { // the default format shows the same
				delete(p, "type")
			}
			p.rename("type", "format")
			p.rename("filename", "fileName")
			delete(p, "scale")
			delete(p, "raw")
		}),
		"browser_pdf_save": sameAs("savePDF", func(p params) { p.rename("filename", "fileName") }),
		"browser_wait_for": waitFor,
		"browser_evaluate": func(p params) ([]step, error) {
			script := p.text("function")
			if strings.TrimSpace(script) == "" {
				return nil, invalid("function is missing", `Give a JavaScript function: "() => document.title".`)
			}
			if p["filename"] != nil {
				return nil, unsupportedError("the value is not written to a file", "Call it without filename.")
			}
			p.target()
			if p["ref"] != nil || p["selector"] != nil {
				return []step{{tool: ToolName("executeJS"), args: p, script: script}}, nil
			}
			delete(p, "element")
			p["code"] = "(" + script + ")()"
			return []step{{tool: ToolName("executeJS"), args: p}}, nil
		},
		"browser_run_code_unsafe": func(params) ([]step, error) {
			return nil, unsupportedError("code of Playwright's can't be run here", "Use the other tools, or browser_execute_js for JavaScript in the page.")
		},
		"browser_network_request": func(params) ([]step, error) {
			return nil, unsupportedError("headers and bodies of requests are not kept", "Use browser_network_requests for their addresses and status.")
		},
		"browser_emulate_media": func(params) ([]step, error) {
			return nil, unsupportedError("media features can't be emulated here", "Go on without it.")
		},
		"browser_fill_form": fillForm,
		"browser_tabs":      nil, // needs no translation
	}
	point := func(p params) { delete(p, "element") }
	for name, own := range map[string]string{"click": "click", "move": "mouseMove"} {
		playwright["browser_mouse_"+name+"_xy"] = sameAs(own, point)
	}
	playwright["browser_mouse_drag_xy"] = func(p params) ([]step, error) {
		args := map[string]any{"from": map[string]any{"x": p.take("startX"), "y": p.take("startY")}, "to": map[string]any{"x": p.take("endX"), "y": p.take("endY")}}
		delete(p, "element")
		maps.Copy(args, p)
		return []step{{tool: ToolName("dragDrop"), args: args}}, nil
	}
}

// marks are the arguments that identify a call as Playwright's if a tool of this
// server has the same name.
var marks = []string{"target", "element", "doubleClick", "slowly", "promptText", "time", "textGone", "depth", "boxes"}

// otherNames returns the names of Playwright's tools that no tool here has.
func otherNames(own map[string]tool) (names []string) {
	for name := range playwright {
		if _, ok := own[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// fromPlaywright returns the calls that replace a call of Playwright's; none if it is
// a call of this server's own.
func fromPlaywright(name string, args map[string]any) ([]step, error) {
	translate := playwright[name]
	if translate == nil {
		return nil, nil
	}
	if _, own := action.Default().Spec(ownAction(name)); own && !slices.ContainsFunc(marks, func(m string) bool { return args[m] != nil }) {
		return nil, nil
	}
	return translate(args)
}

// ownAction returns the action of a tool: pressKey for browser_press_key.
func ownAction(name string) string {
	for _, s := range action.Default().Specs() {
		if ToolName(s.Name) == name {
			return s.Name
		}
	}
	return ""
}

// waitFor waits for a time, for a text, and until a text is gone, whichever are given,
// as Playwright does.
func waitFor(p params) ([]step, error) {
	var steps []step
	if t := p.take("time"); t != nil {
		seconds, err := strconv.ParseFloat(fmt.Sprint(t), 64)
		if err != nil || seconds < 0 {
			return nil, invalid("time is a number of seconds", `Call it again as {"time": 2}.`)
		}
		steps = append(steps, step{tool: ToolName("wait"), args: map[string]any{"ms": seconds * 1000}})
	}
	if gone := p.text("textGone"); gone != "" {
		steps = append(steps, step{tool: ToolName("waitFor"), args: map[string]any{"text": gone, "gone": true}})
	}
	if len(p) > 0 {
		steps = append(steps, step{tool: ToolName("waitFor"), args: p})
	}
	return steps, nil
}

// mostFields is the most fields of one call.
const mostFields = 30

// fillForm translates each field to the tool for its type, or, without a type, for its value:
// true and false are for boxes. If that tool can't be used on the field, it is written into
// or, if it takes no text, chosen from.
func fillForm(p params) ([]step, error) {
	fields, _ := p.take("fields").([]any)
	switch {
	case len(fields) == 0:
		return nil, invalid("fields is missing", `Call it as {"fields": [{"index": 5, "value": "ada@example.com"}]}.`)
	case len(fields) > mostFields:
		return nil, invalid(fmt.Sprintf("%d fields are more than the %d of one call", len(fields), mostFields), "Call it several times.")
	}
	var steps []step
	for i, f := range fields {
		field, _ := f.(map[string]any)
		f := params(maps.Clone(field))
		f.target()
		kind, given, target := f.text("type"), f.take("value"), map[string]any{}
		for _, name := range []string{"ref", "selector", "index"} {
			if v := f.take(name); v != nil {
				target[name] = v
			}
		}
		if len(target) == 0 || given == nil {
			return nil, invalid(fmt.Sprintf("field %d has no index, ref or selector, or no value", i+1), "Correct it and call again; nothing was filled in.")
		}
		maps.Copy(target, p) // confirmation_id
		value := fmt.Sprint(given)
		if n, ok := given.(float64); ok {
			value = strconv.FormatFloat(n, 'f', -1, 64) // 1250000, not 1.25e+06
		}
		with := func(name string, more map[string]any) *step {
			args := maps.Clone(target)
			maps.Copy(args, more)
			return &step{tool: ToolName(name), args: args}
		}
		choose := with("select", map[string]any{"label": value})
		write := with("type", map[string]any{"text": value, "clear": true})
		box := with("uncheck", nil)
		yes, no := strings.EqualFold(value, "true"), strings.EqualFold(value, "false")
		if yes {
			box = with("check", nil)
		}
		switch {
		case kind == "textbox" || kind == "slider":
			steps = append(steps, *write)
		case kind == "combobox":
			steps = append(steps, *choose)
		case (kind == "checkbox" || kind == "radio") && yes || kind == "checkbox" && no:
			steps = append(steps, *box)
		case kind != "":
			return nil, invalid(fmt.Sprintf("field %d is none that can be filled in: type is textbox, slider, combobox, checkbox or radio, and a checkbox has the value true or false", i+1), "Correct it and call again; nothing was filled in.")
		default:
			write.instead = choose
			if yes || no {
				box.instead, write = write, box
			}
			steps = append(steps, *write)
		}
	}
	return steps, nil
}

func unsupportedError(message, hint string) error {
	return &wire.Error{Code: wire.Code(action.Unsupported), Message: message, Hint: hint}
}
