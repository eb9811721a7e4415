package flow

import (
	"encoding/json"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"tabwright/host/native/wire"
)

// printer words the errors of a schema for a model.
var printer = message.NewPrinter(language.English)

// sources gives, for each value of a result, the page where it was read. It searches
// the pages for the value itself and ignores the model's claims about sources.
func sources(data json.RawMessage, pages []page) []wire.ValueSource {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	read := make([]haystack, len(pages))
	for i, p := range pages {
		read[i] = haystack{page: p, words: folded(p.text)}
	}
	out := []wire.ValueSource{}
	walk(v, "", func(path string, leaf any) {
		out = append(out, sourceOf(path, leaf, read))
	})
	return out
}

// haystack is a page's text, prepared for searching values.
type haystack struct {
	page
	words   string
	numbers map[string]bool // canonical; made when first needed
}

func sourceOf(path string, leaf any, read []haystack) wire.ValueSource {
	s := wire.ValueSource{Path: path}
	found := func(has func(*haystack) bool) wire.ValueSource {
		for i := range read {
			if has(&read[i]) {
				s.URL, s.Title = read[i].url, titleOf(read, read[i].url)
				break
			}
		}
		return s
	}
	switch v := leaf.(type) {
	case string:
		want := folded(v)
		if strings.TrimSpace(want) == "" {
			s.Unchecked = true
			return s
		}
		if isAddress(v) {
			return found(func(h *haystack) bool { return strings.Contains(h.text, v) || sameAddress(h.url, v) })
		}
		return found(func(h *haystack) bool { return strings.Contains(h.words, want) })
	case json.Number:
		want := canonical(v.String())
		return found(func(h *haystack) bool { return h.has(want) })
	default: // booleans and nulls are conclusions, not text on a page
		s.Unchecked = true
		return s
	}
}

func isAddress(v string) bool {
	return strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://")
}

func sameAddress(a, b string) bool {
	return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}

// titleOf returns the newest known title of an address.
func titleOf(read []haystack, url string) string {
	for i := len(read) - 1; i >= 0; i-- {
		if read[i].url == url && read[i].title != "" {
			return read[i].title
		}
	}
	return ""
}

var numberText = regexp.MustCompile(`\d[\d.,' \x{202f}]*\d|\d`)

func (h *haystack) has(number string) bool {
	if h.numbers == nil {
		h.numbers = map[string]bool{}
		for _, n := range numberText.FindAllString(h.text, -1) {
			h.numbers[canonical(n)] = true
			for _, part := range strings.FieldsFunc(n, func(r rune) bool { return unicode.IsSpace(r) || r == '\'' }) {
				h.numbers[canonical(part)] = true
			}
		}
	}
	return h.numbers[number] || h.numbers[strings.TrimPrefix(number, "-")]
}

// canonical writes a number in one way, whatever separates its thousands and
// its fraction: 1,234.50 and 1.234,5 and 1234.5 are the same.
func canonical(s string) string {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\'' {
			return -1
		}
		return r
	}, s)
	point := strings.LastIndexAny(s, ".,")
	if point >= 0 && len(s)-point-1 == 3 && strings.Count(s, ".")+strings.Count(s, ",") >= 1 && !mixed(s) {
		point = -1 // a separator of thousands
	}
	whole, fraction := s, ""
	if point >= 0 {
		whole, fraction = s[:point], s[point+1:]
	}
	whole = strings.NewReplacer(",", "", ".", "").Replace(whole)
	f, err := strconv.ParseFloat(whole+"."+fraction+"0", 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func mixed(s string) bool { return strings.Contains(s, ".") && strings.Contains(s, ",") }

// folded returns a text without regard to case, spaces and punctuation, with a space
// at each end, so that a value is found as whole words only.
func folded(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	space := true
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.Is(unicode.Han, r):
			b.WriteRune(r) // written without spaces
			space = false
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
			space = false
			continue
		case !space:
			b.WriteByte(' ')
			space = true
		}
	}
	if !space {
		b.WriteByte(' ')
	}
	out := b.String()
	if strings.IndexFunc(out, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0 && len(out) < 400 {
		return strings.Trim(out, " ")
	}
	return out
}

// walk visits the leaves of a value in a fixed order, by JSON pointer.
func walk(v any, path string, see func(path string, leaf any)) {
	switch x := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			walk(x[k], path+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(k), see)
		}
	case []any:
		for i, e := range x {
			walk(e, path+"/"+strconv.Itoa(i), see)
		}
	default:
		see(path, v)
	}
}
