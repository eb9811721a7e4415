package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tabwright/e2e/rig"
)

// Where there is no display, make run ends with an error that says what to do.
func TestNoDisplay(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	binary, err := rig.Build(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY"} {
		t.Setenv(name, "")
	}
	err = run(ctx, options{binary: binary})
	if err == nil {
		t.Fatal("a window without a display")
	}
	said := whatToDo(err).Error()
	if !strings.Contains(said, "make demo") || !strings.Contains(said, "DISPLAY") {
		t.Error(said)
	}
	if out, err := exec.CommandContext(ctx, "make", "-C", filepath.Join("..", ".."), "-n", "demo").CombinedOutput(); err != nil || !strings.Contains(string(out), "-headless") {
		t.Errorf("make demo needs a display, too: %v\n%s", err, out)
	}
}
