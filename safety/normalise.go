package safety

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is one word of a label, in the forms a user may read it as. forms[0]
// is the plain folded word; the others undo disguises: letters of another
// script that look Latin, digits and signs that stand for letters, letters set
// apart by spaces.
type token struct {
	forms  []string
	number bool // digits and signs only: an amount, a count
}

// maxLabel bounds how much of a label is tokenised, in bytes; the extractor cuts
// strings at 300 characters, and no button's name is longer.
const maxLabel = 2000

// fold brings s to one spelling: compatibility forms (full-width, ligatures,
// circled letters) to plain ones, no accents on alphabetic scripts, no
// invisible characters, lower case. Camel case is opened first, so that
// "PayNow" is two words.
func fold(s string) string {
	if isPlainASCII(s) || needsNoFolding(s) {
		return strings.ToLower(openCamel(s))
	}
	s = norm.NFKD.String(openCamel(norm.NFKC.String(s)))
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r > ' ' && r < 0x7F: // the most common case; no case below applies
			b.WriteByte(lowerByte(byte(r)))
		case r == utf8.RuneError, invisible(r), stripMark(r):
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			if m, ok := letterVariants[r]; ok {
				r = m
			}
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return norm.NFC.String(b.String())
}

func lowerByte(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

func isPlainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' && s[i] != '\n' && s[i] != '\t' && s[i] != '\r' {
			return false
		}
	}
	return true
}

// needsNoFolding reports text of plain ASCII, Han, kana and Hangul: a page of
// them is long, and normalising it would take longer than judging it.
func needsNoFolding(s string) bool {
	for _, r := range s {
		switch {
		case r >= ' ' && r < 0x7f, r == '\n', r == '\t', r == '\r':
		case r >= 0x3001 && r <= 0x3029, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FE:
		case r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3:
		case r == '，', r == '。', r == '：', r == '；', r == '！', r == '？', r == '（', r == '）':
		default:
			return false
		}
	}
	return true
}

// openCamel puts a space where a small letter meets a capital one.
func openCamel(s string) string {
	var prev rune
	camel := false
	for _, r := range s {
		if unicode.IsUpper(r) && unicode.IsLower(prev) {
			camel = true
			break
		}
		prev = r
	}
	if !camel {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	prev = 0
	for _, r := range s {
		// A capital of another script inside a word is a disguise, not a new
		// word: "раY" stays one.
		if unicode.IsUpper(r) && unicode.IsLower(prev) && (r < utf8.RuneSelf) == (prev < utf8.RuneSelf) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String()
}

// invisible reports characters without width or glyph: format
// characters, zero-width ones, variation selectors, tag characters, soft
// hyphens, control characters other than white space, fillers.
func invisible(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' && !unicode.IsSpace(r) || r == 0x7F
	case unicode.Is(unicode.Cf, r):
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	case r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x3164, r == 0xFFA0, r == 0x2800:
		return true
	case unicode.IsControl(r):
		return !unicode.IsSpace(r)
	}
	return false
}

// stripMark reports accents that fold removes. The vowel signs of Indic scripts
// and the voicing marks of kana change the meaning, so they stay.
func stripMark(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x0483 && r <= 0x0489 ||
		r >= 0x064B && r <= 0x065F || r == 0x0670 || r == 0x0640 ||
		r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF || r >= 0x20D0 && r <= 0x20FF
}

// single reports scripts written without spaces (and Hangul, whose particles
// cling to the word): each character is a token of its own there.
func single(r rune) bool {
	return r >= 0x0E00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) || r == 'ー')
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// words splits folded text into plain words. It serves patterns and page text;
// labels are split by tokenise, which also undoes disguises.
func words(folded string) []string {
	out := make([]string, 0, len(folded)/6+1)
	start := -1
	for i, r := range folded {
		switch {
		case r >= utf8.RuneSelf && (single(r) || pictogram(r)):
			if start >= 0 {
				out = append(out, folded[start:i])
				start = -1
			}
			out = append(out, folded[i:i+utf8.RuneLen(r)])
		case wordRune(r):
			if start < 0 {
				start = i
			}
		case start >= 0:
			out = append(out, folded[start:i])
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, folded[start:])
	}
	return out
}

// pictogram reports signs that stand for a word on icon-only controls.
func pictogram(r rune) bool { return r == '🗑' || r == '💳' || r == '🚮' || r == '🛒' }

// tokenise splits a label into words in all the forms they may be read as.
func tokenise(label string) []token {
	if len(label) > maxLabel {
		label = label[:maxLabel]
	}
	folded := fold(joinFileNames(label))
	plain := words(keepLeet(folded))
	out := make([]token, 0, len(plain))
	run := make([]token, 0, 8)
	flush := func() {
		// Three or more letters set apart are one word or several; the joined
		// form is matched against whole phrases without their spaces.
		if len(run) >= 3 {
			out = append(out, token{forms: joinRun(run)})
		}
		run = run[:0]
	}
	for _, w := range plain {
		w = restoreLeet(w)
		t := token{forms: []string{w}, number: isNumber(w)}
		for _, alt := range disguises(w) {
			if alt != w {
				t.forms = append(t.forms, alt)
			}
		}
		if utf8.RuneCountInString(w) == 1 && !single(firstRune(w)) && !pictogram(firstRune(w)) && !t.number {
			run = append(run, t)
			continue
		}
		out = appendRun(out, run)
		flush()
		out = append(out, t)
	}
	out = appendRun(out, run)
	flush()
	return out
}

// fileName matches the name of a file. The words before the extension are a name and no command.
var fileName = regexp.MustCompile(`(?i)(?:[\pL\pN]+[._-])+(?:pdf|docx?|odt|rtf|txt|md|csv|tsv|xlsx?|ods|pptx?|odp|png|jpe?g|gif|svg|webp|heic|tiff?|bmp|mp3|flac|wav|ogg|m4a|mp4|mkv|avi|webm|zip|tar|gz|tgz|7z|rar|bz2|xz|epub|json|xml|ya?ml|log|ics|eml)\b`)

// joinFileNames makes one word of the name of each file: "book.pdf" books nothing.
func joinFileNames(label string) string {
	if !strings.Contains(label, ".") {
		return label
	}
	return fileName.ReplaceAllStringFunc(label, func(name string) string {
		return strings.ToLower(strings.Map(func(r rune) rune {
			if strings.ContainsRune("._-", r) {
				return -1
			}
			return r
		}, name))
	})
}

// appendRun keeps short runs of single letters ("s'abonner", "plan B") as the
// words they are.
func appendRun(out, run []token) []token {
	if len(run) >= 3 {
		return out
	}
	return append(out, run...)
}

// joinRun gives the words that letters set apart may make: as they are, as the
// Latin letters they look like, and as the Cyrillic ones.
func joinRun(run []token) []string {
	var plain, latin strings.Builder
	for _, t := range run {
		plain.WriteString(t.forms[0])
		latin.WriteString(t.forms[len(t.forms)-1])
	}
	forms := []string{latin.String()}
	if p := plain.String(); p != forms[0] {
		forms = append(forms, p)
		if c, ok := cyrillic(p); ok {
			forms = append(forms, c)
		}
	}
	return forms
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

func isNumber(w string) bool {
	for _, r := range w {
		if !unicode.IsNumber(r) && !strings.ContainsRune("@$!|€", r) {
			return false
		}
	}
	return true
}

// Signs used as letters would split a word, so keepLeet replaces them by stand-in
// letters while a text is split.
const leetSigns = "@$!|€"

func keepLeet(s string) string {
	if !strings.ContainsAny(s, leetSigns) {
		return s
	}
	rs := []rune(s)
	for i, r := range rs {
		if strings.ContainsRune(leetSigns, r) && i+1 < len(rs) && unicode.IsLetter(rs[i+1]) {
			rs[i] = leetStand(r)
		}
	}
	return string(rs)
}

// The stand-ins are Old Hungarian capitals: letters nobody labels a button with.
var leetStands = map[rune]rune{'@': 0x10C80, '$': 0x10C81, '!': 0x10C82, '|': 0x10C83, '€': 0x10C84}

var standLeets = func() map[rune]rune {
	m := make(map[rune]rune, len(leetStands))
	for k, v := range leetStands {
		m[v] = k
	}
	return m
}()

func leetStand(r rune) rune { return leetStands[r] }

func restoreLeet(w string) string {
	return strings.Map(func(r rune) rune {
		if s, ok := standLeets[r]; ok {
			return s
		}
		return r
	}, w)
}

// disguises gives the other readings of w: by look-alike letters when w has
// any, by signs for letters when letters and signs are mixed.
func disguises(w string) []string {
	var out []string
	if hasNonASCII(w) {
		if c, ok := cyrillic(w); ok {
			out = append(out, c)
		}
		for _, capital := range []bool{false, true} {
			if s, ok := skeleton(w, capital); ok {
				out = append(out, s)
				if l := unleet(s); l != s {
					out = append(out, l)
				}
			}
		}
	}
	if l := unleet(w); l != w {
		out = append(out, l, strings.ReplaceAll(strings.ReplaceAll(w, "1", "i"), "|", "i"))
		if strings.Contains(w, "1") {
			out = append(out, unleet(strings.ReplaceAll(w, "1", "i")))
		}
	}
	return out
}

func hasNonASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// skeleton maps every character of w to ASCII, or reports that it can't: a word
// with one letter that is only Cyrillic is a Cyrillic word.
func skeleton(w string, capital bool) (string, bool) {
	b := make([]byte, 0, len(w))
	for _, r := range w {
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
			continue
		}
		m, ok := confusables[r]
		if u, up := upperLike[r]; capital && up {
			m, ok = u, true
		}
		if !ok {
			return "", false
		}
		b = append(b, byte(m))
	}
	return string(b), true
}

// unleet reads digits and signs as letters, when w has letters as well.
func unleet(w string) string {
	letters, signs := false, false
	for _, r := range w {
		if _, ok := leet[r]; ok {
			signs = true
		} else if unicode.IsLetter(r) {
			letters = true
		}
	}
	if !letters || !signs {
		return w
	}
	var b strings.Builder
	for _, r := range w {
		if m, ok := leet[r]; ok {
			r = m
		}
		b.WriteRune(r)
	}
	return b.String()
}
