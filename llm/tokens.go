package llm

import "unicode"

// EstimateTokens says about how many tokens s takes. It is cheap and leans
// high: four letters or digits a token for Latin text, one token for a CJK
// character, one for each run of punctuation. The real counters want a
// vocabulary to be downloaded; the server's own figure corrects this one.
func EstimateTokens(s string) int {
	quarters := 0 // of a token
	inPunct := false
	for _, r := range s {
		switch {
		case r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
			quarters++
			inPunct = false
		case r >= '0' && r <= '9':
			quarters += 2
			inPunct = false
		case r == ' ' || r == '\t':
			inPunct = false
		case r == '\n':
			quarters += 2
			inPunct = false
		case r < 0x80:
			if inPunct {
				quarters += 2
			} else {
				quarters += 4
			}
			inPunct = true
		case isCJK(r):
			quarters += 4
			inPunct = false
		case unicode.IsLetter(r):
			quarters += 2
			inPunct = false
		default:
			quarters += 6 // emoji and symbols are several byte tokens
			inPunct = false
		}
	}
	return (quarters + 3) / 4
}

func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF
}

// imageTokens is what one picture is taken to cost: providers count between
// some 80 and 1600 for a screenshot.
const imageTokens = 1000

// EstimateRequest estimates all that a request sends: system, tools, messages.
func EstimateRequest(req Request) int {
	// Templates render a function and a call with their JSON around them.
	const envelope = 24
	n := EstimateTokens(req.System)
	for _, t := range req.Tools {
		n += envelope + EstimateTokens(t.Name) + EstimateTokens(t.Description) + EstimateTokens(string(t.Schema))
	}
	for _, m := range req.Messages {
		n += 4
		for _, p := range m.Parts {
			n += EstimateTokens(p.Text)
			if len(p.Image) > 0 {
				n += imageTokens
			}
		}
		for _, c := range m.Calls {
			n += envelope + EstimateTokens(c.Name) + EstimateTokens(string(c.Args))
		}
	}
	return n
}
