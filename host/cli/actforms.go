package cli

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tabwright/host/action"
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
	{name: "fill", short: "Replace the text of a field.", action: "type", preset: map[string]any{"clear": true}, args: []string{"text…"}, loose: true, example: "  tabwright fill @e3 \"text\"\n  tabwright fill \"input[name=q]\" two words --submit"},
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

// lacksTarget tells that nothing says which element is meant: no word and no flag.
func (f form) lacksTarget(s action.Spec, params map[string]any) bool {
	if f.loose || !takesTarget(s) {
		return false
	}
	for name := range params {
		if _, preset := f.preset[name]; !preset && !slices.Contains(s.Schema.Required, name) && (f.action == "find" || name == "url" || slices.Contains(targets, name)) {
			return false
		}
	}
	return true
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
			doc += "\nA ref or an index names what is scrolled (else the page); a selector names where scrolling stops, as with --selector."
		case f.loose && len(f.args) > 0:
			doc += "\nIf only one word is given, only a ref counts as a target; use --selector or --index for the others."
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
		GroupID: groupBrowser, Args: cobra.ArbitraryArgs, ValidArgsFunction: f.complete(s),
	}
	if f.parent != "" {
		cmd.GroupID = ""
	}
	f.flags(cmd.Flags(), s)
	completeEnums(cmd, s)
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		p, file, err := f.params(s, cmd.Flags(), words)
		if err != nil {
			return err
		}
		if f.lacksTarget(s, p) {
			return isMissing("TARGET")
		}
		if f.parent == "is" {
			return asked(o.act(cmd, f, p, file))
		}
		return o.act(cmd, f, p, file)
	}
	return cmd
}
