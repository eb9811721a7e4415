package safety

import (
	"encoding/json"
	"strings"
)

// A GraphQL request names its operation: a query reads, a mutation is judged by the
// fields that it asks for. A request with only a hash is judged by the operation's
// name.

// graphqlOp is one operation of a request.
type graphqlOp struct {
	Name     string `json:"operationName"`
	Document string `json:"query"`
}

// graphql judges the operations of a body, one or a batch. A body that does not parse,
// as one that was cut off, is judged by its keys like any other.
func (b *bodyReader) graphql(text string) {
	var ops []graphqlOp
	if text[0] == '{' {
		var op graphqlOp
		if json.Unmarshal([]byte(text), &op) != nil {
			return
		}
		ops = []graphqlOp{op}
	} else if json.Unmarshal([]byte(text), &ops) != nil {
		return
	}
	b.opsRead = true
	for _, op := range ops {
		b.document(op.Document, op.Name)
	}
}

// document judges the mutations of a document. name is the operation's name, used
// where text is empty.
func (b *bodyReader) document(text, name string) {
	if strings.TrimSpace(text) == "" {
		b.mutation(name)
		return
	}
	fields := mutations(text)
	for _, field := range fields {
		b.updates = true
		b.mutation(field)
	}
	if head := strings.TrimSpace(text); len(fields) == 0 && (head[0] == '{' || strings.HasPrefix(head, "query")) {
		b.queries, b.looks = true, true
	}
}

// mutation judges the name of a mutation by its verb, or by the noun that it makes.
func (b *bodyReader) mutation(name string) {
	if name != "" {
		b.operation("mutation", name)
	}
}

// maxMutations bounds the fields that are read of a document.
const maxMutations = 64

// mutations gives the names of a document's mutations and of the fields that
// they ask for.
func mutations(text string) []string {
	var out []string
	depth, paren := 0, 0
	mutation, named := false, false
	space := "" // a field without arguments, which may only hold the mutations of one thing: pages { delete(id: 4) }
	for i := 0; i < len(text) && len(out) < maxMutations; {
		c := text[i]
		switch {
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '"':
			i = stringEnd(text, i)
		case c == '(':
			paren++
			i++
		case c == ')':
			paren--
			i++
		case paren > 0:
			i++
		case c == '{':
			depth++
			i++
		case c == '}':
			depth--
			if depth == 0 {
				mutation, named = false, false
			}
			i++
		case isNameByte(c):
			from := i
			for i < len(text) && isNameByte(text[i]) {
				i++
			}
			word := text[from:i]
			switch {
			case depth == 0 && !mutation:
				mutation = word == "mutation"
			case depth == 0 && !named, depth == 1 && mutation && !isAlias(text[i:]):
				named = true
				out = append(out, word)
				space = ""
				if depth == 1 && !hasArguments(text[i:]) {
					space = word
				}
			case depth == 2 && mutation && space != "" && hasArguments(text[i:]):
				out = append(out, space+"_"+word)
			}
		default:
			i++
		}
	}
	return out
}

// isAlias reports that the name before rest is an alias of a field.
func isAlias(rest string) bool { return strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":") }

// hasArguments reports that the field before rest has arguments.
func hasArguments(rest string) bool { return strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), "(") }

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// stringEnd gives the index after the string that begins at i.
func stringEnd(text string, i int) int {
	if strings.HasPrefix(text[i:], `"""`) {
		if end := strings.Index(text[i+3:], `"""`); end >= 0 {
			return i + 3 + end + 3
		}
		return len(text)
	}
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(text)
}
