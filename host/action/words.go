package action

import (
	"encoding/json"
	"fmt"
	"strings"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// phrase is the text of a step for a user: {t} is the target, {x} the text typed, key
// pressed or option chosen.
type phrase struct{ done, failed string }

var phrases = map[string]map[string]phrase{
	English: {
		"click":             {"Clicked {t}", "Could not click {t}"},
		"hover":             {"Pointed at {t}", "Could not point at {t}"},
		"dragDrop":          {"Dragged {t} to {x}", "Could not drag {t}"},
		"type":              {"Typed {x} into {t}", "Could not type into {t}"},
		"pressKey":          {"Pressed {x}", "Could not press {x}"},
		"select":            {"Chose {x} in {t}", "Could not choose {x} in {t}"},
		"uploadFile":        {"Handed over the file {x}", "Could not hand over the file {x}"},
		"scroll":            {"Scrolled {x}", "Could not scroll {x}"},
		"navigate":          {"Opened {t}", "Could not open {t}"},
		"goBack":            {"Went back", "Could not go back"},
		"goForward":         {"Went forward", "Could not go forward"},
		"refresh":           {"Reloaded the page", "Could not reload the page"},
		"switchTab":         {"Went to the tab {t}", "Could not go to another tab"},
		"wait":              {"Waited {x}", "Could not wait"},
		"screenshot":        {"Took a picture of the page", "Could not take a picture of the page"},
		"getElements":       {"Looked at the page: {x} elements", "Could not look at the page"},
		"getElementDetails": {"Looked closer at {x} elements", "Could not look closer"},
		"handleDialog":      {"Answered the {t} with {x}", "Could not answer a dialog"},
		"executeJS":         {"Ran JavaScript", "Could not run JavaScript"},
		"askUser":           {"Asked: {x}", "Could not ask"},
		"done":              {"Finished", "Could not finish"},
		"plan":              {"Planned", "Could not plan"},
		"mouseMove":         {"Moved the mouse to {t}", "Could not move the mouse to {t}"},
		"mouseDown":         {"Pressed the mouse on {t}", "Could not press the mouse on {t}"},
		"mouseUp":           {"Let the mouse go on {t}", "Could not let the mouse go on {t}"},
		"keyDown":           {"Held down {x}", "Could not hold down {x}"},
		"keyUp":             {"Let go of {x}", "Could not let go of {x}"},
		"focus":             {"Focused {t}", "Could not focus {t}"},
		"getOptions":        {"Read the {x} options of {t}", "Could not read the options of {t}"},
		"check":             {"Checked {t}", "Could not check {t}"},
		"uncheck":           {"Unchecked {t}", "Could not uncheck {t}"},
		"scrollIntoView":    {"Scrolled to {t}", "Could not scroll to {t}"},
		"scrollUntil":       {"Scrolled {x} through the page", "Could not scroll through the page"},
		"loadMoreUntil":     {"Loaded more, {x} times", "Could not load more"},
		"openTab":           {"Opened a tab {t}", "Could not open a tab {t}"},
		"closeTab":          {"Closed the tab {t}", "Could not close the tab {t}"},
		"listTabs":          {"Looked at the task's {x} tabs", "Could not list the tabs"},
		"webSearch":         {"Searched the web for {x}", "Could not search the web for {x}"},
		"waitFor":           {"Waited for {x}", "Gave up waiting for {x}"},
		"snapshot":          {"Read the page as a tree: {x} refs", "Could not read the page"},
		"getText":           {"Read the text", "Could not read the text"},
		"getAttribute":      {"Read {x} of {t}", "Could not read {x} of {t}"},
		"getHTML":           {"Read the HTML", "Could not read the HTML"},
		"getValue":          {"Read the value of {t}", "Could not read the value of {t}"},
		"isVisible":         {"Checked whether {t} is visible", "Could not check whether {t} is visible"},
		"isEnabled":         {"Checked whether {t} is enabled", "Could not check whether {t} is enabled"},
		"isChecked":         {"Checked whether {t} is on", "Could not check whether {t} is on"},
		"find":              {"Found {x} elements", "Found nothing"},
		"extractContent":    {"Read the page", "Could not read the page"},
		"savePDF":           {"Saved the page as {x}", "Could not save the page as PDF"},
		"download":          {"Downloaded {x}", "Could not download"},
		"exportFile":        {"Wrote the file {x}", "Could not write the file {x}"},
		"requestLogin":      {"Handed the tab over: {x}", "Could not hand the tab over"},
		"consoleMessages":   {"Read the page's log", "Could not read the page's log"},
		"networkRequests":   {"Read the page's requests", "Could not read the page's requests"},
		"resize":            {"Changed the size of the page to {t}", "Could not change the size of the page"},
	},
	Chinese: {
		"click":             {"点击了{t}", "无法点击{t}"},
		"hover":             {"把鼠标移到了{t}", "无法把鼠标移到{t}"},
		"dragDrop":          {"把{t}拖到了{x}", "无法拖动{t}"},
		"type":              {"在{t}中输入了{x}", "无法在{t}中输入文字"},
		"pressKey":          {"按了 {x} 键", "无法按 {x} 键"},
		"select":            {"在{t}中选择了{x}", "无法在{t}中选择{x}"},
		"uploadFile":        {"提交了文件 {x}", "无法提交文件 {x}"},
		"scroll":            {"滚动了页面", "无法滚动页面"},
		"navigate":          {"打开了 {t}", "无法打开 {t}"},
		"goBack":            {"返回了上一页", "无法返回上一页"},
		"goForward":         {"前进了一页", "无法前进"},
		"refresh":           {"重新加载了页面", "无法重新加载页面"},
		"switchTab":         {"切换到了标签页 {t}", "无法切换标签页"},
		"wait":              {"等待了 {x}", "无法等待"},
		"screenshot":        {"截取了页面图片", "无法截取页面图片"},
		"getElements":       {"查看了页面：{x} 个元素", "无法查看页面"},
		"getElementDetails": {"细看了 {x} 个元素", "无法细看"},
		"handleDialog":      {"回应了{t}：{x}", "无法回应对话框"},
		"executeJS":         {"运行了 JavaScript", "无法运行 JavaScript"},
		"askUser":           {"提问：{x}", "无法提问"},
		"done":              {"完成", "无法完成"},
		"plan":              {"已制定计划", "无法制定计划"},
		"mouseMove":         {"把鼠标移到了{t}", "无法把鼠标移到{t}"},
		"mouseDown":         {"在{t}上按下了鼠标", "无法在{t}上按下鼠标"},
		"mouseUp":           {"在{t}上松开了鼠标", "无法在{t}上松开鼠标"},
		"keyDown":           {"按住了 {x} 键", "无法按住 {x} 键"},
		"keyUp":             {"松开了 {x} 键", "无法松开 {x} 键"},
		"focus":             {"聚焦了{t}", "无法聚焦{t}"},
		"getOptions":        {"读取了{t}的 {x} 个选项", "无法读取{t}的选项"},
		"check":             {"勾选了{t}", "无法勾选{t}"},
		"uncheck":           {"取消勾选了{t}", "无法取消勾选{t}"},
		"scrollIntoView":    {"滚动到了{t}", "无法滚动到{t}"},
		"scrollUntil":       {"滚动浏览了页面", "无法滚动浏览页面"},
		"loadMoreUntil":     {"加载了 {x} 次更多内容", "无法加载更多内容"},
		"openTab":           {"打开了标签页 {t}", "无法打开标签页 {t}"},
		"closeTab":          {"关闭了标签页 {t}", "无法关闭标签页 {t}"},
		"listTabs":          {"查看了任务的 {x} 个标签页", "无法列出标签页"},
		"webSearch":         {"在网上搜索了{x}", "无法在网上搜索{x}"},
		"waitFor":           {"等待了：{x}", "未能等到：{x}"},
		"snapshot":          {"读取了页面结构：{x} 个元素", "无法读取页面"},
		"getText":           {"读取了文字", "无法读取文字"},
		"getAttribute":      {"读取了{t}的 {x}", "无法读取{t}的 {x}"},
		"getHTML":           {"读取了 HTML", "无法读取 HTML"},
		"getValue":          {"读取了{t}的值", "无法读取{t}的值"},
		"isVisible":         {"查看了{t}是否可见", "无法查看{t}是否可见"},
		"isEnabled":         {"查看了{t}是否可用", "无法查看{t}是否可用"},
		"isChecked":         {"查看了{t}是否选中", "无法查看{t}是否选中"},
		"find":              {"找到了 {x} 个元素", "没有找到"},
		"extractContent":    {"阅读了页面", "无法阅读页面"},
		"savePDF":           {"把页面保存为 {x}", "无法把页面保存为 PDF"},
		"download":          {"下载了 {x}", "无法下载"},
		"exportFile":        {"写入了文件 {x}", "无法写入文件 {x}"},
		"requestLogin":      {"交出了标签页：{x}", "无法交出标签页"},
		"consoleMessages":   {"读取了页面日志", "无法读取页面日志"},
		"networkRequests":   {"读取了页面的请求", "无法读取页面的请求"},
		"resize":            {"把页面大小调整为 {t}", "无法调整页面大小"},
	},
}

var unnamed = map[string]string{English: "something", Chinese: "某处"}

// roleWords are the Chinese words for roles that a user would name.
var roleWords = map[string]string{
	"button": "按钮", "link": "链接", "textbox": "输入框", "searchbox": "搜索框", "combobox": "下拉框", "checkbox": "复选框",
	"radio": "单选按钮", "tab": "选项卡", "menuitem": "菜单项", "option": "选项", "switch": "开关", "img": "图片", "listbox": "列表框",
	"slider": "滑块", "dialog": "对话框", "heading": "标题", "spinbutton": "数字框",
}

// forPeople returns a target without the index, in the user's language. The English text
// leaves out the role of a named element, except that of a dialog.
func forPeople(lang, target string) string {
	if target == "" {
		return unnamed[lang]
	}
	role, quoted, hasName := strings.Cut(target, " \"")
	if !hasName {
		if lang == Chinese && roleWords[role] != "" {
			return roleWords[role]
		}
		return target
	}
	name := strings.TrimSuffix(quoted, `"`)
	switch {
	case lang == Chinese:
		return roleWords[role] + "“" + name + "”"
	case role == "dialog":
		return `dialog "` + name + `"`
	}
	return `"` + name + `"`
}

// fill puts target and object into a phrase. Both come from outside and may
// hold braces themselves, so it is done in one pass.
func fill(text, target, object string) string {
	return strings.TrimRight(strings.NewReplacer("{t}", target, "{x}", object).Replace(text), " ")
}

// inEach returns a text in each language.
func inEach(say func(lang string) string) map[string]string {
	return map[string]string{English: say(English), Chinese: say(Chinese)}
}

// plainLine returns the line of a step that was done: Clicked "Add to cart" on shop.test.
func plainLine(lang, object string, res *Result) string {
	ph, ok := phrases[lang][res.Action]
	if !ok {
		return res.Action
	}
	line := fill(ph.done, forPeople(lang, res.Target), object)
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
	"executeJS": true, "mouseMove": true, "mouseDown": true, "mouseUp": true, "keyDown": true, "keyUp": true, "focus": true,
	"check": true, "uncheck": true,
}

// failLine returns the line of a step that failed, with the reason.
func failLine(lang, object string, res *Result) string {
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
	return fill(ph.failed, forPeople(lang, res.Target), object) + sep + strings.TrimRight(why, ".")
}

// codeWords are the codes for Chinese readers; English ones get the message.
var codeWords = map[Code]string{
	StaleRef: "页面已变化，目标不再是原来的元素", NotFound: "没有找到目标", Covered: "目标被其他内容遮挡", Disabled: "目标不可用",
	NotVisible: "目标不可见", NotEditable: "目标不能输入文字", Timeout: "超时", NeedsConfirmation: "页面在确认期间多次变化，任务需要暂停",
	Denied: "您没有允许", Blocked: "此操作不被允许", StoppedAfter: "页面已经执行，但随后要发送的内容被拦下，没有保存，重新加载页面可能会再次发送", NavigationFailed: "页面无法打开", DialogOpen: "有对话框需要先处理",
	TabClosed: "标签页已关闭", TabBusy: "标签页正被其他任务使用", Detached: "标签页已断开", InvalidParams: "参数不正确", Unsupported: "不支持此操作",
}

// notice returns what the user is shown of an act that runs without a question.
func notice(lang, object string, res *Result, p gatedStep, d safety.Decision) string {
	named := *res
	if named.Target == "" {
		named.Target = p.what
	}
	line := plainLine(lang, object, &named)
	var why []string
	for _, r := range d.Reasons {
		if r.Text != "" {
			why = append(why, safety.Reword(r.Text, lang))
		}
	}
	if len(why) > 0 {
		line += " (" + strings.Join(why, "; ") + ")"
	}
	return line
}

// renderList writes elements for a model, and leaves only the written ones in the list.
func (r *run) renderList(l *pagecontext.Listing, budget int) string {
	if len(l.Elements) == 0 {
		if l.Paging != "" {
			return fmt.Sprintf("OK: no such elements. Of what the page holds it shows a part: %q.", l.Paging)
		}
		return "OK: no such elements."
	}
	o := pagecontext.RenderOptions{Budget: budget, Lang: r.s.o.Lang, TextOnly: r.s.o.TextOnly}
	if budget == DefaultBudget {
		o.Most = 2 * DefaultBudget // so that nothing in view is left out
	}
	return r.page.RenderList(l, o)
}

// renderDetails writes the result of a closer look, one block per element.
func renderDetails(ds []pagecontext.Details) string {
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(pagecontext.Line(d.Element) + "\n")
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
		fmt.Fprintf(&b, "  children: %d, enabled: %t, in view: %t, box: %.0f x %.0f at %.0f, %.0f of the viewport\n",
			d.ChildCount, d.IsEnabled, d.IsVisible, d.Rect.Width, d.Rect.Height, d.Rect.X, d.Rect.Y)
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
func short(s string, n int) string { return pagecontext.Cut(s, n) }
