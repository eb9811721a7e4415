package safety

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// letterVariants are letters that no decomposition reaches.
var letterVariants = map[rune]rune{
	'ı': 'i', 'ł': 'l', 'Ł': 'l', 'ø': 'o', 'Ø': 'o', 'đ': 'd', 'Đ': 'd', 'ß': 's',
	'أ': 'ا', 'إ': 'ا', 'آ': 'ا', 'ى': 'ي', 'ة': 'ه', 'ی': 'ي', 'ک': 'ك',
	'ё': 'е', 'Ё': 'е',
}

// confusables maps letters of other scripts to the Latin ones they are read
// as. Only letters that look alike in common fonts are here.
var confusables = map[rune]rune{
	// Cyrillic
	'а': 'a', 'в': 'b', 'ь': 'b', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'ѐ': 'e', 'ғ': 'f', 'ԍ': 'g', 'һ': 'h', 'н': 'h',
	'і': 'i', 'ї': 'i', 'ј': 'j', 'к': 'k', 'ӏ': 'l', 'м': 'm', 'п': 'n', 'ո': 'n', 'о': 'o', 'р': 'p', 'ԛ': 'q',
	'г': 'r', 'ѕ': 's', 'т': 't', 'ц': 'u', 'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'у': 'y', 'ү': 'y', 'з': 'z', 'ӡ': 'z',
	// Greek
	'α': 'a', 'β': 'b', 'ϲ': 'c', 'δ': 'd', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'μ': 'u', 'ν': 'v', 'ο': 'o',
	'ρ': 'p', 'σ': 'o', 'τ': 't', 'υ': 'y', 'χ': 'x', 'ω': 'w', 'γ': 'y', 'ζ': 'z',
	// Armenian, Hebrew, Cherokee and Latin look-alikes
	'օ': 'o', 'ս': 'u', 'ց': 'g', 'հ': 'h', 'ɑ': 'a', 'ɡ': 'g', 'ɩ': 'i', 'ʏ': 'y', 'ᴘ': 'p',
	'ᴀ': 'a', 'ʙ': 'b', 'ᴄ': 'c', 'ᴅ': 'd', 'ᴇ': 'e', 'ꜰ': 'f', 'ɢ': 'g', 'ʜ': 'h', 'ɪ': 'i', 'ᴊ': 'j', 'ᴋ': 'k',
	'ʟ': 'l', 'ᴍ': 'm', 'ɴ': 'n', 'ᴏ': 'o', 'ʀ': 'r', 'ꜱ': 's', 'ᴛ': 't', 'ᴜ': 'u', 'ᴠ': 'v', 'ᴡ': 'w', 'ᴢ': 'z',
	'ƥ': 'p', 'ʋ': 'u', 'ǝ': 'e', 'ɐ': 'a', 'ʎ': 'y',
}

// capitals are letters of scripts that nobody labels a shop's button in, each
// followed by the Latin capital it is read as.
const capitals = "ᎠDᎡRᎢTᎥIᎪAᎫJᎬEᎳWᎷMᎻHᏀGᏃZᏆTᏎ4ᏏBᏒRᏔWᏕSᏙVᏚSᏞLᏟCᏢPᏦKᏴBᏳG" +
	"ꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴU" +
	"ᗅAᗩAᗪDᗞDᗯWᑌUᑎNᑕCᑭPᒪLᒍJᖇRᖴFᗷBᗰMᐯVᕼHᔕS" + "ⲢPⲞOⲀAⲤCⲦTⲔKⲘMⲚNⲈEⲎHⲂB"

func init() {
	rs := []rune(capitals)
	for i := 0; i+1 < len(rs); i += 2 {
		confusables[unicode.ToLower(rs[i])] = unicode.ToLower(rs[i+1])
	}
}

// upperLike is the second reading: Greek and Cyrillic capitals are read by their
// capital shape, which the small letter no longer shows.
var upperLike = map[rune]rune{'в': 'b', 'н': 'h', 'η': 'h', 'ν': 'n', 'μ': 'm', 'τ': 't', 'з': '3', 'υ': 'y', 'σ': 's', 'տ': 's'}

var leet = map[rune]rune{
	'0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g',
	'@': 'a', '$': 's', '!': 'i', '|': 'l', '€': 'e',
}

// latinLike are the Cyrillic letters that Latin ones are put in for. Small
// letters are listed, as words are folded: В and Н look like B and H only when
// they are capitals.
var latinLike = map[rune]rune{
	'a': 'а', 'b': 'в', 'c': 'с', 'e': 'е', 'h': 'н', 'i': 'і', 'k': 'к', 'm': 'м', 'n': 'п', 'o': 'о', 'p': 'р', 'r': 'г', 't': 'т',
	'u': 'и', 'x': 'х', 'y': 'у', '0': 'о', '3': 'з', '4': 'ч', '6': 'б',
}

// cyrillic reads a word in which Latin letters stand among Cyrillic ones as the
// Cyrillic word it looks like.
func cyrillic(w string) (string, bool) {
	mixed, own := false, false
	s := strings.Map(func(r rune) rune {
		if m, ok := latinLike[r]; ok {
			mixed = true
			return m
		}
		if r >= 'а' && r <= 'я' {
			own = true
			return r
		}
		return -1
	}, w)
	return s, mixed && own && utf8.RuneCountInString(s) == utf8.RuneCountInString(w)
}
