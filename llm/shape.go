package llm

import "strings"

// shaper sorts a streamed text by kind, to show it to the user: thinking in tags is reasoning,
// JSON is a part of a call, the thought in that JSON is text, and the answer in it an answer. It
// holds text back that may be the beginning of a mark.
type shaper struct {
	out   func(kind, text string)
	way   Way
	buf   string
	mode  shapeMode
	fence string
	mid   bool // the line has begun
	want  AnswerParam
	json  *callReader
}

type shapeMode int

const (
	shapeProse shapeMode = iota
	shapeThink
	shapeJSON
)

const thinkOpen, thinkClose = "<think>", "</think>"

// jsonMarks begin a call. A brace begins one only at the beginning of a line.
var jsonMarks = []string{"```", "~~~", "<tool_call", "<function", "<|", "<｜", "[TOOL_CALL"}

func (s *shaper) feed(text string) {
	s.buf += text
	for s.step() {
	}
}

// end emits what was held back.
func (s *shaper) end() {
	rest := s.buf
	s.buf = ""
	switch s.mode {
	case shapeThink:
		s.emit(DeltaReasoning, rest)
	case shapeJSON:
		s.call(rest)
	case shapeProse:
		s.prose(rest)
	}
}

func (s *shaper) emit(kind, text string) {
	if text != "" {
		s.out(kind, text)
	}
}

func (s *shaper) prose(text string) {
	if text == "" {
		return
	}
	last := text[strings.LastIndexByte(text, '\n')+1:]
	s.mid = strings.TrimSpace(last) != "" || s.mid && !strings.Contains(text, "\n")
	s.emit(DeltaText, text)
}

func (s *shaper) call(text string) {
	s.emit(DeltaCall, text)
	thought, answer := s.json.feed(text)
	s.emit(DeltaText, thought)
	s.emit(DeltaAnswer, answer)
}

// step handles the next part of the text. It returns false if it needs more text.
func (s *shaper) step() bool {
	switch s.mode {
	case shapeThink:
		return s.until(thinkClose, func(t string) { s.emit(DeltaReasoning, t) })
	case shapeJSON:
		if s.fence == "" {
			s.call(s.buf)
			s.buf = ""
			return false
		}
		return s.until("\n"+s.fence, s.call)
	case shapeProse:
	}
	return s.proseStep()
}

// until emits the text up to mark and goes back to prose after it.
func (s *shaper) until(mark string, give func(string)) bool {
	if i := strings.Index(s.buf, mark); i >= 0 {
		give(s.buf[:i])
		s.buf = s.buf[i+len(mark):]
		s.mode, s.mid, s.fence = shapeProse, false, ""
		return true
	}
	keep := partial(s.buf, mark)
	give(s.buf[:len(s.buf)-keep])
	s.buf = s.buf[len(s.buf)-keep:]
	return false
}

func (s *shaper) proseStep() bool {
	at, mark := s.firstMark()
	if at >= 0 {
		s.prose(s.buf[:at])
		s.buf = s.buf[at:]
		switch mark {
		case thinkOpen:
			s.mode = shapeThink
			s.buf = s.buf[len(mark):]
		case "```", "~~~":
			s.mode, s.fence, s.json = shapeJSON, mark, &callReader{want: s.want}
			s.buf = s.buf[len(mark):]
		default:
			s.mode, s.json = shapeJSON, &callReader{want: s.want}
		}
		return true
	}
	keep := partial(s.buf, thinkOpen)
	if s.way != WayNative {
		for _, m := range jsonMarks {
			keep = max(keep, partial(s.buf, m))
		}
	}
	s.prose(s.buf[:len(s.buf)-keep])
	s.buf = s.buf[len(s.buf)-keep:]
	return false
}

// firstMark returns the position of the first mark in the text, and the mark. In the native way
// it looks only for thinking: JSON in an answer is a part of the answer.
func (s *shaper) firstMark() (int, string) {
	best, mark := strings.Index(s.buf, thinkOpen), thinkOpen
	if s.way == WayNative {
		return best, mark
	}
	for _, m := range jsonMarks {
		if i := strings.Index(s.buf, m); i >= 0 && (best < 0 || i < best) {
			best, mark = i, m
		}
	}
	mid := s.mid
	for i, r := range s.buf {
		if best >= 0 && i >= best {
			break
		}
		switch {
		case r == '\n':
			mid = false
		case r == '{' && !mid:
			return i, "{"
		case r != ' ' && r != '\t' && r != '[':
			mid = true
		}
	}
	return best, mark
}

// partial returns the length of the longest end of s that is a beginning of mark.
func partial(s, mark string) int {
	for n := min(len(mark)-1, len(s)); n > 0; n-- {
		if strings.HasSuffix(s, mark[:n]) {
			return n
		}
	}
	return 0
}

// shapedText returns the text that the user saw of a reply: prose and thought.
func shapedText(text string, way Way) string {
	var b strings.Builder
	s := &shaper{way: way, out: func(kind, piece string) {
		if kind == DeltaText {
			b.WriteString(piece)
		}
	}}
	s.feed(text)
	s.end()
	return strings.TrimSpace(b.String())
}
