package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// maxSecret bounds what is read of a value that is kept.
const maxSecret = 64 << 10

// terminalOf gives the terminal that r is, if it is one.
func terminalOf(r io.Reader) (fd int, ok bool) {
	f, ok := r.(*os.File)
	if !ok {
		return 0, false
	}
	fd = int(f.Fd())
	return fd, term.IsTerminal(fd)
}

// readSecret reads a line from standard input: at a terminal after a prompt and
// without showing what is typed, from a pipe or a file as it is.
func readSecret(cmd *cobra.Command, prompt string) (string, error) {
	in := cmd.InOrStdin()
	fd, ok := terminalOf(in)
	if !ok {
		line, err := bufio.NewReader(io.LimitReader(in, maxSecret)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", &exitError{code: exitFailed, err: err}
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	before, err := term.GetState(fd)
	if err != nil {
		return "", &exitError{code: exitFailed, err: err}
	}
	fmt.Fprint(cmd.ErrOrStderr(), prompt+" (what you type is not shown): ")
	defer fmt.Fprintln(cmd.ErrOrStderr())
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() { // ends with the line, or with the process
		text, err := term.ReadPassword(fd)
		read <- line{text, err}
	}()
	select {
	case l := <-read:
		if l.err != nil && !errors.Is(l.err, io.EOF) {
			return "", &exitError{code: exitFailed, err: l.err}
		}
		return string(l.text), nil
	case <-cmd.Context().Done(): // Ctrl-C; the reader would leave the terminal mute
		_ = term.Restore(fd, before)
		return "", &exitError{code: exitCancelled, err: context.Cause(cmd.Context()), quiet: true}
	}
}

const (
	// typedLook is how long a terminal is waited for before it is seen whether the
	// question still stands.
	typedLook = 100 * time.Millisecond
	// maxLine is as long as a line of a terminal gets.
	maxLine = 4096
)

// typedLine reads a line from a terminal; ok is false at its end, and that of ctx.
func typedLine(ctx context.Context, in io.Reader, fd int) (line string, ok bool) {
	var got []byte
	b := make([]byte, maxLine)
	for ctx.Err() == nil {
		if !ready(fd, typedLook) {
			continue
		}
		n, err := in.Read(b)
		got = append(got, b[:n]...)
		if at := bytes.IndexByte(got, '\n'); at >= 0 {
			return string(got[:at]), true
		}
		if err != nil || n == 0 || len(got) > maxLine {
			return "", false
		}
	}
	return "", false
}

// dropTyped forgets the lines that were typed at a terminal and not read yet.
func dropTyped(in io.Reader, fd int) {
	b := make([]byte, maxLine)
	for ready(fd, 0) {
		if n, err := in.Read(b); n == 0 || err != nil {
			return
		}
	}
}
