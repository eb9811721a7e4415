package action

import (
	"encoding/json"
	"fmt"
	"strings"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// hints say to a model what to do next; every code has one.
var hints = map[Code]string{
	StaleRef:          "The page has changed. Use one of the candidates, or call getElements for a fresh list; do not repeat the old index.",
	NotFound:          "Call getElements for what is there now, scroll, or try another selector.",
	Covered:           "Something lies over it. Close or answer what covers it, or scroll, then try again.",
	Disabled:          "It is disabled. Fill in what is missing first, or wait until it is enabled.",
	NotVisible:        "It is not shown. Scroll, or open the menu or section it is in, then call getElements.",
	NotEditable:       "It takes no text. Choose a field (type input in getElements).",
	Timeout:           "Look at the page again before anything is repeated: it may have happened.",
	NeedsConfirmation: "Pause and let the person look at the page.",
	Denied:            "The person does not want this. Stop trying it, by this or any other way; go on without it, or ask with askUser.",
	Blocked:           "This is never allowed. Do the task another way, or say in done that it can't be done.",
	NavigationFailed:  "Check the address, or reach the page by links or a search.",
	DialogOpen:        "Answer the dialog with handleDialog first.",
	TabClosed:         "Use switchTab to go to another tab of the task.",
	TabBusy:           "Another task uses this tab. Wait, or work in another tab.",
	Detached:          "The tab can't be driven now. Wait for the person, or use switchTab.",
	InvalidParams:     "Mend the parameters and call it again.",
	Unsupported:       "Try another action for the same end.",
}

// candidatesShown is how many candidates a failure text lists.
const candidatesShown = 5

// failText is what a model reads of a failure.
func failText(e *Error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ERROR %s: %s.", e.Code, strings.TrimRight(e.Message, "."))
	if s, ok := e.Data.(*pagecontext.StaleError); ok && len(s.Candidates) > 0 {
		b.WriteString(" Candidates:")
		for i, c := range s.Candidates {
			if i == candidatesShown {
				break
			}
			mark := ""
			if c.Exact {
				mark = " (exact)"
			}
			fmt.Fprintf(&b, " [%d] %s%s;", c.Index, describe(c.Role, c.Tag, c.Name), mark)
		}
	}
	if e.Hint != "" {
		b.WriteString(" " + e.Hint)
	}
	return b.String()
}

// phrase is how a step is told to a person.
type phrase struct{ done, failed string }

// phrases are the steps in plain words; %s is the target. Actions that have no
// target leave it out.
var phrases = map[string]map[string]phrase{
	English: {
		"click":             {"Clicked %s", "Could not click %s"},
		"hover":             {"Pointed at %s", "Could not point at %s"},
		"dragDrop":          {"Dragged %s", "Could not drag %s"},
		"type":              {"Typed into %s", "Could not type into %s"},
		"pressKey":          {"Pressed a key on %s", "Could not press the key on %s"},
		"select":            {"Chose an option in %s", "Could not choose an option in %s"},
		"uploadFile":        {"Handed a file to %s", "Could not hand a file to %s"},
		"scroll":            {"Scrolled", "Could not scroll"},
		"navigate":          {"Opened %s", "Could not open %s"},
		"goBack":            {"Went back", "Could not go back"},
		"goForward":         {"Went forward", "Could not go forward"},
		"refresh":           {"Reloaded the page", "Could not reload the page"},
		"switchTab":         {"Went to the tab %s", "Could not go to the tab %s"},
		"wait":              {"Waited %s", "Could not wait"},
		"screenshot":        {"Took a picture of the page", "Could not take a picture of the page"},
		"getElements":       {"Looked at the page: %s elements", "Could not look at the page"},
		"getElementDetails": {"Looked closer at %s elements", "Could not look closer"},
		"handleDialog":      {"Answered the dialog %s", "Could not answer the dialog %s"},
		"executeJS":         {"Ran JavaScript", "Could not run JavaScript"},
		"askUser":           {"Asked: %s", "Could not ask"},
		"done":              {"Finished", "Could not finish"},
	},
	Chinese: {
		"click":             {"点击了%s", "无法点击%s"},
		"hover":             {"把鼠标移到了%s", "无法把鼠标移到%s"},
		"dragDrop":          {"拖动了%s", "无法拖动%s"},
		"type":              {"在%s中输入了文字", "无法在%s中输入文字"},
		"pressKey":          {"在%s上按了键", "无法在%s上按键"},
		"select":            {"在%s中选择了一项", "无法在%s中选择"},
		"uploadFile":        {"把文件交给了%s", "无法把文件交给%s"},
		"scroll":            {"滚动了页面", "无法滚动页面"},
		"navigate":          {"打开了 %s", "无法打开 %s"},
		"goBack":            {"返回了上一页", "无法返回上一页"},
		"goForward":         {"前进了一页", "无法前进"},
		"refresh":           {"重新加载了页面", "无法重新加载页面"},
		"switchTab":         {"切换到了标签页 %s", "无法切换到标签页 %s"},
		"wait":              {"等待了 %s", "无法等待"},
		"screenshot":        {"截取了页面图片", "无法截取页面图片"},
		"getElements":       {"查看了页面：%s 个元素", "无法查看页面"},
		"getElementDetails": {"细看了 %s 个元素", "无法细看"},
		"handleDialog":      {"回应了对话框%s", "无法回应对话框%s"},
		"executeJS":         {"运行了 JavaScript", "无法运行 JavaScript"},
		"askUser":           {"提问：%s", "无法提问"},
		"done":              {"完成", "无法完成"},
	},
}

var unnamed = map[string]string{English: "something", Chinese: "某处"}

// roleWords are the roles a person would name, in Chinese.
var roleWords = map[string]string{
	"button": "按钮", "link": "链接", "textbox": "输入框", "searchbox": "搜索框", "combobox": "下拉框", "checkbox": "复选框",
	"radio": "单选按钮", "tab": "选项卡", "menuitem": "菜单项", "option": "选项", "switch": "开关", "img": "图片", "listbox": "列表框",
	"slider": "滑块", "heading": "标题", "spinbutton": "数字框",
}

// forPeople is a target without the index, in the person's language: a role
// alone says little, a name alone says most.
func forPeople(lang string, res *Result) string {
	t := res.Target
	if t == "" {
		return unnamed[lang]
	}
	role, quoted, hasName := strings.Cut(t, " \"")
	if !hasName {
		if lang == Chinese && roleWords[role] != "" {
			return roleWords[role]
		}
		return t
	}
	name := strings.TrimSuffix(quoted, `"`)
	if lang == Chinese {
		return roleWords[role] + "“" + name + "”"
	}
	return `"` + name + `"`
}

// fill puts the target into a phrase that has a place for it.
func fill(text, target string) string {
	if strings.Contains(text, "%s") {
		return strings.Replace(text, "%s", target, 1)
	}
	return text
}

// plainLine is a step that was done: Clicked "Add to cart" on shop.test.
func plainLine(lang string, res *Result) string {
	ph, ok := phrases[lang][res.Action]
	if !ok {
		return res.Action
	}
	line := fill(ph.done, forPeople(lang, res))
	if withSite[res.Action] && res.Site != "" {
		if lang == Chinese {
			line += "（" + res.Site + "）"
		} else {
			line += " on " + res.Site
		}
	}
	return line
}

// withSite are the actions whose line names the site.
var withSite = map[string]bool{
	"click": true, "type": true, "pressKey": true, "select": true, "uploadFile": true, "dragDrop": true, "hover": true,
	"executeJS": true,
}

// failLine is a step that failed, with the sentence why.
func failLine(lang string, res *Result) string {
	ph, ok := phrases[lang][res.Action]
	if !ok {
		return res.Err.Message
	}
	sep := ": "
	if lang == Chinese {
		sep = "："
	}
	why := res.Err.Message
	if lang == Chinese {
		if w := codeWords[res.Err.Code]; w != "" {
			why = w
		}
	}
	return fill(ph.failed, forPeople(lang, res)) + sep + why
}

// codeWords are the codes for Chinese readers; English ones get the message.
var codeWords = map[Code]string{
	StaleRef: "页面已变化，目标不再是原来的元素", NotFound: "没有找到目标", Covered: "目标被其他内容遮挡", Disabled: "目标不可用",
	NotVisible: "目标不可见", NotEditable: "目标不能输入文字", Timeout: "超时", NeedsConfirmation: "页面在确认期间多次变化，任务需要暂停",
	Denied: "您没有允许", Blocked: "此操作不被允许", NavigationFailed: "页面无法打开", DialogOpen: "有对话框需要先处理",
	TabClosed: "标签页已关闭", TabBusy: "标签页正被其他任务使用", Detached: "标签页已断开", InvalidParams: "参数不正确", Unsupported: "不支持此操作",
}

// notice is what the person is shown of an act that runs without a question.
func notice(lang string, res *Result, p plan, d safety.Decision) string {
	named := *res
	if named.Target == "" {
		named.Target = p.what
	}
	line := plainLine(lang, &named)
	var why []string
	for _, r := range d.Reasons {
		if r.Text != "" {
			why = append(why, r.Text)
		}
	}
	if len(why) > 0 {
		line += " (" + strings.Join(why, "; ") + ")"
	}
	return line
}

// renderList writes elements for a model.
func renderList(l *pagecontext.Listing, budget int, lang string) string {
	if len(l.Elements) == 0 {
		return "OK: no such elements."
	}
	return pagecontext.Render(nil, l, pagecontext.RenderOptions{Budget: budget, Lang: lang})
}

// renderDetails writes what a closer look gave, one block per element.
func renderDetails(ds []pagecontext.Details) string {
	var b strings.Builder
	for _, d := range ds {
		fmt.Fprintf(&b, "[%d] %s\n", d.Index, describe(d.Role, d.Tag, d.Name))
		line := func(k, v string) {
			if v != "" {
				fmt.Fprintf(&b, "  %s: %s\n", k, short(pagecontext.Flatten(v), 300))
			}
		}
		line("selector", d.Selector)
		line("xpath", d.XPath)
		if len(d.Attributes) > 0 {
			if j, err := json.Marshal(d.Attributes); err == nil {
				line("attributes", string(j))
			}
		}
		line("value", d.Value)
		line("parent text", d.ParentText)
		line("ancestors", strings.Join(d.Ancestors, " > "))
		fmt.Fprintf(&b, "  children: %d, enabled: %t, in view: %t\n", d.ChildCount, d.IsEnabled, d.IsVisible)
		if len(d.AllOptions) > 0 {
			var opts []string
			for _, o := range d.AllOptions {
				text := fmt.Sprintf("%q", o.Label)
				if o.Value != o.Label {
					text += " (" + o.Value + ")"
				}
				if o.Selected {
					text += " selected"
				}
				opts = append(opts, text)
			}
			line("options", strings.Join(opts, ", "))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// short cuts a text to n characters.
func short(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
