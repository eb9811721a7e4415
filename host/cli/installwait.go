package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"tabwright/host/browser/launch"
	"tabwright/host/config"
	"tabwright/host/serve"
	"tabwright/install"
)

// terminalWait is how long install waits where nothing else is said: for a user who
// reads the steps and does them.
const terminalWait = 5 * time.Minute

// installWait is how install goes on after it has written everything.
type installWait struct {
	wait time.Duration
	no   bool
}

func (w *installWait) flags(fl *pflag.FlagSet) {
	durationVar(fl, &w.wait, "wait", 0, "how long to wait for the extension (default: 5m at a terminal with a display, else no wait)")
	fl.Lookup("wait").DefValue = "" // which the text says
	fl.BoolVar(&w.no, "no-wait", false, "register, say what remains to do, and end")
}

// installed is what --json prints.
type installed struct {
	install.Report
	Opened    *install.Page     `json:"opened,omitempty"`
	Connected *connectedBrowser `json:"connected,omitempty"`
	Next      []string          `json:"next,omitempty"`
}

type connectedBrowser struct {
	Browser   string `json:"browser"`
	Profile   string `json:"profile"`
	Extension string `json:"extension"`
}

// finish opens the page with the steps, waits until the extension is connected, and
// says what to do next.
func (w *installWait) finish(cmd *cobra.Command, o install.Options, report install.Report) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	done := installed{Report: report}
	say := func(format string, args ...any) {
		if !asJSON(cmd) {
			fmt.Fprintf(out, format, args...)
		}
	}
	say("%s", report.Text())
	tty := isTerminal(cmd.InOrStdin()) && isTerminal(out)
	wait := w.wait
	switch {
	case w.no:
		wait = 0
	case wait == 0 && tty && serve.HasDisplay():
		wait = terminalWait
	case wait == 0 && tty:
		say("\nThere is no display here: do this where the browser runs, then run: tabwright doctor\n")
	}
	var err error
	if wait > 0 {
		err = connect(ctx, o, wait, tty && !plainOutput() && !asJSON(cmd), &done, say)
	}
	if e := printed(cmd, done, func(io.Writer) error { return nil }); e != nil {
		return e
	}
	if err != nil {
		return &exitError{code: exitFailed, err: err, quiet: asJSON(cmd)}
	}
	return nil
}

// connect waits for the extension, with the page open where it is needed.
func connect(ctx context.Context, o install.Options, wait time.Duration, tty bool, done *installed, say func(string, ...any)) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	began, asked := time.Now(), false
	relay, err := serve.AwaitExtension(ctx, o, "", func() {
		if !asked { // none is connected
			asked = true
			done.Opened = openPage(o, say)
			say("\nWaiting for the extension, %s at most. Ctrl+C ends the wait; everything is registered.\n", wait)
		}
		if tty {
			say("\r%s … ", time.Since(began).Round(time.Second))
		}
	})
	if tty {
		say("\r")
	}
	if err != nil {
		return errors.New("no browser with the extension has connected; when it is loaded, run: tabwright doctor")
	}
	done.Connected = &connectedBrowser{strings.TrimSpace(relay.Browser), relay.Profile, relay.ExtensionVersion}
	done.Next = next(ctx, o, relay, done.Version)
	say("\nConnected: %s, extension %s.\n", done.Connected.Browser, relay.ExtensionVersion)
	for _, line := range done.Next {
		say("  %s\n", line)
	}
	return nil
}

// openPage opens the page with the steps where there is a display; nil where it
// could not be.
func openPage(o install.Options, say func(string, ...any)) *install.Page {
	if !serve.HasDisplay() {
		return nil
	}
	settings, _ := config.Load(serve.Overrides) // what is wrong there doctor says
	chromium := settings.Browser
	if chromium == "" {
		chromium, _ = launch.Find()
	}
	args, _ := launch.EnvArgs()
	page, err := install.PageFor(o, cmp.Or(settings.Lang, langOf(os.Getenv("LANG"))), chromium, args)
	if err == nil && page != nil {
		err = serve.StartAway(exec.Command(page.Command[0], page.Command[1:]...)) //nolint:gosec // the user's browser
	}
	switch {
	case err != nil:
		say("\nThe page with these steps could not be opened: %v\n", err)
		return nil
	case page == nil:
		say("\nStart the browser, if it does not run.\n")
	case o.StoreID != "":
		say("\nOpened the extension's page in %s.\n", page.Browser)
	default:
		say("\nOpened these steps in %s. No program can open chrome://extensions: paste it into the address bar.\n", page.Browser)
	}
	return page
}

func langOf(locale string) string {
	if strings.HasPrefix(locale, "zh") {
		return "zh"
	}
	return "en"
}

// next is what to do once the extension is connected.
func next(ctx context.Context, o install.Options, relay install.Relay, version string) (lines []string) {
	if relay.ExtensionVersion != version {
		what := "tabwright doctor --fix reloads it"
		if relay.ExtensionID != o.ExtensionID { // only Chrome updates that of the Web Store
			what = "tabwright doctor says how to update"
		}
		lines = append(lines, "The extension there has version "+relay.ExtensionVersion+", and this is "+version+": "+what)
	}
	if c, ok := install.ModelCheck(ctx, o); ok && !c.OK {
		lines = append(lines, "A model is missing yet: "+c.Detail+". What to do: "+c.Advice())
	}
	return append(lines, "Next: click Tabwright's icon (behind the puzzle piece of the toolbar), or press Ctrl+Shift+Y, and type a task.")
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
