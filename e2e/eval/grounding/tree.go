package grounding

import (
	"regexp"
	"strings"
)

var (
	treeLine = regexp.MustCompile(`^( *)([a-z][\w-]*)( "(?:[^"\\]|\\.)*")?(.*?)( → \S+)?(?: \[(\d+)\])?$`)
	treeWord = regexp.MustCompile(` (?:(value)=("(?:[^"\\]|\\.)*")|\w+="(?:[^"\\]|\\.)*"|([\w-]+(?:=\w+)?))`)
)

// asTree writes the product's tree as Playwright MCP and agent-browser write theirs:
// - checkbox "Select" [checked] [ref=e3].
func asTree(tree string) string {
	lines := strings.Split(tree, "\n")
	for i, line := range lines {
		m := treeLine.FindStringSubmatch(line)
		if m == nil || m[2] == "text" {
			pad := len(line) - len(strings.TrimLeft(line, " "))
			lines[i] = line[:pad] + "- " + line[pad:]
			continue
		}
		out, value := m[1]+"- "+m[2]+m[3], ""
		for _, w := range treeWord.FindAllStringSubmatch(m[4], -1) {
			if w[1] != "" {
				value = ": " + w[2]
			} else if w[3] != "" {
				out += " [" + w[3] + "]"
			}
		}
		if m[6] != "" {
			out += " [ref=e" + m[6] + "]"
		}
		lines[i] = out + value + m[5]
	}
	return strings.Join(lines, "\n")
}
