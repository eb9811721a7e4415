package pagecontext

import (
	"math"
	"regexp"
	"strings"
	"unicode"
)

// partLike matches a heading of a list, with or without its "## ", and some kinds of parts
// alone. main, form, section and table alone do not match: they may be CSS selectors.
var partLike = regexp.MustCompile(`^## |^(?:main|navigation|banner|contentinfo|complementary|search|form|region|section|table|page|overlay): |` +
	`^overlay "|^frame \d+|^(?:navigation|banner|contentinfo|complementary|search|region|page|overlay)$`)

// IsPart tells whether a scope is a heading as a list prints it: ## main: Inbox, main:
// Inbox, overlay "Newsletter", navigation.
func IsPart(scope string) bool { return partLike.MatchString(strings.TrimSpace(scope)) }

// isWords matches a scope that may be the words of a heading, without its kind.
var isWords = regexp.MustCompile(`^[\pL\pN][^.#>=\[\]{}*|\\]*$`)

// IsHeading tells whether a scope that matches nothing may be the words of a heading.
func IsHeading(scope string) bool { return isWords.MatchString(strings.TrimSpace(scope)) }

// IsWords tells whether a scope is the words of a heading rather than the name of an element: several, or with a
// capital letter.
func IsWords(scope string) bool {
	return IsHeading(scope) && !isRef(strings.TrimSpace(scope)) && strings.ContainsFunc(strings.TrimSpace(scope), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) })
}

// underPart returns the indices of the elements that a full list prints under a heading.
// part is the heading, its name alone, or a kind, which takes all headings of that kind.
func underPart(s *snapshot, part string) map[int]bool {
	part = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "## "))
	ls := layers(s.elements)
	lines, _ := newOutline(&Listing{Elements: s.elements, Rows: s.rows}).write(0, ls[:], levels[0], math.MaxInt)
	out := map[int]bool{}
	for _, l := range lines {
		head := strings.TrimPrefix(l.under, "## ")
		kind, name, _ := strings.Cut(strings.NewReplacer(` "`, ":", ": ", ":").Replace(head), ":")
		if head == part || kind == part || name != "" && bareWords(name) == bareWords(part) {
			for i := range l.tells {
				out[l.tells[i].Index] = true
			}
		}
	}
	return out
}
