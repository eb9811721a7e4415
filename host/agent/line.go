package agent

import (
	"encoding/json"
	"strings"

	"tabwright/host/action"
)

// beforehand is a step in plain words before its target is known: it shows
// what is under way. The action's own Line takes its place afterwards.
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
	// What is typed may be a secret, and is left to the action, which knows.
	if what := strings.TrimSpace(p.URL + p.Key); what != "" && p.Text == "" {
		line += " " + cut(what, 80)
	}
	return line
}

// doing is each action as it goes on, in English and Chinese.
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
	"askUser":           {"Asking you", "正在询问您"},
	"done":              {"Finishing", "正在结束"},
}
