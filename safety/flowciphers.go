package safety

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A page may tell the model to disguise data: by look-alike letters, words for digits
// and letters, bits, invisible characters. These readings undo one such disguise of
// the plain text; readings undoes the encodings of programs (base64 and the like).

// maxCipher bounds how much of a text is read as a cipher, in bytes: a model makes
// mistakes in long ciphers, and each reading costs as much as the text itself.
const maxCipher = 2000

// decodedViews gives these readings of a text as it is and with its percent escapes
// undone.
func decodedViews(s string) []string {
	s = clip(s, maxCipher)
	if len(s) < shortestRun {
		return nil
	}
	out := ciphers(s)
	if u, err := url.QueryUnescape(s); err == nil && u != s {
		out = append(out, ciphers(u)...)
	}
	return slices.DeleteFunc(out, func(v string) bool { return len(v) < shortestRun })
}

// ciphers gives the readings of a text, one for each cipher.
func ciphers(s string) []string {
	ws := words(fold(asciiDigits(s)))
	return []string{unseen(s), plainLetters(s), joinSpelled(ws), bits8(ws), octal(ws)}
}

// asciiDigits writes the digits of all scripts as 0 to 9.
func asciiDigits(s string) string {
	if isPlainASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 || !unicode.Is(unicode.Nd, r) {
			return r
		}
		// The ten digits of a script follow one another, zero first.
		zero := r
		for r-zero < 9 && unicode.Is(unicode.Nd, zero-1) {
			zero--
		}
		return '0' + (r - zero)
	}, s)
}

// plainLetters reads look-alike letters and signs for letters as Latin ones.
func plainLetters(s string) string {
	ws := words(keepLeet(fold(s)))
	for i, w := range ws {
		w = restoreLeet(w)
		if alt := disguises(w); len(alt) > 0 {
			w = alt[len(alt)-1]
		}
		ws[i] = w
	}
	return strings.Join(ws, " ")
}

// spokenWords maps English words for digits and the spelling alphabet to their
// characters.
var spokenWords = func() map[string]string {
	m := map[string]string{}
	for i, w := range strings.Fields("zero one two three four five six seven eight nine") {
		m[w] = strconv.Itoa(i)
	}
	m["oh"] = "0"
	for _, w := range strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo " +
		"sierra tango uniform victor whiskey xray yankee zulu alfa juliet whisky") {
		m[w] = w[:1]
	}
	return m
}()

// shortestRun is how many code words in a row are read as a cipher.
const shortestRun = 4

// joinSpelled joins words for digits and letters.
func joinSpelled(ws []string) string {
	var out, run strings.Builder
	n := 0
	flush := func() {
		if n >= shortestRun {
			out.WriteString(run.String() + " ")
		}
		run.Reset()
		n = 0
	}
	for _, w := range ws {
		if c, ok := spokenWords[w]; ok {
			run.WriteString(c)
			n++
			continue
		}
		flush()
	}
	flush()
	return out.String()
}

// bits8 reads groups of eight bits, or one long run of them.
func bits8(ws []string) string { return numerals(ws, 2, 8) }

// octal reads character codes in octal.
func octal(ws []string) string { return numerals(ws, 8, 3) }

func numerals(ws []string, base, width int) string {
	var b []byte
	n := 0
	for _, w := range ws {
		if len(w) < width && !(base == 8 && len(w) == 2) {
			continue
		}
		for len(w) >= width || len(w) == 2 && base == 8 {
			k := min(width, len(w))
			v, err := strconv.ParseUint(w[:k], base, 8)
			if err != nil || v < ' ' || v > 126 {
				break
			}
			b = append(b, byte(v))
			n++
			w = w[k:]
		}
	}
	if n < shortestRun || !readable(b) {
		return ""
	}
	return string(b)
}

// unseen reads invisible text: tag characters, which repeat ASCII, and two zero-width
// characters used as bits.
func unseen(s string) string {
	if isPlainASCII(s) {
		return ""
	}
	var tags, run strings.Builder
	var one rune
	for _, r := range s {
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			tags.WriteRune(r - 0xE0000)
		case unicode.Is(unicode.Cf, r):
			if one == 0 {
				one = r
			}
			if r == one {
				run.WriteByte('1')
			} else {
				run.WriteByte('0')
			}
		}
	}
	out := tags.String()
	if b := run.String(); len(b) >= 8*shortestRun {
		flipped := strings.NewReplacer("0", "1", "1", "0").Replace(b)
		out += " " + bits8([]string{b}) + " " + bits8([]string{flipped})
	}
	return out
}
