package pagecontext

import (
	"strconv"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// scanner reads a JSON value from the front. The first thing that it does not
// expect makes it bad, and all that it gives then counts for nothing.
type scanner struct {
	b   []byte
	bad bool
	// few are strings that come again and again: roles, tags.
	few map[string]string
	// deep is how many lists of nodes are open.
	deep int
}

// peek gives the next sign, or 0.
func (s *scanner) peek() byte {
	if s.bad || len(s.b) == 0 {
		return 0
	}
	return s.b[0]
}

// take goes over a sign, if it is the next one.
func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.b = s.b[1:]
	return true
}

func (s *scanner) expect(c byte) {
	if !s.take(c) {
		s.bad = true
	}
}

// word goes over true, false or null.
func (s *scanner) word(w string) bool {
	if s.bad || len(s.b) < len(w) || string(s.b[:len(w)]) != w {
		return false
	}
	s.b = s.b[len(w):]
	return true
}

// object reads an object; field reads the value of a name. A name that comes twice
// is an error to the package.
func (s *scanner) object(field func(name []byte)) {
	s.expect('{')
	if s.take('}') {
		return
	}
	var seen [4]uint64
	for !s.bad {
		name, plain := s.quoted()
		if !plain || len(name) == 0 {
			s.bad = true
			return
		}
		i, bit := nameBit(name)
		if seen[i]&bit != 0 {
			s.bad = true
			return
		}
		seen[i] |= bit
		s.expect(':')
		if field(name); s.take(',') {
			continue
		}
		s.expect('}')
		return
	}
}

// nameBit gives a name's bit among 256, from its ends, its middle and its length. No two names
// of one object on the wire have the same (TestScanKnowsAll): where a new one does,
// its objects would be left to the package.
func nameBit(name []byte) (word int, bit uint64) {
	h := name[0] + 6*name[len(name)-1] + 5*name[len(name)/2] + byte(len(name))
	return int(h >> 6), 1 << (h & 63)
}

// array reads an array; element reads each value.
func (s *scanner) array(element func()) {
	s.expect('[')
	if s.take(']') {
		return
	}
	for !s.bad {
		if element(); s.take(',') {
			continue
		}
		s.expect(']')
		return
	}
}

// quoted goes over a string and gives what stands between its quotes. It is plain
// where that is the string itself, in ASCII.
func (s *scanner) quoted() (in []byte, plain bool) {
	s.expect('"')
	plain = true
	for i := 0; i < len(s.b) && !s.bad; i++ {
		switch c := s.b[i]; {
		case c == '"':
			in, s.b = s.b[:i], s.b[i+1:]
			return in, plain
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			s.bad = true
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	s.bad = true
	return nil, false
}

// text reads a string.
func (s *scanner) text() string {
	from := s.b
	in, plain := s.quoted()
	if s.bad || plain {
		return string(in)
	}
	var out string
	if jsonv2.Unmarshal(from[:len(in)+2], &out, jsonv2.AllowInvalidUTF8(true)) != nil {
		s.bad = true
	}
	return out
}

// again reads a string that is one of a few.
func (s *scanner) again() string {
	from := *s
	in, plain := s.quoted()
	if s.bad || !plain {
		s.b, s.bad = from.b, from.bad
		return s.text()
	}
	if known, ok := s.few[string(in)]; ok {
		return known
	}
	if s.few == nil {
		s.few = map[string]string{}
	}
	out := string(in)
	s.few[out] = out
	return out
}

// digits reads the digits before a point; more than float64 holds exactly is bad.
func (s *scanner) digits() (value int64, n int) {
	for n < len(s.b) && s.b[n] >= '0' && s.b[n] <= '9' && n <= exactly {
		value = value*10 + int64(s.b[n]-'0')
		n++
	}
	if n == 0 || n > exactly || n > 1 && s.b[0] == '0' {
		s.bad = true
		return 0, 0
	}
	s.b = s.b[n:]
	return value, n
}

func (s *scanner) integer() int {
	minus := s.take('-')
	v, _ := s.digits()
	if c := s.peek(); c == '.' || c == 'e' || c == 'E' {
		s.bad = true
	}
	if minus {
		v = -v
	}
	return int(v)
}

// exactly is how many digits a float64 holds whatever they are.
const exactly = 15

// number reads a number as strconv does: of two that a float64 holds exactly the
// quotient is the nearest there is.
func (s *scanner) number() float64 {
	from := s.b
	minus := s.take('-')
	v, n := s.digits()
	value := float64(v)
	if s.take('.') {
		div, fraction := 1.0, s.b
		for len(s.b) > 0 && s.b[0] >= '0' && s.b[0] <= '9' {
			if n++; n <= exactly {
				v, div = v*10+int64(s.b[0]-'0'), div*10
			}
			s.b = s.b[1:]
		}
		if s.bad = s.bad || len(s.b) == len(fraction); s.bad {
			return 0
		}
		if value = float64(v) / div; n > exactly {
			value, _ = strconv.ParseFloat(string(from[:len(from)-len(s.b)]), 64) // with its sign
			minus = false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.bad = true
	}
	if minus {
		value = -value
	}
	return value
}

func (s *scanner) boolean() bool {
	if s.word("true") {
		return true
	}
	if !s.word("false") {
		s.bad = true
	}
	return false
}

// maybe reads a boolean that may be missing.
func (s *scanner) maybe() *bool {
	if s.word("null") {
		return nil
	}
	v := s.boolean()
	return &v
}

// figures and counts read the numbers of an object by their names.
func (s *scanner) figures(of map[string]*float64) {
	s.object(func(name []byte) {
		if p := of[string(name)]; p != nil {
			*p = s.number()
			return
		}
		s.bad = true
	})
}

func (s *scanner) counts(of map[string]*int) {
	s.object(func(name []byte) {
		if p := of[string(name)]; p != nil {
			*p = s.integer()
			return
		}
		s.bad = true
	})
}

// texts reads a list of strings.
func (s *scanner) texts() []string {
	if s.word("null") {
		return nil
	}
	out := []string{}
	s.array(func() { out = append(out, s.text()) })
	return out
}
