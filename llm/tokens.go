package llm

import "unicode"

// EstimateTokens returns about how many tokens s takes. It is cheap and rather
// high: one token for four Latin letters, for two digits, for a CJK character,
// and about one for each run of punctuation. Exact counters need a vocabulary
// that would have to be downloaded; the server's own count corrects the
// estimate.
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

// imageTokens is the estimate for one picture: providers count between about 80
// and 1600 for a screenshot.
const imageTokens = 1000

// EstimateRequest estimates the tokens of a request: system text, tools,
// messages.
func EstimateRequest(req Request) int {
	// Chat templates put JSON around a function and a call.
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
