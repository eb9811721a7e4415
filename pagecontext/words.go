package pagecontext

import (
	"fmt"
	"strings"
)

// words are the words written around the page's text, in the user's language.
// The shapes that programs read (URL:, Title:, role "name" [12], ## group)
// are the same in every language.
type words struct {
	viewport, loading, filling, focused, text, dialog, unread, modal, covered, truncated, changed, paging string
	counts                                                                                                func(Counts) string
	among                                                                                                 string // before the names of buttons left out
	left                                                                                                  leftWords
	stood, within, with, untold, then, standingAll, same                                                  string // for a list of new elements: what it leaves out
}

// leftWords count what a list leaves out. each is a format of a count and a place.
type leftWords struct {
	each, inView, below, above, later, or string
}

// line returns the counts of l, and the calls that list the rest.
func (w leftWords) line(l leftOut, cursor string) string {
	var parts []string
	say := func(n int, where string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(w.each, n, where))
		}
	}
	say(l.inView, w.inView)
	say(l.below, w.below)
	say(l.above, w.above)
	say(l.later, w.later)
	how := "getElements query=…"
	switch {
	case cursor != "":
		how = "getElements cursor=" + cursor + w.or + "query=…"
	case l.inView == 0:
		how = "getElements visible=false" + w.or + "query=…"
	}
	return fmt.Sprintf("… %s (%s)", strings.Join(parts, ", "), how)
}

// standing returns the line with the counts of unchanged elements, by part of the page.
func (w words) standing(parts []standing) string {
	var say []string
	untold := 0
	for _, s := range parts {
		if s.part == "" {
			untold = s.count
			continue
		}
		text := fmt.Sprintf(w.within, s.count, s.part)
		if len(s.buttons) > 0 && len(s.buttons) <= mostStanding {
			text += fmt.Sprintf(w.with, mentions(s.buttons))
		}
		say = append(say, text)
	}
	var out []string
	if len(say) > 0 {
		out = append(out, fmt.Sprintf(w.stood, strings.Join(say, ", ")))
	}
	if untold > 0 {
		out = append(out, fmt.Sprintf(w.untold, untold))
	}
	return fmt.Sprintf(w.standingAll, strings.Join(out, w.then))
}

func wordsOf(lang string) words {
	if strings.HasPrefix(strings.ToLower(lang), "zh") {
		return chinese
	}
	return english
}

var english = words{
	viewport:  "Viewport: %.0fx%.0f, scrolled %.0f of %.0f",
	loading:   "The page is still loading.",
	filling:   "A part of the page is still loading.",
	focused:   "Focused: ",
	text:      "Text: ",
	dialog:    "Dialog open: ",
	among:     "; among them: ",
	unread:    "… %d frames could not be read",
	truncated: "… a frame has more controls than are listed at once: narrow it by query, type or scope",
	modal:     "… the rest of the page is behind the dialog and can't be used until that is closed",
	covered:   "… %d elements of the page are behind the dialog and can't be used until that is closed",
	changed:   "… the page kept changing while it was read: look again if something is missing",
	paging:    "… of what the page holds it shows a part: %s",
	counts: func(c Counts) string {
		return "Elements: " + joinCounts(c, "buttons", "inputs", "links", "selects", "images", "forms")
	},
	stood:       "unchanged since the last act, with the indices that they had: %s",
	within:      "%d in %s",
	with:        " with %s",
	same:        "… nothing is new since the last act; all there is:",
	untold:      "not listed so far: %d",
	then:        "; ",
	standingAll: "… %s (getElements lists all)",
	left:        leftWords{each: "%[1]d more %[2]s", inView: "in view", below: "below the fold", above: "above the view", later: "not listed here", or: " or "},
}

var chinese = words{
	viewport:  "视口: %.0fx%.0f, 已滚动 %.0f / %.0f",
	loading:   "页面仍在加载。",
	filling:   "页面的一部分仍在加载。",
	focused:   "焦点: ",
	text:      "文本: ",
	dialog:    "打开的对话框: ",
	among:     "；其中：",
	unread:    "… 有 %d 个框架无法读取",
	truncated: "… 有框架的控件多到无法一次列出：请用 query、type 或 scope 缩小范围",
	modal:     "… 页面其余部分在对话框后面，关闭对话框之前无法操作",
	covered:   "… 页面上有 %d 个元素在对话框后面，关闭对话框之前无法操作",
	changed:   "… 读取时页面仍在变化：如缺少内容请再看一次",
	paging:    "… 页面只显示其内容的一部分：%s",
	counts: func(c Counts) string {
		return "元素: " + joinCounts(c, "按钮", "输入框", "链接", "下拉框", "图片", "表单")
	},
	stood:       "自上次操作以来未变化，编号不变：%s",
	within:      "%[2]s 中 %[1]d 个",
	with:        "（含 %s）",
	same:        "… 自上次操作以来没有新内容；全部元素：",
	untold:      "尚未列出：%d",
	then:        "；",
	standingAll: "… %s（getElements 列出全部）",
	left:        leftWords{each: "%[2]s还有 %[1]d 个", inView: "视口内", below: "视口下方", above: "视口上方", later: "未列出的", or: " 或 "},
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
