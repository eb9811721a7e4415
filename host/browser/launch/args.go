package launch

import (
	"fmt"
	"os"
	"strings"
)

// merged are switches of which Chromium heeds only the last: their values are
// joined.
var merged = []string{"--disable-features=", "--enable-features=", "--load-extension=", "--disable-blink-features=", "--enable-blink-features="}

// leftOut are the features that a launched browser goes without.
var leftOut = []string{
	"Translate", "MediaRouter", "OptimizationHints",
	// The popups of the address bar are pages of their own since Chromium 156:
	// loaded some seconds after the start, they take two seconds of a processor
	// and 150 MB, and nobody types there.
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
	// Google would be asked about the forms of every page that is shown, and for
	// the time of day, on an open connection.
	"AutofillServerCommunication", "NetworkTimeServiceQuerying",
	// Each document of a site would come into a frame made anew, with a compositor
	// of its own: a navigation takes a tenth to a quarter more of a processor.
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
		// Chromium (not Chrome) otherwise runs with whatever its developers try out.
		"--disable-field-trial-config",
		"--password-store=basic",
		"--use-mock-keychain",
	}
	if !o.KeepPages {
		args = append(args, "--disable-features=BackForwardCache")
	}
	if o.Headless {
		// Without a size Chromium takes 800 by 600 with its toolbars, where many
		// sites show what they have for telephones.
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

// mergeSwitches joins the values of the switches that would shadow each other,
// in the place of the first.
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

// EnvArgs gives the arguments of TABWRIGHT_CHROMIUM_ARGS, for a process that
// has another start the browser.
func EnvArgs() ([]string, error) { return splitArgs(os.Getenv(envArgs)) }

const envArgs = "TABWRIGHT_CHROMIUM_ARGS"

// splitArgs splits as a shell does: at blanks, but not within single or double
// quotes; a backslash takes the next character as it is, outside single quotes.
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
