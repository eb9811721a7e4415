package agent

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tabwright/host/action"
	"tabwright/host/native"
)

// How models say that steps are done: "Done: 1, 2", "Step 2 is done", "[x] 3",
// "完成：1、2", "第2步完成"; and which one they are at: "Step 3: open the cart".
var (
	doneList  = regexp.MustCompile(`(?i)(?:\b(?:done|finished|completed)|已?完成)\s*[:：]?\s*(?:steps?|第|步骤)?\s*((?:\d{1,2}\s*(?:,|，|、|and|&|和|-|–|to|到)?\s*)+)`)
	stepDone  = regexp.MustCompile(`(?i)(?:\bstep|第|步骤)\s*(\d{1,2})\s*步?\s*(?:is|was|has been|now|已经?|)\s*(?:done|complete|completed|finished|完成)`)
	boxDone   = regexp.MustCompile(`(?m)(?:\[[xX✓✔]\]|[☑✅✔✓])\s*(?:(?i:step)\s*)?(\d{1,2})\b`)
	stepNow   = regexp.MustCompile(`(?im)^[\s>*#_-]*(?:(?:now|next|on to|plan|计划|现在)?[\s:：,]*)(?:step|第|步骤)\s*(\d{1,2})\s*步?\s*(?:[:：.(—–-]|of\b|/|，共)`)
	rangeMark = regexp.MustCompile(`(\d{1,2})\s*(?:-|–|to|到)\s*(\d{1,2})`)
	digits    = regexp.MustCompile(`\d{1,2}`)
)

// tick marks what the model says is done. A step that is being done means that
// those before it are.
func (p *plan) tick(text string) {
	if len(p.steps) == 0 {
		return
	}
	at := p.kept()
	mark := func(n int) {
		if n >= 1 && n <= len(at) {
			p.steps[at[n-1]].State = native.PlanDone
		}
	}
	for _, m := range doneList.FindAllStringSubmatch(text, -1) {
		for _, r := range rangeMark.FindAllStringSubmatch(m[1], -1) {
			from, _ := strconv.Atoi(r[1]) // two digits
			to, _ := strconv.Atoi(r[2])
			for n := from; n <= to; n++ {
				mark(n)
			}
		}
		for _, d := range digits.FindAllString(m[1], -1) {
			n, _ := strconv.Atoi(d)
			mark(n)
		}
	}
	for _, re := range []*regexp.Regexp{stepDone, boxDone} {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[1])
			mark(n)
		}
	}
	for _, m := range stepNow.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		for before := 1; before < n && n <= len(at); before++ {
			mark(before)
		}
	}
}

// The kinds of deed that a step of a plan may name, and that an action is.
const (
	deedOpen  = "open"
	deedType  = "type"
	deedPress = "press"
)

// deedOf is what a verb of a plan asks for. Reading and comparing are not among
// them: no act shows that they were done.
var deedOf = map[string]string{
	"open": deedOpen, "go": deedOpen, "visit": deedOpen, "navigate": deedOpen, "load": deedOpen, "enter": deedType,
	"search": deedType, "type": deedType, "fill": deedType, "write": deedType, "input": deedType,
	"click": deedPress, "press": deedPress, "add": deedPress, "choose": deedPress, "select": deedPress, "pick": deedPress,
	"submit": deedPress, "buy": deedPress, "order": deedPress, "pay": deedPress, "confirm": deedPress, "sort": deedPress,
	"filter": deedPress, "check": deedPress, "send": deedPress, "delete": deedPress, "remove": deedPress,
	"打开": deedOpen, "访问": deedOpen, "进入": deedOpen, "前往": deedOpen, "搜索": deedType, "输入": deedType, "填写": deedType,
	"点击": deedPress, "选择": deedPress, "加入": deedPress, "提交": deedPress, "购买": deedPress, "付款": deedPress, "发送": deedPress, "删除": deedPress,
}

// acted ticks the step that an act plainly was: the act did something, it is of
// the kind that the step asks for, and half of the step's words stand in what
// was acted on. Only the step that is being done and the next are looked at.
func (p *plan) acted(c action.Call, res action.Result) (changed bool) {
	at := p.now()
	if at < 0 || res.Err != nil || res.Effect == "" || res.Effect == action.NoEffect {
		return false
	}
	deeds := deedsOf(c.Name)
	said := units(strings.Join([]string{res.Line, res.Target, res.Site, paramWords(c.Params)}, " "))
	for i, looked := at, 0; i < len(p.steps) && looked < 2; i++ {
		if !open(p.steps[i]) {
			continue
		}
		looked++
		verbs, words := deedsIn(p.steps[i].Text)
		if len(verbs) != 1 || len(words) == 0 || !slices.Contains(deeds, verbs[0]) || covers(words, said)*2 < len(words) {
			continue
		}
		for k := at; k <= i; k++ {
			if open(p.steps[k]) {
				p.steps[k].State = native.PlanDone
			}
		}
		p.settle()
		return true
	}
	return false
}

// deedsOf is what an action may count as.
func deedsOf(name string) []string {
	switch name {
	case "navigate", "openTab", "switchTab", "goBack", "goForward":
		return []string{deedOpen}
	case "webSearch", "type":
		return []string{deedType}
	case "click", "select", "check", "uncheck", "pressKey", "dragDrop", "uploadFile":
		return []string{deedPress, deedOpen}
	}
	return nil
}

// deedsIn gives the kinds of deed that a step names, each once, and its other
// words.
func deedsIn(text string) (deeds, words []string) {
	for _, w := range units(text) {
		d, ok := deedOf[w]
		switch {
		case !ok:
			words = append(words, w)
		case !slices.Contains(deeds, d):
			deeds = append(deeds, d)
		}
	}
	return deeds, words
}

// paramWords are the texts and addresses among the parameters of an action.
func paramWords(params json.RawMessage) string {
	var p map[string]any
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	var out []string
	for _, name := range []string{"text", "url", "query", "value", "key"} {
		if s, ok := p[name].(string); ok {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

// small are words that say nothing of what a step is about.
var small = map[string]bool{
	"the": true, "a": true, "an": true, "to": true, "of": true, "in": true, "on": true, "for": true, "and": true, "with": true,
	"it": true, "its": true, "is": true, "at": true, "by": true, "my": true, "that": true, "this": true, "into": true, "from": true,
	"then": true, "up": true, "out": true, "page": true, "button": true, "link": true, "field": true,
}

// units are the words of a text that can be compared: words of Latin and the
// like in small letters without small words, and pairs of Chinese characters.
func units(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if w := string(word); w != "" && !small[w] && !slices.Contains(out, w) {
			out = append(out, w)
		}
		word = word[:0]
	}
	var han rune
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.Is(unicode.Han, r):
			flush()
			if pair := string([]rune{han, r}); han != 0 && !slices.Contains(out, pair) {
				out = append(out, pair)
			}
			han = r
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word = append(word, r)
		default:
			flush()
		}
		han = 0
	}
	flush()
	return out
}

// covers counts the words that stand among the others.
func covers(words, others []string) int {
	n := 0
	for _, w := range words {
		if slices.Contains(others, w) {
			n++
		}
	}
	return n
}
