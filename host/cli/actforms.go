package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/action"
	"tabwright/host/config"
	"tabwright/host/control/mcp"
	"tabwright/host/native/wire"
)

// form is a command that does one action: which one, what stands by position,
// and what it prints. Commands without a form of their own get one from the
// registry.
type form struct {
	name   string
	short  string
	action string
	preset map[string]any
	// args are the parameters that stand by position, after the target if there
	// is one. A last one that ends in … takes all that is left, in one.
	args []string
	// keys are one-letter names of flags.
	keys map[string]string
	// loose is true when the target may be left out. Where words follow it, only
	// a ref is taken for one.
	loose bool
	// until is true where a ref or an index is what is scrolled, and a selector
	// where that ends.
	until bool
	// parent is the command it stands under: get, is.
	parent string
	// aliases are other names, and example shows how it is used.
	aliases []string
	example string
	// render prints the result of a success; nil: its text.
	render func(p printer, r wire.SessionResult) error
}

// forms are the short forms; those whose action the registry lacks are left out.
var forms = []form{
	{name: "click", action: "click", example: "  tabwright click @e2\n  tabwright click \"#buy\" --button right"},
	{name: "dblclick", short: "Click an element twice.", action: "click", preset: map[string]any{"clicks": 2}},
	{name: "fill", short: "Replace what a field holds.", action: "type", preset: map[string]any{"clear": true}, args: []string{"text…"}, loose: true, example: "  tabwright fill @e3 \"text\"\n  tabwright fill \"input[name=q]\" two words --submit"},
	{name: "type", action: "type", args: []string{"text…"}, loose: true, example: "  tabwright type @e3 two words\n  tabwright type \"into what has the keyboard\""},
	{name: "press", action: "pressKey", args: []string{"key"}, example: "  tabwright press Enter\n  tabwright press a --modifiers ctrl"},
	{name: "select", action: "select", args: []string{"value"}, example: "  tabwright select @e5 Blue"},
	{name: "upload", action: "uploadFile", args: []string{"paths…"}, example: "  tabwright upload @e6 photo.jpg\n  tabwright upload @e6 front.jpg back.jpg"},
	{name: "scroll", action: "scroll", args: []string{"direction", "amount"}, loose: true, example: "  tabwright scroll down\n  tabwright scroll @e7 down 300"},
	{name: "back", action: "goBack"},
	{name: "forward", action: "goForward"},
	{name: "reload", action: "refresh", aliases: []string{"refresh"}},
	{name: "snapshot", action: "snapshot", keys: map[string]string{"interactive": "i", "compact": "c", "maxDepth": "d", "scope": "s"}, example: "  tabwright snapshot -i -c -d 3"},
	{name: "elements", action: "getElements"},
	{name: "details", action: "getElementDetails", args: []string{"indices…"}},
	{name: "options", action: "getOptions"},
	{name: "content", action: "extractContent", loose: true},
	{name: "scroll-until", action: "scrollUntil", loose: true, until: true, example: "  tabwright scroll-until \"#end\"\n  tabwright scroll-until @e7 --text \"Item 60\""},
	{name: "load-more-until", action: "loadMoreUntil", loose: true},
	{name: "mouse-up", action: "mouseUp", loose: true},
	{name: "eval", action: "executeJS", args: []string{"code…"}, render: printer.value, example: "  tabwright eval \"document.title\""},
	{name: "console", action: "consoleMessages", example: "  tabwright console --level error"},
	{name: "requests", action: "networkRequests", example: "  tabwright requests --filter /api/"},
	{name: "resize", action: "resize", args: []string{"width", "height"}, example: "  tabwright resize 1280 720"},
	{name: "search", action: "webSearch", args: []string{"query…"}},
	{name: "screenshot", action: "screenshot", args: []string{fileArg}, loose: true, keys: map[string]string{"fullPage": "f"}, render: printer.image, example: "  tabwright screenshot out.png\n  tabwright screenshot @e3 part.png\n  tabwright screenshot -f whole.png"},
	{name: "pdf", action: "savePDF", args: []string{fileArg}, render: printer.saved, example: "  tabwright pdf page.pdf"},
	{name: "download", action: "download", args: []string{fileArg}, render: printer.saved, example: "  tabwright download @e4 list.csv"},
	{name: "text", parent: "get", action: "getText", loose: true, render: printer.value, example: "  tabwright get text @e1"},
	{name: "html", parent: "get", action: "getHTML", loose: true, render: printer.value},
	{name: "value", parent: "get", action: "getValue", render: printer.value},
	{name: "attr", parent: "get", action: "getAttribute", args: []string{"name"}, render: printer.value},
	{name: "count", parent: "get", short: "Count the elements that match a selector.", action: "find", render: printer.count, example: "  tabwright get count \".todo li\""},
	{name: "box", parent: "get", short: "Print where an element is in the viewport, and its size.", action: "isVisible", render: printer.box},
	{name: "visible", parent: "is", action: "isVisible", render: printer.truth, example: "  tabwright is visible @e1 && echo yes"},
	{name: "enabled", parent: "is", action: "isEnabled", render: printer.truth},
	{name: "checked", parent: "is", action: "isChecked", render: printer.truth},
	{name: "accept", parent: "dialog", short: "Answer the open dialog with OK.", action: "handleDialog", preset: map[string]any{"accept": true}, args: []string{"text…"}},
	{name: "dismiss", parent: "dialog", short: "Answer the open dialog with Cancel.", action: "handleDialog", preset: map[string]any{"accept": false}},
	{name: "list", parent: "tabs", short: "List the session's tabs.", action: "listTabs", render: printer.tabs},
	{name: "new", parent: "tabs", short: "Open a tab.", action: "openTab", args: []string{"url"}},
	{name: "switch", parent: "tabs", short: "Switch to a tab, by its number.", action: "switchTab", args: []string{"index"}},
	{name: "close", parent: "tabs", short: "Close a tab, by its number.", action: "closeTab", args: []string{"index"}},
}

// ownCommands are actions that have commands of another kind, or none.
var ownCommands = []string{"navigate", "wait", "waitFor", "done", "askUser", "plan", "requestLogin"}

// fileArg is a position that is no parameter: the file a result is written to.
const fileArg = "FILE"

// allForms are the short forms and one for each action that has none.
func allForms(r *action.Registry) []form {
	var out []form
	named := map[string]bool{}
	for _, f := range forms {
		s, ok := r.Spec(f.action)
		if !ok {
			continue
		}
		if f.short == "" {
			f.short, _, _ = strings.Cut(s.Doc[action.English], "\n")
		}
		// A parameter that this registry does not know can't stand by position.
		f.args = slices.DeleteFunc(slices.Clone(f.args), func(a string) bool {
			_, ok := s.Schema.Properties[strings.TrimSuffix(a, "…")]
			return !ok && a != fileArg
		})
		named[f.action] = true
		out = append(out, f)
	}
	for _, s := range r.Specs() {
		if named[s.Name] || slices.Contains(ownCommands, s.Name) {
			continue
		}
		f := form{name: kebab(s.Name), action: s.Name}
		f.short, _, _ = strings.Cut(s.Doc[action.English], "\n")
		for _, p := range s.Schema.PropertyOrder {
			if slices.Contains(s.Schema.Required, p) && !slices.Contains(targets, p) {
				f.args = append(f.args, p)
			}
		}
		out = append(out, f)
	}
	return out
}

// targets are the parameters that name an element.
var targets = []string{"ref", "index", "selector", "x", "y"}

// msRE finds milliseconds in a text.
var msRE = regexp.MustCompile(`^\d{3,}`)

// takesTarget tells whether an action's first position is an element.
func takesTarget(s action.Spec) bool {
	return s.Schema.Properties["ref"] != nil || s.Schema.Properties["selector"] != nil
}

// kebab writes pressKey as press-key: the words are those of the MCP tool's
// name, so that both doors name an action alike.
func kebab(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(mcp.ToolName(name), "browser_"), "_", "-")
}

var refRE = regexp.MustCompile(`^@?((?:snap_[a-z0-9]+:)?e\d+)$`)

// indexRE takes an index as lists print it, and with the sign of a ref: neither
// could be a CSS selector.
var indexRE = regexp.MustCompile(`^[@\[]?(-?\d+)\]?$`)

// signedRE is an index that is no number by itself.
var signedRE = regexp.MustCompile(`^(?:@\d+|\[\d+\])$`)

// target reads an element as people write it: @e12, 12, a point 30,40, or a
// CSS selector.
func target(word string) map[string]any {
	if m := refRE.FindStringSubmatch(word); m != nil {
		return map[string]any{"ref": m[1]}
	}
	if m := indexRE.FindStringSubmatch(word); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return map[string]any{"index": n}
		}
	}
	if p, ok := point(word); ok {
		return p
	}
	return map[string]any{"selector": word}
}

func point(word string) (map[string]any, bool) {
	xs, ys, ok := strings.Cut(word, ",")
	x, ex := strconv.ParseFloat(xs, 64)
	y, ey := strconv.ParseFloat(ys, 64)
	if !ok || ex != nil || ey != nil {
		return nil, false
	}
	return map[string]any{"x": x, "y": y}, true
}

// use is the command's line in its help.
func (f form) use(s action.Spec) string {
	parts := []string{f.name}
	if takesTarget(s) {
		part := "TARGET"
		if f.loose {
			part = "[TARGET]"
		}
		parts = append(parts, part)
	}
	for _, a := range f.args {
		name, rest := strings.CutSuffix(a, "…")
		part := strings.ToUpper(kebab(name))
		if rest {
			part += "..."
		}
		if !slices.Contains(s.Schema.Required, name) {
			part = "[" + part + "]"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

// flags declares a flag for each parameter that has no position.
func (f form) flags(fl *pflag.FlagSet, s action.Spec) {
	for _, name := range s.Schema.PropertyOrder {
		if _, set := f.preset[name]; set || slices.Contains(f.args, name) || slices.Contains(f.args, name+"…") {
			continue
		}
		if slices.Contains(targets, name) && takesTarget(s) && name != "x" && name != "y" && !f.loose {
			continue
		}
		addFlag(fl, name, f.keys[name], s.Schema.Properties[name])
	}
}

// flagOf is the flag of a parameter. What counts milliseconds is a duration here.
func flagOf(param string) string { return kebab(strings.TrimSuffix(param, "Ms")) }

func addFlag(fl *pflag.FlagSet, param, key string, p *jsonschema.Schema) {
	name, usage := flagOf(param), p.Description
	if len(p.Enum) > 0 {
		words := make([]string, len(p.Enum))
		for i, e := range p.Enum {
			words[i] = fmt.Sprint(e)
		}
		usage = strings.TrimPrefix(usage+": "+strings.Join(words, ", "), ": ")
	}
	if fl.Lookup(name) != nil {
		return
	}
	if strings.HasSuffix(param, "Ms") {
		usage, _, _ = strings.Cut(usage, ",")
		usage = msRE.ReplaceAllStringFunc(usage, func(ms string) string {
			n, err := strconv.Atoi(ms)
			if err != nil {
				return ms
			}
			return config.FormatDuration(time.Duration(n) * time.Millisecond)
		})
		var d time.Duration
		durationVar(fl, &d, name, 0, usage)
		fl.Lookup(name).DefValue = ""
		fl.String(name+"-ms", "", "in milliseconds")
		fl.Lookup(name + "-ms").Hidden = true
		return
	}
	switch p.Type {
	case "boolean":
		fl.BoolP(name, key, false, usage)
	case "integer":
		fl.IntP(name, key, 0, usage)
	case "number":
		fl.Float64P(name, key, 0, usage)
	case "array":
		fl.StringSliceP(name, key, nil, usage)
	default:
		fl.StringP(name, key, "", usage)
	}
}

// params makes the call's parameters of the words and flags of a command line.
func (f form) params(s action.Spec, fl *pflag.FlagSet, words []string) (p map[string]any, file string, err error) {
	p = map[string]any{}
	for k, v := range f.preset {
		p[k] = v
	}
	fl.Visit(func(flag *pflag.Flag) {
		for name, schema := range s.Schema.Properties {
			if ms, is := strings.CutSuffix(name, "Ms"); is && kebab(ms) == flag.Name {
				if d, ok := flag.Value.(*duration); ok {
					p[name] = time.Duration(*d).Milliseconds()
				}
				continue
			}
			if kebab(name) == flag.Name {
				if v, e := flagValue(fl, flag.Name, schema); e == nil {
					p[name] = v
				} else {
					err = cmp.Or(err, e)
				}
			}
		}
	})
	if err != nil {
		return nil, "", err
	}
	named := slices.ContainsFunc(targets, func(t string) bool { _, ok := p[t]; return ok })
	_, byURL := p["url"] // of download, which then needs no element
	if takesTarget(s) && !named && !byURL && len(words) > 0 && f.firstIsTarget(s, words) {
		for k, v := range target(words[0]) {
			p[k] = v
		}
		words = words[1:]
	}
	for _, a := range f.args {
		if len(words) == 0 {
			break
		}
		name, rest := strings.CutSuffix(a, "…")
		if name == fileArg {
			file, words = words[0], words[1:]
			continue
		}
		schema := s.Schema.Properties[name]
		switch {
		case rest && schema.Type == "array":
			p[name], err = list(name, words, schema)
		case rest:
			p[name], err = value(name, strings.Join(words, " "), schema)
		default:
			p[name], err = value(name, words[0], schema)
		}
		if err != nil {
			return nil, "", err
		}
		if words = words[1:]; rest {
			words = nil
		}
	}
	if len(words) > 0 {
		return nil, "", fmt.Errorf("too many words: %q", words)
	}
	return p, file, nil
}

// firstIsTarget tells whether the first word is the element. Where it may be
// left out, it is one if it is a ref, if it is none of the words that may stand
// in its place, or if there are more words than places.
func (f form) firstIsTarget(s action.Spec, words []string) bool {
	if !f.loose || len(f.args) == 0 || refRE.MatchString(words[0]) || signedRE.MatchString(words[0]) || len(words) > len(f.args) {
		return true
	}
	first := s.Schema.Properties[f.args[0]]
	return len(words) > 1 && first != nil && len(enum(first)) > 0 && !slices.Contains(enum(first), words[0])
}

func flagValue(fl *pflag.FlagSet, name string, s *jsonschema.Schema) (any, error) {
	if s.Type == "array" {
		words, err := fl.GetStringSlice(name)
		if err != nil {
			return nil, err
		}
		return list(name, words, s)
	}
	return value(name, fl.Lookup(name).Value.String(), s)
}

// list reads words as an array. Numbers may stand in one word, with commas or
// spaces between; what is text is as it was given.
func list(name string, words []string, s *jsonschema.Schema) (any, error) {
	var out []any
	for _, word := range words {
		parts := []string{word}
		if s.Items.Type != "string" {
			parts = strings.FieldsFunc(word, func(r rune) bool { return r == ',' || r == ' ' })
		}
		for _, w := range parts {
			if m := refRE.FindStringSubmatch(w); m != nil && s.Items.Type == "integer" {
				w = m[1][strings.LastIndex(m[1], "e")+1:] // its index
			}
			v, err := value(name, w, s.Items)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
	}
	return out, nil
}

// value reads a word as its parameter's type wants it.
func value(name, word string, s *jsonschema.Schema) (any, error) {
	switch s.Type {
	case "integer":
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("%s is a whole number, not %q", name, word)
		}
		return n, nil
	case "number":
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is a number, not %q", name, word)
		}
		return n, nil
	case "boolean":
		return strconv.ParseBool(word)
	case "array":
		return list(name, []string{word}, s)
	case "object":
		// The end of a drag: a point, or an element as every target is written.
		if !strings.HasPrefix(word, "{") {
			return target(word), nil
		}
		var v map[string]any
		if err := json.Unmarshal([]byte(word), &v); err != nil {
			return nil, fmt.Errorf("%s is no JSON object: %q", name, word)
		}
		return v, nil
	}
	// The broker runs elsewhere: a file is told to it by its whole path.
	if (name == "filePath" || name == "paths" || name == "path") && word != "" {
		return filepath.Abs(word)
	}
	return word, nil
}

// help is the long text of a command: the action's doc, in words of commands.
func (f form) help(s action.Spec) string {
	doc := s.Doc[action.English]
	if first, rest, ok := strings.Cut(doc, "\n"); f.short != strings.TrimSpace(first) && ok {
		doc = f.short + "\n" + rest // its own first line, then the rest of the action's
	} else if f.short != strings.TrimSpace(first) {
		doc = f.short
	}
	if takesTarget(s) {
		point := ""
		if s.Schema.Properties["x"] != nil {
			point = " a point (30,40)"
		}
		doc += "\n\nTARGET is a ref (@e12), an index (12)," + point + " or a CSS selector (\"#buy\", \"xpath=//a\")."
		switch {
		case f.until:
			doc += "\nA ref or an index is what is scrolled, the page if there is none; a selector is where it stops, as with --selector."
		case f.loose && len(f.args) > 0:
			doc += "\nAs the only word only a ref is taken for one; --selector and --index name the others."
		}
	}
	return commandWords(doc)
}

// samples are arguments for examples, by the name of the parameter.
var samples = map[string]string{
	"url": "https://shop.example", "key": "Shift", "name": "href", "fileName": "notes.md", "content": `"# Notes"`, "indices": "2 3", "from": "@e2", "to": "@e5",
	"query": "blue mugs", "index": "2", "direction": "down", fileArg: "page.pdf",
}

// sample is an example of a command that has none of its own.
func (f form) sample(s action.Spec) string {
	words := []string{"  tabwright"}
	if f.parent != "" {
		words = append(words, f.parent)
	}
	words = append(words, f.name)
	if takesTarget(s) && !f.loose {
		words = append(words, "@e2")
	}
	for _, a := range f.args {
		name := strings.TrimSuffix(a, "…")
		if v := samples[name]; v != "" && (slices.Contains(s.Schema.Required, name) || f.parent == "tabs") {
			words = append(words, v)
		}
	}
	return strings.Join(words, " ")
}

// command makes the cobra command of a form.
func (f form) command(r *action.Registry, o *actOptions) *cobra.Command {
	s, _ := r.Spec(f.action) // allForms took only known ones
	if f.example == "" {
		f.example = f.sample(s)
	}
	cmd := &cobra.Command{
		Use: f.use(s), Aliases: f.aliases, Short: commandWords(strings.TrimSuffix(f.short, ".")), Long: f.help(s), Example: f.example,
		GroupID: groupBrowser, Args: cobra.ArbitraryArgs, DisableFlagsInUseLine: true, ValidArgsFunction: f.complete(s),
	}
	if f.parent != "" {
		cmd.GroupID = ""
	}
	f.flags(cmd.Flags(), s)
	completeEnums(cmd, s)
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		p, file, err := f.params(s, cmd.Flags(), words)
		if err != nil {
			return &exitError{code: exitUsage, err: err}
		}
		if f.parent == "is" {
			return asked(o.act(cmd, f, p, file))
		}
		return o.act(cmd, f, p, file)
	}
	return cmd
}
