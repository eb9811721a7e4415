package agent

import (
	"regexp"
	"strings"
)

// announced are the words with which a model says what it is about to do.
var announced = regexp.MustCompile(`(?i)^[\s"'*_#>-]*(?:(?:ok(?:ay)?|sure|alright|first|next|now|then|so|great)[,.!:]*[*_]*[,.!:]*\s+)*` +
	`(?:(?:I(?:['’]ll| will| shall| need to| have to| must|['’]m going to| am going to| am about to)|let me|let['’]s|let us)\s+(?:(?:now|first|then|next|just|start by|begin by)\s+)*` +
	`(click|press|open|go|navigate|visit|search|look|find|locate|type|enter|fill|submit|scroll|check|select|choose|pick|add|read|extract|try|use|call|proceed|continue|start|begin|examine|review|analy[sz]e)(?:ing)?\b` +
	`|(?:(?:好的?|首先|接下来|现在|下一步|然后)[，,。！!：:\s]*)*(?:我(?:现在|接下来|先)?(?:将|会|要|需要|来|先|应该)|让我)(?:先|来|再|去|要)*(点击|按下?|打开|前往|访问|搜索|查找|查看|看看|寻找|输入|填写|提交|滚动|选择|添加|读取|提取|尝试|使用|继续|开始|检查|分析))`)

var (
	// clauseEnds are where one thing that is said ends and another may begin. A point
	// or a colon without a space after it is within a number or an address.
	clauseEnds = regexp.MustCompile(`[.!:;…]["'”’)*_]*(?:\s+|$)|[。！：；]|\n+|\s[–—-]+\s+|,\s+(?:so|but)\s+|，(?:所以|因此|但)`)
	// inQuotes are the page's words, or what is typed: no question to the person.
	inQuotes = regexp.MustCompile(`"[^"\n]*"|“[^”\n]*”|「[^」\n]*」`)
	asksOf   = regexp.MustCompile(`\?(?:[)*_\s]|$)|？`)
	// asksYou is put to the person; what else is asked, the model asks itself,
	// unless it says what it needs (obliged) and not what it will do.
	asksYou = regexp.MustCompile(`(?i)\b(?:you|yours?|which|(?:should|shall|may) I)\b[^.!?\n]*\?(?:[)*_\s]|$)|[您你哪][^。！？\n]*[？?]`)
	obliged = regexp.MustCompile(`(?i)\b(?:need to|have to|must)\b|需要|应该`)
	// noAct are words of announced that do nothing to a page: what follows one is
	// as likely what was found.
	noAct = regexp.MustCompile(`(?i)^(?:go\s+with|start|begin|use|call|使用|开始)`)
	// tells is what stands between an act and a finding that gives its reason or
	// what came of it: without one of them it is a remark on the way.
	tells = regexp.MustCompile(`(?i)^(?:[:：]|\s[–—-]|[,，])|^\s*(?:so|but)\b|^(?:所以|因此|但)`)
	// whereabouts are the figures of what is aimed at.
	whereabouts = regexp.MustCompile(`(?i)\[\d+\]|\b(?:index|element|step|page|button|link|row|item|option|tab|number|no\.)\s*#?\d+|第\s*\d+`)
	// verbs make a clause with a figure a finding; thatIs begins one that is
	// announced and said in the same breath.
	verbs  = regexp.MustCompile(`(?i)\b(?:is|are|was|were|costs?|has|have|had|equals?|totals?|amounts?|comes?|makes|shows?|says|contains?)\b|=|是|为|共|有|等于|显示`)
	thatIs = regexp.MustCompile(`(?i)^\s+that\b`)
)

// announceMost is how long such words are, in characters: what is longer says
// something besides.
const announceMost = 400

// announces says that a text tells what the model is about to do, and nothing
// besides: neither does it ask the person something, nor say a figure that was
// found. A remark beside an act, such as a total that was read, is no answer.
func announces(text string) bool {
	first := announced.FindStringSubmatchIndex(text)
	if len([]rune(text)) > announceMost || first == nil {
		return false
	}
	need := obliged.MatchString(text[:first[1]])
	act := !noAct.MatchString(text[max(first[2], first[4]):])
	text = inQuotes.ReplaceAllString(text, `""`)
	if asksYou.MatchString(text) || need && asksOf.MatchString(text) {
		return false
	}
	from, mark := 0, ""
	for _, end := range append(clauseEnds.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		said := text[from:end[0]]
		finding := !act || tells.MatchString(mark) || tells.MatchString(said) || need && strings.Contains(mark, "\n")
		from, mark = end[1], text[end[0]:end[1]]
		if at := announced.FindStringIndex(said); at != nil {
			said = said[at[1]:]
			finding = thatIs.MatchString(said)
		}
		said = whereabouts.ReplaceAllString(said, "")
		if finding && strings.ContainsAny(said, "0123456789") && verbs.MatchString(said) {
			return false
		}
	}
	return true
}
