package safety

import "strings"

// The Chinese file is written in either script; the other one's spelling of
// each line is made from these pairs. They are the characters that stand on
// controls, one for one: a lookup for reading, not a transcription.
var simplified, traditional = func() (s, t map[rune]rune) {
	s, t = map[rune]rune{}, map[rune]rune{}
	rs := []rune(strings.Join(listLines("hanzi pairs"), ""))
	for i := 0; i+1 < len(rs); i += 2 {
		t[rs[i]], s[rs[i+1]] = rs[i+1], rs[i]
	}
	return s, t
}()

// otherScript gives a Chinese phrase in the script it isn't written in, or
// nothing where both write it the same.
func otherScript(lang, phrase string) string {
	if lang != "zh" {
		return ""
	}
	for _, m := range []map[rune]rune{traditional, simplified} {
		if s := strings.Map(func(r rune) rune {
			if c, ok := m[r]; ok {
				return c
			}
			return r
		}, phrase); s != phrase {
			return s
		}
	}
	return ""
}
