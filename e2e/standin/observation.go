package standin

import (
	"regexp"
	"strings"

	"tabwright/host/recall"
)

// Line is one element of an observation: button "Add to cart" disabled [12].
type Line = recall.Line

// Observation is what a page looked like to the model.
type Observation struct {
	URL, Title string
	Lines      []Line
	Text       string // the whole text of it
}

var pageFence = regexp.MustCompile(`(?s)<<<page (\S+)\n(.*?)\n(\S+) page>>>`)

// Observe reads the newest observation of a conversation: the page of the
// last user or tool message that holds one.
func Observe(conv Conversation) Observation {
	for i := len(conv.Messages) - 1; i >= 0; i-- {
		m := conv.Messages[i]
		if m.Role != "user" && m.Role != "tool" {
			continue
		}
		if o := ParseObservation(m.Text); o.URL != "" || len(o.Lines) > 0 {
			return o
		}
	}
	return Observation{}
}

// ParseObservation reads the lines of an observation. Where the text marks
// the page off (<<<page … page>>>), only the last such part counts.
func ParseObservation(text string) Observation {
	if all := pageFence.FindAllStringSubmatch(text, -1); len(all) > 0 {
		text = all[len(all)-1][2]
	}
	o := Observation{Text: text, Lines: recall.Parse(text)}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if v, ok := strings.CutPrefix(line, "URL: "); ok && o.URL == "" {
			o.URL = v
		} else if v, ok := strings.CutPrefix(line, "Title: "); ok && o.Title == "" {
			o.Title = v
		}
	}
	return o
}

// Find gives the first line of a role (any if empty) whose name contains all
// words, whatever their case.
func (o Observation) Find(role string, words ...string) (Line, bool) {
	all := o.FindAll(role, words...)
	if len(all) == 0 {
		return Line{}, false
	}
	return all[0], true
}

// FindAll gives all such lines.
func (o Observation) FindAll(role string, words ...string) []Line {
	var out []Line
	for _, l := range o.Lines {
		if role != "" && l.Role != role {
			continue
		}
		name, all := strings.ToLower(l.Name), true
		for _, w := range words {
			all = all && strings.Contains(name, strings.ToLower(w))
		}
		if all {
			out = append(out, l)
		}
	}
	return out
}
