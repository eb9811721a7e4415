package rig

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"tabwright/host/tether"
)

// Screen is a display that nobody looks at, with a keyboard and a mouse: what
// they do goes through the window system to the browser itself, so that menus,
// shortcuts and notifications can be used too.
type Screen struct {
	Display string

	tie *tether.Tether
}

// The size of a Screen in pixels.
const (
	screenWidth  = 1400
	screenHeight = 1000
)

// NewScreen starts Xvfb. Close ends it, as does the end of this process.
func NewScreen(ctx context.Context) (*Screen, error) {
	for _, name := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("%w: a test with a window needs it; make setup-all installs it", err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", screenWidth, screenHeight), "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	s := &Screen{}
	if s.tie, err = tether.New(""); err == nil {
		err = s.tie.Start(cmd)
	}
	_ = w.Close() // the child has its own
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start Xvfb: %w", err), s.Close())
	}
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("Xvfb gave no display: %w", err), s.Close())
	}
	s.Display = ":" + strings.TrimSpace(line)
	return s, nil
}

// Close ends the display, and with it all windows.
func (s *Screen) Close() error {
	if s.tie == nil {
		return nil
	}
	return s.tie.Close()
}

// Env puts a browser on this display. No desktop is there to show its
// notifications, so that it draws them itself.
func (s *Screen) Env() []string {
	return []string{"DISPLAY=" + s.Display, "DBUS_SESSION_BUS_ADDRESS=disabled:"}
}

// Key presses keys, such as ctrl+shift+y, one after the other.
func (s *Screen) Key(ctx context.Context, keys ...string) error {
	return s.do(ctx, append([]string{"key", "--clearmodifiers"}, keys...)...)
}

// Click presses a button of the mouse, so many times: 1 is the left one, 3 the
// right one.
func (s *Screen) Click(ctx context.Context, x, y float64, button, times int) error {
	return s.do(ctx, "mousemove", strconv.Itoa(int(x)), strconv.Itoa(int(y)), "click", "--repeat", strconv.Itoa(times), "--delay", "40", strconv.Itoa(button))
}

// Type types text into what has the focus.
func (s *Screen) Type(ctx context.Context, text string) error {
	return s.do(ctx, "type", "--clearmodifiers", "--delay", "8", text)
}

// Popup waits for a window of its own that is no wider than width, such as a
// notification, and gives its middle.
func (s *Screen) Popup(ctx context.Context, width float64) (x, y float64, err error) {
	for ctx.Err() == nil {
		all, err := s.run(ctx, "xdotool", "search", "--onlyvisible", "--name", ".*", "getwindowgeometry", "--shell", "%@")
		if err != nil {
			continue // a window that is just going
		}
		for w := range strings.SplitSeq(all, "WINDOW=") {
			var id, left, top, wide, high float64
			n, _ := fmt.Sscanf(w, "%g\nX=%g\nY=%g\nWIDTH=%g\nHEIGHT=%g", &id, &left, &top, &wide, &high)
			if n == 5 && wide > 100 && wide <= width {
				return left + wide/2, top + high/2, nil
			}
		}
	}
	return 0, 0, fmt.Errorf("no window popped up: %w", ctx.Err())
}

// Picture saves what the display shows, as a PNG, where ImageMagick is there.
func (s *Screen) Picture(ctx context.Context, path string) error {
	_, err := s.run(ctx, "import", "-window", "root", path)
	return err
}

func (s *Screen) do(ctx context.Context, args ...string) error {
	_, err := s.run(ctx, "xdotool", args...)
	return err
}

func (s *Screen) run(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+s.Display)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w %s", name, strings.Join(args, " "), err, out)
	}
	return string(out), nil
}
