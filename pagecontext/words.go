package pagecontext

import (
	"fmt"
	"strings"
)

// words are ours, around the page's: those a person's language changes. The
// shapes that programs read (URL:, Title:, [12] role "name", --- group ---)
// are the same in every language.
type words struct {
	viewport, loading, focused, text, dialog, away, folded, unread, changed string
	counts                                                                  func(Counts) string
	left                                                                    func(l leftOut, cursor string) string
}

func wordsOf(lang string) words {
	if strings.HasPrefix(strings.ToLower(lang), "zh") {
		return chinese
	}
	return english
}

var english = words{
	viewport: "Viewport: %.0fx%.0f, scrolled %.0f of %.0f",
	loading:  "The page is still loading.",
	focused:  "Focused: [%d] %s",
	text:     "Text: ",
	dialog:   "Dialog open: ",
	away:     "(out of view from here on)",
	folded:   "[%[1]d–%[2]d] %[3]d more %[4]s (getElements range=%[1]d-%[2]d lists them)",
	unread:   "… %d frames could not be read",
	changed:  "… the page kept changing while it was read: look again if something is missing",
	counts: func(c Counts) string {
		return fmt.Sprintf("Elements (%s):", joinCounts(c, "buttons", "inputs", "links", "selects", "images", "forms"))
	},
	left: func(l leftOut, cursor string) string {
		var parts []string
		say := func(n int, what string) {
			if n > 0 {
				parts = append(parts, fmt.Sprintf("%d more %s", n, what))
			}
		}
		say(l.inView, "in view")
		say(l.below, "below the viewport")
		say(l.above, "above the viewport")
		say(l.later, "not listed here")
		how := "getElements visible=false or query=…"
		if l.inView > 0 {
			how = "getElements query=…"
		}
		if cursor != "" {
			how = "getElements cursor=" + cursor + " or query=…"
		}
		return fmt.Sprintf("… %s (%s)", strings.Join(parts, ", "), how)
	},
}

var chinese = words{
	viewport: "视口: %.0fx%.0f, 已滚动 %.0f / %.0f",
	loading:  "页面仍在加载。",
	focused:  "焦点: [%d] %s",
	text:     "文本: ",
	dialog:   "打开的对话框: ",
	away:     "(以下均在视口之外)",
	folded:   "[%[1]d–%[2]d] 还有 %[3]d 个 %[4]s (用 getElements range=%[1]d-%[2]d 列出)",
	unread:   "… 有 %d 个框架无法读取",
	changed:  "… 读取时页面仍在变化：如缺少内容请再看一次",
	counts: func(c Counts) string {
		return fmt.Sprintf("元素 (%s):", joinCounts(c, "按钮", "输入框", "链接", "下拉框", "图片", "表单"))
	},
	left: func(l leftOut, cursor string) string {
		var parts []string
		say := func(n int, what string) {
			if n > 0 {
				parts = append(parts, fmt.Sprintf("%s还有 %d 个", what, n))
			}
		}
		say(l.inView, "视口内")
		say(l.below, "视口下方")
		say(l.above, "视口上方")
		say(l.later, "未列出的")
		how := "getElements visible=false 或 query=…"
		if l.inView > 0 {
			how = "getElements query=…"
		}
		if cursor != "" {
			how = "getElements cursor=" + cursor + " 或 query=…"
		}
		return fmt.Sprintf("… %s (%s)", strings.Join(parts, ", "), how)
	},
}

func joinCounts(c Counts, names ...string) string {
	var out []string
	for i, n := range []int{c.Buttons, c.Inputs, c.Links, c.Selects, c.Images, c.Forms} {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, names[i]))
		}
	}
	if len(out) == 0 {
		return "0"
	}
	return strings.Join(out, ", ")
}
