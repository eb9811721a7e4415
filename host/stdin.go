package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

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
	fmt.Fprint(cmd.ErrOrStderr(), prompt+" (what you type does not show): ")
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
