package pagecontext

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Passages returns the parts of a Markdown text that match a query best, in the
// order of the text, each under its headings, at most limit characters in all.
// A table row comes with its table's head, a list gives single items, and "…"
// marks what was left out. Words are compared without case, accents and width;
// those of languages without spaces by pairs of characters. found counts the
// passages that score at least leastOfBest of the best one, shown those returned.
func Passages(md, query string, limit int) (text string, shown, found int) {
	terms := termsOf(query)
	all := passagesOf(md)
	if len(terms) == 0 || len(all) == 0 {
		return "", 0, 0
	}
	scores := rank(all, terms)
	order := make([]int, 0, len(all))
	least := slices.Max(scores) * leastOfBest
	for i, s := range scores {
		if s > 0 && s >= least {
			order = append(order, i)
		}
	}
	found = len(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	take := map[int]bool{}
	for _, i := range order {
		take[i] = true
		if utf8.RuneCountInString(written(all, take)) > limit {
			delete(take, i)
			if len(take) == 0 {
				return Cut(written(all, map[int]bool{i: true}), max(limit-1, 1)), 1, found
			}
		}
	}
	return written(all, take), len(take), found
}

// leastOfBest is the part of the best passage's score that another must have: one
// with only the words of nearly every passage does not answer a query.
const leastOfBest = 0.1

// Headings returns the headings of a Markdown text, each with those above it:
// what the text is about if no passage of it matches.
func Headings(md string) []string {
	var out []string
	for _, p := range passagesOf(md) {
		if h := strings.Join(p.path, " › "); h != "" && (len(out) == 0 || out[len(out)-1] != h) {
			out = append(out, h)
		}
	}
	return out
}

// passage is a part of a text that is shown or left out as a whole.
type passage struct {
	path []string // the headings it stands under
	head string   // of the table it is a row of
	text string
	list bool // a list's item or a table's row: no empty line before the next one
}

func passagesOf(md string) []passage {
	var out []passage
	var path []string
	var levels []int
	for _, block := range blocksOf(md) {
		if level, title := headingOf(block); level > 0 {
			for len(levels) > 0 && levels[len(levels)-1] >= level {
				levels, path = levels[:len(levels)-1], path[:len(path)-1]
			}
			levels, path = append(levels, level), append(slices.Clip(path), title)
			out = append(out, passage{path: path})
			continue
		}
		lines := strings.Split(block, "\n")
		switch {
		case len(lines) > 2 && strings.HasPrefix(lines[0], "|") && strings.HasPrefix(lines[1], "| -"):
			for _, l := range lines[2:] {
				out = append(out, passage{path: path, head: lines[0] + "\n" + lines[1], text: l, list: true})
			}
		case len(lines) > 1 && isItem(lines[0]):
			for _, l := range lines {
				if isItem(l) || len(out) == 0 {
					out = append(out, passage{path: path, text: l, list: true})
				} else {
					out[len(out)-1].text += "\n" + l // an item inside it, or its next line
				}
			}
		default:
			out = append(out, passage{path: path, text: block})
		}
	}
	return out
}

// blocksOf splits at empty lines, but not within code.
func blocksOf(md string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if s := strings.Trim(b.String(), "\n"); s != "" {
			out = append(out, s)
		}
		b.Reset()
	}
	code := false
	for l := range strings.SplitSeq(md, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			code = !code
		}
		if l == "" && !code {
			flush()
			continue
		}
		b.WriteString(l + "\n")
	}
	flush()
	return out
}

func headingOf(block string) (level int, title string) {
	title = strings.TrimLeft(block, "#")
	level = len(block) - len(title)
	if level == 0 || level > 6 || !strings.HasPrefix(title, " ") || strings.Contains(title, "\n") {
		return 0, ""
	}
	return level, strings.TrimSpace(title)
}

func isItem(line string) bool {
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") {
		return true
	}
	n, _, ok := strings.Cut(line, ". ")
	_, err := strconv.Atoi(n)
	return ok && err == nil
}

// written puts the chosen passages together.
func written(all []passage, take map[int]bool) string {
	var b strings.Builder
	var path []string
	head, last := "", -1
	for i, p := range all {
		if !take[i] {
			continue
		}
		if b.Len() > 0 {
			switch {
			case i == last+1 && p.list && all[last].list && p.head == head:
				b.WriteString("\n")
			case i > last+1 && !headsOnly(all[last+1:i]):
				b.WriteString("\n\n…\n\n")
			default:
				b.WriteString("\n\n")
			}
		}
		if !slices.Equal(path, p.path) {
			path, head = p.path, ""
			if len(path) > 0 {
				b.WriteString("## " + strings.Join(path, " › "))
				if p.text != "" {
					b.WriteString("\n\n")
				}
			}
		}
		if p.head != "" && p.head != head {
			b.WriteString(p.head + "\n")
		}
		head = p.head
		b.WriteString(p.text)
		last = i
	}
	return b.String()
}

// headsOnly reports whether the passages are all headings, which are written
// with the passages under them anyway.
func headsOnly(ps []passage) bool {
	return !slices.ContainsFunc(ps, func(p passage) bool { return p.text != "" })
}

// rank scores each passage by the query's terms (BM25 with its usual
// constants); a term in the headings counts half.
func rank(all []passage, terms []string) []float64 {
	const k1, b, headWeight = 1.2, 0.75, 0.5
	tf := make([][]float64, len(all))
	df := make([]float64, len(terms))
	lengths := make([]float64, len(all))
	total := 0.0
	for i, p := range all {
		own := termsOf(p.text)
		above := termsOf(strings.Join(p.path, " "))
		lengths[i] = float64(len(own)) + 1
		total += lengths[i]
		tf[i] = make([]float64, len(terms))
		for k, t := range terms {
			n := timesIn(own, t) + headWeight*min(1, timesIn(above, t))
			if p.text == "" {
				n = headWeight * min(1, timesIn(above, t)) / 2 // a heading alone tells little
			}
			if tf[i][k] = n; n > 0 {
				df[k]++
			}
		}
	}
	average := total / float64(len(all))
	out := make([]float64, len(all))
	for i := range all {
		for k := range terms {
			if n := tf[i][k]; n > 0 {
				idf := math.Log(1 + (float64(len(all))-df[k]+0.5)/(df[k]+0.5))
				out[i] += idf * n * (k1 + 1) / (n + k1*(1-b+b*lengths[i]/average))
			}
		}
	}
	return out
}

// timesIn counts a term; a word with another ending (see alike) counts too.
func timesIn(terms []string, t string) float64 {
	n := 0.0
	for _, o := range terms {
		if o == t || alike(o, t) {
			n++
		}
	}
	return n
}

// alike tells whether words differ only in their endings: price, prices, priced.
// NFKD divides Korean into its letters, so that a particle is an ending too.
func alike(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	return len(x) >= 4 && len(y)-len(x) <= 3 && slices.Equal(x[:max(4, len(x)-1)], y[:max(4, len(x)-1)])
}

var folder = cases.Fold()

// termsOf returns the words of a text in the form in which they are compared.
func termsOf(s string) []string {
	var out []string
	var word []rune
	wide := false
	flush := func() {
		switch {
		case len(word) == 0:
		case !wide:
			out = append(out, string(word))
		case len(word) == 1:
			out = append(out, string(word))
		default:
			for i := range len(word) - 1 {
				out = append(out, string(word[i:i+2]))
			}
		}
		word = word[:0]
	}
	for _, r := range norm.NFKD.String(folder.String(s)) {
		if unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Devanagari, r) && !unicode.Is(unicode.Thai, r) {
			continue
		}
		w := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Mc, r) {
			flush()
			continue
		}
		if w != wide {
			flush()
			wide = w
		}
		word = append(word, r)
	}
	flush()
	return out
}

// Piece returns the part of a text that begins at a cursor ("" for its start),
// at most limit characters, ended where a paragraph, a line or a sentence ends.
// next is the cursor of what follows, "" at the end. A cursor holds a hash of
// the text before it, by which it is found again after the text has changed. If
// it is not found, moved is true and the piece begins about where it was.
func Piece(text, cursor string, limit int) (piece, next string, moved bool) {
	from := 0
	if cursor != "" {
		from, moved = seek(text, cursor)
	}
	rest := text[from:]
	end := byteOf(rest, limit)
	if end == len(rest) {
		return strings.Trim(rest, "\n"), "", moved
	}
	end = endOf(rest, end)
	return strings.TrimRight(strings.TrimLeft(rest[:end], "\n"), "\n "), cursorAt(text, from+end), moved
}

// least is the part of the limit that a piece must keep when it is cut at the
// end of a paragraph, line, sentence or word.
const least = 0.5

// byteOf returns the byte offset of character n, from 0, or len(s).
func byteOf(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func endOf(s string, limit int) int {
	for _, end := range []string{"\n\n", "\n", "。", ". ", " "} {
		if i := strings.LastIndex(s[:limit], end); i > int(float64(limit)*least) {
			return i + len(end)
		}
	}
	return max(limit, 1)
}

// isStart reports whether a rune of UTF-8 starts with this byte.
func isStart(b byte) bool { return b&0xc0 != 0x80 }

// mark is how many bytes before a cursor its hash covers at most.
const mark = 96

func cursorAt(text string, at int) string {
	from := max(0, at-mark)
	return strconv.Itoa(at) + "-" + strconv.Itoa(at-from) + "-" + strconv.FormatUint(hash(text[from:at]), 36)
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

// ValidCursor reports whether this is a cursor of Piece.
func ValidCursor(c string) bool {
	_, _, _, ok := parseCursor(c)
	return ok
}

func parseCursor(c string) (at, n int, sum uint64, ok bool) {
	parts := strings.Split(c, "-")
	if len(parts) != 3 {
		return 0, 0, 0, false
	}
	at, e1 := strconv.Atoi(parts[0])
	n, e2 := strconv.Atoi(parts[1])
	sum, e3 := strconv.ParseUint(parts[2], 36, 64)
	return at, n, sum, e1 == nil && e2 == nil && e3 == nil && at >= 0 && n > 0 && n <= mark && n <= at
}

// seek returns where a cursor is now: the nearest place with the same text
// before it. moved is true if there is none.
func seek(text, cursor string) (at int, moved bool) {
	at, n, sum, ok := parseCursor(cursor)
	if !ok {
		return 0, true
	}
	fits := func(end int) bool { return end >= n && end <= len(text) && hash(text[end-n:end]) == sum }
	for d := 0; d <= max(at, len(text)); d++ {
		if fits(at - d) {
			return at - d, false
		}
		if d > 0 && fits(at+d) {
			return at + d, false
		}
		if d > 1<<16 {
			break
		}
	}
	at = min(at, len(text))
	for at > 0 && at < len(text) && !isStart(text[at]) {
		at--
	}
	return at, true
}
