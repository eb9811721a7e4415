package safety

import (
	"embed"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"sync"
)

//go:embed words/*.txt
var wordFiles embed.FS

// anchor says where in a label a pattern may stand.
type anchor int

const (
	anywhere anchor = iota
	atStart         // first, after words that only lead in ("Yes, delete")
	whole           // nothing but numbers beside it
)

// pattern is one line of a word file.
type pattern struct {
	section string
	class   Class
	level   Level
	words   []string
	anchor  anchor
	// link: on a plain link the words name the page behind it ("Log in"), so
	// following it is navigation.
	link bool
	// more: at least one word follows, so "Cancel" alone is not meant.
	more bool
	raw  string
	lang string
}

// lexicon holds the patterns by the first word; sections that are no class
// (quiet, lead, page, url, …) have an index of their own.
type lexicon struct {
	classes  map[string][]*pattern
	joined   map[string]*pattern // phrases without spaces, for letters set apart
	sections map[string]map[string][]*pattern
	leads    map[string]bool
	urls     map[string]string // segment word → language
}

// lex loads the embedded files once. They are part of the program and a test
// loads them; a broken line can't ship.
var lex = sync.OnceValue(func() *lexicon {
	l, err := loadLexicon(wordFiles)
	if err != nil {
		// Without words the gate would pass what it must ask about: an empty
		// lexicon that asks about everything is the only safe answer.
		return &lexicon{}
	}
	return l
})

var classNames = map[string]Class{
	"purchase": Purchase, "destroy": Destroy, "communicate": Communicate, "identity": Identity, "legal": Legal,
	"file": FileClass, "code": CodeClass, "settings": Settings, "submit": Submit, "navigate": Navigate, "write": Write,
}

var sectionLevels = map[string]Level{"notify": Notify, "confirm": Confirm}

var plainSections = map[string]bool{
	"quiet": true, "lead": true, "page": true, "url": true, "floor": true, "sure": true, "weak": true, "search": true,
	"compose": true, "total": true, "legaltext": true, "ask": true,
}

func loadLexicon(files fs.FS) (*lexicon, error) {
	l := &lexicon{
		classes: map[string][]*pattern{}, joined: map[string]*pattern{},
		sections: map[string]map[string][]*pattern{}, leads: map[string]bool{}, urls: map[string]string{},
	}
	names, err := fs.Glob(files, "words/*.txt")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		lang := strings.TrimSuffix(strings.TrimPrefix(name, "words/"), ".txt")
		if err := l.add(lang, string(data)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(l.classes) == 0 {
		return nil, fmt.Errorf("no words")
	}
	return l, nil
}

// add reads one word file: "# comment", "[section]" or "[class notify]", and
// one pattern a line: "^" at the start of a label, "=" the whole label, "~" a
// page's name when it stands on a plain link, "…" at the end for at least one
// word more.
func (l *lexicon) add(lang, data string) error {
	section, level := "", Auto
	for n, line := range strings.Split(data, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "["):
			fields := strings.Fields(strings.Trim(line, "[]"))
			if len(fields) == 0 || len(fields) > 2 {
				return fmt.Errorf("line %d: bad section %q", n+1, line)
			}
			section = fields[0]
			class, isClass := classNames[section]
			if !isClass && !plainSections[section] {
				return fmt.Errorf("line %d: unknown section %q", n+1, section)
			}
			level = defaultLevel(class)
			if len(fields) == 2 {
				var ok bool
				if level, ok = sectionLevels[fields[1]]; !ok {
					return fmt.Errorf("line %d: unknown level %q", n+1, fields[1])
				}
			}
			continue
		case section == "":
			return fmt.Errorf("line %d: words before the first section", n+1)
		}
		p := &pattern{section: section, class: classNames[section], level: level, raw: line, lang: lang}
		for len(line) > 0 && strings.ContainsRune("^=~", rune(line[0])) {
			switch line[0] {
			case '^':
				p.anchor = atStart
			case '=':
				p.anchor = whole
			case '~':
				p.link = true
			}
			line = line[1:]
		}
		line, p.more = strings.CutSuffix(line, "…")
		p.words = words(fold(line))
		if len(p.words) == 0 {
			return fmt.Errorf("line %d: no words in %q", n+1, p.raw)
		}
		p.raw = strings.TrimSpace(line)
		l.index(p)
	}
	return nil
}

func (l *lexicon) index(p *pattern) {
	first := p.words[0]
	switch {
	case p.section == "lead":
		l.leads[strings.Join(p.words, "")] = true
	case p.section == "url":
		l.urls[strings.Join(p.words, "")] = p.lang
	case p.class != "":
		l.classes[first] = append(l.classes[first], p)
		if j := strings.Join(p.words, ""); len(j) >= 3 && !p.more && (p.level >= Confirm || p.class == Submit) && l.joined[j] == nil {
			l.joined[j] = p
		}
	default:
		m := l.sections[p.section]
		if m == nil {
			m = map[string][]*pattern{}
			l.sections[p.section] = m
		}
		m[first] = append(m[first], p)
	}
}

// label is a tokenised label with what is quiet in it taken out.
type label struct {
	raw    string
	tokens []token
	hushed []bool
	start  int // first token that is no lead word
}

func (l *lexicon) label(raw string) label {
	lb := label{raw: strings.TrimSpace(raw), tokens: tokenise(raw)}
	lb.hushed = make([]bool, len(lb.tokens))
	for i := range lb.tokens {
		for _, f := range lb.tokens[i].forms[:1] {
			for _, p := range l.sections["quiet"][f] {
				if lb.matchAt(p, i) {
					for j := range p.words {
						lb.hushed[i+j] = true
					}
				}
			}
		}
	}
	for lb.start < len(lb.tokens) && (l.leads[lb.tokens[lb.start].forms[0]] || lb.tokens[lb.start].number) {
		lb.start++
	}
	if lb.start == len(lb.tokens) {
		lb.start = 0
	}
	return lb
}

// matchAt reports whether p's words stand at token i, its anchor included, and
// none of them is hushed.
func (lb *label) matchAt(p *pattern, i int) bool {
	for j := range p.words {
		if i+j < len(lb.hushed) && lb.hushed[i+j] {
			return false
		}
	}
	return lb.standsAt(p, i)
}

// standsAt is matchAt for sections that quiet phrases say nothing about.
func (lb *label) standsAt(p *pattern, i int) bool {
	if i+len(p.words) > len(lb.tokens) {
		return false
	}
	for j, w := range p.words {
		if !lb.tokens[i+j].is(w) {
			return false
		}
	}
	if p.more && i+len(p.words) == len(lb.tokens) {
		return false
	}
	switch p.anchor {
	case atStart:
		return i == lb.start || i == 0
	case whole:
		if i != lb.start && i != 0 {
			return false
		}
		for _, t := range lb.tokens[i+len(p.words):] {
			if !t.number {
				return false
			}
		}
	}
	return true
}

func (t token) is(w string) bool {
	for _, f := range t.forms {
		if f == w {
			return true
		}
	}
	return false
}

// hits gives the class patterns that match the label. Phrases of ordinary
// drafts and plain ways about claim their words: "Remove from cart" is no
// removal, but "Add to cart and pay" still pays.
func (l *lexicon) hits(lb *label) []*pattern {
	var out []*pattern
	var at []int
	claimed := make([]bool, len(lb.tokens))
	for i := range lb.tokens {
		if lb.hushed[i] {
			continue
		}
		for _, f := range lb.tokens[i].forms {
			for _, p := range l.classes[f] {
				if !lb.matchAt(p, i) {
					continue
				}
				out, at = append(out, p), append(at, i)
				if p.mild() && len(p.words) > 1 {
					for j := range p.words {
						claimed[i+j] = true
					}
				}
			}
			if p := l.joinedAt(f); p != nil && len(p.words) > 1 {
				out, at = append(out, p), append(at, i)
			}
		}
	}
	kept := out[:0]
	for k, p := range out {
		inside := !p.mild()
		for j := range p.words {
			inside = inside && at[k]+j < len(claimed) && claimed[at[k]+j]
		}
		if !inside {
			kept = append(kept, p)
		}
	}
	return kept
}

func (p *pattern) mild() bool { return p.class == Write || p.class == Navigate }

// apart finds a phrase whose letters are set apart in any way: "P ay", "Pa y now".
func (l *lexicon) apart(lb *label) *pattern {
	if n := len(lb.tokens); n < 2 || n > 8 {
		return nil
	}
	var b strings.Builder
	for i, t := range lb.tokens {
		if lb.hushed[i] || single(firstRune(t.forms[0])) {
			return nil
		}
		b.WriteString(t.forms[0])
	}
	return l.joined[b.String()]
}

// joinedAt finds a phrase written as one word, or letters set apart that make
// one: "paynow", "p a y n o w".
func (l *lexicon) joinedAt(w string) *pattern { return l.joined[w] }

// inSection reports the first pattern of a section that stands in the label.
func (l *lexicon) inSection(section string, lb *label) *pattern {
	idx := l.sections[section]
	for i := range lb.tokens {
		for _, f := range lb.tokens[i].forms {
			for _, p := range idx[f] {
				if lb.standsAt(p, i) && (section != "floor" || lb.matchAt(p, i)) {
					return p
				}
			}
		}
	}
	return nil
}

// inText looks for a section's phrases in long text; only plain words count
// there.
func (l *lexicon) inText(section, text string) *pattern {
	return l.inWords(section, words(fold(text)))
}

func (l *lexicon) inWords(section string, ws []string) *pattern {
	idx := l.sections[section]
	if len(idx) == 0 {
		return nil
	}
	for i, w := range ws {
	next:
		for _, p := range idx[w] {
			if i+len(p.words) > len(ws) {
				continue
			}
			for j, pw := range p.words {
				if ws[i+j] != pw {
					continue next
				}
			}
			return p
		}
	}
	return nil
}
