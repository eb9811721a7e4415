package launch

import (
	"fmt"
	"os"
	"strings"
)

// merged are switches of which Chromium uses only the last one, so their values are
// joined.
var merged = []string{"--disable-features=", "--enable-features=", "--load-extension=", "--disable-blink-features=", "--enable-blink-features="}

// leftOut are the features that a launched browser goes without.
var leftOut = []string{
	"Translate", "MediaRouter", "OptimizationHints",
	// Since Chromium 156 the popups of the address bar are pages of their own, which
	// are loaded some seconds after the start. They take two seconds of processor
	// time and 150 MB, and nobody types there.
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
	// These ask Google about the forms of every page, and for the time of day, on an
	// unencrypted connection.
	"AutofillServerCommunication", "NetworkTimeServiceQuerying",
	// With it each document of a site gets a new frame with a compositor of its own,
	// and a navigation takes a tenth to a quarter more processor time.
	"RenderDocument",
}

// arguments builds Chromium's command line.
func arguments(o Options, profile string, extra []string) []string {
	args := []string{
		"--remote-debugging-port=0",
		"--user-data-dir=" + profile,
		"--no-first-run",
		"--no-default-browser-check",
		"--disable-background-networking",
		"--disable-component-update",
		"--disable-sync",
		"--disable-breakpad",
		"--disable-quic",
		"--disable-search-engine-choice-screen",
		"--disable-features=" + strings.Join(leftOut, ","),
		// Without it Chromium (not Chrome) enables features that its developers test.
		"--disable-field-trial-config",
		"--password-store=basic",
		"--use-mock-keychain",
	}
	if !o.KeepPages {
		args = append(args, "--disable-features=BackForwardCache")
	}
	if o.Headless {
		// The default is 800 by 600 with toolbars, at which many sites show their
		// mobile version.
		args = append(args, "--headless=new", "--hide-scrollbars", "--mute-audio", "--window-size=1280,900")
	}
	if os.Geteuid() == 0 || inContainer() {
		// Chromium refuses to start as root with its sandbox, and in containers
		// the sandbox can't be made and /dev/shm is small.
		args = append(args, "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
	}
	if len(o.Extensions) > 0 {
		args = append(args,
			"--load-extension="+strings.Join(o.Extensions, ","),
			"--disable-features=DisableLoadExtensionCommandLineSwitch")
	}
	args = append(args, o.Args...)
	args = append(args, extra...)
	return append(mergeSwitches(args), "about:blank")
}

func inContainer() bool {
	if os.Getenv("container") != "" {
		return true
	}
	for _, f := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(f); err == nil {
			return true
		}
	}
	return false
}

// mergeSwitches joins the values of the same switch of merged, at the place of the
// first.
func mergeSwitches(args []string) []string {
	at := map[string]int{}
	var out []string
next:
	for _, a := range args {
		for _, m := range merged {
			value, ok := strings.CutPrefix(a, m)
			if !ok {
				continue
			}
			if i, seen := at[m]; seen {
				out[i] += "," + value
			} else {
				at[m] = len(out)
				out = append(out, a)
			}
			continue next
		}
		out = append(out, a)
	}
	return out
}

// EnvArgs returns the arguments of TABWRIGHT_CHROMIUM_ARGS, for a process that has
// another process start the browser.
func EnvArgs() ([]string, error) { return splitArgs(os.Getenv(envArgs)) }

const envArgs = "TABWRIGHT_CHROMIUM_ARGS"

// splitArgs splits s as a shell does: at blanks outside single or double quotes.
// Outside single quotes a backslash takes the next character as it is.
func splitArgs(s string) ([]string, error) {
	var out []string
	var word strings.Builder
	inWord, escaped := false, false
	var quote rune
	for _, r := range s {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if inWord {
				out = append(out, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, fmt.Errorf("a quote or backslash is left open in %q", s)
	}
	if inWord {
		out = append(out, word.String())
	}
	return out, nil
}
