package llm

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// presentFamily matches the names and architectures of current model families, with their
// future generations. Older families call tools less reliably at the same size.
var presentFamily = regexp.MustCompile(`^(?:qwen3\.[5-9]|qwen3[5-9]|qwen[4-9]|gemma-?[4-9]|gpt-?oss)`)

// SuggestedModel returns a model of a current family that fits a machine, for a user who has
// no model. memory is in bytes, 0 for unknown.
func SuggestedModel(memory int64) string {
	const gb = 1 << 30
	switch {
	case memory == 0:
		return "qwen3.5:4b"
	case memory < 6*gb:
		return "qwen3.5:2b"
	case memory < 12*gb:
		return "qwen3.5:4b"
	case memory < 40*gb:
		return "qwen3.5:9b"
	default:
		return "qwen3.6:35b" // 3B of its parameters are active for a token
	}
}

// MachineMemory returns the memory of this machine in bytes, or 0 if that is not known.
func MachineMemory() int64 { return machineMemory() }

// candidate is a model of a list, with what decides how well it fits.
type candidate struct {
	ModelInfo
	needs    footprint
	inMemory bool // it is in memory, so it fits there
	noWay    bool // no way to an action worked
}

// judge sets the candidate's Problem if it can't work, and reports whether it fits memory
// well. memory is in bytes, 0 if it is not known, as for a server elsewhere.
func (c *candidate) judge(memory int64) (comfortable bool) {
	needs := c.Size + c.needs.perToken*leastWindow
	comfortable = memory == 0 || needs <= memory/4*3
	switch {
	case c.noWay:
		c.Problem = &Error{
			Code: CodeNoWay, Message: "no way to an action worked with " + c.Name,
			Hint: "try it again with: tabwright models forget " + c.Name,
		}
	case memory > 0 && !c.inMemory && !c.Remote && needs > memory/10*9:
		c.Problem = &Error{
			Code:    CodeNoMemory,
			Message: fmt.Sprintf("%s needs about %s of memory, and this computer has %s", c.Name, gigabytes(needs), gigabytes(memory)),
			Hint:    "choose a smaller one, such as " + SuggestedModel(memory),
		}
	}
	return comfortable
}

func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(n)/1e9) }

// enough returns the class of a model's size in billions of parameters: below 2B few steps
// succeed (0), and from about 4B on the family decides more than the size (2).
func enough(b float64) int {
	switch {
	case b > 0 && b < 2:
		return 0
	case b < 3.5: // or not known
		return 1
	default:
		return 2
	}
}

// rankModels sorts models by how well they fit this machine and this use. First come those
// that can work, then local ones before remote ones, then those that fit the memory well,
// those with tools, those of enough size, and those of a current family. It marks the first
// as recommended if it can work and is local.
func rankModels(list []candidate, memory int64) []ModelInfo {
	type row struct {
		candidate
		keys [7]float64 // the greater the better, the first decides
	}
	yes := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	rows := make([]row, 0, len(list))
	for _, c := range list {
		comfortable := c.judge(memory)
		b := billions(c.Parameters, c.Name)
		present := presentFamily.MatchString(strings.ToLower(c.Name)) || presentFamily.MatchString(strings.ToLower(c.Family))
		rows = append(rows, row{c, [...]float64{
			yes(c.Problem == nil), yes(!c.Remote), yes(comfortable), yes(c.Tools), float64(enough(b)), yes(present), b,
		}})
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		for i := range a.keys {
			if n := cmp.Compare(b.keys[i], a.keys[i]); n != 0 {
				return n
			}
		}
		return cmp.Compare(a.Name, b.Name)
	})
	out := make([]ModelInfo, 0, len(rows))
	for i, r := range rows {
		r.Recommended = i == 0 && r.Problem == nil && !r.Remote
		out = append(out, r.ModelInfo)
	}
	return out
}

// Choose returns the model to use if the user named none: the recommended one, or the only
// one there is. It never chooses one that Ollama runs elsewhere. If none is chosen, the error
// says why.
func Choose(found []ModelInfo) (string, error) {
	for _, m := range found {
		if m.Recommended || len(found) == 1 && m.Problem == nil && !m.Remote {
			return m.Name, nil
		}
	}
	for _, m := range found {
		if m.Problem != nil {
			return "", m.Problem // the best of those that can't work
		}
	}
	return "", &Error{
		Code: CodeNoChoice, Message: fmt.Sprintf("the server offers %d models, and none is chosen", len(found)),
		Hint: "choose one in the panel's settings, or set model (tabwright models lists them)",
	}
}
