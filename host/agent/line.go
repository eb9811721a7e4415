package agent

import (
	"encoding/json"
	"strings"

	"tabwright/host/action"
)

// beforehand returns a step in plain words before its target is known, to show what
// runs now. The action's own Line replaces it afterwards.
func beforehand(c action.Call, lang string) string {
	words, ok := doing[c.Name]
	if !ok {
		return c.Name
	}
	line := words[0]
	if lang == "zh" {
		line = words[1]
	}
	var p struct {
		URL  string `json:"url"`
		Key  string `json:"key"`
		Text string `json:"text"`
	}
	if json.Unmarshal(c.Params, &p) != nil {
		return line
	}
	// Typed text may be a secret. Only the action knows, so it is left out here.
	if what := strings.TrimSpace(p.URL + p.Key); what != "" && p.Text == "" {
		line += " " + cut(what, 80)
	}
	return line
}

// doing has the words for a running action, in English and Chinese.
var doing = map[string][2]string{
	"click":             {"Clicking", "正在点击"},
	"type":              {"Typing", "正在输入"},
	"scroll":            {"Scrolling", "正在滚动"},
	"navigate":          {"Opening", "正在打开"},
	"screenshot":        {"Taking a picture of the page", "正在截图"},
	"wait":              {"Waiting", "正在等待"},
	"hover":             {"Pointing", "正在悬停"},
	"select":            {"Choosing", "正在选择"},
	"pressKey":          {"Pressing", "正在按键"},
	"goBack":            {"Going back", "正在后退"},
	"goForward":         {"Going forward", "正在前进"},
	"refresh":           {"Loading the page again", "正在刷新"},
	"dragDrop":          {"Dragging", "正在拖动"},
	"uploadFile":        {"Uploading a file", "正在上传文件"},
	"switchTab":         {"Changing the tab", "正在切换标签页"},
	"executeJS":         {"Running a script", "正在运行脚本"},
	"getElements":       {"Looking at the page", "正在查看页面"},
	"getElementDetails": {"Looking closer", "正在查看细节"},
	"handleDialog":      {"Answering a dialog", "正在回应对话框"},
	"check":             {"Checking a box", "正在勾选"},
	"uncheck":           {"Unchecking a box", "正在取消勾选"},
	"closeTab":          {"Closing a tab", "正在关闭标签页"},
	"openTab":           {"Opening a tab", "正在打开标签页"},
	"listTabs":          {"Looking at the tabs", "正在查看标签页"},
	"download":          {"Downloading", "正在下载"},
	"exportFile":        {"Writing a file", "正在写入文件"},
	"savePDF":           {"Saving the page as a PDF", "正在把页面存为 PDF"},
	"extractContent":    {"Reading the page", "正在阅读页面"},
	"consoleMessages":   {"Reading the page's log", "正在读取页面日志"},
	"networkRequests":   {"Reading the page's requests", "正在读取页面的请求"},
	"resize":            {"Changing the size of the page", "正在调整页面大小"},
	"getText":           {"Reading text", "正在读取文字"},
	"getHTML":           {"Reading the page's source", "正在读取页面源码"},
	"getValue":          {"Reading a field", "正在读取字段"},
	"getAttribute":      {"Reading an attribute", "正在读取属性"},
	"getOptions":        {"Reading the options", "正在读取选项"},
	"find":              {"Searching the page", "正在查找元素"},
	"snapshot":          {"Looking at the page", "正在查看页面"},
	"isVisible":         {"Looking closer", "正在查看细节"},
	"isEnabled":         {"Looking closer", "正在查看细节"},
	"isChecked":         {"Looking closer", "正在查看细节"},
	"focus":             {"Focusing", "正在聚焦"},
	"keyDown":           {"Holding a key", "正在按住按键"},
	"keyUp":             {"Letting a key go", "正在松开按键"},
	"mouseDown":         {"Pressing the mouse button", "正在按下鼠标"},
	"mouseMove":         {"Moving the mouse", "正在移动鼠标"},
	"mouseUp":           {"Letting the mouse button go", "正在松开鼠标"},
	"loadMoreUntil":     {"Loading more", "正在加载更多"},
	"scrollIntoView":    {"Scrolling", "正在滚动"},
	"scrollUntil":       {"Scrolling", "正在滚动"},
	"requestLogin":      {"Handing the tab to you", "正在把标签页交给您"},
	"waitFor":           {"Waiting", "正在等待"},
	"webSearch":         {"Searching the web", "正在搜索网页"},
	"askUser":           {"Asking you", "正在询问您"},
	"done":              {"Finishing", "正在结束"},
	"plan":              {"Planning", "正在制定计划"},
}
