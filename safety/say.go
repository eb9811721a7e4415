package safety

import (
	"fmt"
	"net/url"
	"strings"
)

// say gives a sentence for the user in their language. The English format is the key
// of the translation; a sentence without one stays English.
func (c Context) say(format string, args ...any) string {
	if strings.HasPrefix(strings.ToLower(c.Lang), "zh") {
		if zh, ok := chinese[format]; ok {
			format = zh
		}
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

var chinese = map[string]string{
	"What was read on %s would go to %s: %s":                          "在 %s 上读到的内容会发往 %s：%s",
	"The clipboard may hold what was read on another site than %s":    "剪贴板里可能有在 %s 以外的网站上读到的内容",
	"What is dragged is of %s and would go to %s":                     "拖动的内容属于 %s，会发往 %s",
	"Nothing was written on %s before, and the task does not name it": "之前没有在 %s 写入过内容，任务也没有提到它",
	"The stored secret %s would be filled in on %s":                   "将填入保存的机密 %s，网站：%s",
	"You said no to something like this before: %s":                   "您之前拒绝过类似的操作：%s",
	"The text of %s speaks to an assistant, so more is asked":         "%s 上的文字像是在对助手说话，所以要多问一次",

	"a message to %s": "发给 %s 的消息",
	"The page is about to send %s, which says: %s":                                             "页面即将发送 %s，其中写着：%s",
	"The page is about to send %s after a press that nobody can make out":                      "页面即将发送 %s，而刚才按下的控件无法辨明",
	"The page is about to send %s after a press that nobody can make out, and at stake is: %s": "页面即将发送 %s，而刚才按下的控件无法辨明，事关：%s",

	"Beside it stands a statement that changes data: %s":                             "旁边有一条会改动数据的语句：%s",
	"%s may turn off: %s":                                                            "%s可能会关掉：%s",
	"%s keeps a setting of: %s":                                                      "%s会保存这项设置：%s",
	"A line of a list is moved":                                                      "移动列表中的一行",
	"The drag's end is not known":                                                    "不知道会拖到哪里",
	"The page asks: %s":                                                              "页面询问：%s",
	"Agreeing to a dialog. %s":                                                       "同意一个对话框。%s",
	"Agreeing to a dialog of the page: %s":                                           "同意页面的对话框：%s",
	"The file would be written outside of the task's folder: %s":                     "文件会写到任务文件夹之外：%s",
	"A file is downloaded to the task's folder":                                      "文件会下载到任务文件夹",
	"The download is a program: %s":                                                  "下载的是程序：%s",
	"It is not known what is pressed. %s":                                            "不知道会按下什么。%s",
	"It is not known what is pressed":                                                "不知道会按下什么",
	"The form is sent by e-mail":                                                     "表单通过电子邮件发送",
	"The link opens another program: %s":                                             "链接会打开另一个程序：%s",
	"The link opens something the page has made":                                     "链接会打开页面自己生成的内容",
	"The page is about to send a form by itself: %s":                                 "页面正要自行发送表单：%s",
	"In the form is changed: %s":                                                     "表单里改了：%s",
	"In the form is chosen: %s":                                                      "表单里选了：%s",
	"The %s sends a request that deletes":                                            "这个%s会发送删除请求",
	"The page asks before it acts: %s":                                               "页面在执行前会问：%s",
	"The %s sends %s by a script: %s":                                                "这个%s会用脚本发送 %s：%s",
	"The link's address says: %s":                                                    "链接的地址里写着：%s",
	"The link reads %s and leads to %s":                                              "链接显示的是 %s，实际前往 %s",
	"Payment details stand beside it":                                                "旁边填有付款信息",
	"A password stands beside it":                                                    "旁边填有密码",
	"A one-time code stands beside it":                                               "旁边填有一次性验证码",
	"A secret stands beside it":                                                      "旁边填有机密信息",
	"The form holds payment details":                                                 "表单里有付款信息",
	"The form holds a password":                                                      "表单里有密码",
	"The form holds a one-time code":                                                 "表单里有一次性验证码",
	"The form holds a secret":                                                        "表单里有机密信息",
	"The form sends a file: %s":                                                      "表单会发送文件：%s",
	"It is not known what %s does, and the page's address is sensitive: %s":          "不知道%s会做什么，而页面地址敏感：%s",
	"It is not known what %s does, and the page's address says: %s":                  "不知道%s会做什么，而页面地址写着：%s",
	"It is not known what %s does, and above it stands: %s":                          "不知道%s会做什么，而它上方写着：%s",
	"It is not known what %s does, and it says: %s":                                  "不知道%s会做什么，而它写着：%s",
	"It is not known what %s does, and beside it stands: %s":                         "不知道%s会做什么，而它旁边写着：%s",
	"It is not known what %s does":                                                   "不知道%s会做什么",
	"Sends a form, and it is not known what %s does":                                 "会提交表单，而不知道%s会做什么",
	"The form deletes what it is about":                                              "表单会删除它所指的东西",
	"The form sends a sum: %s":                                                       "表单会送出一笔金额：%s",
	"The form sends what is written in it":                                           "表单会发送里面写的内容",
	"The form declares: %s":                                                          "表单里声明：%s",
	"The form says how much goes to whom":                                            "表单里写着把多少钱给谁",
	"The link's script is called: %s":                                                "链接的脚本名叫：%s",
	"The shortcut sends what is written in %s":                                       "这个快捷键会发送 %s 里写的内容",
	"The form goes to an address that says: %s":                                      "表单提交的地址里写着：%s",
	"The form goes to a sensitive address: %s":                                       "表单提交到敏感地址：%s",
	"Submits a form. %s":                                                             "会提交表单。%s",
	"The picture on the %s is called %s":                                             "%s上的图标名为 %s",
	"What is dropped there is gone: %s":                                              "拖到那里的东西会被删除：%s",
	"Leaving the page loses what was written there":                                  "离开页面会丢失已写的内容",
	"Submits a form":                                                                 "会提交表单",
	"The %s says %s":                                                                 "%s上写着 %s",
	"The %s says %s on a page whose address is sensitive: %s":                        "%s上写着 %s，页面地址敏感：%s",
	"A control without a name on a page whose address is sensitive: %s":              "控件没有名称，页面地址敏感：%s",
	"Enter submits the form":                                                         "回车会提交表单",
	"The word lists could not be read, so everything is asked about":                 "词表无法读取，所以一切都要询问",
	"The action has no class of its own":                                             "这个动作没有自己的类别",
	"Running code in a page is always asked about":                                   "在页面里运行代码总要询问",
	"Handing over a file is always asked about":                                      "交出文件总要询问",
	"The file is outside the folders that may be uploaded from":                      "文件不在允许上传的文件夹里",
	"Waiting for a function runs code in the page":                                   "等待函数会在页面里运行代码",
	"The action's class is %s":                                                       "动作的类别是 %s",
	"The page's address is sensitive: %s":                                            "页面地址敏感：%s",
	"The page says: %s":                                                              "页面上写着：%s",
	"The text goes to whatever has the focus":                                        "文字会输入到当前焦点处",
	"The field takes payment details":                                                "这个输入框要填付款信息",
	"The field takes a secret: %s":                                                   "这个输入框要填机密信息：%s",
	"The key deletes what is selected on the page":                                   "这个键会删除页面上选中的内容",
	"A keyboard shortcut of the page or the browser":                                 "页面或浏览器的快捷键",
	"A key outside of a field may be a shortcut of the page":                         "输入框之外的按键可能是页面的快捷键",
	"Enter with nothing known to have the focus. %s":                                 "回车，但不知道焦点在哪里。%s",
	"Enter goes to whatever has the focus":                                           "回车会作用于当前焦点",
	"Enter runs what is written in a notebook: %s":                                   "回车会运行笔记本里写的代码：%s",
	"Enter sends what is written in %s":                                              "回车会发送 %s 里写的内容",
	"Enter may submit %s":                                                            "回车可能提交 %s",
	"Enter on a page whose address is sensitive: %s":                                 "在地址敏感的页面上按回车：%s",
	"%s stands beside: %s":                                                           "%s 旁边写着：%s",
	"%s answers a question":                                                          "%s 是对一个问题的回答",
	"What is dropped there becomes: %s":                                              "放到那里的内容会变成：%s",
	"%s answers: %s":                                                                 "%s 回答的是：%s",
	"Pages of the browser itself are closed to the agent: %s":                        "浏览器自身的页面不对代理开放：%s",
	"Addresses that begin with %s are closed to the agent":                           "以 %s 开头的地址不对代理开放",
	"%s is an address of this computer or its network, and the task did not name it": "%s 是本机或本地网络的地址，任务没有提到它",
	"%s is a name on the local network, and the task did not name it":                "%s 是本地网络里的名称，任务没有提到它",
	"The address carries a name or password before the site %s":                      "地址在网站 %s 之前带有用户名或密码",
	"Opening this address may itself do what it says: %s":                            "打开这个地址本身就可能执行：%s",
	"The address is of a sensitive page: %s":                                         "这是敏感页面的地址：%s",
	"%s is served from %s, an address of this computer or its network":               "%s 来自 %s，这是本机或本地网络的地址",
	"The file %s is outside the folders the task may use":                            "文件 %s 不在任务可用的文件夹里",
	"Files of other computers are closed to the agent":                               "其他计算机上的文件不对代理开放",
	"There is no address":                                                            "没有地址",
	"The address is too long":                                                        "地址太长",
	"The address can't be read: %s":                                                  "地址无法识别：%s",
	"Goes to %s":                                                                     "发送到 %s",
	"In a frame of %s":                                                               "位于 %s 的框架中",
	"The policy says of %s on %s: %s":                                                "策略规定：%s（%s）：%s",
	"The policy file can't be used, so the careful preset holds: %s":                 "策略文件无法使用，因此采用谨慎预设：%s",
	"A second look could not see what this has to do with the task":                  "复查时看不出这与任务有什么关系",
	// what is pressed
	"form's button": "表单的按钮", "element": "元素", "button": "按钮", "link": "链接", "a": "链接", "checkbox": "复选框", "radio": "单选按钮",
	"switch": "开关", "menuitem": "菜单项", "option": "选项", "tab": "标签页", "input": "输入控件", "select": "下拉框",
	"combobox": "下拉框", "div": "控件", "span": "控件", "dialog": "对话框", "row": "行", "img": "图片",
}

func quote(s string) string { return `"` + clip(strings.Join(strings.Fields(s), " "), 80) + `"` }

// clip cuts s to n characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	return string(rs[:n]) + "…"
}

// host gives the host of a URL for a sentence.
func host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// pathEnd is the end of an address as it is quoted.
func pathEnd(raw string) string {
	u := readableURL(raw)
	if u == nil {
		return ""
	}
	return clip(u.Path, 80)
}
