package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"tabwright/host/tether"
)

const (
	// grace is how long a program may take to end once it was asked to: it writes
	// what it has.
	grace = 20 * time.Second
	// outputMost bounds what is read of a program's output.
	outputMost = 4 << 20
)

// ended describes how a program ended.
type ended struct {
	err      error // of its exit
	late     bool  // its time ran out
	took     time.Duration
	out, log []byte // standard output and error, at most outputMost of each
}

// runProgram runs a program to its end, which it is asked for when ctx is cancelled or
// its time is over, and kills all that it started. Its output goes through files in
// dir: what it starts may keep a pipe open.
func runProgram(ctx context.Context, cmd *exec.Cmd, dir string, limit time.Duration) (e ended, err error) {
	tie, err := tether.New("")
	if err != nil {
		return e, err
	}
	defer tie.Close()
	outPath, logPath := filepath.Join(dir, "stdout"), filepath.Join(dir, "stderr")
	for path, to := range map[string]*io.Writer{outPath: &cmd.Stdout, logPath: &cmd.Stderr} {
		f, err := os.Create(path)
		if err != nil {
			return e, err
		}
		defer f.Close()
		*to = f
	}
	began := time.Now()
	if err := tie.Start(cmd); err != nil {
		return e, err
	}
	over := time.NewTimer(limit)
	defer over.Stop()
	select {
	case <-tie.Done():
	case <-ctx.Done():
		end(tie)
	case <-over.C:
		e.late = true
		end(tie)
	}
	e.took = time.Since(began)
	if err := tie.Close(); err != nil {
		return e, err
	}
	e.err = tie.Err()
	if e.out, err = head(outPath); err != nil {
		return e, err
	}
	e.log, err = head(logPath)
	return e, err
}

// end asks a program to end and waits for that; closing its tether kills it.
func end(tie *tether.Tether) {
	tie.Terminate()
	select {
	case <-tie.Done():
	case <-time.After(grace):
	}
}

// head reads the beginning of a file.
func head(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, outputMost))
}

// tail is the end of an output, in a line.
func tail(raw []byte) string {
	const most = 400
	return oneLine(string(raw[max(0, len(raw)-most):]), most)
}

// command is a program for runProgram.
func command(name string, args ...string) *exec.Cmd {
	return exec.Command(name, args...) //nolint:noctx // runProgram ends it
}
