package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/config"
	"tabwright/host/native"
)

const (
	// logLook is how often a log that is followed is looked at.
	logLook = 300 * time.Millisecond
	// maxLogLine bounds a line that is read.
	maxLogLine = 1 << 20
)

// logsCommand prints the logs.
func logsCommand() *cobra.Command {
	var n int
	var follow bool
	cmd := &cobra.Command{
		Use: "logs [NAME]", Short: "Print the log of the broker, or of the shim, mcp or http", Args: cobra.MaximumNArgs(1),
		Long:    "Prints the last lines of a log. NAME is broker (the default), shim, mcp or http. Keys are removed from every line\nbefore it is written.",
		Example: "  tabwright logs\n  tabwright logs shim -n 20\n  tabwright logs --json",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return logNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "broker"
			if len(args) > 0 {
				name = args[0]
			}
			switch {
			case n < 1:
				return &exitError{code: exitUsage, err: errors.New("-n takes the number of lines, 1 or more")}
			case !slices.Contains(usualLogs, name) && !slices.Contains(logNames(), name):
				return &exitError{code: exitUsage, err: fmt.Errorf("there is no log %q%s", name, cmp.Or(config.Meant(name, usualLogs), "; there are: "+strings.Join(usualLogs, ", ")))}
			}
			return failedWith(printLog(cmd, filepath.Join(config.Dirs().State, name+".log"), n, follow))
		},
	}
	cmd.Flags().IntVarP(&n, "lines", "n", 100, "how many of the last lines to print")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "also print new lines as they are written, until Ctrl-C")
	return cmd
}

// usualLogs are the logs that there may be.
var usualLogs = []string{"broker", "shim", "mcp", "http"}

// logNames are the logs that there are.
func logNames() (names []string) {
	files, _ := filepath.Glob(filepath.Join(config.Dirs().State, "*.log")) // the pattern is right
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".log"))
	}
	return names
}

// printLog prints the last lines of a log, those of the file before it included.
func printLog(cmd *cobra.Command, path string, n int, follow bool) error {
	var last []string
	at := int64(0)
	for _, file := range []string{path + ".1", path} {
		lines, read, err := linesFrom(file, 0)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		at, last = read, append(last, lines...)
	}
	for _, line := range last[max(0, len(last)-n):] {
		if err := printLine(cmd, line); err != nil {
			return err
		}
	}
	for follow && native.Sleep(cmd.Context(), logLook) {
		if st, err := os.Stat(path); err == nil && st.Size() < at {
			at = 0 // another file took its place
		}
		lines, read, err := linesFrom(path, at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		at += read
		for _, line := range lines {
			if err := printLine(cmd, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// linesFrom gives the whole lines of a file from a place on, and how many bytes they take.
func linesFrom(path string, at int64) (lines []string, read int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return nil, 0, err
	}
	r := bufio.NewReaderSize(f, maxLogLine)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return lines, read, nil //nolint:nilerr // the line is not whole yet
		}
		read += int64(len(line))
		lines = append(lines, strings.TrimRight(line, "\n"))
	}
}

// printLine prints a line of a log: as it is for programs, else in words.
func printLine(cmd *cobra.Command, line string) error {
	out := cmd.OutOrStdout()
	fields := map[string]any{}
	if asJSON(cmd) || json.Unmarshal([]byte(line), &fields) != nil {
		_, err := fmt.Fprintln(out, line)
		return err
	}
	take := func(name string) string {
		v, ok := fields[name]
		delete(fields, name)
		if !ok {
			return ""
		}
		return fmt.Sprint(v)
	}
	when, level, says := take("time"), take("level"), take("message")
	if t, err := time.Parse(time.RFC3339, when); err == nil {
		when = t.Local().Format("2006-01-02 15:04:05")
	}
	delete(fields, "process")
	text := fmt.Sprintf("%s %-5s %s", when, level, says)
	for _, k := range sortedKeys(fields) {
		text += fmt.Sprintf(" %s=%v", k, fields[k])
	}
	_, err := fmt.Fprintln(out, strings.TrimRight(text, " "))
	return err
}
