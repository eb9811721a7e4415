package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"tabwright/host/cli"
)

// TestPages: every command that help shows has its page, with its flags and examples, and
// the variables have theirs.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	page := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(dir, name+".1"))
		if err != nil {
			t.Error(err)
		}
		return string(raw)
	}
	n := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		n++
		if text := page(strings.ReplaceAll(c.CommandPath(), " ", "-")); !strings.Contains(text, ".SH SYNOPSIS") || c.Example != "" && !strings.Contains(text, ".SH EXAMPLE") {
			t.Errorf("the page of %s is %s", c.CommandPath(), text)
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub)
			}
		}
	}
	walk(cli.Root())
	if n < 100 {
		t.Errorf("%d commands", n)
	}
	if text := page("tabwright-environment"); !strings.Contains(text, "TABWRIGHT_MODEL\n") || !strings.Contains(text, "NO_COLOR\n") || !strings.Contains(text, "OLLAMA_HOST\n") {
		t.Errorf("the page of the variables is %s", text)
	}
}
