package config

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/llm"
	"tabwright/llm/pointer"
)

//go:generate go test -run TestSettingsPage . -update

// Setting is one row of the table: a name, what it means, and how a word sets
// it.
type Setting struct {
	Name string // in the file and for flags: base_url, budgets.steps
	Doc  string
	// Choices are the only values it takes, where there are such; an empty one
	// among them leaves the matter open.
	Choices []string
	list    bool
	// shown writes a value for people where it may hold secrets.
	shown func(v string) string
	set   func(c *Config, v string) error
	get   func(c Config) string
	// fresh is what only a change must fulfil: what a file says was so when it
	// was written, and may not be any more.
	fresh func(was, now Config) error
}

// Env is the environment variable of the setting.
func (s Setting) Env() string {
	return "TABWRIGHT_" + strings.ToUpper(strings.ReplaceAll(s.Name, ".", "_"))
}

// Get is the setting's value in c, written as it would be set.
func (s Setting) Get(c Config) string { return s.get(c) }

// Settings lists every setting, in the order to show them.
func Settings() []Setting { return slices.Clone(settings) }

var settings = append(modelSettings(func(c *Config) *Model { return &c.Model }),
	word("lang", "language of the answers, en or zh. If empty, the language of the task applies", func(c *Config) *string { return &c.Lang }, "", "en", "zh"),
	number("budgets.steps", "largest number of actions in one task, 60 if empty", 1, 10_000, func(c *Config) *int { return &c.Budgets.Steps }),
	number("budgets.tokens", "largest number of tokens that the model reads and writes in one task, 2000000 if empty", 1000, 1_000_000_000, func(c *Config) *int { return &c.Budgets.Tokens }),
	amount("budgets.money", "largest cost of one task, in the currency of the prices. If empty, there is no limit", 0, 1_000_000, func(c *Config) *float64 { return &c.Budgets.Money }),
	amount("budgets.minutes", "longest time of one task in minutes, including the time in which it waits for you, 60 if empty", 0.1, 24*60, func(c *Config) *float64 { return &c.Budgets.Minutes }),
	Setting{
		Name: "upload_dirs", Doc: "folders from which the agent may upload files. If empty, every folder is allowed, except with --confirm allow, where none is allowed", list: true,
		set: func(c *Config, v string) error {
			dirs := []string{}
			for _, d := range filepath.SplitList(v) {
				abs, err := folder(d)
				if err != nil {
					return err
				}
				dirs = append(dirs, abs)
			}
			c.UploadDirs = dirs
			return nil
		},
		get:   func(c Config) string { return strings.Join(c.UploadDirs, string(filepath.ListSeparator)) },
		fresh: foldersThere,
	},
	Setting{
		Name: "search", Doc: "search engine of the agent: duckduckgo, google, bing, baidu, or an address that contains {query}",
		set: func(c *Config, v string) error {
			if _, err := searchURL(v); err != nil {
				return err
			}
			c.Search = v
			return nil
		},
		get: func(c Config) string { return c.Search },
	},
	word("history", "whether Tabwright keeps ended tasks. With none, it removes a task from disk after you have seen its end, and an interrupted task after a day", func(c *Config) *string { return &c.History }, "keep", "none"),
	word("validator", "whether Tabwright checks the result of a task. With on, it compares the result with the recorded steps and asks the model whether the task is done. With auto, it does not ask a small local model", func(c *Config) *string { return &c.Validator }, "auto", "on", "off"),
	word("critic", "whether the model checks that each action fits the task. With auto, only strong cloud models do this check", func(c *Config) *string { return &c.Critic }, "auto", "on", "off"),
	text("browser", "path of the Chromium that the flag --launch starts", func(c *Config) *string { return &c.Browser }),
	word("log_level", "the least important kind of message that Tabwright writes to its logs", func(c *Config) *string { return &c.LogLevel }, "trace", "debug", "info", "warn", "error"),
)

// perProvider are the settings that may stand under providers.<name>.
var perProvider = modelSettings(func(c *Config) *Model { return &c.Model })[1:]

func modelSettings(m func(*Config) *Model) []Setting {
	return []Setting{
		word("provider", "the service or program that runs the model", func(c *Config) *string { return &m(c).Provider }, llm.Providers()...),
		text("model", "name of the model", func(c *Config) *string { return &m(c).Model }),
		{
			Name: "base_url", Doc: "address of the model server",
			set: func(c *Config, v string) error {
				if err := serverAddress(v); err != nil {
					return err
				}
				m(c).BaseURL = v
				return nil
			},
			get:   func(c Config) string { return m(&c).BaseURL },
			shown: BareAddress,
		},
		number("num_ctx", "context window of the model in tokens. If empty, Tabwright asks the server", 512, 10_000_000, func(c *Config) *int { return &m(c).NumCtx }),
		yesNo("vision", "whether the model can read pictures", func(c *Config) **bool { return &m(c).Vision }),
		yesNo("tools", "whether the model may call tools", func(c *Config) **bool { return &m(c).Tools }),
		think(func(c *Config) *string { return &m(c).Think }),
		optional("temperature", "temperature of the model, from 0 to 2. If empty, the model's own temperature applies", 0, 2, func(c *Config) **float64 { return &m(c).Temperature }),
		duration("keep_alive", "how long Ollama keeps the model loaded after a request, 15m if empty. -1s means for ever", func(c *Config, v string, _ time.Duration) { m(c).KeepAlive = v },
			func(c Config) string { return m(&c).KeepAlive }),
		duration("timeout", "longest time for which the model server may send nothing, 5m if empty", func(c *Config, _ string, d time.Duration) { m(c).Timeout = d },
			func(c Config) string {
				if m(&c).Timeout == 0 {
					return ""
				}
				return m(&c).Timeout.String()
			}),
		word("size", "size of the model's prompt: tiny, small, medium or large. If empty, the name of the model decides", func(c *Config) *string { return &m(c).Size }, llm.Sizes()...),
		word("mode", "form in which the model gets a page: dom (a list), hybrid (a list and pictures) or pointer (pictures only). If empty, the name of the model decides", func(c *Config) *string { return &m(c).Mode }, llm.Modes()...),
		word("family", "reply format of a model that points at pictures. If empty, the name of the model decides", func(c *Config) *string { return &m(c).Family }, pointer.Names()...),
		amount("price_in", "price of a million tokens that the model reads. If empty, Tabwright asks the provider", 0, 100_000, func(c *Config) *float64 { return &m(c).PriceIn }),
		amount("price_out", "price of a million tokens that the model writes", 0, 100_000, func(c *Config) *float64 { return &m(c).PriceOut }),
		{
			Name: "headers", Doc: "additional HTTP headers for the model server, written as Name: value; Name: value",
			set: func(c *Config, v string) error {
				for _, part := range strings.Split(v, ";") {
					if name, _, ok := strings.Cut(part, ":"); !ok || !headerName(strings.TrimSpace(name)) {
						return wrong("header", "%s is not a header such as X-Title: Tabwright", quote(strings.TrimSpace(part)))
					}
				}
				m(c).Headers = v
				return nil
			},
			get:   func(c Config) string { return m(&c).Headers },
			shown: headerNames,
		},
	}
}

func settingNamed(name string) (Setting, bool) { return named(settings, name) }

func named(list []Setting, name string) (Setting, bool) {
	i := slices.IndexFunc(list, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return list[i], true
}

func text(name, doc string, at func(*Config) *string) Setting {
	return Setting{
		Name: name, Doc: doc,
		set: func(c *Config, v string) error { *at(c) = v; return nil },
		get: func(c Config) string { return *at(&c) },
	}
}

func word(name, doc string, at func(*Config) *string, words ...string) Setting {
	s := text(name, doc, at)
	s.Choices = words
	s.set = func(c *Config, v string) error {
		if !slices.Contains(words, v) {
			return wrong("choice", "%s is not one of: %s", quote(v), strings.TrimPrefix(strings.Join(words, ", "), ", "))
		}
		*at(c) = v
		return nil
	}
	return s
}

// think takes the words of a yes and a no beside the levels.
func think(at func(*Config) *string) Setting {
	s := word("think", "whether the model thinks before it answers, or how much", at, llm.ThinkLevels()...)
	set := s.set
	s.set = func(c *Config, v string) error {
		switch strings.ToLower(v) {
		case "yes", "on", "1":
			v = "true"
		case "no", "off", "0":
			v = "false"
		}
		return set(c, strings.ToLower(v))
	}
	return s
}

// optional is an amount that may be zero, and may be left out.
func optional(name, doc string, least, most float64, at func(*Config) **float64) Setting {
	return Setting{
		Name: name, Doc: doc,
		set: func(c *Config, v string) error {
			n, err := amountIn(v, least, most)
			if err == nil {
				*at(c) = &n
			}
			return err
		},
		get: func(c Config) string {
			if *at(&c) == nil {
				return ""
			}
			return decimal(**at(&c))
		},
	}
}

func amountIn(v string, least, most float64) (float64, error) {
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(n) {
		return 0, wrong("amount", "%s is not an amount between %s and %s", quote(v), decimal(least), decimal(most))
	}
	if n < least || n > most {
		return 0, wrong("between", "%s is not between %s and %s", v, decimal(least), decimal(most))
	}
	return n, nil
}

func number(name, doc string, least, most int, at func(*Config) *int) Setting {
	return Setting{
		Name: name, Doc: doc,
		set: func(c *Config, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil {
				return wrong("whole", "%s is not a whole number", quote(v))
			}
			if n < least || n > most {
				return wrong("between", "%s is not between %s and %s", strconv.Itoa(n), strconv.Itoa(least), strconv.Itoa(most))
			}
			*at(c) = n
			return nil
		},
		get: func(c Config) string {
			if *at(&c) == 0 {
				return ""
			}
			return strconv.Itoa(*at(&c))
		},
	}
}

// headerName says that a name is a token of RFC 9110, section 5.6.2.
func headerName(name string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r > 'z' || !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune(marks, r))
	})
}

// amount is a sum of money, or what else is counted in parts.
func amount(name, doc string, least, most float64, at func(*Config) *float64) Setting {
	return Setting{
		Name: name, Doc: doc,
		set: func(c *Config, v string) error {
			n, err := amountIn(v, least, most)
			if err == nil {
				*at(c) = n
			}
			return err
		},
		get: func(c Config) string {
			if *at(&c) == 0 {
				return ""
			}
			return decimal(*at(&c))
		},
	}
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func yesNo(name, doc string, at func(*Config) **bool) Setting {
	return Setting{
		Name: name, Doc: doc, Choices: []string{"true", "false"},
		set: func(c *Config, v string) error {
			var b bool
			switch strings.ToLower(v) {
			case "true", "yes", "on", "1":
				b = true
			case "false", "no", "off", "0":
			default:
				return wrong("yes_no", "%s is neither true nor false", quote(v))
			}
			*at(c) = &b
			return nil
		},
		get: func(c Config) string {
			if *at(&c) == nil {
				return ""
			}
			return strconv.FormatBool(**at(&c))
		},
	}
}

func duration(name, doc string, put func(*Config, string, time.Duration), get func(Config) string) Setting {
	return Setting{
		Name: name, Doc: doc,
		set: func(c *Config, v string) error {
			d, err := ParseDuration(v)
			if err != nil {
				return wrong("duration", "%s is not a duration such as 90s, 5m or 1h", quote(v))
			}
			if name == "timeout" && d <= 0 {
				return wrong("too_short", "%s is not longer than nothing", quote(v))
			}
			if dayRE.MatchString(v) { // servers do not know days
				v = d.String()
			}
			put(c, v, d)
			return nil
		},
		get: get,
	}
}

// serverAddress refuses what is no web address, and one with a password in
// it: addresses are shown and logged.
func serverAddress(v string) error {
	u, err := url.Parse(v)
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "":
		return wrong("address", "it is not an address such as http://127.0.0.1:11434")
	case u.User != nil:
		return wrong("userinfo", "a user name or password does not belong in the address; store the key with tabwright key set")
	}
	return nil
}

// BareAddress is a server's address as it may be seen: some carry a key in the
// query, and an older file may hold a user name and password.
func BareAddress(v string) string {
	u, err := url.Parse(v)
	if err != nil {
		return "…"
	}
	if u.User != nil {
		u.User = url.User("…")
	}
	var names []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if name, value, _ := strings.Cut(pair, "="); value != "" {
			pair = name + "=…"
		}
		names = append(names, pair)
	}
	query := strings.Join(names, "&")
	u.RawQuery, u.Fragment = "", ""
	out := strings.ReplaceAll(u.String(), url.QueryEscape("…"), "…")
	if query != "" {
		out += "?" + query
	}
	return out
}

// folder makes a folder of a user's word: ~ is the home, and a relative one
// is refused, because the broker's working folder means nothing to anyone.
func folder(v string) (string, error) {
	if v == "~" || strings.HasPrefix(v, "~/") {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find the home folder: %w", err)
		}
		v = filepath.Join(home, v[1:])
	}
	if !filepath.IsAbs(v) {
		return "", wrong("folder", "%s is not the full path of a folder", quote(v))
	}
	return filepath.Clean(v), nil
}

// foldersThere refuses a folder that is added and is none.
func foldersThere(was, now Config) error {
	for _, d := range now.UploadDirs {
		if slices.Contains(was.UploadDirs, d) {
			continue
		}
		switch st, err := os.Stat(d); {
		case errors.Is(err, fs.ErrNotExist):
			return wrong("no_folder", "there is no folder %s; make it first, or name another", quote(d))
		case err != nil:
			return wrong("closed_folder", "the folder %s can't be looked into; name another", quote(d))
		case !st.IsDir():
			return wrong("not_folder", "%s is a file; name the folder that it is in", quote(d))
		}
	}
	return nil
}

func quote(s string) string { return "“" + s + "”" }
