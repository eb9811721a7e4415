package llm

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A reply may talk about a call without making it: "Earlier I sent {…} and that was a
// mistake". A call that is inside a sentence, or that the text calls an example, is
// only talked about. A call that comes last, alone on its lines, or in a block that
// nothing calls an example, is made.

// talkReason returns why a segment is a call that the text only talks about, or "" if
// the call is made.
func (s segment) talkReason(text string, blocks []segment) string {
	start, end := s.start, s.end
	block := false
	for _, b := range blocks {
		if start >= b.start && end <= b.end {
			start, end, block = b.start, b.end, true
		}
	}
	lead, tail := text[:start], text[end:]
	switch {
	case calledExample(lead, tail, block):
		return "the reply calls it an example"
	case !block && s.withinSentence(lead, tail):
		return "it stands within a sentence"
	}
	return ""
}

// sentenceMarks may be between a sentence and a call inside it: quotes, emphasis.
const sentenceMarks = " \t`\"'“”‘’*_()[]"

var (
	listMarker = regexp.MustCompile(`^\s*(?:[-*•]|\d+[.)])\s*$`)
	strayTag   = regexp.MustCompile(`<[|/]?/?[\w:|-]*\s*/?\|?>|/>`)
)

// withinSentence reports whether a call is inside a sentence, by the words on its own
// lines. It is not if a colon or the end of a sentence comes before it, and a new
// sentence or nothing after it.
func (s segment) withinSentence(lead, tail string) bool {
	if !hasWords(strayTag.ReplaceAllString(tail, "")) {
		return false // it comes last
	}
	lead = lead[strings.LastIndexByte(lead, '\n')+1:]
	if listMarker.MatchString(lead) {
		lead = ""
	}
	lead = strings.TrimRight(lead, sentenceMarks)
	line, more, _ := strings.Cut(tail, "\n")
	line = strings.TrimLeft(line, sentenceMarks)
	begun := lead != "" && !endsClause(lead)
	isTag := s.kind == kindTag || s.kind == kindXML
	first, _ := utf8.DecodeRuneInString(line)
	switch {
	case isTag && lead == "":
		return false // a tag at the beginning of a line is a call, whatever follows
	case !hasWords(line):
		next, _ := utf8.DecodeRuneInString(strings.TrimSpace(more))
		return begun && !isTag && unicode.IsLower(next)
	case strings.ContainsRune(".!?。！？…", first):
		return begun
	case strings.ContainsRune(",;，；、", first):
		return true
	case unicode.IsLetter(first) && !unicode.IsUpper(first): // the words continue a sentence, if one has begun
		return lead != ""
	}
	return begun
}

func hasWords(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// endsClause reports whether a sentence or clause ends at the end of s.
func endsClause(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(":：.!?。！？…>", r)
}

// exampleWords match words that call something an example, in the languages of most
// replies, but not those in an address (example.com).
var (
	exampleWords = regexp.MustCompile(`(?i)\bfor example(?:[^\pL\d.]|\.?$|\.\W)|\bfor instance\b|\be\.g\.|\bexamples?\b\W{0,3}[:：(]|` +
		`\b(?:an|as|the|this|my|one|first|only|just|following|above|below) examples?\b(?: (?:of|for|call|action|form|format|reply|answer|json)\b|\W*$)|` +
		`\bexample (?:of|call|action|form|format|reply|answer|json)\b|` +
		`beispiel|\bz\. ?b\.|\bexempl[eo]\b|ejemplo|esempio|voorbeeld|\bnp\.|przykład|örneğin|örnek|` +
		`пример|приклад|例如|比如|例子|示例|举例|舉例|例えば|たとえば|例[:：]|예를|예시|예[:：]|مثال|उदाहरण`)
	pointsBack  = regexp.MustCompile(`(?i)^(?:this|that|these|the above|above|it|das|dies|ceci|c'est|esto|isto|это|这|以上|上面|上述|これ|上記|위)`)
	sentenceEnd = regexp.MustCompile(`[\pL\d)\]"'”]{2}[.!?][\s*_]+|[。！？]`)
)

// calledExample reports whether the text calls the call an example: in the sentence
// before it, or, if it is in a block of its own, in a sentence after it that points
// back.
func calledExample(lead, tail string, block bool) bool {
	lead = strings.TrimRight(lead, " \t\n`\"'“‘*_([")
	lead = lead[strings.LastIndexByte(lead, '\n')+1:]
	if at := sentenceEnd.FindAllStringIndex(lead, -1); len(at) > 0 {
		lead = lead[at[len(at)-1][1]:]
	}
	if exampleWords.MatchString(lead) {
		return true
	}
	if !block {
		return false
	}
	after, _, _ := strings.Cut(strings.TrimSpace(tail), "\n")
	if at := sentenceEnd.FindStringIndex(after); at != nil {
		after = after[:at[1]]
	}
	return pointsBack.MatchString(after) && exampleWords.MatchString(strings.TrimRight(after, ".!。！ *_"))
}

// sameSentence reports whether no sentence ends between two calls: a sentence may
// make both ("first {…} and then {…}").
func sameSentence(between string) bool {
	return !strings.Contains(between, "\n") && sentenceEnd.FindStringIndex(" "+between) == nil
}
