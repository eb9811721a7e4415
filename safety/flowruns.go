package safety

import (
	"encoding/base32"
	"strings"
)

// Every act whose text leaves is read in some sixty ways, and each way was once a
// handful of regular expressions over the whole text. What they look for is found
// here by a look at each byte, or is shown not to be there.

const (
	// maxRuns bounds how many encoded runs of a text are decoded.
	maxRuns = 16
	// shortestEncoded is how many signs of an alphabet in a row may encode a text.
	shortestEncoded = 8
)

var (
	base64Std  = strings.NewReplacer("-", "+", "_", "/")
	base32Bare = base32.StdEncoding.WithPadding(base32.NoPadding)
	hexPairs   = strings.NewReplacer(" ", "", ":", "", "%", "", "x", "", "-", "")
)

type alphabet [256]bool

func alphabetOf(signs string) *alphabet {
	var a alphabet
	for i := range len(signs) {
		a[signs[i]] = true
	}
	return &a
}

const (
	smallLetters   = "abcdefghijklmnopqrstuvwxyz"
	capitalLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var (
	isBase64  = alphabetOf(smallLetters + capitalLetters + "0123456789+/_-")
	isBase32  = alphabetOf(smallLetters + capitalLetters + "234567")
	isHex     = alphabetOf("0123456789abcdefABCDEF")
	isHexWith = alphabetOf("0123456789abcdefABCDEF :%xX-")
)

// runsOf gives the first runs of an alphabet's signs that are long enough to
// encode something.
func runsOf(s string, in *alphabet) []string {
	var out []string
	from := 0
	for i := 0; i <= len(s) && len(out) < maxRuns; i++ {
		if i < len(s) && in[s[i]] {
			continue
		}
		if i-from >= shortestEncoded {
			out = append(out, s[from:i])
		}
		from = i + 1
	}
	return out
}

// mayBeHex reports a stretch of hexadecimal digits and the marks between pairs
// of them with enough digits for hexRun.
func mayBeHex(s string) bool {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case isHex[c]:
			if n++; n >= shortestEncoded {
				return true
			}
		case !isHexWith[c]:
			n = 0
		}
	}
	return false
}

func digitsIn(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}
