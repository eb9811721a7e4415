package safety

import (
	_ "embed"
	"strings"
)

//go:embed words/rules/lists.txt
var listFile string

// lists holds the lines of words/rules/lists.txt by section.
var lists = func() map[string][]string {
	m, section := map[string][]string{}, ""
	for line := range strings.Lines(listFile) {
		switch line = strings.TrimSpace(line); {
		case line == "" || strings.HasPrefix(line, "#"):
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			section = strings.Trim(line, "[]")
		default:
			m[section] = append(m[section], line)
		}
	}
	return m
}()

// listLines gives the lines of a section. The file is part of the program: whatever test runs first meets a section
// that isn't there.
func listLines(section string) []string {
	if lists[section] == nil {
		panic("words/rules/lists.txt has no section " + section)
	}
	return lists[section]
}

// listedWords gives the words of a section, and ruleWords gives them as a set.
func listedWords(section string) []string {
	return strings.Fields(strings.Join(listLines(section), " "))
}

func ruleWords(section string) map[string]bool { return wordSet(strings.Join(listLines(section), " ")) }

// classList gives the class of each word of a list that has a section a class. The graver class counts.
func classList(list string) map[string]Class {
	m := map[string]Class{}
	for name, class := range classNames {
		for _, w := range strings.Fields(strings.Join(lists[list+" "+name], " ")) {
			if gravity[class] > gravity[m[w]] {
				m[w] = class
			}
		}
	}
	return m
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// holdsPart reports a text in which one of several parts of words stands.
func holdsPart(text string, parts map[string]bool) bool {
	for part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
