// Command tour shows Tabwright at work on a machine where nothing is set up. It starts a
// Chromium with a new profile, loads the extension and registers the host.
//
// Without -headless (`make run`) the side panel is open and ready to chat, until
// the window is closed. With it (`make demo`) it goes through the
// bundled shop with a stand-in model that follows a script: each step is
// printed, the confirmation is asked in the terminal and answered in the panel
// by a real click, pictures of page and panel are saved, and the shop's own
// record of orders is the verdict.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"tabwright/e2e/rig"
	"tabwright/host/browser/launch"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := options{}
	flag.StringVar(&o.binary, "binary", "bin/tabwright", "the built program")
	flag.BoolVar(&o.headless, "headless", false, "go through the demo without a window")
	flag.StringVar(&o.answer, "answer", "", "with -headless: allow or deny, instead of asking in the terminal")
	flag.StringVar(&o.out, "out", filepath.Join("e2e", "out"), "with -headless: folder for the pictures")
	flag.StringVar(&o.dir, "profile", "", "folder of the browser's profile and Tabwright's state; default: a new one")
	flag.Parse()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "tour:", whatToDo(err))
		os.Exit(1)
	}
}

// whatToDo says of an error what a user at make does about it.
func whatToDo(err error) error {
	if errors.Is(err, launch.ErrNoDisplay) {
		return errors.New("there is no display here for the browser's window.\n" +
			"  make demo goes through a tour in this terminal, without a window.\n" +
			"  For the window set DISPLAY or WAYLAND_DISPLAY (over ssh: ssh -X), and run make run again.")
	}
	return err
}

type options struct {
	binary, answer, out, dir string
	headless                 bool
}

func run(ctx context.Context, o options) (err error) {
	switch o.answer {
	case "", "allow", "deny":
	default:
		return fmt.Errorf("-answer is allow or deny, not %q", o.answer)
	}
	args := []string{}
	if o.headless {
		args = append(args, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
	}
	r, err := rig.Start(ctx, rig.Options{Binary: o.binary, Dir: o.dir, Headless: o.headless, Args: args})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if o.headless {
		return demo(ctx, r, o)
	}
	return chat(ctx, r)
}

// chat leaves the browser to the user until it is closed: a page with the
// side panel beside it, as their own Chrome will have it.
func chat(ctx context.Context, r *rig.Rig) error {
	if err := openPanel(ctx, r); err != nil {
		return fmt.Errorf("open the side panel: %w", err)
	}
	fmt.Println("A Chromium with Tabwright is open, its side panel ready to chat. The toolbar button opens")
	fmt.Println("the panel beside any page. Close the window, or press Ctrl-C here, to end it.")
	select {
	case <-r.Browser.Done():
	case <-ctx.Done():
	}
	return nil
}

func openPanel(ctx context.Context, r *rig.Rig) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tabs, err := r.Driver.Tabs(ctx)
	if err != nil {
		return err
	}
	if len(tabs) == 0 {
		return errors.New("the browser has no tab")
	}
	page, err := r.Driver.Attach(ctx, tabs[0].ID)
	if err != nil {
		return err
	}
	if _, err := r.OpenSidePanel(ctx, page); err != nil {
		return err
	}
	return r.Driver.Release(ctx, page.ID())
}
