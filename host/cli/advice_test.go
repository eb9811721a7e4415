package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// productText is a text of the product, and where it stands.
type productText struct{ where, text string }

// allTold gives every text that people or models read: the strings of the
// program, the words of the panel in both languages, and the documents.
func allTold(t *testing.T) (all []productText) {
	t.Helper()
	root := "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{"node_modules", ".git", ".cache", "bin", "dist", "testdata", "paneltest"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		switch ext := filepath.Ext(path); {
		case strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".test.ts"):
		case ext == ".go":
			all = append(all, literals(t, path)...)
		case ext == ".ts", ext == ".tsx", ext == ".md":
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all = append(all, productText{path, string(raw)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// literals gives the strings of a Go file.
func literals(t *testing.T, path string) (all []productText) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil {
				all = append(all, productText{path, s})
			}
		}
		return true
	})
	return all
}

var (
	commandLine = regexp.MustCompile(`\btabwright((?: +(?:--)?[a-z][a-z-]*\b)+)`)
	makeTarget  = regexp.MustCompile("(?:`|with |用 )make ([a-z][a-z-]+)\\b")
	// prose follows a command in a sentence.
	prose = strings.Fields("again and chrome-extension finds first for goes in is lists names or prints says then to with you")
)

// A command that any text names is one that there is, with its flags.
func TestCommandsThatAreNamed(t *testing.T) {
	root := rootCommand()
	n := 0
	for _, s := range allTold(t) {
		for _, m := range commandLine.FindAllStringSubmatch(s.text, -1) {
			words := strings.Fields(m[1])
			cmd := root
			for len(words) > 0 {
				next, _, err := cmd.Find(words[:1])
				if err != nil || next == cmd {
					break
				}
				cmd, words = next, words[1:]
			}
			n++
			switch {
			case cmd == root && !slices.Contains(prose, words[0]) && !strings.HasPrefix(words[0], "--"):
				t.Errorf("%s names the command “tabwright%s”", s.where, m[1])
			case len(words) > 0 && takesNoWord(cmd) && !strings.HasPrefix(words[0], "--") && !slices.Contains(prose, words[0]):
				t.Errorf("%s names “tabwright%s”, and %s takes no %q", s.where, m[1], cmd.CommandPath(), words[0])
			}
			for _, w := range words {
				if flag, ok := strings.CutPrefix(w, "--"); ok && cmd.Flags().Lookup(flag) == nil && root.PersistentFlags().Lookup(flag) == nil && flag != "help" && flag != "version" {
					t.Errorf("%s names “tabwright%s”, and %s has no --%s", s.where, m[1], cmd.CommandPath(), flag)
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d commands were found", n)
	}
}

// takesNoWord reports that a command, or a group of commands, is followed by none.
func takesNoWord(cmd *cobra.Command) bool {
	return cmd.HasSubCommands() && cmd.Name() != "tabs" && cmd.Name() != "profiles" || cmd.Args != nil && cmd.Args(cmd, []string{"x"}) != nil && cmd.Args(cmd, []string{"x", "x"}) != nil
}

// A target of make that any text names is one that there is.
func TestTargetsThatAreNamed(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range allTold(t) {
		for _, m := range makeTarget.FindAllStringSubmatch(s.text, -1) {
			n++
			if !regexp.MustCompile(`(?m)^` + m[1] + `:`).Match(makefile) {
				t.Errorf("%s names “make %s”", s.where, m[1])
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d targets were found", n)
	}
}

// shellWords splits a line as a shell does, up to what begins a comment, another
// command or a redirection.
func shellWords(line string) (words []string) {
	word, quote, open := "", rune(0), false
	end := func() {
		if open {
			words = append(words, word)
		}
		word, open = "", false
	}
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word += string(c)
		case c == '"' || c == '\'':
			quote, open = c, true
		case c == ' ':
			end()
		case strings.ContainsRune("#&|<>;", c) && !open:
			return words
		default:
			word, open = word+string(c), true
		}
	}
	end()
	return words
}

// Every example, in the documents and in the help, is a command line that is taken as
// it stands: the command, its flags, the number of its words.
func TestExamplesAreTaken(t *testing.T) {
	n := 0
	try := func(where, line string) {
		words := shellWords(strings.TrimPrefix(strings.TrimSpace(line), "bin/"))
		if len(words) < 2 || words[0] != "tabwright" {
			return
		}
		n++
		cmd, rest, err := rootCommand().Find(words[1:])
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err == nil {
			err = cmd.ValidateArgs(cmd.Flags().Args())
		}
		if err == nil {
			err = cmd.ValidateRequiredFlags()
		}
		if err == nil && cmd.HasSubCommands() && !cmd.Runnable() {
			err = noSuch(cmd, nil)
		}
		if err != nil {
			t.Errorf("%s: %s: %v", where, strings.TrimSpace(line), err)
		}
	}
	for _, s := range allTold(t) {
		if !strings.HasSuffix(s.where, ".md") {
			continue
		}
		fenced := false
		for line := range strings.Lines(s.text) {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			} else if fenced || strings.HasPrefix(line, "    ") {
				try(s.where, line)
			}
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			try("the help of "+c.CommandPath(), line)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand())
	if n < 90 {
		t.Errorf("only %d examples were found", n)
	}
}
