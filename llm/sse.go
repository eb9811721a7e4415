package llm

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// sseEvent is one server-sent event.
type sseEvent struct {
	name string
	data []byte
}

// sseReader reads server-sent events as the standard says: any line end,
// comments, several data lines joined by a newline, no space needed after the
// colon.
type sseReader struct {
	r *bufio.Reader
}

func newSSEReader(r io.Reader) *sseReader { return &sseReader{r: bufio.NewReaderSize(r, 32<<10)} }

// next returns the next event that has data, and io.EOF at the end.
func (s *sseReader) next() (sseEvent, error) {
	var ev sseEvent
	has := false
	for {
		line, err := readLine(s.r)
		if err != nil {
			// Several servers end without a blank line after the last event.
			if err == io.EOF && has { //nolint:errorlint // readLine gives the bare EOF
				return ev, nil
			}
			return sseEvent{}, err
		}
		if len(line) == 0 {
			if has {
				return ev, nil
			}
			ev = sseEvent{}
			continue
		}
		if line[0] == ':' {
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			ev.name = string(value)
		case "data":
			if has {
				ev.data = append(ev.data, '\n')
			}
			ev.data = append(ev.data, value...)
			has = true
		}
	}
}

// readLine reads a line of up to maxLine bytes, without its end. A last line
// without an end counts, since servers differ; if it was cut, it can't be
// parsed.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		chunk, err := r.ReadSlice('\n')
		line = append(line, chunk...)
		if len(line) > maxLine {
			return nil, fmt.Errorf("a line is over %d bytes", maxLine)
		}
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case err == bufio.ErrBufferFull: //nolint:errorlint // ReadSlice gives it bare
			continue
		case err == io.EOF && len(line) > 0:
			return bytes.TrimRight(line, "\r\n"), nil
		default:
			return nil, err
		}
	}
}

// pieces cuts s into pieces of at most n bytes, at the boundaries of
// characters, so that each line for langchaingo stays far below its limit of 64
// KB.
func pieces(s string, n int) []string {
	var out []string
	for len(s) > n {
		cut := n
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		if cut == 0 {
			cut = n
		}
		out = append(out, s[:cut])
		s = s[cut:]
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}

// pieceSize is in bytes before JSON escaping, which may need six times as many.
const pieceSize = 8 << 10
