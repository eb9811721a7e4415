package safety

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// What a model can be told to write data in so that it isn't found as it stands:
// letters that look alike, words for digits and letters, bits, characters that nobody
// sees. These readings are of the text as it
// is, once; what programs encode (base64 and the like) is undone in readings.

// maxCipher bounds what is read as a cipher, in bytes: a model writes no long
// text in one without faults, and each reading costs as much as the text itself.
const maxCipher = 2000

// decodedViews gives those readings of a text, and of what its percent escapes stand
// for.
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

// ciphers gives the readings of a text as each of them.
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
		// The digits of a script stand in a row of ten, of which the zero's
		// place is a multiple of ten from the first.
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

// spokenWords are digits as they are said, and letters as pilots say them.
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

// shortestRun is how many signs in a row make a code of them.
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

// octal reads character codes to the base of eight.
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

// unseen reads what nobody sees: tag characters, which are ASCII moved out of
// sight, and two zero-width characters used as bits.
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
