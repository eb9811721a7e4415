package safety

import (
	"embed"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed words/*.txt
var wordFiles embed.FS

// anchor says where in a label a pattern may stand.
type anchor int

const (
	anywhere anchor = iota
	atStart         // first, after words that only lead in ("Yes, delete")
	whole           // alone, or beside numbers only
)

// pattern is one line of a word file.
type pattern struct {
	section string
	class   Class
	level   Level
	words   []string
	anchor  anchor
	// link says that on a plain link the words name the page behind it ("Log in"),
	// so following it is navigation.
	link bool
	// more asks for at least one word after the phrase, so "Cancel" alone is not
	// meant; behind for at least one before it, in languages whose verb comes last.
	more, behind bool
	// last asks for the end of the label behind the phrase.
	last bool
	// stem allows any ending of the last word.
	stem bool
	raw  string
	lang string
}

// lexicon holds the patterns by the first word; sections that are no class
// (quiet, lead, page, url, …) have an index of their own.
type lexicon struct {
	classes  map[string][]*pattern
	joined   map[string]*pattern // phrases without spaces, for letters set apart
	sections map[string]map[string][]*pattern
	stems    map[string]map[string][]*pattern // of sections: one word without its ending, by its first letters
	leads    map[string]bool
	ands     map[string]bool   // words after which another command begins
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
	"compose": true, "total": true, "legaltext": true, "ask": true, "noun": true, "drop": true, "and": true,
	"spend": true, "loss": true, "told": true, "promise": true, "look": true, "dismiss": true,
	"stake": true, "benign": true, "sharing": true, "verb": true, "onward": true, "now": true, "never": true,
	"query": true, "view": true, "faq": true, "filters": true, "source": true, "instant": true, "plain": true, "leaving": true, "minute": true,
	"safeguard": true, "security": true, "keep": true, "redirect": true, "off": true, "draw": true, "arrange": true, "twofold": true, "mute": true, "resets": true, "tracks": true,
	"begins": true, "certain": true, "own": true, "ends": true, "binding": true, "people": true, "notices": true, "parts": true, "silence": true, "shown": true, "reading": true,
}

func loadLexicon(files fs.FS) (*lexicon, error) {
	l := &lexicon{
		classes: map[string][]*pattern{}, joined: map[string]*pattern{},
		sections: map[string]map[string][]*pattern{}, stems: map[string]map[string][]*pattern{}, leads: map[string]bool{}, ands: map[string]bool{}, urls: map[string]string{},
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
// page's name when it stands on a plain link, "…" at the end or at the
// front for at least one word more there, "$" at the end for the end of the label, "*" at the end of a word of a plain
// section for any ending of it. "[verb class]" holds what verbs begin with, "[class dialog]" holds words that tell what agreeing to a native
// dialog does, "[noun]" words that make a name of the verb before them.
func (l *lexicon) add(lang, data string) error {
	section, level, dialog := "", Auto, false
	var verb Class // what the stems of a section are about
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
			verb = ""
			if section == "verb" && len(fields) == 2 {
				verb, fields = classNames[fields[1]], fields[:1]
			}
			class, isClass := classNames[section]
			if !isClass && !plainSections[section] {
				return fmt.Errorf("line %d: unknown section %q", n+1, section)
			}
			level = defaultLevel(class)
			dialog = len(fields) == 2 && fields[1] == "dialog" && isClass
			if len(fields) == 2 && !dialog {
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
		line = p.marks(line)
		p.words = words(fold(line))
		if len(p.words) == 0 {
			return fmt.Errorf("line %d: no words in %q", n+1, p.raw)
		}
		p.raw = strings.TrimSpace(line)
		if section == "verb" {
			p.class = verb
		}
		if dialog {
			p.section = "dialog"
		}
		l.index(p)
		if other := otherScript(lang, p.raw); other != "" {
			q := *p
			q.words, q.raw = words(fold(other)), other
			l.index(&q)
		}
		if kana := p.kanaForm(); kana != "" {
			q := *p
			q.words, q.raw = words(fold(kana)), kana
			l.index(&q)
		}
	}
	return nil
}

// marks takes a line's marks off it.
func (p *pattern) marks(line string) string {
	for line != "" {
		r, n := utf8.DecodeRuneInString(line)
		switch r {
		case '^':
			p.anchor = atStart
		case '=':
			p.anchor = whole
		case '~':
			p.link = true
		case '…':
			p.behind = true
		default:
			line, p.last = strings.CutSuffix(line, "$")
			line, p.more = strings.CutSuffix(line, "…")
			line, p.stem = strings.CutSuffix(line, "*")
			return line
		}
		line = line[n:]
	}
	return line
}

// stemKey gives the key under which stems are indexed: the first three letters of
// a word, or all of a shorter one.
func stemKey(w string) string {
	n := 0
	for i := range w {
		if n++; n > 3 {
			return w[:i]
		}
	}
	return w
}

// fits reports whether a word is the j-th of a pattern.
func (p *pattern) fits(j int, w string) bool {
	if p.stem && j == len(p.words)-1 {
		return strings.HasPrefix(w, p.words[j])
	}
	return w == p.words[j]
}

func (l *lexicon) index(p *pattern) {
	first := p.words[0]
	switch {
	case p.section == "lead":
		l.leads[strings.Join(p.words, "")] = true
	case p.section == "and":
		l.ands[strings.Join(p.words, "")] = true
	case p.section == "url":
		l.urls[strings.Join(p.words, "")] = p.lang
	case p.stem && len(p.words) == 1:
		m := l.stems[p.section]
		if m == nil {
			m = map[string][]*pattern{}
			l.stems[p.section] = m
		}
		m[stemKey(first)] = append(m[stemKey(first)], p)
	case p.class != "" && p.section != "dialog" && p.section != "verb":
		l.classes[first] = append(l.classes[first], p)
		if j := strings.Join(p.words, ""); len(j) >= 3 && !p.more && !p.behind && (p.level >= Confirm || p.class == Submit) && l.joined[j] == nil {
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
