package safety

import (
	"slices"
	"strings"
)

// needScan finds the words that expressions need in one pass over a text
// (Aho-Corasick), line by line, so that an expression runs only over lines that it
// may match. The results are those of the expressions alone.
type needScan struct {
	rules []sought
	masks []uint64 // for each rule, a bit for each of its sets of words

	class   [256]uint8 // of a byte; both cases of a letter are one
	classes int
	next    []uint16 // by state and class
	found   [][]foundNeed
}

// foundNeed is a word that ends in a state, with the sets that it is in.
type foundNeed struct {
	need
	sets uint64
}

// newNeedScan puts the rules' sets of words into one table. Sets beyond the
// sixty-fourth are ignored: expressions then run more often and find the same.
func newNeedScan(rules []sought) *needScan {
	s := &needScan{rules: rules, masks: make([]uint64, len(rules)), classes: 1}
	bits := 0
	words := map[need]uint64{}
	for i, rule := range rules {
		for _, set := range rule.needs {
			if bits == 64 {
				break
			}
			for _, n := range set {
				words[n] |= 1 << bits
			}
			s.masks[i] |= 1 << bits
			bits++
		}
	}
	for n := range words {
		for _, b := range []byte(n.word) {
			if s.class[b] == 0 {
				s.class[b] = uint8(s.classes)
				s.classes++
			}
		}
	}
	for b := byte('a'); b <= 'z'; b++ {
		s.class[b] = s.class[b-'a'+'A']
	}
	s.build(words)
	return s
}

// build makes the states: a trie of the words, then the transitions for bytes that
// are not in it.
func (s *needScan) build(words map[need]uint64) {
	const none = 1<<16 - 1
	state := func() uint16 {
		if len(s.found) == none {
			panic("safety: more words than a table of rules holds") // at the first look, so a test meets it
		}
		s.next = append(s.next, slices.Repeat([]uint16{none}, s.classes)...)
		s.found = append(s.found, nil)
		return uint16(len(s.found) - 1)
	}
	state()
	for n, sets := range words {
		at := 0
		for _, b := range []byte(n.word) {
			to := &s.next[at*s.classes+int(s.class[b])]
			if *to == none {
				fresh := state() // moves what to points to
				s.next[at*s.classes+int(s.class[b])] = fresh
				at = int(fresh)
				continue
			}
			at = int(*to)
		}
		s.found[at] = append(s.found[at], foundNeed{n, sets})
	}
	fail := make([]int, len(s.found))
	queue := []int{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for c := range s.classes {
			to := &s.next[at*s.classes+c]
			back := 0
			if at != 0 {
				back = int(s.next[fail[at]*s.classes+c])
			}
			if *to == none {
				*to = uint16(back)
				continue
			}
			fail[*to] = back
			s.found[*to] = append(s.found[*to], s.found[back]...)
			queue = append(queue, int(*to))
		}
	}
}

// scanned is a text with the lines that have needed words.
type scanned struct {
	*needScan
	text string
	hits []lineHit
	all  uint64 // the sets of all lines
	// For each line that is not blank, behind is the end of the one before and begin
	// its own start. Set when an expression is first run.
	behind, begin []int
}

// lineHit is a line, by its number among those that are not blank.
type lineHit struct {
	line int
	sets uint64
}

// scan looks for the words in a text.
func (s *needScan) scan(text string) *scanned {
	out := &scanned{needScan: s, text: text}
	folds, exact := text, true
	if hasNonASCII(text) {
		folds = foldLetters(text)
		// These are no letters to \b, but to (?i) they are s and k.
		exact = !strings.Contains(text, "\u017f") && !strings.Contains(text, "\u212a")
	}
	n := 0
	for line := range strings.SplitSeq(folds, "\n") {
		if strings.TrimLeft(line, blanks) == "" {
			continue
		}
		if sets := s.setsIn(line, exact); sets != 0 {
			out.hits = append(out.hits, lineHit{n, sets})
			out.all |= sets
		}
		n++
	}
	return out
}

// setsIn gives the sets that have a word in a line. With exact it respects the word
// boundaries that a need asks for.
func (s *needScan) setsIn(line string, exact bool) uint64 {
	var sets uint64
	at := 0
	for i := range len(line) {
		at = int(s.next[at*s.classes+int(s.class[line[i]])])
		for _, f := range s.found[at] {
			if !exact || (!f.left || borders(line, i+1-len(f.word))) && (!f.right || borders(line, i+1)) {
				sets |= f.sets
			}
		}
	}
	return sets
}

// borders reports whether \b matches at i.
func borders(s string, i int) bool {
	before := i > 0 && isWordByte(s[i-1])
	return before != (i < len(s) && isWordByte(s[i]))
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
}

// find gives the first match of the rule with that number.
func (t *scanned) find(i int) string {
	rule, mask := &t.rules[i], t.masks[i]
	if t.all&mask != mask {
		return ""
	}
	if mask == 0 || rule.lines < 0 || t.mayMatch(rule, mask) {
		return rule.re.FindString(t.text)
	}
	return ""
}

// mayMatch runs a rule over the stretches of lines that have all needed words. It
// adds a line at either end, since an expression may look around a match.
func (t *scanned) mayMatch(rule *sought, mask uint64) bool {
	t.lines()
	around := rule.lines + 1
	from, to := 0, -1 // the stretch that is to be looked at yet
	look := func() bool { return to >= from && rule.re.MatchString(t.stretch(from, to)) }
	for k, h := range t.hits {
		if h.sets&mask == 0 {
			continue
		}
		var sets uint64
		for _, o := range t.hits[k:] {
			if o.line > h.line+rule.lines {
				break
			}
			sets |= o.sets
		}
		if sets&mask != mask {
			continue
		}
		if h.line-around > to {
			if look() {
				return true
			}
			from = h.line - around
		}
		to = h.line + around
	}
	return look()
}

// lines finds the lines of the text that are not blank.
func (t *scanned) lines() {
	if t.begin != nil {
		return
	}
	at, behind := 0, 0
	for line := range strings.SplitAfterSeq(t.text, "\n") {
		if strings.TrimLeft(line, blanks+"\n") != "" {
			t.behind, t.begin = append(t.behind, behind), append(t.begin, at)
			behind = at + len(line)
		}
		at += len(line)
	}
}

// stretch is the text of some lines, with the blank ones before and behind them.
func (t *scanned) stretch(from, to int) string {
	begin, end := 0, len(t.text)
	if from > 0 {
		begin = t.behind[from]
	}
	if to+1 < len(t.begin) {
		end = t.begin[to+1]
	}
	return t.text[begin:end]
}
