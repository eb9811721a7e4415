package pdf

import (
	"encoding/hex"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/ledongthuc/pdf"
)

// font maps the codes of a font to text and widths.
type font struct {
	words  map[string]string // by code, from ToUnicode
	bytes  []int             // how long codes are, by ToUnicode
	simple *[256]string      // of a font whose codes are single bytes
	widths func(code int) float64
}

const (
	mostCodes = 70_000 // of one font
	mostCMap  = 4 << 20
)

func newFont(v pdf.Value) *font {
	f := &font{words: map[string]string{}}
	if m := v.Key("ToUnicode"); m.Kind() == pdf.Stream {
		f.readCodes(m)
	}
	if v.Key("Subtype").Name() != "Type0" {
		own := pdf.Font{V: v}
		f.simple = &[256]string{}
		for c, enc := 0, own.Encoder(); c < 256; c++ {
			f.simple[c] = enc.Decode(string([]byte{byte(c)}))
		}
		unit := 1000.0
		if m := v.Key("FontMatrix"); v.Key("Subtype").Name() == "Type3" && m.Len() == 6 && m.Index(0).Float64() > 0 {
			unit = 1 / m.Index(0).Float64()
		}
		first, widths := own.FirstChar(), own.Widths()
		missing := v.Key("FontDescriptor").Key("MissingWidth").Float64()
		f.widths = func(code int) float64 {
			if i := code - first; i >= 0 && i < len(widths) && widths[i] > 0 {
				return widths[i] / unit
			}
			if missing > 0 {
				return missing / unit
			}
			return guessed
		}
		return f
	}
	own := v.Key("DescendantFonts").Index(0)
	usual := 1.0
	if d := own.Key("DW"); !d.IsNull() {
		usual = d.Float64() / 1000
	}
	wide := cidWidths(own.Key("W"))
	f.widths = func(code int) float64 {
		if w, ok := wide[code]; ok {
			return w
		}
		return usual
	}
	return f
}

// cidWidths reads the two forms of a W array: first [w w …] and first last w.
func cidWidths(w pdf.Value) map[int]float64 {
	out := map[int]float64{}
	for i := 0; i+1 < w.Len() && len(out) < mostCodes; {
		first := int(w.Index(i).Int64())
		if list := w.Index(i + 1); list.Kind() == pdf.Array {
			for j := 0; j < list.Len() && j < mostCodes; j++ {
				out[first+j] = list.Index(j).Float64() / 1000
			}
			i += 2
			continue
		}
		last := min(int(w.Index(i+1).Int64()), first+mostCodes)
		for c := first; c <= last; c++ {
			out[c] = w.Index(i+2).Float64() / 1000
		}
		i += 3
	}
	return out
}

// readCodes reads a ToUnicode stream. It understands only the strings in angle brackets
// and the words that end a list of them.
func (f *font) readCodes(stream pdf.Value) {
	r := stream.Reader()
	defer func() { _ = r.Close() }()
	b, err := io.ReadAll(io.LimitReader(r, mostCMap))
	if err != nil && len(b) == 0 {
		return
	}
	var args []any // a string, or the strings of an array
	var list []string
	lengths, within := map[int]bool{}, false
	for _, m := range cmapWord.FindAllString(string(b), -1) {
		switch m[0] {
		case '<':
			code, err := hex.DecodeString(evened(strings.Join(strings.Fields(m[1:len(m)-1]), "")))
			switch {
			case err != nil:
			case within:
				list = append(list, string(code))
			default:
				args = append(args, string(code))
			}
		case '[':
			list, within = nil, true
		case ']':
			args, within = append(args, list), false
		default:
			switch m {
			case "endcodespacerange":
				for _, a := range args {
					if s, ok := a.(string); ok {
						lengths[len(s)] = true
					}
				}
			case "endbfchar":
				for i := 0; i+1 < len(args) && len(f.words) < mostCodes; i += 2 {
					code, ok := args[i].(string)
					text, ok2 := args[i+1].(string)
					if ok && ok2 {
						f.words[code] = utf16Text(text)
					}
				}
			case "endbfrange":
				for i := 0; i+2 < len(args); i += 3 {
					low, ok := args[i].(string)
					if high, ok2 := args[i+1].(string); ok && ok2 {
						f.readRange(low, high, args[i+2])
					}
				}
			}
			args = nil
		}
	}
	for l := 1; l <= 4; l++ {
		if lengths[l] {
			f.bytes = append(f.bytes, l)
		}
	}
}

var cmapWord = regexp.MustCompile(`<[0-9A-Fa-f\s]*>|[\[\]]|\b(?:begin|end)(?:codespacerange|bfchar|bfrange)\b`)

func evened(digits string) string {
	if len(digits)%2 == 1 {
		return digits + "0"
	}
	return digits
}

func (f *font) readRange(low, high string, to any) {
	if len(low) == 0 || len(low) != len(high) || len(low) > 4 {
		return
	}
	base, list := []uint16(nil), []string(nil)
	switch to := to.(type) {
	case string:
		if base = units(to); len(base) == 0 {
			return
		}
	case []string:
		list = to
	}
	from, last := number(low), number(high)
	for c := from; c <= last && len(f.words) < mostCodes; c++ {
		code := make([]byte, len(low))
		for i, v := len(low)-1, c; i >= 0; i, v = i-1, v>>8 {
			code[i] = byte(v)
		}
		if base != nil {
			text := slices.Clone(base)
			text[len(text)-1] += uint16(c - from)
			f.words[string(code)] = string(utf16.Decode(text))
		} else if c-from < len(list) {
			f.words[string(code)] = utf16Text(list[c-from])
		}
	}
}

func number(code string) (n int) {
	for i := range len(code) {
		n = n<<8 | int(code[i])
	}
	return n
}

func units(s string) []uint16 {
	var out []uint16
	for i := 0; i+1 < len(s); i += 2 {
		out = append(out, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return out
}

func utf16Text(s string) string { return string(utf16.Decode(units(s))) }

// next reads the first code of a string, and returns its text, code and length.
func (f *font) next(s string) (text string, code, length int) {
	if f.simple != nil {
		if t, ok := f.words[s[:1]]; ok {
			return t, int(s[0]), 1
		}
		return f.simple[s[0]], int(s[0]), 1
	}
	for _, l := range f.bytes {
		if l <= len(s) {
			if t, ok := f.words[s[:l]]; ok {
				return t, number(s[:l]), l
			}
		}
	}
	l := min(2, len(s))
	return f.words[s[:l]], number(s[:l]), l
}
