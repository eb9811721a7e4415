package agent

import (
	"regexp"
	"strings"

	"tabwright/host/native"
)

// planMark is what begins a plan: "Plan:", "**Plan:**", "## Updated plan", "计划：".
var planMark = regexp.MustCompile(`(?im)^[\s>*#_-]*(?:(?:my|the|new|updated|revised|here is (?:my|the))\s+)*(?:plan|(?:新的?|更新后?的?|修改后?的?)?计划)(?:\s*\([^)\n]*\))?\s*(?:[*_]*[ \t]*[:：][ \t]*[*_]*|[*_]*[ \t]*$)`)

var (
	// listMark is what begins an item: a number, a bullet, a box.
	listMark = regexp.MustCompile(`^\s*(?:(?:[-*•·+]|\(?\d{1,2}[.)、:：]|(?i:step)\s+\d{1,2}\s*[.:)-]|第\s*\d{1,2}\s*步\s*[:：.、]?)\s*)?(\[[ xX✓✔>~-]?\]|[☐☑✅✔✓⬜])?\s*`)
	// inline are the numbers of items that stand in one line.
	inline = regexp.MustCompile(`(?:^|\s|[;；,，。])\(?\d{1,2}[.)、]\s*`)
	// between stands between steps in a line without numbers.
	between = regexp.MustCompile(`\s*(?:;|；|→|->|=>|➜|,\s+(?:and\s+)?then\s+|\.\s+(?:then\s+|next,?\s+|finally,?\s+)|，(?:然后|再|接着|最后)|。)\s*`)
	// ends stops a plan: code, the act itself.
	ends = regexp.MustCompile("(?i)^\\s*(?:```|<|\\{|(?:your |my |next |first )*(?:action|step now|now)\\s*[:：]|动作\\s*[:：])")
	// trailing are states that stand behind an item.
	trailing = regexp.MustCompile(`(?i)\s*[-–(（\[]\s*(done|completed?|finished|now|doing|in progress|current|todo|skipped?|dropped|完成|已完成|进行中|跳过)\s*[)）\]]?\s*[.。]?$`)
)

// echo is a model that repeats where the plan stands (prompts.PlanNow), which is
// no plan.
var echo = regexp.MustCompile(`(?i)^\s*(?:step|第)\s*\d{1,2}\s*(?:of\b|步，?共)`)

// parsePlan finds the newest plan in what a model wrote, however it wrote it,
// and gives the text without it.
func parsePlan(text string) (steps []native.PlanStep, rest string) {
	all := planMark.FindAllStringIndex(text, -1)
	for i := len(all) - 1; i >= 0; i-- {
		body := text[all[i][1]:]
		if echo.MatchString(body) {
			continue
		}
		items, used := planItems(body)
		if len(items) > 0 {
			return items, text[:all[i][0]] + "\n" + body[used:]
		}
	}
	return nil, text
}

// planItems reads the items at the beginning of body, and says how much of it
// they take.
func planItems(body string) (steps []native.PlanStep, used int) {
	var raw []string
	marked, at := false, 0
	for n, line := range strings.SplitAfter(body, "\n") {
		text := strings.TrimSpace(line)
		isItem := text != "" && listMark.FindString(text) != ""
		switch {
		case text == "" && len(raw) == 0: // before the first
		case text == "", ends.MatchString(text):
			return toSteps(raw), at
		case isItem:
			raw, marked = append(raw, text), true
		case n == 0:
			raw = append(raw, text)
		case marked && line[0] == ' ': // the item goes on
			raw[len(raw)-1] += " " + text
		case len(raw) > 0 && (marked || firstLine(body) != ""):
			return toSteps(raw), at
		default:
			raw = append(raw, text)
		}
		at += len(line)
	}
	return toSteps(raw), at
}

func firstLine(body string) string {
	line, _, _ := strings.Cut(body, "\n")
	return strings.TrimSpace(line)
}

func toSteps(raw []string) []native.PlanStep {
	if len(raw) == 1 {
		raw = splitLine(raw[0])
	} else if len(raw) > 1 && listMark.FindString(raw[0]) == "" && listMark.FindString(raw[1]) != "" {
		raw = raw[1:] // "Plan: as follows" and then the list
	}
	var out []native.PlanStep
	for _, r := range raw {
		if s := toStep(r); s.Text != "" && len(out) < planSteps {
			out = append(out, s)
		}
	}
	return out
}

// splitLine takes a plan apart that stands in one line.
func splitLine(line string) []string {
	if at := inline.FindAllStringIndex(line, -1); len(at) > 1 {
		var out []string
		for i, m := range at {
			end := len(line)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			out = append(out, line[m[1]:end])
		}
		return out
	}
	return between.Split(line, -1)
}

func toStep(raw string) native.PlanStep {
	s := native.PlanStep{State: native.PlanTodo}
	m := listMark.FindStringSubmatch(raw)
	text := raw
	if m != nil {
		text = raw[len(m[0]):]
		switch strings.Trim(m[1], "[]") {
		case "x", "X", "✓", "✔", "☑", "✅":
			s.State = native.PlanDone
		case "-":
			s.State = native.PlanDropped
		}
	}
	if t := trailing.FindStringSubmatchIndex(text); t != nil {
		switch strings.ToLower(text[t[2]:t[3]]) {
		case "done", "complete", "completed", "finished", "完成", "已完成":
			s.State = native.PlanDone
		case "skip", "skipped", "dropped", "跳过":
			s.State = native.PlanDropped
		}
		text = text[:t[0]]
	}
	if strings.HasPrefix(text, "~~") && strings.HasSuffix(text, "~~") {
		s.State = native.PlanDropped
	}
	s.Text = cut(strings.Trim(strings.TrimSpace(text), "*_~ ;；.。,，"), planWords)
	return s
}
