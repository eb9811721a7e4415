package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // what screenshots come as
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// printer prints results for people and scripts.
type printer struct {
	out  io.Writer
	file string
}

// text prints what a model would read, without its OK.
func (p printer) text(r wire.SessionResult) error {
	_, err := fmt.Fprintln(p.out, withCommands(strings.TrimPrefix(r.Text, "OK: ")))
	return err
}

// fields gives a result's data as an object, or nil.
func fields(r wire.SessionResult) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(r.Data, &m) != nil {
		return nil
	}
	return m
}

// value prints the one value that was asked for, strings as they are.
func (p printer) value(r wire.SessionResult) error {
	raw := r.Data
	if m := fields(r); m != nil {
		raw = nil
		for _, k := range []string{"value", "text", "html", "content"} {
			if v, ok := m[k]; ok {
				raw = v
				break
			}
		}
	}
	var s string
	switch {
	case len(raw) == 0:
		return p.text(r)
	case r.Action == "executeJS" && string(raw) == "null":
		_, err := fmt.Fprintln(p.out, "null")
		return err
	case json.Unmarshal(raw, &s) == nil:
		_, err := fmt.Fprintln(p.out, s)
		return err
	default:
		_, err := fmt.Fprintln(p.out, string(raw))
		return err
	}
}

// tabs prints the session's tabs, one a line; a star marks the current one.
func (p printer) tabs(r wire.SessionResult) error {
	var l struct {
		Tabs []action.TabEntry `json:"tabs"`
	}
	if json.Unmarshal(r.Data, &l) != nil {
		return p.text(r)
	}
	var err error
	for _, t := range l.Tabs {
		mark := " "
		if t.Active {
			mark = "*"
		}
		_, e := fmt.Fprintf(p.out, "%s %d\t%s\t%s\n", mark, t.Index, t.URL, t.Title)
		err = errors.Join(err, e)
	}
	return err
}

// count prints how many elements were found.
func (p printer) count(r wire.SessionResult) error {
	var l struct {
		Total *int `json:"total"`
	}
	if json.Unmarshal(r.Data, &l) != nil || l.Total == nil {
		return p.text(r)
	}
	_, err := fmt.Fprintln(p.out, *l.Total)
	return err
}

// box prints where an element is.
func (p printer) box(r wire.SessionResult) error {
	b, ok := fields(r)["box"]
	if !ok {
		return p.text(r)
	}
	_, err := fmt.Fprintln(p.out, string(b))
	return err
}

// truth prints true or false.
func (p printer) truth(r wire.SessionResult) error {
	yes, ok := truthOf(r)
	if !ok {
		return p.text(r)
	}
	_, err := fmt.Fprintln(p.out, yes)
	return err
}

// truthOf finds the answer of isVisible, isEnabled or isChecked.
func truthOf(r wire.SessionResult) (yes, ok bool) {
	name, is := strings.CutPrefix(r.Action, "is")
	if !is {
		return false, false
	}
	raw, found := fields(r)[strings.ToLower(name)]
	if !found {
		raw = r.Data
	}
	if json.Unmarshal(raw, &yes) == nil {
		return yes, true
	}
	var s string // a checkbox may be "mixed"
	if json.Unmarshal(raw, &s) != nil {
		return false, false
	}
	return s == "true", true
}

// errNo is the answer no to a question of an is command, which is no failure.
var errNo = errors.New("no")

// asked gives a question that could not be answered an exit code of its own, so
// that a script does not take it for a no.
func asked(err error) error {
	var e *exitError
	if errors.As(err, &e) && e.code == exitFailed && !errors.Is(err, errNo) {
		return &exitError{code: exitUntold, err: e.err, quiet: e.quiet}
	}
	return err
}

// isFalse reports whether the question of an is command has the answer no.
func isFalse(r wire.SessionResult) bool {
	yes, ok := truthOf(r)
	return ok && !yes
}

// image writes a picture to the file that was named, and says where.
func (p printer) image(r wire.SessionResult) error {
	if err := p.writeImage(r); err != nil {
		return err
	}
	if p.file == "" || len(r.Image) == 0 {
		return p.text(r)
	}
	_, err := fmt.Fprintln(p.out, p.file)
	return err
}

// saved copies the file that an action wrote to the place that was named, and
// says where it is. The copy is this command's own: the host writes only into
// the session's folder.
func (p printer) saved(r wire.SessionResult) error {
	if err := p.copyFile(r); err != nil {
		return err
	}
	if p.file == "" {
		return p.text(r)
	}
	_, err := fmt.Fprintln(p.out, p.file)
	return err
}

func (p printer) copyFile(r wire.SessionResult) error {
	var path string
	if p.file == "" || r.Error != nil || len(r.Image) > 0 || json.Unmarshal(fields(r)["path"], &path) != nil {
		return nil // a result without a file, or a picture
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(p.file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// writeImage writes a picture in the format that the file's name says, in full size
// where the host wrote it so.
func (p printer) writeImage(r wire.SessionResult) error {
	if p.file == "" || len(r.Image) == 0 {
		return nil
	}
	data, kind := r.Image, r.MIME
	var path string
	if json.Unmarshal(fields(r)["path"], &path) == nil && path != "" {
		var err error
		if data, err = os.ReadFile(path); err != nil {
			return err
		}
		kind = "image/jpeg"
	}
	if strings.EqualFold(filepath.Ext(p.file), ".png") && kind != "image/png" {
		img, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("read the picture: %w", err)
		}
		var b bytes.Buffer
		e := png.Encoder{}
		if size := img.Bounds().Size(); size.X*size.Y > quickPixels {
			e.CompressionLevel = png.BestSpeed
		}
		if err := e.Encode(&b, img); err != nil {
			return fmt.Errorf("write the picture: %w", err)
		}
		data = b.Bytes()
	}
	return os.WriteFile(p.file, data, 0o600)
}

// quickPixels is from how many on a picture is packed quickly rather than well.
const quickPixels = 8 << 20

// inFullSize asks for the file of a picture of a page or an element in full size:
// what a model is given is shrunk to what it takes.
func inFullSize(name string, params map[string]any) map[string]any {
	_, hasFile := params["fileName"]
	if name != "screenshot" || hasFile {
		return params
	}
	for _, p := range []string{"fullPage", "index", "ref", "selector"} {
		if v, ok := params[p]; ok && v != false {
			params = maps.Clone(params)
			params["fileName"] = "screenshot.jpeg"
			return params
		}
	}
	return params
}

// structured is the result as JSON, with where the picture was written to.
func (p printer) structured(r wire.SessionResult) map[string]any {
	out := control.StructuredResult(r)
	if p.file != "" && len(r.Image) > 0 && r.Error == nil {
		out["path"] = p.file
		if abs, err := filepath.Abs(p.file); err == nil {
			out["path"] = abs
		}
	}
	return out
}

// pictureFile is the name of a picture that was given none, in the folder where
// the command runs.
func pictureFile(now time.Time, mime string) string {
	return "screenshot-" + now.Format("20060102-150405.000") + "." + cmp.Or(strings.TrimPrefix(mime, "image/"), "jpeg")
}
