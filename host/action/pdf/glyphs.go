package pdf

import (
	"math"

	"github.com/ledongthuc/pdf"
)

const (
	mostGlyphs = 200_000 // of one page
	mostOps    = 5_000_000
	mostForms  = 12 // within one another
)

// glyph is painted text, with the start of its baseline, its width, and the size of its
// font, all in units of the page.
type glyph struct {
	text           string
	x, y, wide, em float64
}

// matrix is a PDF transformation matrix: x' = ax+cy+e, y' = bx+dy+f.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times applies m first, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3], m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func shift(x, y float64) matrix { return matrix{1, 0, 0, 1, x, y} }

// painter runs what paints a page, for its text alone.
type painter struct {
	out   []glyph
	fonts map[string]*font // by the text of their objects
	ops   int
}

// state is the part of the graphics state that concerns text.
type state struct {
	ctm                                matrix
	font                               *font
	size, space, wordSpace, lead, rise float64
	stretch                            float64
}

type tooMuch struct{}

// paint runs a content stream.
func (p *painter) paint(content, resources pdf.Value, ctm matrix, depth int) {
	s := state{ctm: ctm, stretch: 1}
	var kept []state
	tm, line := identity, identity
	pdf.Interpret(content, func(stack *pdf.Stack, op string) {
		n := stack.Len()
		args := make([]pdf.Value, n)
		for i := n - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		if p.ops++; p.ops > mostOps || len(p.out) > mostGlyphs {
			panic(tooMuch{})
		}
		arg := func(i int) float64 {
			if i < n {
				return args[i].Float64()
			}
			return 0
		}
		newline := func(x, y float64) { line = shift(x, y).times(line); tm = line }
		show := func(v pdf.Value) { tm = p.show(s, tm, v.RawString()) }
		switch op {
		case "q":
			if len(kept) < 200 {
				kept = append(kept, s)
			}
		case "Q":
			if len(kept) > 0 {
				s, kept = kept[len(kept)-1], kept[:len(kept)-1]
			}
		case "cm":
			s.ctm = matrix{arg(0), arg(1), arg(2), arg(3), arg(4), arg(5)}.times(s.ctm)
		case "BT":
			tm, line = identity, identity
		case "Tf":
			if n == 2 {
				s.font, s.size = p.font(resources, args[0].Name()), arg(1)
			}
		case "Tc":
			s.space = arg(0)
		case "Tw":
			s.wordSpace = arg(0)
		case "Tz":
			s.stretch = arg(0) / 100
		case "TL":
			s.lead = arg(0)
		case "Ts":
			s.rise = arg(0)
		case "Td":
			newline(arg(0), arg(1))
		case "TD":
			s.lead = -arg(1)
			newline(arg(0), arg(1))
		case "Tm":
			line = matrix{arg(0), arg(1), arg(2), arg(3), arg(4), arg(5)}
			tm = line
		case "T*":
			newline(0, -s.lead)
		case "'", `"`:
			if op == `"` && n == 3 {
				s.wordSpace, s.space = arg(0), arg(1)
			}
			newline(0, -s.lead)
			if n > 0 {
				show(args[n-1])
			}
		case "Tj":
			if n > 0 {
				show(args[0])
			}
		case "TJ":
			if n == 0 {
				return
			}
			for i := range args[0].Len() {
				if v := args[0].Index(i); v.Kind() == pdf.String {
					show(v)
				} else {
					tm = shift(-v.Float64()/1000*s.size*s.stretch, 0).times(tm)
				}
			}
		case "Do":
			if n == 0 || depth >= mostForms {
				return
			}
			form := resources.Key("XObject").Key(args[0].Name())
			if form.Key("Subtype").Name() != "Form" {
				return
			}
			within, at := form.Key("Resources"), s.ctm
			if within.IsNull() {
				within = resources
			}
			if m := form.Key("Matrix"); m.Len() == 6 {
				own := matrix{}
				for i := range own {
					own[i] = m.Index(i).Float64()
				}
				at = own.times(at)
			}
			p.paint(form, within, at, depth+1)
		}
	})
}

func (p *painter) font(resources pdf.Value, name string) *font {
	v := resources.Key("Font").Key(name)
	key := v.String()
	if p.fonts[key] == nil {
		p.fonts[key] = newFont(v)
	}
	return p.fonts[key]
}

// show paints a string, and returns the text matrix for what follows.
func (p *painter) show(s state, tm matrix, codes string) matrix {
	if s.font == nil {
		return tm
	}
	for codes != "" {
		text, code, length := s.font.next(codes)
		codes = codes[length:]
		at := matrix{s.size * s.stretch, 0, 0, s.size, 0, s.rise}.times(tm).times(s.ctm)
		wide := s.font.widths(code)
		p.out = append(p.out, glyph{text: text, x: at[4], y: at[5], wide: wide * math.Hypot(at[0], at[1]), em: math.Hypot(at[2], at[3])})
		forward := wide*s.size + s.space
		if length == 1 && code == ' ' {
			forward += s.wordSpace
		}
		tm = shift(forward*s.stretch, 0).times(tm)
		if len(p.out) > mostGlyphs {
			panic(tooMuch{})
		}
	}
	return tm
}
