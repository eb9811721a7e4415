package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"tabwright/host/config"
)

// asJSON tells whether a program reads the output.
func asJSON(cmd *cobra.Command) bool {
	on, err := cmd.Flags().GetBool("json")
	return err == nil && on
}

// printed prints what a command gives: v as JSON where that was asked for, else as text
// writes it.
func printed(cmd *cobra.Command, v any, text func(w io.Writer) error) error {
	if !asJSON(cmd) {
		return text(cmd.OutOrStdout())
	}
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// plainOutput is true where output is not to be written over or coloured
// (no-color.org).
func plainOutput() bool { return os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" }

// duration is a flag in the one form that lengths of time have.
type duration time.Duration

func (d *duration) String() string { return config.FormatDuration(time.Duration(*d)) }
func (d *duration) Type() string   { return "duration" }

func (d *duration) Set(s string) error {
	v, err := config.ParseDuration(s)
	*d = duration(v)
	return err
}

// durationVar declares a flag that is a length of time.
func durationVar(fl *pflag.FlagSet, to *time.Duration, name string, usual time.Duration, usage string) {
	*to = usual
	fl.Var((*duration)(to), name, usage)
}

// longTime is how long a command may be silent at a terminal.
const longTime = 3 * time.Second

// sayProgress shows at a terminal that an action goes on, once it takes long, until over
// is called.
func sayProgress(cmd *cobra.Command) (over func()) {
	out, ok := cmd.ErrOrStderr().(*os.File)
	if !ok || !term.IsTerminal(int(out.Fd())) || plainOutput() || asJSON(cmd) {
		return func() {}
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		began, tick := time.Now(), time.NewTicker(time.Second)
		defer tick.Stop()
		for said := false; ; {
			select {
			case <-stop:
				if said {
					fmt.Fprint(out, "\r\x1b[K")
				}
				return
			case <-tick.C:
			}
			if took := time.Since(began); took >= longTime {
				fmt.Fprintf(out, "\r\x1b[K… %s", took.Round(time.Second))
				said = true
			}
		}
	}()
	return func() { close(stop); <-done }
}
