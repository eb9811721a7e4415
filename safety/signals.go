package safety

import (
	"strings"
	"sync"
)

// Signal is a sign that a page's text addresses the model instead of a reader.
// Signals are hints: adaptive attackers pass text filters, so they only add a
// notice and raise the level by one.
type Signal struct {
	Kind string `json:"kind"` // override, fake_turn, fake_tool, addressed, secrecy, exfiltration, tag_characters, payload
	Text string `json:"text"` // the words, cut to 120 characters
}

// A rule matches an instruction to an agent, or text that imitates the agent's own
// messages. Ordinary text of pages about people, tasks or keys ("Send password
// reset", "User: Ida", "New task:", "Don't notify anyone") must not match.
var signalRules = []struct {
	kind string
	sought
}{
	{"override", seek(`(?i)\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|all|any|your|the)\b[^.\n]{0,30}\b(?:instructions?|prompts?|directions?|guidelines?)\b`)},
	{"override", seek(`(?i)\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|your)\b[^.\n]{0,30}\b(?:rules?|context|tasks?)\b`)},
	{"override", seek(`(?i)\b(?:new|updated|real|actual)\s+(?:system\s+)?instructions?\s*(?::|\bis\b|\bare\b)|\byour\s+(?:new|updated|real|actual)\s+(?:task|objective|instructions?|goal)\s*(?::|\bis\b|\bare\b)`)},
	{"override", seek(`(?:忽略|无视|無視|忘记|忘記|不要理会)[^。\n]{0,12}(?:之前|以上|上述|先前|所有)[^。\n]{0,12}(?:指令|指示|提示|规则|規則|要求)`)},
	// \b knows no letters but those of ASCII.
	{"override", seek(`(?i)(?:\b(?:ignorez?|ignoriere|ignora|ignore|ignoruj)\b|игнорируй(?:те)?)[^.\n]{0,30}(?:instru|anweisung|инструкц|istruzion|consignes)`)},
	{"addressed", seek(`(?i)\b(?:attention|note|message|important|instructions?|hey|dear)(?:[ \t]+(?:to|for))?[ \t,:]+(?:(?:all|any|the|every)[ \t]+)?(?:ai|a\.i\.|llms?|language models?|chatbots?|gpt|claude|copilot|gemini)(?:[ \t]+(?:assistants?|agents?|models?))?[ \t]*[,:;!]`)},
	{"addressed", seek(`(?i)\b(?:if you are|as) an? (?:ai|llm|language model|automated agent|browser agent)\b[^.\n]{0,20}\b(?:you|click|press|open|go|visit|type|send|ignore|do not|must)\b`)},
	{"addressed", seek(`(?i)\byou are (?:now )?(?:an? )?(?:dan\b|unrestricted|jailbroken|in developer mode|no longer)`)},
	{"fake_turn", seek(`(?im)^\s*(?:#{1,4}\s*|[\[<]/?)(?:system|assistant|user|developer|human)(?:\]|>)?\s*(?:prompt|message)?\s*:`)},
	{"fake_turn", seek(`(?im)^\s*(?:system|developer)\s*(?:prompt|message)?\s*:[^\n=][^\n]{0,120}\b(?:you|your|ignore|overrides?|instructions?|task|do not)\b`)},
	{"fake_turn", seek(`(?i)<\|(?:im_start|im_end|system|user|assistant|end_of_turn|start_of_turn|eot_id|start_header_id|channel|message)\|?>|<(?:im_start|im_end|end_of_turn|start_of_turn)>|\[/?INST\]|<<SYS>>`)},
	{"fake_tool", seek(`(?i)</?(?:tool_call|tool_result|function_call|function_results?|antml|observation)\b|\[TOOL_CALLS\]|"(?:tool_calls|function_call)"\s*:|\bbrowser_action\b`)},
	{"secrecy", seek(`(?i)\b(?:do not|don't|never|without)\s+(?:tell|inform|mention|ask|telling|informing|mentioning|asking)[^.\n]{0,20}\b(?:the|your) (?:user|human|operator|owner)\b`)},
	// A button sends a reset, a link or a code; an instruction sends what is secret itself, and says where to.
	{"exfiltration", seek(`(?im)\b(?:send|post|forward|email|transmit|upload|exfiltrate|append|include)\b[^.\n]{0,40}\b(?:passwords?|credentials?|cookies?|tokens?|api keys?|session|one[- ]time codes?|conversation|chat history|system prompt)\s+(?:to|into|in|at|via)\s+(?:https?://|(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[^@\w.\n-]|\.?$|\.[ \t]))`)},
	{"exfiltration", seek(`(?i)\b(?:send|post|forward|email|transmit)\b[^.\n]{0,20}\b(?:all|any|every|saved|stored|user's|your|their|his|her)\b[^.\n]{0,20}\b(?:passwords?|credentials?|cookies?|tokens?|api keys?|chat history|system prompt)\s+to\s+[^\s@]+@[a-z0-9-]`)},
	{"exfiltration", seek(`(?i)\b(?:reveal|print|repeat|output|show)\b[^.\n]{0,20}\b(?:system prompt|your instructions|your prompt|hidden instructions)\b`)},
	{"payload", seek(`(?i)\b(?:decode|execute|eval)\b[^\n]{0,40}[A-Za-z0-9+/]{40,}={0,2}`)},
}

// signalScan looks for the words that the rules need.
var signalScan = sync.OnceValue(func() *needScan {
	rules := make([]sought, len(signalRules))
	for i, r := range signalRules {
		rules[i] = r.sought
	}
	return newNeedScan(rules)
})

// InjectionSignals finds signs of injection in a page's text, at most one of a
// kind and no more than eight.
func InjectionSignals(text string) []Signal {
	var out []Signal
	seen := map[string]bool{}
	add := func(kind, words string) {
		if !seen[kind] && len(out) < 8 {
			seen[kind] = true
			out = append(out, Signal{kind, clip(strings.Join(strings.Fields(words), " "), 120)})
		}
	}
	clean := text
	if !isPlainASCII(text) || strings.IndexByte(text, 0x7F) >= 0 {
		if hidden, ok := tagText(text); ok {
			add("tag_characters", hidden)
			text += "\n" + hidden
		}
		// Invisible characters between letters hide words from filters, not from
		// models.
		clean = strings.Map(func(r rune) rune {
			if r != '\n' && r != '\t' && r != '\r' && invisible(r) {
				return -1
			}
			return r
		}, text)
	}
	lines := signalScan().scan(clean)
	for i, rule := range signalRules {
		if seen[rule.kind] {
			continue
		}
		if m := lines.find(i); m != "" {
			add(rule.kind, m)
		}
	}
	return out
}

// tagText reads text written in Unicode tag characters, which show nowhere.
// Flags of regions use up to six of them after a black flag; more is a message.
func tagText(s string) (string, bool) {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= 0xE0020 && r <= 0xE007E }) {
		return "", false
	}
	var b strings.Builder
	for _, r := range s {
		if r >= 0xE0020 && r <= 0xE007E {
			b.WriteRune(r - 0xE0000)
		}
	}
	return b.String(), b.Len() > 8
}
