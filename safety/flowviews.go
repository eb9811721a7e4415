package safety

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxReadings bounds in how many ways a text is read.
const maxReadings = 48

// readings gives a text and what it says when it is decoded: percent escapes,
// entities, \u escapes, base64, base32, hex, character codes, turned round,
// rotated by thirteen, and these inside one another.
func readings(s string) []string {
	out := []string{s}
	add := func(v string) {
		if v = strings.TrimSpace(v); len(v) >= 4 && len(out) < maxReadings && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	for i, depth := 0, len(out); i < len(out); i++ {
		v := out[i]
		if u, err := url.QueryUnescape(v); err == nil {
			add(u)
		} else if u, err := url.PathUnescape(v); err == nil {
			add(u)
		}
		add(html.UnescapeString(v))
		add(unescapeUnicode(v))
		for _, d := range decodings(v) {
			add(d)
		}
		if i < depth || i < 8 { // a turned text is not turned again for ever
			add(reverse(v))
			add(rot13(v))
		}
	}
	return out
}

var (
	hexRun  = regexp.MustCompile(`(?i)(?:0x)?((?:[0-9a-f]{2}[ :%x-]?){4,})`)
	codeRun = regexp.MustCompile(`(?:\d{2,3}[^0-9A-Za-z]{1,2}){3,}\d{2,3}`)
	number  = regexp.MustCompile(`\d+`)
	uEscape = regexp.MustCompile(`(?i)\\u\{?([0-9a-f]{2,5})\}?|\\x([0-9a-f]{2})`)
)

// decodings are the texts inside s that were encoded as such.
func decodings(s string) []string {
	var out []string
	keep := func(b []byte, err error) {
		if err == nil && readable(b) {
			out = append(out, string(b))
		}
	}
	for _, run := range runsOf(s, isBase64) {
		std := base64Std.Replace(run)
		keep(base64.RawStdEncoding.DecodeString(std))
		for cut := 1; cut < 4 && len(std)-cut >= 8; cut++ { // a letter before it shifts all
			keep(base64.RawStdEncoding.DecodeString(std[cut:]))
		}
	}
	for _, run := range runsOf(s, isBase32) {
		keep(base32Bare.DecodeString(strings.ToUpper(run)))
	}
	if mayBeHex(s) {
		for _, m := range hexRun.FindAllStringSubmatch(s, maxRuns) {
			keep(hex.DecodeString(hexPairs.Replace(m[1])))
		}
	}
	if digitsIn(s) < 2*shortestRun {
		return out
	}
	for _, run := range codeRun.FindAllString(s, maxRuns) {
		var b []byte
		for _, n := range number.FindAllString(run, -1) {
			v, err := strconv.Atoi(n)
			if err != nil || v < ' ' || v > 126 {
				b = nil
				break
			}
			b = append(b, byte(v))
		}
		keep(b, nil)
	}
	return out
}

// readable reports text: what is decoded by mistake has control characters.
func readable(b []byte) bool {
	if len(b) < 4 || !utf8.Valid(b) {
		return false
	}
	good, all := 0, 0
	for _, r := range string(b) {
		all++
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ' || strings.ContainsRune(".,:;@_-/=&+%", r) {
			good++
		}
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return good*10 >= all*8
}

func unescapeUnicode(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return uEscape.ReplaceAllStringFunc(s, func(e string) string {
		n, err := strconv.ParseInt(strings.Trim(e[2:], "{}"), 16, 32)
		if err != nil {
			return e
		}
		return string(rune(n))
	})
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}
