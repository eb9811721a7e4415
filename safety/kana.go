package safety

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Japanese verb may be written in kanji or in kana: 枠を押さえる, 枠をおさえる. The
// lists have the kanji; the kana are made from these readings. Words that read like
// another are left out: こうかい publishes and regrets.
var kanaOf = strings.NewReplacer(listedWords("kana readings")...)

// minKana is the least number of kana in a spelling that is searched for anywhere in
// a label: かう is in むかう too.
const minKana = 4

// spoken are the sections beside the classes whose words ask and never quiet.
var spoken = wordSet("verb floor page loss told promise source off draw")

// kanaForm gives the kana spelling of a Japanese phrase. It is "" where the phrase
// has no kanji of kanaOf or one without a reading, and where the spelling is
// so short that other words contain it.
func (p *pattern) kanaForm() string {
	if p.lang != "ja" || p.mild() || p.class == "" && !spoken[p.section] {
		return ""
	}
	s := kanaOf.Replace(p.raw)
	if s == p.raw || strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) && !strings.ContainsRune(p.raw, r) }) {
		return ""
	}
	n := utf8.RuneCountInString(s)
	switch {
	case p.anchor == whole && n > 1, n >= minKana, n == minKana-1 && strings.HasPrefix(s, "を"):
		return s
	}
	return ""
}
